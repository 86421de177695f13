"""How the checks of the audit compare a batch of positions, and what they say about a mismatch."""

from __future__ import annotations

import numpy as np

from audit import Batch, Found, Mismatch, held
from audit.face_to_face.families import well_formed
from audit.face_to_face.patterns import check_pattern
from audit.face_to_face.questions import check_questions
from audit.face_to_face.relabelling import dice, relabelled
from backtrick.face_to_face import _classes, _solve
from backtrick.face_to_face import rules as twin
from backtrick.face_to_face.codec import mirrored
from backtrick.face_to_face.position import FIELDS, POSITION_DTYPE, unpack
from backtrick.face_to_face.rule_options import BACK, HIGHEST, PUBLISHED, Rules
from backtrick.face_to_face.solving import (
    LONGEST_LINE,
    best_first,
    best_many,
    count_outcomes_many,
    grade_many,
    legal_turns,
    lines_many,
    optimal_many,
    outcome_rows,
    outcomes_many,
    outcomes_of,
    play_many,
    solve_many,
)
from backtrick.face_to_face.turn import unpack_turn
from backtrick_development.face_to_face import _second

SEARCH = "the search"
TOPS = FIELDS[2:]
MOMENTS = 2_000  # of a seed: an eighth of a second
_ONE = np.uint64(1)


def values_of(positions: np.ndarray, rules: Rules) -> np.ndarray:
    return solve_many(positions, 1, rules, progress=False)


def text_of(position: np.ndarray, rules: Rules) -> str:
    """One position in notation, followed by the rules if they are not the published ones."""
    return str(unpack(np.atleast_1d(position))[0]) + ("" if rules == PUBLISHED else f" {rules}")


def compare_second(batch: Batch) -> Found:
    """Compares the search with the second solver."""
    rules, theirs = batch.rules, np.full(len(batch.cases), 255, np.uint8)
    wrong = _second.solve_range(batch.cases, theirs, 0, len(theirs), rules.lone_card)
    assert wrong == -1, batch
    return held(batch, text_of, SEARCH, values_of(batch.cases, rules), "the second solver", theirs)


def compare_outcomes(batch: Batch) -> Found:
    """Compares a value with the value that follows from all outcomes, each solved as a position of its own."""
    rules, derived = batch.rules, np.full(len(batch.cases), 255, np.uint8)
    wrong = _classes.derive_range(batch.cases, derived, 0, len(derived), rules.code)
    assert wrong == -1, batch
    return held(batch, text_of, SEARCH, values_of(batch.cases, rules), "from its outcomes", derived)


def compare_mirror(batch: Batch) -> Found:
    """Compares a position with its mirror image."""
    rules, images = batch.rules, mirrored(batch.cases)
    return held(batch, text_of, SEARCH, values_of(batch.cases, rules), "of its mirror image", values_of(images, rules))


def compare_relabelled(batch: Batch) -> Found:
    """Compares a position with another one of its class: the value, and the number of outcomes.

    Outcomes are compared only where no own top shows the number of a card in the mover's hand. Such a card could be laid on that
    pile and leave the top as it was, and a class does not say whether it does.
    """
    rules, cases, copies = batch.rules, batch.cases, relabelled(batch.cases)

    def copy_of(place: int) -> str:
        return f"of {text_of(copies[place], PUBLISHED)}, of the same class"

    found = held(batch, text_of, SEARCH, values_of(cases, rules), copy_of, values_of(copies, rules))
    twins = _shows_own_card(cases) | _shows_own_card(copies)
    counts = [np.where(twins, 0, count_outcomes_many(one, 1, rules, progress=False)) for one in (cases, copies)]
    also = held(batch, text_of, "outcomes", counts[0], copy_of, counts[1])
    return Found(found.compared, found.mismatches + also.mismatches)


def _shows_own_card(positions: np.ndarray) -> np.ndarray:
    tops = [positions[name].astype(np.uint64) for name in TOPS[:2]]
    return (positions["mover_hand"] & (_ONE << tops[0] | _ONE << tops[1])) != 0


