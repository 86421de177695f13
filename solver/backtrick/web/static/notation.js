// The notation of positions and turns: texts in, parts out, and back. It reads what the server wrote, and drafts that are not
// well-formed yet. It knows no rule: what is legal, and why not, the server says.

/** @typedef {{hand: number[], pile: number[], tops: Record<string, number> | null}} Side */
/** @typedef {{game: string, seats: Side[], mover: number | null, line: number[], pile: number[]}} Table */
/** @typedef {{text: string, spot: string, card?: number, twin?: number}} Play */

export const FACE = "face_to_face";
export const TAKE = "take_that";

export const numbers = (text, sign) => (text && text !== "-" ? text.split(sign).filter(Boolean).map(Number) : []);
export const ascending = (cards) => [...cards].sort((one, other) => one - other);

/** A table by seats: `seats[mover]` is to move. Null if the text does not look like a position.
 *  @param {string} game @param {string} text @param {number} [mover] @returns {Table | null} */
export function tableOf(game, text, mover = 0) {
  const table = game === FACE ? faceTable(text) : takeTable(text);
  if (!table) return null;
  const seats = mover ? table.seats.reverse() : table.seats;
  return { line: [], pile: [], ...table, game, seats, mover };
}

function faceTable(text) {
  const sides = text.trim().split(/\s+/);
  if (sides.length !== 2) return null;
  const seats = sides.map((side) => {
    const found = /^(\d+)\^(\d+)v:([\d,]*)(?:\+\??([\d,]*))?$/.exec(side);
    if (!found) return null;
    return { tops: { "^": Number(found[1]), v: Number(found[2]) }, hand: numbers(found[3], ","), pile: numbers(found[4], ",") };
  });
  return seats.includes(null) ? null : { seats };
}

function takeTable(text) {
  const parts = text.trim().split(/\s+/);
  if (parts.length < 3 || parts.length > 4 || parts.some((part) => !/^(-|[\d,-]+)$/.test(part))) return null;
  const [mover, opponent, line, pile] = parts;
  const seats = [mover, opponent].map((hand) => ({ hand: numbers(hand, ","), pile: [], tops: null }));
  return { seats, line: numbers(line, "-"), pile: numbers(pile, ",") };
}

/** The notation of a table, the mover first. */
export function textOf(table) {
  const order = [table.seats[table.mover], table.seats[1 - table.mover]];
  if (table.game === FACE) {
    return order.map((side) => {
      const pile = side.pile.length ? `+${side.pile.join(",")}` : "";
      return `${side.tops["^"]}^${side.tops.v}v:${ascending(side.hand).join(",")}${pile}`;
    }).join(" ");
  }
  const hands = order.map((side) => ascending(side.hand).join(",") || "-");
  return [...hands, table.line.join("-") || "-", ...(table.pile.length ? [table.pile.join(",")] : [])].join(" ");
}

/** The mover's hand, and how many cards each draw pile has, of a view of Face to Face. @param {string} view */
export function seenOf(view) {
  const [, hand, pile, size, unlaid] = /v:([\d,]*)(?:\+\??([\d,]*))?\s.*v:\?(\d+):([\d,]*)/.exec(view) || [];
  return { hand: ascending(numbers(hand, ",")), piles: [numbers(pile, ",").length, numbers(unlaid, ",").length - Number(size)] };
}

/** The plays of a turn. In Face to Face: card and spot (^ v ^' v'). In Take That: a lay, a twist, taking, opening.
 *  @param {string} game @param {string} turn @returns {Play[]} */
export function playsOf(game, turn) {
  if (!turn) return [];
  if (game === FACE) {
    return [...turn.matchAll(/(\d+)([\^v]'?)/g)].map(([text, card, spot]) => ({ text, card: Number(card), spot }));
  }
  const opening = /^take(?:,(\d+))?$/.exec(turn);
  if (opening) {
    const take = { text: "take", spot: "take" };
    return opening[1] ? [take, { text: turn, card: Number(opening[1]), spot: "line" }] : [take];
  }
  const [card, twin] = turn.split("x").map(Number);
  return [twin ? { text: turn, card, spot: `twist-${twin}`, twin } : { text: turn, card, spot: "line" }];
}

/** The table after a play of the player who is to move, who stays to move. @param {Table} table @param {Play} play */
export function lay(table, play) {
  const next = structuredClone(table);
  const own = next.seats[next.mover];
  own.hand = own.hand.filter((card) => card !== play.card);
  if (next.game === FACE) {
    const side = play.spot.endsWith("'") ? next.seats[1 - next.mover] : own;
    side.tops[play.spot[0]] = play.card;
  } else if (play.spot === "take") next.line = [];
  else if (play.twin) next.line = next.line.filter((card) => card !== play.twin);
  else next.line.push(play.card);
  return next;
}

/** A position as it is written, with its hands in order; what is no position, or hides cards, stays as it is. */
export function tidied(game, text) {
  const table = text.includes("?") ? null : tableOf(game, text);
  return table ? textOf(table) : text;
}

const SIGNS = { " ": "_", ",": ".", "^": "a", ":": "h", "+": "p", "'": "o" };

/** A notation as addresses spell it (`spelled` in solver/backtrick/notation.py): no sign has to be escaped. */
export const spelled = (text) => text.replace(/[ ,^:+']/g, (sign) => SIGNS[sign]);

const MEANT = Object.fromEntries(Object.entries(SIGNS).map(([sign, other]) => [other, sign]));

/** The notation that a text means in either spelling: a letter is a sign only behind a number, or behind the sign of a pile. */
export const plain = (text) => text.replace(/[_.]|(?<=\d)[ap]|(?<=\d[av^])[ho]/g, (sign) => MEANT[sign]);
