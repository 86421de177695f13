"""The checks of the audit for Take That: the solver is compared with a second solver, and values must keep some laws.

Every check takes batches of one family (`families.py`). The rules of a batch are drawn at random; about half are the published.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from audit import Batch, Check, Found, Mismatch, held, texts
from audit.take_that.brute_force import BRUTE_FORCE, SMALL_WORLDS
from audit.take_that.deals import DEALS, PROOFS
from audit.take_that.families import FAMILIES, draw
from audit.take_that.hidden import HIDDEN
from backtrick.budget import Budget
from backtrick.game import BEST
from backtrick.take_that.codec import turn_of
from backtrick.take_that.game import GAME
from backtrick.take_that.position import HAND_SIZE, LONGEST_LINE, POSITION_DTYPE, unpack
from backtrick.take_that.rule_options import (
    CARD_COST,
    DECK,
    ENDS,
    OPENS,
    PUBLISHED,
    REACH,
    TOAD_COST,
    TWIST_POINTS,
    Rules,
    is_toad,
    mirror_card,
    twisted,
)
from backtrick.take_that.solving import (
    LONGEST_PLAY,
    answer_arrays,
    best_many,
    grade_many,
    lines_many,
    optimal_many,
    outcomes_many,
    solve_many,
    solver_within,
)
from backtrick.take_that.turn import TAKE, pack_turn
from backtrick_development.take_that import _second

SEARCH = "the search"
FAMILY_SHARES = {"as in play": 3, "all sizes": 2, "few cards": 1, "twists": 3, "near": 3, "long lines": 2, "toads": 2}
NODES = 200_000  # of the second solver, a position
NOT_SOLVED = -128
BUDGETS = (1, 10, 100, 1000)  # nodes
TABLE_MIB = 8
_TAKE, _TWISTS = pack_turn(TAKE), 128
_NUMBERS = range(100)
_TWISTED = np.array([twisted(v) if v in DECK and not is_toad(v) else 0 for v in _NUMBERS], np.int64)
_COST = np.array([(TOAD_COST if is_toad(v) else CARD_COST) if v in DECK else 0 for v in _NUMBERS], np.int64)
_MIRRORED = np.array([mirror_card(v) if v in DECK else 0 for v in _NUMBERS], np.uint8)


# Drawing


def draw_rules(rng: np.random.Generator) -> Rules:
    """The published rules, or any of the four settings of the rule options."""
    return PUBLISHED if rng.random() < 0.4 else Rules(bool(rng.random() < 0.5), str(rng.choice([OPENS, ENDS])))


def draw_batch(rng: np.random.Generator, count: int) -> Batch:
    """Positions of one family under one set of rules: `count`, or fewer if positions of the family take more work."""
    rules = draw_rules(rng)
    shares = np.array([FAMILY_SHARES[name] for name in FAMILIES])
    family = list(FAMILIES)[rng.choice(len(shares), p=shares / shares.sum())]
    other = ["forced only"] * rules.forced_only + ["an empty line ends"] * (rules.empty_line == ENDS)
    return Batch(", ".join([family, *other]), rules, draw(FAMILIES[family], rng, max(1, count // FAMILIES[family].work)))


# The rules, on arrays


class Turns(NamedTuple):
    """Every turn of every position: the position's place, the turn's code (`pack_turn`), its points, the position after it.

    following is valid only where `going_on` is True. The turns are ordered by place, then as in `legal_turns`: lays, twists,
    taking.
    """

    rows: np.ndarray
    codes: np.ndarray
    points: np.ndarray
    following: np.ndarray
    going_on: np.ndarray


def turns_of(positions: np.ndarray, rules: Rules) -> Turns:
    """All legal turns, from rules T3-T10 and without any code of the search."""
    hand, line = positions["mover"].astype(np.int64), positions["line"].astype(np.int64)
    length = np.count_nonzero(line, axis=1)
    last = np.take_along_axis(line, np.maximum(length - 1, 0)[:, None], axis=1)
    begun = (length > 0)[:, None]
    open_round = begun | (rules.empty_line == OPENS)  # T9
    lays = (hand > 0) & open_round & (~begun | (np.abs(hand - last) <= REACH))  # T4
    in_line = (line[:, None, :] == _TWISTED[hand][:, :, None]) & (_TWISTED[hand] > 0)[:, :, None]
    twists = in_line.any(axis=2)  # T5
    takes = begun & ~(rules.forced_only & (lays | twists).any(axis=1, keepdims=True))  # T6, T10
    rows, kinds = np.nonzero(np.concatenate([lays, twists, takes], axis=1))
    slots, is_twist, is_take = kinds % HAND_SIZE, kinds // HAND_SIZE == 1, kinds == 2 * HAND_SIZE
    cards = np.where(is_take, 0, hand[rows, slots])
    codes = np.where(is_take, _TAKE, cards + _TWISTS * is_twist)
    points = np.where(is_take, -_COST[line[rows]].sum(axis=1), TWIST_POINTS * is_twist)
    following = np.zeros(len(rows), POSITION_DTYPE)
    following["mover"] = positions["opponent"][rows]
    following["opponent"] = _without(hand[rows], slots)
    laid = line[rows]
    laid[np.arange(len(rows)), np.minimum(length[rows], LONGEST_LINE - 1)] = cards
    gone = np.argmax(in_line[rows, slots], axis=1)
    following["line"] = np.where(is_twist[:, None], _without(line[rows], gone), laid)
    going_on = ~is_take & ~(is_twist & (length[rows] == 1))  # T7
    return Turns(rows, codes, points, following, going_on)


def _without(cards: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Each row without the card at its place; the cards behind it move up."""
    indices = np.arange(cards.shape[1])
    moved = np.concatenate([cards, np.zeros((len(cards), 1), cards.dtype)], axis=1)
    return np.take_along_axis(moved, indices + (indices >= places[:, None]), axis=1)


