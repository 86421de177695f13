"""Where an array of positions is taken, a list or a column of texts is taken too: of numpy, pandas, polars and pyarrow."""

from __future__ import annotations

import numpy as np
import pytest

import backtrick
from backtrick import face_to_face, take_that
from backtrick.errors import BacktrickError, LineError

GAMES = pytest.mark.parametrize("game", [face_to_face, take_that], ids=lambda game: game.GAME.name)


def columns(texts):
    yield "list", list(texts)
    yield "tuple", tuple(texts)
    for kind in ("U", "S", object):
        yield f"numpy {kind}", np.array(texts, kind)
    for library in ("pandas", "polars"):
        module = pytest.importorskip(library)
        yield library, module.Series(texts)
    yield "categories", pytest.importorskip("pandas").Series(texts).astype("category")
    arrow = pytest.importorskip("pyarrow")
    yield "pyarrow", arrow.array(texts)
    yield "pyarrow, chunked", arrow.chunked_array([texts[:1], texts[1:]])


@GAMES
def test_a_column_is_as_good_as_an_array(game):
    array = game.samples.selfplay_array(50, seed=1)
    texts = game.format_many(array).decode().splitlines()
    texts[3] = texts[3].replace(",", ", ")  # read, though not spelled as `str` spells it
    for what, column in columns(texts):
        assert np.array_equal(game.pack(column), array), what
        assert np.array_equal(game.parse_many(column), array), what
        for name in ("solve_many", "best_many", "count_outcomes_many", "optimal_many", "lines_many"):
            assert np.array_equal(getattr(game, name)(column), getattr(game, name)(array)), (what, name)
        rows, offsets = game.outcomes_many(column)
        assert len(rows) == offsets[-1] == game.outcomes_many(array)[1][-1]
    best = game.best_many(array)
    played = best != 0
    before, after = game.grade_many([text for text, there in zip(texts, played, strict=True) if there], best[played])
    assert np.array_equal(before, after)


@GAMES
def test_the_first_wrong_text_of_a_column_is_named(game):
    text = game.GAME.example
    for wrong in ("nothing", "", f"{text}\n{text}", None, float("nan"), 3):
        for function in (game.pack, game.parse_many, game.solve_many):
            with pytest.raises(LineError, match="^item 1: "):
                function([text, wrong])
    for wrong in ([3], [None], np.arange(3)):
        with pytest.raises(BacktrickError):
            game.solve_many(wrong)


@GAMES
def test_no_item_of_a_column_is_lost(game):
    """An item with two lines and an empty one together have as many lines as items."""
    text = game.GAME.example
    with pytest.raises(LineError, match="^item 0: "):
        game.pack([f"{text}\n{text}", ""])
    assert len(game.pack([])) == len(game.solve_many([])) == 0


@GAMES
def test_turns_are_read_as_they_are_written(game):
    """`pack_turns` undoes `turns_text`, also of no turn, and of texts that are not spelled as `str` spells them."""
    array = game.samples.selfplay_array(300, seed=2)
    best = np.append(game.best_many(array), 0).astype(game.GAME.turn_dtype)
    texts = game.turns_text(best)
    for what, column in columns(texts):
        assert np.array_equal(game.pack_turns(column), best), what
    assert np.array_equal(game.pack_turns(map(game.Turn.parse, filter(None, texts))), best[best != 0])
    assert np.array_equal(game.pack_turns([None, f" {texts[0]} "]), [0, best[0]])
    with pytest.raises(LineError, match="^item 1: turn 'nothing'"):
        game.pack_turns([texts[0], "nothing"])


@GAMES
def test_columns_of_positions_and_turns_are_graded(game):
    array = game.samples.selfplay_array(60, seed=3)
    array = array[game.count_outcomes_many(array) > 0]
    turns = np.array([game.pack_turn(list(game.legal_turns(one))[-1]) for one in game.unpack(array)], game.GAME.turn_dtype)
    expected = game.grade_many(array, turns)
    assert not np.array_equal(*expected)
    texts = game.format_many(array).decode().splitlines()
    for (what, positions), (_, played) in zip(columns(texts), columns(game.turns_text(turns)), strict=True):
        for grade_many in (game.grade_many, backtrick.grade_many):
            assert np.array_equal(grade_many(positions, played), expected), what
    with pytest.raises(BacktrickError, match="at place 1 of the array"):
        game.grade_many(texts[:2], [game.turns_text(turns)[0], None])


@GAMES
def test_outcomes_in_batches_are_those_of_all_at_once(game):
    array = game.samples.selfplay_array(25, seed=4)
    rows, offsets = game.outcomes_many(array)
    for size in (1, 7, np.int8(24), 100):
        batches = list(game.outcomes_in_batches(array, batch=size))
        assert np.array_equal(np.concatenate([one for _, one, _ in batches]), rows)
        assert np.array_equal(np.concatenate([one for one, _, _ in batches]), array)
        assert np.array_equal(np.cumsum([len(some) for _, some, _ in batches]), offsets[np.append(np.arange(25)[size::size], 25)])
