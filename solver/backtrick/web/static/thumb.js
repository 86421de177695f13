// The rules of thumb: what each costs who ignores it, in percent of the wins or in points (docs/thumb.md; scripts/docs/figures.py writes it). Their
// words are those of the language, in the same order.

import { FACE, TAKE } from "./notation.js";

export const THUMBS = [
  { game: FACE, cost: /* data: thumb.face_to_face: lay the whole hand if it fits / breaking it costs */ 65.6 /* end */ },
  { game: FACE, cost: /* data: thumb.face_to_face: never keep exactly one card / breaking it costs */ 94 /* end */ },
  { game: FACE, cost: /* data: thumb.face_to_face: if you cannot finish, do not lay all that fits / breaking it costs */ 90.3 /* end */ },
  { game: FACE, cost: /* data: thumb.face_to_face: keep two cards that fit on your own piles / breaking it costs */ 8.9 /* end */ },
  { game: FACE, cost: /* data: thumb.face_to_face: with four cards or fewer, help if you cannot finish / breaking it costs */ 79.8 /* end */ },
  { game: FACE, cost: /* data: thumb.face_to_face: with five or six cards, look first at the turns that help / breaking it costs */ 10.6 /* end */ },
  { game: TAKE, cost: /* data: thumb.take_that: take a line of one card / breaking it costs */ 2.25 /* end */ },
  { game: TAKE, cost: /* data: thumb.take_that: do not take a line with a toad while you can lay or twist / breaking it costs */ 11.68 /* end */ },
  { game: TAKE, cost: /* data: thumb.take_that: lay no toad if you can lay another card / breaking it costs */ 3.64 /* end */ },
  { game: TAKE, cost: /* data: thumb.take_that: twist if you can / breaking it costs */ 2.62 /* end */ },
  { game: TAKE, cost: /* data: thumb.take_that: lay no card that your opponent can twist / breaking it costs */ 4.2 /* end */ },
  { game: TAKE, cost: /* data: thumb.take_that: leave your opponent without a move / breaking it costs */ 6.48 /* end */ },
  { game: TAKE, cost: /* data: thumb.take_that: lay only what another of your cards can follow, or take / breaking it costs */ 3.34 /* end */ },
  { game: TAKE, cost: /* data: thumb.take_that: twist if a toad lies in the line / breaking it costs */ 3.6 /* end */ },
];

/** The rule of a day, one of a game: its place among all, and what it costs. @param {string} game @param {number} day */
export function thumbOf(game, day) {
  const of = THUMBS.flatMap((one, place) => (one.game === game ? [{ place, cost: one.cost }] : []));
  return of[day % of.length];
}
