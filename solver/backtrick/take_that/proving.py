"""The proofs of Take That (docs/proofs.md): which turns must be answered, and what answers them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from backtrick.answer import Proof
from backtrick.budget import Budget
from backtrick.errors import ContradictionError, NotSolvedError
from backtrick.take_that.deal import answer_by, code_of, new_team
from backtrick.take_that.position import Position
from backtrick.take_that.rule_options import ENDS, REACH, TWIST_POINTS, Rules, cost, is_toad, refuse_professional, twisted
from backtrick.take_that.turn import Turn

NOTHING = 999
"""More points than there are: what is not known of a position."""


class State(NamedTuple):
    """A position that is cheap to make: a proof has a hundred thousand."""

    mover: frozenset[int]
    other: frozenset[int]
    line: tuple[int, ...]
    pile: tuple[int, ...]


class Found(NamedTuple):
    """What a turn leads to: its points, and the state after it, None if the round is over."""

    points: int
    after: State | None


class Question(NamedTuple):
    """The mover of a state must get at least so much. state: None if the round is over.

    turns: the ones that led there
    """

    state: State | None
    least: int
    turns: tuple[str, ...] = ()


def proof_of(position: Position, rules: Rules, budget: Budget, stop: bytearray) -> Proof:
    """The proof of a position's value: it is at most so much, and at least so much. Raises `RulesError` under T11 for a deal."""
    if position.pile:
        refuse_professional(rules, "proofs of deals are")
    prover = _Prover(position, rules, budget, stop)
    options = ("forced-only",) * rules.forced_only + ("empty-line=ends",) * (rules.empty_line == ENDS)
    state = State(frozenset(position.mover), frozenset(position.opponent), position.line, position.pile)
    question = Question(state, prover.value)
    return Proof(options, f"={prover.value} {position}", chain(prover.hold(question), prover.answer([question])))


