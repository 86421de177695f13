"""What a turn that is being laid can still become, by the readable rules: the page tells the value of every next card with it."""

from __future__ import annotations

from collections.abc import Sequence

from backtrick.face_to_face.options import Rules
from backtrick.face_to_face.position import Position
from backtrick.face_to_face.rules import Table
from backtrick.face_to_face.turn import Play


def completions(table: Table, outcomes: Sequence[Position], rules: Rules) -> tuple[int, dict[Play, int]]:
    """Which of `outcomes` the turn can still lead to, and which after each next play: bit i of a number stands for outcome i.

    A play that no turn goes on with is left out. outcomes: the positions after every distinct turn.

    >>> from backtrick.face_to_face import outcomes
    >>> from backtrick.face_to_face.options import PUBLISHED
    >>> position = Position.parse("27^40v:17,18,45 13^50v:5,12")
    >>> found = [one.position for one in outcomes(position)]
    >>> every, after = completions(Table(position.mover, position.opponent), found, PUBLISHED)
    >>> every == 2 ** len(found) - 1, sorted(map(str, after))
    (True, ['17^', '17v', '18v', '45^'])
    """
    bits = {outcome: 1 << place for place, outcome in enumerate(outcomes)}
    known: dict[tuple[object, ...], int] = {}

    def reached(table: Table) -> int:
        helped = any(play.helpful for play in table.plays)
        key = table.mover, table.opponent, helped, min(len(table.plays), 2)
        if key not in known:
            known[key] = 0 if table.turn_objection(rules) else bits[table.next_position()]
            for play in table.fitting(rules):
                known[key] |= reached(table.lay(play))
        return known[key]

    after = {play: reached(table.lay(play)) for play in table.fitting(rules)}
    return reached(table), {play: found for play, found in after.items() if found}
