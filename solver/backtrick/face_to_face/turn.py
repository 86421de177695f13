"""A turn and its plays: their notation and packed form.

    18^ 17^ 45v 12^'                 plays in the order laid: card, pile, and ' for the opponent's pile
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import index

import numpy as np

import backtrick.face_to_face._objects as _objects
import backtrick.face_to_face._text as _text
from backtrick.arguments import checked_fields, read_items, read_turn
from backtrick.errors import PackedError
from backtrick.face_to_face.position import HAND_SIZE
from backtrick.face_to_face.rule_options import HIGHEST
from backtrick.names.other_names import Advising
from backtrick.notation import Cursor, TextWriter, U64s, pack_column

ASCENDING, DESCENDING = "^", "v"

TURN_DTYPE = np.dtype("<u8")
"""A packed turn (`pack_turn`)."""


@dataclass(frozen=True, order=True, slots=True)
@checked_fields
class Play:
    """One card laid on one pile: the card, the sign of the pile, and whether it is the opponent's pile (the helpful card).

    >>> str(Play(12, "^", helpful=True))
    "12^'"
    """

    card: int
    pile: str
    helpful: bool = False

    def __post_init__(self) -> None:
        if self.pile not in (ASCENDING, DESCENDING):
            raise ValueError(f"a pile must be '^' or 'v', not {self.pile!r}")
        if type(self.card) is not int or type(self.helpful) is not bool:
            object.__setattr__(self, "card", index(self.card))
            object.__setattr__(self, "helpful", bool(self.helpful))

    def __str__(self) -> str:
        return f"{self.card}{self.pile}" + ("'" if self.helpful else "")


@dataclass(frozen=True, order=True, slots=True, repr=False)
@checked_fields
class Turn(metaclass=Advising):
    """The plays of one turn in the order laid. Whether they are legal depends on the position.

    >>> turn = Turn.parse("18^ 17^ 45v 12^'")
    >>> len(turn), turn.plays[3].helpful, str(turn)
    (4, True, "18^ 17^ 45v 12^'")
    """

    plays: tuple[Play, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "plays", tuple(self.plays))
        if not all(isinstance(play, Play) for play in self.plays):
            raise TypeError("a turn is of plays; Turn.parse(text) reads a text")

    def __repr__(self) -> str:
        return f"<Turn {self}>"

    def __len__(self) -> int:
        return len(self.plays)

    def __iter__(self) -> Iterator[Play]:
        return iter(self.plays)

    def __str__(self) -> str:
        # as str(play) of each, in half the time
        return " ".join([f"{one.card}{one.pile}'" if one.helpful else f"{one.card}{one.pile}" for one in self.plays])

    @classmethod
    def parse(cls, text: str) -> Turn:
        """The turn that `text` names. Raises `NotationError`."""
        cursor = Cursor("turn", text)
        plays: list[Play] = []
        while not cursor.at_end() or not plays:
            if plays and not cursor.take(",") and cursor.text[cursor.place - 1] not in " \t":
                raise cursor.fail(f"expected a blank between plays, found {cursor.found()}")
            plays.append(_parse_play(cursor))
        return cls(tuple(plays))


def _parse_play(cursor: Cursor) -> Play:
    card = cursor.number()
    for pile in (ASCENDING, DESCENDING):
        if cursor.take(pile):
            return Play(card, pile, helpful=cursor.take("'"))
    raise cursor.fail(f"expected '^' or 'v' after the card, found {cursor.found()}")


def as_turn(given: Turn | str | int) -> Turn:
    """The turn that a user gives: the object, its notation, or packed. Raises `NotationError`, `PackedError`, and `ArgumentError`
    for anything else."""
    return given if isinstance(given, Turn) else read_turn(Turn, Turn.parse, unpack_turn, given)


def mirror_turn(turn: Turn | str | int) -> Turn:
    """The same turn in the mirrored position (`position.mirror`).

    >>> str(mirror_turn(Turn.parse("18^ 17^ 45v 12^'")))
    "43v 44v 16^ 49v'"
    """
    piles = {ASCENDING: DESCENDING, DESCENDING: ASCENDING}
    return Turn(tuple(Play(HIGHEST + 1 - play.card, piles[play.pile], play.helpful) for play in as_turn(turn)))


PLAY_PILES = ((ASCENDING, False), (DESCENDING, False), (ASCENDING, True), (DESCENDING, True))


def pack_turn(turn: Turn | str | int) -> int:
    """A turn in 64 bits: byte i, from the lowest, is play i as `card | pile << 6`; a zero byte ends the turn.

    Piles are numbered own ascending 0, own descending 1, opponent's ascending 2, opponent's descending 3.

    Raises `PackedError` if a play lays no number card (F1), or there are more plays than a hand has cards (F2).

    >>> hex(pack_turn(Turn.parse("18^ 12^'")))
    '0x8c12'
    """
    turn, packed = as_turn(turn), 0
    for number, play in enumerate(turn):
        if play not in _CODES:
            raise PackedError("turn", repr(str(turn)), _no_card(number, play.card))
        packed |= _CODES[play] << 8 * number
    _check_count("turn", repr(str(turn)), len(turn))
    return packed


def pack_turns(turns: Iterable[Turn | str]) -> U64s:
    """Turns as an array of `TURN_DTYPE`, shape (n,): objects or texts, also as a column of pandas, polars or pyarrow. An empty text
    and None are 0, "no turn". It undoes `turns_text`.

    Raises `LineError`, which names the item, for a text that is not a turn, and `PackedError`.

    >>> pack_turns(["18^ 12^'", ""]).tolist()
    [35858, 0]
    """
    array: U64s | None = pack_column(turns, TURN_DTYPE, _read_plain, _pack_or_none)
    return np.array(list(map(_pack_or_none, read_items("turns", turns))), TURN_DTYPE) if array is None else array


def _read_plain(text: bytes, start: int, turns: U64s, _: None, first: int, rest: bool) -> tuple[int, int]:
    found: tuple[int, int] = _text.read_turns(text, start, turns, first)
    return found


def _pack_or_none(turn: Turn | str | None) -> int:
    return 0 if turn is None or turn == "" else pack_turn(turn)


def unpack_turn(packed: int) -> Turn | None:
    """The turn that a number from `pack_turn` stands for; None for 0, "no turn". Raises `PackedError` for any other number.

    >>> str(unpack_turn(0x8c12))
    "18^ 12^'"
    >>> unpack_turn(0x01)
    Traceback (most recent call last):
    backtrick.errors.PackedError: packed turn 1: play 1 lays the card 1, and the number cards are 2..59 (F1)
    """
    packed = rest = index(packed)
    if not 0 <= packed < 1 << 64:
        raise PackedError("packed turn", packed, "it is 0..2^64-1")
    plays: list[Play] = []
    while rest:
        play = _PLAYS.get(rest & 255)
        if play is None:
            raise PackedError("packed turn", packed, _no_card(len(plays), rest & 63))
        plays.append(play)
        rest >>= 8
    _check_count("packed turn", packed, len(plays))
    return Turn(tuple(plays)) if plays else None


def turns_of_kernel(packed: Iterable[int]) -> list[Turn]:
    """The turns of packed turns from a kernel: they are turns, so nothing is checked."""
    turns = []
    for number in packed:
        turn = object.__new__(Turn)
        _set_plays(turn, tuple(map(_PLAYS.__getitem__, number.to_bytes(8, "little").rstrip(b"\0"))))
        turns.append(turn)
    return turns


def turns_of_array(packed: U64s) -> list[Turn]:
    """As `turns_of_kernel`, of an array: in a sixth of the time.

    >>> turns_of_array(np.array([0x8c12], np.uint64))
    [<Turn 18^ 12^'>]
    """
    turns: list[Turn] = _objects.turns_of(Turn, PLAY_OF_BYTE, packed)
    return turns


_set_plays = vars(Turn)["plays"].__set__
_PLAYS = {card | pile << 6: Play(card, *PLAY_PILES[pile]) for card in range(2, HIGHEST) for pile in range(len(PLAY_PILES))}
PLAY_OF_BYTE = tuple(map(_PLAYS.get, range(256)))
"""What each byte of a packed turn stands for; None where it stands for nothing."""
_CODES = {play: code for code, play in _PLAYS.items()}


def _no_card(number: int, card: int) -> str:
    return f"play {number + 1} lays the card {card}, and the number cards are 2..{HIGHEST - 1} (F1)"


def _check_count(what: str, packed: object, count: int) -> None:
    if count > HAND_SIZE:
        raise PackedError(what, packed, f"{count} plays, and a hand holds {HAND_SIZE} cards (F2)")


TURN_WRITER = TextWriter(_text.write_turns, _text.TURN_BYTES, lambda turns, place: unpack_turn(turns[place]))
