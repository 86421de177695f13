"""Take That as matches see it: `WHOLE_GAME`."""

from __future__ import annotations

from backtrick.play import WholeGame
from backtrick.take_that.game import GAME
from backtrick.take_that.players import PLAYERS
from backtrick.take_that.samples import decks_of
from backtrick.take_that.state import State, View
from backtrick.take_that.worlds import Worlds
from backtrick.work import Budget

WHOLE_GAME = WholeGame(GAME, State, View, PLAYERS, decks_of, Worlds, by_points=True, deal_budget=Budget(nodes=1_000_000))
"""What matches ask of this game. A turn that takes the line while the draw pile lasts is `take,41`, two moves in one.

>>> state = WHOLE_GAME.deal(1, 0, GAME.published)
>>> print(WHOLE_GAME.ask(PLAYERS.player("eager"), state))
13
"""
