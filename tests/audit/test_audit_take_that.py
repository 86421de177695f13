"""The families and the checks of the audit for Take That: held against slow definitions, and each seen to find a fault."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from audit import Batch, Check, proofs, run_unit
from audit.check import shrink
from audit.take_that import brute_force, checks, deals, hidden, small_deals
from audit.take_that.checks import values_and_best_many
from audit.take_that.families import FAMILIES, draw
from backtrick.proofs import prove
from backtrick.take_that import equilibrium, mirror, pack, pack_turn, unpack
from backtrick.take_that._deal import DealSolver
from backtrick.take_that.rule_options import is_toad, twisted
from backtrick.take_that.rules import successors
from backtrick.take_that.solving import solve_many
from take_that_samples import ALL_RULES

by_family = pytest.mark.parametrize("family", FAMILIES)


def drawn(family: str, count: int = 300, seed: int = 1) -> np.ndarray:
    return draw(FAMILIES[family], np.random.default_rng(seed), count)


@by_family
def test_families_are_well_formed_and_of_their_sizes(family):
    positions = drawn(family)
    assert np.array_equal(pack(unpack(positions)), positions)
    for name, (least, most) in (("mover", FAMILIES[family].hand), ("line", FAMILIES[family].line)):
        sizes = np.count_nonzero(positions[name], axis=1)
        assert sizes.min() == least and sizes.max() == most


def test_families_are_what_they_say():
    twists, toads, steps = {}, {}, {}
    for family in FAMILIES:
        positions = unpack(drawn(family))
        twists[family] = np.mean([sum(twisted(card) in (*p.opponent, *p.line) for card in p.mover if not is_toad(card))
                                  for p in positions])  # fmt: skip
        toads[family] = np.mean([sum(map(is_toad, (*p.mover, *p.opponent, *p.line))) for p in positions])
        steps[family] = np.mean([abs(a - b) <= 10 for p in positions for a, b in zip(p.line, p.line[1:], strict=False)])
    assert toads["toads"] > 4 > 2 * toads["twists"]
    assert twists["long lines"] > 4 and twists["twists"] > 2 * twists["all sizes"]
    assert steps["as in play"] > 2 * steps["all sizes"]


@by_family
@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
def test_turns_are_those_of_the_twin(family, rules):
    positions = drawn(family, 60)
    turns = checks.turns_of(positions, rules)
    following = unpack(turns.following[turns.going_on])
    found = {place: [] for place in range(len(positions))}
    parts = turns.rows, turns.codes, turns.points, turns.going_on
    for row, code, points, going_on in zip(*(part.tolist() for part in parts), strict=True):
        found[row].append((code, points, following.pop(0) if going_on else None))
    for place, position in enumerate(unpack(positions)):
        expected = [(pack_turn(turn), points, after) for turn, points, after in successors(position, rules)]
        assert found[place] == expected, position


@by_family
def test_mirror_images_are_those_of_the_words(family):
    positions = drawn(family)
    assert unpack(checks.mirrored(positions)) == [mirror(position) for position in unpack(positions)]


@by_family
def test_smaller_positions_are_well_formed_and_fewer(family):
    for row in drawn(family, 20):
        one = np.atleast_1d(row)
        for batch in checks.smaller(Batch(family, ALL_RULES[3], one)):
            assert np.array_equal(pack(unpack(batch.cases)), batch.cases)
            cards = sum(np.count_nonzero(batch.cases[name], axis=1) for name in ("mover", "opponent", "line"))
            before = sum(np.count_nonzero(one[name]) for name in ("mover", "opponent", "line"))
            assert (cards == before - (batch.rules == ALL_RULES[3])).all()


# Each check finds a fault


def part_of(word: str) -> Check:
    """A check with a tenth of its cases."""
    [check] = [check for check in checks.CHECKS if check.name.endswith(f"/{word}")]
    return replace(check, count=max(1, check.count // 10))


by_check = pytest.mark.parametrize("word", [check.name.partition("/")[2] for check in checks.CHECKS])


def one_in(positions: np.ndarray, number: int) -> np.ndarray:
    cards = np.ascontiguousarray(positions).view(np.uint8).reshape(len(positions), 97).astype(np.int64)
    return (cards * np.arange(1, 98) ** 2).sum(axis=1) % number == 0


@pytest.mark.share(2)
@by_check
def test_nothing_differs_in_a_part_of_a_unit(word):
    unit = run_unit(part_of(word), 11, 0)
    assert unit.found is None and unit.compared > 0


@pytest.mark.parametrize(
    ("word", "module", "number"), [("deals", deals, 0), ("brute-force", brute_force, 0), ("small-worlds", brute_force, 100)]
)
def test_wrong_values_of_deals_are_found(word, module, number, monkeypatch):
    """One value in 40 is a point too high."""

    class Wrong(DealSolver):
        def value(self, packed, pile, nodes=0):
            low, high, *more = super().value(packed, pile, nodes)
            wrong = one_in(np.frombuffer(packed, np.uint8)[None], 40)[0]
            return low + wrong, high + wrong, *more

    monkeypatch.setattr(module, "DealSolver", Wrong)
    unit = run_unit(part_of(word), 11, number)
    assert unit.mismatches > 0 and unit.smallest is not None


@pytest.mark.parametrize("name", ["taking", "counting"])
def test_claims_that_say_too_much_are_found(name, monkeypatch):
    """The lower bound of one deal in 40 is two points too high."""
    right = brute_force.claims_of

    def wrong(packed, pile, opens):
        claims = right(packed, pile, opens)
        if name in claims and one_in(np.frombuffer(packed, np.uint8)[None], 40)[0]:
            claims[name] = claims[name][0] + (2 if name == "taking" else 40), claims[name][1]
        return claims

    monkeypatch.setattr(brute_force, "claims_of", wrong)
    deals_of_pairs = small_deals.draw(small_deals.FAMILIES["pairs"], np.random.default_rng(1), 300)
    found = brute_force.compare(Batch("pairs", ALL_RULES[0], deals_of_pairs))
    assert found.mismatches and all(f"the claim '{name}'" in one.says[0] for one in found.mismatches)


def test_a_proof_that_lacks_its_last_line_is_found(monkeypatch):
    monkeypatch.setattr(proofs, "prove", lambda *asked: list(prove(*asked))[:-1])
    unit = run_unit(replace(part_of("proofs"), smaller=None), 11, 0)
    assert unit.mismatches == unit.compared > 0


def test_a_wrong_equilibrium_is_found(monkeypatch):
    def wrong(state, **options):
        found = equilibrium(state, **options)
        return replace(found, plans=replace(found.plans, low=found.low + 1, high=found.high + 1))

    monkeypatch.setattr(hidden, "equilibrium", wrong)
    unit = run_unit(part_of("hidden"), 11, 0)
    assert unit.mismatches == unit.compared > 0


OF_DEALS = deals.DEALS, deals.PROOFS, brute_force.BRUTE_FORCE, brute_force.SMALL_WORLDS, hidden.HIDDEN
OF_ENDGAMES = [check for check in checks.CHECKS if check not in OF_DEALS and "texts" not in check.name]


@pytest.mark.parametrize("word", [check.name.partition("/")[2] for check in OF_ENDGAMES])
def test_wrong_values_are_found(word, monkeypatch):
    """One value in 40 is a point too high."""
    monkeypatch.setattr(checks, "solve_many", lambda positions, *rest, **more: solve_many(positions, *rest, **more)
                        + one_in(positions, 40))  # fmt: skip

    def wrong(positions, *rest, **more):
        values, best = values_and_best_many(positions, *rest, **more)
        return values + one_in(positions, 40), best

    monkeypatch.setattr(checks, "values_and_best_many", wrong)
    unit = run_unit(part_of(word), 11, 0)
    assert unit.mismatches > 0 and unit.smallest is not None


@pytest.mark.parametrize("word", ["turns", "line"])
def test_wrong_best_turns_are_found(word, monkeypatch):
    """One turn in 40 is that of another position, or none."""

    def wrong(positions, *rest, **more):
        values, best = values_and_best_many(positions, *rest, **more)
        return values, np.where(one_in(positions, 40), np.roll(best, 1), np.where(one_in(positions, 41), 0, best))

    monkeypatch.setattr(checks, "values_and_best_many", wrong)
    check = part_of(word)
    assert run_unit(check, 11, 0).mismatches > 0


def test_wrong_lines_are_found(monkeypatch):
    """One line in 40 goes wrong after its first turn."""
    right = checks.lines_many

    def wrong(positions, *rest, **more):
        lines = right(positions, *rest, **more)
        lines[::40, 1] += 1
        return lines

    monkeypatch.setattr(checks, "lines_many", wrong)
    assert run_unit(part_of("line"), 11, 0).mismatches > 0


@pytest.mark.parametrize("name", ["optimal_many", "lines_many", "grade_many", "outcomes_many"])
def test_wrong_arrays_are_found(name, monkeypatch):
    """One count, line, grade or value in 40 is another."""
    right = getattr(checks, name)

    def wrong(positions, *rest, **more):
        found = right(positions, *rest, **more)
        part = {"grade_many": lambda: found[1], "outcomes_many": lambda: found[0]["value"]}.get(name, lambda: found)()
        part[::40] += 1
        return found

    monkeypatch.setattr(checks, name, wrong)
    assert run_unit(part_of("arrays"), 11, 0).mismatches > 0


def test_bounds_that_are_too_narrow_and_nodes_that_are_too_many_are_found(monkeypatch):
    batch = Batch("all sizes", ALL_RULES[0], drawn("all sizes", 30))
    assert checks.compare_bounds(batch).mismatches == []

    class Wrong:
        def __init__(self, solver, shift, nodes):
            self.solver, self.shift, self.nodes = solver, shift, nodes

        def value(self, packed, nodes):
            low, high, taken = self.solver.value(packed, nodes)
            return low + self.shift, high, taken + self.nodes

        def turn_values(self, packed, nodes):
            return self.solver.turn_values(packed, nodes)

    for shift, nodes in ((1, 0), (0, 1000)):
        right = checks.solver_within

        @contextmanager
        def wrapped(budget, rules, right=right, shift=shift, nodes=nodes):
            with right(budget, rules) as solver:
                yield Wrong(solver, shift, nodes)

        with monkeypatch.context() as patch:
            patch.setattr(checks, "solver_within", wrapped)
            assert checks.compare_bounds(batch).mismatches


def test_a_counter_example_is_made_as_small_as_it_goes(monkeypatch):
    """Wrong wherever a toad lies in the line and the opponent holds a card above 70."""

    def wrong(positions, *rest, **more):
        toad = np.isin(positions["line"], range(22, 89, 11)).any(axis=1)
        return solve_many(positions, *rest, **more) + (toad & (positions["opponent"] > 70).any(axis=1))

    monkeypatch.setattr(checks, "solve_many", wrong)
    batch = Batch("toads", ALL_RULES[3], drawn("toads"))
    check = part_of("second")
    smallest = shrink(check, batch, checks.compare_second(batch).mismatches[0])
    mover, opponent, line = smallest.case.split()
    assert mover == "-" and int(opponent) > 70 and is_toad(int(line))
