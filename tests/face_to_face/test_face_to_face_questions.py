"""The questions of the search held against plain definitions, and these against the readable twin and the second solver."""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from audit.face_to_face import questions
from audit.face_to_face.families import WHOLE
from audit.face_to_face.questions import (
    MOMENT_DTYPE,
    NO_SAFE_TURN,
    RESISTS,
    SAFE_TURN,
    check_questions,
    draw_moments,
    draw_positions,
    position_of,
)
from backtrick.face_to_face import Position, Rules, Side, outcomes, pack
from backtrick.face_to_face import rules as referee
from backtrick.face_to_face.rule_options import BACK
from backtrick_development.face_to_face import _plain, _questions
from oracles.published_deck import SmallDeck
from oracles.second_solver import remoteness
from samples import sample

SIMPLE = ("can_finish", "stuck", "can_stick")
BOTH = pytest.mark.parametrize("lone_card", [False, True])


def ask(module, positions, moments, question, rules, depth=0):
    answers = np.full(len(positions), 99, np.uint8)
    module.ask_range(positions, moments, answers, question, depth, rules.lone_card)
    return answers


def beginnings(positions):
    """Each position as the moment at which nothing has been laid."""
    hands = zip(positions["mover_hand"].tolist(), positions["opponent_hand"].tolist(), strict=True)
    rows = [(0, (1 << hand.bit_count()) - 1, 12, 12, (1 << other.bit_count()) - 1, 12, 12) for hand, other in hands]
    return np.array(rows, MOMENT_DTYPE)


# the search against the definitions


def count_answers(monkeypatch):
    """How often each question was compared, and how often the answer was not 0."""
    counts = Counter()
    compare = questions._Comparison.compare

    def counted(self, question, positions, moments, found, expected, replies=None):
        counts[question] += len(positions)
        counts[question, "yes"] += int(np.count_nonzero(expected))
        compare(self, question, positions, moments, found, expected, replies)

    monkeypatch.setattr(questions._Comparison, "compare", counted)
    return counts


ASKED = [
    "can_finish", "stuck", "can_stick", "resists to depth 0", "resists to depth 1", "resists to depth 2", "free",
    "reply to depth 0", "reply to depth 1", "reply to depth 2", "refutes to depth 1", "refutes to depth 2",
]  # fmt: skip


@BOTH
def test_every_question_is_asked_and_agrees(monkeypatch, lone_card):
    """E1, E2, E5, E6, E8, each alone."""
    counts = count_answers(monkeypatch)
    compared, mismatches = check_questions(np.random.default_rng(71), 5000, Rules(lone_card))
    assert mismatches == []
    assert compared == sum(counts[question] for question in ASKED) > 25_000
    for question in ASKED:
        assert counts[question] >= 80, question
        assert counts[question, "yes"] >= 8, question


SMALL = [(False, SmallDeck(8, 1)), (True, SmallDeck(14, 2)), (False, SmallDeck(20, 4)), (True, SmallDeck(9, 2)),
         (True, SmallDeck(30, 7))]  # fmt: skip


@pytest.mark.parametrize(("lone_card", "deck"), SMALL)
def test_small_decks(lone_card, deck):
    compared, mismatches = check_questions(np.random.default_rng(72), 500, Rules(lone_card), deck)
    assert mismatches == []
    assert compared > 1250


MORE = [(False, WHOLE), (True, WHOLE), (True, SmallDeck(20, 3)), (False, SmallDeck(30, 7))]


@pytest.mark.slow
@pytest.mark.parametrize(("lone_card", "deck"), MORE + SMALL)
def test_many_moments(lone_card, deck):
    assert check_questions(np.random.default_rng(73), 100_000, Rules(lone_card), deck)[1] == []


def test_a_finish_that_was_overlooked():
    """With `less_one` built by shifting before masking."""
    position = pack([Position.parse("43^9v:32,36,39,48,58 37^7v:11,12,51,52")])
    moment = np.array([(1, 0b0110, 3, 7, 0b00100, 4, 6)], MOMENT_DTYPE)
    assert str(position_of(position[0], moment[0])) == "52^36v:12,51 58^11v:39"
    assert ask(_questions, position, moment, "can_finish", Rules()) == [1]


# what the questions rest on, in the words of the rules


