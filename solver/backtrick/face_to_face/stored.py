"""What Face to Face keeps on disk: `STORED`.

>>> import tempfile
>>> from backtrick.face_to_face import Position, build_set, pack
>>> header = build_set(tempfile.mkdtemp(), "one", pack([Position.parse("27^40v:17,18,45 13^50v:5,12")]), processes=0)
>>> header.counts
{'1': 1}
"""

from backtrick.face_to_face.codec import CODEC
from backtrick.face_to_face.game import GAME
from backtrick.face_to_face.tablebase import Tablebase
from backtrick.face_to_face.tables.kinds import FaceToFaceTables
from backtrick.storage.stored import StoredGame

STORED = StoredGame(
    GAME,
    CODEC,
    Tablebase,
    tables=FaceToFaceTables(),
    no_closures="The Game: Face to Face has no closures; its complete tables hold all that a position leads to",
)

build_set = STORED.build_set
