// The page goes round in one direction: a state and the answers known of it make a view (view.js), the view is drawn, and what is done
// on it makes the next state. Whenever state or answers change, a new view is made, and the store learns what it wants.

import { paths } from "./api.js";
import { addressOf, fetchAnswer } from "./ask.js";
import { catchUp, drawBoard, putBack, roveAll } from "./board.js";
import { button, make, patch } from "./dom.js";
import { drawHead } from "./head.js";
import { isLive } from "./laying.js";
import { moving } from "./motion.js";
import { spelled } from "./notation.js";
import { announce, goOnPlaying, keyed } from "./play.js";
import { noteTry } from "./remembered.js";
import { begin, isState, namesOther, read } from "./state.js";
import { Failed, Store } from "./store.js";
import { putSymbols } from "./table.js";
import { derive, seatOf, titleOf } from "./view.js";
import { choose, LANGUAGE, LANGUAGES, refused, WORDS } from "./words.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./view.js").View} View */
/** What is not in the address: the card in hand, the number that is touched, the turn that is previewed, what was refused, a message,
 *  the place that is entered, clicks that came too early.
 *  @typedef {{
 *   following: boolean, copied: string, card: number | null, touched: number | null, preview: string, refusal: any[] | null, note: string, slot: string,
 *   file: any, drafted: Record<string, string>, before: string, puzzle: string, level: string, theme: string, more: Record<string, number>, rules: string, step: number,
 *   early: {key: string, detail: number}[],
 * }} Ui
 */

const at = (id) => document.getElementById(id);
const NOTHING = Object.freeze({ following: false, copied: "", card: null, preview: "", refusal: null, note: "", more: {}, early: [] });
const HEARD = 5; // sentences that are kept for those who hear the page
const RETRY = 3000; // milliseconds until a script that was lost is asked for again
const ROOTS = ["head", "table", "panel"];

export class Page {
  constructor() {
    const icon = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
    icon.href = icon.href; // absolute: the path of the page changes with the position
    /** @type {State} */
    this.state = read(location.hash, location.pathname);
    /** @type {View} */
    this.view = null;
    /** @type {Ui} */
    this.ui = { ...NOTHING, touched: null, slot: "hand-0", file: null, drafted: {}, before: "look", puzzle: "", level: "", theme: "", rules: "", step: 0 };
    this.symbols = [];
    this.store = new Store(fetchAnswer, () => this.changed());
    for (const [path, value] of Object.entries(JSON.parse(at("known").textContent || "{}"))) this.store.put(path, value); // it came with the page
    /** Scripts that came after the first, by name. @type {Record<string, any>} */
    this.scripts = {};
    this.drawn = Object.fromEntries(ROOTS.map((id) => [id, patch(at(id), make(at(id).tagName.toLowerCase(), { key: id, id }))]));
    this.lies = "";
    this.unsaid = ""; // until what it says is on the table
    /** An answer that did not come: the view before stays. @type {import("./store.js").Entry | null} */
    this.lost = null;
    this.isAdrift = false; // what had the focus is gone, and what gets it is not there yet
    this.isLate = false;
    this.isAwaited = false; // another player has laid, and one may lay as soon as it is known what
    this.timer = 0;
    this.pointer = "";
  }

  /** Goes to another state. replace: the step back leads to the state before the present one.
   *  @param {Partial<State>} change @param {{replace?: boolean, say?: string, note?: string, following?: boolean}} [how] */
  go(change, { replace = false, say = "", note = "", following = false } = {}) {
    if (this.state.puzzle) this.ui.puzzle = change.game && change.game !== this.state.game ? "" : this.state.puzzle;
    if (change.mode === "share" && !["enter", "share"].includes(this.state.mode)) this.ui.before = this.state.mode;
    this.state = { ...this.state, ...change };
    this.ui = { ...this.ui, ...NOTHING, note, following };
    const address = new URL(addressOf(this.state), location.href).href;
    if (address !== location.href) history[replace ? "replaceState" : "pushState"](null, "", address);
    this.unsaid = say;
    this.changed();
  }

  /** Begins with another position. @param {string} start @param {Partial<State>} [change] */
  begin(start, change = {}) {
    this.go({ ...begin(this.state.game, start), mode: this.state.mode, ...change });
  }

  /** Makes a new view after the state or the answers have changed. Until it is known, the view before stays. */
  changed() {
    const view = derive(this.state, (path) => this.store.get(path));
    this.store.want(view.wanted);
    this.showSymbols();
    const before = this.view;
    if (view.ready) this.state = view.state;
    const lost = view.failed?.again && before?.ready ? view.failed : null;
    if (view.ready || lost) this.lost = lost;
    if (view.ready || (view.failed && !lost) || !before) this.view = view;
    noteTry(view);
    document.body.toggleAttribute("data-waiting", !view.ready && (!view.failed || Boolean(lost)));
    this.draw();
    if (!view.ready) return;
    if (this.unsaid) this.say(this.unsaid);
    this.unsaid = "";
    announce(this, before);
    this.comeBack(before);
    goOnPlaying(this);
    catchUp(this);
  }

  /** After the turn of another player the focus leaves a button that can do nothing, and is in the hand. @param {View | null} before */
  comeBack(before) {
    if (before && before.state.n !== this.state.n) this.isAwaited = before.state.n < this.state.n && seatOf(before) !== "human";
    if (!this.isAwaited || !isLive(this) || !this.view.look.choices.length) return;
    this.isAwaited = false;
    if (document.activeElement?.matches('.bar [aria-disabled="true"]')) refocus(at("table"));
  }

