"""What is known of every turn of a recorded game: exact where no card was hidden from anybody, nothing before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from solver.games import contest_of, game_of
from solver.matches.record import Record
from solver.matches.replaying import moments

UNKNOWN = "?"
"""The verdict on a turn while cards are hidden."""


class Judged(NamedTuple):
    """A turn of a game: its number from 1, its player, the deal or endgame before it, the turn, and the verdict on it."""

    number: int
    player: str
    position: Any
    turn: Any
    verdict: str


def judged(record: Record) -> Iterator[Judged]:
    """The turns of a game in their order. Raises `RecordError` for a turn that is not legal."""
    game = game_of(record.game)
    contest = contest_of(game)
    for number, (state, turn) in enumerate(moments(record), 1):
        if turn is None:
            return
        position = state.view(state.to_move).position
        verdict = UNKNOWN if position is None else game.grade(position, turn, contest.game.rules_with(record.rules or {})).verdict
        yield Judged(number, record.players[state.to_move], state.position(), turn, verdict)
