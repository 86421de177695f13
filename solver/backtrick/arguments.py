"""The arguments of public functions: notation is read wherever an object is expected, and anything that cannot be used is refused
with one sentence that names the argument.

A call that succeeds pays nothing for this. Only when it fails are its arguments looked at: if one was notation, the call is made
again with what was read; if one cannot be used, a sentence about it replaces the error; otherwise the error was right, or a fault
of Backtrick, and is raised unchanged. Class methods make objects that keep the arguments and fail later, so theirs are read first.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache, wraps
from importlib import import_module
from numbers import Real
from operator import is_
from typing import Any, TypeVar, cast

from backtrick.errors import BacktrickError, WrongTypeError
from backtrick.random import Stream
from backtrick.values import shown, truth, whole

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C")
Reader = Callable[[str, Any], Any]
"""Reads the argument of a name. Raises `BacktrickError` for anything that cannot be used."""

LONGEST = 500
"""A sentence of more characters shows a whole array."""


def refused(name: str, expected: str, given: object) -> WrongTypeError:
    return WrongTypeError(f"{name} must be {expected}, not {shown(given)}")


def checked(function: F, package: str = "", name: str = "") -> F:
    """A public function or method that reads notation and refuses what cannot be meant. Of a class method, the function within it.

    package, name: where users find it, if not where it is defined
    """
    package, name = package or function.__module__, name or function.__name__
    parameters_and_result = inspect.signature(function)
    parameters = parameters_and_result.parameters
    owner = next(iter(parameters), "")
    lazy = str(parameters_and_result.return_annotation).startswith("Iterator")  # it fails when it is asked for an item
    first = lazy or owner == "cls"

    def read(given: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        game = getattr(given[0], "game", None) if owner == "self" else None
        readers = readers_of(package if game is None else type(game).__module__)

        def one(argument: str, value: Any) -> Any:
            if argument in parameters and value is parameters[argument].default:
                return value
            reader = readers.get(f"{name}.{argument}", readers.get(argument))
            return value if reader is None else reader(argument, value)

        placed = [one(argument, value) for argument, value in zip(parameters, given, strict=False)]
        return placed + [*given[len(placed) :]], {argument: one(argument, value) for argument, value in named.items()}

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        __tracebackhide__ = True  # pytest shows the line of the test that called
        if first:
            placed, others = read(given, named)
            return function(*placed, **others)
        try:
            return function(*given, **named)
        except Exception as error:
            try:
                placed, others = read(given, named)
            except BacktrickError:
                if isinstance(error, BacktrickError) and "\n" not in str(error) and len(str(error)) <= LONGEST:
                    raise error from None  # it knows better
                raise
            if all(map(is_, placed, given)) and all(map(is_, others.values(), named.values())):
                raise
        return function(*placed, **others)

    if owner not in ("self", "cls"):
        call.__module__, call.__qualname__ = package, name  # where pickle finds it
        bound = getattr(function, "__self__", None)  # a game, or its files
        if hasattr(game := getattr(bound, "game", bound), "published"):
            vars(call)["__signature__"] = signature_in(game, parameters_and_result)
    return cast(F, call)


def signature_in(game: Any, signature: inspect.Signature) -> inspect.Signature:
    """The signature of a method that is generic in its game, with the types of this game in place of P, T and R."""
    types = {"P": game.position_type, "T": game.turn_type, "R": type(game.published)}

    def named(annotation: str) -> str:
        return re.sub(r"\b[PTR]\b", lambda found: types[found[0]].__name__, annotation)

    parameters = [one.replace(annotation=named(one.annotation)) for one in signature.parameters.values()]
    return signature.replace(parameters=parameters, return_annotation=named(signature.return_annotation))


def checked_fields(made: type[C]) -> type[C]:
    """A dataclass whose fields are read by its `__post_init__`: what that cannot read is refused with a sentence."""
    read: Callable[[Any], None] = made.__post_init__  # type: ignore[attr-defined]

    @wraps(read)
    def post_init(self: Any) -> None:
        try:
            read(self)
        except BacktrickError:
            raise
        except (AttributeError, OverflowError, TypeError, ValueError) as error:
            given = ", ".join(f"{name}={shown(getattr(self, name))}" for name in type(self).__match_args__)
            raise WrongTypeError(f"{made.__name__}({given}): {shown_error(error)}") from error

    made.__post_init__ = post_init  # type: ignore[attr-defined]
    return made


def shown_error(error: Exception) -> str:
    """What an error says, on one line."""
    return shown(str(error), 160)[1:-1]


# Readers


@cache
def readers_of(package: str) -> dict[str, Reader]:
    """The readers of the arguments of a package's functions, by name."""
    game = sys.modules.get(".".join(package.split(".")[:2]))
    return SHARED | (_of_game(game) if hasattr(game, "View") else {})


def _only(words: str, fits: Callable[[Any], object]) -> Reader:
    """A reader that hands on what fits. words: what it expects."""

    def read(name: str, given: Any) -> Any:
        if not fits(given):
            raise refused(name, words, given)
        return given

    return read


def _or_none(fits: Callable[[Any], object]) -> Callable[[Any], object]:
    return lambda given: given is None or fits(given)


def _of_type(*types: type) -> Callable[[Any], bool]:
    return lambda given: isinstance(given, types)


def _is_iterable(given: Any) -> bool:
    """True for what gives items one by one: no text, and no array, whose items are numbers."""
    return isinstance(given, Iterable) and not isinstance(given, (str, bytes)) and not hasattr(given, "__array__")


