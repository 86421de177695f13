"""What a request asks, read from its query. Every value is checked here; what is not known is refused with a list of what is.

Positions and turns in URLs: a spelling without any sign that must be escaped or that is lost when a link is copied.

    27^40v:17,18,45+2,33 13^50v:5,12      27a40vh17.18.45p2.33_13a50vh5.12
    18^ 17^ 45v 12^'                      18a_17a_45v_12ao
    12,33,49 21,94 34-41-98               12.33.49_21.94_34-41-98

A letter is a sign only behind a number, or behind the sign of a pile. Each sign has one other, so a column in an error message is
the same in both spellings. Both are read everywhere.
"""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import unquote_to_bytes

from backtrick.budget import UNLIMITED, Budget, Cancel
from backtrick.display import Display, Option
from backtrick.errors import UsageError, shortened
from backtrick.game import AnyGame, SolveOptions, Values
from backtrick.games import GAMES, game_of
from backtrick.given import read_whole
from backtrick.notation import URL_SIGNS
from backtrick.play.state import Player
from backtrick.web.limits import Limits
from backtrick.web.responses import Refused
from backtrick.writing.formats import RECORDS, ROWS

MOST_PARAMETERS, MOST_SEED = 32, 10**18 - 1
EXACT = 2**53 - 1
"""The largest whole number that JSON keeps in a browser."""

YES, NO = ("1", "true"), ("0", "false")

_PLAIN = {other: sign for sign, other in URL_SIGNS.items()}
_SIGNS = re.compile(r"[_.]|(?<=\d)[ap]|(?<=\d[av^])[ho]")  # words such as take have these letters too


def plain(text: str) -> str:
    """The notation that a text means in either spelling.

    >>> plain("27a40vh17.18.45p2.33_13a50vh5.12"), plain("take.41"), plain("27^40v:17 13^50v:5")
    ('27^40v:17,18,45+2,33 13^50v:5,12', 'take,41', '27^40v:17 13^50v:5')
    """
    return _SIGNS.sub(lambda found: _PLAIN[found[0]], text)


def fields_of(query: bytes) -> dict[str, str]:
    """The parameters of a query, by name; a hyphen in a name is an underscore. Raises `UsageError`.

    >>> fields_of(b"position=27^40v:17%2018%5E&lone-card=1")
    {'position': '27^40v:17 18^', 'lone_card': '1'}
    """
    found: dict[str, str] = {}
    parts = query.split(b"&") if query else []
    if len(parts) > MOST_PARAMETERS:
        raise UsageError(f"a query may have at most {MOST_PARAMETERS} parameters, not {len(parts)}")
    for part in filter(None, parts):
        name, _, value = part.partition(b"=")
        key = _text(name).replace("-", "_")
        if key in found:
            raise UsageError(f"the parameter {shortened(key)!r} is there twice")
        found[key] = _text(value)
    return found


def _text(escaped: bytes) -> str:
    try:
        return unquote_to_bytes(escaped.replace(b"+", b" ")).decode()
    except UnicodeDecodeError:
        raise UsageError("a parameter is not UTF-8 text") from None


def game_named(name: str) -> AnyGame:
    """The game of a path: `face-to-face` or `face_to_face`. Raises `Refused` with 404."""
    known = name.replace("-", "_")
    if known not in GAMES:
        raise Refused(404, f"no game is called {shortened(name)!r}; there are {', '.join(map(path_of, GAMES))}")
    return game_of(known)


