"""Checks of numbers, right and wrong ones, for the tests of the audit; of a module, so that other processes find them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import numpy as np

from audit import Batch, Check, Found, held

WRONG = 7 * 11


def draw_numbers(rng: np.random.Generator, count: int) -> Batch:
    """Numbers of up to 30 bits, even or odd ones."""
    odd = int(rng.integers(2))
    return Batch(("even", "odd")[odd], "plain", rng.integers(1 << 29, size=count) * 2 + odd)


def text_of(number: int, rules: str) -> str:
    return f"number {number}, {rules}"


def compare_right(batch: Batch) -> Found:
    """A sum in two ways."""
    return held(batch, text_of, "plus", batch.cases + batch.cases, "times", 2 * batch.cases)


def compare_wrong(batch: Batch) -> Found:
    """Wrong for one number in 77, and for some one side has no answer."""
    return held(batch, text_of, "left", batch.cases % WRONG == 0, "right", batch.cases < 0, asked=batch.cases % 5 > 0)


def compare_slowly(batch: Batch) -> Found:
    time.sleep(0.2)
    return compare_right(batch)


def compare_and_crash(batch: Batch) -> Found:
    os._exit(9)


def compare_and_raise(batch: Batch) -> Found:
    raise ZeroDivisionError("a fault of the check")


def smaller(batch: Batch) -> Iterator[Batch]:
    """A number without one of its prime factors."""
    number = int(batch.cases[0])
    found = [number // factor for factor in (2, 3, 7, 11, 13) if number % factor == 0]
    yield Batch(batch.family, batch.rules, np.array(found, np.int64))


RIGHT = Check("numbers/right", "Twice a number is the number and itself.", draw_numbers, compare_right, 100, 2)
RARE = Check("numbers/rare", "The same, seldom asked.", draw_numbers, compare_right, 10)
WRONGLY = Check("numbers/wrong", "No number is a multiple of 77.", draw_numbers, compare_wrong, 100, 1, smaller)
SLOW = Check("numbers/slow", "The same as right, slowly.", draw_numbers, compare_slowly, 10)
RAISING = Check("numbers/raising", "It raises.", draw_numbers, compare_and_raise, 10)
CRASHING = Check("numbers/crashing", "It takes its process with it.", draw_numbers, compare_and_crash, 10, 1)
CHECKS = {check.name: check for check in (RIGHT, RARE, WRONGLY, SLOW, RAISING)}
