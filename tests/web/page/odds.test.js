// What the odds of a turn that was played say: node --test tests/web/page

import assert from "node:assert/strict";
import { test } from "node:test";
import { FACE, TAKE } from "../../../solver/backtrick/web/static/notation.js";
import { drawOdds, drawPlan, judged } from "../../../solver/backtrick/web/static/odds.js";
import { WORDS as LATE } from "../../../solver/backtrick/web/static/words/late/en.js";
import { learn, WORDS } from "../../../solver/backtrick/web/static/words.js";

await learn("words/late", LATE);

const other = { turn: "17^ 18^", bounds: [0.1, 0.9], error: 0.05 };

/** What is said of a turn beside another one. */
const said = (game, played, worlds = 20) => {
  const { sign, brief, words } = judged(game, { turns: [{ turn: "x", ...played }, other], played: { turn: "x", ...played }, worlds });
  return [sign, brief, words];
};

test("an interval that decides nothing is shown with what is known of it", () => {
  assert.deepEqual(said(FACE, { bounds: [0.25, 0.75], error: 0.05 }), ["?", "15\u202685", "unclear: 25 % \u2026 75 % \u00b1 5 %, over 20 deals"]);
  assert.deepEqual(said(TAKE, { value: 0.5, error: 1 }), ["?", "\u22121.5\u2026+2.5", "unclear: +0.5 \u00b1 1, over 20 deals"]);
});

test("a turn is neither good nor bad where intervals touch, and lost or won from a tenth on", () => {
  assert.equal(judged(FACE, { turns: [{ turn: "x" }, { turn: "y", bounds: [0.5, 0.9] }], played: { turn: "x", bounds: [0.2, 0.5] }, worlds: 20 }).kind, "unknown");
  const signs = [[0, 0.1], [0.05, 0.15], [0.9, 0.95], [0.85, 0.95], [0, 0.5]].map((bounds) => said(FACE, { bounds }).slice(0, 2));
  assert.deepEqual(signs, [["L", "L"], ["?", "5\u202615"], ["W", "W"], ["?", "85\u202695"], ["?", "0\u202650"]]);
});

test("odds are listed for twelve turns, where any world was solved, with more time on offer until all are known", () => {
  const shown = (game, { unsolved, exact = false, ways = 14 }, values = "on") => {
    const turns = Array.from({ length: ways }, (_, place) => ({ turn: `${place + 2}^`, value: 0.5, unsolved }));
    const state = { game, values };
    const { children } = drawOdds({ state, view: { state, odds: { value: { turns, worlds: 20, count: 400, exact } } } });
    return [children[1].children[0].text, ...children.slice(2).map((one) => (one.sel === "ol" ? one.children.length : one.sel))];
  };
  assert.deepEqual(shown(FACE, { unsolved: 0 }), [WORDS.some_worlds(20), 12, "button"]);
  assert.deepEqual(shown(FACE, { unsolved: 0, ways: 3 }, "longer"), [WORDS.some_worlds(20), 3]);
  assert.deepEqual(shown(FACE, { unsolved: 0, exact: true }), [WORDS.every_world(400), 12]);
  assert.deepEqual(shown(FACE, { unsolved: 20 }), [WORDS.no_world_solved(20), "button"]);
  assert.deepEqual(shown(TAKE, { unsolved: 20 }), [WORDS.no_world_solved(20), 12, "button"]);
});

test("only where nothing is known there is a question mark", () => {
  assert.deepEqual(said(FACE, { bounds: [0, 1], error: 0.5 }, 2), ["?", "?", "unclear: not solved, over 2 deals"]);
});

test("an interval that decides has a sign", () => {
  assert.deepEqual(said(FACE, { value: 1, error: 0.01 }), ["W", "W", "already won: 100 % \u00b1 1 %, over 20 deals"]);
  assert.deepEqual(said(FACE, { bounds: [0, 0.05], error: 0.01 }), ["L", "L", "already lost: 0 % \u2026 5 % \u00b1 1 %, over 20 deals"]);
});

test("a turn is the best only if it is above all others", () => {
  const at = (...others) => judged(FACE, { turns: [{ turn: "x" }, ...others.map((value, place) => ({ turn: `${place}`, value }))], played: { turn: "x", value: 0.5 }, worlds: 20 }).kind;
  assert.deepEqual([at(0.3, 0.4), at(0.4, 0.6), at(0.4, 0.5)], ["good", "bad", "good"]);
});

test("nothing is called exact of a plan whose search was cut", () => {
  const shown = (value) => drawPlan({ view: { state: { game: FACE, draft: "45^17v:50 43^20v:?1:4,5" }, plan: { value: { value, hands: [{ hand: [50], value: "1", turns: [] }] } } } });
  assert.equal(shown(null), null);
  assert.notEqual(shown("0"), null);
});

test("a plan says whether it mixes", () => {
  const told = (...turns) => drawPlan({ view: { state: { game: FACE, draft: "45^17v:50 43^20v:?1:4,5" }, plan: { value: { hands: [{ hand: [50], value: "1/2", turns }] } } } }).children[1].children[0].text;
  const [one, other] = ["50^", "50^ 4v"].map((turn) => ({ turn, probability: "1/2" }));
  assert.deepEqual([told(one, other), told(one), told()], [WORDS.plan_mixes, WORDS.plan_one, WORDS.plan_none]);
});
