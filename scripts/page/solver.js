// Answers the questions of the page (api.js) without a server: the records are those of the HTTP API. Rules and values are those of
// the kernels in kernels.wasm; here they are only asked, and what they say is put into words.

import { FaceToFace } from "./face_to_face.js";
import { plain } from "./notation.js";
import { Failed } from "./store.js";
import { TakeThat } from "./take_that.js";

/** @typedef {(name: string) => Promise<string>} Read  the text of a file of the site */

const MOST_SEED = 10 ** 9;
const SERVER = "This needs a server: pip install 'backtrick[web]', then backtrick serve.";

/** @param {BufferSource} bytes of kernels.wasm */
export async function kernels(bytes) {
  const nothing = new Proxy({}, { get: () => () => 0 }); // what a C library would ask of an operating system
  const { instance } = await WebAssembly.instantiate(bytes, { wasi_snapshot_preview1: nothing });
  const found = /** @type {any} */ (instance.exports);
  found._initialize?.();
  if (!found.prepare()) throw new Error("no memory for the kernels");
  return found;
}

export class Solver {
  /** @param {any} wasm the exports of the kernels @param {Read} read */
  constructor(wasm, read) {
    this.read = read;
    this.games = { "face-to-face": new FaceToFace(wasm), "take-that": new TakeThat(wasm) };
  }

  /** The answer to a question of the page. Throws `Failed`. @param {string} path */
  async answer(path) {
    const { pathname, searchParams } = new URL(path, "http://page");
    const [, game, name] = /^\/api\/v1(?:\/([^/]+)\/([^/]+))?$/.exec(pathname) || [];
    if (!game) return { games: Object.values(this.games).map((one) => ({ name: one.name, players: Object.fromEntries(one.words.players.map((name) => [name, ""])) })) };
    const query = Object.fromEntries([...searchParams].map(([key, value]) => [key, ["position", "turn", "laid"].includes(key) ? plain(value) : value]));
    if (name === "puzzle") return this.puzzle(this.games[game], query);
    if (name === "puzzles") return this.numbers(this.games[game], query);
    if (name === "random") return this.random(this.games[game]);
    const answer = ANSWERS[name];
    if (!answer) throw new Failed({ type: "urn:backtrick:needs-server", detail: SERVER });
    return answer(this.games[game], query);
  }

  /** @param {{name: string}} game */
  async puzzles(game) {
    const text = await this.read(`puzzles/${game.name}.jsonl`);
    return text.trim().split("\n").map((line) => JSON.parse(line));
  }

  /** @param {{name: string}} game @param {{number?: string, difficulty?: string}} query */
  async puzzle(game, { number, difficulty }) {
    const all = await this.puzzles(game);
    const fitting = [...all.keys()].filter((one) => (number === undefined || String(one) === number) && (!difficulty || String(all[one].difficulty) === difficulty));
    if (!fitting.length) throw new Failed({ type: "urn:backtrick:usage", detail: `there is no puzzle ${number}` });
    const chosen = fitting[Math.floor(Math.random() * fitting.length)];
    return { game: game.name, ...all[chosen], number: chosen, of: all.length };
  }

  /** The numbers of the puzzles, of one theme if one is given. @param {{name: string}} game @param {{theme?: string}} query */
  async numbers(game, { theme }) {
    const all = await this.puzzles(game);
    const numbers = [...all.keys()].filter((one) => theme === undefined || all[one].themes.includes(theme));
    if (theme !== undefined && !numbers.length) throw new Failed({ type: "urn:backtrick:usage", detail: `there are no puzzles of the theme ${theme}` });
    return { game: game.name, numbers };
  }

  /** A position in which there is something to find: that of a puzzle. */
  async random(game) {
    const { position } = await this.puzzle(game, {});
    return { game: game.name, position };
  }
}

/** A position of which the value can be found here. */
function endgame(game, text) {
  const position = game.parse(text);
  if (game.isDeal(position)) throw new Failed({ type: "urn:backtrick:needs-server", detail: SERVER });
  return position;
}

/** What is known of an endgame, without its outcomes. */
function solved(game, position) {
  game.begin(position);
  return { game: game.name, position, ...game.answer() };
}

/** The outcomes of a position, best first; equal ones in the order of the turns. */
function outcomes(game, position) {
  game.begin(position);
  return game.outcomes(position);
}

/** How good a turn is, and the position after it. */
function graded(game, text, turn) {
  const position = endgame(game, text);
  const before = solved(game, position);
  const { points, next } = game.played(position, turn);
  const after = next === null ? points : game.before(points, solved(game, next));
  const own = game.valueOf(before);
  const [known, optimal] = [own !== null && after !== null, own === after];
  const record = {
    game: game.name, position, turn, before: own, after, verdict: !known ? "not solved" : optimal ? "optimal" : game.mistake(own, after),
    optimal: known ? optimal : null, best: before.best, source: next === null ? "search, rules" : "search",
  };
  return { record, next };
}

/** @type {Record<string, (game: any, query: Record<string, string>) => any>} */
const ANSWERS = {
  solve(game, { position: text, all }) {
    const position = endgame(game, text);
    const answer = solved(game, position);
    return all ? { ...answer, outcomes: outcomes(game, position) } : answer;
  },
  best(game, { position: text }) {
    const { game: name, position, best, source } = solved(game, endgame(game, text));
    return { game: name, position, best, source };
  },
  grade: (game, { position, turn }) => graded(game, position, turn).record,
  why(game, { position, turn }) {
    const { record, next } = graded(game, position, turn);
    if (next === null) return { ...record, next, reply: null, line: [] };
    const { best, line } = solved(game, next);
    return { ...record, next, reply: best, line: line && game.steps(next, line) };
  },
  look: (game, { position, laid = "" }) => game.look(game.parse(position), laid),
  check(game, { text }) {
    try {
      game.parse(text);
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      return { game: game.name, text, view: false, problem: error.problem };
    }
    return { game: game.name, text, view: false, problem: null };
  },
  completions(game, { position: text, laid = "" }) {
    const position = endgame(game, text);
    const { choices, laid: plays } = game.look(position, laid);
    const all = outcomes(game, position);
    const next = choices.filter((choice) => choice.problem === null).map((choice) => {
      const [best, ...others] = game.reached(position, choice.laid, all);
      const { turn, outcome, remoteness, value } = best;
      return { play: choice.play, count: 1 + others.length, best: turn, ...(value === undefined ? { outcome, remoteness } : { value }) };
    });
    return { game: game.name, position, laid: plays, turns: game.reached(position, plays, all).map((one) => one.turn), choices: next };
  },
  deal(game, { seed }) {
    const number = seed === undefined ? Math.floor(Math.random() * MOST_SEED) : Number(seed);
    return { game: game.name, position: game.deal(number), seed: number };
  },
  move(game, { position: text, player }) {
    const number = game.words.players.indexOf(player);
    if (number < 0) throw new Failed({ type: "urn:backtrick:needs-server", detail: SERVER });
    const position = game.parse(text);
    return { game: game.name, position, player, turn: game.move(position, number) };
  },
  play(game, { position: text, turn }) {
    const position = game.parse(text);
    const { points, next } = game.played(position, turn);
    return { game: game.name, position, turn, points, next, over: next === null ? game.ending(turn) : game.look(next, "").over };
  },
};
