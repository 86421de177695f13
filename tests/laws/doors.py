"""The doors: every way in that `offered.txt` lists, and examples of what goes through them, by the type of a parameter.

A law is one file beside this one. It asks every door; a door without an example fails by name.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Collection, Iterator
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from importlib import import_module
from itertools import islice
from typing import Any

import numpy as np

from backtrick import face_to_face, take_that
from backtrick.errors import BacktrickError
from backtrick.random import Stream
from backtrick.take_that.rule_options import DECK

GAMES: dict[str, Any] = {"face_to_face": face_to_face, "take_that": take_that}
HAND = "75,78,79,83,85,88,89,93,97"
SEEN = ",".join(str(card) for card in range(12, 75) if card % 10)
POSITION = {"face_to_face": "27^40v:17,18,45 13^50v:5,12", "take_that": "15,43,44 21,53 51-62-35"}
DEAL = {"face_to_face": "27^40v:17,18,45+20,33,50 43^20v:5,12+4,9", "take_that": "12,43,94 21 34-41-49 22,33"}
VIEW = {"face_to_face": "45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12", "take_that": f"{HAND} ?9 76-77-86 ?1 !{SEEN}"}
TURN = {"face_to_face": "17^ 18^", "take_that": "44"}


def gone_but(*cards: int) -> str:
    """The cards of Take That that are gone, if only these are left."""
    return ",".join(str(card) for card in DECK if card not in cards)


PUBLIC_STATE = {
    "face_to_face": "56^10v:?2:14,22,45 47^38v:?2:7,8",
    "take_that": f"?2 ?2 34-41 ?1 !{gone_but(34, 41, 12, 21, 33, 43, 55)}",
}

TELLING: dict[str, dict[str, tuple[str, str, str, str, str]]] = {
    "face_to_face": {"lone_card": ("", "27^40v:30 13^50v:5,12", "30^", "12^23v:32 1^60v:13+23", "45^17v:50 43^20v:?1:4,5")},
    "take_that": {
        "forced_only": ("", "47 49,86,87 48", "take", "29,62 31,36,42 28 44",
                        f"12,21 ?2 34-41 ?2 !{gone_but(34, 41, 12, 21, 39, 43, 44, 55)}"),
        "empty_line": ("ends", "61 15,22 -", "61", "63 36 64 47,62", f"21 ?2 12 ?1 !{gone_but(12, 21, 31, 41, 51)}"),
        "professional": ("", "", "", "45 83 42 76,77,33,58", f"45 ?1 42 ?3 !{gone_but(45, 83, 42, 76, 77, 33)}"),
    },
}  # fmt: skip
"""Questions whose answer changes with a rule option: its value, an endgame, a turn of it, a deal, and a view.

