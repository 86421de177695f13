// The page as text, for the states below: what it shows of each, and asks, while one answer after another comes. No browser is needed, as
// what is drawn is a tree of plain objects. `scripts/page/record_page.py` writes the answers and what was shown to tests/data.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

process.env.TZ = "UTC";
Date.now = () => Date.UTC(2026, 4, 17, 21, 30);

/** What a browser keeps. */
class Memory extends Map {
  getItem(name) {
    return this.get(name) ?? null;
  }
  setItem(name, value) {
    this.set(name, String(value));
  }
}

globalThis.localStorage = new Memory();
globalThis.location = { href: "http://127.0.0.1:8000/", hostname: "127.0.0.1" };
const STATIC = new URL("../../../solver/backtrick/web/static/", import.meta.url);
const DATA = new URL("../../data/", import.meta.url);
const [{ drawBoard }, { drawEnd, drawPanel }, rare, remembered, { keepSet }, { read }, { derive, titleOf }] = await Promise.all(
  ["board", "late", "rare", "remembered", "standing", "state", "view"].map((name) => import(new URL(`${name}.js`, STATIC))),
);

const F = "start=27a40vh17.18.45_13a50vh5.12";
const T = "game=take_that&start=15.43.44_21.53_51-62-35";
const GAME = `${F}&turns=17a_18a~5v_12ao`;
const ROUND = `${T}&turns=44~53x35~43~take`;

const DEAL = "start=27a40vh17.18.45p9.33.50_13a50vh5.12p4.7&turns=17a_18a~12ao_5v~9ao_33v~4v_7ao";

