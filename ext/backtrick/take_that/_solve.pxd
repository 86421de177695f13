# The search for the exact value of a position, and what it remembers. docs/take_that.md proves each bound.

from libc.stdint cimport int8_t, uint8_t, uint64_t

from backtrick.take_that._layout cimport HANDS, PACKED, Layout, Rules, State
from backtrick.take_that._bounds cimport Bounds, Limits

# What the search remembers about states: bounds on their value, in a hash table that starts small and grows.
#
# The key is the whole state except its cost, so no state is mistaken for another. Given the position at the start, the cards
# left in the hands determine who is to move, what can be twisted and which cards of the start still lie in the line. The rest of
# the state, and the bounds:
#
#   first    bits  0..44   the cards laid since that can still be twisted, from the right end down to the first that cannot,
#                          five bits each; there are at most nine, because each keeps its twisted card in a hand
#            bits 45..63   generation: entries of other positions are not looked at
#   second   bits  0..17   the cards left in the hands
#            bits 36..37   what bits 18..35 mean; they describe that first card that cannot be twisted:
#               ENDS_LAID      the cards left that may be laid on it. No card of the start lies above it
#               ENDS_DEEPER    its slot. Cards of the start lie above it: the cards left in the hands determine which
#               ENDS_NOWHERE   there is no such card: the whole line can be twisted away. What taking it costs
#            bits 38..44   what taking the line costs; not part of the key
#            bits 45..52   a lower bound of the value, plus 128
#            bits 53..60   an upper bound of the value, plus 128
#
# Two entries share a bucket. The first of the two is in use if the second is, and has at least as many cards in the hands when it
# is stored: more cards are more work.

cdef struct Entry:
    uint64_t first
    uint64_t second

cdef struct Memory:
    Entry *entries
    uint64_t capacity           # entries that have memory, a power of two, at least two
    uint64_t used               # entries in use now, a power of two
    uint64_t filled             # of these, how many hold a state of this position
    uint64_t touched            # entries that have been in use since all were cleared
    uint64_t generation

# The exact value of a position: fail-soft alpha-beta over `_layout.pxd`, with bounds that need no search (`_bounds.pxd`).

cdef struct Search:
    Layout layout
    Memory memory
    Limits limits
    Rules rules

cdef enum:
    TAKE = 1                    # the codes of `turn.pack_turn`
    TWISTS = 128
    LONGEST_PLAY = HANDS + 1    # each turn but the last uses a card of a hand

cdef struct Row:                # `solving.OUTCOME_DTYPE`; bytes only, so without padding
    uint8_t turn
    int8_t points
    int8_t value
    uint8_t position[PACKED]

cdef bint begin(Search *s, const uint8_t *packed, State *root) noexcept nogil
cdef Bounds solve(Search *s, const State *state) noexcept nogil
cdef Bounds value_of(Search *s, const State *root) noexcept nogil
cdef int best_turns(Search *s, const State *state, int value, bint every, int *code, State *after) noexcept nogil
cdef bint follow_best(Search *s, const State *root, int value, uint8_t *line) noexcept nogil
cdef int list_turns(const uint8_t *p, const Rules *rules, uint8_t *codes) noexcept nogil
cdef int play(const uint8_t *p, int code, uint8_t *following) noexcept nogil
cdef bint well_formed(const uint8_t *p) noexcept nogil
