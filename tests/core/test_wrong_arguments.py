"""Every parameter of every public function is given values that it does not expect. Each call gives an answer, or raises one of our
errors with one sentence; nothing else.

What reads an argument goes by the name of the parameter, which many functions share. So the quick run gives each parameter of each
function a share of the values, and those that have the same reader meet all of them together. The slow run gives all to all.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import islice
from typing import Any

import numpy as np
import pytest

from backtrick import face_to_face, learn, take_that, testing
from backtrick.arguments import READERS
from backtrick.budget import Budget
from backtrick.errors import BacktrickError, BudgetError, WrongTypeError
from backtrick.face_to_face import samples as face_to_face_samples
from backtrick.games import all_games, game_of
from backtrick.random import Stream
from backtrick.take_that import samples as take_that_samples
from command import no_processes


class Subclass(np.ndarray):
    """An array of a class of its own."""


class Text(str):
    """A text of a class of its own."""


HAND = "75,78,79,83,85,88,89,93,97"
SEEN = ",".join(str(card) for card in range(12, 75) if card % 10)
TEXTS = {face_to_face: "27^40v:17,18,45 13^50v:5,12", take_that: "15,43,44 21,53 51-62-35"}
DEALS = {face_to_face: "27^40v:17,18,45+20,33,50 43^20v:5,12+4,9", take_that: "12,43,94 21 34-41-49 22,33"}
VIEWS = {face_to_face: "45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12", take_that: f"{HAND} ?9 76-77-86 ?1 !{SEEN}"}
TURNS = {face_to_face: "17^ 18^", take_that: "44"}
PUBLIC = {face_to_face: "56^10v:?2:14,22,45 47^38v:?2:7,8", take_that: take_that.PublicState((34, 41), (12, 21, 33, 43, 55), 2, 2)}


def wrong_values(game: Any) -> dict[str, Any]:
    """By a short description. game: the one that is asked; what belongs to the other one is wrong."""
    other = take_that if game is face_to_face else face_to_face
    packed = game.pack([game.Position.parse(TEXTS[game])] * 3)
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
        "read-only positions": _read_only(packed),
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
        "position": game.Position.parse(TEXTS[game]),
        "position of the other game": other.Position.parse(TEXTS[other]),
        "turn of the other game": other.GAME.parse_turn(TURNS[other]),
        "rules of the other game": other.PUBLISHED,
        "positions of the other game": other.pack([other.Position.parse(TEXTS[other])] * 3),
        "view of the other game": other.View.parse(VIEWS[other]),
        "the other game": other.GAME,
        "budget": game.Budget(nodes=10),
        "deal": game.GAME.parse(DEALS[game]),
    }


def _read_only(array: np.ndarray) -> np.ndarray:
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def good_values(game: Any, place: Any) -> dict[str, Any]:
    """What each parameter expects, by its name."""
    position = game.Position.parse(TEXTS[game])
    packed, turn = game.pack([position] * 3), game.GAME.parse_turn(TURNS[game])
    number = game.pack_turn(turn)
    turns = np.array([number] * 3, np.uint64 if game is face_to_face else np.uint8)
    return {
        "position": position, "positions": packed, "array": packed, "turn": turn, "action": turn, "turns": turns, "packed": number,
        "view": game.View.parse(VIEWS[game]), "text": TEXTS[game], "directory": str(place), "name": "some", "root": position,
        "names": [], "count": 2, "policy": "frugal" if game is face_to_face else "careful", "given": packed, "value": 1,
        "nodes": 1000, "samples": 2, "ascending": 1, "descending": 60, "mover": position.mover, "opponent": position.opponent,
        "card": 17, "pile": "^", "plays": (), "seat": 0, "numbers": Stream(1, 0), "reason": "points",
        "deck": range(12, 20), "decks": [range(2, 60)] * 2, "read": game.GAME.read_turn,
        "player": lambda view: TURNS[game], "state": PUBLIC[game], "line": (34, 41), "unseen": (12, 21, 33, 43, 55), "hand_size": 2,
        "other_size": 2,
    }  # fmt: skip


MODULES = {
    face_to_face: [face_to_face, face_to_face_samples, learn, testing],
    take_that: [take_that, take_that_samples, learn, testing],
}
MADE_BY_US = {
    "ActionValues", "Answer", "Answers", "Bounds", "Equilibrium", "Grade", "Mistake", "Odds", "Outcome", "Regret", "State", "Step",
    "TurnValues", "View",
}  # fmt: skip
"""Types that a user gets and does not make."""


def names_of(function: Callable[..., Any]) -> list[str]:
    """The names of the parameters."""
    parameters = inspect.signature(function).parameters.values()
    named = [one.name for one in parameters if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]
    more = ["samples", "seconds", "precision", "seed"] if len(named) < len(parameters) else []
    return named + [name for name in more if name not in named]


def public_functions(game: Any) -> dict[str, Callable[..., Any]]:
    """The functions, and the constructors and `parse` of the types, by name."""
    found: dict[str, Callable[..., Any]] = {}
    for module in MODULES[game]:
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isclass(thing) and name in MADE_BY_US:
                pass
            elif callable(thing):
                found[f"{module.__name__}.{name}"] = thing
            if inspect.isclass(thing) and hasattr(thing, "parse"):
                found[f"{module.__name__}.{name}.parse"] = thing.parse
    begun, view = game.State.begin(game.Position.parse(DEALS[game])), game.View.parse(VIEWS[game])
    for about, one in {"State": begun, "State before the deal": game.State.start(), "View": view}.items():
        found |= {f"{game.__name__}.{about}.{name}": method for name, method in methods_of(one).items()}
    return found


def methods_of(one: Any) -> dict[str, Callable[..., Any]]:
    """The public methods of an object that have parameters, by name."""
    named = {name: getattr(one, name) for name in dir(one) if not name.startswith("_")}
    return {name: method for name, method in named.items() if inspect.isroutine(method) and names_of(method)}


def methods_of_a_tablebase(game: Any, place: Any) -> dict[str, Callable[..., Any]]:
    game.build_set(str(place), "some", game.pack([game.Position.parse(TEXTS[game])]), processes=0)
    opened = game.open_tablebase(str(place))
    return {name: getattr(opened, name) for name in ("probe", "get", "solve", "grade", "probe_many")}


GAMES = {"face_to_face": face_to_face, "take_that": take_that}
CALLS = [(name, function) for name, game in GAMES.items() for function in public_functions(game)]


def fault(call: Callable[[], Any]) -> str | None:
    """What is wrong with how a call ends; None if nothing is. A warning of numpy is wrong too."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            result = call()
            if isinstance(result, Iterator):
                list(islice(result, 3))
    except BacktrickError as error:
        sentence = str(error)
        return None if sentence and "\n" not in sentence and len(sentence) < 700 else f"no sentence: {sentence[:900]!r}"
    except AssertionError as error:  # of `backtrick.testing`: the answer
        return None if str(error) and "\n" not in str(error) else f"no sentence: {str(error)!r}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:150]}"
    return None


