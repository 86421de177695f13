"""Others judge our equilibria: Gambit's exact program and OpenSpiel's sequence form solve the same trees, from files `.efg`.

Both are asked seldom, because Gambit is built for half an hour. What they said is kept in `tests/data/judged.tsv`, with which
tests/play/test_judged.py compares. In an environment that has them besides Backtrick's own extra `equilibrium`,

    pip install pygambit open_spiel cvxpy ecos
    PYTHONPATH=solver python tests/oracles/judges.py --ask      # asks about every line again, and writes the file
    PYTHONPATH=solver python tests/oracles/judges.py --draw 200 # adds states at random, until there are so many of each game
    PYTHONPATH=solver python tests/oracles/judges.py --time 40  # how long each takes, side by side

A line has the game, its rule options, the public state, the value by Gambit as a fraction, the value by OpenSpiel, and how much the
plans that Backtrick tells can be exploited by OpenSpiel's reckoning; `-` where one did not end within thirty seconds of the
processor.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib import metadata
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "support")]

DATA = ROOT / "tests" / "data" / "judged.tsv"
SECONDS = 30.0
MIB = 4
"""Of a tree that is drawn: 2,800 states."""


class Case(NamedTuple):
    """A line of the data."""

    game: str
    options: str
    state: str
    gambit: str = "-"
    openspiel: str = "-"
    exploitable: str = "-"

    def game_and_state(self) -> tuple[Any, Any]:
        """The game and its public state, with the rules."""
        import hidden_games
        import kuhn

        if self.game == "kuhn":
            return kuhn.GAME, kuhn.Public(kuhn.Rules(int(self.state)))
        if self.game in hidden_games.GAMES:
            game = hidden_games.GAMES[self.game]
            return game, game.public_state(hidden_games.Rules(int(self.state)))
        from backtrick.games import game_of

        game = game_of(self.game)
        rules = game.rules_with(json.loads(self.options)) if self.options != "-" else game.published
        return game, game.public_state.parse(self.state, rules=rules)


HEAD = """# what Gambit and OpenSpiel said: python tests/oracles/judges.py --ask
# game, options, state, value by Gambit, by OpenSpiel, how much our plans can be exploited"""


def cases() -> list[Case]:
    """What the data says."""
    return [Case(*line.split("\t")) for line in DATA.read_text().splitlines() if not line.startswith("#")]


def write(found: dict[Case, Case]) -> None:
    """Writes the data anew. found: each case as it was asked, with what is said of it."""
    new = DATA.with_suffix(".new")
    new.write_text("\n".join([HEAD, *map("\t".join, found.values())]) + "\n")
    new.replace(DATA)


def plans_of(game: Any, public: Any, table_mib: int | None = None) -> Any:
    """The plans by the program of all sequences, whatever faster way the game has."""
    from backtrick.budget import Budget
    from backtrick.play import sequences
    from backtrick.play.plans import Question
    from backtrick.play.public_state import read_ranges

    question = Question(read_ranges(public, None), Fraction(0), Budget(table_mib=table_mib), bytearray(1), False)
    return sequences.solve(public, game, question)


# The judges, each in a process of its own: a line of standard input is a file, a line of standard output what is said of it


def gambit() -> Callable[[str], list[str]]:
    import pygambit

    def ask(path: str) -> list[str]:
        game = pygambit.read_efg(path)
        begun = time.process_time()
        [found] = pygambit.nash.lp_solve(game, rational=True).equilibria
        if not all(found.is_defined_at(one) for player in game.players for one in player.infosets):
            # of 16.7: an information set whose turns all lose may play none of them, and then its loss is not counted
            [found] = pygambit.nash.lp_solve(game, rational=True, use_strategic=True).equilibria
        return [str(Fraction(found.payoff(next(iter(game.players))))), f"{time.process_time() - begun:.4f}"]

    return ask