def compare_tops(batch: Batch) -> Found:
    """Checks that the owner of a pile does no worse with a better top, unless a card in hand is the back trick of the old top.

    A better top takes only this back trick from its owner, and gives the opponent no new place for a helpful card (F5-F9). So the
    owner can play as with the old top. Each of the four tops is exchanged for another one, better or worse.
    """
    rules, cases, values = batch.rules, batch.cases, values_of(batch.cases, batch.rules)
    compared, mismatches = 0, []
    for pile, name in enumerate(TOPS):
        others = cases.copy()
        others[name] = 1 + pile % 2 + (dice(cases, 100 + pile) % np.uint64(HIGHEST - 1)).astype(np.uint8)
        worse = (np.minimum if pile % 2 else np.maximum)(cases[name], others[name]).astype(np.int64)
        trick = np.clip(worse + (BACK if pile % 2 else -BACK), 0, 63).astype(np.uint64)
        hand = cases["mover_hand" if pile < 2 else "opponent_hand"]
        asked = np.flatnonzero((hand >> trick & _ONE == 0) & (cases[name] != others[name]) & well_formed(others))
        other_values = values_of(others[asked], rules)
        gain = worth_of(other_values) - worth_of(values[asked])
        better = (others[name][asked] == worse[asked]) != (pile < 2)  # for the mover
        for i in np.flatnonzero(np.where(better, gain < 0, gain > 0)).tolist():
            place, side = int(asked[i]), "better" if better[i] else "worse"
            says = f"of {text_of(others[asked[i]], PUBLISHED)}, which is {side} for the mover: {other_values[i]}"
            mismatches.append(Mismatch(place, text_of(cases[place], rules), (f"{SEARCH}: {values[place]}", says)))
        compared += len(asked)
    return Found(compared, sorted(mismatches))


def worth_of(values: np.ndarray) -> np.ndarray:
    """Remoteness as a number that grows with what the mover prefers: a fast loss, a slow loss, a slow win, a fast win."""
    values = values.astype(np.int64)
    return np.where(values % 2 == 1, 10 - values, values - 10)


def compare_lines(batch: Batch) -> Found:
    """Checks the principal line: every turn is legal and lowers the remoteness by one, down to 0."""
    rules, mismatches = batch.rules, []
    positions, places, values = batch.cases, np.arange(len(batch.cases)), values_of(batch.cases, batch.rules)
    while len(positions):
        turns = best_many(positions, 1, rules, progress=False)
        legal = is_legal(positions, turns, rules)
        after = play_many(positions[legal], turns[legal])
        told = np.zeros(len(positions), np.uint8)
        told[legal] = 1 + values_of(after, rules)
        wrong = (told != values) | (legal != (turns != 0))
        for place in np.flatnonzero(wrong).tolist():
            turn = unpack_turn(turns[place])
            says = (f"{SEARCH}, of {text_of(positions[place], PUBLISHED)} in its line: {values[place]}",
                    f"its best turn, {turn}: " + (f"{told[place]}" if legal[place] else "not legal"))  # fmt: skip
            mismatches.append(Mismatch(int(places[place]), text_of(batch.cases[places[place]], rules), says))
        going_on = ~wrong[legal] & (told[legal] > 1)
        positions, places, values = after[going_on], places[legal][going_on], told[legal][going_on] - 1
    return Found(len(batch.cases), sorted(mismatches))


