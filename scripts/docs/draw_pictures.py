"""Draws the pictures of README and pages from positions and from data: `python scripts/docs/draw_pictures.py`.

docs/images/rules/*.svg         positions of docs/rules.md, some with the table after a turn beside them, at the same scale
docs/images/notation_*.svg      a position in text, with its parts named
docs/images/findings_line.svg   the value of endgames of Take That by the cards in the line (docs/data/findings.json)
docs/images/questions.svg       the four questions of the search: how many endgames end at each, and after how long
docs/images/class.svg           two positions of one class
docs/images/slot.svg            the slot of a position in its table
docs/images/worlds.svg          the worlds of a view, and in which of them a turn wins
docs/images/deal.svg            a deal with its draw piles
docs/images/hidden_*.svg        positions of docs/hidden.md, as the mover sees them
docs/images/review.svg          the review of the game that docs/grading.md grades
docs/images/ranges.svg          the plan for the public state that docs/hidden.md solves in the shell
docs/images/flow.svg            from positions to answers, tables and grades

The plots of docs/tutorials/compare.md are those that the code of the page saves (`plots`); they need matplotlib.
"""

from __future__ import annotations

import doctest
import re
import tempfile
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from backtrick import grade_game
from backtrick.face_to_face import GAME, Position, View, equilibrium
from backtrick.face_to_face.classes import rank
from backtrick.face_to_face.worlds import Worlds, every_world
from backtrick.games import tell
from backtrick.writing.drawing import LIGHT, path, placed, sheet, text
from figures import run_of

DOCS = Path(__file__).resolve().parents[2] / "docs"
IMAGES = DOCS / "images"

INK, FAINT, FIRST, SECOND = (LIGHT[name] for name in ("ink", "faint", "first-edge", "second-edge"))
WON, LOST = LIGHT["pad"], LIGHT["second"]

RULES = {
    "back_trick": ("27^40v:17,18,45 13^50v:5,12", ""),
    "back_trick_turn": ("27^40v:17,18,45 13^50v:5,12", "17^ 18^"),
    "helpful": ("52^6v:16,18,19,57 53^15v:4,7,29,44", ""),
    "helpful_turn": ("52^6v:16,18,19,57 53^15v:4,7,29,44", "16v 18v'"),
    "harm_turn": ("52^6v:16,18,57 53^15v:25,44", "57^ 16v'"),
    "line": ("15,43,44 21,53 51-62-35", ""),
    "line_laid": ("15,43,44 21,53 51-62-35", "44"),
    "line_twisted": ("15,43,44 21,53 51-62-35", "15x51"),
    "thumb_whole": ("48^19v:8,9,17,26 4^2v:41,52,54,57", ""),
    "thumb_one": ("45^11v:6,29,32,54 52^13v:18,19,30,40", ""),
    "thumb_all": ("49^6v:2,19,22,55 48^3v:9,11,17,30", ""),
    "thumb_two": ("50^33v:3,7,31,33,36,37 54^10v:11,18,19,45,55", ""),
    "thumb_help": ("45^17v:11,26,42,50 47^6v:13,26,33,55,56", ""),
    "thumb_six": ("50^6v:18,27,51,56,59 42^14v:12,21,25,48,52,57", ""),
    "thumb_take": ("17,18,47,51,54,62,67,82,98 15,22,26,28,59,69,74,76,89 53", ""),
    "thumb_line": ("41,45,51,56,61,62,79,81,84 16,26,32,35,46,48,53,54,76 36-39-33-23-15", ""),
    "thumb_toad": ("14,24,42,56,58,66,71,79,94 17,35,41,49,65,73,83,85,87 57-64", ""),
    "thumb_twist": ("13,21,27,28,29,33,45,52,87 12,32,35,42,77,78,88,92,98 82", ""),
    "thumb_gift": ("13,18,37,42,44,51,68,86,87 12,24,34,43,73,77,78,81,88 83", ""),
    "thumb_stuck": ("24,31,39,55,57,67,69,84,88 13,38,48,53,59,64,65,75,92 36-27", ""),
    "thumb_follow": ("21,34,38,42,47,66,84,86,97 18,39,41,48,74,79,81,89,94 46-37-27-32-25", ""),
    "thumb_wait": ("17,18,24,25,59,63,84,87,88 12,16,21,35,67,77,78,92,95 44-34-36", ""),
}
"""Of each picture of the rules, and of the rules of thumb, its name, the position, and a turn. Take That shows the table after the
turn alone."""