def mirrored(positions: np.ndarray) -> np.ndarray:
    """The mirror images: v -> 110 - v."""
    images = np.zeros_like(positions)
    for name in ("mover", "opponent"):
        cards = _MIRRORED[positions[name]]
        count = np.count_nonzero(cards, axis=1)[:, None]
        images[name] = np.where(np.arange(HAND_SIZE) < count, np.sort(np.where(cards > 0, cards, 255), axis=1), 0)
    images["line"] = _MIRRORED[positions["line"]]
    return images


# Comparing


def values_of(positions: np.ndarray, rules: Rules) -> np.ndarray:
    return solve_many(positions, 1, rules, progress=False).astype(np.int64)


def values_and_best_many(positions: np.ndarray, rules: Rules) -> tuple[np.ndarray, np.ndarray]:
    values, best, *_ = answer_arrays(positions, {BEST}, rules, 1)
    assert best is not None
    return values, best


def text_of(position: np.ndarray, rules: Rules) -> str:
    """One position in notation, followed by the rules if they are not the published ones."""
    return str(unpack(np.atleast_1d(position))[0]) + ("" if rules == PUBLISHED else f" {rules}")


def compare_second(batch: Batch) -> Found:
    """Compares the search with the second solver, on the positions that the second solver finishes."""
    rules, theirs = batch.rules, np.full(len(batch.cases), NOT_SOLVED, np.int8)
    packed = np.ascontiguousarray(batch.cases).view(np.uint8).reshape(len(batch.cases), -1)
    wrong = _second.solve_range(packed, theirs, 0, len(theirs), rules.forced_only, rules.empty_line == OPENS, NODES)
    assert wrong == -1, batch
    ours = values_of(batch.cases, rules)
    return held(batch, text_of, SEARCH, ours, "the second solver", theirs, asked=theirs != NOT_SOLVED)


