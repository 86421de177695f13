// Face to Face, by the kernels. Positions and turns are written into their memory and read from it; see kernels.pyx.

import { FACE, lay, ordered, playsOf, spelled, tableOf, textOf } from "./notation.js";
import { Failed } from "./store.js";

const SPOTS = ["^", "v", "^'", "v'"];
const PACKED = 20; // bytes of a position
const TURN = 8; // bytes
const ROW = { turn: 8, next: 16, count: 36, value: 40 }; // where it stands in a row
const WELL_FORMED = "A player has 1 to 6 cards of 2 to 59, the opponent at least none; an ascending pile shows 1 to 59, a descending pile 2 to 60; "
  + "each number is there at most twice, once of each colour.";
const WORDS = {
  3: (card) => `${card} is not in the mover's hand`,
  4: () => "a second card on the opponent's piles",
  5: (card, top, step) => `${card} is neither higher than ${top} nor exactly ${step} lower`,
  6: (card, top, step) => `${card} is neither lower than ${top} nor exactly ${step} higher`,
};
const TOO_FEW = { problem: "a turn lays at least two cards", rule: "F3" };
const ALONE = { problem: "no second card can be laid after it, and a turn lays at least two cards", rule: "F3" };
const OVER = { 12: "none, the opponent has laid every card", 13: "no legal turn" };
const PLACES = [
  ["hand", "mover", "hand"], ["^", "mover", "ascending pile"], ["v", "mover", "descending pile"],
  ["hand'", "opponent", "hand"], ["^'", "opponent", "ascending pile"], ["v'", "opponent", "descending pile"],
];

const word = (value) => (value % 2 ? "win" : "loss");

export class FaceToFace {
  /** @param {any} wasm */
  constructor(wasm) {
    this.name = FACE;
    this.wasm = wasm;
    this.memory = new Uint8Array(wasm.memory.buffer);
    this.numbers = new DataView(wasm.memory.buffer);
  }

  /** A position in its one spelling. @param {string} text */
  parse(text) {
    const table = tableOf(FACE, ordered(FACE, text) || "");
    const told = `position '${text}'`;
    if (text.includes("+")) throw new Failed({ detail: `${told}: cards still to be drawn need a server. This page knows endgames.` });
    if (!table) {
      throw new Failed({ detail: `${told}: this is no position; one is written like 52^6v:16,18,19,57 53^15v:4,7,29,44` });
    }
    const cards = table.seats.flatMap((side) => [...side.hand, side.tops["^"], side.tops.v]);
    if (cards.some((card) => card > 63) || !table.seats.every((side) => new Set(side.hand).size === side.hand.length)) throw new Failed({ detail: `${told} is not well-formed. ${WELL_FORMED}`, rule: "F1" });
    this.write(table);
    if (this.wasm.f2f_fault()) throw new Failed({ detail: `${told} is not well-formed. ${WELL_FORMED}`, rule: "F1" });
    return textOf(table);
  }

  /** Makes it the position that the kernels are asked about. @param {string} position */
  begin(position) {
    this.write(tableOf(FACE, position));
  }

  write(table) {
    const at = this.wasm.f2f_position();
    this.memory.fill(0, at, at + PACKED);
    table.seats.forEach(({ hand, tops }, seat) => {
      for (const card of hand) this.memory[at + TURN * seat + (card >> 3)] |= 1 << (card & 7);
      this.memory[at + 16 + 2 * seat] = tops["^"];
      this.memory[at + 17 + 2 * seat] = tops.v;
    });
  }

  /** The position in the memory, in notation. */
  read(at = this.wasm.f2f_position()) {
    const seats = [0, 1].map((seat) => {
      const hand = [];
      for (let card = 2; card < 60; card += 1) {
        if ((this.memory[at + TURN * seat + (card >> 3)] >> (card & 7)) & 1) hand.push(card);
      }
      return { hand, pile: [], tops: { "^": this.memory[at + 16 + 2 * seat], v: this.memory[at + 17 + 2 * seat] } };
    });
    return textOf({ game: FACE, seats, mover: 0, line: [], pile: [] });
  }

  readTurn(at = this.wasm.f2f_turn()) {
    const bytes = [...this.memory.slice(at, at + TURN)].filter(Boolean);
    return bytes.map((byte) => `${byte & 63}${SPOTS[byte >> 6]}`).join(" ");
  }

  writeTurn(plays) {
    const at = this.wasm.f2f_turn();
    this.memory.fill(0, at, at + TURN);
    plays.forEach(({ card, spot }, place) => (this.memory[at + place] = codeOf(card, spot)));
  }

  /** Value, best turn, principal line. */
  answer() {
    const value = this.wasm.f2f_value();
    const optimal = this.wasm.f2f_optimal(value);
    const line = [];
    for (let left = value; left; left -= 1) {
      this.wasm.f2f_best(left);
      line.push(this.readTurn());
      this.wasm.f2f_play();
    }
    return { outcome: word(value), remoteness: value, best: line[0] || null, line, optimal, source: "search" };
  }

  valueOf = (answer) => answer.remoteness;

  /** The value of a turn, by the answer after it. */
  before = (points, { remoteness }) => 1 + remoteness;

  mistake(before, after) {
    if (before % 2 === 0) return "loses faster";
    return after % 2 ? "wins more slowly" : "throws the win away";
  }

