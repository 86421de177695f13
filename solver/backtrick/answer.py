"""What is known about a position, and about a turn: plain records, of one position or as arrays of many (docs/answer.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple

import numpy as np

from backtrick.bounds import Bounds, Outcome, P, R, T, Value, exactly
from backtrick.errors import ContradictionError, NotSolvedError
from backtrick.names.other_names import Advising
from backtrick.notation import Notation

SCHEMA = 1
"""The version of `Answer.record` and `Grade.record`. It changes when a field is removed or changes its meaning."""

SHOWN = 10
"""How many outcomes a notebook shows."""

SEARCH, OVER = "search", "rules"
"""The sources of a value that is not from a file: a search, or the rules if the game is over."""


@dataclass(frozen=True, repr=False)
class Answer(Generic[P, T, R], metaclass=Advising):
    """What is known about a position. Two answers are equal if their positions, rules, bounds and sources are. One that contradicts
    itself is not made: `ContradictionError` is raised.

    position, rules: what was asked
    bounds:   of the value for the mover; the ends are equal if it is known
    source:   where the value is from: 'search', 'rules' if the game is over, or the name of a table or set
    best:     the first of the best turns, of a deal the one that the search found; None if there is none, or if it is not known
    optimal:  how many distinct outcomes keep the value; None if it is not known
    line:     the principal line: both players play their best turn until the game is over; None if it is not known. It is empty
              if, and only if, there is no legal turn
    outcomes: every distinct outcome, best first; None if they were not asked for, or are not known

    >>> from backtrick.face_to_face import solve
    >>> answer = solve("52^6v:16,18,19,57 53^15v:4,7,29,44")
    >>> answer, answer.value, str(answer.best), answer.optimal, len(answer.line), answer.source
    (<Answer 52^6v:16,18,19,57 53^15v:4,7,29,44: win in 3>, 3, "16v 18v'", 1, 3, 'search')
    """

    game: Notation[P, T] = field(compare=False)
    position: P
    rules: R
    bounds: Bounds
    source: str = SEARCH
    best: T | None = field(default=None, compare=False)
    optimal: int | None = field(default=None, compare=False)
    line: tuple[T, ...] | None = field(default=None, compare=False)
    outcomes: Sequence[Outcome[P, T]] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.bounds.lowest != self.bounds.highest or self.outcomes:
            _check(self)

    def __repr__(self) -> str:
        return f"<Answer {self.position}: {self.text}>"

    def __str__(self) -> str:
        return self.words()

    def words(self, every: bool = False, sources: bool = False) -> str:
        """The answer as `backtrick solve` prints it: value, best turn, principal line. every: also a line for each outcome that the
        answer holds. sources: also where the value is from."""
        return self.game.words(self, every, sources)

    @property
    def solved(self) -> bool:
        """True if the value is known."""
        return self.bounds.solved

    @property
    def value(self) -> int | Any:  # Any for None, so that those who ask about endgames need not rule it out
        """The exact value for the mover: a remoteness, or points. None for a deal of Face to Face, of which only the outcome is
        known. Raises `NotSolvedError` if only bounds are known."""
        if not self.bounds.solved:
            raise self.not_solved(self.text)
        return self.bounds.number

    @property
    def outcome(self) -> str | None:
        """'win', 'loss' or 'unsolved' for the mover; None in a game of points."""
        return self.game.display.outcome_word(self.bounds)

    @property
    def text(self) -> str:
        """The value, or its bounds, in the game's words: 'win in 3', '+6'."""
        return self.game.display.value_text(self.bounds)

    def best_text(self, none: str | None = None, unknown: str | None = None) -> str | None:
        """The best turn in notation; `none` if there is no legal turn, `unknown` if it is not known."""
        if self.best is None:
            return none if self.line == () else unknown
        return str(self.best)

    def _repr_html_(self) -> str:
        """For notebooks: the position drawn if the game can, the value, the best turn, the line, and outcomes if they are known."""
        from html import escape

        outcomes = self.outcomes or ()
        facts = [("best", self.best_text("", "")), ("line", " | ".join(map(str, self.line or ())))]
        facts += [(str(one.turn), self.game.display.value_text(one.bounds)) for one in outcomes[:SHOWN]]
        rows = "".join(f"<tr><td>{escape(name)}</td><td>{escape(told)}</td></tr>" for name, told in facts if told)
        more = f"<p>and {len(outcomes) - SHOWN} more outcomes</p>" if len(outcomes) > SHOWN else ""
        drawn = self.game.display.drawing(self.position) or f"<p>{escape(str(self.position))}</p>"
        return f"{drawn}<p><b>{escape(self.text)}</b></p><table>{rows}</table>{more}"

    def record(self, outcomes: bool = False) -> dict[str, object]:
        """The answer as a record: plain values for JSON, schema 1, described in docs/answer.md. outcomes: True to add all outcomes.

        What is not known is None. If the value is not known, its bounds take its place.
        """
        display = self.game.display
        record: dict[str, object] = {
            "game": display.name,
            "position": str(self.position),
            **display.value_record(self.bounds),
            "best": self.best_text(),
            "line": None if self.line is None else list(map(str, self.line)),
            "optimal": self.optimal,
            "source": self.source,
        }
        if outcomes:
            record["outcomes"] = None if self.outcomes is None else [self.outcome_record(one) for one in self.outcomes]
        return record

    def outcome_record(self, outcome: Outcome[P, T]) -> dict[str, object]:
        """One outcome as a record."""
        display, position = self.game.display, outcome.position
        return {
            "turn": str(outcome.turn),
            display.outcome_field: getattr(outcome, display.outcome_field),
            **display.value_record(outcome.bounds),
            "position": None if position is None else str(position),
        }

    def not_solved(self, words: str) -> NotSolvedError:
        """The error for a part of the answer that is not known; `words` names it. It carries the bounds."""
        known = self.bounds
        return NotSolvedError(self.position, known.lowest, known.highest, known.nodes, words)


