"""What actions are worth card by card, against a slow twin: the moments one after another, by the rules."""

from __future__ import annotations

from importlib import import_module
from random import Random

import numpy as np
import pytest

from backtrick import face_to_face, learn, match, take_that
from backtrick.errors import ArgumentError
from backtrick.face_to_face import samples as duels
from backtrick.games import game_of, steps_of
from backtrick.learn import action_values, regret, turn_values
from backtrick.play.state import CHANCE, GAME_OVER
from backtrick.play.steps import Steps
from backtrick.take_that import samples as rounds
from test_exact import TOGETHER, paid_by_line, small_duels, small_rounds, wins

VIEWS = {
    "face_to_face": ["27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12", "27^40v:17,18,45 13^50v:?2:5,12"],
    "take_that": ["12,33,49 ?9 34-41 ?62 !22,35,53"],
}
OPTIONS = {
    "small deck": ("face_to_face", {}),
    "lone card": ("face_to_face", {"lone_card": True}),
    "line": ("take_that", {}),
    "forced only": ("take_that", {"forced_only": True, "empty_line": "ends"}),
}


def starts(case: str, count: int) -> list:
    """Moments at which an endgame begins, some of them over at once."""
    name, options = OPTIONS[case]
    positions = face_to_face.unpack(small_duels(count, 3)) if name == "face_to_face" else small_rounds(count, 3)
    return [steps_of(name)(**options, position=str(position)).start for position in positions]


def paid(moment, seat: int) -> float:
    """What a seat gets from the beginning of the current turn on, if the turn is completed as well as can be."""
    if moment.to_move == seat:
        return max(paid(moment.apply(number), seat) for number in moment.legal())
    if isinstance(moment.state, face_to_face.State):
        if moment.to_move == GAME_OVER:
            return moment.returns()[seat]
        return -1.0 if wins(moment.state.position(), moment.steps.rules) else 1.0
    first, second = moment.state.points
    following = 0 if moment.to_move == GAME_OVER else take_that.rules.value(moment.state.position(), moment.steps.rules)
    return (first - second if seat == 0 else second - first) - following


def within(moments) -> list:
    """The moments, and those after one and two actions of the first turns."""
    found = list(moments)
    for moment in moments:
        for number in moment.legal()[:4]:
            following = moment.apply(number)
            if following.to_move == moment.to_move:
                found += [following, *(following.apply(number) for number in following.legal()[-2:])]
    return found


@pytest.mark.parametrize("case", OPTIONS)
def test_actions_pay_what_the_best_completion_pays(case):
    moments = within(starts(case, 50 if OPTIONS[case][0] == "face_to_face" else 300))
    found = action_values(moments, threads=1)
    assert found.values.shape == (len(moments), moments[0].steps.actions)
    worse = 0
    for moment, legal, row, lost in zip(moments, found.legal, found.payoffs, found.regrets, strict=True):
        assert np.flatnonzero(legal).tolist() == moment.legal()
        sign = -1 if moment.to_move == 1 else 1
        before = sign * (moment.state.points[0] - moment.state.points[1])
        told = [paid(moment.apply(number), moment.to_move) - before for number in moment.legal()]
        assert row[legal].tolist() == told, moment.state
        assert lost[legal].tolist() == [max(told) - one for one in told] and np.isnan(lost[~legal]).all()
        worse += any(one < max(told) for one in told)
    assert worse > 5 and any(moment.to_move == GAME_OVER for moment in moments)


@pytest.mark.parametrize("array", [duels.selfplay_array(40, seed=8), rounds.selfplay_array(40, seed=8)], ids=["duels", "rounds"])
def test_the_best_action_is_worth_what_the_best_turn_is(array):
    turns, actions = turn_values(array), action_values(array)
    game = turns.game
    for place, (row, best) in enumerate(zip(actions.values, actions.optimal, strict=True)):
        every = turns.of(place)
        assert bool(every) == best.any()
        if every:
            assert set(row[best].tolist()) == {every[0][1]} and game.solve(game.unpack(array[[place]])[0]).value == every[0][1]
    assert np.array_equal(actions.regrets == 0, actions.legal & (actions.payoffs == np.nanmax(
        np.where(actions.legal, actions.payoffs, -np.inf), axis=1, keepdims=True)))  # fmt: skip


def test_positions_and_moments_agree():
    array = small_duels(50, 4)
    moments = [steps_of("face_to_face")(position=str(one)).start for one in face_to_face.unpack(array)]
    by_position, by_moment = action_values(array), action_values(moments)
    assert np.array_equal(by_position.values, by_moment.values, equal_nan=True)


