"""What a turn in the middle of it can still become, held against the list of all legal turns."""

from __future__ import annotations

import pytest

from backtrick.errors import IllegalTurnError
from backtrick.games import game_of
from samples import golden


def expected(game, position, laid, outcomes):
    """The same by listing every legal turn, and playing it."""
    begun = laid.split()
    every, after = 0, {}
    for turn in game.legal_turns(position, game.published):
        plays = str(turn).split() if game.name == "face_to_face" else str(turn).split(",", 1)
        prefix = begun if game.name == "face_to_face" else [one for one in laid.split(",") if one]
        if plays[: len(prefix)] != prefix:
            continue
        following = game.play(position, turn, game.published)
        [place] = [place for place, one in enumerate(outcomes) if (one.points, one.position) == following]
        every |= 1 << place
        if len(plays) > len(prefix):
            text = plays[len(prefix)]
            after[text] = after.get(text, 0) | 1 << place
    return every, after


POSITIONS = [row for kind, *row in golden("law_positions.txt") if kind == "begun"]


@pytest.mark.parametrize(("name", "text"), POSITIONS)
def test_they_are_those_of_the_list_of_all_turns(name, text):
    game = game_of(name)
    position = game.parse(text)
    outcomes = game.outcomes(position)
    waiting = [""]
    while waiting:
        laid = waiting.pop()
        every, after = game.completions(position, laid, game.published, outcomes)
        assert (every, after) == expected(game, position, laid, outcomes), laid
        ways = [choice for choice in game.look(position, laid, game.published).choices if choice.play in after]
        on_each_pile = {choice.play.lstrip("0123456789"): choice.laid for choice in ways}
        waiting += dict.fromkeys([choice.laid for choice in ways[:4]] + list(on_each_pile.values()))


def test_plays_that_are_not_legal_are_refused():
    game = game_of("face_to_face")
    position = game.parse(POSITIONS[0][1])
    with pytest.raises(IllegalTurnError, match="F5"):
        game.completions(position, "18^ 17^", game.published, game.outcomes(position))
