"""Each door knows each kind of thing: every parameter of every public function is given values of every kind. Each is taken, or
refused by one of our errors with one sentence, which names what was wrong and no argument that is not there; nothing else.

What reads an argument goes by the name of the parameter, which many functions share. So the quick run gives each parameter of each
function a share of the values, and those that have the same reader meet all of them together. The slow run gives all to all.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest

from backtrick import any_game, face_to_face, learn, take_that
from backtrick.arguments import READERS
from backtrick.budget import Budget
from backtrick.errors import ArgumentError, ArrayError, BacktrickError, BudgetError
from backtrick.games import whole_game_of
from command import no_processes
from doors import (
    CALLS,
    DEAL,
    GAMES,
    POSITION,
    PUBLIC_STATE,
    TURN,
    VIEW,
    examples,
    fault,
    functions_of,
    gone_but,
    names_of,
    needed,
    said,
)


class Subclass(np.ndarray):
    """An array of a class of its own."""


class Text(str):
    """A text of a class of its own."""


@cache
def wrong_values(game: Any) -> dict[str, Any]:
    """By a short description. game: the one that is asked; what belongs to the other one is wrong."""
    other = take_that if game is face_to_face else face_to_face
    packed = game.pack([game.Position.parse(POSITION[game.GAME.name])] * 3)
    return {
        "None": None,
        "bool": True,
        "float": 1.5,
        "not a number": float("nan"),
        "text": "nothing",
        "text of a subclass": Text("nothing"),
        "empty text": "",
        "text with a null": "a\0b",
        "a lone surrogate": "\ud800",
        "bytes": b"nothing",
        "2**64": 2**64,
        "-1": -1,
        "numpy bool": np.True_,
        "numpy float": np.float64(2.5),
        "numpy whole number": np.int64(3),
        "a numpy position": packed[0],
        "list": [1, "two"],
        "long list": [1, "two"] * 500,
        "long text": "nothing." * 80,
        "list of None": [None],
        "set": {1},
        "dict": {"one": 1},
        "object": object(),
        "class": int,
        "function": len,
        "positions": packed,
        "no positions": packed[:0],
        "masked positions": np.ma.array(packed, mask=[True, False, True]),
        "big-endian positions": packed.astype(packed.dtype.newbyteorder(">")),
        "positions of a subclass": packed.view(Subclass),
        "positions, every other": np.repeat(packed, 2)[::2],
        "positions in a square": np.stack([packed, packed]),
        "one position without an axis": packed[0:1].reshape(()),
        "read-only positions": read_only(packed),
        "empty bytes as positions": np.zeros(3, packed.dtype),
        "full bytes as positions": np.frombuffer(b"\xff" * 3 * packed.dtype.itemsize, packed.dtype),
        "whole numbers": np.arange(3),
        "bytes array": np.arange(3, dtype=np.uint8),
        "floats": np.array([0.5, np.nan, np.inf]),
        "bools": np.array([True, False]),
        "complex numbers": np.array([1j]),
        "objects": np.array([None, "one"], dtype=object),
        "dates": np.array(["2020-01-01"], dtype="datetime64[D]"),
        "texts as an array": np.array(["one"]),
        "big-endian turns": np.array([1, 2, 3], ">u8"),
        "masked turns": np.ma.array([1, 2, 3], mask=True),
        "position": game.Position.parse(POSITION[game.GAME.name]),
        "position of the other game": other.Position.parse(POSITION[other.GAME.name]),
        "turn of the other game": other.GAME.parse_turn(TURN[other.GAME.name]),
        "rules of the other game": other.PUBLISHED,
        "positions of the other game": other.pack([other.Position.parse(POSITION[other.GAME.name])] * 3),
        "view of the other game": other.View.parse(VIEW[other.GAME.name]),
        "the other game": other.GAME,
        "budget": game.Budget(nodes=10),
        "deal": game.GAME.parse(DEAL[game.GAME.name]),
        "view": game.View.parse(VIEW[game.GAME.name]),
        "state": game.State.begin(game.GAME.parse(DEAL[game.GAME.name])),
        "public state": game.PublicState.parse(PUBLIC_STATE[game.GAME.name]),
        "the game": game.GAME,
        "path": Path("some"),
        "column": pyarrow.array([POSITION[game.GAME.name]]),
    }


def read_only(array: np.ndarray) -> np.ndarray:
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def methods_of_a_tablebase(game: Any, place: Any) -> dict[str, Callable[..., Any]]:
    game.build_set(str(place), "some", game.pack([game.Position.parse(POSITION[game.GAME.name])]), processes=0)
    opened = game.open_tablebase(str(place))
    return {name: getattr(opened, name) for name in ("probe", "get", "solve", "grade", "best_turn", "probe_many")}


SHARES = 64
"""Of functions that share the name of a parameter, at most this many divide the values among them."""


def reader_of(game: str, parameter: str) -> tuple[str, str]:
    """What reads an argument: it is the same in both games, or one of each."""
    return "" if parameter in READERS else game, parameter


@cache
def readers() -> dict[tuple[str, str], list[tuple[str, str]]]:
    """By what reads an argument the functions that have such a parameter, each with its game."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for game, name in CALLS:
        for parameter in names_of(functions_of(game)[name]):
            found.setdefault(reader_of(game, parameter), []).append((game, name))
    return found


