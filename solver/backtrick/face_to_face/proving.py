"""What proofs know of The Game: Face to Face (docs/proofs.md): which turns must be answered, and what answers them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from backtrick.errors import NotSolvedError, RulesError
from backtrick.face_to_face.deal import answer_by, new_solver
from backtrick.face_to_face.options import HAND_SIZE, PUBLISHED, Rules
from backtrick.face_to_face.position import Position, cards_of
from backtrick.face_to_face.position import Side as PositionSide
from backtrick.face_to_face.show import LOSS, UNSOLVED, WIN
from backtrick.proofs import Prover
from backtrick.work import Budget

MOST_PLANNED = 3
"""Turns of a plan."""

cards = lru_cache(None)(cards_of)


@lru_cache(None)
def set_of(pile: tuple[int, ...]) -> int:
    return sum(1 << card for card in pile)


class Side(NamedTuple):
    """A player's side: both tops, the hand as a set, bit v = card v, and the draw pile, the next card first."""

    up: int
    down: int
    hand: int
    pile: tuple[int, ...]

    @property
    def left(self) -> int:
        """The cards that are not laid."""
        return self.hand | set_of(self.pile)

    def draw(self, count: int) -> Side:
        if not self.pile:
            return self
        return Side(self.up, self.down, self.hand | set_of(self.pile[:count]), self.pile[count:])

    def fitting(self) -> int:
        """How many cards of the hand lie beyond a top."""
        return sum(card > self.up or card < self.down for card in cards(self.hand))

    def __str__(self) -> str:
        return str(self.as_position_side())

    def as_position_side(self) -> PositionSide:
        return PositionSide(self.up, self.down, cards(self.hand), self.pile)


NOBODY = Side(0, 61, 0, ())
"""No card helps."""


class Lost(NamedTuple):
    """A claim: the player to move loses."""

    mover: Side
    other: Side


class Won(NamedTuple):
    """A claim: the player to move wins. Only that of the whole proof is one. And what must be answered: here the mover must win."""

    mover: Side
    other: Side


