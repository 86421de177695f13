"""How the questions and answers of this game read at the command line: as text, as rows for tools, as JSON records.

The contract is `solver.games.Console`. What a budget leaves unsolved is answered with the bounds that are proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from solver.core.batches import available_cores
from solver.core.columns import table_text
from solver.core.errors import IllegalActionError, NotationError, NotSolvedError
from solver.core.values import read_positive, read_whole
from solver.games import Asked, Source
from solver.take_that.action import Action, unpack_action
from solver.take_that.deals import POLICIES, hard, selfplay
from solver.take_that.examples import EXAMPLES
from solver.take_that.options import ENDS, OPENS, Rules
from solver.take_that.position import HAND_SIZE, Position, pack
from solver.take_that.rules import legal_actions, objection
from solver.take_that.solving import MOST_MIB, UNLIMITED, Bounds, Budget, Solution, best_many, solve
from solver.take_that.tablebase import SEARCH, open_tablebase

__all__ = [
    "EXAMPLE", "EXAMPLES", "FIELDS", "HAND_SIZE", "KINDS", "LIMITS", "POLICIES", "RULE_OPTIONS", "SOURCES", "TITLE",
    "Budget", "Rules", "claims", "opened",
]  # fmt: skip

TITLE = "Take That"
EXAMPLE = "12,33,49 21,94 34-41-98"
RULE_OPTIONS = {
    "--forced-only": {"action": "store_true", "help": "taking is only for those who can neither lay nor twist (T10)"},
    "--empty-line": {
        "choices": (OPENS, ENDS),
        "help": f"what an empty line at the start means: the mover {OPENS} the last line, or the round {ENDS} (T9)",
    },
}
LIMITS = {
    "--nodes": {
        "type": read_whole(1),
        "metavar": "N",
        "help": "search at most N nodes for an answer, then say what is proved by then",
    },
    "--seconds": {"type": read_positive, "metavar": "S", "help": "the same with seconds"},
    "--table-mib": {
        "type": read_whole(0, MOST_MIB),
        "metavar": "M",
        "help": "MiB for remembered states, a thread (default: 64)",
    },
}
SOURCES = {
    "selfplay": Source("whole games, up to where the draw pile is empty", selfplay, ("policies",)),
    "hard": Source("long lines, no toads, many twists in hand", hard),
}
FIELDS = {
    "solve": "position, value, best turn. With --all a line for each turn: position, turn, its points, value, position\n"
    "after it or -. A value is the mover's points minus the opponent's from here on; LOWEST..HIGHEST if a limit was met\n"
    "before it was known, and ? for a best turn that is not known.",
    "best": "position, turn; ? if a limit was met before it was known.",
    "turns": "position, turn; a line for each turn. With --count: position, how many.",
    "grade": "position, turn, verdict, value before, value with the turn.",
}
NO_TURN, UNKNOWN = "-", "?"

_Question = TypeVar("_Question")
_Answer = TypeVar("_Answer")


def claims(text: str) -> bool:
    """True if `text` looks like a position of this game, well written or not: it begins with a number or a dash.

    >>> claims("12,33 21,94 34_41"), claims("- 12 34"), claims("27^40v:17 13^50v:5"), claims("hello")
    (True, True, False, False)
    """
    return text.lstrip()[:1] in tuple("-0123456789") and not set(text) & set("^:")


def points_text(points: int) -> str:
    """Points with their sign.

    >>> points_text(6), points_text(0), points_text(-3)
    ('+6', '0', '-3')
    """
    return f"{points:+}" if points else "0"


@dataclass(frozen=True, slots=True)
class Known:
    """What the limits let us know of a position: the bounds of its value; and every turn's value, or None."""

    bounds: Bounds
    solution: Solution | None
    source: str | None = None  # where the value is from, if tables were asked for

    @property
    def value(self) -> int | None:
        return self.bounds.lowest if self.bounds.solved else None

    @property
    def best(self) -> str | None:
        """The best turn; None if there is none, `UNKNOWN` if it is not known."""
        if self.solution is None:
            return UNKNOWN
        return None if self.solution.best is None else str(self.solution.best)

    @property
    def value_text(self) -> str:
        return f"{self.bounds.lowest}..{self.bounds.highest}" if self.value is None else str(self.value)

    @property
    def said(self) -> tuple[str, ...]:
        """The source, where tables were asked for."""
        return (self.source,) if self.source else ()

    def record(self) -> dict[str, Any]:
        """What JSON has to say besides: bounds, if not all is known, and the source, where tables were asked for."""
        bounds = {} if self.solution else {"lowest": self.bounds.lowest, "highest": self.bounds.highest}
        return bounds | ({"source": self.source} if self.source else {})


