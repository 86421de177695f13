// Answers to questions. A question is an address; its answer never changes, so each is asked once.
//
// The state of the page says which answers it needs (`want`): what is not there is asked for, and what the page has left behind is
// given up. An answer is an entry: { state: "waiting" }, { state: "known", value }, or { state: "failed", path, problem, again }.
// again: the question may be asked once more, since it was not the question that was wrong.

/** @typedef {{detail: string, type?: string, column?: number, rule?: string, places?: {owner: string, kind: string}[], number?: number, problem?: string, status?: number}} Problem */
/** @typedef {{state: "waiting" | "known" | "failed", path?: string, value?: any, problem?: Problem, again?: boolean}} Entry */
/** @typedef {{path: string, patient?: boolean}} Question  patient: asked alone, when nothing else is under way */

/** @type {Entry} */
const WAITING = Object.freeze({ state: "waiting" });
const MOST = 2000;
const RETRY = 3000; // milliseconds until what was lost is asked for again

/** A question that failed: `problem` are its problem details (RFC 9457). */
export class Failed extends Error {
  /** @param {Problem} problem @param {boolean} [again] */
  constructor(problem, again = false) {
    super(problem.detail);
    this.problem = problem;
    this.again = again;
  }
}

export class Store {
  /** fetch: gives the answer at an address, or throws `Failed`. changed: is called whenever an answer has come.
   *  @param {(path: string, signal: AbortSignal) => Promise<any>} fetch @param {() => void} changed */
  constructor(fetch, changed) {
    this.fetch = fetch;
    this.changed = changed;
    /** @type {Map<string, Entry>} */
    this.entries = new Map();
    /** @type {Map<string, AbortController>} */
    this.running = new Map();
    /** @type {Question[]} */
    this.wanted = [];
  }

  /** What is known of a question. @param {string} path @returns {Entry} */
  get(path) {
    return this.entries.get(path) || WAITING;
  }

  /** An answer that was learned by the way. @param {string} path @param {any} value */
  put(path, value) {
    if (!this.entries.has(path)) this.entries.set(path, { state: "known", value });
  }

  /** Tells which answers are needed now, the most urgent first. @param {Question[]} questions */
  want(questions) {
    this.wanted = questions;
    const paths = new Set(questions.map((one) => one.path));
    for (const [path, controller] of this.running) {
      if (!paths.has(path)) this.leave(path, controller);
    }
    for (const [path, entry] of this.entries) {
      const spare = this.entries.size > MOST && !paths.has(path);
      if (spare || (entry.state === "failed" && !paths.has(path))) this.entries.delete(path);
    }
    this.start();
  }

  /** Asks once more what has failed. @param {string} path */
  again(path) {
    this.entries.delete(path);
    this.start();
    this.changed();
  }

  start() {
    for (const { path, patient } of this.wanted) {
      if (this.entries.has(path)) continue;
      if (patient && this.running.size) return;
      if (!this.running.has(path)) this.ask(path);
    }
  }

  /** @param {string} path */
  async ask(path) {
    const controller = new AbortController();
    this.running.set(path, controller);
    /** @type {Entry} */
    let entry;
    try {
      entry = { state: "known", value: await this.fetch(path, controller.signal) };
    } catch (error) {
      if (controller.signal.aborted) return;
      if (!(error instanceof Failed)) {
        this.leave(path, controller);
        throw error;
      }
      entry = { state: "failed", path, problem: error.problem, again: error.again };
    }
    if (controller.signal.aborted) return;
    this.running.delete(path);
    this.entries.set(path, entry);
    if (entry.again) setTimeout(() => this.entries.get(path) === entry && this.again(path), RETRY);
    this.changed(); // first, since an answer can make a question needless that was wanted before it
    this.start();
  }

  /** @param {string} path @param {AbortController} controller */
  leave(path, controller) {
    this.running.delete(path);
    controller.abort();
  }
}
