# Deals as the search sees them, their turns, what a search remembers, and the search.

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from backtrick._bits cimport __builtin_clzll, __builtin_ctzll, __builtin_popcountll
from backtrick.face_to_face._layout cimport BACK, HAND, HIGHEST, Pattern, under, upto

# A deal as the search sees it: two sides whose draw piles are in a known order.
#
#   side      the cards that its player has not laid, how many of the pile are drawn, and both tops
#   hand      the cards not laid that are drawn; so it is not stored
#   seat      0 the player who moves first in the deal that is solved, 1 the opponent
#   numbers   cards and tops are their numbers; a set of cards is 64 bits, bit v = card v
#
# A top a' is *no worse* than a top a for its owner if every remaining card of the owner that fits on a also fits on a', and every
# card with which the opponent can improve a' also improves a (docs/face_to_face.md).

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
    """B4. The counting bound: the player needs this many own turns or more, the next one too, whoever moves first and whatever the
    players do. A draw is six cards at most (F11), and there is none after the last turn."""
    return 1 + (to_come(deal, x) + HAND - 1) // HAND

cdef inline void draw(const Deal *deal, Side *x, bint helped) noexcept nogil:
    """Draws what a turn allows (F11)."""
    cdef int wanted = 2, come = to_come(deal, x)
    if helped:
        wanted = HAND - size_of(hand_of(deal, x))
    x.drawn += wanted if wanted < come else come

cdef inline bint no_worse_up(int new, int old, uint64_t own) noexcept nogil:
    """Is `new` no worse than `old` as the ascending top of a player with the cards `own` left, in hand and pile, whoever moves?"""
    return new == old or (new < old and not (holds(own, old - BACK) and new >= old - BACK))

cdef inline bint no_worse_down(int new, int old, uint64_t own) noexcept nogil:
    return new == old or (new > old and not (holds(own, old + BACK) and new <= old + BACK))

cdef inline int simplest_up(int up, uint64_t own, uint64_t other) noexcept nogil:
    """The lowest ascending top that means the same as `up` to every card left, of either player."""
    cdef uint64_t seen
    cdef int least
    if holds(own, up - BACK):
        return up
    seen = (own & upto(up)) | ((other & under(up)) << 1)
    least = highest(seen) if seen else 1
    while holds(own, least - BACK):
        least += 1
    return least

cdef inline int simplest_down(int down, uint64_t own, uint64_t other) noexcept nogil:
    cdef uint64_t seen
    cdef int most
    if holds(own, down + BACK):
        return down
    seen = (own & ~under(down)) | ((other & ~upto(down)) >> 1)
    most = lowest(seen) if seen else HIGHEST
    while holds(own, most + BACK):
        most -= 1
    return most

cdef inline uint64_t between(uint64_t cards, int least, int most) noexcept nogil:
    """The cards of these numbers."""
    return cards & upto(most if most < HIGHEST else HIGHEST) & ~under(least if least > 0 else 0)

cdef inline bint stands_up(uint64_t held, int top) noexcept nogil:
    """Is the back trick of an ascending top, if it is still to come, sure to fit, if the opponent can have laid helpful cards of
    `held` there, in any number of turns? The card of the back trick's own number breaks it too: it is then the top."""
    return not between(held, top - BACK, top - 1)

cdef inline bint stands_down(uint64_t held, int top) noexcept nogil:
    """`stands_up` for a descending top."""
    return not between(held, top + 1, top + BACK)

cdef int read_deal(Deal *deal, Side *x, Side *y, tuple mover, tuple opponent) except -1

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

cdef void look_at_hand(const Deal *deal, const Side *x, bint fresh_up, bint fresh_down, Hand *hand) noexcept nogil
cdef bint is_stuck(const Deal *deal, const Side *x, const Side *y) noexcept nogil
cdef int list_lays(
    const Deal *deal, const Side *x, const Hand *hand, int least, bint one_more, bint prune, int most_dead, uint64_t held,
    Lay *found) noexcept nogil
cdef int list_turns(const Deal *deal, const Side *x, const Side *y, const Hand *hand, bint prune, uint32_t *found) noexcept nogil
cdef void make_turn(const Deal *deal, const uint8_t *numbers, uint32_t turn, Side *x, Side *y) noexcept nogil

# What a search remembers: of positions (`Entry`), of one side alone (`Note`), plans (`Plan`), and last winning turns (`Reply`).
#
# A position's key is who moves and which cards each side has left. Positions of one key differ in tops and in cards drawn, and a
# result transfers from one to another by dominance (docs/face_to_face.md). Entries and notes start few and grow up to a common limit.
# After that, new entries replace the cheapest ones of their bucket. All start empty for every deal, so a search does not depend
# on those before it. They are kept in few words, because a look-up waits for memory longer than it computes:
#
#   entry     the mover's cards left; the opponent's, xored with a hash of the other two words; and the rest: bit 0 the mover's
#             seat, 1..2 outcome, 3..7 effort, 32..39 height, and the other bytes the cards drawn and tops, as in `second_word`
#   note      the cards left; seat, cards drawn and tops, and from bit 32 the eight numbers that are known, four bits each
#
# Threads that search one deal together share a `Shared`: a fixed number of entries and notes, without locks, and which positions
# are being searched. Two threads may write one entry at the same time, or one may read it meanwhile. Words of two entries mixed
# show cards at random for the opponent, so no position finds them. A note always belongs to one side, and everything written into
# it is true of that side. Where a bucket is full of notes, new ones are forgotten.

cdef enum:
    BUCKET = 8                             # entries or notes
    REPLIES = 1 << 12
    MOST_EPOCH = (1 << 24) - 1
    PLANS = 1 << 13
    PLAN_BUCKET = 4
    ENTRY_WORDS = 3
    NOTE_WORDS = 2