def is_legal(positions: np.ndarray, turns: np.ndarray, rules: Rules) -> np.ndarray:
    """True for the packed turns that are legal (F3-F9, F13), play by play from the rules: bool, shape (n,)."""
    hand = positions["mover_hand"].copy()
    tops = np.array([positions[name] for name in TOPS], np.int64)
    legal = np.ones(len(positions), bool)
    helped, laid = np.zeros(len(positions), np.int64), np.zeros(len(positions), np.int64)
    lone = rules.lone_card & (hand & hand - _ONE == 0)
    for shift in range(0, 64, 8):
        play = (turns >> np.uint64(shift) & np.uint64(255)).astype(np.int64)
        playing = play != 0
        if not playing.any():
            break
        legal &= playing | (turns >> np.uint64(shift) == 0)
        card, pile = play & 63, play >> 6
        top = np.take_along_axis(tops, pile[None], axis=0)[0]
        up = pile % 2 == 0
        fits = np.where(up, (card > top) | (card == top - BACK), (card < top) | (card == top + BACK))  # F5, F6
        helps = np.where(up, card < top, card > top)  # F8
        bit = _ONE << card.astype(np.uint64)
        legal &= ~playing | (np.where(pile < 2, fits, helps) & (hand & bit != 0))
        hand ^= np.where(playing, bit, np.uint64(0))
        helped += playing & (pile >= 2)
        laid += playing
        for number in range(4):
            tops[number] = np.where(playing & (pile == number), card, tops[number])
    return legal & (helped <= 1) & ((laid >= 2) | lone & (laid == 1)) & (positions["opponent_hand"] != 0)  # F4, F3, F13, F12


def compare_turns(batch: Batch) -> Found:
    """The list of outcomes: its turns are legal and lead to what it says, each value is that of the position it leads to, the
    best is the value and comes from `best_many`, and the batch counts agree."""
    rules, cases = batch.rules, batch.cases
    rows = [_solve.outcomes(case, rules.code) for case in cases.tolist()]
    counts = np.array([len(one) for one in rows])
    owner = np.repeat(np.arange(len(cases)), counts)
    every = np.concatenate(rows) if rows else np.empty(0, _solve.OUTCOME_DTYPE)
    following = np.empty(len(every), POSITION_DTYPE)
    for name in FIELDS:
        following[name] = every[name]
    positions = cases[owner]
    legal = is_legal(positions, every["turn"], rules)
    there = play_many(positions, every["turn"]) == following
    right = 1 + values_of(following, rules) == every["value"]
    values, best = values_of(cases, rules), best_many(cases, 1, rules, progress=False)
    counted = count_outcomes_many(cases, 1, rules, progress=False)
    optimal = optimal_many(cases, 1, rules, progress=False)
    mismatches = []
    for place, row in {int(owner[i]): every[i] for i in np.flatnonzero(~(legal & there & right))[::-1]}.items():
        says = (f"the list of outcomes: {unpack_turn(row['turn'])}, remoteness {row['value']}",
                "that turn is not legal, leads elsewhere, or has another value")  # fmt: skip
        mismatches.append(Mismatch(place, text_of(cases[place], rules), says))
    for place, one in enumerate(rows):
        first = best_first(one)[:1]
        value, turn = (int(first["value"][0]), int(first["turn"][0])) if len(one) else (0, 0)
        listed = (value, turn, len(one), int(np.count_nonzero(one["value"] == value)))
        batched = (int(values[place]), int(best[place]), int(counted[place]), int(optimal[place]))
        if listed != batched:
            said = [
                f"{name}: remoteness {value}, best turn {unpack_turn(turn)}, {count} outcomes, {kept} keep the value"
                for name, (value, turn, count, kept) in (("the list", listed), ("the batches", batched))
            ]
            mismatches.append(Mismatch(place, text_of(cases[place], rules), (said[0], said[1])))
    return Found(len(cases), sorted(mismatches))


