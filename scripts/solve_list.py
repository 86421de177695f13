"""Solves a list of positions, one a line, into a solved set. Run it again with other positions to add them.

    backtrick sample 100000 > endgames.txt
    python scripts/solve_list.py tablebases endgames endgames.txt
"""

import sys
from pathlib import Path

from backtrick.face_to_face import Position, build_set, pack


def main(directory: str, name: str, file: str) -> None:
    with Path(file).open(encoding="utf-8-sig") as lines:
        positions = pack(Position.parse(line.strip()) for line in lines if line.strip())
    header = build_set(directory, name, positions)
    print(header.name, header.length, "positions", header.digest)


if __name__ == "__main__":
    main(*sys.argv[1:])
