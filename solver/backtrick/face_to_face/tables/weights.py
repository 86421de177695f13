"""The well-formed positions (F1) of a table: counted, or drawn at random where counting takes too long."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb, factorial
from threading import Lock

import numpy as np

from backtrick.face_to_face._counts import LABEL_COUNT, count_positions
from backtrick.face_to_face.indices import index_of
from backtrick.face_to_face.options import PUBLISHED, Rules
from backtrick.face_to_face.position import POSITION_DTYPE
from backtrick.face_to_face.tables.names import TableName
from backtrick.work import fill_ranges

BLOCK = 1 << 16  # positions drawn at a time
PAIRS = 1 << 14  # pairs of hands a range
TOPS = "mover_ascending", "mover_descending", "opponent_ascending", "opponent_descending"


def count_hand_pairs(name: TableName, rules: Rules = PUBLISHED) -> int:
    """How many pairs of concrete hands a table has.

    >>> count_hand_pairs(TableName(2, 1))
    95874
    """
    return comb(rules.highest - 2, name.mover) * comb(rules.highest - 2, name.opponent)


def count_well_formed(name: TableName, rules: Rules = PUBLISHED) -> int:
    """How many well-formed positions a table has, in closed form.

    A pile shows its row card or a number. Piles may show a number of one hand once, a number of no hand twice, and a number of
    both hands never. With `once` numbers of one hand and `twice` of none, i piles can show numbers in i! times the coefficient of
    x^i in (1 + x)^once (1 + x + x^2/2)^twice ways.

    >>> count_well_formed(TableName(1, 1))
    40537481104
    """
    numbers, (k, m) = rules.highest - 2, name
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
    name: TableName, labels: np.ndarray, rules: Rules = PUBLISHED, threads: int | None = None, progress: bool | None = None
) -> list[int]:
    """How many well-formed positions of a table have each label, exactly: a list of LABEL_COUNT counts.

    labels: of the slots, each below LABEL_COUNT: uint8, shape (slots,). The work is some microseconds for each pair of hands
    (`count_hand_pairs`).

    >>> index = index_of(TableName(1, 1))
    >>> count_by_label(TableName(1, 1), np.zeros(index.size, np.uint8))[:2]
    [40537481104, 0]
    """
    index = index_of(name)
    movers, opponents = (_hands(cards, rules) for cards in name)
    totals = [0] * LABEL_COUNT
    lock = Lock()

    def work(start: int, stop: int) -> int:
        found = count_positions(index, labels, movers[start:stop], opponents, rules.highest, rules.step)
        with lock:
            totals[:] = map(int.__add__, totals, found)
        return -1

    each = max(1, PAIRS // max(1, len(opponents)))
    fill_ranges(work, len(movers), threads=threads, progress=progress, what=f"positions of {name}", size=each, unit="hands")
    return totals


def _hands(cards: int, rules: Rules) -> np.ndarray:
    bits = (1 << number for number in range(2, rules.highest))
    return np.fromiter(map(sum, combinations(bits, cards)), np.uint64)


def draw(name: TableName, count: int, seed: int = 0, rules: Rules = PUBLISHED) -> np.ndarray:
    """`count` well-formed positions of a table, each as likely as any other: an array of `POSITION_DTYPE`, shape (count,).

    Hands and tops are drawn independently, and drawn again until they are well-formed. The same seed gives the same positions.

    >>> draw(TableName(2, 1), 3, seed=1).shape
    (3,)
    """
    drawn = np.empty(count, POSITION_DTYPE)
    filled = 0
    for block in _blocks(name, seed, rules):
        taken = block[: count - filled]
        drawn[filled : filled + len(taken)] = taken
        filled += len(taken)
        if filled == count:
            break
    return drawn


def _blocks(name: TableName, seed: int, rules: Rules) -> Iterator[np.ndarray]:
    rng = np.random.default_rng(seed)
    one = np.uint64(1)
    while True:
        block = np.zeros(BLOCK, POSITION_DTYPE)
        fine = np.ones(BLOCK, bool)
        for field, cards in (("mover_hand", name.mover), ("opponent_hand", name.opponent)):
            for _ in range(cards):
                bits = one << rng.integers(2, rules.highest, BLOCK, np.uint64)
                fine &= block[field] & bits == 0  # a card drawn twice
                block[field] |= bits
        tops = rng.integers(1, rules.highest, (4, BLOCK), np.uint8)
        tops[[1, 3]] += 1
        for field, top in zip(TOPS, tops, strict=True):
            block[field] = top
            places = (tops == top).sum(axis=0)
            for hand in ("mover_hand", "opponent_hand"):
                places += (block[hand] >> top.astype(np.uint64) & one).astype(places.dtype)
            fine &= (places <= 2) | (top == 1) | (top == rules.highest)
        yield block[fine]
