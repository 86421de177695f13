"""Sparse linear equations over the whole numbers, solved in fractions: what makes a solution in floating point an exact one.

The equations are solved modulo a prime once, by elimination. The same steps then give the solution digit by digit in base of the
prime (Dixon 1982), and enough digits give the fractions. Every solution is put into the equations before it is returned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import isqrt, lcm

PRIME = (1 << 61) - 1
MOST_DIGITS = 1 << 12
"""In base of the prime: numbers of some 70,000 decimals are given up."""

Row = Mapping[int, int]
"""An equation: the coefficient of each unknown that has one."""


def solve(rows: Sequence[Row], right: Sequence[int], near: Sequence[float], stop: bytearray) -> list[Fraction] | None:
    """The unknowns with which each row adds up to its right side; None if there are none, or the stop was set before.

    near: for each unknown a number that it is close to. Unknowns that the rows leave open are a fraction close to it. Rows that
    follow from others are not looked at, so a caller that gives contradicting ones has to check the solution.

    >>> solve([{0: 2, 1: 1}, {0: 1, 1: -1}], [1, 0], [0.0, 0.0], bytearray(1))
    [Fraction(1, 3), Fraction(1, 3)]
    """
    steps = _eliminated(rows, stop)
    if steps is None:
        return None
    pivots = {column: row for row, column, *_ in steps}
    found = [Fraction(number).limit_denominator(1 << 16) for number in near]
    scale = lcm(*(one.denominator for column, one in enumerate(found) if column not in pivots))
    known = [int(one * scale) if column not in pivots else 0 for column, one in enumerate(found)]
    own = {row: {column: number for column, number in rows[row].items() if column in pivots} for row in pivots.values()}
    left = {row: scale * right[row] - sum(number * known[column] for column, number in rows[row].items()) for row in own}
    lifted = _lifted(steps, own, left, stop)
    if lifted is None:
        return None
    for column, one in lifted.items():
        found[column] = one / scale
    return found


Step = tuple[int, int, int, dict[int, int], list[tuple[int, int]]]
"""A row, its pivot, the inverse of its number there, its numbers then, and the rows from which it was taken, with the factors."""


def _eliminated(rows: Sequence[Row], stop: bytearray) -> list[Step] | None:
    """Gauss's elimination modulo the prime, short rows and seldom columns first; None if the stop was set before it ended."""
    now = [{column: number % PRIME for column, number in row.items() if number % PRIME} for row in rows]
    holders: dict[int, set[int]] = {}
    for place, row in enumerate(now):
        for column in row:
            holders.setdefault(column, set()).add(place)
    waiting = [(len(row), place) for place, row in enumerate(now)]
    heapify(waiting)
    steps: list[Step] = []
    while waiting:
        size, place = heappop(waiting)
        own = now[place]
        if size != len(own) or not own:
            continue  # it has changed, and waits again as it is now
        if stop[0]:
            return None
        pivot = min(own, key=lambda column: len(holders[column]))
        inverse = pow(own[pivot], -1, PRIME)
        for column in own:
            holders[column].discard(place)
        taken = []
        for other in holders.pop(pivot):
            theirs = now[other]
            factor = theirs[pivot] * inverse % PRIME
            taken.append((other, factor))
            for column, number in own.items():
                entry = (theirs.get(column, 0) - factor * number) % PRIME
                if entry:
                    theirs[column] = entry
                    if column != pivot:
                        holders[column].add(other)
                elif theirs.pop(column, 0) and column != pivot:
                    holders[column].discard(other)
            heappush(waiting, (len(theirs), other))
        now[place] = {}
        steps.append((place, pivot, inverse, own, taken))
    return steps


def _modulo(steps: Sequence[Step], right: Mapping[int, int]) -> dict[int, int]:
    """The unknowns modulo the prime, by steps that were made before. right: of each row that has a pivot."""
    left = dict(right)
    for place, _, _, _, taken in steps:
        if number := left[place] % PRIME:
            for other, factor in taken:
                if other in left:
                    left[other] -= factor * number
    found: dict[int, int] = {}
    for place, pivot, inverse, own, _ in reversed(steps):
        rest = left[place] - sum(number * found.get(column, 0) for column, number in own.items() if column != pivot)
        found[pivot] = rest * inverse % PRIME
    return found


def _lifted(
    steps: Sequence[Step], rows: Mapping[int, Row], right: Mapping[int, int], stop: bytearray
) -> dict[int, Fraction] | None:
    """The unknowns of equations with one solution; None if it needs too many digits, or the stop was set before."""
    digits, power, wanted = dict.fromkeys((pivot for _, pivot, *_ in steps), 0), 1, 2
    left = dict(right)
    for count in range(1, MOST_DIGITS + 1):
        if stop[0]:
            return None
        digit = _modulo(steps, left)
        for column, number in digit.items():
            digits[column] += power * number
        power *= PRIME
        for place, row in rows.items():
            left[place] = (left[place] - sum(number * digit[column] for column, number in row.items())) // PRIME
        if count == wanted:
            wanted += 1 + wanted // 2
            if (found := _fractions(digits, power, stop)) is not None and _holds(rows, right, found):
                return found
    return None


def _holds(rows: Mapping[int, Row], right: Mapping[int, int], found: Mapping[int, Fraction]) -> bool:
    return all(sum(number * found[column] for column, number in row.items()) == right[place] for place, row in rows.items())


def _fractions(digits: Mapping[int, int], power: int, stop: bytearray) -> dict[int, Fraction] | None:
    """The fractions with small numerators and denominators that are these numbers modulo `power`; None if some have none, or the
    stop was set before."""
    most, common, found = isqrt(power // 2), 1, {}
    for column, number in digits.items():
        if stop[0]:
            return None
        scaled = number * common % power
        scaled -= power if scaled > power // 2 else 0
        if abs(scaled) > most // common:  # a denominator that is new
            before, now, was, factor = power, scaled % power, 0, 1
            while now > most // common:
                quotient = before // now
                before, now, was, factor = now, before - quotient * now, factor, was - quotient * factor
            common, scaled = common * abs(factor), now if factor > 0 else -now
            if common > most:
                return None
        found[column] = Fraction(scaled, common)
    return found
