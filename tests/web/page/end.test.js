// What the end of a puzzle says: node --test tests/web/page

import assert from "node:assert/strict";
import { test } from "node:test";
import { another, barOf, costOf, drawEnd, lossOf, marksOf } from "../../../solver/backtrick/web/static/end.js";
import { FACE, TAKE } from "../../../solver/backtrick/web/static/notation.js";
import { tried } from "../../../solver/backtrick/web/static/remembered.js";
import { titleOf } from "../../../solver/backtrick/web/static/view.js";
import { WORDS as LATE } from "../../../solver/backtrick/web/static/words/late/en.js";
import { learn, WORDS } from "../../../solver/backtrick/web/static/words.js";
import { replaced } from "./replaced.js";

await learn("words/late", LATE);

const [WRONG, RIGHT] = ["\ud83d\udfe7", "\ud83d\udfe9"];

test("a mark a try, the last one green if it was right", () => {
  assert.equal(marksOf({ tries: ["a"], solved: true, shown: false }), RIGHT);
  assert.equal(marksOf({ tries: ["a", "b"], solved: true, shown: false }), WRONG + RIGHT);
  assert.equal(marksOf({ tries: ["a", "b", "c"], solved: false, shown: false }), WRONG.repeat(3));
  assert.equal(marksOf({ tries: [], solved: false, shown: true }), "");
});

/** What is known after a wrong try: turns after it, the last of which leads to a position, and how the game ended there. */
const known = (turns, position, rule) => ({
  refuted: { value: { line: turns.map((_, place) => ({ position: place === turns.length - 1 ? position : "" })), next: position } }, loss: { value: { over: rule && { rule } } },
});
const STUCK = "54^17v:33,43 49^20v:27,37";

test("a try is lost because one can lay no two cards any more, or because the opponent has laid the last one", () => {
  assert.equal(lossOf(FACE, known([{}], STUCK, "F13")), "You hold 33 and 43, and no two cards can be laid.");
  assert.equal(lossOf(FACE, known([{}, {}, {}], STUCK.replace(",43", ""), "F13")), "You hold 33 alone, and a turn lays at least two cards.");
  assert.equal(lossOf(FACE, known([{}], "54^17v:33,43 49^20v:", "F12")), "The opponent has laid the last card.");
});

test("there is no reason while the game goes on, where points decide, or before one knows", () => {
  assert.equal(lossOf(FACE, known([{}], STUCK, null)), "");
  assert.equal(lossOf(TAKE, known([{}], "15 21 -", "T7")), "");
  assert.equal(lossOf(FACE, { refuted: null, loss: null }), "");
});

test("in a game of points the reason is what the turn costs, and who takes the line in the end", () => {
  const after = (...turns) => costOf({ refuted: { value: { game: "take_that", before: 1, after: -4, line: turns.map((turn) => ({ turn })) } } });
  assert.deepEqual(after("23", "take"), { before: 1, after: -4, taker: 0 });
  assert.deepEqual(after("take"), { before: 1, after: -4, taker: 1 });
  assert.deepEqual(after("23", "94x49"), { before: 1, after: -4, taker: null });
  assert.deepEqual(after(), { before: 1, after: -4, taker: null });
  assert.equal(costOf({ refuted: { value: { game: "face_to_face", before: 3, after: 2, line: [] } } }), null);
  assert.deepEqual([costOf({ refuted: null }), costOf({ refuted: { state: "waiting" } })], [null, null]);
  assert.equal(costOf({ refuted: { value: { game: "take_that", before: 1, line: [] } } }), null, "what it costs is not known yet");
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

/** All words of an element. */
const wordsOf = (element) => (element.children ? element.children.map(wordsOf).join("") : element.text ?? "");

test("a wrong try says what it costs, and who takes the line if anybody does", (own) => {
  replaced(own, "localStorage", { getItem: () => null, setItem: () => {} });
  const state = { mode: "puzzles", game: "take_that", n: 1, turns: ["23"] };
  const told = (...turns) => wordsOf(drawEnd({ state, view: {
    state, puzzle: { value: { number: 7, of: 2000 } }, grades: [null, { value: { optimal: false } }], ending: null,
    refuted: { value: { game: "take_that", before: 1, after: -4, reply: null, line: turns.map((turn) => ({ turn })) } },
  } }).children[1]);
  const [costs, takers] = ["It costs 5 points: \u22124 for you in place of +1.", WORDS.takes_it];
  assert.deepEqual([told("23", "take"), told("take"), told("23", "94x49")], [`${costs}  ${takers[0]}`, `${costs}  ${takers[1]}`, `${costs} `]);
});

test("after a game a new one begins with the same player, and its end is shown where it ended", async () => {
  const drawn = (seats, n = 2) => {
    const [begun, state] = [[], { mode: "play", game: "take_that", seats, n, turns: ["a", "b"] }];
    const page = { state, view: { state, grades: [], steps: [{ over: null }, { over: { winner: "mover" } }] }, fetch: async () => ({ position: "x" }), begin: (position, how) => begun.push(how.seats) };
    return { begun, end: drawEnd(page) };
  };
  for (const [seats, other] of [[["human", "careful"], "careful"], [["frugal", "human"], "frugal"], [["human", "perfect"], "tuned"], [["human", "human"], "tuned"]]) {
    const { begun, end } = drawn(seats);
    end.children[0].children[0].data.on.click();
    await new Promise((later) => setTimeout(later));
    assert.deepEqual(begun, [["human", other]]);
  }
  assert.equal(drawn(["human", "careful"], 1).end, null);
});

test("after a puzzle that was missed comes one of its theme, and else any", async (own) => {
  const [kept, went] = [new Map(), []];
  replaced(own, "localStorage", { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text) });
  const page = { state: { game: TAKE, puzzle: "5" }, view: { puzzle: { value: { themes: ["toad"], of: 1000 } } }, ui: {}, go: (state) => went.push(state.puzzle),
    fetch: async (path) => (path.includes("/puzzles") ? { numbers: [7] } : { number: 99 }) };
  await another(page);
  for (const turn of ["41", "42", "43"]) tried(localStorage, TAKE, 5, turn, false);
  await another(page);
  assert.deepEqual(went, ["99", "7"]);
});
