"""The families and the checks of the audit for Face to Face: held against slow definitions, and each seen to find a fault."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from audit import Batch, Check, run_unit
from audit.check import shrink
from audit.face_to_face import checks, comparing, hidden
from audit.face_to_face.families import FAMILIES, WHOLE, draw, well_formed
from audit.face_to_face.relabelling import dice, relabelled
from backtrick.errors import IllegalTurnError
from backtrick.face_to_face import PUBLISHED, Play, Rules, Turn, after, equilibrium, legal_turns, pack, pack_turn, unpack
from backtrick.face_to_face.position import POSITION_DTYPE, Side, cards_of, check_well_formed
from backtrick.face_to_face.solving import solve_many
from backtrick.face_to_face.tablebase import bit_counts
from oracles.face_to_face_relations import relations
from oracles.published_deck import SmallDeck
from samples import sample

by_family = pytest.mark.parametrize("family", FAMILIES)
by_deck = pytest.mark.parametrize("deck", (WHOLE, SmallDeck(14, 2), SmallDeck(17, 3), SmallDeck(12, 5)), ids=str)


def drawn(family: str, deck: SmallDeck = WHOLE, count: int = 700, seed: int = 1) -> np.ndarray:
    return draw(FAMILIES[family], np.random.default_rng(seed), count, deck)


def is_well_formed(row: tuple[int, ...]) -> bool:
    hand, other, ascending, descending, other_ascending, other_descending = row
    try:
        check_well_formed(Side(ascending, descending, cards_of(hand)), Side(other_ascending, other_descending, cards_of(other)))
    except ValueError:
        return False
    return bool(other)


# Families


@by_family
@by_deck
def test_families_are_well_formed(family, deck, times):
    positions = drawn(family, deck, 700 * times)
    assert len(positions) > 25 * times
    assert all(is_well_formed(row) for row in positions.tolist())


@by_family
def test_families_have_all_sizes_and_mostly_nine_cards_and_more(family, times):
    positions = drawn(family, count=12_000 * times)
    sizes = [tuple(len(cards_of(hand)) for hand in row[:2]) for row in positions.tolist()]
    assert set(sizes) == {(k, m) for k in range(1, 7) for m in range(1, 7)}
    assert sum(k + m >= 9 for k, m in sizes) > 0.65 * len(sizes)


def test_families_are_what_they_say():
    tight = drawn("tight")
    assert tight["mover_ascending"].min() == tight["opponent_ascending"].min() == 35 and tight["mover_ascending"].max() == 59
    assert tight["mover_descending"].min() == tight["opponent_descending"].min() == 2 and tight["mover_descending"].max() == 25
    crossed = drawn("crossed")
    assert (crossed["mover_ascending"] >= crossed["mover_descending"]).all()
    assert (crossed["opponent_ascending"] >= crossed["opponent_descending"]).all()
    pairs, equals, spread = {}, {}, {}
    for family in FAMILIES:
        hands = drawn(family)["mover_hand"], drawn(family)["opponent_hand"]
        cards = [cards_of(int(one | other)) for one, other in zip(*hands, strict=True)]
        pairs[family] = np.mean([len(set(numbers) & {number + 10 for number in numbers}) for numbers in cards])
        equals[family] = np.mean([len(cards_of(int(one & other))) for one, other in zip(*hands, strict=True)])
        spread[family] = np.mean([max(numbers) - min(numbers) for numbers in cards])
    assert max(pairs, key=pairs.get) == "chained" and pairs["tight"] > 2 * pairs["uniform"]
    assert max(equals, key=equals.get) == "equal hands" and equals["equal hands"] > 2
    assert spread["clustered"] < 25 < spread["tight"]


def test_well_formed_is_the_slow_definition():
    """On rows of which many show a number three times or out of range."""
    random, rows = Random("rows"), []
    for _ in range(4000):
        near = random.sample(range(2, 60), 8)
        hands = [sum(1 << card for card in random.sample(near, random.randint(1, 6))) for _ in range(2)]
        rows.append((*hands, *(random.choice([*near, 0, 1, 60, 61]) for _ in range(4))))
    expected = [is_well_formed(row) for row in rows]
    assert 100 < sum(expected) < 3900
    assert well_formed(np.array(rows, POSITION_DTYPE)).tolist() == expected


def test_a_deck_too_small_is_refused():
    with pytest.raises(ValueError, match="decks of 12 and more, not 11"):
        drawn("uniform", SmallDeck(11, 5))


# Relabelling


@pytest.mark.share(4)
@by_family
@by_deck
def test_relabelled_positions_have_the_same_relations(family, deck, times):
    positions = drawn(family, deck, count=100 * times)
    copies = relabelled(positions)
    assert all(is_well_formed(row) for row in copies.tolist())
    for one, other in zip(unpack(positions), unpack(copies), strict=True):
        assert relations(one.mover, one.opponent) == relations(other.mover, other.opponent), (one, other)
    if deck == WHOLE:
        assert (positions == copies).mean() < 0.2


def test_dice_depend_on_the_position_and_the_salt_only():
    positions = drawn("tight")
    bits = dice(positions, 1)
    assert np.array_equal(dice(positions[::-1], 1), bits[::-1]) and not (dice(positions, 2) == bits).any()
    shares = [(bits >> np.uint64(bit) & np.uint64(1)).mean() for bit in range(64)]
    assert min(shares) > 0.4 and max(shares) < 0.6


# The checks' own rules


@pytest.mark.parametrize("lone_card", [False, True])
def test_legal_turns_are_those_of_the_twin(lone_card, times):
    """All legal turns, and as many that are spoilt in one play or made up."""
    rules, random = Rules(lone_card), Random(f"turns {lone_card}")
    positions, turns, expected = [], [], []
    for position in sample("tight", 30 * times, 5, most=4) + sample("clustered", 40 * times, 5, most=3):
        legal = list(legal_turns(position, rules))
        asked = random.sample(legal, min(len(legal), 20))
        for turn in [*asked, *legal[:1], *[None] * 5]:
            plays = list(turn or [])
            cards = [*position.mover.hand, *position.mover.hand, *position.opponent.hand, 31]
            made_up = Play(random.choice(cards), random.choice("^v"), random.random() < 0.3)
            plays[random.randint(0, len(plays)) :][:1] = []
            plays.insert(random.randint(0, len(plays)), made_up)
            asked.append(Turn(tuple(plays[: random.randint(1, 6)])))
        for turn in asked:
            try:
                after(position, turn, rules)
                expected.append(True)
            except IllegalTurnError:
                expected.append(False)
            positions.append(position)
            turns.append(pack_turn(turn))
    assert 0.2 < np.mean(expected) < 0.8
    assert comparing.is_legal(pack(positions), np.array(turns, np.uint64), rules).tolist() == expected


@pytest.mark.share(4)
@by_family
@pytest.mark.parametrize("rules", [PUBLISHED, Rules(lone_card=True)], ids=str)
@by_deck
def test_smaller_positions_are_well_formed_and_fewer(family, deck, rules):
    def size(row: tuple[int, ...], of: Rules) -> tuple[int, int, int]:
        open_tops = sum(top != start for top, start in zip(row[2:], (1, 60, 1, 60), strict=True))
        return len(cards_of(row[0])) + len(cards_of(row[1])), open_tops, of != PUBLISHED

    for row in drawn(family, deck, count=100)[:20]:
        for batch in checks.smaller(Batch(family, rules, np.atleast_1d(row))):
            for smaller in batch.cases.tolist():
                assert is_well_formed(smaller)
                before, now = size(row.item(), rules), size(smaller, batch.rules)
                assert now < before or now[2] < before[2]


# Each check finds a fault


def part_of(word: str) -> Check:
    """A check with a tenth of its cases."""
    [check] = [check for check in checks.CHECKS if check.name.endswith(f"/{word}")]
    return replace(check, count=max(1, check.count // 10))


by_check = pytest.mark.parametrize("word", [check.name.partition("/")[2] for check in checks.CHECKS])


def one_in(positions: np.ndarray, number: int) -> np.ndarray:
    return dice(positions, 999) % np.uint64(number) == 0


@pytest.mark.parametrize("seed", range(8))
def test_large_hands_under_other_rules(seed):
    batch = checks.draw_large_hands(np.random.default_rng(seed), 1000)
    sizes = bit_counts(batch.cases["mover_hand"]) + bit_counts(batch.cases["opponent_hand"])
    assert batch.rules != Rules() and 9 <= sizes.min() <= sizes.max() <= 12 and len(sizes) > 300


def wrong_values(positions, *arguments, **more):
    """One value in 50 is a win for a loss, or the reverse."""
    values = solve_many(positions, *arguments, **more)
    return np.where(one_in(positions, 50), 5 - values, values).astype(np.uint8)


@pytest.mark.share(2)
@by_check
def test_nothing_differs_in_a_part_of_a_unit(word):
    unit = run_unit(part_of(word), 11, 0)
    assert unit.found is None and unit.compared > 0


@pytest.mark.share(3)
@pytest.mark.parametrize(
    "word", ["second", "outcomes", "mirror", "tops", "line", "turns", "arrays", "relabel", "large", "large-outcomes"]
)
def test_wrong_values_are_found(word, monkeypatch):
    monkeypatch.setattr(comparing, "solve_many", wrong_values)
    check = part_of(word)
    unit = run_unit(check, 11, 0)
    assert unit.mismatches > 0
    assert all("search" in mismatch.says[0] or "list" in mismatch.says[0] for mismatch in (unit.found, unit.smallest))


@pytest.mark.parametrize("word", ["line", "turns", "arrays"])
def test_wrong_best_turns_are_found(word, monkeypatch):
    """One turn in 50 is that of another position, or none."""
    right = comparing.best_many

    def wrong(positions, *arguments, **more):
        turns = right(positions, *arguments, **more)
        return np.where(one_in(positions, 50), np.roll(turns, 1), np.where(one_in(positions, 51), 0, turns)).astype(np.uint64)

    monkeypatch.setattr(comparing, "best_many", wrong)
    check = part_of(word)
    assert run_unit(check, 11, 0).mismatches > 0


def test_wrong_counts_are_found(monkeypatch):
    right = comparing.count_outcomes_many
    monkeypatch.setattr(comparing, "count_outcomes_many", lambda positions, *rest, **more: right(positions, *rest, **more)
                        + one_in(positions, 50))  # fmt: skip
    for word in ("turns", "relabel"):
        assert run_unit(part_of(word), 11, 0).mismatches > 0


@pytest.mark.parametrize("name", ["optimal_many", "lines_many", "grade_many", "outcomes_many"])
def test_wrong_arrays_are_found(name, monkeypatch):
    """One count, line, grade or value in 50 is another."""
    right = getattr(comparing, name)

    def wrong(positions, *rest, **more):
        found = right(positions, *rest, **more)
        if name == "outcomes_many":
            found[0]["value"][::50] ^= 1
        else:
            part = found[1] if name == "grade_many" else found
            part[::50] += 1
        return found

    monkeypatch.setattr(comparing, name, wrong)
    assert run_unit(part_of("arrays"), 11, 0).mismatches > 0


def test_wrong_lists_are_found(monkeypatch):
    """Without the last outcome, or the last turn, of some positions."""
    for name in ("outcome_rows", "legal_turns"):
        right = getattr(comparing, name)
        with monkeypatch.context() as patch:
            patch.setattr(comparing, name, lambda *asked, right=right: right(*asked)[: -1 if one_in_seven(asked) else None])
            assert run_unit(replace(part_of("twin"), count=30), 11, 0).mismatches > 0


def one_in_seven(asked) -> bool:
    return asked[0].mover.ascending % 7 == 0


def test_wrong_rows_are_found(monkeypatch):
    from backtrick.face_to_face import _by_rows

    right = _by_rows.derive_pattern

    def wrong(movers, opponents, rank, lone_card, values):
        right(movers, opponents, rank, lone_card, values)
        values[len(values) // 2] ^= 1

    monkeypatch.setattr("audit.face_to_face.patterns._by_rows.derive_pattern", wrong)
    check = part_of("rows")
    unit = run_unit(check, 11, 0)
    assert unit.mismatches == check.count and "by rows" in unit.found.says[1]


def test_wrong_answers_to_questions_are_found(monkeypatch):
    from backtrick_development.face_to_face import _questions

    right = _questions.ask_range

    def wrong(positions, moments, answered, *question):
        right(positions, moments, answered, *question)
        answered[::1000] ^= 1

    monkeypatch.setattr("audit.face_to_face.questions._questions.ask_range", wrong)
    unit = run_unit(part_of("questions"), 11, 0)
    assert unit.mismatches > 0 and "definition" in unit.found.says[1]


def test_a_counter_example_is_made_as_small_as_it_goes(monkeypatch):
    """Wrong wherever the mover holds a card above 50 and the opponent a multiple of 7, however many besides."""
    high, sevens = sum(1 << card for card in range(51, 60)), sum(1 << card for card in range(7, 60, 7))

    def wrong(positions, *arguments, **more):
        values = solve_many(positions, *arguments, **more)
        hit = (positions["mover_hand"] & np.uint64(high) != 0) & (positions["opponent_hand"] & np.uint64(sevens) != 0)
        return np.where(hit, 5 - values, values).astype(np.uint8)

    monkeypatch.setattr(comparing, "solve_many", wrong)
    batch = Batch("tight", Rules(lone_card=True), drawn("tight"))
    found = comparing.compare_second(batch)
    check = part_of("second")
    smallest = shrink(check, batch, found.mismatches[0])
    [position] = unpack(pack([checks_position(smallest.case)]))
    assert len(position.mover.hand) == len(position.opponent.hand) == 1
    assert position.mover.hand[0] > 50 and position.opponent.hand[0] % 7 == 0
    assert str(position) == smallest.case and smallest.case.startswith("1^60v:") and " 1^60v:" in smallest.case


def checks_position(case: str):
    from backtrick.face_to_face import Position

    return Position.parse(case.partition(" Rules")[0])


def test_dear_checks_leave_out_most_of_what_is_decided_early():
    rng = np.random.default_rng(0)
    batch = checks.draw_batch(rng, 3000, deep=True)
    values = np.bincount(solve_many(batch.cases, 1, batch.rules), minlength=6)
    assert len(batch.cases) == 3000 and values[3:].sum() > 1000 and values[:2].sum() > 0


def test_a_wrong_equilibrium_is_found(monkeypatch):
    def wrong(state, ranges):
        found = equilibrium(state, ranges)
        return replace(found, plans=replace(found.plans, low=(found.low + 1) / 3, high=(found.high + 1) / 3))

    [check] = [check for check in checks.CHECKS if check.name == "face-to-face/hidden"]
    monkeypatch.setattr(hidden, "equilibrium", wrong)
    unit = run_unit(check, 11, 0)
    assert unit.mismatches == unit.compared > 0