def path_of(name: str) -> str:
    return name.replace("_", "-")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a path: what it is, and how it is read. schema: for OpenAPI."""

    about: str
    read: Callable[[str], Any]
    schema: Mapping[str, object]
    required: bool = False


def yes_or_no(text: str) -> bool:
    """Reads a switch. Raises `UsageError`."""
    if text.lower() not in (*YES, *NO):
        raise UsageError(f"must be 1 or 0, not {shortened(text)!r}")
    return text.lower() in YES


def one_of(choices: Mapping[str, object] | tuple[str, ...]) -> Callable[[str], str]:
    """A reader of one of some words. It raises `UsageError`."""

    def read(text: str) -> str:
        if text not in choices:
            raise UsageError(f"must be one of {', '.join(choices)}, not {shortened(text)!r}")
        return text

    return read


def option_parameter(option: Option) -> Parameter:
    """A rule option or a limit of the command line as a parameter."""
    if option.choices:
        return Parameter(option.help, one_of(option.choices), {"type": "string", "enum": list(option.choices)})
    if option.read is None:
        return Parameter(option.help, yes_or_no, {"type": "boolean"})
    return Parameter(option.help, option.read, {"type": "number", "exclusiveMinimum": 0})


POSITION = Parameter("the position, in either spelling", plain, {"type": "string"}, True)
VIEW = Parameter("what a player sees, in place of a position that shows all cards", str, {"type": "string"})
STATE = Parameter("a public state, or a view, whose hand is then the mover's", str, {"type": "string"}, True)
AFTER = Parameter("turns since the state, in either spelling, with / between two of them", plain, {"type": "string"})
TEXT = Parameter("what was typed", str, {"type": "string"}, True)
TURN = Parameter("a turn, in either spelling", plain, {"type": "string"}, True)
PLAYED = Parameter("a turn that was played, in either spelling: its odds are also given separately", plain, {"type": "string"})
LAID = Parameter("the plays of the turn so far, in either spelling", plain, {"type": "string"})
ALL = Parameter("every distinct outcome too", yes_or_no, {"type": "boolean"})
COUNT = Parameter("only how many", yes_or_no, {"type": "boolean"})
LIMIT = Parameter("the most turns or outcomes to list", read_whole(0, 1_000_000), {"type": "integer", "minimum": 0})
OFFSET = Parameter("how many to skip first", read_whole(0, 1_000_000_000), {"type": "integer", "minimum": 0})
CARD = Parameter("only those that use this card", read_whole(0, 999), {"type": "integer", "minimum": 0})
PILE = Parameter("only those that lay on this pile, as a turn names it", plain, {"type": "string"})
SEED = Parameter("the same seed gives the same", read_whole(0, EXACT), {"type": "integer", "minimum": 0, "maximum": EXACT})
PLAYER = Parameter("one of the players of the game, NAME or NAME:SETTING=VALUE,...", str, {"type": "string"}, True)
PILES = Parameter("draw piles of at most this many cards", read_whole(0, 61), {"type": "integer", "minimum": 0, "maximum": 61})
SOURCE = Parameter("how it is made: a source of `backtrick sample`", str, {"type": "string"})
DIFFICULTY = Parameter("from 1, easy, to 5, hard", read_whole(1, 5), {"type": "integer", "minimum": 1, "maximum": 5})
NUMBER = Parameter("the puzzle of this number", read_whole(0, 10**9), {"type": "integer", "minimum": 0})
THEME = Parameter("only those whose right turn does this, such as `help`", str, {"type": "string"})
VALUES = "values"
FORMS = {RECORDS: "application/x-ndjson", ROWS: "text/tab-separated-values", VALUES: "text/tab-separated-values"}
"""The forms of the answers, one line each, with their media types: records of JSON, rows, or only the fields of the values."""
FORM = Parameter("how answers are written", one_of(FORMS), {"type": "string", "enum": list(FORMS)})
PAGED = {"limit": LIMIT, "offset": OFFSET, "card": CARD, "pile": PILE}


@dataclass(frozen=True, slots=True)
class Query:
    """What a request asks of a game.

    given:     the parameters, by name
    position:  None if there is none among them
    tablebase: values that need no search
    mib:       the memory that a search may have, if that is not in the budget
    players:   more players of the game than its own
    """

    game: AnyGame
    rules: Any
    given: Mapping[str, Any]
    position: Any
    budget: Budget
    tablebase: Values | None = None
    mib: int | None = None
    players: Mapping[str, Player[Any, Any]] = field(default_factory=dict)

    @property
    def turn(self) -> Any:
        """The turn. Raises `BacktrickError`."""
        return self.game.parse_turn(self.given["turn"])

    def options(self, budget: Budget, want: frozenset[str] = frozenset()) -> SolveOptions[Any, Any]:
        """How it is answered, in one thread."""
        return SolveOptions(self.rules, budget, 1, self.tablebase, want)

    def within(self, cancel: Cancel) -> Budget:
        """The budget for work that can be cancelled."""
        budget, allowed = self.budget, [mib for mib in (self.budget.table_mib, self.mib) if mib is not None]
        return Budget(budget.nodes, budget.seconds, min(allowed, default=None), cancel)


@cache
def limits_of(display: Display, values: bool) -> dict[str, Parameter]:
    """The parameters of a game: its rules, and its limits on the work if values are searched for."""
    options = {**display.rule_options, **(display.limits if values else {})}
    return {name: option_parameter(option) for name, option in options.items() if name != "search_threads"}  # each answer has one


@cache
def piles_of(game: AnyGame) -> tuple[str, ...]:
    """The names of the piles on which cards can be laid: the example of a game has a play for each."""
    choices = game.look(game.parse(game.example), "", game.published).choices
    return tuple(dict.fromkeys(one.place for one in choices))


def _check_pile(game: AnyGame, pile: str) -> None:
    try:
        one_of(piles_of(game))(pile)
    except UsageError as error:
        raise UsageError(f"pile {error}") from None


def read(game: AnyGame, fields: Mapping[str, str], own: Mapping[str, Parameter], values: bool, limits: Limits) -> Query:
    """What a query asks. own: the parameters of the path; values: values are searched for. Raises `BacktrickError`."""
    known = {**own, **limits_of(game.display, values)}
    given: dict[str, Any] = {}
    for name, text in fields.items():
        if name not in known:
            raise UsageError(f"there is no parameter {shortened(name)!r} here; there are {', '.join(known)}")
        try:
            given[name] = known[name].read(text)
        except (ArgumentTypeError, UsageError, ValueError) as error:
            raise UsageError(f"{name} {error}") from None
    missing = [name for name, parameter in own.items() if parameter.required and name not in given]
    if missing:
        example = f", as in ?{missing[0]}={game.example}" if missing[0] == "position" else ""
        raise UsageError(f"the parameter {missing[0]} is missing{example}")
    if "pile" in given:
        _check_pile(game, given["pile"])
    rules = game.rules_with({name: given.pop(name) for name in game.display.rule_options if name in given})
    position = game.read_position(given["position"]) if "position" in given else None
    limited = {name: given.pop(name) for name in game.display.limits if name in given} if values else {}
    if not limited:
        return Query(game, rules, given, position, UNLIMITED)
    for name, most in (("seconds", limits.seconds), ("table_mib", limits.table_mib)):
        if limited.get(name, 0) > most:
            raise UsageError(f"{name} is at most {most:g} here, not {limited[name]:g}")
    return Query(game, rules, given, position, Budget(**limited))
