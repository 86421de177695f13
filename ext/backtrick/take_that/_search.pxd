# The exact value of a position: fail-soft alpha-beta over `_layout.pxd`, with bounds that need no search (`_question.pxd`).

from libc.stdint cimport uint8_t

from backtrick.take_that._layout cimport Layout, State
from backtrick.take_that._memory cimport Memory
from backtrick.take_that._question cimport Bounds, Limits

cdef struct Search:
    Layout layout
    Memory memory
    Limits limits
    bint forced_only            # T10
    bint opens                  # T9

cdef bint begin(Search *s, const uint8_t *packed, State *root) noexcept nogil
cdef Bounds solve(Search *s, const State *state) noexcept nogil
cdef int search(Search *s, const State *state, int alpha, int beta) noexcept nogil
