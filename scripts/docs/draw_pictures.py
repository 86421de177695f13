"""Draws the pictures of README and pages that are made from notation or from data: `python scripts/docs/draw_pictures.py`.

docs/images/notation_*.svg      a position in text, with its parts named
docs/images/findings_line.svg   the value of endgames of Take That by the cards in the line (docs/data/findings.json)
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from backtrick.writing.drawing import LIGHT, path, sheet, text
from figures import run_of

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"

INK, FAINT, FIRST, SECOND = (LIGHT[name] for name in ("ink", "faint", "first-edge", "second-edge"))
LEFT, ADVANCE, LETTER = 24, 18, 28  # pixels: before a position, from letter to letter, and their height


class Part(NamedTuple):
    """A piece of a position in text. name: what it is; lines of words, or none."""

    text: str
    colour: str = INK
    name: str = ""


class Group(NamedTuple):
    """Parts that belong together: those from `first` up to `end`, without it."""

    first: int
    end: int
    name: str
    colour: str


FACE_TO_FACE = (
    Part("27^", FIRST, "top of\n▲ pile"),
    Part("40v:", FIRST, "top of\n▼ pile"),
    Part("17,18,45", FIRST, "hand"),
    Part("+20,33,50", FIRST, "draw pile, the\nnext card first"),
    Part(" "),
    Part("43^20v:5,12+4,9", SECOND),
)
SIDES = (Group(0, 4, "the player to move", FIRST), Group(5, 6, "the opponent", SECOND))
TAKE_THAT = (
    Part("15,43,44", FIRST, "hand of the\nplayer to move"),
    Part(" "),
    Part("21,53", SECOND, "hand of the\nopponent"),
    Part(" "),
    Part("51-62-35", INK, "line, from\nleft to right"),
    Part(" "),
    Part("22,33", INK, "draw pile, the\nnext card first"),
)


def notation(parts: Sequence[Part], groups: Sequence[Group] = ()) -> str:
    """A position in text, with a bracket and a name below each part, and above those that belong together."""
    whole = "".join(part.text for part in parts)
    starts = [LEFT + ADVANCE * len("".join(part.text for part in parts[:place])) for place in range(len(parts) + 1)]
    base, drawn = 78 if groups else 44, []
    for first, end, name, colour in groups:
        drawn.append(path(f"M{starts[first]} {base - 28}v-8H{starts[end]}v8", stroke=colour, width=1.5))
        drawn.append(text((starts[first] + starts[end]) / 2, base - 46, name, 14, colour))
    for start, end, part in zip(starts, starts[1:], parts, strict=False):
        for place, letter in enumerate(part.text):  # each in a place of its own, whatever letters there are
            drawn.append(text(start + (place + 0.5) * ADVANCE, base, letter, LETTER, part.colour))
        if part.name:
            drawn.append(path(f"M{start + 2} {base + 10}v8H{end - 2}v-8", stroke=FAINT, width=1.5))
        for place, words in enumerate(part.name.split("\n")):
            drawn.append(text((start + end) / 2, base + 36 + 15 * place, words, 11.5, INK))
    return sheet("".join(drawn), starts[-1] + LEFT, base + 68, f"The position {whole} with its parts named", LIGHT)


WIDTH, TOP, BOTTOM, AXIS = 660, 56, 266, 64
MOST_CARDS = 6  # the means of longer lines are less certain
CURVES = (("as played", 1, FIRST), ("the same cards with the hands shuffled", 2, SECOND))


def findings_line() -> str:
    """The mean value of endgames of Take That by the cards in the line, as played and with the hands shuffled."""
    rows = run_of("findings")["tables"]["lengths"][1 : MOST_CARDS + 1]
    title = "Take That: what an endgame is worth to the player to move, in points"
    drawn = [text(WIDTH / 2, 30, title, 15, INK), text(WIDTH / 2, BOTTOM + 44, "cards in the line", 12, FAINT)]
    xs = [AXIS + 40 + place * (WIDTH - AXIS - 100) / (MOST_CARDS - 1) for place in range(MOST_CARDS)]

    def height(value: float) -> float:
        return TOP + (2 - value) * (BOTTOM - TOP) / 3

    for value in (-1, 0, 1, 2):
        drawn.append(path(f"M{AXIS} {height(value):g}H{WIDTH - 24}", stroke=LIGHT["edge"], width=0.5 if value else 1.5))
        drawn.append(text(AXIS - 10, height(value) + 4, f"{value:+d}" if value else "0", 12, FAINT, "end"))
    drawn += [text(x, BOTTOM + 22, row[0], 12, FAINT) for x, row in zip(xs, rows, strict=True)]
    for words, column, colour in CURVES:
        points = [f"{x:g} {height(float(row[column].split()[0])):g}" for x, row in zip(xs, rows, strict=True)]
        drawn.append(path(f"M{'L'.join(points)}", stroke=colour, width=2.5))
        drawn.append(path("".join(f"M{point}h0" for point in points), stroke=colour, width=9))
        drawn.append(text(WIDTH - 28, TOP + 20 * column - 6, words, 13, colour, "end", 600))
    return sheet("".join(drawn), WIDTH, BOTTOM + 64, title, LIGHT)


def pictures() -> dict[str, str]:
    """The SVG of each picture by its name."""
    return {
        "notation_face_to_face": notation(FACE_TO_FACE, SIDES),
        "notation_take_that": notation(TAKE_THAT),
        "findings_line": findings_line(),
    }


def main() -> None:
    for name, drawn in pictures().items():
        (IMAGES / f"{name}.svg").write_text(drawn, encoding="utf-8")
        print(IMAGES / f"{name}.svg")


if __name__ == "__main__":
    main()
