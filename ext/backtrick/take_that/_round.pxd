# A whole round of two players, for the kernels that play rounds. The readable twin is `rules.py`.
#
# A set of cards is two words: bit v of the first word is the card v, of the second the card 64 + v. The cards within ten of a card
# are a window of the two words, so how many may be laid on it is one count of bits.

from libc.stdint cimport uint8_t, uint64_t

from backtrick._bits cimport __builtin_ctzll, __builtin_popcountll
from backtrick.take_that._cards cimport twisted_card
from backtrick.take_that._layout cimport LONGEST_LINE

cdef enum:
    REACH = 10                  # T4
    TWIST_POINTS = 2            # T5
    TAKE = 1                    # the codes of `action.pack_action`
    TWISTS = 128

cdef struct Cards:
    uint64_t words[2]

cdef struct Round:
    bint forced_only            # T10
    bint opens                  # T9
    Cards hands[2]
    int held[2]                 # how many cards each player holds
    uint8_t line[LONGEST_LINE]
    int length
    int cost                    # of taking the line (T6)
    Cards wanted                # the twisted cards of the cards in the line: who holds one can twist with it (T5)
    Cards hidden[2]             # the cards that a player has not seen
    int unseen[2]               # how many they are
    const uint8_t *pile         # the next card first
    int left                    # cards in the pile
    int mover
    int points[2]

cdef inline bint has(const Cards *cards, int card) noexcept nogil:
    return (cards.words[card >> 6] >> (card & 63)) & 1

cdef inline void flip(Cards *cards, int card) noexcept nogil:
    """Puts a card in, or takes it out."""
    cards.words[card >> 6] ^= <uint64_t> 1 << (card & 63)

cdef inline Cards both(const Cards *one, const Cards *other) noexcept nogil:
    """The cards that are in both sets."""
    cdef Cards found
    found.words[0] = one.words[0] & other.words[0]
    found.words[1] = one.words[1] & other.words[1]
    return found

cdef inline int count_of(const Cards *cards) noexcept nogil:
    return __builtin_popcountll(cards.words[0]) + __builtin_popcountll(cards.words[1])

cdef inline int next_of(Cards *cards) noexcept nogil:
    """The lowest card, taken out of the set; 0 if there is none."""
    cdef int card
    if cards.words[0]:
        card = __builtin_ctzll(cards.words[0])
        cards.words[0] &= cards.words[0] - 1
        return card
    if cards.words[1]:
        card = 64 + __builtin_ctzll(cards.words[1])
        cards.words[1] &= cards.words[1] - 1
        return card
    return 0

cdef inline Cards near(const Cards *cards, int card) noexcept nogil:
    """Those that may be laid on a card (T4)."""
    cdef Cards found
    cdef int lowest = card - REACH  # 2..88
    cdef uint64_t window = (<uint64_t> 1 << ((2 * REACH) + 1)) - 1
    if lowest < 64:
        found.words[0] = cards.words[0] & (window << lowest)
        found.words[1] = cards.words[1] & (window >> (64 - lowest))
    else:
        found.words[0] = 0
        found.words[1] = cards.words[1] & (window << (lowest - 64))
    return found

cdef inline Cards lays_of(const Round *r) noexcept nogil:
    """The cards that the player to move may lay (T4)."""
    return near(&r.hands[r.mover], r.line[r.length - 1]) if r.length else r.hands[r.mover]

cdef inline Cards twists_of(const Round *r) noexcept nogil:
    """The cards with which the player to move may twist (T5)."""
    return both(&r.hands[r.mover], &r.wanted)

cdef inline bint may_take(const Round *r, const Cards *lays, const Cards *twists) noexcept nogil:
    """T6, T10."""
    return r.length > 0 and not (r.forced_only and (count_of(lays) + count_of(twists)))

cdef inline int top_after(const Round *r, int card) noexcept nogil:
    """The right-most card of the line after a twist with `card`; 0 for an empty line."""
    cdef int top = r.line[r.length - 1]
    if top != twisted_card(card):
        return top
    return r.line[r.length - 2] if r.length > 1 else 0

cdef bint deal(Round *r, const uint8_t *deck, int size, int hand_size) noexcept nogil
cdef void play(Round *r, int code) noexcept nogil
cdef void draw(Round *r) noexcept nogil
cdef int check_points(int own, int other) except -1
cdef int look(Round *r, const uint8_t[::1] hand, const uint8_t[::1] line, const uint8_t[::1] unseen, int hand_size) except -1
cdef void fill(Round *world, const uint8_t *cards) noexcept nogil
cdef void pack(const Round *r, uint8_t *packed) noexcept nogil