AnyAnswer = Answer[Any, Any, Any]
"""Of any game."""


def check_bounds(rank: Callable[[Any], int], position: object, rules: object, bounds: Bounds, what: str = "it") -> None:
    """Raises `ContradictionError` if the lowest is above the highest. rank: as `Notation.preference`. what: of a turn, or it."""
    if rank(bounds.lowest) > rank(bounds.highest):
        raise ContradictionError(position, rules, f"{what} is worth at least {bounds.lowest} and at most {bounds.highest}")


def _check(answer: AnyAnswer) -> None:
    """Raises `ContradictionError` if the bounds cross, if no outcome or one too good has the value, or if the best turn has not.
    What comes from a file is for `verify`."""
    game, known, outcomes = answer.game, answer.bounds, answer.outcomes
    check_bounds(game.preference, answer.position, answer.rules, known)
    if not outcomes or answer.source != SEARCH:
        return
    lowest, highest = game.preference(known.lowest), game.preference(known.highest)

    def most(outcome: Outcome[Any, Any]) -> int:
        return game.preference(outcome.bounds.highest)

    first = outcomes[0]  # of those that are worth most at least
    if game.preference(first.bounds.lowest) > highest or (most(first) < lowest and max(map(most, outcomes)) < lowest):
        problem = f"it is worth {known}, but the best of its turns, {first.turn}, {first.bounds}"
        raise ContradictionError(answer.position, answer.rules, problem)
    chosen = first if first.turn == answer.best else next((one for one in outcomes if one.turn == answer.best), first)
    if known.solved and chosen.turn == answer.best and most(chosen) < lowest:
        problem = f"it is worth {known}, but {chosen.turn}, which is called best, {chosen.bounds}"
        raise ContradictionError(answer.position, answer.rules, problem)


_set_fields = vars(Answer)["__dict__"].__set__


