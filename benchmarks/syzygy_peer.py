"""python-chess probing Syzygy tables: the look-up from Python that most people know.

Not the same game nor the same positions, so only the time of a call is told. It needs the package `chess` and a folder of tables,
for example data/syzygy/regular in its source distribution.
"""

from __future__ import annotations

import random
from pathlib import Path

import chess
import chess.syzygy

VERSION = chess.__version__


def boards(folder: Path, count: int, seed: int = 1) -> list[chess.Board]:
    """Random legal positions of the four-man tables in the folder, pieces anywhere, White to move, no castling."""
    rng = random.Random(seed)
    names = sorted(path.stem for path in folder.glob("*.rtbw") if len(path.stem) == 5)
    if not names:
        raise FileNotFoundError(f"{folder}: no four-man table, as KRvKN.rtbw")
    found: list[chess.Board] = []
    while len(found) < count:
        white, black = rng.choice(names).split("v")
        board = chess.Board(None)
        pieces = [*white, *black.lower()]
        for square, piece in zip(rng.sample(range(8, 56), len(pieces)), pieces, strict=True):  # pawns stand on rows 2..7
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
        if board.is_valid():
            found.append(board)
    return found


def probe_all(tables: chess.syzygy.Tablebase, positions: list[chess.Board]) -> int:
    """Probes each once, win, draw or loss; returns how many."""
    for board in positions:
        tables.probe_wdl(board)
    return len(positions)