def compare_arrays(batch: Batch) -> Found:
    """The array forms agree with the values of what all outcomes lead to: the best turn is the first that keeps the value, as
    many outcomes keep it, the line plays best turns, rows and grades have these values."""
    rules, cases = batch.rules, batch.cases
    values, best = values_of(cases, rules), best_many(cases, 1, rules, progress=False)
    rows, offsets = outcomes_many(cases, 1, rules, progress=False)
    owner, following = np.repeat(np.arange(len(cases)), np.diff(offsets)), np.empty(len(rows), POSITION_DTYPE)
    for name in FIELDS:
        following[name] = rows[name]
    derived = 1 + values_of(following, rules)
    kept = np.flatnonzero(derived == values[owner])
    places, first = np.unique(owner[kept], return_index=True)
    turns = np.zeros(len(cases), np.uint64)
    turns[places] = rows["turn"][kept[first]]
    lines, going_on = lines_many(cases, 1, rules, progress=False), best != 0
    after = np.zeros((len(cases), LONGEST_LINE), np.uint64)
    after[:, 0] = best
    after[going_on, 1:] = lines_many(play_many(cases[going_on], best[going_on]), 1, rules, progress=False)[:, :-1]
    graded = grade_many(cases[owner], rows["turn"], 1, rules, progress=False)
    wrong = np.zeros(len(cases), np.int64)
    np.add.at(wrong, owner, (rows["value"] != derived) | (graded[0] != values[owner]) | (graded[1] != derived))
    optimal = np.bincount(owner[kept], minlength=len(cases))
    none = np.zeros(len(cases), np.int64)
    found = [
        held(batch, text_of, f"{SEARCH}, best turn", best, "the first outcome that keeps the value", turns, show=unpack_turn),
        held(batch, text_of, f"{SEARCH}, best outcomes", optimal_many(cases, 1, rules, progress=False), "of all", optimal),
        held(batch, text_of, f"{SEARCH}, turns of the line", np.count_nonzero(lines, axis=1), "the value", values),
        held(batch, text_of, f"{SEARCH}, turns of the line that differ", (lines != after).sum(axis=1), "from best turns", none),
        held(batch, text_of, f"{SEARCH}, rows and grades that differ", wrong, "from what the turns lead to", none),
    ]  # fmt: skip
    return Found(len(cases), sorted(mismatch for one in found for mismatch in one.mismatches))


def compare_rows(batch: Batch) -> Found:
    """Every slot of a pattern: its value by search against the one that its turns lead to, by the code that verifies tables."""
    compared, mismatches = 0, []
    for place, (mover_count, opponent_count, rank) in enumerate(batch.cases.tolist()):
        slots, differing = check_pattern(mover_count, opponent_count, rank, batch.rules.lone_card)
        compared += slots
        for slot in differing:
            case = slot.position or f"pattern {rank} of {mover_count}v{opponent_count}, slot {slot.slot}"
            says = f"{SEARCH}: {slot.searched}", f"from its turns, by rows: {slot.derived}"
            mismatches.append(Mismatch(place, str(case) + ("" if batch.rules == PUBLISHED else f" {batch.rules}"), says))
    return Found(compared, mismatches)


def compare_twin(batch: Batch) -> Found:
    """Compares all ordered turns, and all outcomes with their first turns and counts, with those of the readable twin."""
    mismatches = []
    for place, position in enumerate(unpack(batch.cases)):
        turns = list(legal_turns(position, batch.rules)), list(twin.legal_turns(position, batch.rules))
        reached = {one.position: (one.turn, one.ways) for one in outcomes_of(outcome_rows(position, batch.rules))}
        theirs = twin.outcomes(position, batch.rules)
        if reached != theirs:
            says = f"{len(reached)} outcomes", f"the readable twin: {len(theirs)} outcomes, and not the same"
        elif turns[0] != turns[1]:
            says = f"{len(turns[0])} turns", f"the readable twin: {len(turns[1])} turns, and not the same"
        else:
            continue
        mismatches.append(Mismatch(place, text_of(batch.cases[place], batch.rules), says))
    return Found(len(batch.cases), mismatches)


def compare_questions(batch: Batch) -> Found:
    """Compares the predicates of the search, at moments in a line, with their plain definitions. A case is a seed."""
    compared, mismatches = 0, []
    for place, seed in enumerate(batch.cases.tolist()):
        asked, differing = check_questions(np.random.default_rng(seed), MOMENTS, batch.rules)
        compared += asked
        for one in differing:
            case = f"{one.question} of {one.now}" + ("" if batch.rules == PUBLISHED else f" {batch.rules}")
            says = f"{SEARCH}: {one.found}", f"by its definition: {one.expected}, in a line of {one.position}"
            mismatches.append(Mismatch(place, case, says))
    return Found(compared, mismatches)
