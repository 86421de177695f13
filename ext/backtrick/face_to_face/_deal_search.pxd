# The search of a deal: is it won or lost for the player to move?
#
# From another kernel, without the GIL: `open_search` once, then for each deal `set_side` for both sides (`_deal.pxd`) and
# `solve_within`, at the end `close_search`. The result of a deal does not depend on those solved before.

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from backtrick.face_to_face._deal cimport Deal, Side
from backtrick.face_to_face._deal_bounds cimport Bounder
from backtrick.face_to_face._deal_memory cimport Memory

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

cdef int solve(Search *s, const Side *x, const Side *y, uint32_t *turn) noexcept nogil
cdef int open_search(Search *s, int step, bint lone_card, uint64_t most_bytes, int ideas, const uint8_t *stop) noexcept nogil
cdef void close_search(Search *s) noexcept nogil
cdef int solve_within(Search *s, const Side *x, const Side *y, uint64_t most_nodes, uint32_t *turn) noexcept nogil
