// Dragging a card from the hand to a place of the table.

import { choiceFor, isLive, tryLay } from "./laying.js";

const FAR = 8; // pixels that a pointer moves before it drags a card

/** @param {import("./main.js").Page} page @param {PointerEvent} event */
export function dragged(page, event) {
  const element = /** @type {HTMLElement} */ (/** @type {Element} */ (event.target).closest(".card"));
  if (!element || event.button !== 0 || !isLive(page) || element.dataset.zone !== `hand-${page.view.table.mover}`) return;
  const card = Number(element.dataset.card);
  const begun = { x: event.clientX, y: event.clientY };
  /** @type {HTMLElement} */
  let ghost = null;
  const move = (to) => {
    if (!ghost && Math.hypot(to.clientX - begun.x, to.clientY - begun.y) > FAR) {
      ghost = /** @type {HTMLElement} */ (element.cloneNode(true));
      ghost.classList.add("dragged");
      ghost.removeAttribute("data-key");
      ghost.style.width = `${element.offsetWidth}px`;
      document.body.append(ghost);
      page.set({ card });
    }
    if (ghost) ghost.style.transform = `translate(${to.clientX - element.offsetWidth / 2}px, ${to.clientY - element.offsetHeight / 2}px)`;
  };
  const stop = (to) => {
    document.removeEventListener("pointermove", move);
    document.removeEventListener("pointerup", stop);
    document.removeEventListener("pointercancel", stop);
    if (!ghost) return;
    ghost.remove();
    window.addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
    setTimeout(() => {
      const under = to.type === "pointerup" && document.elementFromPoint(to.clientX, to.clientY)?.closest("[data-zone]");
      const { zone, card: number } = under ? /** @type {HTMLElement} */ (under).dataset : {};
      if (zone && zone !== `hand-${page.view.table.mover}` && choiceFor(page, card, zone, Number(number) || null)) {
        tryLay(page, card, zone, Number(number) || null);
      } else page.set({ card: null });
    });
  };
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", stop);
  document.addEventListener("pointercancel", stop);
}
