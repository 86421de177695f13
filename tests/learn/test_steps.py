"""A game one step at a time: its turns are those of the rules, a seat sees what it may see, hidden cards are drawn again."""

from __future__ import annotations

import copy
import random
from collections import Counter, defaultdict
from importlib import import_module
from itertools import combinations

import numpy as np
import pytest

from backtrick.games import GAMES, game_of, steps_of
from backtrick.play.state import CHANCE, GAME_OVER
from backtrick.play.steps import Moment
from backtrick.random import Stream
from oracles.published_deck import SmallDeck

SMALL_FACE = {"cards": "2,3,4,12,13,14,22,23,24"}
SMALL_THAT = {"cards": "12,13,14,21,22,23,31,32,33,41", "hand_size": 3}
STARTS = {
    "face whole": ("face_to_face", {}),
    "face small": ("face_to_face", SMALL_FACE),
    "face lone": ("face_to_face", {**SMALL_FACE, "lone_card": True}),
    "face endgame": ("face_to_face", {"position": "45^17v:18,33,50 43^20v:4,5,9"}),
    "face deal": ("face_to_face", {"position": "27^40v:17,18,45+9,33,50 13^50v:5,12"}),
    "face view": ("face_to_face", {"position": "27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12"}),
    "that whole": ("take_that", {}),
    "that small": ("take_that", SMALL_THAT),
    "that forced": ("take_that", {**SMALL_THAT, "forced_only": True, "empty_line": "ends"}),
    "that professional": ("take_that", {**SMALL_THAT, "professional": True}),
    "that win": ("take_that", {**SMALL_THAT, "result": "win"}),
    "that endgame": ("take_that", {"position": "12,33,49 21,94 34-41-98"}),
    "that deal": ("take_that", {"position": "12,43,94 21,76 34-41-49 55,63"}),
}  # fmt: skip
GONE = ",".join(str(card) for card in range(12, 99) if card % 10 and card not in (12, 33, 49, 34, 41, 21, 94, 43, 14, 55))
STARTS["that view"] = ("take_that", {"position": f"12,33,49 ?3 34-41 ?2 !{GONE}"})


def steps(name):
    game, parameters = STARTS[name]
    return steps_of(game)(**parameters)


def played(moment, numbers, most=10**6):
    """The moments of a random game, the first one too."""
    yield moment
    for _ in range(most):
        if moment.to_move == GAME_OVER:
            return
        if moment.to_move == CHANCE:
            moment = moment.draw(numbers.choice([card for card, _ in moment.chance()]))
        else:
            moment = moment.apply(numbers.choice(moment.legal()))
        yield moment


def any_moments(name, games, seed=1):
    numbers = random.Random(seed)
    start = steps(name).start
    for _ in range(games):
        yield from played(start, numbers)


@pytest.mark.parametrize("game", GAMES)
def test_a_number_is_one_action(game):
    one = steps_of(game)()
    texts = [one.text(number) for number in range(one.actions)]
    assert len(set(texts)) == one.actions == {"face_to_face": 4 * 58 + 1, "take_that": 79 + 72 + 1}[game]
    assert [one.number(one.action(number)) for number in range(one.actions)] == list(range(one.actions))


def test_a_number_means_the_same_in_every_deck():
    for game, small in (("face_to_face", SMALL_FACE), ("take_that", SMALL_THAT)):
        large, little = steps_of(game)(), steps_of(game)(**small)
        assert [large.text(number) for number in range(little.actions)] == list(map(little.text, range(little.actions)))
    face = steps_of("face_to_face")()
    assert [face.text(number) for number in (0, 1, 2, 3, 4, 232)] == ["end", "2^", "2v", "2^'", "2v'", "59v'"]
    that = steps_of("take_that")()
    assert [that.text(number) for number in (0, 78, 79, 150, 151)] == ["12", "98", "12x21", "98x89", "take"]


