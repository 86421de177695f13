"""The players that look at all outcomes of a turn, and at sampled worlds: the network, its twin, its file, and the sampler."""

from __future__ import annotations

import time
from collections import Counter
from functools import partial
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from backtrick.errors import FileError
from backtrick.face_to_face import Position, _play, best_turn, players
from backtrick.face_to_face._players import Sampler
from backtrick.face_to_face.network import (
    FEATURES,
    FRUGAL_PATH,
    MIRRORED,
    NAMES,
    ONE,
    PATH,
    ROWS,
    STRONG_PATH,
    TABLE_ROWS,
    VALUES,
    WIDTH,
    WON,
    default_tables,
    load,
    net_turn,
    save,
    tables_of,
)
from backtrick.face_to_face.players import HELPING, KEEPING, PLAYERS, SAMPLER_PRICES, _kernel, sampler
from backtrick.face_to_face.policies import frugal, tuned, turn_of
from backtrick.face_to_face.position import Side
from backtrick.face_to_face.rule_options import DECK, PUBLISHED, Rules
from backtrick.face_to_face.rules import laid, turns_of
from backtrick.face_to_face.samples import KERNEL_PRICES, decks_of
from backtrick.face_to_face.state import State, View
from backtrick.face_to_face.turn import Turn, pack_turn, unpack_turn
from backtrick.play.state import GAME_OVER
from backtrick_development.face_to_face import _examples
from network_twin import features_of, value_of
from test_face_to_face_games import KINDS, random_view

VIEW = View.parse("27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12")


def valued(view, tables=None):
    """What the kernel makes of every outcome."""
    given = default_tables() if tables is None else tables
    turns, features, values = _play.value_turns(view.packed, given, view.rules.code)
    return [unpack_turn(one) for one in turns.tolist()], features, values


def outcome(view, turn):
    table = laid(view.table, turn, view.rules)
    return table.mover, table.opponent.ascending, table.opponent.descending


# The network and its twin


@KINDS
def test_the_kernel_lists_outcomes_and_looks_at_them_as_the_twin_does(rules, cards, times):
    random, weights = Random(21), np.random.default_rng(21).integers(-2000, 2000, (ROWS, WIDTH), np.int32)
    tables = tables_of(weights)
    for _ in range(13 * times):
        view = random_view(random, rules, cards)
        turns, features, values = valued(view, tables)
        for place in random.sample(range(len(turns)), min(6, len(turns))):
            side = outcome(view, turns[place])[0]
            assert features[place].tolist() == features_of(view, turns[place]), (str(view), str(turns[place]))
            assert values[place] == (value_of(features_of(view, turns[place]), weights) if side.hand or side.pile else WON)
        assert net_turn(view, tables) == turns[int(np.argmax(values))]


@KINDS
def test_outcomes_are_legal_and_only_dominated_ones_are_left_out(rules, cards, times):
    random = Random(22)
    for _ in range(15 * times):
        view = random_view(random, rules, cards)
        if len(view.own.hand) > 4:
            continue
        found = {outcome(view, turn) for turn in valued(view)[0]}
        everything = {(table.mover, table.opponent.ascending, table.opponent.descending) for table in turns_of(view.table, rules)}
        assert found and found <= everything
        kept = {(side.hand, *tops) for side, *tops in found}
        assert kept == {(side.hand, *tops) for side, *tops in everything}  # whatever is laid can be laid


def test_features_of_the_mirror_image_are_mirrored():
    def mirror(text):
        return {"^": "v", "v": "^"}.get(text, text)

    random = Random(23)
    for _ in range(40):
        view = random_view(random)
        own, cards = view.own, lambda cards: ",".join(str(61 - card) for card in sorted(cards, reverse=True))
        pile = f"+?{cards(own.pile)}" if own.pile else ""
        other = View.parse(
            f"{61 - own.descending}^{61 - own.ascending}v:{cards(own.hand)}{pile}"
            f" {61 - view.descending}^{61 - view.ascending}v:?{view.hand_size}:{cards(view.unlaid)}"
        )
        turn = random.choice(valued(view)[0])
        image = Turn.parse(" ".join(f"{61 - play.card}{mirror(play.pile)}" + "'" * play.helpful for play in turn))
        assert [features_of(view, turn)[place] for place in MIRRORED] == features_of(other, image)
    assert sorted(MIRRORED) == list(range(FEATURES)) and len(set(NAMES)) == FEATURES


