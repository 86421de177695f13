// The notation of positions and turns: texts in, parts out, and back. It reads what the server wrote, and drafts that are not
// well-formed yet. It knows no rule: what is legal, and why not, the server says.

/** @typedef {{hand: number[], pile: number[], tops: Record<string, number> | null}} Side */
/** @typedef {{game: string, seats: Side[], mover: number | null, line: number[], pile: number[]}} Table */
/** @typedef {{text: string, spot: string, card?: number, twin?: number}} Play */

export const FACE = "face_to_face";
export const TAKE = "take_that";

const numbers = (text, sign) => (text && text !== "-" ? text.split(sign).filter(Boolean).map(Number) : []);
const ascending = (cards) => [...cards].sort((one, other) => one - other);

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

const DECK = Array.from({ length: 87 }, (_, place) => place + 12).filter((card) => card % 10); // of Take That

/** What the player to move sees of a table on which all cards lie: a view in notation. @param {Table} table */
export function viewOf({ game, seats, mover, line, pile }) {
  const [own, other] = [seats[mover], seats[1 - mover]];
  if (game === FACE) {
    const text = (side, rest) => `${side.tops["^"]}^${side.tops.v}v:${rest}`;
    const hidden = own.pile.length ? `+?${ascending(own.pile).join(",")}` : "";
    return `${text(own, ascending(own.hand).join(",") + hidden)} ${text(other, `?${other.hand.length}:${ascending([...other.hand, ...other.pile]).join(",")}`)}`;
  }
  const there = new Set([...own.hand, ...other.hand, ...line, ...pile]);
  const gone = DECK.filter((card) => !there.has(card));
  return `${ascending(own.hand).join(",") || "-"} ?${other.hand.length} ${line.join("-") || "-"} ?${pile.length}${gone.length ? ` !${gone.join(",")}` : ""}`;
}

/** The table of a view: the mover's cards, and so many others that lie face down. Null if the text does not look like a view.
 *  @param {string} game @param {string} text @returns {Table | null} */
export function tableSeen(game, text) {
  const down = (count) => Array(Math.min(Math.max(count, 0), DECK.length)).fill(0);
  const [, own, tops, size, unlaid] = /^(\d+\^\d+v:\S*)\s+(\d+\^\d+v:)\?(\d+):([\d,]*)$/.exec(text.trim()) || [];
  if (game === FACE) {
    const table = own ? tableOf(game, `${own} ${tops}`) : null;
    if (table) Object.assign(table.seats[1], { hand: down(Number(size)), pile: down(numbers(unlaid, ",").length - Number(size)) });
    return table;
  }
  const [, hand, other, line, pile = "0"] = /^(-|[\d,]+)\s+\?(\d+)\s+(-|[\d-]+)(?:\s+\?(\d+))?(?:\s+!\S*)?$/.exec(text.trim()) || [];
  const table = hand ? tableOf(game, `${hand} - ${line}`) : null;
  if (table) Object.assign(table, { pile: down(Number(pile)) }).seats[1].hand = down(Number(other));
  return table;
}

/** The mover's hand, and how many cards each draw pile has, of a view of Face to Face. @param {string} view */
export function seenOf(view) {
  const [, hand, pile, size, unlaid] = /v:([\d,]*)(?:\+\??([\d,]*))?\s.*v:\?(\d+):([\d,]*)/.exec(view) || [];
  return { hand: ascending(numbers(hand, ",")), piles: [numbers(pile, ",").length, numbers(unlaid, ",").length - Number(size)] };
}

/** A number that is written as a fraction. @param {string} text */
export function fraction(text) {
  const [above, below = 1] = text.split("/").map(Number);
  return above / below;
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