@pytest.mark.parametrize("name", STARTS)
def test_every_step_leads_on(name, times):
    """Legal numbers ascend, are those of the state, and none leads to a dead end; bounds hold; returns add up to 0."""
    one = steps(name)
    for moment in any_moments(name, (1 if "whole" in name else 8) * times):
        legal = moment.legal()
        assert legal == sorted(set(legal)) and bool(legal) == (moment.to_move in (0, 1))
        assert [one.action(number) for number in legal] == sorted(moment.state.legal() if legal else (), key=one.number)
        chance = moment.chance()
        assert bool(chance) == (moment.to_move == CHANCE) and (not chance or sum(p for _, p in chance) == pytest.approx(1))
        assert not (one.is_open and chance)
        if moment.to_move == GAME_OVER:
            assert sum(not event.drawn for event in moment.events) <= one.longest
            first, second = moment.returns()
            assert first + second == 0 and abs(first) <= one.most and (first != 0 or "that" in name)


@pytest.mark.parametrize(("pile", "numbers"), [("", ["45^", "45^'"]), ("+2,33", [])])
def test_a_lone_card_is_laid_if_it_is_the_last(pile, numbers):
    """F13, second reading, where no card is to come."""
    one = steps_of("face_to_face")(position=f"27^40v:45{pile} 57^50v:5,12", lone_card=True)
    assert list(map(one.text, one.legal(one.start.state))) == numbers


def all_turns(moment):
    """The texts of the steps of every turn that steps make from the beginning of one, each with the moment after it."""
    seat, found, waiting = moment.to_move, [], [((), moment)]
    while waiting:
        texts, now = waiting.pop()
        if texts and (now.to_move != seat or now.state.position() is not None):
            found.append((texts, now))
            continue
        legal = now.legal()
        assert legal, "a dead end"
        waiting += [((*texts, now.steps.text(number)), now.apply(number)) for number in legal]
    return found


def same_turns(game, position, parameters):
    """The turns that steps make from a position are those of the game's rules, and lead to the same positions."""
    one = steps_of(game)(position=str(position), **parameters)
    rules = one.rules
    expected = {}
    for turn in game_of(game).legal_turns(position, rules):
        texts = (*str(turn).split(), "end") if game == "face_to_face" else tuple(str(turn).split(","))
        expected[texts] = game_of(game).play(position, turn, rules)[1]
    made = {} if one.start.to_move == GAME_OVER else dict(all_turns(one.start))
    assert set(made) == set(expected)
    for texts, moment in made.items():
        if moment.to_move != GAME_OVER:
            assert moment.state.position() == expected[texts]


@pytest.mark.parametrize("lone_card", [False, True])
@pytest.mark.parametrize("each", [25, pytest.param(1, marks=pytest.mark.slow)])
def test_all_turns_of_a_small_deck_of_face_to_face(lone_card, each):
    from backtrick.face_to_face.position import unpack
    from small_decks import every_position

    few, more = (SmallDeck(highest, 2).positions(every_position(highest)) for highest in (5, 6))
    few, more = unpack(few), unpack(more[::50])
    assert (len(few), len(more)) == (3_008, 685)
    for position in (*few[::each], *more[::each]):
        same_turns("face_to_face", position, {"lone_card": lone_card})


def test_all_turns_of_small_decks_of_take_that():
    from itertools import combinations, permutations

    from backtrick.take_that.position import Position

    deck = (12, 13, 21, 22, 31)
    count = 0
    for sizes in ((2, 1, 2, 0), (1, 1, 2, 1), (2, 2, 0, 1), (1, 0, 3, 0), (0, 1, 1, 0)):
        for mover in combinations(deck, sizes[0]):
            for other in combinations(sorted(set(deck) - {*mover}), sizes[1]):
                for row in permutations(sorted(set(deck) - {*mover, *other}), sizes[2] + sizes[3]):
                    for parameters in ({}, {"forced_only": True}, {"empty_line": "ends"}):
                        same_turns("take_that", Position(mover, other, row[: sizes[2]], row[sizes[2] :]), parameters)
                        count += 1
    assert count == 3 * (10 * 3 * 2 + 5 * 4 * 6 + 10 * 3 * 1 + 5 * 24 + 5 * 4)


