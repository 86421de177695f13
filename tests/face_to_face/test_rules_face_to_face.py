"""The rules of The Game: Face to Face one by one, F1-F14, with the examples of the publisher's sheets and the known traps.

Every game named in GAMES has to play alike: the readable twin, and the fast one that the package offers.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import backtrick.face_to_face as fast
from backtrick.errors import IllegalTurnError, PositionError
from backtrick.face_to_face import rules as twin
from backtrick.face_to_face.position import Position, unpack
from backtrick.face_to_face.rule_options import Rules
from backtrick.face_to_face.turn import Turn
from oracles.face_to_face_brute import Brute, state_of, turn_text
from oracles.published_deck import SmallDeck
from samples import KINDS, sample
from small_decks import every_position
from strategies import positions, turns_on

GAMES = [pytest.param(twin, id="twin"), pytest.param(fast, id="fast")]
every_game = pytest.mark.parametrize("game", GAMES)
LONE_CARD = Rules(lone_card=True)
FAR = "13^50v:5,12"  # an opponent of no consequence
NEW = "1^60v:5"  # one whose piles nothing can improve


def texts_of(game, position, rules=None):
    """All legal turns as text."""
    position = Position.parse(position) if isinstance(position, str) else position
    return {str(turn) for turn in (game.legal_turns(position) if rules is None else game.legal_turns(position, rules))}


def openings(game, position):
    """The plays that some legal turn begins with."""
    return {text.split(" ")[0] for text in texts_of(game, position)}


def violation(position, turn, rules=twin.PUBLISHED):
    """The error that a turn brings."""
    with pytest.raises(IllegalTurnError) as caught:
        twin.after(Position.parse(position), Turn.parse(turn), rules)
    error = caught.value
    assert str(error.turn) == turn and error.rule in str(error) and turn in str(error), str(error)
    return error.rule, None if error.play is None else str(error.play)


def write(up, down, hand, opponent):
    """The text of a position, its hand in order."""
    return f"{up}^{down}v:{','.join(map(str, sorted(hand)))} {opponent}"


def leads_to(position, turn):
    """The text of the position after a turn."""
    return str(twin.after(Position.parse(position), Turn.parse(turn)))


# F1: the cards


def test_f1_both_colours_carry_the_same_numbers():
    """Mover and opponent may both hold 17; a third 17 does not exist."""
    assert Position.parse("27^40v:17,18 13^50v:5,17").opponent.hand == (5, 17)
    assert Position.parse("17^40v:18 17^50v:5") and Position.parse("17^40v:18 13^50v:5,17")
    for text in ("17^40v:17,18 13^50v:5,17", "17^17v:18 17^50v:5", "17^17v:17,18 13^50v:5"):
        with pytest.raises(PositionError) as caught:
            Position.parse(text)
        assert (caught.value.number, caught.value.rule) == (17, "F1"), text


@every_game
def test_f1_piles_start_at_1_and_60(game):
    """With both piles new every card fits on both: 2 cards, 2 orders; ^^ and vv in one order each, ^v and v^ in both."""
    assert texts_of(game, "1^60v:20,40 1^60v:30") == {"20^ 40^", "40v 20v", "20^ 40v", "40v 20^", "20v 40^", "40^ 20v"}
    assert game.value(Position.parse("1^60v:2,59 1^60v:30")) == 1


@every_game
def test_f1_tops_at_the_far_end(game):
    """59 on the ascending pile takes only 49, 2 on the descending pile only 12: both have nothing but their back trick.

    First 12 or 49. On 12, 20 does not lie (neither lower nor 22); on 49, 20 does not (nor is it 39). So exactly two turns.
    """
    assert texts_of(game, "59^2v:12,20,49 1^60v:30") == {"12v 49^", "49^ 12v"}


# F2: the hand


def test_f2_at_most_six_cards():
    assert Position.parse("1^60v:2,3,4,5,6,7 1^60v:2,3,4,5,6,7")
    for text in ("1^60v:2,3,4,5,6,7,8 1^60v:9", "1^60v:9 1^60v:2,3,4,5,6,7,8"):
        with pytest.raises(PositionError) as caught:
            Position.parse(text)
        assert caught.value.rule == "F2"


# F3: at least two cards, up to the whole hand


@every_game
def test_f3_at_least_two_at_most_all(game):
    lengths = {len(text.split()) for text in texts_of(game, f"1^60v:20,30,40,50 {FAR}")}
    assert lengths == {2, 3, 4}


def test_f3_one_card_is_no_turn():
    assert violation(f"27^40v:17,18,45 {FAR}", "28^") == ("F3", "28^")
    assert violation(f"27^40v:17,28,45 {FAR}", "28^") == ("F3", None)


def test_f3_no_pass():
    with pytest.raises(IllegalTurnError) as caught:
        twin.after(Position.parse(f"27^40v:17,18,45 {FAR}"), Turn(()))
    assert (caught.value.rule, caught.value.play) == ("F3", None)


def test_f3_a_card_is_laid_from_hand_and_once():
    assert violation(f"27^40v:17,28,45 {FAR}", "28^ 29^") == ("F3", "29^")
    assert violation(f"27^40v:17,28,45 {FAR}", "28^ 28v") == ("F3", "28v")
    assert violation("27^40v:17,28,45 13^50v:5,30", "28^ 30^") == ("F3", "30^")  # the opponent holds the 30


# F4: at most one card on the opponent's piles


def test_f4_tim_lays_four_cards():
    """The sheet: one card on his ascending pile, two on his descending pile and one on Sara's pile: one turn, four cards."""
    assert leads_to("27^40v:12,30,33,35 29^50v:5,6", "30^ 35v 33v 12^'") == "12^50v:5,6 30^33v:"


