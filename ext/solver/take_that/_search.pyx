"""The exact value of a position; see `_search.pxd`.

What makes it fast, in the order of what it brings:
- The other may take at once, so nothing the mover does is worth more than the line will cost (`ceiling`); and the mover may
  take, so a position is never worth less than the line costs now.
- Without twists the players walk a path between the two hands, and who cannot go on takes the line. Of undirected vertex
  geography it is known that the mover can make the other run out iff some largest matching misses the card laid. A player
  who cannot twist, and is given nothing to twist, cannot disturb that, so it bounds the value even where the other can.
- What leaves the other the fewest replies is tried first; no reply at all decides at once. A card that the other can then
  twist comes later, a twist first among equals; twists before all else would be worse, they are moves in hand.
- States are remembered (`_memory.pxd`), in a table that stays in the processor's cache while the position is easy.
"""

from libc.stdint cimport uint32_t

from solver._bits cimport __builtin_ctz, __builtin_popcount
from solver.take_that._layout cimport HANDS, TABLE, lay, lay_out, replies, twist
from solver.take_that._memory cimport Entry, forget, grow, high_of, is_there, low_of, make_key, place_of, remember


cdef enum:
    A_TWIST = 0                 # where the order of actions keeps the slot + 1 of a lay: so twists come first among equals
    A_GIFT = 2                  # replies that a twist given to the other counts for, besides being one
    MOST_ACTIONS = 18           # of up to nine cards, each may be laid and may twist
    FIRST_ENTRIES = 4096        # 64 KiB
    GROWTH = 16
    WATCH = 4096                # nodes between two looks at the limits
    EASY = 2000                 # nodes for the first, wide search; what needs more is asked in narrow questions
    REMEMBERED_FROM = 5         # cards in both hands: below, searching is as fast as remembering


cdef uint32_t last_laying(const uint32_t *near, uint32_t mover, uint32_t other) noexcept nogil:
    """The cards of the mover that some largest matching between the two hands misses: if nobody twists, those with which the
    mover can make the other the one who runs out.

    Every card reaches equally far, so a matching that gives each card in ascending order its lowest free partner is largest.
    Another one misses what an alternating path leads to from a card that this one misses.
    """
    cdef uint32_t matched_to[HANDS]
    cdef uint32_t free = other, missed = 0, seen = 0, frontier, reached, bit
    cdef int slot
    while mover:
        bit = mover & -mover
        mover ^= bit
        reached = near[__builtin_ctz(bit)] & free
        if reached:
            matched_to[__builtin_ctz(reached)] = bit
            free ^= reached & -reached
        else:
            missed |= bit
    frontier = missed
    while frontier:
        slot = __builtin_ctz(frontier)
        frontier &= frontier - 1
        reached = near[slot] & other & ~seen
        seen |= reached
        while reached:
            bit = matched_to[__builtin_ctz(reached)]
            reached &= reached - 1
            frontier |= bit
            missed |= bit
    return missed


cdef inline int ceiling(const Layout *layout, const State *state, uint32_t lays) noexcept nogil:
    """What the mover gets if the other takes right after: a lay adds what the card costs, a twist 2 points less 1 card."""
    return state.cost + (5 if lays & layout.toads else 1)


cdef void look_up(Search *s) noexcept nogil:
    """At a checkpoint: stop at a limit, and give a position that turns out to be hard more room."""
    if s.nodes > s.node_limit or (s.stop != NULL and s.stop[0]):
        s.nodes -= 1  # this one is not searched
        s.stopped = True
        return
    if s.nodes > s.memory.used:
        grow(&s.memory, GROWTH)
    s.checkpoint = s.nodes + WATCH
    if s.checkpoint > s.node_limit:
        s.checkpoint = s.node_limit