def share_of(game: str, name: str, parameter: str, kinds: Sequence[str]) -> Sequence[str]:
    """Of the kinds of values those that a function's parameter is given in the quick run."""
    functions = readers()[reader_of(game, parameter)]
    shares = min(len(functions), SHARES)
    return kinds[functions.index((game, name)) % shares :: shares]


def faults(function: Callable[..., Any], game: Any, place: Any, kinds: Callable[[str, Sequence[str]], Sequence[str]]) -> list[str]:
    """What is wrong with how calls end. kinds: of a parameter, and of all kinds of values, those that it is given."""
    good, values, found = examples(game, place), wrong_values(game), []
    named = names_of(function)
    for name in named:
        for what in kinds(name, list(values)):
            arguments = {**needed(function, good, {name}), name: values[what]}
            if name in ("policy", "player", "read", "turns") and callable(values[what]):
                continue  # what a function of the user raises is its own
            brief = {"samples": 2, "budget": game.Budget(seconds=0.05), "num_envs": 2}
            arguments = {one: value for one, value in brief.items() if one in named} | arguments
            with no_processes():
                said = fault(partial(function, **arguments), named)
            if said:
                found.append(f"{name} = {what}: {said}")
    return found


LEFT: dict[tuple[str, str], str] = {}
"""What is not asked, each with the reason."""


