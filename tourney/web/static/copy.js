// Copy a text of the page with one button. Without this script the text is selected by hand.
"use strict";
(() => {
  const STAYS = 4000; // milliseconds

  // Only pages of this computer may write to the clipboard directly; elsewhere the selection is copied.
  async function copy(source) {
    const text = source.value ?? source.textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      if (source.select) source.select();
      else getSelection().selectAllChildren(source);
      document.execCommand("copy");
    }
  }

  function prepare() {
    for (const button of document.querySelectorAll("button[data-copy]")) {
      button.hidden = false;
      button.onclick = async () => {
        await copy(document.getElementById(button.dataset.copy));
        const before = button.textContent;
        button.textContent = button.dataset.done;
        setTimeout(() => (button.textContent = before), STAYS);
      };
    }
  }

  document.addEventListener("tourney:swapped", prepare);
  prepare();
})();