@pytest.mark.parametrize("game", [pytest.param("face_to_face", marks=pytest.mark.slow), "take_that"])
def test_turns_of_positions_of_the_whole_deck(game):
    make = game_of(game).display.sources["selfplay"].make
    count = 0
    for position in [*make(60, 3), *make(60, 3, piles=3)]:
        if game_of(game).count_turns(position, game_of(game).published) < 400:
            same_turns(game, position, {})
            count += 1
    assert count >= 20


@pytest.mark.parametrize("name", STARTS)
def test_a_seat_sees_no_hidden_card(name):
    """What a seat is told changes only with what it sees: the same game with the hidden cards exchanged looks the same."""
    one, numbers = steps(name), random.Random(2)
    for _ in range(3):
        moments = list(played(one.start, numbers))
        for moment in numbers.sample(moments, min(len(moments), 6)):
            for seat in (0, 1):
                other = moment.resample(seat, Stream(numbers.randrange(10**9), 0))
                assert other.information_text(seat) == moment.information_text(seat)
                assert other.observation_text(seat) == moment.observation_text(seat)
                assert (other.information(seat) == moment.information(seat)).all()
                assert other.to_move == moment.to_move
                if moment.to_move == seat:
                    assert other.legal() == moment.legal()
                again = one.start
                for _, number, drawn in other.events:  # each was legal
                    again = again.draw(number) if drawn else again.apply(number)
                assert again.state == other.state


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow if "whole" in name else ()) for name in STARTS])
def test_the_real_hidden_cards_have_no_part_in_resampling(name):
    """Two games that look the same to a seat and differ in hidden cards: the same random numbers give the same cards."""
    one, numbers, differed = steps(name), random.Random(3), 0
    for _ in range(3):
        moments = list(played(one.start, numbers))
        for moment in numbers.sample(moments, min(len(moments), 5)):
            for seat in (0, 1):
                exchanged = moment.resample(seat, Stream(numbers.randrange(10**9), 0))
                found, again = moment.resample(seat, Stream(7, 0)), exchanged.resample(seat, Stream(7, 0))
                assert found.events == again.events and found.state == again.state
                differed += exchanged.events != moment.events
    assert one.is_open or differed


def every_past(moment, limit):
    """All moments of a game, depth first."""
    waiting, count = [moment], 0
    while waiting:
        now = waiting.pop()
        yield now
        count += 1
        assert count < limit
        if now.to_move == CHANCE:
            waiting += [now.draw(card) for card, _ in now.chance()]
        elif now.to_move >= 0:
            waiting += [now.apply(number) for number in now.legal()]


TINY = {
    "face": ("face_to_face", {"position": "1^60v:2,4+?12 1^60v:?2:3,4,13"}),
    "that": ("take_that", {"cards": "12,13,21,31,22", "hand_size": 1}),
}


@pytest.mark.parametrize("name", TINY)
def test_the_information_of_a_seat(name):
    """Perfect recall, over whole games: the text says the past of the seat; tensors differ where texts do; what is legal is the
    same wherever the text is the same."""
    game, parameters = TINY[name]
    one = steps_of(game)(**parameters)
    tensors, legal, texts = {}, {}, {}
    pasts = defaultdict(set)
    for moment in every_past(one.start, 200_000):
        for seat in (0, 1):
            text = moment.information_text(seat)
            tensor = moment.information(seat).tobytes()
            if moment.to_move == seat:
                assert tensors.setdefault(text, tensor) == tensor and texts.setdefault(tensor, text) == text
                assert legal.setdefault(text, moment.legal()) == moment.legal()
                own = tuple(event.number for event in moment.events if not event.drawn and event.seat == seat)
                pasts[text].add(own)
    assert len(tensors) > 50 and all(len(own) == 1 for own in pasts.values())


