"""Writes the position sets of the benchmarks: `python benchmarks/make_positions.py`, from the root of the repository.

One position a line; lines that begin with # say how the set was made.
"""

from __future__ import annotations

from pathlib import Path

from solver.face_to_face.deals import selfplay, tight

FOLDER = Path(__file__).parent / "positions"
SETS = {
    "selfplay": ("selfplay(20_000, seed=1, policies=('frugal', 'frugal'))", lambda: selfplay(20_000, seed=1)),
    "tight": ("tight(2_000, seed=1)", lambda: tight(2_000, seed=1)),
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, (call, positions) in SETS.items():
        header = (
            f"# Endgames of The Game: Face to Face: solver.face_to_face.deals.{call}\n"
            "# Written by: python benchmarks/make_positions.py\n"
        )
        path = FOLDER / f"{name}.txt"
        path.write_text(header + "".join(f"{position}\n" for position in positions()))
        print(path, path.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
