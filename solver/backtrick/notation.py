"""Positions and turns of a game as text and as arrays: the part of a game's contract about how they are written; the cursor with
which a game reads a text; and the arrays that a caller hands over.

REQUIRED and OPTIONAL are as in `solver/backtrick/game.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, ClassVar, Generic, NamedTuple

import numpy as np
import numpy.typing as npt

from backtrick.arguments import no_position, read_turn
from backtrick.bounds import P, T
from backtrick.display import Display
from backtrick.errors import ArgumentError, ArrayError, BacktrickError, LineError, NotationError, WrongTypeError
from backtrick.given import shown
from backtrick.lines import Line, Lines, join_columns

# arrays by the type of their items
Bools = npt.NDArray[np.bool_]
U8s = npt.NDArray[np.uint8]
U32s = npt.NDArray[np.uint32]
U64s = npt.NDArray[np.uint64]
I8s = npt.NDArray[np.int8]
I64s = npt.NDArray[np.int64]
F32s = npt.NDArray[np.float32]
F64s = npt.NDArray[np.float64]
Integers = npt.NDArray[np.integer[Any]]
"""Values: of 8 bits or more, as the game has them."""
Positions = npt.NDArray[np.void]
"""Of the POSITION_DTYPE of a game."""
Many = Any
"""Positions, or what `pack` makes them of: a list or a column of positions or texts."""
ManyTurns = Any
"""Packed turns, or what `pack_turns` makes them of: a list or a column of turns or texts."""
Rows = npt.NDArray[np.void]
"""Of the OUTCOME_DTYPE of a game."""
Turns = npt.NDArray[np.unsignedinteger[Any]]
"""Packed turns, of the game's `turn_dtype`."""

RULE = "positions must be an array of POSITION_DTYPE with one axis"
MASKED = "its mask would be ignored; .compressed() has what is not masked"


def as_positions(given: Any, dtype: np.dtype | None, pack: Callable[[Any], Positions] | None = None) -> Positions:
    """The array of positions that was given, or that numpy reads from it: of `dtype`, a game's POSITION_DTYPE, with one axis.

    pack: what makes one of a list or a column (`column_of`), of positions or their texts; None to refuse these. Nothing else is
    converted. Raises `ArrayError`, which is a `TypeError`, for anything else. An array with the same fields under other names or
    in another byte order is refused too; the error then says what converts it.

    >>> as_positions(np.zeros(3), np.dtype("u1"))
    Traceback (most recent call last):
    backtrick.errors.ArrayError: positions must be an array of POSITION_DTYPE with one axis, not float64 of shape (3,)
    """
    if pack is not None and (column := column_of(given)) is not None:
        return pack(column)
    if not hasattr(given, "__array__"):
        kind = type(given).__name__
        article = "an" if kind[0] in "aeiouAEIOU" else "a"
        raise ArrayError(f"{RULE}, not {article} {kind}; pack() makes one of positions")
    if isinstance(given, np.ma.MaskedArray):
        raise ArrayError(f"{RULE}, not a masked array: {MASKED}")
    array = np.asarray(given)
    if array.dtype == dtype and array.ndim == 1:
        return array
    names = dtype.names if dtype is not None else None
    alike = array.dtype != dtype and array.ndim == 1 and len(array.dtype.names or ()) == len(names or ()) > 0
    hint = "; .astype(POSITION_DTYPE) converts it" if alike else ""
    raise ArrayError(f"{RULE}, not {array.dtype} of shape {array.shape}{hint}")


def column_of(given: Any) -> Sequence[Any] | None:
    """The items of a list, or of a column of numpy, pandas, polars or pyarrow that can hold texts; None for anything else.

    >>> column_of(("a", "b")), column_of(np.array(["a", "b"])), column_of(np.arange(2)), column_of("ab")
    (('a', 'b'), ['a', 'b'], None, None)
    """
    if isinstance(given, (list, tuple)):
        return given
    if isinstance(given, np.ma.MaskedArray):
        return None
    for name in ("to_pylist", "to_list"):
        if callable(listed := getattr(given, name, None)):
            return list(listed())
    dtype = getattr(given, "dtype", None)
    if getattr(dtype, "kind", None) in ("O", "S", "U", "T") and getattr(given, "ndim", 0) == 1:
        return list(np.asarray(given).tolist())
    return None


