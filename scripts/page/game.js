// A game by its kernels (kernels.pyx): a position lies in the zones of their memory, and a turn is laid play by play. Here bytes are read
// and written, and what the kernels say becomes the records of the HTTP API.

import { playsOf, spelled, tableOf, textOf } from "./notation.js";
import { Failed } from "./store.js";

/** The notation in which a position is kept, of a text that has its hands in any order; null if it is none. @param {string} game @param {string} text */
function ordered(game, text) {
  const table = tableOf(game, text);
  const signs = (one) => [...one].sort().join("");
  return table && signs(textOf(table)) === signs(text.trim().replace(/\s+/g, " ")) ? textOf(table) : null;
}

/** What a game says in its own words. @typedef {{
 *   name: string, prefix: string, example: string, wellFormed: string, isTurn: RegExp, players: string[],
 *   places: {name: string, owner: string, kind: string}[], between: string, over: Record<number, string>, winner: string | null,
 *   zonesOf: (table: any) => number[][], tableOf: (zones: number[][]) => any, codeOf: (play: any) => number,
 *   textOf: (code: number, partner: (card: number) => number) => string, toldPlay: (rule: number, play: string) => string,
 *   violation: (rule: number, code: number, zones: number[][], partner: (card: number) => number) => {problem: string, rule: string},
 *   choiceOf: (code: number, partner: (card: number) => number) => {card: number | null, place: string, target: number | null},
 * }} Words */

export class Game {
  /** @param {any} wasm @param {Words} words */
  constructor(wasm, words) {
    this.wasm = wasm;
    this.words = words;
    this.name = words.name;
    this.memory = new Uint8Array(wasm.memory.buffer);
  }

  /** Asks a function of the game. @param {string} name @param {number[]} numbers @returns {number} */
  ask = (name, ...numbers) => this.wasm[`${this.words.prefix}_${name}`](...numbers);

  partner = (number) => this.ask("partner", number);

  codes(count) {
    const at = this.wasm.codes();
    return [...this.memory.slice(at, at + count)];
  }

  turnOf = (codes) => codes.map((code) => this.words.textOf(code, this.partner)).join(this.words.between);

  /** The cards in the zones. */
  zones() {
    const [first, room] = [this.wasm.zones(), this.wasm.room()];
    return this.words.places.map((_, place) => {
      const at = first + room * place;
      return [...this.memory.slice(at, this.memory.indexOf(0, at))];
    });
  }

  text = () => textOf(this.words.tableOf(this.zones()));

  /** Makes it the position that the kernels are asked about; false if it is not well-formed. @param {any} table */
  read(table) {
    const [first, room] = [this.wasm.zones(), this.wasm.room()];
    const zones = this.words.zonesOf(table);
    if (zones.some((cards) => cards.length >= room || cards.some((card) => card > 255))) return false;
    zones.forEach((cards, place) => this.memory.fill(0, first + room * place, first + room * (place + 1)).set(cards, first + room * place));
    return Boolean(this.ask("read"));
  }

  begin = (position) => this.read(tableOf(this.name, position));

  /** A position in its one spelling. @param {string} text */
  parse(text) {
    const table = tableOf(this.name, ordered(this.name, text) || "");
    if (!table) throw new Failed({ type: "urn:backtrick:position", detail: `position '${text}': this is no position; one is written like ${this.words.example}` });
    if (!this.read(table)) throw new Failed({ type: "urn:backtrick:position", detail: `position '${text}' is not well-formed. ${this.words.wellFormed}` });
    return textOf(table);
  }

  /** True if cards are still to be drawn. @param {string} position */
  isDeal(position) {
    const { seats, pile } = tableOf(this.name, position);
    return [pile, ...seats.map((side) => side.pile)].some((cards) => cards.length);
  }

