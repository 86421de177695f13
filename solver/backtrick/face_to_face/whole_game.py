"""The Game: Face to Face as matches see it: `WHOLE_GAME`."""

from __future__ import annotations

from backtrick import whole_game
from backtrick.face_to_face.game import GAME
from backtrick.face_to_face.options import Rules
from backtrick.face_to_face.players import PLAYERS
from backtrick.face_to_face.position import Position
from backtrick.face_to_face.rules import all_laid
from backtrick.face_to_face.samples import decks_of
from backtrick.face_to_face.state import State, View
from backtrick.face_to_face.turn import Turn
from backtrick.face_to_face.worlds import Worlds
from backtrick.whole_game import Result
from backtrick.work import Budget


class WholeGame(whole_game.WholeGame[State, View, Turn]):
    """Whole games of Face to Face.

    >>> state = WHOLE_GAME.deal(1, 0, GAME.published)
    >>> print(WHOLE_GAME.ask(PLAYERS.player("frugal"), state))
    55v 7^
    """

    game = GAME
    players = PLAYERS
    deal_budget = Budget(nodes=100_000)

    def deal(self, seed: int, number: int, rules: Rules) -> State:
        """The state after the deal of game `number` of a seed. Seat 0 has the first of both decks, and begins."""
        return State.deal(decks_of(seed, number, number + 1)[0].tolist(), rules)

    def begin(self, position: Position, rules: Rules) -> State:
        """The state of a deal or an endgame, its mover in seat 0."""
        return State.begin(position, rules)

    def play(self, state: State, turn: Turn) -> State:
        """The state after a whole turn. Raises `IllegalTurnError`, which names the rule."""
        return state.play(turn)

    def view_record(self, view: View) -> dict[str, object]:
        """Both sides: tops, the own cards, and of the other's what is known."""
        own = {"ascending": view.own.ascending, "descending": view.own.descending}
        other = {"ascending": view.ascending, "descending": view.descending}
        return {
            "own": own | {"hand": list(view.own.hand), "pile": sorted(view.own.pile)},
            "other": other | {"hand_size": view.hand_size, "pile_size": view.pile_size, "unlaid": sorted(view.unlaid)},
        }

    def cards_to_come(self, state: State) -> int:
        """How many cards the larger draw pile has."""
        return max(len(side.pile) for side in (state.table.mover, state.table.opponent))

    def parse_view(self, text: str, rules: Rules) -> View:
        """The view that `text` names. Raises `NotationError`, `PositionError`."""
        return View.parse(text, rules)

    def worlds(self, view: View, budget: Budget | None = None) -> Worlds:
        """The worlds that a view leaves."""
        return Worlds(view) if budget is None else Worlds(view, budget)

    def reason(self, state: State) -> str:
        """The winner has laid all cards (F12), or the loser is stuck (F13)."""
        return "all cards laid" if all_laid(state.table.opponent) else "stuck"

    def result_worth(self, state: State, value: int, reason: str) -> Result:
        """Odd values are wins of the player to move."""
        return Result(state.seat if value % 2 else 1 - state.seat, state.points, reason)


WHOLE_GAME = WholeGame()
"""What matches ask of this game."""
