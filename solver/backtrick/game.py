"""A game as a value: what every game must offer, and what it may offer.

A game is one object, an instance of a subclass of `Game`. The command line, the tables, the laws in tests/support/laws.py and
adapters ask this object and nothing else. A game joins by a line in `solver/backtrick/games.py`; tests/support/toy.py is a whole
game in one file.

REQUIRED: has no default below. These parts alone suffice to solve a game, slowly: `bounds` is a plain recursion, the readable
definition of the value. OPTIONAL: has a default, which a game overrides because it has a faster way or more to offer. Each part
says what a game does without it. The laws compare every override with the default. The part of the contract about notation and
arrays is `Notation` in `solver/backtrick/notation.py`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Generic, Protocol

import numpy as np

from backtrick.answer import OVER, SEARCH, Answer, Answers, Grade, Grades, Proof
from backtrick.bounds import Bounds, Outcome, P, R, T, Value, exactly
from backtrick.budget import UNLIMITED, Budget
from backtrick.errors import (
    ArgumentError,
    BacktrickError,
    IllegalTurnError,
    NotationError,
    NotSolvedError,
    PackedError,
    RulesError,
    shortened,
)
from backtrick.given import refused, shown, whole
from backtrick.lines import table_text
from backtrick.notation import I64s, Notation, Positions, Rows, as_positions
from backtrick.threads import Made, map_searches, map_threads, search_one, worker_count
from backtrick.turn_in_progress import UNFINISHED, Candidate, TurnInProgress

OUTCOMES, BEST, LINE, OPTIMAL = "outcomes", "best", "line", "optimal"
"""The parts of an answer that can be named in `SolveOptions.want`."""

QUICK = frozenset({BEST, LINE, OPTIMAL})
"""The parts that the answer of an endgame has without being asked for."""


_BEST = frozenset({BEST})

_NOT_FOUND = "not asked for, or not found within the limits"


def _check_asked(budget: object, want: Collection[str]) -> None:
    """Raises `WrongTypeError` for what is no budget, and `ArgumentError` for a part that no answer has."""
    if not isinstance(budget, Budget):
        raise refused("budget", "a Budget, as in Budget(seconds=1)", budget)
    if isinstance(want, str) or not all(part in (OUTCOMES, BEST, LINE, OPTIMAL) for part in want):
        raise ArgumentError(f"want must be a set of {', '.join((OUTCOMES, BEST, LINE, OPTIMAL))}, not {shown(want)}")


class Values(Protocol):
    """A source of values that are known already, as a tablebase is."""

    def values(self, positions: Sequence[Any], threads: int | None = None) -> list[tuple[int, str] | None]:
        """The value of each position and the name of its source; None where it is not known."""


@dataclass(frozen=True, slots=True)
class SolveOptions(Generic[P, R]):
    """How positions are solved.

    rules:       of the game
    budget:      for each position
    threads:     None for one per core
    tablebase:   values of endgames that need no search
    want:        the parts of the answers that will be used, of `BEST`, `LINE`, `OPTIMAL`, `OUTCOMES`; others may be missing
    deal_budget: the budget for each deal; None for the same
    """

    rules: R
    budget: Budget = UNLIMITED
    threads: int | None = None
    tablebase: Values | None = None
    want: frozenset[str] = frozenset()
    deal_budget: Budget | None = None


class Game(Notation[P, T], Generic[P, T, R]):
    """A two-player game whose positions have one exact value, seen from the player who is to move.

    P, T, R are its positions, turns and rules: immutable, hashable, and `str` writes the first two in the game's notation.

    REQUIRED, as class attributes: those of `Notation`

    OPTIONAL, as class attributes
        turn_type: the class of turns. Without, any object is taken for one
        position_dtype, turn_dtype: of arrays, see `Notation`
    """

    __slots__ = ()  # equal by type: of a game's own there is nothing to keep

    published: R

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)  # also one that has travelled

    def __hash__(self) -> int:
        return hash(type(self))

    # REQUIRED: rules

    @abstractmethod
    def legal_turns(self, position: P, rules: R) -> Iterable[T]:
        """Every legal turn, in a fixed order; none if the game is over."""

    @abstractmethod
    def play(self, position: P, turn: T, rules: R) -> tuple[int, P | None]:
        """The points that a turn gives its mover, and the position after it, the next mover first; None if the game is over.

        Raises `BacktrickError` that names the rule if the turn is not legal.
        """

    # OPTIONAL: what values are. Without: points, the mover's minus the opponent's from here on, and the more the better.

    def worth(self, points: int, following: Any) -> Any:
        """The mover's value if a turn that gives `points` leads to a position of value `following`."""
        return points - following

    # OPTIONAL: what is told of a value. Without: the value, also of a deal.

    def reported_value(self, position: P, value: Any) -> Any:
        """What is reported of a value of this position: a game may report less for deals than for endgames."""
        return value

    # OPTIONAL: what the mover is paid. Without: the value.

    def payoffs(self, values: np.ndarray) -> np.ndarray:
        """What values are worth as payoffs of a game in which one player loses what the other gains: float64, the same shape."""
        return values.astype(np.float64)

    # OPTIONAL: proofs that others can check. Without: none.

    def proof(self, position: P, rules: R, budget: Budget, stop: bytearray) -> Proof:
        """What `proofs.prove` writes. Raises `RulesError` if a proof cannot name the rules, and `NotSolvedError`."""
        raise ArgumentError(f"{self.title} has no proofs: `proof` of its Game is missing")

    # OPTIONAL: the middle of a turn, for a page. Without: nothing lies on the table, and a whole turn is one choice.

    def look(self, position: P, laid: str, rules: R) -> TurnInProgress:
        """The table in the middle of a turn, after the plays of `laid`, empty for none, and what may be laid next.

        Raises `BacktrickError`, which names the rule, for plays that are not legal.
        """
        texts, laid = list(map(str, self.legal_turns(position, rules))), laid.strip()
        if not laid:
            choices = tuple(Candidate(text, "", text) for text in texts)
            return TurnInProgress("", (), choices, UNFINISHED, None if texts else self.display.ending(position))
        if laid not in texts:
            raise NotationError("turn", laid, 1, "it is not a legal turn")
        return TurnInProgress(laid, (), (), None)

    # OPTIONAL: values while cards are hidden. Without: none.

    public_state: Any = None
    """The class of public states, a subclass of the one in play/public_state.py."""

    def equilibrium(
        self,
        state: object,
        ranges: tuple[Mapping[Any, Any] | None, Mapping[Any, Any] | None] | None = None,
        *,
        rules: R | None = None,
        gap: float | None = None,
        budget: Budget | None = None,
        progress: bool | None = False,
    ) -> Any:
        """What a public state is worth to the player to move while cards are hidden, with plans of both players that prove it: an
        `Equilibrium` (docs/hidden.md).

        state:    a public state, a view of the player to move, whose public state is meant, either of them in notation, or a state
                  of a whole game, at the beginning of a turn
        ranges:   how likely each hand of the mover and of the other player is, as weights; None: all are equally likely
        rules:    None for those of the state; of a text, for the published ones
        gap:      the work may end once the bounds are this close: a number of 0 or more; None for what the game says
        budget:   seconds and cancel end the work, and the answer has the bounds found until then; threads; memory
        progress: whether to show it; None: on a terminal

        Raises `RulesError` if the game has no equilibria or the rules contradict the state's, `NotSolvedError` if no bounds were
        found in time, `BudgetError`, `ArgumentError`, and what reading a text raises.

        >>> from backtrick import take_that
        >>> take_that.equilibrium(take_that.PublicState((34, 41), (12, 21, 33, 43, 55), 2, 2)).value
        Fraction(13, 15)
        """
        if self.public_state is None:
            raise RulesError(f"{self.title} has no equilibria: `public_state` of its Game is missing")
        return self.public_state.equilibrium(self, state, ranges, rules, gap, budget, progress)

    def extensive_form(
        self,
        state: object,
        ranges: tuple[Mapping[Any, Any] | None, Mapping[Any, Any] | None] | None = None,
        *,
        rules: R | None = None,
        budget: Budget | None = None,
    ) -> str:
        """The whole tree of a public state as a text in the format `.efg`, which other solvers read (docs/hidden.md).

        state, ranges, rules, budget: as of `equilibrium`. The tree of a public state of a real game is soon too large; the memory
        of the budget limits it, 2,048 MiB unless it says otherwise. Raises as `equilibrium` does.
        """
        if self.public_state is None:
            raise RulesError(f"{self.title} has no public states: `public_state` of its Game is missing")
        text: str = self.public_state.extensive_form(self, state, ranges, rules, budget)
        return text

    def strategy(self, player: Any) -> Callable[[Any], Any]:
        """What `Equilibrium.sure_of` asks: a function from a view to a turn, or one of the game's players by name. Without: only
        functions. Raises `ArgumentError`."""
        if not callable(player):
            raise refused("player", "a function from a view to a turn", player)
        found: Callable[[Any], Any] = player
        return found

    def completions(
        self, position: P, laid: str, rules: R, outcomes: Sequence[Outcome[P, T]]
    ) -> tuple[int, dict[str, int]]:
        """Which of all `outcomes` the turn can still lead to after the plays of `laid`, and which after each next play.

        Bit i of a number stands for outcome i. By default a play is a whole turn, or is continued by what follows it after a
        comma. Raises as `look` does.
        """
        texts = [str(outcome.turn) for outcome in outcomes]

        def begun(play: str) -> int:
            return sum(1 << place for place, text in enumerate(texts) if not play or text == play or text.startswith(play + ","))

        choices = self.look(position, laid, rules).choices
        return begun(laid), {choice.play: begun(choice.laid) for choice in choices if choice.violation is None}

    # OPTIONAL: a faster way. Without: the plain recursion, one position after another.

    def bounds(self, position: P | str, rules: R | None = None, budget: Budget = UNLIMITED) -> Bounds:
        """The bounds of the value that can be proved within the budget. This default ignores the budget: it defines the value.
        rules: None for the published game.

        A position without a legal turn has the value 0. Any other has the best of the values of its turns. Both are
        passed through `reported_value`.
        """
        value = self._value(self.read_position(position), self.read_rules(rules), {})
        return Bounds(value, value)

    def _value(self, position: P | None, rules: R, memo: dict[P, Any]) -> Any:
        if position is None:
            return 0
        if position not in memo:
            played = (self.play(position, turn, rules) for turn in self.legal_turns(position, rules))
            worth = [self.worth(points, self._value(following, rules, memo)) for points, following in played]
            memo[position] = self.reported_value(position, max(worth, key=self.preference, default=0))
        return memo[position]

    def outcomes(self, position: P | str, rules: R | None = None, budget: Budget = UNLIMITED) -> Sequence[Outcome[P, T]]:
        """Every distinct outcome, best first; equal ones in the order of the turns. rules: None for the published game.

        If the budget does not suffice, some outcomes have bounds, or `NotSolvedError` is raised, of the position after a turn.
        """
        position, rules = self.read_position(position), self.read_rules(rules)

        def value_of(following: P) -> Value:
            known = self.bounds(following, rules, budget)
            if not known.solved:
                raise NotSolvedError(following, known.lowest, known.highest, known.nodes)
            return known.lowest

        return self.outcomes_by(position, rules, value_of)

    def count_outcomes(self, position: P, rules: R) -> int:
        """The number of distinct outcomes."""
        return len({self.play(position, turn, rules) for turn in self.legal_turns(position, rules)})

    def count_turns(self, position: P, rules: R) -> int:
        """The number of legal turns."""
        return sum(1 for _ in self.legal_turns(position, rules))

    def turn_texts(self, position: P, rules: R) -> Iterator[str]:
        """The legal turns in notation."""
        return map(str, self.legal_turns(position, rules))

    def answer(
        self, position: P, rules: R, budget: Budget = UNLIMITED, want: Collection[str] = QUICK
    ) -> Answer[P, T, R]:
        """The answer of an endgame: its value, and of the other parts at least the wanted ones, but never the outcomes.

        If the budget does not suffice, the answer holds bounds; nothing is raised.
        """
        bounds = self.bounds(position, rules, budget)
        if not want:
            return Answer(self, position, rules, bounds)
        try:
            outcomes = self.outcomes(position, rules, budget)
        except NotSolvedError:
            return Answer(self, position, rules, bounds)
        best = outcomes[0].turn if outcomes else None
        optimal = sum(one.bounds == bounds for one in outcomes) if bounds.solved else None
        return Answer(self, position, rules, bounds, SEARCH, best, optimal, self._line(outcomes, rules, budget))

    def _line(self, outcomes: Sequence[Outcome[P, T]], rules: R, budget: Budget) -> tuple[T, ...] | None:
        """First outcomes, one after another."""
        turns: list[T] = []
        while outcomes:
            turns.append(outcomes[0].turn)
            following = outcomes[0].position
            try:
                outcomes = () if following is None else self.outcomes(following, rules, budget)
            except NotSolvedError:
                return None
        return tuple(turns)

    def answer_deal(
        self, position: P, rules: R, budget: Budget, want: Collection[str], stop: bytearray
    ) -> Answer[P, T, R]:
        """The answer of a deal, its wanted parts all worked out within the budget. The work ends early when the byte of `stop`
        is set. A game without deals is not asked."""
        raise ArgumentError(f"{self.title} has no deals")

    def answer_array(self, positions: np.ndarray, options: SolveOptions[P, R]) -> Answers[P, T, R]:
        """The answers of an array of endgames, of which the wanted parts are there. No tablebase is asked. Raises
        `BacktrickError` if a position is not well-formed."""
        unpacked = self.unpack(positions)
        answers = _each(lambda one: self.answer(one, options.rules, options.budget, options.want), unpacked, options.threads)
        return Answers.of(self, options.rules, list(answers))

    def solves_arrays(self, options: SolveOptions[P, R]) -> bool:
        """True if `answer_array` and `grade_array`, which the game then overrides, are faster than one position after another."""
        return False

    def grades(
        self,
        questions: Sequence[tuple[P, T]],
        options: SolveOptions[P, R],
        played: Sequence[tuple[int, P | None]] | None = None,
    ) -> Iterator[Grade[P, T, R]]:
        """The grade of each turn, in order. played: what `play` gives for each question; None to play them here, which raises
        `BacktrickError` if a turn is not legal."""
        positions = [position for position, _ in questions]
        at_once = options.tablebase is None and options.budget.cancel is None and self._as_arrays(len(positions), options)
        if at_once and not any(map(self.is_deal, positions)):
            try:
                turns = np.array([self.pack_turn(turn) for _, turn in questions], self.turn_dtype)
                grades = self.grade_array(self.pack(positions), turns, options)
            except (IllegalTurnError, PackedError):
                for position, turn in questions:  # these errors name a place in an array, and there is none
                    self.play(position, turn, options.rules)
                raise
            return grades.each(questions)
        return self._grades_one_by_one(questions, options, played)

    def _grades_one_by_one(
        self,
        questions: Sequence[tuple[P, T]],
        options: SolveOptions[P, R],
        played: Sequence[tuple[int, P | None]] | None = None,
    ) -> Iterator[Grade[P, T, R]]:
        if played is None:
            played = [self.play(position, turn, options.rules) for position, turn in questions]
        before = self.answers([position for position, _ in questions], options)
        following = [position for _, position in played if position is not None]
        after = self.answers(following, replace(options, want=frozenset()) if options.want else options)
        for (_, turn), (points, position), answer in zip(questions, played, before, strict=True):
            yield self.graded(answer, turn, points, None if position is None else next(after))

    # OPTIONAL: many turns as arrays, for a game with arrays. Without: one after another.

    def first_illegal(self, positions: np.ndarray, turns: np.ndarray, rules: R) -> int:
        """The place of the first packed turn that is not legal in its position; -1 if all are."""
        for place, (position, turn) in enumerate(zip(self.unpack(positions), turns.tolist(), strict=True)):
            try:
                unpacked = self.unpack_turn(turn)
                if unpacked is None:
                    return place
                self.play(position, unpacked, rules)
            except BacktrickError:
                return place
        return -1

    def outcomes_many(
        self, positions: np.ndarray, threads: int | None, rules: R, progress: bool | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The distinct outcomes of each position as rows, with the fields `turn`, packed, and `value`, the mover's if it is played;
        and offsets, int64, shape (n + 1,): those of position i are at offsets[i]:offsets[i + 1]. Raises `BacktrickError`."""
        found = [self.outcomes(position, rules) for position in self.unpack(positions)]
        offsets = np.concatenate([[0], np.cumsum([len(outcomes) for outcomes in found], dtype=np.int64)])
        every = [outcome for outcomes in found for outcome in outcomes]
        rows = [(self.pack_turn(outcome.turn), outcome.value) for outcome in every]
        return np.array(rows, [("turn", self.turn_dtype), ("value", np.int64)]), offsets

    def grade_array(self, positions: np.ndarray, turns: np.ndarray, options: SolveOptions[P, R]) -> Grades[P, T, R]:
        """What `grades` says of packed turns, as arrays. There is no budget and no tablebase. Raises `BacktrickError`, which names
        the rule, for a turn that is not legal."""
        questions = []
        for position, packed in zip(self.unpack(positions), turns.tolist(), strict=True):
            turn = self.unpack_turn(packed)
            if turn is None:
                raise PackedError("packed turn", packed, "it stands for no turn")
            questions.append((position, turn))
        played = [self.play(position, turn, options.rules) for position, turn in questions]
        grades = self._grades_one_by_one(questions, options, played)
        after = np.array([grade.worth for grade in grades], np.int64)
        over = np.array([position is None for _, position in played], bool)
        return Grades.searched(self.answer_array(positions, options), turns, after, over)

    def outcomes_in_batches(
        self, positions: Any, batch: int = 1 << 12, threads: int | None = None, rules: R | None = None
    ) -> Iterator[tuple[Positions, Rows, I64s]]:
        """The outcomes of any number of positions, of `batch` positions at a time, so that memory stays bounded: these as an array,
        and what `outcomes_many` gives for them, rows and offsets.

        positions: an array of `position_dtype`, or a column or list of positions or texts. threads: None for one per core. Raises
        as `outcomes_many` does.

        >>> from backtrick import face_to_face
        >>> positions = face_to_face.samples.selfplay_array(10, seed=1)
        >>> [(len(array), len(rows)) for array, rows, offsets in face_to_face.outcomes_in_batches(positions, batch=4)]
        [(4, 597), (4, 475), (2, 35)]
        """
        rules, size = self.read_rules(rules), whole(batch)
        if size is None or size < 1:
            raise refused("batch", "a whole number of at least 1", batch)
        array = as_positions(positions, self.position_dtype, self.pack)
        for start in range(0, len(array), size):
            part = array[start : start + size]
            yield part, *self.outcomes_many(part, threads, rules, False)

    def rules_with(self, options: Mapping[str, object] | None) -> R:
        """The published rules with other options, if there are any. Raises `RulesError`."""
        if not options:
            return self.published
        names = [one.name for one in fields(self.published)]  # type: ignore[arg-type]
        if unknown := [name for name in options if name not in names]:
            raise RulesError(f"{self.title} has no option {shortened(unknown[0])!r}; there are {', '.join(names)}")
        return replace(self.published, **options)  # type: ignore[type-var]

    # These follow from the parts above and are not overridden. rules: None for the published game.

    def read_rules(self, given: R | None) -> R:
        """The rules that a user gives; None for the published game. Raises `WrongTypeError`."""
        if isinstance(given, type(self.published)):
            return given
        if given is None:
            return self.published
        raise refused("rules", f"the Rules of {self.title}, or None for the published game", given)

    def value_of(self, position: P, points: int, following: Value) -> Any:
        """The value of a position if its turn gives `points` and leads to a position of value `following`."""
        return self.reported_value(position, self.worth(points, following))

    def steps(self, answer: Answer[P, T, R]) -> Iterator[tuple[T, int, P | None]]:
        """The turns of the principal line of an answer, each with the points that it gives its player and the position after it."""
        position: P | None = answer.position
        for turn in answer.line or ():
            assert position is not None
            points, position = self.play(position, turn, answer.rules)
            yield turn, points, position

    def words(self, answer: Answer[P, T, R], every: bool = False, sources: bool = False) -> str:
        """An answer as `backtrick solve` prints it, see `Answer.words`."""
        facts = [("value", answer.text)]
        if sources:
            facts.append(("source", answer.source))
        best = answer.best_text("")
        if best == "":
            facts.append(("best", self.display.ending(answer.position).problem))
        elif answer.solved:
            share = ""
            if answer.optimal is not None:
                share = f"   ({answer.optimal} of {self.count_outcomes(answer.position, answer.rules)} outcomes)"
            facts.append(("best", _NOT_FOUND if best is None else f"{best}{share}"))
            facts.append(("line", _NOT_FOUND if answer.line is None else " | ".join(self._line_texts(answer))))
        text = f"{answer.position}\n{table_text(facts)}"
        if every and answer.outcomes:
            rows = map(self._cells, answer.outcomes)
            text += "\n\n" + table_text([("value", "turn", self.display.outcome_field, "next position, its mover first"), *rows])
        return text

    def _line_texts(self, answer: Answer[P, T, R]) -> Iterator[str]:
        """The turns of the principal line, in a game of points each with those that it gives."""
        if self.display.outcome_field != "points":
            return map(str, answer.line or ())
        return (f"{turn} {points:+}" if points else str(turn) for turn, points, _ in self.steps(answer))

    def _cells(self, outcome: Outcome[P, T]) -> tuple[object, ...]:
        known, shown = outcome.bounds, f"{outcome.points:+}" if outcome.points else "0"
        value = self.display.value_text(known) if known.solved else self.display.value_row(known)[0]
        after = "the game is over" if outcome.position is None else outcome.position
        return value, outcome.turn, shown if self.display.outcome_field == "points" else outcome.ways, after

    def graded(self, answer: Answer[P, T, R], turn: T, points: int, then: Answer[P, T, R] | None) -> Grade[P, T, R]:
        """The grade of a turn that gives `points`. answer: of the position before it. then: of the position after it; None if the
        game is over.

        A position is worth at least what its turn is worth, and the turn at most what the position is worth.
        """
        before, following = answer.bounds, exactly(0) if then is None else then.bounds
        least = most = self.value_of(answer.position, points, following.highest)
        if not following.solved:
            most = min(before.highest, self.value_of(answer.position, points, following.lowest), key=self.preference)
        if not before.solved and self.preference(least) > self.preference(before.lowest):
            better = Bounds(least, before.highest, before.nodes)
            answer = replace(answer, bounds=better, best=turn if better.solved else answer.best)
        sources = dict.fromkeys((answer.source, OVER if then is None else then.source))
        return Grade(answer, turn, least if least == most else None, ", ".join(sources))

    def answers(self, positions: Sequence[P], options: SolveOptions[P, R]) -> Iterator[Answer[P, T, R]]:
        """The answer of each position, in order: its value and the wanted parts. If the budget does not suffice, the answer holds
        bounds; nothing is raised.

        A deal has all the seconds of its budget for its value and the wanted parts; each of these has all the nodes.
        """
        deals = [position for position in positions if self.is_deal(position)]
        if not deals:
            return self._answers_of_endgames(positions, options)
        return self._mixed(positions, deals, options)

    def _mixed(self, positions: Sequence[P], deals: Sequence[P], options: SolveOptions[P, R]) -> Iterator[Answer[P, T, R]]:
        budget = options.deal_budget or options.budget

        def search(position: P, stop: bytearray) -> Answer[P, T, R]:
            return self.answer_deal(position, options.rules, budget, options.want, stop)

        found = map_searches(search, deals, budget, options.threads)
        endgames = self._answers_of_endgames([position for position in positions if not self.is_deal(position)], options)
        for position in positions:
            yield next(found if self.is_deal(position) else endgames)

    def _answers_of_endgames(self, positions: Sequence[P], options: SolveOptions[P, R]) -> Iterator[Answer[P, T, R]]:
        known = options.tablebase.values(positions, options.threads) if options.tablebase else [None] * len(positions)
        left = [position for position, value in zip(positions, known, strict=True) if value is None or options.want]
        if self._as_arrays(len(left), options):
            found = self.answer_array(self.pack(left), options).each(left)
        else:
            found = _each(lambda one: self._with_outcomes(one, options), left, options.threads)
        for position, value in zip(positions, known, strict=True):
            answer = next(found) if value is None or options.want else Answer(self, position, options.rules, exactly(value[0]))
            yield answer if value is None else replace(answer, bounds=exactly(value[0]), source=value[1])

    def _as_arrays(self, count: int, options: SolveOptions[P, R]) -> bool:
        return count > 1 and OUTCOMES not in options.want and self.solves_arrays(options)  # one alone takes longer so

    def _with_outcomes(self, position: P, options: SolveOptions[P, R]) -> Answer[P, T, R]:
        """The answer of an endgame with its wanted parts, also its outcomes."""
        answer = self.answer(position, options.rules, options.budget, options.want)
        if OUTCOMES not in options.want:
            return answer
        try:
            return replace(answer, outcomes=self.outcomes(position, options.rules, options.budget))
        except NotSolvedError:
            return answer

    def outcomes_by(self, position: P, rules: R, value_of: Callable[[P], Value]) -> tuple[Outcome[P, T], ...]:
        """Every distinct outcome, best first; equal ones in the order of the turns. value_of: gives the value of a position."""
        found: dict[tuple[int, P | None], list[T]] = {}
        for turn in self.legal_turns(position, rules):
            found.setdefault(self.play(position, turn, rules), []).append(turn)
        outcomes = [
            Outcome(turns[0], exactly(self.value_of(position, points, 0 if after is None else value_of(after))), after, points,
                    len(turns))
            for (points, after), turns in found.items()
        ]  # fmt: skip
        return tuple(sorted(outcomes, key=lambda one: -self.preference(one.bounds.lowest)))

    def solve(
        self, position: P | str, rules: R | None = None, budget: Budget = UNLIMITED, want: Collection[str] = _BEST
    ) -> Answer[P, T, R]:
        """The answer for a position: value, best turn, and of an endgame the number of best outcomes and the principal line.

        want: the parts that take a search of their own and are found only if named: `"outcomes"`; of a deal also `"best"`, which
        is named by default, and `"line"`. Raises `NotSolvedError`, which carries the bounds, if the budget does not suffice for the
        value, and `ArgumentError` for anything that is neither a position nor a text.

        >>> from backtrick import face_to_face, take_that
        >>> face_to_face.solve("27^40v:17,18 13^50v:5,12").text, take_that.solve("15,43,44 21,53 51-62-35").text
        ('win in 1', '+6')
        """
        rules = self.published if rules is None else self.read_rules(rules)
        position = self.read_position(position)
        if want is not _BEST or budget is not UNLIMITED:
            _check_asked(budget, want)
        if isinstance(position, self.deal_type):
            answer = search_one(lambda stop: self.answer_deal(position, rules, budget, want, stop), budget)
        else:
            answer = self.answer(position, rules, budget, QUICK)
            if OUTCOMES in want:
                answer = replace(answer, outcomes=self.outcomes(position, rules, budget))
        if not answer.bounds.solved:
            raise answer.not_solved(answer.text)
        return answer

    def best_turn(self, position: P | str, rules: R | None = None, budget: Budget = UNLIMITED) -> T | None:
        """The first of the best turns; None if there is no legal turn. Raises `NotSolvedError`.

        >>> from backtrick import face_to_face, take_that
        >>> print(face_to_face.best_turn("27^40v:17,18 13^50v:5,12"), take_that.best_turn("15,43,44 21,53 51-62-35"), sep=" | ")
        17^ 18^ | 44
        """
        answer = self.solve(position, rules, budget)
        if answer.best is None and answer.line != ():
            raise answer.not_solved("its value is known, but no turn was found within the limits that is worth it")
        return answer.best

    def grade(self, position: P | str, turn: T | str | int, rules: R | None = None, budget: Budget = UNLIMITED) -> Grade[P, T, R]:
        """What a turn was worth. turn: the object, its notation, or packed.

        Raises `NotSolvedError`, or `BacktrickError`, which names the rule that the turn breaks.

        >>> from backtrick import face_to_face, take_that
        >>> face_to_face.grade("52^6v:16,18,19,57 53^15v:4,7,29,44", "16v 18^'").verdict
        'throws the win away'
        >>> take_that.grade("15,43,44 21,53 51-62-35", "15x51").verdict
        'gives 7 points away'
        """
        rules = self.published if rules is None else self.read_rules(rules)
        position = self.read_position(position)
        [grade] = self.grades([(position, self.read_turn(turn))], SolveOptions(rules, budget, threads=1, want=QUICK))
        if grade.worth is None or not grade.answer.solved:
            words = "it is not known what the turn is worth" if grade.answer.solved else grade.answer.text
            raise grade.answer.not_solved(words)
        return grade


AnyGame = Game[Any, Any, Any]
"""Any game: only the contract is known."""


def _each(work: Callable[[Any], Made], items: Sequence[Any], threads: int | None) -> Iterator[Made]:
    """The result of `work` for each item, in order. A single item starts no thread."""
    return map(work, items) if len(items) < 2 else map_threads(work, items, worker_count("threads", threads), ahead=None)
