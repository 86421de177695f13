"""Small games with hidden cards, whose values others have worked out: Leduc hold'em, liar's dice with one die each, Goofspiel,
matching pennies, and one with a card from chance in the middle. None is a game of ours. `kuhn.py` has the plainest of them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations, product
from typing import Any, ClassVar

from backtrick.display import Display
from backtrick.errors import IllegalTurnError, NotationError
from backtrick.game import Game
from backtrick.play import public_state, state
from backtrick.play.state import CHANCE, GAME_OVER


@dataclass(frozen=True)
class Rules:
    """Of all these games: nothing can be chosen but the size."""

    size: int


@dataclass(frozen=True)
class View(state.View):
    """What a player sees: its own card, the turns, and a card that chance has turned up."""

    own: Any
    said: tuple[Any, ...]
    drawn: int | None = None

    def __str__(self) -> str:
        return f"{self.own} {self.drawn} {self.said}"


@dataclass(frozen=True)
class State(state.State):
    """cards: what the players hold. said: the turns so far."""

    rules: Rules
    cards: tuple[Any, Any]
    said: tuple[Any, ...] = ()
    drawn: int | None = None  # a card from chance that both see

    def apply(self, action: Any) -> "State":
        if action not in self.legal():
            raise IllegalTurnError(action, None, "it is not one of the turns", "the rules of this game")
        return replace(self, said=(*self.said, action))

    def view(self, seat: int) -> View:
        return View(self.cards[seat], self.said, self.drawn)

    @property
    def points(self) -> tuple[int, int]:
        gain = self.gain() if self.to_move == GAME_OVER else 0
        return max(gain, 0), max(-gain, 0)

    def gain(self) -> int:
        """What seat 0 gets at the end."""
        raise NotImplementedError


@dataclass(frozen=True)
class Public(public_state.PublicState):
    rules: Rules
    state_type: ClassVar = State
    view_type: ClassVar = View

    def __str__(self) -> str:
        return f"{type(self).__name__.lower()} {self.rules.size}"

    @classmethod
    def parse(cls, text: str, *, rules: Rules | None = None) -> "Public":
        return cls(rules or Rules(int(text)))

    @classmethod
    def of(cls, view: View) -> "Public":
        raise NotImplementedError

    def hand(self, view: View) -> Any:
        return view.own if view.drawn is None else (view.own, view.drawn)


# Leduc hold'em (Southey and others 2005): a deck with two of each card, a card each, one card from chance after the first round


@dataclass(frozen=True)
class LeducState(State):
    """Turns: c to check or call; r to bet or raise, 2 chips in the first round, 4 in the second, twice a round; f to fold."""

    def rounds(self) -> tuple[tuple[str, ...], ...]:
        for end in range(2, len(self.said) + 1):
            if self.said[end - 1] == "c":
                return self.said[:end], self.said[end:]
        return (self.said,)

    def paid(self) -> list[int]:
        chips = [1, 1]
        for size, turns in zip((2, 4), self.rounds(), strict=False):
            for place, turn in enumerate(turns):
                if turn == "c":
                    chips[place % 2] = max(chips)
                elif turn == "r":
                    chips[place % 2] = max(chips) + size
        return chips

    @property
    def to_move(self) -> int:
        rounds = self.rounds()
        last = rounds[-1]
        if "f" in self.said or (len(rounds) == 2 and len(last) > 1 and last[-1] == "c"):
            return GAME_OVER
        return CHANCE if len(rounds) == 2 and self.drawn is None else len(last) % 2

    def legal(self) -> tuple[str, ...]:
        if self.to_move not in (0, 1):
            return ()
        raised = self.rounds()[-1].count("r")
        return (*("f" if raised else ""), "c", *("r" if raised < 2 else ""))

    def chance(self) -> dict[int, Fraction]:
        left = [card for card in range(2 * self.rules.size) if card not in self.cards] if self.to_move == CHANCE else []
        return {card: Fraction(1, len(left)) for card in left}

    def draw(self, card: int) -> "LeducState":
        return replace(self, drawn=card)

    def view(self, seat: int) -> View:
        drawn = None if self.drawn is None else self.drawn // 2  # the suits do not matter
        return View(self.cards[seat] // 2, self.said, drawn)

    def gain(self) -> int:
        chips = self.paid()
        if "f" in self.said:
            return chips[1] if self.to_fold() else -chips[0]
        ranks = [(card // 2 == self.drawn // 2, card // 2) for card in self.cards]
        return 0 if ranks[0] == ranks[1] else chips[1] if ranks[0] > ranks[1] else -chips[0]

    def to_fold(self) -> int:
        return (len(self.rounds()[-1]) - 1) % 2


class Leduc(Public):
    state_type = LeducState

    def worlds(self) -> Iterator[LeducState]:
        return (LeducState(self.rules, cards) for cards in permutations(range(2 * self.rules.size), 2))


# Liar's dice with one die each: bids go up, and a bid is called; the highest face counts as every face


@dataclass(frozen=True)
class DiceState(State):
    """A turn is a bid, (quantity, face), or `liar`."""

    @property
    def to_move(self) -> int:
        return GAME_OVER if self.said[-1:] == ("liar",) else len(self.said) % 2

    def legal(self) -> tuple[Any, ...]:
        if self.to_move == GAME_OVER:
            return ()
        bids = list(product((1, 2), range(1, self.rules.size + 1)))
        return (*bids[bids.index(self.said[-1]) + 1 :], "liar") if self.said else tuple(bids)

    def gain(self) -> int:
        quantity, face = self.said[-2]
        true = sum(one in (face, self.rules.size) for one in self.cards) >= quantity
        bidder = len(self.said) % 2  # it bid the turn before the last
        return 1 if true == (bidder == 0) else -1


class Dice(Public):
    state_type = DiceState

    def worlds(self) -> Iterator[DiceState]:
        faces = range(1, self.rules.size + 1)
        return (DiceState(self.rules, cards) for cards in product(faces, faces))


# Goofspiel: both bid a card for a prize, at the same time; the prizes go down from the highest


@dataclass(frozen=True)
class GoofspielState(State):
    """A turn is a card; seat 1 does not see the card of the same round."""

    @property
    def to_move(self) -> int:
        return GAME_OVER if len(self.said) == 2 * self.rules.size else len(self.said) % 2

    def legal(self) -> tuple[int, ...]:
        used = self.said[len(self.said) % 2 :: 2]
        return tuple(card for card in range(1, self.rules.size + 1) if card not in used)

    def view(self, seat: int) -> View:
        seen = self.said[: len(self.said) // 2 * 2] + (self.said[len(self.said) // 2 * 2 :] if seat == 0 else ())
        return View(None, seen)

    def gain(self) -> int:
        """The difference of the points says who has won; the points do not count."""
        prizes = range(self.rules.size, 0, -1)
        bids = zip(prizes, self.said[::2], self.said[1::2], strict=True)
        total = sum(prize if own > other else -prize if own < other else 0 for prize, own, other in bids)
        return (total > 0) - (total < 0)


class Goofspiel(Public):
    state_type = GoofspielState

    def worlds(self) -> list[GoofspielState]:
        return [GoofspielState(self.rules, (None, None))]


# Matching pennies, in which a match of heads pays more the larger the size


@dataclass(frozen=True)
class PenniesState(State):
    @property
    def to_move(self) -> int:
        return GAME_OVER if len(self.said) == 2 else len(self.said)

    def legal(self) -> tuple[str, ...]:
        return ("heads", "tails") if self.to_move != GAME_OVER else ()

    def view(self, seat: int) -> View:
        return View(None, self.said if seat == 0 or len(self.said) == 2 else ())

    def gain(self) -> int:
        if self.said[0] != self.said[1]:
            return -1
        return self.rules.size if self.said[0] == "heads" else 1


class Pennies(Public):
    state_type = PenniesState

    def worlds(self) -> list[PenniesState]:
        return [PenniesState(self.rules, (None, None))]


# Chance in the middle: a card each; seat 0 stays or doubles; a third card is turned up, not all equally likely; seat 1 calls or
# gives up; the card nearer to the third one wins the stake, seat 0 if both are as near


@dataclass(frozen=True)
class MiddleState(State):
    @property
    def to_move(self) -> int:
        if len(self.said) == 1 and self.drawn is None:
            return CHANCE
        return GAME_OVER if len(self.said) == 2 else len(self.said)

    def legal(self) -> tuple[str, ...]:
        return {0: ("stay", "double"), 1: ("call", "give up")}.get(self.to_move, ())

    def chance(self) -> dict[int, Fraction]:
        left = [card for card in range(1, self.rules.size + 1) if card not in self.cards] if self.to_move == CHANCE else []
        return {card: Fraction(card, sum(left)) for card in left}

    def draw(self, card: int) -> "MiddleState":
        return replace(self, drawn=card)

    def gain(self) -> int:
        stake = 2 if self.said[0] == "double" else 1
        if self.said[1] == "give up":
            return 1
        first, second = (abs(card - self.drawn) for card in self.cards)
        return stake if first <= second else -stake


class Middle(Public):
    state_type = MiddleState

    def worlds(self) -> Iterator[MiddleState]:
        return (MiddleState(self.rules, cards) for cards in permutations(range(1, self.rules.size + 1), 2))


class HiddenDisplay(Display):
    name, title, example = "hidden", "Games of hidden cards", "-"


class HiddenGame(Game[Any, Any, Rules]):
    """What the contract wants besides the states: there are no open positions."""

    display = HiddenDisplay()
    published = Rules(3)

    def __init__(self, public: type[Public]):
        self.public_state = public

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HiddenGame) and self.public_state == other.public_state

    def __hash__(self) -> int:
        return hash(self.public_state)

    def parse(self, text: str, rules: Rules | None = None) -> Any:
        raise NotationError("position", text, 0, "there are no open positions")

    def parse_turn(self, text: str) -> str:
        return text

    def read_turn(self, given: Any) -> Any:
        return given

    def legal_turns(self, position: Any, rules: Rules) -> tuple[Any, ...]:
        return ()

    def play(self, position: Any, turn: Any, rules: Rules) -> tuple[int, None]:
        raise NotImplementedError


GAMES = {public.__name__.lower(): HiddenGame(public) for public in (Leduc, Dice, Goofspiel, Pennies, Middle)}


def found(name: str, size: int, **asked: Any) -> Any:
    """The equilibrium of a game of this size."""
    return GAMES[name].equilibrium(GAMES[name].public_state(Rules(size)), **asked)
