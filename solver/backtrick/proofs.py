"""Proofs of what a position is worth, as lines that a small program that knows only the rules can check (docs/proofs.md).

A proof holds one player down: whatever it does, some reply of the opponent keeps what was claimed. The lines say which replies do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from backtrick.answer import Proof
from backtrick.arguments import checked
from backtrick.budget import UNLIMITED, Budget, deadline
from backtrick.errors import BudgetError
from backtrick.game import Game
from backtrick.given import refused

__all__ = ["Proof", "prove"]


@checked
def prove(game: Game[Any, Any, Any], position: Any, rules: Any = None, budget: Budget = UNLIMITED) -> Iterator[str]:
    """The lines of a proof of what a position is worth: of an endgame or deal of Face to Face whether it is won or lost, of one of
    Take That its value. rules: None for the published game. budget: for the whole proof, which one thread finds.

    Raises `NotSolvedError` if the budget does not suffice; then the lines so far prove nothing.

    >>> from backtrick import face_to_face
    >>> game = face_to_face.GAME
    >>> print(*prove(game, game.parse("43^45v:5,12+4,9 17^40v:18,20,33,50")), sep="\\n")
    game face-to-face
    claim loss 43^45v:5,12+4,9 17^40v:18,20,33,50
    loss 43^45v:5,12+4,9 17^40v:18,20,33,50 | 50v 33v 20v 18v
    """
    if not isinstance(game, Game):
        raise refused("game", "a game, such as backtrick.face_to_face.GAME", game)
    if budget.search_threads > 1:
        raise BudgetError("search_threads is for solving a deal; a proof is found by one thread")
    with deadline(budget) as stop:
        yield from prove_until(stop, game, position, rules, budget)


def prove_until(
    stop: bytearray, game: Game[Any, Any, Any], position: Any, rules: Any = None, budget: Budget = UNLIMITED
) -> Iterator[str]:
    """As `prove`, but it ends when the byte of `stop` is set, and not after the seconds of the budget."""
    options, claim, lines = game.proof(game.read_position(position), game.read_rules(rules), budget, stop)
    yield " ".join(["game", game.display.name.replace("_", "-"), *options])
    yield f"claim {claim}"
    yield from lines
