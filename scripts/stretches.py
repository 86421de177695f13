"""Writes `solver/backtrick/face_to_face/stretches.npz`: how many slots each stretch of a table of 10 cards or more has.

    python scripts/stretches.py [TABLE ...]        # 6v6: five minutes of one core; all others together: two

The file holds an array for each table, uint64 of shape (stretches, 2): slots, and slots if mirror images had some too.
Tables that are not named keep what the file says.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import backtrick.face_to_face.classes as indices
from backtrick.face_to_face._classes import TableIndex, count_patterns
from backtrick.face_to_face.classes import TableName
from backtrick.threads import available_cores


def sizes_of(name: TableName) -> np.ndarray:
    """The sizes of all stretches of a table."""
    patterns = count_patterns(*name)

    def sizes(first: int) -> tuple[int, int]:
        index = TableIndex(*name, first, min(indices.STRETCH, patterns - first))
        return index.size, index.unfolded

    with ThreadPoolExecutor(available_cores()) as pool:
        return np.array(list(pool.map(sizes, range(0, patterns, indices.STRETCH))), np.uint64)


def main(texts: list[str]) -> None:
    path = Path(indices.FILE)
    arrays = dict(np.load(path)) if path.exists() else {}
    for name in map(TableName.parse, texts or ["5v5", "6v4", "4v6", "6v5", "5v6", "6v6"]):
        arrays[str(name)] = sizes_of(name)
        print(name, *arrays[str(name)].sum(axis=0), flush=True)
        np.savez_compressed(path, **arrays)


if __name__ == "__main__":
    main(sys.argv[1:])
