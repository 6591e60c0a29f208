// Show on every page of the desk how many tables call, in its navigation and its title, with a sound for each new call.
"use strict";
(() => {
  const LOOK = 5000; // milliseconds between two looks of a page that does not load itself again
  const MUTED = "tourney muted";
  const HEARD = "tourney calls";
  const mute = document.getElementById("mute");
  const read = (store, key) => {
    try {
      return store.getItem(key);
    } catch {
      return null; // a browser that keeps nothing sounds, too
    }
  };
  const keep = (store, key, value) => {
    try {
      store.setItem(key, value);
    } catch {
      // It is asked again on the next page.
    }
  };

  function ring() {
    const audio = new AudioContext();
    for (const [tone, frequency] of [660, 880].entries()) {
      const start = audio.currentTime + tone * 0.25;
      const oscillator = audio.createOscillator();
      const volume = audio.createGain();
      oscillator.frequency.value = frequency;
      volume.gain.setValueAtTime(0.3, start);
      volume.gain.exponentialRampToValueAtTime(0.001, start + 0.5);
      oscillator.connect(volume).connect(audio.destination);
      oscillator.start(start);
      oscillator.stop(start + 0.5);
    }
    setTimeout(() => audio.close(), 2000);
  }

  // The pages of one tab ring once for a call, whichever of them learns of it.
  function heard() {
    const number = Number(document.getElementById("calls").dataset.number);
    const before = Number(read(sessionStorage, HEARD));
    // A browser lets a page sound once somebody has used it.
    if (number > before && navigator.userActivation?.hasBeenActive === false) {
      document.addEventListener("click", heard, { once: true });
      return;
    }
    keep(sessionStorage, HEARD, number);
    if (number > before && !read(localStorage, MUTED)) ring();
  }

  function show(fresh) {
    const found = fresh.getElementById("calls");
    const here = document.getElementById("calls");
    if (!found || found.dataset.number === here.dataset.number) return;
    here.dataset.number = found.dataset.number;
    here.replaceChildren(...[...found.childNodes].map((node) => document.importNode(node, true)));
    const count = Number(found.dataset.number) ? `(${found.dataset.number}) ` : "";
    document.title = count + document.title.replace(/^\(\d+\) /, "");
    heard();
  }

  async function look() {
    const { deskPath = "/desk" } = globalThis;
    try {
      const answer = await fetch(`${deskPath}/rulings`, { cache: "no-cache", signal: AbortSignal.timeout(4000) });
      if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch {
      // The next look tries again.
    }
  }

  function label() {
    const muted = Boolean(read(localStorage, MUTED));
    mute.textContent = muted ? mute.dataset.off : mute.dataset.on;
    mute.setAttribute("aria-pressed", String(muted));
  }

  mute.hidden = false;
  mute.addEventListener("click", () => {
    keep(localStorage, MUTED, read(localStorage, MUTED) ? "" : "yes");
    label();
  });
  label();
  heard();
  document.addEventListener("tourney:loaded", (event) => show(event.detail));
  if (!document.querySelector('script[src*="live.js"]')) setInterval(look, LOOK);
})();
