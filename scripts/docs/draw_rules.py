"""Draws the pictures of docs/rules.md into docs/images/rules: `python scripts/docs/draw_rules.py`, after a change of the drawings.

A picture shows a position, or the same table after a turn, with the same player below.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from backtrick.games import tell

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images" / "rules"

PICTURES = {
    "back_trick": ("27^40v:17,18,45 13^50v:5,12", None),
    "back_trick_laid": ("27^40v:17,18,45 13^50v:5,12", "17^ 18^"),
    "helpful": ("52^6v:16,18,19,57 53^15v:4,7,29,44", None),
    "helpful_laid": ("52^6v:16,18,19,57 53^15v:4,7,29,44", "16v 18v'"),
    "harm": ("52^6v:16,18,57 53^15v:25,44", None),
    "harm_laid": ("52^6v:16,18,57 53^15v:25,44", "57^ 16v'"),
    "line": ("15,43,44 21,53 51-62-35", None),
    "line_laid": ("15,43,44 21,53 51-62-35", "44"),
    "line_twisted": ("15,43,44 21,53 51-62-35", "15x51"),
}
"""Of each picture its name, the position, and the turn after which the table is shown."""


def drawn(text: str, turn: str | None) -> str:
    """The SVG of a picture."""
    game = tell(text)
    position: Any = game.parse(text)
    if turn is not None:
        _, after = game.play(position, game.parse_turn(turn), game.published)
        position = replace(after, mover=after.opponent, opponent=after.mover)
    drawing = game.display.drawing(position)
    assert drawing is not None
    return drawing


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name, picture in PICTURES.items():
        (IMAGES / f"{name}.svg").write_text(drawn(*picture), encoding="utf-8")
    print(f"{len(PICTURES)} pictures in {IMAGES}")


if __name__ == "__main__":
    main()