def pack_column(
    given: Any, dtype: np.dtype, read_plain: Callable[..., tuple[int, int]], pack_one: Callable[[Any], Any]
) -> Any:
    """The texts of a list or a column as an array of `dtype`; None for anything else, also a list without a text. One text is one
    position or turn.

    read_plain: as `Notation.read_plain`. pack_one: the packed form of an item that `read_plain` leaves. Raises `LineError`, which
    names the item by its place from 0.
    """
    column = column_of(given)
    if column is None or (isinstance(given, (list, tuple)) and not any(isinstance(item, (str, bytes)) for item in column)):
        return None
    texts = [item.decode(errors="replace") if isinstance(item, bytes) else item for item in column]
    one_line_each = all(isinstance(item, str) for item in texts) and sum(item.count("\n") for item in texts) == 0
    text = "\n".join(texts).encode(errors="replace") if one_line_each else b""
    positions, count, at = np.empty(len(texts), dtype), 0, 0
    while True:
        if one_line_each:
            count, at = read_plain(text, at, positions, None, count, False)
        if count == len(texts):
            return positions
        try:
            positions[count] = pack_one(texts[count])
        except BacktrickError as error:
            raise LineError(f"item {count}", error) from None
        count, at = count + 1, text.find(b"\n", at) + 1


def as_turns(given: Any, dtype: np.dtype | None, pack: Callable[[Any], Turns] | None = None) -> Turns:
    """The array of packed turns that was given: of `dtype`, a game's, with one axis. Raises `ArrayError` for anything else.

    pack: what makes one of a list or a column (`column_of`), of turns or their texts; None to refuse these

    >>> as_turns([1, 2], np.dtype("u1"))
    Traceback (most recent call last):
    backtrick.errors.ArrayError: turns must be an array of uint8 with one axis, not a list; np.array(turns, "uint8") makes one of \
numbers that pack_turn gave
    """
    if isinstance(given, np.ma.MaskedArray):
        raise ArrayError(f"turns must be an array of {dtype}, not a masked array: {MASKED}")
    if isinstance(given, np.ndarray) and given.dtype == dtype and given.ndim == 1:
        return given
    if pack is not None and (column := column_of(given)) is not None:
        return pack(column)
    shown = f"{given.dtype} of shape {given.shape}" if isinstance(given, np.ndarray) else f"a {type(given).__name__}"
    hint = f'; np.array(turns, "{dtype}") makes one of numbers that pack_turn gave'
    raise ArrayError(f"turns must be an array of {dtype} with one axis, not {shown}{hint}")


def check_pairs(positions: Positions, turns: Turns) -> None:
    """Raises `ArrayError` unless there is a turn for each position."""
    if len(positions) != len(turns):
        raise ArrayError(f"{len(positions)} positions and {len(turns)} turns: each position needs one turn")


BLANKS = " \t"
DIGITS = "0123456789"
LONGEST_NUMBER = 3


SIGNS = str.maketrans("▲▼↑↓\u2032\u2019\u00d7X\u00a0", "^v^v''xx ")
"""What the page shows and what people write, and what it is in notation: the triangles of the piles, or arrows; a prime, a cross, a
blank that does not break."""


URL_SIGNS = {" ": "_", ",": ".", "^": "a", ":": "h", "+": "p", "'": "o"}
"""The sign of the notation, and the one that takes its place in URLs."""

_SPELLED = str.maketrans("".join(URL_SIGNS), "".join(URL_SIGNS.values()))


def spelled(text: str) -> str:
    """A notation as it is spelled in URLs (docs/api.md).

    >>> spelled("27^40v:17,18,45+2,33 13^50v:5,12"), spelled("take,41")
    ('27a40vh17.18.45p2.33_13a50vh5.12', 'take.41')
    """
    return text.translate(_SPELLED)


