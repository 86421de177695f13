"""A whole round at one moment, move by move: from before the deal to its end, with what each player may see.

The rules are in `rules.py`. This module knows only whose turn it is and where the cards are. The phases:

    deal    chance gives a card to a player, seat 0 first (T2)
    move    a player lays, twists or takes
    minus   chance turns up the minus card of the player who just took the line (T11), if the order of the pile is unknown
    open    the player who just took the line opens a new one (T6)
    draw    chance gives a card to the player who just moved (T3), if the order of the pile is unknown
    over    the round has ended
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from operator import index
from typing import Any

from backtrick.arguments import checked
from backtrick.errors import ArgumentError, IllegalTurnError, PositionError
from backtrick.notation import Cursor
from backtrick.play import state as core
from backtrick.play.state import CHANCE, GAME_OVER, check_seat
from backtrick.random import Stream
from backtrick.take_that import rules as referee
from backtrick.take_that.position import HAND_SIZE, Position, as_position, expect_blank, parse_cards
from backtrick.take_that.rule_options import DECK, PUBLISHED, Rules, as_rules, cost, takes_minus_card
from backtrick.take_that.turn import TAKE, Turn, as_turn

DEAL, MOVE, MINUS, OPEN, DRAW, OVER = "deal", "move", "minus", "open", "draw", "over"
_CARDS = frozenset(DECK)
_NOBODY = {
    DEAL: ("a card is to be dealt", "T2"),
    MINUS: ("a minus card is to be turned up", "T11"),
    DRAW: ("a card is to be drawn", "T3"),
    OVER: ("the round is over", "T7"),
}


@dataclass(frozen=True, slots=True, repr=False)
class View(core.View):
    """What a player may see, and nothing else.

    hand:      the player's cards, ascending
    line:      from left to right
    hand_size: how many cards the other player holds
    pile_size: how many cards are still to be drawn
    unseen:    the cards of the opponent's hand and the pile together, ascending; the player has seen all others
    points:    the player's own and the opponent's so far
    rules:     of the game

    >>> view = State.begin(Position.parse("12,33 21,94 34-41 55,63")).view(0)
    >>> view.hand, view.line, view.hand_size, view.pile_size, view.unseen
    ((12, 33), (34, 41), 2, 2, (21, 55, 63, 94))
    """

    hand: tuple[int, ...]
    line: tuple[int, ...]
    hand_size: int
    pile_size: int
    unseen: tuple[int, ...]
    points: tuple[int, int] = (0, 0)
    rules: Rules = PUBLISHED

    def __str__(self) -> str:
        seen = {*self.hand, *self.line, *self.unseen}
        gone = ",".join(str(card) for card in DECK if card not in seen)
        parts = (",".join(map(str, self.hand)) or "-", f"?{self.hand_size}", "-".join(map(str, self.line)) or "-")
        return " ".join((*parts, f"?{self.pile_size}")) + (f" !{gone}" if gone else "")

    def _drawn(self, palette: Mapping[str, str] | None = None) -> str:
        from backtrick.take_that.drawing import Seen, drawing

        return drawing(Seen(self.hand, (None,) * self.hand_size, self.line, (None,) * self.pile_size, str(self)), palette)

    _repr_html_ = _drawn

    @classmethod
    @checked
    def parse(cls, text: str, points: tuple[int, int] = (0, 0), rules: Rules = PUBLISHED) -> View:
        """The view that `text` names: own hand, the opponent's hand size, line, size of the pile, and the cards that are gone.

        Raises `NotationError`, or `PositionError`, which names the rule, if no round shows it.

        >>> View.parse("12,13,14,15,16,17,18,19,21 ?9 - ?61").opens
        True
        >>> View.parse("12,33,49 ?9 34-41-98 ?12")
        Traceback (most recent call last):
        backtrick.errors.PositionError: the draw pile: 9 in the opponent's hand and 12 in it, but 73 cards are not seen (T1)
        """
        cursor = Cursor("view", text)
        hand = parse_cards(cursor, ",", ascending=True)
        expect_blank(cursor, "','", "the size of the opponent's hand")
        hand_size = parse_size(cursor)
        line, pile_size, gone = parse_table(cursor)
        unseen = _unseen(hand, line, gone)
        _check_sizes(hand, hand_size, pile_size, len(unseen))
        return cls(hand, line, hand_size, pile_size, unseen, points, rules)

    def record(self) -> dict[str, object]:
        """Hand, line, points, and what is known of the opponent's cards and the pile."""
        own, other = self.points
        return {
            "own": {"hand": list(self.hand), "points": own},
            "other": {"hand_size": self.hand_size, "points": other},
            "line": list(self.line),
            "pile_size": self.pile_size,
            "unseen": list(self.unseen),
        }

    @property
    def position(self) -> Position | None:
        """The position of the player to move, if no card is hidden: the draw pile is empty; else None."""
        return None if self.pile_size else Position(self.hand, self.unseen, self.line)

    @property
    def mover(self) -> tuple[int, ...]:
        """The player's hand, for the rules, which are asked only about the view of the player to move."""
        return self.hand

    @property
    def pile(self) -> int:
        """The size of the pile, for the rules, which need only know whether it has cards."""
        return self.pile_size

    @property
    def opens(self) -> bool:
        """True if there is no line: the player to move must open one (T4)."""
        return not self.line

    def legal(self) -> list[Turn]:
        """The moves of the player, if it is the one to move: lays, twists, taking, cards ascending."""
        return referee.legal_moves(self, self.rules)

    @checked
    def world(self, numbers: Stream) -> State:
        """A state that shows this view to seat 0, which is to move: the hidden cards in random order, all orders equally likely.

        A player who opens a new line has either just taken or begins a turn. Both go on alike, and here the turn begins.

        >>> view = State.begin(Position.parse("12,33 21,94 34-41 55,63")).view(0)
        >>> print(view.world(Stream(seed=1, number=0)).position())
        12,33 21,55 34-41 63,94
        """
        hidden = numbers.shuffled(self.unseen)
        other, pile = tuple(sorted(hidden[: self.hand_size])), tuple(hidden[self.hand_size :])
        return State((self.hand, other), self.line, pile, self.points, 0, MOVE, self.rules)._begun()


