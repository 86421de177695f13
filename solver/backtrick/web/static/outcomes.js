// All distinct outcomes of a position, grouped by value, best first, with a filter, and why a turn is worth what it is worth.

import { button, make, thunk } from "./dom.js";
import { drawGrid } from "./grid.js";
import { isRight } from "./headline.js";
import { FACE, playsOf, TAKE } from "./notation.js";
import { link, missing, ruleTag } from "./parts.js";
import { turnPlayed } from "./play.js";
import { begin, BETWEEN } from "./state.js";
import { previewing, turnList } from "./turnlist.js";
import { turnElement, valueElement } from "./turnview.js";
import { cardsLeft, COMPLETED, isLarge, showsValues } from "./view.js";
import { gradeWords, said, turnWords, valueWords, WORDS } from "./words.js";

const PLACES = {
  [FACE]: { up: "^", down: "v", "their-up": "^'", "their-down": "v'" },
  [TAKE]: { lay: "line", twist: "twist", take: "take" },
};
const SHOWN = 100; // rows of a value that are shown at once
const SHOWN_IN_ALL = 150;
const SHOWN_AT_LEAST = 10;

/** @param {import("./main.js").Page} page */
export function drawOutcomes(page) {
  const { state, answer, position, over } = page.view;
  if (position !== null && !over && showsValues(page.view) && isLarge(state.game, position)) return make("p", { class: "note" }, WORDS.too_large(cardsLeft(state.game, position)));
  if (!answer) return null;
  if (!answer.value) return answer.state === "failed" ? null : make("p", { class: "note" }, WORDS.loading);
  if (!answer.value.outcomes) return make("p", { class: "note" }, WORDS.not_solved);
  return make("section", { class: "outcomes", key: position, "aria-label": WORDS.all_outcomes, on: previewing(page) }, list(page, answer.value));
}

function list(page, answer) {
  const { state, table } = page.view;
  const { turns } = page.view.completions?.value || {};
  const begun = state.laid && turns ? new Set(turns) : null;
  const found = answer.outcomes.filter((outcome) => fits(state.game, outcome.turn, state.only) && (!begun || begun.has(outcome.turn)));
  const isOpen = state.list || state.why || state.only.length || answer.outcomes.length > COMPLETED;
  const toggle = () => page.go({ list: isOpen ? "" : "all", why: "", only: [] }, { replace: true });
  const count = make("small", {}, ` ${WORDS.outcomes(found.length)}`);
  const title = make("h3", {}, button([begun ? WORDS.begun_outcomes : WORDS.all_outcomes, count], toggle, { class: "fold", "aria-expanded": String(Boolean(isOpen)), data: { key: "list" } }));
  if (!isOpen) return [drawGrid(page), title];
  return [
    drawGrid(page),
    title,
    answer.outcomes.length > 1 && filter(page),
    found.length || !answer.outcomes.length ? byValue(page, found, table.mover, state.n) : make("p", { class: "note" }, WORDS.filter_none),
  ];
}

/** Inside a puzzle that is solved: why its other turns are wrong. @param {import("./main.js").Page} page */
export function drawOthers(page) {
  const { others } = page.view;
  if (!others?.value) return others && missing(page, others);
  const { game } = page.view.state;
  const all = others.value.outcomes || [];
  const wrong = all.filter((one) => !isRight(game, one, all[0]));
  return make("section", { class: "outcomes", key: "others" }, make("h3", {}, WORDS.why_others[game]), byValue(page, wrong, 0, 0));
}

/** Outcomes in groups, after n turns. mover: whose turns they are. */
function byValue(page, outcomes, mover, n) {
  const groups = [];
  for (const outcome of outcomes) {
    const { words } = valueWords(outcome, mover);
    if (groups.at(-1)?.words !== words) groups.push({ words, outcomes: [] });
    groups.at(-1).outcomes.push(outcome);
  }
  let left = SHOWN_IN_ALL;
  return groups.map((group) => {
    const count = page.ui.more[group.words] || Math.min(SHOWN, Math.max(left, SHOWN_AT_LEAST));
    left -= Math.min(count, group.outcomes.length);
    return grouped(page, group, count, mover, n);
  });
}

/** The turns of one value: the first of them, and a button for the others. */
function grouped(page, { words, outcomes }, count, mover, n) {
  const { state, why, ending } = page.view;
  const past = state.turns.slice(0, n).join(BETWEEN); // as a text: rows of the same game are not drawn again
  const rows = outcomes.slice(0, count).map((outcome) => {
    const open = state.why === outcome.turn;
    return thunk("li", outcome.turn, row, [page, state.game, state.start, past, outcome, n, open, open && why, open && ending]);
  });
  const hidden = outcomes.length - rows.length;
  const more = () => page.set({ more: { ...page.ui.more, [words]: outcomes.length } });
  return make("section", { class: "group", key: words },
    make("h4", {}, valueElement(outcomes[0], mover), make("small", {}, ` ${WORDS.outcomes(outcomes.length)}`)),
    make("ol", { class: "rows" }, rows),
    hidden > 0 && button(WORDS.more(hidden), more, { class: "more-rows", data: { key: `more-${words}` } }));
}

