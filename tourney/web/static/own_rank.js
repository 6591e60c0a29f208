// Say on the front page of a finished evening which rank the player of this phone has. Without this script a link leads there.
"use strict";
(() => {
  const WAITS = 8000; // milliseconds for an answer of the server

  async function say() {
    const place = document.getElementById("you");
    if (!place) return;
    try {
      const answer = await fetch("/me", { cache: "no-store", signal: AbortSignal.timeout(WAITS) });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      const rank = fresh.querySelector(".own-rank");
      if (answer.ok && rank) place.firstElementChild.textContent = rank.textContent;
    } catch {
      // The link leads to it.
    }
  }

  document.addEventListener("tourney:swapped", say);
  say();
})();
