"""The checker of certificates of equilibria, and the rules of other games for it: Kuhn poker and Leduc hold'em."""

import importlib.util
from fractions import Fraction
from itertools import permutations

from command import ROOT

CHECKER = ROOT / "scripts" / "check_equilibrium.py"


def checker():
    spec = importlib.util.spec_from_file_location("check_equilibrium", CHECKER)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


CHECKED = checker()


class Poker:
    """What the rules of both games of poker here share: turns show themselves, and there are no tops."""

    def __init__(self, options):
        self.cards = int(options[0].partition("=")[2]) if options else 3

    def shown(self, tops, text):
        return text

    def follows(self, tops, shown):
        return tops

    def other(self, worth):
        return -worth


class Kuhn(Poker):
    """A state is both cards and the turns."""

    title = "Kuhn poker"

    def state(self, text):
        return [(cards, "") for cards in permutations(range(1, self.cards + 1), 2)], ()

    def mover(self, state):
        return len(state[1]) % 2

    def sees(self, state, seat):
        return str(state[0][seat])

    def turns(self, state):
        return {turn: [(Fraction(1), (state[0], state[1] + turn))] for turn in "pb"}

    def worth(self, state):
        (first, second), said = state
        higher = 1 if first > second else -1
        return {"pp": higher, "bp": 1, "pbp": -1, "bb": 2 * higher, "pbb": 2 * higher}.get(said)


class Leduc(Poker):
    """A state is (who is to move, both cards, the card of both, the chips of both, the chips of a raise, raises so far, whether
    somebody has checked). Two cards of each rank: cards 2r and 2r + 1 are of rank r. A game that is over is a number."""

    title = "Leduc hold'em"

    def state(self, text):
        self.deck = range(2 * int(text.split()[1]))
        return [(0, cards, None, (1, 1), 2, 0, False) for cards in permutations(self.deck, 2)], ()

    def mover(self, state):
        return state[0] if isinstance(state, tuple) else None

    def sees(self, state, seat):
        own = state[1][seat] // 2
        return str(own) if state[2] is None else f"{own},{state[2] // 2}"

    def worth(self, state):
        return None if isinstance(state, tuple) else Fraction(state)

    def turns(self, state):
        seat, cards, drawn, chips, size, raises, checked = state
        most, sure = max(chips), Fraction(1)
        paid = tuple(most if place == seat else one for place, one in enumerate(chips))
        raised = tuple(most + size if place == seat else one for place, one in enumerate(chips))
        found = {}
        if raises:
            found["f"] = [(sure, chips[1] if seat == 1 else -chips[0])]
        if not raises and not checked:
            found["c"] = [(sure, (1 - seat, cards, drawn, chips, size, 0, True))]
        elif drawn is None:
            left = [card for card in self.deck if card not in cards]
            found["c"] = [(Fraction(1, len(left)), (0, cards, card, paid, 4, 0, False)) for card in left]
        else:
            strength = [(card // 2 == drawn // 2, card // 2) for card in cards]
            winner = (strength[0] > strength[1]) - (strength[0] < strength[1])
            found["c"] = [(sure, winner * most)]
        if raises < 2:
            found["r"] = [(sure, (1 - seat, cards, drawn, raised, size, raises + 1, checked))]
        return found


GAMES = {"kuhn": Kuhn, "hidden": Leduc}


def check(lines):
    """What scripts/check_equilibrium.py says of a certificate. Raises `ValueError`."""
    return CHECKED.check(lines, CHECKED.GAMES | GAMES)
