"""A second solver, used only to check the fast kernels. It was written from the rules (docs/rules.md) and their readable twin.

It shares nothing with the kernels: no module of theirs, no slots for cards, no bounds from what can still be twisted,
no merging of states. Cards are the numbers on them, and the line is an array of them.

How a position is searched: alpha-beta over lays, twists and taking, with a memo of bounds whose key is the whole state,
both hands and the line card by card. Taking needs no search, so it comes first. Next are the moves that leave the other player
the fewest lays and twists.
"""

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport abs, calloc, free
from libc.string cimport memcmp, memcpy, memmove, memset

cdef enum:
    HAND = 9                # T2
    DECK = 79               # T1
    PACKED = HAND + HAND + DECK
    NUMBERS = 100
    REACH = 10              # T4
    TWISTED = 2             # T5
    NO_POINTS = 120         # above every value
    NOT_SOLVED = -128
    SLOTS = 1 << 14

cdef struct Known:
    uint64_t position       # which of this call it belongs to, from 1
    int8_t low
    int8_t high
    uint8_t mover
    uint8_t length
    uint16_t held[2]
    uint8_t line[DECK]

cdef struct Move:
    int place               # in the hand that the mover began with
    bint twists
    int replies             # what the opponent can lay or twist then

cdef struct Round:
    bint forced_only
    uint64_t limit
    uint64_t nodes
    uint64_t position
    bint stopped
    uint8_t hands[2][HAND]  # as the position has them
    int held[2]             # bit i: hands[..][i] is still held
    uint8_t line[DECK]
    int length
    int cost                # of taking the line (T6)
    bint lies[NUMBERS]      # is this card in the line?
    Known *memo
    uint64_t slots


