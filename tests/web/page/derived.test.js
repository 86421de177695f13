// What follows from what is known: node --test tests/web/page

import assert from "node:assert/strict";
import { test } from "node:test";
import { finalScore } from "../../../solver/backtrick/web/static/headline.js";
import { FACE, TAKE } from "../../../solver/backtrick/web/static/notation.js";
import { drawOthers, fits } from "../../../solver/backtrick/web/static/outcomes.js";
import { link } from "../../../solver/backtrick/web/static/parts.js";
import { begin, read } from "../../../solver/backtrick/web/static/state.js";
import { derive, isUnknown, winnerOf } from "../../../solver/backtrick/web/static/view.js";
import { WORDS as LATE } from "../../../solver/backtrick/web/static/words/late/en.js";
import { learn, WORDS } from "../../../solver/backtrick/web/static/words.js";

await learn("words/late", LATE);

test("odds say nothing only if no turn was solved in any world", () => {
  const of = (...unsolved) => ({ worlds: 20, turns: unsolved.map((count) => ({ unsolved: count })) });
  assert.ok(isUnknown(of(20, 20)));
  assert.ok(!isUnknown(of(20, 19)));
  assert.ok(!isUnknown(of(0, 20)));
  assert.ok(!isUnknown(of(20)));
});

test("the final score is yours, whoever is to move", () => {
  const said = (won, mover, value) => finalScore({ won, table: { mover } }, { value });
  assert.equal(said([5, 2], 0, 4), WORDS.in_all(7));
  assert.equal(said([5, 2], 1, 4), WORDS.in_all(-1));
  assert.equal(said([2, 5], 0, -1), WORDS.in_all(-4));
});

test("a turn fits a filter if it uses all of its cards and places", () => {
  assert.ok(fits(FACE, "16v 18v'", []));
  assert.ok(fits(FACE, "16v 18v'", ["16"]) && fits(FACE, "16v 18v'", ["16", "18"]));
  assert.ok(!fits(FACE, "16v 18v'", ["16", "19"]));
  assert.ok(fits(FACE, "16v 18v'", ["down", "their-down"]) && !fits(FACE, "16v 18v'", ["down", "up"]));
  assert.ok(fits(TAKE, "43x34", ["twist"]) && !fits(TAKE, "43", ["twist"]) && !fits(TAKE, "43x34", ["twist", "44"]));
});

test("who has won: by the rule, else by points, else nobody", () => {
  const at = (winner, won, mover = 0) => winnerOf({ over: { winner }, table: { mover }, won });
  assert.deepEqual([at("mover", [0, 0], 1), at("opponent", [0, 0], 1)], [1, 0]);
  assert.deepEqual([at(null, [3, 1]), at(null, [1, 3]), at(null, [2, 2])], [0, 1, null]);
  assert.equal(winnerOf({ over: null, table: { mover: 0 }, won: [3, 0] }), null);
});

test("of many turns the best are shown, some of each value, and all of one that is asked for", () => {
  const outcomes = [[9, 1], [5, 120], [4, 120], [3, 11]].flatMap(([value, count]) => Array.from({ length: count }, (_, place) => ({ turn: `${value}x${place}`, points: 0, value })));
  const shown = (more) => {
    const page = { ui: { more }, view: { others: { value: { outcomes } }, state: { game: TAKE, start: "", turns: [], why: "", n: 0 } }, set: (change) => asked.push(change.more) };
    const asked = [];
    const groups = drawOthers(page).children.slice(1).map(({ key, children: [, rows, button] }) => [key, rows.children.length, button]);
    groups[2][2].data.on.click();
    return [groups.map(([, rows, button]) => [rows, button ? button.children[0].text : ""]), groups[1][0], asked[0], groups[2][0]];
  };
  const [usual, second, asked, third] = shown({});
  assert.deepEqual(usual, [[100, WORDS.more(20)], [50, WORDS.more(70)], [10, WORDS.more(1)]]);
  assert.deepEqual(asked, { [third]: 11 });
  assert.deepEqual(shown({ [second]: 120 })[0].map(([rows]) => rows), [100, 120, 10]);
});

test("a click goes to a link in this window, but not with a key that asks for another one", () => {
  const went = [];
  const { click } = link({ go: () => went.push("here") }, "there", begin(FACE), {}).data.on;
  const kept = { preventDefault: () => went.push("kept") };
  for (const key of ["ctrlKey", "metaKey", "shiftKey"]) click({ ...kept, [key]: true });
  assert.deepEqual(went, []);
  click(kept);
  assert.deepEqual(went, ["kept", "here"]);
});

/** What is asked about a game after its first turn. over: how it ended there, or null. */
const askedOf = (hash, over, pile = "9") => {
  const known = { play: { next: "13^50v:5,12 18^40v:45,9", points: 0, turn: "17^ 18^", over }, look: { over, choices: [] } };
  const asked = [];
  const answers = (path) => {
    const [, kind] = /face-to-face\/(\w+)/.exec(path) || [];
    asked.push(kind);
    return known[kind] ? { state: "known", value: known[kind] } : { state: "waiting" };
  };
  derive(read(`start=27a40vh17.18.45p${pile}_13a50vh5.12&turns=17a_18a&mode=play&seats=human~human&${hash}`), answers);
  return asked;
};

test("of hidden cards no grade is asked, not even with one to come, and no odds of a game that is over if none are to be shown", () => {
  assert.ok(askedOf("cards=all", null).includes("grade") && !askedOf("cards=own", null).includes("grade"));
  const over = { winner: "opponent", problem: "no legal turn" };
  const many = "9.20.21.22.23.24.25.26.30.31.32.33.34.35.36.37.38.39.41.42.43.44.46.47.48.49";
  assert.ok(askedOf("cards=own&values=odds", over, many).includes("odds") && !askedOf("cards=own&values=off", over, many).includes("odds"));
});

test("turns that are not known are told as what is missing, or not at all", () => {
  assert.deepEqual([drawOthers({ view: { others: null } }), drawOthers({ view: {} })], [null, undefined]);
  assert.ok(drawOthers({ view: { others: { state: "failed", problem: { detail: "lost" } } } }).sel);
});
