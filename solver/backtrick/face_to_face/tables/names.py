"""The names of tables, and which tables a table is built from.

    4v3      the mover holds four cards and the opponent three
"""

from __future__ import annotations

import re
from typing import NamedTuple

from backtrick.errors import ArgumentError, TableNameError
from backtrick.face_to_face.position import HAND_SIZE
from backtrick.values import whole

_NAME = re.compile(r"([0-9]+)v([0-9]+)", re.ASCII | re.IGNORECASE)


class TableName(NamedTuple):
    """The table of all positions with `mover` cards in the mover's hand and `opponent` in the opponent's, 1..6 each (F2).

    >>> name = TableName.parse("4v3")
    >>> name, str(name), name.cards
    (TableName(mover=4, opponent=3), '4v3', 7)
    """

    mover: int
    opponent: int

    def __str__(self) -> str:
        return f"{self.mover}v{self.opponent}"

    @property
    def cards(self) -> int:
        """The cards of both hands together."""
        return self.mover + self.opponent

    @classmethod
    def parse(cls, text: str) -> TableName:
        """The table that `text` names. Blanks around it and a capital V are allowed. Raises `TableNameError`.

        >>> TableName.parse("7v1")
        Traceback (most recent call last):
        backtrick.errors.TableNameError: no table '7v1': a hand holds 1..6 cards, as in 4v3
        """
        written = _NAME.fullmatch(text.strip(" \t"))
        if written is None:
            raise TableNameError(text, "a name is the mover's cards, v, and the opponent's cards, as in 4v3")
        mover, opponent = (digits if len(digits) == 1 else "" for digits in written.groups())
        if not ("1" <= mover <= str(HAND_SIZE) and "1" <= opponent <= str(HAND_SIZE)):
            raise TableNameError(text, f"a hand holds 1..{HAND_SIZE} cards, as in 4v3")
        return cls(int(mover), int(opponent))


def dependencies(name: TableName) -> list[TableName]:
    """The tables that one turn leads to: the mover lays two cards or more, then the other is to move (F3).

    A turn that lays the whole hand wins and needs no table (F12); the lone card of the second reading of F13 is such a turn,
    so both readings have the same dependencies.

    >>> [str(child) for child in dependencies(TableName(4, 3))]
    ['3v1', '3v2']
    >>> dependencies(TableName(2, 6))
    []
    """
    return [TableName(name.opponent, kept) for kept in range(1, name.mover - 1)]


def all_dependencies(*names: TableName) -> list[TableName]:
    """These tables and all that they depend on, by cards, then by the mover's cards: each comes after those it depends on.

    >>> [str(name) for name in all_dependencies(TableName(4, 3))]
    ['1v1', '2v1', '3v1', '3v2', '4v3']
    """
    needed, waiting = set(names), list(names)
    while waiting:
        new = set(dependencies(waiting.pop())) - needed
        needed |= new
        waiting += new
    return sorted(needed, key=lambda name: (name.cards, name))


def tables_up_to(cards: int) -> list[TableName]:
    """All tables of at most `cards` cards in both hands, 2..12, each after those it depends on. Raises `ArgumentError`.

    >>> [str(name) for name in tables_up_to(4)]
    ['1v1', '1v2', '2v1', '1v3', '2v2', '3v1']
    """
    most = whole(cards)
    if most is None or not 2 <= most <= 2 * HAND_SIZE:
        raise ArgumentError(f"two hands hold 2..{2 * HAND_SIZE} cards together, not {cards!r}")
    sizes = range(1, HAND_SIZE + 1)
    return all_dependencies(*(TableName(k, m) for k in sizes for m in sizes if k + m <= most))
