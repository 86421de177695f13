"""What is shown of a game, in one object beside it: `Display`. Everything but name, title and example has a default.

Help and the choice of a game need no more than this, so nothing heavy may be imported here or in the `display.py` of a game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pkgutil import get_data
from typing import Any, ClassVar, NamedTuple

from backtrick.bounds import Bounds
from backtrick.budget import DEAL_MIB, DEAL_SECONDS, MOST_MIB, MOST_SEARCH_THREADS, TABLE_MIB
from backtrick.given import read_positive, read_whole
from backtrick.turn_in_progress import Ending


class Option(NamedTuple):
    """A rule option or a limit on the command line: its text in --help, and how it is read. Without `read` and `choices` it is a
    switch."""

    help: str
    read: Callable[[str], object] | None = None
    choices: tuple[str, ...] = ()
    metavar: str | None = None


LIMITS = {
    "nodes": Option("search at most N nodes for each part of an answer, then give what is proved", read_whole(1), metavar="N"),
    "seconds": Option(
        f"search at most S seconds (default: none for an endgame; {DEAL_SECONDS} for a deal, unless nodes are limited)",
        read_positive,
        metavar="S",
    ),
    "table_mib": Option(
        f"MiB for remembered states in each thread (default: {TABLE_MIB} for an endgame, {DEAL_MIB} for a deal)",
        read_whole(0, MOST_MIB),
        metavar="M",
    ),
    "search_threads": Option(
        "threads that search one deal together (default: 1); for one hard deal, not for many",
        read_whole(1, MOST_SEARCH_THREADS),
        metavar="N",
    ),
}
"""The limits of `Budget` as options, for `Display.limits`."""


class PositionSource(NamedTuple):
    """One way to make positions: a function of count and seed.

    takes: its other arguments, of 'policies', 'hands', 'threads', 'piles' and 'rules'
    """

    description: str
    make: Callable[..., Iterator[Any]]
    takes: tuple[str, ...] = ()


class Display:
    """What is shown of a game: its words, its options, its drawings. It is `Game.display` of the game, whose `display.py` holds it.

    REQUIRED, as class attributes
        name:      the name of its folder, used in file headers and records
        title:     for people
        example:   a position that shows the notation in error messages

    OPTIONAL, as class attributes
        outcome_field: what a row of an outcome shows besides its value, 'ways' or 'points'
        value_types: the fields of `value_record`, each with its type: int, str, bool, or list for two ints
        rule_options, limits: options of the command line by name, as in {"lone_card": Option(...)}
        sources:   the sources of `sample` by name, the default first
        policies:  the names of the policies, for the sources that take them
        hand_size: the most cards in a hand, for sources that take `hands`
        short:     its name in links, if it has a shorter one
        notes:     texts for --help on options that mean something of their own in this game, by name
        fields:    texts for --help on the fields of a row; 'value' describes the fields of a value, and 'number' a value as a
                   number
    """

    name: ClassVar[str]
    title: ClassVar[str]
    example: ClassVar[str]

    outcome_field: ClassVar[str] = "ways"
    value_types: ClassVar[Mapping[str, type]] = {"value": int, "bounds": list}
    rule_options: ClassVar[Mapping[str, Option]] = {}
    limits: ClassVar[Mapping[str, Option]] = {}
    sources: Mapping[str, PositionSource] = {}
    policies: ClassVar[tuple[str, ...]] = ()
    hand_size: ClassVar[int] = 0
    short: ClassVar[str] = ""
    notes: ClassVar[Mapping[str, str]] = {}
    fields: ClassVar[Mapping[str, str]] = {}

    def claims(self, text: str) -> bool:
        """True if `text` looks like a position of this game and of no other game. It need not be well-formed. Without: if it
        begins with the same word as the example."""
        return text.split()[:1] == self.example.split()[:1]

    # OPTIONAL: texts for --help in a file `examples.txt` beside the module of the class. Without: none.

    @cached_property
    def examples(self) -> Mapping[str, str]:
        """The examples by command, each below its name in brackets. A test runs every line that begins with $ and compares."""
        with suppress(OSError):
            file = (get_data(type(self).__module__, "examples.txt") or b"").decode()
            _, *texts = re.split(r"^\[(\w+)\]\n", file, flags=re.MULTILINE)
            return {name: text.rstrip("\n") + "\n" for name, text in zip(texts[::2], texts[1::2], strict=True)}
        return {}

    # OPTIONAL: words for values. Without: numbers.

    def value_text(self, bounds: Bounds) -> str:
        """A value, or its bounds, in words for people."""
        return str(bounds.lowest) if bounds.solved else f"not solved within the limits, from {bounds.lowest} to {bounds.highest}"

    def outcome_word(self, bounds: Bounds) -> str | None:
        """'win', 'loss' or 'unsolved', by the value or its bounds; None in a game of points."""
        return None

    def value_row(self, bounds: Bounds) -> tuple[str, ...]:
        """A value, or its bounds, as fields of a row."""
        return (str(bounds.lowest) if bounds.solved else f"{bounds.lowest}..{bounds.highest}",)

    def value_record(self, bounds: Bounds) -> dict[str, object]:
        """A value, or its bounds, as plain values for JSON."""
        return {"value": bounds.lowest} if bounds.solved else {"bounds": [bounds.lowest, bounds.highest]}

    def mistake(self, before: Any, after: Any) -> str:
        """What a turn gave away, in words: it lowered the mover's value from `before` to `after`."""
        return f"worth {after} instead of {before}"

    def ending(self, position: Any, last: Any = None) -> Ending:
        """Why a position has no legal turn; with None for the position, why the turn `last` left none."""
        return Ending() if position is not None else Ending("the game is over, and no position is left")

    # OPTIONAL: drawings. Without: as a position or view draws itself, by `_drawn`; none if it does not.

    def drawing(self, given: Any, palette: Mapping[str, str] | None = None) -> str | None:
        """A position, or what a player sees, as an SVG file; None if the game draws nothing. palette: other colours than usual."""
        drawn: Callable[[Any], str] | None = getattr(given, "_drawn", None)
        return None if drawn is None else drawn(palette)

    def symbols(self, palette: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Every card that can be drawn: its name, and SVG in the colours of a palette."""
        return iter(())

    def parts(self, turn: Any) -> Sequence[tuple[int, str]]:
        """The cards that a turn uses, each with the place where it goes, as `Candidate` names it."""
        return ()
