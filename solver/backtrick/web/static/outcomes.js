// All distinct outcomes of a position, grouped by value, best first, with a filter, and why a turn is worth what it is worth.

import { api } from "./api.js";
import { button, make } from "./dom.js";
import { FACE, playsOf, TAKE } from "./notation.js";
import { answerOf, turnList } from "./panel.js";
import { turnPlayed } from "./play.js";
import { turnElement, valueElement } from "./turnview.js";
import { gradeWords, valueWords, WORDS } from "./words.js";

const PLACES = {
  [FACE]: { up: "^", down: "v", "their-up": "^'", "their-down": "v'" },
  [TAKE]: { lay: "line", twist: "twist", take: "take" },
};

let kept = { key: "", element: null }; // hundreds of rows are made once, not whenever something else changes

export function drawOutcomes(page) {
  const { state, view } = page;
  if (view.over || view.position === null) return null;
  const { value: answer, problem } = answerOf(page);
  if (problem) return null;
  if (!answer) return make("p", { class: "note" }, WORDS.loading);
  if (!answer.outcomes) return make("p", { class: "note" }, WORDS.not_solved);
  const reasons = state.why ? page.ask(whyKey(state, view), () => api.why(state.game, view.position, state.why)) : {};
  const ending = reasons.value ? endOf(page, reasons.value) : null;
  const key = JSON.stringify([state.game, view.position, state.n, state.only, state.why, Boolean(reasons.value), Boolean(ending)]);
  if (kept.key !== key) kept = { key, element: outcomes(page, answer, reasons.value, ending) };
  return kept.element;
}

const whyKey = (state, view) => `why ${state.game} ${view.position} ${state.why}`;

/** What stands on the table when the best line of a turn has ended, and why nothing more can be laid; null as long as it is asked. */
function endOf(page, reasons) {
  const last = reasons.line?.length ? reasons.line.at(-1).position : reasons.next;
  if (!last) return {};
  const { game } = page.state;
  return page.ask(`look ${game} ${last}`, () => api.look(game, last)).value || null;
}

function outcomes(page, answer, reasons, ending) {
  const { game, only } = page.state;
  const found = answer.outcomes.filter((outcome) => fits(game, outcome.turn, only));
  const groups = [];
  for (const outcome of found) {
    const { words } = valueWords(outcome);
    if (groups.at(-1)?.words !== words) groups.push({ words, outcomes: [] });
    groups.at(-1).outcomes.push(outcome);
  }
  const lists = groups.map((group) => make(
    "section", { class: "group" },
    make("h4", {}, valueElement(group.outcomes[0]), make("small", {}, ` ${WORDS.outcomes(group.outcomes.length)}`)),
    make("ol", { class: "rows" }, group.outcomes.map((outcome) => row(page, outcome, reasons, ending))),
  ));
  const listeners = {
    mouseover: (event) => page.preview(event.target.closest("[data-turn]")?.dataset.turn || ""),
    mouseleave: () => page.preview(""),
    focusin: (event) => page.preview(event.target.closest("[data-turn]")?.dataset.turn || ""),
    focusout: () => page.preview(""),
  };
  return make(
    "section", { class: "outcomes", "aria-label": WORDS.all_outcomes, on: listeners },
    make("h3", {}, WORDS.all_outcomes, make("small", {}, ` ${WORDS.outcomes(found.length)}`)),
    answer.outcomes.length > 1 && filter(page),
    answer.outcomes.length ? null : make("p", { class: "note" }, WORDS.no_turns),
    found.length || !answer.outcomes.length ? lists : make("p", { class: "note" }, WORDS.filter_none),
  );
}

