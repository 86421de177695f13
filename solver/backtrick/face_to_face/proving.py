"""The proofs of The Game: Face to Face (docs/proofs.md). The kernel finds the lines; here they become text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from backtrick.answer import Proof
from backtrick.budget import DEAL_MIB, Budget, allocating
from backtrick.errors import ContradictionError, NotSolvedError
from backtrick.face_to_face._proofs import DealProver
from backtrick.face_to_face.deal import kernel_side
from backtrick.face_to_face.display import LOSS, UNSOLVED, WIN
from backtrick.face_to_face.position import Position, Side, cards_of
from backtrick.face_to_face.rule_options import Rules
from backtrick.face_to_face.turn import unpack_turn

OUTCOMES = UNSOLVED, LOSS, WIN  # as the kernel numbers them
MOST_PLANNED = 3
"""Turns of a plan."""


def proof_of(position: Position, rules: Rules, budget: Budget, stop: bytearray) -> Proof:
    """The proof that a position is won or lost."""
    options = ("lone-card",) if rules.lone_card else ()
    if not position.opponent.hand:  # F12: the game is over, and there is nothing to search
        return Proof(options, f"{LOSS} {position}", iter([f"{LOSS} {position}"]))
    table_mib = budget.mib(DEAL_MIB)
    with allocating(table_mib):
        prover = DealProver(rules.code, table_mib << 20, MOST_PLANNED, stop)
    number, nodes, proved = prover.prove(kernel_side(position.mover), kernel_side(position.opponent), budget.nodes or 0)
    outcome = OUTCOMES[number]
    if not proved and outcome != UNSOLVED and not budget.nodes and not stop[0]:
        raise ContradictionError(position, rules, f"it is a {outcome}, but no proof was found, unless there was no memory for it")
    if outcome == UNSOLVED or not proved:
        raise NotSolvedError(position, LOSS, WIN, nodes, f"not proved within the limits, after {nodes} nodes")
    return Proof(options, f"{outcome} {position}", _lines(prover, position))


def _lines(prover: DealProver, position: Position) -> Iterator[str]:
    """The lines in order, as text."""
    decks = [(set(side.hand), tuple(side.pile)) for side in (position.mover, position.opponent)]

    @lru_cache(None)
    def side_text(seat: int, up: int, down: int, left: int, drawn: int) -> str:
        hand, pile = decks[seat]
        held = sorted(hand.union(pile[:drawn]).intersection(cards_of(left)))
        return str(Side(up, down, tuple(held), pile[drawn:]))

    @lru_cache(None)
    def turn_text(packed: int) -> str:
        return str(unpack_turn(packed))

    number = 0
    while (line := prover.line(number)) is not None:
        word, sides, replies = line
        texts = ["/".join(map(turn_text, reply)) for reply in replies]
        yield f"{OUTCOMES[word]} {side_text(*sides[0])} {side_text(*sides[1])}" + (" | " + "; ".join(texts) if texts else "")
        number += 1
