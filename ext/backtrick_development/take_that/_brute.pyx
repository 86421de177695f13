"""Brute force for small deals, used only to check the search of deals: every turn of every player, from rules T3-T11 alone.

It knows no bound and no order of turns, and shares nothing with the kernels. A memo holds every state that was met, whole: the
cards of both hands, the line card by card, and how many cards are left to draw.
"""

from libc.stdint cimport int8_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

cdef enum:
    HAND = 9                    # T2
    LINE = 8                    # places of a row for cards in the line, and for cards in the pile
    PILE = 8
    MOST_CARDS = 16             # in hands, line and pile together
    BITS = 4                    # of a card's place among them
    LOWEST = 12                 # T1
    HIGHEST = 98
    REACH = 10                  # T4
    TWISTED = 2                 # T5
    NOT_SOLVED = -128
    SLOTS = 1 << 18

cdef struct State:              # at the start of a turn
    uint64_t line               # the places of its cards from left to right, BITS each, the left-most in the lowest bits
    int length
    int mover                   # a bit for each card in hand, by its place
    int other
    int left                    # cards in the draw pile

cdef struct Known:
    uint64_t deal               # which of this call it belongs to, from 1; 0: free
    uint64_t line
    uint64_t rest
    int value

cdef struct Round:
    bint forced_only            # T10
    bint opens                  # T9
    bint professional           # T11
    int count
    int numbers[MOST_CARDS]
    int pile[MOST_CARDS]        # by how many cards are left: the place of the one that is drawn then
    Known *memo
    uint64_t deal
    uint64_t used
    bint stopped                # the memo is full


