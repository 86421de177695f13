"""Every law of equilibria in `laws.py`, for each game that has them and for two games of poker."""

from fractions import Fraction

import pytest

import kuhn
from backtrick.face_to_face import Rules as FaceToFaceRules
from backtrick.games import game_of
from backtrick.take_that import Rules as TakeThatRules
from hidden_games import GAMES, Rules
from laws import HIDDEN_LAWS, by_sequences

pytest.importorskip("scipy", reason="needs the extra equilibrium: pip install 'backtrick[equilibrium]'")

DECK = [card for card in range(12, 99) if card % 10]


def round_of(hands, line, pile, unseen, rules):
    """A public state of Take That in which these cards are not seen."""
    gone = ",".join(str(card) for card in DECK if card not in {*line, *unseen})
    text = f"?{hands[0]} ?{hands[1]} {'-'.join(map(str, line)) or '-'} ?{pile} !{gone}"
    return game_of("take_that").public_state.parse(text, rules=rules)


DUELS = [
    "14^15v:?2:13,15,16 14^5v:?2:2,4,5,6,12",
    "26^3v:?3:5,13,15,25 22^4v:?2:2,15,24",
    "10^15v:?2:2,6,8,9 3^16v:?2:13,14,15",
]
LONE = ["25^5v:?2:3,12,13,14,34 33^4v:?3:3,12,13,25"]
MIXED = "17^13v:?2:2,6,13,17,22 23^3v:?3:5,6,7,12,16,24"
"""After a first turn the other player mixes two plans for all that follows: one with 1/8, one with 7/8."""

SURE = "22^2v:?3:2,3,4,13,14,23 3^23v:?2:4,13,22"
"""Some hands win by the turn that is listed first, and can make others, which hands that are not sure to win make too."""

CASES = {
    "face_to_face": (
        game_of("face_to_face"),
        [
            game_of("face_to_face").public_state.parse(text, rules=FaceToFaceRules(lone))
            for lone, texts in ((False, DUELS), (True, LONE))
            for text in texts
        ],
    ),
    "kuhn": (kuhn.GAME, [kuhn.Public(kuhn.Rules(cards)) for cards in (3, 4)]),
    "leduc": (GAMES["leduc"], [GAMES["leduc"].public_state(Rules(2))]),
    "take_that": (
        game_of("take_that"),
        [
            round_of((2, 2), (34, 41), 2, (12, 21, 39, 43, 44, 55), TakeThatRules()),
            round_of((2, 1), (25, 18), 1, (22, 28, 81, 52), TakeThatRules(forced_only=True)),
            round_of((1, 2), (), 2, (12, 21, 33, 34, 43), TakeThatRules(empty_line="ends")),
        ],
    ),
}


@pytest.mark.parametrize("name", HIDDEN_LAWS)
@pytest.mark.parametrize("game", CASES)
def test_law_of_equilibria(game, name, times):
    """The quick suite asks the last state of a game, the slow one all."""
    one, publics = CASES[game]
    HIDDEN_LAWS[name](one, publics[-times:])


def test_plans_for_all_that_follows_are_mixed():
    game = CASES["face_to_face"][0]
    public = game.public_state.parse(MIXED)
    mixes = game.equilibrium(public).plans.other.mixes.values()
    assert [Fraction(1, 8), Fraction(7, 8)] in [[share for share, _ in mix] for mix in mixes]
    HIDDEN_LAWS["the plans keep what was told against every reply"](game, [public])


def test_plans_are_kept_where_a_hand_wins_by_the_turn_that_is_listed_first():
    game = CASES["face_to_face"][0]
    HIDDEN_LAWS["the plans keep what was told against every reply"](game, [game.public_state.parse(SURE)])


def test_what_the_mover_does_not_win_the_other_player_wins():
    """Chances of both add up to 1, after each turn of an exact plan, also with ranges that are not flat."""
    game, publics = CASES["face_to_face"]
    plans = by_sequences(game, publics[0], ({(13, 15): 1, (13, 16): 5, (15, 16): 2}, None))
    assert plans.low == plans.high
    shares = [(one.weight, share) for one in plans.hands(()).values() for share in one.turns]
    looked = 0
    for turn in plans.turns(()):
        likely = sum(weight * share.probability for weight, share in shares if share.turn == turn)
        wins = sum(weight * share.probability * share.value for weight, share in shares if share.turn == turn)
        if likely and (there := plans.hands((turn,))):
            looked += 1
            assert wins + sum(one.weight * one.value for one in there.values()) == likely
    assert looked
