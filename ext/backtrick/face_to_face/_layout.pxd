# How one side's cards can be laid on that side's own two piles: look-up tables over hand patterns.
#
# Only two things about a hand of up to six cards, ascending, matter (relabelling, docs/face_to_face.md):
#   pattern   which cards are exactly one back trick (10) apart: 132 of them, the sixth Catalan number; a shorter
#             hand is the pattern of its cards with unused cards above
#   case      what a pile's top is to the hand: its rank, and which card, if any, is the top's back trick: 28 of them
#
#   subset    6 bits, bit i = card i          family   64 bits, bit s = subset s is in it
#
# Cases are numbered  rank * (rank + 1) / 2 + (0: no back trick | 1 + place of the back trick).  An ascending pile ranks
# from below (rank = cards not above the top), a descending one from above with unused cards counted, and so do places.

from libc.stdint cimport int16_t, uint8_t, uint64_t

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
    uint8_t lower[HAND]                    # bit of the card exactly 10 lower, or 0
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


# A position as the search sees it: two players, each with look-ups by top. Only the relations of the numbers are kept.
#
#   card      0..5, its place in the hand that the search began with, ascending
#   cards     6 bits, bit i = card i
#   top       what lies on a pile: 0..5 the owner's card, 6..11 the opponent's card (a helpful one), 12 what lay there

cdef enum:
    OTHERS = 6
    ORIGINAL = 12
    TOPS = 13
    HIGHEST = 60                           # the number of the descending row card (F1)
    BACK = 10                              # how far a back trick goes back (F5, F6)

cdef packed struct Packed:                 # POSITION_DTYPE
    uint64_t mover_hand
    uint64_t opponent_hand
    uint8_t mover_ascending
    uint8_t mover_descending
    uint8_t opponent_ascending
    uint8_t opponent_descending

cdef struct Player:
    const Pattern *pattern
    uint8_t ascending_case[TOPS]
    uint8_t descending_case[TOPS]
    uint8_t ascending_open[TOPS]           # the opponent's cards that improve this pile (F8)
    uint8_t descending_open[TOPS]
    uint8_t not_above[HAND]                # how many own cards are not above the opponent's card
    uint8_t below[HAND]                    # how many own cards are below the opponent's card
    uint8_t numbers[HAND]
    int count

cdef struct Endgame:
    Player mover
    Player opponent

cdef struct Holding:                       # a player in the middle of a line; 16 bytes, so it is passed in two registers
    const Player *player
    int cards                              # still held
    int16_t up                             # the tops of the player's piles
    int16_t down

cdef inline uint64_t upto(int number) noexcept nogil:
    return (<uint64_t> 2 << number) - 1

cdef inline uint64_t under(int number) noexcept nogil:
    return (<uint64_t> 1 << number) - 1

cdef inline int cards_of(const Player *player) noexcept nogil:
    return (1 << player.count) - 1

cdef inline Holding holding(const Player *player, int cards, int up, int down) noexcept nogil:
    cdef Holding held
    held.player, held.cards, held.up, held.down = player, cards, up, down
    return held

cdef inline Holding at_start(const Player *player) noexcept nogil:
    """Nothing is laid yet."""
    return holding(player, cards_of(player), ORIGINAL, ORIGINAL)

cdef inline const Pattern *pattern_of(const Laying *tables, uint64_t hand) noexcept nogil:
    cdef uint64_t lower = hand & (hand >> BACK), bit
    cdef int above = 0, below = 0, i
    for i in range(2):  # most hands have two pairs at most; a missing pair sets a bit above the hand
        bit = lower & -lower
        lower ^= bit
        above |= 1 << __builtin_popcountll(hand & (bit - 1))
        below |= 1 << __builtin_popcountll(hand & ((bit << BACK) - 1))
    while lower:
        bit = lower & -lower
        lower ^= bit
        above |= 1 << __builtin_popcountll(hand & (bit - 1))
        below |= 1 << __builtin_popcountll(hand & ((bit << BACK) - 1))
    i = (1 << __builtin_popcountll(hand)) - 1
    return &tables.patterns[tables.pattern_of[above & i][below & i]]

# The back trick's part of a pile's case (`_layout.pxd`). It has no branch, so none can be mispredicted.

cdef inline int trick_below(uint64_t hand, int top) noexcept nogil:
    cdef uint64_t raised = hand << BACK
    return __builtin_popcountll(raised & upto(top)) & -<int> ((raised >> top) & 1)

cdef inline int trick_above(uint64_t hand, int count, int top) noexcept nogil:
    cdef uint64_t lowered = hand >> BACK >> top
    return (HAND - count + __builtin_popcountll(lowered)) & -<int> (lowered & 1)

cdef inline void look_at_own(
    const Laying *tables, Player *player, uint64_t hand, int ascending, int descending,
) noexcept nogil:
    """What the player can lay at once on own piles."""
    player.count = __builtin_popcountll(hand)
    player.pattern = pattern_of(tables, hand)
    player.ascending_case[ORIGINAL] = case_number(
        __builtin_popcountll(hand & upto(ascending)), trick_below(hand, ascending))
    player.descending_case[ORIGINAL] = case_number(
        HAND - __builtin_popcountll(hand & under(descending)), trick_above(hand, player.count, descending))

cdef inline void look_at_other(Player *player, uint64_t others, int ascending, int descending) noexcept nogil:
    """What the opponent can lay at once on the player's piles."""
    player.ascending_open[ORIGINAL] = (1 << __builtin_popcountll(others & under(ascending))) - 1
    player.descending_open[ORIGINAL] = (
        (1 << __builtin_popcountll(others)) - (1 << __builtin_popcountll(others & upto(descending))))

cdef inline int fault(const Packed *p) noexcept nogil:
    """0 if the position is well-formed (RULES.md), else 1. Python writes the message that says what is wrong."""
    cdef uint64_t numbers = under(HIGHEST) & ~<uint64_t> 3
    cdef uint64_t once = p.mover_hand | p.opponent_hand, twice = p.mover_hand & p.opponent_hand
    cdef uint64_t thrice, top
    cdef unsigned int room = HIGHEST - 2
    # No `or` here: nearly every position is well-formed, so one branch on all conditions is predicted, not ten.
    if (((once & ~numbers) != 0) | (not p.mover_hand)
            | (__builtin_popcountll(p.mover_hand) > HAND) | (__builtin_popcountll(p.opponent_hand) > HAND)
            | (<unsigned int> p.mover_ascending - 1 > room) | (<unsigned int> p.mover_descending - 2 > room)
            | (<unsigned int> p.opponent_ascending - 1 > room) | (<unsigned int> p.opponent_descending - 2 > room)):
        return 1
    top = (<uint64_t> 1 << p.mover_ascending) & numbers
    thrice = twice & top
    twice |= once & top
    once |= top
    top = (<uint64_t> 1 << p.mover_descending) & numbers
    thrice |= twice & top
    twice |= once & top
    once |= top
    top = (<uint64_t> 1 << p.opponent_ascending) & numbers
    thrice |= twice & top
    twice |= once & top
    once |= top
    top = (<uint64_t> 1 << p.opponent_descending) & numbers
    return (thrice | (twice & top)) != 0

cdef int read_rules(int code) except -1
cdef int check_position(const Packed *position) except -1
cdef Packed read_position(tuple row) except *
cdef void look_closely(Endgame *endgame, const Packed *position) noexcept nogil
cdef void set_up(Endgame *endgame, const Packed *position) noexcept nogil