  /** The plays of a turn, each legal where it is laid. @param {string} position @param {string} turn @param {number} least */
  playsOf(position, turn, least) {
    const plays = playsOf(FACE, turn);
    const told = `illegal turn '${turn}'`;
    if (plays.map((play) => play.text).join(" ") !== turn.trim() || plays.length > 6) throw new Failed({ detail: `turn '${turn}': one is written like 17^ 18v'` });
    this.begin(position);
    if (this.wasm.f2f_over() === 12) throw new Failed({ detail: `${told}: the opponent's hand is empty, the game is over (F12)`, rule: "F12" });
    this.writeTurn(plays);
    let table = tableOf(FACE, position);
    plays.forEach((play, place) => {
      const wrong = this.violation(table, play, place);
      if (wrong && wrong !== ALONE) throw new Failed({ detail: `${told}, play ${play.text}: ${wrong.problem} (${wrong.rule})`, ...wrong });
      table = lay(table, play);
    });
    if (plays.length < least) throw new Failed({ detail: `${told}: ${TOO_FEW.problem} (${TOO_FEW.rule})`, ...TOO_FEW });
    return plays;
  }

  /** Why a play is of no use after the first `laid` plays of the turn in the memory; null if it may be laid.
   *  @param {any} table @param {{card?: number, spot: string}} play @param {number} laid */
  violation(table, { card, spot }, laid) {
    const rule = this.wasm.f2f_rule_broken(laid, codeOf(card, spot));
    if (!rule) return null;
    if (rule === 3 && table.seats[0].hand.includes(card)) return ALONE;
    const top = table.seats[spot.length - 1].tops[spot[0]];
    const problem = rule === 8 ? `${card} is not ${spot[0] === "^" ? "lower" : "higher"} than ${top}` : WORDS[rule](card, top, this.wasm.f2f_step());
    return { problem, rule: `F${rule}` };
  }

  /** The position after a turn. */
  played(position, turn) {
    this.playsOf(position, turn, this.wasm.f2f_fewest());
    this.wasm.f2f_play();
    return { points: 0, next: this.read() };
  }

  steps(position, line) {
    return line.map((turn) => {
      position = this.played(position, turn).next;
      return { turn, position };
    });
  }

  /** The table after the plays of `laid`, and every card on every pile. */
  look(position, laid) {
    const plays = laid.trim() ? this.playsOf(position, laid, 0) : [];
    this.begin(position);
    this.writeTurn(plays);
    const before = tableOf(FACE, position);
    const table = plays.reduce(lay, before);
    const over = plays.length ? null : this.ending();
    const text = plays.map((play) => play.text).join(" ");
    const choices = [];
    for (const card of over?.rule === "F12" ? [] : table.seats[0].hand) {
      for (const spot of SPOTS) {
        const { problem, rule } = this.violation(table, { card, spot }, plays.length) || { problem: null, rule: null };
        choices.push({ play: `${card}${spot}`, card, place: spot, target: null, laid: `${text} ${card}${spot}`.trim(), problem, rule });
      }
    }
    const ends = plays.length >= this.wasm.f2f_fewest();
    if (ends) this.wasm.f2f_play();
    const places = PLACES.map(([name, owner, kind], place) => {
      const { hand, tops } = table.seats[place < 3 ? 0 : 1];
      return { name, owner, kind, cards: kind === "hand" ? hand : [tops[name[0]]] };
    });
    return {
      game: FACE, position, spelled: spelled(position), laid: text, places, choices, ends, ...(ends ? { problem: null, rule: null } : TOO_FEW), over,
      partners: pairsOf(places, (card) => card + this.wasm.f2f_step()), points: 0, next: ends ? this.read() : null,
    };
  }

  /** Why the game is over at the position in the memory; null if it goes on. */
  ending() {
    const rule = this.wasm.f2f_over();
    return rule ? { problem: OVER[rule], rule: `F${rule}`, winner: this.wasm.f2f_value() % 2 ? "mover" : "opponent" } : null;
  }

  /** Every distinct outcome, best first. `place` is its row in the memory. */
  outcomes() {
    const count = this.wasm.f2f_outcomes();
    const [rows, size] = [this.wasm.f2f_rows(), this.wasm.f2f_row_size()];
    const found = Array.from({ length: count }, (_, place) => {
      const at = rows + size * place;
      const value = this.memory[at + ROW.value];
      return { turn: this.readTurn(at + ROW.turn), ways: this.numbers.getUint32(at + ROW.count, true), outcome: word(value), remoteness: value, position: this.read(at + ROW.next) };
    });
    this.places = new Map(found.map((one, place) => [one, place]));
    return found.sort((one, other) => rank(one.remoteness) - rank(other.remoteness));
  }

  /** Those of the outcomes to which a turn can still lead. */
  reached(position, laid, outcomes) {
    this.begin(position);
    this.writeTurn(playsOf(FACE, laid));
    this.wasm.f2f_reached();
    const marks = this.wasm.f2f_marks();
    return outcomes.filter((one) => this.memory[marks + this.places.get(one)]);
  }
}

const codeOf = (card, spot) => card + 64 * SPOTS.indexOf(spot);

/** Wins come first, the quick ones before the slow ones; of losses the slow ones come first. */
const rank = (value) => (value % 2 ? value : 100 - value);

/** The pairs of numbers on the table that belong together. */
export function pairsOf(places, partner) {
  const numbers = new Set(places.flatMap((place) => place.cards));
  return [...numbers].sort((one, other) => one - other).map((one) => [one, partner(one)]).filter(([one, other]) => one < other && numbers.has(other));
}
