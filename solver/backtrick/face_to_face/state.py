"""A whole game at one moment, card by card, and what a player sees of it. All rules come from `rules`.

A turn is its plays, then `END`. The opening play of a turn is legal only if the turn can still be completed (F3), so a player
cannot get stuck within a turn. A player who has no turn has lost at its beginning (F13).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from operator import index
from typing import TypeVar, Union

from backtrick.arguments import checked
from backtrick.errors import ArgumentError, IllegalTurnError, PositionError
from backtrick.face_to_face.display import LOSS, WIN, outcome_word
from backtrick.face_to_face.position import (
    HAND_SIZE,
    Position,
    Side,
    as_position,
    check_well_formed,
    parse_set,
    parse_side,
    parse_tops,
)
from backtrick.face_to_face.rule_options import DECK, HIGHEST, PUBLISHED, Rules, as_rules
from backtrick.face_to_face.rules import Table, all_laid, distinct_ends, drawn, laid, turns_of
from backtrick.face_to_face.turn import Play, Turn, as_turn
from backtrick.given import refused
from backtrick.notation import Cursor
from backtrick.play import state as core
from backtrick.play.state import CHANCE, GAME_OVER, check_seat
from backtrick.random import Stream


class End(Enum):
    """The end of a turn, an action like a play."""

    END = "end"

    def __str__(self) -> str:
        return "end"


END = End.END
Action = Union[Play, End]  # noqa: UP007, it is made when the module is read


def read_action(name: str, given: object) -> Action:
    """The action that a user gives, the object or its notation. name: of the argument. Raises `WrongTypeError`, `NotationError`.

    >>> print(read_action("action", "end"), read_action("action", "17^"))
    end 17^
    """
    if isinstance(given, str):
        actions = (END,) if given == END.value else Turn.parse(given).plays
        given = actions[0] if len(actions) == 1 else given
    if not isinstance(given, (Play, End)):
        raise refused(name, "a play, the end of a turn, or one of them in notation", given)
    return given


@dataclass(frozen=True, slots=True, repr=False)
class View(core.View):
    """What a player may see: that player's side, with its pile as a set; the opponent's tops, sizes and unlaid cards.

    own:                   tops, hand and pile; the order of the pile is hidden
    ascending, descending: the opponent's tops
    hand_size, pile_size:  how many cards the opponent holds and has still to draw
    unlaid:                the opponent's cards that are not laid yet, hand and pile together
    to_move:               True if the player is to move
    plays:                 the plays so far of the current turn, by either player
    rules:                 of the game

    >>> str(State.begin(Position.parse("27^40v:17,18,45+9,33,50 13^50v:5,12+4,9")).view(0))
    '27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12'
    """

    own: Side
    ascending: int
    descending: int
    hand_size: int
    pile_size: int
    unlaid: frozenset[int]
    to_move: bool = True
    plays: tuple[Play, ...] = ()
    rules: Rules = PUBLISHED

    def __str__(self) -> str:
        unlaid = ",".join(map(str, sorted(self.unlaid)))
        return f"{self.own} {self.ascending}^{self.descending}v:?{self.hand_size}:{unlaid}"

    def __repr__(self) -> str:
        return f"<View {self}{f' after {Turn(self.plays)}' if self.plays else ''}>"

    def _drawn(self, palette: Mapping[str, str] | None = None) -> str:
        from backtrick.face_to_face.drawing import Seen, SeenSide, drawing

        own = SeenSide(self.own.ascending, self.own.descending, self.own.hand, sorted(self.own.pile))
        other = SeenSide(self.ascending, self.descending, (None,) * self.hand_size, (None,) * self.pile_size)
        return drawing(Seen(own, other, str(self)), palette)

    _repr_html_ = _drawn

    @classmethod
    @checked
    def parse(cls, text: str, rules: Rules = PUBLISHED) -> View:
        """The view that `text` names, of the player to move at the beginning of a turn.

        Raises `NotationError`, or `PositionError`, which names the rule, if no game shows it.

        >>> View.parse("27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12").pile_size
        2
        >>> View.parse("27^40v:17,18,45 13^50v:?7:4,5,9,12,20,21,22")
        Traceback (most recent call last):
        backtrick.errors.PositionError: the opponent's hand: 7 cards, at most 6 are held (F2)
        """
        cursor, rules = Cursor("view", text), as_rules(rules)
        own = parse_side(cursor, hidden=True)
        if not cursor.at_end() and cursor.text[cursor.place - 1] not in " \t:":
            raise cursor.fail(f"expected ',', '+' or a blank before the opponent's side, found {cursor.found()}")
        ascending, descending, hand_size, unlaid = _parse_hidden(cursor)
        if hand_size > len(unlaid):
            problem = f"{hand_size} cards, and only {len(unlaid)} are not laid yet"
            raise PositionError(None, "the opponent's hand", problem, "F1")
        other = Side(ascending, descending, unlaid[:hand_size], unlaid[hand_size:])  # any order: each is as well-formed
        _check_view(replace(own, pile=tuple(sorted(own.pile))), other)
        return cls(own, ascending, descending, hand_size, len(unlaid) - hand_size, frozenset(unlaid), rules=rules)

    @property
    def position(self) -> Position | None:
        """The position at the beginning of a turn, if no card is hidden: both draw piles are empty; else None.

        >>> print(View.parse("27^40v:17,18,45 13^50v:?2:5,12").position)
        27^40v:17,18,45 13^50v:5,12
        """
        if self.own.pile or self.pile_size or self.plays:
            return None
        return Position(self.own, Side(self.ascending, self.descending, tuple(self.unlaid)))

    @property
    def packed(self) -> tuple[int, int, int, int, int, int, int, int]:
        """The view as kernels take it: the player's hand and pile as sets, bit v = card v, and tops; the opponent's unlaid cards
        as a set, the size of the hand, and tops.

        >>> View.parse("27^40v:2,3+?4 13^50v:?1:2,5").packed
        (12, 16, 27, 40, 36, 1, 13, 50)
        """
        own = self.own
        hand, pile, unlaid = (sum(1 << card for card in cards) for cards in (own.hand, own.pile, self.unlaid))
        return hand, pile, own.ascending, own.descending, unlaid, self.hand_size, self.ascending, self.descending

    def record(self) -> dict[str, object]:
        """Both sides: tops, the player's own cards, and what is known of the opponent's."""
        own = {"ascending": self.own.ascending, "descending": self.own.descending}
        other = {"ascending": self.ascending, "descending": self.descending}
        return {
            "own": own | {"hand": list(self.own.hand), "pile": sorted(self.own.pile)},
            "other": other | {"hand_size": self.hand_size, "pile_size": self.pile_size, "unlaid": sorted(self.unlaid)},
        }

    @property
    def table(self) -> Table:
        """The table as the player sees it, for the rules: the opponent's unlaid cards are all in the pile."""
        return Table(self.own, Side(self.ascending, self.descending, (), self.unlaid), self.plays)

    @checked
    def world(self, numbers: Stream) -> State:
        """A state that shows this view to seat 0, which is to move: the hidden cards in random order, all orders equally likely.

        Raises `ArgumentError` if the player is not to move: the opponent's turn does not begin with what this player sees.

        >>> print(View.parse("27^40v:17,18+?9,33,50 13^50v:?2:4,5,12").world(Stream(seed=1, number=0)).position())
        27^40v:17,18+9,33,50 13^50v:4,12+5
        """
        if not self.to_move:
            raise ArgumentError("worlds need the view of the player to move")
        own = replace(self.own, pile=tuple(numbers.shuffled(sorted(self.own.pile))))
        hidden = numbers.shuffled(sorted(self.unlaid))
        other = Side(self.ascending, self.descending, tuple(hidden[: self.hand_size]), tuple(hidden[self.hand_size :]))
        return State(self.rules, Table(own, other, self.plays), 0) if self.plays else turn_begins(self.rules, own, other, 0)


