"""What cannot all be true is raised with its position, and never answered: kernels that lie, one lie at a time, in both games."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from backtrick import face_to_face, take_that
from backtrick.answer import Answer, Bounds
from backtrick.bounds import Outcome
from backtrick.budget import Budget
from backtrick.errors import BacktrickError, ContradictionError, NotSolvedError
from backtrick.face_to_face import deal as duels
from backtrick.face_to_face import solving as duel_ends
from backtrick.game import SolveOptions
from backtrick.proofs import prove
from backtrick.take_that import deal as rounds
from backtrick.take_that import solving as round_ends
from command import ENVIRONMENT, ask
from waiting import PATIENCE

DUEL, DUEL_END = "27^40v:17,18,45+20,33,50 43^20v:5,12+4,9", "52^6v:16,18,19,57 53^15v:4,7,29,44"  # a win; a win in 3
ROUND, ROUND_END = "15,43,44 21,53 51-62-35 12,34,61,52", "15,43,44 21,53 51-62-35"  # worth 8; worth 6
TEXTS = {face_to_face: (DUEL, DUEL_END), take_that: (ROUND, ROUND_END)}
LIMITED = Budget(nodes=10**9)


def refused(question, text: str, problem: str) -> None:
    """The question ends with the error, which says where, under which rules, and what."""
    with pytest.raises(ContradictionError) as found:
        question()
    error = found.value
    assert not isinstance(error, BacktrickError) and (str(error.position), error.problem) == (text, problem)
    assert str(error) == f"{text} under {error.rules}: {problem}. This is a fault of Backtrick; please report it"


class Liar:
    """A team of one solver, whose answers `lie` changes: of a deal by its number, of its turns by their number."""

    def __init__(self, team, value=lambda number, found: found, turns=lambda found: found):
        self.team, self.value, self.turns, self.asked = team, value, turns, 0
        self.alone = SimpleNamespace(turn_values=self._turns, turn_outcomes=self._turns)

    def search(self, *asked):
        self.asked += 1
        return self.value(self.asked, self.team.search(*asked))

    def _turns(self, *asked):
        alone = self.team.alone
        return self.turns((alone.turn_values if hasattr(alone, "turn_values") else alone.turn_outcomes)(*asked))


@pytest.fixture
def lie(monkeypatch):
    """Lets the deals of a game be solved by a liar."""

    def lie(module, **lies):
        honest = module.new_team
        monkeypatch.setattr(module, "new_team", lambda *asked: Liar(honest(*asked), **lies))

    return lie


def crossed(_, found):
    return [(3, 2, nodes, None) for _, _, nodes, _ in found]


def higher(number, found):
    """The value of the position itself is right, and those of its line are one too high."""
    return found if number < 3 else [(low + 1, high + 1, *others) for low, high, *others in found]


def without_turn(number, found):
    return [(*one[:-1], None) for one in found] if number > 2 else found


ROUNDS = {
    "crossed": ({"value": crossed}, (), "it is worth at least 3 and at most 2"),
    "no best turn": ({"value": lambda _, found: without_turn(9, found)}, (), "it is worth 8, but none of its turns is"),
    "a line of less": ({"value": higher}, {"line"},
                       "its principal line comes to 21,53 12,15,43 51-62-35-44 34,61,52, worth -7 instead of -8"),
    "a line that stops": ({"value": without_turn}, {"line"},
                          "it is worth 8, but its principal line stops at 21,53 12,15,43 51-62-35-44 34,61,52"),
    "a turn with crossed bounds": ({"turns": lambda found: [(code, high + 1, high, 0) for code, _, high, _ in found]},
                                   {"outcomes"}, "43 is worth at least 5 and at most 4"),
    "no turn is so good": ({"turns": lambda found: [(code, -9, -9, 0) for code, *_ in found]}, {"outcomes"},
                           "it is worth 8, but the best of its turns, 43, -9"),
    "a turn is too good": ({"turns": lambda found: [(code, 9, 9, 0) for code, *_ in found]}, {"outcomes"},
                           "it is worth 8, but the best of its turns, 43, 9"),
    "the best turn is not": ({"turns": lambda found: [(code, 8, 8, 0) if code == 43 else (code, 0, 0, 0) for code, *_ in found]},
                             {"outcomes"}, "it is worth 8, but 44, which is called best, 0"),
}  # fmt: skip


@pytest.mark.parametrize(("lies", "want", "problem"), ROUNDS.values(), ids=ROUNDS)
def test_deals_of_take_that(lie, lies, want, problem):
    lie(rounds, **lies)
    refused(lambda: take_that.solve(ROUND, want={"best", *want}), ROUND, problem)


def test_the_end_of_a_line_of_take_that(lie):
    """The last turn takes 8 points; a value of -7 before it cannot be."""
    honest = take_that.solve(ROUND, want={"line"})
    last = [str(position) for *_, position in take_that.GAME.steps(honest)][-2]
    count = len(honest.line)

    def late(number, found):
        return found if number <= count else [(low + 1, high + 1, *others) for low, high, *others in found]

    lie(rounds, value=late)
    with pytest.raises(ContradictionError, match=f"its principal line comes to {last}, worth"):
        take_that.solve(ROUND, want={"line"})


def lost(_, found):
    return [(1, nodes, None) for _, nodes, _ in found]


DUELS = {
    "two threads": ({"value": lambda _, found: found + lost(0, found)}, (),
                    "one thread finds that it is won, another one that it is lost"),
    "no best turn": ({"value": lambda _, found: without_turn(9, found)}, (), "it is a win, but none of its turns wins"),
    "a win that is lost": ({"value": lost}, (), "it is a loss, but 17^ 18^ 45v' wins"),
    "no turn wins": ({"turns": lambda found: [(turn, 1, 0, 1) for turn, *_ in found]}, {"outcomes"},
                     "it is worth win, but the best of its turns, 17^ 18^, loss"),
    "a line that stops": ({"value": lambda number, found: [(0, 9, None)] if number > 2 else found}, {"line"},
                          "it is a win, but its principal line stops at 43^45v:5,12+4,9 17^40v:18,20,33,50"),
    "a line of two winners": ({"value": lambda number, found: [(2, 9, None)] if number > 2 else found}, {"line"},
                              "its principal line comes to 43^45v:5,12+4,9 17^40v:18,20,33,50, a win once more"),
}  # fmt: skip


@pytest.mark.parametrize(("lies", "want", "problem"), DUELS.values(), ids=DUELS)
def test_deals_of_face_to_face(lie, lies, want, problem):
    lie(duels, **lies)
    refused(lambda: face_to_face.solve(DUEL, want={"best", *want}), DUEL, problem)


def test_the_wrong_player_ends_a_line_of_face_to_face(lie, monkeypatch):
    lie(duels)
    end = face_to_face.Position.parse("58^3v:17 2^50v:3")  # its mover has lost (F13)
    monkeypatch.setattr(duels, "line_by", lambda *_: iter([(None, end)] * 2))
    refused(lambda: face_to_face.solve(DUEL, want={"line"}), DUEL, f"it is a win, but its principal line ends at {end}")


@pytest.mark.parametrize("game", [face_to_face, take_that])
@pytest.mark.parametrize("limit", ["nodes", "stop"])
def test_a_limit_may_leave_out_turn_and_line(lie, game, limit):
    """Only without a limit is it a fault that something is missing. The stop comes just when the value is known."""
    position, stop = game.GAME.parse(TEXTS[game][0]), bytearray(1)

    def late(_, found):
        stop[0] = limit == "stop"
        return without_turn(9, found)

    lie(duels if game is face_to_face else rounds, value=late)
    budget = LIMITED if limit == "nodes" else Budget()
    found = game.GAME.answer_deal(position, game.PUBLISHED, budget, {"best", "line"}, stop)
    assert found.line is None and found.best is None and found.solved


@pytest.mark.parametrize("game", [face_to_face, take_that])
def test_how_many_turns_are_best_is_known_if_all_are_solved(lie, game):
    def last_is_not(found):
        turn, low, *others = found[-1]
        return [*found[:-1], (turn, 0 if game is face_to_face else low - 1, *others)]

    lie(duels if game is face_to_face else rounds, turns=last_is_not)
    found = game.solve(TEXTS[game][0], want={"outcomes"})
    assert found.solved and not all(one.solved for one in found.outcomes) and found.optimal is None


def of_endgame(monkeypatch, **names):
    """Lies about an endgame of Take That."""
    for name, found in names.items():
        monkeypatch.setattr(round_ends, name, lambda *_, found=found: found)


ROUND_ENDS = {
    "crossed value": (take_that.value, {"_VALUE": (3, 2, 9)}, "it is worth at least 3 and at most 2"),
    "crossed bounds": (take_that.bounds, {"_VALUE": (3, 2, 9)}, "it is worth at least 3 and at most 2"),
    "crossed answer": (take_that.solve, {"_ANSWER": (3, 2, 9, -1, [-1], 9)}, "it is worth at least 3 and at most 2"),
    "no line": (take_that.solve, {"_ANSWER": (6, 6, 9, 1, [-2], 9)}, "it is worth 6, but the principal line is not: no turn"),
    "a line of less": (take_that.solve, {"_ANSWER": (6, 6, 9, 1, [44, 1, -2], 9)},
                       "it is worth 6, but the principal line is not: 44 | take"),
    "a turn with crossed bounds": (take_that.outcomes, {"_TURN_VALUES": ([(43, 1, 0)], 9)}, "43 is worth at least 1 and at most 0"),
    "wrong turns": (lambda text: take_that.solve(text, want={"outcomes"}),
                    {"_TURN_VALUES": ([(43, 5, 5), (44, 4, 4), (143, 0, 0), (1, 0, 0)], 9)},
                    "it is worth 6, but the best of its turns, 43, 5"),
}  # fmt: skip


@pytest.mark.parametrize(("ask_for", "lies", "problem"), ROUND_ENDS.values(), ids=ROUND_ENDS)
def test_endgames_of_take_that(monkeypatch, ask_for, lies, problem):
    of_endgame(monkeypatch, **lies)
    refused(lambda: ask_for(ROUND_END), ROUND_END, problem)


def test_bounds_that_do_not_cross_are_no_fault(monkeypatch):
    of_endgame(monkeypatch, _VALUE=(2, 3, 9), _ANSWER=(2, 3, 9, -1, [-1], 9))
    for ask_for in (take_that.value, take_that.solve):
        with pytest.raises(NotSolvedError):
            ask_for(ROUND_END)


@pytest.mark.parametrize("line", [[], [144, 263], [144, 263, 77, 77]], ids=["none", "short", "long"])
def test_endgames_of_face_to_face(monkeypatch, line):
    monkeypatch.setattr(duel_ends._solve, "answer", lambda *_: (3, 1, line))
    with pytest.raises(ContradictionError, match="it lasts 3 turns, but the principal line is: ") as found:
        face_to_face.solve(DUEL_END)
    assert str(found.value.position) == DUEL_END


@pytest.mark.parametrize("want", [{"best"}, {"best", "line"}], ids=["best", "line"])
def test_arrays_of_face_to_face(monkeypatch, want):
    """The second of three endgames has no best turn, though it is worth 3."""
    honest = duel_ends._solve.answer_range

    def lying(positions, values, best, optimal, lines, *others):
        place = honest(positions, values, best, optimal, lines, *others)
        for array in (best, lines):
            if array is not None:
                array[1] = 0
        return place

    monkeypatch.setattr(duel_ends._solve, "answer_range", lying)
    array = face_to_face.parse_many("\n".join(["27^40v:17,18 13^50v:5,12", DUEL_END, DUEL_END]))
    options = SolveOptions(face_to_face.PUBLISHED, want=frozenset(want), threads=1)
    refused(lambda: face_to_face.GAME.answer_array(array, options), DUEL_END,
            "it lasts 3 turns, but the principal line is: no turn")  # fmt: skip


@pytest.mark.parametrize("place", [0, 2])
@pytest.mark.parametrize("want", [{"best"}, {"best", "line"}], ids=["best", "line"])
def test_arrays_of_take_that(monkeypatch, want, place):
    """The kernel says that the line of this endgame is not worth its value."""

    def lying(packed, values, best, lines, *_):
        values[:] = 6
        for array in (best, lines):
            if array is not None:
                array[...] = np.array([44, *[0] * 18])[: array[0].size]
        return -2 - place

    monkeypatch.setattr(round_ends, "_new_solver", lambda *_: SimpleNamespace(solve_range=lying, left=3))
    texts = ["- 12 34", "- 12 35"]
    texts.insert(place, ROUND_END)
    array = take_that.parse_many("\n".join(texts))
    options = SolveOptions(take_that.PUBLISHED, want=frozenset(want), threads=1)
    refused(lambda: take_that.GAME.answer_array(array, options), ROUND_END,
            "it is worth 6, but the principal line is not: 44")  # fmt: skip


def test_no_answer_contradicts_itself():
    position = take_that.Position.parse(ROUND_END)
    refused(lambda: Answer(take_that.GAME, position, take_that.PUBLISHED, Bounds(3, 2)), ROUND_END,
            "it is worth at least 3 and at most 2")  # fmt: skip
    position = face_to_face.Position.parse(DUEL)
    refused(lambda: Answer(face_to_face.GAME, position, face_to_face.PUBLISHED, Bounds("win", "loss")), DUEL,
            "it is worth at least win and at most loss")  # fmt: skip


def test_what_a_file_says_is_no_fault_of_the_search():
    """Of a value from a file `verify` says whether it is right; the outcomes beside it were searched for."""
    answer = take_that.solve(ROUND_END, want={"outcomes"})
    assert Answer(take_that.GAME, answer.position, answer.rules, Bounds(7, 7), "a.set.h5", outcomes=answer.outcomes).value == 7


def test_no_turn_is_best_while_another_may_be_worth_it():
    position, some = take_that.Position.parse(ROUND_END), [Outcome("44", Bounds(2, 2), None), Outcome("15", Bounds(0, 3, 5), None)]
    for bounds in (Bounds(3, 5, 9), Bounds(3, 3)):  # 15 may be worth it
        assert Answer(take_that.GAME, position, take_that.PUBLISHED, bounds, outcomes=some).best is None


def test_a_proof_that_finds_no_turn(lie, monkeypatch):
    """The prover is told a value that is one too high, so no turn is worth it."""
    from backtrick.take_that import proving

    honest = proving.answer_by

    def lying(*asked):
        bounds, turn = honest(*asked)
        return Bounds(int(bounds.lowest) + 1, int(bounds.highest) + 1), turn

    monkeypatch.setattr(proving, "answer_by", lying)
    refused(lambda: list(prove(take_that.GAME, take_that.GAME.parse(ROUND))), ROUND,
            "it is worth 9, but after [] no turn is worth 9")  # fmt: skip


@pytest.mark.parametrize("command", ["solve", "best", "grade", "prove"])
@pytest.mark.parametrize("game", [face_to_face, take_that])
def test_the_command_keeps_the_traceback_and_writes_no_file(lie, monkeypatch, tmp_path, command, game):
    """The first question is answered, then comes the fault: no file."""
    from backtrick.face_to_face import proving as duel_proving
    from backtrick.take_that import proving as round_proving

    text, end = TEXTS[game]
    if game is face_to_face:
        lie(duels, value=lambda _, found: found + lost(0, found))
        monkeypatch.setattr(duel_proving, "DealProver", lambda *_: SimpleNamespace(prove=lambda *_: (2, 9, False)))
    else:
        lie(rounds, value=crossed)
        monkeypatch.setattr(round_proving, "new_team", rounds.new_team)
    target = tmp_path / "answers.txt"
    first = str(next(iter(game.GAME.legal_turns(game.GAME.parse(text), game.PUBLISHED))))
    texts = {"prove": [text], "grade": [text, first]}.get(command, [end, text])
    with pytest.raises(ContradictionError, match="This is a fault of Backtrick"):
        ask(command, *texts, "--output", str(target))
    assert [one.name for one in tmp_path.iterdir()] == []


LYING = """
import sys
from backtrick.cli import main
from backtrick.take_that import deal
class Liar:
    def __init__(self, *_, **named): pass
    def value(self, *_): return 3, 2, 9, None
deal.DealSolver = Liar
sys.exit(main(sys.argv[1:]))
"""


def test_the_exit_code_is_1(tmp_path):
    target = tmp_path / "answers.txt"
    line = [sys.executable, "-c", LYING, "solve", ROUND, "--output", str(target)]
    done = subprocess.run(line, env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (1, "") and not list(tmp_path.iterdir())
    assert done.stderr.startswith("Traceback") and f"ContradictionError: {ROUND} under Rules(" in done.stderr
