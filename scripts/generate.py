"""Builds complete tables with an executor of your choice: here a pool of processes; any executor of concurrent.futures works.

    python scripts/generate.py tablebases 6
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from backtrick.face_to_face import build_tables
from backtrick.face_to_face.classes import tables_up_to


def main(directory: str, cards: str, processes: str = "2") -> None:
    with ProcessPoolExecutor(int(processes), get_context("spawn")) as pool:
        for header in build_tables(directory, tables_up_to(int(cards)), executor=(pool, int(processes)), say=print):
            print(header.name, header.digest)


if __name__ == "__main__":
    main(*sys.argv[1:])
