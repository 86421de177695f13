"""Certificates of equilibria: scripts/check_equilibrium.py accepts them, and here somebody tries to get false ones accepted."""

from fractions import Fraction
from random import Random

import pytest

import kuhn
from certificates import CHECKER, check
from hidden_games import found
from oracles.judges import cases

pytest.importorskip("scipy", reason="needs the extra equilibrium: pip install 'backtrick[equilibrium]'")

@pytest.mark.parametrize("cards", [3, 4, 7])
def test_the_certificate_of_kuhn_poker(cards):
    answer = kuhn.GAME.equilibrium("kuhn", rules=kuhn.Rules(cards))
    said = check(answer.certificate().splitlines())
    assert said.endswith(f"kuhn with {cards} cards: at least {answer.value}, at most {answer.value}")


@pytest.mark.slow
def test_the_certificate_of_leduc_holdem():
    """Its value is a fraction, and this is the proof: both plans, played against every reply by the rules written down here."""
    answer = found("leduc", 3)
    said = check(answer.certificate().splitlines())
    assert said.endswith(f"leduc 3: at least {answer.value}, at most {answer.value}") and answer.value.denominator > 10**20


def test_bounds_have_a_certificate_too():
    answer = found("leduc", 2, gap=Fraction(1, 100))
    assert f"at least {answer.low}, at most {answer.high}" in check(answer.certificate().splitlines())


def certified():
    """Certificates to forge, each with the value."""
    for cards in (3, 4):
        answer = kuhn.GAME.equilibrium("kuhn", rules=kuhn.Rules(cards))
        yield answer.certificate().splitlines(), answer.value
    answer = kuhn.GAME.equilibrium("kuhn", ({3: 2, 1: 1}, None))
    yield answer.certificate().splitlines(), answer.value
    kept = {}
    for case in cases():  # of our games: some states under each rule option, whose values Gambit has told
        if case.game in ("face_to_face", "take_that") and "professional" not in case.options and case.gambit not in "01-":
            kept.setdefault((case.game, case.options), []).append(case)
    for case in (case for some in kept.values() for case in some[:6]):
        game, public = case.game_and_state()
        yield game.equilibrium(public, gap=0).certificate().splitlines(), Fraction(case.gambit)


def turn_of(line):
    """The first turn of a line of a plan."""
    return line.rpartition(" | ")[2].split("; ")[0].rpartition(" ")[0]


def forged(lines, numbers):
    """The lines with one thing changed."""
    lines, plan = list(lines), range(6, len(lines))
    place, other = numbers.sample(plan, 2)
    what = numbers.choice(["low", "high", "share", "turn", "swap", "drop", "hand", "twice", "seat", "part"])
    head = lines[place].rpartition(" | ")[0]
    if what in ("low", "high"):
        at, sign = (4, 1) if what == "low" else (5, -1)
        words = lines[at].split(" ")
        words[-1] = str(Fraction(words[-1]) + sign * Fraction(1, numbers.randint(1, 10**6)))
        lines[at] = " ".join(words)
    elif what == "share":
        lines[place] = f"{head} | {turn_of(lines[place])} {numbers.choice(['1/2', '2', '-1', '0', '3/2', 'x', '1/0', ''])}"
    elif what == "turn":
        lines[place] = f"{head} | {numbers.choice(['x', '', turn_of(lines[other]), turn_of(lines[place])])} 1"
    elif what == "part":
        share = Fraction(1, numbers.randint(2, 9))
        lines[place] = f"{head} | {turn_of(lines[place])} {share}; {turn_of(lines[other])} {1 - share}"
    elif what == "swap":
        lines[place] = f"{head} | {lines[other].rpartition(' | ')[2]}"
    elif what == "drop":
        del lines[place]
    elif what == "hand":
        parts = lines[place].split(" | ")
        lines[place] = " | ".join([*parts[:2], numbers.choice(["", "9", lines[other].split(" | ")[2]]), parts[3]])
    elif what == "seat":
        lines[place] = f"{1 - int(lines[place][0])}{lines[place][1:]}"
    else:
        lines.append(f"{head} | {lines[other].rpartition(' | ')[2]}")
    return what, lines


def proves_nothing_false(certificates, count, seed):
    """Forges certificates so often, and says how often each kind was refused. One that is accepted says only what is true."""
    numbers, refused = Random(seed), {}
    for _ in range(count):
        true, value = numbers.choice(certificates)
        what, lines = forged(true, numbers)
        if lines == true:
            continue
        try:
            said = check(lines)
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
        check(text.splitlines())


def test_probabilities_and_bounds_are_looked_at_to_the_last_digit():
    lines = kuhn.GAME.equilibrium("kuhn").certificate().splitlines()
    place = next(number for number, line in enumerate(lines) if number > 5 and "; " not in line)
    head, _, turn = lines[place].rpartition(" | ")
    play = turn.split(" ")[0]
    for shares in (f"{play} 2", f"{play} 1/2", "p 2; b -1", "p -1; b 2", "p 0; b 1", "p 1/2; p 1/2"):
        with pytest.raises(ValueError, match="probabilities are above 0 and add up to 1|names a turn twice"):
            check([*lines[:place], f"{head} | {shares}", *lines[place + 1 :]])
    more, less = (Fraction(-1, 18) + sign * Fraction(1, 10**40) for sign in (1, -1))
    for at, words, sentence in ((4, f"at least {more}", "is sure of"), (5, f"at most {less}", "leaves")):
        with pytest.raises(ValueError, match=sentence):
            check([*lines[:at], words, *lines[at + 1 :]])
