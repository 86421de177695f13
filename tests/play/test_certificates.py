"""Certificates of equilibria: scripts/check_equilibrium.py accepts them, and here somebody tries to get false ones accepted."""

import importlib.util
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

import kuhn
from command import ROOT
from hidden_games import found

pytest.importorskip("scipy", reason="needs the extra equilibrium: pip install 'backtrick[equilibrium]'")

CHECKER = ROOT / "scripts" / "check_equilibrium.py"


def checker():
    spec = importlib.util.spec_from_file_location("check_equilibrium", CHECKER)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


check = checker().check


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


@pytest.mark.parametrize("cards", [3, 4, 7])
def test_the_certificate_of_kuhn_poker(cards):
    answer = kuhn.GAME.equilibrium("kuhn", rules=kuhn.Rules(cards))
    said = check(answer.certificate().splitlines(), GAMES)
    assert said.endswith(f"kuhn with {cards} cards: at least {answer.value}, at most {answer.value}")


def test_the_certificate_of_leduc_holdem():
    """Its value is a fraction, and this is the proof: both plans, played against every reply by the rules written down here."""
    answer = found("leduc", 3)
    said = check(answer.certificate().splitlines(), GAMES)
    assert said.endswith(f"leduc 3: at least {answer.value}, at most {answer.value}") and answer.value.denominator > 10**20


def test_bounds_have_a_certificate_too():
    answer = found("leduc", 2, gap=Fraction(1, 100))
    assert f"at least {answer.low}, at most {answer.high}" in check(answer.certificate().splitlines(), GAMES)


def certified():
    """Certificates to forge, each with what is true."""
    for cards in (3, 4):
        answer = kuhn.GAME.equilibrium("kuhn", rules=kuhn.Rules(cards))
        yield answer.certificate().splitlines(), answer.value
    answer = kuhn.GAME.equilibrium("kuhn", ({3: 2, 1: 1}, None))
    yield answer.certificate().splitlines(), answer.value


def forged(lines, numbers):
    """The lines with one thing changed."""
    lines, plan = list(lines), range(6, len(lines))
    place, other = numbers.sample(plan, 2)
    what = numbers.choice(["low", "high", "share", "turn", "swap", "drop", "hand", "twice", "seat", "part"])
    head, _, shares = lines[place].rpartition(" | ")
    if what in ("low", "high"):
        at, sign = (4, 1) if what == "low" else (5, -1)
        words = lines[at].split(" ")
        words[-1] = str(Fraction(words[-1]) + sign * Fraction(1, numbers.randint(1, 10**6)))
        lines[at] = " ".join(words)
    elif what == "share":
        turn, _, _ = shares.split("; ")[0].rpartition(" ")
        lines[place] = f"{head} | {turn} {numbers.choice(['1/2', '2', '-1', '0', '3/2', 'x', '1/0', ''])}"
    elif what == "turn":
        lines[place] = f"{head} | {numbers.choice(['p', 'b', 'x', ''])} 1"
    elif what == "part":
        share = Fraction(1, numbers.randint(2, 9))
        lines[place] = f"{head} | p {share}; b {1 - share}"
    elif what == "swap":
        lines[place] = f"{head} | {lines[other].rpartition(' | ')[2]}"
    elif what == "drop":
        del lines[place]
    elif what == "hand":
        parts = lines[place].split(" | ")
        lines[place] = " | ".join([*parts[:2], str(numbers.randint(0, 5)), parts[3]])
    elif what == "seat":
        lines[place] = f"{1 - int(lines[place][0])}{lines[place][1:]}"
    else:
        lines.append(f"{head} | {lines[other].rpartition(' | ')[2]}")
    return what, lines


def proves_nothing_false(certificates, count, seed):
    """Forges certificates so often, and says how often each kind was refused. One that is accepted says only what is true."""
    numbers, refused = Random(seed), {}
    for _ in range(count):
        lines, value = numbers.choice(certificates)
        what, lines = forged(lines, numbers)
        try:
            said = check(lines, GAMES)
        except ValueError as problem:
            assert str(problem)
            refused[what] = refused.get(what, 0) + 1
            continue
        assert what not in ("low", "high"), lines
        low, high = (Fraction(words.rpartition(" ")[2]) for words in said.rsplit(": ", 1)[1].split(", "))
        assert low <= value <= high, (what, lines)
    return refused


def test_forged_certificates_prove_nothing_false():
    refused = proves_nothing_false(list(certified()), 200, 1)
    assert len(refused) == 10, refused


@pytest.mark.slow
def test_two_thousand_forged_certificates_prove_nothing_false():
    assert sum(proves_nothing_false(list(certified()), 2_000, 2).values()) > 1_000


def test_the_checker_shares_nothing_and_is_short():
    source = CHECKER.read_text()
    assert len(source.splitlines()) < 400 and "backtrick" not in source.replace("backtrick prove", "")


@pytest.mark.parametrize("text", ["", "game go", "game kuhn\nstate kuhn\nrange 1:1\nrange 1:x\nat least 0\nat most 0",
                                  "game kuhn\nstate kuhn\nrange 1:1\nrange 1:1\nat least 0\nat most 0"])  # fmt: skip
def test_what_is_not_a_certificate_is_refused(text):
    with pytest.raises(ValueError, match="it does not begin|names no game|is not a range|no deal has a weight"):
        check(text.splitlines(), GAMES)


def test_probabilities_and_bounds_are_looked_at_to_the_last_digit():
    lines = kuhn.GAME.equilibrium("kuhn").certificate().splitlines()
    place = next(number for number, line in enumerate(lines) if number > 5 and "; " not in line)
    head, _, turn = lines[place].rpartition(" | ")
    play = turn.split(" ")[0]
    for shares in (f"{play} 2", f"{play} 1/2", "p 2; b -1", "p -1; b 2", "p 0; b 1", "p 1/2; p 1/2"):
        with pytest.raises(ValueError, match="probabilities are above 0 and add up to 1|names a turn twice"):
            check([*lines[:place], f"{head} | {shares}", *lines[place + 1 :]], GAMES)
    more, less = (Fraction(-1, 18) + sign * Fraction(1, 10**40) for sign in (1, -1))
    for at, words, sentence in ((4, f"at least {more}", "is sure of"), (5, f"at most {less}", "leaves")):
        with pytest.raises(ValueError, match=sentence):
            check([*lines[:at], words, *lines[at + 1 :]], GAMES)
