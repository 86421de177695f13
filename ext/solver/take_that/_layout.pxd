# The cards of one position in small numbers, chosen so that the search works on 32-bit masks.
#
#   slot   0 ..17   the cards of both hands, ascending by number; a hand is a mask of these
#          18..35   the cards of the line whose twisted card is in a hand, from left to right
#          36       the floor: the right-most card of the line whose twisted card is in no hand, so that it never leaves
#          37       the table under the line
#
# Three things matter about the line: what it costs to take, which hand cards can twist a card out of it, and which card becomes
# the right-most one after a twist. So the cards left of the floor need no order, and a card that nobody can twist is only a cost.
# Cards are laid from slots 0..17, so the line grows by slots that are no longer in a hand:
#
#   mover 1   other 0    slots   17 ... 2 1 0           below[1] = 18, below[18] = 36: 1 is right-most, then 18, the floor

from libc.stdint cimport uint8_t, uint32_t

from solver._bits cimport __builtin_popcount

cdef enum:
    HAND_SIZE = 9
    LONGEST_LINE = 79
    PACKED = 2 * HAND_SIZE + LONGEST_LINE
    HANDS = 2 * HAND_SIZE
    FLOOR = 36
    TABLE = 37
    SLOTS = 38

cdef struct Layout:
    uint32_t near[SLOTS]        # the hand cards that may be laid on this card (T4)
    uint32_t partner[SLOTS]     # the bit of its twisted card, if that is in a hand at the start; else 0
    uint32_t toads              # the hand cards that are toads
    uint32_t same               # the hand cards whose twisted card is in the same hand
    uint8_t cost[HANDS]         # T6
    uint8_t card[SLOTS]         # its number; 0 for the table
    uint8_t below[SLOTS]        # for a card in the line: the next one on its left, the floor or the table

cdef struct State:
    uint32_t mover
    uint32_t other
    uint32_t twists             # the hand cards of both sides whose twisted card lies in the line (T5)
    uint32_t mates              # the hand cards of both sides whose twisted card is in a hand
    uint32_t spent              # the hand cards that have been used to twist: what they twisted is gone from the line
    int top                     # slot of the right-most card
    int cost                    # what taking the line costs (T6)

cdef bint lay_out(const uint8_t *packed, Layout *layout, State *state) noexcept nogil
cdef int follow(const uint8_t[::1] packed, const uint8_t[::1] codes, Layout *layout, State *state) except -1

cdef inline void lay(const Layout *layout, const State *state, int slot, State *following) noexcept nogil:
    """The state after a lay (T4). The search must set the card's `below` before anything is laid on it."""
    cdef uint32_t bit = <uint32_t> 1 << slot
    cdef uint32_t hands = state.mover | state.other
    following.mover = state.other
    following.other = state.mover ^ bit
    following.twists = (state.twists & ~bit) | (layout.partner[slot] & hands)
    following.mates = state.mates & ~(bit | layout.partner[slot])
    following.spent = state.spent
    following.top = slot
    following.cost = state.cost + layout.cost[slot]

cdef inline int top_after(const Layout *layout, const State *state, uint32_t bit) noexcept nogil:
    """The slot of the right-most card after a twist with the card of `bit`."""
    cdef uint32_t spent = state.spent | bit
    cdef int top = state.top
    while layout.partner[top] & spent:
        top = layout.below[top]
    return top

cdef inline void twist(const Layout *layout, const State *state, int slot, State *following) noexcept nogil:
    """The state after a twist with the card of `slot` (T5). A cost of 0 means that the line is gone."""
    cdef uint32_t bit = <uint32_t> 1 << slot
    following.mover = state.other
    following.other = state.mover ^ bit
    following.twists = state.twists ^ bit
    following.mates = state.mates
    following.spent = state.spent | bit
    following.top = top_after(layout, state, bit)
    following.cost = state.cost - 1

cdef inline int replies(uint32_t lays, uint32_t twists) noexcept nogil:
    """The number of actions, from the cards that may be laid and those that may twist."""
    return __builtin_popcount(lays) + __builtin_popcount(twists)
