"""Public states as games in extensive form, in the format `.efg` of Gambit, which other solvers read (docs/hidden.md).

Chances and payoffs are fractions. The first player gets what a value is, and the second one the negative of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from backtrick.budget import Budget
from backtrick.play.sequences import Information, Tree


class Writer(Tree):
    """A tree that writes a line for each node while it grows: first a node, then what follows each of its turns."""

    def __init__(self, *asked: Any) -> None:
        super().__init__(*asked)
        self.lines = [f'EFG 2 R {_quoted(f"{self.game.title}: {self.public}")} {{ "the mover" "the other player" }}', '""']
        self._ends: dict[Fraction, int] = {}
        self._draws = 0
        self._labels: dict[tuple[int, str], int] = {}

    def on_chance(self, shares: Sequence[Fraction]) -> None:
        if len(shares) > 1:
            self._draws += 1
            named = " ".join(f'"{number}" {share}' for number, share in enumerate(shares, 1))
            self.lines.append(f'c "" {self._draws} "" {{ {named} }} 0')

    def on_turns(self, seat: int, number: int, own: Information) -> None:
        label = str(own.view)
        if self._labels.setdefault((seat, label), number) != number:  # the same view after other turns; Gambit takes no label twice
            label += f" ({number + 1})"
        turns = " ".join(_quoted(turn) for turn in own.turns)
        self.lines.append(f'p "" {seat + 1} {number + 1} {_quoted(label)} {{ {turns} }} 0')

    def on_end(self, worth: Fraction) -> None:
        number = self._ends.setdefault(worth, len(self._ends) + 1)
        self.lines.append(f't "" {number} "" {{ {worth}, {-worth} }}')


def _quoted(given: object) -> str:
    """A label: Gambit takes printable ASCII characters with single blanks between them."""
    text = " ".join(str(given).replace('"', "'").encode("ascii", "replace").decode().split())
    return f'"{text}"'


def extensive_form(public: Any, game: Any, weights: Any, budget: Budget, stop: bytearray) -> str:
    """The whole tree of a public state as text. Raises as `Tree.grow` does."""
    writer = Writer(public, game, weights)
    writer.grow(budget, stop, False)
    return "\n".join(writer.lines) + "\n"