class FaceToFaceProver(Prover["Lost | Won", Won]):
    def __init__(self, position: Position, rules: Rules, budget: Budget, stop: bytearray):
        if rules.step != PUBLISHED.step or rules.highest != PUBLISHED.highest:
            raise RulesError("a proof is of the published deck and back trick; of the rule options only lone_card can be proved")
        self.options = ("lone-card",) if rules.lone_card else ()
        self._position, self._rules, self._budget = position, rules, budget
        self._solver, self._spent = new_solver(rules, budget, stop), 0
        self._step, self._fewest = rules.step, 1 if rules.lone_card else 2
        self._lost: dict[tuple[int, int], list[Lost]] = {}
        self._lays: Callable[..., list[tuple[int, int, int, str]]] = lru_cache(None)(self._list_lays)
        self._lasts: Callable[[Side, int, bool], bool] = lru_cache(None)(self._can_last)
        self._plan: Callable[[Side, int, int, bool], str | None] = lru_cache(None)(self._find_plan)
        self._turn: Callable[..., tuple[Side, Side] | None] = lru_cache(None)(self._make_turn)

    # What is asked

    def goals(self) -> tuple[str, list[Lost | Won]]:
        sides = [Side(side.ascending, side.descending, set_of(side.hand), tuple(side.pile)) for side in
                 (self._position.mover, self._position.opponent)]
        outcome, _ = self._solve(*sides)
        return f"{outcome} {self._position}", [Won(*sides) if outcome == WIN else Lost(*sides)]

    def is_known(self, claim: Lost | Won) -> bool:
        mover, other = claim
        if not other.left or (mover.fitting() < 2 and next(self._turns(mover, other), None) is None):
            return True
        return any(
            self._no_better(mover, lost.mover) and self._no_better(lost.other, other)
            for lost in self._lost.get((mover.left, other.left), ())
        )

    def questions(self, claim: Lost | Won) -> Iterator[Won]:
        if isinstance(claim, Won):
            yield claim
            return
        for after, other_after, _ in self._turns(claim.mover, claim.other):
            yield Won(other_after, after)

    def answers(self, question: Won, reply: str) -> bool:
        turn, _, plan = reply.partition("/")
        after = self._turn(*question, turn)
        if after is None:
            return False
        own, other = after
        if self.is_known(Lost(other, own)):
            return True
        side, turns = own, 0
        for text in plan.split("/") if plan else ():
            made = self._turn(side, NOBODY, text, other.left)
            if made is None:
                return False
            side, turns = made[0], turns + 1
        return turns > 0 and not self._lasts(other, turns + bool(side.left), not side.left)

    def reply(self, question: Won) -> tuple[str, Lost | None]:
        _, turn = self._solve(*question)
        after = self._turn(*question, turn)
        assert after is not None
        for own, other, text in ((*after, turn), *self._turns(*question)):
            found = self._look(own, other, text)
            if found is not None:
                return found, None
        own, other = after
        return turn, Lost(other, own)

    def learn(self, claim: Lost | Won) -> None:
        if isinstance(claim, Lost):
            self._lost.setdefault((claim.mover.left, claim.other.left), []).append(claim)

    def text(self, claim: Lost | Won) -> str:
        return f"{LOSS if isinstance(claim, Lost) else WIN} {claim.mover} {claim.other}"

    # What is found

    def _solve(self, mover: Side, other: Side) -> tuple[str, str]:
        """The outcome, and a turn that wins or an empty text."""
        position = Position(mover.as_position_side(), other.as_position_side())
        nodes = self._budget.nodes or 0
        found = answer_by(self._solver, position, self._rules, max(nodes - self._spent, 1) if nodes else 0)
        self._spent += found.nodes
        if found.outcome == UNSOLVED or (found.outcome == WIN and found.turn is None):  # a limit was met before its turn was found
            raise NotSolvedError(self._position, LOSS, WIN, self._spent, f"not proved within the limits, after {self._spent} nodes")
        return found.outcome, str(found.turn or "")

    def _look(self, own: Side, other: Side, turn: str) -> str | None:
        """The reply that begins with the turn that led to these sides, if it is enough already or with a plan."""
        if self.is_known(Lost(other, own)):
            return turn
        for turns in range(1, MOST_PLANNED + 1):
            for through in (True, False):
                if not self._lasts(other, turns + (not through), through):
                    plan = self._plan(own, other.left, turns, through)
                    if plan is not None:
                        return f"{turn}/{plan}"
        return None

    def _find_plan(self, side: Side, against: int, turns: int, through: bool) -> str | None:
        """So many turns that an opponent with the cards `against` cannot disturb; through: and then all cards are laid."""
        if through and len(side.pile) > 2 * (turns - 1):
            return None
        fewest = self._fewest if not side.pile and side.hand.bit_count() == 1 else 2
        breaking_up = (against >> max(side.up - self._step, 0)) & ((1 << min(self._step, side.up)) - 1)
        breaking_down = (against >> (side.down + 1)) & ((1 << self._step) - 1)
        tricks = not breaking_up, not breaking_down
        for up, down, hand, text in self._lays(side.up, side.down, side.hand, set_of(side.pile), *tricks):
            if (side.hand ^ hand).bit_count() < fewest:
                continue
            after = Side(up, down, hand, side.pile).draw(2)
            if turns == 1:
                if not through or not after.left:
                    return text
            elif after.left:
                rest = self._plan(after, against, turns - 1, through)
                if rest is not None:
                    return f"{text}/{rest}"
        return None

    # The rules, as the checker has them

    def _list_lays(
        self, up: int, down: int, hand: int, pile: int, trick_up: bool = True, trick_down: bool = True
    ) -> list[tuple[int, int, int, str]]:
        """What laying cards on own piles leads to: both tops, the hand, and the plays."""
        by_hand: dict[int, dict[tuple[int, int], str]] = {}
        step = self._step

        def lay(up: int, down: int, hand: int, text: str, trick_up: bool, trick_down: bool) -> None:
            found = by_hand.setdefault(hand, {})
            if (up, down) not in found:
                found[up, down] = text
                text = f"{text} " if text else ""
                for card in cards(hand):
                    if card > up or (card == up - step and trick_up):
                        lay(card, down, hand ^ (1 << card), f"{text}{card}^", True, trick_down)
                    if card < down or (card == down + step and trick_down):
                        lay(up, card, hand ^ (1 << card), f"{text}{card}v", trick_up, True)

        lay(up, down, hand, "", trick_up, trick_down)
        best = []
        for rest, found in by_hand.items():
            for tops, text in found.items():
                if not any(tops != one and self._tops_no_better(tops, one, rest | pile) for one in found):
                    best.append((*tops, rest, text))
        return best

    def _tops_no_better(self, tops: tuple[int, int], others: tuple[int, int], left: int) -> bool:
        (up, down), (other_up, other_down), step = tops, others, self._step
        return (up == other_up or (up > other_up and not (other_up >= up - step > 0 and (left >> (up - step)) & 1))) and (
            down == other_down or (down < other_down and not (other_down <= down + step and (left >> (down + step)) & 1))
        )

    def _no_better(self, side: Side, there: Side) -> bool:
        return len(side.pile) >= len(there.pile) and self._tops_no_better(side[:2], there[:2], side.left)

    def _turns(self, mover: Side, other: Side | None) -> Iterator[tuple[Side, Side, str]]:
        """Both sides after each turn, and the turn, but for turns that are no better than another. other: None if every helpful
        card fits and changes nothing."""
        if other is not None and not other.left:
            return
        count = mover.hand.bit_count()
        fewest = self._fewest if not mover.pile and count == 1 else 2
        for up, down, hand, text in self._lays(mover.up, mover.down, mover.hand, set_of(mover.pile)):
            laid = count - hand.bit_count()
            if laid >= fewest:
                yield Side(up, down, hand, mover.pile).draw(2), other or NOBODY, text
            if laid + 1 < fewest:
                continue
            text = f"{text} " if text else ""
            for card in cards(hand):
                rest = hand ^ (1 << card)
                after = Side(up, down, rest, mover.pile).draw(HAND_SIZE - rest.bit_count())
                if other is None:
                    yield after, NOBODY, ""
                    continue
                if card < other.up:
                    yield after, other._replace(up=card), f"{text}{card}^'"
                if card > other.down:
                    yield after, other._replace(down=card), f"{text}{card}v'"

    def _make_turn(self, mover: Side, other: Side, turn: str, against: int = 0) -> tuple[Side, Side] | None:
        """Both sides after a turn; None if it is not legal. against: in a plan, the cards of the opponent, which can break a back
        trick of a top that was there before."""
        (up, down, hand, pile), helped = mover, False
        fresh: set[bool] = set()
        for play in turn.split(" "):
            card, ascending = int(play.rstrip("^v'")), "^" in play
            if play[-1] == "'":
                if helped or (card >= other.up if ascending else card <= other.down):
                    return None
                helped, other = True, other._replace(up=card) if ascending else other._replace(down=card)
            else:
                if card <= up if ascending else card >= down:
                    breaking = range(card, up) if ascending else range(down + 1, card + 1)
                    broken = ascending not in fresh and any((against >> one) & 1 for one in breaking)
                    if broken or card != (up - self._step if ascending else down + self._step):
                        return None
                up, down = (card, down) if ascending else (up, card)
                fresh.add(ascending)
            if not (hand >> card) & 1:
                return None
            hand ^= 1 << card
        if len(turn.split(" ")) < (2 if hand or pile else self._fewest):
            return None
        return Side(up, down, hand, pile).draw(HAND_SIZE - hand.bit_count() if helped else 2), other

    def _can_last(self, side: Side, turns: int, through: bool) -> bool:
        """Can a side lay all cards in so many turns; or, if not `through`, make so many turns or lay all cards before? In an easier
        game: the opponent does nothing, and every helpful card fits."""
        if not side.left or not turns:
            return not side.left or not through
        if through and len(side.pile) > HAND_SIZE * (turns - 1):
            return False
        easy = not through and side.fitting() >= 2 * turns
        return easy or any(self._lasts(after, turns - 1, through) for after, _, _ in self._turns(side, None))