  /** Lays the plays of a turn, or none. @param {string} position @param {string} turn */
  lay(position, turn) {
    this.begin(position);
    if (!turn.trim()) return;
    const plays = playsOf(this.name, turn);
    const codes = plays.map(this.words.codeOf);
    if (this.turnOf(codes) !== turn.trim() || !this.words.isTurn.test(turn.trim())) throw new Failed({ type: "urn:backtrick:illegal-turn", detail: `turn '${turn}': this is no turn` });
    for (const code of codes) {
      const rule = this.ask("lay", code);
      if (!rule) continue;
      this.ask("show");
      throw this.illegal(turn, this.violation(rule, code, this.zones()), this.words.toldPlay(rule, this.turnOf([code])));
    }
  }

  /** @param {number} rule @param {number} [code] @param {number[][]} [zones] */
  violation = (rule, code = 0, zones = []) => this.words.violation(rule, code, zones, this.partner);

  illegal(turn, { problem, rule }, play = "") {
    const quote = turn.includes("'") ? '"' : "'";
    return new Failed({ type: "urn:backtrick:illegal-turn", detail: `illegal turn ${quote}${turn.trim()}${quote}${play}: ${problem} (${rule})`, problem, rule });
  }

  unfinished() {
    const rule = this.ask("unfinished");
    return rule ? this.violation(rule) : null;
  }

  /** The points of the turn that is laid, and the position after it; null if the round is over. */
  end() {
    const goesOn = this.ask("end");
    return { points: this.ask("points"), next: goesOn ? this.text() : null };
  }

  /** The same for a whole turn. @param {string} position @param {string} turn */
  played(position, turn) {
    this.lay(position, turn);
    const wrong = this.unfinished();
    if (wrong) throw this.illegal(turn, wrong);
    return this.end();
  }

  /** Why the game is over at the position that was read; null if it goes on. */
  over() {
    const rule = this.ask("over");
    return rule ? { problem: this.words.over[rule], rule: this.violation(rule).rule, winner: this.words.winner } : null;
  }

  /** The table after the plays of `laid`, and what may be laid next. @param {string} position @param {string} laid */
  look(position, laid) {
    this.lay(position, laid);
    this.ask("show");
    const zones = this.zones();
    const places = this.words.places.map((place, one) => ({ ...place, cards: zones[one] })).filter(({ kind, cards }) => kind !== "draw pile" || cards.length);
    const wrong = this.unfinished();
    const over = laid.trim() ? null : this.over();
    const choices = this.choices(laid.trim(), zones);
    return {
      game: this.name, position, spelled: spelled(position), laid: laid.trim(), places, choices, ends: !wrong, ...(wrong || { problem: null, rule: null }), over,
      partners: this.partners(places), ...(wrong ? { points: 0, next: null } : this.end()),
    };
  }

  choices(laid, zones) {
    const codes = this.codes(2 * this.ask("choices"));
    return codes.flatMap((code, place) => (place % 2 ? [] : [this.choice(laid, code, codes[place + 1], zones)]));
  }

  choice(laid, code, rule, zones) {
    const play = this.words.textOf(code, this.partner);
    const { card, place, target } = this.words.choiceOf(code, this.partner);
    const { problem, rule: name } = rule ? this.violation(rule, code, zones) : { problem: null, rule: null };
    return { play, card, place, target, laid: [laid, play].filter(Boolean).join(this.words.between), problem, rule: name };
  }

  /** The pairs of numbers on the table that belong together. */
  partners(places) {
    const numbers = new Set(places.flatMap((place) => place.cards));
    return [...numbers].sort((one, other) => one - other).map((one) => [one, this.partner(one)]).filter(([one, other]) => one < other && numbers.has(other));
  }

  steps(position, line) {
    return line.map((turn) => {
      position = this.played(position, turn).next;
      return { turn, position };
    });
  }

  /** The first position of a whole game: that of the package for this seed. @param {number} seed */
  deal(seed) {
    this.ask("deal", seed);
    return this.text();
  }

  /** The turn of a player, which sees its own cards and what lies on the table; null if the game is over. @param {string} position @param {number} player */
  move(position, player) {
    this.begin(position);
    return this.ask("over") ? null : this.turnOf(this.codes(this.ask("move", player)));
  }
}
