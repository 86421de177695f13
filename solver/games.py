"""The games that the command line speaks, what each one's console offers it, and how a game is told from a text.

A game joins by its name in `GAMES` and a module `solver/NAME/console.py` that is a `Console`. Nothing else here or in
`solver.cli` knows a rule, a notation or a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from solver.core.errors import UnknownGameError

if TYPE_CHECKING:
    from solver.storage.file import Reader

GAMES = ("face_to_face", "take_that")


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked besides the questions: the game's rules, the limits on its work (None: none), the threads (None: all
    cores), and the switches of commands."""

    rules: Any
    limits: Any = None
    threads: int | None = None
    tables: str | None = None  # answer from the tables in this directory where they reach
    all: bool = False  # `solve --all`: every distinct outcome too
    count: bool = False  # `turns --count`: how many, and not which


class Kind(Protocol):
    """One command's kind of question in one game: how it is read, and its answers in three forms, each in the order asked.

    rows     for tools: fields without tabs; the first is the position
    records  for JSON: a dict of plain values, without "game"
    tables   for people: text without a newline at the end; `spaced` says whether a blank line goes between two
    """

    spaced: bool

    def parse(self, text: str, rules: Any) -> Any:
        """The question that `text` asks. Raises `BacktrickError`; what it returns can be answered."""

    def rows(self, questions: Sequence[Any], asked: Asked) -> Iterator[tuple[object, ...]]: ...

    def records(self, questions: Sequence[Any], asked: Asked) -> Iterator[dict[str, Any]]: ...

    def tables(self, questions: Sequence[Any], asked: Asked) -> Iterator[str]: ...


@dataclass(frozen=True, slots=True)
class Source:
    """One way to make positions for `sample`: a function of count and seed, and which of `policies`, `hands` it takes."""

    description: str
    make: Callable[..., Iterator[Any]]
    takes: tuple[str, ...] = ()


class Console(Protocol):
    """What a game's module `console` offers."""

    TITLE: str
    EXAMPLE: str  # a position, to show the notation in a sentence
    Rules: Callable[..., Any]  # made from the rule options that were given, by name
    RULE_OPTIONS: Mapping[str, Mapping[str, Any]]  # flag -> arguments of argparse's add_argument
    Budget: Callable[..., Any]  # made from the limits that were given, by name; not called if none was
    LIMITS: Mapping[str, Mapping[str, Any]]  # flag -> arguments of argparse's add_argument
    KINDS: Mapping[str, Kind]  # of the commands solve, best, turns, grade
    SOURCES: Mapping[str, Source]  # of the command sample; the first is the default
    POLICIES: Mapping[str, Any]
    HAND_SIZE: int
    FIELDS: Mapping[str, str]  # command -> the fields of its rows, for --help
    EXAMPLES: Mapping[str, str]  # command -> lines `$ backtrick ...` with what they print, for --help

    def opened(self, directory: str, rules: Any) -> Any:
        """The tablebase of a directory; `holds_any()` says if it can answer anything. Raises `StorageError`."""

    def claims(self, text: str) -> bool:
        """True if `text` looks like this game's notation, well written or not."""


class Files(Protocol):
    """What a game's module `files` offers to the commands generate, check, verify and info."""

    def names_of(self, texts: Sequence[str], cards: int | None) -> list[Any]: ...

    def estimates(self, names: Sequence[Any], rules: Any, by: str | None = None) -> list[Any]: ...

    def estimate_text(self, costs: Sequence[Any], workers: int) -> str: ...

    def build(self, directory: str | Path, names: Sequence[Any], rules: Any, **how: Any) -> list[Any]: ...

    def build_positions(self, directory: Path, name: str, positions: Sequence[Any], rules: Any, **how: Any) -> Any: ...

    def build_reachable(self, directory: Path, name: str, root: Any, rules: Any, **how: Any) -> Any: ...

    def check(self, reader: Reader) -> None: ...

    def verify(
        self, reader: Reader, threads: int | None = None, by: str | None = None, share: float = 1, seed: int = 0
    ) -> list[str]: ...

    def describe(self, reader: Reader, full: bool = False, threads: int | None = None) -> dict[str, Any]: ...

    def describe_text(self, facts: dict[str, Any]) -> str: ...


def files_of(name: str) -> Files:
    """The files of a game in `GAMES`."""
    return import_module(f"solver.{name}.files")


def console_of(name: str) -> Console:
    """The console of a game in `GAMES`.

    >>> console_of("face_to_face").TITLE
    'The Game: Face to Face'
    """
    return import_module(f"solver.{name}.console")


def tell(text: str) -> str:
    """The name of the game whose notation `text` looks like. Raises `UnknownGameError`.

    >>> tell("27^40v:17,18,45 13^50v:5,12")
    'face_to_face'
    >>> tell("12,33,49 21,94 34-41-98")
    'take_that'
    >>> tell("hello")
    Traceback (most recent call last):
    solver.core.errors.UnknownGameError: 'hello' is no position; one looks like 27^40v:17,18,45 13^50v:5,12 \
(The Game: Face to Face), or 12,33,49 21,94 34-41-98 (Take That)
    """
    consoles = {name: console_of(name) for name in GAMES}
    for name, console in consoles.items():
        if console.claims(text):
            return name
    raise UnknownGameError(text, tuple(f"{console.EXAMPLE} ({console.TITLE})" for console in consoles.values()))
