"""The players that a request may ask for: those of the game, with settings that bound their time. Never a program."""

from __future__ import annotations

from typing import Any

from backtrick.contest import Contest
from backtrick.errors import UsageError
from backtrick.state import Player
from backtrick.values import shortened

MOST_SECONDS = 1.0
"""What a player may think about a turn: it cannot be stopped while it thinks."""

MOST_WORK = 10
"""How many times its usual number of worlds, play-outs or iterations a player may take: less than a second."""

SEED, MOST_SEED, SECONDS = "seed", 10**18 - 1, "seconds"


def player_named(contest: Contest[Any, Any, Any], text: str) -> tuple[Player[Any, Any], bool]:
    """The player that `text` names, and True if it repeats itself. Raises `UsageError`, `ArgumentError`.

    >>> from backtrick.take_that.contest import CONTEST
    >>> player_named(CONTEST, "sampler:seconds=60")
    Traceback (most recent call last):
    backtrick.errors.UsageError: player 'sampler:seconds=60': seconds is 0..1 here, not 60
    """
    name = text.partition(":")[0]
    if name not in contest.players:
        offered = ", ".join(contest.players)
        raise UsageError(f"no player of {contest.game.title} is called {shortened(name)!r}; there are {offered}")
    kind, given = contest.players.settings(text)
    for setting, value in given.items():
        usual = kind.settings[setting]
        if isinstance(usual, str) or isinstance(value, str):
            continue
        most = MOST_SECONDS if setting == SECONDS else MOST_SEED if setting == SEED else MOST_WORK * usual
        if not 0 <= value <= most:
            raise UsageError(f"player {shortened(text)!r}: {setting} is 0..{most:.18g} here, not {value:g}")
    return contest.players.player(text), not given.get(SECONDS)
