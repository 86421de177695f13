"""Cards still to be drawn: notation and well-formedness of deals, and what is asked of endgames alone refuses them."""

from __future__ import annotations

import pickle

import pytest

from backtrick.errors import NotSolvedError, PositionError
from backtrick.face_to_face import (
    GAME,
    Budget,
    Deal,
    Position,
    Side,
    open_tablebase,
    outcomes,
    solve,
)
from backtrick.face_to_face.samples import selfplay
from backtrick.game import SolveOptions

DEAL = "27^40v:17,18,45+2,33,50 13^50v:5,12+4,9"


def test_a_pile_is_told_in_the_order_in_which_it_is_drawn():
    deal = Position.parse("27^40v:17,18,45+33,2 13^50v:5,12")
    assert (deal.mover.pile, deal.opponent.pile) == ((33, 2), ())
    assert deal != Position.parse("27^40v:17,18,45+2,33 13^50v:5,12") and isinstance(deal, Deal)


def test_an_empty_pile_is_left_out():
    for empty in ((), [], frozenset(), set()):
        assert Side(27, 40, (17,), empty) == Side(27, 40, (17,)) and Side(27, 40, (17,), empty).pile == ()
        assert str(Side(27, 40, (17,), empty)) == "27^40v:17"


def test_a_pile_of_unknown_order_is_a_set():
    side = Side(27, 40, (17,), {33, 2})
    assert side.pile == frozenset({2, 33}) and hash(side) == hash(Side(27, 40, (17,), frozenset({33, 2})))
    assert str(side) == "27^40v:17+?2,33"


def test_a_tablebase_answers_a_deal_as_the_game_does(tmp_path):
    """No table knows a deal, so its value is searched for."""
    deal = Position.parse("27^40v:17,18,45+20,33,50 43^20v:5,12+4,9")
    tables = open_tablebase(tmp_path)
    assert tables.solve(deal) == solve(deal) and tables.best_turn(deal) == solve(deal).best and tables.get(deal, "none") == "none"
    assert tables.grade(deal, solve(deal).best).optimal
    with pytest.raises(PositionError, match="to be drawn"):
        tables.probe(deal)


def test_a_deal_has_an_outcome_and_no_number():
    won = solve(Position.parse("27^40v:17,18,45+20,33,50 43^20v:5,12+4,9"))
    lost = solve(Position.parse("43^45v:5,12+4,9 17^40v:18,20,33,50"))
    assert [(one.outcome, one.value, one.text) for one in (won, lost)] == [("win", None, "win"), ("loss", None, "loss")]
    assert {one.value for one in outcomes(won.position)} == {None}
    hard = next(selfplay(1, seed=3, piles=20))
    [answer] = GAME.answers([hard], SolveOptions(GAME.published, Budget(nodes=1)))
    assert answer.outcome == "unsolved"
    with pytest.raises(NotSolvedError):
        _ = answer.value


def test_a_text_names_a_deal_or_an_endgame():
    assert type(Position.parse(DEAL)) is type(GAME.parse(DEAL)) is type(Deal.parse(DEAL)) is Deal
    assert type(Position.parse("27^40v:17,18,45 13^50v:5,12")) is Position
    again = pickle.loads(pickle.dumps(Position.parse(DEAL)))
    assert type(again) is Deal and again == Position.parse(DEAL) and hash(again) == hash(Position.parse(DEAL))


def test_a_hand_below_six_may_have_a_pile():
    assert Position.parse("27^40v:17,18+2,33 13^50v:5,12+4,9").mover.hand == (17, 18)  # four laid, two drawn (F11)
