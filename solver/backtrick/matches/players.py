"""A player by its name, for any game: one of the game's, one that ends with exact play, or a program."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from backtrick.contest import Contest
from backtrick.errors import ArgumentError
from backtrick.matches.external import TURN_SECONDS, External
from backtrick.state import Player

EXACT, COMMAND = "exact", "cmd"

FORMS = {
    f"{EXACT}:PLAYER": "as PLAYER, and exact play as soon as no card is hidden from it",
    f"{COMMAND}:PROGRAM ARGUMENTS": "a program that answers turns (docs/protocol.md)",
}
"""The players that every game has, each with a line for people."""

AnyPlayer = Player[Any, Any]
AnyContest = Contest[Any, Any, Any]


@contextmanager
def player_of(contest: AnyContest, text: str, seconds: float = TURN_SECONDS) -> Iterator[AnyPlayer]:
    """The player that `text` names; a program ends with the block. seconds: a program's time for a turn.

    Raises `ArgumentError` if there is none.

    >>> from backtrick.take_that.contest import CONTEST
    >>> with player_of(CONTEST, "exact:eager") as player:
    ...     print(player(CONTEST.deal(1, 0, CONTEST.game.published).view(0)))
    13
    """
    name, colon, rest = text.partition(":")
    if name == EXACT:
        if not colon:
            raise ArgumentError(f"player {EXACT!r}: say who plays as long as cards are hidden, as in {EXACT}:{_some(contest)}")
        with player_of(contest, rest, seconds) as other:
            yield exact_at_the_end(contest, other)
    elif name == COMMAND:
        program = External(contest, rest, seconds)
        try:
            yield program
        finally:
            program.close()
    else:
        yield contest.players.player(text)


def _some(contest: AnyContest) -> str:
    return list(contest.players)[-1]


def exact_at_the_end(contest: AnyContest, other: AnyPlayer) -> AnyPlayer:
    """The player that plays as `other` does, and exactly as soon as no card is hidden from it."""

    def turn(view: Any) -> Any:
        position = view.position
        return other(view) if position is None else contest.game.best_turn(position, view.rules)

    return turn


def check_players(contest: AnyContest, texts: list[str]) -> None:
    """Raises `ArgumentError` for the first text that names no player, or whose program cannot be started."""
    for text in texts:
        with player_of(contest, text) as player:
            if isinstance(player, External):
                player.start()
