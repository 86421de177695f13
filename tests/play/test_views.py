"""What a player sees, as text: parse undoes format in both games, and a view that no game shows is refused with its rule."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrick import face_to_face, take_that
from backtrick.errors import NotationError
from backtrick.face_to_face.samples import decks_of as duel_decks
from backtrick.games import game_of, whole_game_of
from backtrick.play.state import CHANCE, GAME_OVER
from backtrick.take_that.samples import decks_of as line_decks

DECKS = {"face_to_face": lambda number: duel_decks(5, number, number + 1)[0].tolist(),
         "take_that": lambda number: line_decks(5, number, number + 1)[0].tolist()}  # fmt: skip
STATES = {"face_to_face": face_to_face.State, "take_that": take_that.State}
VIEWS = {"face_to_face": face_to_face.View, "take_that": take_that.View}


def states_of(game: str, number: int, count: int):
    """States of a dealt game between two turns, played at random."""
    random, state = Random(number), STATES[game].deal(DECKS[game](number))
    for _ in range(count):
        if state.to_move == GAME_OVER:
            return
        yield state
        seat = state.to_move
        while state.to_move == seat:
            state = state.apply(random.choice(state.legal()))


@pytest.mark.parametrize("game", STATES)
@given(number=st.integers(0, 2**32), count=st.integers(1, 60))
def test_parse_undoes_format(game, number, count):
    *_, state = states_of(game, number, count)
    view = state.view(state.to_move)
    text = str(view)
    found = type(view).parse(text)
    if game == "take_that":
        found = replace(found, points=view.points)  # which the text does not say
    assert found == view and str(found) == text
    assert found.position == (state.position() if not view.pile_size and not getattr(view, "own", state).pile else None)


@pytest.mark.parametrize("game", STATES)
def test_a_game_before_the_deal_has_views_too(game):
    one = game_of(game)
    start = whole_game_of(one).state.start(one.published)
    assert start.to_move == CHANCE and "?" in str(start.view(0))


DUEL = "27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12"
LINE = "12,13,14,15,16,17,18,19,21 ?9 34-43 ?59"


@pytest.mark.parametrize(("game", "text"), [("face_to_face", DUEL), ("take_that", LINE)])
def test_a_game_parses_what_the_text_is_and_solves_no_view(game, text):
    one = game_of(game)
    assert one.parse(text) == VIEWS[game].parse(text)
    assert one.parse(one.example) == one.read_position(one.example)
    for call in (one.read_position, one.solve, one.best_turn):
        with pytest.raises(NotationError, match="it is a view, in which cards are hidden; a position shows all of them"):
            call(text)


@pytest.mark.parametrize("text", [DUEL, "1^60v:2,3+?4 1^60v:?1:5", "27^40v:17 13^50v:?1:12"])
def test_blanks_around_numbers_are_allowed(text):
    loose = text.replace(",", " , ").replace("+?", " + ? ")
    assert str(face_to_face.View.parse(loose)) == text
