// What the end of a puzzle says: node --test tests/web/page

import assert from "node:assert/strict";
import { test } from "node:test";
import { barOf, marksOf } from "../../../solver/backtrick/web/static/end.js";
import { costOf, stuckInTheEnd, titleOf } from "../../../solver/backtrick/web/static/view.js";

const [WRONG, RIGHT] = ["\ud83d\udfe7", "\ud83d\udfe9"];

test("a mark a try, the last one green if it was right", () => {
  assert.equal(marksOf({ tries: ["a"], solved: true, shown: false }), RIGHT);
  assert.equal(marksOf({ tries: ["a", "b"], solved: true, shown: false }), WRONG + RIGHT);
  assert.equal(marksOf({ tries: ["a", "b", "c"], solved: false, shown: false }), WRONG.repeat(3));
  assert.equal(marksOf({ tries: [], solved: false, shown: true }), "");
});

/** What is known after a wrong try: turns after it, and the table in the end. */
const known = (turns, over, choices) => ({ refuted: { value: { line: turns } }, ending: { value: { over, choices } } });
const blocked = [{ card: 19, problem: "19 is not lower than 3" }, { card: 57, problem: "57 is not higher than 58" }, { card: 19, problem: "19 is not higher than 40" }];

test("the own cards that cannot be laid in the end are the reason, each once", () => {
  assert.deepEqual(stuckInTheEnd(known([{}], {}, blocked)), [19, 57]);
  assert.deepEqual(stuckInTheEnd(known([{}, {}, {}], {}, blocked)), [19, 57]);
});

test("it is no reason that the other player is stuck, or that the game goes on, or before one knows", () => {
  assert.deepEqual(stuckInTheEnd(known([{}, {}], {}, blocked)), []);
  assert.deepEqual(stuckInTheEnd(known([{}], null, blocked)), []);
  assert.deepEqual(stuckInTheEnd({ refuted: null, ending: null }), []);
});

test("in a game of points the reason is what the turn costs, and who takes the line in the end", () => {
  const after = (...turns) => costOf({ refuted: { value: { game: "take_that", before: 1, after: -4, line: turns.map((turn) => ({ turn })) } } });
  assert.deepEqual(after("23", "take"), { points: 5, taker: 0 });
  assert.deepEqual(after("take"), { points: 5, taker: 1 });
  assert.deepEqual(after("23", "94x49"), { points: 5, taker: null });
  assert.deepEqual(after(), { points: 5, taker: null });
  assert.equal(costOf({ refuted: { value: { game: "face_to_face", before: 3, after: 2, line: [] } } }), null);
  assert.deepEqual([costOf({ refuted: null }), costOf({ refuted: { state: "waiting" } })], [null, null]);
});

test("a set shows a mark for each of its puzzles", () => {
  const [once, later, missed, fresh] = [{ tries: ["a"], solved: true }, { tries: ["a", "b"], solved: true }, { tries: ["a"], shown: true }, { tries: ["a"] }];
  assert.equal(barOf([once, later, missed, fresh]), `${RIGHT}\ud83d\udfe8${WRONG}\u2b1c`);
});

test("the title of the window says whose turn it is while one plays", () => {
  const view = { state: { game: "take_that", mode: "play", seats: ["human", "tuned"], n: 0 }, table: { mover: 0 }, over: null };
  assert.equal(titleOf(view), "You are to move \u00b7 Take That \u00b7 Play \u00b7 Backtrick");
  assert.equal(titleOf({ ...view, state: { ...view.state, n: 1 }, table: { mover: 1 } }), "Take That \u00b7 Play \u00b7 Backtrick");
  assert.equal(titleOf({ ...view, state: { ...view.state, mode: "look" } }), "Take That \u00b7 Analyse \u00b7 Backtrick");
  assert.equal(titleOf({ ...view, table: null }), "Take That \u00b7 Play \u00b7 Backtrick");
});
