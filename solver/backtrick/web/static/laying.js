// Laying a card: what may go where, as the server has said, and what follows.

import { FACE } from "./notation.js";
import { zoneOf } from "./table.js";
import { seatOf } from "./view.js";
import { said, WORDS } from "./words.js";

/** @typedef {import("./main.js").Page} Page */

/** True if a human may lay cards now. @param {Page} page */
export const isLive = ({ view, state, ui }) => Boolean(view?.look) && view.state === state && !view.over && !ui.preview && seatOf(view) === "human";

/** What can be done with a card. */
export const choicesOf = (view, card) => view.look.choices.filter((choice) => choice.card === card);

/** The choice that a card in hand and a place on the table make; undefined if the two say nothing to each other. */
export function choiceFor({ view }, card, zone, number) {
  const { game } = view.state;
  const found = choicesOf(view, card);
  if (game === FACE) return found.find((choice) => zoneOf(game, view.table.mover, choice.place) === zone);
  if (zone !== "line") return undefined;
  return found.find((choice) => choice.place === "twist" && choice.target !== null && choice.target === number && !choice.problem)
    || found.find((choice) => choice.place === "line");
}

/** Lays a card if it may be laid there, and otherwise says why not. @param {Page} page */
export function tryLay(page, card, zone, number) {
  const choice = choiceFor(page, card, zone, number);
  if (!choice) return;
  if (!choice.problem) return layChoice(page, choice);
  page.set({ refusal: [choice] });
  page.say(`${said(choice.problem)}, ${WORDS.rule(choice.rule)}`);
}

/** Lays a card: the step back takes it back. @param {Page} page */
export function layChoice(page, choice) {
  page.go({ laid: choice.laid, why: "" }, { say: WORDS.laid_card(choice) });
}
