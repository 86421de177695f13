// A whole game in review: a mark a turn, where it was thrown away, what was right, and another try from there.

import { button, make } from "./dom.js";
import { SERVED } from "./ask.js";
import { judgement } from "./history.js";
import { lookLonger } from "./odds.js";
import { missing } from "./parts.js";
import { goTo } from "./play.js";
import { mistakesIn } from "./remembered.js";
import { turnElement } from "./turnview.js";
import { said, turnWords, WORDS } from "./words.js";

/** Of a game that is over. @param {import("./main.js").Page} page */
export function review(page) {
  const { view } = page;
  const { state, steps, grades } = view;
  const marks = steps.slice(1).map((step, place) => mark(page, place + 1, step.turn));
  return make("section", { class: "review" }, make("h3", {}, WORDS.review), make("ol", { class: "strip" }, marks),
    make("p", { class: "note" }, WORDS.marks[state.game]), !grades[1] && SERVED && oddsBefore(page), mistake(page));
}

/** The mark of a turn: best, a mistake, or not known, since cards were still to be drawn. */
function mark(page, place, turn) {
  const { kind, sign, brief, words } = judgement(page.view, place) || { kind: "unknown", sign: "\u00b7", words: WORDS.not_an_endgame };
  const label = `${place}. ${WORDS.seat[(place - 1) % 2]}: ${turnWords(page.view.state.game, turn)}: ${words}`;
  return make("li", { key: place }, make("button", {
    type: "button", class: `grade ${kind} by-${(place - 1) % 2}`, title: label, "aria-label": label, "aria-current": place === page.view.state.n ? "step" : null, data: { key: `review-${place}` }, on: { click: () => goTo(page, place) },
  }, brief || sign));
}

/** On request the odds of the turns before the endgame. */
function oddsBefore(page) {
  const { shares, state } = page.view;
  if (!shares.some(Boolean)) return button(WORDS.odds_before, () => page.go({ values: "odds" }, { replace: true }), { class: "chip", data: { key: "odds-before" } });
  const failed = shares.find((entry) => entry?.state === "failed");
  if (failed) return missing(page, failed);
  const waits = shares.some((entry) => entry?.state === "waiting");
  return make("p", { class: "note", role: "status" }, waits ? WORDS.looking : WORDS.odds_mean[state.game], " ", !waits && lookLonger(page));
}

/** The own turn that was not the best, with what was: the one on the table, or else the first; or that there is none. */
function mistake(page) {
  const { state, steps, grades } = page.view;
  const known = grades.filter((entry) => entry?.value);
  if (!known.length || grades.some((entry) => entry?.state === "waiting")) return null;
  const places = mistakesIn(page.view);
  if (!places.length) return make("p", {}, WORDS.no_mistake);
  const place = places.includes(state.n) ? state.n : places[0];
  const { best, verdict } = grades[place].value;
  const turn = steps[place].turn;
  const back = { n: place - 1, laid: "" };
  return make("div", { class: "mistake" },
    make("p", {}, WORDS.mistake(place), " ", turnElement(state.game, turn), ` ${said(verdict)}. `, WORDS.right_was, " ", turnElement(state.game, best)),
    make("p", { class: "buttons" },
      button(WORDS.why, () => page.go({ ...back, mode: "look", why: turn }), { data: { key: "mistake-why" } }),
      button(WORDS.again_from_here, () => page.go({ ...back, turns: state.turns.slice(0, place - 1), why: "" }), { class: "main", data: { key: "again-from-here" } })));
}
