"""What Take That keeps on disk: `STORED`."""

from __future__ import annotations

from backtrick.storage import tablebase
from backtrick.storage.stored_game import StoredGame
from backtrick.take_that.codec import CODEC
from backtrick.take_that.position import Position
from backtrick.take_that.rule_options import Rules
from backtrick.take_that.turn import Turn


class Tablebase(tablebase.Tablebase[Position, Turn, Rules]):
    """The solved sets of a directory; values are points.

    >>> import tempfile
    >>> from backtrick.take_that import build_set, pack
    >>> directory, position = tempfile.mkdtemp(), Position.parse("15,43,44 21,53 51-62-35")
    >>> _ = build_set(directory, "some", pack([position]), processes=0)
    >>> with Tablebase(directory) as tables:
    ...     print(tables.probe(position), tables.best_turn(position), tables.solve(position).source)
    6 44 set some
    """

    codec = CODEC


open_tablebase = Tablebase
"""Opens a directory of solved sets for probing; its files are opened later. Raises `StorageError`."""

STORED = StoredGame(
    CODEC,
    Tablebase,
    tables="Take That has no complete tables; give --positions FILE for a solved set",
)

build_set = STORED.build_set