def test_f4_sara_lays_three_cards_on_her_own_piles():
    assert leads_to("27^40v:28,35,39,50 29^50v:5,6", "28^ 39v 35v") == "29^50v:5,6 28^35v:50"


def test_f4_tim_lays_five_cards_one_of_them_on_saras():
    assert leads_to("27^40v:12,28,29,30,39,59 29^50v:5,6", "28^ 12^' 29^ 30^ 39v") == "12^50v:5,6 30^39v:59"


def test_f4_no_second_helpful_card_on_either_pile():
    position = "27^40v:12,13,28,55 29^50v:5,6"
    assert violation(position, "28^ 13^' 12^'") == ("F4", "12^'")
    assert violation(position, "28^ 12^' 55v'") == ("F4", "55v'")
    assert violation(position, "12^' 13v'") == ("F4", "13v'")


@every_game
def test_f4_at_least_one_card_on_an_own_pile(game):
    """Both cards would fit on the opponent's piles and neither on an own one: no turn, lost."""
    position = Position.parse("59^2v:20,30 40^10v:5,6")
    assert texts_of(game, position) == set() and game.value(position) == 0
    assert game.count_turns(position) == 0 and len(game.outcomes(position)) == 0


@every_game
def test_f4_in_any_order_and_split_any_way(game):
    """28 and 29 on a new table of 27 and 40: ^^ ascending, vv descending, split in two ways, each in two orders."""
    assert texts_of(game, "27^40v:28,29 1^60v:5") == {"28^ 29^", "29v 28v", "28^ 29v", "29v 28^", "28v 29^", "29^ 28v"}


# F5: own ascending pile


@every_game
def test_f5_tims_back_trick(game):
    """The sheet: Tim's ascending pile shows 27; he may lay 17 on it."""
    assert "17^ 28^" in texts_of(game, f"27^40v:17,28 {FAR}")


def test_f5_higher_by_any_amount_or_exactly_ten_lower():
    for card in (28, 36, 37, 38, 59, 17):
        assert leads_to(write(27, 2, [12, card], NEW), f"12v {card}^") == f"{NEW} {card}^12v:"