SHARES = 16
"""Of functions that share the name of a parameter, at most this many divide the values among them."""


def reader_of(game: str, parameter: str) -> tuple[str, str]:
    """What reads an argument: it is the same in both games, or one of each."""
    return "" if parameter in READERS else game, parameter


@cache
def readers() -> dict[tuple[str, str], list[tuple[str, str]]]:
    """By what reads an argument the functions that have such a parameter, each with its game."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for game, name in CALLS:
        for parameter in names_of(public_functions(GAMES[game])[name]):
            found.setdefault(reader_of(game, parameter), []).append((game, name))
    return found


def share_of(game: str, name: str, parameter: str, kinds: Sequence[str]) -> Sequence[str]:
    """Of the kinds of values those that a function's parameter is given in the quick run."""
    functions = readers()[reader_of(game, parameter)]
    shares = min(len(functions), SHARES)
    return kinds[functions.index((game, name)) % shares :: shares]


def faults(function: Callable[..., Any], game: Any, place: Any, kinds: Callable[[str, Sequence[str]], Sequence[str]]) -> list[str]:
    """What is wrong with how calls end. kinds: of a parameter, and of all kinds of values, those that it is given."""
    good, values, found = good_values(game, place), wrong_values(game), []
    parameters, named = inspect.signature(function).parameters.values(), names_of(function)
    needed = {one.name: good[one.name] for one in parameters if one.default is one.empty and one.name in good}
    for name in named:
        for what in kinds(name, list(values)):
            value = values[what]
            arguments = {**needed, name: value}
            if name in ("policy", "player", "read", "turns") and callable(value):
                continue  # what a function of the user raises is its own
            if "samples" in named:
                arguments = {"samples": 2, **arguments}
            with no_processes():
                said = fault(partial(function, **arguments))
            if said:
                found.append(f"{name} = {what}: {said}")
    return found


