// The turns so far, each with its grade; a click goes back to it.

import { make } from "./dom.js";
import { goTo } from "./play.js";
import { judged } from "./odds.js";
import { missing } from "./parts.js";
import { turnElement } from "./turnview.js";
import { gradeWords, WORDS } from "./words.js";

/** @param {import("./main.js").Page} page */
export function history(page) {
  const { view } = page;
  const { state, steps } = view;
  if (!state.turns.length) return state.mode === "play" ? make("p", { class: "note" }, WORDS.no_history) : null;
  const item = (n, ...content) => make("li", { key: n }, make("button", {
    type: "button", class: "step", "aria-current": n === state.n ? "step" : null, data: { key: `step-${n}` }, on: { click: () => goTo(page, n) },
  }, content), gradeAgain(page, view.grades[n]));
  const items = steps.slice(1).map((step, place) => item(place + 1, make("span", { class: `who by-${place % 2}` }, `${WORDS.seat[place % 2]} `),
    turnElement(state.game, step.turn), step.points ? ` ${WORDS.points(step.points)} ` : " ", judgementElement(judgement(view, place + 1))));
  return make("section", { class: "history" }, make("h3", {}, WORDS.history), make("ol", {}, item(0, WORDS.beginning), items));
}

/** A grade that failed can be asked for again. */
const gradeAgain = (page, entry) => (entry?.state === "failed" ? missing(page, entry) : null);

/** What is known of a turn: its grade, or the odds of it. @param {import("./view.js").View} view @param {number} place
 *  @returns {{kind: string, sign: string, words: string, brief?: string} | null} */
export function judgement({ state, grades, shares }, place) {
  if (grades[place]?.value) return gradeWords(grades[place].value);
  return shares[place]?.value ? judged(state.game, shares[place].value) : null;
}

/** The same as an element. */
export const judgementElement = (known) =>
  known && make("span", { class: `grade ${known.kind}` }, make("span", { "aria-hidden": "true" }, `${known.sign} `), known.words);

