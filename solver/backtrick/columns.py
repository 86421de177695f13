"""Rows in aligned columns, for people. Blind to the game."""

from __future__ import annotations

from collections.abc import Sequence


def table_text(rows: Sequence[Sequence[object]], indent: str = "  ") -> str:
    """Rows in aligned columns, with numbers to the right.

    >>> print(table_text([("turn", "ways"), ("18^ 17^", 2)]))
      turn     ways
      18^ 17^     2
    """
    widths = [max(len(str(cell)) for cell in column) for column in zip(*rows, strict=True)]
    right = [isinstance(cell, int) for cell in rows[-1]]
    lines = (
        "  ".join(
            f"{cell:>{width}}" if aside else f"{cell:<{width}}"
            for cell, width, aside in zip(map(str, row), widths, right, strict=True)
        )
        for row in rows
    )
    return "\n".join((indent + line).rstrip() for line in lines)