def searched(
    game: Notation[P, T], position: P, rules: R, bounds: Bounds, best: T | None, optimal: int | None, line: tuple[T, ...] | None
) -> Answer[P, T, R]:
    """An answer that was searched for, without outcomes. The `__init__` of a frozen dataclass takes three times as long. What the
    kernel says must have been compared."""
    answer: Answer[P, T, R] = object.__new__(Answer)
    _set_fields(answer, {
        "game": game, "position": position, "rules": rules, "bounds": bounds, "source": SEARCH,
        "best": best, "optimal": optimal, "line": line, "outcomes": None,
    })  # fmt: skip
    return answer


@dataclass(frozen=True, slots=True, eq=False)
class Answers(Generic[P, T, R]):
    """What is known about n positions, as arrays: the fields of `Answer`, each for all positions, in their order.

    game, rules: of all positions
    positions: an array of the game's `position_dtype`; if one is a deal, an array of objects, the positions themselves
    lowest, highest: bounds of the values, whole numbers; objects if one is 'win' or 'loss'; the same array if all are solved
    source:    the place of each source in `sources`, uint8
    sources:   the names of the sources
    nodes:     nodes searched where the value is not known, int64; None if all are solved
    best:      packed turns, of the game's `turn_dtype`, 0 for none or not known; if one position is a deal, objects: turns or
               None. None if it was not wanted
    optimal:   whole numbers, -1 where it is not known; None if it was not wanted
    lines:     turns as in `best`, then zeros or None: shape (n, the longest); None if it was not wanted
    lengths:   the number of turns of each principal line, int8: 0 where there is no legal turn, -1 where the line is not known or
               was not wanted; None if neither `best` nor `lines` was wanted

    >>> from backtrick.face_to_face import GAME, parse_many
    >>> from backtrick.game import SolveOptions
    >>> answers = GAME.answer_array(parse_many("27^40v:17,18 13^50v:5,12"), SolveOptions(GAME.published))
    >>> answers.values.tolist(), answers.solved.tolist()
    ([1], [True])
    """

    game: Notation[P, T]
    rules: R
    positions: np.ndarray
    lowest: np.ndarray
    highest: np.ndarray
    source: np.ndarray
    sources: tuple[str, ...] = (SEARCH,)
    nodes: np.ndarray | None = None
    best: np.ndarray | None = None
    optimal: np.ndarray | None = None
    lines: np.ndarray | None = None
    lengths: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.lowest)

    @property
    def values(self) -> np.ndarray:
        """The values; where one is not known, the lowest that it can be."""
        return self.lowest

    @property
    def solved(self) -> np.ndarray:
        """True where the value is known, shape (n,)."""
        known: np.ndarray = self.lowest == self.highest
        return known

    @classmethod
    def searched(
        cls,
        game: Notation[P, T],
        rules: R,
        positions: np.ndarray,
        values: np.ndarray,
        best: np.ndarray | None = None,
        optimal: np.ndarray | None = None,
        lines: np.ndarray | None = None,
    ) -> Answers[P, T, R]:
        """The answers of endgames that were all searched for and solved."""
        lengths = None
        if lines is not None:
            lengths = np.count_nonzero(lines, axis=1).astype(np.int8)
        elif best is not None:
            lengths = -(best != 0).astype(np.int8)
        source = np.zeros(len(values), np.uint8)
        return cls(game, rules, positions, values, values, source, (SEARCH,), None, best, optimal, lines, lengths)

    @classmethod
    def of(cls, game: Notation[P, T], rules: R, answers: Sequence[Answer[P, T, R]]) -> Answers[P, T, R]:
        """Answers as arrays. The positions are packed, unless a deal is among them."""
        packed = game.position_dtype is not None and not any(game.is_deal(one.position) for one in answers)
        sources = tuple(dict.fromkeys(one.source for one in answers))
        lengths = np.array([-1 if one.line is None else len(one.line) for one in answers], np.int8)
        lines = [[one.line[place] if one.line and place < len(one.line) else None for place in range(lengths.max())]
                 for one in answers]  # fmt: skip
        lowest, highest = _values([one.bounds.lowest for one in answers]), _values([one.bounds.highest for one in answers])
        return cls(
            game,
            rules,
            game.pack([one.position for one in answers]) if packed else objects([one.position for one in answers]),
            lowest,
            highest,
            np.array([sources.index(one.source) for one in answers], np.uint8),
            sources,
            np.array([one.bounds.nodes for one in answers], np.int64),
            _turns(game, [[one.best] for one in answers], packed)[:, 0],
            np.array([-1 if one.optimal is None else one.optimal for one in answers], np.int64),
            _turns(game, lines, packed),
            lengths,
        )

    def each(self, positions: Sequence[P]) -> Iterator[Answer[P, T, R]]:
        """The answer of each position. positions: those of the arrays, as objects."""
        turns_of = self.game.turns_of
        nodes = [0] * len(self) if self.nodes is None else self.nodes.tolist()
        best = None if self.best is None else turns_of(self.best.tolist())
        optimal = None if self.optimal is None else [None if count < 0 else count for count in self.optimal.tolist()]
        lengths = None if self.lengths is None else self.lengths.tolist()
        lines = None if self.lines is None else self.lines.tolist()
        bounds = zip(self.lowest.tolist(), self.highest.tolist(), nodes, self.source.tolist(), strict=True)
        for place, (low, high, count, source) in enumerate(bounds):
            line: tuple[T, ...] | None = None
            if lengths is not None and (length := lengths[place]) >= 0:
                line = tuple(turns_of(lines[place][:length])) if length else ()  # type: ignore[arg-type, index]
            yield Answer(
                self.game,
                positions[place],
                self.rules,
                exactly(low) if low == high else Bounds(low, high, count),
                self.sources[source],
                best[place] if best else None,
                optimal[place] if optimal else None,
                line,
            )


