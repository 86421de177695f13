"""Shuffled decks by the thousand, from a seed and the numbers of games (`_random.pxd`). The readable twin is `random.py`."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

import numpy as np

cdef enum:
    ROUNDS = 10
    WORDS = 4                   # of a block
    MOST_CARDS = 256            # a card is a byte


cdef void philox(const uint32_t *counter, const uint32_t *key, uint32_t *words) noexcept nogil:
    """The four words of a counter and a key."""
    cdef uint32_t a = counter[0], b = counter[1], c = counter[2], d = counter[3], low = key[0], high = key[1]
    cdef uint64_t one, other
    cdef int step
    for step in range(ROUNDS):
        one = <uint64_t> 0xD2511F53U * a
        other = <uint64_t> 0xCD9E8D57U * c
        a = (<uint32_t> (other >> 32)) ^ b ^ low
        b = <uint32_t> other
        c = (<uint32_t> (one >> 32)) ^ d ^ high
        d = <uint32_t> one
        low += 0x9E3779B9U
        high += 0xBB67AE85U
    words[0], words[1], words[2], words[3] = a, b, c, d


cdef Stream stream_of(uint64_t seed, uint64_t number) noexcept nogil:
    cdef Stream stream
    memset(&stream, 0, sizeof(stream))
    stream.key[0], stream.key[1] = <uint32_t> seed, <uint32_t> (seed >> 32)
    stream.counter[2], stream.counter[3] = <uint32_t> number, <uint32_t> (number >> 32)
    stream.used = WORDS
    return stream


cdef inline uint32_t next_word(Stream *stream) noexcept nogil:
    if stream.used == WORDS:
        philox(stream.counter, stream.key, stream.words)
        stream.counter[0] += 1
        stream.used = 0
    stream.used += 1
    return stream.words[stream.used - 1]


cdef uint32_t below(Stream *stream, uint32_t bound) noexcept nogil:
    cdef uint64_t product = <uint64_t> next_word(stream) * bound
    cdef uint32_t least
    if <uint32_t> product < bound:  # seldom true, so the division is seldom needed
        least = (<uint32_t> (0 - bound)) % bound  # 2^32 modulo the bound: as many words are rejected, for fairness
        while <uint32_t> product < least:
            product = <uint64_t> next_word(stream) * bound
    return product >> 32


cdef void shuffle(Stream *stream, uint8_t *cards, int count) noexcept nogil:
    """Every order is equally likely (Fisher and Yates, from the last place down)."""
    cdef int place
    cdef uint32_t other
    for place in range(count - 1, 0, -1):
        other = below(stream, place + 1)
        cards[place], cards[other] = cards[other], cards[place]


def block(const uint32_t[::1] counter not None, const uint32_t[::1] key not None):
    """The four words of a counter of four words and a key of two: uint32, shape (4,)."""
    cdef uint32_t[WORDS] words
    if counter.shape[0] != WORDS or key.shape[0] != 2:
        raise ValueError(f"the counter must have {WORDS} words and the key 2, not {counter.shape[0]} and {key.shape[0]}")
    philox(&counter[0], &key[0], words)
    return np.array(<uint32_t[:WORDS]> words)


def numbers_below(uint64_t seed, uint64_t number, const uint32_t[::1] bounds not None):
    """The first numbers of a game's stream, the i-th below bounds[i]: uint32, shape (n,)."""
    cdef Stream stream = stream_of(seed, number)
    cdef Py_ssize_t i
    found = np.empty(bounds.shape[0], np.uint32)
    cdef uint32_t[::1] numbers = found
    for i in range(bounds.shape[0]):
        if bounds[i] == 0:
            raise ValueError(f"bound {i} must be at least 1, not 0")
        numbers[i] = below(&stream, bounds[i])
    return found


def deal(const uint8_t[::1] cards not None, uint8_t[:, :, ::1] decks not None, uint64_t seed, uint64_t first):
    """Fills decks[i] with the decks of game first + i of the seed, one after the other, each the cards in random order."""
    cdef Stream stream
    cdef Py_ssize_t i, deck
    cdef int count = <int> cards.shape[0] if cards.shape[0] <= MOST_CARDS else 0
    if count == 0 or decks.shape[2] != count:
        raise ValueError(f"decks need one place for each of 1 to {MOST_CARDS} cards, not {decks.shape[2]} for {cards.shape[0]}")
    with nogil:
        for i in range(decks.shape[0]):
            stream = stream_of(seed, first + i)
            for deck in range(decks.shape[1]):
                memcpy(&decks[i, deck, 0], &cards[0], count)
                shuffle(&stream, &decks[i, deck, 0], count)
