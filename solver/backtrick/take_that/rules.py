"""The readable twin: whole rounds straight from the rules T3-T12, slow on purpose, one rule at a branch.

A *move* is the smallest thing that a player decides: a lay, a twist, or taking. A *turn* of an endgame is one move. While the
draw pile lasts, a turn is a move and a draw, or taking, the lay that opens a new line, and a draw. The functions that take a
`Table`, `effect` and `sequel` are about moves, for a state that goes move by move; the others are about positions and turns.

The search uses nothing of this module; tests compare the two. A function has the same name as its fast twin.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from backtrick.errors import IllegalTurnError
from backtrick.take_that.position import Position, as_position
from backtrick.take_that.rule_options import (
    DECK,
    ENDS,
    PUBLISHED,
    REACH,
    TWIST_POINTS,
    Rules,
    as_rules,
    cost,
    is_toad,
    takes_minus_card,
    twisted,
)
from backtrick.take_that.turn import TAKE, Turn, as_turn

OPEN, DRAW, REPLY, OVER = "open", "draw", "reply", "over"
"""What follows a move: its player opens a new line; its player draws; the other player moves; the round is over."""

_LAYS = {card: Turn(card) for card in DECK}
_TWISTS = {card: Turn(card, twisted(card)) for card in DECK if not is_toad(card)}

Violation = tuple[str, str]
"""Why something is illegal: what is wrong, and the rule."""


class Table(Protocol):
    """What the rules of a move need: the mover's hand, the line, and whether the draw pile has cards."""

    @property
    def mover(self) -> tuple[int, ...]: ...

    @property
    def line(self) -> tuple[int, ...]: ...

    @property
    def pile(self) -> object:
        """True as long as the draw pile lasts."""


def _stays_empty(table: Table, rules: Rules) -> bool:
    return not table.line and not table.pile and rules.empty_line == ENDS  # T9


def is_over(table: Table, rules: Rules = PUBLISHED) -> bool:
    """True if there is no move at the start of a turn: by T9, or because the mover has no card to open the empty line with.

    >>> is_over(Position.parse("- 12 -")), is_over(Position.parse("- 12 34"))
    (True, False)
    """
    return _stays_empty(table, rules) or not (table.line or table.mover)


def move_violation(table: Table, move: Turn, rules: Rules = PUBLISHED) -> Violation | None:
    """Why a move is illegal; None if it is legal. Here taking is a move by itself, even if a lay must follow.

    >>> move_violation(Position.parse("12,33 21,94 34-41-49"), Turn(33))
    ('33 differs from the right-most card 49 by more than 10', 'T4')
    """
    if _stays_empty(table, rules):
        return "the line is empty, so the round is over", "T9"
    if move.opening is not None:
        return "taking and the lay that follows are two moves", "T6"
    if move.is_take:
        return _take_violation(table, rules)
    if move.card not in table.mover:
        return f"{move.card} is not in the mover's hand", "T3"
    if move.is_twist:
        if move.line_card not in table.line:
            return f"{move.line_card} is not in the line", "T5"
        return None
    if table.line and abs(move.card - table.line[-1]) > REACH:
        return f"{move.card} differs from the right-most card {table.line[-1]} by more than {REACH}", "T4"
    return None


def _take_violation(table: Table, rules: Rules) -> Violation | None:
    if not table.line:
        return "the line is empty and cannot be taken", "T6"
    if rules.forced_only and any(_lays_and_twists(table, rules)):
        return "the mover can lay or twist, and taking is for those who cannot", "T10"
    return None


def _lays_and_twists(table: Table, rules: Rules) -> list[Turn]:
    lays = [_LAYS[card] for card in table.mover]
    twists = [_TWISTS[card] for card in table.mover if not is_toad(card)]  # T5
    return [move for move in lays + twists if move_violation(table, move, rules) is None]


def legal_moves(table: Table, rules: Rules = PUBLISHED) -> list[Turn]:
    """Every legal move: lays by card ascending, then twists by hand card ascending, then taking; none if the round `is_over`."""
    takes = [TAKE] if move_violation(table, TAKE, rules) is None else []
    return _lays_and_twists(table, rules) + takes


def effect(mover: tuple[int, ...], line: tuple[int, ...], move: Turn) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """The points that a legal move gives, the mover's hand after it, before anything is drawn, and the line after it.

    >>> effect((12, 43), (34, 41), Turn(43, 34))
    (2, (12,), (41,))
    """
    if move.card is None:
        return -cost(line), mover, ()  # T6
    hand = tuple(card for card in mover if card != move.card)
    if move.is_twist:
        return TWIST_POINTS, hand, tuple(card for card in line if card != move.line_card)  # T5: the line closes up
    return 0, hand, (*line, move.card)  # T4


def sequel(move: Turn, line: tuple[int, ...], pile: object) -> str:
    """What follows a move. line: as the move left it. pile: true if the draw pile had cards.

    >>> sequel(TAKE, (), (55,)), sequel(TAKE, (), ())
    ('open', 'over')
    """
    if pile:
        return OPEN if move.is_take else DRAW  # T6, T3
    return REPLY if line else OVER  # T7: there is no draw, and the round ends with the line


def violation(position: Position, turn: Turn, rules: Rules = PUBLISHED) -> Violation | None:
    """Why `turn` is not a legal turn, as (what is wrong, rule); None if it is one.

    >>> violation(Position.parse("12,33 21,94 34-41-49 55"), TAKE)
    ('while the draw pile lasts, the taker lays a card as the first of a new line', 'T6')
    """
    if not turn.is_take:
        return move_violation(position, turn, rules)
    return move_violation(position, TAKE, rules) or _opening_violation(position, turn.opening)