def openspiel() -> Callable[[str], list[str]]:
    import pyspiel
    from open_spiel.python.algorithms import exploitability, lp_solver, sequence_form_lp
    from open_spiel.python.policy import TabularPolicy

    near = dict.fromkeys(("abstol", "reltol", "feastol", "abstol_inacc", "reltol_inacc", "feastol_inacc"), 1e-9)
    lp_solver.DEFAULT_SOLVER_KWARGS.update(near)  # it asks for seven digits

    def ask(path: str) -> list[str]:
        game = pyspiel.load_efg_game(Path(path).read_text())
        begun = time.process_time()
        value, *_ = sequence_form_lp.solve_zero_sum_game(game, solver="ECOS")
        seconds = time.process_time() - begun
        told, policy = json.loads(Path(path).with_suffix(".json").read_text()), TabularPolicy(game)
        for state in policy.states:
            seen = state.information_state_string()
            shares = told[state.current_player()][int(seen.replace(" ", "-").split("-")[2]) - 1]
            row = policy.action_probability_array[policy.state_lookup[seen]]
            row[:] = 0
            for action in state.legal_actions():
                row[action] = shares[state.action_to_string(action)]
        return [f"{value:.12f}", f"{exploitability.nash_conv(game, policy):.3e}", f"{seconds:.4f}"]

    return ask


JUDGES = {"gambit": gambit, "openspiel": openspiel}