class _Prover:
    """What is known, and in which order it is asked, must be as in scripts/check_proof.py. With no card to come, that script finds
    out by itself, and the kernel tells here what it will find."""

    def __init__(self, position: Position, rules: Rules, budget: Budget, stop: bytearray):
        self._position, self._rules, self._budget, self._stop = position, rules, budget, stop
        team = new_team(rules, replace(budget, search_threads=1), stop)
        self._solver = team.alone
        self._most: dict[tuple[object, ...], int] = {}
        self._turns = lru_cache(1 << 16)(self._list_turns)
        bounds, _ = answer_by(team, position, rules, budget.nodes or 0)
        self._nodes = bounds.nodes
        if not bounds.solved:
            raise self._unsolved()
        self.value = int(bounds.lowest)

    def answer(self, questions: Iterable[Question]) -> Iterator[str]:
        """A line with turns that answer the questions, each where none before it does, and the lines that these turns need."""
        given: list[str] = []
        needed: list[str] = []
        for question in questions:
            turns = self._turns(question.state) if question.state and question.state.pile else {}
            if turns and not any(self._is_enough(text, turns[text], question) for text in given if text in turns):
                text, following = self._choose(question, turns)
                given.append(text)
                if following:
                    needed.extend(self.hold(following))
        if given:
            yield " ".join(given)
        yield from needed

    def hold(self, held: Question) -> Iterator[str]:
        """The lines that prove that the mover gets at most `least`."""
        state, most, before = held
        assert state is not None
        turns = self._turns(state).items() or [("", Found(0, None))]
        yield from self.answer(Question(after, points - most, (*before, text)) for text, (points, after) in turns)
        key = essence(state)
        self._most[key] = min(most, self._most.get(key, NOTHING))

    def _choose(self, question: Question, turns: dict[str, Found]) -> tuple[str, Question | None]:
        """A turn that is enough, and what must be held after it before it is; None if it is enough now. Of turns that leave no card
        to come, the one that the kernel needs the fewest nodes for."""
        enough: dict[str, int] = {}
        for text, found in turns.items():
            before = self._nodes
            if self._is_enough(text, found, question):
                enough[text] = self._nodes - before
                if found.after and found.after.pile:
                    break
        if enough:
            return min(enough, key=enough.__getitem__), None
        chosen = self._turn_worth(question.turns, question.least)
        for text, (points, after) in turns.items():
            if code_of_text(text) == chosen:
                return text, Question(after, points - question.least, (*question.turns, text))
        problem = f"it is worth {self.value}, but after [{', '.join(question.turns)}] no turn is worth {question.least}"
        raise ContradictionError(self._position, self._rules, problem)

    def _is_enough(self, text: str, found: Found, question: Question) -> bool:
        """Is a turn known to get so much?"""
        points, after = found
        least = points - question.least
        assert after is not None  # a turn with cards to come leaves a state, of hands that are not empty
        if not after.pile:
            if not after.line and self._rules.empty_line == ENDS:
                return least >= 0  # T9: the round is over
            return self._turn_worth((*question.turns, text), least + 1) is None
        return least >= min(self._high(after), self._most.get(essence(after), NOTHING))

    def _turn_worth(self, turns: tuple[str, ...], least: int) -> int | None:
        """A turn that is worth so much after these turns, by its code; None if there is none."""
        chosen, self._nodes = self._solver.turn_worth(tuple(map(code_of_text, turns)), least)
        if self._stop[0] or 0 < (self._budget.nodes or 0) <= self._nodes:
            raise self._unsolved()
        return chosen

    def _unsolved(self) -> NotSolvedError:
        return NotSolvedError(self._position, 0, 0, self._nodes, f"not proved within the limits, after {self._nodes} nodes")

    def _high(self, state: State) -> int:
        """What the mover gets at most, because the other can take from its next turn on."""
        turns = self._turns(state).values()
        return max(points - (self._low(after) if after else 0) for points, after in turns)

    def _low(self, state: State) -> int:
        """What the mover gets at least by taking the line now and at each later turn."""
        mover, other, line, pile = state
        if not line or self._rules.forced_only:
            return -NOTHING
        if not pile:
            return -cost(line)
        own, toads = (sum(map(is_toad, cards)) for cards in ((*mover, *pile[::2]), (*other, *pile[1::2])))
        return -cost(line) - 2 * (len(pile) // 2 + 1) - 4 * toads if own < len(mover) else -NOTHING

    def _list_turns(self, state: State) -> dict[str, Found]:
        """All turns while cards are to come, in the order of the rules, by their notation: after that the checker needs none."""
        mover, other, line, pile = state
        found: dict[str, Found] = {}

        def add(text: str, points: int, card: int, new_line: tuple[int, ...]) -> None:
            after = State(other, mover.union(pile[:1]) - {card}, new_line, pile[1:])
            found[text] = Found(points, after if new_line or pile else None)

        for card in sorted(mover):
            if not line or abs(card - line[-1]) <= REACH:
                add(str(card), 0, card, (*line, card))
        for card in sorted(mover):
            if twisted(card) in line:
                rest = tuple(one for one in line if one != twisted(card))
                add(f"{card}x{twisted(card)}", TWIST_POINTS, card, rest)
        if line and not (self._rules.forced_only and found):
            for card in sorted(mover) if pile else ():
                add(f"take,{card}", -cost(line), card, (card,))
            if not pile:
                found["take"] = Found(-cost(line), None)
        return found


@lru_cache(None)
def code_of_text(turn: str) -> int:
    return code_of(Turn.parse(turn))


def essence(state: State) -> tuple[object, ...]:
    """What the value depends on. If some cards of the line can never be twisted, nothing left of the last of these comes to the
    right end, and of that one only the cards that fit on it matter."""
    mover, other, line, pile = state
    live = {*mover, *other, *pile}
    stays = [place for place, card in enumerate(line) if twisted(card) not in live]
    if not stays:
        return mover, other, line, pile
    near = frozenset(card for card in live if abs(card - line[stays[-1]]) <= REACH)
    twists = frozenset(line[: stays[-1]]) - {line[place] for place in stays}
    return mover, other, twists, near, line[stays[-1] + 1 :], pile, cost(line)
