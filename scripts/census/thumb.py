"""Rules of thumb, each counted over endgames of self-play: how often the best turn that keeps the rule is as good as the best of
all, and what it costs to play the best turn that breaks it.

    python scripts/census/thumb.py                                200,000 endgames of each game
    python scripts/census/thumb.py --count 5000                   fewer
    python scripts/census/thumb.py --json docs/data/thumb.json    also the numbers that docs/thumb.md shows

In Face to Face the endgames are those that the player to move wins, and a cost is a share of wins thrown away; in Take That all
endgames count, and a cost is a mean of points. A rule is counted where it can be kept and can be broken.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backtrick import face_to_face, take_that
from backtrick.take_that.rule_options import DECK, REACH, is_toad, twisted

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import record

SEED = 1


class Turns(NamedTuple):
    """The distinct outcomes of some endgames: of each its endgame, what it is worth to the mover, and whether a rule keeps it."""

    of: np.ndarray
    worth: np.ndarray
    keeps: dict[str, np.ndarray]
    applies: dict[str, np.ndarray]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200_000, help="endgames of each game (default: %(default)s)")
    record.add_json(parser)
    options = parser.parse_args()
    heading = ("rule", "endgames", "keeping it is best", "breaking it costs", "95 %")
    tables = {}
    for name, game, turns_of in (("face_to_face", face_to_face, race_turns), ("take_that", take_that, line_turns)):
        positions = game.samples.selfplay_array(options.count, seed=SEED, progress=False)
        found: dict[str, list[tuple[float, float]]] = {}
        for array, rows, offsets in game.outcomes_in_batches(positions):
            for rule, pairs in costs(turns_of(array, rows, offsets), len(array)):
                found.setdefault(rule, []).extend(pairs)
        tables[name] = [heading, *(row_of(rule, pairs, name == "face_to_face") for rule, pairs in found.items())]
        print(f"\n{game.GAME.title}: {options.count:,} endgames of self-play, seed {SEED}")
        for row in tables[name]:
            print(f"{row[0]:<66}{row[1]:>10}{row[2]:>20}{row[3]:>19}  {row[4]}")
    record.write(options.json, tables, f"seed {SEED}")


def costs(turns: Turns, count: int) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    """For each rule, and each endgame in which it can be kept and broken: what the best turn that keeps it, and that breaks it, is
    worth less than the best of all."""
    best = best_of(turns, np.ones(len(turns.of), bool), count)
    for rule, keeps in turns.keeps.items():
        kept, broken = best_of(turns, keeps, count), best_of(turns, ~keeps, count)
        there = np.isfinite(kept) & np.isfinite(broken) & turns.applies[rule]
        less = (best[there] - one[there] for one in (kept, broken))
        yield rule, list(zip(*(one.tolist() for one in less), strict=True))


def best_of(turns: Turns, some: np.ndarray, count: int) -> np.ndarray:
    """The most that some of the turns of each endgame are worth; minus infinity where there is none."""
    found = np.full(count, -np.inf)
    np.maximum.at(found, turns.of[some], turns.worth[some])
    return found


def row_of(rule: str, pairs: list[tuple[float, float]], as_share: bool) -> tuple[str, ...]:
    kept, broken = np.array(pairs).T
    mean, error = broken.mean(), 1.96 * broken.std() / len(broken) ** 0.5
    text = "{:.1%}".format if as_share else "{:.2f}".format
    cells = text(mean), f"{text(max(mean - error, 0))}..{text(mean + error)}"
    best = f"{(kept == 0).mean():.1%}"
    return rule, f"{len(pairs):,}", *(cell.replace("%", " %") for cell in (best, *cells))


# Face to Face


def race_turns(array: np.ndarray, rows: np.ndarray, offsets: np.ndarray) -> Turns:
    """Wins are worth 1, losses 0. In the row of an outcome the mover of before is the opponent."""
    of = np.repeat(np.arange(len(array)), np.diff(offsets))
    worth = (rows["value"] % 2).astype(float)
    left = bits(rows["opponent_hand"])
    tops = ("ascending", "descending")
    helps = np.any([rows[f"mover_{top}"] != array[f"opponent_{top}"][of] for top in tops], axis=0)
    hand = bits(array["mover_hand"])
    won = np.zeros(len(array))
    np.maximum.at(won, of, worth)
    open_end = np.ones(len(array), bool)  # it cannot be laid whole
    open_end[of[left == 0]] = False
    most = np.full(len(array), 9)
    np.minimum.at(most, of, left)
    fitting = fits(rows["opponent_hand"], rows["opponent_ascending"], rows["opponent_descending"])
    wins = won > 0
    rules: dict[str, tuple[np.ndarray, np.ndarray]] = {
        "lay the whole hand if it fits": (left == 0, wins),
        "never keep exactly one card": (left != 1, wins & open_end),
        "if you cannot finish, do not lay all that fits": (left > most[of], wins & open_end),
        "keep two cards that fit on your own piles": (fitting >= 2, wins & open_end),
        "with four cards or fewer, help if you cannot finish": (helps, wins & open_end & (hand <= 4)),
        "with five or six cards, look first at the turns that help": (helps, wins & (hand >= 5)),
    }
    return Turns(of, worth, {name: one[0] for name, one in rules.items()}, {name: one[1] for name, one in rules.items()})


def bits(hands: np.ndarray) -> np.ndarray:
    return np.unpackbits(np.ascontiguousarray(hands).view(np.uint8).reshape(len(hands), 8), axis=1).sum(axis=1)


def fits(hands: np.ndarray, ascending: np.ndarray, descending: np.ndarray) -> np.ndarray:
    """How many cards of each hand fit on its own piles now (F5, F6)."""
    count = np.zeros(len(hands), int)
    for card in range(2, 60):
        held = (hands >> np.uint64(card) & np.uint64(1)).astype(bool)
        count += held & ((card > ascending) | (card < descending) | (card == ascending - 10) | (card == descending + 10))
    return count


# Take That


def line_turns(array: np.ndarray, rows: np.ndarray, offsets: np.ndarray) -> Turns:
    of = np.repeat(np.arange(len(array)), np.diff(offsets))
    turn, worth = rows["turn"], rows["value"].astype(float)
    take, twist = turn == 1, turn >= 128
    lays = ~take & ~twist
    card = turn & 127
    toad = lays & (card % 11 == 0)
    length = np.count_nonzero(array["line"], axis=1)
    toads = ((array["line"] % 11 == 0) & (array["line"] > 0)).sum(axis=1)
    can_twist = np.zeros(len(array), bool)
    can_twist[of[twist]] = True
    after = rows["position"]
    end = after["line"][np.arange(len(of)), np.maximum(np.count_nonzero(after["line"], axis=1), 1) - 1]  # 0: the round is over
    reply_fits, own_fits = (reaches(after[who], end) for who in ("mover", "opponent"))
    reply_twists, own_twists = (any_twist(after[who], after["line"]) for who in ("mover", "opponent"))
    stuck = (end > 0) & ~reply_fits & ~reply_twists
    gift = lays & (array["opponent"][of] == TWISTED[card][:, None]).any(axis=1)
    every = np.ones(len(array), bool)
    rules: dict[str, tuple[np.ndarray, np.ndarray]] = {
        "take a line of one card": (take, length == 1),
        "do not take a line with a toad while you can lay or twist": (~take, toads > 0),
        "lay no toad if you can lay another card": (~toad, every),
        "twist if you can": (twist, can_twist),
        "lay no card that your opponent can twist": (~gift, every),
        "leave your opponent without a move": (stuck, every),
        "twist if a toad lies in the line": (twist, can_twist & (toads > 0)),
        "lay only what another of your cards can follow, or take": ((end == 0) | stuck | own_fits | own_twists, every),
    }
    return Turns(of, worth, {name: one[0] for name, one in rules.items()}, {name: one[1] for name, one in rules.items()})


TWISTED = np.array([twisted(card) if card in DECK and not is_toad(card) else 255 for card in range(128)])
"""The twisted card of each card (T1); 255 where there is none."""


def reaches(hands: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Whether a card of each hand fits on the end of its line (T4)."""
    return ((np.abs(hands.astype(int) - end[:, None].astype(int)) <= REACH) & (hands > 0) & (end[:, None] > 0)).any(axis=1)


def any_twist(hands: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """Whether a card of each hand twists a card of its line (T5)."""
    return np.any([(lines == TWISTED[card][:, None]).any(axis=1) for card in hands.T], axis=0)


if __name__ == "__main__":
    main()