cdef inline int digits_exchanged(int card) noexcept nogil:
    return ((card % 10) * 10) + (card // 10)


cdef inline bint is_toad(int card) noexcept nogil:
    return card % 11 == 0


cdef inline int place_at(const State *state, int i) noexcept nogil:
    """The place of the line's card `i`, from the left."""
    return (state.line >> (BITS * i)) & (MOST_CARDS - 1)


cdef inline int cost_of(const Round *r, const State *state) noexcept nogil:
    """What taking the line costs (T6)."""
    cdef int cost = 0, i
    for i in range(state.length):
        cost += 5 if is_toad(r.numbers[place_at(state, i)]) else 1
    return cost


cdef int after(Round *r, const State *state, int hand, uint64_t line, int length) noexcept nogil:
    """What the rest of the round is worth to the player who has just made a turn: `hand` and the line are what it leaves."""
    cdef State following
    if state.left == 0 and length == 0:
        return 0                               # T7
    following.line, following.length = line, length
    following.mover, following.other, following.left = state.other, hand, state.left
    if state.left:
        following.other |= 1 << r.pile[state.left]    # T3
        following.left -= 1
    return -value_of(r, &following)


cdef int best_of(Round *r, const State *state) noexcept nogil:
    """The most that a turn is worth; 0 if there is none."""
    cdef int best = NOT_SOLVED, worth, place, i, top = -1, cost = cost_of(r, state)
    cdef uint64_t below, longer
    cdef State taken
    if state.length:
        top = r.numbers[place_at(state, state.length - 1)]
    elif state.left == 0 and not r.opens:
        return 0                               # T9
    for place in range(r.count):
        if not (state.mover >> place) & 1:
            continue
        if top < 0 or (top - REACH <= r.numbers[place] <= top + REACH):    # T4
            longer = state.line | (<uint64_t> place << (BITS * state.length))
            worth = after(r, state, state.mover ^ (1 << place), longer, state.length + 1)
            best = max(best, worth)
        for i in range(state.length):          # T5
            if is_toad(r.numbers[place]) or r.numbers[place_at(state, i)] != digits_exchanged(r.numbers[place]):
                continue
            below = (<uint64_t> 1 << (BITS * i)) - 1
            worth = TWISTED + after(
                r, state, state.mover ^ (1 << place), (state.line & below) | ((state.line >> BITS) & ~below), state.length - 1)
            best = max(best, worth)
    if state.length == 0 or (r.forced_only and best > NOT_SOLVED):    # T6, T10
        return best if best > NOT_SOLVED else 0
    if state.left == 0:
        return max(best, -cost)                # T7
    taken = state[0]
    if r.professional and state.length == 1:
        cost += 5 if is_toad(r.numbers[r.pile[state.left]]) else 1    # T11
        taken.left -= 1
    for place in range(r.count):
        if (state.mover >> place) & 1:
            best = max(best, after(r, &taken, state.mover ^ (1 << place), place, 1) - cost)
    return best if best > NOT_SOLVED else 0


cdef inline uint64_t mixed(uint64_t a, uint64_t b) noexcept nogil:
    cdef uint64_t hash = (a ^ (b * <uint64_t> 0x9E3779B97F4A7C15)) * <uint64_t> 0xD6E8FEB86659FD93
    return (hash ^ (hash >> 29)) * <uint64_t> 0xE7037ED1A0B428DB


cdef int value_of(Round *r, const State *state) noexcept nogil:
    """The mover's points minus the opponent's from here on (T12); 0 once the memo is full."""
    cdef uint64_t hands = state.mover | (<uint64_t> state.other << 16)
    cdef uint64_t rest = hands | (<uint64_t> state.length << 32) | (<uint64_t> state.left << 40)
    cdef uint64_t place = mixed(state.line, rest) >> 40
    cdef int value
    while True:
        place &= SLOTS - 1
        if r.memo[place].deal != r.deal:
            break
        if r.memo[place].line == state.line and r.memo[place].rest == rest:
            return r.memo[place].value
        place += 1
    if r.stopped:
        return 0
    value = best_of(r, state)
    place = mixed(state.line, rest) >> 40
    while r.memo[place & (SLOTS - 1)].deal == r.deal:
        place += 1
    place &= SLOTS - 1
    r.used += 1
    r.stopped = r.stopped or r.used > SLOTS // 2
    r.memo[place].deal, r.memo[place].line, r.memo[place].rest, r.memo[place].value = r.deal, state.line, rest, value
    return value


cdef int solve(Round *r, const uint8_t *cards) noexcept nogil:
    """The value of one deal, NOT_SOLVED if it takes too many states or has too many cards."""
    cdef State state
    cdef int i, left
    r.deal += 1
    r.used = 0
    r.stopped = False
    r.count = 0
    state.line, state.length, state.mover, state.other, state.left = 0, 0, 0, 0, 0
    for i in range(HAND + HAND + LINE + PILE):
        if not cards[i]:
            continue
        if r.count == MOST_CARDS:
            return NOT_SOLVED
        r.numbers[r.count] = cards[i]
        if i < HAND:
            state.mover |= 1 << r.count
        elif i < HAND + HAND:
            state.other |= 1 << r.count
        elif i < HAND + HAND + LINE:
            state.line |= <uint64_t> r.count << (BITS * state.length)
            state.length += 1
        else:
            state.left += 1
        r.count += 1
    left = state.left
    for i in range(left):
        r.pile[left - i] = r.count - left + i
    i = value_of(r, &state)
    return NOT_SOLVED if r.stopped else i


def values(const uint8_t[:, ::1] cards not None, int8_t[::1] found not None, bint forced_only, bint opens, bint professional=False):
    """Writes the value of each deal to `found`, -128 for one that takes too many states or has more than 16 cards.

    cards: a row for each deal, 0 where a place is empty: 9 for each hand, the mover's first, 8 for the line from left to right, and
    8 for the pile, the next card first. The deals must be well-formed.
    """
    cdef Round r
    cdef Py_ssize_t row
    if cards.shape[1] != HAND + HAND + LINE + PILE or found.shape[0] != cards.shape[0]:
        raise ValueError("these shapes are not those of deals")
    r.forced_only, r.opens, r.professional, r.deal = forced_only, opens, professional, 0
    r.memo = <Known *> calloc(SLOTS, sizeof(Known))
    if r.memo == NULL:
        raise MemoryError("no room for the memo")
    with nogil:
        for row in range(cards.shape[0]):
            found[row] = solve(&r, &cards[row, 0])
    free(r.memo)
