"""The formats of files: their suffixes, and what reading and writing share.

    .txt .tsv or none   rows: one line each, fields with tabs between them
    .csv                a heading, then a line each, with commas between the fields
    .jsonl .json        records: one JSON object per line
    .npy                a numpy array: the fields of a position, then those of the answer
    .parquet            Parquet, by pyarrow, with a column `position` in notation

A value in an array has 16 bits; it is `UNSOLVED` if a limit was met before the value was known. A packed turn of 0 means no turn:
none is legal, or none was found within the limits. A Parquet file has JSON under `METADATA`: schema, command, game and rules.
"""

from __future__ import annotations

from importlib import import_module
from os.path import splitext
from typing import Any, BinaryIO

import numpy as np

from backtrick.errors import UsageError

ROWS, CSV, RECORDS, TEXT, ARRAY, TABLE = "rows", "csv", "records", "text", "array", "table"
"""The formats of answers. TEXT is for people: no file has it."""

SUFFIXES = {"": ROWS, ".txt": ROWS, ".tsv": ROWS, ".csv": CSV, ".jsonl": RECORDS, ".json": RECORDS, ".npy": ARRAY}
SUFFIXES[".parquet"] = TABLE

SPAN = 1 << 14
"""Rows that are read or written at once: few enough to bound memory, and enough work for the threads to be worth starting."""

UNSOLVED = -(1 << 15)
METADATA = b"backtrick"


def format_of(path: str) -> str:
    """The format of a file. Raises `UsageError` if the suffix is unknown, or if pyarrow is needed and not installed.

    >>> format_of("some.tsv"), format_of("some.npy")
    ('rows', 'array')
    """
    suffix = splitext(path)[1].lower()  # noqa: PTH122, pathlib takes longer to import
    if suffix not in SUFFIXES:
        known = ", ".join(filter(None, SUFFIXES))
        raise UsageError(f"{path}: the suffix sets the format: one of {known}, or none for rows")
    if SUFFIXES[suffix] == TABLE:
        arrow(path)
    return SUFFIXES[suffix]


def arrow(path: str) -> tuple[Any, Any]:
    """pyarrow and its Parquet module, for a file that needs them. Raises `UsageError` if they are not installed."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise UsageError(f"{path}: Parquet needs pyarrow, which is not installed; pip install 'backtrick[arrow]'") from None


class GrowingArray:
    """Writes an array as `.npy`, piece by piece along its first axis.

    >>> from io import BytesIO
    >>> file = BytesIO()
    >>> growing = GrowingArray(file, np.dtype("<i2"))
    >>> growing.append(np.array([1, 2], "<i2"))
    >>> growing.append(np.array([3], "<i2"))
    >>> growing.close()
    >>> np.load(BytesIO(file.getvalue()))
    array([1, 2, 3], dtype=int16)
    """

    def __init__(self, file: BinaryIO, dtype: np.dtype):
        self._file, self.dtype, self._count = file, dtype, 0
        self._header()
        self._begin = file.tell()

    def append(self, items: np.ndarray) -> None:
        """Adds items of `dtype`."""
        given, own = items.dtype, self.dtype
        assert given == own
        self._file.write(items.tobytes())
        self._count += len(items)

    def close(self) -> None:
        """Writes how many items there are. The file stays open."""
        self._file.seek(0)
        self._header()  # again, now with the count: numpy leaves room for it
        end, begin = self._file.tell(), self._begin
        assert end == begin

    def _header(self) -> None:
        header = {"descr": np.lib.format.dtype_to_descr(self.dtype), "fortran_order": False, "shape": (self._count,)}
        np.lib.format.write_array_header_1_0(self._file, header)