def every_kind(parameter: str, kinds: Sequence[str]) -> Sequence[str]:
    return kinds


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["a share", "every"])
@pytest.mark.parametrize(("game", "name"), CALLS)
def test_a_wrong_argument_is_a_sentence(game, name, every, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kinds = every_kind if every else partial(share_of, game, name)
    assert faults(public_functions(GAMES[game])[name], GAMES[game], tmp_path, kinds) == []


def test_each_parameter_meets_some_and_each_reader_every_kind():
    kinds = list(wrong_values(face_to_face))
    for (_, parameter), functions in readers().items():
        met = [share_of(game, name, parameter, kinds) for game, name in functions]
        assert all(met) and set().union(*met) == set(kinds), parameter


@pytest.mark.parametrize("game", GAMES)
def test_so_it_is_for_a_tablebase(game, tmp_path):
    for name, method in methods_of_a_tablebase(GAMES[game], tmp_path).items():
        assert (name, faults(method, GAMES[game], tmp_path, every_kind)) == (name, [])


NO_ANSWER: dict[str, Callable[[Any], object]] = {
    "card 12.0": lambda game: game.State.start().draw(12.0),
    "card 12.0 of numpy": lambda game: game.State.start().draw(np.float64(12)),
    "value 1.5": lambda game: begun(game).result_worth(1.5, "points"),
    "value nan": lambda game: begun(game).result_worth(float("nan"), "points"),
    "value wind": lambda game: begun(game).result_worth("wind", "points"),
    "text 5": lambda game: game.parse_many(5),
    "count 10**18": lambda game: SAMPLES[game].selfplay_array(10**18),
    "num_envs 10**15": lambda game: learn.VectorEnv(game.GAME.name, 10**15),
    "nodes True": lambda game: game.Budget(nodes=True),
    "table_mib True": lambda game: game.Budget(table_mib=True),
    "positions masked": lambda game: game.solve_many(np.ma.array(game.pack([game.Position.parse(TEXTS[game])]), mask=True)),
}
SAMPLES = {face_to_face: face_to_face_samples, take_that: take_that_samples}


def begun(game: Any) -> Any:
    return game.State.begin(game.Position.parse(DEALS[game]))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("what", NO_ANSWER)
def test_what_looks_like_something_else_gets_no_answer(game, what):
    """What numpy or Python would read as something that nobody meant: 12.0 as the card 12, 5 as five bytes, True as one node."""
    with pytest.raises(BacktrickError) as error:
        NO_ANSWER[what](GAMES[game])
    said = str(error.value)
    assert said.startswith(what.split()[0]) and "\n" not in said and len(said) < 200


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


def test_what_is_no_sentence_would_be_found():
    def raised(error: Exception) -> None:
        raise error

    assert fault(partial(raised, AttributeError("no attribute"))) == "AttributeError: no attribute"
    assert fault(partial(raised, BacktrickError("two\nlines"))) == "no sentence: 'two\\nlines'"
    assert fault(partial(raised, BacktrickError("one"))) is None and fault(lambda: 1) is None
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


@pytest.mark.parametrize("given", [np.zeros(3), np.zeros(3, "i2"), 5, None], ids=str)
def test_parse_many_takes_bytes_and_no_other_buffers(given):
    for game in all_games():
        with pytest.raises(WrongTypeError, match="text must be one text, or its bytes, with a position per line"):
            game.parse_many(given)
    text = b"52^6v:16,18,19,57 53^15v:4,7,29,44"
    for good in (text, bytearray(text), memoryview(text), np.frombuffer(text, "u1")):
        assert len(game_of("face_to_face").parse_many(good)) == 1
