"""The rules of Take That, one test a rule and trap, named by the rule's number; each value worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backtrick import take_that
from backtrick.budget import Budget
from backtrick.errors import IllegalTurnError, PositionError, RulesError
from backtrick.play.state import CHANCE, GAME_OVER
from backtrick.proofs import prove
from backtrick.take_that import GAME, Position, Rules, Turn, after, best_turn, bounds, legal_turns, play, solve, value
from backtrick.take_that import rules as twin
from backtrick.take_that.rule_options import DECK, is_toad, twisted
from backtrick.take_that.state import State

FORCED, ENDS = Rules(forced_only=True), Rules(empty_line="ends")


def turns(text: str, rules: Rules = Rules()) -> list[str]:  # noqa: B008
    return [str(turn) for turn in legal_turns(Position.parse(text), rules)]


def worth(text: str, rules: Rules = Rules()) -> int:  # noqa: B008
    position = Position.parse(text)
    assert value(position, rules) == twin.value(position, rules)
    return value(position, rules)


def test_t1_79_cards_seven_toads_36_pairs():
    assert len(DECK) == 79  # 87 numbers 12..98 less 20, 30, ..., 90
    assert [card for card in DECK if is_toad(card)] == [22, 33, 44, 55, 66, 77, 88]
    pairs = {frozenset((card, twisted(card))) for card in DECK if not is_toad(card)}
    assert len(pairs) == 36 and all(pair <= set(DECK) for pair in pairs)


@pytest.mark.parametrize("card", [0, 10, 11, 20, 90, 99, 100])
def test_t1_other_numbers_are_no_cards(card):
    with pytest.raises(PositionError, match=rf"{card} in the line.*T1"):
        Position((), (), (card,))


def test_t1_no_card_twice():
    with pytest.raises(PositionError, match="49 in the mover's hand and the line.*T1"):
        Position.parse("12,33,49 21,94 34-41-49")


def test_t2_ten_cards_in_a_hand_are_too_many():
    with pytest.raises(PositionError, match="the opponent's hand: 10 cards.*T2"):
        Position((), DECK[:10], ())


def test_t2_nine_cards_each_the_rest_is_the_draw_pile_and_seat_0_begins():
    state = State.deal(DECK)
    assert state.hands == (DECK[:9], DECK[9:18]) and state.pile == DECK[18:] and not state.line
    assert len(state.pile) == 61 and state.to_move == 0
    assert state.legal() == tuple(map(Turn, DECK[:9]))  # T4: on an empty line laying is the only turn


def test_t2_before_the_deal_chance_gives_seat_0_its_nine_and_then_seat_1():
    state = State.start()
    for number, card in enumerate(DECK[:18]):
        assert state.to_move == CHANCE and state.chance() == dict.fromkeys(DECK[number:], 1 / (79 - number))
        state = state.draw(card)
    assert state.hands == (DECK[:9], DECK[9:18]) and state.pile == frozenset(DECK[18:]) and state.to_move == 0


def test_t3_who_lays_or_twists_draws_one_card():
    deal = Position.parse("43,94 21,67 49-41 55,63")
    assert play(deal, Turn(43)) == (0, Position.parse("21,67 55,94 49-41-43 63"))
    assert play(deal, Turn(94, 49)) == (2, Position.parse("21,67 43,55 41 63"))
    assert play(deal, Turn(opening=94)) == (-2, Position.parse("21,67 43,55 94 63"))


def test_t3_the_next_card_is_drawn_and_no_other():
    with pytest.raises(PositionError, match=r"the mover's hand: no card.*T3"):
        Position.parse("- 21 34 55")
    assert str(after(Position.parse("43 21 41 55,12"), Turn(43))) == "21 55 41-43 12"


def test_t4_ten_apart_may_be_laid_eleven_not():
    assert turns("31,51,52 - 41") == ["31", "51", "take"]
    assert turns("29,52 - 41") == ["take"]
    with pytest.raises(IllegalTurnError, match=r"52 differs from the right-most card 41 by more than 10 \(T4\)"):
        after(Position.parse("52 - 41"), Turn(52))


def test_t4_only_the_right_most_card_counts_for_a_lay():
    assert turns("31,81 - 41-71") == ["81", "take"]


def test_t5_a_twist_takes_the_card_wherever_it_lies_and_the_line_closes_up():
    position = Position.parse("94 21 49-34-41")
    assert play(position, Turn(94, 49)) == (2, Position.parse("21 - 34-41"))
    assert str(after(Position.parse("94 21 34-49-41"), Turn(94, 49))) == "21 - 34-41"


def test_t5_a_twist_of_the_right_most_card_changes_what_may_be_laid():
    position = Position.parse("62,85 - 81-26")
    assert turns("62,85 - 81-26") == ["62x26", "take"]  # 85 does not fit on 26
    assert turns("85 62 81-26") == ["take"]
    # 62x26 (+2) leaves 81, the other has no card and takes it (T8): 2 + 1
    assert str(best_turn(position)) == "62x26" and worth("62,85 - 81-26") == 3
    # now the other holds 85 and lays it on the 81 that comes to light, and the mover has to take 2: 2 - 2
    assert worth("62 85 81-26") == 0


def test_t5_toads_never_twist_and_are_never_twisted():
    assert turns("33 44 12") == ["take"]
    with pytest.raises(ValueError, match="33 is not the twisted card of 33"):
        Turn(33, 33)


def test_t5_both_partners_in_the_line_do_nothing():
    assert turns("12 21 49-94") == ["take"]
    assert worth("12 21 49-94") == -2


def test_t5_both_partners_in_a_hand_twist_only_once_one_is_laid():
    assert turns("49,94 - 58") == ["49", "take"]
    # 49 and the other must take two cards; the own 94 never gets its turn
    assert worth("49,94 - 58") == 2


def test_t6_a_card_costs_one_and_a_toad_five():
    assert play(Position.parse("12 21 34-33-41"), Turn()) == (-7, None)
    assert worth("- - 34-33-41") == -7


def test_t6_an_empty_line_cannot_be_taken():
    assert "take" not in turns("12 21 -")
    with pytest.raises(IllegalTurnError, match=r"cannot be taken \(T6\)"):
        after(Position.parse("12 21 -"), Turn())


def test_t6_a_taker_lays_any_card_first_while_the_draw_pile_lasts():
    assert turns("12,43,94 21 33-41 55") == ["43", "take,12", "take,43", "take,94"]
    deal = Position.parse("12,43,94 21 33-41 55")
    assert play(deal, Turn(opening=12)) == (-6, Position.parse("21 43,55,94 12"))  # 1 + 5 for the toad
    with pytest.raises(IllegalTurnError, match=r"'take': while the draw pile lasts, the taker lays a card .* \(T6\)"):
        play(deal, Turn())
    with pytest.raises(IllegalTurnError, match=r"'take,55': 55 is not in the mover's hand \(T6\)"):
        play(deal, Turn(opening=55))


def test_t6_move_by_move_a_taker_is_asked_again_and_cannot_take_twice():
    state = State.begin(Position.parse("12,43,94 21 33-41 55")).apply(Turn())
    assert state.to_move == 0 and state.points == (-6, 0) and state.line == () and state.view(0).opens
    assert [str(turn) for turn in state.legal()] == ["12", "43", "94"]
    state = state.apply(Turn(12))
    assert state.to_move == 1 and str(state.position()) == "21 43,55,94 12"


def test_t6_with_the_last_card_to_come_a_taker_still_lays_and_draws():
    assert str(after(Position.parse("12 21 34 55"), Turn(opening=12))) == "21 55 12"
    # -1 for the line, and the other twists the 12 away, which is the last card: 2
    assert worth_of_deal("12 21 34 55") == -3


def worth_of_deal(text: str, rules: Rules = Rules()) -> int:  # noqa: B008
    return twin.value(Position.parse(text), rules)


def test_t6_in_a_whole_game_an_empty_line_cannot_be_taken_either():
    assert turns("12,45 21 - 55") == ["12", "45"]
    with pytest.raises(IllegalTurnError, match=r"cannot be taken \(T6\)"):
        after(Position.parse("12,45 21 - 55"), Turn(opening=12))


def test_t6_a_toad_laid_on_the_other_costs_him_five():
    assert worth("44 - 41") == 6


def test_t7_the_last_card_twisted_ends_the_round_with_two_points():
    assert play(Position.parse("94 12,21 49"), Turn(94, 49)) == (2, None)
    assert worth("94 12,21 49") == 2
    assert worth("55,94 12,21 49") == 6  # but with 55 on the 49 the other is stuck, and takes 1 + 5


def test_t7_taking_ends_the_round_and_the_taker_does_not_lay_again():
    assert after(Position.parse("12,13 21 34"), Turn()) is None
    assert worth("12,13 21 34") == -1


def test_t7_a_taker_does_not_lay_again_once_the_pile_is_empty():
    with pytest.raises(IllegalTurnError, match=r"'take,12': the draw pile is empty, and a taker does not lay again \(T7\)"):
        after(Position.parse("12,13 21 34"), Turn(opening=12))
    state = State.begin(Position.parse("12,13 21 34")).apply(Turn())
    assert state.to_move == GAME_OVER and state.points == (-1, 0) and state.winner == 1


def test_t7_while_the_pile_lasts_the_last_card_twisted_ends_nothing():
    assert play(Position.parse("94 12,21 49 55,56"), Turn(94, 49)) == (2, Position.parse("12,21 55 - 56"))


def test_t7_cards_left_in_hand_count_nothing():
    state = State.begin(Position.parse("12,33,44 21 34")).apply(Turn())
    assert state.points == (-1, 0)


PROFESSIONAL = Rules(professional=True)


@pytest.mark.parametrize(
    ("text", "points", "following"),
    [
        ("12,43 21 34 55,63", -6, "21 12,63 43"),  # 1 for the line, 5 for the toad; then 63 is drawn
        ("12,43 21 33 56,63", -6, "21 12,63 43"),  # 5 for the toad in the line
        ("12,43 21 34-35 55,63", -2, "21 12,55 43 63"),  # two cards in the line: no minus card
        ("12,43 21 34 55", -6, "21 12 43"),  # it was the last card: the new line is opened, and nothing is drawn
    ],
)
def test_t11_a_line_of_one_card_costs_the_top_card_of_the_pile(text, points, following):
    deal, turn = Position.parse(text), Turn(opening=43)
    assert play(deal, turn, PROFESSIONAL) == (points, Position.parse(following))
    state = State.begin(deal, PROFESSIONAL).play(turn)
    assert state.points == (points, 0) and state.position() == Position.parse(following)


def test_t11_both_players_see_the_minus_card():
    taken = State.begin(Position.parse("12,43 21 34 55,63"), PROFESSIONAL).apply(Turn())
    assert taken.view(0).unseen == (21, 63) and taken.view(1).unseen == (12, 43, 63)
    dealt = replace(State.begin(Position.parse("12,43 21 34 55,63"), PROFESSIONAL), pile=frozenset((55, 63)))
    asked = dealt.apply(Turn())
    assert asked.to_move == CHANCE and sorted(asked.chance()) == [55, 63] and asked.draw(55).points == (-6, 0)
    with pytest.raises(IllegalTurnError, match=r"a minus card is to be turned up \(T11\)"):
        asked.apply(Turn(43))


def test_t11_changes_no_endgame():
    assert worth("12,33,43 21,94 34", PROFESSIONAL) == worth("12,33,43 21,94 34")
    assert twin.value(Position.parse("12,43 21 34"), PROFESSIONAL) == twin.value(Position.parse("12,43 21 34"))


def test_t11_a_deal_is_solved_up_to_32_cards_and_not_proved():
    deal = Position.parse("12,13 21,94 34 44,63")
    assert solve(deal, PROFESSIONAL).value == twin.value(deal, PROFESSIONAL) != solve(deal).value
    with pytest.raises(RulesError, match="proofs of deals are not for the professional rule"):
        list(prove(GAME, deal, PROFESSIONAL))
    cards = [card for card in DECK if card != 34]
    for count, solved in ((14, True), (15, False)):
        large = Position(cards[:9], cards[9:18], (34,), cards[18 : 18 + count])
        assert (bounds(large, PROFESSIONAL, Budget(nodes=50)).nodes > 0) == solved


def test_t8_without_a_card_one_must_take():
    assert turns("- 12,21 34-33") == ["take"]
    assert turns("- 12,21 34-33", FORCED) == ["take"]
    assert worth("- 12,21 34-33") == -6


def test_t9_an_empty_line_is_opened_with_any_card():
    assert turns("12,45,98 21 -") == ["12", "45", "98"]
    assert worth("12,44 98 -") == 5  # 44 (5) on the table, 98 does not fit


def test_t9_the_option_ends_the_round_at_once():
    assert turns("12,45,98 21 -", ENDS) == []
    assert worth("12,44 98 -", ENDS) == 0
    assert best_turn(Position.parse("12,44 98 -"), ENDS) is None
    assert worth("44 - 41", ENDS) == 6  # a line that is not empty is played on


def test_t9_nobody_can_open_without_cards():
    assert turns("- 12 -") == [] and worth("- 12 -") == 0


def test_t9_the_pile_may_run_out_while_the_line_is_empty():
    deal, twist = Position.parse("94 12,21 49 55"), Turn(94, 49)
    assert play(deal, twist) == (2, Position.parse("12,21 55 -"))
    assert [str(turn) for turn in State.begin(deal).apply(twist).legal()] == ["12", "21"]
    # 2, then the other opens with 12 or 21, which 55 does not reach: the mover takes it for 1
    assert worth_of_deal("94 12,21 49 55") == 2 - 1


def test_t9_the_option_ends_such_a_round_with_what_was_scored():
    deal, twist = Position.parse("94 12,21 49 55"), Turn(94, 49)
    assert turns("12,21 55 -", ENDS) == [] and play(deal, twist, ENDS) == (2, Position.parse("12,21 55 -"))
    state = State.begin(deal, ENDS).apply(twist)
    assert state.to_move == GAME_OVER and state.points == (2, 0) and state.winner == 0
    assert worth_of_deal("94 12,21 49 55", ENDS) == 2


def test_t9_while_the_pile_lasts_an_empty_line_is_opened_whatever_the_option():
    assert turns("12,45 21 - 55", ENDS) == turns("12,45 21 - 55") == ["12", "45"]


def test_t10_in_a_whole_game_too():
    assert turns("45 46,47 41 55", FORCED) == ["45"] and turns("45 46,47 41 55") == ["45", "take,45"]
    assert turns("12 46,47 41 55", FORCED) == ["take,12"]
    with pytest.raises(IllegalTurnError, match="T10"):
        after(Position.parse("45 46,47 41 55"), Turn(opening=45), FORCED)
    with pytest.raises(IllegalTurnError, match="T10"):
        State.begin(Position.parse("45 46,47 41 55"), FORCED).apply(Turn())


def test_t10_taking_is_free_unless_forced_only():
    text = "45 46,47 41"
    # 45, then 46 or 47: the mover takes 3; taking 1 now is better
    assert worth(text) == -1 and turns(text) == ["45", "take"]
    assert worth(text, FORCED) == -3 and turns(text, FORCED) == ["45"]
    with pytest.raises(IllegalTurnError, match="T10"):
        after(Position.parse(text), Turn(), FORCED)


def test_t12_the_value_is_the_difference_of_points():
    solution = solve(Position.parse("15,43,44 21,53 51-62-35"))
    points = [points for _, points, _ in take_that.GAME.steps(solution)]
    assert points == [0, 2, 0, -8]  # 44; 53x35 +2; 43 on 44; take 5 + 3 cards: 51, 62, 43, and the toad 44
    assert solution.value == 0 - 2 + 0 + 8


def test_hands_of_different_size():
    assert worth("12,13,14 - 15") == 2
    assert worth("- 12,13,14 15") == -1
