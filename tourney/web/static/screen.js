// Show what hangs on the wall page by page, as high as the window. The desk steers it through the server's messages.
"use strict";
(() => {
  const SECONDS = 10;
  const PODIUM = 3; // the turns for which the podium stays
  const WAIT = 2000; // milliseconds that the first message of the desk may take
  const LINE = 19; // the least width of a column of lines, in multiples of the height of its letters
  const SHORT_LINE = 15; // that of the standings
  const SIZES = [4.4, 4, 3.6]; // the sizes of letters, in hundredths of the window's height
  let order = { show: "all", paused: false, turned: null };
  let known = false; // whether the desk has said what to show
  let pausedHere = false;
  let pages = [];
  let at = 0;
  let since = Date.now();
  let stays = 1; // the turns for which the page stays

  // What is apart is shown where it is asked for: the clock, and who sits where once everybody has played.
  function wanted(view) {
    if (order.show === "all") return view.dataset.apart === undefined;
    return order.show === view.dataset.view;
  }

  // Divide the items of a list into pages by the room that they have. Lines run down, then to the next column.
  function divide(view) {
    const list = view.querySelector(".lines, .cards, .tables-left");
    const items = [...(list?.children ?? [])].filter((item) => !item.matches(".head"));
    if (!items.length) return [{ view, items, from: 0, to: 0 }];
    for (const item of items) item.hidden = false;
    return list.matches(".lines") ? lines(view, list, items) : blocks(view, list, items);
  }

  // Of the sizes of letters with the fewest pages, the largest.
  function lines(view, list, items) {
    const fits = SIZES.map((size) => {
      list.style.setProperty("--size", `${size}vh`);
      return { size, ...room(view, list, items) };
    });
    const fewest = Math.min(...fits.map((fit) => Math.ceil(items.length / (fit.rows * fit.columns))));
    const best = fits.find((fit) => Math.ceil(items.length / (fit.rows * fit.columns)) === fewest);
    const rows = Math.min(best.rows, Math.ceil(items.length / fewest / best.columns));
    list.style.setProperty("--size", `${best.size}vh`);
    list.style.gridTemplateColumns = `repeat(${best.columns}, minmax(0, 1fr))`;
    list.style.gridTemplateRows = `repeat(${rows + 1}, auto)`;
    repeat(list.querySelector(".head"), best.columns);
    return cut(view, items, rows * best.columns, rows);
  }

  // Each column has the heads of its lines.
  function repeat(head, columns) {
    for (const other of [...head.parentElement.querySelectorAll(".head")].slice(1)) other.remove();
    for (let column = columns; column > 1; column -= 1) head.after(head.cloneNode(true));
    [...head.parentElement.querySelectorAll(".head")].forEach((each, at) => (each.style.gridArea = `1 / ${at + 1}`));
  }

  function room(view, list, items) {
    const letters = parseFloat(getComputedStyle(items[0]).fontSize);
    const width = view.dataset.view === "standings" ? SHORT_LINE : LINE;
    const columns = Math.max(1, Math.floor(list.clientWidth / (letters * width)));
    const height = Math.max(...items.slice(0, 40).map((item) => item.getBoundingClientRect().height), 1);
    const head = list.querySelector(".head").getBoundingClientRect().height;
    return { columns, rows: Math.max(1, Math.floor((list.clientHeight - head) / height)) };
  }

  function blocks(view, list, items) {
    const room = list.getBoundingClientRect();
    const bottoms = items.map((item) => item.getBoundingClientRect());
    const found = [];
    let from = 0;
    for (let index = 1; index <= items.length; index += 1) {
      if (index === items.length || bottoms[index].bottom - bottoms[from].top > room.height) {
        found.push({ view, items, from, to: index });
        from = index;
      }
    }
    return found;
  }

  function cut(view, items, size, rows) {
    const found = [];
    for (let from = 0; from < items.length; from += size) {
      found.push({ view, items, from, to: Math.min(from + size, items.length), rows });
    }
    return found;
  }

  function arrange() {
    document.body.classList.add("screen");
    if (!known) {
      for (const view of document.querySelectorAll(".view")) view.hidden = true;
      return;
    }
    document.body.classList.remove("shows-clock");
    document.body.dataset.shows = order.show;
    const here = pages[at];
    const before = has("podium");
    const views = [...document.querySelectorAll(".view")];
    // Where what is asked for is not there, as before the first round or after the end, everything else is.
    const asked = views.filter(wanted);
    const others = views.filter((view) => view.dataset.apart === undefined);
    const chosen = [asked, others, views].find((found) => found.length) ?? [];
    for (const view of views) view.hidden = true;
    pages = chosen.flatMap((view) => {
      view.hidden = false;
      const found = divide(view);
      view.hidden = true;
      return found;
    });
    const same = pages.findIndex((page) => page.view.dataset.view === here?.view.dataset.view && page.from === here.from);
    // An end that has just come is shown at once.
    at = !before && has("podium") ? 0 : Math.max(0, same);
    show();
  }

  const has = (name) => pages.some((page) => page.view.dataset.view === name);

  // A long name has smaller letters rather than being cut, and a very long one two lines of them.
  function squeeze(item) {
    const name = item.querySelector(".name");
    if (!name) return;
    name.style.fontSize = "";
    name.classList.remove("folded");
    for (let size = 95; size >= 70 && name.scrollWidth > name.clientWidth; size -= 5) name.style.fontSize = `${size}%`;
    if (name.scrollWidth <= name.clientWidth) return;
    name.style.fontSize = "";
    name.classList.add("folded");
  }

  function show() {
    const page = pages[at];
    for (const view of document.querySelectorAll(".view")) view.hidden = view !== page?.view;
    page?.items.forEach((item, index) => (item.hidden = index < page.from || index >= page.to));
    page?.items.slice(page.from, page.to).forEach(squeeze);
    page?.view.querySelectorAll(".head").forEach((head, at) => (head.hidden = at * page.rows >= page.to - page.from));
    document.body.classList.toggle("shows-clock", page?.view.dataset.view === "clock");
    const number = document.querySelector(".page-number");
    number.hidden = pages.length < 2;
    number.textContent = `${at + 1} / ${pages.length}`;
    document.querySelector(".paused").hidden = !(order.paused || pausedHere);
    since = Date.now();
    stays = page?.view.dataset.view === "podium" ? PODIUM : 1;
  }

  function turn(by) {
    if (!pages.length) return;
    at = (((at + by) % pages.length) + pages.length) % pages.length;
    show();
  }

  document.addEventListener("tourney:message", (event) => {
    const next = event.detail.screen;
    const by = order.turned === null ? 0 : next.turned - order.turned;
    const changed = !known || next.show !== order.show;
    known = true;
    const paused = next.paused !== order.paused;
    order = next;
    if (changed) arrange();
    else if (by) turn(by);
    else if (paused) show();
  });
  document.addEventListener("tourney:swapped", arrange);
  document.addEventListener("keydown", (event) => {
    if (event.key === " ") {
      pausedHere = !pausedHere;
      event.preventDefault();
      show();
    } else if (event.key === "ArrowRight") turn(1);
    else if (event.key === "ArrowLeft") turn(-1);
  });
  window.addEventListener("resize", arrange);
  setInterval(() => {
    if (!order.paused && !pausedHere && Date.now() - since >= SECONDS * stays * 1000) turn(1);
  }, 500);
  setTimeout(() => {
    if (known) return;
    known = true;
    arrange();
  }, WAIT);
  arrange();
})();
