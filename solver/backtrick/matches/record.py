"""A game as one line of JSON that says all that is needed to play it again, and the file of a match."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from backtrick import __version__
from backtrick.errors import BacktrickError, FileError, RecordError, StorageError, shortened
from backtrick.game import AnyGame
from backtrick.games import GAMES, game_of, whole_game_of
from backtrick.lines import lines_in
from backtrick.matches.players import REASONS
from backtrick.play.state import Result
from backtrick.play.whole_game import ADJUDICATED, SOLVED, Adjudication
from backtrick.storage.atomic import growing_file


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
    match end by their exact value. played: None before the game is played. start: the position with which a game begins that was
    written down by people; None for the deal.

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
    start: str | None = None

    @property
    def end(self) -> Played:
        """What became of the game, which has been played."""
        played = self.played
        assert played is not None
        return played

    def line(self) -> str:
        """The record as a line of JSON, without its end. Its last field is a checksum of the others."""
        facts = self._facts()
        return json.dumps({**facts, CHECKSUM: _checksum(facts)}, ensure_ascii=False)

    def _facts(self) -> dict[str, Any]:
        """The fields of the line but the checksum."""
        turns, winner, points, reason, forfeit = self.end
        record: dict[str, Any] = {"game": self.game, "version": self.version, "seed": self.seed, "deal": self.deal}
        record |= {"players": list(self.players)}
        record |= {"rules": self.rules} if self.rules else {}
        if self.adjudicate:
            record |= {"adjudicate": asdict(self.adjudicate) if self.adjudicate.piles else True}
        record |= {"turns": list(turns), "winner": winner, "points": list(points), "reason": reason}
        record |= {"forfeit": forfeit} if forfeit else {}
        return record

    @classmethod
    def parse(cls, line: str) -> Record:
        """The record of a line. Raises `RecordError`, which names what is wrong."""
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            raise RecordError(f"it is not the record of a game: {shortened(line.strip())!r}") from None
        if not isinstance(found, dict):
            raise RecordError(f"a record must be a JSON object, not {shortened(line.strip())!r}")
        for name, right in _FIELDS.items():
            if name not in found and name not in _OPTIONAL:
                raise RecordError(f"the record has no {name!r}")
            if name in found and not right(found[name]):
                raise RecordError(f"the record's {name!r} cannot be {shortened(json.dumps(found[name]))}")
        played = Played(
            tuple(found["turns"]), found["winner"], tuple(found["points"]), found["reason"], found.get("forfeit", "")
        )
        record = cls(
            game=found["game"],
            seed=found["seed"],
            deal=found["deal"],
            players=tuple(found["players"]),
            rules=_options(found["game"], found.get("rules", {})),
            adjudicate=_adjudication(found.get("adjudicate", False)),
            version=found["version"],
            played=played,
        )
        if found[CHECKSUM] != _checksum(record._facts()):
            raise RecordError(f"the record was changed: its {CHECKSUM!r} does not fit the rest")
        return record


CHECKSUM = "crc32"


def _checksum(facts: dict[str, Any]) -> str:
    return f"{crc32(json.dumps(facts, ensure_ascii=False).encode()):08x}"


def _options(game: str, found: dict[str, Any]) -> dict[str, Any] | None:
    """The rule options of a record. Raises `RecordError` for one that this version does not know, or a wrong value."""
    known = game_of(game)
    try:
        return options_of(known, known.rules_with(found))
    except BacktrickError as error:
        raise RecordError(f"the record's 'rules': {error}") from None


def options_of(game: AnyGame, rules: Any) -> dict[str, Any] | None:
    """The rule options that are not those of the published game, by name; None if there are none."""
    changed = {one.name: getattr(rules, one.name) for one in fields(rules)}
    return {name: value for name, value in changed.items() if value != getattr(game.published, name)} or None


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 64


def _adjudication(found: bool | dict[str, int]) -> Adjudication | None:
    if isinstance(found, dict):
        return Adjudication(**found)
    return Adjudication() if found else None


def _text(value: object) -> bool:
    """True for a text that can be written: a lone surrogate cannot."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_text, value))


MOST_POINTS = 10_000
"""Far more than any game has."""


_FIELDS: dict[str, Callable[[Any], bool]] = {
    "game": lambda value: isinstance(value, str) and value in GAMES,
    "version": _text,
    "seed": _whole,
    "deal": _whole,
    "players": lambda value: _texts(value) and len(value) == 2 and value[0] != value[1],
    "rules": lambda value: isinstance(value, dict),
    "adjudicate": lambda value: isinstance(value, bool) or (isinstance(value, dict) and set(value) == {"piles", "nodes"}
                                                            and all(_whole(one) and one for one in value.values())),
    "turns": _texts,
    "winner": lambda value: value is None or type(value) is int and value in (0, 1),
    "points": lambda value: isinstance(value, list) and len(value) == 2
                            and all(type(one) is int and abs(one) < MOST_POINTS for one in value),
    "reason": _text,
    "forfeit": _text,
    CHECKSUM: _text,
}  # fmt: skip
_OPTIONAL = ("rules", "adjudicate", "forfeit")