/** Addresses of states, each with what else there is: what is open on the page, and tries of puzzles. */
export const STATES = [
  [F], [T], [`${F}&list=all`], [`${T}&list=all&only=twist`], [`${F}&laid=17a`], [`${T}&laid=43&list=all`],
  [`${F}&why=17a_45a`], [`${F}&why=17a_18a_45a`], [`${T}&why=take`], [`${T}&why=15`], [`${F}&turns=17a_18a&n=1&why=5v_12ao`],
  [`${F}&only=their-down~45`], [`${GAME}&n=1`], [GAME], [`${ROUND}&n=2`], [ROUND], [`${ROUND}~21`], [`${ROUND}&n=3`],
  [`${GAME}&n=1&mode=play&seats=human~tuned`], [`${GAME}&mode=play&seats=human~tuned&values=off`], [`${F}&mode=play&values=off`],
  [`${GAME}&mode=play&seats=tuned~human&cards=own`], [`${ROUND}&mode=play&seats=human~careful&values=off`],
  [`${F}&mode=play&seats=tuned~human&values=on`], [`${F}&mode=play&seats=perfect~perfect`],
  ["start=27a40vh17.18.45p9.33.50_13a50vh5.12p4.7&mode=play&cards=own&values=odds"],
  ["start=27a40vh17.18.45p9.33.50_13a50vh5.12p4.7&mode=play&cards=own&values=longer&seats=human~tuned&turns=17a_18a"],
  ["start=27a40vh17.18.45p9.33.50_13a50vh5.12p4.7&mode=play&cards=own&values=off"],
  ["start=2a59vh3.4.5.6.7.8p9.10.11.12.13.14.15.16.17.18.19.20.21.22.23.24.25_1a60vh2.3.4.5.6.7p8.9.10.11.12.13.14.15.16.17.18&mode=play&cards=own"],
  ["start=2a59vh3.4.5.6.7.8p9.10.11.12.13.14.15.16.17.18.19.20.21.22.23.24.25_1a60vh2.3.4.5.6.7p8.9.10.11.12.13.14.15.16.17.18"],
  ["game=take_that&start=12.43.94_21.76_34-41-49_55.63&mode=play&cards=own&values=odds"],
  [`${DEAL}&mode=play&cards=own&seats=human~tuned&values=odds`], [`${DEAL}&mode=play&cards=own&seats=human~tuned&values=longer&n=3`],
  [`${DEAL}&mode=play&seats=tuned~human&values=off`], [`${DEAL}&mode=play&seats=human~tuned&n=3`], [`${DEAL}&mode=look&values=odds`],
  ["game=take_that&start=12.43.94_21.76_34-41-49_55.63&turns=43~take~76~take&mode=play&cards=own&seats=human~tuned&values=odds"],
  ["mode=enter&draft==45^17v:18,33,50%2B?9,44,47 43^20v:?2:4,5,9,12"], ["mode=enter&draft==45^17v:50 43^20v:?1:4,5"],
  ["game=take_that&mode=enter&draft==45 ?1 42 ?4 !"], ["mode=enter&draft==27^40v:17,60 13^50v:5"], [`${F}&mode=enter`],
  [""], ["mode=puzzles&puzzle=7"], ["mode=puzzles&puzzle=7&turns=3v_13v", { tries: ["3v 13v"], day: true }], ["game=take_that&mode=puzzles&puzzle=3"], ["mode=puzzles&puzzle=7&turns=3v_13v&values=on", { tries: ["3v 13v"] }],
  ["mode=puzzles&puzzle=7&turns=3v_13v&values=on&why=3v_12ao", { tries: ["3v 12^'", "3v 13v"] }],
  ["mode=puzzles&puzzle=7&turns=3v_12ao", { tries: ["3v 12^'"] }], ["mode=puzzles&puzzle=7&turns=3v_12ao&values=on", { tries: ["a", "b", "3v 12^'"] }],
  ["mode=puzzles&puzzle=7&turns=3v_13v", { tries: ["3v 13v"], set: [7, 8] }], ["mode=puzzles&puzzle=7&turns=3v_13v", { tries: ["a", "b", "3v 12^'"] }], ["mode=puzzles&puzzle=7&turns=3v_12ao&why=3v_12ao&values=on", { tries: ["3v 12^'"] }],
  ["game=take_that&mode=puzzles&puzzle=3&turns=13", { tries: ["13"] }], ["game=take_that&mode=puzzles&puzzle=3&turns=94&why=94&values=on", { tries: ["94", "a", "b"] }],
  ["game=take_that&mode=puzzles&puzzle=3&turns=56&values=on", { tries: ["a", "56"] }],
  ["mode=puzzles&puzzle=0&turns=2v_20ao_59a", { tries: ["2v 20^' 59^"] }], ["start=38a4vh12.22.27.33.37.43_57a24vh14.24.29.38.39.48&why=43a_33a"],
  ["start=57a16vh2.20.52.59_49a26vh10.27.28.38.41&why=2v_20ao_59a"],
  ["start=32a14vh11.26.53_21a41vh2.3.8.12.55"], [`${F}&mode=share`], [`${T}&turns=43&mode=play&seats=human~human`, { preview: "21" }],
];

/** The turns that solve these puzzles. */
const RIGHT = { face_to_face: "3v 13v", take_that: "56" };

/** An element as a line of text, with its attributes if `all`. */
function text(node, all) {
  if (node === null || node === undefined || node === false) return "";
  if (Array.isArray(node)) return node.map((one) => text(one, all)).join("");
  if (typeof node !== "object") return String(node);
  if (node.data?.fn) return text(node.data.fn(...node.data.args), all);
  if (!node.sel) return node.text ?? "";
  const inside = (node.text ?? "") + (node.children || []).map((one) => text(one, all)).join("");
  if (!all) return node.sel === "svg" || node.data?.attrs?.class === "unseen" ? "" : `${inside}${["p", "li", "h2", "h3", "h4", "tr", "div", "button"].includes(node.sel) ? " | " : ""}`;
  const { attrs = {}, props = {}, on = {} } = node.data || {};
  return `<${node.sel} ${JSON.stringify({ ...attrs, ...props })} ${Object.keys(on)}>${inside}</>`;
}