def known(position: Position, asked: Asked, line: bool = False) -> Known:
    """What can be known of `position` within the limits asked for; with `line`, the principal line too."""
    budget = asked.limits or UNLIMITED
    try:
        if asked.tables is None:
            solution = solve(position, asked.rules, budget)
        else:
            solution = opened(asked.tables, asked.rules).solve(position, budget)
        found = Bounds(solution.value, solution.value, solution.nodes)
        source = solution.source if asked.tables else None
    except NotSolvedError as error:
        return Known(Bounds(error.lowest, error.highest, error.nodes), None, SEARCH if asked.tables else None)
    try:
        _ = solution.line if line else solution.actions  # worked out here, where a limit may be met
    except NotSolvedError:
        return Known(found, None, source)
    return Known(found, solution, source)


opened = lru_cache(maxsize=1)(open_tablebase)  # a stream is answered portion by portion


def each(answer: Callable[[_Question], _Answer], questions: Sequence[_Question], asked: Asked) -> Iterator[_Answer]:
    """The answers in order; the searches run on several threads."""
    if len(questions) == 1:
        yield answer(questions[0])
        return
    with ThreadPoolExecutor(asked.threads or available_cores()) as pool:
        yield from pool.map(answer, questions)


def _values_and_best(positions: Sequence[Position], asked: Asked) -> Iterator[tuple[str, ...]]:
    """Value and best turn as text, `NO_TURN` if there is none; the source too, where tables were asked for."""
    if asked.limits or asked.tables:
        for found in each(lambda position: known(position, asked), positions, asked):
            yield found.value_text, found.best or NO_TURN, *found.said
        return
    values, best = best_many(pack(positions), asked.threads, asked.rules, progress=False)
    for value, code in zip(values.tolist(), best.tolist(), strict=True):
        yield str(value), str(unpack_action(code) or NO_TURN)


class Solve:
    """What is this position worth?"""

    spaced = True

    def parse(self, text: str, rules: Rules) -> Position:
        return Position.parse(text)

    def rows(self, positions: Sequence[Position], asked: Asked) -> Iterator[tuple[object, ...]]:
        """Position, value, best turn; with `all` a row for every turn: position, turn, points, value, position after it."""
        if not asked.all:
            for position, answer in zip(positions, _values_and_best(positions, asked), strict=True):
                yield position, *answer
            return
        answers = each(lambda position: known(position, asked), positions, asked)
        for position, found in zip(positions, answers, strict=True):
            if found.solution is None:
                yield position, UNKNOWN, UNKNOWN, found.value_text, UNKNOWN
                continue
            for ranked in found.solution.actions:
                yield position, ranked.action, ranked.points, ranked.value, ranked.position or NO_TURN

    def records(self, positions: Sequence[Position], asked: Asked) -> Iterator[dict[str, Any]]:
        answers = each(lambda position: known(position, asked, line=True), positions, asked)
        for position, found in zip(positions, answers, strict=True):
            solution = found.solution
            record: dict[str, Any] = {
                "position": str(position),
                "value": found.value,
                "best": found.best if solution else None,
                "line": [str(step.action) for step in solution.line] if solution else None,
                "optimal": solution.optimal if solution else None,
                **found.record(),
            }
            if asked.all:
                record["turns"] = solution and [
                    {
                        "turn": str(ranked.action),
                        "points": ranked.points,
                        "value": ranked.value,
                        "position": ranked.position and str(ranked.position),
                    }
                    for ranked in solution.actions
                ]
            yield record

    def tables(self, positions: Sequence[Position], asked: Asked) -> Iterator[str]:
        answers = each(lambda position: known(position, asked, line=True), positions, asked)
        for position, found in zip(positions, answers, strict=True):
            yield f"{position}\n{_table(found, asked)}"


def _table(found: Known, asked: Asked) -> str:
    solution = found.solution
    if found.value is None:
        low, high = points_text(found.bounds.lowest), points_text(found.bounds.highest)
        nodes = f"{found.bounds.nodes:,} nodes searched"
        return table_text([("value", f"not solved within the limits, from {low} to {high}: {nodes}")])
    facts = [("value", points_text(found.value)), *(("source", source) for source in found.said)]
    if solution is None:
        facts.append(("best", "not found within the limits"))
    elif solution.best is None:
        facts.append(("best", "no legal turn, the round is over"))
    else:
        share = f"{solution.optimal} of {len(solution.actions)} turns"
        steps = (f"{step.action} {points_text(step.points)}" if step.points else str(step.action) for step in solution.line)
        facts += [("best", f"{solution.best}   ({share})"), ("line", " | ".join(steps))]
    text = table_text(facts)
    if asked.all and solution and solution.actions:
        rows = [
            (points_text(ranked.value), ranked.action, points_text(ranked.points), ranked.position or "the round is over")
            for ranked in solution.actions
        ]
        text += "\n\n" + table_text([("value", "turn", "points", "next position, its mover first"), *rows])
    return text


