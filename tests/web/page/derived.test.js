// What follows from what is known: node --test tests/web/page

import assert from "node:assert/strict";
import { test } from "node:test";
import { finalScore } from "../../../solver/backtrick/web/static/headline.js";
import { FACE, spelled, TAKE, tableOf } from "../../../solver/backtrick/web/static/notation.js";
import { drawOthers, drawOutcomes, fits } from "../../../solver/backtrick/web/static/outcomes.js";
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
  assert.deepEqual(["lay", "twist", "take"].map((place) => ["43", "43x34", "take"].filter((turn) => fits(TAKE, turn, [place]))), [["43"], ["43x34"], ["take"]]);
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

/** What follows of an address, or of a state, and what is asked, if these answers are known: by what is asked for, or made of the question. */
const derived = (of, known) => {
  const asked = [];
  const view = derive(typeof of === "string" ? read(of) : of, (path = "") => {
    asked.push(path);
    const answer = known[/^\/api\/v1\/[\w-]+\/(\w+)/.exec(path)?.[1]];
    const value = typeof answer === "function" ? answer(decodeURIComponent(path)) : answer;
    return value ? { state: "known", value } : { state: "waiting" };
  });
  return { view, asked: (kind) => asked.filter((path) => path.includes(`/${kind}?`)).map((path) => path.replace(/.*\?(position|state|view)=[^&]*&?/, "")) };
};

test("what is asked of a deal goes by the cards that are to be drawn", () => {
  const look = { over: null, choices: [] };
  const deal = (count, more) => derived(`start=27a40vh17.18.45p${Array.from({ length: count }, (_, place) => place + 20).join(".")}_13a50vh5.12&${more}`, { look, check: { view: true } }).asked;
  assert.deepEqual([12, 13].map((count) => deal(count, "mode=look")("solve")), [["all=1"], ["seconds=2"]]);
  const own = "mode=play&seats=human~human&cards=own";
  assert.deepEqual([0, 1, 24, 25].map((count) => deal(count, `${own}&values=odds`)("odds")), [[], ["seconds=2"], ["seconds=2"], []]);
  assert.deepEqual(["longer", "on"].map((values) => deal(1, `${own}&values=${values}`)("odds")), [["seconds=8"], []]);
});

test("an exact plan is asked for in Face to Face, with at most four cards in each pile", () => {
  const entered = (draft, more = "") => derived(`mode=enter&draft==${draft}${more}`, { check: { view: true } });
  for (const [drafts, plans] of [[["45^17v:50%2B?2,3,4,6 43^20v:?0:", "45^17v:50 43^20v:?1:4,5,6,7,8"], 1], [["45^17v:50%2B?2,3,4,6,7 43^20v:?0:", "45^17v:50 43^20v:?0:4,5,6,7,8"], 0]]) {
    for (const draft of drafts) assert.equal(entered(draft).asked("equilibrium").length, plans, draft);
  }
  const { asked } = entered("12 ?1 34-41", "&game=take_that&values=longer");
  assert.deepEqual([asked("equilibrium"), asked("odds")], [[], ["seconds=8"]]);
});

test("the value of every next card is asked for unless there are more than a thousand outcomes", () => {
  const asked = (count) => derived("start=27a40vh17.18.45_13a50vh5.12&mode=look", { look: { over: null, choices: [] }, solve: { outcomes: Array(count).fill({}) } }).asked("completions").length;
  assert.deepEqual([0, 1, 1000, 1001].map(asked), [0, 1, 1, 0]);
});

test("a puzzle keeps the day on which it was opened, also after midnight, and is opened by its position too", () => {
  const opened = (puzzle) => {
    const { view: { state } } = derived({ ...read(`mode=puzzles&puzzle=${puzzle}&start=27a40vh17.18.45_13a50vh5.12`), day: 20_000 }, { puzzle: { number: 7, of: 1000, position: "27^40v:17,18,45 13^50v:5,12" } });
    return [state.puzzle, state.day === 20_000];
  };
  assert.deepEqual([opened("7"), opened("")], [["7", true], ["7", false]]);
});

test("grades are asked for where one looks and plays, and in a puzzle", () => {
  const known = { play: { next: "13^50v:5,12 18^40v:45", points: 0, turn: "17^ 18^", over: null }, look: { over: null, choices: [] }, puzzle: { number: 7, of: 1000, position: "27^40v:17,18,45 13^50v:5,12" } };
  const asked = (mode) => derived(`start=27a40vh17.18.45_13a50vh5.12&turns=17a_18a&puzzle=7&mode=${mode}`, known).asked("grade").length;
  assert.deepEqual(["look", "play", "puzzles", "share", "enter"].map(asked), [1, 1, 1, 0, 0]);
});

