"""Solved sets of Face to Face: build, open, check, verify. The work is that of `solver.storage.sets`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from solver.core.arrays import as_positions
from solver.face_to_face import records
from solver.face_to_face.options import PUBLISHED, Rules
from solver.face_to_face.position import POSITION_DTYPE
from solver.storage import sets
from solver.storage.file import Header, Reader


def build_set(directory: str | Path, name: str, positions: np.ndarray, rules: Rules = PUBLISHED, **how: Any) -> Header:
    """Solves positions, an array of `POSITION_DTYPE`, into DIRECTORY/NAME.set.h5, adding to what is there; returns its header.

    how: `force`, `processes`, `executor`, `progress`, as in `solver.storage.sets.build_set`, which says what it raises.

    >>> import tempfile
    >>> from solver.face_to_face import Position, pack
    >>> header = build_set(tempfile.mkdtemp(), "one", pack([Position.parse("27^40v:17,18,45 13^50v:5,12")]), processes=0)
    >>> header.counts
    {'1': 1}
    """
    positions = as_positions(positions, POSITION_DTYPE)
    return sets.build_set(sets.path_of(directory, name), positions, records, rules, **how)


def open_set(place: str | Path | Reader) -> sets.SolvedSet:
    """A solved set, with the rules that its file tells. place: the file, or a reader of it."""
    return sets.SolvedSet(place, records)


def check_set(place: str | Path | Reader) -> int:
    """As `solver.storage.sets.check_set`: checksums, order, counts; returns how many positions."""
    return sets.check_set(open_set(place))


def verify_set(place: str | Path | Reader, progress: bool | None = None) -> int:
    """As `solver.storage.sets.verify_set`: every entry derived anew, one turn ahead."""
    return sets.verify_set(open_set(place), progress)
