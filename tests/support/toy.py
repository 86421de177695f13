"""A third game in one file: stones. A turn takes one to three of them; who takes the last one has won. A turn is that number."""

from collections.abc import Iterable
from dataclasses import dataclass

from backtrick.display import Display, Option, PositionSource
from backtrick.errors import IllegalTurnError
from backtrick.game import Game
from backtrick.given import read_whole
from backtrick.notation import Cursor


@dataclass(frozen=True)
class Stones:
    count: int

    def __str__(self) -> str:
        return f"stones {self.count}"


@dataclass(frozen=True)
class Rules:
    most: int = 3


class StonesDisplay(Display):
    name, title, example = "toy", "Stones", "stones 5"
    rule_options = {"most": Option("stones that may be taken at once", read_whole(1), metavar="N")}
    sources = {"counted": PositionSource("1 stone, 2 stones, ...", lambda count, seed=0: map(Stones, range(1, count + 1)))}


class Toy(Game[Stones, int, Rules]):
    display = StonesDisplay()
    published = Rules()

    def parse(self, text: str, rules: Rules | None = None) -> Stones:
        cursor = Cursor("position", text)
        cursor.expect("stones")
        return Stones(cursor.last_number())

    def parse_turn(self, text: str) -> int:
        return Cursor("turn", text).last_number()

    def legal_turns(self, position: Stones, rules: Rules) -> Iterable[int]:
        return range(1, min(rules.most, position.count) + 1)

    def play(self, position: Stones, turn: int, rules: Rules) -> tuple[int, Stones | None]:
        if turn not in self.legal_turns(position, rules):
            raise IllegalTurnError(turn, None, f"one to {rules.most} are taken, and no more than there are", "the rule of stones")
        return 0, Stones(position.count - turn)

    def worth(self, points: int, following: int) -> int:
        return following + 1

    def preference(self, value: int) -> int:
        return 100 - value if value % 2 else value


GAME = Toy()
