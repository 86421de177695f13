// What follows from the state: the positions of the game so far, the table, and what may be laid next. All of it from the server.

import { api, Refused } from "./api.js";
import { FACE, lay, playsOf, tableOf } from "./notation.js";

/** The positions before each turn and after the last one; null after a turn with which the round is over. */
export async function derive(state) {
  const { game } = state;
  const steps = [{ position: state.start, points: 0 }];
  for (const turn of state.turns) {
    const from = steps.at(-1).position;
    if (from === null) break;
    const played = await api.play(game, from, turn);
    steps.push({ position: played.next, points: played.points, turn: played.turn, over: played.over });
  }
  const n = Math.min(state.n, steps.length - 1);
  const { position, over } = steps[n];
  const look = position === null ? null : await api.look(game, position, state.laid);
  return { state: { ...state, n }, steps, position, look, over: look ? look.over : over, table: tableAt(game, steps, n), won: wonBy(steps, n) };
}

/** The table after n turns. When the round is over there is no position, and the table is what the last turn left. */
function tableAt(game, steps, n) {
  const { position, turn } = steps[n];
  if (position !== null) return tableOf(game, position, n % 2);
  const before = tableOf(game, steps[n - 1].position, (n - 1) % 2);
  const left = playsOf(game, turn).reduce(lay, before);
  return { ...left, mover: null };
}

/** The points of both seats after n turns. */
function wonBy(steps, n) {
  const won = [0, 0];
  steps.slice(1, n + 1).forEach((step, place) => (won[place % 2] += step.points));
  return won;
}

/** Who has won when the game is over: a seat, or null if nobody has, or not yet. */
export function winnerOf(view) {
  if (!view.over) return null;
  if (view.state.game === FACE) return 1 - view.table.mover;
  return view.won[0] === view.won[1] ? null : view.won[0] > view.won[1] ? 0 : 1;
}

export { Refused };
