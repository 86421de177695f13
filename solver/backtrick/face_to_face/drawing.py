"""Cards and positions of Face to Face as SVG. A hill on each card is as high as its number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from backtrick.face_to_face.position import Position, Side
from backtrick.face_to_face.rule_options import HIGHEST
from backtrick.face_to_face.state import View
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


class _Seen(NamedTuple):
    """What is seen of a side: its tops, and the cards of its hand and of its draw pile; None for each that is hidden."""

    ascending: int
    descending: int
    hand: Sequence[int | None]
    pile: Sequence[int | None]


def _sides(given: Position | View) -> tuple[_Seen, _Seen]:
    """The side of the player who looks, or of the mover, and the other one."""
    if isinstance(given, Position):
        first, second = (_Seen(one.ascending, one.descending, one.hand, tuple(one.pile)) for one in (given.mover, given.opponent))
        return first, second
    own = given.own
    hidden = _Seen(given.ascending, given.descending, (None,) * given.hand_size, (None,) * given.pile_size)
    return _Seen(own.ascending, own.descending, own.hand, sorted(own.pile)), hidden


def drawing(given: Position | View, palette: Palette = LIGHT) -> str:
    """A position as an SVG file: the opponent above, the mover below, a draw pile beside its owner's piles, the next card first.

    Of a view the player is below, the cards of its draw pile ascend, and of cards that it does not see the back is drawn.

    >>> drawing(Position.parse("27^40v:17,18,45 13^50v:5,12"))[:4]
    '<svg'
    """

    def drawn(number: int | None, deck: str) -> str:
        return back(palette) if number is None else card(number, deck, palette)

    first, second = _sides(given)
    sides = ((second, "second"), (first, "first"))
    above, below = (_piles(side, deck, [drawn(one, deck) for one in side.pile], palette) for side, deck in sides)
    over, under = (row([drawn(one, deck) for one in side.hand], 20, 0, STEP) for side, deck in sides)
    label = partial(text, size=12, colour=palette["faint"], anchor="start")
    parts = [
        label(20, 24, "opponent"), placed(over, 0, 32), placed(above, 0, 140),
        path(f"M20 240 H{_SHEET - 20}", stroke=palette["edge"], width=1),
        placed(below, 0, 256), placed(under, 0, 364), label(20, 466, "mover"),
    ]  # fmt: skip
    return sheet("".join(parts), _SHEET, 480, words(given) if isinstance(given, Position) else str(given), palette)


def _piles(side: _Seen, deck: str, pile: Sequence[str], palette: Palette) -> str:
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


def words(position: Position) -> str:
    """What a position shows, in words."""
    return "; ".join(_side_words(*named) for named in (("mover", position.mover), ("opponent", position.opponent)))


def _side_words(name: str, side: Side) -> str:
    hand = ", ".join(map(str, side.hand)) or "no card"
    pile = f", to draw {', '.join(map(str, side.pile))}" if side.pile else ""
    return f"{name}: ascending pile {side.ascending}, descending pile {side.descending}, in hand {hand}{pile}"


def board(position: Position) -> str:
    """A position as five lines of text, or six with draw piles: the opponent's hand and piles, the mover's piles and hand.

    >>> print(board(Position.parse("27^40v:17,18,45 13^50v:5,12")))
    opponent  5 12
              ▲ 13  ▼ 50
    <BLANKLINE>
              ▲ 27  ▼ 40
    mover     17 18 45
    """

    def hand(name: str, side: Side) -> str:
        pile = f"   draws {' '.join(map(str, side.pile))}" if side.pile else ""
        return f"{name:<10}{' '.join(map(str, side.hand)) or '-'}{pile}"

    def piles(side: Side) -> str:
        return f"{'':<10}▲ {side.ascending}  ▼ {side.descending}"

    mover, opponent = position.mover, position.opponent
    return "\n".join([hand("opponent", opponent), piles(opponent), "", piles(mover), hand("mover", mover)])
