// How an answer is got without a server: from a worker (worker.js), one question after another. A question whose answer is no longer
// needed is dropped; if the worker is at it, the worker is ended, and another one begins.

import { paths } from "./api.js";
import { pictureOf } from "./picture.js";
import { beginPuzzle, read, SHORT, write } from "./state.js";
import { Failed } from "./store.js";

/** There is no server: values of deals, odds, and its strong players cannot be asked for. */
export const SERVED = false;

/** The address of a state: the site may lie below any path. @param {import("./state.js").State} state */
export const addressOf = (state) => write(state);

/** The puzzles that have a page with a preview, as make_page.py fills in: those of some days. @type {number[]} */
const PREVIEWED = [];

/** The address of a puzzle for others. @param {string} game @param {number} number */
export const puzzleAddress = (game, number) =>
  PREVIEWED.includes(number) ? `p/${SHORT[game]}/${number}/` : addressOf(beginPuzzle(game, String(number)));

/** The address of a sheet for paper. @param {string} name */
export const sheetAddress = (name) => `print.html#${name}`;

const GRACE = 200; // milliseconds that the worker may take to finish an answer that is no longer needed

/** @typedef {{path: string, answer: (value: any) => void, refuse: (error: Error) => void}} Question */

/** @type {Question[]} */
const waiting = [];
/** @type {Question | null} */
let current = null;
/** @type {Worker | null} */
let worker = null;

/** Fetches an answer. Throws `Failed`. @param {string} path @param {AbortSignal} [signal] @returns {Promise<any>} */
export function fetchAnswer(path, signal) {
  if (/\.svg(\?plain=1)?$/.test(path) && path.startsWith("/")) return pictureAt(path);
  if (!path.startsWith("/api/")) return fileOf(path, signal);
  return new Promise((answer, refuse) => {
    const question = { path, answer, refuse };
    signal?.addEventListener("abort", () => leave(question, signal.reason));
    waiting.push(question);
    next();
  });
}

/** The picture that a server would send. @param {string} path */
async function pictureAt(path) {
  const { game, start } = read("", path.replace(/\.svg.*/, ""));
  if (path.endsWith("plain=1")) return pictureOf(game, start, null);
  const told = await fetchAnswer(paths.value(game, start, 1)).catch((error) => (error instanceof Failed ? {} : Promise.reject(error)));
  return pictureOf(game, start, told);
}

async function fileOf(path, signal) {
  try {
    const response = await fetch(path, { signal });
    if (response.ok) return await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
  }
  throw new Failed({ detail: `The file ${path} is missing.` }, true);
}

function next() {
  if (current || !waiting.length) return;
  worker ||= begun();
  current = waiting.shift();
  worker.postMessage(current.path);
}

function begun() {
  const started = new Worker("worker.js", { type: "module" });
  started.onmessage = ({ data: { value, problem } }) => done((one) => (problem ? one.refuse(new Failed(problem)) : one.answer(value)));
  started.onerror = (event) => {
    worker = null;
    done((one) => one.refuse(new Failed({ detail: `The solver of this page has stopped: ${event.message || "it could not be loaded"}.` }, true)));
  };
  return started;
}

/** @param {(question: Question) => void} settle */
function done(settle) {
  const finished = current;
  current = null;
  if (finished) settle(finished);
  next();
}

function leave(question, reason) {
  const place = waiting.indexOf(question);
  if (place >= 0) waiting.splice(place, 1);
  question.refuse(reason);
  if (question !== current) return;
  setTimeout(() => {
    if (question !== current) return;
    worker.terminate();
    worker = null;
    done(() => {});
  }, GRACE);
}

navigator.serviceWorker?.register("offline.js");
