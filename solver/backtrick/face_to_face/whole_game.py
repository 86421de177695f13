"""The Game: Face to Face as matches see it: `WHOLE_GAME`."""

from __future__ import annotations

from backtrick.face_to_face.game import GAME
from backtrick.face_to_face.players import PLAYERS
from backtrick.face_to_face.samples import decks_of
from backtrick.face_to_face.state import State, View
from backtrick.face_to_face.worlds import Worlds
from backtrick.play import WholeGame
from backtrick.work import Budget

WHOLE_GAME = WholeGame(GAME, State, View, PLAYERS, decks_of, Worlds, deal_budget=Budget(nodes=100_000))
"""What matches ask of this game.

>>> state = WHOLE_GAME.deal(1, 0, GAME.published)
>>> print(WHOLE_GAME.ask(PLAYERS.player("frugal"), state))
55v 7^
"""
