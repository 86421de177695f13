"""Deals: the solver against a plain recursion, each bound by itself, each idea off, small decks whole, limits, and lines."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import permutations, product
from typing import NamedTuple

import numpy as np
import pytest
from backtrick_development.face_to_face._deal_claims import Claims

from audit.face_to_face import deals as audited
from backtrick.bounds import Bounds
from backtrick.budget import UNLIMITED, Budget, deadline
from backtrick.face_to_face import GAME, PUBLISHED, Deal, Position, Rules, Side, Turn, after, outcomes
from backtrick.face_to_face import value as value_of
from backtrick.face_to_face._deal import DealSolver
from backtrick.face_to_face.deal import answer_by, described_turns, line_by, new_team, outcomes_by
from backtrick.face_to_face.display import LOSS, UNSOLVED, WIN
from backtrick.game import SolveOptions
from backtrick_development.face_to_face import _deal_claims
from command import ROOT
from laws import LAWS
from oracles.face_to_face_deals import followers, is_won, random_deal, random_rules
from oracles.published_deck import SmallDeck

DEALS = ROOT / "benchmarks" / "positions"
RACE, SOLITAIRE, TABLE, TABLE_DOMINANCE, TURN_DOMINANCE, REPLIES, ORDER, LOOK, SIMPLE = (1 << place for place in range(9))
EVERY_IDEA = 511
PLAIN = 0, TABLE, TABLE | TABLE_DOMINANCE, TABLE | TURN_DOMINANCE, TABLE | TABLE_DOMINANCE | SIMPLE | REPLIES
WITHOUT_BOUNDS = EVERY_IDEA ^ RACE ^ SOLITAIRE
ONE_OFF = [EVERY_IDEA ^ (1 << place) for place in range(9)]
WORDS = "unsolved", "loss", "win"


def packed(side):
    return side.ascending, side.descending, side.hand, side.pile


def kernel(position, rules, ideas=EVERY_IDEA, nodes=0, table_bytes=1 << 24):
    solver = DealSolver(rules.code, table_bytes, ideas)
    return solver.solve(packed(position.mover), packed(position.opponent), nodes)[:2]


def says(position, rules, ideas=EVERY_IDEA):
    return WORDS[kernel(position, rules, ideas)[0]]


def word(won):
    return WIN if won else LOSS


def committed(most, count):
    lines = (DEALS / f"deals_{most}.txt").read_text().splitlines()
    return [Position.parse(line) for line in lines if not line.startswith("#")][:count]


@cache
def small_deals(count, seed, cards):
    """(deal, rules, whether it is won), of random deals."""
    rng = random.Random(seed)
    asked = [(random_deal(rng, cards), random_rules(rng)) for _ in range(count)]
    return [(deal, rules, is_won(deal, rules, {})) for deal, rules in asked]


@pytest.mark.parametrize(("count", "seed", "cards"), [(60, 3, 4), pytest.param(3_000, 2, 5, marks=pytest.mark.slow)])
def test_solver_and_recursion_agree(count, seed, cards):
    won = 0
    for deal, rules, expected in small_deals(count, seed, cards):
        won += expected
        for ideas in (EVERY_IDEA, *PLAIN):
            assert says(deal, rules, ideas) == word(expected), (str(deal), rules, ideas)
    assert count // 5 < won < count - count // 5


@pytest.mark.share(3)
@pytest.mark.parametrize("ideas", ONE_OFF)
def test_each_idea_off_agrees_with_all(ideas):
    solved = 0
    for deal in committed(8, 25):
        outcome, _ = kernel(deal, Rules(), nodes=2_000)
        without, _ = kernel(deal, Rules(), ideas, nodes=300)
        assert not (outcome and without) or outcome == without, str(deal)
        solved += bool(outcome and without)
    assert solved > 4


def starts(deck, held):
    """Every deal of a whole deck: hands of `held` cards, and every order of the rest."""
    sides = []
    for cards in permutations(deck.cards):
        if list(cards[:held]) == sorted(cards[:held]):
            sides.append(Side(1, 60, cards[:held], cards[held:]))
    for mover, opponent in product(sides, repeat=2):
        yield Position(mover, opponent)


def check_deck(deck, held, rules, ideas, every=1):
    memo = {}
    for deal in starts(deck, held):
        is_won(deal, rules, memo)
    checked = 0
    for place, (deal, won) in enumerate(memo.items()):
        if place % every == 0 and deal.mover.hand:
            checked += 1
            assert says(deal, rules, ideas) == word(won), (str(deal), rules, ideas)
    return checked, sum(memo.values())


@pytest.mark.parametrize(
    ("step", "lone_card"), [(2, False), *(pytest.param(*one, marks=pytest.mark.slow) for one in ((1, True), (1, False), (2, True)))]
)
def test_small_deck_whole(step, lone_card):
    """Both hands of two of the four cards, every order of both piles, and every position that is reached from there."""
    rules, deck = Rules(lone_card), SmallDeck(6, step)
    checked, won = check_deck(deck, 2, rules, EVERY_IDEA)
    assert checked > 500 and won > 100
    assert check_deck(deck, 2, rules, TABLE | TABLE_DOMINANCE | TURN_DOMINANCE | SIMPLE)[0] == checked


@pytest.mark.slow
@pytest.mark.parametrize("lone_card", [False, True])
@pytest.mark.parametrize("step", [1, 2, 3])
def test_larger_deck_whole(step, lone_card):
    """Both hands of three of the five cards, every order of both piles, and every position that is reached from there."""
    checked, won = check_deck(SmallDeck(7, step), 3, Rules(lone_card), EVERY_IDEA)
    assert checked > 5_000 and won > 1_000


# Bounds. `tests/face_to_face/test_face_to_face_deal_bounds.py` holds each claim by itself against brute force.


def claims_of(mover, opponent, rules, prune=True):
    claims = Claims(rules.code, prune)
    claims.begin(mover, opponent)
    return claims


# A back trick on a top that stood through a turn of the other is not sure: the other's 25 on the 30 takes the 20 from the player.
# Each with its mirror image. Without the condition in `surely_goes_on` the first four are called lost.
STANDING_TRICKS = (
    "39^2v:5,25,40 30^2v:20,21+3",
    "59^22v:21,36,56 59^31v:40,41+58",
    "12^23v:3,14+22 25^2v:4,12,22",
    "3^14v:5,16+4 24^2v:4,14,15",
)

# Two lays of the same cards: the better top is the worse choice, because the back trick of the other top is still to come.
# Without the exemption in `list_lays` both are called lost.
TEMPTING_TOPS = ("14^45v:13,24+14,44 1^15v:2,12+34", "2^33v:23,35+33,3 24^60v:36,46+13")

# The winning turn leaves a top of the very number of the card that the opponent cannot lay; with the top one further the opponent
# would finish. Without it in the window of `safe_window`, both are called lost.
EDGES_OF_THE_WINDOW = ("26^18v:17,27,30+28 26^16v:18,30", "43^35v:31,34,44+33 45^35v:31,43")


@pytest.mark.parametrize("text", STANDING_TRICKS + TEMPTING_TOPS + EDGES_OF_THE_WINDOW)
def test_a_rare_condition_is_needed(text):
    deal, rules = Position.parse(text), Rules()
    assert is_won(deal, rules, {})
    assert {says(deal, rules, ideas) for ideas in (EVERY_IDEA, *ONE_OFF, *PLAIN)} == {WIN}


OWN_NUMBERS = (  # a top shows the number of an own card, which a back trick still reaches: 20, then 30, on 30
    "5^2v:10,20,33,40+50 59^30v:20,30,45", "59^56v:21,28,41,51+11 31^2v:16,31,41",
)  # fmt: skip


@pytest.mark.parametrize("text", OWN_NUMBERS)
def test_a_card_of_the_number_of_its_top_is_not_dead(text):
    deal, rules = Position.parse(text), Rules()
    assert claims_of(packed(deal.mover), packed(deal.opponent), rules).ask("may_be_through", 1, who=1)
    assert not is_won(deal, rules, {})
    assert {says(deal, rules), says(deal, rules, EVERY_IDEA ^ RACE)} == {LOSS}


@pytest.mark.parametrize("seed", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_deals_of_the_audit(seed, times):
    """With the card of the top's own number thought to be dead, a deal of either seed had another outcome."""
    found = audited.compare(audited.draw_seeds(np.random.default_rng(seed), 500 * times))
    assert not found.mismatches and found.compared > 480 * times