cdef inline int twin_of(int card) noexcept nogil:
    """The card with the digits exchanged (T1)."""
    return ((card % 10) * 10) + (card // 10)


cdef inline int cost_of(int card) noexcept nogil:
    return 5 if card % 11 == 0 else 1  # T6; a toad is a multiple of 11 (T1)


cdef inline bint fits(const Round *r, int card) noexcept nogil:
    """May this card be laid (T4)?"""
    return r.length == 0 or abs(card - r.line[r.length - 1]) <= REACH


cdef inline bint twists(const Round *r, int card) noexcept nogil:
    """Does this card twist a card of the line (T5)? A toad, its own twin, never does: it is in the hand."""
    return r.lies[twin_of(card)]


cdef inline int replies(const Round *r, int player) noexcept nogil:
    """How many lays and twists a player has."""
    cdef int place, count = 0
    for place in range(HAND):
        if (r.held[player] >> place) & 1:
            count += fits(r, r.hands[player][place])
            count += twists(r, r.hands[player][place])
    return count


cdef inline void lay(Round *r, int player, int place) noexcept nogil:
    cdef int card = r.hands[player][place]
    r.held[player] ^= 1 << place
    r.line[r.length] = card
    r.length += 1
    r.lies[card] = True
    r.cost += cost_of(card)


cdef inline void unlay(Round *r, int player, int place) noexcept nogil:
    cdef int card = r.hands[player][place]
    r.held[player] ^= 1 << place
    r.length -= 1
    r.lies[card] = False
    r.cost -= cost_of(card)


cdef inline int twist(Round *r, int player, int place) noexcept nogil:
    """Twists with a hand card, and the line closes up. Returns where the twisted card was."""
    cdef int card = twin_of(r.hands[player][place]), where = 0
    while r.line[where] != card:
        where += 1
    r.held[player] ^= 1 << place
    r.length -= 1
    memmove(&r.line[where], &r.line[where + 1], r.length - where)
    r.lies[card] = False
    r.cost -= cost_of(card)
    return where


cdef inline void untwist(Round *r, int player, int place, int where) noexcept nogil:
    cdef int card = twin_of(r.hands[player][place])
    r.held[player] ^= 1 << place
    memmove(&r.line[where + 1], &r.line[where], r.length - where)
    r.line[where] = card
    r.length += 1
    r.lies[card] = True
    r.cost += cost_of(card)


cdef int list_moves(Round *r, int player, Move *moves) noexcept nogil:
    """Lists the lays and twists, the fewest replies of the other first; returns how many there are."""
    cdef int count = 0, place, where, i
    cdef Move move
    cdef bint twisting
    for place in range(HAND):
        for twisting in range(2):
            if not (r.held[player] >> place) & 1:
                continue
            if not (twists(r, r.hands[player][place]) if twisting else fits(r, r.hands[player][place])):
                continue
            move.place, move.twists = place, twisting
            if twisting:
                where = twist(r, player, place)
                move.replies = replies(r, 1 - player)
                untwist(r, player, place, where)
            else:
                lay(r, player, place)
                move.replies = replies(r, 1 - player)
                unlay(r, player, place)
            i = count
            while i > 0 and moves[i - 1].replies > move.replies:
                moves[i] = moves[i - 1]
                i -= 1
            moves[i] = move
            count += 1
    return count


cdef Known *recall(Round *r, int player) noexcept nogil:
    """The place of the current state in the memo, without bounds if the state is new."""
    cdef uint64_t hashed = (<uint64_t> r.held[0] << 32) | (<uint64_t> r.held[1] << 16) | (r.length << 1) | player
    cdef Known *known
    cdef int i
    for i in range(r.length):
        hashed = (hashed ^ r.line[i]) * <uint64_t> 0x9E3779B97F4A7C15
    known = &r.memo[(hashed >> 40) % r.slots]
    if (known.position == r.position and known.mover == player and known.held[0] == r.held[0] and known.held[1] == r.held[1]
            and known.length == r.length and memcmp(known.line, r.line, r.length) == 0):
        return known
    known.position, known.mover, known.length = r.position, player, r.length
    known.held[0], known.held[1] = r.held[0], r.held[1]
    memcpy(known.line, r.line, r.length)
    known.low, known.high = -NO_POINTS, NO_POINTS
    return known


cdef int search(Round *r, int player, int alpha, int beta) noexcept nogil:
    """The value for `player`, who is to move, if it is within alpha and beta; else a bound on the same side of them."""
    cdef Move moves[2 * HAND]
    cdef Known *known
    cdef int count, i, value, where, best = -NO_POINTS, floor = alpha
    r.nodes += 1
    if r.nodes > r.limit:
        r.stopped = True
        return 0
    if r.length and not r.forced_only:
        best = -r.cost  # T6
        if best >= beta:
            return best
    known = recall(r, player)
    if known.low >= beta or known.low == known.high:
        return known.low
    if known.high <= alpha:
        return known.high
    count = list_moves(r, player, moves)
    if not count:  # T6, T8; with an empty line there was no card to open it with
        return -r.cost
    for i in range(count):
        floor = max(floor, best)
        if moves[i].twists:
            where = twist(r, player, moves[i].place)
            value = TWISTED  # T5
            if r.length:  # T7
                value -= search(r, 1 - player, TWISTED - beta, TWISTED - floor)
            untwist(r, player, moves[i].place, where)
        else:
            lay(r, player, moves[i].place)
            value = -search(r, 1 - player, -beta, -floor)
            unlay(r, player, moves[i].place)
        if r.stopped:
            return 0
        best = max(best, value)
        if best >= beta:
            break
    known = recall(r, player)  # another state may have taken its place
    if best > alpha:
        known.low = best
    if best < beta:
        known.high = best
    return best


cdef int read_cards(Round *r, const uint8_t *packed, int width, uint8_t *cards, bint *seen) noexcept nogil:
    """Copies the cards; returns how many there are, or -1 if one is not a card or was seen before."""
    cdef int i, count = 0, card
    for i in range(width):
        card = packed[i]
        if not card:
            continue
        if count < i or not 12 <= card <= 98 or card % 10 == 0 or seen[card]:
            return -1
        seen[card] = True
        cards[i] = card
        count += 1
    return count


cdef bint set_up(Round *r, const uint8_t *packed) noexcept nogil:
    """Lays the position out; False if it is not well-formed."""
    cdef bint seen[NUMBERS]
    cdef int player, count, i
    memset(seen, 0, sizeof(seen))
    memset(r.lies, 0, sizeof(r.lies))
    for player in range(2):
        count = read_cards(r, packed + (player * HAND), HAND, r.hands[player], seen)
        if count < 0:
            return False
        r.held[player] = (1 << count) - 1
    r.length = read_cards(r, packed + (2 * HAND), DECK, r.line, seen)
    r.cost = 0
    for i in range(r.length):
        r.lies[r.line[i]] = True
        r.cost += cost_of(r.line[i])
    r.position += 1
    r.nodes = 0
    r.stopped = False
    return r.length >= 0


def solve_range(const uint8_t[:, ::1] packed, int8_t[::1] values, Py_ssize_t first, Py_ssize_t last, bint forced_only,
                bint opens, uint64_t nodes, uint64_t slots=SLOTS):
    """Fills values[first:last] with the values of packed positions, without the interpreter.

    A position that takes more than `nodes` nodes gets -128 instead; 0 is no limit. The memo has room for `slots` states.
    Returns -1, or the place of the first position that is not well-formed; the work ends there. Raises `ValueError` if the arrays
    do not belong together, or if `slots` is 0.
    """
    cdef Py_ssize_t place, wrong = -1
    cdef Round r
    if packed.shape[1] != PACKED or not 0 <= first <= last <= packed.shape[0] or values.shape[0] < last:
        raise ValueError("the arrays do not match")
    if slots == 0:
        raise ValueError("slots must be at least 1, not 0")
    r.forced_only, r.limit = forced_only, nodes if nodes else <uint64_t> -1
    r.position, r.slots = 0, slots
    r.memo = <Known *> calloc(slots, sizeof(Known))
    if r.memo == NULL:
        raise MemoryError(f"no room for {slots} states")
    with nogil:
        for place in range(first, last):
            if not set_up(&r, &packed[place, 0]):
                wrong = place
                break
            if not r.length and not opens:
                values[place] = 0  # T9
                continue
            values[place] = search(&r, 0, -NO_POINTS, NO_POINTS)
            if r.stopped:
                values[place] = NOT_SOLVED
    free(r.memo)
    return wrong


def value(const uint8_t[::1] packed, bint forced_only=False, bint opens=True, uint64_t nodes=0):
    """The value of one position, given by the bytes of `Position.packed`; -128 if it takes more than `nodes` nodes (0: no limit).

    Raises `ValueError` if the bytes are not a position.
    """
    cdef int8_t found[1]
    if packed.shape[0] != PACKED or solve_range(
            <const uint8_t[:1, :PACKED]> &packed[0], <int8_t[:1]> found, 0, 1, forced_only, opens, nodes) >= 0:
        raise ValueError("these bytes are not a packed position")
    return found[0]
