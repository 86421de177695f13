// Take That, by the kernels. Positions are written into their memory and read from it; see kernels.pyx.

import { pairsOf } from "./face_to_face.js";
import { ordered, lay, playsOf, spelled, tableOf, TAKE, textOf } from "./notation.js";
import { Failed } from "./store.js";

const HAND = 9;
const LONGEST = 79;
const PACKED = 2 * HAND + LONGEST;
const TAKING = 1; // the codes of turns
const TWISTS = 128;
const NODES = 30_000_000; // of a search: some ten seconds
const WELL_FORMED = "Hands are ascending and have at most 9 cards; the cards are 12 to 98 without 20, 30 and so on, and each is there once.";
const UNFINISHED = { problem: "no card is laid yet", rule: "" };
const TOAD = { problem: "a toad can neither be twisted nor twist", rule: "T5" };
const OVER = { problem: "no legal turn, the round is over", rule: "T7", winner: null };

export class TakeThat {
  /** @param {any} wasm */
  constructor(wasm) {
    this.name = TAKE;
    this.wasm = wasm;
    this.memory = new Uint8Array(wasm.memory.buffer);
  }

  /** A position in its one spelling. @param {string} text */
  parse(text) {
    const table = tableOf(TAKE, ordered(TAKE, text) || "");
    const told = `position '${text}'`;
    if (table?.pile.length) throw new Failed({ detail: `${told}: cards still to be drawn need a server. This page knows endgames.` });
    if (!table) {
      throw new Failed({ detail: `${told}: this is no position; one is written like 15,43,44 21,53 51-62-35` });
    }
    const hands = table.seats.map((side) => side.hand);
    const fits = [...hands, table.line].every((cards) => cards.every((card) => card < 100)) && hands.every((hand) => hand.length <= HAND) && table.line.length <= LONGEST;
    if (fits) this.write(table);
    if (!fits || this.wasm.tt_fault()) throw new Failed({ detail: `${told} is not well-formed. ${WELL_FORMED}`, rule: "T1" });
    return textOf(table);
  }

  /** Makes it the position that the kernels are asked about. @param {string} position */
  begin(position) {
    this.write(tableOf(TAKE, position));
  }

  write({ seats, line }) {
    const at = this.wasm.tt_position();
    this.memory.fill(0, at, at + PACKED);
    this.memory.set(seats[0].hand, at);
    this.memory.set(seats[1].hand, at + HAND);
    this.memory.set(line, at + 2 * HAND);
  }

  /** A position in the memory, in notation. */
  read(at) {
    const cards = (from, room) => [...this.memory.slice(at + from, at + from + room)].filter(Boolean);
    const seats = [0, HAND].map((from) => ({ hand: cards(from, HAND), pile: [], tops: null }));
    return textOf({ game: TAKE, seats, mover: 0, line: cards(2 * HAND, LONGEST), pile: [] });
  }

  codes(count) {
    const at = this.wasm.tt_codes();
    return [...this.memory.slice(at, at + count)];
  }

  textOf(code) {
    if (code === TAKING) return "take";
    const card = code & (TWISTS - 1);
    return code & TWISTS ? `${card}x${this.wasm.tt_twisted(card)}` : String(card);
  }

  /** The code of a turn that is legal in the position of the memory. */
  codeOf(turn) {
    const found = this.codes(this.wasm.tt_turns()).find((code) => this.textOf(code) === turn.trim());
    if (found) return found;
    const [play] = playsOf(TAKE, turn);
    if (!play || !/^(take|\d+(x\d+)?)$/.test(turn.trim())) throw new Failed({ detail: `turn '${turn}': one is written like 44, 15x51 or take` });
    throw new Failed({ detail: `illegal turn '${turn}'` });
  }

  /** Value, best turn, principal line. */
  answer() {
    if (!this.wasm.tt_solve(NODES)) {
      return { bounds: [this.wasm.tt_low(), this.wasm.tt_high()], best: null, line: null, optimal: null, source: "search" };
    }
    const optimal = this.wasm.tt_optimal();
    this.wasm.tt_line();
    const codes = this.codes(2 * HAND + 1);
    const line = codes.slice(0, codes.indexOf(0) < 0 ? codes.length : codes.indexOf(0)).map((code) => this.textOf(code));
    return { value: this.wasm.tt_low(), best: line[0] || null, line, optimal, source: "search" };
  }

