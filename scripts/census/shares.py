"""Statistics of complete tables: exact shares of wins and losses, and how often only a helpful card (F4) wins.

    python scripts/census/shares.py FILE...         some minutes for a table of 7 cards; --json for records

The tables that a table was built upon must be beside it. It needs the kernels for development (`make test` builds them).

A slot's *label* is its remoteness, plus 12 if every winning turn lays a helpful card, plus 6 if only every fastest win does.
Well-formed positions (F1) are counted, or drawn at random where counting takes too long.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, factorial
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from backtrick.face_to_face._classes import TableIndex, of_slot
from backtrick.face_to_face._counts import MOST_NUMBERS
from backtrick.face_to_face.classes import TableName, index_of, indices_over, realised_of, size_of
from backtrick.face_to_face.position import POSITION_DTYPE
from backtrick.face_to_face.rule_options import DECK, HIGHEST, Rules
from backtrick.face_to_face.tables.building import Rows
from backtrick.face_to_face.tables.table import read_values, slots_in
from backtrick.face_to_face.tables.verifying import open_by_itself
from backtrick.lines import table_text
from backtrick.storage.file import Reader
from backtrick.threads import fill_ranges

LABEL_COUNT = 32

# Slots of positions that the deck has


def realised_range(
    name: TableName, start: int, stop: int, *, well_formed: bool = False
) -> np.ndarray:
    """1 for the slots start..stop-1 that belong to a class which `count_classes` counts, else 0: uint8 of shape (stop - start,).

    The sum over a table is `stored`. Without `well_formed` it works up to 9 cards. With it it works for every table that has an
    index, but with a search for each slot if the table has more than 9 cards.
    Raises `IndexError` if the table has no such slots, and `TableNameError`.

    >>> marks = realised_range(TableName(2, 1), 0, index_of(TableName(2, 1)).size)
    >>> len(marks), int(marks.sum())
    (12894, 11828)
    """
    if not 0 <= start <= stop <= size_of(name).slots:
        raise IndexError(f"slots {start}..{stop} of {name}, which has {size_of(name).slots:,}")
    marks = np.zeros(stop - start, dtype=np.uint8)
    if well_formed and name.cards > MOST_NUMBERS:
        for index, first, last in indices_over(name, start, stop):
            mark_range(index, marks[first - start : last - start], first)
    else:
        realised_of(name).fill_range(index_of(name), marks, start, well_formed)
    return marks


def mark_range(index: TableIndex, marks: np.ndarray, start: int) -> None:
    """Fills the marks of the slots from `start` on, one by one: 1 if the deck has a well-formed position of the slot, else 0."""
    for place in range(len(marks)):
        marks[place] = of_slot(index, start + place) is not None


# Positions

SPAN = 1 << 16  # positions drawn at a time
PAIRS = 1 << 14  # pairs of hands a range
TOPS = "mover_ascending", "mover_descending", "opponent_ascending", "opponent_descending"


def count_hand_pairs(name: TableName) -> int:
    """How many pairs of concrete hands a table has.

    >>> count_hand_pairs(TableName(2, 1))
    95874
    """
    return comb(len(DECK), name.mover) * comb(len(DECK), name.opponent)


def count_well_formed(name: TableName, deck: Sequence[int] = DECK) -> int:
    """How many well-formed positions a table has, in closed form. deck: the number cards that there are.

    A pile shows its row card or a number. Piles may show a number of one hand once, a number of no hand twice, and a number of
    both hands never. With `once` numbers of one hand and `twice` of none, i piles can show numbers in i! times the coefficient of
    x^i in (1 + x)^once (1 + x + x^2/2)^twice ways.

    >>> count_well_formed(TableName(1, 1))
    40537481104
    """
    numbers, (k, m) = len(deck), name
    total = 0
    for shared in range(min(k, m) + 1):
        hands = comb(numbers, k) * comb(k, shared) * comb(numbers - k, m - shared)
        once, twice = k + m - 2 * shared, numbers - k - m + shared
        for shown in range(5) if hands else ():
            for pairs in range(min(shown // 2, twice) + 1):
                for singles in range(shown - 2 * pairs + 1):  # numbers of no hand on one pile; the rest are of one hand
                    ways = comb(once, shown - 2 * pairs - singles) * comb(twice, pairs) * comb(twice - pairs, singles)
                    total += hands * comb(4, shown) * factorial(shown) // 2**pairs * ways
    return total


def count_by_label(
    name: TableName, labels: np.ndarray, deck: Sequence[int] = DECK, threads: int | None = None, progress: bool | None = None
) -> list[int]:
    """How many well-formed positions of a table have each label, exactly: a list of LABEL_COUNT counts.

    labels: of the slots, each below LABEL_COUNT: uint8, shape (slots,). deck: the number cards that there are.
    The work is some microseconds for each pair of hands (`count_hand_pairs`).

    >>> index = index_of(TableName(1, 1))
    >>> count_by_label(TableName(1, 1), np.zeros(index.size, np.uint8))[:2]
    [40537481104, 0]
    """
    from backtrick_development.face_to_face._positions import count_positions  # built for tests and the census only

    index = index_of(name)
    movers, opponents = (_hands(cards, deck) for cards in name)
    totals = [0] * LABEL_COUNT
    lock = Lock()

    def work(start: int, stop: int) -> int:
        found = count_positions(index, labels, movers[start:stop], opponents, sum(1 << card for card in deck))
        with lock:
            totals[:] = map(int.__add__, totals, found)
        return -1

    each = max(1, PAIRS // max(1, len(opponents)))
    fill_ranges(work, len(movers), threads=threads, progress=progress, what=f"positions of {name}", size=each, unit="hands")
    return totals


def _hands(cards: int, deck: Sequence[int]) -> np.ndarray:
    bits = (1 << card for card in deck)
    return np.fromiter(map(sum, combinations(bits, cards)), np.uint64)


def draw(name: TableName, count: int, seed: int = 0, deck: Sequence[int] = DECK) -> np.ndarray:
    """`count` well-formed positions of a table, each as likely as any other: an array of `POSITION_DTYPE`, shape (count,).

    Hands and tops are drawn independently, and drawn again until they are well-formed. The same seed gives the same positions.
    deck: the number cards that there are.

    >>> draw(TableName(2, 1), 3, seed=1).shape
    (3,)
    """
    drawn = np.empty(count, POSITION_DTYPE)
    filled = 0
    for span in _spans(name, seed, deck):
        taken = span[: count - filled]
        drawn[filled : filled + len(taken)] = taken
        filled += len(taken)
        if filled == count:
            break
    return drawn


def _spans(name: TableName, seed: int, deck: Sequence[int]) -> Iterator[np.ndarray]:
    rng = np.random.default_rng(seed)
    one, numbers = np.uint64(1), np.array([1, *deck, HIGHEST], np.uint8)
    while True:
        span = np.zeros(SPAN, POSITION_DTYPE)
        fine = np.ones(SPAN, bool)
        for field, cards in (("mover_hand", name.mover), ("opponent_hand", name.opponent)):
            for _ in range(cards):
                bits = one << numbers[rng.integers(2, len(deck) + 2, SPAN, np.uint64) - one].astype(np.uint64)
                fine &= span[field] & bits == 0  # a card drawn twice
                span[field] |= bits
        tops = rng.integers(1, len(deck) + 2, (4, SPAN), np.uint8)
        tops[[1, 3]] += 1
        tops = numbers[tops - 1]
        for field, top in zip(TOPS, tops, strict=True):
            span[field] = top
            places = (tops == top).sum(axis=0)
            for hand in ("mover_hand", "opponent_hand"):
                places += (span[hand] >> top.astype(np.uint64) & one).astype(places.dtype)
            fine &= (places <= 2) | (top == 1) | (top == HIGHEST)
        yield span[fine]


# Labels

FASTEST, ONLY = 6, 12
MOST_PAIRS = 3_000_000  # pairs of hands: up to here positions are counted. That covers all tables of up to 4 cards
SAMPLES = 4_000_000


@dataclass(frozen=True)
class Statistics:
    """The classes of a table and its well-formed positions, counted by label.

    classes    the number of classes with each label; a class and its mirror image are two
    drawn      the number of positions with each label: among all positions, or among `samples` drawn at random
    samples    None if all positions were counted
    positions  how many well-formed positions there are
    """

    name: TableName
    rules: Rules
    classes: tuple[int, ...]
    drawn: tuple[int, ...]
    samples: int | None
    positions: int

    def share(self, labels: Sequence[int], among: Sequence[int] = range(LABEL_COUNT)) -> tuple[float, float]:
        """The share of positions with one of the labels among those with one of `among`, and its standard error, 0 if counted."""
        of = sum(self.drawn[label] for label in among)
        share = sum(self.drawn[label] for label in labels) / of if of else 0.0
        return share, (share * (1 - share) / of) ** 0.5 if self.samples and of else 0.0


def statistics(
    place: str | Path | Reader,
    threads: int | None = None,
    progress: bool | None = None,
    *,
    most_pairs: int = MOST_PAIRS,
    samples: int = SAMPLES,
    seed: int = 0,
) -> Statistics:
    """The statistics of the table in a file, of up to 9 cards; the tables it was built upon must be beside it.

    place: the file, or a reader of it.
    most_pairs: with more pairs of hands, positions are drawn, not counted; counting takes some microseconds a pair.
    Raises what `verify_table` raises, except `MismatchError`: the values are taken as they are.
    """
    reader, name, rules = open_by_itself(place)
    counted = count_hand_pairs(name) <= most_pairs
    labels = _Labels(reader, name, rules, () if counted else _slots_of(name, draw(name, samples, seed)), keep=counted)
    labels.over_all_slots(threads, progress)
    positions = count_by_label(name, labels.kept, threads=threads, progress=progress) if counted else labels.drawn.tolist()
    return Statistics(
        name, rules, tuple(labels.classes.tolist()), tuple(positions), None if counted else samples, count_well_formed(name)
    )


class _Labels:
    """The labels of all slots of a table, chunk by chunk.

    drawn_slots: the slots of drawn positions, ascending. keep: True to keep the labels, one a byte.
    classes, drawn: the number of classes, and of drawn slots, with each label; a class and its mirror image are two
    kept: the labels, empty without `keep`
    """

    def __init__(self, reader: Reader, name: TableName, rules: Rules, drawn_slots: Sequence[int] | np.ndarray, *, keep: bool):
        self.reader, self.name = reader, name
        self.rows = Rows(reader.path, name, rules, reader.header.dependencies)
        self.drawn_slots = np.asarray(drawn_slots, np.uint64)
        self.kept = np.empty(index_of(name).size if keep else 0, np.uint8)
        self.classes, self.drawn = np.zeros(LABEL_COUNT, np.int64), np.zeros(LABEL_COUNT, np.int64)
        self._lock = Lock()

    def over_all_slots(self, threads: int | None, progress: bool | None) -> None:
        """Finds and counts all labels."""
        what, chunks = f"statistics of {self.name}", self.reader.header.chunks
        fill_ranges(self._count, chunks, threads=threads, progress=progress, what=what, size=1, unit="chunks")

    def _count(self, number: int, _: int) -> int:
        """Counts the labels of a chunk."""
        start, stop = slots_in(self.reader.header, number)
        found = self._find(start)
        first, last = np.searchsorted(self.drawn_slots, np.array([start, stop], np.uint64))
        drawn = found[self.drawn_slots[first:last] - np.uint64(start)]
        times = self._classes_of(start, stop)
        with self._lock:
            for several in (1, 2):
                self.classes += several * np.bincount(found[times == several], minlength=LABEL_COUNT)
            self.drawn += np.bincount(drawn, minlength=LABEL_COUNT)
        if len(self.kept):
            self.kept[start:stop] = found
        return -1

    def _find(self, start: int) -> np.ndarray:
        """The labels of the chunk that begins with slot `start`, from its values with and without helpful cards."""
        number = start // slots_in(self.reader.header, 0)[1]
        values = read_values(self.reader, number, number + 1)
        without = np.empty_like(values)
        self.rows.fill(without, start, helpful=False)
        return labels_of(values, without)

    def _classes_of(self, start: int, stop: int) -> np.ndarray:
        """How many classes each slot stands for: 0 if the deck has no position of it, 2 for a class and its mirror image."""
        from backtrick_development.face_to_face._positions import unfold_range

        marks = realised_range(self.name, start, stop)
        unfold_range(index_of(self.name), marks, start)
        return marks


def labels_of(values: np.ndarray, without: np.ndarray) -> np.ndarray:
    """The labels of slots: uint8, of the same shape. values: their remoteness; without: the same if no turn may help now.

    >>> labels_of(np.array([0, 1, 1, 1, 3, 3]), np.array([0, 1, 3, 0, 5, 2])).tolist()
    [0, 1, 7, 13, 9, 15]
    """
    won = values % 2 == 1
    return (values + FASTEST * (won & (without != values)) + (ONLY - FASTEST) * (won & (without % 2 == 0))).astype(np.uint8)


def _slots_of(name: TableName, positions: np.ndarray) -> np.ndarray:
    slots = np.empty(len(positions), np.uint64)
    index_of(name).rank_range(positions, slots, 0, len(positions))
    slots.sort()
    return slots


def facts_of(found: Statistics) -> dict[str, Any]:
    """Statistics as a record. The wins that need a helpful card are given as shares of all wins."""
    values = [value for value in range(6) if any(found.classes[value::6])]
    wins = [value + more for value in values if value % 2 for more in (0, FASTEST, ONLY)]

    def facts(labels: Sequence[int], among: Sequence[int] = range(LABEL_COUNT)) -> dict[str, Any]:
        classes, positions = (sum(counts[label] for label in labels) for counts in (found.classes, found.drawn))
        of = sum(found.classes[label] for label in among)
        share, error = found.share(labels, among)
        return {
            "classes": classes,
            "share_of_classes": classes / of if of else 0.0,
            "positions": None if found.samples else positions,
            "share_of_positions": share,
            "standard_error": error if found.samples else None,
        }

    return {
        "positions": found.positions,
        "shares_of_positions_are": "sampled" if found.samples else "counted",
        "samples": found.samples,
        "by_remoteness": {str(value): facts([value, value + FASTEST, value + ONLY]) for value in values},
        "wins": facts(wins),
        "won_only_by_a_helpful_card": facts([label for label in wins if label >= ONLY], wins),
        "won_fastest_only_by_a_helpful_card": facts([label for label in wins if label >= FASTEST], wins),
        "won_only_by_a_helpful_card_by_remoteness": {str(value): facts([value + ONLY], wins) for value in values if value % 2},
    }


def text_of(facts: dict[str, Any]) -> str:
    """The record that `facts_of` gives, as text for people."""
    sampled = facts["samples"] is not None
    shares = [(f"{'win' if int(value) % 2 else 'loss'} in {value}", one) for value, one in facts["by_remoteness"].items()]
    shares += [("wins", facts["wins"])]
    helpful = [("won only by a helpful card", facts["won_only_by_a_helpful_card"])]
    helpful += [("won fastest only by one", facts["won_fastest_only_by_a_helpful_card"])]
    how = f"sampled, {facts['samples']:,} of them" if sampled else "counted"
    last = "standard error" if sampled else "positions"
    tables = []
    for title, among, lines in (("remoteness", "", shares), ("helpful card (F4)", " of wins", helpful)):
        rows: list[tuple[object, ...]] = [(title, f"share{among} in classes", f"share{among} in positions", last)]
        for name, one in lines:
            known = f"{one['standard_error']:.4%}" if sampled else f"{one['positions']:,}"
            rows.append((name, f"{one['share_of_classes']:.4%}", f"{one['share_of_positions']:.4%}", known))
        tables.append(table_text(rows))
    return f"  {facts['positions']:,} well-formed positions (F1); {how}\n\n" + "\n\n".join(tables)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Statistics of complete tables of up to 9 cards.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    for path in options.files:
        facts = facts_of(statistics(path))
        told = json.dumps({"file": path, "statistics": facts}) if options.json else f"{path}\n{text_of(facts)}"
        sys.stdout.write(f"{told}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
