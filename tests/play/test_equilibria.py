"""Equilibria of any game, found from its states alone: values that others know, plans, bounds, limits, and what is refused."""

import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import copy, deepcopy
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from types import SimpleNamespace

import pytest

import kuhn
from backtrick.budget import Budget, Cancel
from backtrick.errors import ArgumentError, BudgetError, IllegalTurnError, NotSolvedError
from backtrick.face_to_face import GAME as FACE_TO_FACE
from backtrick.face_to_face import Position as FaceToFace
from backtrick.face_to_face.state import State as FaceToFaceState
from backtrick.play import rational, sequences
from backtrick.play.rational import solve as solve_equations
from backtrick.take_that import Position as TakeThat
from backtrick.take_that.rule_options import Rules as TakeThatRules
from backtrick.take_that.state import State as TakeThatState
from hidden_games import GAMES, LeducState, MiddleState, Rules, found

pytest.importorskip("scipy", reason="needs the extra equilibrium: pip install 'backtrick[equilibrium]'")

KUHN = kuhn.GAME


def test_kuhn_poker_is_worth_what_kuhn_found():
    """Kuhn, *A simplified two-person poker* (1950): the first player loses 1/18 of a chip, and bets three times as often with the
    highest card as with the lowest one."""
    answer = KUHN.equilibrium("kuhn")
    assert answer.value == Fraction(-1, 18)
    bluffs, bets = ({one.turn: one.probability for one in answer.hands[card].turns}.get("b", 0) for card in (1, 3))
    assert 3 * bluffs == bets <= 1
    replies = answer.reply("b")
    assert {hand: [(one.turn, one.probability) for one in replies[hand].turns] for hand in (1, 3)} == {1: [("p", 1)], 3: [("b", 1)]}
    assert replies[2].turns[0].probability in (Fraction(1, 3), Fraction(2, 3))


def test_a_strategy_plays_what_its_player_has(monkeypatch):
    """Also in a game that would play a turn that it does not list."""
    answer, usual = KUHN.equilibrium("kuhn"), kuhn.State.apply
    monkeypatch.setattr(kuhn.State, "apply", lambda state, turn: state if turn == "wait" else usual(state, turn))
    with pytest.raises(IllegalTurnError, match=r"illegal turn 'wait': the player does not have it"):
        answer.sure_of(lambda view: "wait")


def test_a_coin_that_pays_three_for_heads_is_shown_once_in_three_times():
    """Heads against heads pay 3, tails against tails 1, all else -1: both show heads with 1/3, by hand."""
    answer = found("pennies", 3)
    assert answer.value == Fraction(1, 3)
    for plan in (answer, answer.after("heads"), answer.after("tails")):
        assert {one.turn: one.probability for one in plan.hands[None].turns} == {"heads": Fraction(1, 3), "tails": Fraction(2, 3)}


def test_one_range_decides_what_is_known():
    """With the highest card for sure, seat 0 wins the pot, and no more, because nobody calls who knows that. With the highest card
    in two of three cases it bluffs with two thirds of the others, so that a call gains nothing: 2/3 + 2/9 - 1/9."""
    answer = KUHN.equilibrium("kuhn", ({3: 1}, None))
    assert answer.value == 1 and answer.hands.keys() == {3}
    assert KUHN.equilibrium("kuhn", ({3: 2, 1: 1}, {2: 7})).value == Fraction(7, 9)
    with pytest.raises(ArgumentError, match="no two hands of them can be held at the same time"):
        KUHN.equilibrium("kuhn", ({3: 1}, {3: 1}))


def test_leduc_is_worth_a_fraction():
    answer = found("leduc", 3)
    assert answer.exact and float(answer.value) == pytest.approx(-0.0856064240780, abs=1e-12)
    moment = answer.after("c").after("c")
    assert moment.seat == 0 and all(isinstance(hand, tuple) for hand in moment.hands), "seat 0 goes on, and has seen a card"
    assert sum(one.weight for one in moment.hands.values()) == likelihood(answer.after("c"), "c")


