// The odds of the own turns while cards are hidden: the share of the worlds in which a turn wins, or the mean difference.

import { make } from "./dom.js";
import { FACE } from "./notation.js";
import { missing, previewing } from "./parts.js";
import { turnElement } from "./turnview.js";
import { signed, WORDS } from "./words.js";

const SHOWN = 12;

/** @param {import("./main.js").Page} page */
export function drawOdds(page) {
  const { odds, state } = page.view;
  if (!odds) return null;
  if (!odds.value) return missing(page, odds);
  const { turns, worlds, count, exact } = odds.value;
  const rows = turns.slice(0, SHOWN).map((one) => make("li", { key: one.turn, data: { turn: one.turn } },
    make("span", { class: "row" }, turnElement(state.game, one.turn), make("b", {}, shareOf(state.game, one)))));
  return make("section", { class: "outcomes odds", on: previewing(page) }, make("h3", {}, WORDS.odds[state.game]),
    make("p", { class: "note" }, exact ? WORDS.every_world(count) : WORDS.some_worlds(worlds)), make("ol", { class: "rows" }, rows));
}

/** The share in percent, or the mean; from least to most if not every world was solved. */
function shareOf(game, { value, bounds }) {
  const told = (number) => (game === FACE ? `${Math.round(100 * number)} %` : signed(Math.round(10 * number) / 10));
  return bounds ? `${told(bounds[0])} \u2026 ${told(bounds[1])}` : told(value);
}
