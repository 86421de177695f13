# A whole game between two turns: two seats, and the rules of a turn.
#
#   play      a byte, card | pile << 6
#   turn      a byte for each play, the first lowest, as in `pack_turn`; 0 is no turn
#   view      what the player to move sees: two seats without hands and piles that cannot be seen

from libc.stdint cimport uint8_t, uint64_t

from backtrick._bits cimport __builtin_clzll, __builtin_ctzll
from backtrick.face_to_face._duel cimport HIGHEST

cdef enum:
    OWN_UP = 0
    OWN_DOWN = 1
    OTHER_UP = 2
    OTHER_DOWN = 3

cdef struct Deck:
    int highest
    int step
    bint lone_card

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

cdef inline bint holds(uint64_t cards, int card) noexcept nogil:
    return 0 <= card < HIGHEST and (cards >> card) & 1

cdef inline int lowest(uint64_t cards) noexcept nogil:
    return __builtin_ctzll(cards)

cdef inline int highest_of(uint64_t cards) noexcept nogil:
    return 63 - __builtin_clzll(cards)

cdef inline int play_of(int card, int pile) noexcept nogil:
    return card | (pile << 6)

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

cdef inline bint fits(const Seat *own, const Seat *other, int card, int pile, bint helped, int step) noexcept nogil:
    if pile == OWN_UP:
        return card > own.up or card == own.up - step       # F5
    if pile == OWN_DOWN:
        return card < own.down or card == own.down + step   # F6
    if helped:
        return False                                        # F4
    return card < other.up if pile == OTHER_UP else card > other.down  # F8

cdef uint64_t first_turn(const Seat *own, const Seat *other, const Deck *deck, int laid, bint helped) noexcept nogil
cdef void draw(Seat *own, int count) noexcept nogil
cdef void play_turn(Seat *own, Seat *other, uint64_t turn) noexcept nogil
cdef bint is_deck(const uint8_t *cards, int highest) noexcept nogil
cdef Seat dealt(const uint8_t *cards, int highest) noexcept nogil
cdef Deck check_rules(int highest, int step, bint lone_card) except *
cdef Sight read_view(tuple view, const Deck *deck) except *