def compare_turns(batch: Batch) -> Found:
    """Compares value and best turn with those derived from all turns: their points minus the value of what follows."""
    values, best = values_and_best_many(batch.cases, batch.rules)
    turns = turns_of(batch.cases, batch.rules)
    worth = turns.points.copy()
    worth[turns.going_on] -= values_of(turns.following[turns.going_on], batch.rules)
    derived = np.full(len(values), NOT_SOLVED)
    np.maximum.at(derived, turns.rows, worth)
    derived[np.setdiff1d(np.arange(len(values)), turns.rows)] = 0  # the round is over
    keeping = np.flatnonzero(worth == derived[turns.rows])
    rows, first = np.unique(turns.rows[keeping], return_index=True)
    code = np.zeros(len(values), np.int64)
    code[rows] = turns.codes[keeping[first]]
    found = held(batch, text_of, SEARCH, values.astype(np.int64), "from its turns", derived)
    also = held(batch, text_of, "its best turn", best, "the first best of its turns", code, show=turn_of)
    return found._replace(mismatches=found.mismatches + also.mismatches)


def compare_arrays(batch: Batch) -> Found:
    """Compares the array forms with all turns, listed from the rules here, and the values of what they lead to."""
    cases, rules = batch.cases, batch.rules
    turns, values = turns_of(cases, rules), values_of(cases, rules)
    worth = turns.points.copy()
    worth[turns.going_on] -= values_of(turns.following[turns.going_on], rules)
    rows, offsets = outcomes_many(cases, 1, rules, progress=False)
    count = np.bincount(turns.rows, minlength=len(cases))
    none = np.zeros(len(cases), np.int64)
    listed = held(batch, text_of, "rows", np.diff(offsets), "its turns", count)
    if listed.mismatches:
        return listed
    expected = np.where(turns.going_on, turns.following, np.zeros((), POSITION_DTYPE))
    before, after = grade_many(cases[turns.rows], turns.codes.astype(np.uint8), 1, rules, progress=False)
    other = (rows["turn"] != turns.codes) | (rows["points"] != turns.points) | (rows["value"] != worth)
    other |= (rows["position"] != expected) | (before != values[turns.rows]) | (after != worth)
    wrong = none.copy()
    np.add.at(wrong, turns.rows, other)
    optimal = np.bincount(turns.rows[worth == values[turns.rows]], minlength=len(cases))
    lines, best = lines_many(cases, 1, rules, progress=False), best_many(cases, 1, rules, progress=False)
    found = [
        held(batch, text_of, "rows and grades that differ", wrong, "from its turns", none),
        held(batch, text_of, "best turns", optimal_many(cases, 1, rules, progress=False), "of its turns", optimal),
        held(batch, text_of, "the first turn of its line", lines[:, 0], "its best turn", best, show=turn_of),
    ]
    return Found(len(cases), sorted(mismatch for one in found for mismatch in one.mismatches))


def compare_mirror(batch: Batch) -> Found:
    """Compares a position with its mirror image."""
    values, images = (values_of(positions, batch.rules) for positions in (batch.cases, mirrored(batch.cases)))
    return held(batch, text_of, SEARCH, values, "of its mirror image", images)