def parse_size(cursor: Cursor) -> int:
    """Reads the number of cards that are hidden in one place: ?9."""
    cursor.skip_blanks()
    cursor.expect("?")
    return cursor.number()


def parse_table(cursor: Cursor) -> tuple[tuple[int, ...], int, tuple[int, ...]]:
    """Reads the rest of a text, what both players see: the line, the size of the draw pile, and the cards that are gone."""
    expect_blank(cursor, "a digit", "the line")
    line = parse_cards(cursor, "-", ascending=False)
    expect_blank(cursor, "'-'", "the size of the draw pile")
    pile_size = parse_size(cursor)
    gone: tuple[int, ...] = ()
    if not cursor.at_end():
        expect_blank(cursor, "a digit", "the cards that are gone")
        cursor.expect("!")
        gone = parse_cards(cursor, ",", ascending=True)
    cursor.end("',' or the end")
    return line, pile_size, gone


def _unseen(hand: tuple[int, ...], line: tuple[int, ...], gone: tuple[int, ...]) -> tuple[int, ...]:
    """The cards that are nowhere to be seen. Raises `PositionError` for a card that is in two places or not in the deck (T1)."""
    places = {"the player's hand": hand, "the line": line, "the cards that are gone": gone}
    seen: dict[int, str] = {}
    for place, cards in places.items():
        for card in cards:
            if card not in _CARDS:
                raise PositionError(card, place, "the cards are 12..98 without 20, 30, ..., 90", "T1")
            if card in seen:
                both = place if seen[card] == place else f"{seen[card]} and {place}"
                raise PositionError(card, both, "there is one card of each number", "T1")
            seen[card] = place
    return tuple(card for card in DECK if card not in seen)


def _check_sizes(hand: tuple[int, ...], hand_size: int, pile_size: int, unseen: int) -> None:
    """Raises `PositionError` unless hands and pile have the sizes that they can have."""
    for place, size in (("the player's hand", len(hand)), ("the opponent's hand", hand_size)):
        if size > HAND_SIZE:
            raise PositionError(None, place, f"{size} cards, at most {HAND_SIZE} are held", "T2")
        if pile_size and not size:
            raise PositionError(None, place, "no card, but a player draws one after each card while the draw pile lasts", "T3")
    if hand_size + pile_size != unseen:
        problem = f"{hand_size} in the opponent's hand and {pile_size} in it, but {unseen} cards are not seen"
        raise PositionError(None, "the draw pile", problem, "T1")


