"""Odds: the worlds of a view counted and listed, exact odds against a plain definition, sampled ones against exact ones."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import count, permutations
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from backtrick import face_to_face, take_that
from backtrick.budget import Budget, Cancel
from backtrick.errors import ArgumentError
from backtrick.face_to_face import worlds as duel
from backtrick.face_to_face.rules import legal_turns, outcomes
from backtrick.play.odds import BY_PRECISION, BY_SAMPLES, BY_SECONDS, EVERY, odds
from backtrick.random import Stream
from backtrick.take_that import worlds as line
from backtrick.take_that.rules import play, value
from command import ROOT
from numbered_worlds import Numbers
from oracles.face_to_face_deals import is_won, random_deal, random_rules
from samples import golden

LEGAL = {"face_to_face": legal_turns, "take_that": take_that.legal_turns}
AFTER = {"face_to_face": face_to_face.after, "take_that": take_that.after}
WORLDS = {"face_to_face": duel, "take_that": line}


# Views of small games


def duel_views(count: int, seed: int) -> list[face_to_face.View]:
    """Views of small random deals under random rules, small enough for the plain recursion."""
    random, found = Random(seed), []
    while len(found) < count:
        rules = random_rules(random)
        state = face_to_face.State.begin(random_deal(random, 5), rules)
        view = state.view(0)
        orders = math.factorial(len(view.unlaid)) * math.factorial(len(view.own.pile))
        cards = len(view.own.hand) + len(view.own.pile) + len(view.unlaid)
        if state.to_move == 0 and 1 < orders <= 120 and cards <= 8 and (view.own.pile or view.pile_size):
            found.append(view)
    return found


def line_view(number: int, hand: int = 2, pile: int = 2) -> take_that.View:
    """A view of a small random round of Take That, after some turns."""
    random = Random(number)
    rules = take_that.Rules(forced_only=random.random() < 0.5, empty_line=random.choice(["opens", "ends"]))
    cards = random.sample([card for card in range(12, 60) if card % 10], 2 * hand + pile + 2)
    state = take_that.State.deal(cards, rules, hand_size=hand)
    while len(state.pile) > pile or state.phase != "move":
        state = state.apply(random.choice(state.legal()))
    return state.view(state.to_move)


def duels() -> Iterator[face_to_face.View]:
    """Small views, most of them with a turn that wins in some worlds only."""
    for text, reading in golden("odds_views.txt"):
        yield face_to_face.View.parse(text, face_to_face.Rules(lone_card=reading == "lone"))


VIEWS = {
    "face_to_face": list(duels()),
    "take_that": [line_view(number, hand, pile) for hand in (1, 2) for pile in (1, 2, 3) for number in range(3)],
}


def raw_worlds(view):
    """Every order of all hidden cards as a position: the definition of what is equally likely."""
    if isinstance(view, take_that.View):
        for cards in permutations(view.unseen):
            yield take_that.Position(view.hand, cards[: view.hand_size], view.line, cards[view.hand_size :])
        return
    for cards in permutations(sorted(view.unlaid)):
        other = face_to_face.Side(view.ascending, view.descending, cards[: view.hand_size], cards[view.hand_size :])
        for pile in permutations(sorted(view.own.pile)):
            own = face_to_face.Side(view.own.ascending, view.own.descending, view.own.hand, pile)
            yield face_to_face.Position(own, other)


def plain_values(position, rules, memo) -> dict[str, int]:
    """What each turn is worth in a world, by the readable rules alone; of the turns with one outcome, the first."""
    if isinstance(position, take_that.Position):
        found = {}
        for turn in take_that.legal_turns(position, rules):
            points, following = play(position, turn, rules)
            found[str(turn)] = points - (0 if following is None else value(following, rules, memo))
        return found
    return {str(turn): int(not is_won(following, rules, memo)) for following, (turn, _) in outcomes(position, rules).items()}


def plain_odds(view, belief=lambda position: 1) -> dict[str, Fraction]:
    """The definition: the mean over all orders of all hidden cards."""
    memo, total, sums = {}, Fraction(0), Counter()
    for position in raw_worlds(view):
        weight = Fraction(belief(position))
        total += weight
        for turn, found in plain_values(position, view.rules, memo).items():
            sums[turn] += weight * found
    return {turn: found / total for turn, found in sums.items()}


# Worlds


@pytest.mark.parametrize("game", VIEWS)
def test_every_world_is_listed_once(game):
    for view in VIEWS[game]:
        worlds = WORLDS[game].Worlds(view)
        listed = list(worlds.every())
        assert len(listed) == len(set(listed)) == worlds.count
        assert all((world.to_move, world.view(0)) == (0, view) for world in listed)
        raw = {position if game == "take_that" else duel.as_world(view_state(position, view)).position()
               for position in raw_worlds(view)}  # fmt: skip
        assert raw == {world.position() for world in listed}


def view_state(position, view):
    return face_to_face.State.begin(position, view.rules)


def test_the_order_of_two_cards_that_are_drawn_together_changes_no_turn():
    """F11, without the kernel: worlds that are one here have the same value for every turn by the readable rules."""
    compared = 0
    for view in [view for view in VIEWS["face_to_face"] if view.own.pile]:
        memo = {}
        for position in raw_worlds(view):
            world = duel.as_world(view_state(position, view)).position()
            if world != position:
                compared += 1
                assert plain_values(position, view.rules, memo) == plain_values(world, view.rules, memo)
    assert compared > 40


@pytest.mark.parametrize("game", VIEWS)
def test_drawn_worlds_are_equally_likely(game):
    view = next(view for view in VIEWS[game] if 10 <= WORLDS[game].count_worlds(view) <= 30)
    worlds = WORLDS[game].Worlds(view)
    every, draws = list(worlds.every()), 100 * worlds.count
    found = Counter(worlds.draw(Stream(7, number)) for number in range(draws))
    assert set(found) == set(every)
    chi_squared = sum((count - 100) ** 2 / 100 for count in found.values())
    assert chi_squared < worlds.count + 5 * math.sqrt(2 * worlds.count)


def test_counts_by_hand():
    duel_text, line_text = "27^40v:17,18+?9,33,50 13^50v:?2:4,5,9,12", "12,33 21,94 34-41 55,63"
    assert duel.count_worlds(face_to_face.View.parse(duel_text)) == 6 * 1 * 3  # hands, a pile of two, a pile of three
    start = face_to_face.State.deal([list(range(2, 60))] * 2).view(0)
    assert duel.count_worlds(start) == math.comb(58, 6) * (math.factorial(52) // 2) ** 2
    assert line.count_worlds(take_that.State.begin(take_that.Position.parse(line_text)).view(0)) == 6 * 2


# Exact odds


@pytest.mark.parametrize("game", VIEWS)
def test_exact_odds_are_the_plain_definition(game):
    assert check_exact(game, VIEWS[game]) >= 5


@pytest.mark.slow
def test_exact_odds_of_many_views_are_the_plain_definition():
    assert check_exact("face_to_face", duel_views(200, seed=3)) >= 6
    assert check_exact("take_that", [line_view(number, 2, pile) for pile in (1, 2, 3) for number in range(50)]) >= 50


def check_exact(game, views) -> int:
    """Compares the odds of views, and counts those with a turn whose worth differs between worlds."""
    undecided = 0
    for view in views:
        found = WORLDS[game].odds(view, samples=5000, threads=1)
        assert (found.exact, found.ended, found.worlds) == (True, EVERY, found.count)
        assert {str(one.turn): one.value for one in found.turns} == plain_odds(view)
        assert all(one.lowest == one.highest for one in found.turns)
        assert all(isinstance(one.value, Fraction) and one.error is None and not one.unsolved for one in found.turns)
        assert [one.value for one in found.turns] == sorted((one.value for one in found.turns), reverse=True)
        undecided += any(one.value.denominator > 1 for one in found.turns)
    return undecided


@pytest.mark.parametrize("game", VIEWS)
def test_a_belief_weighs_the_worlds(game):
    def belief(hand) -> float:
        return 0.25 + max(hand) % 3

    for view in [view for view in VIEWS[game] if WORLDS[game].count_worlds(view) > 3][:4]:
        if game == "take_that":
            found = line.odds(view, belief=lambda world: belief(world.hands[1]))
            expected = plain_odds(view, lambda position: belief(position.opponent))
        else:
            found = duel.odds(view, belief=lambda world: belief(world.table.opponent.hand))
            expected = plain_odds(view, lambda position: belief(position.opponent.hand))
        assert found.exact and found.weighted
        assert {str(one.turn): one.value for one in found.turns} == expected


def test_a_world_that_is_not_solved_leaves_bounds():
    view = face_to_face.View.parse("10^46v:35,49,53,55,57,59+?5,11,15 9^30v:?6:6,8,11,14,17,23,37")
    exact, cut = duel.odds(view), duel.odds(view, Budget(nodes=1))
    assert exact.exact and cut.exact and any(one.unsolved for one in cut.turns)
    for one in cut.turns:
        assert one.lowest <= exact.of(one.turn).value <= one.highest
        assert one.highest - one.lowest == Fraction(one.unsolved, cut.count) and (one.value is None) == (one.unsolved > 0)


def test_a_player_without_a_turn_has_no_odds():
    found = duel.odds(face_to_face.View.parse("58^3v:17,18 13^50v:?2:4,5,9,12"))
    assert (found.turns, found.best, found.exact) == ((), None, True)
    assert line.odds(take_that.State.begin(take_that.Position.parse("- 12 -")).view(0)).turns == ()


@pytest.mark.parametrize("game", VIEWS)
def test_the_place_of_a_turn_is_that_of_its_outcome(game):
    for view in VIEWS[game][:6]:
        worlds = WORLDS[game].Worlds(view)
        position = next(worlds.every()).position()
        of_first = {str(AFTER[game](position, turn, view.rules)): place for place, turn in enumerate(worlds.turns)}
        for turn in LEGAL[game](position, view.rules):
            assert worlds.place(turn) == of_first[str(AFTER[game](position, turn, view.rules))]


@pytest.mark.parametrize("view", ["not to move", "within a turn"])
def test_odds_are_asked_at_the_beginning_of_an_own_turn(view):
    state = face_to_face.State.begin(face_to_face.Position.parse("27^40v:17,18,45+9,33,50 13^50v:5,12"))
    seen = state.view(1) if view == "not to move" else state.apply(state.legal()[0]).view(0)
    with pytest.raises(ArgumentError, match="at the beginning of a turn"):
        duel.odds(seen)


# Sampled odds, on worlds that are numbers: the turns are worth what `worth` says of a number


def test_sampled_odds_are_near_the_exact_ones():
    found = odds(Numbers(1000), samples=400, seed=3)
    assert (found.exact, found.ended, found.worlds, found.count) == (False, BY_SAMPLES, 400, 1000)
    assert [one.turn for one in found.turns] == [900, 300, 0]
    for one in found.turns:
        share = one.turn / 1000
        assert abs(one.value - share) < 3 * one.error
        mean = one.value
        assert one.error == pytest.approx(math.sqrt(400 * mean * (1 - mean) + 1) / 400)


@pytest.mark.parametrize(("samples", "belief"), [(50, None), (60, lambda world: 1 + world % 7)], ids=["even", "weighted"])
def test_standard_errors_are_those_of_many_samples(samples, belief, times):
    """The spread of the shares of 100 seeds is the error that each states, within 20 %; of 400 within 10 %."""
    numbers, seeds = Numbers(10**6, (300_000,)), range(50 * times)
    found = [odds(numbers, samples=samples, seed=seed, threads=1, belief=belief).turns[0] for seed in seeds]
    assert np.mean([one.value for one in found]) == pytest.approx(0.3, abs=0.01)
    assert np.std([one.value for one in found]) == pytest.approx(np.mean([one.error for one in found]), rel=0.2 / times**0.5)


@pytest.mark.parametrize("limits", [{"samples": 50}, {"precision": 0.05}, {"samples": 20, "precision": 0.05}])
def test_a_seed_repeats_itself_with_any_number_of_threads(limits):
    one, other = (odds(Numbers(10**9, (10**8,)), seed=5, threads=threads, **limits) for threads in (1, 4))
    assert one == other and one != odds(Numbers(10**9, (10**8,)), seed=6, **limits)


def test_precision_ends_the_work():
    found = odds(Numbers(10**6, (300_000, 10)), precision=0.02, seed=1)
    assert found.ended == BY_PRECISION and max(one.error for one in found.turns) <= 0.02
    assert 400 < found.worlds < 700  # 0.3 * 0.7 / 0.02 ** 2 = 525
    just = odds(Numbers(10**6, (300_000, 10)), precision=max(one.error for one in found.turns), seed=1)
    assert (just.worlds, just.ended) == (found.worlds, BY_PRECISION), "a precision that is just reached is reached"
    assert odds(Numbers(10**6, (300_000,)), precision=0.012, threads=1).worlds > 1000  # 0.3 * 0.7 / 0.012 ** 2 = 1458
    assert odds(Numbers(10**6, (300_000,)), precision=10, threads=1).worlds == 2, "one world alone has no spread"


def test_seconds_end_the_work(monkeypatch):
    found = odds(Numbers(10**9, (10**8,)), seconds=0.05)
    assert (found.exact, found.ended) == (False, BY_SECONDS) and found.worlds >= 1
    seconds = SimpleNamespace(monotonic=count().__next__)  # one passes at each look
    monkeypatch.setattr(sys.modules["backtrick.play.odds"], "time", seconds)
    few = odds(Numbers(500, (100,)), seconds=0.5, precision=1e-9, threads=1)
    assert (few.exact, few.ended, few.worlds) == (False, BY_SECONDS, 1)
    many = odds(Numbers(10**6, (100,)), seconds=9000.5, threads=1)
    assert many.ended == BY_SECONDS and many.worlds > 1000, "1,000 worlds are the limit only where nothing is limited"


def test_few_worlds_are_looked_at_once_each_in_random_order():
    worlds = Numbers(200, (50,))
    found = odds(worlds, samples=200, seconds=60, threads=1)
    assert found.exact and found.turns[0].value == Fraction(1, 4)
    assert sorted(worlds.seen) == list(range(200)) != worlds.seen
    assert odds(Numbers(200, (50,)), samples=199).exact is False
    assert odds(Numbers(200, (50,)), samples=1).worlds == 1


def test_records():
    exact = odds(Numbers(10, (3,))).record()
    assert exact == {
        "view": "numbers", "exact": True, "worlds": 10, "count": 10, "weighted": False, "ended": "every world",
        "turns": [{"turn": "3", "value": 0.3, "fraction": "3/10", "unsolved": 0}],
    }  # fmt: skip
    drawn = odds(Numbers(10**6, (0,)), samples=5, seed=8).record()
    assert drawn["turns"] == [{"turn": "0", "value": 0.0, "error": 0.2, "unsolved": 0}]
    assert (drawn["seed"], drawn["ended"], drawn["exact"]) == (8, "samples", False)


# Where the number misleads (docs/odds.md)


def hidden_value(position: take_that.Position, first: take_that.Turn) -> Fraction:
    """What a turn is worth, with four cards in the pile, if both hands are known and nobody sees the pile or what the other draws.

    After the opponent's reply, which nobody's secrets can influence, the mover knows the first card of the pile, and chooses a
    turn; the opponent knows the second card and that turn, and answers. Then the pile is empty, and all is known.
    """
    rules, memo, worth = take_that.PUBLISHED, {}, []
    orders = [replace(position, pile=order) for order in permutations(position.pile)]
    begun = [play(order, first, rules) for order in orders]
    for reply in take_that.legal_turns(begun[0][1], rules):
        gains: dict[tuple[tuple, tuple], Fraction] = Counter()
        for (points, place), order in zip(begun, orders, strict=True):
            lost, second = play(place, reply, rules)
            for turn in take_that.legal_turns(second, rules):
                won, third = play(second, turn, rules)
                for answer in take_that.legal_turns(third, rules):
                    paid, end = play(third, answer, rules)
                    total = points - lost + won - paid + value(end, rules, memo)
                    gains[(order.pile[0], turn), (order.pile[1], turn, answer)] += Fraction(total + RAISED, len(orders))
        worth.append(equilibrium(gains))
    return min(worth)


RAISED = 100
"""What is added to gains, so that all are above 0."""


def equilibrium(gains: dict[tuple[tuple, tuple], Fraction]) -> Fraction:
    """The value of a game in which the mover, by what it knows, chooses a turn, and the opponent answers by what it knows. gains:
    by (what the mover knows, turn) and (what the opponent knows, turn, answer): what the mover gets, and `RAISED`, times the chance
    that they know this.

    As a linear program: for each thing that the mover knows the chances of its turns add up to at most 1; and where the opponent
    knows something and sees a turn, the mover gets at most what it gets by each answer.
    """
    plans, answers = (sorted({pair[side] for pair in gains}, key=str) for side in (0, 1))
    seen, known = sorted({answer[:2] for answer in answers}, key=str), {plan[0] for plan in plans}
    rows = [
        [-gains.get((plan, answer), 0) for plan in plans] + [int(one == answer[:2]) for one in seen] + [0] for answer in answers
    ]  # fmt: skip
    rows += [[int(plan[0] == own) for plan in plans] + [0] * len(seen) + [1] for own in known]
    return most(rows, [0] * len(plans) + [1] * len(seen)) - RAISED


def most(rows: list[list], goal: list[int]) -> Fraction:
    """The greatest sum of goal times x for x of at least 0, where each row is the factors of x and what their sum is at most, at
    least 0: the simplex method in fractions, with the rule of Bland, by which it ends."""
    count, slacks = len(goal), len(rows)
    table = [[*map(Fraction, row[:-1]), *(Fraction(i == j) for j in range(slacks)), Fraction(row[-1])]
             for i, row in enumerate(rows)]  # fmt: skip
    costs = [*(Fraction(-one) for one in goal), *[Fraction(0)] * (slacks + 1)]
    basis = list(range(count, count + slacks))
    while (enters := next((place for place, cost in enumerate(costs[:-1]) if cost < 0), None)) is not None:
        _, _, row = min((one[-1] / one[enters], basis[i], i) for i, one in enumerate(table) if one[enters] > 0)
        basis[row] = enters
        table[row] = [one / table[row][enters] for one in table[row]]
        for other in (*table[:row], *table[row + 1 :], costs):
            if factor := other[enters]:
                other[:] = [one - factor * pivot for one, pivot in zip(other, table[row], strict=True)]
    return costs[-1]


def test_a_bluff_by_hand():
    """The mover has an ace or a queen, the opponent a king, and 1 is in the pot. The mover may bet 1, the opponent may fold. With
    the queen the mover bets every other time: then it gets 3/4 whether the opponent folds, (1 + 1/2) / 2, or calls, (2 - 1/2) / 2.
    """
    gains = {
        (("ace", "bet"), ("king", "bet", "call")): 2, (("ace", "bet"), ("king", "bet", "fold")): 1,
        (("queen", "bet"), ("king", "bet", "call")): -1, (("queen", "bet"), ("king", "bet", "fold")): 1,
        (("ace", "check"), ("king", "check", "")): 1, (("queen", "check"), ("king", "check", "")): 0,
    }  # fmt: skip
    assert equilibrium({pair: Fraction(gained + RAISED, 2) for pair, gained in gains.items()}) == Fraction(3, 4)


def test_odds_mislead_where_cards_stay_hidden():
    """The position of docs/odds.md: the best turn by odds is worse than another for players who cannot see the pile."""
    position = take_that.Position.parse("44,47 33,51 23-48-58 22,26,32,56")
    view = take_that.State.begin(position).view(0)
    found = line.odds(view, belief=lambda world: world.hands[1] == position.opponent)
    by_odds = {str(one.turn): one.value for one in found.turns}
    assert found.exact and by_odds == {"take,47": Fraction(-1, 4), "take,44": Fraction(-7, 2)}
    hidden = {str(one.turn): hidden_value(position, one.turn) for one in found.turns}
    assert hidden == {"take,47": Fraction(-163, 84), "take,44": Fraction(-3, 4)}
    text = (ROOT / "docs" / "odds.md").read_text()
    assert "| `take,47` | -1/4 | -163/84 |\n| `take,44` | -7/2 | -3/4 |" in text and str(position) in text


# What a caller may get wrong


VIEW = "45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12"


def test_a_view_may_be_in_notation():
    assert face_to_face.odds(VIEW) == face_to_face.odds(face_to_face.View.parse(VIEW))


def test_odds_are_shown_in_one_line_and_in_a_table():
    found = face_to_face.odds(VIEW)
    assert repr(found) == f"<Odds {VIEW}: 33^' 50^ 1/2, best of {len(found.turns)}; 18 of 18 worlds>"
    assert found._repr_html_().count("<tr>") == len(found.turns) and "33^&#x27; 50^" in found._repr_html_()


def test_a_cancel_ends_the_drawing_of_worlds():
    """The world that is looked at is counted, and no further one is begun."""
    numbers, cancel = Numbers(10**6), Cancel()
    numbers.budget = Budget(cancel=cancel)
    cancel()
    assert odds(numbers, samples=100, threads=1).worlds == 1
