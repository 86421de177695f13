"""What the scripts of `make run` print of a deal."""

from __future__ import annotations

from typing import Any

from backtrick.game import BEST, LINE, Game, SolveOptions
from backtrick.work import Budget


def print_deal(game: Game[Any, Any, Any], deal: Any, told: str) -> None:
    """Prints a deal, its value, the best turn and the line. told: what to say of the deal before it."""
    [answer] = game.answers([deal], SolveOptions(game.published, deal_budget=Budget(seconds=10), want=frozenset({BEST, LINE})))
    print(f"\n{told}: {deal}")
    print(f"  {answer.text}; {answer.best_text('no turn', 'not found')}")
    if answer.line:
        print("  line: " + " | ".join(f"{turn} {points:+}" if points else str(turn) for turn, points, _ in answer.steps()))
