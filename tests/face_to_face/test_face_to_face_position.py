"""Positions: notation, well-formedness, the laws of a value, the packed form."""

import copy
import pickle
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrick.errors import PositionError
from backtrick.face_to_face.position import POSITION_DTYPE, Deal, Position, Side, cards_of, pack, unpack
from strategies import malformed, positions

TEXT = "27^40v:17,18,45 13^50v:5,12"
POSITION = Position(Side(27, 40, (17, 18, 45)), Side(13, 50, (5, 12)))


def test_format_is_canonical():
    assert str(POSITION) == TEXT
    assert str(Position.parse("  27 ^ 40 v : 17 , 18,\t45   13^50v:5,12 ")) == TEXT
    assert str(Position(Side(27, 40, [45, 18, 17]), Side(13, 50, {12, 5}))) == TEXT
    assert str(Position.parse("1^60v:59 1^60v:")) == "1^60v:59 1^60v:"
    assert str(Position.parse("1^60v:59 1^60v:  ")) == "1^60v:59 1^60v:"


@given(malformed())
def test_what_is_not_well_formed_is_refused_by_number_place_and_rule(case):
    mover, opponent, number, place, rule = case
    with pytest.raises(PositionError) as caught:
        Position(mover, opponent)
    error = caught.value
    shown = f"{mover} {opponent}: {error}"
    assert (error.number, error.rule) == (number, rule), shown
    assert place in error.place and error.place in str(error) and f"({rule})" in str(error), shown
    assert number is None or str(number) in str(error), shown


def test_each_place_of_a_number_that_is_there_too_often_is_named():
    with pytest.raises(PositionError) as caught:
        Position.parse("9^40v:9,17 13^9v:5,9")
    for place in ("the mover's hand", "the opponent's hand", "the mover's ascending pile", "the opponent's descending pile"):
        assert place in caught.value.place, str(caught.value)
    assert "4 places" in str(caught.value)


def test_row_cards_are_no_number_cards():
    """1 and 60 show on all four piles at the start of a game; they are not counted (F1)."""
    assert str(Position.parse("1^60v:2 1^60v:2")) == "1^60v:2 1^60v:2"


@given(positions())
def test_the_order_of_the_cards_of_a_hand_is_no_matter(position):
    assert str(position) == f"{position.mover} {position.opponent}"  # the kernel's text is that of the two sides
    twin = Position(Side(position.mover.ascending, position.mover.descending, list(position.mover.hand)[::-1]), position.opponent)
    assert twin == position and hash(twin) == hash(position)
    for again in (twin, pickle.loads(pickle.dumps(position)), copy.deepcopy(position), replace(position)):
        assert again == position and again.packed == position.packed


@given(positions(), positions())
def test_order_is_that_of_the_sides(one, other):
    assert (one < other) == ((one.mover, one.opponent) < (other.mover, other.opponent))


def test_numpy_numbers_become_plain_ones():
    side = Side(np.uint8(27), np.int64(40), np.array([45, 17, 18]))
    assert side == POSITION.mover and all(type(card) is int for card in side.hand) and type(side.ascending) is int


# the packed form


def test_the_dtype_has_no_padding():
    assert POSITION_DTYPE.itemsize == 20
    assert [POSITION_DTYPE.fields[name][1] for name in POSITION_DTYPE.names] == [0, 8, 16, 17, 18, 19]
    assert POSITION_DTYPE.names == (
        "mover_hand",
        "opponent_hand",
        "mover_ascending",
        "mover_descending",
        "opponent_ascending",
        "opponent_descending",
    )


@given(st.lists(positions(), max_size=8))
def test_pack_and_back(several):
    array = pack(several)
    assert array.dtype == POSITION_DTYPE and array.shape == (len(several),)
    assert unpack(array) == several
    for position, row in zip(several, array, strict=True):
        assert position.packed == tuple(row.tolist()), position
        assert cards_of(int(row["mover_hand"])) == position.mover.hand, position
        assert int(row["opponent_hand"]).bit_count() == len(position.opponent.hand), position


def test_pack_takes_any_iterable_and_bytes_are_stable():
    array = pack(iter([POSITION]))
    assert array.tobytes().hex() == f"{(1 << 17 | 1 << 18 | 1 << 45).to_bytes(8, 'little').hex()}2010000000000000" + "1b280d32"
    assert pack([]).shape == (0,) and unpack(pack([])) == []
    assert unpack(pack([POSITION] * 3)[::2]) == [POSITION, POSITION]


def test_packed_positions_that_are_not_well_formed_are_refused():
    random = Random(4)
    for field in POSITION_DTYPE.names:
        for _ in range(20):
            array = pack([POSITION])
            bad = random.choice((0, 1, 1 << 60, 1 << 63, 0b1111111 << 20)) if "hand" in field else random.choice((0, 61, 64, 255))
            array[field] = bad
            if field == "opponent_hand" and bad == 0:
                assert unpack(array)[0].opponent.hand == ()
                continue
            with pytest.raises(PositionError):
                unpack(array)


def test_a_deal_without_cards_to_draw_is_an_endgame():
    position = Position.parse("27^40v:17,18,45 13^50v:5,12")
    made = Deal(position.mover, position.opponent)
    assert type(made) is Position and made == position and made.packed == position.packed
