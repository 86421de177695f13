"""The names of tables: their notation, what a table is built from, and the order of building."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrick.errors import TableNameError
from backtrick.face_to_face import Rules, outcomes
from backtrick.face_to_face.classes import TableName, all_dependencies, dependencies, tables_up_to
from samples import sample
from strategies import any_text

NAMES = tables_up_to(12)


def test_all_tables():
    assert len(NAMES) == len(set(NAMES)) == 36
    assert {TableName.parse(str(name)) for name in NAMES} == set(NAMES)
    assert TableName.parse(" 6V1\t") == (6, 1)


@given(st.text("0123456789vV x٣-+", max_size=6) | any_text(20))
def test_a_text_is_a_name_or_a_clear_error(text):
    try:
        assert str(TableName.parse(text)) == text.strip(" \t").lower()
    except TableNameError as error:
        assert "as in 4v3" in str(error)


def test_dependencies_come_first():
    for cards in range(2, 13):
        order = tables_up_to(cards)
        assert set(order) == {name for name in NAMES if name.cards <= cards}
        for i, name in enumerate(order):
            assert set(dependencies(name)) <= set(order[:i])
            assert all_dependencies(name)[-1] == name
            assert set(all_dependencies(name)) <= set(order[: i + 1])
    # 4v4 -> 4v1, 4v2 -> 1v1, 1v2, 2v1, 2v2; 1v6 -> nothing
    found = all_dependencies(TableName(4, 4), TableName(1, 6))
    assert [str(name) for name in found] == ["1v1", "1v2", "2v1", "2v2", "4v1", "4v2", "1v6", "4v4"]


@pytest.mark.parametrize("lone_card", [False, True])
def test_a_turn_leads_to_a_dependency_or_ends_the_game(lone_card):
    reached = {name: set() for name in NAMES}
    for kind in ("uniform", "clustered"):
        for position in sample(kind, 200, 6):
            name = TableName(len(position.mover.hand), len(position.opponent.hand))
            for outcome in outcomes(position, Rules(lone_card)):
                if outcome.position.opponent.hand:
                    reached[name].add(TableName(len(outcome.position.mover.hand), len(outcome.position.opponent.hand)))
    for name, children in reached.items():
        assert children <= set(dependencies(name))
    assert reached[TableName(6, 6)] == set(dependencies(TableName(6, 6)))