def laid_on_own_piles(side, tricks=True):
    """The sets of cards that the player can lay on own piles; without `tricks`, with no back trick on the tops."""
    found, seen = set(), set()

    def lay(ascending, descending, rest):
        if (ascending, descending, rest) in seen:
            return
        seen.add((ascending, descending, rest))
        found.add(frozenset(side.hand) - frozenset(rest))
        for card in rest:
            left = tuple(one for one in rest if one != card)
            if card > ascending or (card == ascending - BACK and (tricks or ascending != side.ascending)):
                lay(card, descending, left)
            if card < descending or (card == descending + BACK and (tricks or descending != side.descending)):
                lay(ascending, card, left)

    lay(side.ascending, side.descending, side.hand)
    return found


def subsets(hand):
    return {frozenset(one) for count in range(len(hand) + 1) for one in combinations(hand, count)}


def sets_of(family, side):
    """The sets of the cards of a hand, one bit each, in a family of the kernel."""
    hand = sorted(side.hand)
    return {one for one in subsets(hand) if family >> sum(1 << hand.index(card) for card in one) & 1}


@BOTH
def test_who_could_not_finish_leaves_room_for_every_card(lone_card):
    """E3. So the other finishes just if it lays all cards but one, or all, on own piles."""
    rules, finishes = Rules(lone_card), Counter()
    for count in range(1, 7):
        y = Side(12, 50, tuple(range(20, 20 + count)))
        nearly_all, _ = _questions.families(Position(Side(1, 60, (40,)), y).packed)
        assert sets_of(nearly_all, y) == {one for one in subsets(y.hand) if len(one) >= count - 1}
    for position in sample("tight", 400, seed=74, most=4):
        followers = [one.position for one in outcomes(position, rules)]
        if any(not after.opponent.hand for after in followers):
            continue
        for after in followers:
            assert all(card < after.opponent.ascending or card > after.opponent.descending for card in after.mover.hand)
        for after in followers[::10]:
            if len(after.mover.hand) > 1:
                nearly = any(len(laid) >= len(after.mover.hand) - 1 for laid in laid_on_own_piles(after.mover))
                finishes[nearly] += 1
                assert nearly == Twin(rules).can_finish(after)
    assert min(finishes.values()) > 10


def test_a_helpful_card_takes_back_tricks_alone():
    """E4. What can be laid without them can be laid whatever helpful card comes; after some of these nothing else."""
    same = more = 0
    for position in sample("clustered", 200, seed=75, most=5):
        y = position.opponent
        plain = laid_on_own_piles(y, tricks=False)
        assert sets_of(_questions.families(position.packed)[1], y) == plain
        helped = [replace(y, ascending=card) for card in position.mover.hand if card < y.ascending]
        helped += [replace(y, descending=card) for card in position.mover.hand if card > y.descending]
        for after in helped:
            found = laid_on_own_piles(after)
            assert plain <= found
            same, more = same + (plain == found), more + (plain < found)
    assert min(same, more) > 50


@BOTH
def test_a_win_in_five_keeps_cards_for_two_turns(lone_card):
    """E7. And a win in three keeps them for one: these are the fewest, and they occur."""
    rules = Rules(lone_card)
    found = [one for position in sample("clustered", 400, seed=76) for one in outcomes(position, rules)]
    for depth, value in ((1, 3), (2, 5)):
        kept = Counter(len(one.position.opponent.hand) for one in found if one.value == value)
        assert min(kept) == _questions.fewest_for(depth, lone_card) == (1 if lone_card else 2) + 2 * (depth - 1)
        assert kept[min(kept)] >= 5


# the definitions against the readable twin


class Twin:
    """The questions of a position by the turns of the readable twin."""

    def __init__(self, rules):
        self.rules = rules
        self.followers = cache(lambda position: list(referee.outcomes(position, rules)))

    def can_finish(self, position):
        return any(not after.opponent.hand for after in self.followers(position))

    def stuck(self, position):
        # The game may be over (F12), but what the mover could lay does not depend on the opponent's hand.
        if not position.opponent.hand:
            shown = {number for side in (position.mover, position.opponent) for number in (side.ascending, side.descending)}
            spare = min(set(range(2, 60)) - shown - set(position.mover.hand))
            position = Position(position.mover, Side(position.opponent.ascending, position.opponent.descending, (spare,)))
        return next(referee.turns_of(referee.Table(position.mover, position.opponent), self.rules), None) is None

    def can_stick(self, position):
        return len(position.mover.hand) > 1 and any(self.stuck(after) for after in self.followers(position))

    def wins_at_once(self, position):
        return self.can_finish(position) or self.can_stick(position)

    def resists(self, position, depth):
        safe = [after for after in self.followers(position) if not self.wins_at_once(after)]
        if any(depth == 0 or self.resists(after, depth - 1) != RESISTS for after in safe):
            return RESISTS
        return SAFE_TURN if safe else NO_SAFE_TURN


