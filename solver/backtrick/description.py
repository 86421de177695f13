"""What can be said of a game without solving anything: title, notation, options, sources of positions, examples.

Help and the choice of a game need no more than this, so nothing heavy may be imported here or in the `description.py` of a game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from backtrick.values import read_positive, read_whole
from backtrick.work import DEAL_MIB, DEAL_SECONDS, MOST_MIB, TABLE_MIB


@dataclass(frozen=True, slots=True)
class Option:
    """A rule option or a limit on the command line: how argparse reads it, and its text in --help."""

    help: str
    read: Callable[[str], object] | None = None
    choices: tuple[str, ...] = ()
    metavar: str | None = None

    def arguments(self) -> dict[str, Any]:
        """The keywords of `add_argument`. An option without `read` and `choices` is a switch."""
        if self.choices:
            return {"help": self.help, "choices": self.choices}
        if self.read is None:
            return {"help": self.help, "action": "store_true"}
        return {"help": self.help, "type": self.read, "metavar": self.metavar}


LIMITS = {
    "nodes": Option("search at most N nodes for each part of an answer, then say what is proved", read_whole(1), metavar="N"),
    "seconds": Option(
        f"the same with seconds (default: none for an endgame; {DEAL_SECONDS} for a deal, unless nodes are limited)",
        read_positive,
        metavar="S",
    ),
    "table_mib": Option(
        f"MiB for remembered states, a thread (default: {TABLE_MIB} for an endgame, {DEAL_MIB} for a deal)",
        read_whole(0, MOST_MIB),
        metavar="M",
    ),
}
"""The limits of `Budget` as options, for `Description.limits`."""


@dataclass(frozen=True, slots=True)
class PositionSource:
    """One way to make positions: a function of count and seed.

    takes: its other arguments, of 'policies', 'hands', 'threads' and 'piles'
    """

    description: str
    make: Callable[..., Iterator[Any]]
    takes: tuple[str, ...] = ()


class Description(ABC):
    """What can be said of a game without solving anything.

    REQUIRED, as class attributes
        name:      the name of its folder, used in file headers and records
        title:     for people
        example:   a position that shows the notation in error messages

    OPTIONAL, as class attributes
        outcome_field: what a row of an outcome shows besides its value, 'ways' or 'points'
        rule_options, limits: options of the command line by name, as in {"lone_card": Option(...)}
        sources:   the sources of `sample` by name, the default first
        policies:  the names of the policies, for the sources that take them
        hand_size: the most cards in a hand, for sources that take `hands`
        fields:    texts for --help on the fields of a row; 'value' describes the fields of a value, and 'number' a value as a
                   number
        examples:  texts for --help, by command; a test runs them
    """

    name: ClassVar[str]
    title: ClassVar[str]
    example: ClassVar[str]

    outcome_field: ClassVar[str] = "ways"
    rule_options: ClassVar[Mapping[str, Option]] = {}
    limits: ClassVar[Mapping[str, Option]] = {}
    sources: Mapping[str, PositionSource] = {}
    policies: ClassVar[tuple[str, ...]] = ()
    hand_size: ClassVar[int] = 0
    fields: ClassVar[Mapping[str, str]] = {}
    examples: ClassVar[Mapping[str, str]] = {}

    @abstractmethod
    def claims(self, text: str) -> bool:
        """True if `text` looks like a position of this game and of no other game. It need not be well-formed."""