@dataclass(frozen=True, slots=True, repr=False)
class State(core.State[Turn, View, Position]):
    """A whole round of two players. Immutable; made by `start`, `deal` or `begin`.

    hands:  of seat 0 and seat 1, ascending
    line:   from left to right
    pile:   the cards still to be drawn: a tuple, the next one first, or a frozenset if their order is not known
    scored: points of seat 0 and seat 1
    seat:   whose turn it is
    phase:  what comes next, see the module
    to_deal: how many cards are still to be dealt to both players

    >>> state = State.begin(Position.parse("12,43,94 21,76 34-41-49 55,63"))
    >>> state = state.apply(Turn()).apply(Turn(94))
    >>> state.to_move, state.hands, state.line, state.points
    (1, ((12, 43, 55), (21, 76)), (94,), (-3, 0))
    >>> print(state.position())
    21,76 12,43,55 94 63
    """

    hands: tuple[tuple[int, ...], tuple[int, ...]]
    line: tuple[int, ...]
    pile: tuple[int, ...] | frozenset[int]
    scored: tuple[int, int]
    seat: int
    phase: str
    rules: Rules
    to_deal: int = 0

    @classmethod
    @checked
    def start(cls, rules: Rules = PUBLISHED, cards: Iterable[int] = DECK, hand_size: int = HAND_SIZE) -> State:
        """The state before the deal (T2): chance has still to draw every card. Fewer cards and smaller hands make a small game.

        >>> state = State.start()
        >>> state.to_move == CHANCE, len(state.chance())
        (True, 79)
        """
        pile, rules = tuple(cards), as_rules(rules)
        _check_deal(pile, hand_size)
        return cls(((), ()), (), frozenset(pile), (0, 0), 0, DEAL, rules, 2 * hand_size)

    @classmethod
    @checked
    def deal(cls, deck: Iterable[int], rules: Rules = PUBLISHED, hand_size: int = HAND_SIZE) -> State:
        """The state after the deal (T2). deck: seat 0's hand, seat 1's hand, then the pile in the order drawn.

        >>> print(State.deal([12, 43, 21, 76, 55, 63], hand_size=2).position())
        12,43 21,76 - 55,63
        """
        cards = tuple(deck)
        _check_deal(cards, hand_size)
        return cls.begin(Position(cards[:hand_size], cards[hand_size : 2 * hand_size], (), cards[2 * hand_size :]), rules)

    @classmethod
    @checked
    def begin(cls, position: Position, rules: Rules = PUBLISHED, seat: int = 0) -> State:
        """The state of a deal or an endgame. seat: of the mover. No points are scored yet."""
        position, rules = as_position(position), as_rules(rules)
        hands = (position.mover, position.opponent)
        state = cls(hands if seat == 0 else hands[::-1], position.line, position.pile, (0, 0), seat, MOVE, rules)
        return state._begun()

    @property
    def mover(self) -> tuple[int, ...]:
        """The hand of the player whose turn it is."""
        return self.hands[self.seat]

    @property
    def to_move(self) -> int:
        if self.phase in (MOVE, OPEN):
            return self.seat
        return GAME_OVER if self.phase == OVER else CHANCE

    @property
    def points(self) -> tuple[int, int]:
        return self.scored

    def legal(self) -> tuple[Turn, ...]:
        return tuple(referee.legal_moves(self, self.rules)) if self.phase in (MOVE, OPEN) else ()

    @checked
    def apply(self, action: Turn) -> State:
        action = as_turn(action)
        wrong = referee.move_violation(self, action, self.rules) if self.phase in (MOVE, OPEN) else _NOBODY[self.phase]
        if wrong:
            raise IllegalTurnError(action, None, *wrong)
        gained, hand, line = referee.effect(self.mover, self.line, action)
        first, second = self.scored
        scored = (first + gained, second) if self.seat == 0 else (first, second + gained)
        state = replace(self, hands=self._with_hand(self.seat, hand), line=line, scored=scored)
        follows = referee.sequel(action, line, self.pile)
        if follows == referee.DRAW:
            return replace(state, phase=DRAW) if isinstance(self.pile, frozenset) else state._drawn(self.pile[0])
        if follows == referee.REPLY:
            return replace(state, seat=1 - self.seat, phase=MOVE)._begun()
        if follows == referee.OVER:
            return replace(state, phase=OVER)
        if not takes_minus_card(self.line, self.pile, self.rules):
            return replace(state, phase=OPEN)
        return replace(state, phase=MINUS) if isinstance(self.pile, frozenset) else state._with_minus_card(self.pile[0])

    @checked
    def play(self, turn: Turn) -> State:
        """The state after a whole turn: `take,41` is two moves in one, where no minus card is to be turned up between them (T11).

        Raises `IllegalTurnError`, which names the rule.
        """
        turn = as_turn(turn)
        return self.apply(turn) if turn.opening is None else self.apply(TAKE).apply(Turn(turn.opening))

    def distinct_turns(self) -> tuple[Turn, ...]:
        """The legal moves. A player who takes also says what it lays then, unless chance turns up a minus card before (T11).

        >>> print(*State.begin(Position.parse("12,43 21,76 34-41-49 55,63")).distinct_turns(), sep=" | ")
        43 | 43x34 | take,12 | take,43
        """
        moves, drawn = self.legal(), isinstance(self.pile, frozenset)
        if TAKE not in moves or not self.pile or (drawn and takes_minus_card(self.line, self.pile, self.rules)):
            return moves
        return (*(move for move in moves if not move.is_take), *(Turn(opening=card) for card in self.mover))

    @checked
    def ask(self, player: core.Player[View, Turn], read: Callable[[Any], Any]) -> Turn:
        """The whole turn of a player. A player that takes is asked again, unless the answer says what is laid then (T6).

        Where chance has to turn up a minus card before, the turn is taking alone, and the lay is a turn of its own.

        Raises `BacktrickError` for an answer that is not a turn, and for a second one that lays no card.
        """
        turn: Turn = core.State.ask(self, player, read)
        if not turn.is_take or turn.opening is not None or not self.pile:
            return turn
        opening = self.apply(TAKE)
        if opening.to_move == CHANCE:
            return turn  # the player is asked again once its minus card is known (T11)
        laid: Turn = read(player(opening.view(opening.to_move)))
        opening.apply(laid)  # raises an error that names the rule if it is not a lay
        return Turn(opening=laid.card)

    def cards_to_come(self) -> int:
        return len(self.pile)

    def chance(self) -> Mapping[int, float]:
        cards = sorted(self.pile) if self.to_move == CHANCE else ()
        return dict.fromkeys(cards, 1 / max(len(cards), 1))

    @checked
    def draw(self, card: int) -> State:
        card = index(card)
        if self.to_move != CHANCE or card not in self.pile:
            raise ArgumentError(f"{card} cannot be drawn: {_undrawable(self)}")
        if self.phase == DRAW:
            return self._drawn(card)
        if self.phase == MINUS:
            return self._with_minus_card(card)
        seat = 0 if self.to_deal > len(self.hands[0]) else 1  # T2: first all the cards of seat 0
        hands, left = self._with_hand(seat, (*self.hands[seat], card)), self.to_deal - 1
        dealt = replace(self, hands=hands, pile=self._pile_without(card), to_deal=left)
        return dealt if left else replace(dealt, phase=MOVE)._begun()

    @checked
    def view(self, seat: int) -> View:
        check_seat(seat)
        own, other = self.hands[seat], self.hands[::-1][seat]  # 1 less a number of 64 bits is no whole number in numpy 1
        points = self.scored if seat == 0 else self.scored[::-1]
        return View(own, self.line, len(other), len(self.pile), tuple(sorted((*other, *self.pile))), points, self.rules)

    def position(self) -> Position | None:
        if self.phase != MOVE or isinstance(self.pile, frozenset):
            return None
        return Position(self.hands[self.seat], self.hands[1 - self.seat], self.line, self.pile)

    def _drawn(self, card: int) -> State:
        """The state after the player who just moved draws a card: it is the other player's turn."""
        hands = self._with_hand(self.seat, (*self.mover, card))
        return replace(self, hands=hands, pile=self._pile_without(card), seat=1 - self.seat, phase=MOVE)._begun()

    def _with_minus_card(self, card: int) -> State:
        """The state after the player who just took the line takes a card of the pile too (T11)."""
        scored = list(self.scored)
        scored[self.seat] -= cost((card,))
        return replace(self, scored=(scored[0], scored[1]), pile=self._pile_without(card), phase=OPEN)

    def _begun(self) -> State:
        """The state at the start of a turn: this one, or the end of the round if the turn cannot be played."""
        return replace(self, phase=OVER) if referee.is_over(self, self.rules) else self

    def _with_hand(self, seat: int, hand: Iterable[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        cards = tuple(sorted(hand))
        return (cards, self.hands[1]) if seat == 0 else (self.hands[0], cards)

    def _pile_without(self, card: int) -> tuple[int, ...] | frozenset[int]:
        """The pile without a card. An emptied pile is `()`: no order is left to be unknown."""
        return (self.pile - {card} or ()) if isinstance(self.pile, frozenset) else self.pile[1:]


def _undrawable(state: State) -> str:
    return "it is not among the cards to come" if state.to_move == CHANCE else "no card is to be drawn now"


def _check_deal(cards: tuple[int, ...], hand_size: int) -> None:
    if len(set(cards)) < len(cards) or not _CARDS.issuperset(cards):
        raise ArgumentError("cards must be different ones of 12..98 without 20, 30, ..., 90 (T1)")
    if not 1 <= hand_size <= min(HAND_SIZE, len(cards) // 2):
        raise ArgumentError(f"hand_size must be 1..{HAND_SIZE}, at most half of the {len(cards)} cards, not {hand_size!r} (T2)")
