"""The readable twin: the endgame straight from the rules T3-T12, slow on purpose, one rule at a branch.

Nothing here is used by the search; tests hold the two against each other. The names are those of the fast twins.
"""

from __future__ import annotations

from collections.abc import Iterator

from solver.core.errors import IllegalActionError
from solver.take_that.action import TAKE, Action
from solver.take_that.cards import REACH, TWIST_POINTS, cost, is_toad, twisted
from solver.take_that.options import ENDS, PUBLISHED, Rules
from solver.take_that.position import Position


def objection(position: Position, action: Action, rules: Rules = PUBLISHED) -> tuple[str, str] | None:
    """Why `action` is not legal, as (what is wrong, rule); None if it is.

    >>> objection(Position.parse("12,33 21,94 34-41-49"), Action(33))
    ('33 differs from the right-most card 49 by more than 10', 'T4')
    """
    if not position.line and rules.empty_line == ENDS:
        return "the line is empty, so the round is over", "T9"
    if action.is_take:
        return _take_objection(position, rules)
    if action.card not in position.mover:
        return f"{action.card} is not in the mover's hand", "T3"
    if action.is_twist:
        if action.line_card not in position.line:
            return f"{action.line_card} is not in the line", "T5"
        return None
    if position.line and abs(action.card - position.line[-1]) > REACH:
        return f"{action.card} differs from the right-most card {position.line[-1]} by more than {REACH}", "T4"
    return None


def _take_objection(position: Position, rules: Rules) -> tuple[str, str] | None:
    if not position.line:
        return "the line is empty and cannot be taken", "T6"
    if rules.forced_only and any(_lays_and_twists(position, rules)):
        return "the mover can lay or twist, and taking is for those who cannot", "T10"
    return None


def _lays_and_twists(position: Position, rules: Rules) -> list[Action]:
    lays = [Action(card) for card in position.mover]
    twists = [Action(card, twisted(card)) for card in position.mover if not is_toad(card)]  # T5
    return [action for action in lays + twists if objection(position, action, rules) is None]


def legal_actions(position: Position, rules: Rules = PUBLISHED) -> list[Action]:
    """Every legal action: lays by card ascending, then twists by hand card ascending, then taking.

    Empty if the round is over: by T9, or because the mover has no card to open the empty line with.

    >>> [str(action) for action in legal_actions(Position.parse("12,43,94 21 34-41-49"))]
    ['43', '43x34', '94x49', 'take']
    """
    takes = [TAKE] if objection(position, TAKE, rules) is None else []
    return _lays_and_twists(position, rules) + takes


def play(position: Position, action: Action, rules: Rules = PUBLISHED) -> tuple[int, Position | None]:
    """The points that `action` gives the mover, and the position after it, the next mover first; None if the round is over.

    Raises `IllegalActionError`.

    >>> points, following = play(Position.parse("12,43,94 21 34-41-49"), Action(94, 49))
    >>> points, str(following)
    (2, '21 12,43 34-41')
    >>> play(Position.parse("12,43,94 21 34-41-49"), TAKE)
    (-3, None)
    """
    wrong = objection(position, action, rules)
    if wrong:
        raise IllegalActionError(action, *wrong)
    if action.is_take:
        return -cost(position.line), None  # T6; T7: the round ends, a taker does not lay again
    hand = tuple(card for card in position.mover if card != action.card)
    if not action.is_twist:
        return 0, Position(position.opponent, hand, (*position.line, action.card))  # T4; T7: nobody draws
    line = tuple(card for card in position.line if card != action.line_card)  # T5: the line closes up
    return TWIST_POINTS, Position(position.opponent, hand, line) if line else None  # T7: the last card ends the round


def after(position: Position, action: Action, rules: Rules = PUBLISHED) -> Position | None:
    """The position after `action`, the next mover first; None if the round is over. Raises `IllegalActionError`.

    >>> str(after(Position.parse("12,43,94 21 34-41-49"), Action(43)))
    '21 12,94 34-41-49-43'
    >>> after(Position.parse("12,43,94 21 34-41-49"), Action(12))
    Traceback (most recent call last):
    solver.core.errors.IllegalActionError: illegal action '12': 12 differs from the right-most card 49 by more than 10 (T4)
    """
    return play(position, action, rules)[1]


def successors(position: Position, rules: Rules = PUBLISHED) -> Iterator[tuple[Action, int, Position | None]]:
    """Every legal action in the order of `legal_actions`, with what `play` says of it: the points it gives the mover, and the
    position after it, the next mover first; None if the round is over.

    >>> for action, points, following in successors(Position.parse("12,43,94 21 34-41-49")):
    ...     print(action, points, following)
    43 0 21 12,94 34-41-49-43
    43x34 2 21 12,94 41-49
    94x49 2 21 12,43 34-41
    take -3 None
    """
    for action in legal_actions(position, rules):
        yield action, *play(position, action, rules)


def value(position: Position, rules: Rules = PUBLISHED, memo: dict[Position, int] | None = None) -> int:
    """The mover's points minus the opponent's from here on, both playing for the difference (T12).

    `memo` carries values from one call to the next, for one value of `rules`.

    >>> value(Position.parse("12,43,94 21 34-41-49"))
    4
    """
    memo = {} if memo is None else memo
    if position not in memo:
        worth = (points - (value(next_, rules, memo) if next_ else 0) for _, points, next_ in successors(position, rules))
        memo[position] = max(worth, default=0)
    return memo[position]
