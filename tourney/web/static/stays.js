// Send the buttons and links that ask for it, and show the answer in place: what is under a finger does not move.
// Without this script they work as they are, and the page that follows begins at the line that was tapped.
"use strict";
(() => {
  const LOOK = 1000; // milliseconds for which a button that has just come in the place of another takes no click
  const WAITS = 8000; // milliseconds for an answer of the server
  const { deskPath = "/desk" } = globalThis;
  const real = (address) => address.replace(/^\/desk(?=[/?#]|$)/, deskPath);
  let last = Promise.resolve();
  let rests = "";
  let until = 0;
  let plain = false;

  function request(element) {
    if (element.form === undefined) return [real(element.getAttribute("href")), {}];
    const body = new URLSearchParams([...new FormData(element.form)]);
    body.append(element.name, element.value);
    return [real(element.form.getAttribute("action")), { method: "POST", body }];
  }

  async function show(id, value) {
    const element = document.getElementById(id);
    if (!element?.matches("[data-stays]") || element.value !== value) return;
    const before = element.getBoundingClientRect().top;
    // What is new waits for the answer, which has it, too.
    element.dataset.hold = "";
    try {
      const [address, how] = request(element);
      const answer = await fetch(address, { ...how, cache: "no-store", signal: AbortSignal.timeout(WAITS) });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!answer.ok || !fresh.getElementById("main")) throw new Error(answer.statusText);
      const { pathname, search } = new URL(answer.url);
      history.replaceState(history.state, "", pathname.replace(deskPath, "/desk") + search);
      document.dispatchEvent(new CustomEvent("tourney:show", { detail: fresh }));
      [rests, until] = [id, Date.now() + LOOK];
      const after = document.getElementById(id)?.getBoundingClientRect().top ?? before;
      scrollBy({ top: after - before, behavior: "instant" });
    } catch {
      // The browser does it, and shows why not.
      plain = true;
      element.click();
      plain = false;
    }
  }

  // A second tap waits for the answer to the first, and is sent as that answer shows its line.
  function follow(event) {
    const element = event.target.closest?.("[data-stays]");
    if (!element || plain || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { id, value } = element;
    if (id !== rests || Date.now() > until) last = last.then(() => show(id, value));
  }

  document.addEventListener("click", follow);
})();
