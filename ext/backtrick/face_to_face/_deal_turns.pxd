# Deals as the search sees them, and their turns.

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from backtrick._bits cimport __builtin_clzll, __builtin_ctzll, __builtin_popcountll
from backtrick.face_to_face._layout cimport HAND, HIGHEST, Pattern, under, upto

# A deal as the search sees it: two sides whose draw piles are in a known order.
#
#   side      the cards that its player has not laid, how many of the pile are drawn, and both tops
#   hand      the cards not laid that are drawn; so it is not stored
#   seat      0 the player who moves first in the deal that is solved, 1 the other
#   numbers   cards and tops are their numbers; a set of cards is 64 bits, bit v = card v
#
# A top a' is *no worse* than a top a for its owner if every card that the owner has left and that fits on a fits on a' too, and
# the other can improve a' with no card that does not improve a (docs/deals.md).

cdef enum:
    MOST_CARDS = HIGHEST - 2

cdef enum:                                 # what is known of the player to move
    UNKNOWN = 0
    LOSS = 1
    WIN = 2

cdef struct Side:                          # 16 bytes
    uint64_t left                          # hand and draw pile
    uint8_t seat
    uint8_t drawn                          # cards drawn from the pile since the deal
    uint8_t up
    uint8_t down

cdef struct Deck:
    uint64_t drawn[MOST_CARDS + 1]         # [n]: the hand of the deal and the first n cards of its pile
    int count                              # cards in the pile of the deal

cdef struct Deal:                          # what stays the same throughout a search
    Deck decks[2]
    int step
    int keep                               # the fewest cards with which a player can have a turn: 2, or 1 with a lone card (F13)

cdef inline int lowest(uint64_t cards) noexcept nogil:
    return __builtin_ctzll(cards)

cdef inline int highest(uint64_t cards) noexcept nogil:
    return 63 - __builtin_clzll(cards)

cdef inline int size_of(uint64_t cards) noexcept nogil:
    return __builtin_popcountll(cards)

cdef inline bint holds(uint64_t cards, int card) noexcept nogil:
    return 0 <= card < HIGHEST and (cards >> card) & 1

cdef inline uint64_t hand_of(const Deal *deal, const Side *x) noexcept nogil:
    return x.left & deal.decks[x.seat].drawn[x.drawn]

cdef inline int to_come(const Deal *deal, const Side *x) noexcept nogil:
    """The cards still in the draw pile."""
    return deal.decks[x.seat].count - x.drawn

cdef inline int least_turns(const Deal *deal, const Side *x) noexcept nogil:
    """The counting bound: the player needs this many turns or more, whatever both do. A draw is six cards at most (F11)."""
    return 1 + (to_come(deal, x) + HAND - 1) // HAND

cdef inline void draw(const Deal *deal, Side *x, bint helped) noexcept nogil:
    """What is drawn after a turn (F11)."""
    cdef int wanted = 2, come = to_come(deal, x)
    if helped:
        wanted = HAND - size_of(hand_of(deal, x))
    x.drawn += wanted if wanted < come else come

cdef inline bint no_worse_up(int new, int old, uint64_t own, int step) noexcept nogil:
    """Is `new` no worse than `old` as the ascending top of a player with the cards `own` left?"""
    return new == old or (new < old and not (holds(own, old - step) and new >= old - step))

cdef inline bint no_worse_down(int new, int old, uint64_t own, int step) noexcept nogil:
    return new == old or (new > old and not (holds(own, old + step) and new <= old + step))

cdef inline int simplest_up(int up, uint64_t own, uint64_t other, int step) noexcept nogil:
    """The least ascending top that every card left, own or the other's, sees as it sees `up`."""
    cdef uint64_t seen
    cdef int least
    if holds(own, up - step):
        return up
    seen = (own & upto(up)) | ((other & under(up)) << 1)
    least = highest(seen) if seen else 1
    while holds(own, least - step):
        least += 1
    return least

cdef inline int simplest_down(int down, uint64_t own, uint64_t other, int step) noexcept nogil:
    cdef uint64_t seen
    cdef int most
    if holds(own, down + step):
        return down
    seen = (own & ~under(down)) | ((other & ~upto(down)) >> 1)
    most = lowest(seen) if seen else HIGHEST
    while holds(own, most + step):
        most -= 1
    return most

cdef int read_deal(Deal *deal, Side *x, Side *y, tuple mover, tuple opponent, int step, bint lone_card) except -1

# The turns of a deal. A turn lays some cards on own piles (a *lay*) and perhaps one helpful card.
#
#   place     of a card in the hand, 0..5, ascending; cards of a lay are 6 bits by place
#   turn      32 bits: bits 0..5 the lay's cards, 6..11 the new ascending top, 12..17 the new descending top,
#             18..21 the helpful card: 0 none, else 1 + 2 * place + (0 on the ascending pile | 1 on the descending one)

cdef enum:
    MOST_LAYS = 1120                       # the sum over all sets of six cards of (cards + 1) ** 2: last card on each pile, or none
    MOST_TURNS = 13 * MOST_LAYS
    HELP_SHIFT = 18
    CARDS_AND_HELP = 63 | (15 << HELP_SHIFT)

cdef struct Lay:
    uint8_t cards
    uint8_t up
    uint8_t down

cdef struct Hand:                          # a hand and the tops it lays on
    const Pattern *pattern
    uint64_t cards
    uint8_t numbers[HAND]
    int count
    int up_case
    int down_case

cdef inline uint32_t turn_of(Lay lay, int help) noexcept nogil:
    return lay.cards | (<uint32_t> lay.up << 6) | (<uint32_t> lay.down << 12) | (<uint32_t> help << HELP_SHIFT)

cdef inline Lay lay_of(uint32_t turn) noexcept nogil:
    cdef Lay lay
    lay.cards, lay.up, lay.down = turn & 63, (turn >> 6) & 63, (turn >> 12) & 63
    return lay

cdef inline uint64_t cards_at(const uint8_t *numbers, int places) noexcept nogil:
    """The cards at these places of a hand."""
    cdef uint64_t cards = 0
    cdef int i
    for i in range(HAND):
        cards |= <uint64_t> ((places >> i) & 1) << numbers[i]
    return cards

cdef void look_at_cards(
    const Deal *deal, uint64_t cards, int up, int down, bint fresh_up, bint fresh_down, Hand *hand) noexcept nogil
cdef void look_at_hand(const Deal *deal, const Side *x, bint fresh_up, bint fresh_down, Hand *hand) noexcept nogil
cdef bint lays_all(const Deal *deal, const Hand *hand, int dumps) noexcept nogil
cdef bint lays_any(const Hand *hand) noexcept nogil
cdef bint can_finish(const Deal *deal, const Side *x, const Side *y) noexcept nogil
cdef bint is_stuck(const Deal *deal, const Side *x, const Side *y) noexcept nogil
cdef int list_lays(
    const Deal *deal, const Side *x, const Hand *hand, int least, bint one_more, bint prune, Lay *found) noexcept nogil
cdef bint can_lay(const Side *x, const Hand *hand, Lay lay) noexcept nogil
cdef int list_turns(const Deal *deal, const Side *x, const Side *y, const Hand *hand, bint prune, uint32_t *found) noexcept nogil
cdef void make_turn(const Deal *deal, const uint8_t *numbers, uint32_t turn, Side *x, Side *y) noexcept nogil
