"""Solving deals: who wins if all cards are known, and the draw piles in their order. Win, loss, or not solved within a budget.

docs/deals.md says how. An endgame is a deal too, with both piles empty.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from backtrick.answer import SEARCH, Answer, Bounds, Outcome
from backtrick.face_to_face import _answers as _outcome_rows
from backtrick.face_to_face._deal import DealSolver, SharedTable
from backtrick.face_to_face.options import PUBLISHED, Rules
from backtrick.face_to_face.position import Deal, Position, Side, check_well_formed, packed_sides
from backtrick.face_to_face.rules import after
from backtrick.face_to_face.show import LOSS, UNSOLVED, WIN
from backtrick.face_to_face.solving import best_packed, count_turns
from backtrick.face_to_face.turn import Turn, turns_of_kernel, unpack_turn
from backtrick.game import BEST, LINE, Game
from backtrick.game import OUTCOMES as ALL_OUTCOMES
from backtrick.work import DEAL_MIB, Budget, allocating, deadline, search_all

OUTCOMES = UNSOLVED, LOSS, WIN  # as the kernel numbers them
DEAL_BUDGET = Budget(table_mib=DEAL_MIB)
"""No limit but 256 MiB of memory a solver."""

EASY = 200
"""The nodes that a deal gets in one thread before others join: easy deals are solved by then."""

TEAM_MIB = 24
"""The default memory of threads that search together. It does not grow, and the system clears each page that is touched: with
64 MiB two threads took longer than one on deals of some 10,000 nodes. A search of minutes wants more."""

OWN_BYTES = 1 << 20
"""For what each of these threads remembers alone."""

PackedSide = tuple[int, int, tuple[int, ...], tuple[int, ...]]
_DESCRIBED = tuple[int, int, int, int, int]
Solved = tuple[int, int, _DESCRIBED | None]
"""How the kernel describes a turn: the hand after it, before drawing, as 64 bits; both own tops; both tops of the other."""


@dataclass(frozen=True, slots=True)
class DealAnswer:
    """What is known of a deal.

    outcome: "win" or "loss" of the player to move, or "unsolved" if the budget ran out
    nodes:   positions whose turns were listed; equal on every machine unless the seconds ran out
    turn:    a turn that wins, if the outcome is a win; None also if the budget ran out before one was found
    """

    outcome: str
    nodes: int
    turn: Turn | None = None


@dataclass(frozen=True, slots=True)
class DealOutcome:
    """One distinct outcome of the turns of a deal: its first turn, what it is for the player who makes it, the position after it,
    how many ordered turns lead there, the nodes that it took, and how many turns later the search knew the outcome from a bound,
    from the rules or as an endgame, in the longest line that it looked at."""

    turn: Turn
    outcome: str
    position: Position
    ways: int
    nodes: int
    shown_after: int


def solve_deal(position: Position, rules: Rules = PUBLISHED, budget: Budget = DEAL_BUDGET) -> DealAnswer:
    """Is `position` won or lost for the player to move? With a winning turn if it is won.

    Raises `PositionError` if the deck of `rules` is smaller, and `BudgetError` if there is no room for the memory.

    >>> answer = solve_deal(Position.parse("27^40v:17,18,45+20,33,50 43^20v:5,12+4,9"))
    >>> answer.outcome, str(answer.turn)
    ('win', "17^ 45v'")
    >>> solve_deal(Position.parse("43^45v:5,12+4,9 17^40v:18,20,33,50")).outcome
    'loss'
    """
    check_well_formed(position.mover, position.opponent, rules)
    with deadline(budget) as stop:
        return answer_by(new_solver(rules, budget, stop), position, rules, budget.nodes or 0)


def answer_by(solver: DealSolver | DealTeam, position: Position, rules: Rules, nodes: int) -> DealAnswer:
    """As `solve_deal`, by a given solver. What it found before makes no difference. nodes: the limit, 0 for none."""
    outcome, spent, turn = solver.solve(kernel_side(position.mover), kernel_side(position.opponent), nodes, True)
    return DealAnswer(OUTCOMES[outcome], spent, _distinct(position, rules)[turn][0] if turn else None)


def deal_outcomes(position: Position, rules: Rules = PUBLISHED, budget: Budget = DEAL_BUDGET) -> tuple[DealOutcome, ...]:
    """Every distinct outcome of the turns of `position`: won ones first, then unsolved ones, then lost ones; each in the order of
    the first turns. The budget is for all together: of the nodes that are left each turn may take an equal share, in the order in
    which turns are listed.

    >>> for found in deal_outcomes(Position.parse("27^40v:17,18,45+20,33,50 43^20v:5,12+4,9"))[::9]:
    ...     print(found.turn, found.outcome, found.position, sep=" | ")
    17^ 18^ 45v' | win | 43^45v:5,12+4,9 18^40v:20,33,50
    18v 45v' | win | 43^45v:5,12+4,9 27^18v:17,20,33,50
    17v 45v' | loss | 43^45v:5,12+4,9 27^17v:18,20,33,50
    """
    check_well_formed(position.mover, position.opponent, rules)
    with deadline(budget) as stop:
        return outcomes_by(new_solver(rules, budget, stop), position, rules, budget.nodes or 0)


def outcomes_by(solver: DealSolver | DealTeam, position: Position, rules: Rules, nodes: int) -> tuple[DealOutcome, ...]:
    """As `deal_outcomes`, by a given solver. nodes: the limit, 0 for none."""
    rows = _distinct(position, rules)
    found: dict[_DESCRIBED, tuple[str, int, int]] = {}
    sides = kernel_side(position.mover), kernel_side(position.opponent)
    for described, outcome, spent, longest in solver.turn_outcomes(*sides, nodes):
        found.setdefault(described, (OUTCOMES[outcome], spent, longest))
    made = []
    for described, (turn, ways) in rows.items():
        word, spent, longest = found[described]
        made.append(DealOutcome(turn, word, after(position, turn, rules), ways, spent, longest))
    return tuple(sorted(made, key=lambda entry: (WIN, UNSOLVED, LOSS).index(entry.outcome)))


def deal_line(position: Position, rules: Rules = PUBLISHED, budget: Budget = DEAL_BUDGET) -> tuple[tuple[Turn, Position], ...]:
    """A line that proves itself, from a solved deal to the end: each turn, and the position after it.

    Each turn of the winner keeps the win. The loser makes the turn after which the search needed the longest line to show the win
    (among equals the turn that took the most nodes), and from the moment when both piles are empty the turn that delays longest.
    The line ends early where the budget, which is for all together, ran out;
    it is empty if the deal itself is not solved.

    >>> for turn, position in deal_line(Position.parse("27^40v:17,18,45+20,33,50 43^20v:5,12+4,9")):
    ...     print(turn, position, sep=" | ")
    17^ 45v' | 43^45v:5,12+4,9 17^40v:18,20,33,50
    5v 12^' | 12^40v:18,20,33,50 43^5v:4,9
    18^ 20^ 33^ 50^ | 43^5v:4,9 50^40v:
    """
    check_well_formed(position.mover, position.opponent, rules)
    with deadline(budget) as stop:
        return tuple(line_by(new_solver(rules, budget, stop), position, rules, budget.nodes or 0))


def line_by(solver: DealSolver | DealTeam, position: Position, rules: Rules, nodes: int) -> Iterator[tuple[Turn, Position]]:
    """As `deal_line`, by a given solver. nodes: the limit, 0 for none."""
    spent = 0
    while not nodes or spent < nodes:
        turn: Turn | None
        if not isinstance(position, Deal):
            turn = unpack_turn(best_packed(position, rules))
        else:
            one = answer_by(solver, position, rules, max(nodes - spent, 0))
            spent += one.nodes
            turn = one.turn
            if one.outcome == LOSS:
                found = outcomes_by(solver, position, rules, max(nodes - spent, 1) if nodes else 0)
                spent += sum(entry.nodes for entry in found)
                if any(entry.outcome == UNSOLVED for entry in found):
                    return
                turn = longest_defence(found)
        if turn is None:
            return
        position = after(position, turn, rules)
        yield turn, position


def longest_defence(found: Sequence[DealOutcome]) -> Turn | None:
    """Of the outcomes of a lost deal, the turn after which the search needed the longest line to show the win; among equals the
    one that took the most nodes. None if there is no turn."""
    return max(found, key=lambda entry: (entry.shown_after, entry.nodes)).turn if found else None


def solve_deals_many(
    positions: Sequence[Position],
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    budget: Budget = DEAL_BUDGET,
    progress: bool | None = None,
) -> list[DealAnswer]:
    """What `solve_deal` finds for each position. The budget is for each of them.

    threads: None for one a core; each has a memory of its own. progress: None for a bar on a terminal and lines in a log.
    Raises as `solve_deal` does.

    >>> deals = ["27^40v:17,18,45+20,33,50 43^20v:5,12+4,9", "43^45v:5,12+4,9 17^40v:18,20,33,50"]
    >>> [answer.outcome for answer in solve_deals_many([Position.parse(deal) for deal in deals])]
    ['win', 'loss']
    """
    for position in positions:
        check_well_formed(position.mover, position.opponent, rules)

    def search(position: Position, stop: bytearray) -> DealAnswer:
        return answer_by(new_solver(rules, budget, stop), position, rules, budget.nodes or 0)

    return search_all(search, positions, budget, threads, progress)


class DealTeam:
    """Solvers that search a deal together, each in a thread of its own, once it has turned out not to be easy. It does what a
    `DealSolver` does.

    >>> team, deal = DealTeam(PUBLISHED, 1 << 20, 2, bytearray(1)), Position.parse("27^40v:17,18,45+20,33,50 43^20v:5,12+4,9")
    >>> answer_by(team, deal, PUBLISHED, 0).outcome
    'win'
    """

    def __init__(self, rules: Rules, table_bytes: int, threads: int, stop: bytearray):
        self._rules, self._bytes, self._threads, self._stop = (rules.step, rules.lone_card), table_bytes, threads, stop
        self._alone = DealSolver(*self._rules, table_bytes, stop=stop)

    def solve(self, mover: PackedSide, opponent: PackedSide, nodes: int = 0, want_turn: bool = False) -> Solved:
        """As `DealSolver.solve`. The nodes are those of all threads together."""
        alone = self._alone.solve(mover, opponent, min(nodes or EASY, EASY), want_turn)
        if alone[0] or alone[1] < EASY or 0 < nodes <= EASY:
            return alone
        with allocating(self._bytes >> 20):
            shared = SharedTable(self._bytes)
        each = -(-(nodes - EASY) // self._threads) if nodes else 0

        def work(number: int) -> Solved:
            return DealSolver(*self._rules, OWN_BYTES, stop=self._stop, shared=shared).solve(mover, opponent, each, want_turn)

        with ThreadPoolExecutor(self._threads) as pool:
            found = list(pool.map(work, range(self._threads)))
        outcome, _, turn = max(found, key=lambda one: one[0])
        return outcome, EASY + sum(spent for _, spent, _ in found), turn

    def turn_outcomes(self, mover: PackedSide, opponent: PackedSide, nodes: int = 0) -> list[tuple[_DESCRIBED, int, int, int]]:
        """As `DealSolver.turn_outcomes`, in one thread: the turns share their results."""
        return self._alone.turn_outcomes(mover, opponent, nodes)


def new_solver(rules: Rules, budget: Budget, stop: bytearray) -> DealSolver | DealTeam:
    """A solver with the memory that the budget allows. Raises `BudgetError` if there is no room for it."""
    table_mib = budget.mib(DEAL_MIB if budget.search_threads == 1 else TEAM_MIB)
    with allocating(table_mib):
        if budget.search_threads > 1:
            return DealTeam(rules, table_mib << 20, budget.search_threads, stop)
        return DealSolver(rules.step, rules.lone_card, table_mib << 20, stop=stop)


def kernel_side(side: Side) -> PackedSide:
    return side.ascending, side.descending, side.hand, tuple(side.pile)


def _distinct(position: Position, rules: Rules) -> dict[_DESCRIBED, tuple[Turn, int]]:
    """The distinct outcomes of a deal: for each the first turn, and how many ordered turns lead there."""
    mover, opponent = position.mover, position.opponent
    if not opponent.hand or (mover.pile and len(mover.hand) < 2):
        return {}  # F12; F13, whose second reading is about the last card of all
    rows = _outcome_rows.outcomes(packed_sides(mover, opponent), rules.step, rules.lone_card)
    turns = turns_of_kernel(rows["turn"].tolist())
    return {
        (kept, up, down, other_up, other_down): (turn, ways)
        for turn, (_, _, _, kept, other_up, other_down, up, down, ways, _) in zip(turns, rows.tolist(), strict=True)
    }


def described_turns(position: Position, rules: Rules = PUBLISHED) -> dict[_DESCRIBED, Turn]:
    """The first turn of each distinct outcome of a deal, by how the kernel describes it. The other's cards change nothing."""
    return {described: turn for described, (turn, _) in _distinct(position, rules).items()}