def likelihood(plan, turn):
    """How likely the player to move makes a turn."""
    return sum(share.probability * one.weight for one in plan.hands.values() for share in one.turns if share.turn == turn)


@pytest.mark.parametrize(("name", "size"), [("middle", 4), ("goofspiel", 3), ("dice", 3), ("leduc", 2)])
def test_answers_add_up_and_travel(name, size):
    answer = found(name, size)
    assert answer.exact and answer.gap == 0
    again = pickle.loads(pickle.dumps(answer))
    assert again == answer == copy(answer) == deepcopy(answer) == found(name, size) and hash(again) == hash(answer)
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(lambda _: again.hands, range(8)))
    assert all(one == answer.hands for one in told)
    waiting = [(answer, again)]
    while waiting:
        plan, twin = waiting.pop()
        assert plan.hands == twin.hands and plan.turns == twin.turns and (plan.seat >= 0) == bool(plan.turns)
        for one in plan.hands.values():
            shares = [share.probability for share in one.turns]
            assert sum(shares) == 1 and shares == sorted(shares, reverse=True) and min(shares) > 0
            if one.value is not None:
                assert {share.value for share in one.turns} == {one.value}, "a turn of an exact plan is one of the best"
        for turn in plan.turns:
            following = plan.after(turn)
            waiting.append((following, twin.after(turn)))
            if following.hands:
                assert sum(one.weight for one in following.hands.values()) == likelihood(plan, turn)
    assert sum(one.weight * one.value for one in answer.hands.values()) == answer.high


def test_what_a_strategy_is_sure_of():
    """Who always bets in Kuhn poker is called with 2 and 3: it gets -2, -2, -2, 1, 1 and 2 in the six deals, -1/3 on average."""
    answer = KUHN.equilibrium("kuhn")
    assert answer.sure_of(lambda view: "p") == Fraction(-1, 18), "passing is one of Kuhn's plans"
    assert answer.sure_of(lambda view: "b") == Fraction(-1, 3)
    plan = {card: {one.turn: one.probability for one in answer.hands[card].turns} for card in answer.hands}
    assert answer.sure_of(lambda view: plan[view.card]) == answer.value
    told = {path: answer.reply(path) for path in answer.turns}
    reply = answer.sure_of(lambda view: {one.turn: one.probability for one in told[view.said][view.card].turns}, seat=1)
    assert reply == -answer.value
    assert answer.sure_of(lambda view: "b", seat=1) == Fraction(-1, 3)
    with pytest.raises(IllegalTurnError, match="a turn is p or b"):
        answer.sure_of(lambda view: "x")


def test_limits_are_kept():
    with pytest.raises(NotSolvedError, match="no bounds are known yet"):
        found("dice", 5, budget=Budget(seconds=0.01))
    cancel = Cancel()
    cancel()
    with pytest.raises(NotSolvedError, match="no bounds are known yet"):
        found("dice", 5, budget=Budget(cancel=cancel))
    with pytest.raises(BudgetError, match="there is room for no more in 1 MiB"):
        found("dice", 4, budget=Budget(table_mib=1))
    near = found("leduc", 2, gap=Fraction(1, 1000))
    assert near.plans.steps == 1 and near.gap <= Fraction(1, 1000)
    assert found("leduc", 2, gap=0).plans.steps == 1, "nothing is closer than 0"
    assert found("leduc", 2, budget=Budget(seconds=600)) == found("leduc", 2), "so much time is no limit"


@pytest.mark.parametrize(("name", "size"), [("leduc", 3), ("dice", 5), ("goofspiel", 4)])
def test_every_part_ends_with_the_time(name, size):
    """Growing the tree, HiGHS, fractions and best responses: whichever is at work once the time is over."""
    for seconds in (0.05, 0.3):
        begun, worked = time.monotonic(), time.process_time()
        with suppress(NotSolvedError):
            found(name, size, budget=Budget(seconds=seconds))
        late = min(time.monotonic() - begun, time.process_time() - worked) - seconds
        assert late < 0.25, (seconds, late)