def test_f5_nothing_else():
    for card in (26, 18, 16, 7, 2):
        assert violation(write(27, 50, [45, card], NEW), f"45v {card}^") == ("F5", f"{card}^")
    assert violation(write(27, 50, [45, 27], NEW), "45v 27^") == ("F5", "27^")  # the equal number, laid by the opponent


def test_f5_legal_ascending_run():
    """The sheet: 3, 11, 12, 13, 18, 20, 34."""
    assert leads_to(f"3^60v:11,12,13,18,20,34 {FAR}", "11^ 12^ 13^ 18^ 20^ 34^") == f"{FAR} 34^60v:"


@every_game
def test_f5_chain_35_then_25_on_30(game):
    """25 does not fit on 30 (5 lower), but 35 does, and then 25 is its back trick."""
    turns = texts_of(game, "30^2v:25,35 1^60v:5")
    assert turns == {"35^ 25^"}
    assert violation("30^2v:25,35 1^60v:5", "25^ 35^") == ("F5", "25^")


# F6: own descending pile


@every_game
def test_f6_saras_back_trick(game):
    """The sheet: Sara's descending pile shows 35; she may lay 45 on it."""
    assert "45v 34v" in texts_of(game, f"59^35v:34,45 {FAR}")


def test_f6_lower_by_any_amount_or_exactly_ten_higher():
    for card in (34, 26, 25, 24, 2, 45):
        assert leads_to(write(40, 35, [41, card], NEW), f"41^ {card}v") == f"{NEW} 41^{card}v:"


def test_f6_nothing_else():
    for card in (36, 44, 46, 55, 59):
        assert violation(write(15, 35, [17, card], NEW), f"17^ {card}v") == ("F6", f"{card}v")
    assert violation(write(15, 35, [17, 35], NEW), "17^ 35v") == ("F6", "35v")  # the equal number, laid by the opponent


def test_f6_legal_descending_run():
    """The sheet: 54, 50, 48, 41, 40, 37."""
    assert leads_to("1^54v:37,40,41,48,50 1^60v:5", "50v 48v 41v 40v 37v") == "1^60v:5 1^37v:"


@every_game
def test_f6_chain_25_then_35_on_30(game):
    assert texts_of(game, "59^30v:25,35 1^60v:5") == {"25v 35v"}


# F7: any number of back tricks, on both piles, chained


@every_game
def test_f7_chain_of_back_tricks_down_and_up(game):
    """49 39 29 on an ascending 59, 12 22 32 on a descending 2: six back tricks in one turn, each chain in its own order.

    Laid so, there are 6! / (3! 3!) = 20 orders.
    """
    position = Position.parse("59^2v:12,22,29,32,39,49 1^60v:5")

    def chain(text, pile):
        return [play[:-1] for play in text.split() if play[-1] == pile]

    chains = {text for text in texts_of(game, position) if chain(text, "^") == ["49", "39", "29"]}
    chains = {text for text in chains if chain(text, "v") == ["12", "22", "32"]}
    assert len(chains) == 20 and "49^ 12v 39^ 22v 29^ 32v" in chains
    assert texts_of(game, position) == {turn_text(laid) for laid, _ in Brute().turns(state_of(position))}


@every_game
def test_f7_the_same_pile_back_and_up_again_and_back(game):
    """On 30: 20 (back), 31 (up), 21 (back)."""
    assert "20^ 31^ 21^" in texts_of(game, "30^2v:20,21,31 1^60v:5")


# F8: the opponent's piles


@every_game
def test_f8_tims_helpful_card(game):
    """The sheet: Sara's ascending pile shows 29; Tim may lay 12 on it."""
    assert "28^ 12^'" in texts_of(game, "27^40v:12,28 29^50v:5")


