"""The readable referee: the game straight from the rules F1-F14, slow on purpose, one rule at a branch.

It knows whole games: a position may be an endgame or a deal, with cards to draw in a known order. The fast path uses nothing of
this module; tests compare the two. A function has the same name as its fast twin.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from backtrick.errors import IllegalTurnError
from backtrick.face_to_face.position import HAND_SIZE, Position, Side, as_position
from backtrick.face_to_face.rule_options import BACK, PUBLISHED, Rules, as_rules
from backtrick.face_to_face.turn import ASCENDING, DESCENDING, Play, Turn, as_turn


@dataclass(frozen=True, slots=True)
class Table:
    """The two sides in the middle of a turn, and the plays laid so far."""

    mover: Side
    opponent: Side
    plays: tuple[Play, ...] = ()

    def violation(self, play: Play, rules: Rules) -> tuple[str, str] | None:
        """Why `play` is illegal now, as (what is wrong, rule); None if it is legal."""
        card = play.card
        if card not in self.mover.hand:
            return f"{card} is not in the mover's hand", "F3"
        if play.helpful:
            if any(earlier.helpful for earlier in self.plays):
                return "a second card on the opponent's piles", "F4"
            if play.pile == ASCENDING and card >= self.opponent.ascending:
                return f"{card} is not lower than {self.opponent.ascending}", "F8"
            if play.pile == DESCENDING and card <= self.opponent.descending:
                return f"{card} is not higher than {self.opponent.descending}", "F8"
            return None
        top = self.mover.ascending if play.pile == ASCENDING else self.mover.descending
        if play.pile == ASCENDING and not (card > top or card == top - BACK):
            return f"{card} is neither higher than {top} nor exactly {BACK} lower", "F5"
        if play.pile == DESCENDING and not (card < top or card == top + BACK):
            return f"{card} is neither lower than {top} nor exactly {BACK} higher", "F6"
        return None

    def lay(self, play: Play) -> Table:
        """The table after a legal play; the card is the new top, whoever laid it (F9)."""
        hand = tuple(card for card in self.mover.hand if card != play.card)
        plays = (*self.plays, play)
        if play.helpful:
            return Table(replace(self.mover, hand=hand), _topped(self.opponent, play, self.opponent.hand), plays)
        return Table(_topped(self.mover, play, hand), self.opponent, plays)

    def turn_violation(self, rules: Rules) -> tuple[str, str] | None:
        """Why the turn may not end here, as (what is wrong, rule); None if it may."""
        if rules.lone_card and len(self.plays) == 1 and all_laid(self.mover):
            return None  # F13, second reading: a lone last card may be laid
        if len(self.plays) < 2:
            return "a turn lays at least two cards", "F3"
        return None

    def fitting(self, rules: Rules) -> Iterator[Play]:
        """The plays that are legal now: cards ascending, piles in the order ^ v ^' v'."""
        for card in self.mover.hand:
            for helpful in (False, True):
                for pile in (ASCENDING, DESCENDING):
                    play = Play(card, pile, helpful)
                    if self.violation(play, rules) is None:
                        yield play

    def can_be_completed(self, rules: Rules) -> bool:
        """True if the turn may end here, or after some more plays (F3, F13)."""
        return self.turn_violation(rules) is None or any(
            self.lay(play).can_be_completed(rules) for play in self.fitting(rules)
        )

    def to_draw(self) -> int:
        """How many cards the mover draws if the turn ends here (F11)."""
        helped = any(play.helpful for play in self.plays)
        return min(HAND_SIZE - len(self.mover.hand) if helped else 2, len(self.mover.pile))

    def next_position(self) -> Position:
        """The position that the turn leads to, the next mover first. The order of the mover's pile is known."""
        return Position(self.opponent, drawn(self.mover, self.to_draw()))


def _topped(side: Side, play: Play, hand: tuple[int, ...]) -> Side:
    if play.pile == ASCENDING:
        return Side(play.card, side.descending, hand, side.pile)
    return Side(side.ascending, play.card, hand, side.pile)


def all_laid(side: Side) -> bool:
    """True if the player has laid all number cards and so has won (F12)."""
    return not side.hand and not side.pile


def drawn(side: Side, count: int) -> Side:
    """The side after the next `count` cards of a pile of known order are drawn."""
    if not count:
        return side
    pile = tuple(side.pile)
    return replace(side, hand=(*side.hand, *pile[:count]), pile=pile[count:])


def laid(table: Table, turn: Turn, rules: Rules) -> Table:
    """The table after the plays of `turn`. Raises `IllegalTurnError`, which names play and rule, also if it may not end there."""
    if all_laid(table.opponent):
        raise IllegalTurnError(turn, None, "the opponent's hand is empty, the game is over", "F12")
    for play in turn:
        violation = table.violation(play, rules)
        if violation:
            raise IllegalTurnError(turn, play, *violation)
        table = table.lay(play)
    violation = table.turn_violation(rules)
    if violation:
        raise IllegalTurnError(turn, None, *violation)
    return table


def _start(position: Position) -> Table:
    return Table(position.mover, position.opponent)


