// Finds columns by name. Without scripts everything is still there, in the folded parts.
(() => {
  const box = document.getElementById("find-column");
  if (!box) return;
  const cards = Array.from(document.querySelectorAll("[data-column]"));
  const folds = Array.from(document.querySelectorAll("details.more-columns"));
  const status = document.getElementById("find-status");
  box.parentElement.hidden = false;
  box.addEventListener("input", () => {
    const wanted = box.value.trim().toLowerCase();
    let found = 0;
    for (const card of cards) {
      const hit = card.dataset.column.toLowerCase().includes(wanted);
      card.hidden = !hit;
      found += hit ? 1 : 0;
    }
    for (const fold of folds) {
      fold.open = wanted !== "" && fold.querySelector("[data-column]:not([hidden])") !== null;
    }
    status.textContent = wanted === "" ? "" : `${found} of ${cards.length} columns`;
  });
})();