def test_a_cancel_ends_a_program_in_the_middle(monkeypatch):
    """HiGHS does not look at a cancel. It goes on in its thread, and nobody waits for it."""
    import scipy.optimize

    cancel, begun, freed = Cancel(), threading.Event(), threading.Event()

    def endless(*asked, **options):
        begun.set()
        freed.wait(60)

    monkeypatch.setattr(scipy.optimize, "linprog", endless)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(found, "pennies", 3, budget=Budget(cancel=cancel))
        assert begun.wait(60) and not asked.done()
        cancel()
        try:
            with pytest.raises(NotSolvedError, match="it needs more time"):
                asked.result(5)
        finally:
            freed.set()


@pytest.mark.parametrize("said", [{"status": 1}, {"status": 4, "x": None}], ids=["in time", "at all"])
def test_a_program_that_was_not_solved_is_no_plan(said, monkeypatch):
    import scipy.optimize

    usual = scipy.optimize.linprog
    told = scipy.optimize.OptimizeResult
    monkeypatch.setattr(scipy.optimize, "linprog", lambda *asked, **options: told(usual(*asked, **options) | said))
    with pytest.raises(NotSolvedError, match="no bounds are known yet"):
        found("pennies", 3)


def test_best_responses_end_with_the_stop():
    tree, told = (plans := found("dice", 2).plans).tree, plans.told
    played = sequences.realized(tree.sets[0], told[0], bytearray(1))
    gains = sequences.gains_against(tree, 1, played, tree.gains, bytearray(1))
    for part in (
        partial(sequences.realized, tree.sets[0], told[0]),
        partial(sequences.gains_against, tree, 1, played, tree.gains),
        partial(sequences.respond, tree.sets[1], gains),
        partial(sequences.judged, tree, told),
    ):
        with pytest.raises(sequences.StoppedError):
            part(bytearray(b"\1"))


def test_sets_that_are_told_as_one_share_the_mean_by_how_likely_they_are():
    sets = [sequences.Information(0, ("a", "b"), first, None, None, Fraction(first, 4)) for first in (1, 3)]
    tree = SimpleNamespace(sets=(sets, []), classes=([0, 0], []))
    assert sequences._shares(tree, 0, [1, 1, 0, 0, 1], bytearray(1)) == [[Fraction(1, 4), Fraction(3, 4)]] * 2
    assert sequences._shares(tree, 0, [1, 0, 0, 0, 0], bytearray(1)) == [None, None], "neither is played"


@dataclass(frozen=True)
class Crooked(MiddleState):
    def chance(self):
        return {card: 0.3 for card in super().chance()}


def test_chances_that_do_not_add_up_are_refused(monkeypatch):
    game = GAMES["middle"]
    public = game.public_state(Rules(4))
    monkeypatch.setattr(type(public), "worlds", lambda self: [Crooked(self.rules, (1, 2))])
    with pytest.raises(ArgumentError, match="must be fractions of 0 or more that add up to 1, not"):
        game.equilibrium(public)


def test_a_chance_of_0_is_one_and_one_below_is_none():
    assert sequences._chances(SimpleNamespace(chance=lambda: {"a": 1, "b": 0})) == {"a": 1, "b": 0}
    with pytest.raises(ArgumentError, match="must be fractions of 0 or more that add up to 1"):
        sequences._chances(SimpleNamespace(chance=lambda: {"a": 2, "b": -1}))


def test_chances_in_floating_point_are_taken_for_the_fractions_that_they_mean(monkeypatch):
    exact = found("leduc", 2)
    chances = LeducState.chance
    monkeypatch.setattr(LeducState, "chance", lambda self: {card: float(share) for card, share in chances(self).items()})
    assert found("leduc", 2).value == exact.value


