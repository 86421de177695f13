"""Proofs of what a position is worth, as lines that a small program can check which knows only the rules (docs/proofs.md).

A line holds one player down: whatever it does, some reply of the other keeps what was claimed. So a line is a claim, and the
replies that are enough. They lead to positions of earlier lines, or to positions whose worth is plain.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from backtrick.errors import NotSolvedError
from backtrick.work import UNLIMITED, Budget, deadline

if TYPE_CHECKING:
    from backtrick.game import Game

C = TypeVar("C")
Q = TypeVar("Q")


class Prover(ABC, Generic[C, Q]):
    """What a game knows of its proofs. C is a claim, as a line makes it, and Q what must be answered: a position after a turn of
    the player who is held down, and what the other must reach there. A reply is a text.

    options: the words for rules that are not those of the published game
    """

    options: tuple[str, ...] = ()

    @abstractmethod
    def goals(self) -> tuple[str, list[C]]:
        """The claim of the whole proof in words, and the claims that make it up. Raises `NotSolvedError` within the limits."""

    @abstractmethod
    def is_known(self, claim: C) -> bool:
        """Does a claim need no line of its own?"""

    @abstractmethod
    def questions(self, claim: C) -> Iterable[Q]:
        """All that must be answered."""

    @abstractmethod
    def answers(self, question: Q, reply: str) -> bool:
        """Is this reply enough, with the lines that there are?"""

    @abstractmethod
    def reply(self, question: Q) -> tuple[str, C | None]:
        """A reply, and the claim that must be proved before it is enough; None if it is now. Raises `NotSolvedError`."""

    @abstractmethod
    def learn(self, claim: C) -> None:
        """A line was written."""

    @abstractmethod
    def text(self, claim: C) -> str:
        """A claim as it begins its line."""


def prove(game: Game[Any, Any, Any], position: Any, rules: Any = None, budget: Budget = UNLIMITED) -> Iterator[str]:
    """The lines of a proof of what a position is worth: of an endgame or deal of Face to Face whether it is won or lost, of one of
    Take That its value. rules: None for the published game. budget: for the whole proof.

    Raises `NotSolvedError` if the budget does not suffice; then the lines so far prove nothing.

    >>> from backtrick import face_to_face
    >>> game = face_to_face.GAME
    >>> print(*prove(game, game.parse("43^45v:5,12+4,9 17^40v:18,20,33,50")), sep="\\n")
    game face-to-face
    claim loss 43^45v:5,12+4,9 17^40v:18,20,33,50
    loss 43^45v:5,12+4,9 17^40v:18,20,33,50 | 18^ 20^ 33^' 50v
    """
    with deadline(budget) as stop:
        yield from prove_until(stop, game, position, rules, budget)


def prove_until(
    stop: bytearray, game: Game[Any, Any, Any], position: Any, rules: Any = None, budget: Budget = UNLIMITED
) -> Iterator[str]:
    """As `prove`, but it ends when the byte of `stop` is set, and not after the seconds of the budget."""
    prover = game.prover(position, game.published if rules is None else rules, budget, stop)
    claim, goals = prover.goals()
    yield " ".join(["game", game.show.name.replace("_", "-"), *prover.options])
    yield f"claim {claim}"
    for goal in goals:
        for line in _lines(prover, goal):
            if stop[0]:
                raise NotSolvedError(position, 0, 0, 0, "not proved within the limits")
            yield line


def _lines(prover: Prover[C, Q], claim: C) -> Iterator[str]:
    """The line of a claim, after those that it needs."""
    replies: list[str] = []
    for question in prover.questions(claim):
        if not any(prover.answers(question, reply) for reply in replies):
            reply, needed = prover.reply(question)
            if needed is not None and not prover.is_known(needed):
                yield from _lines(prover, needed)
            if reply not in replies:  # it is enough now, as it was not before
                replies.append(reply)
    prover.learn(claim)
    yield prover.text(claim) + (" | " + "; ".join(replies) if replies else "")
