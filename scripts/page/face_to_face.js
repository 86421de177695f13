// What is Face to Face's own: the words of its records, and its values.

import { Game } from "./game.js";
import { FACE } from "./notation.js";

const SPOTS = ["^", "v", "^'", "v'"];
const SIDES = [["mover", ""], ["opponent", "'"]];
const KINDS = [["hand", "hand"], ["^", "ascending pile"], ["v", "descending pile"], ["pile", "draw pile"]];
const spotOf = (code) => SPOTS[code >> 6];
const cardOf = (code) => code & 63;

/** What a rule says. top: of the pile. */
const PROBLEMS = {
  3: () => "no second card can be laid after it, and a turn lays at least two cards",
  4: () => "a second card on the opponent's piles",
  5: (card, top) => `${card} is neither higher than ${top} nor exactly 10 lower`,
  6: (card, top) => `${card} is neither lower than ${top} nor exactly 10 higher`,
  8: (card, top, spot) => `${card} is not ${spot === "^'" ? "lower" : "higher"} than ${top}`,
  12: () => "the opponent's hand is empty, the game is over",
};

/** @type {import("./game.js").Words} */
const WORDS = {
  name: FACE,
  prefix: "f2f",
  example: "52^6v:16,18,19,57 53^15v:4,7,29,44",
  wellFormed: "A player has 1 to 6 cards of 2 to 59, the opponent at least none; an ascending pile shows 1 to 59, a descending pile 2 to 60; "
    + "each number is there at most twice, once of each colour (F1, F2).",
  isTurn: /^(\d+[\^v]'?( |$)){1,6}$/,
  players: ["frugal", "hasty", "tuned"],
  places: SIDES.flatMap(([owner, sign]) => KINDS.map(([name, kind]) => ({ name: name + sign, owner, kind }))),
  between: " ",
  over: { 12: "none, the opponent has laid every card", 13: "no legal turn" },
  winner: "opponent",
  zonesOf: ({ seats }) => seats.flatMap(({ hand, tops, pile }) => [hand, [tops["^"]], [tops.v], pile]),
  tableOf: (zones) => ({
    game: FACE, mover: 0, line: [], pile: [],
    seats: [0, 4].map((at) => ({ hand: zones[at], tops: { "^": zones[at + 1][0], v: zones[at + 2][0] }, pile: zones[at + 3] })),
  }),
  codeOf: ({ card, spot }) => (card < 64 ? card + 64 * SPOTS.indexOf(spot) : 0),
  textOf: (code) => `${cardOf(code)}${spotOf(code)}`,
  toldPlay: (rule, play) => (rule === 12 ? "" : `, play ${play}`),
  choiceOf: (code) => ({ card: cardOf(code), place: spotOf(code), target: null }),
  violation(rule, code, zones) {
    const named = `F${rule}`;
    if (rule === 3 && !code) return { problem: "a turn lays at least two cards", rule: named };
    if (rule === 3 && !zones[0].includes(cardOf(code))) return { problem: `${cardOf(code)} is not in the mover's hand`, rule: named };
    return { problem: PROBLEMS[rule]?.(cardOf(code), zones[[1, 2, 5, 6][code >> 6]]?.[0], spotOf(code)), rule: named };
  },
};

const word = (value) => (value % 2 ? "win" : "loss");

export class FaceToFace extends Game {
  /** @param {any} wasm */
  constructor(wasm) {
    super(wasm, WORDS);
  }

  /** Value, best turn, principal line. */
  answer() {
    const value = this.ask("value");
    const optimal = this.ask("optimal", value);
    const line = Array.from({ length: value }, (_, place) => this.turnOf(this.codes(this.ask("go_best", value - place))));
    return { outcome: word(value), remoteness: value, best: line[0] || null, line, optimal, source: "search" };
  }

  valueOf = (answer) => answer.remoteness;

  /** The value of a turn, by the answer after it. */
  before = (points, { remoteness }) => 1 + remoteness;

  mistake(before, after) {
    if (before % 2 === 0) return "loses faster";
    return after % 2 ? "wins more slowly" : "throws the win away";
  }

  /** Every distinct outcome of the position that was read, best first. */
  outcomes() {
    const found = Array.from({ length: this.ask("outcomes") }, (_, place) => {
      const [turn, value] = [this.turnOf(this.codes(this.ask("outcome", place))), this.ask("outcome_value", place)];
      return { turn, ways: this.ask("outcome_ways", place), outcome: word(value), remoteness: value, position: this.text() };
    });
    this.rows = new Map(found.map((one, place) => [one, place]));
    return found.sort((one, other) => rank(one.remoteness) - rank(other.remoteness));
  }

  /** Those of the outcomes to which a turn can still lead. */
  reached(position, laid, outcomes) {
    this.lay(position, laid);
    this.ask("reached");
    const marks = this.ask("marks");
    return outcomes.filter((one) => this.memory[marks + this.rows.get(one)]);
  }
}

/** Wins come first, the quick ones before the slow ones; of losses the slow ones come first. */
const rank = (value) => (value % 2 ? value : 100 - value);
