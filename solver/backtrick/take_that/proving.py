"""The proofs of Take That (docs/proofs.md): which turns must be answered, and what answers them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from backtrick.errors import NotSolvedError
from backtrick.execution import Budget
from backtrick.proofs import Proof
from backtrick.take_that.deal import answer_by, code_of, new_team
from backtrick.take_that.position import Position
from backtrick.take_that.rule_options import ENDS, REACH, Rules, cost, twisted
from backtrick.take_that.rules import successors

Turns = dict[str, tuple[int, Position | None, int]]
"""Each turn in notation: its points, the position after it, None if the round is over, and its code in the kernel."""


NOTHING = 999
"""More points than there are: what is not known of a position."""


class Question(NamedTuple):
    """The mover of a position must get at least so much. position: None if the round is over.

    codes: the turns of the kernel that led there
    """

    position: Position | None
    least: int
    codes: tuple[int, ...] = ()


def proof_of(position: Position, rules: Rules, budget: Budget, stop: bytearray) -> Proof:
    """The proof of a position's value: it is at most so much, and at least so much."""
    prover = _Prover(position, rules, budget, stop)
    options = ("forced-only",) * rules.forced_only + ("empty-line=ends",) * (rules.empty_line == ENDS)
    question = Question(position, prover.value)
    lines = chain(prover.hold(question), prover.answer([question], []))
    return Proof(options, f"={prover.value} {position}", lines)


class _Prover:
    """What is known, and in which order it is asked, must be as in scripts/check_proof.py."""

    def __init__(self, position: Position, rules: Rules, budget: Budget, stop: bytearray):
        self._position, self._rules, self._stop = position, rules, stop
        team = new_team(rules, replace(budget, search_threads=1), stop)
        self._solver = team.alone
        self._known: dict[tuple[Any, ...], list[tuple[int, int]]] = {}
        self._turns = lru_cache(1 << 16)(self._list_turns)
        bounds, _ = answer_by(team, position, budget.nodes or 0)
        if not bounds.solved:
            raise self._unsolved(bounds.nodes)
        self.value = int(bounds.lowest)

    def answer(self, questions: Iterable[Question], more: list[int]) -> Iterator[str]:
        """A line with turns that answer the questions, each where none before it does, and the lines that these turns need. more:
        gets how much more than it must each mover gets."""
        given: list[str] = []
        needed: list[str] = []
        for question in questions:
            turns = self._turns(question.position) if question.position else {}
            turns = turns or {"": (0, None, 0)}
            gotten = (self._gets(*turns[turn][:2]) for turn in ("", *given) if turn in turns)
            best = next((points for points in gotten if points >= question.least), None)
            if best is None:
                text, following = self._choose(question, turns)
                given.append(text)
                if following:
                    needed.extend(self.hold(following))
                best = self._gets(*turns[text][:2])
            more.append(best - question.least)
        if given:
            yield " ".join(given)
        yield from needed

    def hold(self, held: Question) -> Iterator[str]:
        """The lines that prove that the mover gets at most `least`."""
        position, most, codes = held
        assert position is not None
        turns = self._turns(position).values() or [(0, None, 0)]
        more: list[int] = []
        yield from self.answer((Question(after, points - most, (*codes, code)) for points, after, code in turns), more)
        if self._stop[0]:
            raise self._unsolved(0)
        self._known.setdefault(essence(position), []).append((most - min(more), cost(position.line)))

    def _choose(self, question: Question, turns: Turns) -> tuple[str, Question | None]:
        """A turn that is enough, and what must be held after it before it is; None if it is enough now."""
        for text, (points, after, _) in turns.items():
            if self._gets(points, after) >= question.least:
                return text, None
        chosen, nodes = self._solver.turn_worth(question.codes, question.least)
        if chosen is None:
            raise self._unsolved(nodes)
        [(text, points, after)] = [(text, points, after) for text, (points, after, code) in turns.items() if code == chosen]
        return text, Question(after, points - question.least, (*question.codes, chosen))

    def _unsolved(self, nodes: int) -> NotSolvedError:
        return NotSolvedError(self._position, 0, 0, nodes, f"not proved within the limits, after {nodes} nodes")

    def _gets(self, points: int, after: Position | None) -> int:
        """What a turn gets the mover at least, for all that is known of the position after it."""
        if after is None:
            return points
        known = [most + abs(cost(after.line) - paid) for most, paid in self._known.get(essence(after), ())]
        if not after.pile and not self._rules.forced_only:  # the other can take the line next
            known.append(max((gain + cost(then.line if then else ()) for gain, then, _ in self._turns(after).values()), default=0))
        return points - min(known, default=NOTHING)

    def _list_turns(self, position: Position) -> Turns:
        return {str(turn): (points, after, code_of(turn)) for turn, points, after in successors(position, self._rules)}


def essence(position: Position) -> tuple[Any, ...]:
    """What play depends on, apart from the cost of the line. If some of its cards can never be twisted, nothing left of the last of
    these comes to the right end, and of that one only the cards that fit on it matter."""
    mover, other, line, pile = position.mover, position.opponent, position.line, position.pile
    live = {*mover, *other, *pile}
    stays = [place for place, card in enumerate(line) if twisted(card) not in live]
    if not stays:
        return mover, other, line, pile
    near = frozenset(card for card in live if abs(card - line[stays[-1]]) <= REACH)
    twists = frozenset(line[: stays[-1]]) - {line[place] for place in stays}
    return mover, other, twists, near, line[stays[-1] + 1 :], pile
