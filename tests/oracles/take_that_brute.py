"""Take That by brute force: the literal game tree on plain tuples, no memo, no bound, nothing shared but the position.

Every number here is written out again from the rule sheet on purpose; an error would have to be made twice to hide.
"""

from __future__ import annotations

TAKE = "take"


def reversed_digits(card: int) -> int:
    """The card read from right to left."""
    return int(str(card)[::-1])


def turns(mover, line, forced_only=False, empty_line="opens"):
    """The legal turns, as in the notation of the game."""
    if not line:
        return [] if empty_line == "ends" else [str(card) for card in mover]
    lays = [str(card) for card in mover if -10 <= line[-1] - card <= 10]
    twists = [
        f"{card}x{other}" for card in mover for other in line if other == reversed_digits(card) and str(card)[0] != str(card)[1]
    ]
    may_take = not forced_only or not (lays or twists)
    return lays + twists + ([TAKE] if may_take else [])


def value(mover, opponent, line, forced_only=False, empty_line="opens"):
    """The mover's points minus the opponent's, by trying everything."""
    values = turn_values(mover, opponent, line, forced_only, empty_line)
    return max(values.values()) if values else 0


def turn_values(mover, opponent, line, forced_only=False, empty_line="opens"):
    """The value of every legal turn for the mover."""
    values = {}
    for turn in turns(mover, line, forced_only, empty_line):
        if turn == TAKE:
            values[turn] = -sum(5 if str(card)[0] == str(card)[1] else 1 for card in line)
            continue
        card, _, other = turn.partition("x")
        hand = [held for held in mover if held != int(card)]
        if not other:
            values[turn] = -value(opponent, hand, [*line, int(card)], forced_only, empty_line)
            continue
        rest = [lying for lying in line if lying != int(other)]
        values[turn] = 2 - (value(opponent, hand, rest, forced_only, empty_line) if rest else 0)
    return values
