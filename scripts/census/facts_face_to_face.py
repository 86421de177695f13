"""What the turns of many positions have in common: how many win, whether laying the most is right, what helpful cards do."""

from __future__ import annotations

import numpy as np

from backtrick.face_to_face.codec import positions_in
from backtrick.face_to_face.position import POSITION_DTYPE
from backtrick.face_to_face.rule_options import PUBLISHED, Rules
from backtrick.face_to_face.solving import outcomes_many, solve_many
from backtrick.face_to_face.tablebase import bit_counts
from backtrick.notation import as_positions
from backtrick.progress import bar

FACTS_DTYPE = np.dtype(
    [
        ("remoteness", "u1"),
        ("outcomes", "<u4"),
        ("winning", "<u4"),
        ("helpful", "<u4"),
        ("harmful", "<u4"),
        ("whole_hand", "?"),
        ("most_is_best", "?"),
        ("most_wins", "?"),
        ("needs_help", "?"),
        ("needs_harm", "?"),
    ]
)
"""What `facts_many` says of a position. Outcomes are counted, so turns that lead to the same position count once.

remoteness      of the position
outcomes        how many there are
winning         of these, how many win
helpful         of all outcomes, how many lay a helpful card (F4)
harmful         of these, how many harm the opponent by it (F9): the opponent loses, but would win if the card had vanished
whole_hand      some turn lays the whole hand, and so wins (F12)
most_is_best    of the outcomes that lay the most cards, some is best
most_wins       of the outcomes that lay the most cards, some wins
needs_help      the mover wins, and every winning outcome lays a helpful card
needs_harm      the mover wins, and every winning outcome is harmful
"""

SPAN = 1 << 12  # positions whose outcomes are in memory at once: 60 MB of 6 v 6


def facts_many(
    positions: np.ndarray, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> np.ndarray:
    """What the turns of each position have in common: an array of `POSITION_DTYPE`, shape (n,), gives `FACTS_DTYPE`, shape (n,).

    Raises as `solve_many` does.

    >>> from backtrick.face_to_face import Position, pack
    >>> [found] = facts_many(pack([Position.parse("50^10v:30,45,57 50^10v:40,41")]))
    >>> int(found["outcomes"]), int(found["winning"]), int(found["helpful"]), int(found["harmful"])
    (4, 1, 4, 1)
    >>> bool(found["most_is_best"]), bool(found["needs_help"]), bool(found["needs_harm"])
    (True, True, True)
    """
    positions = as_positions(positions, POSITION_DTYPE)
    facts = np.zeros(len(positions), FACTS_DTYPE)
    facts["remoteness"] = solve_many(positions, threads, rules, progress=False)
    with bar(len(positions), "facts", "positions", progress) as shown:
        for start in range(0, len(positions), SPAN):
            part = slice(start, start + SPAN)
            _fill(facts[part], positions[part], threads, rules)
            shown.update(len(facts[part]))
    return facts


def _fill(facts: np.ndarray, positions: np.ndarray, threads: int | None, rules: Rules) -> None:
    """Fills in all but the remoteness, which is there."""
    rows, offsets = outcomes_many(positions, threads, rules, progress=False)
    if not len(rows):
        return
    counts = np.diff(offsets)
    there = counts > 0
    first = offsets[:-1][there]
    own = np.repeat(np.arange(len(positions)), counts)  # the place of each row's position
    before = positions[own]
    wins = rows["value"] % 2 == 1
    helpful = (rows["mover_ascending"] != before["opponent_ascending"]) | (
        rows["mover_descending"] != before["opponent_descending"]
    )
    harmful = _harmful(rows, before, wins & helpful, threads, rules)
    left = bit_counts(rows["opponent_hand"])  # of the mover's hand
    most = left == np.repeat(np.minimum.reduceat(left, first), counts[there])
    best = rows["value"] == facts["remoteness"][own]

    def count(marks: np.ndarray) -> np.ndarray:
        found: np.ndarray = np.add.reduceat(marks, first, dtype=np.uint32)
        return found

    found = facts[there]
    found["outcomes"] = counts[there]
    for name, marks in (("winning", wins), ("helpful", helpful), ("harmful", harmful)):
        found[name] = count(marks)
    for name, marks in (("whole_hand", left == 0), ("most_is_best", most & best), ("most_wins", most & wins)):
        found[name] = count(marks) > 0
    for name, marks in (("needs_help", helpful), ("needs_harm", harmful)):
        found[name] = (found["winning"] > 0) & (count(marks & wins) == found["winning"])
    facts[there] = found


def _harmful(
    rows: np.ndarray, before: np.ndarray, marks: np.ndarray, threads: int | None, rules: Rules
) -> np.ndarray:
    """Which of the marked rows, which all win by a helpful card, would not win if that card had vanished instead."""
    vanished = positions_in(rows[marks])
    for pile in ("ascending", "descending"):
        vanished[f"mover_{pile}"] = before[f"opponent_{pile}"][marks]
    found = np.zeros(len(rows), bool)
    found[marks] = solve_many(vanished, threads, rules, progress=False) % 2 == 1
    return found
