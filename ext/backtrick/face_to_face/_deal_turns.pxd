# The turns of a deal. A turn lays some cards on own piles (a *lay*) and perhaps one helpful card.
#
#   place     of a card in the hand, 0..5, ascending; cards of a lay are 6 bits by place
#   turn      32 bits: bits 0..5 the lay's cards, 6..11 the new ascending top, 12..17 the new descending top,
#             18..21 the helpful card: 0 none, else 1 + 2 * place + (0 on the ascending pile | 1 on the descending one)

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from backtrick.face_to_face._deal cimport Deal, Side
from backtrick.face_to_face._laying cimport HAND, Pattern

cdef enum:
    MOST_LAYS = 1120                       # the sum over all sets of six cards of (cards + 1) ** 2: last card on each pile, or none
    MOST_TURNS = 13 * MOST_LAYS
    HELP_SHIFT = 18

cdef struct Lay:
    uint8_t cards
    uint8_t up
    uint8_t down

cdef struct Hand:                          # a hand and the tops it lays on
    const Pattern *pattern
    uint64_t cards
    uint8_t numbers[HAND]
    int count
    int up_case
    int down_case

cdef inline uint32_t turn_of(Lay lay, int help) noexcept nogil:
    return lay.cards | (<uint32_t> lay.up << 6) | (<uint32_t> lay.down << 12) | (<uint32_t> help << HELP_SHIFT)

cdef inline Lay lay_of(uint32_t turn) noexcept nogil:
    cdef Lay lay
    lay.cards, lay.up, lay.down = turn & 63, (turn >> 6) & 63, (turn >> 12) & 63
    return lay

cdef inline uint64_t cards_at(const uint8_t *numbers, int places) noexcept nogil:
    """The cards at these places of a hand."""
    cdef uint64_t cards = 0
    cdef int i
    for i in range(HAND):
        cards |= <uint64_t> ((places >> i) & 1) << numbers[i]
    return cards

cdef void look_at_cards(
    const Deal *deal, uint64_t cards, int up, int down, bint fresh_up, bint fresh_down, Hand *hand) noexcept nogil
cdef void look_at_hand(const Deal *deal, const Side *x, bint fresh_up, bint fresh_down, Hand *hand) noexcept nogil
cdef bint lays_all(const Deal *deal, const Hand *hand, int dumps) noexcept nogil
cdef bint lays_any(const Hand *hand) noexcept nogil
cdef bint can_finish(const Deal *deal, const Side *x, const Side *y) noexcept nogil
cdef bint is_stuck(const Deal *deal, const Side *x, const Side *y) noexcept nogil
cdef int list_lays(
    const Deal *deal, const Side *x, const Hand *hand, int least, bint one_more, bint prune, Lay *found) noexcept nogil
cdef bint can_lay(const Side *x, const Hand *hand, Lay lay) noexcept nogil
cdef int list_turns(const Deal *deal, const Side *x, const Side *y, const Hand *hand, bint prune, uint32_t *found) noexcept nogil
cdef void make_turn(const Deal *deal, const uint8_t *numbers, uint32_t turn, Side *x, Side *y) noexcept nogil
