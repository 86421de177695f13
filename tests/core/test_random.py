"""Random numbers and shuffles: published vectors, the kernel against its readable twin, and no card that prefers a place."""

from __future__ import annotations

from hashlib import sha256

import numpy as np
import pytest

from backtrick import _random
from backtrick.random import Stream, block, shuffled_decks
from backtrick.take_that.rule_options import DECK

VECTORS = """
00000000 00000000 00000000 00000000 00000000 00000000 6627e8d5 e169c58d bc57ac4c 9b00dbd8
ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff 408f276d 41c83b0e a20bc7c6 6d5451fd
243f6a88 85a308d3 13198a2e 03707344 a4093822 299f31d0 d16cfe09 94fdcceb 5001e420 24126ea1
"""
"""Counter, key and words: the lines `philox4x32 10` of kat_vectors in Random123 (https://github.com/DEShawResearch/random123), by
the authors of the paper."""

NUMBERS = [0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 1]
CARDS = range(2, 60)


@pytest.mark.parametrize("vector", VECTORS.split("\n")[1:-1])
def test_a_block_is_the_published_one(vector):
    words = [int(word, 16) for word in vector.split()]
    assert block(words[:4], words[4:6]) == tuple(words[6:])
    assert _random.block(np.array(words[:4], np.uint32), np.array(words[4:6], np.uint32)).tolist() == words[6:]


def test_seed_and_number_are_key_and_counter():
    stream = Stream(seed=0x299F31D0A4093822, number=7 << 32 | 5)
    assert [stream.word() for _ in range(12)] == [
        word for place in range(3) for word in block((place, 0, 5, 7), (0xA4093822, 0x299F31D0))
    ]


@pytest.mark.parametrize("seed", NUMBERS)
@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_are_those_of_the_twin(seed, number):
    """With bounds above 2^31 many words are drawn again."""
    bounds = [1, 2, 3, 10, 58, 2**16, 2**31 - 1, 2**31, 2**31 + 1, 3 << 30, 2**32 - 1] * 5
    stream = Stream(seed, number)
    assert _random.numbers_below(seed, number, np.array(bounds, np.uint32)).tolist() == [stream.below(bound) for bound in bounds]


@pytest.mark.parametrize("kind", [np.int64, np.uint64, np.uint8])
def test_a_stream_of_numpys_numbers_is_the_same(kind):
    assert Stream(kind(7), kind(3)).shuffled(range(9)) == Stream(7, 3).shuffled(range(9))


def test_numbers_are_without_bias():
    """A product or a remainder alone would find one third of these as often as both others together."""
    bound = 3 << 30
    numbers = _random.numbers_below(1, 2, np.full(30_000, bound, np.uint32))
    for thirds in (numbers >> 30, numbers % 3):
        assert too_far(np.bincount(thirds, minlength=3)) < 5
    assert numbers.max() < bound


@pytest.mark.parametrize("seed", NUMBERS)
def test_decks_are_those_of_the_twin(seed):
    for cards, each in ((CARDS, 2), (DECK, 1), ((7,), 3), (range(256), 1)):
        for start in (0, 1000, 2**32 - 1, 2**64 - 3):
            dealt = shuffled_decks(cards, each, seed, start, start + 2)
            assert dealt.dtype == np.uint8
            for number, decks in enumerate(dealt.tolist(), start):
                stream = Stream(seed, number)
                assert decks == [stream.shuffled(cards) for _ in range(each)]


def test_a_game_is_dealt_by_itself_as_among_others():
    decks = shuffled_decks(CARDS, 2, 5, 0, 300)
    for number in (0, 1, 150, 299):
        assert (shuffled_decks(CARDS, 2, 5, number, number + 1)[0] == decks[number]).all()
    assert len({deck.tobytes() for pair in decks for deck in pair}) == 600


