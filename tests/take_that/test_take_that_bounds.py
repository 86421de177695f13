"""What the search of Take That claims of a state without searching it, each claim by itself against brute force.

docs/take_that.md proves the claims.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from backtrick_development.take_that._claims import claims_after, shifted

from backtrick.take_that import Position, Rules, Turn, legal_turns, pack_turn
from backtrick.take_that.rule_options import DECK, cost, is_toad, twisted
from backtrick.take_that.rules import play, value
from oracles.take_that_deals import value_of
from take_that_samples import ALL_RULES, SMALL_DECKS, every_position, random_position

rule_options = pytest.mark.parametrize("options", ALL_RULES, ids=str)
DECKS = SMALL_DECKS | {"two toads and a pair": (22, 23, 32, 33), "all near": (23, 24, 32, 42)}
DENSE = (33, 34, 35, 43, 44, 45, 53, 54, 36, 63)


def claims_of(position: Position, codes: list[int] | None = None) -> dict[str, tuple[int, int]]:
    return claims_after(np.frombuffer(position.packed, np.uint8), np.array(codes or [], np.uint8))


def check(position: Position, points: int, claims: dict[str, tuple[int, int]], options: Rules) -> dict[str, int]:
    """E1, E2 with E3, E4. Asserts that every claim is right; returns for each how much it says: 0 if it is exact."""
    least, most = claims["counting"]
    assert least <= points <= most and (least, most) == counted(position), (position, points, claims)
    taken, given = claims["ends"]
    assert points <= taken or points >= given, (position, points, claims)
    sharp = {"counting": min(points - least, most - points), "ends": min(abs(points - taken), abs(points - given))}
    if not options.forced_only:  # T10
        least, most = claims["taking"]
        assert points <= most, (position, points, claims)
        sharp["ceiling"] = most - points
        if position.line:
            assert points >= least, (position, points, claims)
            sharp["floor"] = points - least
    return sharp


def counted(position: Position) -> tuple[int, int]:
    """E4, as docs/take_that.md says it: a looser bound would be true, and would cost time alone."""
    mine, others, toads = len(position.mover), len(position.opponent), sum(map(is_toad, position.mover + position.opponent))
    paid = cost(position.line) + 4 * toads
    return -(paid + 2 * min(mine, others)), paid + 2 * min(mine - 1, others) + 1


def has_a_turn(position: Position, options: Rules) -> bool:
    return any(not turn.is_take for turn in legal_turns(position, options))


@pytest.mark.share(4)
@rule_options
@pytest.mark.parametrize("deck", DECKS.values(), ids=list(DECKS))
def test_every_claim_about_every_position_of_a_small_deck(deck, options):
    exact: dict[str, int] = {}
    for position in every_position(deck):
        if not has_a_turn(position, options):
            continue
        points = value_of(position, options)
        for name, distance in check(position, points, claims_of(position), options).items():
            exact[name] = exact.get(name, 0) + (distance == 0)
    assert min(exact.values()) > 10, "each claim is met exactly, so no better one of its kind is right"


@rule_options
def test_every_claim_about_the_states_of_a_game(options, times):
    """States in the middle of a game: cards laid in it lie in the line, others were twisted away."""
    random = Random(f"claims {options}")
    dropped = {"lays": 0, "twists": 0}
    for number in range(150 * times):
        deck = (DENSE, DECK)[number % 2]
        start = position = random_position(random, 4, 6, deck)
        memo: dict[Position, int] = {}
        codes: list[int] = []
        while position is not None and has_a_turn(position, options):
            claims = claims_of(start, codes)
            check(position, value(position, options, memo), claims, options)
            turns = [turn for turn in legal_turns(position, options) if not turn.is_take]
            points = {turn: worth(position, turn, options, memo) for turn in turns}
            for kind in dropped:
                one_kind = [turn for turn in turns if turn.is_twist == (kind == "twists")]
                left = [points[turn] for turn in one_kind if turn.card not in claims[kind]]
                assert all(points[turn] in left for turn in one_kind if turn.card in claims[kind]), (position, kind)
                dropped[kind] += len(claims[kind])
            turn = random.choice(turns)
            codes.append(pack_turn(turn))
            position = play(position, turn, options)[1]
    assert min(dropped.values()) > times, dropped


def worth(position: Position, turn: Turn, options: Rules, memo: dict[Position, int]) -> int:
    points, following = play(position, turn, options)
    return points - (value(following, options, memo) if following else 0)


@rule_options
def test_a_twin_is_worth_the_same(options):
    """E6. Two cards near the same cards, whose twisted cards lie under the floor or nowhere."""
    memo: dict[Position, int] = {}
    for text, kind, card in (
        ("34,35 36,37 12-38", "lays", 35),
        ("14,95 36 41-59-12-38", "twists", 95),
        ("34,35 36 43-53-38", "lays", 35),
    ):
        position = Position.parse(text)
        assert claims_of(position)[kind] == [card]
        turns = [turn for turn in legal_turns(position, options) if turn.is_twist == (kind == "twists")]
        values = {worth(position, turn, options, memo) for turn in turns if not turn.is_take}
        assert len(values) == 1, (text, values)
    for text in ("34,35 36,53 12-38", "34,35 36,45 12-38", "34,35 36 43-12-38", "33,34 35 12-38", "34,35 36 38-43-53"):
        assert claims_of(Position.parse(text))["lays"] == claims_of(Position.parse(text))["twists"] == [], text


@rule_options
def test_bounds_at_one_cost_give_bounds_at_another(options, times):
    """E5. More cards under the floor change what taking costs, and nothing else."""
    random = Random(f"cost {options}")
    cases = moved = 0
    while cases < 50 * times:
        position = random_position(random, 4, 6)
        hands = position.mover + position.opponent
        used = {*hands, *position.line}
        dead = [card for card in DECK if card not in used and (is_toad(card) or twisted(card) not in hands)]
        if not has_a_turn(position, options) or not any(is_toad(card) or twisted(card) not in hands for card in position.line):
            continue
        cases += 1
        under = random.sample(dead, random.randint(1, 4))
        other = Position(position.mover, position.opponent, (*under, *position.line))
        more = sum(5 if is_toad(card) else 1 for card in under)
        here, there = value(position, options), value(other, options)
        for old, new, by, to in ((here, there, more, other), (there, here, -more, position)):
            taken, given = claims_of(to)["ends"]
            for below in range(0, 12):
                for above in range(0, 12):
                    low, high = shifted(old - below, old + above, by, taken, given)
                    assert low <= new <= high, (position, other, below, above)
            moved += shifted(old, old, by, taken, given) == (new, new)
    assert moved > 65 * times, "of two exact values for each case most stay exact"
