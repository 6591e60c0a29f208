// Take the path of this run out of a desk's page and its address, because browsers print, copy and save both: a program on
// another port that knows the path gets the desk's key. What is left leads to the desk's pages in this browser alone.
// Other scripts find the path in `deskPath`.
"use strict";
(() => {
  const KEPT = "tourney desk";
  const PLAIN = "/desk";
  const OF_A_DESK = /^\/desk(?=[/?#]|$)/;
  const OF_A_RUN = /^\/desk-[\w-]+$/;
  const { desk } = document.currentScript.dataset;
  const { pathname, search, hash } = location;

  function hide() {
    for (const name of ["href", "action", "formaction"]) {
      for (const element of document.querySelectorAll(`[${name}^="${desk}"]`)) {
        element.setAttribute(name, PLAIN + element.getAttribute(name).slice(desk.length));
      }
    }
  }

  // A browser reads where a link or a form leads once all listeners have run, and before anything that waits.
  function lend(element, name) {
    const plain = element?.getAttribute(name) ?? "";
    if (!OF_A_DESK.test(plain)) return;
    element.setAttribute(name, plain.replace(PLAIN, desk));
    setTimeout(() => element.setAttribute(name, plain));
  }

  function hideAndLend() {
    globalThis.deskPath = desk;
    document.currentScript.removeAttribute("data-desk");
    new MutationObserver(hide).observe(document, { childList: true, subtree: true });
    const follow = (event) => event.button === 2 || lend(event.target.closest?.("a"), "href");
    for (const kind of ["click", "auxclick"]) addEventListener(kind, follow, true);
    const send = (event) => {
      lend(event.target, "action");
      lend(event.submitter, "formaction");
    };
    addEventListener("submit", send, true);
  }

  if (desk) hideAndLend();
  try {
    if (desk) {
      localStorage.setItem(KEPT, desk);
      history.replaceState(history.state, "", pathname.replace(desk, PLAIN) + search + hash);
      return;
    }
    const kept = localStorage.getItem(KEPT) ?? "";
    // What another program has kept at this address, or an earlier run, leads nowhere.
    if (OF_A_RUN.test(kept) && OF_A_DESK.test(pathname)) location.replace(pathname.replace(PLAIN, kept) + search + hash);
    else localStorage.removeItem(KEPT);
  } catch {
    // A browser that keeps nothing could not find the page again: its address stays.
  }
})();
