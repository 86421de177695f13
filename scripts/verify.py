"""Verifies every complete table in a directory: each entry is derived anew from those its turns lead to.

    python scripts/verify.py tablebases
"""

import sys
from pathlib import Path

from solver.face_to_face import Tablebase
from solver.face_to_face.tables import file_name
from solver.face_to_face.verifying import verify_table


def main(directory: str) -> None:
    with Tablebase(directory) as tables:
        for name in tables.names():
            print(name, verify_table(Path(directory) / file_name(name, lone_card=False)), "slots", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
