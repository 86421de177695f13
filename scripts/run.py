"""The tour of `make run`: endgames of both games by self-play, solved; a deal of each; complete tables of few cards; matches.

    python scripts/run.py                            all of it, in less than a minute
    python scripts/run.py --count 10 --cards 3       less of it
"""

from __future__ import annotations

import argparse
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import numpy as np

from backtrick import face_to_face, take_that
from backtrick.budget import Budget
from backtrick.cli import main as main_of_command
from backtrick.face_to_face.classes import tables_up_to
from backtrick.face_to_face.samples import selfplay_array
from backtrick.face_to_face.solving import play_many
from backtrick.face_to_face.tablebase import bit_counts
from backtrick.face_to_face.tables.table import counts_of
from backtrick.game import BEST, LINE, SolveOptions
from backtrick.take_that.solving import answer_arrays
from backtrick.take_that.turn import TAKE

COMMITTED = Path(__file__).parent.parent / "benchmarks" / "positions" / "selfplay.txt"
SEED = 2
"""Of the self-play; 1 is that of the committed endgames."""

NEXT = """
Three things to try next:
  backtrick serve         lay out your own cards, solve them, play (`pip install uvicorn httptools` first)
  make findings           what 200,000 endgames of each game say
  docs/quick_start.md     the quick start: positions from the command line and in Python"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=4_000, help="how many endgames of each game to play (default: %(default)s)")
    parser.add_argument("--cards", type=int, default=6, help="tables of at most this many cards (default: %(default)s)")
    parser.add_argument("--games", type=int, default=20, help="how many games of a match (default: %(default)s)")
    parser.add_argument("--tables", default="tablebases", help="where the tables are (default: %(default)s)")
    options = parser.parse_args()
    played = face_to_face.GAME.parse_many(COMMITTED.read_bytes())
    show_face_to_face(played, options.count)
    show_take_that(options.count)
    show_deals()
    show_tables(played, options.tables, options.cards)
    show_matches(options.games)
    print(NEXT)


def title(number: int, words: str) -> None:
    print(f"\n{number}. {words}\n{'=' * (len(words) + 3)}")


def show_face_to_face(committed: np.ndarray, count: int) -> None:
    """Real endgames of Face to Face, by hand sizes, and the win that is hardest to find."""
    title(1, "The Game: Face to Face")
    print(f"Two simple players play whole games until {count:,} reach an endgame: both draw piles are empty, so nothing is hidden.")
    start = time.perf_counter()
    sampled = selfplay_array(count, seed=SEED)
    print(f"That took {time.perf_counter() - start:.1f} s. {len(committed):,} more come with the program. All are solved:")
    positions = np.concatenate([committed, sampled])
    start = time.perf_counter()
    values = face_to_face.solve_many(positions)
    seconds = time.perf_counter() - start
    print(f"{len(positions):,} in {seconds:.3f} s, {len(positions) / seconds:,.0f} per second.")
    print(f"\nEndgames are mostly decided: the player to move wins {np.mean(values % 2):.0%}, usually at once.")
    print(f"\n  {'cards':<7}{'endgames':>9}{'won':>8}{'at once':>9}{'later':>8}   longest")
    mine, theirs = bit_counts(positions["mover_hand"]), bit_counts(positions["opponent_hand"])
    for held in np.unique(mine)[::-1].tolist():
        for other in np.unique(theirs[mine == held])[::-1].tolist():
            some = values[(mine == held) & (theirs == other)]
            if len(some) < len(positions) // 100:
                continue  # too few to say much
            won, at_once = np.mean(some % 2), np.mean(some == 1)
            shares = f"{won:>8.1%}{at_once:>9.1%}{won - at_once:>8.1%}"
            print(f"  {f'{held} v {other}':<7}{len(some):>9,}{shares}   {some.max()} turns")
    longest = positions[values == values[values % 2 == 1].max()]
    fewest = np.argmin(face_to_face.optimal_many(longest, progress=False))
    show_endgame(face_to_face.GAME, longest[fewest], "The win that is hardest to find:")


def show_take_that(count: int) -> None:
    """Real endgames of Take That: the kinds of best turns, and the one with the most to win."""
    title(2, "Take That")
    print(f"{count:,} whole games up to the empty draw pile. A value is in points, those of the player to move minus the others.")
    positions = take_that.GAME.pack(list(take_that.GAME.display.sources["selfplay"].make(count, seed=SEED)))
    start = time.perf_counter()
    values, best, *_ = answer_arrays(positions, {BEST}, take_that.Rules(), progress=None)
    assert best is not None
    seconds = time.perf_counter() - start
    print(f"Solved with their best turns in {seconds:.3f} s, {len(positions) / seconds:,.0f} per second.")
    takes, twists = best == take_that.pack_turn(TAKE), best >= 128
    print(f"\nTaking the line costs points and ends the round, and still it is the best turn in {np.mean(takes):.0%}.")
    print(f"\n  {'best turn':<12}{'endgames':>9}{'mean value':>13}")
    for kind, chosen in (("take", takes), ("twist", twists), ("lay", ~takes & ~twists)):
        if chosen.any():
            print(f"  {kind:<12}{chosen.sum():>9,}{values[chosen].mean():>+13.2f}")
    show_endgame(take_that.GAME, positions[np.argmax(values)], "The endgame with the most to win:")


def show_deals() -> None:
    """A deal of each game."""
    title(3, "Deals: cards are still to be drawn, in a known order")
    print("What is written after + (Face to Face) or at the end (Take That) is the draw pile. Both players know it here.")
    for game in (face_to_face.GAME, take_that.GAME):
        [deal] = game.display.sources["selfplay"].make(1, seed=SEED, piles=8)
        options = SolveOptions(game.published, deal_budget=Budget(seconds=10), want=frozenset({BEST, LINE}))
        [answer] = game.answers([deal], options)
        print(f"\n  {game.display.title}: {deal}")
        print(f"  {answer.text}; best turn: {answer.best_text('none', 'not found')}")
        show_line(game, answer)


def show_tables(played: np.ndarray, directory: str, cards: int) -> None:
    """Builds the complete tables of a few cards, and looks up positions that real endgames lead to."""
    title(4, "Complete tables")
    print(f"Every position of Face to Face with at most {cards} cards in both hands, solved and stored in {directory}:")
    start = time.perf_counter()
    built = face_to_face.build_tables(directory, tables_up_to(cards), say=print)
    classes = sum(sum(counts_of(header)) for header in built)
    seconds = time.perf_counter() - start
    print(f"{len(built)} tables built in {seconds:.1f} s, {classes:,} classes of positions. Tables that were there are kept.")
    positions = with_few_cards(played, cards)
    with face_to_face.open_tablebase(directory) as tables:
        tables.probe_many(positions)
        start = time.perf_counter()
        values = tables.probe_many(positions)
        seconds = time.perf_counter() - start
    rate = f"{len(positions) / seconds:,.0f} per second"
    print(f"{len(positions):,} positions to which best play of the endgames above leads, looked up at {rate}:")
    print(f"{np.count_nonzero(values != face_to_face.solve_many(positions))} differ from the search.")


def show_matches(games: int) -> None:
    """A match of each game between two players that do not see each other's cards."""
    title(5, "Matches: whole games, cards hidden")
    print("A player that samples the hidden cards plays a simple one, each deal twice with the seats swapped:", flush=True)
    for game, simple in (("face_to_face", "frugal"), ("take_that", "eager")):
        options = "--game", game, "--games", str(games), "--seed", "1", "--quiet"
        if code := main_of_command(["match", "sampler", simple, *options]):
            sys.exit(code)


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


def show_endgame(game: Any, packed: np.void, words: str) -> None:
    """Prints an endgame as a board, its value, and how many turns keep it."""
    answer = game.solve(game.unpack(packed[None])[0])
    count = game.count_outcomes(answer.position, answer.rules)
    keeps = "keeps" if answer.optimal == 1 else "keep"
    board = textwrap.indent(answer.position.board(), "    ")
    print(f"\n{words} {answer.position}\n\n{board}\n")
    print(f"  {answer.text}; {answer.optimal} of {count} different turns {keeps} it: {answer.best}")
    show_line(game, answer)


def show_line(game: Any, answer: Any) -> None:
    """Prints the line of best play, if it is known."""
    if answer.line:
        turns = (f"{turn} {points:+}" if points else str(turn) for turn, points, _ in game.steps(answer))
        print("  best play: " + " | ".join(turns))


if __name__ == "__main__":
    main()
