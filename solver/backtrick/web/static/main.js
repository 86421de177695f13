// The page: the state, what follows from it, and who draws it. Each part of the page is a module that gets `page` and gives elements.

import { api, Refused } from "./api.js";
import { derive } from "./derive.js";
import { fill } from "./dom.js";
import { drawDraft } from "./enter.js";
import { drawHead } from "./head.js";
import { drawPanel } from "./panel.js";
import { spelled } from "./notation.js";
import { begin, read, write } from "./state.js";
import { drawBoard } from "./board.js";
import { goOnPlaying } from "./play.js";
import { WORDS } from "./words.js";

const KEPT = 1000;
const LONGEST_CLICK = 500; // milliseconds
const SOON = 30;
const asked = new Map();
let pressed = -Infinity; // when a button went down, as long as it is down
const at = (id) => document.getElementById(id);

export const page = {
  state: read(location.hash),
  view: null,
  problem: null,
  // What is not in the address: the card in hand, the turn under the pointer, what was refused where, the place that is entered.
  ui: { card: null, preview: "", refusal: null, slot: "hand-0", file: null, before: "look" },

  /** Goes to another state. replace: the step back leads to the state before the present one. */
  async go(change, { replace = false, say = "" } = {}) {
    if (change.mode === "share" && this.state.mode !== "enter" && this.state.mode !== "share") this.ui.before = this.state.mode;
    this.state = { ...this.state, ...change };
    this.ui = { ...this.ui, card: null, preview: "", refusal: null };
    const address = write(this.state);
    if (address !== location.hash) history[replace ? "replaceState" : "pushState"](null, "", address);
    await this.refresh();
    if (say) this.say(say);
  },

  /** Works out what follows from the state, and draws it, unless the state has changed meanwhile. */
  async refresh() {
    const state = this.state;
    const entered = state.mode === "enter";
    let view = null;
    let problem = null;
    try {
      view = await derive(state);
    } catch (error) {
      problem = problemOf(error);
    }
    if (this.state !== state) return;
    Object.assign(this, { view, problem });
    if (view) this.state = view.state;
    this.draw();
    if (view && !entered) goOnPlaying(this);
  },

  /** What the server says to a question: `value`, or `problem`, or nothing yet. The panel is drawn again when it has come. */
  ask(key, question) {
    if (asked.has(key)) return asked.get(key);
    const entry = {};
    if (asked.size > KEPT) asked.clear();
    asked.set(key, entry);
    question()
      .then((value) => (entry.value = value), (error) => (entry.problem = problemOf(error)))
      .finally(() => this.later());
    return entry;
  },

  /** Draws soon, once for all that comes until then. */
  later() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => (this.state.mode === "enter" ? this.draw() : this.drawPanel()));
  },

  /** True while a button is held down: what is drawn anew then would never get the click. All is drawn a little later. */
  waits() {
    if (performance.now() - pressed > LONGEST_CLICK) return false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.draw(), SOON);
    return true;
  },

  draw() {
    if (this.waits()) return;
    document.documentElement.dataset.game = this.state.game;
    document.title = `${WORDS.games[this.state.game]} \u00b7 ${WORDS.modes[this.state.mode]} \u00b7 ${WORDS.name}`;
    fill(at("head"), drawHead(this));
    this.drawTable();
    this.drawPanel();
  },

  drawTable() {
    if (this.waits()) return;
    at("table").dataset.position = this.view?.position ? spelled(this.view.position) : "";
    fill(at("table"), this.state.mode === "enter" ? drawDraft(this) : drawBoard(this), [".live .card:not(.stuck)", '[data-key="end-turn"]', ".card"]);
  },

  drawPanel() {
    if (this.waits()) return;
    fill(at("panel"), drawPanel(this));
  },

  /** Shows a turn on the table as long as it is under the pointer. */
  preview(turn) {
    if (this.ui.preview === turn) return;
    this.ui.preview = turn;
    this.drawTable();
  },

  /** Says something to those who hear the page. */
  say(words) {
    at("status").textContent = "";
    requestAnimationFrame(() => (at("status").textContent = words));
  },

  /** Says something to everybody. */
  tell(words) {
    const note = at("note");
    if (note) note.textContent = words;
    this.say(words);
  },

  /** Begins with another position. */
  begin(start, change = {}) {
    return this.go({ ...begin(this.state.game, start), mode: this.state.mode, ...change });
  },
};

function problemOf(error) {
  if (error instanceof Refused) return error.problem;
  throw error;
}

async function symbols() {
  const drawn = new DOMParser().parseFromString(await api.symbols(), "image/svg+xml");
  at("symbols").append(document.importNode(drawn.documentElement, true));
}

at("skip").textContent = WORDS.skip;
document.addEventListener("pointerdown", () => (pressed = performance.now()), { capture: true });
for (const event of ["pointerup", "pointercancel"]) document.addEventListener(event, () => (pressed = -Infinity), { capture: true });
window.addEventListener("popstate", () => {
  page.state = read(location.hash);
  page.ui = { ...page.ui, card: null, preview: "", refusal: null };
  page.refresh();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && (page.ui.card !== null || page.ui.refusal)) {
    Object.assign(page.ui, { card: null, refusal: null });
    page.drawTable();
  }
});
window.addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof Refused)) return;
  event.preventDefault(); // what the server refuses is said, and is no fault of the page
  page.tell(event.reason.message);
});
symbols().then(() => page.refresh(), (error) => page.say(error.message));
