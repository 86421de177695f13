// How an answer is got: from the server of this page. The page without a server has another module of this name.

import { tableOf } from "./notation.js";
import { beginPuzzle, linkTo, write } from "./state.js";
import { Failed } from "./store.js";
import { WORDS } from "./words.js";

const PATIENCE = 3;

/** There is a server: values of deals, odds, and its strong players can be asked for. */
export const SERVED = true;

/** The address of a state: its path tells the server the puzzle or the position, for a preview. Not where the preview of a position
 *  would reveal the solution of a puzzle, nor for what is not a position. @param {import("./state.js").State} state */
export const addressOf = (state) => (Boolean(state.puzzle) === (state.mode === "puzzles") && (state.puzzle || tableOf(state.game, state.start)) ? linkTo(state) : `/${write(state)}`);

/** The address of a puzzle for others. @param {string} game @param {number} number */
export const puzzleAddress = (game, number) => addressOf(beginPuzzle(game, String(number)));

/** The address of a sheet for paper. @param {string} name */
export const sheetAddress = (name) => `/print.html#${name}`;

/** Fetches an answer. Throws `Failed`. @param {string} path @param {AbortSignal} [signal] */
export async function fetchAnswer(path, signal, patience = PATIENCE) {
  let response;
  try {
    response = await fetch(path, { cache: "default", signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Failed({ detail: WORDS.no_server }, true);
  }
  if ([429, 503].includes(response.status) && patience) {
    await new Promise((later) => setTimeout(later, 1000 * (Number(response.headers.get("Retry-After")) || 1)));
    signal?.throwIfAborted();
    return fetchAnswer(path, signal, patience - 1);
  }
  const isRecord = response.headers.get("Content-Type")?.includes("json");
  const foreign = new Failed({ detail: WORDS.no_answer(response.status) }, true); // of a network that asks one to sign in, say
  let body;
  try {
    body = isRecord ? await response.json() : await response.text();
  } catch (error) {
    throw signal?.aborted ? error : foreign;
  }
  if (!response.ok && body.detail) throw new Failed(body, response.status >= 429);
  if (!response.ok || (!isRecord && path.startsWith("/api/"))) throw foreign;
  return body;
}
