"""A game has the parts that it has: what needs another one is refused in a sentence with the game's name, and all else works.

The game is that of `toy.py`, alone in a module and alone in a package.
"""

from __future__ import annotations

import inspect
import shlex
import sys
from pathlib import Path

import pytest

import backtrick
import toy
from backtrick import Budget, games
from backtrick.errors import BacktrickError
from backtrick.games import GAMES, display_of, game_of
from backtrick.play import state
from backtrick.storage.workers import dask_cluster
from command import ask, refused

PARTS = {
    "stored_of": lambda name: games.stored_of(game_of(name)), "opener_of": games.opener_of,
    "whole_game_of": lambda name: games.whole_game_of(game_of(name)), "steps_of": games.steps_of,
}  # fmt: skip
"""What gives a part of a game."""

LINES = {
    "solve 'stones 5'": "", "best 'stones 5'": "", "turns 'stones 5'": "", "grade 'stones 5' 1": "", "draw 'stones 5'": "",
    "sample 2 --game toy": "",
    "draw 'stones 5' --svg picture": "Stones has no drawings", "odds 'stones 5' --game toy": "Stones has no whole games",
    "equilibrium 'stones 5' --game toy": "Stones", "match random random --games 2 --game toy": "Stones has no whole games",
    "prove 'stones 5'": "Stones", "export 'stones 5' --output set": "Stones",
    "generate --game toy --positions some --tables tables": "Stones keeps no tables",
}  # fmt: skip
"""Commands, and what is said where a part is missing."""


@pytest.fixture(params=["a module", "a package"])
def stones(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = "toy"
    if request.param == "a package":
        (tmp_path / "stones").mkdir()
        (tmp_path / "stones" / "__init__.py").touch()
        (tmp_path / "stones" / "game.py").write_bytes(Path(toy.__file__).read_bytes())
        monkeypatch.syspath_prepend(tmp_path)
        module = "stones.game"
    monkeypatch.setitem(GAMES, "toy", module)
    yield
    for name in ("stones", "stones.game"):
        sys.modules.pop(name, None)


METHODS = {
    "pack": ("has no arrays: `pack` of its Game is missing", [toy.Stones(5)]),
    "unpack": ("has no arrays: `unpack` of its Game is missing", [1]),
    "pack_turn": ("has no arrays: `pack_turn` of its Game is missing", 1),
    "unpack_turn": ("has no arrays: `unpack_turn` of its Game is missing", 1), "equilibrium": ("has no equilibria", "stones 5"),
    "proof": ("has no proofs: `proof` of its Game is missing", toy.Stones(5), toy.Rules(), Budget(), bytearray(1)),
    "answer_deal": ("has no deals", toy.Stones(5), toy.Rules(), Budget(), (), bytearray(1)),
    "extensive_form": ("has no public states: `public_state` of its Game is missing", "stones 5"),
}  # fmt: skip
"""Optional methods of a game, what is said, and arguments."""


def test_a_part_is_refused_by_the_name_of_the_game(stones):
    for method, (sentence, *given) in METHODS.items():
        with pytest.raises(BacktrickError, match=f"Stones {sentence}"):
            getattr(game_of("toy"), method)(*given)
    with pytest.raises(BacktrickError, match="turn '4', column 1: it is not a legal turn"):
        game_of("toy").look(toy.Stones(5), "4", toy.Rules())
    assert backtrick.legal_turns("stones 5") == (1, 2, 3) and backtrick.solve("stones 5").value == 3
    for name in ("odds", "equilibrium"):
        with pytest.raises(BacktrickError, match="Stones has no|no position"):
            getattr(backtrick, name)("stones 5")
    for ask_for in PARTS.values():
        with pytest.raises(BacktrickError, match="Stones"):
            ask_for("toy")
    assert not games.has_whole_game(game_of("toy")) and not games.has_steps("toy") and "toy" not in games.games_with_steps()
    elsewhere = type("Elsewhere", (toy.StonesDisplay,), {"__module__": "typed_in_a_notebook"})
    bare = type("Bare", (state.State,), {"__slots__": ()})
    for missing in (bare.start, bare.deal, bare.begin):
        with pytest.raises(BacktrickError, match="this game has no whole games"):
            missing(*[None] * (len(inspect.signature(missing).parameters)))
    with pytest.raises(BacktrickError, match="this game has no views in notation"):
        state.View.parse("a text")
    with pytest.raises(BacktrickError, match="this game has no worlds"):
        state.View().world(None)
    with pytest.raises(BacktrickError, match="3 cannot be drawn: this game has no chance"):
        state.State.draw(bare, 3)
    assert display_of("toy").examples == elsewhere().examples == {}


@pytest.mark.parametrize("line", LINES)
def test_a_command_works_or_says_what_is_missing(line, stones, tmp_path):
    for name in ("some", "stones 5"):  # a file of the name of a position is not asked about
        (tmp_path / name).write_text("stones 5\n")
    done = ask(*shlex.split(line), place=tmp_path)
    if LINES[line]:
        refused(done, LINES[line])
        assert {one.name for one in tmp_path.iterdir()} <= {"some", "stones 5", "stones", ".lock"}
    else:
        assert (done.returncode, done.stderr) == (0, "") and done.stdout


def test_without_dask_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BacktrickError, match=r"Dask is not installed; try: pip install 'backtrick\[cluster\]'"), dask_cluster():
        pass