  /** What is seen but not in the address has changed. @param {Partial<Ui>} change */
  set(change) {
    Object.assign(this.ui, change);
    this.draw();
  }

  draw() {
    const { state } = this.view;
    document.documentElement.dataset.game = state.game;
    document.documentElement.dataset.mode = state.mode;
    document.title = titleOf(this.view);
    const draw = () => {
      this.put("head", make("header", { key: "head", id: "head" }, drawHead(this)));
      this.put("table", make("section", { key: "table", id: "table", tabindex: -1, "aria-label": WORDS.table, data: { position: this.view.position ? spelled(this.view.position) : "" } },
        state.mode === "enter" ? this.script("rare.js")?.drawDraft(this) : drawBoard(this), this.ui.rules && this.script("rare.js")?.drawRules(this)));
    };
    const before = this.lies;
    this.lies = [state.game, state.mode, this.view.position, state.laid, this.ui.rules, this.ui.step].join(" ");
    if (this.lies === before) draw();
    else moving(draw);
    if (this.lies === before || !before) return this.isLate || this.drawPanel();
    if (this.isLate) return;
    this.isLate = true; // cards that were laid are seen first, and a long list after them
    requestAnimationFrame(() => setTimeout(() => this.drawPanel()));
  }

  drawPanel() {
    this.isLate = false;
    this.put("panel", make("section", { key: "panel", id: "panel", tabindex: -1, "aria-label": WORDS.modes[this.view.state.mode] }, this.late?.drawPanel(this)));
  }

  /** The parts that come after the table. @returns {typeof import("./late.js") | null} */
  get late() {
    return this.scripts["late.js"];
  }

  /** What a script exports, once it has been asked for and has come; nothing before late.js, which has its words. @param {string} name */
  script(name) {
    if (!(name in this.scripts)) this.fetchScript(name);
    return this.late && this.scripts[name];
  }

  /** @param {string} name @param {number} [tries] */
  async fetchScript(name, tries = 0) {
    this.scripts[name] = null;
    try {
      this.scripts[name] = await import(tries ? `./${name}?${tries}` : `./${name}`); // a browser may remember that an address has failed
    } catch {
      setTimeout(() => this.fetchScript(name, tries + 1), RETRY);
      return;
    }
    this.draw();
  }

  /** Draws a part of the page. If the element is gone that had the focus, the focus stays near it: with the hand, as soon as one
   *  knows what may be laid. @param {string} id @param {any} tree */
  put(id, tree) {
    const held = /** @type {HTMLElement} */ (document.activeElement?.closest(`#${id}`));
    this.drawn[id] = patch(this.drawn[id], tree);
    if (id === "table") roveAll(at(id));
    if (!held || !(document.activeElement === document.body || (this.isAdrift && document.activeElement === held))) return;
    const isSettled = this.view.over || (isLive(this) && this.view.look.choices.length);
    this.isAdrift = id === "table" && this.state.mode !== "enter" && !isSettled;
    if (this.isAdrift) held.focus({ preventScroll: true });
    else refocus(held);
  }

  /** The pictures of the cards come once, and stay in the document. */
  showSymbols() {
    const { value } = this.store.get(paths.symbols());
    if (!value || this.symbols.length) return;
    this.symbols = putSymbols(at("symbols"), value);
  }

  /** Says something to those who hear the page. @param {string} words */
  say(words) {
    const said = document.createElement("p");
    said.textContent = words;
    at("status").append(said);
    if (at("status").children.length > HEARD) at("status").firstChild.remove();
  }

  /** Says something to everybody. @param {string} words */
  tell(words) {
    this.set({ note: words });
    this.say(words);
  }

  /** Says so if the address names a game that is not here. */
  greet() {
    if (namesOther(location.hash)) this.tell(WORDS.other_game);
  }

  /** The answer to a question that is asked by a click, such as another deal. Refusals are shown. @param {string} path */
  async fetch(path) {
    try {
      return await fetchAnswer(path);
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      this.tell(refused(error.problem));
      return null;
    }
  }
}

/** Focuses what comes next in a part of the page. @param {Element} part */
function refocus(part) {
  const next = [".live .card:not(.stuck)", '[data-key="end-turn"]', ".card"].map((selector) => part.querySelector(selector)).find(Boolean);
  /** @type {HTMLElement} */ (next || part).focus({ preventScroll: true });
}

document.documentElement.lang = LANGUAGE;
const languages = Object.entries(LANGUAGES).map(([language, name]) => button(name, () => choose(language), {
  class: "link", lang: language, "aria-pressed": String(language === LANGUAGE), data: { key: `language-${language}` },
}));
patch(at("foot"), make("footer", { id: "foot", "aria-label": WORDS.language }, languages));
const page = new Page();
at("skip").textContent = WORDS.skip;
at("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address holds the position
  at("table").focus();
});
window.addEventListener("popstate", () => {
  if (!isState(location.hash)) return;
  page.state = read(location.hash, location.pathname);
  Object.assign(page.ui, NOTHING);
  page.changed();
  page.greet();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") putBack(page);
  else keyed(page, event);
});
page.changed();
page.greet();
page.script("late.js");
