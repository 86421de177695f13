# A question about a state, in the search of endgames and of deals: bounds that need no search, and the order of turns.
# docs/take_that.md proves each bound, under its number and name here.

from libc.stdint cimport uint8_t, uint64_t

from backtrick._atomic cimport acquire_flag
from backtrick._bits cimport __builtin_ctzll, __builtin_popcountll
from backtrick.take_that._layout cimport TABLE, Layout, State, replies, top_after

cdef enum:
    WORST = -120                # below every value: all cards together cost 79 + 7 * 4
    A_GIFT = 2                  # a twist given to the opponent counts as this many more replies
    A_LATE = 64                 # once a position has taken many nodes, a twist counts as this many more replies
    A_LAY = 64                  # a rank: replies left, then twists before lays, then the slot
    SLOT_MASK = 63
    RANK_SHIFT = 7
    WATCH = 4096                # nodes between two looks at the limits
    MOST_TURNS = 19             # of up to nine cards, each may be laid and may twist; and taking

cdef struct Limits:
    uint64_t nodes
    uint64_t node_limit
    uint64_t checkpoint         # the number of nodes at which the limits are checked next
    const volatile uint8_t *stop   # set from outside when the time is over; may be NULL
    const uint8_t *done         # set when another thread has the answer; may be NULL
    bint stopped                # a limit was met: returned values are meaningless

cdef struct Claims:             # what is known of a state without a search
    int low
    int high
    int taken                   # if the mover takes in the end, the value is at most this
    int given                   # if the opponent takes in the end, the value is at least this

cdef struct Bounds:
    int low
    int high

cdef struct Question:           # about a state: is its value at most alpha, at least beta, or which between them?
    int alpha
    int beta
    int best                    # of all turns examined so far
    Claims claims
    uint64_t lays               # the cards whose lays are to be examined
    uint64_t twists
    int count                   # of the turns to be searched


cdef inline bint is_told_to_stop(const Limits *limits) noexcept nogil:
    return limits.stop != NULL and limits.stop[0]


cdef inline void look_up(Limits *limits) noexcept nogil:
    """Stops if a limit is met. Called at checkpoints."""
    if limits.nodes > limits.node_limit or is_told_to_stop(limits) or (
            limits.done != NULL and acquire_flag(limits.done)):
        limits.nodes -= 1                      # this one is not searched
        limits.stopped = True
        return
    limits.checkpoint = limits.nodes + WATCH
    if limits.checkpoint > limits.node_limit:
        limits.checkpoint = limits.node_limit


cdef inline bint limited(Limits *limits) noexcept nogil:
    """Counts one more node; True if a limit is met: then the node is not searched."""
    limits.nodes += 1
    if limits.nodes <= limits.checkpoint:
        return False
    look_up(limits)
    return limits.stopped


cdef inline void claim_ends(const Layout *layout, const State *state, Claims *claims) noexcept nogil:
    """E1. If the mover takes in the end, the value is at most `taken`; if the opponent does, at least `given`. Under all rules,
    once the pile is empty. Twisting a card that the player laid before gains nothing."""
    cdef uint64_t twists = state.twists | (state.mates & ~layout.same)
    claims.taken = (2 * __builtin_popcountll(twists & state.mover)) - state.cost
    claims.given = state.cost + 1 - (2 * __builtin_popcountll(twists & state.other))


cdef inline int surplus(int twists, int toads) noexcept nogil:
    """E2. A player gains at least this by `twists` twists and then a take, if the opponent can lay `toads` toads in between. For
    either player, once the pile is empty; not under `forced_only` (T10)."""
    return 2 * (twists - (2 * toads)) if twists > 2 * toads else 0