def test_who_can_lay_the_last_card_does():
    view = View.parse("27^40v:17,18,28 13^50v:?2:4,5,9,12")
    for name in ("net", "sampler"):
        assert outcome(view, PLAYERS.player(name)(view))[0].hand == ()


# The file of its weights


def test_the_same_weights_give_the_same_bytes(tmp_path):
    weights = load(PATH)
    for number in range(2):
        save(tmp_path / f"{number}.npz", weights)
        time.sleep(0.01)
    assert (tmp_path / "0.npz").read_bytes() == (tmp_path / "1.npz").read_bytes()
    assert (load(tmp_path / "0.npz") == weights).all()


def test_a_file_that_holds_no_network_is_refused(tmp_path):
    good = PATH.read_bytes()
    path = tmp_path / "w.npz"
    for content, problem in [
        (b"", "no weights of a network"),
        (b"text", "no weights of a network"),
        (good[: len(good) // 2], "no weights of a network"),
        (good[:200] + bytes([good[200] ^ 1]) + good[201:], "no weights of a network"),
    ]:
        path.write_bytes(content)
        with pytest.raises(FileError, match=problem):
            load(path)
    for weights, problem in [
        (np.zeros((FEATURES, WIDTH), np.int32), rf"the weights are int32 of shape \({ROWS}, {WIDTH}\), not int32 of shape"),
        (np.zeros((ROWS, WIDTH)), "not float64 of shape"),
        (np.full((ROWS, WIDTH), 5000, np.int32), "the weights are too great for sums of 16 bits and a value of 31"),
        (np.vstack([np.full((ROWS - 1, WIDTH), 2000), np.full((1, WIDTH), 1 << 20)]).astype(np.int32), "and a value of 31"),
    ]:
        np.savez(path, weights=weights)
        with pytest.raises(FileError, match=problem):
            load(path)
        with pytest.raises(FileError, match=problem):
            save(tmp_path / "new.npz", weights)
    np.savez(path, other=weights)
    with pytest.raises(FileError, match="not nothing"):
        load(path)
    with pytest.raises(FileError, match="No such file"):
        load(tmp_path / "none.npz")
    assert not (tmp_path / "new.npz").exists()


def test_an_example_depends_on_the_seed_and_its_number_alone():
    def made(start, stop, seed, tables=None):
        features, labels = np.zeros((96, FEATURES), np.uint8), np.zeros(96, np.float32)
        _examples.examples_range(features, labels, start, stop, seed, KERNEL_PRICES, tables, 4)
        return np.column_stack([features, labels])

    for tables in (None, default_tables()):
        together, later = made(0, 3, 1, tables), made(1, 3, 1, tables)
        assert (together[32:] == later[32:]).all() and (later[:32] == 0).all()
        assert (made(0, 3, 2, tables) != together).any()
        assert set(np.unique(together[:, -1] * 4)) <= {0, 1, 2, 3, 4}


def test_a_game_of_the_sampler_depends_on_the_seed_and_its_number_alone():
    net = default_tables()
    kernel = Sampler(SAMPLER_PRICES, net, net, PUBLISHED.code)

    def made(start, stop, seed, against_frugal):
        features, labels = np.zeros((6, 29, FEATURES), np.uint8), np.full((6, 29), -1, np.float32)
        won = np.zeros(6, np.uint8)
        given = KERNEL_PRICES, net, kernel, 40, against_frugal
        _examples.sampler_games(features, labels, won, start, stop, seed, *given)
        return features, labels, won

    for against_frugal in (True, False):
        together, later = made(0, 6, 1, against_frugal), made(3, 6, 1, against_frugal)
        assert all((one[3:] == other[3:]).all() for one, other in zip(together, later, strict=True))
        assert (made(0, 6, 2, against_frugal)[1] != together[1]).any()
        labels = together[1]
        counts = (labels >= 0).sum(axis=1)
        assert counts.min() > 5 and labels.max() <= 1
        last = labels[range(6), counts - 1]
        assert (abs(last - together[2]) < 1e-6).sum() == 6  # after the last turn the label is the result


def test_the_slope_of_the_loss_is_that_of_small_steps():
    random = np.random.default_rng(5)
    features, labels = random.integers(0, VALUES, (40, FEATURES), np.uint8), random.random(40, np.float32)
    tables = random.normal(0, 0.1, (TABLE_ROWS, WIDTH)).astype(np.float32)
    tables[-1, -1] = 1
    slope, nothing = np.zeros_like(tables), np.zeros_like(tables)
    loss = _examples.slope_of(features, labels, tables, slope)
    way = (slope / np.linalg.norm(slope)).astype(np.float32)
    way[-1, -1] = 0  # the linear part is added as it is
    step = _examples.slope_of(features, labels, tables + 0.01 * way, nothing) - loss
    assert step == pytest.approx(0.01 * float((slope * way).sum()), rel=0.05)


def test_the_network_is_stronger_than_the_policies(times):
    count = 30 * times
    decks, winners, won = decks_of(8, 0, count), np.empty(count, np.uint8), Counter()
    for policy in range(3):
        for seat in range(2):
            assert _examples.match_range(decks, winners, 0, count, seat, policy, KERNEL_PRICES, default_tables()) == -1
            won[policy] += int((winners == seat).sum())
    assert min(won.values()) > count + 3 * (count / 2) ** 0.5  # of twice as many games: three standard deviations above one half


# The sampler


class Rounds:
    """Candidates that are halved: how many worlds each round has, and a clock that goes on by one with each."""

    def __init__(self, count):
        self.count, self.worlds = count, [0]

    def play(self, worlds):
        self.worlds[-1] += worlds

    def halve(self):
        self.count = (self.count + 1) // 2
        self.worlds.append(0)
        return self.count


@pytest.mark.parametrize("count", [2, 3, 5, 16])
def test_play_outs_and_time_are_shared_equally_by_the_rounds(count, monkeypatch):
    """Down to one candidate."""
    rounds = next(one for one in range(5) if 2**one >= count)
    kernel = Rounds(count)
    players._halve_by(kernel, count, players.WORK * 960 * rounds)
    assert (kernel.count, kernel.worlds) == (1, [960 // -(-count // 2**one) for one in range(rounds)] + [0])
    kernel = Rounds(count)
    players._halve_by(kernel, count, 1)
    assert kernel.worlds == [1] * rounds + [0]
    kernel = Rounds(count)
    monkeypatch.setattr(players, "clock", lambda: sum(kernel.worlds))
    monkeypatch.setattr(players, "time", SimpleNamespace(perf_counter=lambda: 0))
    players._within(kernel, count, 100 * rounds)
    assert kernel.count == 1 and all(abs(one - 100) <= players.SPAN for one in kernel.worlds[:-1])


def test_no_card_hidden_is_exact_play():
    for text in ("27^40v:17,18,45 13^50v:5,12", "52^6v:16,18,19,57 53^15v:4,7,29,44"):
        position = Position.parse(text)
        assert sampler(1)(State.begin(position).view(0)) == best_turn(position)


def begun(view, candidates=16, seed=0):
    kernel = _kernel(view.rules)
    assert kernel.begin(view.packed, seed, 7, candidates) == len(kernel.candidates_left())
    return kernel


def frugal_shares(view):
    """The twin of the kernel: in how many of 64 worlds the opponent plays as `frugal`."""
    cards = len(DECK)
    laid, by_other = cards - len(view.own.hand) - len(view.own.pile), cards - len(view.unlaid)
    return min(max(round(64 / (1 + np.exp(0.7303 * by_other - 0.6442 * laid - 1.9836))), 1), 63)


def test_candidates_are_the_best_by_the_network_and_always_that_of_tuned(times):
    random, rest = Random(26), 0
    for _ in range(20 * times):
        view = random_view(random)
        policy = outcome(view, turn_of(tuned, view))
        turns, _, values = valued(view, default_tables(FRUGAL_PATH if frugal_shares(view) >= 32 else STRONG_PATH))
        best = list(dict.fromkeys(outcome(view, turns[place]) for place in np.argsort(-values, kind="stable")))
        found = [outcome(view, unpack_turn(one)) for one, *_ in begun(view, 4).candidates_left()]
        if values.max() == WON:
            assert found == best[:1]
            continue
        assert policy in found and len(found) == len(set(found)) == min(4, len({*best, policy}))
        others = [one for one in found if one != policy]
        assert others == [one for one in best if one != policy][: len(others)]
        rest += len(turns) > 4
    assert rest > 5 * times


def test_a_candidate_is_worth_the_mean_of_both_networks(times):
    random, kinds, networks = Random(28), set(), [load(FRUGAL_PATH), load(STRONG_PATH)]
    for _ in range(40 * times):
        view = random_view(random)
        shares = frugal_shares(view)
        policy = outcome(view, turn_of(tuned, view))  # in the last place it counts as the turn before it
        for packed, _, _, prior in begun(view, 4).candidates_left():
            turn = unpack_turn(packed)
            side = outcome(view, turn)[0]
            if outcome(view, turn) != policy and (side.hand or side.pile):
                frugal, strong = (1 / (1 + np.exp(-value_of(features_of(view, turn), one) / ONE)) for one in networks)
                assert prior == pytest.approx((shares * frugal + (64 - shares) * strong) / 64, abs=0.02), str(view)
                kinds.add(shares >= 32)
    assert len(kinds) == 2


def test_worlds_hold_the_hidden_cards_in_every_order_alike():
    kernel, found = begun(View.parse("27^40v:17,18,45+?9,33,50 13^50v:?1:4,5,12")), Counter()
    for _ in range(7200):
        own, other = kernel.next_world()
        assert sorted(own) == [9, 33, 50] and sorted(other) == [4, 5, 12]
        found[(*own, *other)] += 1
    assert len(found) == 36
    assert sum((count - 200) ** 2 / 200 for count in found.values()) < 67  # chi square of 35 degrees of freedom, 0.1 %


def test_all_candidates_see_the_same_worlds_and_the_better_half_stays():
    view = View.parse("27^40v:17,18,28,45+?2,9,33,50 13^50v:?2:4,5,9,12,20,21")
    kernel = begun(view)
    count = len(kernel.candidates_left())
    kernel.play(10)
    first = kernel.candidates_left()
    assert count > 4 and {played for _, _, played, _ in first} == {10}
    assert kernel.halve() == (count + 1) // 2
    left = kernel.candidates_left()
    assert len(left) == (count + 1) // 2 and set(left) <= set(first)
    score = lambda one: (one[1] + 40 * one[3]) / (one[2] + 40)  # noqa: E731
    assert min(map(score, left)) >= max(score(one) for one in first if one not in left) - 1e-6
    assert kernel.best() == left[0][0]


def better_turn(view, weights):
    """The twin of `better_turn` in the kernel: the turn, and its value unless it ends the game."""
    best, most = None, 0
    for prices in (HELPING, KEEPING):
        turn = turn_of(partial(tuned, prices=prices), view)
        if turn is not None:
            side = outcome(view, turn)[0]
            if not side.hand and not side.pile:
                return turn, None
            value = value_of(features_of(view, turn), weights)
            if best is None or value > most:
                best, most = turn, value
    return best, most


CLOSE = {
    40: "45^13v:11,16,31,49,57,59+?10 23^43v:?6:6,8,15,18,22,29,33,34,39,50,55",
    52: "54^12v:20,21,43,44,46,57+?5,6,8,15,30,48,50 35^24v:?6:2,3,4,8,10,12,13,15,16,17,18,21,22,23,25,26,27,28,29,30,31,35,39,"
    "40,43,45,46,47,48,51,52,53,54,55,56,58,59",
}
"""Views in which one more world of `frugal`, or one more card drawn after the turn of `tuned`, is seen, by the seed."""


def test_a_play_out_is_four_turns_in_that_world_and_the_network():
    random, played, networks = Random(27), Counter(), {"frugal": load(FRUGAL_PATH), "better": load(STRONG_PATH)}
    for number in (*range(8), *CLOSE):
        view, most = (View.parse(CLOSE[number]), 2) if number in CLOSE else (random_view(random), 4)
        kernel, other = begun(view, most, number), begun(view, most, number)
        if len(kernel.candidates_left()) < 2:
            continue
        before = [0] * len(kernel.candidates_left())
        shares = frugal_shares(view)
        for world in range(12):
            opponent = "frugal" if (world + 1) * shares // 64 > world * shares // 64 else "better"
            own_pile, cards = other.next_world()
            kernel.play(1)
            held = cards[: view.hand_size], cards[view.hand_size :]
            deal = Position(
                Side(view.own.ascending, view.own.descending, view.own.hand, tuple(own_pile)),
                Side(view.ascending, view.descending, *map(tuple, held)),
            )
            for place, (packed, won, _, _) in enumerate(kernel.candidates_left()):
                state, made = State.begin(deal).play(unpack_turn(packed)), 0
                while state.to_move != GAME_OVER and made < 4:
                    last = state.view(state.to_move)
                    turn, value = better_turn(last, networks[opponent])
                    if state.to_move and opponent == "frugal":
                        turn = turn_of(frugal, last)
                    state, made = state.play(turn), made + 1
                if made == 4 and value is not None:
                    winner, expected = None, 1 / (1 + np.exp(-value / ONE))
                else:
                    winner, expected = state.winner, float(state.winner == 0)
                assert won - before[place] == pytest.approx(expected, abs=0.02), (str(view), place)
                before[place] = won
                played[opponent, winner] += 1
    assert min(played.values()) > 4 and len(played) >= 5  # in random views `frugal` has mostly lost after four turns


def test_play_outs_count_the_games_that_are_won():
    # After 17 and 18 the own pile is empty, and 45 or 46 fit at once; the other has 30 cards to lay and will be too late.
    unlaid = ",".join(map(str, range(14, 44)))
    kernel = begun(View.parse(f"16^60v:17,18,45 13^50v:?6:{unlaid}"))
    assert len(kernel.candidates_left()) == 1  # the whole hand is laid
    kernel = begun(View.parse(f"16^60v:17,18+?45,46 1^60v:?6:{unlaid}"))
    kernel.play(20)
    assert all(won == played == 20 for _, won, played, _ in kernel.candidates_left())


def test_the_mirror_of_a_feature_is_that_of_the_other_pile():
    up = [place for place, name in enumerate(NAMES) if name.endswith(" up")]
    assert up and [MIRRORED[MIRRORED[place]] for place in range(FEATURES)] == [*range(FEATURES)]
    assert [NAMES[MIRRORED[place]] for place in up] == [NAMES[place].removesuffix("up") + "down" for place in up]


def test_seconds_are_the_time_for_a_turn_of_few_cards(monkeypatch):
    view, seconds = View.parse("27^40v:17,18,45+?9 13^50v:?2:4,5,12"), []
    usual = players.odds
    monkeypatch.setattr(players, "odds", lambda *given, **named: [seconds.append(named["seconds"]), usual(*given, **named)][1])
    for player in (sampler(seconds=7.5), sampler()):
        player(view)
    assert seconds == [7.5, None]


def test_seconds_are_the_time_for_a_turn(monkeypatch):
    view = State.deal(decks_of(1, 0, 1)[0].tolist()).view(0)
    began = time.perf_counter()
    laid(view.table, sampler(seconds=0.05)(view), PUBLISHED)
    assert time.perf_counter() - began >= 0.05
    monkeypatch.setattr(players, "clock", None)
    laid(view.table, sampler(20)(view), PUBLISHED)  # without them nobody asks for the time


def test_a_player_of_each_rules_keeps_its_kernel():
    one = sampler(20)
    for rules in (PUBLISHED, Rules(lone_card=True), PUBLISHED):
        view = View.parse(str(VIEW), rules)
        assert one(view) == sampler(20)(view) and pack_turn(one(view))
