// Small parts of the page that several others show.

import { addressOf } from "./ask.js";
import { button, make } from "./dom.js";
import { refused, WORDS } from "./words.js";

/** Asks for all rules, and not for one by its number. */
export const ALL = "all";

/** Asks for the keys. */
export const KEYS = "keys";

/** The name of a rule; a click opens its sentence. @param {import("./main.js").Page} page @param {string} rule */
export function ruleTag(page, rule) {
  if (!rule) return null;
  const open = (event) => {
    event.stopPropagation();
    page.set({ rules: rule });
  };
  return button(WORDS.rule(rule), open, { class: "rule", "aria-haspopup": "dialog" });
}

/** A link to another state. A click goes there in this window. @param {import("./main.js").Page} page @param {any} content
 *  @param {import("./state.js").State} state @param {object} attributes */
export function link(page, content, state, attributes) {
  const go = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    page.go(state);
  };
  return make("a", { href: addressOf(state), ...attributes, on: { click: go } }, content);
}

/** What the server refuses, or that it does not answer; then one can ask again.
 *  @param {import("./main.js").Page} page @param {import("./store.js").Entry} entry */
export function failure(page, { path, problem, again }) {
  const more = again
    ? button(WORDS.ask_again, () => page.store.again(path), { class: "main", data: { key: "ask-again" } })
    : button(WORDS.modes.enter, () => page.go({ mode: "enter", draft: page.state.start }), { class: "main", data: { key: "set-up" } });
  return make("div", { class: "problem", role: "alert", key: "problem" }, make("p", {}, refused(problem)), more);
}

/** An answer that is not there, in a line: it is waited for, or one can ask again. */
export function missing(page, entry) {
  if (entry.state !== "failed") return make("p", { class: "note" }, WORDS.loading);
  const again = entry.again && button(WORDS.ask_again, () => page.store.again(entry.path), { data: { key: `again-${entry.path}` } });
  return make("p", { class: "note failed", role: "alert" }, refused(entry.problem), " ", again);
}
