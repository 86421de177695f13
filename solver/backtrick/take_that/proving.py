"""The proofs of Take That (docs/proofs.md): which turns must be answered, and what answers them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from backtrick.errors import NotSolvedError
from backtrick.proofs import Proof
from backtrick.take_that.deal import answer_by, code_of, one_solver
from backtrick.take_that.position import Position
from backtrick.take_that.rule_options import ENDS, REACH, Rules, cost, twisted
from backtrick.take_that.rules import successors
from backtrick.work import Budget

Turns = dict[str, tuple[int, Position | None, int]]
"""Each turn in notation: its points, the position after it, None if the round is over, and its code in the kernel."""


class Claim(NamedTuple):
    """The mover of a position gets at most so much; or at least, in the claim of the whole proof, and where it must be answered.

    codes: the turns of the kernel that led there
    """

    sign: str
    points: int
    position: Position
    codes: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.sign}{self.points} {self.position}"


def proof_of(position: Position, rules: Rules, budget: Budget, stop: bytearray) -> Proof:
    """The proof of a position's value: it is at most so much, and at least so much."""
    prover = _Prover(position, rules, budget, stop)
    options = ("forced-only",) * rules.forced_only + ("empty-line=ends",) * (rules.empty_line == ENDS)
    claims = [Claim(sign, prover.value, position) for sign in ("<=", ">=")]
    return Proof(options, f"={prover.value} {position}", chain.from_iterable(map(prover.lines, claims)))


class _Prover:
    def __init__(self, position: Position, rules: Rules, budget: Budget, stop: bytearray):
        self._position, self._rules, self._stop = position, rules, stop
        self._solver = one_solver(rules, budget, stop)
        self._known: dict[tuple[Any, ...], list[tuple[int, int]]] = {}
        self._turns = lru_cache(1 << 12)(self._list_turns)
        bounds, _ = answer_by(self._solver, position, budget.nodes or 0)
        if not bounds.solved:
            raise self._unsolved(bounds.nodes)
        self.value = int(bounds.lowest)

    def lines(self, claim: Claim) -> Iterator[str]:
        """The line of a claim, after those that it needs."""
        replies: list[str] = []
        for question in self._questions(claim):
            if not any(self._answers(question, reply) for reply in replies):
                reply, needed = self._reply(question)
                if needed is not None and not self._is_known(needed):
                    yield from self.lines(needed)
                if reply not in replies:  # it was not enough before, and is now
                    replies.append(reply)
        if self._stop[0]:
            raise self._unsolved(0)
        if claim.sign == "<=":
            self._known.setdefault(essence(claim.position), []).append((claim.points, cost(claim.position.line)))
        yield str(claim) + (" | " + "; ".join(replies) if replies else "")

    def _is_known(self, claim: Claim) -> bool:
        """Does a claim need no line of its own?"""
        known = self._known.get(essence(claim.position), ())
        return any(most + abs(cost(claim.position.line) - paid) <= claim.points for most, paid in known)

    def _questions(self, claim: Claim) -> Iterator[Claim]:
        """Every question that must be answered."""
        if claim.sign == ">=":
            yield claim
            return
        for points, after, code in self._turns(claim.position).values():
            if after is not None:
                yield Claim(">=", points - claim.points, after, (*claim.codes, code))

    def _answers(self, question: Claim, reply: str) -> bool:
        """Is this reply enough, with the lines so far?"""
        turns = self._turns(question.position)
        if not turns:
            return question.points <= 0
        return reply in turns and self._is_enough(question, *turns[reply][:2])

    def _reply(self, question: Claim) -> tuple[str, Claim | None]:
        """A reply, and the claim that must be proved before it is enough; None if it is now."""
        turns = self._turns(question.position)
        for text, (points, after, _) in turns.items():
            if self._is_enough(question, points, after):
                return text, None
        if not turns:
            return "-", None
        chosen, nodes = self._solver.turn_worth(question.codes, question.points)
        if chosen is None:
            raise self._unsolved(nodes)
        [(text, points, after)] = [(text, points, after) for text, (points, after, code) in turns.items() if code == chosen]
        assert after is not None
        return text, Claim("<=", points - question.points, after, (*question.codes, chosen))

    def _unsolved(self, nodes: int) -> NotSolvedError:
        return NotSolvedError(self._position, 0, 0, nodes, f"not proved within the limits, after {nodes} nodes")

    def _is_enough(self, question: Claim, points: int, after: Position | None) -> bool:
        if after is None:
            return points >= question.points
        return self._is_known(Claim("<=", points - question.points, after))

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