def after(position: Position | str, turn: Turn | str | int, rules: Rules = PUBLISHED) -> Position:
    """The position after `turn` and drawing (F11), the next mover first. Raises `IllegalTurnError` that names play and rule.

    >>> position = Position.parse("27^40v:17,18,45 13^50v:5,12")
    >>> str(after(position, Turn.parse("17^ 18^")))
    '13^50v:5,12 18^40v:45'
    >>> str(after(Position.parse("27^40v:17,18,45+9,33,50 13^50v:5,12"), Turn.parse("17^ 18^")))
    '13^50v:5,12 18^40v:9,33,45+50'
    >>> after(position, Turn.parse("18^ 17^"))
    Traceback (most recent call last):
    backtrick.errors.IllegalTurnError: illegal turn '18^ 17^', play 18^: 18 is neither higher than 27 nor exactly 10 lower (F5)
    """
    position, turn, rules = as_position(position), as_turn(turn), as_rules(rules)
    return laid(_start(position), turn, rules).next_position()


def play(position: Position | str, turn: Turn | str | int, rules: Rules = PUBLISHED) -> tuple[int, Position]:
    """The points that a turn gives its mover, which this game does not have: 0; and the position after it, as `after`.

    >>> points, following = play(Position.parse("27^40v:17,18,45 13^50v:5,12"), Turn.parse("17^ 18^"))
    >>> points, str(following)
    (0, '13^50v:5,12 18^40v:45')
    """
    return 0, after(position, turn, rules)


def legal_turns(position: Position, rules: Rules = PUBLISHED) -> list[Turn]:
    """Every legal ordered turn. A turn comes before its continuations; cards ascend, piles come in the order ^ v ^' v'.

    >>> [str(turn) for turn in legal_turns(Position.parse("27^40v:17,18 13^50v:5,12"))]
    ['17^ 18^', '17^ 18v', '18v 17^', '18v 17v']
    """
    return [Turn(table.plays) for table in turns_of(_start(position), rules)]


def turns_of(table: Table, rules: Rules) -> Iterator[Table]:
    """The table after every legal turn, or after every legal end of a turn that has begun, in the order of `legal_turns`."""
    if all_laid(table.opponent):
        return  # F12: the game is over
    if table.turn_violation(rules) is None:
        yield table
    for play in table.fitting(rules):
        yield from turns_of(table.lay(play), rules)


def distinct_ends(table: Table, rules: Rules) -> Iterator[Table]:
    """The first of `turns_of` that leads to each state of the table. What can still be laid depends on the hand, the tops, and
    whether a card has helped, so of tables that are alike in all of this only the first one is looked at."""
    met: set[tuple[Side, int, int, bool]] = set()

    def ends(now: Table) -> Iterator[Table]:
        state = now.mover, now.opponent.ascending, now.opponent.descending, any(play.helpful for play in now.plays)
        if state in met:
            return
        met.add(state)
        if now.turn_violation(rules) is None:
            yield now
        for play in now.fitting(rules):
            yield from ends(now.lay(play))

    if not all_laid(table.opponent):  # F12
        yield from ends(table)


def count_turns(position: Position, rules: Rules = PUBLISHED) -> int:
    """The number of legal ordered turns.

    >>> count_turns(Position.parse("27^40v:17,18 13^50v:5,12"))
    4
    """
    return sum(1 for _ in turns_of(_start(position), rules))


def outcomes(position: Position, rules: Rules = PUBLISHED) -> dict[Position, tuple[Turn, int]]:
    """The distinct positions that legal turns lead to, each with its first turn in the order of `legal_turns` and
    the number of ordered turns that lead there.

    >>> for following, (turn, count) in outcomes(Position.parse("27^40v:17,18 13^50v:5,12")).items():
    ...     print(following, "by", turn, count)
    13^50v:5,12 18^40v: by 17^ 18^ 1
    13^50v:5,12 17^18v: by 17^ 18v 2
    13^50v:5,12 27^17v: by 18v 17v 1
    """
    found: dict[Position, tuple[Turn, int]] = {}
    for table in turns_of(_start(position), rules):
        following = table.next_position()
        turn, count = found.get(following, (Turn(table.plays), 0))
        found[following] = (turn, count + 1)
    return found


def value(position: Position, rules: Rules = PUBLISHED, memo: dict[Position, int] | None = None) -> int:
    """The number of turns until the game ends, the winner hurrying and the loser delaying (docs/citing.md: *Winning Ways*).

    Odd: the mover wins; even: the mover loses; 0: no legal turn (F13), or the opponent has laid every card (F12).
    `memo` carries values from one call to the next, for one value of `rules`.

    >>> value(Position.parse("27^40v:17,18 13^50v:5,12"))
    1
    """
    memo = {} if memo is None else memo
    if position not in memo:
        values = {value(following, rules, memo) for following in _followers(position, rules)}
        losing = [one for one in values if one % 2 == 0]
        memo[position] = 1 + min(losing) if losing else 1 + max(values) if values else 0
    return memo[position]


def _followers(position: Position, rules: Rules) -> set[Position]:
    return {table.next_position() for table in turns_of(_start(position), rules)}
