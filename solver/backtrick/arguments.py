"""The arguments of public functions: each is read once, where it comes in, and what cannot be used is refused with a sentence.

Positions, turns and rules are read in the first lines of a function: `read_position`, `read_turn`. Of other arguments a call that
succeeds looks at none. When it fails, `checked` looks at them: if one cannot be meant, a sentence about it takes the place of the
error. Nothing is run again, and nothing that can be read only once is read. Class methods and generators keep their arguments and
fail later, so theirs are read first.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import wraps
from importlib import import_module
from numbers import Real
from types import FunctionType
from typing import Any, TypeVar, cast

from backtrick.budget import Budget
from backtrick.errors import ArgumentError, BacktrickError, WrongTypeError
from backtrick.given import refused, shown, truth, whole
from backtrick.random import Stream

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C")
P = TypeVar("P")
T = TypeVar("T")
Item = TypeVar("Item")
Reader = Callable[[str, Any], Any]
"""Reads the argument of a name. Raises `BacktrickError` for anything that cannot be used."""


def read_position(kind: type[P], title: str, given: Any) -> P:
    """The position that a user gives, the object or its notation. kind: the class of positions. title: of the game.

    Raises what `kind.parse` raises, and `ArgumentError` for anything else.
    """
    if isinstance(given, str):
        return kind.parse(given)  # type: ignore[attr-defined, no-any-return]
    if not isinstance(given, kind):
        raise no_position(given, title)
    return given


def no_position(given: Any, title: str) -> ArgumentError:
    """The error for what is not a position of the game of this title."""
    hint = "; unpack(array) makes positions of the rows of an array" if hasattr(given, "dtype") else ""
    return ArgumentError(f"{shown(given)} is not a position of {title}{hint}")


def read_view(module: str, given: Any, rules: Any) -> Any:
    """The view that a user gives, the object or its notation; None for anything else, also for a view of another game. module:
    where the class `View` is."""
    if isinstance(given, str):
        return import_module(module).View.parse(given, rules=rules) if "?" in given else None
    return given if hasattr(type(given), "world") and isinstance(given, import_module(module).View) else None


def read_turn(kind: type[T], parse: Callable[[str], T], unpack: Callable[[int], T | None], given: Any) -> T:
    """The turn that a user gives: the object, its notation, or packed. It need not be legal.

    kind: the class of turns. Raises what `parse` and `unpack` raise, and `ArgumentError` for anything else.
    """
    turn: Any = given
    if isinstance(given, str):
        turn = parse(given)
    elif not isinstance(given, kind) and (packed := whole(given)) is not None:
        turn = unpack(packed)
    if turn is None or not isinstance(turn, kind):
        raise ArgumentError(f"{shown(given)} is not a turn")
    return turn


def read_items(name: str, given: Iterable[Item]) -> Iterable[Item]:
    """What a user gives as one item after another, which is not looked at. Raises `WrongTypeError` for anything else."""
    if not _is_iterable(given):
        raise refused(name, "one item after another, as in a list", given)
    return given


def checked(function: F, package: str = "", name: str = "") -> F:
    """A public function or method that refuses what cannot be meant with a sentence. Of a class method, the function within it.

    package, name: where users find it, if not where it is defined
    """
    package, name = package or function.__module__, name or function.__name__
    parameters_and_result = inspect.signature(function)
    parameters = parameters_and_result.parameters
    owner = next(iter(parameters), "")
    open_ended = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    lazy = str(parameters_and_result.return_annotation).startswith("Iterator")  # it fails when it is asked for an item
    readers = [READERS.get(f"{name}.{one}", READERS.get(one)) for one in parameters]
    bound = getattr(function, "__self__", None)  # a game, or its files
    game = getattr(bound, "game", bound)
    reader_of = {one: reader for one, reader in zip(parameters, readers, strict=True) if reader is not None}

    if not reader_of and isinstance(function, FunctionType) and ("rules" not in parameters or name == "value"):
        return function  # it reads all of its arguments itself; `value` would take half as long again

    def options() -> Collection[str]:
        """The options of the rules of the game."""
        rules = getattr(game, "published", None) or getattr(sys.modules.get(package), "PUBLISHED", None)
        return getattr(rules, "__dataclass_fields__", ())

    def read(argument: str, value: Any) -> Any:
        default = argument in parameters and value is parameters[argument].default
        reader = None if default else reader_of.get(argument, READERS.get(argument) if open_ended else None)
        return value if reader is None else reader(argument, value)

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        __tracebackhide__ = True  # pytest shows the line of the test that called
        try:
            if lazy or owner == "cls":
                placed = [read(argument, value) for argument, value in zip(parameters, given, strict=False)]
                others = {argument: read(argument, value) for argument, value in named.items()}
                return function(*placed, *given[len(placed) :], **others)
            return function(*given, **named)
        except Exception as error:
            if isinstance(error, TypeError) and not open_ended and (hint := _misplaced(named, parameters, options)):
                raise WrongTypeError(f"{name}() has no argument {hint}") from None
            if isinstance(error, BacktrickError) and "\n" not in str(error):
                raise  # it knows better
            for argument, value in (*zip(parameters, given, strict=False), *named.items()):
                if not isinstance(value, Iterator):  # one that has begun is the user's
                    read(argument, value)
            raise

    if owner not in ("self", "cls"):
        call.__module__, call.__qualname__ = package, name  # where pickle finds it
        if hasattr(game, "published"):
            vars(call)["__signature__"] = signature_in(game, parameters_and_result)
    return cast(F, call)


def _misplaced(named: Mapping[str, Any], parameters: Mapping[str, Any], options: Callable[[], Collection[str]]) -> str | None:
    """The first argument that is not there, and how to give it if it belongs into another; None if all are. options: of rules."""
    for one in named:
        if one in parameters:
            continue
        if "budget" in parameters and one in Budget.__dataclass_fields__:
            return f"{one}; give budget=Budget({one}=...)"
        if "rules" in parameters and one in options():
            return f"{one}; give rules=Rules({one}=...)"
        return one
    return None


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
    return shown(str(error), 160)[1:-1]


# Readers


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
READERS: dict[str, Reader] = {
    **dict.fromkeys(["count", "table_mib", "packed", "samples", "piles"], _count),
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
    "output": _path,
    "name": _text,
    "text": _only("a text, or bytes", _of_type(str, bytes)),
    "hands": _pair(_number, "numbers of cards"),
    "policies": _pair(_text, "names of policies"),
    "names": _names,
    "executor": _only("an Executor and its number of workers", _or_none(_is_executor)),
    "budget": _only("a Budget", _of_type(Budget)),
    "sees": _text,
    "policy": _only("a function, or the name of a player", lambda given: isinstance(given, str) or callable(given)),
    "build_tables.by": _only("'rows' or 'search'", lambda given: isinstance(given, str) and given in ("rows", "search")),
    "parse.text": _text,
    "solve.want": _only("a set of names of parts of an answer", _is_iterable),
}
"""The readers of arguments by name: they mean the same everywhere."""
