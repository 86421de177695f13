# The exact value of a position: fail-soft alpha-beta over `_layout.pxd`, with bounds that need no search.

from libc.stdint cimport uint8_t, uint64_t

from solver.take_that._layout cimport Layout, State
from solver.take_that._memory cimport Memory

cdef enum:
    WORST = -120                # below every value: all cards together cost 79 + 7 * 4

cdef struct Search:
    Layout layout
    Memory memory
    bint forced_only            # T10
    bint opens                  # T9
    uint64_t nodes
    uint64_t node_limit
    uint64_t checkpoint         # the number of nodes at which to look up from the work
    const volatile uint8_t *stop   # set from outside when the time is over; may be NULL
    bint stopped                # a limit was met: returned values are meaningless

cdef struct Claims:             # what is known of a state without a search
    int low
    int high
    int taken                   # if the mover takes in the end, the value is at most this
    int given                   # if the other takes in the end, the value is at least this

cdef struct Bounds:
    int low
    int high

cdef bint begin(Search *s, const uint8_t *packed, State *root) noexcept nogil
cdef Bounds solve(Search *s, const State *state) noexcept nogil
cdef int search(Search *s, const State *state, int alpha, int beta) noexcept nogil
