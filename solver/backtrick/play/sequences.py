"""The slow, exact way to an equilibrium: the program of all sequences of a tree of states (Koller, Megiddo, von Stengel 1994)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from backtrick.errors import RulesError
from backtrick.play.plans import Plans, Question

if TYPE_CHECKING:
    from backtrick.game import AnyGame


def solve(public: Any, game: AnyGame, question: Question) -> Plans:
    """Plans of both players."""
    raise RulesError(f"{game.title} has no way to its equilibria")