@pytest.mark.slow
def test_every_past_is_as_likely():
    """Of all games of a tiny deck that look the same to a seat, `resample` gives each, and each as often."""
    one = steps_of("take_that")(cards="12,13,21,22,31", hand_size=2)
    alike = defaultdict(list)
    for moment in every_past(one.start, 200_000):
        for seat in (0, 1):
            alike[moment.information_text(seat)].append((seat, moment))
    for pasts in sorted(alike.values(), key=len)[-400::80]:
        seat, moment = pasts[0]
        hidden = [place for place, event in enumerate(moment.events) if event.drawn and event.seat != seat]
        expected = {tuple(other.events[place] for place in hidden) for _, other in pasts}
        drawn = (moment.resample(seat, Stream(number, 0)) for number in range(100 * len(expected)))
        found = Counter(tuple(other.events[place] for place in hidden) for other in drawn)
        assert set(found) == expected and len(expected) > 1
        assert sum((count - 100) ** 2 / 100 for count in found.values()) < 2 * len(expected) + 10  # chi-square


def test_hands_are_those_of_the_worlds():
    """At the beginning of a turn the other's hand is one of the worlds of the view, each as often."""
    for name in ("face view", "that view"):
        moment = next(moment for moment in any_moments(name, 1) if moment.to_move == 0)
        view = moment.state.view(0)
        every = import_module(f"backtrick.{STARTS[name][0]}.worlds").every_world(view)
        worlds = Counter(moment.steps.hand(world, 1) for world in every)
        found = Counter(moment.steps.hand(moment.resample(0, Stream(seed, 0)).state, 1) for seed in range(50 * len(worlds)))
        assert set(found) == set(worlds) and len(set(worlds.values())) == 1 < len(worlds)
        assert sum((count - 50) ** 2 / 50 for count in found.values()) < 2 * len(worlds) + 10


def test_who_had_to_take_had_no_card_to_lay():
    """Where taking is forced only (T10) a hand with 32, which could have been laid on 41, does not fit the past."""
    moment = steps_of("take_that")(**SMALL_THAT, forced_only=True).start
    for card in (12, 22, 33, 14, 31, 41):
        moment = moment.draw(card)
    for text, card in (("33", 13), ("41", 21), ("take", None)):
        moment = moment.apply(next(number for number in moment.legal() if moment.steps.text(number) == text))
        moment = moment if card is None else moment.draw(card)
    found = {moment.steps.hand(moment.resample(1, Stream(seed, 0)).state, 0) for seed in range(60)}
    assert found == set(combinations((12, 13, 22, 23), 3))


def test_both_know_the_hand_of_a_view_at_the_start():
    moment = steps("face view").start
    for card in (4, 5):
        moment = moment.draw(card)
    assert (moment.known(0), moment.known(1)) == (frozenset(), {17, 18, 45})
    for text in ("17^", "18^", "end"):
        moment = moment.apply(next(number for number in moment.legal() if moment.steps.text(number) == text))
    moment = moment.draw(9).draw(33)
    assert (moment.known(0), moment.known(1)) == (frozenset(), {45})
    found = Counter(moment.steps.hand(moment.resample(1, Stream(seed, 0)).state, 0) for seed in range(300))
    assert set(found) == {(9, 33, 45), (9, 45, 50), (33, 45, 50)} and min(found.values()) > 70
    assert moment.observation_text(1).endswith("(45)")
    drawn = (moment.steps.world_hand(moment.state, 1, moment.known(1), Stream(seed, 0)) for seed in range(20))
    assert all(45 in hand and len({*hand}) == 3 for hand in drawn)
    moment = steps("that view").start
    while moment.to_move == CHANCE:
        moment = moment.draw(moment.chance()[0][0])
    moment = moment.apply(next(number for number in moment.legal() if moment.steps.text(number) == "33"))
    while moment.to_move == CHANCE:
        moment = moment.draw(moment.chance()[0][0])
    assert moment.known(1) == {12, 49} and len(moment.steps.hand(moment.state, 0)) == 3
    drawn = {moment.steps.world_hand(moment.state, 1, moment.known(1), Stream(seed, 0)) for seed in range(20)}
    assert all(len({*hand}) == 3 and {12, 49} < {*hand} for hand in drawn) and len(drawn) > 1


