"""Proofs: `backtrick prove` writes them, scripts/check_proof.py checks them, and here somebody tries to get wrong ones accepted."""

from __future__ import annotations

import importlib.util
import itertools
import random
import re
import subprocess
import sys
from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np
import pytest

from audit.take_that import brute_force
from audit.take_that.small_deals import DEAL_DTYPE
from backtrick import face_to_face, take_that
from backtrick.budget import _CLOCK, Budget
from backtrick.errors import BacktrickError, BudgetError, ContradictionError, NotSolvedError
from backtrick.face_to_face import proving
from backtrick.proofs import prove
from backtrick.take_that.rule_options import DECK
from command import DATA, ROOT, ask
from oracles import face_to_face_deals, take_that_deals

CHECKER = ROOT / "scripts" / "check_proof.py"
FACE, TAKE = face_to_face.GAME, take_that.GAME

DUEL = "50^23v:7,12,17,21,26,35+56,19,18 58^37v:2,3,6,52,53,59+57,32,33"
ROUND = "12,43,94 21 34-41-49 22,33"
LONGER = "15,43,44 21,53 51-62-35 12,34,61,52"


def _checker():
    spec = importlib.util.spec_from_file_location("check_proof", CHECKER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECK = _checker()
check = CHECK.check


def proof_of(game, text, rules=None):
    return list(prove(game, game.parse(text), rules))


def verdict(game, claim, options="published rules"):
    """What the checker says of a proof: game and rules, so that nobody takes it for another one."""
    return f"{'Face to Face' if game is FACE else 'Take That'}, {options}: {claim}"


def options_of(rules):
    """The rules as a verdict names them."""
    if isinstance(rules, face_to_face.Rules):
        return "lone-card" if rules.lone_card else "published rules"
    named = ["forced-only"] * rules.forced_only + ["empty-line=ends"] * (rules.empty_line == "ends")
    return ", ".join(named) or "published rules"


def random_deal(game, rng):
    """A small deal under random rules that a proof can name, with what the oracle says of it."""
    if game is TAKE:
        rules = take_that_deals.random_rules(rng)
        deal = take_that_deals.random_deal(rng, 3, 4, 4)
        return deal, rules, f"={take_that_deals.value_of(deal, rules)}"
    rules = face_to_face.Rules(lone_card=rng.random() < 0.5)
    deal = face_to_face_deals.random_deal(rng, 4 if rng.random() < 0.9 else 5)
    return deal, rules, "win" if face_to_face_deals.is_won(deal, rules, {}) else "loss"


@pytest.mark.parametrize(("game", "planned"), [(FACE, 3), (FACE, 0), (TAKE, 0)], ids=["plans", "no plans", "take-that"])
def test_proofs_say_what_the_oracle_says(game, planned, monkeypatch, times):
    monkeypatch.setattr(proving, "MOST_PLANNED", planned)
    rng = random.Random(1)
    named = set()
    for _ in range(30 * times):
        deal, rules, claim = random_deal(game, rng)
        options = options_of(rules)
        assert check(prove(game, deal, rules)) == verdict(game, f"{claim} {deal}", options), (deal, rules)
        named.add(options)
    assert len(named) == (2 if game is FACE else 4)


@pytest.mark.parametrize(("empty_line", "value"), [("opens", 1), ("ends", 0)])
def test_an_endgame_without_a_line_is_proved(empty_line, value):
    """By hand: who opens it leaves the other nothing but to take that card, and under the other rule the round is over (T9)."""
    rules = take_that.Rules(empty_line=empty_line)
    assert check(proof_of(TAKE, "12,21 45 -", rules)) == verdict(TAKE, f"={value} 12,21 45 -", options_of(rules))


@pytest.mark.parametrize(
    "text, rules",
    [("36,43,93 41,78 39 85", take_that.Rules(forced_only=True, empty_line="ends")),
     ("56,68 65,88,93 - 39,43,41,36,78,85", take_that.Rules(forced_only=True, empty_line="ends")),
     ("29,45,62 44,54,77 92 14", take_that.Rules())],
)  # fmt: skip
def test_a_twist_that_draws_the_last_card_and_leaves_no_line_may_end_the_round(text, rules):
    """It is not taken for an answer that gets more (T9): in the first deal 93x39 gets 2 where 36 gets 4. In the last one the round
    goes on, and who must open a line loses by it."""
    value = take_that_deals.value_of(take_that.Deal.parse(text), rules)
    assert check(proof_of(TAKE, text, rules)) == verdict(TAKE, f"={value} {text}", options_of(rules))


REMEMBERED = [
    "17,44 75 37 22,72,76,69", "49 35 68-44 62,47,26,55", "58 54 - 46,55,22", "25,31 38,45 - 35,34,33,43,42,48",
    "59,69 48,55 96-57 53,51",
]  # fmt: skip


@pytest.mark.parametrize("text", REMEMBERED)
def test_what_is_proved_is_remembered_as_the_checker_does(text):
    """Of one state two bounds are proved, and the better one counts. Who may be left with toads alone has to lay one. States in
    which another card just fits are two."""
    value = take_that_deals.value_of(take_that.Deal.parse(text), TAKE.published)
    assert check(proof_of(TAKE, text)) == verdict(TAKE, f"={value} {text}")


@pytest.mark.parametrize(("most", "count"), [(8, 5), (10, 1)])
def test_proofs_of_the_benchmark_deals(most, count, times):
    lines = (ROOT / "benchmarks" / "positions" / f"deals_{most}.txt").read_text().splitlines()
    for text in [line for line in lines if line[0] != "#"][: count * times]:
        outcome = FACE.solve(FACE.parse(text)).outcome
        assert check(prove(FACE, FACE.parse(text))) == verdict(FACE, f"{outcome} {text}")


def test_a_turn_with_two_orders_is_answered():
    """33v 43v and 43^ 33^ are one turn, which leaves the tops as they were."""
    text = "33^43v:33,43+44,39,34,42,38,31 19^40v:35,40"
    assert check(proof_of(FACE, text)) == verdict(FACE, f"loss {text}")


def test_the_examples_of_the_page_are_what_is_written():
    page = (ROOT / "docs" / "proofs.md").read_text()
    examples = re.findall(r"(?m)^    game .*\n    claim .*\n(?:^    .*\n)+", page)
    assert len(examples) == 2
    for example in examples:
        lines = [line.removeprefix("    ") for line in example.splitlines()]
        game = FACE if "face" in lines[0] else TAKE
        assert lines == proof_of(game, lines[1].split(" ", 2)[2])


def test_the_verdict_names_the_rules():
    """A lone card wins under the second reading of F13, and loses under the published rules: neither may be taken for the other."""
    text = "20^2v:30 1^60v:21,40"
    proofs = [proof_of(FACE, text, face_to_face.Rules(lone_card=lone)) for lone in (True, False)]
    assert list(map(check, proofs)) == [f"Face to Face, lone-card: win {text}", f"Face to Face, published rules: loss {text}"]
    rules = take_that.Rules(forced_only=True, empty_line="ends")
    assert check(proof_of(TAKE, ROUND, rules)).startswith("Take That, forced-only, empty-line=ends: =")


REFUSED = re.compile(r"\.Position\.parse\('(.*)'\)\tPositionError: .*\((F12?|F2|T[123])\)$", re.MULTILINE)
NO_POSITIONS = [one for one in REFUSED.findall((DATA / "refusals.txt").read_text()) if not re.search(r"\d{3}|v:\d+\^", one[0])]
"""Texts that the package refuses, and the rule; a number of three digits is no list of cards to the checker, nor are two sides
without a space between them."""


@pytest.mark.parametrize(("text", "why"), NO_POSITIONS)
def test_positions_that_cannot_be_are_refused(text, why):
    """As the package refuses them: as a claim or as a line above it, whatever the proof says."""
    game = FACE if "v" in text else TAKE
    if game is TAKE:
        proofs = [["game take-that", f"claim =0 {text}", "12"]]
    else:
        proofs = [["game face-to-face", f"claim {word} {text}", f"{word} {text}"] for word in ("win", "loss")]
        proofs.append(["game face-to-face", f"claim win {DUEL}", f"loss {text} | 2^ 3^"])
    for proof in proofs:
        with pytest.raises(ValueError, match=rf"line [23]: .*\((?:[FT]\d+, )*{why}(?:, [FT]\d+)*\)"):
            check(proof)


def test_a_number_may_be_there_twice():
    """Once in each colour: on two piles, or in both hands."""
    for text in ("30^40v:31,33 1^30v:34,35", "20^40v:30,31 1^60v:30,33", "30^40v:30,31 1^60v:34,35+33", "1^60v:2,3 1^60v:2,3"):
        assert check(proof_of(FACE, text)).endswith(text)


def test_what_wins_by_a_plan_is_won():
    """Every reply that the checker takes, with whatever plan, leads to a position that the oracle calls lost."""
    rng = random.Random(4)
    taken = {True: 0, False: 0}
    for _ in range(500):
        deal, rules, _ = random_small_duel(rng)
        game = CHECK.FaceToFace(["lone-card"] * rules.lone_card)
        own, other = game.position(str(deal))
        plan = _random_plan(game, own, other, rng)
        if plan is None:
            continue
        reply, after = plan
        accepted = game.answers(own, other, reply)
        taken[accepted] += 1
        if accepted:
            assert not face_to_face_deals.is_won(FACE.parse(f"{after[1]} {after[0]}"), rules, {}), (deal, reply)
    assert min(taken.values()) > 7, taken


def random_small_duel(rng):
    rules = face_to_face.Rules(lone_card=rng.random() < 0.5)
    return face_to_face_deals.random_deal(rng, 4), rules, None


def _random_plan(game, own, other, rng):
    """A turn, and up to two turns of a plan, each as likely as any other; what the turn leads to. None if there are none."""

    def random_turn(side, against, plan):
        cards = CHECK.cards_of(side.hand)
        for _ in range(40):
            laid = rng.sample(cards, rng.randint(min(1, len(cards)), len(cards)))
            signs = ["^", "v"] if plan else ["^", "v", "^", "v", "^'", "v'"]
            text = " ".join(f"{card}{rng.choice(signs)}" for card in laid)
            after = game.turn(side, None if plan else other, text, against) if text else None
            if after:
                return text, after
        return None

    first = random_turn(own, 0, False)
    if first is None or not (first[1][0].left() and first[1][1].left()):
        return None
    reply, after = first
    side, texts = after[0], []
    for _ in range(rng.randint(1, 2)):
        found = random_turn(side, after[1].left() if rng.random() < 0.9 else 0, True)
        if found is None:
            break
        texts.append(found[0])
        side = found[1][0]
    return (reply + "/" + "/".join(texts), after) if texts else None


@pytest.mark.parametrize("game", [FACE, TAKE], ids=["face-to-face", "take-that"])
def test_all_turns_must_be_answered(game, monkeypatch):
    """Of a proof without plans each reply is left out in turn. What is accepted then is the same claim, and most are not."""
    monkeypatch.setattr(proving, "MOST_PLANNED", 0)
    rng = random.Random(2)
    refused = accepted = 0
    for _ in range(40):
        deal, rules, _ = random_deal(game, rng)
        head, claim, *lines = list(prove(game, deal, rules))
        between = "; " if game is FACE else " "
        for place, line in enumerate(lines):
            fact, bar, replies = line.rpartition(" | ")
            for number in range(len(replies.split(between)) if bar or game is TAKE else 0):
                fewer = replies.split(between)
                del fewer[number]
                shorter = [*lines[:place], fact + bar + between.join(fewer), *lines[place + 1 :]]
                if _refused_or_true([head, claim, *shorter], verdict(game, claim.removeprefix("claim "), options_of(rules))):
                    accepted += 1
                else:
                    refused += 1
    assert refused > 2 * accepted, (refused, accepted)


def test_the_checker_lists_the_turns_of_the_oracle():
    """Face to Face: all its turns are turns of the oracle, and each of those is no better for its player than one of them."""
    rng = random.Random(5)
    for _ in range(150):
        deal, rules, _ = random_small_duel(rng)
        game = CHECK.FaceToFace(["lone-card"] * rules.lone_card)
        every = {str(following) for following in face_to_face_deals.followers(deal, rules)}
        listed = list(game.turns(*game.position(str(deal))))
        texts = {f"{other} {own}" for own, other in listed}
        assert texts <= every, deal
        assert len(texts) == len(listed)
        for (own, other), (best, same) in itertools.permutations(listed, 2):  # of two such turns one is skipped
            alike = (own.left(), own.pile, other) == (best.left(), best.pile, same)
            assert not (alike and game.no_better(own[:2], best[:2], own.left())), deal
        for text in every - texts:
            other, own = (side_of(game, part) for part in text.split(" "))
            same = [one for one in listed if one[0].left() == own.left() and one[0].pile == own.pile and one[1] == other]
            assert any(game.no_better(own[:2], one[0][:2], own.left()) for one in same), (deal, text)


@pytest.mark.parametrize(("card", "on_both"), [(40, False), (39, True), (41, True)])
def test_a_back_trick_makes_a_top_better_where_the_card_does_not_fit_already(card, on_both):
    """Descending 30 takes 40 (F9), and the 40 of the other colour does not; 41 takes it. So with ascending tops."""
    game = CHECK.FaceToFace([])
    assert game.no_better((1, 30), (1, 40), 1 << card) == game.no_better((31, 60), (21, 60), 1 << 61 - card) == on_both
    assert game.no_better((1, 30), (1, 41), 1 << card) and game.no_better((31, 60), (20, 60), 1 << 61 - card)


def test_the_checker_plays_a_turn_as_the_rules_do():
    """Also what is no turn: of a card that is not there, of too few cards, of a second helpful one."""
    rng, signs = random.Random(6), ["^", "v", "^", "v", "^'", "v'"]
    for _ in range(150):
        deal, rules, _ = random_small_duel(rng)
        game = CHECK.FaceToFace(["lone-card"] * rules.lone_card)
        mover, other = game.position(str(deal))
        near = [*CHECK.cards_of(mover.hand), *CHECK.cards_of(mover.hand), mover.down + 10, mover.up - 10, rng.randint(2, 59)]
        for _ in range(12 if other.left() else 0):
            cards = [card for card in rng.choices(near, k=rng.randint(1, 3)) if 1 < card < 60]
            text = " ".join(f"{card}{rng.choice(signs)}" for card in cards)
            try:
                following = face_to_face.GAME.play(face_to_face.Deal.parse(str(deal)), face_to_face.Turn.parse(text), rules)[1]
            except BacktrickError:
                following = None
            after = game.turn(mover, other, text) if text else None
            assert (after and f"{after[1]} {after[0]}") == (following and str(following)), (deal, rules, text)


def side_of(game, text):
    up, down, hand, pile = re.fullmatch(r"(\d+)\^(\d+)v:([\d,]*)\+?([\d,]*)", text).groups()
    return CHECK.Side(int(up), int(down), CHECK.set_of(CHECK.numbers(hand)), CHECK.numbers(pile))


def _refused_or_true(lines, proved):
    """A proof of something else is not accepted: what is proved is what the proof was made for, and that is true."""
    try:
        found = check(lines)
    except ValueError:
        return False
    assert found == proved
    return True


@pytest.mark.parametrize(
    ("game", "text"),
    [(FACE, DUEL), (TAKE, ROUND), (FACE, "52^6v:16,18,19,57 53^15v:4,7,29,44"), (TAKE, LONGER)],
    ids=["duel", "round", "duel's end", "longer round"],
)
def test_wrong_proofs_are_refused(game, text):
    """Each of them by its own sentence, at its own line."""
    proof = proof_of(game, text)
    assert check(proof).endswith(text)
    for lines, sentence in _wrong(proof):
        with pytest.raises(ValueError, match=sentence):
            check(lines)


def _wrong(proof):
    game, claim, *lines = proof
    word, text = claim.removeprefix("claim ").split(" ", 1)
    yield [game, claim, *lines[:-1]], "the claim is not proved"
    yield [game, claim], "line 3: the proof ends"
    yield [], "line 1: the proof ends"
    yield ["game chess", claim, *lines], "line 1: it names no game"
    yield [f"{game} quickly", claim, *lines], "line 1: .* are not options"
    yield [game, *lines], "line 2: it does not say what is to be proved"
    if "take-that" in game:
        yield [game, f"claim <{word} {text}", *lines], "line 2: '<=.*' is not a claim"
        yield [game, claim.replace(" ", "  ", 2), *lines], "is not"
        for wrong in (int(word[1:]) - 1, int(word[1:]) + 1):
            yield [game, f"claim ={wrong} {text}", *lines], "line .*: (('.*'|the mover) does not get|the proof ends)"
        for place, line in enumerate(lines):
            yield [game, claim, *lines[:place], f"99 {line}", *lines[place + 1 :]], f"line {place + 3}: '99' does not get"
        yield [game, claim, *reversed(lines)], "does not get|the proof ends"
        return
    yield [game, f"claim {'loss' if word == 'win' else 'win'} {text}", *lines], "the claim is not proved"
    yield [game, claim, "draw " + text, *lines], "line 3: 'draw' is not a claim"
    yield [game, claim, lines[-1].replace(text, text.replace(" ", ""), 1)], "is not a position"
    for line in lines:
        fact, _, replies = line.partition(" | ")
        if replies:
            nothing = [one if one != line else fact for one in lines]
            yield [game, claim, *nothing], "nothing answers|is not a turn"
    if len(lines) > 1:
        yield [game, claim, *reversed(lines)], "nothing answers"  # children come before their parents


@pytest.mark.parametrize(
    ("position", "reply", "right"),
    [
        ("20^50v:30,40,45,48 10^20v:12,13,14+15,16", "40^ 48v/30^ 45^", True),  # through, before the other is
        ("20^50v:30,40,45,48 10^20v:12,13,35+15,16", "40^ 48v/30^ 45^", False),  # 35^' breaks the back trick
        ("20^50v:30,40,45,48 10^20v:12,13,29+15,16", "40^ 48v/30^ 45^", True),  # 29^' does not
        ("20^50v:30,40,45,48 10^20v:12,13", "40^ 48v/30^ 45^", False),  # the other is through before
        ("20^50v:30,40,45,48 10^20v:12,13,14+15,16", "40^ 48v/30^", False),  # one card is not a turn
        ("20^50v:30,40,45,48 10^20v:12,13,14+15,16", "40^ 48v/30v 45^'", False),  # who knows whether it fits then
        ("20^50v:30,40,45,48 10^20v:12,13,14+15,16", "40^ 48v/30^ 44^", False),  # no such card
        ("20^50v:30,40,45,48+55,56 57^3v:4,5,6,7,58,59+8,9", "40^ 48v/45^ 55^", False),  # the other has two turns left
        ("20^50v:30,40,45,48+55,56 57^3v:4,5,6,7,58,59+8,9", "40^ 48v/45^ 55^/56^ 30v", True),
    ],
)
def test_plans(position, reply, right):
    proof = ["game face-to-face", f"claim win {position}", f"win {position} | {reply}"]
    if right:
        assert check(proof) == verdict(FACE, f"win {position}")
    else:
        with pytest.raises(ValueError, match="line 3: nothing answers"):
            check(proof)


def test_who_has_laid_all_cards_has_won():
    """F12: the player to move has lost, also if it could lay all of its own."""
    over = "1^60v:2,3 5^50v:"
    for text in (over, "1^60v:2,3+4 5^50v:"):
        assert proof_of(face_to_face.GAME, text) == ["game face-to-face", f"claim loss {text}", f"loss {text}"]
    assert check(proof_of(face_to_face.GAME, over)) == verdict(FACE, f"loss {over}")
    with pytest.raises(ValueError, match="line 3: .* has laid all cards"):
        check(["game face-to-face", f"claim win {over}", f"win {over} | 2^ 3^"])


def test_what_needs_no_proof_is_true(times):
    """Take That: before anything is proved, no turn is thought to get its player more than it does. With no card to come the
    checker finds out by itself, so there it thinks no less either."""
    rng = random.Random(6)
    spoken, too_large = {"pile": 0, "taking": 0, "endgame": 0}, 0
    for number in range(180 * times):
        rules = take_that_deals.random_rules(rng)
        deal = take_that_deals.random_deal(rng, *((5, 5, 0) if number % 3 else (3, 4, 5)))
        game, successors = checker_of(rules), list(take_that.rules.successors(deal, rules))
        found = brute_values([deal, *(after for *_, after in successors if after)], rules)
        if brute_force.NOT_SOLVED in found:
            too_large += 1
            continue
        value, *rest = found
        values = iter(rest)
        for turn, points, after in successors:
            told = game.turns(*game.position(str(deal)))[str(turn)]
            worth = points - (next(values) if after else 0)
            assert told[0] == points
            assert not game.enough(*told, worth + 1), (deal, rules, turn)
            if after is None or not after.pile:
                assert game.enough(*told, worth), (deal, rules, turn)
                spoken["endgame"] += after is not None
            else:
                low = game.low(*game.position(str(deal)))
                assert low <= value, (deal, rules)
                spoken["taking"] += low > -99
                spoken["pile"] += game.enough(*told, worth)
    assert min(spoken.values()) > 20, spoken
    assert too_large <= 180 * times // 500  # of the quick share none


def brute_values(deals, rules):
    """By the kernel that tries everything, which the plain recursion is too slow for."""
    rows = np.zeros(len(deals), DEAL_DTYPE)
    for row, deal in zip(rows, deals, strict=True):
        for name in DEAL_DTYPE.names:
            row[name][: len(getattr(deal, name))] = getattr(deal, name)
    return brute_force.brute_values(rows, rules).tolist()


def test_takers_lose_no_more_than_the_checker_says(times):
    """Take That: deals of toads and of cards near them, where a player who takes at every turn loses most."""
    rng, reached = random.Random(7), 0
    for _ in range(200 * times):
        rules = take_that.Rules(empty_line=rng.choice(["opens", "ends"]))
        toad = rng.choice([22, 33, 44, 55, 66, 77, 88])
        deck = [card for card in DECK if abs(card - toad) <= 11]
        cards = rng.sample(deck, 9)
        deal = take_that.Position(cards[:2], cards[2:4], cards[4:5], cards[5 : 5 + rng.randint(1, 4)])
        game = checker_of(rules)
        low, value = game.low(*game.position(str(deal))), take_that_deals.value_of(deal, rules)
        assert low <= value, (deal, rules)
        reached += low == value
    assert reached > 5


def test_positions_of_one_essence_are_worth_the_same(times):
    """Take That: the same hands and the same pile, and lines of the same few cards."""
    rng, alike = random.Random(8), 0
    for _ in range(25 * times):
        rules = take_that_deals.random_rules(rng)
        least = rng.randint(12, 60)
        cards = [card for card in DECK if least <= card < least + 12 or card % 10 * 10 + card // 10 in range(least, least + 12)]
        rng.shuffle(cards)
        game, values, lines = checker_of(rules), {}, {}
        for _ in range(60):
            line = rng.sample(cards[5:], rng.randint(1, 4))
            deal = take_that.Position(cards[:2], cards[2:4], line, cards[4 : rng.randint(4, 5)])
            essence = game.essence(*game.position(str(deal)))
            value = take_that_deals.value_of(deal, rules)
            assert values.setdefault(essence, value) == value, (deal, rules)
            alike += lines.setdefault(essence, line) != line
            if not deal.pile:  # all of these endgames share what the checker remembers
                assert game.beats(*game.position(str(deal))[:3], value)
                assert not game.beats(*game.position(str(deal))[:3], value + 1)
    assert alike > 100


def checker_of(rules):
    return CHECK.TakeThat(["forced-only"] * rules.forced_only + ["empty-line=ends"] * (rules.empty_line == "ends"))


def test_a_refusal_names_the_cards_and_the_turn_of_the_proof():
    """By hand: the first mover gets 1 (see above); the second takes a toad for 5, and the other a card for 1 (T6)."""
    for lines, sentence in (
        (["game take-that", "claim =2 12,21 45 -"], "the mover does not get 2 at ((12, 21), (45,), (), ())"),
        (["game take-that forced-only", "claim =-3 12 98 55 34", "take,12"],
         "'take,12' does not get -3 at ((12,), (98,), (55,), (34,))"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=re.escape(sentence)):
            check(lines)


def test_the_order_of_the_pile_counts():
    for game, text in ((FACE, DUEL), (TAKE, ROUND)):
        proof = proof_of(game, text)
        pile = re.findall(r"(?<=[+ ])[\d,]+$", text)[0]
        turned = text.removesuffix(pile) + ",".join(reversed(pile.split(",")))
        for place, line in enumerate(proof):
            if (place > 1) == (game is FACE) and text in line:
                with pytest.raises(ValueError, match=r"the claim is not proved|nothing answers|does not get"):
                    check([*proof[:place], line.replace(text, turned), *proof[place + 1 :]])


@pytest.mark.parametrize(("game", "text"), [(FACE, DUEL), (TAKE, ROUND), (TAKE, LONGER)], ids=["duel", "round", "longer round"])
def test_no_mutation_changes_the_claim(game, text, times):
    """Characters changed, words exchanged, lines left out, doubled and moved: what is still accepted proves what it claims."""
    rng = random.Random(3)
    proof = proof_of(game, text)
    refused = 0
    for _ in range(125 * times):
        lines = _mutated(proof, rng)
        try:
            found = check(lines)
        except ValueError as error:
            assert re.match(r"line \d+: .", str(error))
            refused += 1
        else:
            asked = verdict(game, proof[1].removeprefix("claim "))
            assert found == asked or (game is TAKE and is_worth(found.removeprefix(verdict(TAKE, ""))))
    assert refused > 62 * times


def is_worth(claim):
    """Is a claim of Take That true? Its proof names no position but that of the claim, so it may prove another one, too."""
    value, text = claim.split(" ", 1)
    return value == f"={take_that_deals.value_of(TAKE.parse(text), take_that.Rules())}"


def _mutated(proof, rng):
    lines = list(proof)
    for _ in range(rng.choice([1, 1, 2])):
        place = rng.randrange(len(lines))
        line = lines[place]
        kind = rng.randrange(6)
        if kind == 0:
            del lines[place]
        elif kind == 1:
            other = rng.randrange(len(lines))
            lines[place], lines[other] = lines[other], lines[place]
        elif kind == 2:
            words = re.split(r"([ ,;|/])", line)
            words[2 * rng.randrange(len(words) // 2 + 1)] = rng.choice(re.split(r"[ ,;|/]", rng.choice(lines)))
            lines[place] = "".join(words)
        elif kind == 3:
            cards = list(re.finditer(r"\d+", line))
            if cards:
                card = rng.choice(cards)
                lines[place] = f"{line[: card.start()]}{int(card[0]) + rng.choice([-10, -1, 1, 10])}{line[card.end() :]}"
        elif kind == 4:
            fact, _, replies = line.partition(" | ")
            kept = replies.split("; ")
            kept.pop(rng.randrange(len(kept)))
            lines[place] = fact + (" | " + "; ".join(kept) if kept else "")
        else:
            at = rng.randrange(len(line) + 1)
            lines[place] = line[:at] + rng.choice("0123456789^v',; |/-+<=>") + line[at + 1 :]
        if not lines:
            return lines
    return lines


def test_the_command_and_the_script(tmp_path):
    """What the command writes the script accepts, from a file and from standard input, and says why it refuses."""
    file = tmp_path / "proof.txt"
    shown = ask("prove", DUEL).stdout
    assert ask("prove", DUEL, "--output", str(file)).returncode == 0
    assert file.read_text() == shown == "".join(f"{line}\n" for line in proof_of(FACE, DUEL))
    for arguments, given in (([str(file)], ""), (["-"], shown)):
        done = subprocess.run([sys.executable, "-I", CHECKER, *arguments], capture_output=True, text=True, input=given, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"proved: {verdict(FACE, shown.splitlines()[1].removeprefix('claim '))}\n"
    for wrong, sentence in ((shown[:300], "line "), ("", "line 1: the proof ends, and the claim is not proved\n")):
        done = subprocess.run([sys.executable, "-I", CHECKER, "-"], capture_output=True, text=True, input=wrong, check=False)
        assert (done.returncode, done.stderr) == (1, "")
        assert done.stdout.startswith(sentence)
    done = subprocess.run([sys.executable, "-I", CHECKER, tmp_path / "none"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "No such file" in done.stdout


def test_the_checker_is_small_and_stands_alone():
    source = CHECKER.read_text()
    assert len(source.splitlines()) <= 310
    imported = set(re.findall(r"^(?:import|from) (\w+)", source, re.MULTILINE))
    assert imported <= sys.stdlib_module_names
    assert not re.search(r"^ +(?:import|from) ", source, re.MULTILINE)


def test_limits_and_rules(monkeypatch):
    @contextmanager
    def over(stop, seconds):
        stop[0] = 1
        yield

    monkeypatch.setattr(_CLOCK, "watched", over)  # as if the seconds were over by now
    mover, other = "2^57v:9,13,16,26,37,46+36,10,8,11,20,33,31,58,48,21,14,29", "1^59v:6,16,25,31,38,51+18,5,34,17,3,43,22,35,53"
    hard = f"{mover},59 {other},11,20,56,27"
    for game, text in ((FACE, hard), (TAKE, "12,43,94 21 34-41-49 22,33,65,67,81")):
        for budget in (Budget(nodes=3), Budget(seconds=0.05)):
            if game is TAKE and budget.seconds:
                continue  # it is proved before the search looks at its stop
            with pytest.raises(NotSolvedError, match="not proved within the limits, after"):
                list(prove(game, game.parse(text), None, budget))
    with pytest.raises(NotSolvedError, match="not proved within the limits, after 30 nodes"):  # its outcome is known by then
        list(prove(FACE, FACE.parse(DUEL), None, Budget(nodes=30)))
    with pytest.raises(BudgetError, match="found by one thread"):
        list(prove(FACE, FACE.parse(DUEL), None, Budget(search_threads=2)))


def test_a_proof_that_is_missing_is_a_contradiction_unless_it_was_stopped(monkeypatch):
    unproved = SimpleNamespace(prove=lambda *asked: (proving.OUTCOMES.index("win"), 5, False))
    monkeypatch.setattr(proving, "DealProver", lambda *asked: unproved)
    for stop, error in ((0, ContradictionError), (1, NotSolvedError)):
        with pytest.raises(error, match="no proof was found|not proved within the limits, after 5 nodes"):
            proving.proof_of(FACE.parse(DUEL), FACE.published, Budget(), bytearray([stop]))
