// What the end of a puzzle says: node --test tests/web/page

import assert from "node:assert/strict";
import { test } from "node:test";
import { another, barOf, costOf, drawEnd, lossOf, marksOf } from "../../../solver/backtrick/web/static/end.js";
import { FACE, TAKE } from "../../../solver/backtrick/web/static/notation.js";
import { NOTHING, puzzleOfDay, rate, ratingOf, tried } from "../../../solver/backtrick/web/static/remembered.js";
import { keepSet, setOf } from "../../../solver/backtrick/web/static/standing.js";
import { beginPuzzle } from "../../../solver/backtrick/web/static/state.js";
import { titleOf } from "../../../solver/backtrick/web/static/view.js";
import { WORDS as LATE } from "../../../solver/backtrick/web/static/words/late/en.js";
import { learn, turnWords, WORDS } from "../../../solver/backtrick/web/static/words.js";
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
  const answered = (reply, ...turns) => wordsOf(drawEnd({ state, ui: {}, view: {
    state, puzzle: { value: { number: 7, of: 2000 } }, grades: [null, { value: { optimal: false } }], ending: null,
    refuted: { value: { game: "take_that", before: 1, after: -4, reply, line: turns.map((turn) => ({ turn })) } },
  } }).children[1]);
  const told = (...turns) => answered(null, ...turns);
  const [costs, takers] = ["It costs 5 points: \u22124 for you in place of +1.", WORDS.takes_it];
  assert.deepEqual([told("23", "take"), told("take"), told("23", "94x49")], [`${costs}  ${takers[0]}`, `${costs}  ${takers[1]}`, `${costs} `]);
  assert.deepEqual([answered("44", "44"), answered("44", "44", "45")].map((words) => words.split(turnWords(TAKE, "44"))[1]), [".", " \u2026"]);
});

/** The end of a puzzle after these tries, the last of which may be right: its words, and where its buttons lead, by their keys. */
const endOf = (own, tries, right, change = {}, remembers = () => {}) => {
  const kept = new Map();
  const storage = replaced(own, "localStorage", { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text) });
  replaced(own, "location", { href: "http://127.0.0.1/" });
  const state = { mode: "puzzles", game: TAKE, puzzle: "7", n: 1, turns: tries.slice(-1), day: 0, ...change };
  for (const [place, turn] of tries.entries()) tried(storage, state.game, 7, turn, right && place === tries.length - 1);
  remembers(storage);
  const went = [];
  const end = drawEnd({ state, ui: {}, go: (to) => went.push(to), view: {
    state, puzzle: { value: { number: 7, of: 1000, turn: "56", themes: ["toad"] } }, grades: [null, { value: { optimal: right } }], refuted: null, loss: null,
  } });
  const buttons = new Map();
  const collect = (node) => {
    if (node.sel === "button") buttons.set(node.key, () => (node.data.on.click(), went.pop()));
    for (const one of node.children || []) collect(one);
  };
  collect(end);
  return { buttons, words: wordsOf(end) };
};

test("a puzzle that was missed is tried again from its beginning, and its solution is laid", (own) => {
  const { buttons } = endOf(own, ["11", "12", "13"], false);
  assert.deepEqual([...buttons.keys()], ["copy-result", "next-puzzle", "solution", "try-again"]);
  assert.deepEqual(buttons.get("try-again")(), { turns: [], n: 0, laid: "", values: "off", why: "" });
  assert.deepEqual(buttons.get("solution")(), { turns: ["56"], n: 1, laid: "" });
  assert.deepEqual([...endOf(own, ["11"], false).buttons.keys()], ["try-again"]);
  assert.deepEqual([...endOf(own, ["56"], true).buttons.keys()], ["copy-result", "next-puzzle"]);
});

test("after the puzzle of a Sunday comes that of the other game, unless it is done", (own) => {
  const sunday = 20_051; // 2024-11-24
  const next = (game, day, remembers) => {
    const { buttons } = endOf(own, ["56"], true, { game, day }, remembers);
    return buttons.has("other-game") && buttons.get("other-game")();
  };
  assert.deepEqual([next(TAKE, sunday), next(FACE, sunday)], [FACE, TAKE].map((game) => beginPuzzle(game)));
  assert.deepEqual([next(TAKE, sunday + 1), next(TAKE, 0)], [false, false]);
  assert.equal(next(TAKE, sunday, (storage) => tried(storage, FACE, puzzleOfDay(sunday, 1000), "3v 13v", true)), false);
});

test("what a puzzle changed in the rating is told beside it alone, and the time until the next one on its day", (own) => {
  own.mock.method(Date, "now", () => new Date(2026, 4, 17, 23, 0).getTime());
  const rates = (storage) => rate(storage, TAKE, { number: 7, of: 1000 }, NOTHING);
  endOf(own, ["56"], true, {}, rates);
  const { points, change } = ratingOf(localStorage, TAKE);
  assert.notEqual(change, 0);
  const said = (puzzle, day) => endOf(own, ["56"], true, { puzzle, day }, rates).words;
  assert.ok(said("7", 20_000).includes(WORDS.rating(Math.round(points), change)) && said("8", 0).includes(WORDS.rating(Math.round(points), 0)));
  assert.ok(said("7", 20_000).includes(WORDS.next_day(1, 0)) && !said("7", 0).includes(WORDS.next_day(1, 0)));
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
    fetch: async (path) => (path.endsWith("/puzzles?theme=toad") ? { numbers: [7] } : { number: 99 }) };
  await another(page);
  for (const turn of ["41", "42", "43"]) tried(localStorage, TAKE, 5, turn, false);
  await another(page);
  assert.deepEqual(went, ["99", "7"]);
});

test("in a set comes its next puzzle that is not done, then a new set of its theme, and nothing once all are done", async (own) => {
  const kept = new Map();
  const storage = replaced(own, "localStorage", { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text) });
  const next = async (numbers) => {
    const went = [];
    const view = { puzzle: { value: { themes: ["quiet"], of: 1000 } } };
    const fetch = async (path) => (path.endsWith("/puzzles?theme=toad") ? { numbers } : null);
    await another({ state: { game: TAKE, puzzle: "5" }, view, ui: {}, fetch, go: (state) => went.push(state.puzzle), tell: (words) => went.push(words) });
    return went;
  };
  const set = { game: TAKE, theme: "toad", numbers: [5, 6] };
  keepSet(storage, set);
  tried(storage, TAKE, 5, "41", true);
  assert.deepEqual(await next([]), ["6"]);
  tried(storage, TAKE, 6, "41", true);
  assert.deepEqual([await next([5, 6, 7, 9]), setOf(storage, TAKE, 9).numbers], [["7"], [7, 9]]);
  keepSet(storage, set);
  assert.deepEqual(await next([5, 6]), [WORDS.all_done]);
});