def every_kind(parameter: str, kinds: Sequence[str]) -> Sequence[str]:
    return kinds


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["a share", "every"])
@pytest.mark.parametrize(("game", "name"), CALLS)
def test_a_wrong_argument_is_a_sentence(game, name, every, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if (game, name) in LEFT:
        pytest.skip(LEFT[game, name])
    kinds = every_kind if every else partial(share_of, game, name)
    assert faults(functions_of(game)[name], GAMES[game], tmp_path, kinds) == []


def test_each_parameter_meets_some_and_each_reader_every_kind():
    kinds = list(wrong_values(face_to_face))
    for (_, parameter), functions in readers().items():
        met = [share_of(game, name, parameter, kinds) for game, name in functions]
        assert all(met) and set().union(*met) == set(kinds), parameter


@pytest.mark.parametrize(("game", "name"), CALLS)
def test_an_argument_that_is_not_there_is_told(game, name, tmp_path):
    """No sentence says what it must be; of an option of the rules, how it is given."""
    function, good = functions_of(game)[name], examples(GAMES[game], tmp_path)
    if inspect.isclass(function) or any(one.kind is one.VAR_KEYWORD for one in inspect.signature(function).parameters.values()):
        return
    taken = names_of(function)
    own = re.fullmatch(rf"backtrick.{game}.(?!value$)[a-z_]+", name)  # to look at the arguments of `value` takes half its time
    options, of_rules = {one.name for one in fields(Budget)}, {one.name for one in fields(GAMES[game].Rules)}
    wrong = {}
    for one in {*options, *of_rules, *READERS} - {*taken, "cancel"}:
        if not one.isidentifier():
            continue
        try:
            function(**needed(function, good, set()), **{one: object()})
        except TypeError as error:
            how = f"; give rules=Rules({one}=...)" if one in of_rules and "rules" in taken and own else ""
            if (not how and f"argument '{one}'" in str(error)) or f"has no argument {one}{how}" in str(error):
                continue
            wrong[one] = str(error)
    assert wrong == {}


@pytest.mark.parametrize("game", GAMES)
def test_so_it_is_for_a_tablebase(game, tmp_path):
    for name, method in methods_of_a_tablebase(GAMES[game], tmp_path).items():
        assert (name, faults(method, GAMES[game], tmp_path, every_kind)) == (name, [])


@pytest.mark.filterwarnings("ignore:'.*' is not an option of reset")
@pytest.mark.parametrize("game", GAMES)
def test_so_it_is_for_environments(game, tmp_path):
    pytest.importorskip("gymnasium"), pytest.importorskip("pettingzoo")
    from backtrick.learn import gymnasium, pettingzoo

    for make in (partial(learn.VectorEnv, num_envs=2), partial(gymnasium.Environment, illegal="raise"), pettingzoo.Environment):
        for begun in (False, True):
            made = make(game)
            if begun:
                made.reset(seed=1)
            found = {name: faults(getattr(made, name), GAMES[game], tmp_path, every_kind) for name in ("reset", "step")}
            assert found == {"reset": [], "step": []}, made


ANY_GAME = [name for name, one in vars(any_game).items() if inspect.isfunction(one) and hasattr(face_to_face, name)]


@pytest.mark.parametrize("name", ANY_GAME)
@pytest.mark.parametrize("game", GAMES)
def test_what_is_asked_of_any_game_is_answered_by_the_game(game, name, tmp_path):
    """Whatever it is asked about; and refused in its words."""
    own, good = getattr(GAMES[game], name), examples(GAMES[game], tmp_path)
    asked = needed(own, good, {next(iter(inspect.signature(own).parameters))})
    brief = {"samples": 2, "seed": 1} if name == "odds" else {"budget": GAMES[game].Budget(nodes=10)}
    asked |= {one: value for one, value in brief.items() if one in names_of(own)}
    for what in ("position", "deal", "view", "public state", "state", "positions", "list of positions"):
        given = [good["position"]] if what == "list of positions" else wrong_values(GAMES[game])[what]
        assert said(partial(getattr(any_game, name), given, **asked)) == said(partial(own, given, **asked)), what


STUCK = {"face_to_face": ["58^3v:5,12 57^4v:?2:15,20", "58^3v:5,12+?9,13,14,15,17,18,19 57^4v:?2:15,20,21,22,23,24,25",
                          "58^3v:5,12+?9,13 57^4v:?2:15,20,21"],
         "take_that": [f"- ?0 - ?0 !{gone_but()}"]}  # fmt: skip
"""Views of which the player to move has no turn, so that the game is over (F13)."""


@pytest.mark.parametrize("name", GAMES)
def test_a_view_without_a_turn_is_refused_by_every_player(name):
    """By the same sentence."""
    for text in STUCK[name]:
        view = GAMES[name].View.parse(text)
        for player in whole_game_of(GAMES[name].GAME).players:
            with pytest.raises(ArgumentError, match=f"^a player has no turn in the view '{re.escape(str(view)[:20])}"):
                pytest.fail(f"{player}: {whole_game_of(GAMES[name].GAME).players.player(player)(view)}")


def test_what_is_no_sentence_would_be_found():
    def raised(error: Exception) -> None:
        raise error

    assert fault(partial(raised, AttributeError("no attribute"))) == "AttributeError: no attribute"
    assert fault(partial(raised, BacktrickError("two\nlines"))) == "no sentence: 'two\\nlines'"
    assert fault(partial(raised, BacktrickError("one"))) is None and fault(lambda: 1) is None
    assert fault(partial(raised, BacktrickError("seat must be 0")), ["names"]) == "it has no seat: seat must be 0"
    assert fault(lambda: np.int64(2**62) * 4) == "RuntimeWarning: overflow encountered in scalar multiply"
    assert str(fault(lambda: np.array([1j]).astype(int))).startswith("ComplexWarning: ")


class Large:
    """As an array of a million numbers, whose repr takes a minute."""

    shape, size = (2,) * 20, 1 << 20

    def __repr__(self):
        raise AssertionError("too long")


def test_an_array_is_not_written_out_for_a_sentence():
    with pytest.raises(BudgetError, match=r"not an array of shape \(2, 2, "):
        Budget(nodes=Large())


def takers(game, directory):
    """Every public function of the game that takes an array of positions, with what else it needs, by the name of the array."""
    good = examples(game, directory)
    for name, function in functions_of(game.GAME.name).items():
        for one in inspect.signature(function).parameters.values():
            if str(one.annotation) in ("Many", "Positions"):
                yield name, partial(function, **needed(function, good, {one.name})), one.name


def renamed(array):
    """The same bytes under other names."""
    return array.view([(f"{name}_", array.dtype[name]) for name in array.dtype.names])


def bad_arrays(array):
    """What it is, an array, and whether `.astype(POSITION_DTYPE)` makes it one that is taken."""
    yield "big-endian" if "mover_hand" in array.dtype.names else "wider", widened(array), True
    yield "renamed", renamed(array), True
    yield "a field less", array[list(array.dtype.names[1:])], False
    yield "no axis", array[0:1].reshape(()), False
    yield "an item", array[0], False
    yield "two axes", array[None], False
    yield "numbers", np.zeros(3, np.uint64), False
    yield "numbers of the same size", np.zeros(3, f"V{array.dtype.itemsize}"), False
    yield "empty", np.zeros(0), False


def widened(array):
    """Big-endian, or where all fields are bytes, two bytes each."""
    if "mover_hand" in array.dtype.names:
        return array.astype(array.dtype.newbyteorder(">"))
    return array.astype([(name, "u2", array.dtype[name].shape) for name in array.dtype.names])


@pytest.mark.parametrize("name", GAMES)
def test_every_function_of_arrays_has_the_same_rule(name, tmp_path):
    game, every = GAMES[name], [*takers(GAMES[name], tmp_path)]
    array = examples(game, tmp_path)["Many"]
    assert len(every) >= 9
    for about, function, parameter in every:

        def take(given, function=function, parameter=parameter):
            with no_processes():
                return function(**{parameter: given})

        take(array)
        take(array[::-1])
        for what, bad, converts in bad_arrays(array):
            with pytest.raises(TypeError) as caught:
                take(bad)
            hint = "; .astype(POSITION_DTYPE) converts it" if converts else ""
            sentence = f"positions must be an array of POSITION_DTYPE with one axis, not {bad.dtype} of shape {bad.shape}{hint}"
            assert isinstance(caught.value, ArrayError) and str(caught.value) == sentence, (about, what)
            if converts:
                take(bad.astype(game.POSITION_DTYPE))
        for bad in (None, "27^40v:17,18 13^50v:5", 7, iter([])):
            with pytest.raises(ArrayError, match=r"with one axis, not an? \w+; pack\(\) makes one of positions$"):
                take(bad)
        for bad in ([array[0]], (1, 2), [(1,), (2, 3)]):
            with pytest.raises(BacktrickError):
                take(bad)


@pytest.mark.parametrize("name", GAMES)
def test_every_function_of_arrays_names_the_place_of_what_is_no_position(name, tmp_path):
    for about, function, parameter in takers(GAMES[name], tmp_path):
        for place in (0, 2):
            array = examples(GAMES[name], tmp_path)["Many"].copy()
            array[array.dtype.names[0]][place] = 255
            with no_processes(), pytest.raises(BacktrickError) as caught:
                result = function(**{parameter: array})
                list(result) if isinstance(result, Iterator) else pytest.fail(about)
            assert re.search(rf"\bposition {place} of the array", str(caught.value)), (about, str(caught.value))
