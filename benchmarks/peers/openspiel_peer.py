"""Face to Face endgames as an OpenSpiel Python game, solved by OpenSpiel's `alpha_beta_search`.

One action is one whole turn. There is one for each distinct outcome, and those that lay most cards come first, so the search does
not try every order of the same plays. Backtrick's Python lists the turns and remembers them for each state; both favour the peer.
The utility depends on the number of turns: after n turns the winner has 1 - n/10, so the remoteness follows from the value.
"""

from __future__ import annotations

from functools import cache

import pyspiel
from open_spiel.python.algorithms import minimax

from backtrick.face_to_face.position import Position

Record = tuple[int, int, int, int, int, int]  # both hands as masks, the mover's tops, the opponent's tops

# An action is the outcome of its turn: the cards that are left, as 6 bits of the hand before it, then all four tops.
ACTIONS = 1 << 6 + 4 * 6

GAME_TYPE = pyspiel.GameType(
    short_name="face_to_face_endgame",
    long_name="The Game: Face to Face, endgame",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={"position": ""},
)
GAME_INFO = pyspiel.GameInfo(
    num_distinct_actions=ACTIONS,
    max_chance_outcomes=0,
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=6,
)


class EndgameGame(pyspiel.Game):
    """The endgame whose text is the parameter `position`."""

    def __init__(self, params=None):
        params = params or {}
        super().__init__(GAME_TYPE, GAME_INFO, params)
        self.record = Position.parse(params["position"]).packed

    def new_initial_state(self):
        return EndgameState(self)


class EndgameState(pyspiel.State):
    """A position of the endgame, and the number of turns played before it. Player 0 moved first."""

    def __init__(self, game: EndgameGame):
        super().__init__(game)
        self.record = game.record
        self.turns = 0

    def current_player(self):
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.turns % 2

    def is_terminal(self):
        return not actions(self.record)

    def returns(self):
        if not self.is_terminal():
            return [0.0, 0.0]
        win = 1 - self.turns / 10
        return [-win, win] if self.turns % 2 == 0 else [win, -win]  # the player to move has lost (F12, F13)

    def _legal_actions(self, player):
        return list(actions(self.record))

    def _apply_action(self, action):
        self.record = after(self.record, action)
        self.turns += 1

    def _action_to_string(self, player, action):
        return f"turn {action}"

    def __str__(self):
        return f"{self.record} after {self.turns} turns"


@cache
def actions(record: Record) -> tuple[int, ...]:
    """Every distinct outcome of a legal turn, those that lay most cards first; none if the mover has lost."""
    hand, other_hand, *tops = record
    if not other_hand:
        return ()  # F12
    cards = [card for card in range(60) if hand >> card & 1]
    ends: set[tuple[int, int, int, int, int]] = set()
    seen = set()

    def walk(left: int, up: int, down: int, other_up: int, other_down: int) -> None:
        state = (left, up, down, other_up, other_down)
        if state in seen:
            return
        seen.add(state)
        if len(cards) - left.bit_count() >= 2:  # F3
            ends.add(state)
        may_help = other_up == tops[2] and other_down == tops[3]  # F4: a helpful card always changes a top (F8)
        for place, card in enumerate(cards):
            if left >> place & 1:
                rest = left ^ 1 << place
                if card > up or card == up - 10:  # F5
                    walk(rest, card, down, other_up, other_down)
                if card < down or card == down + 10:  # F6
                    walk(rest, up, card, other_up, other_down)
                if may_help and card < other_up:  # F8
                    walk(rest, up, down, card, other_down)
                if may_help and card > other_down:
                    walk(rest, up, down, other_up, card)

    walk((1 << len(cards)) - 1, *tops)
    by_laid = sorted(ends, key=lambda end: (end[0].bit_count(), end))
    return tuple(
        left | up << 6 | down << 12 | other_up << 18 | other_down << 24 for left, up, down, other_up, other_down in by_laid
    )


def after(record: Record, action: int) -> Record:
    """The position that an action leads to, the next mover first."""
    hand, other_hand = record[:2]
    cards = [card for card in range(60) if hand >> card & 1]
    left = sum(1 << card for place, card in enumerate(cards) if action >> place & 1)
    up, down, other_up, other_down = (action >> shift & 63 for shift in (6, 12, 18, 24))
    return other_hand, left, other_up, other_down, up, down


pyspiel.register_game(GAME_TYPE, EndgameGame)


def remoteness(position: str) -> int:
    """The remoteness that OpenSpiel finds for the position that a text names."""
    actions.cache_clear()
    game = pyspiel.load_game("face_to_face_endgame", {"position": position})
    state = game.new_initial_state()
    if state.is_terminal():
        return 0
    value, _ = minimax.alpha_beta_search(game, state=state)
    return round(10 * (1 - abs(value)))