def _parse_hidden(cursor: Cursor) -> tuple[int, int, int, tuple[int, ...]]:
    """The opponent's tops, the size of the hand, and the cards that are not laid yet."""
    ascending, descending = parse_tops(cursor)
    cursor.expect("?")
    hand_size = cursor.number()
    cursor.expect(":")
    unlaid = [] if cursor.at_end() else parse_set(cursor)
    cursor.end("',' or the end")
    return ascending, descending, hand_size, tuple(unlaid)


def _check_view(own: Side, other: Side) -> None:
    """Raises `PositionError` unless some game shows this. Where the opponent holds a card is not known, so no error names it."""
    try:
        check_well_formed(own, other)
    except PositionError as error:
        if error.number is None:
            raise
        place = re.sub("the opponent's (hand|draw pile)", "the opponent's cards not yet laid", error.place)
        raise PositionError(error.number, place, error.problem, error.rule) from None


Decks = TypeVar("Decks", bound=Sequence[Collection[int]])


def check_decks(decks: Decks) -> Decks:
    """The decks, unless one is not number cards, each once, or they are not of the same numbers: `PositionError` (F1)."""
    numbers = [sorted(deck) for deck in decks]
    for seat, deck in enumerate(numbers):
        if not deck or len(set(deck)) < len(deck) or not set(DECK).issuperset(deck):
            raise PositionError(None, f"the deck of seat {seat}", "it is not number cards of 2..59, each once", "F1")
    if numbers[0] != numbers[1]:
        raise PositionError(None, "the decks", "they are not of the same numbers", "F1")
    return decks


