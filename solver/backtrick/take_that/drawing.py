"""Cards and positions of Take That as SVG. A card names its twisted card at the foot, upside down; a toad is drawn as a toad."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from backtrick.take_that.rule_options import DECK, is_toad, twisted
from backtrick.writing.drawing import HEIGHT, LIGHT, WIDTH, Palette, back, path, rectangle, row, sheet, text

STEP = 66  # from card to card
_IN_A_ROW = 9
_FEWEST = 4  # cards that the sheet has room for in any case


def card(number: int, palette: Palette = LIGHT) -> str:
    """A card of the deck (T1)."""
    ink, edge = palette["ink"], palette["toad-edge" if is_toad(number) else "pad-edge"]
    parts = [rectangle(palette["card"], edge), _toad(palette) if is_toad(number) else _pad(palette)]
    parts.append(text(WIDTH / 2, 42 if is_toad(number) else 52, number, 28, ink, weight=700))
    parts.append(text(6, 15, number, 11, ink, "start", 600))
    if not is_toad(number):
        twin = text(0, 0, twisted(number), 11, palette["faint"], "start", 600)
        parts.append(f'<g transform="translate({WIDTH - 6} {HEIGHT - 15}) rotate(180)">{twin}</g>')
    return "".join(parts)


def _pad(palette: Palette) -> str:
    return path("M30 42 L46.5 24.5 A24 24 0 1 1 34 18.4 Z", fill=palette["pad"])


def _toad(palette: Palette) -> str:
    """A toad that looks over the edge of the card."""
    skin, line = palette["toad"], palette["toad-edge"]
    body = path("M7 82 C7 62 16 55 20 54 A6.5 6.5 0 0 1 30 56 A6.5 6.5 0 0 1 40 54 C44 55 53 62 53 82 Z", skin, line, 1.5)
    eyes = "".join(f'<circle cx="{x}" cy="57.5" r="2.4" fill="{palette["ink"]}"/>' for x in (23, 37))
    return body + eyes + path("M20 68 Q30 75 40 68", stroke=line, width=2)


def symbols(palette: Palette) -> Iterator[tuple[str, str]]:
    """Every card by the name that the page uses: `card-49`."""
    for number in DECK:
        yield f"card-{number}", card(number, palette)


class Seen(NamedTuple):
    """The table as somebody sees it: the own hand, or the mover's, the other hand, line, draw pile; None for a card that is hidden.
    notation: of a view; a position, in which no card is hidden, is described in words."""

    own: Sequence[int | None]
    other: Sequence[int | None]
    line: Sequence[int | None]
    pile: Sequence[int | None]
    notation: str = ""


def drawing(seen: Seen, palette: Palette | None = None) -> str:
    """A table as an SVG file: the opponent above, the line in the middle, the mover below, the draw pile last, the next card
    first. Of a view the player is below, and of cards that it does not see the back is drawn.

    >>> drawing(Seen((15, 43, 44), (None, None), (51, 62, 35), ()))[:4]
    '<svg'
    """
    palette = palette or LIGHT
    label = partial(text, size=12, colour=palette["faint"], anchor="start")
    parts, y = [], 24.0
    blocks: list[tuple[str, Sequence[int | None], float]] = [
        ("opponent", seen.other, 1), ("line", seen.line, 1), ("you" if seen.notation else "mover", seen.own, 1),
    ]  # fmt: skip
    if seen.pile:
        blocks.append(("draw pile" if seen.notation else "draw pile, the next card first", seen.pile, 0.4))
    widest = max(_FEWEST, *(scale * min(len(cards), round(_IN_A_ROW / scale)) for _, cards, scale in blocks))
    for name, cards, scale in blocks:
        parts.append(label(20, y, name))
        in_a_row = round(_IN_A_ROW / scale)
        for start in range(0, max(len(cards), 1), in_a_row):
            drawn = (back(palette) if one is None else card(one, palette) for one in cards[start : start + in_a_row])
            parts.append(row(drawn, 20, y + 8, STEP * scale, scale))
            y += (HEIGHT + 6) * scale
        y += 28
    width = 2 * 20 + widest * STEP - (STEP - WIDTH)
    return sheet("".join(parts), width, y - 14, seen.notation or words(seen), palette)


def words(seen: Seen) -> str:
    """What a table shows, in words."""
    blocks = {"mover": seen.own, "opponent": seen.other, "line": seen.line}
    if seen.pile:
        blocks["to draw"] = seen.pile
    return "; ".join(f"{name}: {', '.join(map(str, cards)) or 'no card'}" for name, cards in blocks.items())


def board(seen: Seen) -> str:
    """A table as lines of text: the opponent's hand, the line, the draw pile if there is one, and the mover's hand.

    >>> print(board(Seen((15, 43, 44), (21, 53), (51, 62, 35), ())))
    opponent  21 53
    <BLANKLINE>
    line      51-62-35
    <BLANKLINE>
    mover     15 43 44
    """
    rows = [("opponent", " ".join(map(str, seen.other))), ("", ""), ("line", "-".join(map(str, seen.line)))]
    if seen.pile:
        rows.append(("pile", " ".join(map(str, seen.pile))))
    rows += [("", ""), ("mover", " ".join(map(str, seen.own)))]
    return "\n".join(f"{name:<10}{cards or '-'}" if name else "" for name, cards in rows)