test("of a game that is over the odds of every turn before the endgame are asked for, the last one first, up to one of which nothing is known", () => {
  const pile = Array.from({ length: 14 }, (_, place) => place + 20);
  const left = (count) => `13^50v:5,12,9,8 27^40v:17,18,45${count ? `+${pile.slice(0, count)}` : ""}`;
  const counts = { "17a": 13, "18a": 13, "45a": 12, "46a": null };
  const play = (path) => {
    const turn = /turn=(\w+)/.exec(path)[1];
    return { next: counts[turn] === null ? null : left(counts[turn]), points: 0, turn: turn.replace("a", "^"), over: counts[turn] === null ? { winner: "mover" } : null };
  };
  const turns = (odds) => derived(`start=${spelled(left(14))}&turns=17a~18a~45a~46a&mode=play&seats=human~human&cards=own&values=odds`, { play, odds }).asked("odds").map((path) => /turn=(\w+)/.exec(path)[1]);
  assert.deepEqual(turns(null), ["45a", "18a", "17a"]);
  const of = (...unsolved) => ({ worlds: 20, turns: unsolved.map((count) => ({ unsolved: count })) });
  assert.deepEqual([turns(of(20, 19)), turns(of(20, 20))], [["45a", "18a", "17a"], ["45a"]]);
});

test("after the turn that ends a round the table is what it left, whoever laid it", () => {
  const left = (start, turns) => {
    const play = (path) => (/turn=53/.test(path) ? { next: "15,43 21 51-62", points: 2, turn: "53x35" } : { next: null, points: -2, turn: "take", over: { winner: null } });
    const { seats, line, mover } = derived(`game=take_that&start=${start}&turns=${turns}`, { play, look: { over: null, choices: [] } }).view.table;
    return [seats.map((side) => side.hand), line, mover];
  };
  assert.deepEqual([left("15.43_21_51-62", "take"), left("21.53_15.43_51-62-35", "53x35~take")], [[[[15, 43], [21]], [], null], [[[21], [15, 43]], [], null]]);
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

test("a part of the filter is added by a click and taken away by the next; the end is that of the seat that is to move", () => {
  const [went, start] = [[], "27^40v:17,18,45 13^50v:5,12"];
  const outcomes = [{ turn: "17^ 18^", value: 1, ways: 1 }, { turn: "45^ 17v", value: 1, ways: 1 }];
  const [why, ending] = [{ value: { before: 1, after: 1, optimal: true, verdict: "best" } }, { value: { over: { winner: "mover" }, choices: [{ card: 5, problem: "no", rule: "F5" }] } }];
  const drawn = (only, shownWhy) => {
    const state = { game: FACE, mode: "look", start, only, list: "all", laid: "", why: shownWhy, n: 0, turns: [], values: "on" };
    const view = { state, table: tableOf(FACE, start, 0), position: start, over: null, answer: { value: { outcomes } }, steps: [{ position: start }], completions: null, why, ending };
    return drawOutcomes({ state, view, ui: { more: {} }, go: (change) => went.push(change.only) });
  };
  for (const only of [["17"], ["17", "45"]]) found(drawn(only, ""), "only-45").data.on.click();
  assert.deepEqual(went, [["17", "45"], ["17"]]);
  assert.ok(JSON.stringify(drawn([], "17^ 18^"), (_, one) => (one?.fn ? one.fn(...one.args) : one)).includes(WORDS.in_the_end[1]));
});

test("the list of outcomes is open where one asks for it, and where the cards show no values; it has a filter unless there is one outcome", () => {
  const drawn = (change, count = 2) => {
    const state = { ...begin(FACE, "27^40v:17,18,45 13^50v:5,12"), ...change };
    const outcomes = Array.from({ length: count }, (_, place) => ({ turn: `${place}^`, outcome: "win", remoteness: 1, ways: 1 }));
    const view = { state, table: tableOf(FACE, state.start), position: state.start, over: null, answer: { value: { outcomes } }, completions: null, why: null, ending: null };
    return drawOutcomes({ state, view, ui: { more: {} } });
  };
  const isOpen = (change, count) => found(drawn(change, count), "list").data.attrs["aria-expanded"];
  assert.deepEqual([{}, { list: "all" }, { why: "1^" }, { only: ["17"] }].map((change) => isOpen(change)), ["false", "true", "true", "true"]);
  assert.deepEqual([isOpen({}, 1000), isOpen({}, 1001)], ["false", "true"]);
  assert.deepEqual([1, 2].map((count) => Boolean(found(drawn({ list: "all" }, count), "only-17"))), [false, true]);
});

/** The element of a key, in what is drawn. */
function found(node, key) {
  if (node?.data?.fn) return found(node.data.fn(...node.data.args), key);
  if (node?.key === key) return node;
  for (const one of node?.children || []) {
    const inside = found(one, key);
    if (inside) return inside;
  }
  return null;
}

test("turns that are not known are told as what is missing, or not at all", () => {
  assert.deepEqual([drawOthers({ view: { others: null } }), drawOthers({ view: {} })], [null, undefined]);
  assert.ok(drawOthers({ view: { others: { state: "failed", problem: { detail: "lost" } } } }).sel);
});