TABLE, ARROW = 300, 110  # pixels: what a table of at most four cards takes of its sheet, and the room for an arrow


def of_rules(given: str, words: str) -> str:
    """A position; the table after a turn, with the same player below; or both, with an arrow between them."""
    game = tell(given)
    position: Any = game.parse(given)
    before = game.display.drawing(position) or ""
    if not words:
        return before
    _, after = game.play(position, game.parse_turn(words), game.published)
    laid = game.display.drawing(replace(after, mover=after.opponent, opponent=after.mover)) or ""
    if game.name == "take_that":
        return laid
    x, y = TABLE + 10, 240
    arrow = path(f"M{x} {y}H{x + ARROW - 26}m-9 -7l9 7l-9 7", stroke=FIRST, width=2.5)
    named = text(x + ARROW / 2 - 12, y - 14, words.replace("v", "▼").replace("^", "▲"), 16, INK, weight=600)
    drawn = [_inside(before), arrow, named, placed(_inside(laid), TABLE + ARROW, 0)]
    return sheet("".join(drawn), 2 * TABLE + ARROW, 480, f"{given}, before and after {words}", LIGHT)


def _inside(drawing: str, width: float = TABLE, height: float = 480) -> str:
    """The upper left part of an SVG, to be put into another one."""
    inner = re.sub(r"^<svg[^>]*><rect[^>]*/>|</svg>\s*$", "", drawing).replace('H420"', f'H{width - 20:g}"')
    return f'<svg width="{width:g}" height="{height:g}">{inner}</svg>'


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


def box(x: float, y: float, width: float, height: float, lines: Sequence[str], fill: str = LIGHT["card"]) -> str:
    """A box with words in its middle, the first line in bold."""
    drawn = [path(f"M{x} {y}h{width}v{height}h{-width}z", fill, LIGHT["edge"], 1.5)]
    first = y + height / 2 + 5 - 8 * (len(lines) - 1)
    for place, words in enumerate(lines):
        size, colour, weight = (12, FAINT, 400) if place else (14, INK, 600)
        drawn.append(text(x + width / 2, first + 17 * place, words, size, colour, weight=weight))
    return "".join(drawn)


def arrow(x: float, y: float, length: float) -> str:
    """An arrow to the right."""
    return path(f"M{x} {y}h{length}m-7 -6l7 6l-7 6", stroke=FAINT, width=1.75)


FLOW = (
    (("sample, or parse", "games, notation, files"), ("solve", "search, by the rules alone"), ("answers", "text, arrays, files")),
    (("generate", "every position"), ("check", "is the file damaged?"), ("verify", "again, by another algorithm")),
    (("match", "whole games, cards hidden"), ("replay", "is every turn legal?"), ("grade", "what did it give away?")),
)


def flow() -> str:
    """The three paths through Backtrick."""
    drawn = []
    for line, boxes in enumerate(FLOW):
        for place, lines in enumerate(boxes):
            x, y = 24 + 236 * place, 24 + 84 * line
            drawn.append(box(x, y, 200, 60, lines))
            drawn.append(arrow(x + 204, y + 30, 28) if place < len(boxes) - 1 else "")
    words = "; ".join(" -> ".join(named for named, _ in boxes) for boxes in FLOW)
    return sheet("".join(drawn), 24 + 236 * 3 - 12, 24 + 84 * 3, words, LIGHT)


QUESTIONS = (
    ("1  Can the mover lay everything, or leave the opponent stuck?", (("win in 1", "1"),)),
    ("2  Is there a safe turn?", (("loss in 0", "0"), ("loss in 2", "2"))),
    ("3  And one after which the opponent has no safe turn?", (("win in 3", "3"),)),
    ("4  And one after which the opponent cannot win in 3?", (("loss in 4", "4"), ("win in 5", ""))),
)


def questions() -> str:
    """The four questions: at each step of a ladder the share of self-play endgames that end there, and the time they take."""
    head, *rows = run_of("census")["tables"]["selfplay"]
    shares = {name: float(cell.split()[0]) for name, cell in list(zip(head, rows[0], strict=True))[2:]}
    times = dict(zip(*run_of("face_to_face")["tables"]["by_remoteness"], strict=True))
    drawn = [text(24, 30, "Four questions, asked until one decides", 15, INK, "start", 600)]
    drawn.append(text(716, 30, "share of endgames · time", 12, FAINT, "end"))
    y, left = 44.0, 100.0
    for question, ends in QUESTIONS:
        drawn.append(path(f"M24 {y}h{692 * left / 100:.1f}v20H24z", LIGHT["first"]))
        drawn.append(text(30, y + 15, question, 13, INK, "start"))
        for name, value in ends:
            y += 24
            time = f"{times[value]} ns" if value else "not measured"
            left -= shares[name]
            drawn.append(text(566, y + 15, name, 13, INK, "end", 600))
            drawn.append(text(716, y + 15, f"{shares[name]:.1f} % · {time}", 13, FAINT, "end"))
        y += 34
    return sheet("".join(drawn), 740, y + 4, "The four questions of the search, and how many endgames end at each", LIGHT)


