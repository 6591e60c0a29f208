// Keep what is typed into a sheet at the desk until it has been taken: a page that was closed loses nothing while the
// program runs, nor at an address that the next run has, too. Without this script the form works as it is.
"use strict";
(() => {
  const HOURS = 12;
  const SENT = "tourney sent";
  const TYPED = "tourney typed ";
  const PAUSE = 500; // milliseconds after the last key
  const WAITS = 5000; // milliseconds for an answer of the server
  const form = document.querySelector("form.sheet-form");

  // A browser may refuse to keep anything, as in a private window.
  const kept = {
    read: (key) => {
      try {
        return JSON.parse(localStorage.getItem(key) ?? "null");
      } catch {
        return null;
      }
    },
    write: (key, value) => {
      try {
        if (value) localStorage.setItem(key, JSON.stringify(value));
        else localStorage.removeItem(key);
      } catch {
        // It stays on the page.
      }
    },
  };

  const isOld = (found) => !(found && Date.now() - found.at < HOURS * 3600000);
  try {
    for (const old of Object.keys(localStorage)) if (old.startsWith(TYPED) && isOld(kept.read(old))) kept.write(old, null);
  } catch {
    // Nothing is kept there.
  }

  // The page that a form leads to says what was done: then the sheet is where it belongs.
  const sent = kept.read(SENT);
  if (sent && new URLSearchParams(location.search).has("done")) {
    kept.write(sent, null);
    kept.write(SENT, null);
  }
  if (!form) return;

  // The path of a desk's pages has another beginning in each run.
  const place = form.getAttribute("action").replace(/^\/desk[^/]*/, "");
  const action = (globalThis.deskPath ?? "/desk") + place;
  const key = `${TYPED}${place} ${form.elements.event.value} ${form.elements.players.value}`;
  const line = document.getElementById("restored");
  const scores = document.getElementById("scores");
  const offline = document.getElementById("offline");
  const fields = () => [...form.querySelectorAll("input:not([type=hidden]):not([name=keep]), select")];
  const value = (field) => (field.type === "checkbox" ? field.checked : field.value);

  function keep() {
    kept.write(key, { at: Date.now(), mark: form.elements.mark.value, values: Object.fromEntries(fields().map((field) => [field.name, value(field)])) });
  }

  function restore() {
    const found = kept.read(key);
    if (isOld(found)) return;
    let changed = false;
    for (const field of fields()) {
      const before = found.values[field.name];
      if (before === undefined || before === value(field)) continue;
      field[field.type === "checkbox" ? "checked" : "value"] = before;
      changed = true;
    }
    if (!changed) return;
    // What another desk has changed since this was typed is for the server to refuse.
    form.elements.mark.value = found.mark ?? "older";
    const time = new Date(found.at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    line.querySelector("span").textContent = line.dataset.text.replace("{time}", time);
    line.hidden = false;
  }

  // How the game stands after the complete hands comes from the server, as soon as somebody stops typing.
  let waiting = 0;
  let asked = 0;
  async function stand() {
    const number = ++asked;
    const body = new URLSearchParams([...new FormData(form), ["do", "look"]]);
    try {
      const answer = await fetch(action, { method: "POST", body, signal: AbortSignal.timeout(WAITS) });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("scores");
      if (fresh && number === asked) scores.replaceChildren(...fresh.childNodes);
      offline.hidden = true;
    } catch {
      if (number === asked) scores.replaceChildren();
      offline.hidden = false;
    }
  }

  form.addEventListener("input", () => {
    keep();
    clearTimeout(waiting);
    waiting = setTimeout(stand, PAUSE);
  });

  // A form stays on its page where nobody answers, or where this desk is not known any more, as after a new start.
  let reached = false;
  form.addEventListener("submit", async (event) => {
    keep();
    if (reached) {
      kept.write(SENT, key);
      return;
    }
    const button = event.submitter;
    event.preventDefault();
    try {
      const answer = await fetch(action, { cache: "no-store", signal: AbortSignal.timeout(WAITS) });
      reached = answer.ok;
    } catch {
      reached = false;
    }
    offline.hidden = reached;
    if (reached) form.requestSubmit(button);
    else offline.scrollIntoView({ block: "center" });
  });
  window.addEventListener("pageshow", () => (reached = false));

  // The key that ends a line leads to the next box, and from the last one to the button that enters the sheet.
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input:not([type=checkbox])")) return;
    event.preventDefault();
    const boxes = [...form.querySelectorAll("input:not([type=hidden]):not([type=checkbox])")];
    const next = boxes[boxes.indexOf(event.target) + 1] ?? form.querySelector("button.main");
    next.focus();
    next.select?.();
  });

  line.querySelector("button").addEventListener("click", () => {
    kept.write(key, null);
    location.reload();
  });
  // A page that shows mistakes has what was typed already, and what it was typed for.
  if (form.dataset.answered) keep();
  else restore();
  const boxes = [...form.querySelectorAll("input:not([type=hidden]):not([type=checkbox])")];
  const wrong = form.querySelector("[aria-invalid]");
  // A sheet that is corrected has an empty box only where somebody closed in one turn.
  const first = wrong ?? (place.endsWith("/correct") ? boxes[0] : boxes.find((box) => !box.value));
  if (wrong || (!location.hash && !document.querySelector(".message"))) first?.focus();
})();
