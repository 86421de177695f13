"""How the questions and answers of this game read at the command line: as text, as rows for tools, as JSON records.

The contract is `solver.games.Console`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np

from solver.core.columns import table_text
from solver.core.errors import NotationError
from solver.face_to_face.deals import POLICIES, clustered, selfplay, tight, uniform
from solver.face_to_face.examples import EXAMPLES
from solver.face_to_face.lines import lines_many
from solver.face_to_face.options import Rules
from solver.face_to_face.position import HAND_SIZE, Position, pack
from solver.face_to_face.rules import after
from solver.face_to_face.solving import (
    Grade,
    Solution,
    best_many,
    best_turn,
    count_optimal_many,
    outcome_word,
    solve,
    solve_many,
)
from solver.face_to_face.tablebase import SEARCH, open_tablebase
from solver.face_to_face.turn import PLAY_PILES, Play, Turn
from solver.face_to_face.turns import count_turns, legal_turns_array
from solver.games import Asked, Source

__all__ = [
    "EXAMPLE", "EXAMPLES", "FIELDS", "HAND_SIZE", "KINDS", "LIMITS", "POLICIES", "RULE_OPTIONS", "SOURCES", "TITLE",
    "Budget", "Rules", "claims", "opened",
]  # fmt: skip

TITLE = "The Game: Face to Face"
EXAMPLE = "27^40v:17,18,45 13^50v:5,12"
RULE_OPTIONS = {
    "--lone-card": {"action": "store_true", "help": "a lone last card may be laid wherever it fits, and wins (F13)"},
}
SOURCES = {
    "selfplay": Source("whole games, up to where both draw piles are empty", partial(selfplay, progress=False), ("policies",)),
    "tight": Source("little room on the piles, hands of 10-apart pairs, nothing decided at once", tight),
    "uniform": Source("every part uniform", uniform, ("hands",)),
    "clustered": Source("every number near every other, or 10 from it", clustered, ("hands",)),
}
LIMITS: dict[str, dict[str, Any]] = {}  # every position is solved in microseconds
Budget = type(None)
FIELDS = {
    "solve": "position, outcome, remoteness, best turn, and with --tables the source. With --all a line for each outcome:\n"
    "position, turn, in how many ways, outcome, remoteness, position after it.",
    "best": "position, turn; - if there is none. With --tables the source of the position's value.",
    "turns": "position, turn; a line for each turn: plays laid in another order are another turn. With --count: position,\n"
    "how many.",
    "grade": "position, turn, verdict, value before, value with the turn, and with --tables their source.",
}
NO_TURN = "-"


def claims(text: str) -> bool:
    """True if `text` looks like a position of this game, well written or not.

    >>> claims("27^40:17 13^50v:5"), claims("12,33,49 21,94 34-41-49")
    (True, False)
    """
    return "^" in text or ":" in text


_PLAYS = [str(Play(byte & 63, *PLAY_PILES[byte >> 6])) for byte in range(256)]


def turn_text(packed: int) -> str | None:
    """A packed turn as text, without making a `Turn`; None if it is none.

    >>> turn_text(0x8c12), turn_text(0)
    ("18^ 12^'", None)
    """
    return " ".join([_PLAYS[byte] for byte in packed.to_bytes(8, "little") if byte]) or None


def _said(source: str, asked: Asked) -> tuple[str, ...]:
    """The source, where tables were asked for."""
    return (source,) if asked.tables else ()


def _named(source: str, asked: Asked) -> dict[str, str]:
    return {"source": source} if asked.tables else {}


def value_text(remoteness: int) -> str:
    """A value for people.

    >>> value_text(3)
    'win in 3'
    """
    return f"{outcome_word(remoteness)} in {remoteness}"


def values_of(array: np.ndarray, asked: Asked) -> tuple[list[int], list[str]]:
    """The remoteness of each position, and where it is from, as `Tablebase.solve_many` says it."""
    if asked.tables is None:
        return solve_many(array, asked.threads, asked.rules, progress=False).tolist(), [SEARCH] * len(array)
    values, sources = opened(asked.tables, asked.rules).solve_many(array, asked.threads, progress=False)
    return values.tolist(), sources


opened = lru_cache(maxsize=1)(open_tablebase)  # a stream is answered portion by portion


class Solve:
    """What is this position worth?"""

    spaced = True

    def parse(self, text: str, rules: Rules) -> Position:
        return Position.parse(text)

    def rows(self, positions: Sequence[Position], asked: Asked) -> Iterator[tuple[object, ...]]:
        """Position, outcome, remoteness, best turn; with `all` a row for every outcome: position, turn, count, outcome,
        remoteness, position after it."""
        if asked.all:
            for position in positions:
                for ranked in solve(position, asked.rules).turns:
                    yield position, ranked.turn, ranked.count, ranked.outcome, ranked.remoteness, ranked.position
            return
        array = pack(positions)
        values, sources = values_of(array, asked)
        turns = best_many(array, asked.threads, asked.rules, progress=False).tolist()
        for position, value, turn, source in zip(positions, values, turns, sources, strict=True):
            yield position, outcome_word(value), value, turn_text(turn) or NO_TURN, *_said(source, asked)

    def records(self, positions: Sequence[Position], asked: Asked) -> Iterator[dict[str, Any]]:
        array = pack(positions)
        values, sources = values_of(array, asked)
        best = best_many(array, asked.threads, asked.rules, progress=False)
        lines = lines_many(array, asked.threads, asked.rules, best)
        optimal = count_optimal_many(array, asked.threads, asked.rules, progress=False).tolist()
        answers = zip(positions, values, best.tolist(), lines, optimal, sources, strict=True)
        for position, value, turn, line, number, source in answers:
            record = {
                "position": str(position),
                "outcome": outcome_word(value),
                "remoteness": value,
                "best": turn_text(turn),
                "line": list(map(turn_text, line)),
                "optimal": number,
                **_named(source, asked),
            }
            if asked.all:
                record["turns"] = [
                    {
                        "turn": str(ranked.turn),
                        "count": ranked.count,
                        "outcome": ranked.outcome,
                        "remoteness": ranked.remoteness,
                        "position": str(ranked.position),
                    }
                    for ranked in solve(position, asked.rules).turns
                ]
            yield record

    def tables(self, positions: Sequence[Position], asked: Asked) -> Iterator[str]:
        for position, value, source in zip(positions, *values_of(pack(positions), asked), strict=True):
            solution = Solution(position, asked.rules, value, source)
            facts = [("value", value_text(value)), *(("source", source) for source in _said(source, asked))]
            if solution.turns:
                share = f"{solution.optimal} of {len(solution.turns)} outcomes"
                facts += [("best", f"{solution.best}   ({share})"), ("line", " | ".join(map(str, solution.line)))]
            else:
                facts.append(("best", "no legal turn" if position.opponent.hand else "none, the opponent has laid every card"))
            text = f"{position}\n{table_text(facts)}"
            if asked.all and solution.turns:
                ranked = [(value_text(turn.remoteness), turn.turn, turn.count, turn.position) for turn in solution.turns]
                text += "\n\n" + table_text([("value", "turn", "ways", "next position, its mover first"), *ranked])
            yield text


class Best:
    """Which turn is best here?"""

    spaced = False

    def parse(self, text: str, rules: Rules) -> Position:
        return Position.parse(text)

    def _texts(self, positions: Sequence[Position], asked: Asked) -> Iterator[str | None]:
        return map(turn_text, best_many(pack(positions), asked.threads, asked.rules, progress=False).tolist())

    def _sources(self, positions: Sequence[Position], asked: Asked) -> list[str]:
        return values_of(pack(positions), asked)[1] if asked.tables else [SEARCH] * len(positions)

    def rows(self, positions: Sequence[Position], asked: Asked) -> Iterator[tuple[object, ...]]:
        """Position, best turn."""
        for position, text, source in zip(positions, self._texts(positions, asked), self._sources(positions, asked), strict=True):
            yield position, text or NO_TURN, *_said(source, asked)

    def records(self, positions: Sequence[Position], asked: Asked) -> Iterator[dict[str, Any]]:
        for position, text, source in zip(positions, self._texts(positions, asked), self._sources(positions, asked), strict=True):
            yield {"position": str(position), "best": text, **_named(source, asked)}

    def tables(self, positions: Sequence[Position], asked: Asked) -> Iterator[str]:
        for text in self._texts(positions, asked):
            yield text or NO_TURN


class Turns:
    """Which ordered turns are legal here?"""

    spaced = True

    def parse(self, text: str, rules: Rules) -> Position:
        return Position.parse(text)

    def rows(self, positions: Sequence[Position], asked: Asked) -> Iterator[tuple[object, ...]]:
        """Position, turn: a row for every turn; with `count`: position, how many."""
        for position in positions:
            if asked.count:
                yield position, count_turns(position, asked.rules)
            else:
                for text in self._texts(position, asked):
                    yield position, text

    def records(self, positions: Sequence[Position], asked: Asked) -> Iterator[dict[str, Any]]:
        for position in positions:
            record: dict[str, Any] = {"position": str(position), "count": count_turns(position, asked.rules)}
            if not asked.count:
                record["turns"] = list(self._texts(position, asked))
            yield record

    def tables(self, positions: Sequence[Position], asked: Asked) -> Iterator[str]:
        for position in positions:
            if asked.count:
                yield str(count_turns(position, asked.rules))
            else:
                yield "\n".join(self._texts(position, asked)) or NO_TURN

    def _texts(self, position: Position, asked: Asked) -> Iterator[str]:
        return map(turn_text, legal_turns_array(position, asked.rules).tolist())


class Graded:
    """How good was this turn?"""

    spaced = False

    def parse(self, text: str, rules: Rules) -> tuple[Position, Turn, Position]:
        before, tab, played = text.partition("\t")
        if not tab:
            raise NotationError("question", text, len(text) + 1, "expected a tab, then a turn")
        position, turn = Position.parse(before), Turn.parse(played)
        return position, turn, after(position, turn, rules)

    def _grades(self, questions: Sequence[tuple[Position, Turn, Position]], asked: Asked) -> Iterator[Grade]:
        asked_of = (pack([question[place] for question in questions]) for place in (0, 2))
        (before, sources), (then, others) = (values_of(array, asked) for array in asked_of)
        for value, following, source, other in zip(before, then, sources, others, strict=True):
            yield Grade(value, 1 + following, source if source == other else f"{source}, {other}")

    def rows(self, questions: Sequence[tuple[Position, Turn, Position]], asked: Asked) -> Iterator[tuple[object, ...]]:
        """Position, turn, verdict, remoteness before, remoteness with the turn."""
        for (position, turn, _), grade in zip(questions, self._grades(questions, asked), strict=True):
            yield position, turn, grade.verdict, grade.before, grade.after, *_said(grade.source, asked)

    def records(self, questions: Sequence[tuple[Position, Turn, Position]], asked: Asked) -> Iterator[dict[str, Any]]:
        best = best_many(pack([question[0] for question in questions]), asked.threads, asked.rules, progress=False)
        grades = self._grades(questions, asked)
        for (position, turn, _), grade, packed in zip(questions, grades, best.tolist(), strict=True):
            yield {
                "position": str(position),
                "turn": str(turn),
                "before": grade.before,
                "after": grade.after,
                "verdict": grade.verdict,
                "optimal": grade.optimal,
                "kept_win": grade.kept_win,
                "threw_win": grade.threw_win,
                "best": turn_text(packed),
                **_named(grade.source, asked),
            }

    def tables(self, questions: Sequence[tuple[Position, Turn, Position]], asked: Asked) -> Iterator[str]:
        for (position, _, _), grade in zip(questions, self._grades(questions, asked), strict=True):
            if grade.optimal:
                yield f"optimal: {value_text(grade.before)}"
            else:
                best = best_turn(position, asked.rules)
                yield f"{grade.verdict}: {value_text(grade.after)}, while {best} is a {value_text(grade.before)}"


KINDS = {"solve": Solve(), "best": Best(), "turns": Turns(), "grade": Graded()}
