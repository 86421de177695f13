"""A numpy array in a file that grows while it is written."""

from __future__ import annotations

from typing import BinaryIO

import numpy as np


class GrowingArray:
    """Writes an array with one axis, as `.npy`, piece by piece.

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
        self._file, self.dtype, self.count = file, dtype, 0
        self._header()
        self._begin = file.tell()

    def append(self, items: np.ndarray) -> None:
        """Adds items of `dtype`."""
        given, own = items.dtype, self.dtype
        assert given == own
        self._file.write(items.tobytes())
        self.count += len(items)

    def close(self) -> None:
        """Writes how many items there are. The file stays open."""
        self._file.seek(0)
        self._header()  # again, now with the count: numpy leaves room for it
        end, begin = self._file.tell(), self._begin
        assert end == begin

    def _header(self) -> None:
        header = {"descr": np.lib.format.dtype_to_descr(self.dtype), "fortran_order": False, "shape": (self.count,)}
        np.lib.format.write_array_header_1_0(self._file, header)
