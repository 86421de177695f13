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

from libc.stdint cimport uint64_t

from backtrick._bits cimport __builtin_popcountll
from backtrick.take_that._layout cimport HANDS, follow, lay, lay_out, twist
from backtrick.take_that._memory cimport Entry, cost_of, find, forget, hash_of, high_of, low_of, make_key, remember
from backtrick.take_that._question cimport (
    A_LAY,
    MOST_ACTIONS,
    SLOT_MASK,
    WORST,
    Claims,
    Question,
    beyond_the_gap,
    claim,
    claim_by_counting,
    claim_by_taking,
    claim_ends,
    decided_at_once,
    decided_by,
    learn,
    limited,
    list_lays,
    list_twists,
    shift,
    sort,
    without_twins,
)


cdef enum:
    FIRST_ENTRIES = 1024        # 16 KiB
    EASY = 20000                # nodes for the first, wide search; a position that needs more gets narrow questions
    REMEMBERED_FROM = 5         # cards in both hands: below, searching is as fast as remembering


cdef struct Recalled:           # what is remembered of a state
    bint known                  # the state has a key in the memory
    Entry key
    uint64_t hash
    int low                     # the value is between these
    int high

cdef inline void look_back(Search *s, const State *state, const Claims *claims, Recalled *recalled) noexcept nogil:
    """Fills in what is remembered of the state, or of one that differs from it in its cost alone."""
    cdef const Entry *entry
    cdef int more
    recalled.low, recalled.high = WORST, -WORST
    make_key(&s.memory, &s.layout, state, &recalled.key)
    recalled.hash = hash_of(&recalled.key)
    entry = find(&s.memory, &recalled.key, recalled.hash)
    if entry == NULL:
        return
    recalled.low, recalled.high = low_of(entry), high_of(entry)
    more = state.cost - cost_of(entry)
    if more:
        shift(&recalled.low, &recalled.high, more, claims.taken, claims.given)
        recalled.low, recalled.high = max(recalled.low, WORST), min(recalled.high, -WORST)


cdef inline bint decided_before(Search *s, const State *state, Question *q, Recalled *recalled) noexcept nogil:
    """Narrows the question by what is remembered of the state; True if `best` answers it."""
    recalled.known = __builtin_popcountll(state.mover | state.other) >= REMEMBERED_FROM
    if not recalled.known:
        return False
    look_back(s, state, &q.claims, recalled)
    return decided_by(q, recalled.low, recalled.high)


cdef inline void search_all(Search *s, const State *state, Question *q, const int *ranks) noexcept nogil:
    """Searches one action after another until `best` answers the question, or a limit is met."""
    cdef State following
    cdef int i, slot, points, value, alpha
    for i in range(q.count):
        alpha = q.best if q.best > q.alpha else q.alpha
        slot = ranks[i] & SLOT_MASK
        if ranks[i] & A_LAY:
            lay(&s.layout, state, state.mover | state.other, slot, &following)
            s.layout.below[slot] = state.top
            points = 0
        else:
            twist(&s.layout, state, slot, &following)
            points = 2                         # T5
        value = points - search(s, &following, points - q.beta, points - alpha)
        if s.limits.stopped:
            return
        if value > q.best:
            q.best = value
            if q.best >= q.beta:
                return


cdef inline void remember_answer(Search *s, const State *state, const Question *q, Recalled *recalled) noexcept nogil:
    """Stores what `best` says about the state."""
    if not recalled.known:
        return
    learn(q, &recalled.low, &recalled.high)
    remember(&s.memory, &recalled.key, recalled.hash, state.cost, recalled.low, recalled.high)


cdef int search(Search *s, const State *state, int alpha, int beta) noexcept nogil:
    """The value if it is between alpha and beta; else an upper bound at most alpha, or a lower bound at least beta."""
    cdef Layout *layout = &s.layout
    cdef uint64_t hands = state.mover | state.other
    cdef Question q
    cdef Recalled recalled
    cdef int ranks[MOST_ACTIONS]
    q.alpha, q.beta, q.best, q.count = alpha, beta, WORST, 0
    q.lays, q.twists = layout.near[state.top] & state.mover, state.twists & state.mover
    if limited(&s.limits):
        return 0
    if not q.lays | q.twists:
        return -state.cost                     # T6, T8; and 0 for no card on an empty line
    claim(layout, state, q.lays, s.forced_only, &q.claims)
    if decided_at_once(&q):
        return q.best
    if decided_before(s, state, &q, &recalled):
        return q.best
    q.lays = without_twins(layout, state, hands, q.lays)
    q.twists = without_twins(layout, state, hands, q.twists)
    list_lays(layout, state, s.forced_only, &q, ranks)
    list_twists(layout, state, s.limits.nodes > EASY, &q, ranks)
    if q.best >= q.beta:
        return beyond_the_gap(&q)
    sort(ranks, q.count)
    search_all(s, state, &q, ranks)
    if s.limits.stopped:
        return 0
    q.best = beyond_the_gap(&q)
    remember_answer(s, state, &q, &recalled)
    return q.best


cdef bint begin(Search *s, const uint8_t *packed, State *root) noexcept nogil:
    """Lays a position out and forgets the one before; False if it is not well-formed. `nodes` counts from here."""
    if not lay_out(packed, &s.layout, root):
        return False
    forget(&s.memory, FIRST_ENTRIES)
    s.limits.nodes = 0
    s.limits.stopped = False
    return True


cdef Bounds solve(Search *s, const State *state) noexcept nogil:
    """The value of a state, as low == high; or the bounds that are known when a limit is met."""
    cdef Bounds known
    cdef int value, question
    cdef uint64_t limit = s.limits.node_limit
    cdef Claims claims
    claim(&s.layout, state, s.layout.near[state.top] & state.mover, s.forced_only, &claims)
    known.low, known.high = claims.low, claims.high
    if s.limits.nodes + EASY < limit:
        s.limits.node_limit = s.limits.nodes + EASY
    s.limits.checkpoint = s.limits.node_limit
    value = search(s, state, WORST, -WORST)
    s.limits.node_limit = limit
    if not s.limits.stopped:
        known.low = known.high = value
        return known
    s.limits.stopped = False
    s.limits.checkpoint = s.limits.nodes
    question = (known.low + known.high) // 2
    while known.low < known.high:
        if question <= known.low:
            question = known.low + 1
        value = search(s, state, question - 1, question)
        if s.limits.stopped:
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
    cdef uint64_t lays
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
        dropped = cards & ~without_twins(&layout, &state, state.mover | state.other, cards)
        found[name] = [layout.card[slot] for slot in range(HANDS) if (dropped >> slot) & 1]
    return found


def shifted(int low, int high, int more, int taken, int given):
    """`shift`, for tests. Raises `ValueError` for a number that is not within -1000..1000."""
    for number in (low, high, more, taken, given):
        if not -1000 <= number <= 1000:
            raise ValueError(f"numbers are -1000..1000, not {number}")
    shift(&low, &high, more, taken, given)
    return low, high