SAME = "27^40v:17,18,45 13^50v:5,12", "33^41v:23,30,47 20^55v:6,9"


def one_class() -> str:
    """Two positions of one class, with a line from each top to its back trick."""
    given, other = map(Position.parse, SAME)
    found, wanted = rank(other), rank(given)
    assert found == wanted
    drawn = []
    for place, position in enumerate((given, other)):
        linked = [
            path(f"M{40 + 92 * pile + 30} 340L{50 + 66 * card} 364", stroke=SECOND, width=2.5)
            for pile, wanted in enumerate((position.mover.ascending - 10, position.mover.descending + 10))
            for card, number in enumerate(position.mover.hand)
            if number == wanted
        ]
        drawn.append(placed(_inside(tell(SAME[0]).display.drawing(position) or "") + "".join(linked), place * (TABLE + 40), 0))
    drawn.append(text(TABLE + 20, 246, "=", 34, FAINT, weight=700))
    drawn.append(text(TABLE + 20, 500, "The numbers have the same order, and the same card is 10 below the same top.", 13, INK))
    drawn.append(text(TABLE + 20, 520, "So the value is the same, and so is the play, card for card.", 13, INK))
    return sheet("".join(drawn), 2 * TABLE + 40, 540, f"{given} and {other} are of one class", LIGHT)


SLOT = ("37^30v:17,27 13^50v:20", 11, 11094, (("own ▲ 37", 5, 6), ("own ▼ 30", 5, 6), ("other ▲ 13", 0, 5), ("other ▼ 50", 4, 5)))
"""The position that docs/format.md works out: the number of its pattern, the first slot of that, and for each top its case and
the number of cases."""


def slot() -> str:
    """The slot of a position: the pattern of the hands chooses a block of slots, the case of each top a place in it."""
    given, pattern, first, cases = SLOT
    name, number = rank(Position.parse(given))
    place = 0
    for _, case, count in cases:
        place = place * count + case
    found = first + place
    assert found == number, "docs/format.md, step by step"
    drawn = [text(24, 32, f"{given} in the table {name}", 15, INK, "start", 600)]
    drawn.append(box(24, 52, 180, 60, (f"pattern {pattern}", f"its first slot is {first:,}")))
    for column, (top, case, count) in enumerate(cases):
        x = 232 + column * 126
        drawn.append(text(x + 55, 64, top, 12.5, INK, weight=600))
        for one in range(count):
            drawn.append(path(f"M{x + 18 * one} 76h16v16h-16z", FIRST if one == case else LIGHT["card"], LIGHT["edge"], 1))
        drawn.append(text(x + 55, 110, f"case {case} of 0..{count - 1}", 12, FAINT))
    total = f"slot {number:,} = {first:,} + {place}: the place in the file where its value stands"
    drawn.append(text(24, 146, total, 14, INK, "start"))
    return sheet("".join(drawn), 740, 166, f"How the slot of {given} is found", LIGHT)


VIEW, ASKED = "45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12", "33^' 50^"