class Judge:
    """A judge, which is stopped and begins anew if it takes too long."""

    def __init__(self, name: str):
        self.name, self.process = name, None

    def ask(self, path: Path) -> list[str] | None:
        """What it says of a file; None if it does not end in time."""
        if self.process is None:
            asked = [sys.executable, __file__, "--judge", self.name]
            self.process = subprocess.Popen(asked, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            self.process.stdout.readline()  # it is ready
        self.process.stdin.write(f"{path}\n")
        self.process.stdin.flush()
        said = self.process.stdout.readline()
        if not said:
            self.process.wait()
            self.process = None
        return json.loads(said) if said else None


def judge(name: str) -> None:
    """What a process of a judge does. The system ends it once a file has taken too long."""
    import resource

    answers, sys.stdout = sys.stdout, sys.stderr  # a solver may print
    ask = JUDGES[name]()
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        resource.setrlimit(resource.RLIMIT_CPU, (ceil(time.process_time() + SECONDS), resource.RLIM_INFINITY))
        try:
            said = ask(line.strip())
        except Exception as error:
            print(f"{name}: {error!r}", file=sys.stderr)
            said = None
        print(json.dumps(said), file=answers, flush=True)


# Cases


GIVEN = [
    *(Case("kuhn", "-", str(cards)) for cards in range(3, 14)),
    *(Case("leduc", "-", str(size)) for size in (2, 3)),
    *(Case("dice", "-", str(size)) for size in (2, 3, 4)),
    *(Case("goofspiel", "-", str(size)) for size in (3, 4)),
    *(Case("pennies", "-", str(size)) for size in (1, 3)),
    *(Case("middle", "-", str(size)) for size in (3, 4, 5)),
]


def face_to_face(numbers: random.Random) -> Case:
    from oracles.published_deck import random_public

    piles = numbers.choice(((1, 2), (2, 2), (3, 0), (0, 3), (3, 1), (3, 2), (4, 1), (4, 2), (1, 3), (2, 3), (1, 4), (3, 3)))
    public = random_public(numbers, (2, 2) if numbers.random() < 0.8 else (2, 3), piles)
    return Case("face_to_face", '{"lone_card": true}' if public.rules.lone_card else "-", str(public))


def take_that(numbers: random.Random) -> Case:
    from backtrick.take_that.rule_options import DECK

    held, other, pile = numbers.randint(1, 2), numbers.randint(1, 2), numbers.choice((1, 1, 2))
    line: list[int] = []

    def close(card: int, reach: int) -> bool:
        return card not in line and (not line or abs(card - line[-1]) <= reach)

    for _ in range(numbers.randint(0, 3)):
        line.append(numbers.choice([card for card in DECK if close(card, 10)]))
    near = [card for card in DECK if close(card, 12) or (card not in line and card % 10 * 10 + card // 10 in line)]
    unseen = numbers.sample(near, min(held + other + pile, len(near)))
    gone = ",".join(str(card) for card in DECK if card not in (*line, *unseen))
    options = numbers.choice(["-", '{"forced_only": true}', '{"professional": true}', '{"empty_line": "ends"}',
                              '{"forced_only": true, "professional": true}', '{"forced_only": true, "empty_line": "ends"}'])
    return Case("take_that", options, f"?{held} ?{other} {'-'.join(map(str, line)) or '-'} ?{pile} !{gone}")


def missing(count: int, known: set[Case]) -> Iterator[Case]:
    """Games that are not known, then small states of ours, mostly with a value that is not that of every hand, until there are so
    many of each. known: without what is said of them."""
    from backtrick.errors import BacktrickError

    yield from (case for case in GIVEN if case not in known)
    for make in (face_to_face, take_that):
        there = sum(case.game == make.__name__ for case in known)
        numbers, left = random.Random(f"{make.__name__} {there}"), count - there
        while left > 0:
            case = make(numbers)
            try:
                plans = plans_of(*case.game_and_state(), MIB)
            except BacktrickError:
                continue  # no game shows it, or too much can follow
            worth = {one.value for one in plans.hands(()).values()}
            if case not in known and plans.tree.states >= 30 and (len(worth) > 1 or numbers.random() < 0.2):
                left -= 1
                yield case


def judged(case: Case, judges: dict[str, Judge], folder: Path) -> tuple[Case, dict[str, float]]:
    """A case with what is said of it, and the seconds of the processor of each, ours with the tree."""
    game, public = case.game_and_state()
    path = folder / "game.efg"
    path.write_text(game.extensive_form(public))
    begun = time.process_time()
    plans = plans_of(game, public)
    seconds = {"backtrick": time.process_time() - begun}
    told = [[dict(zip(map(str, own.turns), map(float, shares), strict=True)) for own, shares in zip(*of_one, strict=True)]
            for of_one in zip(plans.tree.sets, plans.told, strict=True)]  # fmt: skip
    path.with_suffix(".json").write_text(json.dumps(told))
    gambit, openspiel = judges["gambit"].ask(path), judges["openspiel"].ask(path)
    if gambit:
        case, seconds["gambit"] = case._replace(gambit=gambit[0]), float(gambit[1])
        if plans.low != Fraction(gambit[0]) or plans.high != Fraction(gambit[0]):
            print(f"DIFFERS: {case}: {plans.low} {plans.high}", file=sys.stderr)
    if openspiel:
        case, seconds["openspiel"] = case._replace(openspiel=openspiel[0], exploitable=openspiel[1]), float(openspiel[2])
    return case, seconds


# How long each takes


TIMED = {
    "Kuhn poker, 3 cards": [Case("kuhn", "-", "3")],
    "Kuhn poker, 13 cards": [Case("kuhn", "-", "13")],
    "liar's dice, 4 faces": [Case("dice", "-", "4")],
    "Goofspiel, 4 cards": [Case("goofspiel", "-", "4")],
    "Leduc hold'em": [Case("leduc", "-", "3")],
}
LARGER = {
    "Face to Face, hands of 2, piles of 3 and 1": [Case("face_to_face", "-", "3^13v:?2:2,14,22,32,33 3^33v:?2:2,22,23")],
    "Face to Face, hands of 3 and 2, piles of 3 and 1":
        [Case("face_to_face", "-", "24^3v:?3:2,6,13,16,23,25 3^25v:?2:14,22,24")],
    "Take That, hands of 2, pile of 2":
        [Case("take_that", "-", "?2 ?2 34-41 ?2 !" + ",".join(
            str(card) for card in range(12, 99) if card % 10 and card not in (12, 21, 34, 39, 41, 43, 44, 55)))],
}  # fmt: skip
REAL = Case("face_to_face", "-", "36^3v:?6:8,21,25,29,31,47,50,53,56 57^10v:?6:2,13,18,26,29,39,40,59")


def side_by_side(count: int, judges: dict[str, Judge], folder: Path) -> list[list[object]]:
    """A row for each game or sort of states: the mean seconds of the processor where all end. Ours have the tree in them and end
    with a fraction that is checked; of the judges only the work after the file is read is counted."""
    rows: list[list[object]] = [["game", "trees", "states in a tree", *NAMES.values()]]
    timed = dict(TIMED)
    for name, title in (("face_to_face", "Face to Face"), ("take_that", "Take That")):
        ours = [case for case in cases() if case.game == name and "professional" not in case.options]
        timed[f"{title}, of the data"] = ours[:: max(1, len(ours) // count)][:count]
    judged(TIMED["Leduc hold'em"][0], judges, folder)  # what each does once
    for title, asked in {**timed, **LARGER}.items():
        found: list[dict[str, float]] = []
        states = 0
        for case in asked:
            game, public = case.game_and_state()
            _, seconds = judged(case, judges, folder)
            if case.game in ("face_to_face", "take_that"):
                begun = time.process_time()
                game.equilibrium(public, gap=0)
                seconds["kernel"] = time.process_time() - begun
            states += plans_of(game, public).tree.states
            found.append(seconds)
        told = [_mean([one.get(name) for one in found], found) for name in NAMES]
        rows.append([title, len(asked), states // len(asked), *told])
        print(*rows[-1], sep="\t", flush=True)
    game, public = REAL.game_and_state()
    begun = time.process_time()
    game.equilibrium(public)
    rows.append(["Face to Face, a state of a whole game", 1, "-", "-", f"{time.process_time() - begun:.3g} s", "-", "-"])
    print(*rows[-1], sep="\t", flush=True)
    return rows


NAMES = {"backtrick": "Backtrick, the default", "kernel": "its kernel", "gambit": "Gambit, in fractions", "openspiel": "OpenSpiel"}


def _mean(seconds: list[float | None], found: list[dict[str, float]]) -> str:
    """The mean of those that ended, and how many did not."""
    ended = [one for one in seconds if one is not None]
    late = f", {len(found) - len(ended)} not" if 0 < len(ended) < len(found) else ""
    return f"{sum(ended) / len(ended):.3g} s{late}" if ended else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description="Gambit and OpenSpiel solve the same games.")
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("--ask", action="store_true", help="ask about every line of the data again, and write it")
    asked.add_argument("--draw", type=int, metavar="N", help="add games, and states at random until there are N of each of ours")
    asked.add_argument("--time", type=int, metavar="N", help="how long each takes, also for N states of each of our games")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the table of --time there, as in docs/data")
    asked.add_argument("--judge", choices=JUDGES, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.judge:
        judge(given.judge)
        return
    judges = {name: Judge(name) for name in JUDGES}
    found = {case._replace(gambit="-", openspiel="-", exploitable="-"): case for case in cases()}
    with TemporaryDirectory() as folder:
        if given.time:
            sys.path.append(str(ROOT / "benchmarks"))
            import record

            told = [f"{name} {metadata.version(name)}" for name in ("pygambit", "open_spiel", "cvxpy", "ecos", "scipy")]
            record.write(given.json, {"times": side_by_side(given.time, judges, Path(folder))}, ", ".join(told))
        for asked in () if given.time else missing(given.draw, {*found}) if given.draw else list(found):
            found[asked], seconds = judged(asked, judges, Path(folder))
            write(found)
            times = (f"{name} {one:.3f} s" for name, one in seconds.items())
            print(f"{asked.game} {asked.state[:60]}: {found[asked].gambit}", *times, sep="\t", flush=True)
    for one in judges.values():
        if one.process:
            one.process.kill()


if __name__ == "__main__":
    main()
