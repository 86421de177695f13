# Random numbers for dealing, a function of a seed and the number of a game: Philox4x32-10 of J. K. Salmon, M. A. Moraes, R. O. Dror
# and D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011). It maps a counter and a key to four words of 32 bits and
# keeps nothing from one call to the next, so any game can be dealt by itself.
#
#     key        seed: low word, high word
#     counter    block 0, 1, 2, ... | 0, for the deal | number of the game: low word, high word
#
# The second word of the counter is free for any other chance events of a game.
#
# Numbers below a bound are without bias: D. Lemire, "Fast random integer generation in an interval" (ACM TOMACS 29, 2019).
# The readable twin is solver/backtrick/random.py.

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef struct Stream:
    uint32_t key[2]
    uint32_t counter[4]         # of the next block
    uint32_t words[4]           # of this block
    int used                    # how many of them

cdef Stream stream_of(uint64_t seed, uint64_t number) noexcept nogil
cdef uint32_t below(Stream *stream, uint32_t bound) noexcept nogil      # 0..bound-1; the bound is at least 1
cdef void shuffle(Stream *stream, uint8_t *cards, int count) noexcept nogil