def test_an_endgame_that_chance_dealt_is_one_too():
    """A whole game of a small deck is played at random; in its endgame the actions are those of the position itself."""
    random, found = Random(1), 0
    for _ in range(6):
        moment = steps_of("face_to_face")(cards="2,3,12,13,22,23,32").start
        while moment.to_move != GAME_OVER and found < 12:
            if moment.to_move == CHANCE:
                moment = moment.draw(random.choice([card for card, _ in moment.chance()]))
                continue
            position = moment.state.position()
            if position is not None and not (position.mover.pile or position.opponent.pile):
                inside = moment.apply(moment.legal()[0])
                again = steps_of("face_to_face")(position=str(position)).start
                expected = action_values([again, again.apply(moment.legal()[0])]).values
                assert np.array_equal(action_values([moment, inside]).values, expected, equal_nan=True)
                found += 1
            moment = moment.apply(random.choice(moment.legal()))
    assert found == 12


@pytest.mark.parametrize("name", ["face_to_face", "take_that"])
def test_numbers_of_turns(name):
    """Every legal turn is listed once, its numbers lead to where the turn leads, and back."""
    game = game_of(name)
    positions = face_to_face.unpack(duels.selfplay_array(6, seed=2)) if name == "face_to_face" else small_rounds(20)
    for position in positions:
        start = steps_of(name)(position=str(position)).start
        packed, rows = start.steps.turns(position)
        turns = [game.unpack_turn(one) for one in packed.tolist()]
        assert turns == list(game.legal_turns(position, game.published))
        plain, told = Steps.turns(start.steps, position)  # as a game has them that does not override it
        assert np.array_equal(plain, packed) and np.array_equal(told, rows[:, : told.shape[1]])
        for turn, row in list(zip(turns, rows.tolist(), strict=True))[:: 1 + len(turns) // 50]:
            numbers = start.steps.numbers_of(turn)
            assert [number for number in row if number >= 0] == list(numbers) == row[: len(numbers)]
            assert start.steps.turn_of(numbers) == turn
            moment = start
            for number in numbers:
                assert moment.to_move == 0
                moment = moment.apply(number)
            assert moment.to_move != 0 and moment.state.position() == game.play(position, turn, game.published)[1] or (
                moment.to_move == GAME_OVER)  # fmt: skip


def test_a_taker_who_opens_a_line_plays_two_actions():
    steps = steps_of("take_that")(position="12,43,94 21 34-41-49 55,63")
    turn = take_that.Turn.parse("take,94")
    take, opening = steps.numbers_of(turn)
    assert (steps.text(take), steps.text(opening)) == ("take", "94") and steps.turn_of((take, opening)) == turn


@pytest.mark.slow
def test_the_regret_of_a_policy_of_moments():
    """One that plays the best action has none; one that plays the first action plays the turn that these actions make."""
    for array in (duels.selfplay_array(30, seed=9), rounds.selfplay_array(30, seed=9)):
        best = regret(lambda moment: int(action_values([moment]).optimal.argmax()), array, sees="moment")
        assert not best.regrets.any() and best.optimal.all()
        first = regret(lambda moment: moment.legal()[0], array, sees="moment")
        assert first.regrets.any()
        for position, packed in zip(first.game.unpack(first.positions), first.turns.tolist(), strict=True):
            moment = steps_of(first.game.name)(position=str(position)).start
            numbers = []
            while moment.to_move == 0:
                numbers.append(moment.legal()[0])
                moment = moment.apply(numbers[-1])
            assert moment.steps.turn_of(numbers) == first.game.unpack_turn(packed)


def test_an_unknown_order_is_refused():
    kind = steps_of("face_to_face")
    whole = kind().start
    for card in (*range(2, 8), *range(2, 8)):
        whole = whole.draw(card)
    with pytest.raises(ArgumentError, match="it must be an endgame, but cards of unknown order are still to be drawn"):
        action_values([kind(position=TOGETHER).start, whole])


def test_points_of_a_line_are_those_of_the_rules():
    position = take_that.Position.parse("15,43,44 21,53 51-62-35")
    row = action_values([position]).payoffs[0]
    steps = steps_of("take_that")(position=str(position))
    for action in take_that.legal_turns(position):
        assert row[steps.number(action)] == paid_by_line(position, action, take_that.PUBLISHED)


@pytest.mark.parametrize("game", ["face_to_face", "take_that"])
def test_a_policy_of_actions_plays_matches_as_it_is_judged(game):
    """The lowest legal action, by moments and by arrays: the same turns, and the same games as a player that finds them itself."""
    by_arrays = learn.ActionPlayer(lambda observations, masks: masks.argmax(axis=1), game)
    by_moment = learn.ActionPlayer(lambda moment: min(moment.legal()), game, sees="moment")
    module = import_module(f"backtrick.{game}")
    for view in map(module.View.parse, VIEWS[game]):
        turn = by_arrays(view)
        assert turn == by_moment(view) and turn in list(module.legal_turns(view))
    report = match("random", by_moment, game=game, games=4, processes=0, progress=False)
    assert report.games == 4 and report.forfeits == ()