cdef inline void claim_by_taking(const Layout *layout, const State *state, uint64_t lays, Claims *claims) noexcept nogil:
    """E3. Once the pile is empty, the mover gets at least `low`, by making its twists and then taking; and at most `high`, because
    the opponent can do the same after any turn of the mover. Not under `forced_only` (T10); and `low` not on an empty line, which
    cannot be taken. lays: the cards that the mover may lay."""
    cdef int my_toads = __builtin_popcountll(state.mover & layout.toads)
    cdef int other_toads = __builtin_popcountll(state.other & layout.toads)
    cdef int other_twists = __builtin_popcountll(state.twists & state.other)
    claims.low = surplus(__builtin_popcountll(state.twists & state.mover), other_toads) - state.cost
    if lays & layout.toads:
        claims.high = state.cost + 5 - surplus(other_twists, my_toads - 1)
    else:
        claims.high = state.cost + 1 - surplus(other_twists, my_toads)


cdef inline void claim_by_counting(const Layout *layout, const State *state, Claims *claims) noexcept nogil:
    """E4. The value is between `low` and `high`, from the number of turns that are left. Under all rules, once the pile is empty,
    for a state that has a turn."""
    cdef int mine = __builtin_popcountll(state.mover), others = __builtin_popcountll(state.other)
    cdef int toads = 4 * __builtin_popcountll((state.mover | state.other) & layout.toads)
    claims.low = -(state.cost + (2 * min(mine, others)) + toads)
    claims.high = state.cost + (2 * min(mine - 1, others)) + 1 + toads


cdef inline void claim(const Layout *layout, const State *state, uint64_t lays, bint forced_only, Claims *claims) noexcept nogil:
    """What is known of a state without a search."""
    if forced_only or state.top == TABLE:
        claim_by_counting(layout, state, claims)
    else:
        claim_by_taking(layout, state, lays, claims)
    claim_ends(layout, state, claims)
    if claims.taken < claims.low < claims.given:
        claims.low = claims.given
    if claims.taken < claims.high < claims.given:
        claims.high = claims.taken


cdef inline bint decided_at_once(Question *q) noexcept nogil:
    """Narrows the question by the claims; True if `best` answers it."""
    cdef const Claims *claims = &q.claims
    if claims.taken <= q.alpha < claims.given - 1:
        q.alpha = claims.given - 1
        if q.beta <= q.alpha:
            q.beta = q.alpha + 1
    elif claims.taken + 1 < q.beta <= claims.given:
        q.beta = claims.taken + 1
    q.best = claims.low
    if claims.low >= q.beta:
        return True
    if claims.high <= q.alpha:
        q.best = claims.high
        return True
    if claims.high < q.beta:
        q.beta = claims.high
    return False


cdef inline int beyond_the_gap(const Question *q) noexcept nogil:
    """`best`, moved out of the gap between `taken` and `given`, in which no value lies."""
    if q.claims.taken < q.best < q.claims.given:
        return q.claims.given if q.best > q.alpha else q.claims.taken
    return q.best


cdef inline void shift(int *low, int *high, int more, int taken, int given) noexcept nogil:
    """E5. Bounds of a state become bounds of the state that costs `more` to take and is otherwise the same. Under all rules.

    taken, given: of the new state. Every play ends with a take, because one card never leaves the line. A play that the mover ends
    costs `more`, one that the opponent ends gains it.
    """
    taken, given = taken + more, given - more  # of the old state
    if low[0] > taken:
        low[0] += more
    else:
        low[0] = min(low[0] - more, max(low[0], given) + more)
    if high[0] < given:
        high[0] -= more
    else:
        high[0] = max(min(high[0], taken) - more, high[0] + more)


cdef inline bint decided_by(Question *q, int low, int high) noexcept nogil:
    """Narrows the question by bounds of the value; True if `best` answers it."""
    if low >= q.beta or low == high:
        q.best = low
        return True
    if high <= q.alpha:
        q.best = high
        return True
    if low > q.best:
        q.best = low
    if high < q.beta:
        q.beta = high
    return False


