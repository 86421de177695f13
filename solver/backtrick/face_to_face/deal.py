"""Solving deals: who wins if all cards are known, and the draw piles in their order. Win, loss, or not solved within a budget.

docs/face_to_face.md says how. An endgame is a deal too, with both piles empty.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial

import backtrick.face_to_face._solve as _solve
from backtrick.answer import SEARCH, Answer
from backtrick.bounds import Bounds, Outcome
from backtrick.budget import Budget
from backtrick.errors import ContradictionError
from backtrick.face_to_face._deal import DealSolver, SharedTable
from backtrick.face_to_face.display import LOSS, WIN
from backtrick.face_to_face.position import Deal, Position, Side, packed_sides
from backtrick.face_to_face.rule_options import PUBLISHED, Rules
from backtrick.face_to_face.rules import after
from backtrick.face_to_face.solving import best_packed, count_turns
from backtrick.face_to_face.turn import Turn, turns_of_kernel, unpack_turn
from backtrick.game import BEST, LINE, OUTCOMES, Game
from backtrick.threads import Team

_BOUNDS = (LOSS, WIN), (LOSS, LOSS), (WIN, WIN)  # of what is not solved, lost, won, as the kernel numbers it
_LOST, _WON = 1, 2
EASY = 200
"""The nodes that a deal gets in one thread before others join: easy deals are solved by then."""

OWN_BYTES = 1 << 20
"""The memory of each of these threads for itself."""

PackedSide = tuple[int, int, tuple[int, ...], tuple[int, ...]]
Solvers = Team[DealSolver]
_DESCRIBED = tuple[int, int, int, int, int]
"""How the kernel describes a turn: the hand after it, before drawing, as 64 bits; both own tops; both tops of the opponent."""


def answer_by(
    team: Solvers, position: Position, rules: Rules, nodes: int
) -> tuple[Bounds, Turn | None]:
    """Who wins, and a turn that wins, if one was found. What was found before makes no difference. nodes: the limit, 0 for
    none. An endgame is a deal too. Raises `ContradictionError`.

    >>> from backtrick.budget import UNLIMITED
    >>> team, deal = new_team(Rules(), UNLIMITED, bytearray(1)), Position.parse("27^40v:17,18,45+20,33,50 43^20v:5,12+4,9")
    >>> answer_by(team, deal, PUBLISHED, 0)
    (Bounds(lowest='win', highest='win', nodes=1), <Turn 17^ 45v'>)
    """
    sides = kernel_side(position.mover), kernel_side(position.opponent)
    found = team.search(lambda solver, most: solver.solve(*sides, most, True), nodes, lambda one: one[1])
    outcome, _, turn = max(found, key=lambda one: (one[0], one[2] is not None))  # the others may be stopped before their turn
    if {_WON, _LOST} <= {outcome for outcome, *_ in found}:
        raise ContradictionError(position, rules, "one thread finds that it is won, another one that it is lost")
    spent = sum(spent for _, spent, _ in found)
    return Bounds(*_BOUNDS[outcome], spent), _distinct(position, rules)[turn][0] if turn else None


def outcomes_by(
    team: Solvers, position: Position, rules: Rules, nodes: int
) -> tuple[tuple[Outcome[Position, Turn], ...], Turn | None]:
    """Every distinct outcome: won ones first, then unsolved ones, then lost ones; each in the order of the first turns. And the
    turn after which the search needed the longest line to know the outcome from a bound, from the rules or as an endgame; among
    equals the one that took the most nodes.

    nodes: the limit for all together, 0 for none; of those that are left each turn may take an equal share, in the order in which
    turns are listed.
    """
    found: dict[_DESCRIBED, tuple[Bounds, int]] = {}
    sides = kernel_side(position.mover), kernel_side(position.opponent)
    for described, outcome, spent, longest in team.alone.turn_outcomes(*sides, nodes):
        found.setdefault(described, (Bounds(*_BOUNDS[outcome], spent), longest))
    outcomes = [
        (Outcome(turn, bounds, after(position, turn, rules), 0, ways), longest)
        for described, (turn, ways) in _distinct(position, rules).items()
        for bounds, longest in [found[described]]
    ]
    outcomes.sort(key=lambda one: (one[0].bounds.lowest != WIN) + (one[0].bounds.highest == LOSS))
    defence = max(outcomes, key=lambda one: (one[1], one[0].bounds.nodes))[0].turn if outcomes else None
    return tuple(outcome for outcome, _ in outcomes), defence


def line_by(team: Solvers, position: Position, rules: Rules, nodes: int) -> Iterator[tuple[Turn, Position]]:
    """A line that proves itself, from a solved deal to the end: each turn, and the position after it.

    Each turn of the winner keeps the win. The loser makes the turn with the longest line to its refutation, as `outcomes_by` finds
    it, and from the moment when both piles are empty the turn that delays longest. nodes: the limit for all together, 0 for none.
    The line ends early where it is met; it is empty if the deal itself is not solved. Raises `ContradictionError`.
    """
    spent, outcome, asked = 0, "", position
    while not nodes or spent < nodes:
        turn: Turn | None
        if not isinstance(position, Deal):
            turn = unpack_turn(best_packed(position, rules))
        else:
            bounds, turn = answer_by(team, position, rules, max(nodes - spent, 0))
            spent += bounds.nodes
            if bounds.solved and bounds.lowest == outcome:
                raise ContradictionError(asked, rules, f"its principal line comes to {position}, a {outcome} once more")
            outcome = str(bounds.lowest) if bounds.solved else ""
            if bounds.highest == LOSS:
                found, turn = outcomes_by(team, position, rules, max(nodes - spent, 1) if nodes else 0)
                spent += sum(one.bounds.nodes for one in found)
                if not all(one.solved for one in found):
                    return
        if turn is None:
            return
        position = after(position, turn, rules)
        yield turn, position


def new_team(rules: Rules, budget: Budget, stop: bytearray) -> Solvers:
    """Solvers with the memory that the budget allows. Raises `BudgetError` if there is no room for it."""
    return Team(partial(DealSolver, rules.code, stop=stop), SharedTable, budget, EASY, OWN_BYTES)


def kernel_side(side: Side) -> PackedSide:
    return side.ascending, side.descending, side.hand, tuple(side.pile)


def _distinct(position: Position, rules: Rules) -> dict[_DESCRIBED, tuple[Turn, int]]:
    """The distinct outcomes of a deal: for each the first turn, and how many ordered turns lead there."""
    mover, opponent = position.mover, position.opponent
    if not opponent.hand or (mover.pile and len(mover.hand) < 2):
        return {}  # F12; F13, whose second reading is about the last card of all
    rows = _solve.outcomes(packed_sides(mover, opponent), rules.code)
    turns = turns_of_kernel(rows["turn"].tolist())
    return {
        (kept, up, down, other_up, other_down): (turn, ways)
        for turn, (_, _, _, kept, other_up, other_down, up, down, ways, _) in zip(turns, rows.tolist(), strict=True)
    }


def described_turns(position: Position, rules: Rules = PUBLISHED) -> dict[_DESCRIBED, Turn]:
    """The first turn of each distinct outcome of a deal, by how the kernel describes it. The opponent's cards do not matter."""
    return {described: turn for described, (turn, _) in _distinct(position, rules).items()}


def described_outcomes(mover: Side, opponent: Side, rules: Rules, budget: Budget, stop: bytearray) -> dict[_DESCRIBED, str]:
    """What each turn of a well-formed deal is worth to its player, as in `outcomes_by`, without making positions; what is
    not solved within the budget is left out. It ends early once the byte of `stop` is set."""
    found = new_team(rules, budget, stop).alone.turn_outcomes(kernel_side(mover), kernel_side(opponent), budget.nodes or 0)
    return {described: _BOUNDS[outcome][0] for described, outcome, *_ in found if outcome}


# Answers in the common form; the value of a deal is who wins.


def answer_deal(
    game: Game[Position, Turn, Rules], position: Position, rules: Rules, budget: Budget, want: Collection[str], stop: bytearray
) -> Answer[Position, Turn, Rules]:
    """Who wins, a turn that wins, and the wanted parts. In a lost deal the best turn is the one with the longest line to its
    refutation, and all outcomes are lost, whatever the limits."""
    if stop[0]:
        return Answer(game, position, rules, Bounds(LOSS, WIN))
    team, nodes = new_team(rules, budget, stop), budget.nodes or 0
    bounds, best = answer_by(team, position, rules, nodes)
    line, outcomes, optimal = None, None, None
    lost = bounds.highest == LOSS
    if OUTCOMES in want or (lost and BEST in want):
        every, defence = outcomes_by(team, position, rules, nodes)
        best = defence if lost else best
        if lost and (won := [str(one.turn) for one in every if one.bounds.lowest == WIN]):
            raise ContradictionError(position, rules, f"it is a loss, but {won[0]} wins")
        if OUTCOMES in want:
            outcomes = tuple(replace(one, bounds=Bounds(LOSS, LOSS, one.bounds.nodes)) for one in every) if lost else every
            if bounds.solved and all(one.solved for one in outcomes):
                optimal = sum(one.bounds == bounds for one in outcomes)
    if LINE in want and bounds.solved:
        steps = list(line_by(team, position, rules, nodes))
        last = steps[-1][1] if steps else position
        if not count_turns(last, rules):
            line = tuple(turn for turn, _ in steps)
            if len(line) % 2 == lost:
                raise ContradictionError(position, rules, f"it is a {bounds}, but its principal line ends at {last}")
        elif not nodes and not stop[0]:
            raise ContradictionError(position, rules, f"it is a {bounds}, but its principal line stops at {last}")
    if lost and not count_turns(position, rules):
        line = ()
    if best is None and bounds.lowest == WIN and not nodes and not stop[0]:
        raise ContradictionError(position, rules, "it is a win, but none of its turns wins")
    return Answer(game, position, rules, bounds, SEARCH, best, optimal, line, outcomes)


def outcomes_of_deal(position: Position, rules: Rules, budget: Budget, stop: bytearray) -> tuple[Outcome[Position, Turn], ...]:
    """Every distinct outcome: won ones, unsolved ones, lost ones."""
    return outcomes_by(new_team(rules, budget, stop), position, rules, budget.nodes or 0)[0]