class Stage(NamedTuple):
    """A state of a recorded game between two turns, and the turn that followed; None at the end."""

    state: Any
    turn: Any


def stages(record: Record) -> Iterator[Stage]:
    """The states of a game in their order. Raises `RecordError` for a turn that is not legal, and `RulesError`."""
    whole_game = whole_game_of(game_of(record.game))
    rules = whole_game.game.rules_with(record.rules)
    if record.start is None:
        state = whole_game.deal(record.seed, record.deal, rules)
    else:
        state = whole_game.state.begin(whole_game.game.parse(record.start, rules), rules)
    for number, text in enumerate(record.end.turns, 1):
        try:
            turn = whole_game.game.parse_turn(text)
            following = state.play(turn)
        except BacktrickError as error:
            raise RecordError(f"turn {number}: {error}") from None
        yield Stage(state, turn)
        state = following
    yield Stage(state, None)


def check_replay(record: Record) -> None:
    """Raises `RecordError` unless the turns are legal and lead to the recorded result."""
    *_, last = stages(record)
    whole_game, played = whole_game_of(game_of(record.game)), record.end
    told = Result(played.winner, played.points, played.reason)
    found = whole_game.result(last.state)
    if found is None and played.reason in REASONS:
        found = Result(1 - last.state.to_move, last.state.points, played.reason)
    elif found is None and record.adjudicate and played.reason in (ADJUDICATED, SOLVED):
        found = whole_game.adjudicated(last.state, record.adjudicate, whole_game.game.rules_with(record.rules))
    if found != told:
        raise RecordError(f"its turns lead to {_words(found)}, but it says {_words(told)}")


def _words(result: Result | None) -> str:
    if result is None:
        return "no end"
    winner = "a draw" if result.winner is None else f"a win of seat {result.winner}"
    return f"{winner} at {result.points[0]} : {result.points[1]} points ({result.reason})"


BEGINNING = b'{"game": '


class Recording:
    """The records of a match, and the file that they are written to; None for no file."""

    def __init__(self, records: list[Record], write: Callable[[str], None] | None = None):
        self.records, self._write = records, write

    def add(self, records: Iterable[Record]) -> None:
        """Adds games that were played. Raises `StorageError` if they cannot be written."""
        new = list(records)
        if self._write is not None:
            self._write("".join(record.line() + "\n" for record in new))
        self.records += new


@contextmanager
def recording(path: Path | None, like: Record) -> Iterator[Recording]:
    """The recording of a match: with what its file holds already, if there is one. A last line that was cut short is dropped.

    like: a record of this match. Raises `FileError` if the file holds games of another match, or something else.
    """
    if path is None:
        yield Recording([])
        return
    records: list[Record] = []

    def read(text: bytes) -> None:
        numbered = list(records_of(path, text))
        if text and not numbered:
            raise FileError(str(path), "it is not a file of games: it has no game, but other lines")
        _check_same(path, numbered, like)
        records.extend(record for _, record in numbered)

    with growing_file(path, begins_record, "games", read) as add:
        yield Recording(records, add)


def read_records(path: Path) -> list[Record]:
    """The games of a file. A last line that was cut short is skipped. Raises `StorageError`, `FileError` with the line."""
    return [record for _, record in records_in(path, read_games(path))]


def read_games(path: Path) -> bytes:
    """What a file of games holds. Raises `StorageError`."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise StorageError(str(path), f"cannot be read: {error.strerror}") from None


def records_in(path: Path, text: bytes) -> list[tuple[int, Record]]:
    """The records of what a file holds, each with the number of its line, see `read_records`."""
    end = text.rfind(b"\n") + 1
    with suppress(RecordError):  # a last line that was cut short
        if not begins_record(text[end:]) or Record.parse(text[end:].decode(errors="replace")):
            end = len(text)
    return list(records_of(path, text[:end]))


def begins_record(text: bytes) -> bool:
    """True if a text may be the beginning of a record that was cut short, or nothing."""
    return text.startswith(BEGINNING) or BEGINNING.startswith(text)


def records_of(path: Path, text: bytes) -> Iterator[tuple[int, Record]]:
    """The records of whole lines, each with the number of its line. Raises `FileError` that names the line."""
    lines = lines_in(path, text)
    while (line := lines.next()) is not None:
        try:
            yield lines.before, Record.parse(line.text)
        except RecordError as error:
            raise FileError(str(path), f"{line.place}: {error}") from None


def _check_same(path: Path, numbered: Iterable[tuple[int, Record]], like: Record) -> None:
    for number, record in numbered:
        for what in ("game", "seed", "rules", "adjudicate", "version"):
            theirs, ours = (getattr(one, what) for one in (record, like))
            if theirs != ours:
                theirs, ours = ("nothing" if one is None else one for one in (theirs, ours))
                problem = f"line {number} is of a match with {what} {theirs}, and this one has {what} {ours}"
                raise FileError(str(path), f"{problem}; another match needs another file")