cdef inline void learn(const Question *q, int *low, int *high) noexcept nogil:
    """Narrows bounds of the value by what `best` says about it."""
    if q.best > q.alpha and q.best > low[0]:
        low[0] = q.best
    if q.best < q.beta and q.best < high[0]:
        high[0] = q.best


cdef inline bint alike_in_line(
    const Layout *layout, const State *state, uint64_t live, uint64_t one, uint64_t other,
) noexcept nogil:
    """True if two hand cards fit on the same cards among those of the line that are or may become right-most, and twist none of
    these."""
    cdef int slot = state.top
    while layout.partner[slot] & live:
        if layout.partner[slot] & (one | other):
            return False
        if ((layout.near[slot] & one) != 0) != ((layout.near[slot] & other) != 0):
            return False
        slot = layout.below[slot]
        while layout.partner[slot] & state.spent:
            slot = layout.below[slot]
    return ((layout.near[slot] & one) != 0) == ((layout.near[slot] & other) != 0)


cdef inline uint64_t without_twins(const Layout *layout, const State *state, uint64_t live, uint64_t cards) noexcept nogil:
    """E6. Of the cards of the mover that are left out, each is worth what one that stays is worth. They are interchangeable: the
    same live cards are near them, their twisted cards are not live, and either each can twist a card that will never be
    right-most, or none can twist. Under all rules.

    live: the cards of both hands and of the pile.
    """
    cdef uint64_t left = cards & ~(state.mates | layout.toads), others, one, other
    cdef int slot
    while left & (left - 1):
        one = left & -left
        left ^= one
        slot = __builtin_ctzll(one)
        others = left & (state.twists if state.twists & one else ~state.twists)
        while others:
            other = others & -others
            others ^= other
            if (layout.near[slot] ^ layout.near[__builtin_ctzll(other)]) & live & ~(one | other):
                continue
            if alike_in_line(layout, state, live, one, other):
                cards ^= other
                left ^= other
    return cards


cdef inline void list_lays(const Layout *layout, const State *state, bint forced_only, Question *q, int *ranks) noexcept nogil:
    """Adds the ranks of the lays that need a search. Lays after which the opponent has no reply go into `best` at once."""
    cdef uint64_t lays = q.lays, partner, bit
    cdef int slot, left, cost
    while lays:
        bit = lays & -lays
        lays ^= bit
        slot = __builtin_ctzll(bit)
        cost = state.cost + layout.cost[slot]
        if not forced_only and cost <= q.best:
            continue                           # the opponent may take at once, so the lay is worth at most `cost`
        partner = layout.partner[slot] & (state.mover | state.other)
        left = replies(layout.near[slot] & state.other, (state.twists | partner) & state.other)
        if left == 0:
            if cost > q.best:
                q.best = cost
            continue
        if partner & state.other:
            left += A_GIFT
        ranks[q.count] = (left << RANK_SHIFT) | A_LAY | slot
        q.count += 1


cdef inline void list_twists(const Layout *layout, const State *state, bint late, Question *q, int *ranks) noexcept nogil:
    """Adds the ranks of the twists that need a search, as `list_lays` does for lays."""
    cdef uint64_t twists = q.twists, bit
    cdef int slot, left
    while twists:
        bit = twists & -twists
        twists ^= bit
        slot = __builtin_ctzll(bit)
        left = replies(layout.near[top_after(layout, state, bit)] & state.other, state.twists & state.other)
        if left == 0 or state.cost == 1:       # T7: the last card of the line ends the round
            if state.cost + 1 > q.best:
                q.best = state.cost + 1
            continue
        if late:
            left += A_LATE
        ranks[q.count] = (left << RANK_SHIFT) | slot
        q.count += 1


cdef inline void sort(int *ranks, int count) noexcept nogil:
    """Sorts ranks ascending: the fewest replies come first."""
    cdef int i, j, rank
    for i in range(1, count):
        rank = ranks[i]
        j = i
        while j > 0 and ranks[j - 1] > rank:
            ranks[j] = ranks[j - 1]
            j -= 1
        ranks[j] = rank