def _opening_violation(position: Position, opening: int | None) -> Violation | None:
    if not position.pile:
        return None if opening is None else ("the draw pile is empty, and a taker does not lay again", "T7")
    if opening is None:
        return "while the draw pile lasts, the taker lays a card as the first of a new line", "T6"
    if opening not in position.mover:
        return f"{opening} is not in the mover's hand", "T6"
    return None


def legal_turns(position: Position | str, rules: Rules = PUBLISHED) -> list[Turn]:
    """Every legal turn of an endgame or a deal: lays by card ascending, then twists by hand card ascending, then taking, by the
    card laid after it.

    There are none if the round `is_over`.

    >>> [str(turn) for turn in legal_turns(Position.parse("12,43,94 21 34-41-49"))]
    ['43', '43x34', '94x49', 'take']
    >>> [str(turn) for turn in legal_turns(Position.parse("12,43,94 21 34-41-49 55"))]
    ['43', '43x34', '94x49', 'take,12', 'take,43', 'take,94']
    """
    return turns_of(as_position(position), as_rules(rules))


def turns_of(table: Table, rules: Rules) -> list[Turn]:
    """As `legal_turns`, also of a view."""
    moves = legal_moves(table, rules)
    if table.pile and TAKE in moves:
        return [*moves[:-1], *(Turn(opening=card) for card in table.mover)]  # T6
    return moves


def count_turns(position: Position | str, rules: Rules = PUBLISHED) -> int:
    """The number of legal turns of an endgame or a deal.

    >>> count_turns(Position.parse("12,43,94 21 34-41-49"))
    4
    """
    return len(legal_turns(position, rules))


def play(position: Position | str, turn: Turn | str | int, rules: Rules = PUBLISHED) -> tuple[int, Position | None]:
    """The points that a turn gives the mover, and the position after it, the next mover first; None if the round is over.

    Raises `IllegalTurnError`.

    >>> points, following = play(Position.parse("12,43,94 21 34-41-49"), Turn(94, 49))
    >>> points, str(following)
    (2, '21 12,43 34-41')
    >>> play(Position.parse("12,43,94 21 34-41-49"), TAKE)
    (-3, None)
    >>> points, following = play(Position.parse("12,43,94 21 34-41-49 55,63"), Turn(opening=94))
    >>> points, str(following)
    (-3, '21 12,43,55 94 63')
    >>> points, following = play(Position.parse("12,43 21 34 55,63"), Turn(opening=43), Rules(professional=True))
    >>> points, str(following)
    (-6, '21 12,63 43')
    """
    position, turn, rules = as_position(position), as_turn(turn), as_rules(rules)
    wrong = violation(position, turn, rules)
    if wrong:
        raise IllegalTurnError(turn, None, *wrong)
    points, hand, line = effect(position.mover, position.line, turn)
    follows = sequel(turn, line, position.pile)
    if follows == OVER:
        return points, None
    pile = position.pile
    if follows == OPEN:
        if takes_minus_card(position.line, pile, rules):
            points, pile = points - cost(pile[:1]), pile[1:]  # T11
        _, hand, line = effect(hand, line, Turn(turn.opening))
    drawn, pile = pile[:1], pile[1:]  # T3: one card; T7: none if there is none
    return points, Position(position.opponent, hand + drawn, line, pile)


def after(position: Position | str, turn: Turn | str | int, rules: Rules = PUBLISHED) -> Position | None:
    """The position after a turn, the next mover first; None if the round is over. Raises `IllegalTurnError`.

    >>> str(after(Position.parse("12,43,94 21 34-41-49"), Turn(43)))
    '21 12,94 34-41-49-43'
    >>> after(Position.parse("12,43,94 21 34-41-49"), Turn(12))
    Traceback (most recent call last):
    backtrick.errors.IllegalTurnError: illegal turn '12': 12 differs from the right-most card 49 by more than 10 (T4)
    """
    return play(position, turn, rules)[1]


def successors(position: Position, rules: Rules = PUBLISHED) -> Iterator[tuple[Turn, int, Position | None]]:
    """Every legal turn in the order of `legal_turns`, with the points that it gives the mover and the position after it, the
    next mover first; None if the round is over.

    >>> for turn, points, following in successors(Position.parse("12,43,94 21 34-41-49")):
    ...     print(turn, points, following)
    43 0 21 12,94 34-41-49-43
    43x34 2 21 12,94 41-49
    94x49 2 21 12,43 34-41
    take -3 None
    """
    for turn in legal_turns(position, rules):
        yield turn, *play(position, turn, rules)


def value(position: Position, rules: Rules = PUBLISHED, memo: dict[Position, int] | None = None) -> int:
    """The mover's points minus the opponent's from here on, both playing for the difference (T12), all cards known to both.

    `memo` carries values from one call to the next, for one value of `rules`.

    >>> value(Position.parse("12,43,94 21 34-41-49")), value(Position.parse("12,43,94 21 34-41-49 22,33"))
    (4, 10)
    """
    memo = {} if memo is None else memo
    if position not in memo:
        worth = (points - (value(next_, rules, memo) if next_ else 0) for _, points, next_ in successors(position, rules))
        memo[position] = max(worth, default=0)
    return memo[position]
