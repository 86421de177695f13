// Turns and values as elements.

import { make } from "./dom.js";
import { FACE, playsOf } from "./notation.js";
import { turnWords, valueWords, WORDS } from "./words.js";

const ARROWS = { "^": "\u25b2", v: "\u25bc" };

/** A turn as a row of small labels. Those who hear the page hear it in words. */
export function turnElement(game, turn) {
  const plays = playsOf(game, turn);
  const chips = plays.map((play) => make("span", { class: `play ${kindOf(game, play)}` }, labelOf(game, play)));
  return make("span", { class: "turn" }, make("span", { "aria-hidden": "true" }, chips), make("span", { class: "unseen" }, turnWords(game, turn)));
}

function kindOf(game, play) {
  if (game === FACE) return play.spot.endsWith("'") ? "helpful" : "own";
  return play.spot === "take" ? "take" : play.twin ? "twist" : "own";
}

/** A play as it is written. */
export function labelOf(game, play) {
  if (game === FACE) return `${play.card}${ARROWS[play.spot[0]]}${play.spot.endsWith("'") ? "\u2032" : ""}`;
  if (play.spot === "take") return WORDS.take;
  return play.twin ? `${play.card} \u00d7 ${play.twin}` : String(play.card);
}

/** A value: a mark and words; its colour says nothing more. mover: who is to move, since a value is said as You see it. */
export function valueElement(record, mover) {
  const { kind, sign, words } = valueWords(record, mover);
  return make("span", { class: `value ${kind}` }, make("span", { class: `worth ${kind}`, "aria-hidden": "true" }, sign[0]), ` ${words}`);
}
