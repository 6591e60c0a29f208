// Keep the page as fresh as the server's state. Without this script the page is as it was when it was loaded.
"use strict";
(() => {
  const QUIET = 6000; // milliseconds without a message, after which the stream is taken for dead
  const ASK = 5000; // milliseconds between two looks at whether it is
  const LOOK = 1000; // milliseconds for which a question that has just come takes no click
  const SPREAD = 300; // milliseconds over which the pages of a club ask, as all hear of a sheet at once
  const GONE = 410; // the status of pages of an earlier run of the program
  const SAID = [400, 403, 404, GONE]; // the statuses of pages that say why there is nothing more to see
  let version = null;
  let heard = Date.now();
  let source = null;
  let loading = false;
  let wanted = false; // somebody has asked for what is new, perhaps while it was being loaded
  let shows = 0; // pages that another script has shown: what was asked for before one is older than it
  let main = document.getElementById("main");
  let shown = main.innerHTML;
  const lost = document.getElementById("lost");
  const changed = document.getElementById("changed");
  let looked = null; // the cells that somebody who is asked has looked at, where others came since
  let ended = false; // a desk whose program has ended: its key and origin have, too, and another program may have its port

  // The path of a desk's pages is neither in the address that is shown nor in the page (desk.js).
  const { deskPath = "/desk" } = globalThis;
  const address = () => location.pathname.replace(/^\/desk(?=\/|$)/, deskPath) + location.search;
  const inside = (of) => of.innerHTML.replaceAll(deskPath, "/desk");
  // Pages for everybody, of one table and of desks have versions of their own.
  const [, first, token] = location.pathname.split("/");
  const of = first === "t" ? token : first.startsWith("desk") ? "desk" : "";
  const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

  function connected() {
    heard = Date.now();
    lost.hidden = true;
  }

  function disconnected() {
    if (lost.hidden) {
      const time = new Date(heard).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
      lost.textContent = lost.dataset.text.replace("{time}", time);
      lost.hidden = false;
    }
  }

  function receive(text) {
    connected();
    const message = JSON.parse(text);
    tell("tourney:message", message);
    // A page with a mistake to correct waits until that is done.
    if (message.version !== version && !main.querySelector("[data-hold]")) load(message.version);
  }

  async function load(next, asked = false) {
    wanted ||= asked;
    if (loading || ended) return;
    loading = true;
    // The answer to a form that comes meanwhile stays: it may have a mistake to correct.
    const before = shows;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * SPREAD));
    try {
      const answer = await fetch(address(), { cache: "no-cache", signal: AbortSignal.timeout(8000) });
      if (!answer.ok && !SAID.includes(answer.status)) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      tell("tourney:loaded", fresh);
      const other = fresh.getElementById("main");
      // So does a line whose button waits for its answer: this page may be newer, and without that line.
      if (before !== shows || main.querySelector("[data-stays][data-hold]")) return;
      // A page that was held has lost its buttons, also where it is again as it was shown.
      if (other && (wanted || inside(other) !== shown)) {
        if (!wanted && (asksNoMore(other) || goesElsewhere(fresh))) hold();
        else swap(fresh, other);
      }
      wanted = false;
      version = next;
    } catch {
      // The next message, or the next question, tries again.
    } finally {
      loading = false;
    }
  }

  // What a page asks its visitor to decide, where they see it, and what that is about.
  const asking = () => [...main.querySelectorAll("[data-asks]")].filter((each) => !each.closest("details:not([open])"));
  const fields = (each) => [...each.querySelectorAll("input[type=hidden]:not([name=seen])")].map((field) => field.value);
  const buttons = (each) => [...each.querySelectorAll("button")].map((button) => `${button.value} ${button.textContent}`);
  const about = (each) => [...fields(each), ...buttons(each)].join("\n");
  const words = (each) => `${each.textContent.replace(/\s+/g, " ").trim()}\n${about(each)}`;

  function asksNoMore(other) {
    const left = [...other.querySelectorAll("[data-asks]")].map(about);
    return asking().some((each) => !left.includes(about(each)));
  }

  const isTick = (field) => field.type === "checkbox" || field.type === "radio";
  function typedFields() {
    const fields = [...main.querySelectorAll("input[id], textarea[id], select[id]")];
    return fields.filter((field) => (isTick(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue));
  }

  // The event and the player that a form is about: what was typed for one is not sent for another.
  const whose = (field) => ["event", "player"].map((name) => field?.form?.elements[name]?.value).join("\n");
  const goesElsewhere = (fresh) => typedFields().some((field) => {
    const next = fresh.getElementById(field.id);
    return next && whose(next) !== whose(field);
  });

  // Nobody decides on what they have not looked at: a page that asks stays as it is, and its question takes no answer.
  function hold() {
    changed.hidden = false;
    looked = new Map(cells().map((cell) => [place(cell), cell.textContent]));
    for (const each of asking()) {
      each.inert = true;
      for (const button of each.querySelectorAll("button")) button.remove();
    }
  }

  // A finger that was on its way to the page before does not answer a question that has just come, or other words.
  const resting = () => [...asking(), ...main.querySelectorAll("[data-rests]")];
  function rest(old) {
    const fresh = resting().filter((each) => !old.includes(words(each)));
    for (const each of fresh) each.inert = true;
    setTimeout(() => fresh.forEach((each) => (each.inert = false)), LOOK);
  }

  const cells = () => [...main.querySelectorAll("td")];
  // Where a cell is, in words: its row and its column keep their names when others come and go.
  function place(cell) {
    const row = cell.parentElement;
    const column = cell.closest("table").tHead?.rows[0]?.cells[cell.cellIndex]?.textContent ?? cell.cellIndex;
    return `${row.querySelector("th")?.textContent ?? row.rowIndex}\n${column}`;
  }
  function mark() {
    for (const cell of cells()) {
      if (cell.textContent === looked.get(place(cell))) continue;
      const marked = document.createElement("mark");
      marked.append(...cell.childNodes);
      cell.append(marked);
    }
  }

  // The value that a field had when its page was made, or a mark of all values of its form.
  const before = (field) => field?.form?.elements[`was-${field.name}`] ?? field?.form?.elements.was;

  // What was typed, what is open and where the cursor is belong to the visitor, and stay.
  function swap(fresh, other) {
    const old = resting().map(words);
    changed.hidden = true;
    shown = inside(other);
    const typed = new Map();
    for (const field of typedFields()) {
      const said = isTick(field) && field.closest("[data-asks]");
      typed.set(field.id, [isTick(field) ? field.checked : field.value, before(field)?.value, said && words(said), whose(field)]);
    }
    const open = [...main.querySelectorAll("details[id][open]")].map((each) => each.id);
    const focus = document.activeElement && main.contains(document.activeElement) ? document.activeElement.id : "";
    // Another program may have the port of one that has ended: its page brings in no page or address of its own.
    for (const each of other.querySelectorAll("iframe, frame, object, embed, meta, link, base, script")) each.remove();
    main.replaceChildren(...[...other.childNodes].map((node) => document.importNode(node, true)));
    document.title = fresh.title;
    // The desk may have gone over to another event.
    const [event, next] = [document, fresh].map((page) => page.querySelector(".head .name a"));
    if (event && next) event.textContent = next.textContent;
    for (const [id, [value, was, said, owner]] of typed) {
      const field = document.getElementById(id);
      if (owner !== whose(field)) continue;
      // A tick answers the words beside it, and no others.
      if (said && said !== words(field?.closest("[data-asks]") ?? main)) continue;
      if (field) field[typeof value === "boolean" ? "checked" : "value"] = value;
      // What somebody else has changed meanwhile is for the server to refuse.
      const hidden = before(field);
      if (hidden && was !== undefined) hidden.value = was;
    }
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
    // The marks stay until the question is decided, whatever else changes meanwhile.
    if (!asking().length) looked = null;
    if (looked) mark();
    rest(old);
    tell("tourney:swapped");
  }

  function connect() {
    source?.close();
    if (ended) return;
    source = new EventSource(`/live?of=${of}`);
    source.onmessage = (event) => receive(event.data);
    source.onerror = ask;
    source.addEventListener("end", end);
  }

  function end() {
    if (!location.pathname.startsWith("/desk") && !location.hostname.endsWith(".localhost")) return;
    ended = true;
    source.close();
    disconnected();
  }

  async function ask() {
    if (ended) return;
    try {
      const answer = await fetch(`/version?of=${of}`, { cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(4000) });
      if (answer.status === GONE) return load(version);
      if (!answer.ok) throw new Error(answer.statusText);
      receive(await answer.text());
    } catch {
      disconnected();
    }
  }

  // A phone that slept has a stream that looks open and is dead: only its silence shows it.
  function look() {
    if (document.hidden || Date.now() - heard < QUIET) return;
    ask();
    connect();
  }

  function wake() {
    if (document.hidden) {
      source?.close();
      source = null;
    } else {
      ask();
      connect();
    }
  }

  // Another script has loaded this page, as the answer to a form.
  document.addEventListener("tourney:show", (event) => {
    shows += 1;
    looked = null;
    swap(event.detail, event.detail.getElementById("main"));
  });
  // Time alone changes what this page shows.
  document.addEventListener("tourney:expired", () => main.querySelector("[data-by-clock]") && load(version));
  changed.querySelector("button").addEventListener("click", () => load(version, true));
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("pageshow", (event) => event.persisted && wake());
  window.addEventListener("online", wake);
  window.addEventListener("offline", disconnected);
  setInterval(look, ASK);
  if (!document.hidden) connect();
})();