def test_a_seed_deals_what_it_has_always_dealt():
    """Made by the twin, which the tests above hold against the published vectors."""
    assert Stream(1, 0).shuffled(CARDS)[:12] == [42, 46, 18, 7, 39, 55, 9, 2, 56, 21, 13, 44]
    assert Stream(1, 0).shuffled(DECK)[:12] == [71, 13, 59, 73, 74, 26, 16, 24, 39, 86, 34, 41]
    dealt = shuffled_decks(CARDS, 2, 1, 0, 1000), shuffled_decks(DECK, 1, 1, 0, 1000)
    assert [sha256(decks.tobytes()).hexdigest()[:16] for decks in dealt] == ["60f57ec31ad06a4b", "a2b9c36cbf342f51"]


# Uniformity: sums of squares (chi-square) in standard deviations of what fair shuffles give


def too_far(counts: np.ndarray) -> float:
    """How far counts that should be equal are from it. 5 happens to fair ones less than once in a million times."""
    expected = counts.sum() / counts.size
    degrees = np.prod([size - 1 for size in counts.shape])
    return float((((counts - expected) ** 2 / expected).sum() - degrees) / (2 * degrees) ** 0.5)


def together(ones: np.ndarray, others: np.ndarray, size: int) -> np.ndarray:
    """How often each number of the one array stands at the place of each number of the other."""
    return np.bincount((ones.astype(np.int64) * size + others).ravel(), minlength=size * size).reshape(size, size)


def bias(decks: np.ndarray) -> float:
    """Of decks of the cards 0, 1, 2, ...: does a card prefer a place?"""
    return too_far(together(decks, np.broadcast_to(np.arange(decks.shape[1]), decks.shape), decks.shape[1]))


@pytest.mark.parametrize("size", [58, 79])
def test_every_card_is_as_often_at_every_place(size):
    assert abs(bias(shuffled_decks(range(size), 1, 1, 0, 20_000)[:, 0])) < 5


def test_every_order_of_few_cards_is_as_frequent():
    decks = shuffled_decks(range(5), 1, 2, 0, 60_000)[:, 0].astype(np.int64)
    assert abs(too_far(np.unique(decks @ 5 ** np.arange(5), return_counts=True)[1])) < 5
    assert len(np.unique(decks @ 5 ** np.arange(5))) == 120


@pytest.mark.parametrize(
    ("ones", "others"),
    [
        (lambda decks: decks[:, 0], lambda decks: decks[:, 1]),  # of one game
        (lambda decks: decks[1:, 0], lambda decks: decks[:-1, 0]),  # of one game and the next
        (lambda decks: decks[1:, 1], lambda decks: decks[:-1, 0]),
        (lambda decks: decks[:, 0, 1:], lambda decks: decks[:, 0, :-1]),  # of one deck, one card and the next
        (lambda decks: decks[:, 0], lambda decks: shuffled_decks(range(58), 2, 2, 0, len(decks))[:, 0]),  # of the next seed
    ],
)
def test_a_deck_says_nothing_of_another(ones, others):
    decks = shuffled_decks(range(58), 2, 1, 0, 20_000)
    ones, others = ones(decks), others(decks)
    counts = together(ones, others, 58)
    if ones.shape[1] == 57:  # no card comes twice in a deck
        assert not counts.diagonal().any()
        counts = counts[~np.eye(58, dtype=bool)].reshape(58, 57)
    assert abs(too_far(counts)) < 5


@pytest.mark.parametrize("wrong", ["any place", "never itself"])
def test_a_biased_shuffle_is_found(wrong):
    rng = np.random.default_rng(1)
    decks = np.tile(np.arange(58), (20_000, 1))
    rows = np.arange(len(decks))
    for place in range(57, 0, -1):
        others = rng.integers(0, 58 if wrong == "any place" else place, len(decks))
        decks[rows, place], decks[rows, others] = decks[rows, others], decks[rows, place]
    assert bias(decks) > 20