def worlds() -> str:
    """The worlds of a view: a row for each card that may be drawn last, a column for each hand of the opponent."""
    view = View.parse(VIEW)
    every = Worlds(view)
    turn = [str(one) for one in every.turns].index(ASKED)
    found: dict[tuple[int, tuple[int, ...]], bool] = {}
    for world in every_world(view):
        position = world.position()
        found[position.mover.pile[-1], position.opponent.hand] = bool(every.values(world)[turn].min() > 0)
    rows, columns = (sorted({key[place] for key in found}) for place in (0, 1))  # type: ignore[type-var]
    drawn = [text(24, 30, f"One view, {len(found)} worlds: in which of them does {ASKED} win?", 15, INK, "start", 600)]
    drawn.append(box(24, 92, 178, 76, ("the view", "own pile: 9, 44, 47", "opponent: 2 of 4, 5, 9, 12")))
    left, top, width, height = 316, 74, 68, 40
    for column, hand in enumerate(columns):
        drawn.append(text(left + (column + 0.5) * width, top - 10, ",".join(map(str, hand)), 13, INK))  # type: ignore[arg-type]
    for line, last in enumerate(rows):
        y = top + line * height
        drawn.append(path(f"M202 130C250 130 240 {y + 18} 262 {y + 18}", stroke=FAINT, width=1.5))
        drawn.append(text(left - 8, y + 23, f"{last} last", 13, INK, "end"))
        for column, hand in enumerate(columns):
            x, won = left + column * width, found[last, hand]  # type: ignore[index]
            drawn.append(path(f"M{x + 2} {y + 2}h{width - 4}v{height - 4}h{4 - width}z", WON if won else LOST))
            drawn.append(text(x + width / 2, y + 25, "wins" if won else "loses", 12, INK))
    won = sum(found.values())
    drawn.append(text(left, top + 3 * height + 24, f"odds: {won} of {len(found)}", 14, INK, "start", 600))
    return sheet("".join(drawn), 740, 236, f"The worlds of {VIEW}: {ASKED} wins in {won} of {len(found)}", LIGHT)


DEAL = "27^40v:17,18,45+20,33,50 43^20v:5,12+4,9"


def deal() -> str:
    """A deal, with the draw piles named."""
    drawing = tell(DEAL).display.drawing(Position.parse(DEAL)) or ""
    note = partial(text, size=12.5, colour=INK, anchor="start")
    drawn = [_inside(drawing, 440)]
    for y, words in ((148, "draws 4, then 9"), (264, "draws 20, then 33, then 50")):
        drawn.append(path(f"M300 {y}h40", stroke=FAINT, width=1.5))
        drawn.append(note(348, y + 4, words))
    return sheet("".join(drawn), 540, 480, f"The deal {DEAL}", LIGHT)


HIDDEN = {
    "unseen": "59^22v:2,6,7,8,18,31+?22,27,44,58 39^4v:?6:2,11,27,33,37,49,58,59",
    "blind": "58^13v:7,22,44,47,49,59+?6,37,40,42 41^21v:?6:3,6,24,30,32,58",
    "chance": "40^4v:12,26,36,45,53,56+?37,44,55,57 48^10v:?6:18,32,35,41,46,51,54",
}
"""Views of docs/hidden.md."""


def in_page(page: str, pattern: str) -> str:
    """The first text of a page that a pattern finds."""
    found = re.search(pattern, (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def pictures() -> dict[str, str]:
    """The SVG of each picture by its name."""
    return {
        **{f"rules/{name}": of_rules(*given) for name, given in RULES.items()},
        "notation_face_to_face": notation(FACE_TO_FACE, SIDES),
        "notation_take_that": notation(TAKE_THAT),
        "findings_line": findings_line(),
        "questions": questions(),
        "class": one_class(),
        "slot": slot(),
        "worlds": worlds(),
        "deal": deal(),
        **{f"hidden_{name}": GAME.display.drawing(View.parse(view)) or "" for name, view in HIDDEN.items()},
        "review": grade_game(in_page("grading.md", r"```text\n(.*?)```")).svg(),
        "ranges": equilibrium(in_page("hidden.md", r'backtrick equilibrium "(.*?)"')).svg(),
        "flow": flow(),
    }


def plots(page: str = "tutorials/compare.md") -> dict[str, bytes]:
    """The plots that the code of a page saves, by their names."""
    import matplotlib  # noqa: PLC0415, only the plots need it

    matplotlib.use("svg")
    matplotlib.rcParams |= {"svg.hashsalt": "backtrick", "axes.spines.top": False, "axes.spines.right": False}
    matplotlib.rcParams["axes.prop_cycle"] = matplotlib.cycler(color=[FIRST, SECOND])
    names: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()):
        for example in doctest.DocTestParser().get_examples((DOCS / page).read_text(encoding="utf-8")):
            code = re.sub(r'savefig\("(.*)"\)', rf'savefig(r"{folder}/\1", metadata={{"Date": None}})', example.source)
            exec(compile(code, page, "single"), names)
        return {path.stem: path.read_bytes() for path in Path(folder).glob("*.svg")}


def main() -> None:
    drawn = {name: picture.encode() for name, picture in pictures().items()} | plots()
    for name, picture in drawn.items():
        (IMAGES / f"{name}.svg").write_bytes(picture)
    print(f"{len(drawn)} pictures in {IMAGES}")


if __name__ == "__main__":
    main()
