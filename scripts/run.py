"""The demonstrations of `make run`: endgames of both games by self-play, solved; a deal of each; the tables of a few cards.

    python scripts/run.py                            all of it, in less than a minute
    python scripts/run.py --count 10 --cards 3       less of it
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from backtrick import face_to_face, take_that
from backtrick.face_to_face.classes import tables_up_to
from backtrick.face_to_face.samples import selfplay_array
from backtrick.face_to_face.solving import play_many
from backtrick.face_to_face.tablebase import bit_counts
from backtrick.face_to_face.tables.table import counts_of
from backtrick.game import BEST, LINE, SolveOptions
from backtrick.take_that.solving import values_and_best_many
from backtrick.take_that.turn import TAKE
from backtrick.work import Budget

COMMITTED = Path(__file__).parent.parent / "benchmarks" / "positions" / "selfplay.txt"
SEED = 2
"""Of the self-play; 1 is that of the committed endgames."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=4_000, help="how many endgames of each game to play (default: %(default)s)")
    parser.add_argument("--cards", type=int, default=6, help="tables of at most this many cards (default: %(default)s)")
    parser.add_argument("--tables", default="tablebases", help="where the tables are (default: %(default)s)")
    options = parser.parse_args()
    played = face_to_face.GAME.parse_many(COMMITTED.read_bytes())
    show_face_to_face(played, options.count)
    show_tables(played, options.tables, options.cards)
    show_take_that(options.count)


def show_face_to_face(committed: np.ndarray, count: int) -> None:
    """Real endgames of Face to Face, by hand sizes, and the one that is hardest to win."""
    print(f"The Game: Face to Face: playing whole games until {count:,} reach their endgame, seed {SEED}")
    start = time.perf_counter()
    sampled = selfplay_array(count, seed=SEED)
    print(f"{len(committed):,} committed endgames and {count:,} played in {time.perf_counter() - start:.1f} s")
    positions = np.concatenate([committed, sampled])
    start = time.perf_counter()
    values = face_to_face.solve_many(positions)
    print(f"solved in {(seconds := time.perf_counter() - start):.3f} s: {len(positions) / seconds:,.0f} positions a second")
    print("\nhands     positions    won   remoteness 0      1      2      3      4      5")
    sizes = 10 * bit_counts(positions["mover_hand"]) + bit_counts(positions["opponent_hand"])
    for size in np.unique(sizes)[::-1].tolist():
        some = values[sizes == size]
        counts = "".join(f"{one:7,}" for one in np.bincount(some, minlength=6))
        print(f"{size // 10} v {size % 10} {len(some):13,} {np.mean(some % 2):6.1%}        {counts}")
    longest = positions[values == values[values % 2 == 1].max()]
    fewest = np.argmin(face_to_face.optimal_many(longest, progress=False))
    print_endgame(face_to_face.GAME, longest[fewest], "the hardest win to find")
    print_deal(face_to_face.GAME, "at most 8 cards still to come in each pile")


def show_take_that(count: int) -> None:
    """Real endgames of Take That: how their values are spread, the kinds of best turns, and the one with the most to win."""
    print(f"\nTake That: playing {count:,} whole games up to their endgame, seed {SEED}")
    positions = take_that.GAME.pack(list(take_that.GAME.display.sources["selfplay"].make(count, seed=SEED)))
    start = time.perf_counter()
    values, best = values_and_best_many(positions)
    seconds = time.perf_counter() - start
    print(f"{len(positions):,} endgames of Take That")
    print(f"solved in {seconds:.3f} s: {len(positions) / seconds:,.0f} positions a second, value and best turn")
    print("\nvalue for the dealer    worst    1 in 10   median   9 in 10     best      mean")
    spread = np.percentile(values, [0, 10, 50, 90, 100])
    print(" " * 19 + "".join(f"{value:+10.0f}" for value in spread) + f"{values.mean():+10.2f}")
    print("\nbest turn     endgames   mean value")
    takes, twists = best == take_that.pack_turn(TAKE), best >= 128
    for kind, chosen in (("take", takes), ("twist", twists), ("lay", ~takes & ~twists)):
        if chosen.any():
            print(f"{kind:<12} {chosen.sum():9,}   {values[chosen].mean():+10.2f}")
    print_endgame(take_that.GAME, positions[np.argmax(values)], "the most to win")
    print_deal(take_that.GAME, "8 cards still to come")


def show_tables(played: np.ndarray, directory: str, cards: int) -> None:
    """Builds the complete tables of a few cards, and looks up positions that real endgames lead to."""
    print(f"\nbuilding the complete tables of at most {cards} cards that are not in {directory}")
    start = time.perf_counter()
    built = face_to_face.build_tables(directory, tables_up_to(cards), say=print)
    classes = sum(sum(counts_of(header)) for header in built)
    print(f"{len(built)} built in {time.perf_counter() - start:.1f} s, {classes:,} classes")
    positions = with_few_cards(played, cards)
    with face_to_face.open_tablebase(directory) as tables:
        tables.probe_many(positions)
        start = time.perf_counter()
        values = tables.probe_many(positions)
        seconds = time.perf_counter() - start
    print(f"{len(positions):,} positions of at most {cards} cards from {len(played):,} endgames and their best lines, "
          f"answered in {seconds:.4f} s: {len(positions) / seconds:,.0f} a second")  # fmt: skip
    print(f"{np.count_nonzero(values != face_to_face.solve_many(positions))} differ from the search")
    counts = np.bincount(values, minlength=4)
    print("remoteness " + ", ".join(f"{value}: {count:,}" for value, count in enumerate(counts.tolist()) if count))


def with_few_cards(positions: np.ndarray, cards: int) -> np.ndarray:
    """The positions of at most `cards` cards among the given ones and those that best turns lead to, except finished games."""
    found = []
    while len(positions):
        positions = positions[positions["opponent_hand"] != 0]
        held = bit_counts(positions["mover_hand"]) + bit_counts(positions["opponent_hand"])
        found.append(positions[held <= cards])
        turns = face_to_face.best_many(positions, progress=False)
        positions = play_many(positions[turns != 0], turns[turns != 0])
    return np.concatenate(found)


def print_endgame(game: Any, packed: np.void, words: str) -> None:
    """Prints an endgame, its value, and how many turns keep it."""
    answer = game.solve(game.unpack(packed[None])[0])
    count = game.count_outcomes(answer.position, answer.rules)
    print(f"\n{words}: {answer.position}\n  {answer.text}; {answer.optimal} of {count} outcomes keep it: {answer.best}")
    print_line(game, answer)


def print_deal(game: Any, words: str) -> None:
    """Prints a deal, its value and the best turn."""
    [deal] = game.display.sources["selfplay"].make(1, seed=SEED, piles=8)
    [answer] = game.answers([deal], SolveOptions(game.published, deal_budget=Budget(seconds=10), want=frozenset({BEST, LINE})))
    print(f"\na deal, {words}: {deal}\n  {answer.text}; {answer.best_text('no turn', 'not found')}")
    print_line(game, answer)


def print_line(game: Any, answer: Any) -> None:
    """Prints the principal line, if it is known."""
    if answer.line:
        turns = (f"{turn} {points:+}" if points else str(turn) for turn, points, _ in game.steps(answer))
        print("  line: " + " | ".join(turns))


if __name__ == "__main__":
    main()
