"""Endgames to work on: whole two-player games played by T1-T8 up to the moment the draw pile is empty, and hard ones made up.

Every source is a function of `count` and `seed`, and item i does not depend on how many are asked for.
The numbers come from `numpy.random.default_rng`, whose streams may change with a new numpy release.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from solver.take_that.action import TAKE, Action
from solver.take_that.cards import DECK, REACH, TWIST_POINTS, cost, is_toad, twisted
from solver.take_that.position import HAND_SIZE, Position, pack

Progress = Callable[[int], object]
_WINDOW = (1 << 2 * REACH + 1) - 1


@dataclass(slots=True)
class View:
    """What the mover sees: the own hand, the line, and which cards are unseen (bit v is the card v): the other's hand and
    the draw pile."""

    hand: list[int]
    line: list[int]
    unseen: int


Policy = Callable[[View], Action]
"""From what the mover sees to a legal action. On an empty line it must lay; it never decides whether to draw (T3)."""


def near(cards: int, card: int) -> int:
    """How many of a mask of cards may be laid on `card` (T4).

    >>> near(1 << 41 | 1 << 52 | 1 << 51, 41)
    2
    """
    return (cards >> card - REACH & _WINDOW).bit_count()


def choices(view: View) -> list[Action]:
    """Every lay, then every twist; without taking."""
    lays = [Action(card) for card in view.hand if not view.line or abs(card - view.line[-1]) <= REACH]
    twists = [Action(card, twisted(card)) for card in view.hand if not is_toad(card) and twisted(card) in view.line]
    return lays + twists


def eager(view: View) -> Action:
    """Twists if it can, else lays the card nearest to the right-most one, and takes only what it must.

    The higher card on a tie. It looks at nothing that the other may hold.
    """
    actions = choices(view)
    if not actions:
        return TAKE
    top = view.line[-1] if view.line else 0
    return max(actions, key=lambda action: (action.is_twist, -abs(action.card - top), action.card))


def careful(view: View) -> Action:
    """Weighs, with the unseen cards equally likely, who will have to take, what a lay gives away, and what taking costs now.

    An action is worth its points, plus what the line will cost times the chance that the other can lay nothing, minus the
    same times the chance of being stuck after the other's reply, minus the chance that the other holds the twisted card of
    what is laid, plus half a twist if that card is in the own hand. Taking is worth minus the cost of the line.
    """
    count = max(view.unseen.bit_count(), 1)
    held = min(1.0, HAND_SIZE / count)
    best, best_worth = TAKE, -float(cost(tuple(view.line)))
    if not view.line:
        best_worth = -999.0
    hand = sum(1 << card for card in view.hand)
    for action in choices(view):
        card = action.card
        rest = hand & ~(1 << card)
        if action.is_twist:
            line = [lying for lying in view.line if lying != action.line_card]
            worth = float(TWIST_POINTS)
        else:
            line, worth = [*view.line, card], 0.0
            if rest >> twisted(card) & 1:
                worth += TWIST_POINTS / 2
            elif view.unseen >> twisted(card) & 1:
                worth -= TWIST_POINTS * held
        if line:
            stuck = (1 - held) ** near(view.unseen, line[-1])
            own_stuck = 0.5 ** (1 + near(rest, line[-1]))
            worth += cost(tuple(line)) * (stuck - (1 - stuck) * own_stuck)
        if worth > best_worth:
            best, best_worth = action, worth
    return best


POLICIES: dict[str, Policy] = {"careful": careful, "eager": eager}
"""The policies by name."""


@dataclass(slots=True)
class Game:
    """A whole game in play, until the draw pile is empty: hands by seat, the line, the draw pile (last first), the score.

    Seat 1 deals, seat 0 begins; 61 cards are drawn one a turn, so the endgame finds seat 1, the dealer, to move (T2, T3).

    >>> game = Game.deal(np.random.default_rng(7), ("careful", "eager"))
    >>> game.play_out()
    >>> len(game.actions), game.to_move, len(game.hands[0]), len(game.hands[1])
    (61, 1, 9, 9)
    """

    hands: tuple[list[int], list[int]]
    draw: list[int]
    policies: tuple[Policy, Policy]
    line: list[int] = field(default_factory=list)
    unseen: list[int] = field(default_factory=lambda: [0, 0])
    score: list[int] = field(default_factory=lambda: [0, 0])
    to_move: int = 0
    actions: list[tuple[Action, ...]] = field(default_factory=list)

    @classmethod
    def deal(cls, rng: np.random.Generator, policies: tuple[str, str]) -> Game:
        """A fresh deal (T1, T2); the policies by name, seat 0 first."""
        cards = rng.permutation(np.array(DECK)).tolist()
        hands = (cards[:HAND_SIZE], cards[HAND_SIZE : 2 * HAND_SIZE])
        game = cls(hands, cards[2 * HAND_SIZE :], (_policy(policies[0]), _policy(policies[1])))
        whole = sum(1 << card for card in cards)
        game.unseen = [whole & ~sum(1 << card for card in hand) for hand in hands]
        return game

    def play_out(self) -> None:
        """Play until the draw pile is empty."""
        while self.draw:
            self.play_turn()

    def play_turn(self) -> tuple[Action, ...]:
        """Play one turn and draw: an action, or taking and the lay that follows it while the draw pile lasts (T6)."""
        action = self._act()
        turn = (action, self._act()) if action.is_take else (action,)
        mover = self.to_move
        drawn = self.draw.pop()
        self.hands[mover].append(drawn)
        self.unseen[mover] &= ~(1 << drawn)
        self.to_move = 1 - mover
        self.actions.append(turn)
        return turn

    def _act(self) -> Action:
        mover, other = self.to_move, 1 - self.to_move
        hand = self.hands[mover]
        action = self.policies[mover](View(sorted(hand), self.line, self.unseen[mover]))
        if action.is_take:
            self.score[mover] -= cost(tuple(self.line))  # T6
            self.line.clear()
            return action
        hand.remove(action.card)
        self.unseen[other] &= ~(1 << action.card)
        if action.is_twist:
            self.score[mover] += TWIST_POINTS  # T5
            self.line.remove(action.line_card)
        else:
            self.line.append(action.card)  # T4
        return action

    def position(self) -> Position:
        """What lies on the table, the mover's hand first; an endgame position once the draw pile is empty."""
        return Position(self.hands[self.to_move], self.hands[1 - self.to_move], self.line)


