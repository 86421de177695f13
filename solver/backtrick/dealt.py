"""What is known of deals, positions with cards still to be drawn in a known order: how a game searches them. Blind to the game.

The value of a deal may not be known within the budget. Each other part of its answer, too, takes a search that may not suffice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Generic

from backtrick.answer import SEARCH, Answer, Bounds, Outcome, P, R, Step, T
from backtrick.errors import NotSolvedError
from backtrick.game import BEST, LINE, OUTCOMES, Game, Terms
from backtrick.work import Budget, map_searches


@dataclass(slots=True)
class Examined(Generic[T]):
    """What a search has found of a deal.

    bounds: of its value
    turn:   a best one; None if it is not known
    parts:  of the answer that were worked out, by name; an error where the budget did not suffice
    """

    bounds: Bounds
    turn: T | None = None
    parts: dict[str, Any] = field(default_factory=dict)


class Deals(ABC, Generic[P, T, R]):
    """How a game searches its deals. A solver is what the game makes of rules, budget and stop (`backtrick.work`)."""

    @abstractmethod
    def solver(self, rules: R, budget: Budget, stop: bytearray) -> Any:
        """A new solver. Raises `BudgetError` if there is no room for its memory."""

    @abstractmethod
    def examine(self, solver: Any, position: P, rules: R, budget: Budget) -> Examined[T]:
        """The value of a deal, or what can be proved of it, and a best turn if one is found."""

    @abstractmethod
    def outcomes(self, one: Examined[T], solver: Any, position: P, rules: R, budget: Budget) -> Sequence[Outcome[P, T]]:
        """Every distinct outcome of a deal, best first, with a value or bounds."""

    @abstractmethod
    def best(self, one: Examined[T], solver: Any, position: P, rules: R, budget: Budget) -> T | None:
        """A best turn of a solved deal; None if there is no legal turn. Raises `PartNotFoundError`."""

    @abstractmethod
    def line(self, one: Examined[T], solver: Any, position: P, rules: R, budget: Budget) -> Sequence[Step[T]]:
        """The principal line of a solved deal, to the end. Raises `PartNotFoundError`."""

    # These follow from the parts above and are not overridden.

    def answers(
        self, game: Game[P, T, R], positions: Sequence[P], terms: Terms[P, R], endgames: Iterator[Answer[P, T, R]]
    ) -> Iterator[Answer[P, T, R]]:
        """The answer of each position, in order. endgames: the answers of the endgames among them.

        A deal has all the seconds of its budget for its value and the wanted parts; each of these has all the nodes.
        """
        budget = terms.budget_for(True)

        def search(position: P, stop: bytearray) -> Examined[T]:
            solver = self.solver(terms.rules, budget, stop)
            found = self.examine(solver, position, terms.rules, budget)
            self._find(terms.want, found, solver, position, terms.rules, budget)
            return found

        found = map_searches(search, [position for position in positions if game.is_deal(position)], budget, terms.threads)
        for position in positions:
            if game.is_deal(position):
                one = next(found)
                yield Answer(game, position, terms.rules, one.bounds, SEARCH, budget, one)
            else:
                yield next(endgames)

    def bounds(self, position: P, rules: R, budget: Budget) -> Bounds:
        """The bounds of the value that can be proved within the budget."""

        def search(position: P, stop: bytearray) -> Examined[T]:
            return self.examine(self.solver(rules, budget, stop), position, rules, budget)

        [found] = map_searches(search, [position], budget)
        return found.bounds

    def part(self, answer: Answer[P, T, R], name: str) -> Any:
        """A part of the answer of a deal, searched for if it is not there yet. Raises `NotSolvedError`."""
        if answer.noted is None:
            answer.note(Examined(answer.bounds))
        one, position, rules, budget = answer.noted, answer.position, answer.rules, answer.budget
        assert isinstance(one, Examined)
        if name not in one.parts:

            def search(position: P, stop: bytearray) -> None:
                self._find({name}, one, self.solver(rules, budget, stop), position, rules, budget)

            [_] = map_searches(search, [position], budget)
        found = one.parts[name]
        if isinstance(found, PartNotFoundError):
            bounds = answer.bounds
            raise NotSolvedError(position, bounds.lowest, bounds.highest, bounds.nodes, str(found))
        return found

    def _find(self, want: Set[str], one: Examined[T], solver: Any, position: P, rules: R, budget: Budget) -> None:
        for name, find in ((OUTCOMES, self.outcomes), (BEST, self.best), (LINE, self.line)):
            if name in want and name not in one.parts:
                try:
                    if name != OUTCOMES and not one.bounds.solved:
                        raise PartNotFoundError("it is not solved within the limits")
                    one.parts[name] = find(one, solver, position, rules, budget)
                except PartNotFoundError as error:
                    one.parts[name] = error


class PartNotFoundError(Exception):
    """A part of an answer was not found within the budget. The text says which."""
