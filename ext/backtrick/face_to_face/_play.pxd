# Whole games: the rules of a turn between two seats, the policies, and the network.

from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t

from backtrick.face_to_face._deal cimport Hand, size_of
from backtrick.face_to_face._layout cimport BACK, HAND, under, upto

# A game between two turns: two seats, and the rules of a turn.
#
#   play      a byte, card | pile << 6
#   turn      a byte for each play, the first lowest, as in `pack_turn`; 0 means no turn
#   view      what the player to move sees: two seats without hands and piles that cannot be seen

cdef enum:
    OWN_UP = 0
    OWN_DOWN = 1
    OTHER_UP = 2
    OTHER_DOWN = 3

cdef struct Seat:
    uint64_t hand
    uint64_t unlaid             # hand and draw pile together
    int up
    int down
    const uint8_t *pile         # the next card first
    int to_come

cdef struct Sight:
    Seat own                    # to_come counts the pile, and its order is not there
    Seat other                  # without a hand; to_come counts the pile
    int other_held

cdef inline void lay(Seat *own, Seat *other, int play) noexcept nogil:
    cdef int card = play & 63, pile = play >> 6
    own.hand &= ~(<uint64_t> 1 << card)
    own.unlaid &= ~(<uint64_t> 1 << card)
    if pile == OWN_UP:
        own.up = card
    elif pile == OWN_DOWN:
        own.down = card
    elif pile == OTHER_UP:
        other.up = card
    else:
        other.down = card

cdef inline uint64_t fitting(const Seat *own, const Seat *other, int pile, bint helped) noexcept nogil:
    """The cards of the hand that may be laid on a pile. helped: this turn has laid its helpful card."""
    if pile == OWN_UP:
        return own.hand & (~upto(own.up) | ((<uint64_t> 1 << own.up) >> BACK))          # F5
    if pile == OWN_DOWN:
        return own.hand & (under(own.down) | ((<uint64_t> 1 << own.down) << BACK))      # F6
    if helped:
        return 0                                                                        # F4
    return own.hand & (under(other.up) if pile == OTHER_UP else ~upto(other.down))      # F8

cdef inline int cards_due(const Seat *own, bint helped) noexcept nogil:
    """How many cards are drawn after a turn, at most the pile (F11)."""
    return HAND - size_of(own.hand) if helped else 2

cdef void draw(Seat *own, int count) noexcept nogil
cdef bint lay_turn(Seat *own, Seat *other, uint64_t turn) noexcept nogil
cdef void play_turn(Seat *own, Seat *other, uint64_t turn) noexcept nogil
cdef uint64_t cards_in(const uint8_t *deck, int count) noexcept nogil
cdef Seat dealt(const uint8_t *deck, int count) noexcept nogil
cdef Sight read_view(tuple view) except *

# The policies: simple players of whole games. `solver/backtrick/face_to_face/policies.py` has their readable twins.
#
#   policy    0 frugal, 1 hasty, 2 + i: tuned with row i of an array of prices
#   prices    int32, the fields of `policies.Prices` in their order

cdef enum:
    FRUGAL = 0
    HASTY = 1
    TUNED = 2
    MOST_PRICE = 1 << 20        # so that no sum of prices overflows

cdef struct Policies:
    const int32_t *prices
    int count                   # policies 0..count-1 are known

cdef Policies check_prices(const int32_t[:, ::1] prices) except *
cdef uint64_t turn_of(int policy, const Seat *own, const Seat *other, int keep, const int32_t *prices) noexcept nogil
cdef int play_on(Seat *seats, int mover, const uint8_t *policies, int keep, const int32_t *prices) noexcept nogil

# A small network that values the position after a turn, before drawing, for the player who made the turn.
#
#   features  what the player knows of both sides, whole numbers 0..63; listed in `network.py`, the readable twin
#   weights   int16, shape (ROWS, WIDTH): for each feature a row for each of its values, and a row for the output. The last column
#             is the linear part, the others are hidden units, max(0, sum)
#   value     log odds times ONE, a whole number, so it is the same on every machine
#
# A turn is that of `_deal.pxd`: what is laid and the tops after it, in 32 bits.

cdef enum:
    PILE_FEATURES = 7
    SIDE_FEATURES = 2 * PILE_FEATURES + 8
    HAND_FEATURES = 10
    OWN_FEATURES = SIDE_FEATURES + 2 * HAND_FEATURES + 7
    FEATURES = OWN_FEATURES + SIDE_FEATURES
    VALUES = 64                 # of a feature
    WIDTH = 32
    ROWS = VALUES * FEATURES + 1
    ONE = 1 << 16

cdef struct Turns:                         # the distinct outcomes of the turns of a hand, without dominated ones
    Hand hand
    int count
    uint32_t *turns                        # room for MOST_TURNS
    int32_t *values                        # room for MOST_TURNS

cdef const int16_t *check_weights(const int16_t[:, ::1] weights) except NULL
cdef void list_outcomes(Turns *found, const Seat *own, const Seat *other, int keep) noexcept nogil
cdef int make_outcome(const Turns *found, uint32_t turn, Seat *own, Seat *other) noexcept nogil
cdef void write_features(const Seat *own, const Seat *other, int other_held, int drawn, uint8_t *features) noexcept nogil
cdef int32_t network_value(const uint8_t *features, const int16_t *weights) noexcept nogil
cdef int value_outcomes(
    Turns *found, const Seat *own, const Seat *other, int other_held, const int16_t *weights) noexcept nogil
cdef uint64_t plays_of(const Turns *found, uint32_t turn, const Seat *own) noexcept nogil