  valueOf = (answer) => answer.value ?? null;

  /** The value of a turn, by its points and the answer after it. */
  before = (points, { value }) => (value === undefined ? null : points - value);

  mistake = (before, after) => `gives ${before - after} point${before - after === 1 ? "" : "s"} away`;

  /** The points of a turn, and the position after it; null if the round is over. */
  played(position, turn) {
    this.begin(position);
    return this.after(this.codeOf(turn));
  }

  /** Why the round is over after a turn that left no position. @param {string} last */
  ending(last) {
    const line = last.trim() === "take" ? "the line was taken" : "the last card of the line was twisted";
    return { problem: `${line}, and the draw pile is empty`, rule: "T7", winner: null };
  }

  after(code) {
    const points = this.wasm.tt_play(code);
    const next = this.read(this.wasm.tt_following());
    return { points, next: next === "- - -" ? null : next };
  }

  steps(position, line) {
    let [balance, sign] = [0, 1];
    return line.map((turn) => {
      const { points, next } = this.played(position, turn);
      [balance, sign, position] = [balance + sign * points, -sign, next];
      return { turn, points, balance, position: next };
    });
  }

  /** The table after `laid`, and what can be done with every card. */
  look(position, laid) {
    this.begin(position);
    const before = tableOf(TAKE, position);
    const told = { game: TAKE, position, spelled: spelled(position) };
    if (!laid.trim()) {
      const isOver = !this.wasm.tt_turns();
      const places = placesOf(before);
      const choices = isOver ? [] : this.choices(before);
      return { ...told, laid: "", places, choices, ends: false, ...UNFINISHED, over: isOver ? OVER : null, partners: this.pairsOf(places), points: 0, next: null };
    }
    const { points, next } = this.after(this.codeOf(laid));
    const places = placesOf(playsOf(TAKE, laid).reduce(lay, before));
    return { ...told, laid: laid.trim(), places, choices: [], ends: true, problem: null, rule: null, over: null, partners: this.pairsOf(places), points, next };
  }

  choices({ seats, line }) {
    const { hand } = seats[0];
    const last = line.at(-1);
    const choice = (card, place, target, code) => {
      const rule = this.wasm.tt_rule_broken(code);
      const words = { 4: `${card} differs from the right-most card ${last} by more than 10`, 5: `${target} is not in the line`, 6: "the line is empty and cannot be taken" };
      const play = this.textOf(code);
      return { play, card, place, target, laid: play, problem: words[rule] || null, rule: rule ? `T${rule}` : null };
    };
    return [
      ...hand.map((card) => choice(card, "line", null, card)),
      ...hand.map((card) => {
        const twin = this.wasm.tt_twisted(card);
        return twin ? choice(card, "twist", twin, TWISTS | card) : { play: `${card}x${card}`, card, place: "twist", target: null, laid: "", ...TOAD };
      }),
      choice(null, "take", null, TAKING),
    ];
  }

  pairsOf = (places) => pairsOf(places, (card) => this.wasm.tt_twisted(card));

  /** Every outcome, best first. */
  outcomes() {
    const position = this.read(this.wasm.tt_position());
    const found = this.codes(this.wasm.tt_turns()).map((code) => {
      this.begin(position);
      const { points, next } = this.after(code);
      return { turn: this.textOf(code), points, ...this.worth(points, next), position: next };
    });
    return found.sort((one, other) => least(other) - least(one));
  }

  /** What a turn is worth that `after` has just played. @returns {{value?: number, bounds?: number[]}} */
  worth(points, next) {
    if (next === null) return { value: points };
    this.wasm.tt_go();
    const solved = this.wasm.tt_solve(NODES);
    const [low, high] = [points - this.wasm.tt_high(), points - this.wasm.tt_low()];
    return solved ? { value: low } : { bounds: [low, high] };
  }

  /** Those of the outcomes to which a turn can still lead: one is a single play. */
  reached = (position, laid, outcomes) => outcomes.filter((one) => !laid || one.turn === laid);
}

/** @param {{value?: number, bounds?: number[]}} record */
const least = ({ value, bounds }) => value ?? bounds[0];

function placesOf({ seats, line }) {
  return [
    { name: "hand", owner: "mover", kind: "hand", cards: seats[0].hand },
    { name: "hand'", owner: "opponent", kind: "hand", cards: seats[1].hand },
    { name: "line", owner: "both", kind: "line", cards: line },
  ];
}
