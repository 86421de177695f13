"""Take That as matches see it: `WHOLE_GAME`."""

from __future__ import annotations

from backtrick import whole_game
from backtrick.state import Player
from backtrick.take_that.action import TAKE, Action
from backtrick.take_that.game import GAME
from backtrick.take_that.options import Rules
from backtrick.take_that.players import PLAYERS
from backtrick.take_that.position import Position
from backtrick.take_that.samples import decks_of
from backtrick.take_that.state import State, View
from backtrick.take_that.worlds import Worlds
from backtrick.whole_game import Result
from backtrick.work import Budget


class WholeGame(whole_game.WholeGame[State, View, Action]):
    """Whole rounds of Take That. A turn that takes the line while the draw pile lasts is `take,41`, two moves in one.

    >>> state = WHOLE_GAME.deal(1, 0, GAME.published)
    >>> print(WHOLE_GAME.ask(PLAYERS.player("eager"), state))
    13
    """

    game = GAME
    players = PLAYERS
    deal_budget = Budget(nodes=1_000_000)
    by_points = True

    def deal(self, seed: int, number: int, rules: Rules) -> State:
        """The state after the deal of game `number` of a seed. The first nine cards are seat 0's, the next nine seat 1's."""
        return State.deal(decks_of(seed, number, number + 1)[0].tolist(), rules)

    def begin(self, position: Position, rules: Rules) -> State:
        """The state of a deal or an endgame, its mover in seat 0."""
        return State.begin(position, rules)

    def play(self, state: State, turn: Action) -> State:
        """The state after a whole turn. Raises `IllegalActionError`, which names the rule."""
        if turn.opening is None:
            return state.apply(turn)
        return state.apply(TAKE).apply(Action(turn.opening))

    def ask(self, player: Player[View, Action], state: State) -> Action:
        """The whole turn of a player. Who takes is asked again, unless the answer says what is laid then (T6).

        Raises `BacktrickError` for an answer that is no turn, and for a second one that lays no card.
        """
        turn: Action = self.game.read_turn(player(state.view(state.to_move)))
        if not turn.is_take or turn.opening is not None or not state.pile:
            return turn
        opening = state.apply(TAKE)
        laid: Action = self.game.read_turn(player(opening.view(opening.to_move)))
        opening.apply(laid)  # raises an error that names the rule if it is no lay
        return Action(opening=laid.card)

    def view_record(self, view: View) -> dict[str, object]:
        """Hand, line, points, and of the other's cards and the pile what is known."""
        own, other = view.points
        return {
            "own": {"hand": list(view.hand), "points": own},
            "other": {"hand_size": view.hand_size, "points": other},
            "line": list(view.line),
            "pile_size": view.pile_size,
            "unseen": list(view.unseen),
        }

    def cards_to_come(self, state: State) -> int:
        """How many cards the draw pile has."""
        return len(state.pile)

    def parse_view(self, text: str, rules: Rules) -> View:
        """The view that `text` names. Raises `NotationError`, `PositionError`."""
        return View.parse(text, rules=rules)

    def worlds(self, view: View, budget: Budget | None = None) -> Worlds:
        """The worlds that a view leaves."""
        return Worlds(view) if budget is None else Worlds(view, budget)

    def reason(self, state: State) -> str:
        """A round ends when the cards do; the points say who has won."""
        return "points"

    def result_worth(self, state: State, value: int, reason: str) -> Result:
        """The player to move is given the difference to come."""
        points = (state.scored[0] + value, state.scored[1]) if state.seat == 0 else (state.scored[0], state.scored[1] + value)
        winner = None if points[0] == points[1] else int(points[1] > points[0])
        return Result(winner, points, reason)


WHOLE_GAME = WholeGame()
"""What matches ask of this game."""