def described_outcomes(mover: Side, opponent: Side, rules: Rules, budget: Budget, stop: bytearray) -> dict[_DESCRIBED, str]:
    """What each turn of a well-formed deal is for its player, as far as the budget's nodes for all together suffice: what
    `deal_outcomes` says, without making positions. It ends early once the byte of `stop` is set."""
    found = new_solver(rules, budget, stop).turn_outcomes(kernel_side(mover), kernel_side(opponent), budget.nodes or 0)
    return {described: OUTCOMES[outcome] for described, outcome, *_ in found}


# Answers in the common form; the value of a deal is who wins.


def answer_deal(
    game: Game[Position, Turn, Rules], position: Position, rules: Rules, budget: Budget, want: Collection[str], stop: bytearray
) -> Answer[Position, Turn, Rules]:
    """Who wins, a turn that wins, and the wanted parts. In a lost deal the best turn is the one with the longest line to its
    refutation, and all outcomes are lost, whatever the limits."""
    check_well_formed(position.mover, position.opponent, rules)
    solver, nodes = new_solver(rules, budget, stop), budget.nodes or 0
    found = answer_by(solver, position, rules, nodes)
    best, line, outcomes, optimal = found.turn, None, None, None
    lost = found.outcome == LOSS
    if ALL_OUTCOMES in want or (lost and BEST in want):
        every = outcomes_by(solver, position, rules, nodes)
        best = longest_defence(every) if lost else best
        if ALL_OUTCOMES in want:
            outcomes = _outcomes(every, lost)
            keeping = [one for one in outcomes if one.bounds.solved and one.bounds.lowest == found.outcome]
            optimal = len(keeping) if all(one.solved for one in outcomes) and found.outcome != UNSOLVED else None
    if LINE in want and found.outcome != UNSOLVED:
        steps = list(line_by(solver, position, rules, nodes))
        if not count_turns(steps[-1][1] if steps else position, rules):
            line = tuple(turn for turn, _ in steps)
    if best is None and line is None and lost and not count_turns(position, rules):
        line = ()
    return Answer(game, position, rules, _bounds(found.outcome, found.nodes), SEARCH, best, optimal, line, outcomes)


def bounds_of_deal(position: Position, rules: Rules, budget: Budget, stop: bytearray) -> Bounds:
    """Who wins."""
    check_well_formed(position.mover, position.opponent, rules)
    found = answer_by(new_solver(rules, budget, stop), position, rules, budget.nodes or 0)
    return _bounds(found.outcome, found.nodes)


def outcomes_of_deal(position: Position, rules: Rules, budget: Budget, stop: bytearray) -> tuple[Outcome[Position, Turn], ...]:
    """Every distinct outcome: won ones, unsolved ones, lost ones."""
    check_well_formed(position.mover, position.opponent, rules)
    return _outcomes(outcomes_by(new_solver(rules, budget, stop), position, rules, budget.nodes or 0), False)


def _outcomes(every: Collection[DealOutcome], lost: bool) -> tuple[Outcome[Position, Turn], ...]:
    return tuple(
        Outcome(one.turn, _bounds(LOSS if lost else one.outcome, one.nodes), one.position, 0, one.ways) for one in every
    )


def _bounds(outcome: str, nodes: int) -> Bounds:
    """The bounds, from the worst to the best, of an outcome in words."""
    return Bounds(LOSS, WIN, nodes) if outcome == UNSOLVED else Bounds(outcome, outcome, nodes)