cdef struct Entry:                         # a position that is solved, x to move
    Side x
    Side y
    uint8_t outcome
    uint8_t effort                         # the logarithm of the nodes that it took, 31 at most
    uint8_t height                         # the turns of its longest line until the outcome was known without listing turns

cdef struct Buckets:                       # of entries or notes; the first word of an empty one is 0
    void *room                             # what to free: the words begin at the next full LINE
    uint64_t *words
    uint64_t count                         # entries or notes, a power of two
    uint64_t used                          # not kept if they are shared

cdef struct Note:                          # what is known of a side alone: eight numbers of turns, 15 at most
    Side side
    uint8_t through_in                     # the player can be through in this many turns if all goes well; 0: not known
    uint8_t not_through_in                 # the player cannot be through in this many turns, even if all goes well
    uint8_t goes_on                        # the player can make this many turns if all goes well
    uint8_t ends_before                    # the player cannot make this many turns, even if all goes well; 0: not known
    uint8_t surely_goes_on                 # the player can make this many turns whatever the opponent does
    uint8_t not_surely                     # there is no such plan for this many turns; 0: not known
    uint8_t surely_fresh                   # the same for the player to move, who can lay the back tricks of the tops
    uint8_t not_fresh

cdef struct Reply:
    Side x
    uint32_t turn
    uint32_t epoch                         # the memory's when it was written; with any other, it counts as empty

cdef struct Plan:                          # an answer of `surely_through`
    Entry answer                           # a WIN if x is surely through, a LOSS if no plan was found
    uint32_t question                      # turns passed, gifts; from bit 8 the epoch
    uint8_t k

cdef struct Shared:
    Buckets entries
    Buckets notes
    uint64_t *busy                         # hashes of the positions that some thread is searching
    uint8_t done                           # one thread has the answer

cdef struct Memory:
    Shared *shared                         # whose entries and notes are used if other threads search this deal too; else NULL
    Buckets entries
    Buckets notes
    Reply *replies
    Plan *plans
    uint32_t *last_turns                   # by cards left and drawn, whatever the tops
    uint32_t *last_lays                    # the first lay of the last plan of a side; another side's may lie in its place
    uint64_t most_bytes
    uint32_t next_plan                     # which place of a bucket is written next
    uint32_t epoch                         # 1, 2, ...: how often it was emptied. What was written in another epoch is forgotten

cdef uint64_t position_hash(const Side *x, const Side *y) noexcept nogil

cdef inline bint is_same(const Side *a, const Side *b) noexcept nogil:
    return a.left == b.left and a.up == b.up and a.down == b.down and a.drawn == b.drawn and a.seat == b.seat

cdef inline bint has_cards_of(const Entry *known, const Side *x, const Side *y) noexcept nogil:
    """Is an entry of x, to move, and y, whatever their tops and what they drew?"""
    return known.x.left == x.left and known.y.left == y.left and known.x.seat == x.seat

cdef inline bint transfers(const Deal *deal, const Entry *known, const Side *x, const Side *y) noexcept nogil:
    """Does the result of an entry hold for x, to move, against y, who have the same cards left? A win does if x's tops are no
    worse, x has drawn no fewer cards, y's tops are no better and y has drawn no more; a loss the other way round."""
    cdef const Side *a = x
    cdef const Side *b = &known.x
    cdef const Side *c = &known.y
    cdef const Side *d = y
    if known.outcome == LOSS:                  # then x is no better off here than there, and y no worse
        a, b, c, d = b, a, d, c
    return (a.drawn >= b.drawn and c.drawn >= d.drawn
            and no_worse_up(a.up, b.up, a.left) and no_worse_down(a.down, b.down, a.left)
            and no_worse_up(c.up, d.up, c.left) and no_worse_down(c.down, d.down, c.left))

# A `Search` is opened once and then solves one deal after the other.

cdef struct Bounder:
    const Deal *deal
    Memory *memory
    bint prune                             # dominance between lays
    uint64_t effort                        # lays that were looked at, for measurements

cdef enum:                                 # ideas, each of which can be switched off; the outcomes stay the same
    RACE = 1
    SOLITAIRE = 2
    TABLE = 4
    TABLE_DOMINANCE = 8
    TURN_DOMINANCE = 16
    REPLIES_FIRST = 32
    STATIC_ORDER = 64
    LOOK_AHEAD = 128
    SIMPLE_TOPS = 256
    EVERY_IDEA = 511

cdef struct Search:
    Deal deal
    Memory memory
    Bounder bounder
    int ideas
    uint64_t nodes                         # how often the turns of a position were listed
    uint64_t most_nodes                    # of the turn that is being searched, or of the deal
    uint64_t plain_nodes                   # before budgets are shared out
    uint64_t first_budget                  # of the first turn in the first round
    const uint8_t *stop                    # one byte, or NULL
    bint stopped
    int height                             # of the outcome found last: turns of the longest line until it was known (`Entry`)
    uint64_t *room                         # for the turns of the positions on the way down
    uint64_t room_size
    uint64_t room_used

cdef bint may_be_through(Bounder *b, const Side *from_side, int k) noexcept nogil
cdef bint may_go_on(Bounder *b, const Side *from_side, int k) noexcept nogil
cdef int search(Search *s, const Side *from_x, const Side *from_y, bint looked_at, uint32_t *winning) noexcept nogil
cdef int open_search(Search *s, int keep, uint64_t most_bytes, int ideas, const uint8_t *stop) noexcept nogil
cdef void close_search(Search *s) noexcept nogil
cdef int begin(Search *s, uint64_t most_nodes) noexcept nogil
