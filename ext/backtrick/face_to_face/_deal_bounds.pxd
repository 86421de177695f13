# Bounds: what is known of a deal without searching it. Each may be silent, but is never wrong; docs/deals.md has the proofs.
#
# Notes are about one side alone. "If all goes well": the player's helpful card always finds a place, no helpful card of the other
# breaks a back trick, and the other does not help. "Whatever the other does": no helpful card, and no back trick as the first card
# on a pile, where the other could have broken it. `k` counts turns.

from libc.stdint cimport uint64_t

from backtrick.face_to_face._deal cimport Deal, Side
from backtrick.face_to_face._deal_memory cimport Memory

cdef enum:
    MOST_RACE = 3
    MOST_GOING_ON = 3

cdef struct Bounder:
    const Deal *deal
    Memory *memory
    bint prune                             # dominance between lays
    uint64_t effort                        # lays that were looked at, for measurements

cdef bint may_be_through(Bounder *b, const Side *x, int k) noexcept nogil
cdef bint may_go_on(Bounder *b, const Side *x, int k) noexcept nogil
cdef bint surely_goes_on(Bounder *b, const Side *x, int k, bint fresh) noexcept nogil
cdef bint surely_through(Bounder *b, const Side *x, const Side *y, int k, int passed, bint gifts) noexcept nogil
cdef int race(Bounder *b, const Side *x, const Side *y) noexcept nogil
cdef int solitaire(Bounder *b, const Side *x, const Side *y) noexcept nogil
