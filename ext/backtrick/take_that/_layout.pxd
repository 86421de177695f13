# The cards of one position in small numbers, chosen so that the searches of endgames and of deals work on 64-bit masks.
#
#   slot   0 ..63   the cards of both hands and of the pile, ascending by number; a hand is a mask of these
#          ...125   the cards of the line whose twisted card is among them, from left to right. In an endgame the hands take
#                   slots 0..17, and these 18..35. In a deal they begin at 64
#          126      the floor: the right-most card of the line whose twisted card is not among them, so that it never leaves
#          127      the table under the line
#
# Three things matter about the line: what it costs to take, which hand cards can twist a card out of it, and which card becomes
# the right-most one after a twist. So the cards left of the floor need no order, and a card that cannot be twisted is only a cost.
# Cards are laid from hands, so the line grows by slots that are no longer in a hand. In an endgame:
#
#   mover 1   other 0    slots   17 ... 2 1 0           below[1] = 18, below[18] = 126: 1 is right-most, then 18, the floor

from libc.stdint cimport uint8_t, uint64_t

from backtrick._bits cimport __builtin_popcountll

cdef enum:
    HAND_SIZE = 9
    LONGEST_LINE = 79
    PACKED = 2 * HAND_SIZE + LONGEST_LINE
    HANDS = 2 * HAND_SIZE
    LIVE = 64
    FLOOR = 126
    TABLE = 127
    SLOTS = 128
    FORCED_ONLY = 1             # the rule options in a number, `rule_options.Rules.code`
    OPENS = 2
    PROFESSIONAL = 4
    EVERY_OPTION = 7

cdef struct Layout:
    uint64_t near[SLOTS]        # the live cards, those of hands and pile, that may be laid on this card (T4)
    uint64_t partner[SLOTS]     # the bit of its twisted card, if that is live at the start; else 0
    uint64_t toads              # the live cards that are toads
    uint64_t same               # the live cards whose twisted card is the same player's
    uint8_t cost[LIVE]         # T6
    uint8_t card[SLOTS]         # its number; 0 for the table
    uint8_t below[SLOTS]        # for a card in the line: the next one on its left, the floor or the table

cdef struct State:
    uint64_t mover
    uint64_t other
    uint64_t twists             # the live cards of both sides whose twisted card lies in the line (T5)
    uint64_t mates              # the live cards of both sides whose twisted card is live
    uint64_t spent              # the cards that have been used to twist: what they twisted is gone from the line
    int top                     # slot of the right-most card
    int cost                    # what taking the line costs (T6)

cdef struct Rules:              # the rule options
    bint forced_only            # T10
    bint opens                  # T9
    bint professional           # T11

cdef int read_rules(int code, Rules *rules) except -1
cdef void fill_tables() noexcept nogil         # before all else; the module does it
cdef bint lay_out(const uint8_t *packed, Layout *layout, State *state) noexcept nogil
cdef bint lay_out_deal(
    const uint8_t *packed, const uint8_t *pile, int count, Layout *layout, State *state, uint64_t *drawn,
) noexcept nogil
cdef int follow(const uint8_t[::1] packed, const uint8_t[::1] codes, Layout *layout, State *state) except -1

cdef inline void lay(const Layout *layout, const State *state, uint64_t live, int slot, State *following) noexcept nogil:
    """The state after a lay (T4). live: the cards of both hands and of the pile. The search must set the card's `below` before
    anything is laid on it."""
    cdef uint64_t bit = <uint64_t> 1 << slot
    following.mover = state.other
    following.other = state.mover ^ bit
    following.twists = (state.twists & ~bit) | (layout.partner[slot] & live)
    following.mates = state.mates & ~(bit | layout.partner[slot])
    following.spent = state.spent
    following.top = slot
    following.cost = state.cost + layout.cost[slot]

cdef inline int top_after(const Layout *layout, const State *state, uint64_t bit) noexcept nogil:
    """The slot of the right-most card after a twist with the card of `bit`."""
    cdef uint64_t spent = state.spent | bit
    cdef int top = state.top
    while layout.partner[top] & spent:
        top = layout.below[top]
    return top

cdef inline void twist(const Layout *layout, const State *state, int slot, State *following) noexcept nogil:
    """The state after a twist with the card of `slot` (T5). A cost of 0 means that the line is gone."""
    cdef uint64_t bit = <uint64_t> 1 << slot
    following.mover = state.other
    following.other = state.mover ^ bit
    following.twists = state.twists ^ bit
    following.mates = state.mates
    following.spent = state.spent | bit
    following.top = top_after(layout, state, bit)
    following.cost = state.cost - 1

cdef inline int replies(uint64_t lays, uint64_t twists) noexcept nogil:
    """The number of turns, from the cards that may be laid and those that may twist."""
    return __builtin_popcountll(lays) + __builtin_popcountll(twists)
