"""Verifies every complete table in a directory: each slot is found anew, by the way by which the table was not built.

    python scripts/verify.py tablebases
"""

import sys
from pathlib import Path

from backtrick.face_to_face import Tablebase
from backtrick.face_to_face.tables.table import file_name
from backtrick.face_to_face.tables.verifying import verify_table


def main(directory: str) -> None:
    with Tablebase(directory) as tables:
        for name in tables.names():
            for verified in verify_table(Path(directory) / file_name(name, lone_card=False)):
                print(name, verified, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