function row(page, game, start, past, outcome, n, open, why, ending) {
  const turns = [...past.split(BETWEEN).filter(Boolean), outcome.turn];
  const about = game === FACE ? WORDS.ways(outcome.ways) : outcome.points ? WORDS.points_now(outcome.points) : "";
  const toggle = () => page.go({ why: open ? "" : outcome.turn }, { replace: true });
  return make("li", { key: outcome.turn, class: open ? "open" : "", data: { turn: outcome.turn } }, make("button", {
    type: "button", class: "row", "aria-expanded": String(open), data: { key: `row-${outcome.turn}` }, on: { click: toggle },
  }, turnElement(game, outcome.turn), make("small", {}, about), make("span", { class: "ask", "aria-hidden": "true" }, open ? "\u2212" : WORDS.why)),
  link(page, "\u2192", { ...begin(game, start), turns, n: turns.length }, { class: "after", title: WORDS.after_it, "aria-label": `${WORDS.after_it}: ${turnWords(game, outcome.turn)}`, data: { key: `after-${outcome.turn}` } }),
  open && explained(page, outcome, n, why, ending));
}

/** Why a turn is worth what it is worth: the reply, how the game goes on, and what cannot be laid in the end. */
function explained(page, outcome, n, why, ending) {
  const { state } = page.view;
  const { game } = state;
  const play = n === state.n && button(WORDS.play_this, () => turnPlayed(page, outcome.turn), { class: "main", data: { key: "play-this" } });
  const reasons = why?.value;
  if (!reasons) return make("div", { class: "why" }, why && missing(page, why), play);
  const { kind, sign, words } = gradeWords(reasons);
  const parts = [make("p", {}, make("span", { class: `grade ${kind}` }, `${sign} ${words}`))];
  if (!reasons.reply) parts.push(make("p", {}, WORDS.nothing_after));
  else {
    parts.push(make("p", {}, reasons.optimal ? WORDS.best_reply : WORDS.refutes, " ", turnElement(game, reasons.reply)));
    if (reasons.line?.length > 1) parts.push(make("p", {}, `${WORDS.and_then}:`), turnList(game, reasons.line.slice(1).map((step) => step.turn), n));
  }
  if (ending?.value?.over) parts.push(...stuck(page, ending.value, (n + 1 + (reasons.line?.length || 0)) % 2));
  return make("div", { class: "why" }, parts, play);
}

/** The cards that could not be laid in the end, with the rules. */
function stuck(page, look, seat) {
  const cards = new Map();
  for (const choice of look.choices) cards.set(choice.card, [...(cards.get(choice.card) || []), choice]);
  if (!cards.size) return [make("p", {}, WORDS.it_ends)];
  const items = [...cards].map(([card, choices]) => {
    const reasons = new Map(choices.map((choice) => [choice.problem, choice.rule]));
    return make("li", {}, make("b", {}, String(card)), ": ", [...reasons].map(([problem, rule], place) => [place ? "; " : "", said(problem), " ", ruleTag(page, rule)]));
  });
  return [make("p", {}, WORDS.in_the_end[seat]), make("ul", { class: "stuck-cards" }, items)];
}

/** True if a turn uses all cards and places of the filter. */
export function fits(game, turn, only) {
  if (!only.length) return true;
  const plays = playsOf(game, turn);
  return only.every((name) => plays.some((play) => {
    const place = PLACES[game][name];
    if (place === undefined) return play.card === Number(name);
    return game === FACE ? play.spot === place : place === "twist" ? Boolean(play.twin) : play.spot === place;
  }));
}

function filter(page) {
  const { state, table } = page.view;
  const chip = (name, text) => button(text, () => {
    const only = state.only.includes(name) ? state.only.filter((one) => one !== name) : [...state.only, name];
    page.go({ only }, { replace: true });
  }, { class: "chip", "aria-pressed": String(state.only.includes(name)), data: { key: `only-${name}` } });
  const cards = table.seats[table.mover].hand.map((card) => chip(String(card), String(card)));
  const places = Object.keys(PLACES[state.game]).map((name) => chip(name, WORDS.places[name]));
  const clear = () => page.go({ only: [] }, { replace: true });
  const all = state.only.length ? button(WORDS.filter_clear, clear, { class: "chip clear", data: { key: "only-all" } }) : null;
  const title = make("span", { class: "note", "aria-hidden": "true" }, WORDS.filter);
  return make("div", { class: "filter", role: "group", "aria-label": WORDS.filter }, title, cards, places, all);
}
