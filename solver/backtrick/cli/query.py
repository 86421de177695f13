"""One question: what is written on a line, in a row of a table or in an element of an array, and its place."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from backtrick.errors import ArrayError, BacktrickError, NotationError
from backtrick.games import GAMES, AnyGame, game_of, tell
from backtrick.values import shortened
from backtrick.writer import NO_TURN, UNKNOWN


class Fields(NamedTuple):
    """The parts of a written question: a position and a turn in notation, and the game's name if it is there."""

    position: str
    turn: str | None = None
    game: str | None = None


class Query(ABC):
    """One question, not parsed yet: parsing raises errors, which are reported with its place.

    place: for error messages: 'line 3', 'row 17'; lines and rows count from 1. Empty for the only argument.
    """

    place: str

    @abstractmethod
    def game(self) -> AnyGame:
        """The game of the question. Raises `BacktrickError`."""

    @abstractmethod
    def position(self, game: AnyGame) -> Any:
        """The position. Raises `BacktrickError`."""

    @abstractmethod
    def turn(self, game: AnyGame) -> Any:
        """The turn to grade. Raises `BacktrickError`, also if the question has none."""


class _Written(Query):
    """A question in notation."""

    @abstractmethod
    def fields(self) -> Fields:
        """The parts of the question. Raises `NotationError`."""

    @abstractmethod
    def text(self) -> str:
        """The question as it was written, for error messages."""

    def game(self) -> AnyGame:
        fields = self.fields()
        return game_of(fields.game) if fields.game in GAMES else tell(fields.position)

    def position(self, game: AnyGame) -> Any:
        fields = self.fields()
        if fields.game not in (None, game.name):
            raise NotationError("record", self.text(), 1, f"it is of the game {shortened(fields.game)!r}, not of {game.name!r}")
        return game.parse(fields.position)

    def turn(self, game: AnyGame) -> Any:
        turn = self.fields().turn
        if turn is None:
            raise NotationError("question", self.text(), len(self.text()) + 1, "expected a tab, then a turn")
        if turn in (NO_TURN, UNKNOWN):
            raise NotationError("question", self.text(), 1, "it names no turn to grade: there was none, or none was found")
        return game.parse_turn(turn)


@dataclass(frozen=True, slots=True)
class Line(_Written):
    """A line of text: a row, whose first field is the position and whose second may be the turn; or a record."""

    place: str
    line: str

    def text(self) -> str:
        return self.line

    def fields(self) -> Fields:
        if self.line.lstrip().startswith("{"):
            return _fields_of_record(self.line)
        position, *rest = self.line.split("\t")
        return Fields(position, rest[0] if rest else None)

    def turn(self, game: AnyGame) -> Any:
        _, *fields = self.line.split("\t")
        if len(fields) in (2, 3) and not self.line.lstrip().startswith("{") and _is_turn(game, fields[1]):
            problem = "it is a row of solve, whose second field is no turn; grade takes those of best, or of solve --json"
            raise NotationError("question", self.line, 1, problem)
        return super(Line, self).turn(game)


@dataclass(frozen=True, slots=True)
class Cells(_Written):
    """A row of a Parquet file. None for an empty cell."""

    place: str
    position_cell: str | None
    turn_cell: str | None
    game_name: str | None

    def text(self) -> str:
        return self.position_cell or ""

    def fields(self) -> Fields:
        if self.position_cell is None:
            raise NotationError("row", "", 1, "it has no position")
        return Fields(self.position_cell, self.turn_cell or NO_TURN, self.game_name)


@dataclass(frozen=True, slots=True)
class Packed(Query):
    """An element of an array, as an array of one, and its packed turn if it has one."""

    place: str
    of: AnyGame
    one: np.ndarray
    packed_turn: int | None

    def game(self) -> AnyGame:
        return self.of

    def position(self, game: AnyGame) -> Any:
        if game is not self.of:
            raise ArrayError(f"it is of the game {self.of.name!r}, not of {game.name!r}")
        return game.unpack(self.one)[0]

    def turn(self, game: AnyGame) -> Any:
        turn = None if self.packed_turn is None else game.unpack_turn(self.packed_turn)
        if turn is None:
            lacks = "the array has no field 'turn' or 'best'" if self.packed_turn is None else "there was none, or none was found"
            raise ArrayError(f"it names no turn to grade: {lacks}")
        return turn


def _fields_of_record(line: str) -> Fields:
    """The `position`, the `turn` or `best`, and the `game` of a record. Raises `NotationError`."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise NotationError("record", line, getattr(error, "colno", 1), "it is not JSON") from None
    position, turn, game = record.get("position"), record.get("turn", record.get("best", NO_TURN)), record.get("game")
    if not isinstance(position, str):
        raise NotationError("record", line, 1, "it has no position")
    if "game" in record and not isinstance(game, str):
        raise NotationError("record", line, 1, "its game is no name")
    return Fields(position, turn if isinstance(turn, str) else NO_TURN, game)


def _is_turn(game: AnyGame, text: str) -> bool:
    try:
        return text in (NO_TURN, UNKNOWN) or game.parse_turn(text) is not None
    except BacktrickError:
        return False
