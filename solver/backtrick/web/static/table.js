// The table as elements: both seats, their hands, piles and draw piles, and the line. It shows what it is given and knows no rule.
//
// A zone is a place for cards, named by a key: hand-0, pile-0^, pile-0v, draw-0 (and -1), line, draw. `look` says how a card or
// a zone looks and what it is called; `click` is told which card of which zone was clicked.

import { make, picture } from "./dom.js";
import { FACE, TAKE } from "./notation.js";
import { WORDS } from "./words.js";

/** @typedef {{class?: string, words?: string[], marks?: {kind: string, text: string, words?: string}[], title?: string, pressed?: boolean}} CardLook */
/** @typedef {{
 *   head: (seat: number) => any, down: (zone: string) => boolean, shows: (zone: string) => boolean, zoneClass: (zone: string) => string,
 *   say: (zone: string) => any, lineEnd: () => any, card: (zone: string, number: number) => CardLook,
 * }} Look
 */

/** The key of the pile that a spot of a turn means, for the player of a seat. */
export function zoneOf(game, seat, spot) {
  if (game === TAKE) return "line";
  return `pile-${spot.endsWith("'") ? 1 - seat : seat}${spot[0]}`;
}

/** The name of a card's picture. */
export const symbolOf = (game, seat, number) => (game === FACE ? `${seat ? "second" : "first"}-${number}` : `card-${number}`);

/** What a zone is called. */
export function zoneName(zone) {
  const [kind, rest] = zone.split("-");
  if (kind === "line") return WORDS.line;
  if (kind === "draw" && rest === undefined) return WORDS.draw_pile;
  const words = { hand: WORDS.hand, draw: WORDS.draw_pile, pile: WORDS.piles[rest[1]] }[kind];
  return `${WORDS.seat[rest[0]]}: ${words}`;
}

/** A table that is only looked at. @param {Look["card"]} [card] @returns {Look} */
export const plainLook = (card = () => ({})) => ({
  head: (seat) => make("header", {}, make("h3", {}, WORDS.seat[seat])),
  down: () => false, shows: () => false, zoneClass: () => "", say: () => null, lineEnd: () => null, card,
});

/** Puts the pictures of the cards into the document, which uses them by their names. @param {Element} place @param {string} text as SVG */
export function putSymbols(place, text) {
  place.append(document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true));
  document.documentElement.dataset.drawn = "yes";
  return [...place.querySelectorAll("symbol")].map((symbol) => symbol.id);
}

/** @param {import("./notation.js").Table} table @param {Look} look */
export function drawTable(table, look) {
  const middle = table.game === TAKE ? [lineOf(table, look)] : [make("hr", { class: "middle", "aria-hidden": "true" })];
  return [seatOf(table, 0, look), ...middle, seatOf(table, 1, look)]; // the keyboard comes to the own hand first; style.css puts it below
}

function seatOf(table, seat, look) {
  const side = table.seats[seat];
  const hand = zoneElement(`hand-${seat}`, "hand", side.hand.map((number) => card(table, seat, `hand-${seat}`, number, look)), look,
    side.hand.length ? null : WORDS.empty_hand);
  const rows = [hand];
  if (table.game === FACE) {
    const piles = ["^", "v"].map((sign) => pile(table, seat, sign, look));
    rows.push(make("div", { class: "piles" }, piles, stack(table, `draw-${seat}`, seat, side.pile, look)));
  }
  const mover = table.mover === seat;
  const name = `${WORDS.seat[seat]}${mover ? `, ${WORDS.to_move}` : ""}`;
  return make("section", { class: `seat seat-${seat}${mover ? " mover" : ""}`, "aria-label": name }, look.head(seat), rows);
}

function pile(table, seat, sign, look) {
  const zone = `pile-${seat}${sign}`;
  const sayings = look.say(zone);
  return make(
    "div", { class: "zone pile", data: { zone } },
    make("span", { class: "pile-sign", "aria-hidden": "true" }, sign === "^" ? "\u25b2" : "\u25bc"),
    card(table, seat, zone, table.seats[seat].tops[sign], look),
    sayings,
  );
}

function lineOf(table, look) {
  const cards = table.line.map((number) => card(table, 0, "line", number, look));
  const end = look.lineEnd();
  const line = zoneElement("line", "line", [...cards, end], look, table.line.length || end ? null : WORDS.empty_line);
  return make("section", { class: "middle", "aria-label": WORDS.line }, make("h3", {}, WORDS.line), line, stack(table, "draw", 0, table.pile, look));
}

/** A draw pile in its order, as a fan of small cards. Shown empty only where cards can be put into it. */
function stack(table, zone, seat, cards, look) {
  if (!cards.length && !look.shows(zone)) return null;
  if (look.down(zone)) {
    const count = make("span", { class: "empty" }, WORDS.cards(cards.length));
    const lying = zoneElement(zone, "stack", [card(table, seat, zone, 0, look), count], look, null);
    return make("div", { class: "draw" }, make("h4", {}, WORDS.draw_pile), lying);
  }
  const small = cards.map((number) => card(table, seat, zone, number, look));
  const words = cards.length ? [`${WORDS.draw_pile} (${cards.length})`, make("small", {}, WORDS.draw_order)] : WORDS.draw_pile;
  return make("div", { class: "draw" }, make("h4", {}, words), zoneElement(zone, "stack", small, look, cards.length ? null : "\u2013"));
}

function zoneElement(zone, kind, cards, look, empty) {
  const words = empty && make("span", { class: "empty" }, empty);
  const attributes = { class: `zone ${kind} ${look.zoneClass(zone)}`, role: "group", "aria-label": zoneName(zone), data: { zone } };
  return make("div", attributes, cards, words, look.say(zone));
}

/** Small signs on a card or a place. */
export const marksOf = (marks) => marks.map((mark) => make("span", { class: `mark ${mark.kind}`, "aria-hidden": "true" }, mark.text));

function card(table, seat, zone, number, look) {
  if (look.down(zone)) return make("span", { class: "card" }, picture("back"));
  /** @type {CardLook} */
  const found = look.card(zone, number);
  const name = make("span", { class: "number", "aria-hidden": "true" }, String(number));
  return make(
    "button",
    {
      type: "button",
      class: `card ${found.class || ""}`,
      title: found.title,
      "aria-label": [number, zoneName(zone), ...(found.words || [])].join(", "),
      "aria-pressed": found.pressed === undefined ? null : String(found.pressed),
      data: { key: `${zone}:${number}`, zone, card: number },
    },
    picture(symbolOf(table.game, seat, number)),
    name,
    marksOf(found.marks || []),
  );
}
