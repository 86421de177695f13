"""What comes with the page, so that the first table is seen before its script has come, and needs no request of its own: a picture
and answers of the puzzle of the day, or of the position that a link names."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlencode

from backtrick.budget import UNLIMITED
from backtrick.errors import BacktrickError
from backtrick.game import AnyGame
from backtrick.games import GAMES, game_of
from backtrick.notation import spelled
from backtrick.web.endpoints import ENDPOINTS
from backtrick.web.limits import Limits
from backtrick.web.parameters import path_of, read
from backtrick.web.puzzles import puzzle_of_day, puzzles_of
from backtrick.writing.drawing import THEMED

GAME = next(iter(GAMES))
"""The game of the first screen, as the page has it (state.js)."""


@dataclass(frozen=True)
class First:
    """What comes with the page.

    picture: of the table, as SVG
    known:   the bodies of answers that the page would ask for first, by the addresses of their questions
    """

    picture: str
    known: dict[str, bytes]


@lru_cache(2)
def first_screen(day: int) -> First:
    """What comes with the first screen, the puzzle of the day. day: since 1970, in UTC.

    >>> [address.partition("=")[0] for address in first_screen(20_001).known]
    ['/api/v1/face-to-face/look?position', '/api/v1/face-to-face/puzzle?number', '/api/v1/face-to-face/puzzle?number']
    """
    game, puzzles = game_of(GAME), puzzles_of(GAME)
    number = puzzle_of_day(day, len(puzzles))
    first = first_table(game, game.read_position(puzzles[number]["position"]))
    numbered = dict(_answered(game, "puzzle", number=str(one)) for one in (0, number))  # the first says how many there are
    return First(first.picture, {**first.known, **numbered})


def first_table(game: AnyGame, position: object) -> First:
    """What comes with the page of a position: the answer what may be laid, if the game has one."""
    known: dict[str, bytes] = {}
    with suppress(BacktrickError):
        known = dict([_answered(game, "look", position=spelled(str(position)))])
    return First(game.display.drawing(position, THEMED) or "", known)


def _answered(game: AnyGame, name: str, **fields: str) -> tuple[str, bytes]:
    """The address of a question, and the body of its answer."""
    endpoint = ENDPOINTS[name]
    query = read(game, fields, endpoint.parameters, False, Limits())
    return f"/api/v1/{path_of(game.name)}/{name}?{urlencode(fields)}", endpoint.answer(query, UNLIMITED).body