def _values(values: Sequence[Value]) -> np.ndarray:
    return objects(values) if str in map(type, values) else np.array(values, np.int64)


def objects(items: Sequence[object]) -> np.ndarray:
    """Items as an array of objects."""
    array = np.empty(len(items), object)
    array[:] = items
    return array


def _turns(game: Notation[P, T], rows: Sequence[Sequence[T | None]], packed: bool) -> np.ndarray:
    """Rows of turns of one length, packed or as objects."""
    width = len(rows[0]) if rows else 0
    turns = np.zeros((len(rows), width), game.turn_dtype) if packed else np.full((len(rows), width), None, object)
    for place, row in enumerate(rows):
        for at, turn in enumerate(row):
            if turn is not None:
                turns[place, at] = game.pack_turn(turn) if packed else turn
    return turns


@dataclass(frozen=True, slots=True, repr=False)
class Grade(Generic[P, T, R], metaclass=Advising):
    """What a turn was worth.

    answer: what is known about the position before the turn
    worth:  the mover's value once the turn is played, to compare with the bounds of the answer; None if the budget did not suffice
    source: where the two values are from

    >>> from backtrick.take_that import grade
    >>> graded = grade("15,43,44 21,53 51-62-35", "15x51")
    >>> graded.before, graded.after, graded.optimal, graded.verdict, str(graded.answer.best)
    (6, -1, False, 'gives 7 points away', '44')
    """

    answer: Answer[P, T, R]
    turn: T
    worth: Value | None
    source: str = SEARCH

    def __repr__(self) -> str:
        return f"<Grade {self.turn} in {self.answer.position}: {self.verdict}>"

    def __str__(self) -> str:
        answer, words = self.answer, self.answer.game.display.value_text
        if not answer.solved:
            return answer.text
        if self.optimal is not False:
            return f"{self.verdict}: {answer.text}"
        after = words(Bounds(self.worth, self.worth))  # type: ignore[arg-type]  # it is known
        return f"{self.verdict}: {after}; best {answer.best_text('-', '?')}: {answer.text}"

    def _repr_html_(self) -> str:
        """For notebooks: the turn, what it was worth, and the answer of the position before it."""
        from html import escape

        return f"<p><b>{escape(f'{self.turn}: {self.verdict}')}</b></p>{self.answer._repr_html_()}"

    @property
    def before(self) -> Value:
        """The mover's value before the turn; of a deal of Face to Face 'win' or 'loss'. Raises `NotSolvedError` if it is not
        known."""
        if not self.answer.solved:
            raise self.answer.not_solved(self.answer.text)
        return self.answer.bounds.lowest

    @property
    def after(self) -> Value | None:
        """The mover's value once the turn is played, as `before` says it; None if the budget did not suffice."""
        return self.worth

    @property
    def verdict(self) -> str:
        """'optimal', or what the turn gave away in the game's words; 'not solved' if the budget did not suffice."""
        if self.optimal is None:
            return "not solved"
        return "optimal" if self.optimal else self.answer.game.display.mistake(self.answer.bounds.lowest, self.worth)

    @property
    def optimal(self) -> bool | None:
        """True if no turn was better; None if the budget did not suffice."""
        return None if self.worth is None or not self.answer.solved else self.answer.bounds.lowest == self.worth

    def record(self) -> dict[str, object]:
        """The grade as a record: plain values for JSON, schema 1, described in docs/answer.md."""
        answer, display = self.answer, self.answer.game.display
        bounds = {} if answer.solved else display.value_record(answer.bounds)
        return {
            "game": display.name,
            "position": str(answer.position),
            "turn": str(self.turn),
            "before": answer.bounds.lowest if answer.solved else None,
            "after": self.worth,
            **{name: told for name, told in bounds.items() if name == "bounds"},
            "verdict": self.verdict,
            "optimal": self.optimal,
            "best": answer.best_text(),
            "source": self.source,
        }


