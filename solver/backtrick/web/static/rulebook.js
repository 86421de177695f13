// The rules in the words of a player: in a minute, step by step, and each by its number. The numbers are those of docs/rules.md.

import { FACE, TAKE } from "./notation.js";

/** The rules in a minute. Each step lays a turn on the same table. */
export const STEPS = {
  [FACE]: {
    start: "27^40v:17,28,33,45 29^35v:12,36",
    steps: [
      { turn: "", words: "You sit below, with a hand of cards and two piles. Get rid of all your cards before the opponent does. In a turn, lay two cards or more; there is no pass.", rule: "F3" },
      { turn: "28^", words: "On the ascending pile \u25b2 a card must be higher than the top: 28 goes on 27. The smaller the step, the more room is left.", rule: "F5" },
      { turn: "33v", words: "On the descending pile \u25bc a card must be lower than the top: 33 goes on 40.", rule: "F6" },
      { turn: "17^", words: "The back trick: a card exactly 10 back is allowed too, and gives room again. 17 goes on 27. On the descending pile it is 10 up.", rule: "F7" },
      { turn: "45v'", words: "The helpful card: one card a turn may go on a pile of the opponent, but only where it helps them: lower on their \u25b2, higher on their \u25bc. 45 goes on their 35.", rule: "F8" },
      { turn: "28^ 33v 45v'", words: "A player who cannot lay two cards loses. A player who lays the last card wins. Here the draw piles are used up, so both hands lie open.", rule: "F13" },
    ],
  },
  [TAKE]: {
    start: "15,43,48,94 21,53 51-49-35",
    steps: [
      { turn: "", words: "You sit below, with a hand of cards. Between the players lies a line of cards. In a turn, lay a card, twist one, or take the line.", rule: "T3" },
      { turn: "43", words: "Lay: a card goes to the right end of the line if the two differ by at most 10. 43 goes beside 35.", rule: "T4" },
      { turn: "94x49", words: "Twist: a card with the same digits the other way round takes its twin out of the line, wherever it lies. 94 twists 49: two cards, two points for you.", rule: "T5" },
      { turn: "take", words: "Take: a player who cannot or will not do either takes the whole line and loses a point for each card, five for a toad (22, 33 \u2026 88).", rule: "T6" },
      { turn: "", words: "When the draw pile is used up, the round goes on until the line is taken or its last card is twisted. Then the player with more points wins. Here the draw pile is used up, so both hands lie open.", rule: "T7" },
    ],
  },
};

/** What the signs of the page mean. */
export const SIGNS = {
  [FACE]: [
    ["16\u25bc", "16 on your own descending pile; \u25b2 is the ascending one"],
    ["18\u25bc\u2032", "18 on the opponent\u2019s pile: the helpful card, in a dashed frame"],
    ["2 ways", "two orders of laying these cards lead to the same table"],
    ["W3, You win in 3", "if both play their best, the game ends after three more turns, and you win"],
    ["L2, You lose in 2", "in a square: the game ends after two more turns, and you lose"],
    ["\u2715", "may not be laid there; a click says why, and by which rule"],
    ["blue, orange", "your cards, and the opponent\u2019s; the wave on a card is as high as its number"],
    ["+", "a card that was just drawn"],
    ["\u21c4", "a card exactly 10 from the one that you touch: a possible back trick"],
  ],
  [TAKE]: [
    ["44", "44 is laid at the right end of the line"],
    ["94 \u00d7 49", "94 from the hand twists 49 in the line"],
    ["take", "the line is taken"],
    ["+6, +6 points", "if both play their best, you get six points more than the opponent from here on"],
    ["\u22122", "in a square: you get two points less than the opponent"],
    ["\u2715", "may not be done; a click says why, and by which rule"],
    ["\u21c4", "the twisted card of the one that you touch"],
  ],
};

/** Each rule in a sentence. */
export const RULES = {
  F1: "Two players. Each has 60 cards of one colour: the ascending pile begins at 1, the descending one at 60, and the number cards are 2 to 59.",
  F2: "A player holds at most six cards and has a draw pile.",
  F3: "In a turn the player lays at least two cards, or more, up to the whole hand. There is no pass.",
  F4: "At most one of these cards goes on one of the opponent\u2019s piles. All others go on the player\u2019s own piles, in any order.",
  F5: "On the player\u2019s own ascending pile a card is higher than the top, by any amount, or exactly 10 lower: the back trick.",
  F6: "On the player\u2019s own descending pile a card is lower than the top, by any amount, or exactly 10 higher: the back trick.",
  F7: "The back trick may be used as often as a player likes, on both piles, and several times in a row.",
  F8: "On the opponent\u2019s pile a card must improve it: lower than the top of the ascending pile, higher than the top of the descending one. There is no back trick there, and a pile on which nothing lies cannot be improved.",
  F9: "Only the number on top of a pile counts, whoever laid it. So a helpful card can also do harm: it can spoil a back trick.",
  F10: "The helpful card may be laid at any point of the turn.",
  F11: "After the turn the player draws: two cards if only the player\u2019s own piles were used, otherwise up to six in hand.",
  F12: "A player who lays the last number card wins at once.",
  F13: "A player who cannot lay at least two cards loses at once. So does a player with one card left and nothing to draw.",
  F14: "There is no draw.",
  T1: "79 cards: 12 to 98 without 20, 30 \u2026 90. The seven toads are 22, 33 \u2026 88. Every other card has a twisted card, with the digits the other way round.",
  T2: "Two players with nine cards each; the other cards are the draw pile.",
  T3: "In a turn a player lays a card, twists a card of the line or takes the line, and then draws a card.",
  T4: "A card that is laid differs from the right-most card of the line by at most 10. On an empty line any card may be laid, and then nothing else is possible.",
  T5: "A card in hand twists its twisted card, wherever it lies in the line. Both are worth a point each. A toad cannot be twisted.",
  T6: "A player who cannot or will not lay or twist takes the whole line and loses a point for each card, five for a toad. As long as there is a draw pile, the same player then opens a new line.",
  T7: "When the draw pile is empty nobody draws. The round ends when the line is taken, or its last card is twisted. Cards left in hand count nothing.",
  T8: "A player without cards must take the line.",
  T9: "If the draw pile runs out while the line is empty, the next player opens a line, and it is the last one.",
  T10: "The line may be taken even by a player who could lay or twist.",
  T11: "With the professional rule, who takes a line of one card also takes the top card of the draw pile as a minus card. It is off unless it is asked for.",
  T12: "The value is your points less the opponent\u2019s from here on, if both play their best.",
};