def _of_game(game: Any) -> dict[str, Reader]:
    """The readers of a game's own objects."""
    title, read_position, read_turn = game.GAME.title, game.GAME.read_position, game.GAME.read_turn
    state = import_module(f"{game.__name__}.state")
    is_position = _only(f"a position of {title}, or one in notation", _of_type(game.Position))
    is_view = _only(f"a view of {title}, or one in notation", _of_type(game.View))
    are_rules = _only(f"the Rules of {title}, or None for the published game", _or_none(_of_type(game.Rules)))
    are_positions = _only("an iterable of positions", _is_iterable)

    def position(name: str, given: Any) -> Any:
        return read_position(given) if isinstance(given, str) else is_position(name, given)

    def turn(_: str, given: Any) -> Any:
        return read_turn(given)

    def view(name: str, given: Any) -> Any:
        return game.View.parse(given) if isinstance(given, str) else is_view(name, given)

    def rules(name: str, given: Any) -> Any:
        return game.PUBLISHED if are_rules(name, given) is None else given

    def several(name: str, given: Any) -> Any:
        return [position(f"an item of {name}", one) for one in are_positions(name, given)]

    return {
        "position": position, "root": position, "turn": turn, "action": turn, "view": view, "rules": rules,
        "budget": _only("a Budget", _of_type(game.Budget)), "pack.positions": several,
        "apply.action": getattr(state, "read_action", turn),
    }  # fmt: skip


def _number(name: str, given: Any) -> Any:
    number = whole(given)
    if number is None:
        raise refused(name, "a whole number", given)
    if number.bit_length() > 64:
        raise refused(name, "a whole number of at most 64 bits", given)
    return given if type(given) is int else number


def _number_or_none(name: str, given: Any) -> Any:
    return given if given is None else _number(name, given)


def _count(name: str, given: Any) -> Any:
    number = whole(given)
    if number is None or number < 0:
        raise refused(name, "a whole number of at least 0", given)
    return _number(name, number)


def _seed(name: str, given: Any) -> Any:
    number = whole(given)
    if number is None or not 0 <= number < 1 << 64:
        raise refused(name, "a whole number 0..2^64-1", given)
    return number


def _seat(name: str, given: Any) -> Any:
    number = whole(given)
    if number not in (0, 1):
        raise refused(name, "0 or 1", given)
    return number


def is_path(text: str) -> bool:
    """True if this can be the name of a file."""
    try:
        return b"\0" not in text.encode("utf-8", "surrogateescape") and text != ""
    except UnicodeEncodeError:
        return False


def _path(name: str, given: Any) -> Any:
    if not isinstance(given, (str, os.PathLike)):
        raise refused(name, "a path, a text or a Path", given)
    if not is_path(str(given)):
        raise refused(name, "a path that this system can have", given)
    return given


def _pair(of: Reader, words: str) -> Reader:
    def read(name: str, given: Any) -> Any:
        if not isinstance(given, (tuple, list)) or len(given) != 2:
            raise refused(name, f"two {words}", given)
        return tuple(of(f"an item of {name}", one) for one in given)

    return read


def _cards(name: str, given: Any) -> Any:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable) or getattr(given, "ndim", 1) != 1:
        raise refused(name, "an iterable of cards", given)
    cards = [_number(f"a card of {name}", card) for card in given]
    return frozenset(cards) if isinstance(given, frozenset) else cards


def _two_decks(name: str, given: Any) -> Any:
    decks = list(given) if isinstance(given, Iterable) and getattr(given, "ndim", 1) != 0 else []
    if len(decks) != 2:
        raise refused(name, "two decks, of seat 0 and of seat 1", given)
    return [_cards(f"a deck of {name}", deck) for deck in decks]


def _names(name: str, given: Any) -> Any:
    return list(_only("a list of names", _is_iterable)(name, given))


def _is_executor(given: Any) -> bool:
    from concurrent.futures import Executor  # seldom needed

    return isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], Executor) and whole(given[1]) is not None


_text = _only("a text", _of_type(str))
SHARED: dict[str, Reader] = {
    **dict.fromkeys(["count", "most", "table_mib", "packed", "samples", "nodes", "piles"], _count),
    **dict.fromkeys(["threads", "processes", "missing"], _number_or_none),
    **dict.fromkeys(
        ["seconds", "precision"], _only("a number", _or_none(lambda one: isinstance(one, Real) and not isinstance(one, bool)))
    ),
    **dict.fromkeys(["progress", "force"], _only("True or False", _or_none(lambda given: truth(given) is not None))),
    **dict.fromkeys(["deck", "cards"], _cards),
    **dict.fromkeys(["player", "read"], _only("a function", callable)),
    **dict.fromkeys(["hand_size", "draw.card", "result_worth.value"], _number),
    "seed": _seed,
    "seat": _seat,
    "decks": _two_decks,
    "numbers": _only("a Stream of random numbers", _of_type(Stream)),
    "points": _pair(_number, "numbers of points"),
    "directory": _path,
    "name": _text,
    "text": _only("a text, or bytes", _of_type(str, bytes)),
    "hands": _pair(_number, "numbers of cards"),
    "policies": _pair(_text, "names of policies"),
    "names": _names,
    "executor": _only("an Executor and its number of workers", _or_none(_is_executor)),
    "rules": _only("the Rules of a game", _or_none(lambda given: hasattr(type(given), "__dataclass_fields__"))),
    "sees": _text,
    "policy": _only("a function, or the name of a player", lambda given: isinstance(given, str) or callable(given)),
    "build_tables.by": _only("'rows' or 'search'", lambda given: isinstance(given, str) and given in ("rows", "search")),
    "solve.want": _only("a set of names of parts of an answer", _is_iterable),
    "assert_value.value": _number,
}
"""The readers of arguments that mean the same everywhere."""
