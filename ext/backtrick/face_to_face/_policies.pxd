# The policies: simple players of whole games. `solver/backtrick/face_to_face/policies.py` has their readable twins.
#
#   policy    0 frugal, 1 hasty, 2 + i: tuned with row i of an array of prices
#   prices    int32, the fields of `policies.Prices` in their order

from libc.stdint cimport int32_t, uint8_t, uint64_t

from backtrick.face_to_face._seats cimport Deck, Seat, Sight

cdef enum:
    FRUGAL = 0
    HASTY = 1
    TUNED = 2
    MOST_PRICE = 1 << 20        # so that no sum of prices overflows

cdef enum:                      # the places of the prices
    SKIPPED
    DEAD
    TRICK
    PAIR
    ALONE
    GIFT
    FREED
    REVIVED
    SPOILT
    OFFERED
    HELP
    REFILL
    DUMP
    MORE
    MORE_HELPED
    MORE_EMPTY
    HELD
    HELD_HELPED
    BEHIND
    PRICES

cdef struct Policies:
    const int32_t *prices
    int count                   # policies 0..count-1 are known

cdef Policies check_prices(const int32_t[:, ::1] prices) except *
cdef uint64_t turn_of(int policy, const Seat *own, const Seat *other, const Deck *deck, const int32_t *prices) noexcept nogil
cdef int play_on(Seat *seats, int mover, const uint8_t *policies, const Deck *deck, const int32_t *prices) noexcept nogil
