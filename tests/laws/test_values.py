"""An answer is a value: pickled, copied and asked again it is the same; nothing changes it, and threads get what one gets."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import is_dataclass
from functools import partial
from itertools import islice
from typing import Any

import pytest

from backtrick.errors import BacktrickError
from backtrick.games import steps_of
from command import no_processes
from doors import DEAL, GAMES, examples, functions_of, names_of, needed, worded

NO_VALUES = {
    "VectorEnv": "an environment is asked to change",
    "Tablebase": "open files",
    "Proof": "it is read once, as it is made",
    "function": "",
}
"""What doors give that is no value, each with the reason."""

NOT_ASKED = {"play", "draw", "world", "index", "count"}
"""What changes a state or the numbers that it is given; and what every sequence has."""

ASKED_WITH = {"player": "tuned", "policy": "tuned", "name": "tuned", "seat": 0, "hands": True}
"""What a question about an answer takes, beside the examples."""


@pytest.fixture(autouse=True)
def _one_process():
    """For each test and not for each question: those of four threads would put back what another one had replaced."""
    with no_processes():
        yield


def result_of(call: Callable[[], Any]) -> Any:
    found = call()
    return list(islice(found, 20)) if isinstance(found, Iterator) else found


def parts_of(found: Any) -> list[Any]:
    """What a door gave: the items of a list, or itself."""
    return [one for part in found for one in parts_of(part)][:4] if type(found) in (list, tuple, dict) else [found]


def asks_of(one: Any, good: dict[str, Any]) -> dict[str, Callable[[], Any]]:
    """Every question that an object can be asked: its properties, and its methods with examples."""
    found: dict[str, Callable[[], Any]] = {}
    own = {part: 0 for kind in type(one).__mro__[:-1] for part in vars(kind)}
    for name in own.keys() & {*dir(one)}:  # without the names of other libraries, which are answered with advice
        if name.startswith("_") or name in NOT_ASKED:
            continue
        member = inspect.getattr_static(type(one), name)
        if isinstance(member, (property, *([] if not hasattr(member, "__get__") or callable(member) else [type(member)]))):
            found[name] = partial(getattr, one, name)
        elif inspect.isfunction(member):
            taken = {other: ASKED_WITH[other] for other in names_of(getattr(one, name)) if other in ASKED_WITH}
            try:
                found[name] = partial(getattr(one, name), **needed(getattr(one, name), good, set(taken)), **taken)
            except KeyError:
                continue
    return found


def said_of(one: Any, good: dict[str, Any]) -> dict[str, str]:
    """What an object says to every question."""
    told = {"": worded(one)}
    for name, ask in asks_of(one, good).items():
        try:
            told[name] = worded(result_of(ask))
        except (BacktrickError, AttributeError, TypeError, KeyError) as error:
            told[name] = f"{type(error).__name__}: {error}"
    return told


def same(one: Any, other: Any) -> bool:
    """True if they are equal. What holds arrays and has no == is compared by what it says."""
    return type(one).__eq__ is object.__eq__ or bool(one == other)


def can_be_changed(one: Any, name: str) -> bool:
    """True if the attribute, or one that is not there, can be set or deleted."""
    for change in (partial(setattr, one, name, None), partial(delattr, one, name)):
        try:
            change()
        except (AttributeError, TypeError):
            continue
        return True
    return False


def wrong_with(make: Callable[[], Any], good: dict[str, Any]) -> list[str]:
    """What is not as a value is. make: asks the same question again."""
    one, found = make(), []
    before = said_of(one, good)
    if before != said_of(one, good):
        found.append("asking changes it")
    copies = {f"pickle {protocol}": partial(pickle.dumps, one, protocol) for protocol in (0, 2, 5)}
    made = {name: pickle.loads(dump()) for name, dump in copies.items()} | {"copy": copy.copy(one), "deepcopy": copy.deepcopy(one)}
    for name, other in {**made, "the same question": make()}.items():
        if not same(other, one):
            found.append(f"{name} is not equal")
        if said_of(other, good) != before:
            found.append(f"{name} says other things")
    fields = getattr(one, "__match_args__", ())
    found += [f"{name} can be changed" for name in (*asks_of(one, good), *fields, "new") if fields and can_be_changed(other, name)]
    if is_dataclass(one) and type(one).__dataclass_params__.frozen and type(one).__eq__ is not object.__eq__:
        try:
            hash(one)
        except TypeError as error:
            found.append(f"no hash: {error}")
    with ThreadPoolExecutor(4) as pool:
        fresh = make()
        if any(told != before for told in pool.map(lambda _: said_of(fresh, good), range(4))):
            found.append("threads get something else")
    return found


@pytest.mark.parametrize("game", GAMES)
def test_what_a_function_returns_is_a_value(game, tmp_path, monkeypatch):
    """Of each type that the functions return the first one that is met."""
    monkeypatch.chdir(tmp_path)
    good, wrong, seen = examples(GAMES[game], tmp_path), {}, set(NO_VALUES)
    for name, function in functions_of(game).items():
        call = partial(function, **needed(function, good, set()))
        try:
            parts = parts_of(result_of(call))
        except (BacktrickError, AssertionError):
            continue
        for place, part in enumerate(parts):
            if type(part).__name__ in seen or not type(part).__module__.startswith("backtrick"):
                continue
            seen.add(type(part).__name__)
            if found := wrong_with(lambda call=call, place=place: parts_of(result_of(call))[place], good):
                wrong[f"{type(part).__name__} of {name}"] = found
    assert wrong == {}


@pytest.mark.parametrize("game", GAMES)
def test_games_states_and_moments_are_values(game, tmp_path):
    module = GAMES[game]
    good = examples(module, tmp_path)
    steps = steps_of(game)
    things = {"GAME": lambda: module.GAME, "PUBLISHED": lambda: module.PUBLISHED, "steps": steps,
              "moment": lambda: steps().start}  # fmt: skip
    found = {name: wrong_with(make, good) for name, make in things.items()}
    assert found == dict.fromkeys(things, [])
    other = steps(position=DEAL[game])
    assert other != steps() and other.start != steps().start
