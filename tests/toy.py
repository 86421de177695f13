"""A third game in one file: stones. A turn takes one to three of them; who takes the last one has won."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backtrick.answer import Bounds
from backtrick.errors import IllegalTurnError, NotationError
from backtrick.game import Game
from backtrick.show import Option, PositionSource, Show


@dataclass(frozen=True)
class Stones:
    count: int

    def __str__(self) -> str:
        return f"stones {self.count}"


@dataclass(frozen=True)
class Take:
    count: int

    def __str__(self) -> str:
        return f"-{self.count}"


@dataclass(frozen=True)
class Rules:
    most: int = 3


class StonesShow(Show):
    name, title, example = "toy", "Stones", "stones 5"
    rule_options = {"most": Option("stones that may be taken at once", int, metavar="N")}
    sources = {"counted": PositionSource("1 stone, 2 stones, ...", lambda count, seed=0: map(Stones, range(1, count + 1)))}

    def value_text(self, bounds: Bounds) -> str:
        return f"{'won' if bounds.lowest % 2 else 'lost'} in {bounds.lowest}"


class Toy(Game[Stones, Take, Rules]):
    show = StonesShow()
    published = Rules()

    def parse(self, text: str, rules: Rules | None = None) -> Stones:
        word, _, number = text.partition(" ")
        if word != "stones" or not number.isdigit():
            raise NotationError("position", text, 1, "stones are written as in 'stones 5'")
        return Stones(int(number))

    def parse_turn(self, text: str) -> Take:
        if not text.removeprefix("-").isdigit():
            raise NotationError("turn", text, 1, "a turn is written as in '-2'")
        return Take(int(text.removeprefix("-")))

    def legal_turns(self, position: Stones, rules: Rules) -> Iterator[Take]:
        return map(Take, range(1, min(rules.most, position.count) + 1))

    def play(self, position: Stones, turn: Take, rules: Rules) -> tuple[int, Stones | None]:
        if turn not in self.legal_turns(position, rules):
            raise IllegalTurnError(turn, None, f"one to {rules.most} are taken, and no more than there are", "the rule of stones")
        return 0, Stones(position.count - turn.count)

    def worth(self, points: int, following: int) -> int:
        return following + 1

    def preference(self, value: int) -> int:
        return 100 - value if value % 2 else value


GAME = Toy()