def test_f8_strictly_better_by_any_amount():
    """The sheet: her ascending pile shows 18: only a lower card; her descending pile shows 40: only a higher card."""
    sara = "18^40v:5,6"
    for card in (17, 9, 8, 7, 2):
        assert leads_to(write(27, 41, [28, card], sara), f"28^ {card}^'") == f"{card}^40v:5,6 28^41v:"
    for card in (41, 49, 50, 51, 59):
        assert leads_to(write(27, 39, [28, card], sara), f"28^ {card}v'") == f"18^{card}v:5,6 28^39v:"
    for card in (18, 19, 26, 31, 59):
        assert violation(write(27, 41, [28, card], sara), f"28^ {card}^'") == ("F8", f"{card}^'")
    for card in (40, 39, 32, 17, 2):
        assert violation(write(27, 41, [28, card], sara), f"28^ {card}v'") == ("F8", f"{card}v'")


def test_f8_the_back_trick_does_not_hold_there():
    """10 higher on the opponent's descending pile is legal only as an improvement; 10 the wrong way is not."""
    assert violation("27^41v:28,30 20^40v:5,6", "28^ 30^'") == ("F8", "30^'")  # 10 above an ascending 20
    assert violation("27^41v:28,30 20^40v:5,6", "28^ 30v'") == ("F8", "30v'")  # 10 below a descending 40


@every_game
def test_f8_an_untouched_pile_cannot_be_improved(game):
    """No card is below 1 or above 60, so nothing helpful is possible, whatever is held."""
    assert not any("'" in text for text in texts_of(game, "10^50v:2,11,30,58,59 1^60v:5"))


# F9: only the top counts, whoever laid it


@every_game
def test_f9_what_the_opponent_laid_is_the_top(game):
    """12 laid on Sara's 29: now 13 fits there, and the back trick is 2; before it, 13 did not and the back trick was 19."""
    before, after = "29^2v:2,13,19 28^40v:30", "12^2v:2,13,19 28^40v:30"
    assert leads_to("27^40v:12,28,30 29^2v:2,13,19", "28^ 12^'") == after
    assert {play for play in openings(game, before) if play.endswith("^")} == {"19^"}
    assert {play for play in openings(game, after) if play.endswith("^")} == {"2^", "13^", "19^"}


@every_game
def test_f9_a_helpful_card_breaks_a_back_trick(game):
    """Sara's ascending pile shows 42 and she holds 32, its back trick; 39 "helps" her to 39, and now nothing fits.

    Sara holds 9, 18, 32. On 39 fit the numbers above it and 29; on her descending 2 only 12. She is stuck.
    """
    assert game.value(Position.parse("39^2v:9,18,32 43^22v:29")) == 0
    assert "32^" in openings(game, "42^2v:9,18,32 43^22v:29")


@every_game
def test_f9_a_helpful_card_gives_a_back_trick(game):
    """On 36 her 20 does not fit; 30 laid on it makes it fit."""
    assert "20^" not in openings(game, "36^2v:20,59 59^2v:5,6")
    assert "20^" in openings(game, "30^2v:20,59 59^2v:5,6")


@every_game
def test_f9_equal_numbers_of_both_colours(game):
    """Sara's piles show 30 and 31, and the mover holds both numbers in his own colour.

    On his 29 lie 30, then 31. On her ascending 30 the 30 is not an improvement and 31 is the wrong way; on her descending 31 the
    31 is none either, and 30 the wrong way.
    """
    position = "29^2v:30,31 30^31v:5,6"
    assert texts_of(game, position) == {"30^ 31^"}
    for turn, play in (("31^ 30^'", "30^'"), ("31^ 30v'", "30v'"), ("30^ 31^'", "31^'"), ("30^ 31v'", "31v'")):
        assert violation(position, turn) == ("F8", play)


# F10: when the helpful card is laid makes no difference


