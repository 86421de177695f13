"""A limit is kept to the unit: what just reaches it is taken; what is one above is refused, or cut with a word that says so."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from fractions import Fraction
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import numpy as np
import pytest
from pyarrow.parquet import ParquetFile

import kuhn
from backtrick import Budget, answer, face_to_face, take_that
from backtrick.errors import BacktrickError, BudgetError
from backtrick.face_to_face import network, tablebase
from backtrick.face_to_face.tables.table import CHUNK_BYTES, MOST_CHUNKS, chunk_bytes
from backtrick.games import whole_game_of
from backtrick.learn import dataset_files
from backtrick.learn.parts import solved
from backtrick.matches import players as programs
from backtrick.play import plans, sequences
from backtrick.storage import file
from backtrick.storage.file import Reader
from backtrick.take_that import equilibria
from backtrick.take_that.hidden_turns import tree_of
from command import ask
from doors import PUBLIC_STATE, VIEW
from waiting import PATIENCE

STATE = PUBLIC_STATE["face_to_face"]


def picture_of_hands(most: int, set_limit: Callable[..., None]) -> bool:
    """True if the table of a plan has all hands."""
    set_limit(plans, "SHOWN", most)
    return " hands" not in face_to_face.equilibrium(STATE).svg()


def endgames_after(most: int, set_limit: Callable[..., None]) -> bool:
    state = take_that.PublicState.parse(PUBLIC_STATE["take_that"])
    try:
        return bool(tree_of(state, bytearray(1), most))
    except BacktrickError:
        return False


def plan_of_three_cards(limit: str, most: int, set_limit: Callable[..., None]) -> bool:
    """True if plans are found of three hidden cards, of which one is in the pile."""
    set_limit(equilibria, limit, most)
    try:
        return bool(take_that.equilibrium(take_that.PublicState((34, 41), (12, 21, 39), 1, 1)))
    except BudgetError:
        return False


def answer_of_a_program(most: int, set_limit: Callable[..., None]) -> bool:
    """True if an answer of four bytes, with the end of its line, is read."""
    set_limit(programs, "LONGEST", most)
    with closing(programs.External(whole_game_of(face_to_face.GAME), "sh -c 'read line; echo 17^'", PATIENCE)) as program:
        program.begin([])
        try:
            return bool(program(face_to_face.View.parse(VIEW["face_to_face"])))
        except programs.ForfeitError as error:
            return "more than" not in str(error)


def size_of_a_table(most: int, set_limit: Callable[..., None]) -> bool:
    """True if a table of 32,768 chunks needs no larger ones."""
    return chunk_bytes(CHUNK_BYTES * MOST_CHUNKS + most) == CHUNK_BYTES


def bits_of_a_table(most: int, set_limit: Callable[..., None]) -> bool:
    """True if a file of so many bytes as that of the smallest table is large enough for its bits a slot to be told."""
    with TemporaryDirectory() as place:
        face_to_face.build_tables(place, ["1v1"], processes=0)
        table = Path(place) / "1v1.h5"
        set_limit(tablebase, "TELLING", table.stat().st_size + most)
        return "bits a" in ask("info", str(table)).stdout


def texts_of_a_table(most: int, set_limit: Callable[..., None]) -> bool:
    """True if a file is opened whose longest text has so many bytes as are allowed, less `most`."""
    with TemporaryDirectory() as place:
        face_to_face.build_tables(place, ["1v1"], processes=0)
        texts = Reader(Path(place) / "1v1.h5").header.texts().values()
        set_limit(file, "MOST_TEXT", max(map(len, texts)) - most)
        try:
            return bool(Reader(Path(place) / "1v1.h5"))
        except BacktrickError:
            return False


def rows_of_a_group(most: int, set_limit: Callable[..., None]) -> bool:
    """True if two rows fill a row group of a data set that holds two, and `most` more."""
    game = face_to_face.GAME
    part = solved(game, face_to_face.pack(["27^40v:17,18 13^50v:5,12"] * 2), np.zeros(2, np.int64), game.published)
    set_limit(dataset_files, "SPAN", 2 + most)
    with TemporaryDirectory() as place:
        dataset_files.write_split(Path(place) / "train.parquet", game, {"rules": {}, "tensors": False}, [part, part])
        return ParquetFile(Path(place) / "train.parquet").num_row_groups == 2


def sums_of_a_network(most: int, set_limit: Callable[..., None]) -> bool:
    """True if weights are taken whose sum of one unit is the largest of 16 bits, or by `most` more."""
    return is_network(last=0, sum_of_a_unit=(1 << 15) - network.FEATURES - 1 + most)


def values_of_a_network(most: int, set_limit: Callable[..., None]) -> bool:
    """True if weights are taken whose value is the largest, or by `most` more."""
    return is_network(last=network.WON - 1 + most, sum_of_a_unit=1 << 8)


def is_network(last: int, sum_of_a_unit: int) -> bool:
    weights = np.zeros((network.ROWS, network.WIDTH), np.int32)
    weights[-2:, 0] = sum_of_a_unit << 8, last
    try:
        return bool(network._within("weights", weights).size)
    except BacktrickError:
        return False


def sum_of_a_strategy(most: int, set_limit: Callable[..., None]) -> bool:
    """True if probabilities that add up to more than 1, by the rounding that is allowed and `most` times as much, are taken."""
    share = 1 + plans.ROUNDING * (1 + most)
    try:
        return bool([*plans.shares_of(str, lambda view: {"17^": share}, "a view")])
    except BacktrickError:
        return False


def states_of_a_tree(most: int, set_limit: Callable[..., None]) -> bool:
    """True if a tree grows where there is room for all its states less `most`."""
    count = kuhn.GAME.equilibrium("kuhn").plans.tree.states - most
    set_limit(sequences, "STATE_BYTES", (1 << 20) // count)
    try:
        return bool(kuhn.GAME.equilibrium("kuhn", budget=Budget(table_mib=1)))
    except BudgetError:
        return False


def outcomes_in_a_notebook(most: int, set_limit: Callable[..., None]) -> bool:
    """True if a notebook shows all outcomes of an answer, where there is room for all less `most`."""
    found = take_that.solve("15,43,44 21,53 51-62-35", want={"outcomes"})
    set_limit(answer, "SHOWN", len(found.outcomes) - most)
    return " more outcomes" not in found._repr_html_()


EDGES: dict[str, tuple[Callable[..., bool], int, int]] = {
    "hands of a plan that are shown": (picture_of_hands, 3, 2),
    "hidden cards of a plan": (partial(plan_of_three_cards, "MOST_CARDS"), 3, 2),
    "cards in the pile of a plan": (partial(plan_of_three_cards, "MOST_PILE"), 1, 0),
    "states of a tree": (states_of_a_tree, 0, 1),
    "endgames of a tree": (endgames_after, 0, 0),
    "bytes of a program's answer": (answer_of_a_program, 4, 3),
    "outcomes in a notebook": (outcomes_in_a_notebook, 0, 1),
    "sum of a strategy": (sum_of_a_strategy, 0, 1),
    "rows of a group of a data set": (rows_of_a_group, 0, 1),
    "sums of a network": (sums_of_a_network, 0, 1),
    "values of a network": (values_of_a_network, 0, 1),
    "bytes of a table": (size_of_a_table, 0, 1),
    "bytes of a table whose bits are told": (bits_of_a_table, 0, 1),
    "bytes of a text of a table": (texts_of_a_table, 0, 1),
}
"""A question, a limit that it just keeps, and one that it does not."""


@pytest.mark.parametrize("name", EDGES)
def test_what_just_reaches_a_limit_is_within_it(name, monkeypatch):
    within, kept, broken = EDGES[name]
    if name == "endgames of a tree":
        kept = len(tree_of(take_that.PublicState.parse(PUBLIC_STATE["take_that"]), bytearray(1)).rows)
        broken = kept - 1
    assert within(kept, monkeypatch.setattr) and not within(broken, monkeypatch.setattr)


def test_a_draw_at_the_very_end_of_a_share_takes_the_next_turn(monkeypatch):
    """Shares are half-open: of two turns that are equally likely each gets half of the numbers."""
    hand = SimpleNamespace(turns=[("one", Fraction(1, 2), 0), ("two", Fraction(1, 2), 0)])
    plan = plans.Plan.__new__(plans.Plan)
    vars(plan).update(state=SimpleNamespace(view_type=int), hands={(7,): hand})
    for number, turn in ((0, "one"), (plans.WORD // 2 - 1, "one"), (plans.WORD // 2, "two"), (plans.WORD - 1, "two")):
        monkeypatch.setattr(plans, "numbers_for", lambda *_, number=number: SimpleNamespace(below=lambda _: number))
        assert plans.Plan.turn(plan, (7,)) == turn
