"""Peers in C++: they are compiled here, get positions as text, and print a line `value nanoseconds` for each."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

FLAGS = ("-std=c++17", "-O3", "-march=native")


def compile_peer(source: Path, folder: Path) -> Path:
    """Compiles `source` into `folder`, for this machine only. Returns the program. Raises `CalledProcessError`."""
    program = folder / source.stem
    subprocess.run([os.environ.get("CXX", "c++"), *FLAGS, "-o", str(program), str(source)], check=True)
    return program


def run_peer(program: Path, positions: Sequence[object]) -> tuple[list[int], float]:
    """The values that `program` finds for the positions, and the seconds that it reports for solving alone."""
    text = "".join(f"{position}\n" for position in positions)
    done = subprocess.run([str(program)], input=text, capture_output=True, text=True, check=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    if len(lines) != len(positions):
        raise RuntimeError(f"{program.name} answered {len(lines)} of {len(positions)} positions")
    return [int(value) for value, _ in lines], sum(int(spent) for _, spent in lines) / 1e9


def read_positions(path: Path) -> list[str]:
    """The lines of a position set, without the comments that begin with #."""
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