@dataclass(frozen=True, slots=True, repr=False)
class State(core.State[Action, View, Position]):
    """A whole game at one moment. It begins with `start`, `deal` or `begin`; `apply`, `play` and `draw` give the next state.

    >>> state = State.begin(Position.parse("27^40v:17,18,45+9,33,50 13^50v:5,12"))
    >>> print(*state.legal())
    17^ 17v 18v 45^
    >>> state = state.apply(Play(17, "^")).apply(Play(18, "^"))
    >>> print(*state.legal())
    end 45^
    >>> str(state.apply(END).position()), str(state.view(1).own), state.view(1).plays[0].card
    ('13^50v:5,12 18^40v:9,33,45+50', '13^50v:5,12', 17)
    """

    rules: Rules
    table: Table  # the side of `seat` first
    seat: int  # whose turn it is, or who draws
    cards_due: int = 0  # cards that chance has still to draw for `seat`
    winner: int | None = None

    @classmethod
    @checked
    def start(cls, rules: Rules = PUBLISHED, cards: Iterable[int] = DECK) -> State:
        """A game before the deal: both piles hold all cards, in unknown order (F1, F2). Fewer cards make a small game.

        >>> state = State.start(cards=[2, 3, 4, 12, 13, 14, 22])
        >>> state.to_move == CHANCE, len(state.chance())
        (True, 7)
        """
        return cls.deal([frozenset(deck) for deck in check_decks([tuple(cards)] * 2)], rules)

    @classmethod
    @checked
    def deal(cls, decks: Iterable[Iterable[int]], rules: Rules = PUBLISHED) -> State:
        """A game from both decks, seat 0 first. A deck is its cards in the order drawn, or a frozenset if chance draws them.

        Fewer cards make a small game. Raises `PositionError` unless both decks are the same number cards, each once (F1).
        """
        piles = check_decks([deck if isinstance(deck, frozenset) else tuple(deck) for deck in decks])
        first, second = (Side(1, HIGHEST, (), pile) for pile in piles)
        return turn_begins(as_rules(rules), first, second, 0)

    @classmethod
    @checked
    def begin(cls, position: Position, rules: Rules = PUBLISHED, seat: int = 0) -> State:
        """A game that continues from an endgame or a deal, its mover in `seat`."""
        position = as_position(position)
        return turn_begins(as_rules(rules), position.mover, position.opponent, seat)

    @property
    def to_move(self) -> int:
        if self.winner is not None:
            return GAME_OVER
        return CHANCE if self.cards_due else self.seat

    def legal(self) -> tuple[Action, ...]:
        """`END` if the turn may end here, then the plays: cards ascending, piles in the order ^ v ^' v'."""
        if self.to_move != self.seat:
            return ()
        may_end = self.table.turn_violation(self.rules) is None
        plays = self.table.fitting(self.rules)
        if may_end:
            return (END, *plays)
        return tuple(play for play in plays if self.table.lay(play).can_be_completed(self.rules))

    @checked
    def apply(self, action: Action) -> State:
        action = read_action("action", action)
        if isinstance(action, End):
            return self._end()
        turn = Turn((*self.table.plays, action))
        self._check_to_move(turn)
        if violation := self.table.violation(action, self.rules):
            raise IllegalTurnError(turn, action, *violation)
        table = self.table.lay(action)
        if not table.can_be_completed(self.rules):
            raise IllegalTurnError(turn, action, "no second card could be laid after it", "F3")
        return replace(self, table=table)

    def _end(self) -> State:
        turn = Turn(self.table.plays)
        self._check_to_move(turn)
        if violation := self.table.turn_violation(self.rules):
            raise IllegalTurnError(turn, None, *violation)
        return _turn_ends(self.rules, self.table, self.seat)

    @checked
    def play(self, turn: Turn) -> State:
        """The state after a whole turn, or after the rest of the current one. Raises `IllegalTurnError`, which names the rule."""
        turn = as_turn(turn)
        self._check_to_move(turn)
        return _turn_ends(self.rules, laid(self.table, turn, self.rules), self.seat)

    def turns(self) -> tuple[Turn, ...]:
        """Every turn that `play` takes, in the order of `rules.legal_turns`: whole turns, or within a turn the ways to end it."""
        if self.to_move != self.seat:
            return ()
        return tuple(Turn(table.plays[len(self.table.plays) :]) for table in turns_of(self.table, self.rules))

    def distinct_turns(self) -> list[Turn]:
        """The first of the `turns` that lead to each state, before cards are drawn.

        >>> print(*State.begin(Position.parse("27^40v:17,18 13^50v:5,12")).distinct_turns(), sep=", ")
        17^ 18^, 17^ 18v, 18v 17v
        """
        ends = distinct_ends(self.table, self.rules) if self.to_move == self.seat else ()
        return [Turn(table.plays[len(self.table.plays) :]) for table in ends]

    def chance(self) -> Mapping[int, float]:
        if self.to_move != CHANCE:
            return {}
        pile = self.table.mover.pile
        return dict.fromkeys(sorted(pile), 1 / len(pile))

    @checked
    def draw(self, card: int) -> State:
        card = index(card)
        if card not in self.chance():
            raise PositionError(card, f"the draw pile of seat {self.seat}", "it cannot be drawn now", "F11")
        side = self.table.mover
        side = replace(side, hand=(*side.hand, card), pile=frozenset(side.pile) - {card})
        if self.cards_due > 1:
            return replace(self, table=replace(self.table, mover=side), cards_due=self.cards_due - 1)
        return turn_begins(self.rules, self.table.opponent, side, 1 - self.seat)

    @checked
    def view(self, seat: int) -> View:
        check_seat(seat)
        own, other = (self.table.mover, self.table.opponent) if seat == self.seat else (self.table.opponent, self.table.mover)
        return View(
            own=replace(own, pile=frozenset(own.pile)),
            ascending=other.ascending,
            descending=other.descending,
            hand_size=len(other.hand),
            pile_size=len(other.pile),
            unlaid=frozenset((*other.hand, *other.pile)),
            to_move=seat == self.to_move,
            plays=self.table.plays,
            rules=self.rules,
        )

    def cards_to_come(self) -> int:
        return max(len(side.pile) for side in (self.table.mover, self.table.opponent))

    def reason(self) -> str:
        """Why a game that is over has ended: 'all cards laid' (F12), or 'stuck' (F13)."""
        return "all cards laid" if all_laid(self.table.opponent) else "stuck"

    @checked
    def result_worth(self, value: int | str, reason: str) -> core.Result:
        """The result if the rest of the game is worth `value` to the player to move: a remoteness, or 'win' or 'loss' of a deal."""
        if isinstance(value, str) and value not in (WIN, LOSS):
            raise refused("value", "a remoteness, 'win' or 'loss'", value)
        value = value if isinstance(value, str) else index(value)
        return core.Result(self.seat if outcome_word(value) == WIN else 1 - self.seat, self.points, reason)

    def position(self) -> Position | None:
        """The position of the player to move, between two turns and if the order of both piles is known; else None.

        When the game is over, the mover is the player who has lost and has no legal turn.
        """
        sides = self.table.mover, self.table.opponent
        if self.table.plays or any(isinstance(side.pile, frozenset) for side in sides):
            return None
        return Position(*sides)

    def _check_to_move(self, turn: Turn) -> None:
        if self.winner is not None:
            raise IllegalTurnError(turn, None, "the game is over", "F12" if all_laid(self.table.opponent) else "F13")
        if self.cards_due:
            raise IllegalTurnError(turn, None, "a card is to be drawn before it", "F11")


