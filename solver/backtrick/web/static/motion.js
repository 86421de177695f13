// Cards that move. The tree is drawn anew at once; a card that was somewhere else before is then seen on its way from there.

const LASTS = 200; // milliseconds
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** The table on which cards move: that of the rules lies above the other one. */
const shown = () => document.getElementById("rules") || document.getElementById("table");

/** Where the cards of a table lie now, by the number on them. */
function places(table) {
  const found = new Map();
  for (const card of table.querySelectorAll(".board .card[data-card]")) {
    const { key, card: number } = /** @type {HTMLElement} */ (card).dataset;
    found.set(key, { number, card, box: card.getBoundingClientRect() });
  }
  return found;
}

/** Draws, and lets the cards move that lie elsewhere afterwards. @param {() => void} draw */
export function moving(draw) {
  if (calm.matches) return draw();
  const table = shown();
  const before = places(table);
  draw();
  if (!before.size || shown() !== table) return;
  const after = places(table);
  let place = 0;
  for (const [key, { number, card, box }] of after) {
    if (before.has(key)) continue;
    const from = [...before].find(([other, one]) => one.number === number && !after.has(other))?.[1].box;
    if (!from || (from.x === box.x && from.y === box.y)) continue;
    card.animate([{ transform: `translate(${from.x - box.x}px, ${from.y - box.y}px)`, zIndex: 5 }, { transform: "none", zIndex: 5 }], { duration: LASTS, delay: LASTS * place, easing: "ease-out", fill: "backwards" });
    place += 1; // one after another
  }
}
