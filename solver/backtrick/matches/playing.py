"""One game between two players, from the deal to its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from backtrick.contest import Contest, Result
from backtrick.errors import IllegalActionError, IllegalTurnError
from backtrick.matches.forfeit import ILLEGAL, ForfeitError
from backtrick.matches.record import Played, Record
from backtrick.state import Player

AnyContest = Contest[Any, Any, Any]


def play_game(contest: AnyContest, record: Record, seats: Sequence[Player[Any, Any]]) -> Record:
    """The record of a game that is dealt but not played, with its turns and result. seats: the players, seat 0 first."""
    rules = contest.game.rules_with(record.rules or {})
    state = contest.deal(record.seed, record.deal, rules)
    turns: list[str] = []
    while True:
        result = contest.result(state)
        if result is None and record.adjudicate:
            result = contest.adjudicated(state, record.adjudicate, rules)
        if result:
            return replace(record, played=Played(tuple(turns), *result))
        seat = state.to_move
        try:
            turn = contest.ask(seats[seat], state)
            state = contest.play(state, turn)
        except (IllegalTurnError, IllegalActionError) as error:
            return _forfeited(record, turns, seat, state, ForfeitError(ILLEGAL, str(error)))
        except ForfeitError as forfeit:
            return _forfeited(record, turns, seat, state, forfeit)
        turns.append(str(turn))


def _forfeited(record: Record, turns: list[str], seat: int, state: Any, forfeit: ForfeitError) -> Record:
    result = Result(1 - seat, state.points, forfeit.reason)
    return replace(record, played=Played(tuple(turns), *result, forfeit.sentence))