cdef int search(Search *s, const State *state, int alpha, int beta) noexcept nogil:
    """The value if it is between alpha and beta, else a bound: at most alpha or at least beta."""
    cdef Layout *layout = &s.layout
    cdef uint32_t lays = layout.near[state.top] & state.mover
    cdef uint32_t twists = state.twists & state.mover
    cdef uint32_t gifts, threats, winning
    cdef State following[MOST_ACTIONS]
    cdef int order[MOST_ACTIONS]
    cdef Entry key
    cdef Entry *entry = NULL
    cdef int count = 0, best = WORST, top_value, value, i, j, rank, left, slot, points, low = WORST, high = -WORST, floor
    s.nodes += 1
    if s.nodes > s.checkpoint:
        look_up(s)
        if s.stopped:
            return 0
    if not lays | twists:
        return -state.cost  # T6, T8; and 0 for no card on an empty line

    if not s.forced_only:
        if state.top != TABLE:
            best = -state.cost  # T10
            if best >= beta:
                return best
        top_value = ceiling(layout, state, lays)
        if top_value <= alpha:
            return top_value
        if top_value < beta:
            beta = top_value
        threats = state.twists | (state.mates & layout.same)
        gifts = state.mates & ~layout.same
        if not threats & state.other and lays & ~gifts:
            winning = lays & last_laying(layout.near, state.mover & ~gifts, state.other)
            if winning:
                value = ceiling(layout, state, winning)
                if value > best:
                    best = value
                if best >= beta:
                    return best
        if not threats & state.mover and state.top != TABLE:
            lays &= last_laying(layout.near, state.mover, state.other & ~gifts)  # any other is worse than taking
            if not lays:
                return best

    if __builtin_popcount(state.mover | state.other) >= REMEMBERED_FROM:
        make_key(&s.memory, layout, state, &key)
        entry = place_of(&s.memory, &key)
        if is_there(entry, &key):
            low, high = low_of(entry), high_of(entry)
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
            if low > best:
                best = low
            if high < beta:
                beta = high
    floor = alpha

    while lays:
        slot = __builtin_ctz(lays)
        lays &= lays - 1
        if not s.forced_only and state.cost + layout.cost[slot] <= best:
            continue  # the other may take at once
        lay(layout, state, slot, &following[count])
        left = replies(layout, &following[count])
        if left == 0:
            if following[count].cost > best:
                best = following[count].cost
            continue
        if layout.partner[slot] & state.other:
            left += A_GIFT
        order[count] = (left << 16) | ((slot + 1) << 8) | count
        count += 1
    while twists:
        slot = __builtin_ctz(twists)
        twists &= twists - 1
        twist(layout, state, slot, &following[count])
        left = replies(layout, &following[count])
        if left == 0 or following[count].cost == 0:  # T7: the last card of the line ends the round
            if following[count].cost + 2 > best:
                best = following[count].cost + 2
            continue
        order[count] = (left << 16) | (A_TWIST << 8) | count
        count += 1
    if best >= beta:
        return best

    for i in range(1, count):
        rank = order[i]
        j = i
        while j > 0 and order[j - 1] > rank:
            order[j] = order[j - 1]
            j -= 1
        order[j] = rank

    for i in range(count):
        if best > alpha:
            alpha = best
        slot = ((order[i] >> 8) & 255) - 1
        if slot >= 0:
            layout.below[slot] = state.top
            points = 0
        else:
            points = 2  # T5
        value = points - search(s, &following[order[i] & 255], points - beta, points - alpha)
        if s.stopped:
            return 0
        if value > best:
            best = value
            if best >= beta:
                break

    if entry != NULL:
        if best > floor and best > low:
            low = best
        if best < beta and best < high:
            high = best
        remember(entry, &key, low, high)
    return best


cdef bint begin(Search *s, const uint8_t *packed, State *root) noexcept nogil:
    """Lay a position out and forget the one before; False if it is not well-formed. `nodes` counts from here."""
    if not lay_out(packed, &s.layout, root):
        return False
    forget(&s.memory, FIRST_ENTRIES)
    s.nodes = 0
    s.stopped = False
    return True


cdef Bounds solve(Search *s, const State *state) noexcept nogil:
    """The value of a state as low == high; if a limit is met first, what is known of it by then."""
    cdef Bounds known
    cdef int value, question, easy_part
    cdef uint64_t limit = s.node_limit
    cdef uint32_t hands = state.mover | state.other, lays = s.layout.near[state.top] & state.mover
    known.low = -state.cost
    known.high = ceiling(&s.layout, state, lays)
    if s.forced_only or state.top == TABLE:
        known.high = state.cost
        while hands:
            known.high += s.layout.cost[__builtin_ctz(hands)]
            hands &= hands - 1
        known.low = -known.high
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
