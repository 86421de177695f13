// What is Take That's own: the words of its records, and its values.

import { Game } from "./game.js";
import { TAKE } from "./notation.js";

const [TAKING, TWISTS] = [1, 128]; // of the codes
const LONGEST = 19; // turns of a line
const NODES = 30_000_000; // of a search: some ten seconds
const cardOf = (code) => code & (TWISTS - 1);

const UNBEGUN = { problem: "no card is laid yet", rule: "" };
const OPENING = "while the draw pile lasts, the taker lays a card as the first of a new line";

/** What a rule says. last: the right-most card of the line, twin: the twisted card. */
const PROBLEMS = {
  3: (card) => `${card} is not in the mover's hand`,
  4: (card, last) => `${card} differs from the right-most card ${last} by more than 10`,
  5: (card, last, twin) => (twin === card ? "a toad can neither be twisted nor twist" : `${twin} is not in the line`),
  6: (card) => (card === TAKING ? "the line is empty and cannot be taken" : card ? PROBLEMS[3](card) : OPENING),
  7: () => "the draw pile is empty, and a taker does not lay again",
};

/** @type {import("./game.js").Words} */
const WORDS = {
  name: TAKE,
  prefix: "tt",
  example: "15,43,44 21,53 51-62-35",
  wellFormed: "Hands have at most 9 cards; the cards are 12 to 98 without 20, 30 and so on, and each is there once (T1).",
  isTurn: /^(take(,\d+)?|\d+(x\d+)?)$/,
  players: ["careful", "eager", "tuned"],
  places: [
    { name: "hand", owner: "mover", kind: "hand" }, { name: "hand'", owner: "opponent", kind: "hand" },
    { name: "line", owner: "both", kind: "line" }, { name: "pile", owner: "both", kind: "draw pile" },
  ],
  between: ",",
  over: { 7: "no legal turn, the round is over" },
  winner: null,
  zonesOf: ({ seats, line, pile }) => [seats[0].hand, seats[1].hand, line, pile],
  tableOf: ([own, other, line, pile]) => ({ game: TAKE, seats: [own, other].map((hand) => ({ hand, pile: [], tops: null })), mover: 0, line, pile }),
  codeOf: ({ card, twin }) => (card === undefined ? TAKING : card < TWISTS ? card + (twin ? TWISTS : 0) : 0),
  textOf(code, partner) {
    if (code === TAKING) return "take";
    return code & TWISTS ? `${cardOf(code)}x${partner(cardOf(code))}` : String(code);
  },
  toldPlay: () => "",
  choiceOf(code, partner) {
    const [card, twin] = [cardOf(code), partner(cardOf(code))];
    if (code === TAKING) return { card: null, place: "take", target: null };
    return code & TWISTS ? { card, place: "twist", target: twin === card ? null : twin } : { card, place: "line", target: null };
  },
  violation(rule, code, zones, partner) {
    if (rule < 0) return UNBEGUN;
    return { problem: PROBLEMS[rule](cardOf(code), zones[2]?.at(-1), partner(cardOf(code))), rule: `T${rule}` };
  },
};

export class TakeThat extends Game {
  /** @param {any} wasm */
  constructor(wasm) {
    super(wasm, WORDS);
  }

  /** Value, best turn, principal line. */
  answer() {
    if (!this.ask("solve", NODES)) {
      return { bounds: [this.ask("low"), this.ask("high")], best: null, line: null, optimal: null, source: "search" };
    }
    const optimal = this.ask("optimal");
    this.ask("line");
    const codes = [...this.codes(LONGEST), 0];
    const line = codes.slice(0, codes.indexOf(0)).map((code) => this.turnOf([code]));
    return { value: this.ask("low"), best: line[0] || null, line, optimal, source: "search" };
  }

  valueOf = (answer) => answer.value ?? null;

  /** The value of a turn, by its points and the answer after it. */
  before = (points, { value }) => (value === undefined ? null : points - value);

  mistake = (before, after) => `gives ${before - after} point${before - after === 1 ? "" : "s"} away`;

  /** A toad cannot be laid down as the turn that it would be. */
  choice(laid, code, rule, zones) {
    const found = super.choice(laid, code, rule, zones);
    return found.place === "twist" && found.target === null ? { ...found, laid: "" } : found;
  }

  /** Why the round is over after a turn that left no position. @param {string} last */
  ending(last) {
    const line = last.trim() === "take" ? "the line was taken" : "the last card of the line was twisted";
    return { problem: `${line}, and the draw pile is empty`, rule: "T7", winner: null };
  }

  steps(position, line) {
    let [balance, sign] = [0, 1];
    return line.map((turn) => {
      const { points, next } = this.played(position, turn);
      [balance, sign, position] = [balance + sign * points, -sign, next];
      return { turn, points, balance, position: next };
    });
  }

  /** Every outcome of the position that was read, best first. */
  outcomes(position) {
    const codes = this.codes(2 * this.ask("choices"));
    const legal = codes.filter((_, place) => place % 2 === 0 && codes[place + 1] === 0);
    const found = legal.map((code) => {
      const turn = this.turnOf([code]);
      const { points, next } = this.played(position, turn);
      return { turn, points, ...this.worth(points, next), position: next };
    });
    return found.sort((one, other) => least(other) - least(one));
  }

  /** What a turn is worth. @returns {{value?: number, bounds?: number[]}} */
  worth(points, next) {
    if (next === null) return { value: points };
    this.begin(next);
    const solved = this.ask("solve", NODES);
    const [low, high] = [points - this.ask("high"), points - this.ask("low")];
    return solved ? { value: low } : { bounds: [low, high] };
  }

  /** Those of the outcomes to which a turn can still lead: one is a single play. */
  reached = (position, laid, outcomes) => outcomes.filter((one) => !laid || one.turn === laid);
}

/** @param {{value?: number, bounds?: number[]}} record */
const least = ({ value, bounds }) => value ?? bounds[0];