function row(page, outcome, reasons, ending) {
  const { game, why } = page.state;
  const open = why === outcome.turn;
  const about = game === FACE ? WORDS.ways(outcome.ways) : outcome.points ? WORDS.points_now(outcome.points) : "";
  const toggle = () => page.go({ why: open ? "" : outcome.turn }, { replace: true });
  const button_ = make("button", {
    type: "button", class: "row", "aria-expanded": String(open), data: { key: `row-${outcome.turn}` }, on: { click: toggle },
  }, turnElement(game, outcome.turn), make("small", {}, about), make("span", { class: "ask", "aria-hidden": "true" }, open ? "\u2212" : WORDS.why));
  return make("li", { class: open ? "open" : "", data: { turn: outcome.turn } }, button_, open && explained(page, outcome, reasons, ending));
}

/** Why a turn is worth what it is worth: the reply, how the game goes on, and what cannot be laid in the end. */
function explained(page, outcome, reasons, ending) {
  const { game, n } = page.state;
  const play = button(WORDS.play_this, () => turnPlayed(page, outcome.turn), { class: "main", data: { key: "play-this" } });
  if (!reasons) return make("div", { class: "why" }, make("p", { class: "note" }, WORDS.loading), play);
  const { kind, sign, words } = gradeWords(reasons);
  const parts = [make("p", {}, make("span", { class: `grade ${kind}` }, `${sign} ${words}`))];
  if (!reasons.reply) parts.push(make("p", {}, WORDS.nothing_after));
  else {
    parts.push(make("p", {}, reasons.optimal ? WORDS.best_reply : WORDS.refutes, " ", turnElement(game, reasons.reply), "."));
    if (reasons.line?.length > 1) parts.push(make("p", {}, `${WORDS.and_then}:`), turnList(game, reasons.line.slice(1).map((step) => step.turn), n));
  }
  if (ending?.over) parts.push(...stuck(ending, (n + 1 + (reasons.line?.length || 0)) % 2));
  return make("div", { class: "why" }, parts, play);
}

/** The cards that could not be laid in the end, with the rules. */
function stuck(look, seat) {
  const cards = Map.groupBy ? Map.groupBy(look.choices, (choice) => choice.card) : grouped(look.choices);
  if (!cards.size) return [make("p", {}, WORDS.it_ends)];
  const items = [...cards].map(([card, choices]) => {
    const reasons = new Map(choices.map((choice) => [choice.problem, choice.rule]));
    return make("li", {}, make("b", {}, String(card)), ": ", [...reasons].map(([problem, rule], place) =>
      [place ? "; " : "", problem.replace(new RegExp(`^${card} is `), ""), " ", make("span", { class: "rule" }, WORDS.rule(rule))]).flat());
  });
  return [make("p", {}, WORDS.in_the_end[seat]), make("ul", { class: "stuck-cards" }, items)];
}

function grouped(choices) {
  const cards = new Map();
  for (const choice of choices) cards.set(choice.card, [...(cards.get(choice.card) || []), choice]);
  return cards;
}

/** True if a turn uses all cards and places of the filter. */
function fits(game, turn, only) {
  if (!only.length) return true;
  const plays = playsOf(game, turn);
  return only.every((name) => plays.some((play) => {
    const place = PLACES[game][name];
    if (place === undefined) return play.card === Number(name);
    return game === FACE ? play.spot === place : place === "twist" ? Boolean(play.twin) : play.spot === place;
  }));
}

function filter(page) {
  const { state, view } = page;
  const chip = (name, text) => button(text, () => {
    const only = state.only.includes(name) ? state.only.filter((one) => one !== name) : [...state.only, name];
    page.go({ only }, { replace: true });
  }, { class: "chip", "aria-pressed": String(state.only.includes(name)), data: { key: `only-${name}` } });
  const cards = view.table.seats[view.table.mover].hand.map((card) => chip(String(card), String(card)));
  const places = Object.keys(PLACES[state.game]).map((name) => chip(name, WORDS.places[name]));
  const clear = () => page.go({ only: [] }, { replace: true });
  const all = state.only.length ? button(WORDS.filter_clear, clear, { class: "chip clear", data: { key: "only-all" } }) : null;
  const title = make("span", { class: "note", "aria-hidden": "true" }, WORDS.filter);
  return make("div", { class: "filter", role: "group", "aria-label": WORDS.filter }, title, cards, places, all);
}