def compare_lines(batch: Batch) -> Found:
    """Checks that the line of best turns is legal, that its points add up to the value, and that `lines_many` gives it."""
    values, best = values_and_best_many(batch.cases, batch.rules)
    positions, places, sign = batch.cases, np.arange(len(batch.cases)), 1
    balance, none = np.zeros((2, len(values)), np.int64)
    line = np.zeros((len(values), LONGEST_PLAY), np.uint8)
    for number in range(LONGEST_PLAY):
        turns = turns_of(positions, batch.rules)
        chosen = np.flatnonzero(turns.codes == best[turns.rows])
        played = turns.rows[chosen]
        stopped = np.setdiff1d(np.arange(len(positions)), played)
        balance[places[stopped[best[stopped] != 0]]] = NOT_SOLVED  # the turn is not legal
        balance[places[np.setdiff1d(np.unique(turns.rows), played)]] = NOT_SOLVED  # there are turns, and none was named
        balance[places[played]] += sign * turns.points[chosen]
        line[places[played], number] = best[played]
        kept = turns.going_on[chosen]
        if not kept.any():
            break
        positions, places, sign = turns.following[chosen[kept]], places[played[kept]], -sign
        best = values_and_best_many(positions, batch.rules)[1]
    found = held(batch, text_of, SEARCH, values.astype(np.int64), "the points of its line", balance)
    other = np.count_nonzero(lines_many(batch.cases, 1, batch.rules, progress=False) != line, axis=1)
    also = held(batch, text_of, "turns that differ in its line", other, "from the best ones, turn by turn", none)
    return found._replace(mismatches=found.mismatches + also.mismatches)


def compare_bounds(batch: Batch) -> Found:
    """Checks that bounds proved within a small budget contain the value, also those of turns, and that the budget is kept."""
    values = values_of(batch.cases, batch.rules)
    mismatches, compared = [], 0
    for place, packed in enumerate(batch.cases):
        data = np.frombuffer(packed.tobytes(), np.uint8)
        for nodes in BUDGETS:
            with solver_within(Budget(nodes=nodes, table_mib=TABLE_MIB), batch.rules) as solver:
                low, high, taken = solver.value(data, nodes)
                each, taken_by_each = solver.turn_values(data, nodes)
            best = max((one[1] for one in each), default=0), max((one[2] for one in each), default=0)
            compared += 1
            for what, (least, most), took in (("bounds", (low, high), taken), ("bounds of its turns", best, taken_by_each)):
                if not least <= values[place] <= most or took > nodes:
                    says = f"{SEARCH}: {values[place]}", f"{what} within {nodes} nodes: {least}..{most}, {took} nodes"
                    mismatches.append(Mismatch(place, text_of(packed, batch.rules), says))
    return Found(compared, mismatches)


# Smaller positions


def smaller(batch: Batch) -> Iterator[Batch]:
    """Simpler batches: the published rules instead of others, or one card less in a hand or in the line."""
    if batch.rules != PUBLISHED:
        yield Batch(batch.family, PUBLISHED, batch.cases)
    found = []
    for name in ("mover", "opponent", "line"):
        for place in range(int(np.count_nonzero(batch.cases[name][0]))):
            found.append(batch.cases.copy())
            found[-1][name] = _without(batch.cases[name], np.array([place]))
    if found:
        yield Batch(batch.family, batch.rules, np.concatenate(found))


def _check(word: str, says: str, compare: Callable[[Batch], Found], count: int, share: float) -> Check:
    return Check(f"take-that/{word}", says, draw_batch, compare, count, share, smaller)


CHECKS = (
    _check("second", "The value is that of a second solver, which shares no code with the first.", compare_second, 12_000, 3),
    _check("turns", "The value is that of the best turn, its points minus the value of the position after it; and the first "
           "best turn is the one that is named.", compare_turns, 12_000, 2),
    _check("mirror", "The mirror image has the same value.", compare_mirror, 40_000, 1),
    _check("line", "The line of best turns is legal and adds up to the value.", compare_lines, 8_000, 1),
    _check("arrays", "Counts, lines, grades and rows of many positions agree with all turns and what they lead to.",
           compare_arrays, 1_500, 1),
    _check("bounds", "The bounds that are proved within a small budget contain the value.", compare_bounds, 1_000, 1),
    _check("texts", texts.SAYS, partial(texts.compare_texts, GAME, str), 10_000, 1),
    DEALS,
    PROOFS,
    BRUTE_FORCE,
    SMALL_WORLDS,
    HIDDEN,
)  # fmt: skip
