// The rules: in a minute, step by step, what the signs mean, and every rule by its number.

import { button, make } from "./dom.js";
import { FACE, lay, playsOf, tableOf } from "./notation.js";
import { KEYS } from "./parts.js";
import { STEPS } from "./rulebook.js";
import { drawTable, plainLook, zoneOf } from "./table.js";
import { WORDS } from "./words.js";

/** The rules as a dialog, with one rule marked if it was asked for; nothing until it is asked for.
 *  @param {import("./main.js").Page} page */
export function drawRules(page) {
  const { rules, step } = page.ui;
  if (!rules) return null;
  const { game } = page.view.state;
  const close = () => page.set({ rules: "", step: 0 });
  const shown = WORDS.rules_by_number[rules] ? [rules] : rules.split(", ").filter((rule) => WORDS.rules_by_number[rule]);
  return make("dialog", {
    key: "rules", id: "rules", "aria-labelledby": "rules-title", on: { close, click: (event) => event.target.id === "rules" && event.target.close() },
    hook: { insert: ({ elm }) => elm.showModal() },
  },
  make("header", {}, make("h2", { id: "rules-title" }, rules === KEYS ? WORDS.keys : WORDS.rules_of(WORDS.games[game])),
    button(WORDS.close, (event) => event.target.closest("dialog").close(), { data: { key: "close-rules" } })),
  rules === KEYS ? signs(WORDS.keys_of) : [shown.map((rule) => make("p", { class: "asked", key: `asked-${rule}` }, make("b", {}, `${WORDS.rule(rule)}: `), WORDS.rules_by_number[rule])),
  minute(page, game, step),
  make("h3", {}, WORDS.signs), signs(WORDS.signs_of[game]),
  make("h3", {}, WORDS.every_rule), signs(Object.entries(WORDS.rules_by_number).filter(([rule]) => rule.startsWith(game === FACE ? "F" : "T"))),
  make("h3", {}, WORDS.keys), signs(WORDS.keys_of)]);
}

const signs = (list) => make("dl", { class: "signs" }, list.flatMap(([sign, words]) => [make("dt", {}, sign), make("dd", {}, words)]));

/** The rules in a minute: a table, and what may be done on it. */
function minute(page, game, place) {
  const { start, steps } = STEPS[game];
  const { turn } = steps[place];
  const words = WORDS.steps_of_rules[game][place];
  const plays = playsOf(game, turn);
  const before = tableOf(game, start);
  const table = plays.reduce(lay, before);
  const laid = (zone, number) => plays.some((play) => play.card === number && zoneOf(game, 0, play.spot) === zone);
  const look = plainLook((zone, number) => ({ class: laid(zone, number) ? "fresh" : "" }));
  const to = (next) => () => page.set({ step: next });
  return make("section", { key: "minute" },
    make("p", { role: "status", class: "caption" }, `${place + 1}. ${words}`),
    make("p", { class: "buttons" },
      button(WORDS.previous, to(Math.max(place - 1, 0)), { "aria-disabled": place ? null : "true", data: { key: "step-back" } }),
      button(WORDS.next, to(Math.min(place + 1, steps.length - 1)), { class: "main", "aria-disabled": place < steps.length - 1 ? null : "true", data: { key: "step-on" } })),
    make("div", { class: "board", inert: true, "aria-hidden": "true" }, drawTable(table, look)));
}
