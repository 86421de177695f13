"""Cards and positions of Face to Face as SVG. A hill on each card is as high as its number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from backtrick.face_to_face.rule_options import HIGHEST
from backtrick.writing.drawing import HEIGHT, LIGHT, RADIUS, WIDTH, Palette, back, path, placed, rectangle, row, sheet, text

DECKS = ("first", "second")
"""The colours of the two decks, the mover's or seat 0's first."""

STEP = 66  # from card to card in a hand
_SHEET = 440


def card(number: int, deck: str, palette: Palette = LIGHT) -> str:
    """A number card of a deck, or the row card 1 or 60 (F1)."""
    ink = palette["ink"]
    parts = [rectangle(palette["card"], palette[f"{deck}-edge"]), _hill(number, palette[deck])]
    parts.append(text(WIDTH / 2, 53, number, 31, ink, weight=700))
    parts.append(text(6, 15, number, 11, ink, "start", 600))
    if number in (1, HIGHEST):
        up = number == 1
        tip, foot = (62, 74) if up else (74, 62)
        parts.append(path(f"M22 {foot} L30 {tip} L38 {foot}", stroke=palette[f"{deck}-edge"], width=3))
    return "".join(parts)


def _hill(number: int, colour: str) -> str:
    """A slope whose middle is as high as the number, within the outline of the card."""
    left, bottom, right = 1.5, HEIGHT - 1.5, WIDTH - 1.5
    middle = bottom - 4 - (HEIGHT - 14) * number / HIGHEST
    low, high = min(middle + 5, bottom - RADIUS), max(middle - 5, 1.5 + RADIUS)
    corner = RADIUS - 1
    return path(
        f"M{left} {low:.1f} C{left + 20} {low:.1f} {right - 20} {high:.1f} {right} {high:.1f} V{bottom - corner} "
        f"Q{right} {bottom} {right - corner} {bottom} H{left + corner} Q{left} {bottom} {left} {bottom - corner} Z",
        fill=colour,
    )


def symbols(palette: Palette) -> Iterator[tuple[str, str]]:
    """Every card by the name that the page uses: `first-17`."""
    for deck in DECKS:
        for number in range(1, HIGHEST + 1):
            yield f"{deck}-{number}", card(number, deck, palette)


class SeenSide(NamedTuple):
    """What is seen of a side: its tops, and the cards of its hand and of its draw pile; None for each that is hidden."""

    ascending: int
    descending: int
    hand: Sequence[int | None]
    pile: Sequence[int | None]


class Seen(NamedTuple):
    """The table as somebody sees it: the own side, or the mover's, and the other one. notation: of a view; a position, in which no
    card is hidden, is described in words."""

    own: SeenSide
    other: SeenSide
    notation: str = ""


def drawing(seen: Seen, palette: Palette | None = None) -> str:
    """A table as an SVG file: the opponent above, the mover below, a draw pile beside its owner's piles, the next card first.

    Of a view the player is below, the cards of its draw pile ascend, and of cards that it does not see the back is drawn.

    >>> drawing(Seen(SeenSide(27, 40, (17, 18, 45), ()), SeenSide(13, 50, (None, None), ())))[:4]
    '<svg'
    """
    palette = palette or LIGHT

    def drawn(number: int | None, deck: str) -> str:
        return back(palette) if number is None else card(number, deck, palette)

    sides = ((seen.other, "second"), (seen.own, "first"))
    above, below = (_piles(side, deck, [drawn(one, deck) for one in side.pile], palette) for side, deck in sides)
    over, under = (row([drawn(one, deck) for one in side.hand], 20, 0, STEP) for side, deck in sides)
    label = partial(text, size=12, colour=palette["faint"], anchor="start")
    parts = [
        label(20, 24, "opponent"), placed(over, 0, 32), placed(above, 0, 140),
        path(f"M20 240 H{_SHEET - 20}", stroke=palette["edge"], width=1),
        placed(below, 0, 256), placed(under, 0, 364), label(20, 466, "mover"),
    ]  # fmt: skip
    return sheet("".join(parts), _SHEET, 480, seen.notation or words(seen), palette)


def _piles(side: SeenSide, deck: str, pile: Sequence[str], palette: Palette) -> str:
    """Both piles, and the draw pile as small cards in as many rows as it needs."""
    parts = []
    for place, (top, slopes) in enumerate(((side.ascending, "-9 5 9"), (side.descending, "9 5 -9"))):
        x = 40 + place * 92
        parts.append(placed(card(top, deck, palette), x, 0))
        parts.append(path(f"M{x - 16} {47 if place == 0 else 38} l5 {slopes}z", palette[f"{deck}-edge"]))  # a triangle
    columns = max(9, -(-len(pile) // 3))
    step = min(23, 190 / columns)
    for place, one in enumerate(pile):
        parts.append(placed(one, 216 + place % columns * step, place // columns * 28, 0.32))
    return "".join(parts)


def words(seen: Seen) -> str:
    """What a table shows, in words."""
    return "; ".join(_side_words(*named) for named in (("mover", seen.own), ("opponent", seen.other)))


def _side_words(name: str, side: SeenSide) -> str:
    hand = ", ".join(map(str, side.hand)) or "no card"
    pile = f", to draw {', '.join(map(str, side.pile))}" if side.pile else ""
    return f"{name}: ascending pile {side.ascending}, descending pile {side.descending}, in hand {hand}{pile}"


def board(seen: Seen) -> str:
    """A table as five lines of text, or six with draw piles: the opponent's hand and piles, the mover's piles and hand.

    >>> print(board(Seen(SeenSide(27, 40, (17, 18, 45), ()), SeenSide(13, 50, (5, 12), ()))))
    opponent  5 12
              ▲ 13  ▼ 50
    <BLANKLINE>
              ▲ 27  ▼ 40
    mover     17 18 45
    """

    def hand(name: str, side: SeenSide) -> str:
        pile = f"   draws {' '.join(map(str, side.pile))}" if side.pile else ""
        return f"{name:<10}{' '.join(map(str, side.hand)) or '-'}{pile}"

    def piles(side: SeenSide) -> str:
        return f"{'':<10}▲ {side.ascending}  ▼ {side.descending}"

    return "\n".join([hand("opponent", seen.other), piles(seen.other), "", piles(seen.own), hand("mover", seen.own)])