/** A page in a state, without a browser. */
function pageOf(state, view, more) {
  const page = { state, view, pointer: "", lost: null, isAwaited: false, late: { drawEnd }, early: [], scripts: {}, symbols: [] };
  page.ui = { following: false, copied: "", card: null, touched: more.touched ?? null, preview: more.preview || "", refusal: null, note: "", slot: "hand-0", file: null, drafted: {}, before: "look", puzzle: "", level: "", theme: "", more: {}, rules: "", step: 0, early: [] };
  for (const name of ["go", "set", "begin", "say", "tell", "fetch"]) page[name] = () => {};
  page.store = { again() {}, get: () => ({ state: "waiting" }), want() {} };
  page.script = () => rare;
  return page;
}

/** The state of an address, and what this browser remembers: tries of its puzzle, of which the last one may be right, and a set. */
function stateOf(address, { tries = [], set, day }) {
  localStorage.clear();
  const state = { ...read(address), day: day ? remembered.dayOf(Date.now()) : 0 };
  for (const one of tries) remembered.tried(localStorage, state.game, Number(state.puzzle), one, one === RIGHT[state.game], state.day);
  if (set) keepSet(localStorage, { game: state.game, theme: "", numbers: set });
  return state;
}

/** What is shown of a state, and every path that no answer is known for. failed: the place of a question that fails, and whether it may
 *  be asked again. */
function stages(address, extra, answers, missing) {
  const lines = [];
  const state = stateOf(address, extra);
  const known = new Map();
  for (let stage = 0; stage < 40; stage += 1) {
    const asked = (path) => known.get(path) || { state: "waiting" };
    const view = derive(state, asked);
    const fresh = [...new Set(view.wanted.map((one) => one.path))].filter((path) => path && !known.has(path));
    const trees = [titleOf(view), drawBoard(pageOf(view.state, view, extra)), drawPanel(pageOf(view.state, view, extra))];
    const markup = trees.map((tree) => text(tree, true)).join("\n") + JSON.stringify(view.wanted);
    lines.push({ view, markup, trees, fresh, failed: fresh.length ? failing(state, known, fresh[0], extra) : "" });
    for (const path of fresh) if (!(path in answers)) missing.add(path);
    if (!fresh.length) break;
    const answer = answers[fresh[0]];
    if (answer === undefined) break;
    known.set(fresh[0], answer.status ? { state: "failed", path: fresh[0], problem: answer, again: false } : { state: "known", value: answer });
  }
  return lines;
}

/** The page if the next question fails, for good or for now. */
function failing(state, known, path, extra) {
  return [false, true].map((again) => {
    const failed = { state: "failed", path, problem: { detail: "it failed" }, again };
    const view = derive(state, (one) => known.get(one) || (one === path ? failed : { state: "waiting" }));
    return `${view.ready} ${text([drawBoard(pageOf(view.state, view, extra)), drawPanel(pageOf(view.state, view, extra))], true)}`;
  }).join("");
}

const digest = (words) => createHash("sha256").update(words).digest("hex").slice(0, 10);

/** All states as text, and the paths without an answer. */
export function shown(answers = JSON.parse(readFileSync(new URL("page_answers.json", DATA), "utf-8"))) {
  const missing = new Set();
  const told = STATES.map(([address, extra = {}]) => {
    const lines = stages(address, extra, answers, missing);
    const [title, board, panel] = lines.at(-1).trees;
    remembered.noteTry(lines.at(-1).view);
    const words = (tree) => text(tree, false).replace(/\s+/g, " ").replace(/( \|)+/g, " |").trim();
    return [`# ${address || "nothing"} ${JSON.stringify(extra)}`, title, words(board), words(panel), lines.map((one) => digest(one.markup + one.failed)).join(" "), JSON.stringify([...localStorage]), ""].join("\n");
  });
  return { told: told.join("\n"), missing: [...missing] };
}

if (process.argv[2] === "--record") process.stdout.write(JSON.stringify(shown(JSON.parse(readFileSync(0, "utf-8")))));
