"""The rules of thumb: what the page says of its pictures, and what the script counts, found again turn by turn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import thumb
from backtrick import face_to_face, take_that

PICTURES = [  # a position, the turn that the page names, what it is worth, and the most that turns which break the rule are worth
    ("48^19v:8,9,17,26 4^2v:41,52,54,57", "17v 9v 8v 26v'", lambda turn: len(turn) == 4, 1, 0),
    ("45^11v:6,29,32,54 52^13v:18,19,30,40", "6v 54^", lambda turn: len(turn) != 3, 1, 0),
    ("49^6v:2,19,22,55 48^3v:9,11,17,30", "2v 55^", lambda turn: len(turn) == 2, 1, 0),
    ("50^33v:3,7,31,33,36,37 54^10v:11,18,19,45,55", "31v 33^'", lambda turn: len(turn) == 2, 1, None),
    ("45^17v:11,26,42,50 47^6v:13,26,33,55,56", "11v 26^'", lambda turn: any(play.helpful for play in turn), 1, 0),
    ("50^6v:18,27,51,56,59 42^14v:12,21,25,48,52,57", "18v' 51^", lambda turn: any(play.helpful for play in turn), 1, 0),
    ("17,18,47,51,54,62,67,82,98 15,22,26,28,59,69,74,76,89 53", "take", lambda turn: turn.is_take, -1, -3),
    ("41,45,51,56,61,62,79,81,84 16,26,32,35,46,48,53,54,76 36-39-33-23-15", "51x15", lambda turn: not turn.is_take, -7, -9),
    ("14,24,42,56,58,66,71,79,94 17,35,41,49,65,73,83,85,87 57-64", "take", lambda turn: turn.card != 66, -2, -8),
    ("13,21,27,28,29,33,45,52,87 12,32,35,42,77,78,88,92,98 82", "28x82", lambda turn: turn.is_twist, 2, -1),
    ("13,18,37,42,44,51,68,86,87 12,24,34,43,73,77,78,81,88 83", "86", lambda turn: turn.card != 87, 2, -7),
    ("24,31,39,55,57,67,69,84,88 13,38,48,53,59,64,65,75,92 36-27", "24", lambda turn: turn.card == 24, 3, -2),
    ("21,34,38,42,47,66,84,86,97 18,39,41,48,74,79,81,89,94 46-37-27-32-25", "34", lambda turn: turn.card != 21, 6, -7),
    ("17,18,24,25,59,63,84,87,88 12,16,21,35,67,77,78,92,95 44-34-36", "63x36", lambda turn: turn.is_twist, 8, -7),
]


@pytest.mark.parametrize(("text", "turn", "keeps", "worth", "broken"), PICTURES)
def test_what_the_page_says_of_a_picture(text, turn, keeps, worth, broken):
    game = face_to_face if "^" in text else take_that

    def value(outcome) -> int:
        return outcome.value % 2 if game is face_to_face else outcome.value

    position = game.Position.parse(text)
    after = game.after(position, turn)
    led = [one for one in game.outcomes(text) if one.position == after and (after is not None or str(one.turn) == turn)]
    assert [value(one) for one in led] == [worth]
    if broken is not None:
        assert max(value(one) for one in game.outcomes(text) if not keeps(one.turn)) == broken


def test_the_rules_of_the_race_are_counted_as_one_reads_them(times):
    array = face_to_face.samples.selfplay_array(40 * times, seed=4, progress=False)
    rows, offsets = face_to_face.outcomes_many(array)
    turns = thumb.race_turns(array, rows, offsets)
    for place, (position, start, stop) in enumerate(zip(face_to_face.unpack(array), offsets, offsets[1:], strict=False)):
        held = len(position.mover.hand)
        for at in range(start, stop):
            turn = face_to_face.unpack_turn(rows["turn"][at])
            own, left = face_to_face.after(position, turn).opponent, held - len(turn)
            fitting = [card for card in own.hand if card > own.ascending or card < own.descending
                       or card in (own.ascending - 10, own.descending + 10)]  # fmt: skip
            keeps = {name: bool(marks[at]) for name, marks in turns.keeps.items()}
            assert turns.of[at] == place and turns.worth[at] == rows["value"][at] % 2
            assert keeps["lay the whole hand if it fits"] == (left == 0)
            assert keeps["never keep exactly one card"] == (left != 1)
            assert keeps["keep two cards that fit on your own piles"] == (len(fitting) >= 2)
            assert keeps["with four cards or fewer, help if you cannot finish"] == any(play.helpful for play in turn)


def test_the_rules_of_the_line_are_counted_as_one_reads_them(times):
    array = take_that.samples.selfplay_array(15 * times, seed=4, progress=False)
    rows, offsets = take_that.outcomes_many(array)
    turns = thumb.line_turns(array, rows, offsets)
    kept = dict.fromkeys(turns.keeps, 0)
    for position, start, stop in zip(take_that.unpack(array), offsets, offsets[1:], strict=False):
        for at in range(start, stop):
            turn = take_that.unpack_turn(rows["turn"][at])
            after = take_that.after(position, turn)
            replies = after and any(not reply.is_take for reply in take_that.legal_turns(after))
            own = after and replace(after, mover=after.opponent, opponent=after.mover)
            follows = own and any(not follow.is_take for follow in take_that.legal_turns(own))
            lays = not turn.is_take and not turn.is_twist
            gift = lays and any(reply.line_card == turn.card for reply in take_that.legal_turns(after))
            keeps = {name: bool(marks[at]) for name, marks in turns.keeps.items()}
            assert keeps["lay no card that your opponent can twist"] == (not gift)
            assert keeps["leave your opponent without a move"] == (after is not None and not replies)
            alone = after is not None and replies and not follows
            assert keeps["lay only what another of your cards can follow, or take"] == (not alone)
            assert keeps["twist if a toad lies in the line"] == turn.is_twist
            kept = {name: count + keeps[name] for name, count in kept.items()}
    assert all(0 < count < offsets[-1] for count in kept.values())


def test_what_breaking_a_rule_costs_is_what_the_best_turns_are_worth():
    of, worth, keeps = np.array([0, 0, 1, 1, 2]), np.array([1.0, 0.0, 3.0, 5.0, 1.0]), np.array([1, 0, 1, 0, 1], bool)
    turns = thumb.Turns(of, worth, {"rule": keeps}, {"rule": np.ones(3, bool)})
    assert dict(thumb.costs(turns, 3)) == {"rule": [(0.0, 1.0), (2.0, 0.0)]}, "the third cannot be broken"
