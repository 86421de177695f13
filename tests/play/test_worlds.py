"""Worlds that a view leaves: each shows the view to the player, its game can be played to its end, and all are equally likely."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from backtrick import face_to_face, take_that
from backtrick.errors import ArgumentError
from backtrick.play.state import GAME_OVER
from backtrick.random import Stream
from test_views import DUEL, STATES, states_of


def hidden(state) -> tuple:
    """The cards that seat 0 does not see, in their places."""
    if isinstance(state, face_to_face.State):
        return state.table.opponent.hand, state.table.opponent.pile, state.table.mover.pile
    return state.hands[1], state.pile


def playing(game: str, number: int):
    """The states of a game at which a player is to move, within turns too."""
    random = Random(number)
    for state in states_of(game, number, 100):
        yield state
        if state.legal():
            inside = state.apply(random.choice(state.legal()))
            if inside.to_move == state.to_move:
                yield inside


@pytest.mark.parametrize("game", STATES)
def test_a_world_shows_its_view_and_is_played_to_its_end(game):
    random, ends = Random(1), 0
    for number in range(1):
        for state in playing(game, number):
            view = state.view(state.to_move)
            world = view.world(Stream(number, 0))
            assert (world.to_move, world.view(0)) == (0, view)
            assert set(world.legal()) == set(state.legal())
            assert [len(part) for part in hidden(world)] == [len(part) for part in hidden(view.world(Stream(number, 1)))]
            while world.to_move != GAME_OVER:
                world = world.apply(random.choice(world.legal()))
            ends += 1
    assert ends > 20


VIEWS = {
    "face_to_face": face_to_face.View.parse("27^40v:17,18+?9,33 13^50v:?2:4,5,12"),
    "take_that": take_that.State.begin(take_that.Position.parse("12,33 21,94 34-41 55,63")).view(0),
}


@pytest.mark.parametrize("game", VIEWS)
def test_all_worlds_are_equally_likely(game):
    counts = {"face_to_face": 3 * 2, "take_that": 6 * 2}
    numbers = Stream(5, 0)
    found = Counter(map(str, (hidden(VIEWS[game].world(numbers)) for _ in range(6000))))
    expected = 6000 / counts[game]
    assert len(found) == counts[game]
    assert sum((count - expected) ** 2 / expected for count in found.values()) < 40  # of chi squared, 5 and 11 degrees of freedom


def test_a_view_of_who_is_not_to_move_has_no_worlds():
    state = face_to_face.State.begin(face_to_face.Position.parse("27^40v:17,18,45+9,33,50 13^50v:5,12+4,9"))
    assert str(state.view(0)) == DUEL
    with pytest.raises(ArgumentError, match="worlds need the view of the player to move"):
        state.view(1).world(Stream(1, 0))
