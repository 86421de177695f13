"""Arrays that numpy makes of other things, and packed turns that a caller hands over: one rule in both games, and one sentence."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrick import face_to_face, take_that
from backtrick.errors import BacktrickError, PackedError
from backtrick.face_to_face import Turn, pack_turn, unpack_turn
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


def test_packed_turns_that_are_none():
    for packed, problem in {
        -1: "it is 0..2^64-1",
        1 << 64: "it is 0..2^64-1",
        -(1 << 20_000): "it is 0..2^64-1",
        2**64 - 1: "play 1 lays the card 63, and the number cards are 2..59 (F1)",
        0x01: "play 1 lays the card 1, and the number cards are 2..59 (F1)",
        0x5201: "play 1 lays the card 1, and the number cards are 2..59 (F1)",
        0x520052: "play 2 lays the card 0, and the number cards are 2..59 (F1)",
        0x3C12: "play 2 lays the card 60, and the number cards are 2..59 (F1)",
        0x52525252525252: "7 plays, and a hand holds 6 cards (F2)",
    }.items():
        with pytest.raises(PackedError) as caught:
            unpack_turn(packed)
        assert str(caught.value).startswith("packed turn ") and str(caught.value).endswith(problem), packed
        assert isinstance(caught.value, ValueError) and isinstance(caught.value, BacktrickError)
        assert len(str(caught.value)) < 200 and str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    for no_number in (None, "18", 1.5):
        with pytest.raises(TypeError):
            unpack_turn(no_number)


@given(st.integers(0, 2**64 - 1) | st.integers(0, 2**16 - 1))
def test_a_packed_turn_is_refused_or_comes_out_the_same(packed):
    try:
        turn = unpack_turn(packed)
    except PackedError:
        return
    assert (pack_turn(turn) if turn else 0) == packed


@pytest.mark.parametrize("text", ["60^ 61^", "1^ 12v", "18^ 64^", "12^ 0v'", "2^ 3^ 4^ 5^ 6^ 7^ 8^"])
def test_turns_that_cannot_be_packed(text):
    with pytest.raises(PackedError) as caught:
        pack_turn(Turn.parse(text))
    assert str(caught.value).startswith(f"turn {text!r}: ") and str(caught.value).endswith(("(F1)", "(F2)"))


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


@pytest.mark.parametrize("card", [0, 1, 11, 20, 99, 128, 200, -3])
def test_turns_of_take_that_that_cannot_be_packed(card):
    with pytest.raises(PackedError, match=rf"^turn '{card}': {card} is not a card \(T1\)$"):
        take_that.pack_turn(take_that.Turn(card))


@pytest.mark.parametrize("best", [1, 2**64 - 1, 0x52525252525252])
def test_a_record_whose_best_turn_is_none_is_a_lie(best):
    entries = DUEL_CODEC.entries(DUELS[:1], face_to_face.PUBLISHED)
    DUEL_CODEC.solve(entries, face_to_face.PUBLISHED)
    assert DUEL_CODEC.verify(entries, face_to_face.PUBLISHED) is None
    entries["best"] = best
    assert DUEL_CODEC.verify(entries, face_to_face.PUBLISHED) == (0, f"remoteness 1, best turn {best:#x}", NEVER)
