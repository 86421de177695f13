# The exact value of a deal: the search of `_search.pxd` while cards are still to be drawn, and on into the endgame.

from libc.stdint cimport int16_t, uint8_t, uint64_t

from backtrick.take_that._deal_memory cimport Memory
from backtrick.take_that._layout cimport LIVE, SLOTS, Layout, State
from backtrick.take_that._question cimport Bounds, Limits

cdef enum:                      # ideas, each of which can be switched off; the values stay the same
    TAKING_BOUNDS = 1
    ENDGAME_BOUNDS = 2
    TABLE_OF_STATES = 4
    OTHER_COSTS = 8
    ORDER = 16
    TWINS = 32
    EXPERIENCED = 64
    OPENING_FIRST = 128
    NARROW = 256
    EVERY_IDEA = 511

cdef struct Experience:         # how often an action answered the question, -FAILED (always) .. FAILED (never)
    int16_t lays[SLOTS][LIVE]   # by the right-most card
    int16_t twists[LIVE]

cdef struct Search:
    Layout layout
    Memory memory
    Memory late                 # for states with few cards to come
    Experience experience
    Limits limits
    bint forced_only            # T10
    bint opens                  # T9
    int ideas
    int pile                    # cards in the pile at the start
    uint64_t drawn[LIVE]        # the bit of the card that is drawn when so many are left
    uint64_t rest[LIVE]         # the cards of the pile when so many are left
    uint64_t own[LIVE]          # of these, the ones that the player to move will draw

cdef enum:                      # a turn: its kind, and the slot of its card
    LAY = 0 << 6
    TWIST = 1 << 6
    TAKING = 2 << 6             # the pile is empty, and the round is over
    OPENING = 3 << 6            # takes, and lays this card as the first of a new line
    MOST_TURNS = 27
    OVER = -1

cdef bint prepare(Search *s, bint forced_only, bint opens, uint64_t table_bytes, int ideas) noexcept nogil
cdef void release(Search *s) noexcept nogil
cdef bint begin(Search *s, const uint8_t *packed, const uint8_t *pile, int count, State *root) noexcept nogil
cdef Bounds solve(Search *s, const State *state, int pile) noexcept nogil
cdef int list_legal(const Search *s, const State *state, int pile, int *turns) noexcept nogil
cdef int make_turn(Search *s, const State *state, int pile, int turn, State *following, int *points) noexcept nogil
cdef Bounds solve_after(Search *s, const State *state, int pile, int turn) noexcept nogil
cdef int best_turn(Search *s, const State *state, int pile, int value) noexcept nogil
cdef int search(Search *s, const State *state, int pile, int alpha, int beta) noexcept nogil
