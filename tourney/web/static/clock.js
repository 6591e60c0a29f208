// Show the time left on each clock of the page, its words as they come to hold, and a sound at the end.
"use strict";
(() => {
  let ahead = 0; // milliseconds by which the server's clock is ahead of ours
  let audio = null;
  let before = null;

  function digits(left) {
    const seconds = Math.max(0, Math.ceil(left / 1000));
    const minutes = Math.floor(seconds / 60);
    const two = (number) => String(number).padStart(2, "0");
    if (minutes < 100) return `${two(minutes)}:${two(seconds % 60)}`;
    return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
  }

  function show() {
    const now = Date.now() + ahead;
    let urgency = null;
    for (const clock of document.querySelectorAll(".clock[data-ends]")) {
      const left = Number(clock.dataset.ends) - now;
      const time = clock.querySelector(".time");
      const phases = [...clock.querySelectorAll(".words")];
      const current = phases.findLast((phase) => Number(phase.dataset.begins) <= now) ?? phases[0];
      const text = digits(left);
      if (time.textContent !== text) time.textContent = text;
      time.hidden = false;
      for (const phase of phases) phase.hidden = phase !== current;
      urgency = current.dataset.urgency;
      clock.className = `clock ${urgency}`;
    }
    if (before !== null && urgency !== null && urgency !== before) {
      ring(urgency);
      if (urgency === "expired") document.dispatchEvent(new CustomEvent("tourney:expired"));
    }
    before = urgency;
  }

  // One tone for a warning, three for the end.
  function ring(urgency) {
    if (!audio || urgency === "running") return;
    const tones = urgency === "expired" ? 3 : 1;
    for (let tone = 0; tone < tones; tone += 1) {
      const start = audio.currentTime + tone * 0.9;
      const oscillator = audio.createOscillator();
      const volume = audio.createGain();
      oscillator.frequency.value = urgency === "expired" ? 880 : 660;
      volume.gain.setValueAtTime(0.4, start);
      volume.gain.exponentialRampToValueAtTime(0.001, start + 0.8);
      oscillator.connect(volume).connect(audio.destination);
      oscillator.start(start);
      oscillator.stop(start + 0.8);
    }
  }

  // Browsers allow sound only after somebody has touched the page.
  function offer() {
    const button = document.getElementById("sound");
    if (!button) return;
    button.hidden = false;
    const label = () => {
      button.textContent = audio ? button.dataset.off : button.dataset.on;
      button.setAttribute("aria-pressed", String(Boolean(audio)));
    };
    label();
    button.onclick = () => {
      if (audio) {
        audio.close();
        audio = null;
      } else {
        audio = new AudioContext();
        ring("warning");
      }
      label();
    };
  }

  document.addEventListener("tourney:message", (event) => {
    ahead = event.detail.now - Date.now();
    show();
  });
  document.addEventListener("tourney:swapped", () => {
    offer();
    show();
  });
  setInterval(show, 250);
  offer();
  show();
})();
