"""A game with a hidden card in one file: Kuhn poker (Kuhn 1950). Each player puts one chip into the pot and gets one of `cards`
cards. A turn is `p`, to pass, or `b`, to bet one more chip. Who passes after a bet loses the pot; else the higher card wins it."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import permutations

from backtrick.display import Display, Option
from backtrick.errors import IllegalTurnError
from backtrick.game import Game
from backtrick.notation import Cursor
from backtrick.play import public_state, state
from backtrick.play.state import GAME_OVER


@dataclass(frozen=True)
class Rules:
    cards: int = 3


@dataclass(frozen=True)
class View(state.View):
    card: int
    said: str
    rules: Rules

    def __str__(self) -> str:
        return f"{self.card} {self.said}"


@dataclass(frozen=True)
class State(state.State):
    cards: tuple[int, int]
    said: str = ""
    rules: Rules = field(default=Rules())

    def __str__(self) -> str:
        return f"kuhn {self.cards[0]},{self.cards[1]} {self.said}".rstrip()

    @property
    def to_move(self) -> int:
        return GAME_OVER if self.said in ("pp", "bp", "bb", "pbp", "pbb") else len(self.said) % 2

    def legal(self) -> tuple[str, ...]:
        return () if self.to_move == GAME_OVER else ("p", "b")

    def apply(self, action: str) -> "State":
        if action not in self.legal():
            raise IllegalTurnError(action, None, "a turn is p or b, until the game is over", "the rule of turns")
        return replace(self, said=self.said + action)

    def view(self, seat: int) -> View:
        return View(self.cards[seat], self.said, self.rules)

    @property
    def points(self) -> tuple[int, int]:
        if self.to_move != GAME_OVER:
            return 0, 0
        chips = 2 if self.said.endswith("bb") else 1
        first = self.said == "bp" or (self.said != "pbp" and self.cards[0] > self.cards[1])
        return (chips, 0) if first else (0, chips)


@dataclass(frozen=True)
class Public(public_state.PublicState):
    rules: Rules

    state_type, view_type = State, View

    def __str__(self) -> str:
        return f"kuhn with {self.rules.cards} cards"

    @classmethod
    def parse(cls, text: str, *, rules: Rules | None = None) -> "Public":
        cursor = Cursor("public state", text)
        cursor.expect("kuhn")
        cursor.end("the end")
        return cls(rules or Rules())

    @classmethod
    def of(cls, view: View) -> "Public":
        return cls(view.rules)

    def worlds(self) -> Iterator[State]:
        return (State(cards, rules=self.rules) for cards in permutations(range(1, self.rules.cards + 1), 2))

    def hand(self, view: View) -> int:
        return view.card


class KuhnDisplay(Display):
    name, title, example = "kuhn", "Kuhn poker", "kuhn 2,1"
    rule_options = {"cards": Option("cards in the deck", int, metavar="N")}


class Kuhn(Game[State, str, Rules]):
    """Its positions are states with open cards: whoever sees both knows what each turn is worth."""

    display = KuhnDisplay()
    published = Rules()
    public_state = Public

    def parse(self, text: str, rules: Rules | None = None) -> State:
        cursor = Cursor("position", text)
        cursor.expect("kuhn")
        first = cursor.number()
        cursor.expect(",")
        return State((first, cursor.last_number()), rules=rules or Rules())

    def parse_turn(self, text: str) -> str:
        return text

    def legal_turns(self, position: State, rules: Rules) -> tuple[str, ...]:
        return position.legal()

    def play(self, position: State, turn: str, rules: Rules) -> tuple[int, State | None]:
        after = position.apply(turn)
        return after.points[position.to_move], None if after.to_move == GAME_OVER else after


GAME = Kuhn()