class Cursor:
    """A place in a text that is being read. Every error names its column.

    >>> cursor = Cursor("position", " 27 ^")
    >>> cursor.number(), cursor.take("^"), cursor.at_end()
    (27, True, True)
    """

    def __init__(self, what: str, text: str):
        if not isinstance(text, str):
            raise WrongTypeError(f"a {what} is parsed from a str, not from {type(text).__name__}")
        self.what, self.given, self.text, self.place = what, text, text.translate(SIGNS), 0

    def fail(self, problem: str) -> NotationError:
        """The error that says what is wrong here. The caller raises it."""
        return NotationError(self.what, self.given, self.place + 1, problem)

    def skip_blanks(self) -> None:
        """Steps over blanks."""
        while self.place < len(self.text) and self.text[self.place] in BLANKS:
            self.place += 1

    def at_end(self) -> bool:
        """True if only blanks are left."""
        self.skip_blanks()
        return self.place == len(self.text)

    def end(self, expected: str = "the end") -> None:
        """Raises `NotationError` unless only blanks are left."""
        if not self.at_end():
            raise self.fail(f"expected {expected}, found {self.found()}")

    def sees_number(self) -> bool:
        """True if the next character is a digit."""
        return self.place < len(self.text) and self.text[self.place] in DIGITS

    def take(self, symbol: str) -> bool:
        """Steps over `symbol` if it comes next. True if it did."""
        if self.text.startswith(symbol, self.place):
            self.place += len(symbol)
            return True
        return False

    def expect(self, symbol: str) -> None:
        """Steps over `symbol`, which must come next. Raises `NotationError`."""
        if not self.take(symbol):
            raise self.fail(f"expected {symbol!r}, found {self.found()}")

    def found(self) -> str:
        """What comes next, in words for a sentence."""
        return repr(self.given[self.place]) if self.place < len(self.text) else "the end"

    def number(self) -> int:
        """Reads a whole number; blanks on both sides are allowed. Raises `NotationError`."""
        self.skip_blanks()
        start = self.place
        while self.sees_number():
            self.place += 1
        digits = self.text[start : self.place]
        if not digits:
            raise self.fail(f"expected a number, found {self.found()}")
        if len(digits) > LONGEST_NUMBER or (digits[0] == "0" and len(digits) > 1):
            self.place = start
            raise self.fail("a number is written with at most three digits and no leading zero")
        self.skip_blanks()
        return int(digits)

    def last_number(self) -> int:
        """Reads a whole number with which the text ends. Raises `NotationError`."""
        number = self.number()
        self.end()
        return number


class TextWriter(NamedTuple):
    """A kernel that writes the texts of many items into rows of `width` bytes. It returns -1, or the place of the first item that
    it refuses; `error` makes the error for that place, or raises it."""

    write: Callable[[Any, np.ndarray], int]
    width: int
    error: Callable[[Any, int], Any]

    def column(self, items: np.ndarray) -> np.ndarray:
        """The text of each item: dtype S, shape (n,)."""
        texts = np.empty(len(items), f"S{self.width}")
        place = self.write(np.ascontiguousarray(items), texts.view(np.uint8).reshape(len(items), self.width))
        if place >= 0:
            raise self.error(items, place)
        return texts


SPAN = 1 << 12
"""Positions or turns that are written at once: few enough that their texts stay in the processor's cache."""


