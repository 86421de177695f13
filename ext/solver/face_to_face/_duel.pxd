# A position as the search sees it: two players, each with look-ups by top. Numbers are gone, only relations are left.
#
#   card      0..5, its place in the hand that the search began with, ascending
#   cards     6 bits, bit i = card i
#   top       what lies on a pile: 0..5 the owner's card, 6..11 the other's card (a helpful one), 12 what lay there

from libc.stdint cimport uint8_t, uint64_t

from solver.face_to_face._laying cimport HAND, Pattern

cdef enum:
    OTHERS = 6
    ORIGINAL = 12
    TOPS = 13

cdef packed struct Packed:                 # POSITION_DTYPE
    uint64_t mover_hand
    uint64_t opponent_hand
    uint8_t mover_ascending
    uint8_t mover_descending
    uint8_t opponent_ascending
    uint8_t opponent_descending

cdef struct Player:
    const Pattern *pattern
    uint8_t ascending_case[TOPS]
    uint8_t descending_case[TOPS]
    uint8_t ascending_open[TOPS]           # the other's cards that improve this pile (F8)
    uint8_t descending_open[TOPS]
    uint8_t not_above[HAND]                # how many own cards are not above the other's card
    uint8_t below[HAND]                    # how many own cards are below the other's card
    uint8_t numbers[HAND]
    int count

cdef struct Duel:
    Player mover
    Player opponent

cdef int spread(uint64_t hand, uint8_t *numbers) noexcept nogil
cdef const Pattern *pattern_of(uint64_t hand, const uint8_t *numbers, int count, int step) noexcept nogil
cdef int ascending_case(uint64_t hand, int top, int step) noexcept nogil
cdef int descending_case(uint64_t hand, int top, int step) noexcept nogil
cdef void look_at_own(Player *player, uint64_t hand, int ascending, int descending, int step) noexcept nogil
cdef void look_at_other(Player *player, uint64_t others, int ascending, int descending) noexcept nogil
cdef void look_closely(Duel *duel, const Packed *position, int step) noexcept nogil
cdef void set_up(Duel *duel, const Packed *position, int step) noexcept nogil
cdef inline int cards_of(const Player *player) noexcept nogil:
    return (1 << player.count) - 1

cdef int fault(const Packed *position, int highest) noexcept nogil
