# Whole rounds of two players, and the policies that play them.

from libc.stdint cimport uint8_t, uint64_t

from backtrick._bits cimport __builtin_ctzll, __builtin_popcountll
from backtrick.take_that._layout cimport HAND_SIZE, LONGEST_LINE, Rules

# A round. The readable twin is `rules.py`.
#
# A set of cards is two words: bit v of the first word is the card v, of the second the card 64 + v. The cards within ten of a card
# are a window of the two words, so how many may be laid on it is one count of bits.

cdef enum:
    REACH = 10                  # T4
    TWIST_POINTS = 2            # T5
    TAKE = 1                    # the codes of `turn.pack_turn`
    TWISTS = 128

cdef struct Cards:
    uint64_t words[2]

cdef struct Round:
    Rules rules
    Cards hands[2]
    int held[2]                 # how many cards each player holds
    uint8_t line[LONGEST_LINE]
    int length
    int cost                    # of taking the line (T6)
    Cards wanted                # the twisted cards of the cards in the line: a player who holds one can twist with it (T5)
    Cards hidden[2]             # the cards that a player has not seen
    int unseen[2]               # how many there are
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
    return r.length > 0 and not (r.rules.forced_only and (count_of(lays) + count_of(twists)))

cdef inline bint is_over(const Round *r) noexcept nogil:
    """The twin of `rules.is_over`: at the start of a turn, is the round over?"""
    return r.length == 0 and (r.held[r.mover] == 0 or (r.left == 0 and not r.rules.opens))

cdef inline bint takes_minus_card(const Round *r) noexcept nogil:
    """T11."""
    return r.rules.professional and r.length == 1 and r.left > 0

cdef void play(Round *r, int code) noexcept nogil
cdef void draw(Round *r) noexcept nogil
cdef bint deal(Round *r, const uint8_t *deck, int size, int hand_size) noexcept nogil
cdef bint make_move(Round *r, int code) noexcept nogil
cdef int check_points(int own, int other) except -1
cdef int look(Round *r, const uint8_t[::1] hand, const uint8_t[::1] line, const uint8_t[::1] unseen, int hand_size) except -1
cdef void set_up(
    Round *r, const uint8_t *hand, int held, const uint8_t *line, int length, const uint8_t *unseen, int count, int hand_size,
) noexcept nogil
cdef void fill(Round *world, const uint8_t *cards) noexcept nogil
cdef void pack(const Round *r, uint8_t *packed) noexcept nogil

# The fast twins of `policies.py`. A policy gets the whole round, but reads only what a `View` shows: its hand, the line, how
# many cards the opponent holds, and which cards it has not seen.
#
# Worths are sums and products of doubles in the order of the twin, so they are equal to the last bit and the choices are the
# same. (A compiler that fuses a product and a sum would change that bit: setup.py forbids it.)

cdef enum:
    CAREFUL                     # the order of `policies.POLICIES`
    EAGER
    TUNED
    POLICIES                    # how many there are
    WEIGHTS = 13                # numbers of `policies.Weights`

cdef struct Tuned:              # a player `tuned`
    double weights[WEIGHTS]     # as `policies.Weights` has them
    double stuck[HAND_SIZE + 2]     # the chance of no move with so many lays, the powers of `own_stuck`
    double twists[HAND_SIZE + 1]    # what so many twists make of it

cdef struct Choice:
    int code                    # of a move, as `turn.pack_turn` has it
    double worth

cdef int tune(Tuned *tuned, const double[::1] weights) except -1
cdef void set_weights(Tuned *tuned, const double *weights) noexcept nogil
cdef int choose(const Round *r, int policy, const Tuned *tuned) noexcept nogil
cdef Choice best_tuned(const Round *r, const Tuned *tuned) noexcept nogil
