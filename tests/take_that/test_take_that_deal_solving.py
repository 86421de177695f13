"""Deals of Take That: the solver against a plain recursion, each bound by itself, each idea off, small decks whole, limits."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import permutations
from typing import NamedTuple

import pytest
from backtrick_development.take_that._deal_claims import claims_of

from backtrick.budget import UNLIMITED, Budget, deadline
from backtrick.errors import NotSolvedError
from backtrick.game import SolveOptions
from backtrick.take_that import GAME, Position, Rules, Turn, after, mirror, value
from backtrick.take_that import rules as readable
from backtrick.take_that._deal import DealSolver, SharedTable
from backtrick.take_that.deal import answer_by, line_by, new_team, outcomes_by
from backtrick.take_that.rule_options import DECK
from backtrick_development.take_that import _deal_claims
from command import ROOT
from laws import LAWS
from oracles.take_that_deals import random_deal, random_rules, turn_values, value_of
from samples import golden
from take_that_samples import ROUND_RULES

DEALS = ROOT / "benchmarks" / "positions"
PUBLISHED = Rules()
OPENS = PUBLISHED.code
IDEAS = 9
EVERY_IDEA = (1 << IDEAS) - 1
ONE_OFF = [EVERY_IDEA ^ (1 << place) for place in range(IDEAS)]
TAKING_BOUNDS, NARROW = 1, 256


def packed(deal):
    return Position(deal.mover, deal.opponent, deal.line).packed, bytes(deal.pile)


def kernel(deal, rules=PUBLISHED, ideas=EVERY_IDEA, nodes=0, table_bytes=1 << 20):
    solver = DealSolver(rules.code, table_bytes, ideas)
    return solver.value(*packed(deal), nodes)[:3]


def committed(pile, count):
    lines = (DEALS / f"take_that_deals_{pile}.txt").read_text().splitlines()
    return [Position.parse(line) for line in lines if not line.startswith("#")][:count]


@cache
def deals_of(seed):
    """Deals without end, and those of them that were drawn."""
    return random.Random(seed), []


def small_deals(count, seed):
    """(deal, rules, value), by the plain recursion."""
    rng, drawn = deals_of(seed)
    while len(drawn) < count:
        deal, rules = random_deal(rng, 3, 5, 4), random_rules(rng)
        drawn.append((deal, rules, value_of(deal, rules)))
    return drawn[:count]


def test_twin_and_recursion_agree():
    for deal, rules, expected in small_deals(100, 1):
        assert readable.value(deal, rules, {}) == expected, (str(deal), rules)


@pytest.mark.parametrize("count", [400, pytest.param(30_000, marks=pytest.mark.slow)])
def test_solver_and_recursion_agree(count):
    for deal, rules, expected in small_deals(count, 1):
        for ideas in (EVERY_IDEA, 0):
            assert kernel(deal, rules, ideas)[:2] == (expected, expected), (str(deal), rules, ideas)


PROFESSIONAL = Rules(professional=True)
def listed(kind):
    """Deals of tests/data/take_that_deals.txt: the text, a value, and why it is there."""
    return [row for one, *row in golden("take_that_deals.txt") if one == kind]


@pytest.mark.parametrize(("text", "what"), [(text, what) for text, _, what in listed("apart")])
def test_what_the_professional_rule_needs_to_know(text, what):
    deal = Position.parse(text)
    expected = value_of(deal, PROFESSIONAL)
    assert kernel(deal, PROFESSIONAL)[:2] == (expected, expected), what


@pytest.mark.parametrize("count", [400, pytest.param(30_000, marks=pytest.mark.slow)])
def test_solver_and_recursion_agree_under_the_professional_rule(count):
    rng = random.Random(1)
    for _ in range(count):
        deal = random_deal(rng, 3, 5, 4)
        rules = Rules(rng.random() < 0.3, "opens", True)
        expected = value_of(deal, rules)
        assert kernel(deal, rules)[:2] == (expected, expected), (str(deal), rules)


@pytest.mark.parametrize("ideas", ONE_OFF)
def test_each_idea_off_agrees_with_all(ideas):
    for deal, rules, expected in small_deals(300, 1):
        assert kernel(deal, rules, ideas)[:2] == (expected, expected), (str(deal), rules)
    for deal in committed(4, 12):
        assert kernel(deal)[:2] == kernel(deal, ideas=ideas)[:2], str(deal)


def check_deck(deck, held, rules):
    """Both hands of `held` of the cards, every order of the rest, and every position that is reached from there."""
    memo, checked, solver = {}, 0, DealSolver(rules.code, 1 << 16)
    for cards in permutations(deck):
        first, second = cards[:held], cards[held : 2 * held]
        if first == tuple(sorted(first)) and second == tuple(sorted(second)):
            value_of(Position(first, second, (), cards[2 * held :]), rules, memo)
    for (mover, opponent, line, pile), expected in memo.items():
        checked += 1
        deal = Position(mover, opponent, line, pile)
        assert solver.value(*packed(deal))[:2] == (expected, expected), (str(deal), rules)
    return checked


@pytest.mark.share(3)
@pytest.mark.parametrize("rules", ROUND_RULES, ids=str)
@pytest.mark.parametrize("deck", [(12, 21, 22, 23, 32), (34, 43, 44, 45, 54), (25, 33, 36, 52, 63)], ids=str)
def test_small_deck_whole(deck, rules):
    assert check_deck(deck, 1, rules) > (300 if rules.professional else 400)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ROUND_RULES, ids=str)
@pytest.mark.parametrize("deck", [(12, 21, 22, 23, 32, 33), (34, 43, 44, 45, 54, 55), (12, 15, 21, 22, 24, 42, 51)], ids=str)
def test_larger_deck_whole(deck, rules):
    assert check_deck(deck, 1 + len(deck) // 7, rules) > (2_000 if rules.professional else 3_500 if rules.forced_only else 5_000)


# Each bound by itself


def check_bounds(deals):
    """How often each bound met the value."""
    met = {"taking": [0, 0], "counting": [0, 0]}
    for deal, opens, expected in deals:
        for name, claimed in claims_of(*packed(deal), OPENS * opens).items():
            if name in met:
                assert claimed[0] <= expected <= claimed[1], (name, str(deal), claimed, expected)
                for side in range(2):
                    met[name][side] += claimed[side] == expected
    return met


def test_a_bound_contains_the_value():
    deals = [(deal, rules.empty_line == "opens", found) for deal, rules, found in small_deals(1_500, 1) if not rules.forced_only]
    met = check_bounds(deals)
    assert min(met["taking"]) > 20 and max(met["counting"]) >= 1, met


def larger_deals(count, seed):
    """(deal, whether an empty line opens, value), by the search without the bound by taking, which the recursion has checked, and
    without what shorter deals leave behind."""
    rng, found, ideas = random.Random(seed), [], EVERY_IDEA ^ TAKING_BOUNDS ^ NARROW
    while len(found) < count:
        deal, opens = random_deal(rng, 9, 7, 8), rng.random() < 0.7
        lowest, highest, _ = kernel(deal, Rules(empty_line="opens" if opens else "ends"), ideas, 30_000)
        if lowest == highest and deal.pile:
            found.append((deal, opens, lowest))
    return found


@pytest.mark.parametrize("count", [400, pytest.param(60_000, marks=pytest.mark.slow)])
def test_bounds_contain_the_value_of_larger_deals(count):
    deals = larger_deals(count, 3)
    for deal, opens, expected in deals:
        assert kernel(deal, Rules(empty_line="opens" if opens else "ends"))[:2] == (expected, expected), str(deal)
    assert min(check_bounds(deals)["taking"]) > count // 60


@pytest.mark.parametrize("text", [text for text, *_ in listed("bound")])
def test_deals_on_which_a_bound_was_wrong_once(text):
    deal = Position.parse(text)
    for rules in ROUND_RULES:
        found = kernel(deal, rules)
        assert found[:2] == kernel(deal, rules, EVERY_IDEA ^ TAKING_BOUNDS)[:2]


@pytest.mark.parametrize(("text", "lowest"), [(text, int(lowest)) for text, lowest, _ in listed("taking")])
def test_the_least_that_taking_is_worth(text, lowest):
    deal = Position.parse(text)
    claimed = claims_of(*packed(deal))["taking"]
    assert claimed[0] == lowest <= value_of(deal, PUBLISHED) <= claimed[1]


def test_twins_are_worth_the_same():
    dropped = 0
    for deal, rules, _ in small_deals(1_500, 1):
        claims = claims_of(*packed(deal), rules.code & OPENS)
        if claims["lays"]:
            worth = dict(turn_values(deal.mover, deal.opponent, deal.line, deal.pile, rules, {}))
            for name in map(str, claims["lays"]):
                dropped += 1
                kept = [found for turn, found in worth.items() if turn.isdigit() and turn != name]
                assert not worth or worth[name] in kept, (str(deal), name)
    assert dropped > 5


def test_an_idea_is_worth_nodes():
    deals = committed(8, 3)
    full = sum(kernel(deal)[2] for deal in deals)
    for idea in range(9):
        assert sum(kernel(deal, ideas=EVERY_IDEA ^ (1 << idea), nodes=2_000_000)[2] for deal in deals) > full, idea


# Limits


def test_nodes_do_not_depend_on_what_was_solved_before():
    deals = committed(8, 5)
    alone = [kernel(deal, nodes=3_000) for deal in deals]
    solver = DealSolver(PUBLISHED.code, 1 << 20)
    for place in (0, 1, 2, 3, 4, 0, 2, 1):
        assert solver.value(*packed(deals[place]), 3_000)[:3] == alone[place]


class Found(NamedTuple):
    lowest: int
    highest: int
    nodes: int
    turn: Turn | None = None

    @property
    def solved(self):
        return self.lowest == self.highest

    @property
    def value(self):
        return self.lowest if self.solved else None


def by_search(ask, budget, *asked):
    with deadline(budget) as stop:
        return ask(new_team(asked[1], budget, stop), *asked, budget.nodes or 0)


def solve_deal(deal, rules=PUBLISHED, budget=UNLIMITED):
    """What the search of deals says, of an endgame too."""
    bounds, turn = by_search(answer_by, budget, deal, rules)
    return Found(bounds.lowest, bounds.highest, bounds.nodes, turn)


def deal_outcomes(deal, rules=PUBLISHED, budget=UNLIMITED):
    return by_search(outcomes_by, budget, deal, rules)


def deal_line(deal, rules=PUBLISHED, budget=UNLIMITED):
    return by_search(lambda *asked: tuple(line_by(*asked)), budget, deal, rules)


def test_a_limit_of_nodes_is_kept_and_leaves_bounds():
    for deal in committed(8, 5):
        exact = solve_deal(deal)
        widths = []
        for nodes in (1, 100, 1_000, 100_000):
            answer = solve_deal(deal, budget=Budget(nodes=nodes))
            assert answer.nodes <= nodes and answer.lowest <= exact.value <= answer.highest
            assert answer.solved or (answer.turn is None and answer.value is None)
            widths.append(answer.highest - answer.lowest)
        assert widths == sorted(widths, reverse=True)
        found = deal_outcomes(deal, budget=Budget(nodes=1_000))
        assert sum(one.bounds.nodes for one in found) <= 1_000
        assert max(one.bounds.lowest for one in found) <= exact.value <= max(one.bounds.highest for one in found)
    assert deal_line(committed(14, 1)[0], budget=Budget(nodes=3)) == ()


def test_the_nodes_of_a_line_are_those_of_all_its_turns(monkeypatch):
    """Each turn gets what is left of them, and 0 would be no limit."""
    position, asked = Position.parse("12,43,94 21,76 34-41-49 55,63"), list[int]()
    monkeypatch.setattr("backtrick.take_that.deal.answer_by", lambda *given: (asked.append(given[3]), answer_by(*given))[1])
    whole = by_search(lambda *given: [*line_by(*given)], UNLIMITED, position, Rules())
    for nodes in range(1, 200):
        asked.clear()
        part = by_search(lambda *given: [*line_by(*given)], Budget(nodes=nodes), position, Rules())
        assert part == whole[: len(part)] and min(asked) > 0 and asked[0] == nodes and asked == sorted({*asked}, reverse=True)
    assert part == whole and len(asked) > 1, "the last limit is met by no turn"


def test_a_stop_byte_ends_the_work():
    deal, stop = committed(16, 1)[0], bytearray(1)
    threading.Timer(0.05, stop.__setitem__, (0, 1)).start()
    solver = DealSolver(PUBLISHED.code, 1 << 24, EVERY_IDEA, stop)
    lowest, highest, _, turn = solver.value(*packed(deal), 0, True)
    assert lowest <= highest and (turn is None or lowest == highest)
    stop[0] = 1
    assert solver.value(*packed(deal))[2] == 0


def test_a_memory_of_any_size_agrees():
    for deal in committed(8, 6):
        assert kernel(deal, table_bytes=0)[:2] == kernel(deal, table_bytes=1 << 26)[:2]


def together(deal, rules, threads, table_bytes=1 << 20):
    """What several threads find that share a table from the first node on: the value and the first turn worth it."""
    shared, start = SharedTable(table_bytes), threading.Barrier(threads)

    def work(_):
        solver = DealSolver(rules.code, 1, shared=shared)
        start.wait()
        return solver.value(*packed(deal), 0, True)

    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(work, range(threads)))
    low, high = max(one[0] for one in found), min(one[1] for one in found)
    assert low == high, "one of them knows it, and no other says something else"
    return low, {turn for known, bound, _, turn in found if known == bound and turn is not None}


@pytest.mark.threads
def test_threads_together_agree_with_the_recursion():
    for deal, rules, expected in small_deals(60, 3):
        assert together(deal, rules, 3)[0] == expected, (str(deal), rules)


@pytest.mark.threads
@pytest.mark.parametrize("table_bytes", [1, 1 << 24])
def test_threads_together_agree_with_one(table_bytes):
    """With the least memory entries are written over while others read them. The turn too is that of one."""
    for deal in committed(8, 12):
        low, high, _, turn = DealSolver(PUBLISHED.code, 1 << 22).value(*packed(deal), 0, True)
        assert low == high
        assert together(deal, PUBLISHED, 4, table_bytes) == (low, {turn}), str(deal)


@pytest.mark.parametrize("bit", range(0, 256, 15))
def test_a_damaged_entry_of_a_shared_table_is_no_entry(bit):
    """With one bit of each entry flipped a search takes the nodes that it takes with an empty table; with none far fewer."""
    shared = _deal_claims.SharedTable(1 << 18)

    def search(place):
        _deal_claims.spoil(shared, place)
        return _deal_claims.DealSolver(PUBLISHED.code, 1, shared=shared).value(*packed(committed(4, 3)[2]))[:3]

    low, high, nodes = search(-1)
    assert low == high and search(-1)[2] < nodes / 2
    assert search(bit) == (low, high, nodes)


def test_a_team_answers_as_one_solver_does(monkeypatch):
    monkeypatch.setattr("backtrick.take_that.deal.EASY", 1)
    for deal in committed(8, 6):
        alone, team = solve_deal(deal), solve_deal(deal, budget=Budget(search_threads=2))
        assert (team.value, team.turn) == (alone.value, alone.turn)
    limited = solve_deal(committed(16, 1)[0], budget=Budget(nodes=3, search_threads=2))
    assert not limited.solved


def test_a_whole_round_has_bounds():
    deal = Position(DECK[:9], DECK[9:18], (), DECK[18:])
    answer = solve_deal(deal)
    assert not answer.solved and answer.lowest == -answer.highest == -107 and answer.turn is None
    assert len(deal_outcomes(deal)) == 9 and deal_line(deal) == ()
    with pytest.raises(NotSolvedError, match="from -107 to"):
        GAME.solve(deal)


def test_a_line_ends_where_an_empty_line_ends_the_round():
    """The last card was drawn, and both have cards."""
    deal, rules = Position.parse("94 55 49 33"), Rules(empty_line="ends")
    answer = GAME.solve(deal, rules, want={"line"})
    assert answer.line == (Turn.parse("94x49"),) and answer.value == value_of(deal, rules) == 2


# Laws


def test_every_turn_has_its_value():
    for deal, rules, expected in small_deals(150, 1):
        found = deal_outcomes(deal, rules)
        wanted = dict(turn_values(deal.mover, deal.opponent, deal.line, deal.pile, rules, {}))
        assert {str(one.turn): one.bounds.lowest for one in found} == wanted and all(one.solved for one in found)
        assert all(one.position == after(deal, one.turn, rules) for one in found)
        answer = solve_deal(deal, rules)
        assert answer.value == expected == max(wanted.values(), default=0)
        best = [turn for turn in readable.legal_turns(deal, rules) if wanted[str(turn)] == expected]
        assert answer.turn == (best[0] if best else None)
        order = [one.bounds.lowest for one in found]
        assert order == sorted(order, reverse=True)


@pytest.mark.parametrize("law", ["a value is that of the best outcome", "the line plays best turns to the end"])
def test_laws_of_deals(law):
    LAWS[law](GAME, PUBLISHED, committed(8, 4))


def test_an_empty_pile_has_the_value_of_the_endgame():
    rng = random.Random(5)
    for _ in range(300):
        deal, rules = random_deal(rng, 9, 0, 10), random_rules(rng)
        assert solve_deal(deal, rules).value == value(deal, rules), (str(deal), rules)


def test_the_mirror_keeps_the_value():
    for deal in [*(deal for deal, _, _ in small_deals(100, 1)), *committed(8, 3)]:
        assert solve_deal(mirror(deal)).value == solve_deal(deal).value


def test_cards_that_nobody_can_twist_only_cost():
    """A card at the left end of the line, its partner not in play, costs whoever takes the line one point."""
    moved = set()
    for deal in committed(4, 40):
        used = {*deal.mover, *deal.opponent, *deal.line, *deal.pile}
        left = [card for card in DECK if card not in used and card // 10 != card % 10 and card % 10 * 10 + card // 10 not in used]
        if left and deal.line:
            longer = Position(deal.mover, deal.opponent, (left[0], *deal.line), deal.pile)
            moved.add(solve_deal(longer).value - solve_deal(deal).value)
    assert moved <= {-1, 0, 1} and {-1, 1} <= moved


def test_many_deals_on_several_threads():
    deals, budget = committed(8, 8), Budget(nodes=5_000, table_mib=16)
    one_by_one = [solve_deal(deal, budget=budget) for deal in deals]
    many = GAME.answers(deals, SolveOptions(Rules(), budget, threads=3))
    assert [(one.bounds.lowest, one.bounds.highest, one.bounds.nodes, one.best) for one in many] == one_by_one
    timed = list(GAME.answers(deals, SolveOptions(Rules(), Budget(seconds=3600, table_mib=16), threads=2)))
    assert all(other.solved and one.lowest <= other.value <= one.highest for one, other in zip(one_by_one, timed, strict=True))
