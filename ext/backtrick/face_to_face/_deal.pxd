# The search of deals: a `Search` is opened once and then solves one deal after the other (`_deal.pyx`).

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from backtrick.face_to_face._deal_memory cimport Memory
from backtrick.face_to_face._deal_turns cimport Deal, Side
from backtrick.face_to_face._layout cimport HIGHEST, under, upto

cdef struct Bounder:
    const Deal *deal
    Memory *memory
    bint prune                             # dominance between lays
    uint64_t effort                        # lays that were looked at, for measurements

cdef enum:                                 # ideas, each of which can be switched off; the outcomes stay the same
    RACE = 1
    SOLITAIRE = 2
    TABLE = 4
    TABLE_DOMINANCE = 8
    TURN_DOMINANCE = 16
    REPLIES_FIRST = 32
    STATIC_ORDER = 64
    LOOK_AHEAD = 128
    SIMPLE_TOPS = 256
    EVERY_IDEA = 511

cdef struct Search:
    Deal deal
    Memory memory
    Bounder bounder
    int ideas
    uint64_t nodes                         # positions whose turns were listed
    uint64_t most_nodes
    const uint8_t *stop                    # one byte, or NULL
    bint stopped
    int height                             # of the outcome found last: turns of the longest line until it was known (`Entry`)
    uint64_t *room                         # for the turns of the positions on the way down
    uint64_t room_size
    uint64_t room_used

cdef inline uint64_t between(uint64_t cards, int least, int most) noexcept nogil:
    """The cards of these numbers."""
    return cards & upto(most if most < HIGHEST else HIGHEST) & ~under(least if least > 0 else 0)

cdef inline bint stands_up(uint64_t held, int top, int step) noexcept nogil:
    """Is the back trick of an ascending top legal for sure, if the other can have laid helpful cards of `held`?"""
    return not between(held, top - step, top - 1)

cdef inline bint stands_down(uint64_t held, int top, int step) noexcept nogil:
    return not between(held, top + 1, top + step)

cdef bint may_be_through(Bounder *b, const Side *from_side, int k) noexcept nogil
cdef bint may_go_on(Bounder *b, const Side *from_side, int k) noexcept nogil
cdef int search(Search *s, const Side *from_x, const Side *from_y, bint looked_at, uint32_t *winning) noexcept nogil
cdef int open_search(Search *s, int step, bint lone_card, uint64_t most_bytes, int ideas, const uint8_t *stop) noexcept nogil
cdef void close_search(Search *s) noexcept nogil
cdef int begin(Search *s, uint64_t most_nodes) noexcept nogil
