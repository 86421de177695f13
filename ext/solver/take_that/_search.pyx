"""The exact value of a position; see `_search.pxd`. docs/take_that.md proves each bound.

What makes it fast, the most effective first:
- States are remembered without their cost (`_memory.pxd`), in a memory that stays in the processor's cache while the position is
  easy. Bounds at another cost follow (`shift`).
- A round ends by a taking. Who takes in the end, and who can still twist, leave a gap in which no value is (`claim_ends`).
- The other may twist and then take, so an action is worth at most what the line will then cost (`claim_by_taking`). The mover may
  do so too, and a position is worth at least that.
- Actions that leave the other the fewest replies are tried first; one that leaves none decides at once. A lay of a card that the
  other can twist comes later. Among equals a twist comes first. Once a position has taken many nodes, twists come last: they are
  moves in hand.
- Of cards that are interchangeable one is tried (`without_twins`).
"""

from libc.stdint cimport uint32_t

from solver._bits cimport __builtin_ctz, __builtin_popcount
from solver.take_that._layout cimport HANDS, TABLE, follow, lay, lay_out, replies, top_after, twist
from solver.take_that._memory cimport Entry, cost_of, find, forget, hash_of, high_of, low_of, make_key, remember


cdef enum:
    A_GIFT = 2                  # a twist given to the other counts as this many replies more
    A_LATE = 64                 # once a position has taken many nodes, a twist counts as this many replies more
    A_LAY = 32                  # a rank: replies left, then twists before lays, then the slot
    SLOT_MASK = 31
    RANK_SHIFT = 6
    MOST_ACTIONS = 18           # of up to nine cards, each may be laid and may twist
    FIRST_ENTRIES = 1024        # 16 KiB
    WATCH = 4096                # nodes between two looks at the limits
    EASY = 20000                # nodes for the first, wide search; a position that needs more gets narrow questions
    REMEMBERED_FROM = 5         # cards in both hands: below, searching is as fast as remembering


cdef void look_up(Search *s) noexcept nogil:
    """Stops if a limit is met. Called at checkpoints."""
    if s.nodes > s.node_limit or (s.stop != NULL and s.stop[0]):
        s.nodes -= 1  # this one is not searched
        s.stopped = True
        return
    s.checkpoint = s.nodes + WATCH
    if s.checkpoint > s.node_limit:
        s.checkpoint = s.node_limit


cdef struct Question:                      # about a state: is its value at most alpha, at least beta, or which between them?
    int alpha
    int beta
    int best                    # of all actions examined so far
    Claims claims
    uint32_t lays               # the cards whose lays are to be examined
    uint32_t twists
    int count                   # of the actions to be searched
    bint remembered             # the state has a key in the memory
    Entry key
    uint64_t hash
    int low                     # what was remembered: the value is between these
    int high

cdef inline bint limited(Search *s) noexcept nogil:
    """Counts one node more; True if a limit is met: then the node is not searched."""
    s.nodes += 1
    if s.nodes <= s.checkpoint:
        return False
    look_up(s)
    return s.stopped


cdef inline void claim_ends(const Layout *layout, const State *state, Claims *claims) noexcept nogil:
    """`taken` and `given`. Holds under all rules. A card that a player will have laid before twisting it gains nothing."""
    cdef uint32_t twists = state.twists | (state.mates & ~layout.same)
    claims.taken = (2 * __builtin_popcount(twists & state.mover)) - state.cost
    claims.given = state.cost + 1 - (2 * __builtin_popcount(twists & state.other))


cdef inline int surplus(int twists, int toads) noexcept nogil:
    """What a player gains at least by making so many twists before taking, if the other holds so many toads to lay in between."""
    return 2 * (twists - (2 * toads)) if twists > 2 * toads else 0


cdef inline void claim_by_taking(const Layout *layout, const State *state, uint32_t lays, Claims *claims) noexcept nogil:
    """`low` and `high`, from what each side gets by making its twists and then taking. Not under `forced_only` (T10); and `low`
    not on an empty line, which cannot be taken. lays: the cards that the mover may lay."""
    cdef int my_toads = __builtin_popcount(state.mover & layout.toads)
    cdef int other_toads = __builtin_popcount(state.other & layout.toads)
    cdef int other_twists = __builtin_popcount(state.twists & state.other)
    claims.low = surplus(__builtin_popcount(state.twists & state.mover), other_toads) - state.cost
    if lays & layout.toads:
        claims.high = state.cost + 5 - surplus(other_twists, my_toads - 1)
    else:
        claims.high = state.cost + 1 - surplus(other_twists, my_toads)


cdef void claim_by_counting(const Layout *layout, const State *state, Claims *claims) noexcept nogil:
    """`low` and `high` of a state that has an action, from the number of actions that are left. Holds under all rules."""
    cdef int mine = __builtin_popcount(state.mover), others = __builtin_popcount(state.other)
    cdef int toads = 4 * __builtin_popcount((state.mover | state.other) & layout.toads)
    claims.low = -(state.cost + (2 * min(mine, others)) + toads)
    claims.high = state.cost + (2 * min(mine - 1, others)) + 1 + toads


