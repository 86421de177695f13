"""Turns and plays: notation, the laws of a value, the packed form."""

from dataclasses import replace

import numpy as np
from hypothesis import given

from backtrick.face_to_face.turn import Play, Turn, pack_turn, unpack_turn
from strategies import turns

TEXT = "18^ 17^ 45v 12^'"
TURN = Turn((Play(18, "^"), Play(17, "^"), Play(45, "v"), Play(12, "^", helpful=True)))


def test_format_is_canonical():
    assert str(TURN) == TEXT and Turn.parse(TEXT) == TURN
    assert str(Turn.parse("\t18 ^  17^\t45v 12 ^'  ")) == TEXT
    assert str(Turn.parse("5v'")) == "5v'"
    assert [str(play) for play in TURN] == ["18^", "17^", "45v", "12^'"]
    assert len(TURN) == 4 and list(TURN) == list(TURN.plays)


def test_the_order_of_plays_is_kept():
    """18^ 17^ and 17^ 18^ are two turns: the first one needs the back trick."""
    assert Turn.parse("18^ 17^") != Turn.parse("17^ 18^")


@given(turns())
def test_a_turn_is_made_of_any_plays(turn):
    twin = Turn([Play(play.card, play.pile, play.helpful) for play in turn])
    assert twin == turn == replace(turn) and hash(twin) == hash(turn) and isinstance(twin.plays, tuple)


def test_numpy_numbers_become_plain_ones():
    for play in (Play(np.uint8(12), "^", np.bool_(True)), Play(12, "^", np.bool_(True))):
        assert play == Play(12, "^", helpful=True) and type(play.card) is int and type(play.helpful) is bool


@given(turns())
def test_pack_and_back(turn):
    packed = pack_turn(turn)
    assert unpack_turn(packed) == turn
    assert unpack_turn(np.uint64(packed)) == turn
    assert 0 < packed < 1 << 48, turn  # six plays at most, a byte each: 64 bits hold any turn


def test_packed_form_is_as_documented():
    """Byte i is play i: the card in the low six bits, then own ascending 0, own descending 1, opponent's 2 and 3."""
    assert pack_turn(Turn.parse("18^ 17v 45^' 12v'")) == (
        18 | (17 | 1 << 6) << 8 | (45 | 2 << 6) << 16 | (12 | 3 << 6) << 24
    )
    assert unpack_turn(0) is None


def test_packed_turns_differ():
    """Every pair of plays of a few cards, in every order and on every pile: no two pack alike."""
    plays = [Play(card, pile, helpful) for card in (2, 3, 31, 32, 58, 59) for pile in "^v" for helpful in (False, True)]
    several = [Turn((one, other)) for one in plays for other in plays] + [Turn((one,)) for one in plays]
    assert len({pack_turn(turn) for turn in several}) == len(several) == 24 * 24 + 24
