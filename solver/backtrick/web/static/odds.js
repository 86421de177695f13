// The odds of turns while cards are hidden: the share of the worlds in which a turn wins, or the mean difference. Worlds that were
// not solved leave an interval, and worlds that were drawn a standard error: both are shown.

import { button, make } from "./dom.js";
import { FACE, seenOf } from "./notation.js";
import { missing } from "./parts.js";
import { signed } from "./signed.js";
import { previewing } from "./turnlist.js";
import { turnElement } from "./turnview.js";
import { isUnknown } from "./view.js";
import { WORDS } from "./words.js";

const SHOWN = 12;
const CLEAR = 0.1; // of the ways: with no more lost, or won, the turn is called won, or lost
const ERRORS = 2; // standard errors on either side of what was found in the worlds that were drawn

/** A number that is written as a fraction. @param {string} text */
function fraction(text) {
  const [above, below = 1] = text.split("/").map(Number);
  return above / below;
}

/** What a turn is worth, from least to most. */
function interval(game, { value, bounds, error = 0 }) {
  const [least, most] = bounds || [value, value];
  const ends = [least - ERRORS * error, most + ERRORS * error];
  return game === FACE ? ends.map((end) => Math.min(1, Math.max(0, end))) : ends;
}

const told = (game, number) => (game === FACE ? `${Math.round(100 * number)} %` : signed(Math.round(10 * number) / 10));

/** What was found, in percent or in points, with its standard error. */
function shareOf(game, { value, bounds, error }) {
  if (game === FACE && bounds?.[0] === 0 && bounds[1] === 1) return WORDS.grades["not solved"];
  const ends = [...new Set((bounds || [value]).map((end) => told(game, end)))].join(" \u2026 ");
  return error ? `${ends} \u00b1 ${told(game, error).replace("+", "")}` : ends;
}

/** An interval in the room of a sign. */
function brief(game, ends) {
  const [least, most] = ends.map((end) => told(game, end).replace(" %", ""));
  return game === FACE && least === "0" && most === "100" ? WORDS.grade_signs.unknown : `${least}\u2026${most}`;
}

/** What the odds say of a turn that was played: it was the best or not if the intervals are apart, or all was won or lost already.
 *  @returns {{kind: string, sign: string, brief: string, words: string}} */
export function judged(game, { turns, played, worlds }) {
  const ends = interval(game, played);
  const [least, most] = ends;
  const others = turns.filter((one) => one.turn !== played.turn).map((one) => interval(game, one));
  const found = others.every(([, end]) => end <= least) ? "good" : others.some(([begin]) => begin > most) ? "bad"
    : game === FACE && most <= CLEAR ? "lost" : game === FACE && least >= 1 - CLEAR ? "won" : "unknown";
  const kind = ["good", "bad"].includes(found) ? found : "unknown";
  const sign = WORDS.grade_signs[found];
  return { kind, sign, brief: found === "unknown" ? brief(game, ends) : sign, words: WORDS.share_of[found](shareOf(game, played), worlds) };
}

/** The odds of your turns, beside your hand. @param {import("./main.js").Page} page */
export function drawOdds(page) {
  const { odds, state } = page.view;
  if (!odds) return null;
  if (!odds.value) return missing(page, odds);
  const { turns, worlds, count, exact } = odds.value;
  const unknown = isUnknown(odds.value);
  const rows = turns.slice(0, SHOWN).map((one) => make("li", { key: one.turn, data: { turn: one.turn } },
    make("span", { class: "row" }, turnElement(state.game, one.turn), make("b", {}, shareOf(state.game, one)))));
  return make("section", { class: "outcomes odds", on: previewing(page) }, make("h3", {}, WORDS.odds[state.game]),
    make("p", { class: "note" }, exact ? WORDS.every_world(count) : unknown ? WORDS.no_world_solved(worlds) : WORDS.some_worlds(worlds)),
    (!unknown || state.game !== FACE) && make("ol", { class: "rows" }, rows), !exact && lookLonger(page));
}

/** What to play from your hand, and what it wins for sure against any opponent, where the equilibrium is known.
 *  @param {import("./main.js").Page} page */
export function drawPlan(page) {
  const { plan, state } = page.view;
  const own = String(seenOf(state.draft).hand);
  const hand = plan?.value?.hands.find((one) => String(one.hand) === own);
  if (!hand?.value || plan.value.value === null) return null; // of a search that was cut the value of a hand is not exact
  const shares = hand.turns.map(({ turn, probability }) => make("li", { key: turn, data: { turn } },
    make("span", { class: "row" }, turnElement(state.game, turn), make("b", {}, told(FACE, fraction(probability))))));
  return make("section", { class: "outcomes plan" }, make("h3", {}, WORDS.plan(told(FACE, fraction(hand.value)))),
    make("p", { class: "note" }, shares.length > 1 ? WORDS.plan_mixes : shares.length ? WORDS.plan_one : WORDS.plan_none),
    make("ol", { class: "rows" }, shares));
}

/** Asks for the odds once more, with more time. @param {import("./main.js").Page} page */
export const lookLonger = (page) =>
  page.state.values !== "longer" && button(WORDS.longer, () => page.go({ values: "longer" }, { replace: true }), { class: "chip", data: { key: "longer" } });