class Best:
    """Which turn is best here?"""

    spaced = False

    def parse(self, text: str, rules: Rules) -> Position:
        return Position.parse(text)

    def rows(self, positions: Sequence[Position], asked: Asked) -> Iterator[tuple[object, ...]]:
        """Position, best turn."""
        for position, (_, *answer) in zip(positions, _values_and_best(positions, asked), strict=True):
            yield position, *answer

    def records(self, positions: Sequence[Position], asked: Asked) -> Iterator[dict[str, Any]]:
        for position, found in zip(positions, each(lambda one: known(one, asked), positions, asked), strict=True):
            yield {"position": str(position), "best": found.best if found.solution else None, **found.record()}

    def tables(self, positions: Sequence[Position], asked: Asked) -> Iterator[str]:
        for found in each(lambda position: known(position, asked), positions, asked):
            if found.solution:
                yield found.best or NO_TURN
            else:
                low, high = points_text(found.bounds.lowest), points_text(found.bounds.highest)
                yield f"{UNKNOWN}   not solved within the limits, the value is from {low} to {high}"


class Turns:
    """Which turns are legal here?"""

    spaced = True

    def parse(self, text: str, rules: Rules) -> Position:
        return Position.parse(text)

    def rows(self, positions: Sequence[Position], asked: Asked) -> Iterator[tuple[object, ...]]:
        """Position, turn: a row for every turn; with `count`: position, how many."""
        for position in positions:
            turns = legal_actions(position, asked.rules)
            if asked.count:
                yield position, len(turns)
            else:
                for turn in turns:
                    yield position, turn

    def records(self, positions: Sequence[Position], asked: Asked) -> Iterator[dict[str, Any]]:
        for position in positions:
            turns = legal_actions(position, asked.rules)
            record: dict[str, Any] = {"position": str(position), "count": len(turns)}
            if not asked.count:
                record["turns"] = list(map(str, turns))
            yield record

    def tables(self, positions: Sequence[Position], asked: Asked) -> Iterator[str]:
        for position in positions:
            turns = legal_actions(position, asked.rules)
            yield str(len(turns)) if asked.count else "\n".join(map(str, turns)) or NO_TURN


@dataclass(frozen=True, slots=True)
class Judged:
    """A turn and what is known of it: the value it leads to, None if a limit was met."""

    known: Known
    after: int | None

    @property
    def verdict(self) -> str:
        if self.after is None:
            return "not solved"
        loss = self.loss
        return "optimal" if not loss else f"gives {loss} point{'s' * (loss != 1)} away"

    @property
    def loss(self) -> int | None:
        return None if self.after is None else self.known.bounds.lowest - self.after


class Graded:
    """How good was this turn?"""

    spaced = False

    def parse(self, text: str, rules: Rules) -> tuple[Position, Action]:
        before, tab, played = text.rpartition("\t")
        if not tab:
            raise NotationError("question", text, len(text) + 1, "expected a tab, then a turn")
        position, action = Position.parse(before), Action.parse(played)
        wrong = objection(position, action, rules)
        if wrong:
            raise IllegalActionError(action, *wrong)
        return position, action

    def _judged(self, questions: Sequence[tuple[Position, Action]], asked: Asked) -> Iterator[Judged]:
        def judge(question: tuple[Position, Action]) -> Judged:
            position, action = question
            found = known(position, asked)
            if found.solution is None:
                return Judged(found, None)
            return Judged(found, next(ranked.value for ranked in found.solution.actions if ranked.action == action))

        return each(judge, questions, asked)

    def rows(self, questions: Sequence[tuple[Position, Action]], asked: Asked) -> Iterator[tuple[object, ...]]:
        """Position, turn, verdict, value before, value with the turn."""
        for (position, action), judged in zip(questions, self._judged(questions, asked), strict=True):
            after = UNKNOWN if judged.after is None else judged.after
            yield position, action, judged.verdict, judged.known.value_text, after, *judged.known.said

    def records(self, questions: Sequence[tuple[Position, Action]], asked: Asked) -> Iterator[dict[str, Any]]:
        for (position, action), judged in zip(questions, self._judged(questions, asked), strict=True):
            yield {
                "position": str(position),
                "turn": str(action),
                "before": judged.known.value,
                "after": judged.after,
                "loss": judged.loss,
                "verdict": judged.verdict,
                "optimal": None if judged.after is None else not judged.loss,
                "best": judged.known.best if judged.known.solution else None,
                **judged.known.record(),
            }

    def tables(self, questions: Sequence[tuple[Position, Action]], asked: Asked) -> Iterator[str]:
        for judged in self._judged(questions, asked):
            if judged.after is None:
                yield f"not solved within the limits, the value is within {judged.known.value_text}"
            elif judged.loss:
                best = f"{judged.known.best} is worth {points_text(judged.known.bounds.lowest)}"
                yield f"{judged.verdict}: worth {points_text(judged.after)}, while {best}"
            else:
                yield f"optimal: worth {points_text(judged.after)}"


KINDS = {"solve": Solve(), "best": Best(), "turns": Turns(), "grade": Graded()}
