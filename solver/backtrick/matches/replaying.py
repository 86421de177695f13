"""Recorded games, played again: their states turn by turn, and the check that they lead to the recorded result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from backtrick.contest import ADJUDICATED, SOLVED, Result
from backtrick.errors import BacktrickError, RecordError
from backtrick.games import contest_of, game_of
from backtrick.matches.forfeit import REASONS
from backtrick.matches.record import Record


class Stage(NamedTuple):
    """A state of a recorded game between two turns, and the turn that followed; None at the end."""

    state: Any
    turn: Any


def stages(record: Record) -> Iterator[Stage]:
    """The states of a game in their order. Raises `RecordError` for a turn that is not legal."""
    contest = contest_of(game_of(record.game))
    try:
        state = contest.deal(record.seed, record.deal, contest.game.rules_with(record.rules or {}))
    except (BacktrickError, TypeError) as error:
        raise RecordError(f"the record's 'rules': {error}") from None
    for number, text in enumerate(record.end.turns, 1):
        try:
            turn = contest.game.parse_turn(text)
            following = contest.play(state, turn)
        except BacktrickError as error:
            raise RecordError(f"turn {number}: {error}") from None
        yield Stage(state, turn)
        state = following
    yield Stage(state, None)


def check(record: Record) -> None:
    """Raises `RecordError` unless the turns are legal and lead to the recorded result."""
    *_, last = stages(record)
    contest, played = contest_of(game_of(record.game)), record.end
    told = Result(played.winner, played.points, played.reason)
    found = contest.result(last.state)
    if found is None and played.reason in REASONS:
        found = Result(1 - last.state.to_move, last.state.points, played.reason)
    elif found is None and record.adjudicate and played.reason in (ADJUDICATED, SOLVED):
        found = contest.adjudicated(last.state, record.adjudicate, contest.game.rules_with(record.rules or {}))
    if found != told:
        raise RecordError(f"its turns lead to {_words(found)}, and it says {_words(told)}")


def _words(result: Result | None) -> str:
    if result is None:
        return "no end"
    winner = "a draw" if result.winner is None else f"a win of seat {result.winner}"
    return f"{winner} at {result.points[0]} : {result.points[1]} points ({result.reason})"