@pytest.mark.share(2)
@pytest.mark.parametrize("name", STARTS)
def test_tensors_have_the_parts_of_the_layout(name):
    one = steps(name)
    for moment in any_moments(name, 1):
        for seat in (0, 1):
            for layout, parts, whole in (
                (one.observation_layout, moment.observation_parts(seat), moment.observation(seat)),
                (one.information_layout, moment.information_parts(seat), moment.information(seat)),
            ):
                assert [len(part) for part in parts] == [size for _, size in layout]
                assert whole.dtype == np.float32 and len(whole) == sum(size for _, size in layout)
                assert whole.min() >= -1 and whole.max() <= 1


def played_out(moment, seed, number):
    """What a random game from a moment is worth to seat 0, by the numbers of which the kernel takes the same."""
    chance, choices = Stream(seed, 2 * number), Stream(seed, 2 * number + 1)
    while moment.to_move != GAME_OVER:
        if moment.to_move == CHANCE:
            cards = moment.chance()
            moment = moment.draw(cards[chance.below(len(cards))][0])
        else:
            legal = moment.legal()
            if moment.steps.foreign.startswith("lays no number card"):  # Face to Face: the end first, then pile after pile
                legal.sort(key=lambda number: (-1 if number == 0 else (number - 1) % 4, number))
            moment = moment.apply(legal[choices.below(len(legal))])
    return moment.returns()[0]


@pytest.mark.parametrize("name", STARTS)
def test_a_kernel_plays_out_the_same_games(name, times):
    """From moments within a turn, too. It does not where the order of a pile is known, or a turn has but its end left."""
    numbers, compared = random.Random(4), 0
    moments = [moment for moment in any_moments(name, 4) if moment.to_move >= 0]
    for seed, moment in enumerate(numbers.sample(moments, min(len(moments), 3 * times))):
        found = moment.steps.play_out(moment.state, seed, 2)
        assert found is None or not name.endswith("deal") or not moment.state.cards_to_come()
        if found is None:
            assert name.endswith("deal") or not moment.steps.hand(moment.state, moment.to_move)
            continue
        assert found == sum(played_out(moment, seed, number) for number in range(2)) / 2
        compared += 1
    assert compared > 1 or name.endswith("deal")


def test_a_copy_costs_nothing():
    moment = steps("face whole").start
    assert copy.deepcopy(moment) is moment and copy.copy(moment) is moment and isinstance(moment, Moment)


def test_numbers_of_numpy_are_numbers():
    moment = steps("face view").start.draw(np.int64(5)).draw(np.uint8(12)).apply(np.array(61))
    assert [type(event.number) for event in moment.events] == [int, int, int]
    assert str(moment) == f"{STARTS['face view'][1]['position']} 1+5,12 0:17^"


@pytest.mark.parametrize("name", STARTS)
def test_observations_say_the_same_as_texts_and_as_tensors(name, times):
    """Along many games of each start: equal texts have equal tensors, and equal tensors equal texts."""
    tensors, texts = dict[str, bytes](), dict[bytes, str]()
    for moment in any_moments(name, times if "whole" in name else 6 * times):
        for seat in (0, 1):
            text, tensor = moment.observation_text(seat), moment.observation(seat).tobytes()
            assert tensors.setdefault(text, tensor) == tensor, text
            assert texts.setdefault(tensor, text) == text


@pytest.mark.parametrize("name", [name for name in STARTS if not name.endswith(("endgame", "deal", "forced"))])
def test_a_past_that_is_not_played_again_leads_to_the_same_state(name, times):
    """Where a game says that any past fits, its resampled moments are those that playing their events leads to."""
    one = steps(name)
    assert one.any_past_fits() and not one.is_open
    for place, moment in enumerate(any_moments(name, 1 if "whole" in name else 12)):
        if place * times % 8:
            continue
        for seat in (0, 1):
            found = moment.resample(seat, Stream(place, seat))
            again = one.start
            for event in found.events:
                again = again.draw(event.number) if event.drawn else again.apply(event.number)
            assert again.to_move == found.to_move == moment.to_move and again.events == found.events
            assert sorted(again.legal()) == sorted(found.legal()) and again.chance() == found.chance()
            for other in (0, 1):
                assert again.observation_text(other) == found.observation_text(other)
            assert found.information_text(seat) == moment.information_text(seat)
