"""What a check is, one unit of it, and how the first mismatch of a unit is made small."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np


class Batch(NamedTuple):
    """Cases of one kind: the family they are counted under, the rules they are played by, and an array with one item a case."""

    family: str
    rules: Any
    cases: np.ndarray


class Mismatch(NamedTuple):
    """Two sides that differ: the place of the case in its batch, the case in notation, and what each side says."""

    place: int
    case: str
    says: tuple[str, str]


class Found(NamedTuple):
    """What comparing a batch gave: how many were compared, the mismatches in order, and how many one side could not answer."""

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
    """What two arrays, one item a case, say about the cases of a batch.

    text: one case and its rules in notation. left, right: who says it; of the right side perhaps by place.
    asked: about which cases, None for all; the others are passed over. show: one item in words.
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
    """One way to hold answers against each other. Its functions are of modules, not local ones: other processes get them by name.

    name:    GAME/WORD
    says:    one sentence: what is held against what
    draw:    from a generator and a count to a batch of about so many cases
    compare: from a batch to what was found; the same for the same batch
    count:   the cases of a unit, some quarter of a second of work
    share:   of an audit's units, compared with the other checks'
    smaller: from a batch of one case to batches of smaller ones, simplest first; None if a case cannot be made smaller
    """

    name: str
    says: str
    draw: Callable[[np.random.Generator, int], Batch]
    compare: Callable[[Batch], Found]
    count: int
    share: float = 1.0
    smaller: Callable[[Batch], Iterable[Batch]] | None = None


@dataclass(frozen=True)
class Unit:
    """One finished unit of a check, its seconds of the processor, and the first mismatch in it, as found and made small."""

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
    """The generator of one unit: it depends on nothing but the seed, the check's name and the unit's number."""
    return np.random.default_rng(np.random.SeedSequence([seed, int.from_bytes(check.encode(), "big"), number]))


def run_unit(check: Check, seed: int, number: int) -> Unit:
    """Draw and compare one unit. What the check raises is its own fault or the program's; which unit it was goes to stderr."""
    start = time.process_time()
    try:
        batch = check.draw(generator_of(check.name, seed, number), check.count)
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
    """The mismatch of a smaller case, as long as there is one whose two sides still differ."""
    while check.smaller is not None:
        one = batch._replace(cases=batch.cases[mismatch.place : mismatch.place + 1])
        for batch in check.smaller(one):
            if len(batch.cases) and (mismatches := check.compare(batch).mismatches):
                mismatch = mismatches[0]
                break
        else:
            return mismatch
    return mismatch
