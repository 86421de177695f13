"""Arrays that numpy makes of other things, and packed turns that a caller hands over: one rule in both games, and one sentence."""


import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrick import face_to_face, take_that
from backtrick.errors import PackedError
from backtrick.face_to_face import pack_turn, unpack_turn
from backtrick.face_to_face.codec import CODEC as DUEL_CODEC
from backtrick.storage.codec import NEVER
from backtrick.take_that.rule_options import DECK, is_toad, twisted

DUELS = face_to_face.pack([face_to_face.Position.parse("27^40v:17,18,45 13^50v:5,12")] * 3)


class Lazy:
    """What numpy can read, as a dataset of h5py."""

    def __array__(self, dtype=None, copy=None):
        return DUELS


def test_what_numpy_can_read_is_taken():
    assert np.array_equal(face_to_face.solve_many(Lazy()), face_to_face.solve_many(DUELS))
    assert face_to_face.unpack(Lazy()) == face_to_face.unpack(DUELS)


# packed turns


@given(st.integers(0, 2**64 - 1) | st.integers(0, 2**16 - 1))
def test_a_packed_turn_is_refused_or_comes_out_the_same(packed):
    try:
        turn = unpack_turn(packed)
    except PackedError:
        return
    assert (pack_turn(turn) if turn else 0) == packed


def test_every_packed_turn_of_take_that():
    """Of 256 codes those of `pack_turn`, and no other."""
    twists = [take_that.Turn(card, twisted(card)) for card in DECK if not is_toad(card)]
    turns = [take_that.Turn(), *map(take_that.Turn, DECK), *twists]
    known = {0: None} | {take_that.pack_turn(turn): turn for turn in turns}
    assert len(known) == 153
    for packed in (*range(256), -1, 256, 2**64 - 1, 1 << 64):
        if packed in known:
            assert take_that.unpack_turn(packed) == known[packed]
        else:
            with pytest.raises(PackedError, match=r"^packed turn -?[0-9]+: ") as caught:
                take_that.unpack_turn(packed)
            assert isinstance(caught.value, ValueError)
    assert str(caught.value) == "packed turn 18446744073709551616: it is 0..255"
    with pytest.raises(PackedError, match=r"^packed turn 20: 20 is not a card \(T1\)$"):
        take_that.unpack_turn(20)
    with pytest.raises(PackedError, match=r"^packed turn 161: 33 is a toad, and twists nothing \(T5\)$"):
        take_that.unpack_turn(161)


@pytest.mark.parametrize("best", [1, 2**64 - 1, 0x52525252525252])
def test_a_record_whose_best_turn_is_none_is_a_lie(best):
    entries = DUEL_CODEC.entries(DUELS[:1], face_to_face.PUBLISHED)
    DUEL_CODEC.solve(entries, face_to_face.PUBLISHED)
    assert DUEL_CODEC.verify(entries, face_to_face.PUBLISHED) is None
    entries["best"] = best
    assert DUEL_CODEC.verify(entries, face_to_face.PUBLISHED) == (0, f"remoteness 1, best turn {best:#x}", NEVER)
    entries = DUEL_CODEC.entries(DUELS, face_to_face.PUBLISHED)
    DUEL_CODEC.solve(entries, face_to_face.PUBLISHED)
    entries["value"][1], entries["best"][2] = entries["value"][1] + 2, best
    assert DUEL_CODEC.verify(entries, face_to_face.PUBLISHED).place == 1, "the first of two lies"
