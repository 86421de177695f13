"""Solved sets of Take That: build, open, check, verify. The work is that of `solver.storage.sets`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from solver.core.arrays import as_positions
from solver.storage import sets
from solver.storage.file import Header, Reader
from solver.take_that import records
from solver.take_that.closures import Closure, verify_closure
from solver.take_that.options import PUBLISHED, Rules
from solver.take_that.position import POSITION_DTYPE


def build_set(directory: str | Path, name: str, positions: np.ndarray, rules: Rules = PUBLISHED, **how: Any) -> Header:
    """Solves positions, an array of `POSITION_DTYPE`, into DIRECTORY/NAME.set.h5, adding to what is there; returns its header.

    how: `force`, `processes`, `executor`, `progress`, as in `solver.storage.sets.build_set`, which says what it raises.

    >>> import tempfile
    >>> from solver.take_that import Position, pack
    >>> header = build_set(tempfile.mkdtemp(), "one", pack([Position.parse("15,43,44 21,53 51-62-35")]), processes=0)
    >>> header.counts
    {'6': 1}
    """
    positions = as_positions(positions, POSITION_DTYPE)
    return sets.build_set(sets.path_of(directory, name), positions, records, rules, **how)


def open_set(place: str | Path | Reader) -> sets.SolvedSet:
    """A solved set or closure, with the rules that its file tells. place: the file, or a reader of it."""
    reader = place if isinstance(place, Reader) else Reader(place)
    return Closure(reader) if reader.header.kind == sets.CLOSURE else sets.SolvedSet(reader, records)


def check_set(place: str | Path | Reader) -> int:
    """As `solver.storage.sets.check_set`: checksums, order, counts; returns how many positions."""
    return sets.check_set(open_set(place))


def verify_set(place: str | Path | Reader, progress: bool | None = None) -> int:
    """As `solver.storage.sets.verify_set`: every entry derived anew, one action ahead by the readable rules.

    A closure is verified by `closures.verify_closure`, without any search.
    """
    found = open_set(place)
    return verify_closure(found) if isinstance(found, Closure) else sets.verify_set(found, progress)
