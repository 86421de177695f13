// The notation of views: what the player to move sees of a table, and the table of such a text.

import { ascending, FACE, numbers, tableOf } from "./notation.js";

/** @typedef {import("./notation.js").Table} Table */

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
