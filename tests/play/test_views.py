"""What a player sees, as text: parse undoes format in both games, and a view that no game shows is refused with its rule."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrick import face_to_face, take_that
from backtrick.errors import NotationError, PositionError
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


NO_VIEWS = {
    "face_to_face": [
        (DUEL.replace("+?", "+"), "view '27^40v:17,18,45+9,33,50 13^50v:?2:4,5,9,12', column 17: expected '?', found '9'"),
        (DUEL.replace("9,33,50", "33,9,33"), "33 is there twice"),
        (DUEL.replace("4,5,9,12", "4,5,12,5"), "5 is there twice"),
        (DUEL.replace("?2", "2"), "expected '?', found '2'"),
        (DUEL + " 7", "expected ',' or the end, found '7'"),
        (DUEL.replace("17,18", "17,17"), "17 is there twice"),
        ("27^40v:17,18,45", "expected a number, found the end"),
        ("", "expected a number, found the end"),
        (DUEL.replace("?9,", "?18,"), "18 in the mover's draw pile: a colour has each number once (F1)"),
        (DUEL.replace("?2", "?5"), "the opponent's hand: 5 cards, and only 4 are not laid yet (F1)"),
        (DUEL.replace("?2", "?0"), "the opponent's hand: it is empty, though there are cards to draw after a turn (F11)"),
        (DUEL.replace("?2:4,5,9,12", "?7:4,5,9,12,20,21,22,23"), "the opponent's hand: 7 cards, at most 6 are held (F2)"),
        (DUEL.replace("17,18,45", "17,18,19,20,21,22,45"), "the mover's hand: 7 cards, at most 6 are held (F2)"),
        (DUEL.replace("9,12", "9,60"), "60 in the opponent's cards not yet laid: the number cards are 2..59 (F1)"),
        ("27^40v:17+?13 13^50v:?1:13",
         "13 in the mover's draw pile and the opponent's cards not yet laid and the opponent's ascending pile: "
         "3 places for a number that exists twice (F1)"),
        ("27^40v: 13^50v:?1:12", "the mover's hand: it is empty, so the game was over before this turn (F12)"),
        ("0^40v:17 13^50v:?1:12", "0 in the mover's ascending pile: its top is 1..59 (F1)"),
    ],
    "take_that": [
        (LINE.replace("?9", "9"), "expected '?', found '9'"),
        (LINE + " 22", "expected '!', found '2'"),
        (LINE + " !22,x", "expected a number, found 'x'"),
        (LINE.replace("34-43", "34,43"), "expected '-' or a blank before the size of the draw pile, found ','"),
        ("12 ?9 34", "expected the size of the draw pile, found the end"),
        (LINE.replace("34-43", "34-12"), "12 in the player's hand and the line: there is one card of each number (T1)"),
        (LINE + " !34", "34 in the line and the cards that are gone: there is one card of each number (T1)"),
        (LINE.replace("34-43", "34-40"), "40 in the line: the cards are 12..98 without 20, 30, ..., 90 (T1)"),
        (LINE.replace("?59", "?58"), "the draw pile: 9 in the opponent's hand and 58 in it, but 68 cards are not seen (T1)"),
        (LINE.replace("?9", "?10").replace("?59", "?58"), "the opponent's hand: 10 cards, at most 9 are held (T2)"),
        (LINE.replace("21", "21,22"), "the player's hand: 10 cards, at most 9 are held (T2)"),
        ("- ?9 34-43 ?68",
         "the player's hand: no card, but a player draws one after each card while the draw pile lasts (T3)"),
    ],
}  # fmt: skip
"""Texts that are not in the notation, and views that no game shows, with the end of what is said of each."""


@pytest.mark.parametrize(("game", "text", "sentence"), [(game, *row) for game, rows in NO_VIEWS.items() for row in rows])
def test_a_text_that_is_no_view_is_refused(game, text, sentence):
    with pytest.raises(PositionError if sentence.endswith(")") else NotationError) as error:
        VIEWS[game].parse(text)
    assert str(error.value).endswith(sentence)
