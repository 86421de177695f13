"""Notation, packed forms and errors of Take That."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrick.errors import PackedError
from backtrick.take_that import (
    POSITION_DTYPE,
    TAKE,
    Deal,
    Position,
    Turn,
    canonical,
    mirror,
    mirror_turn,
    pack,
    pack_turn,
    unpack,
    unpack_turn,
)
from backtrick.take_that.rule_options import DECK, REACH, is_toad, twisted
from take_that_samples import deals, positions

OPENINGS = [Turn(opening=card) for card in DECK]
EVERY_TURN = [TAKE, *map(Turn, DECK), *(Turn(card, twisted(card)) for card in DECK if not is_toad(card))]


@given(deals())
def test_deals_have_a_fourth_field(deal):
    text = str(deal)
    endgame = Position(deal.mover, deal.opponent, deal.line)
    assert text == f"{endgame} {','.join(map(str, deal.pile))}" and deal.pile == tuple(map(int, text.split()[3].split(",")))
    assert deal != endgame and isinstance(deal, Deal) and not isinstance(endgame, Deal)
    assert len({hash(endgame), hash(deal), hash(Position(*deal_parts(deal, deal.pile[:1])))}) == 2 + (len(deal.pile) > 1)


def deal_parts(deal: Position, pile: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return deal.mover, deal.opponent, deal.line, pile


@given(positions(line=61))
def test_an_endgame_has_the_hash_and_the_order_of_its_three_fields(position):
    parts = (position.mover, position.opponent, position.line)
    assert position == Position(*parts, ()) == Position(*parts, []) and hash(position) == hash(parts)
    assert (position < mirror(position)) == (position.packed < mirror(position).packed)


@given(deals())
def test_mirror_and_canonical_carry_the_pile_along(deal):
    assert mirror(mirror(deal)) == deal and mirror(deal).pile == tuple(110 - card for card in deal.pile)
    assert canonical(deal) == canonical(mirror(deal)) and canonical(deal) in (deal, mirror(deal))


@given(st.lists(positions(line=61), max_size=5))
def test_pack_and_unpack_are_inverse(some):
    array = pack(some)
    assert array.dtype == POSITION_DTYPE and array.shape == (len(some),)
    assert unpack(array) == some
    assert array.tobytes() == b"".join(position.packed for position in some)


def test_the_packed_form_is_as_documented():
    assert POSITION_DTYPE.itemsize == 9 + 9 + 79
    (record,) = pack([Position.parse("12,33 21,94 34-41-49")])
    assert record["mover"].tolist() == [12, 33] + [0] * 7
    assert record["line"].tolist() == [34, 41, 49] + [0] * 76


def test_the_longest_line_fits():
    position = Position((), (), DECK)
    assert unpack(pack([position])) == [position] and Position.parse(str(position)) == position


def test_turns_come_back():
    for turn in EVERY_TURN:
        assert Turn.parse(str(turn)) == turn
        assert unpack_turn(pack_turn(turn)) == unpack_turn(np.uint8(pack_turn(turn))) == turn


def test_taking_with_the_lay_that_follows():
    for turn in OPENINGS:
        assert turn.is_take and not turn.is_twist and turn != TAKE
        assert str(turn) == f"take,{turn.opening}" and Turn.parse(str(turn)) == turn
        assert Turn.parse(f" take , {turn.opening} ") == turn
        assert mirror_turn(turn) == Turn(opening=110 - turn.opening)
        says = rf"turn '{turn}': packed turns are of endgames, in which a taker does not lay again \(T7\)$"
        with pytest.raises(PackedError, match=says):
            pack_turn(turn)


def test_turns_have_a_code_of_their_own():
    assert len({pack_turn(turn) for turn in EVERY_TURN}) == len(EVERY_TURN) == 1 + 79 + 72
    assert unpack_turn(0) is None


@given(positions(line=61))
def test_the_canonical_position_is_one_of_the_two_and_the_same_for_both(position):
    one = canonical(position)
    assert one in (position, mirror(position)) and one == canonical(mirror(position)) == canonical(one)
    assert one.packed <= position.packed and one.packed <= mirror(position).packed


def test_the_mirror_of_a_turn_comes_back():
    assert [mirror_turn(mirror_turn(turn)) for turn in EVERY_TURN] == EVERY_TURN
    assert {pack_turn(mirror_turn(turn)) for turn in EVERY_TURN} == {pack_turn(turn) for turn in EVERY_TURN}


def test_nothing_but_the_mirror_relabels_the_whole_deck():
    """Colour refinement: what a card can be exchanged with, if distances up to 10, twisted cards and toads are to stay.

    The finest colouring that they allow leaves each card only its mirror image; once one card is fixed, all are. So there
    are two relabellings at most, and the identity and the mirror are two.
    """

    def refined(colours: dict[int, object]) -> dict[int, object]:
        while True:
            finer = {
                card: (
                    colours[card],
                    is_toad(card),
                    colours[twisted(card)],
                    tuple(sorted(colours[other] for other in DECK if abs(other - card) <= REACH)),
                )
                for card in DECK
            }
            names = {signature: name for name, signature in enumerate(sorted(set(finer.values())))}
            if len(names) == len(set(colours.values())):
                return colours
            colours = {card: names[finer[card]] for card in DECK}

    colours = refined(dict.fromkeys(DECK, 0))
    for card in DECK:
        assert {other for other in DECK if colours[other] == colours[card]} == {card, 110 - card}
    fixed = refined({card: 99 if card == 12 else colours[card] for card in DECK})
    assert len(set(fixed.values())) == len(DECK)


@pytest.mark.parametrize("pile", [(), [], iter(()), np.array([], int)])
def test_a_deal_without_cards_to_draw_is_an_endgame(pile):
    made = Deal((12, 33), (21, 94), (34,), pile)
    assert type(made) is Position and made == Position.parse("12,33 21,94 34") and made.pile == ()


def test_an_array_can_be_the_draw_pile():
    assert Position((12, 33), (21, 94), (34,), np.array([55, 63])) == Deal.parse("12,33 21,94 34 55,63")
