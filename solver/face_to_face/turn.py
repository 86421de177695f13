"""A turn and its plays: notation and packed form.

    18^ 17^ 45v 12^'                 plays in the order laid, card + pile, ' for the opponent's pile
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import index

from solver.notation import Cursor

ASCENDING, DESCENDING = "^", "v"


@dataclass(frozen=True, order=True, slots=True)
class Play:
    """One card laid on one pile: the card, the pile's sign, and whether it is the opponent's pile (the helpful card).

    >>> str(Play(12, "^", helpful=True))
    "12^'"
    """

    card: int
    pile: str
    helpful: bool = False

    def __post_init__(self) -> None:
        if self.pile not in (ASCENDING, DESCENDING):
            raise ValueError(f"a pile is '^' or 'v', not {self.pile!r}")
        object.__setattr__(self, "card", index(self.card))
        object.__setattr__(self, "helpful", bool(self.helpful))

    def __str__(self) -> str:
        return f"{self.card}{self.pile}" + ("'" if self.helpful else "")


@dataclass(frozen=True, order=True, slots=True)
class Turn:
    """The plays of one turn in the order laid. Whether they are legal is the position's affair.

    >>> turn = Turn.parse("18^ 17^ 45v 12^'")
    >>> len(turn), turn.plays[3].helpful, str(turn)
    (4, True, "18^ 17^ 45v 12^'")
    """

    plays: tuple[Play, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "plays", tuple(self.plays))

    def __len__(self) -> int:
        return len(self.plays)

    def __iter__(self) -> Iterator[Play]:
        return iter(self.plays)

    def __str__(self) -> str:
        return " ".join(map(str, self.plays))

    @classmethod
    def parse(cls, text: str) -> Turn:
        """The turn that `text` names. Raises `NotationError`."""
        cursor = Cursor("turn", text)
        plays: list[Play] = []
        while not cursor.at_end() or not plays:
            if plays and text[cursor.place - 1] not in " \t":
                raise cursor.fail(f"expected a blank between plays, found {cursor.found()}")
            plays.append(_parse_play(cursor))
        return cls(tuple(plays))


def _parse_play(cursor: Cursor) -> Play:
    card = cursor.number()
    for pile in (ASCENDING, DESCENDING):
        if cursor.take(pile):
            return Play(card, pile, helpful=cursor.take("'"))
    raise cursor.fail(f"expected '^' or 'v' after the card, found {cursor.found()}")


PLAY_PILES = ((ASCENDING, False), (DESCENDING, False), (ASCENDING, True), (DESCENDING, True))


def pack_turn(turn: Turn) -> int:
    """A turn in 64 bits: byte i, from the lowest, is play i as `card | pile << 6`; a zero byte ends the turn.

    Piles are numbered own ascending 0, own descending 1, opponent's ascending 2, opponent's descending 3.

    >>> hex(pack_turn(Turn.parse("18^ 12^'")))
    '0x8c12'
    """
    return sum((play.card | PLAY_PILES.index((play.pile, play.helpful)) << 6) << 8 * i for i, play in enumerate(turn))


def unpack_turn(packed: int) -> Turn | None:
    """The turn of a packed one (see `pack_turn`); 0, for "no turn", gives None.

    >>> str(unpack_turn(0x8c12))
    "18^ 12^'"
    """
    packed = index(packed)
    plays = []
    while packed:
        plays.append(Play(packed & 63, *PLAY_PILES[packed >> 6 & 3]))
        packed >>= 8
    return Turn(tuple(plays)) if plays else None
