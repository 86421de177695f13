# How one side's cards can be laid on that side's own two piles: look-up tables over hand patterns.
#
# Only two things about a hand of up to six cards, ascending, matter (relabelling, docs/search.md):
#   pattern   which cards are exactly one back trick (`step`) apart: 132 of them, the sixth Catalan number; a shorter
#             hand is the pattern of its cards with unused cards above
#   case      what a pile's top is to the hand: its rank, and which card, if any, is the top's back trick: 28 of them
#
#   subset    6 bits, bit i = card i          family   64 bits, bit s = subset s is in it
#
# Cases are numbered  rank * (rank + 1) / 2 + (0: no back trick | 1 + place of the back trick).  An ascending pile ranks
# from below (rank = cards not above the top), a descending one from above with unused cards counted, places likewise.

from libc.stdint cimport uint8_t, uint64_t

from backtrick._bits cimport __builtin_clzll, __builtin_ctzll, __builtin_popcountll

cdef enum:
    HAND = 6
    PATTERNS = 132
    CASES = 28
    SUBSETS = 64

cdef struct Pattern:
    uint64_t both[CASES][CASES]            # what can be laid on the two piles together, [ascending][descending]
    uint64_t ascending[CASES][HAND]        # what can be laid on the ascending pile, by last card; never empty
    uint64_t descending[CASES][HAND]
    uint8_t ascending_own[HAND]            # the case of an own card as top
    uint8_t descending_own[HAND]
    uint8_t lower[HAND]                    # bit of the card exactly `step` lower, or 0
    uint8_t higher[HAND]

cdef struct Laying:
    Pattern patterns[PATTERNS]
    uint8_t pattern_of[SUBSETS][SUBSETS]   # [cards with a partner above][cards with a partner below] -> pattern
    uint64_t within[SUBSETS]               # the subsets of a subset
    uint64_t less_one[SUBSETS][SUBSETS]    # [subset][cards]: the subset without one of the cards
    uint64_t at_least[HAND + 2]            # all subsets of n cards or more
    uint8_t size[SUBSETS]
    uint8_t plain[CASES]                   # the case of the same rank without a back trick

cdef int build() noexcept nogil                # before all else; the module does it
cdef const Laying *laying() noexcept nogil

cdef inline int case_number(int rank, int trick) noexcept nogil:
    return rank * (rank + 1) // 2 + trick

cdef inline uint64_t joined(uint64_t first, uint64_t second, const uint64_t *within) noexcept nogil:
    """The family of all x | y, for disjoint x and y of two families. There x | y is x + y, so the second family shifts by x."""
    cdef uint64_t unions = 0
    cdef int x
    while first:
        x = __builtin_ctzll(first)
        first &= first - 1
        unions |= (second & within[63 ^ x]) << x
    return unions