cdef inline void claim(const Layout *layout, const State *state, uint32_t lays, bint forced_only, Claims *claims) noexcept nogil:
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
    """`best`, moved out of the gap between `taken` and `given`, where no value is."""
    if q.claims.taken < q.best < q.claims.given:
        return q.claims.given if q.best > q.alpha else q.claims.taken
    return q.best


cdef inline void shift(int *low, int *high, int more, int taken, int given) noexcept nogil:
    """From bounds of a state to bounds of the state that differs from it only by costing so much more to take.

    taken, given: of the new state. Every play ends by a taking, because a card lies in the line that never leaves it. A play that
    the mover ends costs `more`, one that the other ends gains it.
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


cdef inline void look_back(Search *s, const State *state, Question *q) noexcept nogil:
    """Fills in what is remembered of the state, or of one that differs from it in its cost alone."""
    cdef const Entry *entry
    cdef int more
    q.low, q.high = WORST, -WORST
    make_key(&s.memory, &s.layout, state, &q.key)
    q.hash = hash_of(&q.key)
    entry = find(&s.memory, &q.key, q.hash)
    if entry == NULL:
        return
    q.low, q.high = low_of(entry), high_of(entry)
    more = state.cost - cost_of(entry)
    if more:
        shift(&q.low, &q.high, more, q.claims.taken, q.claims.given)
        q.low, q.high = max(q.low, WORST), min(q.high, -WORST)


cdef inline bint decided_before(Search *s, const State *state, Question *q) noexcept nogil:
    """Narrows the question by what is remembered of the state; True if `best` answers it."""
    q.remembered = __builtin_popcount(state.mover | state.other) >= REMEMBERED_FROM
    if not q.remembered:
        return False
    look_back(s, state, q)
    if q.low >= q.beta or q.low == q.high:
        q.best = q.low
        return True
    if q.high <= q.alpha:
        q.best = q.high
        return True
    if q.low > q.best:
        q.best = q.low
    if q.high < q.beta:
        q.beta = q.high
    return False


cdef inline bint alike_in_line(const Layout *layout, const State *state, uint32_t one, uint32_t other) noexcept nogil:
    """True if of the cards of the line that are or may become right-most, two hand cards fit on the same ones and twist none."""
    cdef uint32_t hands = state.mover | state.other
    cdef int slot = state.top
    while layout.partner[slot] & hands:
        if layout.partner[slot] & (one | other):
            return False
        if ((layout.near[slot] & one) != 0) != ((layout.near[slot] & other) != 0):
            return False
        slot = layout.below[slot]
        while layout.partner[slot] & state.spent:
            slot = layout.below[slot]
    return ((layout.near[slot] & one) != 0) == ((layout.near[slot] & other) != 0)


cdef inline uint32_t without_twins(const Layout *layout, const State *state, uint32_t cards) noexcept nogil:
    """The cards of the mover without those that are interchangeable with one that stays: the same cards of the hands are near, no
    twisted card of theirs is in a hand, and both can twist a card that will never be right-most, or neither can twist."""
    cdef uint32_t hands = state.mover | state.other
    cdef uint32_t left = cards & ~(state.mates | layout.toads), others, one, other
    cdef int slot
    while left & (left - 1):
        one = left & -left
        left ^= one
        slot = __builtin_ctz(one)
        others = left & (state.twists if state.twists & one else ~state.twists)
        while others:
            other = others & -others
            others ^= other
            if (layout.near[slot] ^ layout.near[__builtin_ctz(other)]) & hands & ~(one | other):
                continue
            if alike_in_line(layout, state, one, other):
                cards ^= other
                left ^= other
    return cards


cdef inline void list_lays(const Layout *layout, const State *state, bint forced_only, Question *q, int *ranks) noexcept nogil:
    """Adds the ranks of the lays that need a search. Lays after which the other has no reply go into `best` at once."""
    cdef uint32_t lays = q.lays, partner, bit
    cdef int slot, left, cost
    while lays:
        bit = lays & -lays
        lays ^= bit
        slot = __builtin_ctz(bit)
        cost = state.cost + layout.cost[slot]
        if not forced_only and cost <= q.best:
            continue                           # the other may take at once
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
    cdef uint32_t twists = q.twists, bit
    cdef int slot, left
    while twists:
        bit = twists & -twists
        twists ^= bit
        slot = __builtin_ctz(bit)
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


cdef inline void search_all(Search *s, const State *state, Question *q, const int *ranks) noexcept nogil:
    """Searches one action after another until `best` answers the question, or a limit is met."""
    cdef State following
    cdef int i, slot, points, value, alpha
    for i in range(q.count):
        alpha = q.best if q.best > q.alpha else q.alpha
        slot = ranks[i] & SLOT_MASK
        if ranks[i] & A_LAY:
            lay(&s.layout, state, slot, &following)
            s.layout.below[slot] = state.top
            points = 0
        else:
            twist(&s.layout, state, slot, &following)
            points = 2                         # T5
        value = points - search(s, &following, points - q.beta, points - alpha)
        if s.stopped:
            return
        if value > q.best:
            q.best = value
            if q.best >= q.beta:
                return


cdef inline void remember_answer(Search *s, const State *state, const Question *q) noexcept nogil:
    """Stores what `best` says about the state."""
    cdef int low = q.low, high = q.high
    if not q.remembered:
        return
    if q.best > q.alpha and q.best > low:
        low = q.best
    if q.best < q.beta and q.best < high:
        high = q.best
    remember(&s.memory, &q.key, q.hash, state.cost, low, high)


cdef int search(Search *s, const State *state, int alpha, int beta) noexcept nogil:
    """The value if it is between alpha and beta; else an upper bound at most alpha, or a lower bound at least beta."""
    cdef Layout *layout = &s.layout
    cdef Question q
    cdef int ranks[MOST_ACTIONS]
    q.alpha, q.beta, q.best, q.count = alpha, beta, WORST, 0
    q.lays, q.twists = layout.near[state.top] & state.mover, state.twists & state.mover
    if limited(s):
        return 0
    if not q.lays | q.twists:
        return -state.cost                     # T6, T8; and 0 for no card on an empty line
    claim(layout, state, q.lays, s.forced_only, &q.claims)
    if decided_at_once(&q):
        return q.best
    if decided_before(s, state, &q):
        return q.best
    q.lays, q.twists = without_twins(layout, state, q.lays), without_twins(layout, state, q.twists)
    list_lays(layout, state, s.forced_only, &q, ranks)
    list_twists(layout, state, s.nodes > EASY, &q, ranks)
    if q.best >= q.beta:
        return beyond_the_gap(&q)
    sort(ranks, q.count)
    search_all(s, state, &q, ranks)
    if s.stopped:
        return 0
    q.best = beyond_the_gap(&q)
    remember_answer(s, state, &q)
    return q.best


cdef bint begin(Search *s, const uint8_t *packed, State *root) noexcept nogil:
    """Lays a position out and forgets the one before; False if it is not well-formed. `nodes` counts from here."""
    if not lay_out(packed, &s.layout, root):
        return False
    forget(&s.memory, FIRST_ENTRIES)
    s.nodes = 0
    s.stopped = False
    return True


cdef Bounds solve(Search *s, const State *state) noexcept nogil:
    """The value of a state, as low == high; or the bounds that are known when a limit is met."""
    cdef Bounds known
    cdef int value, question
    cdef uint64_t limit = s.node_limit
    cdef Claims claims
    claim(&s.layout, state, s.layout.near[state.top] & state.mover, s.forced_only, &claims)
    known.low, known.high = claims.low, claims.high
    if s.nodes + EASY < limit:
        s.node_limit = s.nodes + EASY
    s.checkpoint = s.node_limit
    value = search(s, state, WORST, -WORST)
    s.node_limit = limit
    if not s.stopped:
        known.low = known.high = value
        return known
    s.stopped = False
    s.checkpoint = s.nodes
    question = (known.low + known.high) // 2
    while known.low < known.high:
        if question <= known.low:
            question = known.low + 1
        value = search(s, state, question - 1, question)
        if s.stopped:
            break
        if value < question:
            known.high = value
        else:
            known.low = value
        question = value
    return known


def claims_after(const uint8_t[::1] packed not None, const uint8_t[::1] codes not None):
    """What is claimed of the state that actions lead to from a packed position, for tests: under 'taking', 'counting' and 'ends',
    each a pair, and under 'lays' and 'twists' the cards that are not examined, because a twin of theirs is.

    Raises `ValueError` for a position that is not well-formed, or an action that the mover does not have.
    """
    cdef Layout layout
    cdef State state
    cdef Claims claims
    cdef uint32_t lays
    follow(packed, codes, &layout, &state)
    lays = layout.near[state.top] & state.mover
    found = {}
    claim_by_taking(&layout, &state, lays, &claims)
    found["taking"] = claims.low, claims.high
    claim_by_counting(&layout, &state, &claims)
    found["counting"] = claims.low, claims.high
    claim_ends(&layout, &state, &claims)
    found["ends"] = claims.taken, claims.given
    for name, cards in (("lays", lays), ("twists", state.twists & state.mover)):
        dropped = cards & ~without_twins(&layout, &state, cards)
        found[name] = [layout.card[slot] for slot in range(HANDS) if (dropped >> slot) & 1]
    return found


def shifted(int low, int high, int more, int taken, int given):
    """`shift`, for tests. Raises `ValueError` for a number that is not within -1000..1000."""
    for number in (low, high, more, taken, given):
        if not -1000 <= number <= 1000:
            raise ValueError(f"numbers are -1000..1000, not {number}")
    shift(&low, &high, more, taken, given)
    return low, high