@every_game
def test_f10_the_helpful_card_at_any_place(game):
    """Three own plays in one order, the helpful card before, between and after: four turns, one outcome."""
    turns = texts_of(game, "27^2v:12,28,29,30 29^60v:5")
    places = {"12^' 28^ 29^ 30^", "28^ 12^' 29^ 30^", "28^ 29^ 12^' 30^", "28^ 29^ 30^ 12^'"}
    assert places <= turns
    assert {leads_to("27^2v:12,28,29,30 29^60v:5", text) for text in places} == {"12^60v:5 30^2v:"}
    found = game.outcomes(Position.parse("27^2v:12,28,29,30 29^60v:5"))
    counts = {key: count for key, (_, count) in found.items()} if game is twin else {way.position: way.ways for way in found}
    assert counts[Position.parse("12^60v:5 30^2v:")] == 4


@given(positions(most=3))
def test_f10_moving_the_helpful_card_leads_to_the_same(position):
    for turn in twin.legal_turns(position):
        own = [play for play in turn if not play.helpful]
        for helpful in (play for play in turn if play.helpful):
            for place in range(len(own) + 1):
                moved = Turn((*own[:place], helpful, *own[place:]))
                assert twin.after(position, moved) == twin.after(position, turn), (str(position), str(turn))


# F11: an empty draw pile gives nothing


@given(positions(most=4))
def test_f11_nobody_draws(position):
    """Hands only shrink, by exactly the cards laid; the opponent's hand stays."""
    for turn in twin.legal_turns(position):
        following = twin.after(position, turn)
        assert following.mover.hand == position.opponent.hand, position
        laid = {play.card for play in turn}
        assert len(laid) == len(turn), (str(position), str(turn))
        assert set(following.opponent.hand) == set(position.mover.hand) - laid, (str(position), str(turn))


# F12: a player who has laid all cards has won


@every_game
def test_f12_the_whole_hand_wins_at_once(game):
    assert game.value(Position.parse("27^40v:17,18 13^50v:5,12")) == 1
    assert leads_to("27^40v:17,18 13^50v:5,12", "17^ 18^") == "13^50v:5,12 18^40v:"


@every_game
def test_f12_then_the_game_is_over(game):
    over = Position.parse("13^50v:14,15 18^40v:")
    assert game.value(over) == 0 and game.count_turns(over) == 0
    assert list(game.legal_turns(over)) == [] and len(game.outcomes(over)) == 0
    assert violation(str(over), "14^ 15^") == ("F12", None)
    assert game.value(Position.parse("13^50v:14 18^40v:"), LONE_CARD) == 0


@every_game
def test_f12_a_card_on_the_opponents_pile_counts_as_laid(game):
    """30 fits on neither own pile (59, 2); laid on the opponent's ascending 40 it is the last card, and wins."""
    position = Position.parse("58^2v:30,59 40^60v:5,6,7")
    assert texts_of(game, position) == {"59^ 30^'", "30^' 59^"}
    assert game.value(position) == 1


def test_f12_an_empty_hand_is_not_to_move():
    with pytest.raises(PositionError) as caught:
        Position.parse("27^40v: 13^50v:5,12")
    assert caught.value.rule == "F12"


# F13: a player who cannot lay two cards has lost


@every_game
def test_f13_stuck(game):
    """Nothing is above 58 but 59, nothing below 3 but 2; 48 and 13 would be the back tricks."""
    assert game.value(Position.parse("58^3v:20,30 1^60v:5,6")) == 0


@every_game
def test_f13_one_play_is_not_enough(game):
    """59 fits, then nothing: 30 is not a back trick of 59, and the opponent's piles are new."""
    assert game.value(Position.parse("58^3v:30,59 1^60v:5,6")) == 0
    assert violation("58^3v:30,59 1^60v:5,6", "59^") == ("F3", None)