def test_distinct_turns_are_the_first_of_each_outcome():
    for state in (
        FaceToFaceState.begin(FaceToFace.parse("27^40v:17,18,45+9,33,50 13^50v:5,12+4")),
        FaceToFaceState.begin(FaceToFace.parse("52^6v:16,18,19,57 53^15v:4,7,29,44")),
        FaceToFaceState.begin(FaceToFace.parse("20^40v:19,18,30,41,10 13^50v:5,12")).apply("19v"),
    ):
        firsts = {}
        for turn in state.turns():
            firsts.setdefault(state.play(turn), turn)
        assert list(firsts.values()) == state.distinct_turns()
    for rules in (TakeThatRules(), TakeThatRules(professional=True)):
        state = TakeThatState.begin(TakeThat.parse("12,43,94 21,76 34-41-49 55,63"), rules)
        assert [*map(str, state.distinct_turns())] == ["43", "43x34", "94x49", "take,12", "take,43", "take,94"]
        for turn in state.distinct_turns():
            state.play(turn)


def test_equations_without_one_solution_are_near_what_was_told():
    assert solve_equations([{0: 1, 1: 1}], [1], [0.25, 0.75], bytearray(1)) in ([Fraction(1, 4), Fraction(3, 4)],)
    assert solve_equations([{0: 1, 1: 1}], [1], [0.25, 0.75], bytearray(b"\1")) is None


def test_fractions_that_fit_a_few_digits_only_are_not_taken(monkeypatch):
    """In base of a small prime the first digits are those of simpler fractions too."""
    monkeypatch.setattr(rational, "PRIME", 101)
    for number in range(102, 202):
        rows, answer = [{0: number}, {0: 1, 1: number}], [Fraction(7, number), Fraction(5 * number - 7, number**2)]
        assert solve_equations(rows, [7, 5], [0.0, 0.0], bytearray(1)) == answer


def test_a_game_in_extensive_form_for_other_solvers():
    game = GAMES["pennies"]
    assert game.extensive_form(game.public_state(Rules(3))).splitlines() == [
        'EFG 2 R "Games of hidden cards: pennies 3" { "the mover" "the other player" }',
        '""',
        'p "" 1 1 "None None ()" { "heads" "tails" } 0',
        'p "" 2 1 "None None ()" { "heads" "tails" } 0',
        't "" 1 "" { 3, -3 }',
        't "" 2 "" { -1, 1 }',
        'p "" 2 1 "None None ()" { "heads" "tails" } 0',
        't "" 2 "" { -1, 1 }',
        't "" 3 "" { 1, -1 }',
    ]
    with pytest.raises(ArgumentError, match="no two hands"):
        KUHN.extensive_form("kuhn", ({1: 1}, {1: 1}))
    with pytest.raises(BudgetError, match="there is room for no more in 1 MiB"):
        GAMES["dice"].extensive_form(GAMES["dice"].public_state(Rules(4)), budget=Budget(table_mib=1))


def test_no_two_information_sets_of_a_player_have_one_label():
    """Also if both have the same view: what the player saw and did before differs."""
    text = FACE_TO_FACE.extensive_form("3^13v:?2:2,14,22,32,33 3^33v:?2:2,22,23")
    sets = {tuple(line[2:].split(" {")[0].split(" ", 3)[1:]) for line in text.splitlines() if line.startswith("p")}
    assert len({(seat, label) for seat, _, label in sets}) == len({(seat, number) for seat, number, _ in sets}) > 2


@pytest.mark.parametrize(("name", "size"), [("middle", 4), ("dice", 2), ("leduc", 2)])
def test_chances_of_an_extensive_form_are_fractions_that_add_up(name, size):
    text = GAMES[name].extensive_form(GAMES[name].public_state(Rules(size)))
    turns, chances = {}, 0
    for line in text.splitlines()[2:]:
        kind, inner = line[0], line[line.index("{") + 1 : line.index("}")]
        if kind == "c":
            assert sum(map(Fraction, inner.split()[1::2])) == 1
            chances += 1
        elif kind == "p":
            of = tuple(line.split()[2:4])
            assert turns.setdefault(of, inner) == inner
    answer = found(name, size)
    assert chances and len(turns) == sum(len(sets) for sets in answer.plans.told)
