// What can be done besides laying: ending the turn, taking, and going back and forth. What was refused is said here, so that no card moves.

import { paths } from "./api.js";
import { button, make } from "./dom.js";
import { isLive, layChoice } from "./laying.js";
import { FACE } from "./notation.js";
import { ruleTag } from "./parts.js";
import { step, turnPlayed } from "./play.js";
import { turnElement } from "./turnview.js";
import { isHidden } from "./view.js";
import { said, WORDS } from "./words.js";

/** @param {import("./main.js").Page} page */
export function bar(page) {
  const { state, view } = page;
  const live = isLive(page);
  const taking = view.look?.choices.find((choice) => choice.place === "take");
  const ends = state.game === FACE
    ? { text: WORDS.end_turn, problem: live ? view.look.problem : "", rule: view.look?.rule, act: () => turnPlayed(page, state.laid) }
    : { text: WORDS.take_line, problem: taking ? taking.problem : WORDS.lay_first, rule: taking?.rule, act: () => layChoice(page, taking) };
  const back = () => page.go({ laid: state.game === FACE ? state.laid.split(" ").slice(0, -1).join(" ") : "" });
  const best = async () => {
    const found = await page.fetch(paths.best(state.game, view.position));
    if (found?.best && page.state === state) turnPlayed(page, found.best);
    else if (found) page.tell(WORDS.not_solved);
  };
  const offersBest = ["look", "play"].includes(state.mode) && !isHidden(view);
  return make(
    "div", { class: "bar", key: "bar" },
    told(page, live),
    make("div", { class: "buttons" },
      able(page, ends.text, live && !ends.problem, ends.act, ends, { class: state.game === FACE ? "main" : "", data: { key: "end-turn" } }),
      able(page, WORDS.take_back, Boolean(state.laid), back, {}, { data: { key: "take-back" } }),
      offersBest && able(page, WORDS.best, live, best, {}, { data: { key: "best" } }),
      make("span", { class: "steps", role: "group", "aria-label": WORDS.back_and_forth },
        ...[["first", "Home"], ["undo", "ArrowLeft"], ["redo", "ArrowRight"], ["last", "End"]].map(([name, key], place) =>
          able(page, WORDS.steps[name].sign, place < 2 ? state.n > 0 : state.n < state.turns.length, () => step(page, key), {}, { "aria-label": WORDS.steps[name].words, data: { key: name } })),
      ),
    ),
  );
}

/** What was refused; else what is laid so far. */
function told(page, live) {
  const { state, ui, view } = page;
  if (ui.refusal) {
    const lines = ui.refusal.map(({ problem, rule }) => make("li", {}, `${said(problem)} `, ruleTag(page, rule)));
    return make("ul", { class: "laid refusal", role: "alert" }, lines);
  }
  const more = live && view.look.problem && make("small", {}, ` ${said(view.look.problem)}`); // why the turn cannot end yet
  return make("p", { class: "laid" }, state.laid ? [`${WORDS.laid}: `, turnElement(state.game, state.laid), more] : live ? (ui.card === null ? WORDS.nothing_laid : WORDS.choose_place) : "");
}

/** A button that keeps the focus when it has nothing to do, and then says why.
 *  @param {any} page @param {string} text @param {any} can @param {() => void} act @param {{problem?: string, rule?: string}} refusal @param {object} attributes */
function able(page, text, can, act, { problem, rule }, attributes) {
  const reason = problem ? `${said(problem)}${rule ? `, ${WORDS.rule(rule)}` : ""}` : "";
  const click = () => (can ? act() : reason && page.tell(reason));
  return button(text, click, { ...attributes, title: can ? "" : reason, "aria-disabled": can ? null : "true" });
}