def _turn_ends(rules: Rules, table: Table, seat: int) -> State:
    """The state after the plays of a turn: the mover has won, draws, or waits for chance to draw."""
    if all_laid(table.mover):
        return State(rules, Table(table.opponent, table.mover), 1 - seat, winner=seat)  # F12
    return _draws(rules, table.mover, table.opponent, seat, table.to_draw())


def turn_begins(rules: Rules, mover: Side, opponent: Side, seat: int) -> State:
    """The state at the beginning of a turn. The game may be over; a hand that is not dealt yet is dealt first."""
    if mover.pile and not mover.hand:
        return _draws(rules, mover, opponent, seat, min(HAND_SIZE, len(mover.pile)))  # F2
    table = Table(mover, opponent)
    stuck = all_laid(opponent) or not table.can_be_completed(rules)
    return State(rules, table, seat, winner=1 - seat if stuck else None)  # F12, F13


def _draws(rules: Rules, mover: Side, opponent: Side, seat: int, count: int) -> State:
    """The state while or after the mover draws `count` cards: they come at once if the order of the pile is known, and then it
    is the opponent's turn; otherwise chance draws them."""
    if count and isinstance(mover.pile, frozenset):
        return State(rules, Table(mover, opponent), seat, cards_due=count)
    return turn_begins(rules, opponent, drawn(mover, count), 1 - seat)