class Notation(ABC, Generic[P, T]):
    """Notation, arrays, and both for many positions at once.

    REQUIRED, as class attributes
        display:   what is shown of the game, see `backtrick.display`
        published: the rules of the published game, a frozen dataclass
    """

    __slots__ = ()

    display: ClassVar[Display]
    published: Any
    position_type: ClassVar[type[Any]] = object
    turn_type: ClassVar[type[Any]] = object
    position_dtype: ClassVar[np.dtype | None] = None
    turn_dtype: ClassVar[np.dtype | None] = None

    @property
    def name(self) -> str:
        """The name of its folder, used in file headers and records."""
        return self.display.name

    @property
    def title(self) -> str:
        """The name for people."""
        return self.display.title

    @property
    def example(self) -> str:
        """A position that shows the notation."""
        return self.display.example

    # REQUIRED: notation

    @abstractmethod
    def parse(self, text: str, rules: Any = None) -> Any:
        """What `text` names: a position, a deal, or in a game with hidden cards a view. Raises `BacktrickError`.

        rules: of a view, None for the published game; other texts are read alike under all rules
        """

    @abstractmethod
    def parse_turn(self, text: str) -> T:
        """The turn that `text` names. Raises `BacktrickError`."""

    # What is said of an answer; `Game` does it for every game.

    @abstractmethod
    def words(self, answer: Any, every: bool = False, sources: bool = False) -> str:
        """An answer as `backtrick solve` prints it, see `Answer.words`."""

    # OPTIONAL: what a value says. Without: points, and the more the better.

    def preference(self, value: Any) -> int:
        """A number to sort values by: the better a value for the mover, the higher."""
        number: int = value
        return number

    # OPTIONAL: deals, positions with cards still to be drawn in a known order. Without: every position is an endgame.

    deal_type: ClassVar[type[Any] | tuple[()]] = ()
    """The class of deals. A deal has no array form, and no table knows its value."""

    # OPTIONAL: arrays, with `position_dtype` (structured, no padding, field names that no other game has) and `turn_dtype` (whole
    # numbers, 0 for no turn). Without: no .npy.

    def pack(self, positions: Sequence[P]) -> Positions:
        """The positions as an array of `position_dtype`, shape (n,)."""
        raise ArgumentError(f"{self.title} has no arrays: `pack` of its Game is missing")

    def unpack(self, array: Positions) -> list[P]:
        """The positions of an array of `position_dtype`, shape (n,). Raises `BacktrickError` if one is not well-formed."""
        raise ArgumentError(f"{self.title} has no arrays: `unpack` of its Game is missing")

    def pack_turn(self, turn: T) -> int:
        """A turn as a number of `turn_dtype` above 0."""
        raise ArgumentError(f"{self.title} has no arrays: `pack_turn` of its Game is missing")

    def unpack_turn(self, packed: int) -> T | None:
        """The turn that a number of `turn_dtype` stands for; None for 0. Raises `BacktrickError` if it stands for no turn."""
        raise ArgumentError(f"{self.title} has no arrays: `unpack_turn` of its Game is missing")

    def turns_of(self, packed: Sequence[int]) -> list[T | None]:
        """The turns of packed turns from a kernel, which are known to be turns."""
        return list(map(self.unpack_turn, packed))

    # OPTIONAL: many at once, for a game with arrays. Without: one after another.

    position_writer: ClassVar[TextWriter | None] = None
    turn_writer: ClassVar[TextWriter | None] = None

    def read_plain(
        self, text: bytes, start: int, positions: Positions, turns: Turns | None, first: int, rest: bool
    ) -> tuple[int, int]:
        """Reads lines from byte `start` of a text on into positions[first:], and into turns[first:] unless `turns` is None.

        A line is a position, then with `turns` a tab and a turn, then with `rest` perhaps a tab and anything. Reading ends before
        the first line that is not spelled as `str` spells it, and where the arrays are full. Returns how many rows are filled,
        and the byte where the next line begins.
        """
        return first, start

    def first_malformed(self, array: Positions) -> int:
        """The place of the first position of an array that is not well-formed; -1 if all are."""
        for place in range(len(array)):
            try:
                self.unpack(array[place : place + 1])
            except BacktrickError:
                return place
        return -1

    # These follow from the parts above and are not overridden.

    def is_deal(self, position: object) -> bool:
        """True if cards are still to be drawn."""
        return isinstance(position, self.deal_type)

    def position_column(self, array: Positions) -> np.ndarray:
        """The notation of each position: dtype S, shape (n,). Raises `BacktrickError` if one is not well-formed."""
        array = as_positions(array, self.position_dtype)
        if self.position_writer is not None:
            return self.position_writer.column(array)
        return np.array([str(position).encode() for position in self.unpack(array)], "S")

    def turn_column(self, turns: Turns) -> np.ndarray:
        """The notation of each packed turn, empty for 0: dtype S, shape (n,). Raises `BacktrickError` if one is not a turn."""
        turns = as_turns(turns, self.turn_dtype)
        if self.turn_writer is not None:
            return self.turn_writer.column(turns)
        unpacked = map(self.unpack_turn, turns.tolist())
        return np.array([b"" if turn is None else str(turn).encode() for turn in unpacked], "S")

    def read_position(self, given: Any) -> P:
        """The position or deal that a user gives: the object or its notation.

        Raises `NotationError`, also for a view, and `ArgumentError` for anything else.
        """
        read: Any = self.parse(given) if isinstance(given, str) else given
        if not isinstance(read, self.position_type):
            if isinstance(given, str):
                raise NotationError("position", given, 1, "it is a view, in which cards are hidden; a position shows all of them")
            raise no_position(given, self.title)
        position: P = read
        return position

    def read_turn(self, given: Any) -> T:
        """The turn that a user gives: the object, its notation, or packed. It need not be legal.

        Raises `NotationError`, `PackedError`, and `ArgumentError` for anything else.
        """
        turn: T = read_turn(self.turn_type, self.parse_turn, self.unpack_turn, given)
        return turn

    def parse_many(self, text: bytes | str | Iterable[str]) -> Positions:
        """The positions of a text, one per line, or of a column of texts, as an array of `position_dtype`, shape (n,).

        Empty lines and lines that begin with # are skipped. Raises `LineError`, which names the line, for a line that
        `read_position` refuses, and for one that has no packed form.

        >>> from backtrick import face_to_face, take_that
        >>> face_to_face.parse_many("27^40v:17,18 13^50v:5,12")["mover_ascending"]
        array([27], dtype=uint8)
        >>> take_that.parse_many("15,43,44 21,53 51-62-35")["mover"]
        array([[15, 43, 44,  0,  0,  0,  0,  0,  0]], dtype=uint8)
        """
        if (column := column_of(text)) is not None:
            return self.pack(column)
        given = text.encode(errors="backslashreplace") if isinstance(text, str) else _bytes_of(text)
        lines: Lines[Line] = Lines(given)
        positions, count = np.empty(len(lines), self.position_dtype), 0
        while True:
            count = lines.plain(self, positions, None, count, alone=True)
            if (line := lines.next()) is None:
                return positions[:count].copy() if count < len(positions) else positions
            try:
                positions[count] = self.pack([self.read_position(line.text)])[0]
            except BacktrickError as error:
                raise LineError(line.place, error) from None
            count += 1

    def format_many(self, array: Positions) -> bytes:
        """The positions of an array in notation, one per line. It undoes `parse_many`. Raises `BacktrickError`.

        >>> from backtrick.take_that import format_many, parse_many
        >>> format_many(parse_many("15,43,44 21,53 51-62-35")).splitlines()
        [b'15,43,44 21,53 51-62-35']
        """
        array = as_positions(array, self.position_dtype)
        parts = (array[start : start + SPAN] for start in range(0, len(array), SPAN))
        return b"".join(join_columns(self.position_column(part), b"\n", count=len(part)) for part in parts)

    def turns_text(self, turns: Turns) -> list[str]:
        """The notation of each packed turn of an array of `turn_dtype`, shape (n,); '' for 0. Raises `BacktrickError`.

        >>> from backtrick.take_that import best_many, parse_many, turns_text
        >>> turns_text(best_many(parse_many("15,43,44 21,53 51-62-35")))
        ['44']
        """
        turns = as_turns(turns, self.turn_dtype)
        texts: list[str] = []
        for start in range(0, len(turns), SPAN):
            part = turns[start : start + SPAN]
            texts += join_columns(self.turn_column(part), b"\n", count=len(part)).decode().split("\n")[:-1]
        return texts


def _bytes_of(text: Any) -> bytes:
    """The bytes of a text. Raises `WrongTypeError` for buffers of anything else, such as arrays of numbers."""
    with suppress(TypeError):
        view = memoryview(text)
        if view.itemsize == 1 and view.format in ("B", "b", "c"):
            return view.tobytes()
    raise WrongTypeError(f"text must be one text, or its bytes, with a position per line, not {shown(text)}")


AnyNotation = Notation[Any, Any]
"""Of any game: only how it is written is known."""
