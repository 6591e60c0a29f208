// Take the path of this run out of the address of a desk's page, because browsers print addresses: a program on another
// port that knows the path gets the desk's key. The address that is left leads back to the page in this browser alone.
"use strict";
(() => {
  const KEPT = "tourney desk";
  const PLAIN = "/desk";
  const OF_A_RUN = /^\/desk-[\w-]+$/;
  const { desk } = document.currentScript.dataset;
  const { pathname, search, hash } = location;
  const page = document.documentElement.dataset;
  try {
    if (desk) {
      localStorage.setItem(KEPT, desk);
      page.desk = desk;
      history.replaceState(history.state, "", pathname.replace(desk, PLAIN) + search + hash);
    } else if (!page.desk && (pathname === PLAIN || pathname.startsWith(`${PLAIN}/`))) {
      const kept = localStorage.getItem(KEPT);
      // What another program has kept at this address leads nowhere.
      if (kept && OF_A_RUN.test(kept)) location.replace(kept + pathname.slice(PLAIN.length) + search + hash);
    }
  } catch {
    // A browser that keeps nothing could not find the page again: its address stays.
  }
})();
