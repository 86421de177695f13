// The picture that is shared, 1200 x 630: the table, its value and the best turn, as SVG. Its cards are those of the page.

import { FACE, playsOf, tableOf } from "./notation.js";
import { labelOf } from "./turnview.js";
import { valueWords, WORDS } from "./words.js";

const [WIDTH, HEIGHT, MARGIN] = [1200, 630, 40];
const [TALL, STEP, GAP] = [84, 66, 18];
const IN_A_ROW = 9;
const SMALL = 0.4; // cards of a draw pile
const SIGN = 30; // the room of a pile's triangle
const [PILE, DRAW] = [SIGN + STEP + GAP, 190]; // from pile to pile, and the room for a draw pile of Face to Face

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const escaped = (words) => words.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const text = (x, y, words, size, ink, weight = 400) => `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${colour(ink)}">${escaped(words)}</text>`;
const moved = (markup, x, y, scale = 1) => `<g transform="translate(${x} ${y}) scale(${scale})">${markup}</g>`;

/** A card, in colours that do not need the style sheet of the page. @param {string} name */
const card = (name) => document.getElementById(name).innerHTML.replace(/var\(--([\w-]+)\)/g, (_, one) => colour(one));

/** Cards in rows, and how far they reach. @param {string[]} names */
function cardsOf(names, scale = 1, most = Math.round(IN_A_ROW / scale)) {
  const markup = names.map((name, place) => moved(card(name), (place % most) * STEP * scale, Math.floor(place / most) * (TALL + 6) * scale, scale)).join("");
  const rows = Math.max(1, Math.ceil(names.length / most));
  return { markup, width: Math.min(names.length, most) * STEP * scale, height: rows * (TALL + 6) * scale };
}

/** The blocks of a table, from above. @param {import("./notation.js").Table} table */
function blocksOf({ game, seats, line, pile }) {
  if (game !== FACE) {
    const named = (cards) => cards.map((number) => `card-${number}`);
    return [cardsOf(named(seats[1].hand)), cardsOf(named(line)), cardsOf(named(seats[0].hand)), ...(pile.length ? [cardsOf(named(pile), SMALL)] : [])];
  }
  const [above, below] = [1, 0].map((seat) => {
    const { hand, tops, pile: draw } = seats[seat];
    const named = (cards) => cards.map((number) => `${seat ? "second" : "first"}-${number}`);
    const columns = Math.max(IN_A_ROW, Math.ceil(draw.length / 3));
    const [up, down, left] = [cardsOf(named([tops["^"]])), cardsOf(named([tops.v])), cardsOf(named(draw), Math.min(SMALL, DRAW / STEP / columns), columns)];
    const signs = ["\u25b2", "\u25bc"].map((sign, place) => text(place * PILE, TALL / 2, sign, 20, `${seat ? "second" : "first"}-edge`)).join("");
    const markup = signs + moved(up.markup, SIGN, 0) + moved(down.markup, PILE + SIGN, 0) + moved(left.markup, 2 * PILE + GAP, 0);
    return [cardsOf(named(hand)), { markup, width: 2 * PILE + GAP + left.width, height: TALL }];
  });
  return [...above, ...below.reverse()];
}

/** What is written beside the table. @param {any} answer of the position; null if it is not to be told */
function linesOf(table, answer) {
  if (!answer) return WORDS.puzzle_todo[table.game](table.seats[0].hand.length).split(/(?<=\.) /);
  const value = valueWords(answer, 0);
  return value.kind === "open" ? [] : [value.words, playsOf(table.game, answer.best || "").map((play) => labelOf(table.game, play)).join(" ")];
}

/** The picture of a position. @param {string} game @param {string} position @param {any} answer of its value; null if it is not to be told */
export function pictureOf(game, position, answer) {
  const table = tableOf(game, position);
  const blocks = blocksOf(table);
  const [width, height] = [Math.max(...blocks.map((one) => one.width)), blocks.reduce((sum, one) => sum + one.height + GAP, 0)];
  const scale = Math.min((HEIGHT - 2 * MARGIN) / height, (0.6 * WIDTH) / width);
  let y = 0;
  const drawn = blocks.map((one) => moved(one.markup, 0, (y += one.height + GAP) - one.height - GAP)).join("");
  const lines = [WORDS.games[game], WORDS.is_to_move[0], ...linesOf(table, answer)].filter(Boolean);
  const left = 2 * MARGIN + scale * width;
  const size = Math.min(54, (WIDTH - MARGIN - left) / (0.6 * Math.max(...lines.map((line) => line.length))));
  const words = lines.map((line, place) => text(left, HEIGHT / 2 + (place - lines.length / 2 + 0.7) * 1.6 * size, line, size, "ink", place % 2 ? 400 : 700)).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="'Avenir Next', 'Segoe UI', 'DejaVu Sans', sans-serif">`
    + `<title>${escaped(WORDS.picture_of(position, !answer))}</title><rect width="${WIDTH}" height="${HEIGHT}" fill="${colour("felt")}"/>`
    + `${moved(drawn, MARGIN, (HEIGHT - scale * (height - GAP)) / 2, scale)}${words}${text(WIDTH - 170, HEIGHT - MARGIN, WORDS.name, 26, "faint", 700)}</svg>\n`;
}