T11 changes nothing once the draw pile is empty, so `professional` has no endgame.
"""


def rules_of(game: Any, option: str) -> Any:
    """The rules with one option."""
    return game.Rules(**{option: TELLING[game.GAME.name][option][0] or True})


PUBLIC = ("backtrick", *[f"backtrick.{name}" for name in (*GAMES, "learn", "testing", "proofs")])
"""The modules whose `__all__` is public."""
MORE = {"face_to_face": ["backtrick.face_to_face.samples"], "take_that": ["backtrick.take_that.samples"]}
MADE_BY_US = {"ActionValues", "Answer", "Answers", "Bounds", "Equilibrium", "Grade", "Mistake", "Odds", "Outcome", "Proof",
              "Regret", "State", "Step", "TurnValues", "View"}  # fmt: skip
"""Types that a user gets and does not make."""


def modules_of(game: str) -> list[Any]:
    """The public modules in which a game can be asked."""
    others = [f"backtrick.{other}" for other in GAMES if other != game]
    return [import_module(name) for name in (*PUBLIC, *MORE[game]) if name not in others]


def names_of(function: Callable[..., Any]) -> list[str]:
    """The names of the parameters; those of odds that are given on are among them."""
    parameters = inspect.signature(function).parameters.values()
    named = [one.name for one in parameters if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]
    more = ["samples", "seconds", "precision", "seed"] if len(named) < len(parameters) and "view" in named else []
    return named + [name for name in more if name not in named]


@cache
def functions_of(name: str) -> dict[str, Callable[..., Any]]:
    """The public functions of a game, the constructors and `parse` of its types, and the methods of states and views, by name."""
    game, found = GAMES[name], {}
    for module in modules_of(name):
        for one in module.__all__:
            thing = getattr(module, one)
            if inspect.isclass(thing) and one in MADE_BY_US:
                pass
            elif callable(thing):
                found[f"{module.__name__}.{one}"] = thing
            if inspect.isclass(thing) and hasattr(thing, "parse"):
                found[f"{module.__name__}.{one}.parse"] = thing.parse
    begun, view = game.State.begin(game.Position.parse(DEAL[name])), game.View.parse(VIEW[name])
    for about, one in {"State": begun, "State before the deal": game.State.start(), "View": view}.items():
        found |= {f"{game.__name__}.{about}.{method}": call for method, call in methods_of(one).items()}
    return {about: call for about, call in found.items() if not (inspect.isclass(call) and issubclass(call, BaseException))}


def methods_of(one: Any) -> dict[str, Callable[..., Any]]:
    """The public methods of an object that have parameters, by name."""
    named = {name: getattr(one, name) for name in dir(one) if not name.startswith("_")}
    return {name: method for name, method in named.items() if inspect.isroutine(method) and names_of(method)}


CALLS = [(game, name) for game in GAMES for name in functions_of(game)]


def examples(game: Any, place: Any, position: Any = None) -> dict[str, Any]:
    """What a parameter may be, by its type as it is written, and where that says little (`Any`, `int`, `str`) by its name."""
    position = game.Position.parse(POSITION[game.GAME.name]) if position is None else position
    turn, name = game.GAME.parse_turn(TURN[game.GAME.name]), game.GAME.name
    packed = game.pack([game.Position.parse(POSITION[name])] * 3)
    number = game.pack_turn(turn)
    turns = np.array([number] * 3, np.uint64 if game is face_to_face else np.uint8)
    sides = {"mover": position.mover, "opponent": position.opponent}
    return {
        "Position | str": position, "Iterable[Position | str]": [position], "Many": packed, "Positions": packed,
        "Turn | str | int": turn, "U64s": turns, "U8s": turns, "Turns": turns, "Rules": game.PUBLISHED,
        "Rules | None": game.PUBLISHED, "View | str": VIEW[name], "bytes | str | Iterable[str]": POSITION[name],
        "str | Path": str(place), "Collection[str]": {"best"}, "PublicState | View | State | str": PUBLIC_STATE[name],
        "Game[Any, Any, Any]": game.GAME, "str | Path | Record": f"{POSITION[name]}\n{TURN[name]}",
        "int": 2, "int | None": 2, "bool": False, "bool | None": False,
        "Iterable[str | TableName]": ["1v1"], "int | str": 1, "Turns | Policies": turns, "Budget": game.Budget(),
        "position": position, "positions": packed, "array": packed, "turn": turn, "action": turn, "turns": turns, "packed": number,
        "view": game.View.parse(VIEW[name]), "text": POSITION[name], "directory": str(place), "name": "some", "root": position,
        "names": ["1v1"], "count": 64, "policy": "frugal" if game is face_to_face else "careful", "given": packed, "value": 1,
        "nodes": 1000, "samples": 2, "ascending": 1, "descending": 60, "card": 17, "pile": "^", "plays": (), "seat": 0,
        "numbers": Stream(1, 0), "reason": "points", "deck": DECK, "decks": [range(2, 60)] * 2, "hand_size": 2,
        "read": game.GAME.read_turn, "player": lambda view: TURN[name], "state": PUBLIC_STATE[name], "line": (34, 41),
        "unseen": (12, 21, 33, 43, 55), "other_size": 2, "game": game.GAME, "rules": game.PUBLISHED, "threads": 2, **sides,
    }  # fmt: skip


WIDE = {"", "Any", "object", "int", "str", "bool", "int | None"}
"""Types that say little: of these the name counts."""


def needed(function: Callable[..., Any], good: dict[str, Any], given: set[str]) -> dict[str, Any]:
    """The arguments that a function needs, but for those that are given. Raises `KeyError` for one without an example."""
    kinds = {name: kind for name, kind in without_default(function) if name not in given}
    return {name: good[name] if kind in WIDE or kind not in good else good[kind] for name, kind in kinds.items()}


@lru_cache(1)
def without_default(function: Callable[..., Any]) -> list[tuple[str, str]]:
    """The parameters that must be given, each with its type as it is written."""
    those = inspect.signature(function).parameters.values()
    plain = [one for one in those if one.default is one.empty and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]
    return [(one.name, "" if one.annotation is one.empty else str(one.annotation)) for one in plain]


def said(call: Callable[[], Any]) -> str:
    """What a call answers, or its sentence. An array is said whole."""
    try:
        result = call()
        if isinstance(result, Iterator):
            result = list(islice(result, 100))
        return worded(result)
    except (BacktrickError, AssertionError) as error:
        return f"{type(error).__name__}: {error}"


def worded(result: Any) -> str:
    """A result as text: its arrays whole, its fields, its record, and the rules that it keeps."""
    if type(result) in (int, str):
        return repr(result)
    if isinstance(result, np.ndarray):
        return f"{result.dtype} {result.tolist()}"
    if isinstance(result, (set, frozenset)):
        return f"{sorted(map(worded, result))}"
    if isinstance(result, (list, tuple)) and not hasattr(result, "record") or type(result).__name__ == "Made":
        return f"[{', '.join(map(worded, result))}]"
    record, rules = getattr(result, "record", None), getattr(result, "rules", "")
    if inspect.ismethod(record):
        return f"{type(result).__name__} {record()} {rules}"
    if is_dataclass(result) and not isinstance(result, type):
        return f"{type(result).__name__} {[worded(getattr(result, one.name)) for one in fields(result)]}"
    return f"{re.sub(' at 0x[0-9a-f]+', '', repr(result))} {rules}"


NAMED = re.compile(r"(?:an item of |a card of |a deck of )?(\w+) must be ")
WORDS = {"positions", "cards", "turns"}
"""Things, whatever the argument is called."""


def fault(call: Callable[[], Any], named: Collection[str] = ()) -> str | None:
    """What is wrong with how a call ends; None if nothing is. A warning of numpy is wrong too.

    named: the arguments that a sentence may say something of, if there are any
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            result = call()
            if isinstance(result, Iterator):
                list(islice(result, 3))
    except (BacktrickError, AssertionError) as error:  # the latter of `backtrick.testing`: the answer
        sentence = str(error)
        if not sentence or "\n" in sentence or len(sentence) >= 700:
            return f"no sentence: {sentence[:900]!r}"
        told = NAMED.match(sentence)
        return f"it has no {told[1]}: {sentence}" if told and named and told[1] not in {*WORDS, *named} else None
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:150]}"
    return None