@pytest.mark.parametrize("count", [1_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_bounds_agree_with_the_search_without_them(count):
    """Both bounds against the search without bounds, which the recursion has checked, on deals too large for the recursion."""
    rng = random.Random(9)
    spoken = 0
    for _ in range(count):
        deal, rules = random_deal(rng, 11), random_rules(rng)
        claims = claims_of(packed(deal.mover), packed(deal.opponent), rules)
        found = {claims.ask(*bound) for bound in (("race",), ("long_race",), ("solitaire", 2), ("solitaire", 6))} - {0}
        if found:
            outcome, _ = kernel(deal, rules, WITHOUT_BOUNDS, nodes=2_000)
            spoken += bool(outcome)
            assert len(found) == 1 and (not outcome or found == {outcome} or not followers(deal, rules)), (str(deal), rules)
    assert spoken > 0.15 * count


LOPSIDED = (0, 13), (2, 14), (4, 13), (8, 14), (20, 14)
"""Cards in the draw piles of deals that a search without races can do, though the opponent needs four turns or more"""


@pytest.mark.parametrize("count", [300, pytest.param(100_000, marks=pytest.mark.slow)])
def test_long_races_agree_with_the_search_without_races(count):
    """Seen to fail with a plan of one turn more than counting leaves."""
    rng = random.Random(12)
    spoken = checked = 0
    for _ in range(count):
        rules = random_rules(rng)
        decks = [rng.sample(range(2, 60), 6 + pile) for pile in rng.choice(LOPSIDED)]
        decks = [sorted(deck) if rng.random() < 0.5 else deck for deck in decks]    # a player can lay these in a few turns
        tops = [rng.choice(((1, 60), (rng.randint(1, 59), rng.randint(2, 60)))) for _ in decks]
        deal = [(*both, tuple(sorted(deck[:6])), tuple(deck[6:])) for both, deck in zip(tops, decks, strict=True)]
        found = claims_of(*deal, rules).ask("long_race")
        if found:
            outcome, *_ = DealSolver(rules.code, 1 << 24, EVERY_IDEA ^ RACE).solve(*deal, 3_000)
            spoken += 1
            checked += outcome > 0
            assert outcome in (0, found), (deal, rules)
    assert checked > 0.5 * spoken > 0.1 * count


def test_counting_is_exact_with_room_enough():
    deal = Position.parse("1^60v:2,3,4,5,6,7+8,9,10,11,12,13,14 59^60v:2,3+4,5")
    claims = claims_of(packed(deal.mover), packed(deal.opponent), Rules())
    assert [claims.ask("least_turns", who=who) for who in (0, 1)] == [3, 2]


def test_dominance_of_lays_takes_nothing_from_a_bound():
    rng = random.Random(5)
    for _ in range(300):
        deal, rules = random_deal(rng, 9), random_rules(rng)
        pruned, full = (claims_of(packed(deal.mover), packed(deal.opponent), rules, prune) for prune in (True, False))
        for asked in product(("may_be_through", "may_go_on", "surely_goes_on"), (1, 2, 3), (0, 1)):
            assert pruned.ask(*asked) == full.ask(*asked), (str(deal), rules, asked)


@pytest.mark.parametrize("idea, most", [(RACE, 8), (SOLITAIRE, 10), (TABLE, 10), (TABLE_DOMINANCE, 10), (ORDER, 8)])
def test_an_idea_is_worth_nodes(idea, most):
    deals = committed(most, 12)
    nodes = [sum(kernel(deal, Rules(), ideas, nodes=1_500)[1] for deal in deals) for ideas in (EVERY_IDEA, EVERY_IDEA ^ idea)]
    assert nodes[0] < nodes[1]


def test_what_easy_turns_leave_of_the_nodes_is_for_those_after_them():
    found = outcomes(committed(16, 3)[2], budget=Budget(nodes=2_000))
    assert sum(one.bounds.nodes or 0 for one in found) == 2_000 and not all(one.solved for one in found)


@pytest.mark.parametrize("place", [14, 32, 42])
def test_a_turn_with_a_short_proof_does_not_wait_for_a_long_search(place):
    """One turn after the other, each to its end, these take more than 25,000 nodes."""
    assert kernel(committed(16, 60)[place], Rules(), nodes=20_000)[0]


# Limits


def hard_deal():
    return max(committed(10, 40), key=lambda deal: kernel(deal, Rules(), nodes=500)[1])


def test_nodes_do_not_depend_on_what_was_solved_before():
    deals = committed(8, 30)
    alone = [kernel(deal, Rules(), nodes=1_000) for deal in deals]
    solver = DealSolver(PUBLISHED.code, 1 << 24)
    for order in (range(30), reversed(range(30))):
        for place in order:
            deal = deals[place]
            assert solver.solve(packed(deal.mover), packed(deal.opponent), 1_000)[:2] == alone[place]


def test_a_limit_of_nodes_leaves_a_deal_unsolved_and_is_kept():
    deal = hard_deal()
    answer = solve_deal(deal, budget=Budget(nodes=3))
    assert (answer.outcome, answer.turn) == (UNSOLVED, None) and answer.nodes == 3
    assert all(said(found.bounds) == UNSOLVED for found in deal_outcomes(deal, budget=Budget(nodes=1))[:1])
    assert deal_line(deal, budget=Budget(nodes=3)) == ()


def test_a_line_ends_where_its_nodes_do():
    deal = Position.parse("1^60v:3,13+23,2,22,32 1^60v:3,12,22+2,13,32,23")
    assert solve_deal(deal, budget=Budget(nodes=3)).nodes == 3, "its first turn takes them all"
    assert deal_line(deal, budget=Budget(nodes=3)) == deal_line(deal)[:1] != deal_line(deal)
    cut = 0
    for deal in committed(8, 12):
        lines = [deal_line(deal, budget=Budget(nodes=nodes)) for nodes in (1, 30, 300, 10**6)]
        assert sorted(lines, key=len) == lines and lines[-1] == deal_line(deal)
        assert all(lines[-1][: len(line)] == line for line in lines), str(deal)
        cut += any(0 < len(line) < len(lines[-1]) for line in lines)
    assert cut


def test_a_stop_byte_ends_the_work():
    deal = committed(20, 1)[0]
    stop = bytearray(1)
    threading.Timer(0.05, stop.__setitem__, (0, 1)).start()
    outcome, nodes, turn = DealSolver(PUBLISHED.code, 1 << 24, EVERY_IDEA, stop).solve(packed(deal.mover), packed(deal.opponent))
    assert outcome in (0, 1, 2) and (outcome or turn is None) and nodes >= 0
    stop[0] = 1
    assert DealSolver(PUBLISHED.code, 1 << 24, 0, stop).solve(packed(deal.mover), packed(deal.opponent)) == (0, 0, None)


def test_a_memory_of_any_size_agrees():
    for deal in committed(8, 20):
        large, small = (kernel(deal, Rules(), nodes=3_000, table_bytes=size)[0] for size in (1 << 26, 0))
        assert large == small or not large or not small


def together(position, rules, threads, table_bytes=1 << 22, ideas=EVERY_IDEA, first_budget=0):
    """What several threads find that share a table from the first node on, and their nodes. 0: one thread with a table of its own.
    In one thread that shares its table, all turns count as being searched by another."""
    shared, start = _deal_claims.SharedTable(table_bytes) if threads else None, threading.Barrier(threads or 1)

    def work(_):
        solver = _deal_claims.DealSolver(rules.code, 1 << 16, ideas, None, shared)
        if first_budget:
            _deal_claims.share_from_the_first_node(solver, first_budget)
        if threads == 1:
            _deal_claims.mark_turns(solver, packed(position.mover), packed(position.opponent))
        start.wait()
        return solver.solve(packed(position.mover), packed(position.opponent), 0, True)

    with ThreadPoolExecutor(threads or 1) as pool:
        found = list(pool.map(work, range(threads or 1)))
    known = {outcome for outcome, _, _ in found if outcome}
    assert len(known) == 1, "one of them knows it, and no other says something else"
    return WORDS[known.pop()], sum(nodes for _, nodes, _ in found)


@pytest.mark.parametrize("word", range(3))
def test_an_entry_of_two_writes_is_no_entry(word):
    """With one word of each entry exchanged a search takes the nodes that it takes with an empty table; with none far fewer."""
    shared = _deal_claims.SharedTable(1 << 22)
    deal = next(deal for deal in committed(12, 20) if 2_000 <= kernel(deal, Rules())[1] <= 20_000)

    def search():
        return _deal_claims.DealSolver(PUBLISHED.code, 1, shared=shared).solve(packed(deal.mover), packed(deal.opponent))[:2]

    outcome, nodes = search()
    assert outcome and not _deal_claims.mix(shared, -1) and search()[1] < nodes / 2
    assert _deal_claims.mix(shared, word) > 20
    assert search() == (outcome, nodes)


@pytest.mark.threads
def test_threads_together_agree_with_the_recursion():
    for deal, rules, expected in small_deals(60, 3, 4):
        for ideas in (EVERY_IDEA, EVERY_IDEA & ~RACE & ~SOLITAIRE):
            assert together(deal, rules, 3, ideas=ideas)[0] == word(expected), (str(deal), rules)


@cache
def wide_deals(seeds):
    """(deal, rules, outcome), of deals that take many nodes by the rules alone: without bounds, rounds and threads."""
    drawn = [audited.draw_deal(np.random.default_rng(seed)) for seed in range(seeds)]
    found = [(deal, rules, *kernel(deal, rules, TABLE | LOOK, nodes=4_000)) for deal, rules in drawn]
    return [(deal, rules, WORDS[outcome]) for deal, rules, outcome, nodes in found if outcome and nodes >= 30]


@pytest.mark.threads
@pytest.mark.parametrize("threads", [0, 1, 2])
def test_a_turn_that_is_put_off_is_settled_later(threads, times):
    """In the first round the first turn gets one node, from the first node of the deal on. One thread that shares its table thinks
    that another one is searching what its turns lead to; two threads meet in earnest. 0: one thread alone."""
    more = 0
    for deal, rules, outcome in wide_deals(750 * times):
        for ideas in (EVERY_IDEA, EVERY_IDEA & ~RACE & ~SOLITAIRE, TABLE | LOOK):
            said, nodes = together(deal, rules, threads, ideas=ideas, first_budget=1)
            assert said == outcome, (str(deal), rules, ideas)
            more += nodes > kernel(deal, rules, ideas)[1]
    assert more > 20


@pytest.mark.threads
@pytest.mark.parametrize("table_bytes", [0, 1 << 24])
def test_threads_together_agree_with_one(table_bytes):
    """With no memory every bucket is full at once, so entries are written over while others read them."""
    for deal in committed(12, 5):
        outcome, _ = kernel(deal, Rules(), nodes=5_000)
        if outcome:
            assert together(deal, Rules(), 4, table_bytes)[0] == WORDS[outcome], str(deal)


def test_a_team_answers_as_one_solver_does(monkeypatch):
    monkeypatch.setattr("backtrick.face_to_face.deal.EASY", 1)
    for deal in committed(10, 12):
        alone = solve_deal(deal)
        team = solve_deal(deal, budget=Budget(search_threads=2))
        assert team.outcome == alone.outcome
        assert (team.turn is not None) == (team.outcome == WIN)
        if team.turn:
            assert solve_deal(after(deal, team.turn, Rules())).outcome == LOSS
    assert solve_deal(hard_deal(), budget=Budget(nodes=3, search_threads=2)).outcome == UNSOLVED
    assert GAME.solve(deal, budget=Budget(search_threads=2)).outcome == alone.outcome


def test_a_team_stops():
    deal = committed(20, 1)[0]
    answer = solve_deal(deal, budget=Budget(seconds=0.05, search_threads=2))
    assert answer.outcome in (WIN, LOSS, UNSOLVED)


# Answers


class Found(NamedTuple):
    outcome: str
    nodes: int
    turn: Turn | None


def said(bounds):
    return GAME.display.outcome_word(bounds)


def by_search(ask, deal, rules, budget):
    with deadline(budget) as stop:
        return ask(new_team(rules, budget, stop), deal, rules, budget.nodes or 0)


def solve_deal(deal, rules=PUBLISHED, budget=UNLIMITED):
    """What the search of deals says, of an endgame too."""
    bounds, turn = by_search(answer_by, deal, rules, budget)
    return Found(said(bounds), bounds.nodes, turn)


def deal_outcomes(deal, rules=PUBLISHED, budget=UNLIMITED):
    return by_search(outcomes_by, deal, rules, budget)[0]


def deal_line(deal, rules=PUBLISHED, budget=UNLIMITED):
    return by_search(lambda *asked: tuple(line_by(*asked)), deal, rules, budget)


def test_every_turn_has_its_outcome():
    for deal, rules, _ in small_deals(60, 3, 4)[:15]:
        memo = {}
        found = deal_outcomes(deal, rules)
        assert {entry.position for entry in found} == followers(deal, rules) and len(found) == len(followers(deal, rules))
        for entry in found:
            assert entry.position == after(deal, entry.turn, rules)
            assert said(entry.bounds) == word(not is_won(entry.position, rules, memo)), (str(deal), rules, str(entry.turn))
        order = [said(entry.bounds) for entry in found]
        assert order == sorted(order, key=(WIN, UNSOLVED, LOSS).index)


def test_each_turn_gets_its_share_of_the_nodes():
    deal = max(committed(8, 40), key=lambda deal: kernel(deal, Rules(), nodes=2_000)[1])
    turns = len(deal_outcomes(deal, budget=Budget(nodes=1)))
    few = deal_outcomes(deal, budget=Budget(nodes=3 * turns))
    assert sum(found.bounds.nodes for found in few) <= 3 * turns
    hard = [found for found in few if said(found.bounds) == UNSOLVED]
    assert len(hard) > 1 and max(found.bounds.nodes for found in hard) < turns  # the first hard turn leaves nodes to the others
    assert all(found.bounds.nodes for found in hard)


def test_the_loser_makes_the_turn_that_is_longest_to_refute():
    compared = 0
    for deal in committed(8, 20):
        answer = solve_deal(deal, budget=Budget(nodes=3_000))
        if answer.outcome == LOSS and answer.nodes > 5 and isinstance(deal, Deal):
            rows = new_team(Rules(), Budget(), bytearray(1)).alone.turn_outcomes(packed(deal.mover), packed(deal.opponent))
            longest = max((shown_after, nodes) for _, _, nodes, shown_after in rows)
            described = {turn: one for one, turn in described_turns(deal).items()}
            turn, _ = deal_line(deal)[0]
            assert longest in [(shown_after, nodes) for one, _, nodes, shown_after in rows if one == described[turn]]
            compared += longest[0] > 1
    assert compared


def test_the_best_turn_of_a_lost_deal_begins_its_line():
    deal = committed(8, 200)[169]
    found = deal_outcomes(deal)
    answer = GAME.solve(deal, want={"best", "line"})
    assert answer.best == answer.line[0] == deal_line(deal)[0][0]
    assert answer.best != max(found, key=lambda entry: entry.bounds.nodes).turn  # so a best turn by nodes would be noticed


def test_a_winning_turn_wins():
    won = 0
    for deal, rules, _ in small_deals(60, 3, 4):
        answer = solve_deal(deal, rules)
        assert (answer.turn is not None) == (answer.outcome == WIN)
        if answer.turn:
            won += 1
            assert not is_won(after(deal, answer.turn, rules), rules, {})
    assert won > 30


def test_an_endgame_is_a_deal():
    rng = random.Random(8)
    for _ in range(200):
        deal, rules = random_deal(rng, 6), random_rules(rng)
        endgame = Position(*(Side(side.ascending, side.descending, side.hand) for side in (deal.mover, deal.opponent)))
        answer = solve_deal(endgame, rules)
        assert answer.outcome == word(value_of(endgame, rules) % 2) and (answer.turn is not None) == (answer.outcome == WIN)


def test_the_line_plays_best_turns_to_the_end():
    LAWS["the line plays best turns to the end"](GAME, PUBLISHED, committed(8, 3))


def test_many_deals_on_several_threads():
    deals = committed(8, 30)
    budget = Budget(nodes=500, table_mib=16)
    one_by_one = [solve_deal(deal, budget=budget) for deal in deals if isinstance(deal, Deal)]
    deals = [deal for deal in deals if isinstance(deal, Deal)]
    many = GAME.answers(deals, SolveOptions(Rules(), budget, threads=3))
    assert [(one.outcome, one.bounds.nodes, one.best) for one in many] == one_by_one
    timed = GAME.answers(deals, SolveOptions(Rules(), Budget(seconds=3600, table_mib=16), threads=2))
    assert all(one.outcome in (UNSOLVED, other.outcome) for one, other in zip(one_by_one, timed, strict=True))


def test_all_outcomes_of_a_lost_deal_are_lost_whatever_was_solved(monkeypatch):
    lost = Deal.parse("26^45v:17,20,22,24+14 38^20v:2,4,11,26")
    open_ones = [replace(one, bounds=Bounds(LOSS, WIN)) for one in GAME.outcomes(lost, PUBLISHED)]
    monkeypatch.setattr("backtrick.face_to_face.deal.outcomes_by", lambda *given: (open_ones, outcomes_by(*given)[1]))
    (answer,) = GAME.answers([lost], SolveOptions(PUBLISHED, want=frozenset({"outcomes"})))
    assert {one.bounds for one in answer.outcomes} == {Bounds(LOSS, LOSS)} and answer.optimal == len(open_ones)
