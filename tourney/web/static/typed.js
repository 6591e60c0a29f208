// Keep what is typed into a sheet at the desk until it has been taken: a server that ended, or a page that was closed,
// loses nothing. Without this script the form works as it is.
"use strict";
(() => {
  const HOURS = 12;
  const SENT = "tourney sent";
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

  // The page that a form leads to says what was done: then the sheet is where it belongs.
  const sent = kept.read(SENT);
  if (sent && new URLSearchParams(location.search).has("done")) {
    kept.write(sent, null);
    kept.write(SENT, null);
  }
  if (!form) return;

  const key = `tourney typed ${form.getAttribute("action")} ${form.elements.event.value} ${form.elements.players.value}`;
  const line = document.getElementById("restored");
  const fields = () => [...form.querySelectorAll("input:not([type=hidden]):not([name=keep]), select")];
  const value = (field) => (field.type === "checkbox" ? field.checked : field.value);

  function keep() {
    kept.write(key, { at: Date.now(), values: Object.fromEntries(fields().map((field) => [field.name, value(field)])) });
  }

  function restore() {
    const found = kept.read(key);
    if (!found || Date.now() - found.at > HOURS * 3600000) return;
    let changed = false;
    for (const field of fields()) {
      const before = found.values[field.name];
      if (before === undefined || before === value(field)) continue;
      field[field.type === "checkbox" ? "checked" : "value"] = before;
      changed = true;
    }
    if (!changed) return;
    const time = new Date(found.at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
    line.querySelector("span").textContent = line.dataset.text.replace("{time}", time);
    line.hidden = false;
  }

  form.addEventListener("input", keep);
  form.addEventListener("submit", () => {
    keep();
    kept.write(SENT, key);
  });
  line.querySelector("button").addEventListener("click", () => {
    kept.write(key, null);
    location.reload();
  });
  // A page that shows mistakes has what was typed already.
  if (!form.dataset.answered) restore();
})();
