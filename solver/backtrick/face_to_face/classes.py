"""The class of a position, its slot in a table, and the position that stands for it (docs/classes.md).

Two positions of one class have the same value, because everything that the rules compare is the same in both.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from backtrick.errors import PositionError, RulesError, TableNameError
from backtrick.face_to_face import _classes, _records
from backtrick.face_to_face._classes import count_patterns, slots_of_range
from backtrick.face_to_face._counts import MOST_NUMBERS, Realised, Shapes
from backtrick.face_to_face.indices import TableName, index_at, index_of, index_with, indices_over, indices_with, size_of
from backtrick.face_to_face.options import PUBLISHED, Rules
from backtrick.face_to_face.position import POSITION_DTYPE, Position, check_well_formed, pack

PATTERN, PATTERNS = 28, (1 << 29) - 1  # where the number of the pattern stands in a key (`_classes.pxd`)


def rank(position: Position, rules: Rules = PUBLISHED) -> tuple[TableName, int]:
    """The table that holds a position, and its slot there. Positions share a slot if they are of one class up to the mirror.

    Raises `PositionError` if the position is not well-formed under `rules` or the opponent's hand is empty (F12).

    >>> name, slot = rank(Position.parse("27^40v:17,18,45 13^50v:5,12"))
    >>> str(name), slot
    ('3v2', 450055)
    """
    _check(position, rules)
    name = TableName(len(position.mover.hand), len(position.opponent.hand))
    slots = np.zeros(1, dtype=np.uint64)
    number, _ = _records.key(position.packed, rules.highest, rules.step)
    index = index_with(name, number >> PATTERN & PATTERNS)
    for one in (position, canonical(position, rules)):  # the mirror image may have the slot, and be in another stretch
        failed = index.rank_range(pack([one]), slots, 0, 1, rules.highest, rules.step)
        if failed == -1:
            break
    assert failed == -1, position
    return name, int(slots[0])


def rank_many(name: TableName, positions: np.ndarray, rules: Rules = PUBLISHED) -> np.ndarray:
    """The slots of many positions of one table, as `rank` gives them: uint64, shape (n,).

    positions: an array of `POSITION_DTYPE`, shape (n,), well-formed. A large table takes 40 ms for each stretch that is needed.

    >>> rank_many(TableName(3, 2), pack([Position.parse("27^40v:17,18,45 13^50v:5,12")])).tolist()
    [450055]
    """
    count, options = len(positions), (rules.highest, rules.step)
    keys, turned, images = np.empty(count, np.uint64), np.empty(count, np.uint8), np.empty(count, POSITION_DTYPE)
    failed = _records.keys_range(positions, keys, turned, 0, count, *options)
    assert failed == -1, failed
    _records.mirror_range(positions, images, 0, count, rules.highest)
    patterns, slots = (keys >> np.uint64(PATTERN)).astype(np.int64) & PATTERNS, np.empty(count, np.uint64)
    for index, places in indices_with(name, patterns):
        asked, found, last = positions[places], np.empty(len(places), np.uint64), -1
        while (place := index.rank_range(asked, found, max(last, 0), len(asked), *options)) >= 0:
            assert place > last, place
            asked[place] = images[places[place]]  # the mirror image has the slot, and the position lies in another stretch
            last = place
        slots[places] = found
    return slots


def unrank(name: TableName, slot: int, rules: Rules = PUBLISHED) -> Position:
    """The position that stands for a slot. Raises `IndexError` if the slot belongs to no well-formed position.

    >>> str(unrank(TableName(3, 2), 0))
    '1^2v:3,4,5 1^2v:3,4'
    """
    position = representative(name, slot, rules)
    if position is None:
        raise IndexError(f"slot {slot} of {name} belongs to no well-formed position")
    return position


def representative(name: TableName, slot: int, rules: Rules = PUBLISHED) -> Position | None:
    """The position that stands for a slot, with the smallest numbers; None if the slot belongs to no well-formed position.

    Raises `IndexError` if the table has no such slot.
    """
    index = index_at(name, slot)
    row = _classes.of_slot(index, slot, rules.highest, rules.step)
    return None if row is None else Position.of_row(row)


def representatives(name: TableName, slots: np.ndarray, rules: Rules = PUBLISHED) -> tuple[np.ndarray, np.ndarray]:
    """The positions of `representative` for many slots, `POSITION_DTYPE`, and True where there is one, bool: shape (n,), both.

    slots: of a table of up to 9 cards, integers, shape (n,). Zeros stand where there is no position. Raises `IndexError` if the
    table has no such slot.

    >>> found, there = representatives(TableName(3, 2), np.arange(2))
    >>> there.tolist(), str(Position.of_row(found[0].item()))
    ([True, True], '1^2v:3,4,5 1^2v:3,4')
    """
    index = index_of(name)
    rows = [_classes.of_slot(index, slot, rules.highest, rules.step) for slot in slots.tolist()]
    there = np.array([row is not None for row in rows], bool)
    found = np.zeros(len(rows), POSITION_DTYPE)
    found[there] = [row for row in rows if row is not None]
    return found, there


def canonical(position: Position, rules: Rules = PUBLISHED) -> Position:
    """The position that stands for the class of a position: the same for two positions if and only if they share a slot.

    It needs no index, so it works for every table up to 6v6. Raises `PositionError` as `rank` does.

    >>> str(canonical(Position.parse("27^40v:17,18,45 13^50v:5,12")))
    '2^3v:2,4,13 1^13v:15,16'
    """
    _check(position, rules)
    return Position.of_row(_classes.of_class(position.packed, rules.highest, rules.step))


def _check(position: Position, rules: Rules) -> None:
    check_well_formed(position.mover, position.opponent, rules)
    if not position.opponent.hand:
        raise PositionError(None, "the opponent's hand", "it is empty, so the game is over and no table holds it", "F12")


class ClassCount(NamedTuple):
    """The number of classes of a table: all of them, those with a slot of their own, and all up to the mirror."""

    classes: int
    stored: int
    orbits: int


_shapes = cache(Shapes)


def count_classes(name: TableName, rules: Rules = PUBLISHED, *, well_formed: bool = False) -> ClassCount:
    """The exact number of classes that the positions of a table have, up to 9 cards.

    classes   all of them; a class and its mirror image are two, unless they are the same
    stored    those with a slot of their own: all classes of a pattern whose number is not above that of its mirror image
    orbits    a class and its mirror image are one

    No top may show a number that both players hold. With `well_formed` the other classes that F1 excludes are left out too: no
    two tops show the same card of a hand. Raises `TableNameError` for tables of more than 9 cards, and `RulesError` if
    `well_formed` is asked of another deck or back trick than the published ones.

    >>> count_classes(TableName(2, 1))
    ClassCount(classes=19981, stored=11828, orbits=10043)
    >>> count_classes(TableName(2, 1), well_formed=True)
    ClassCount(classes=19864, stored=11757, orbits=9982)
    """
    if well_formed and not _is_published_deck(rules):
        raise RulesError(f"well-formed classes are counted for the published deck only, not for {rules}")
    classes, stored, symmetric = _realised(name, rules).count_range(0, count_patterns(*name), well_formed)
    return ClassCount(classes, stored, (classes + symmetric) // 2)


def realised_range(
    name: TableName, start: int, stop: int, rules: Rules = PUBLISHED, *, well_formed: bool = False
) -> np.ndarray:
    """1 for the slots start..stop-1 that belong to a class which `count_classes` counts, else 0: uint8 of shape (stop - start,).

    The sum over a table is `stored`. Without `well_formed` it works up to 9 cards. With it it works for every table that has an
    index, but with a search for each slot if the table has more than 9 cards or the rules have another deck or back trick.
    Raises `IndexError` if the table has no such slots, and `TableNameError`.

    >>> marks = realised_range(TableName(2, 1), 0, index_of(TableName(2, 1)).size)
    >>> len(marks), int(marks.sum())
    (12894, 11828)
    """
    if not 0 <= start <= stop <= size_of(name).slots:
        raise IndexError(f"slots {start}..{stop} of {name}, which has {size_of(name).slots:,}")
    marks = np.zeros(stop - start, dtype=np.uint8)
    if well_formed and (name.cards > MOST_NUMBERS or not _is_published_deck(rules)):
        for index, first, last in indices_over(name, start, stop):
            _classes.mark_range(index, marks[first - start : last - start], first, rules.highest, rules.step)
    else:
        _realised(name, rules).fill_range(index_of(name), marks, start, well_formed)
    return marks


def count_by_value(name: TableName, start: int, values: np.ndarray, rules: Rules = PUBLISHED) -> list[int]:
    """The number of classes of each remoteness, 0..5. values: of the slots from `start` on, uint8 of shape (n,).

    A class whose mirror image has no slot of its own counts twice. It works up to 9 cards. Raises `IndexError`, `TableNameError`.

    >>> sum(count_by_value(TableName(2, 1), 0, np.zeros(index_of(TableName(2, 1)).size, np.uint8)))
    19981
    """
    return _realised(name, rules).count_values(index_of(name), values, start)


def _is_published_deck(rules: Rules) -> bool:
    return (rules.highest, rules.step) == (PUBLISHED.highest, PUBLISHED.step)


def _realised(name: TableName, rules: Rules) -> Realised:
    if sum(name) > MOST_NUMBERS:
        raise TableNameError(str(name), f"classes are counted up to {MOST_NUMBERS} cards")
    return Realised(*name, rules.highest, rules.step, _shapes)


class SlotCount(NamedTuple):
    """The number of slots of a table: without the mirror, and as stored."""

    unfolded: int
    stored: int


def count_slots(name: TableName) -> SlotCount:
    """The exact number of slots of any table. It needs no index, but goes through all hand patterns, 416,852,190 for 6v6.

    >>> count_slots(TableName(3, 2))
    SlotCount(unfolded=4491003, stored=2344190)
    """
    unfolded, symmetric = slots_of_range(*name, 0, count_patterns(*name))
    return SlotCount(unfolded, (unfolded + symmetric) // 2)