LONE_CARDS = [  # one card left, and where it fits: own ascending, descending, by back trick; the opponent's; nowhere
    ("27^2v:28 1^60v:5", {"28^"}),
    ("59^29v:28 1^60v:5", {"28v"}),
    ("38^2v:28 1^60v:5", {"28^"}),
    ("59^18v:28 1^60v:5", {"28v"}),
    ("59^2v:28 29^60v:5", {"28^'"}),
    ("59^2v:28 1^27v:5", {"28v'"}),
    ("27^29v:28 29^27v:5", {"28^", "28v", "28^'", "28v'"}),
    ("59^2v:28 1^60v:5", set()),
    ("28^28v:30 30^31v:5", {"30^"}),
    ("59^2v:28 28^29v:5", set()),
    ("59^2v:28 18^38v:5", set()),  # the back trick does not hold on the opponent's piles
]


@every_game
@pytest.mark.parametrize(("text", "turns"), LONE_CARDS)
def test_f13_one_card_left(game, text, turns):
    position = Position.parse(text)
    assert texts_of(game, position) == set() and game.value(position) == 0 and game.count_turns(position) == 0
    assert texts_of(game, position, LONE_CARD) == turns, text
    assert game.value(position, LONE_CARD) == (1 if turns else 0), text
    assert game.count_turns(position, LONE_CARD) == len(turns), text
    for turn in turns:
        assert violation(text, turn) == ("F3", None)
        assert twin.after(position, Turn.parse(turn), LONE_CARD).opponent.hand == ()


@every_game
def test_f13_lone_card_is_about_the_last_card_only(game):
    """With two cards in hand one play is not a turn under either reading."""
    position = Position.parse("58^3v:30,59 1^60v:5,6")
    assert texts_of(game, position, LONE_CARD) == set() and game.value(position, LONE_CARD) == 0
    assert violation("58^3v:30,59 1^60v:5,6", "59^", LONE_CARD) == ("F3", None)


@every_game
def test_f13_the_readings_differ_one_turn_later_too(game):
    """57^21v: 20, 32, 58. Only 58^ and 20v lie, in two orders; 32 is left (no back trick of 20 or 58, and the opponent's piles
    are new). An opponent who holds 40 alone has then lost by `strict`; by `lone-card` he lays it and wins. One who holds two
    cards lays them under either reading."""
    lone, two = Position.parse("57^21v:20,32,58 1^60v:40"), Position.parse("57^21v:20,32,58 1^60v:30,40")
    assert texts_of(game, lone) == texts_of(game, two) == {"20v 58^", "58^ 20v"}
    assert (game.value(lone), game.value(lone, LONE_CARD)) == (1, 2)
    assert (game.value(two), game.value(two, LONE_CARD)) == (2, 2)


@every_game
def test_f13_a_helpful_card_is_the_only_win(game):
    """The only winning turn lays a "helpful" card, and it wins by the harm that it does.

    Mover 53^22v: 29, 39, 43; opponent 42^2v: 9, 18, 32. On 53 lies only the back trick 43, and on 43 then neither 29 nor 39
    (its back trick is 33); on 22 nothing lies (all are higher, 32 is not held). So one card goes on an own pile, 43^, and the
    second must help: 29 or 39 on the ascending 42 (43 is not lower), or 29 or 39 on the descending 2. Four outcomes:
      29^'  his 32 now fits on 29, and with 9 or 18 on the mover's 43 he has a turn; the mover is left with 39 alone and loses;
      29v'  his 32 is the back trick of 42, and 18 and 9 lie on 29: he lays all and wins;
      39v'  the same: 32^ 18v 9v;
      39^'  his ascending pile shows 39 and his 32 is not a back trick any more (29 would be); on the descending 2 only 12 would
            fit. No card lies on an own pile, so he has no turn (F4) and has lost.
    Two orders each: 8 turns, of which 2 win.
    """
    position = Position.parse("53^22v:29,39,43 42^2v:9,18,32")
    turns = texts_of(game, position)
    assert turns == {order for card in ("29^'", "29v'", "39^'", "39v'") for order in (f"{card} 43^", f"43^ {card}")}
    assert game.value(position) == 1
    values = {turn: game.value(twin.after(position, Turn.parse(turn))) for turn in turns}
    assert values == {turn: 0 if "39^'" in turn else 1 for turn in turns}


