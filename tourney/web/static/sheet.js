// A table's sheet on a phone: what is typed stays on the phone until the server has it, also without a network.
// Without this script every form is sent as it is, and the page that answers is shown.
"use strict";
(() => {
  const SECONDS = 8;
  const STAYS = 20; // seconds
  const SAYS = 4; // seconds
  const main = document.getElementById("main");
  // A table has several addresses, such as its sign's and each seat's: what is kept is the table's, whichever is open.
  const { home, table } = main.querySelector(".sheet-page").dataset;
  const keys = { queue: `tourney queue ${table}`, draft: `tourney draft ${table}`, held: `tourney held ${table}` };
  const within = (form) => form.getAttribute("action").slice(home.length);
  let busy = false;
  let closed = false;
  let hiding = 0; // the timer that takes away "sent"
  let refusal = null; // why the last form was refused; it stays for a while, also when the page is loaded again
  let refusedAt = 0;

  // A browser may refuse to keep anything, as in a private window: then nothing outlives the page.
  const memory = new Map();
  function read(key, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(key) ?? memory.get(key) ?? "null") ?? otherwise;
    } catch {
      return otherwise;
    }
  }
  function write(key, value) {
    const text = JSON.stringify(value);
    memory.set(key, text);
    try {
      if (value && Object.keys(value).length) localStorage.setItem(key, text);
      else localStorage.removeItem(key);
    } catch {
      // It stays in the memory.
    }
  }
  const queue = () => read(keys.queue, []);

  function say(kind, words = "") {
    const line = document.getElementById("kept");
    if (!line) return;
    const names = [...new Set(queue().map((item) => item.name))].join(", ");
    line.textContent = kind ? words || line.dataset[kind].replace("{hands}", names) : "";
    line.className = `kept ${kind === "kept" ? "pending" : kind}`;
    line.hidden = !kind;
    clearTimeout(hiding);
    if (kind === "sent") hiding = setTimeout(() => say(queue().length ? "kept" : ""), SAYS * 1000);
  }

  // --- sending ------------------------------------------------------------------------------------------------------

  // Return the page that answers, or null if none came, which is as if nothing had been sent.
  async function post(item) {
    try {
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const signal = AbortSignal.timeout(SECONDS * 1000);
      const answer = await fetch(home + item.action, { method: "POST", headers, body: item.body, signal });
      if (answer.status >= 500) return null;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      // A phone that has lost its seat gets no hand to correct: it takes a seat first.
      const seatless = answer.status === 400 && !page.querySelector("form[data-hand]");
      return page.getElementById("main") ? { page, refused: answer.status >= 400, late: answer.status === 409, closed: answer.status === 403 || seatless, url: answer.url, action: item.action } : null;
    } catch {
      return null;
    }
  }

  function show({ page, refused, url, action }) {
    // What was typed into the form has arrived, and does not belong into the next one.
    const form = refused ? null : main.querySelector(`form[action="${home}${action}"]`);
    form?.reset();
    form?.closest("details")?.removeAttribute("open");
    // The page that is shown is the one that is loaded again when something changes.
    if (!refused) history.replaceState(null, "", url);
    refusal = refused ? page.getElementById("fault") : null;
    refusedAt = Date.now();
    document.dispatchEvent(new CustomEvent("tourney:show", { detail: page }));
    const wrong = main.querySelector("input[aria-invalid], [aria-invalid] input, .fault");
    const target = wrong ?? document.getElementById("hand-name");
    target?.focus?.({ preventScroll: true });
    (wrong?.closest(".line, fieldset, .fault") ?? document.getElementById("hand-name"))?.scrollIntoView({ block: "start" });
  }

  // Send what waits, one after the other; what is refused is shown, and what comes after it waits for its correction.
  async function flush(quiet = true) {
    if (busy || closed || !queue().length) return;
    busy = true;
    if (!quiet) say("sending");
    let answer = null;
    let said = "";
    try {
      while (queue().length) {
        const item = queue()[0];
        answer = await post(item);
        if (!answer || answer.closed) break;
        write(keys.queue, queue().filter((other) => other.action !== item.action || other.body !== item.body));
        // A hand that comes too late is in no sheet of the server's: it stays here, where people can read it.
        const late = answer.late && item.hand;
        const held = read(keys.held, []).filter((other) => (late ? other.body !== item.body : other.action !== item.action));
        write(keys.held, late ? [...held, item] : held);
        if (late) continue;
        if (answer.refused) break;
        said = item.said;
        forget(item.hand);
      }
    } finally {
      busy = false;
      release();
    }
    if (!answer) {
      say("kept");
      return;
    }
    // A table that is closed takes nothing any more, nor what a phone without a seat has: it stays on the phone.
    closed = answer.closed;
    show(answer);
    // Where the whole sheet waits to be sent, or is sent, the page itself says so.
    const words = main.querySelector("[data-review]") ? "" : said;
    if (!answer.refused) say(words ? "sent" : "", words);
  }

  function release() {
    for (const form of main.querySelectorAll("form[inert]")) form.inert = false;
  }

  // What was typed of a hand is kept until the server has it.
  function forget(hand) {
    const rest = Object.entries(read(keys.draft, {})).filter(([id]) => !id.startsWith(`h${hand}-`));
    write(keys.draft, Object.fromEntries(rest));
  }

  // Return what is typed into a form, as people read it.
  function inWords(form, button) {
    const fields = [...form.elements].filter((field) => field.labels?.length && !field.closest("[hidden]"));
    const typed = fields.filter((field) => (isTick(field) ? field.checked : field.value));
    const label = (field) => field.labels[0].textContent.trim();
    const words = typed.map((field) => (isTick(field) ? `${legend(field)} ${label(field)}` : `${label(field)}: ${field.value}`));
    if (button?.name === "closer" && button.value) words.unshift(`${legend(button)} ${button.textContent.trim()}`);
    return words.join("; ");
  }
  const legend = (field) => field.closest("fieldset")?.querySelector("legend")?.textContent.trim() ?? "";

  function showHeld() {
    const section = document.getElementById("held");
    if (!section) return;
    const lines = read(keys.held, []).map(({ name, words }) => {
      const line = document.createElement("li");
      line.dir = "auto";
      line.textContent = `${name}: ${words}`;
      return line;
    });
    section.hidden = !lines.length;
    section.querySelector("ul").replaceChildren(...lines);
  }

  function enqueue(item) {
    const others = queue().filter((other) => item.each || other.action !== item.action);
    // What was refused goes before what came after it.
    write(keys.queue, main.querySelector("[data-hold]") ? [item, ...others] : [...others, item]);
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.dataset.send) return;
    event.preventDefault();
    const data = new FormData(form);
    if (event.submitter?.name) data.append(event.submitter.name, event.submitter.value);
    // Each call of the desk counts by itself, also where none has been sent; a hand and a sheet replace earlier ones.
    const { each } = form.dataset;
    if (each) data.set(each, String(crypto.getRandomValues(new Uint32Array(1))[0]));
    const body = new URLSearchParams(data).toString();
    const item = { action: within(form), body, each, name: form.dataset.name ?? "", words: inWords(form, event.submitter), hand: form.dataset.hand, said: form.dataset.said ?? "" };
    if (form.dataset.send === "queue") {
      enqueue(item);
      if (each) form.reset();
      // What is typed into a hand that is being sent would be in no hand: the page of the next one takes its place.
      form.inert = true;
      await flush(false);
      if (!busy) release();
      // A page that came meanwhile has the same hand in a form of its own.
      const isShown = form.isConnected || main.querySelector(`form[action="${home}${item.action}"]`);
      if (queue().length && isShown && !main.querySelector("[data-hold]")) goOn(form);
      return;
    }
    if (busy) return;
    busy = true;
    say("sending");
    const answer = await post(item);
    busy = false;
    say(answer ? "" : "failed");
    if (answer) show(answer);
  });

  // Without a network the next hand comes from this page, which has the forms of all.
  function goOn(form) {
    const place = Number(form.dataset.hand);
    const next = main.querySelector(`template[data-place="${place + 1}"]`) ?? main.querySelector('template[data-place="end"]');
    const section = document.getElementById("hand");
    if (!form.dataset.hand || !next || !section) return;
    section.replaceChildren(next.content.cloneNode(true));
    prepare();
    section.querySelector("h2")?.focus();
    section.scrollIntoView({ block: "start" });
  }

  // --- what is typed ------------------------------------------------------------------------------------------------

  const isTick = (field) => field.type === "radio" || field.type === "checkbox";

  function remember() {
    const typed = {};
    for (const field of main.querySelectorAll("form[data-hand] input[id]")) {
      if (isTick(field)) {
        if (field.checked !== field.defaultChecked) typed[field.id] = field.checked;
      } else if (field.value !== field.defaultValue) typed[field.id] = field.value;
    }
    write(keys.draft, typed);
  }

  function recall() {
    if (main.querySelector("[data-hold]")) return;
    for (const [id, value] of Object.entries(read(keys.draft, {}))) {
      const field = document.getElementById(id);
      if (!field || !field.closest("form[data-hand]")) continue;
      if (isTick(field)) field.checked = value;
      else field.value = value;
    }
  }

  // In the knock game the closer has no line for points unless they knocked.
  function arrange() {
    const form = main.querySelector("form[data-hand]");
    if (!form) return;
    const chosen = (name) => form.querySelector(`input[name=${name}]:checked`)?.value ?? "";
    const closer = chosen("closer");
    const ending = chosen("ending");
    const scores = ending === "knock" || ending === "-";
    for (const line of form.querySelectorAll(".line[data-seat]")) line.hidden = line.dataset.seat === closer && !scores;
    const jokers = form.querySelector('[name="jokers"]')?.closest(".line");
    if (jokers) jokers.hidden = ending !== "" && ending !== "rummy";
  }

  function prepare() {
    recall();
    arrange();
    showHeld();
    if (queue().length) say("kept");
    if (refusal && !document.getElementById("fault") && Date.now() - refusedAt < STAYS * 1000) {
      document.getElementById("kept")?.after(document.importNode(refusal, true));
    }
  }

  main.addEventListener("input", (event) => {
    remember();
    // Whoever has begun a hand stays on it, whatever others at the table do.
    const form = event.target.closest("form[data-hand]");
    if (form && !queue().length) history.replaceState(null, "", form.getAttribute("action"));
  });
  main.addEventListener("change", () => {
    remember();
    arrange();
  });
  main.addEventListener("click", (event) => {
    if (event.target.closest("[data-forget]")) {
      write(keys.held, []);
      showHeld();
    }
    const toggle = event.target.closest("[data-cards]");
    if (!toggle) return;
    event.preventDefault();
    const inputs = [...toggle.closest("fieldset").querySelectorAll("input[inputmode]")];
    const mode = inputs[0]?.inputMode === "text" ? "numeric" : "text";
    for (const input of inputs) input.inputMode = mode;
    [toggle.textContent, toggle.dataset.other] = [toggle.dataset.other, toggle.textContent];
    inputs.find((input) => !input.closest("[hidden]"))?.focus();
  });

  // The key that ends a line leads to the next one, and from the last one the hand is sent.
  main.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("form[data-hand] .line input")) return;
    const lines = [...event.target.form.querySelectorAll(".line:not([hidden]) input")];
    const next = lines[lines.indexOf(event.target) + 1];
    // Where no line says who closed, the buttons that name the closer come after the last one.
    const closer = lines.every((line) => line.value.trim()) ? null : event.target.form.querySelector(".closers button");
    const target = next ?? closer;
    if (!target) return;
    event.preventDefault();
    target.focus();
    target.select?.();
    if (!next) target.scrollIntoView({ block: "center" });
  });

  const later = () => {
    if (!document.hidden && !main.querySelector("[data-hold]")) flush();
  };
  document.addEventListener("tourney:message", later);
  document.addEventListener("tourney:swapped", prepare);
  document.addEventListener("visibilitychange", later);
  window.addEventListener("online", later);
  prepare();
  later();
})();
