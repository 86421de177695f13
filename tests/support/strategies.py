"""hypothesis strategies aimed at the danger zones of Face to Face: see each docstring for what it provokes."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import strategies as st

from backtrick.errors import PositionError
from backtrick.face_to_face.position import Position, Side
from backtrick.face_to_face.turn import Play, Turn

LOWEST, HIGHEST = 2, 59
ODD_DIGITS = "٣۳३３²¼〇𝟛"
"""Characters that some of isdigit, isnumeric, isdecimal and int() accept, and the notation does not."""


def any_text(most: int) -> st.SearchStrategy[str]:
    """Any text but for surrogates. `st.text` first works out a table of Unicode: seconds in each process of a fresh checkout."""
    characters = st.sampled_from("\0\t\n\r \"'\\\x7f\x85\xa0\xad\u200b\u2028\ufeff\uffff日🙂e\u0301" + ODD_DIGITS)
    numbers = st.integers(0, 0xD7FF) | st.integers(0xE000, 0x10FFFF)
    return st.lists(characters | numbers.map(chr), max_size=most).map("".join)


@st.composite
def positions(draw, most: int = 6, least_opponent: int = 0) -> Position:
    """Well-formed positions: both hands and all tops from one pool of chains of step-apart numbers and their neighbours, so that
    colours share numbers, tops equal cards of the other colour or lie exactly one step from cards; row cards 1 and 60 still show,
    piles are tight, hands are full or tiny, the opponent's may be empty.

    The sizes and chains are hypothesis's own and shrink; which card falls where is left to a seed, for speed.
    """
    sizes = [draw(st.sampled_from((*range(1, most + 1), most, most))) for _ in range(2)]
    if least_opponent == 0 and draw(st.integers(0, 15)) == 7:
        sizes[1] = 0
    chains = draw(st.lists(st.tuples(st.integers(LOWEST, HIGHEST), st.integers(1, 4)), min_size=1, max_size=4))
    room = draw(st.sampled_from(("tight", "tight", "any", "new")))
    random = Random(draw(st.integers(0, 2**32)))
    pool = {start + 10 * i + random.choice((0, 0, 0, -1, 1)) for start, length in chains for i in range(length)}
    near = sorted({number + shift for number in pool for shift in (0, 10, -10, 1, -1)} & set(range(LOWEST, HIGHEST + 1)))
    shown: Counter[int] = Counter()

    def top(row_card: int) -> int:
        choices = near if room == "any" else sorted(near, key=lambda number: abs(row_card - number))[len(near) // 2 :]
        number = random.choice([*choices, *((58, 59) if row_card == 1 else (2, 3))])
        if room == "new" and random.random() < 0.7 or shown[number] == 2:
            number = row_card
        shown[number] += number not in (1, 60)
        return number

    tops = [top(1), top(60), top(1), top(60)]
    hands: list[list[int]] = []
    for size in sizes:
        anything = random.sample(range(LOWEST, HIGHEST + 1), 40)  # to make up for what the pool cannot give
        candidates = dict.fromkeys([*random.sample(near, len(near)), *anything])
        hands.append([card for card in candidates if shown[card] < 2][:size])
        shown.update(hands[-1])
    return Position(Side(tops[0], tops[1], hands[0]), Side(tops[2], tops[3], hands[1]))


@st.composite
def deals(draw, most: int = 6) -> Position:
    """Sides that show their row cards or a number that the player has laid, the rest of the cards held or to come."""
    sides = []
    for seat in (0, 1):
        cards = draw(st.permutations(range(2, 60)))
        size = draw(st.integers(2, most))
        end = draw(st.integers(size + (seat == 0), 57))  # without any card to come it would be an endgame
        up, down = draw(st.sampled_from([1, cards[-1]])), draw(st.sampled_from([60, cards[-1]]))
        sides.append(Side(up, down, cards[:size], tuple(cards[size:end])))
    try:
        return Position(*sides)
    except PositionError as error:
        assert error.rule == "F1"  # both tops of a side show the same number
        return Position(*(Side(1, 60, side.hand, side.pile) for side in sides))


@st.composite
def malformed(draw) -> tuple[Side, Side, int | None, str, str]:
    """(mover, opponent, number, place, rule): a good position broken in one way, and what the error has to name."""
    position = draw(positions(most=5))
    sides = {"mover": position.mover, "opponent": position.opponent}
    whose = draw(st.sampled_from(sorted(sides)))
    side = sides[whose]
    ascending, descending, hand = side.ascending, side.descending, side.hand
    kind = draw(st.sampled_from(("ascending", "descending", "card", "twice", "too many", "third", "empty")))
    number, place, rule = None, f"the {whose}'s hand", "F1"
    if kind == "ascending":
        number = ascending = draw(st.sampled_from((0, 60, 61, -1, -9, 255, 256, 999, 2**70)))
        place = f"the {whose}'s ascending pile"
    elif kind == "descending":
        number = descending = draw(st.sampled_from((0, 1, 61, -1, 62, 255, 256, 999, 2**70)))
        place = f"the {whose}'s descending pile"
    elif kind == "card":
        number = draw(st.sampled_from((0, 1, 60, 61, 63, 64, -1, -10, 999, 2**70)))
        hand = (*hand, number)
    elif kind == "twice":
        number = draw(st.sampled_from(hand or (30,)))
        hand = (*(hand or (30,)), number)
    elif kind == "too many":
        hand, rule = tuple(draw(st.permutations(range(10, 24)).map(lambda all_of: all_of[: draw(st.integers(7, 14))]))), "F2"
    elif kind == "third":
        other = sides["opponent" if whose == "mover" else "mover"]
        used = {position.mover.ascending, position.mover.descending, other.ascending, other.descending}
        number = draw(st.sampled_from([free for free in range(2, 60) if free not in used]))
        hand = tuple({*hand, number})
        if whose == "mover":
            sides["opponent"] = Side(number, number, [card for card in other.hand if card != number])
        else:
            sides["mover"] = Side(number, number, [card for card in other.hand if card != number] or [number % 58 + 2])
        if not sides["mover"].hand:
            sides["mover"] = Side(number, number, [number % 58 + 2])
        place = ""  # several places; named one by one in the test of F1
    else:
        whose, hand, place, rule = "mover", (), "the mover's hand", "F12"
        ascending, descending = position.mover.ascending, position.mover.descending
    sides[whose] = Side(ascending, descending, hand)
    return sides["mover"], sides["opponent"], number, place, rule


def plays(least: int = LOWEST, most: int = HIGHEST) -> st.SearchStrategy[Play]:
    """Any play, legal somewhere or not."""
    return st.builds(Play, st.integers(least, most), st.sampled_from("^v"), st.booleans())


def turns(most: int = 6) -> st.SearchStrategy[Turn]:
    """Any turn of at least one play, legal or not."""
    return st.lists(plays(), min_size=1, max_size=most).map(lambda all_of: Turn(tuple(all_of)))


@st.composite
def turns_on(draw, position: Position) -> Turn:
    """Turns that are nearly legal in `position`: its cards, mostly each once, mostly in the hand."""
    cards = draw(st.permutations(position.mover.hand))[: draw(st.integers(0, len(position.mover.hand)))]
    if draw(st.integers(0, 9)) == 0:
        cards = [*cards, draw(st.integers(0, 61))]
    return Turn(tuple(Play(card, draw(st.sampled_from("^v")), draw(st.integers(0, 3)) == 0) for card in cards))


@st.composite
def loose_text(draw, value: Position | Turn) -> str:
    """The text of a position or a turn with blanks around its numbers."""
    text, out = str(value), []
    blanks = st.text(" \t", max_size=2)
    for i, symbol in enumerate(text):
        starts = symbol.isdigit() and not (i and text[i - 1].isdigit())
        if starts:
            out.append(draw(blanks))
        out.append(symbol)
        if symbol.isdigit() and not text[i + 1 : i + 2].isdigit():
            out.append(draw(blanks))
    return "".join(out) + draw(blanks)


@st.composite
def mangled(draw, values: st.SearchStrategy) -> str:
    """Valid notation after a few accidents: characters lost, doubled, swapped, foreign digits, blanks, line ends, signs."""
    text = str(draw(values))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        kind = draw(st.integers(0, 4))
        if kind == 0:
            text = text[:at] + text[at + 1 :]
        elif kind == 1:
            text = text[:at] + draw(st.sampled_from(list("0123456789^v:', \t\n\r\0+-_.eVA’′＾" + ODD_DIGITS))) + text[at:]
        elif kind == 2:
            text = text[:at] + text[at : at + 3] + text[at:]
        elif kind == 3:
            text = text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]
        else:
            text = text[:at] + str(draw(st.integers(-5, 10**12))) + text[at + 2 :]
    return text


def texts(values: st.SearchStrategy) -> st.SearchStrategy[str]:
    """Texts for a parser: mangled notation, its alphabet at random, and anything at all."""
    return mangled(values) | st.text("0123456789^v:', \t\n", max_size=40) | any_text(40)
