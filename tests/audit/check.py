"""A check, one unit of it, and how the first mismatch of a unit is made small."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np


class Batch(NamedTuple):
    """Cases of one kind: the family under which they are counted, their rules, and an array with one item a case."""

    family: str
    rules: Any
    cases: np.ndarray


class Mismatch(NamedTuple):
    """A case about which two sides differ: its place in the batch, the case in notation, and what each side says."""

    place: int
    case: str
    says: tuple[str, str]


class Found(NamedTuple):
    """The result of comparing a batch: how many cases were compared, the mismatches in order, and how many were passed over."""

    compared: int
    mismatches: list[Mismatch]
    passed_over: int = 0


def held(
    batch: Batch,
    text: Callable[[np.ndarray, Any], str],
    left: str,
    left_says: np.ndarray,
    right: str | Callable[[int], str],
    right_says: np.ndarray,
    *,
    asked: np.ndarray | None = None,
    show: Callable[[Any], object] = str,
) -> Found:
    """Compares two arrays that have one item for each case of a batch.

    text: writes one case and its rules in notation. left, right: the names of the two sides; that of the right side may depend on
    the place. asked: True for the cases to compare, None for all; the others are passed over. show: writes one item in words.
    """
    asked = np.ones(len(batch.cases), bool) if asked is None else asked
    mismatches = []
    for place in np.flatnonzero((left_says != right_says) & asked).tolist():
        name = right if isinstance(right, str) else right(place)
        says = f"{left}: {show(left_says[place])}", f"{name}: {show(right_says[place])}"
        mismatches.append(Mismatch(place, text(batch.cases[place], batch.rules), says))
    return Found(int(asked.sum()), mismatches, int((~asked).sum()))


@dataclass(frozen=True)
class Check:
    """One way to compare answers. Its functions must be those of a module, because other processes get them by name.

    name:    GAME/WORD
    says:    one sentence that says what is compared
    draw:    makes a batch of about `count` cases from a generator and a count; if `whole`, from the number of the unit
    compare: compares a batch; the same batch always gives the same result
    count:   the cases of a unit, about a quarter of a second of work
    share:   of an audit's units, relative to the other checks
    smaller: makes batches of smaller cases from a batch of one, simplest first; None if a case cannot be made smaller
    whole:   the number of units that are every case of a small world; 0: cases are drawn at random, without end
    """

    name: str
    says: str
    draw: Callable[..., Batch]
    compare: Callable[[Batch], Found]
    count: int
    share: float = 1.0
    smaller: Callable[[Batch], Iterable[Batch]] | None = None
    whole: int = 0


@dataclass(frozen=True)
class Unit:
    """One finished unit of a check. seconds: of the processor. found, smallest: its first mismatch, and that made small."""

    check: str
    number: int
    family: str
    compared: int
    passed_over: int
    mismatches: int
    seconds: float
    found: Mismatch | None = None
    smallest: Mismatch | None = None


def generator_of(check: str, seed: int, number: int) -> np.random.Generator:
    """The generator of one unit. It depends only on the seed, the check's name and the unit's number."""
    return np.random.default_rng(np.random.SeedSequence([seed, int.from_bytes(check.encode(), "big"), number]))


def run_unit(check: Check, seed: int, number: int) -> Unit:
    """Draws and compares one unit. If the check raises, the name of the unit goes to standard error first."""
    start = time.process_time()
    try:
        batch = check.draw(number) if check.whole else check.draw(generator_of(check.name, seed, number), check.count)
        compared, mismatches, passed_over = check.compare(batch)
        found = smallest = None
        if mismatches:
            found, smallest = mismatches[0], shrink(check, batch, mismatches[0])
    except Exception:
        print(f"raised in unit {number} of {check.name}, seed {seed}", file=sys.stderr, flush=True)
        raise
    seconds = time.process_time() - start
    return Unit(check.name, number, batch.family, compared, passed_over, len(mismatches), seconds, found, smallest)


def shrink(check: Check, batch: Batch, mismatch: Mismatch) -> Mismatch:
    """The mismatch of the smallest case that can be reached and about which the two sides still differ."""
    while check.smaller is not None:
        one = batch._replace(cases=batch.cases[mismatch.place : mismatch.place + 1])
        for batch in check.smaller(one):
            if len(batch.cases) and (mismatches := check.compare(batch).mismatches):
                mismatch = mismatches[0]
                break
        else:
            return mismatch
    return mismatch
