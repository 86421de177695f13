"""The table in the middle of a turn, for a page: hands, line, and what may be done next, by the readable rules.

A choice goes to `line` (a lay), `twist` or `take`. While the draw pile lasts, a taker then lays a card on the empty `line`.
"""

from __future__ import annotations

from collections.abc import Iterator

from backtrick.errors import IllegalTurnError
from backtrick.take_that.display import DISPLAY
from backtrick.take_that.position import Position
from backtrick.take_that.rule_options import Rules, is_toad, twisted
from backtrick.take_that.rules import effect, is_over, violation
from backtrick.take_that.turn import TAKE, TAKE_WORD, Turn
from backtrick.turn_in_progress import BOTH, MOVER, OPPONENT, UNFINISHED, Candidate, Place, TurnInProgress, Violation, partners_of

LINE, TWIST, TAKEN = "line", "twist", TAKE_WORD
TOAD = "a toad can neither be twisted nor twist", "T5"


def look(position: Position, laid: str, rules: Rules) -> TurnInProgress:
    """The table after `laid`, and what can be done with every card in hand.

    Raises `NotationError`, or `IllegalTurnError` for a turn that is not legal.

    >>> from backtrick.take_that.rule_options import PUBLISHED
    >>> seen = look(Position.parse("12,22,43,94 21 34-41-49"), "", PUBLISHED)
    >>> [choice.play for choice in seen.choices if choice.violation is None]
    ['43', '43x34', '94x49', 'take']
    >>> seen.choices[0].violation
    ('12 differs from the right-most card 49 by more than 10', 'T4')
    """
    turn = Turn.parse(laid) if laid.strip() else None
    if turn is None:
        ended = is_over(position, rules)
        choices = () if ended else tuple(_choices(position, rules))
        places = _places(position, position.mover, position.line)
        over = DISPLAY.ending(position) if ended else None
        return TurnInProgress("", places, choices, UNFINISHED, over, partners_of(places, twisted))
    opens = turn == TAKE and bool(position.pile)
    wrong = violation(position, Turn(opening=position.mover[0]) if opens else turn, rules)
    if wrong:
        raise IllegalTurnError(turn, None, *wrong)
    _, hand, line = effect(position.mover, position.line, turn)
    if turn.opening is not None:
        _, hand, line = effect(hand, line, Turn(turn.opening))
    wrong, choices = (violation(position, TAKE, rules), _openings(position)) if opens else (None, ())
    places = _places(position, hand, line)
    return TurnInProgress(str(turn), places, choices, wrong, None, partners_of(places, twisted))


def parts(turn: Turn) -> tuple[tuple[int, str], ...]:
    """The cards of a turn, each with what is done with it.

    >>> parts(Turn.parse("94x49")), parts(Turn.parse("take,41"))
    (((94, 'twist'), (49, 'twist')), ((41, 'line'),))
    """
    if turn.card is None:
        return () if turn.opening is None else ((turn.opening, LINE),)
    return ((turn.card, TWIST), (turn.line_card, TWIST)) if turn.line_card is not None else ((turn.card, LINE),)


def _choices(position: Position, rules: Rules) -> Iterator[Candidate]:
    for card in position.mover:
        lay = Turn(card)
        yield Candidate(str(lay), LINE, str(lay), card, None, violation(position, lay, rules))
    for card in position.mover:
        if is_toad(card):
            yield Candidate(f"{card}x{card}", TWIST, "", card, None, TOAD)
            continue
        twist = Turn(card, twisted(card))
        yield Candidate(str(twist), TWIST, str(twist), card, twist.line_card, violation(position, twist, rules))
    yield Candidate(TAKE_WORD, TAKEN, TAKE_WORD, None, None, _no_taking(position, rules))


def _no_taking(position: Position, rules: Rules) -> Violation | None:
    """Why the line cannot be taken. While the draw pile lasts, a lay follows, with any card."""
    opening = position.mover[0] if position.pile else None
    return violation(position, Turn(opening=opening), rules)


def _openings(position: Position) -> tuple[Candidate, ...]:
    return tuple(Candidate(str(card), LINE, str(Turn(opening=card)), card) for card in position.mover)


def _places(position: Position, hand: tuple[int, ...], line: tuple[int, ...]) -> tuple[Place, ...]:
    pile = [Place("pile", BOTH, "draw pile", position.pile)] if position.pile else []
    hands = Place("hand", MOVER, "hand", hand), Place("hand'", OPPONENT, "hand", position.opponent)
    return (*hands, Place(LINE, BOTH, "line", line), *pile)
