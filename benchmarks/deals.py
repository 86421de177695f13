"""How far exact search of deals goes: `python benchmarks/deals.py [--game take_that]`, from the root of the repository.

For each committed set of deals: the share that is solved within the seconds, mean and median time and nodes. Then what each idea
is worth: the nodes and the time without it. Then a plain recursion in C++ on the deals that it can do. One core; times are the
processor's, so other work on the machine does not count, but takes caches and clock rate. The exit code is 1 if any two values
differ.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple

import machine
import record
from backtrick import face_to_face, take_that
from backtrick.budget import DEAL_MIB, Budget
from backtrick.face_to_face import PUBLISHED
from backtrick.face_to_face._deal import DealSolver as FaceToFaceSolver
from backtrick.game import AnyGame, SolveOptions
from backtrick.take_that._deal import DealSolver as TakeThatSolver
from peers.programs import compile_peer, read_positions

HERE = Path(__file__).parent
EVERY_IDEA = (1 << 9) - 1
HARD = 2_000  # nodes, from which on several threads are compared with one
Found = tuple[int | None, int, float]
"""The value or None, the nodes, and the milliseconds."""


class Side(NamedTuple):
    """What the benchmark knows of a game.

    prefix, sets: the files of deals, by the cards in the pile
    ideas:        of the solver, by bit
    hard, easy:   the set on which ideas are switched off, and that which the plain recursion tries, by default
    value:        of a deal, with some ideas and a stop byte: the value or None, and the nodes
    """

    game: AnyGame
    prefix: str
    sets: tuple[int, ...]
    ideas: tuple[str, ...]
    hard: int
    easy: int
    peer: str
    value: Callable[[Any, int, bytearray], tuple[int | None, int]]


def value_of_duel(deal: face_to_face.Position, ideas: int, stop: bytearray) -> tuple[int | None, int]:
    """1 if the mover wins, 0 if it loses."""
    mover, opponent = ((side.ascending, side.descending, side.hand, side.pile) for side in (deal.mover, deal.opponent))
    outcome, nodes, _ = FaceToFaceSolver(PUBLISHED.code, DEAL_MIB << 20, ideas, stop).solve(mover, opponent)
    return outcome - 1 if outcome else None, nodes


def value_of_round(deal: take_that.Position, ideas: int, stop: bytearray) -> tuple[int | None, int]:
    """The difference in points."""
    hands = take_that.Position(deal.mover, deal.opponent, deal.line).packed
    lowest, highest, nodes, _ = TakeThatSolver(False, True, DEAL_MIB << 20, ideas, stop).value(hands, bytes(deal.pile))
    return lowest if lowest == highest else None, nodes


GAMES = {
    "face_to_face": Side(
        face_to_face.GAME, "deals", (8, 10, 12, 14, 16, 20),
        ("race bounds", "solitaire bounds", "table", "dominance in the table", "dominance between turns", "replies first",
         "order of turns", "look ahead", "simple tops"),
        12, 8, "plain_face_to_face_deals.cpp", value_of_duel,
    ),
    "take_that": Side(
        take_that.GAME, "take_that_deals", (4, 8, 10, 12, 14, 16),
        ("bounds by taking", "bounds of endgames", "table", "other costs in the table", "order of turns", "twins", "experience",
         "opening first", "narrow questions"),
        10, 4, "plain_take_that_deals.cpp", value_of_round,
    ),
}  # fmt: skip


class Watch:
    """Sets a stop byte when this thread of the benchmark has worked for some seconds of the processor."""

    def __init__(self):
        self.clock = time.pthread_getcpuclockid(threading.get_ident())
        self.end, self.stop = 0.0, bytearray(1)
        threading.Thread(target=self._run, daemon=True).start()

    def within(self, seconds: float) -> bytearray:
        self.end, self.stop = time.clock_gettime(self.clock) + seconds, bytearray(1)
        return self.stop

    def _run(self):
        while True:
            time.sleep(0.005)
            if time.clock_gettime(self.clock) > self.end:
                self.stop[0] = 1


class Benchmark(NamedTuple):
    """A game, the watch, and the seconds for each deal."""

    game: Side
    watch: Watch
    seconds: float

    def deals(self, pile: int, count: int) -> list[Any]:
        path = HERE / "positions" / f"{self.game.prefix}_{pile}.txt"
        return [self.game.game.parse(line) for line in read_positions(path)[:count]]

    def solved(self, deal: Any, ideas: int = EVERY_IDEA) -> Found:
        start = time.thread_time()
        value, nodes = self.game.value(deal, ideas, self.watch.within(self.seconds))
        return value, nodes, 1000 * (time.thread_time() - start)

    def without_each_idea(self, pile: int, count: int) -> int:
        """Prints what is found with each idea switched off; returns the number of different values."""
        deals, different = self.deals(pile, count), 0
        full = [self.solved(deal) for deal in deals]
        print("", HEAD, row(f"R {pile}, all ideas", full), sep="\n", flush=True)
        for bit, name in enumerate(self.game.ideas):
            without = [self.solved(deal, EVERY_IDEA & ~(1 << bit)) for deal in deals]
            different += sum(None not in (a[0], b[0]) and a[0] != b[0] for a, b in zip(full, without, strict=True))
            print(row(f"  without {name}", without), flush=True)
        return different

    def together(self, pile: int, count: int, threads: int, table: list[tuple[object, ...]]) -> int:
        """Prints the time by the clock of one thread and of several on the same deals, one after the other; returns the number of
        different values."""
        game = self.game.game
        alone: list[Found] = []
        team: list[Found] = []
        for deal in self.deals(pile, count):
            for search_threads, found in ((1, alone), (threads, team)):
                start = time.perf_counter()
                options = SolveOptions(game.published, Budget(seconds=self.seconds, search_threads=search_threads), threads=1)
                [answer] = game.answers([deal], options)
                value = answer.bounds.lowest if answer.solved else None
                found.append((value, answer.bounds.nodes, 1000 * (time.perf_counter() - start)))
        both = [(a, b) for a, b in zip(alone, team, strict=True) if None not in (a[0], b[0])]
        solved = [sum(value is not None for value, _, _ in found) for found in (alone, team)]
        times = [sum(found[which][2] for found in both if found[0][1] > HARD) for which in (0, 1)]
        print(f"\nR {pile}, by the clock: {solved[0]} of {count} deals solved in one thread, {solved[1]} in {threads} together")
        if times[1]:
            spent = f"{times[0]:.0f} ms in one, {times[1]:.0f} together"
            print(f"deals of more than {HARD:,} nodes: {spent}, {times[0] / times[1]:.2f}x")
            table.append((pile, count, threads, *solved, record.rounded(times[0] / times[1])))
        return sum(a[0] != b[0] for a, b in both)

    def beside_the_peer(self, pile: int, count: int, table: list[tuple[object, ...]]) -> int:
        """Prints what the plain recursion does within ten times the seconds; returns the number of different values.

        table: gets a row
        """
        deals, limit = self.deals(pile, count), 10 * self.seconds
        with tempfile.TemporaryDirectory() as folder:
            program = compile_peer(HERE / "peers" / self.game.peer, Path(folder))
            text = "".join(f"{deal}\n" for deal in deals)
            done = subprocess.run([program, str(limit)], input=text, capture_output=True, text=True, check=True)
        rows = map(str.split, done.stdout.splitlines())
        answers = [(None if value == "-" else int(value), int(spent) / 1e6) for value, spent in rows]
        ours = [self.solved(deal) for deal in deals]
        both = [(a, b) for a, b in zip(answers, ours, strict=True) if None not in (a[0], b[0])]
        different = sum(a[0] != b[0] for a, b in both)
        print(f"\nplain C++ recursion, R {pile}: {len(both)} of {len(deals)} deals within {limit:g} s each")
        times = ["", ""]
        if both:
            times = [record.rounded(mean(each)) for each in ([a[1] for a, _ in both], [b[2] for _, b in both])]
            print(f"on these: plain {times[0]} ms a deal, ours {times[1]} ms; {different} values differ")
        table.append((f"R {pile}", len(deals), len(both), *times))
        return different


HEAD = f"{'':<34} {'deals':>5} {'solved':>8} {'mean ms':>9} {'median':>9} {'worst':>8} {'mean nodes':>11} {'median':>10}"


def row(name: str, found: list[Found]) -> str:
    values, nodes, times = zip(*found, strict=True)
    share = sum(value is not None for value in values) / len(values)
    return (
        f"{name:<34} {len(found):>5} {share:>8.1%} {mean(times):>9.2f} {median(times):>9.3f} {max(times):>8.0f}"
        f" {mean(nodes):>11.0f} {median(nodes):>10.0f}"
    )


def figures(found: list[Found]) -> list[object]:
    """The same as cells of a table."""
    values, nodes, times = zip(*found, strict=True)
    share = sum(value is not None for value in values) / len(values)
    spent = (record.rounded(mean(times)), record.rounded(median(times)))
    return [len(found), f"{share:.0%}".replace("%", " %"), *spent, round(mean(nodes)), round(median(nodes))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=GAMES, default="face_to_face")
    parser.add_argument("--count", type=int, default=100, help="deals of each set")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each deal")
    parser.add_argument("--sets", type=int, nargs="*", help="default: all")
    parser.add_argument("--ideas", type=int, nargs="*", help="the sets on which each idea is switched off")
    parser.add_argument("--ideas-count", type=int, default=40)
    parser.add_argument("--together", type=int, nargs="*", default=[], help="the sets that several threads search together")
    parser.add_argument("--threads", type=int, default=2, help="for --together")
    parser.add_argument("--peer", type=int, nargs="*", help="the sets that the plain recursion tries")
    parser.add_argument("--peer-count", type=int, default=10)
    record.add_json(parser)
    options = parser.parse_args()
    game = GAMES[options.game]
    for pile in (*(options.sets or ()), *(options.ideas or ()), *options.together, *(options.peer or ())):
        if pile not in game.sets:
            parser.error(f"there is no set {pile} of {options.game}, only {', '.join(map(str, game.sets))}")
    print(machine.describe(), "", sep="\n")
    benchmark, different = Benchmark(game, Watch(), options.seconds), 0
    print(HEAD)
    limit = f"finished by plain C++ within {10 * options.seconds:g} s each"
    peer: list[tuple[object, ...]] = [("", "deals", limit, "ms of C++ for these", "ms of Backtrick")]
    table: list[tuple[object, ...]] = [("R", "deals", "solved", "mean ms", "median ms", "mean nodes", "median nodes")]
    for pile in game.sets if options.sets is None else options.sets:
        found = [benchmark.solved(deal) for deal in benchmark.deals(pile, options.count)]
        print(row(f"R {pile}", found), flush=True)
        table.append((pile, *figures(found)))
    for pile in [game.hard] if options.ideas is None else options.ideas:
        different += benchmark.without_each_idea(pile, options.ideas_count)
    team: list[tuple[object, ...]] = [("R", "deals", "threads", "solved by one", "solved together", "speed-up")]
    for pile in options.together:
        different += benchmark.together(pile, options.count, options.threads, team)
    for pile in [game.easy] if options.peer is None else options.peer:
        different += benchmark.beside_the_peer(pile, options.peer_count, peer)
    note = f"processor time of one core, at most {options.seconds:g} s for a deal; {different} values differ"
    record.write(options.json, {"deals": table, "peer": peer, "together": team}, note)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
