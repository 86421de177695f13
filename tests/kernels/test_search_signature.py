"""The signature of each search: the nodes that it takes for a fixed set of positions, as Stockfish's `bench`.

A change that leaves out a bound, weakens one, spoils the order of turns or the memory changes no answer, and so no other test sees
it; but it changes the nodes. Whoever means to change the search writes the new numbers here, and says in the commit why they moved.
"""

from __future__ import annotations

import itertools
import zlib

import numpy as np
import pytest

from backtrick import face_to_face, take_that
from backtrick.face_to_face import PUBLISHED
from backtrick.face_to_face._deal import DealSolver as DuelSolver
from backtrick.face_to_face._proofs import DealProver
from backtrick.face_to_face.deal import kernel_side
from backtrick.face_to_face.proving import MOST_PLANNED
from backtrick.take_that._deal import DealSolver as RoundSolver
from backtrick.take_that._solve import Solver
from command import ROOT

POSITIONS = ROOT / "benchmarks" / "positions"


def positions_of(game, name: str, count: int) -> list:
    lines = [line for line in (POSITIONS / f"{name}.txt").read_text().splitlines() if not line.startswith("#")]
    return [game.GAME.parse(line.partition("#")[0].strip()) for line in lines[:count]]


@pytest.mark.parametrize(
    ("most", "count", "nodes"),
    [(8, 100, 11_119), (12, 60, 42_953), (16, 12, 16_742)],
)
def test_deals_of_face_to_face(most, count, nodes):
    taken = 0
    for deal in positions_of(face_to_face, f"deals_{most}", count):
        solver = DuelSolver(PUBLISHED.code, 1 << 20)
        taken += solver.solve(kernel_side(deal.mover), kernel_side(deal.opponent), 3_000, True)[1]
    assert taken == nodes


@pytest.mark.parametrize("forced_only, nodes", [(False, 334_337), (True, 183_609)])
def test_deals_of_take_that(forced_only, nodes):
    taken = 0
    for name, count in (("take_that_deals_4", 60), ("take_that_deals_8", 12), ("take_that_deals_12", 3)):
        for deal in positions_of(take_that, name, count):
            endgame = take_that.Position(deal.mover, deal.opponent, deal.line)
            taken += RoundSolver(2 + forced_only, 1 << 20).value(endgame.packed, bytes(deal.pile), 20_000, True)[2]
    assert taken == nodes


@pytest.mark.parametrize("forced_only, nodes", [(False, 153_554), (True, 742_389)])
def test_endgames_of_take_that(forced_only, nodes):
    taken = 0
    for name, count in (("take_that_selfplay", 300), ("take_that_mixed", 100), ("take_that_hard", 50)):
        for position in positions_of(take_that, name, count):
            solver = Solver(2 + forced_only, 1 << 20)
            taken += solver.answer(np.frombuffer(position.packed, np.uint8), 50_000)[-1]
    assert taken == nodes


@pytest.mark.parametrize("forced_only, nodes", [(False, 196_382), (True, 241_337)])
def test_hard_endgames_of_take_that(forced_only, nodes):
    """The first, wide search does not end for them, so narrow questions follow it."""
    taken = 0
    for position in positions_of(take_that, "take_that_hardest", 4):
        solver = Solver(2 + forced_only, 1 << 22)
        taken += solver.value(np.frombuffer(position.packed, np.uint8), 100_000)[-1]
    assert taken == nodes


@pytest.mark.parametrize(("most", "count", "lines", "said"), [(8, 30, 425, 3_363_971_903), (10, 10, 15, 1_739_316_497)])
def test_proofs(most, count, lines, said):
    """The checker of proofs accepts a longer one, or one in another order, just as well. So here every reply counts."""
    found = []
    for deal in positions_of(face_to_face, f"deals_{most}", count):
        prover = DealProver(PUBLISHED.code, 1 << 20, MOST_PLANNED, bytearray(1))
        prover.prove(kernel_side(deal.mover), kernel_side(deal.opponent), 3_000)
        found += iter(map(prover.line, itertools.count()).__next__, None)
    assert (len(found), zlib.crc32(repr(found).encode())) == (lines, said)