# F14: no draw


@every_game
@given(position=positions(most=3))
def test_f14_every_turn_lays_two_and_the_game_ends(game, position):
    value = game.value(position)
    most = 2 * (len(position.mover.hand) // 2)
    assert 0 <= value <= 5 and value <= most + 1, position
    for turn in game.legal_turns(position):
        assert len(turn) >= 2, (str(position), str(turn))


# after(): every turn is either legal, or an error that names the play and the rule


@given(positions(least_opponent=1).flatmap(lambda position: st.tuples(st.just(position), turns_on(position))), st.booleans())
def test_after_says_what_the_literal_game_says(case, lone_card):
    position, turn = case
    rules = Rules(lone_card=lone_card)
    legal = None
    if len(position.mover.hand) <= 4:
        legal = str(turn) in {turn_text(laid) for laid, _ in Brute(lone_card).turns(state_of(position))}
    try:
        following = twin.after(position, turn, rules)
    except IllegalTurnError as error:
        assert legal is not True, (str(position), str(turn))
        assert error.turn == turn and error.rule in ("F3", "F4", "F5", "F6", "F8"), str(error)
        assert error.play is None or error.play in turn.plays, str(error)
        assert (error.rule in ("F4", "F8")) <= (error.play is not None and error.play.helpful), str(error)
        assert error.rule not in ("F5", "F6") or (error.play.pile == {"F5": "^", "F6": "v"}[error.rule]), str(error)
    else:
        assert legal is not False, (str(position), str(turn))
        assert following.mover.hand == position.opponent.hand


# The twin against the literal game tree


def assert_twin_is_literal(position, brute, rules, memo):
    state = state_of(position)
    expected = [(turn_text(laid), after) for laid, after in brute.turns(state)]
    got = [(str(turn), state_of(twin.after(position, turn, rules))) for turn in twin.legal_turns(position, rules)]
    assert sorted(got) == sorted(expected), position
    found = {state_of(following): count for following, (_, count) in twin.outcomes(position, rules).items()}
    assert found == dict(brute.outcomes(state)), position
    assert twin.count_turns(position, rules) == len(expected), position
    assert twin.value(position, rules, memo) == brute.remoteness(state), position


WHOLE = [pytest.param(*deck, 1, marks=pytest.mark.slow) for deck in ((4, 1), (5, 1), (5, 2), (5, 3), (6, 2), (6, 3))]


@pytest.mark.parametrize("lone_card", [False, True])
@pytest.mark.parametrize(("highest", "step", "every"), [(5, 1, 12), (5, 2, 12), *WHOLE])
def test_twin_is_literal_on_small_decks(highest, step, every, lone_card):
    brute, rules, memo = Brute(lone_card), Rules(lone_card), {}
    array = every_position(highest)[(2 * step - 2 + lone_card) % every :: every]
    for position in unpack(SmallDeck(highest, step).positions(array)):
        assert_twin_is_literal(position, brute, rules, memo)


@pytest.mark.share(2)
@pytest.mark.parametrize("lone_card", [False, True])
@pytest.mark.parametrize(("count", "most"), [(5, 3), pytest.param(240, 4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", KINDS)
def test_twin_is_literal_on_the_real_deck(kind, count, most, lone_card):
    brute, rules, memo = Brute(lone_card), Rules(lone_card), {}
    for position in sample(kind, count // 4 if kind == "self_play" else count, seed=2, most=most):
        assert_twin_is_literal(position, brute, rules, memo)


@given(positions(most=3), st.booleans())
def test_twin_is_literal_on_awkward_positions(position, lone_card):
    assert_twin_is_literal(position, Brute(lone_card), Rules(lone_card), {})
