# A small network that values the position after a turn, before drawing, for the player who made the turn.
#
#   features  what the player knows of both sides, whole numbers as float32; listed in `network.py`, the readable twin
#   weights   float32, shape (FEATURES + 2, WIDTH): a row for each feature, a row of biases, a row for the output. The last column
#             is the linear part, the others are hidden units, max(0, sum)
#   value     a logarithm of odds; products are added in one order, so it is the same on every machine
#
# A turn is that of `_deal_turns.pxd`: what is laid and the tops after it, in 32 bits.

from libc.stdint cimport uint32_t, uint64_t

from backtrick.face_to_face._deal_turns cimport Hand
from backtrick.face_to_face._seats cimport Deck, Seat

cdef enum:
    SIDE_FEATURES = 20
    OWN_FEATURES = SIDE_FEATURES + 14
    FEATURES = OWN_FEATURES + SIDE_FEATURES
    WIDTH = 16
    ROWS = FEATURES + 2

cdef struct Turns:                         # the distinct outcomes of the turns of a hand, without dominated ones
    Hand hand
    int count
    uint32_t *turns                        # room for MOST_TURNS
    float *values                          # likewise

cdef const float *check_weights(const float[:, ::1] weights) except NULL
cdef void list_outcomes(Turns *found, const Seat *own, const Seat *other, const Deck *deck) noexcept nogil
cdef int make_outcome(const Turns *found, uint32_t turn, Seat *own, Seat *other) noexcept nogil
cdef void write_features(const Seat *own, const Seat *other, int other_held, int drawn, const Deck *deck, float *features) noexcept nogil
cdef float network_value(const float *features, const float *weights) noexcept nogil
cdef int value_outcomes(
    Turns *found, const Seat *own, const Seat *other, int other_held, const Deck *deck, const float *weights) noexcept nogil
cdef uint64_t plays_of(const Turns *found, uint32_t turn, const Seat *own, const Deck *deck) noexcept nogil
