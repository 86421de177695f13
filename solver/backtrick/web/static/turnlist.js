// Turns as the panel lists them: one after another, and the one that is pointed at lies on the table meanwhile.

import { make } from "./dom.js";
import { BETWEEN } from "./state.js";
import { turnElement } from "./turnview.js";
import { WORDS } from "./words.js";

/** Turns one after another, each with the name of its seat. click: what happens to the turn of a place. */
export function turnList(game, turns, n, click = null) {
  const item = (turn, place) => {
    const seat = (n + place) % 2;
    const content = [make("span", { class: "unseen" }, `${WORDS.seat[seat]}: `), turnElement(game, turn)];
    const shown = click ? make("button", { type: "button", class: "in-line", data: { key: `line-${place}`, place }, on: { click: () => click(place) } }, content) : content;
    const upto = click ? turns.slice(0, place + 1).join(BETWEEN) : undefined;
    return make("li", { class: `by-${seat}`, data: { turn: upto } }, shown);
  };
  return make("ol", { class: "line-turns" }, turns.map(item));
}

/** Listeners that show the turn under a mouse that moves, or that the keyboard has reached, on the table. */
export function previewing(page) {
  const show = (turn) => page.ui.preview !== turn && page.set({ preview: turn });
  const turnOf = (event) => event.target.closest?.("[data-turn]")?.dataset.turn || "";
  return {
    pointermove: (event) => event.pointerType === "mouse" && hasMoved(page, event) && show(turnOf(event)),
    pointerleave: () => show(""),
    focusin: (event) => show(event.target.matches(":focus-visible") ? turnOf(event) : ""),
    focusout: () => show(""),
  };
}

/** True if the pointer is elsewhere than before: rows that move below a mouse that lies still are not meant. */
function hasMoved(page, { clientX, clientY }) {
  const there = `${clientX} ${clientY}`;
  const moved = there !== page.pointer;
  page.pointer = there;
  return moved;
}