@BOTH
def test_definitions_are_those_of_the_readable_twin(lone_card, times):
    rules, twin, seen = Rules(lone_card), Twin(Rules(lone_card)), Counter()
    rng = np.random.default_rng(74)
    positions = draw_positions(rng, 1200, rules)
    moments = draw_moments(rng, positions, rules)
    by_cards = np.argsort([int(moment["x_cards"]).bit_count() + int(moment["y_cards"]).bit_count() for moment in moments])
    positions, moments = positions[by_cards], moments[by_cards]
    answers = {question: ask(_plain, positions, moments, question, rules) for question in SIMPLE}
    deep = [ask(_plain, positions, moments, "resists", rules, depth) for depth in (0, 1, 2)]
    resisting = np.flatnonzero((answers["can_finish"] == 0) & (answers["can_stick"] == 0) & (deep[0] == RESISTS))
    for place in {*range(0, 600, 24 // times), *resisting[: 2 * times].tolist()}:
        now = position_of(positions[place], moments[place])
        for question in SIMPLE:
            assert getattr(twin, question)(now) == answers[question][place], (question, now)
            seen[question, int(answers[question][place])] += 1
        if not twin.wins_at_once(now):
            for depth in (0, 1, 2):
                assert twin.resists(now, depth) == deep[depth][place], (depth, now)
                seen[depth, int(deep[depth][place])] += 1
    for question in SIMPLE:
        assert min(seen[question, 0], seen[question, 1]) > times, seen
    assert min(seen[depth, answer] for depth in (0, 1) for answer in (NO_SAFE_TURN, RESISTS)) > 0, seen


@pytest.mark.share(2)
@BOTH
@pytest.mark.parametrize("kind", ["hard", "tight", "self_play"])
def test_definitions_give_the_remoteness_of_the_second_solver(kind, lone_card, times):
    """E9. The questions in the order in which the search asks them; full hands."""
    rules, positions = Rules(lone_card), pack(sample(kind, 30 * times, seed=76))
    moments = beginnings(positions)
    over = ask(_plain, positions, moments, "stuck", rules) == 1
    won = (ask(_plain, positions, moments, "can_finish", rules) | ask(_plain, positions, moments, "can_stick", rules)) == 1
    first, second = (ask(_plain, positions, moments, "resists", rules, depth) for depth in (1, 2))
    value = np.select([over, won, first == RESISTS, first == NO_SAFE_TURN, second == RESISTS], [0, 1, 3, 2, 5], 4)
    assert np.array_equal(value, remoteness(positions, lone_card))
    assert [_questions.value_of(position.item(), lone_card) for position in positions] == value.tolist()


# moments


def test_a_moment_after_one_turn_is_an_outcome():
    positions = pack(sample("clustered", 200, seed=77, most=4))
    moments = np.zeros(len(positions), MOMENT_DTYPE)
    seeds = np.arange(len(positions), dtype=np.uint64)
    _plain.draw_range(positions, seeds, np.ones(len(positions), np.int8), moments, False)
    moved = 0
    for position, moment in zip(positions, moments, strict=True):
        now, before = position_of(position, moment), position_of(position, beginnings(position[None])[0])
        if moment["who"]:
            assert now in {outcome.position for outcome in outcomes(before)}
            moved += 1
        else:
            assert now == before
    assert moved > 50


def test_drawn_positions_are_well_formed_and_various(times):
    for rules, deck in ((Rules(), WHOLE), (Rules(True), SmallDeck(20, 4)), (Rules(), SmallDeck(7, 2))):
        positions = draw_positions(np.random.default_rng(78), 250 * times, rules, deck)
        assert len(positions) == 250 * times
        moments = draw_moments(np.random.default_rng(79), positions, rules)
        for position, moment in zip(positions[: 30 * times], moments[: 30 * times], strict=True):
            position_of(position, beginnings(position[None])[0])  # raises if it is not well-formed
            assert moment["x_cards"] and moment["y_cards"] and position_of(position, moment)
        assert 0.2 < moments["who"].mean() < 0.8
    sizes = Counter(int(hand).bit_count() for hand in draw_positions(np.random.default_rng(80), 2000)["mover_hand"])
    assert min(sizes[size] for size in range(1, 7)) > 5


@BOTH
def test_pairs_of_turns_share_the_helpful_card(lone_card):
    rules = Rules(lone_card)
    positions = draw_positions(np.random.default_rng(81), 150, rules)
    moments = draw_moments(np.random.default_rng(82), positions, rules)
    first, second = np.zeros_like(moments), np.zeros_like(moments)
    _plain.pair_range(positions, moments, np.arange(150, dtype=np.uint64), first, second, lone_card)
    pairs = different = 0
    for position, moment, *two in zip(positions, moments, first, second, strict=True):
        if two[0] == moment:
            assert two[1] == moment
            continue
        reached = {outcome.position for outcome in outcomes(position_of(position, moment), rules)}
        assert {position_of(position, one) for one in two} <= reached
        assert all(two[0][name] == two[1][name] for name in ("who", "x_cards", "x_up", "x_down"))
        pairs += 1
        different += two[0] != two[1]
    assert pairs > 50
    assert different > 20


# what is told


def test_a_mismatch_tells_the_question_and_the_moment(monkeypatch):
    class Wrong:
        """A search with one finish overlooked, and one too many."""

        def ask_range(self, positions, moments, answers, question, *rest):
            _questions.ask_range(positions, moments, answers, question, *rest)
            if question == "can_finish" and len(answers) == 300:
                answers[[3, 200]] ^= 1

        def __getattr__(self, name):
            return getattr(_questions, name)

    positions = draw_positions(np.random.default_rng(83), 300)
    rng = np.random.default_rng(83)
    draw_positions(rng, 300)
    moments = draw_moments(rng, positions)
    truth = ask(_plain, positions, moments, "can_finish", Rules())
    monkeypatch.setattr(questions, "_questions", Wrong())
    compared, mismatches = check_questions(np.random.default_rng(83), 300)
    assert compared > 1000
    for place, mismatch in zip((3, 200), mismatches, strict=True):
        now = position_of(positions[place], moments[place])
        assert mismatch.question == "can_finish"
        assert mismatch.position == position_of(positions[place], beginnings(positions[place : place + 1])[0])
        assert mismatch.moment == moments[place].item()
        assert (mismatch.found, mismatch.expected) == (1 - truth[place], truth[place])
        assert str(mismatch).startswith(f"can_finish of {now}: {1 - truth[place]}, by definition {truth[place]} (in a line of ")


# what is refused


def test_moments_that_are_none():
    positions = pack([Position.parse("27^40v:17,18,45 13^50v:5,12")])
    answers = np.zeros(1, np.uint8)
    fine = (0, 0b111, 12, 12, 0b11, 12, 12)
    asked = "can_finish", 0, False
    for module in (_plain, _questions):
        module.ask_range(positions, np.array([fine], MOMENT_DTYPE), answers, *asked)
        for moment in (
            (2, 0b111, 12, 12, 0b11, 12, 12),  # no such player
            (0, 0b1111, 12, 12, 0b11, 12, 12),  # a card too many
            (1, 0b111, 12, 12, 0b11, 12, 12),
            (0, 0b111, 2, 12, 0b11, 12, 12),  # on a pile and in the hand
            (0, 0b111, 12, 6, 0b11, 12, 12),
            (0, 0b111, 12, 12, 0b11, 12, 8),
            (0, 0b011, 3, 12, 0b11, 12, 12),  # no such card
            (0, 0b111, 8, 12, 0b01, 12, 12),
            (0, 0b111, 13, 12, 0b11, 12, 12),
            (0, 0b011, 2, 2, 0b11, 12, 12),  # on two piles
            (0, 0b011, 2, 12, 0b11, 12, 8),
            (0, 0b111, 12, 7, 0b01, 1, 12),
        ):
            moments = np.array([moment], MOMENT_DTYPE)
            with pytest.raises(ValueError, match="moment 0 does not occur in position 0"):
                module.ask_range(positions, moments, answers, *asked)
