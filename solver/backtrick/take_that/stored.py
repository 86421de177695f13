"""What Take That keeps on disk: `STORED`.

>>> import tempfile
>>> from backtrick.take_that import Position, build_closure, build_set, open_closure, pack
>>> root, directory = Position.parse("15,43,44 21,53 51-62-35"), tempfile.mkdtemp()
>>> build_set(directory, "one", pack([root]), processes=0).counts
{'6': 1}
>>> _ = build_closure(directory, "small", root, processes=0)
>>> closure = open_closure(directory, "small")
>>> for outcome in closure.outcomes(closure.root):
...     print(outcome.turn, outcome.points, outcome.value, outcome.position)
44 0 6 21,53 15,43 51-62-35-44
43 0 4 21,53 15,44 51-62-35-43
15x51 2 -1 21,53 43,44 62-35
take -3 -3 None
>>> closure.value(closure.outcomes(closure.root)[0].position)
-6
"""

from __future__ import annotations

from backtrick.storage import tablebase
from backtrick.storage.stored import StoredGame
from backtrick.take_that.codec import CODEC
from backtrick.take_that.game import GAME
from backtrick.take_that.options import Rules
from backtrick.take_that.position import Position
from backtrick.take_that.turn import Turn


class Tablebase(tablebase.Tablebase[Position, Turn, Rules]):
    """The solved sets and closures of a directory; values are points.

    >>> import tempfile
    >>> from backtrick.take_that import build_set, pack
    >>> directory, position = tempfile.mkdtemp(), Position.parse("15,43,44 21,53 51-62-35")
    >>> _ = build_set(directory, "some", pack([position]), processes=0)
    >>> with Tablebase(directory) as tables:
    ...     print(tables.probe(position), tables.best_turn(position), tables.solve(position).source)
    6 44 set some
    """

    game, codec = GAME, CODEC


open_tablebase = Tablebase
"""Opens a directory of solved sets and closures for probing; its files are opened later. Raises `StorageError`."""

STORED = StoredGame(
    GAME,
    CODEC,
    Tablebase,
    tables="Take That has no complete tables; give --positions FILE for a solved set, or --closure POSITION",
)

build_set, build_closure, open_closure = STORED.build_set, STORED.build_closure, STORED.open_closure