def _policy(name: str) -> Policy:
    if name not in POLICIES:
        raise ValueError(f"no policy is called {name!r}; there are {', '.join(POLICIES)}")
    return POLICIES[name]


def play_game(seed: int, number: int, policies: tuple[str, str] = ("careful", "careful")) -> Game:
    """Game `number` (from 0) of `seed`, dealt and not begun. The policies change seats: in odd games the second one begins.

    >>> game = play_game(seed=1, number=0)
    >>> game.play_out()
    >>> print(game.position())
    16,32,33,59,64,75,81,86,89 23,42,54,61,65,66,73,78,85 25-15
    """
    return Game.deal(np.random.default_rng([seed, number]), policies[::-1] if number % 2 else policies)


def selfplay(
    count: int, seed: int = 0, policies: tuple[str, str] = ("careful", "careful"), progress: Progress | None = None
) -> Iterator[Position]:
    """The endgames of games 0..count-1 of `seed`: 9 v 9, the dealer to move. `progress` is called with 1 after each.

    >>> for position in selfplay(2, seed=1):
    ...     print(position)
    16,32,33,59,64,75,81,86,89 23,42,54,61,65,66,73,78,85 25-15
    25,27,33,35,39,41,49,95,96 14,31,44,52,87,89,93,94,98 45-55-48-38-32-29
    """
    for number in range(count):
        game = play_game(seed, number, policies)
        game.play_out()
        if progress is not None:
            progress(1)
        yield game.position()


def selfplay_array(
    count: int, seed: int = 0, policies: tuple[str, str] = ("careful", "careful"), progress: Progress | None = None
) -> np.ndarray:
    """The positions of `selfplay`, packed: an array of `POSITION_DTYPE`, shape (count,).

    >>> len(selfplay_array(2, seed=1))
    2
    """
    return pack(selfplay(count, seed, policies, progress))


def hard(count: int, seed: int = 0) -> Iterator[Position]:
    """`count` hard random endgames of 9 v 9: no toads, a line of 15..25 cards, in it nine of ten of the twisted cards of the
    hands that are in no hand themselves, in random order.

    >>> print(next(hard(1, seed=1)))
    18,29,32,58,69,83,86,87,92 31,36,38,64,71,75,89,93,95 78-57-39-17-59-96-46-85-98-13-15-68-23-63-81
    """
    plain = np.array([card for card in DECK if not is_toad(card)])
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        cards = rng.permutation(plain).tolist()
        hands, rest = cards[: 2 * HAND_SIZE], cards[2 * HAND_SIZE :]
        length = int(rng.integers(15, 26))
        line = [card for card in rest if twisted(card) in hands and rng.random() < 0.9][:length]
        line += [card for card in rest if twisted(card) not in hands][: length - len(line)]
        yield Position(hands[:HAND_SIZE], hands[HAND_SIZE:], rng.permutation(line).tolist())
