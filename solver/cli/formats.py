"""The formats of files: which suffix says which, and what reading and writing one have in common.

    .txt .tsv or none   rows: one line each, fields with tabs between them
    .jsonl .json        records: one JSON object a line
    .npy                a numpy array: positions of a game's dtype, and beside them what was answered
    .parquet            a table with a column `position` in notation, by pyarrow

Values in an array are 16 bits, `UNSOLVED` where a limit was met before the value was known. A packed turn of 0 is none: no legal
turn, or none found within the limits. The metadata of a table, under `METADATA`, are JSON: schema, command, game and rules.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from solver.core.errors import UsageError

ROWS, RECORDS, TEXT, ARRAY, TABLE = "rows", "records", "text", "array", "table"
"""The forms of answers. TEXT is for people, and no file's."""

SUFFIXES = {"": ROWS, ".txt": ROWS, ".tsv": ROWS, ".jsonl": RECORDS, ".json": RECORDS, ".npy": ARRAY, ".parquet": TABLE}

GROUP = 1 << 14
"""Rows that are read or written at once: bounded memory, and long enough for the threads to be worth their start."""

UNSOLVED = -(1 << 15)
METADATA = b"backtrick"


def format_of(path: str) -> str:
    """The format of a file. Raises `UsageError` if its suffix says none, or if what reads and writes it is not installed.

    >>> format_of("some.tsv"), format_of("some.npy")
    ('rows', 'array')
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        known = ", ".join(filter(None, SUFFIXES))
        raise UsageError(f"{path}: the suffix says the format, and is one of {known}, or none for lines")
    if SUFFIXES[suffix] == TABLE:
        arrow(path)
    return SUFFIXES[suffix]


def arrow(path: str) -> tuple[Any, Any]:
    """pyarrow and its Parquet module, for a file that needs them. Raises `UsageError` if they are not installed."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise UsageError(f"{path}: Parquet needs pyarrow, which is not installed; pip install 'backtrick[arrow]'") from None