@dataclass(frozen=True, slots=True, eq=False)
class Grades(Generic[P, T, R]):
    """What n turns were worth, as arrays: the fields of `Grade`.

    answers: of the positions before the turn
    turns:   packed, of the game's `turn_dtype`; objects if `answers.positions` are objects
    after:   the mover's values once the turn is played, as `answers.lowest`
    known:   True where `after` is known
    source:  the place of each source of the two values in `sources`, uint8
    sources: the names of the sources
    """

    answers: Answers[P, T, R]
    turns: np.ndarray
    after: np.ndarray
    known: np.ndarray
    source: np.ndarray
    sources: tuple[str, ...] = (SEARCH, f"{SEARCH}, {OVER}")

    @classmethod
    def searched(cls, answers: Answers[P, T, R], turns: np.ndarray, after: np.ndarray, over: np.ndarray) -> Grades[P, T, R]:
        """The grades of turns in endgames that were all searched for. over: True where the turn ends the game and leaves no
        position."""
        return cls(answers, turns, after, np.ones(len(turns), bool), over.astype(np.uint8))

    def each(self, questions: Sequence[tuple[P, T]]) -> Iterator[Grade[P, T, R]]:
        """The grade of each position and turn that was `searched`. questions: the objects that the arrays are of."""
        answers = self.answers.each([position for position, _ in questions])
        for (_, turn), answer, value, source in zip(questions, answers, self.after.tolist(), self.source.tolist(), strict=True):
            yield Grade(answer, turn, value, self.sources[source])

    @classmethod
    def of(cls, game: Notation[P, T], rules: R, grades: Sequence[Grade[P, T, R]]) -> Grades[P, T, R]:
        """Grades as arrays."""
        answers = Answers.of(game, rules, [one.answer for one in grades])
        sources = tuple(dict.fromkeys(one.source for one in grades))
        return cls(
            answers,
            _turns(game, [[one.turn] for one in grades], answers.positions.dtype != object)[:, 0],
            _values([0 if one.worth is None else one.worth for one in grades]),
            np.array([one.worth is not None for one in grades], bool),
            np.array([sources.index(one.source) for one in grades], np.uint8),
            sources,
        )


class Proof(NamedTuple):
    """What a game proves of a position, for `backtrick.proofs.prove`.

    options: the words for rules that are not those of the published game
    claim:   what is proved, in words
    lines:   they raise `NotSolvedError` where a limit is met, and then those so far prove nothing
    """

    options: tuple[str, ...]
    claim: str
    lines: Iterator[str]
