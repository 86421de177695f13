"""A game as one line of JSON, which says all that is needed to play it again: `Record`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

from backtrick import __version__
from backtrick.contest import Adjudication
from backtrick.errors import RecordError
from backtrick.games import GAMES, AnyGame
from backtrick.values import shortened


class Played(NamedTuple):
    """What became of a game.

    turns:   in notation, seat 0 first, the seats in turn
    winner:  the seat that won; None for a draw
    points:  of both seats
    reason:  why the game ended
    forfeit: what the loser did, if it lost without playing to the end; else empty
    """

    turns: tuple[str, ...]
    winner: int | None
    points: tuple[int, int]
    reason: str
    forfeit: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A game of a match: game `deal` of `seed`.

    players: seat 0 first. rules: the options that differ from the published game, by name. adjudicate: where games of this
    match end by their exact value. played: None before the game is played.

    >>> record = Record("face_to_face", 1, 0, ("frugal", "hasty"), played=Played(("55v 7^",), 0, (0, 0), "stuck"))
    >>> Record.parse(record.line()) == record
    True
    """

    game: str
    seed: int
    deal: int
    players: tuple[str, str]
    rules: dict[str, Any] | None = None
    adjudicate: Adjudication | None = None
    version: str = __version__
    played: Played | None = None

    @property
    def end(self) -> Played:
        """What became of the game, which has been played."""
        played = self.played
        assert played is not None
        return played

    def line(self) -> str:
        """The record as a line of JSON, without its end."""
        turns, winner, points, reason, forfeit = self.end
        record: dict[str, Any] = {"game": self.game, "version": self.version, "seed": self.seed, "deal": self.deal}
        record |= {"players": list(self.players)}
        record |= {"rules": self.rules} if self.rules else {}
        if self.adjudicate:
            record |= {"adjudicate": asdict(self.adjudicate) if self.adjudicate.piles else True}
        record |= {"turns": list(turns), "winner": winner, "points": list(points), "reason": reason}
        record |= {"forfeit": forfeit} if forfeit else {}
        return json.dumps(record, ensure_ascii=False)

    @classmethod
    def parse(cls, line: str) -> Record:
        """The record of a line. Raises `RecordError`, which names what is wrong."""
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            raise RecordError(f"no record of a game, but {shortened(line.strip())!r}") from None
        if not isinstance(found, dict):
            raise RecordError(f"a record is a JSON object, not {shortened(line.strip())!r}")
        for name, right in _FIELDS.items():
            if name not in found and name not in _OPTIONAL:
                raise RecordError(f"the record has no {name!r}")
            if name in found and not right(found[name]):
                raise RecordError(f"the record's {name!r} cannot be {shortened(json.dumps(found[name]))}")
        played = Played(
            tuple(found["turns"]), found["winner"], tuple(found["points"]), found["reason"], found.get("forfeit", "")
        )
        return cls(
            game=found["game"],
            seed=found["seed"],
            deal=found["deal"],
            players=tuple(found["players"]),
            rules=found.get("rules") or None,
            adjudicate=_adjudication(found.get("adjudicate", False)),
            version=found["version"],
            played=played,
        )


def options_of(game: AnyGame, rules: Any) -> dict[str, Any] | None:
    """The rule options that are not those of the published game, by name; None if there are none."""
    changed = {one.name: getattr(rules, one.name) for one in fields(rules)}
    return {name: value for name, value in changed.items() if value != getattr(game.published, name)} or None


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 64


def _is_adjudication(value: object) -> bool:
    return isinstance(value, dict) and set(value) == {"piles", "nodes"} and all(_whole(one) and one for one in value.values())


def _adjudication(found: bool | dict[str, int]) -> Adjudication | None:
    if isinstance(found, dict):
        return Adjudication(**found)
    return Adjudication() if found else None


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


_FIELDS: dict[str, Callable[[Any], bool]] = {
    "game": lambda value: value in GAMES if isinstance(value, str) else False,
    "version": lambda value: isinstance(value, str),
    "seed": _whole,
    "deal": _whole,
    "players": lambda value: _texts(value) and len(value) == 2,
    "rules": lambda value: isinstance(value, dict),
    "adjudicate": lambda value: isinstance(value, bool) or _is_adjudication(value),
    "turns": _texts,
    "winner": lambda value: value is None or value in (0, 1) and not isinstance(value, bool),
    "points": lambda value: isinstance(value, list) and len(value) == 2 and all(type(one) is int for one in value),
    "reason": lambda value: isinstance(value, str),
    "forfeit": lambda value: isinstance(value, str),
}
_OPTIONAL = ("rules", "adjudicate", "forfeit")
