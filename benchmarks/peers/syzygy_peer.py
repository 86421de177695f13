"""python-chess probing Syzygy tables, the best-known look-up from Python.

Game and positions differ, so only the time of a call can be compared. It needs the package `chess` and a folder of
tables, for example data/syzygy/regular in its source distribution.
"""

from __future__ import annotations

import random
from pathlib import Path

import chess
import chess.syzygy

VERSION = chess.__version__


def boards(folder: Path, count: int, seed: int = 1) -> list[chess.Board]:
    """Random legal positions of the four-man tables in the folder: pieces anywhere, White to move, no castling."""
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
    """Probes each position once for win, draw or loss. Returns their number."""
    for board in positions:
        tables.probe_wdl(board)
    return len(positions)
