"""Solves positions (`_solve.pxd`): the memory of states, the search, the Python class over both, and rows of turns."""

from libc.stdint cimport int8_t, int64_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from backtrick._arguments cimport check_room, check_span
from backtrick._bits cimport __builtin_ctzll, __builtin_popcountll
from backtrick.take_that._cards cimport card_cost, twisted_card
from backtrick.take_that._layout cimport HANDS, HAND_SIZE, LONGEST_LINE, PACKED, TABLE, Rules, follow, lay, lay_out, read_rules, twist
from backtrick.take_that._bounds cimport (
    A_LAY,
    MOST_TURNS,
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
    is_told_to_stop,
    learn,
    limited,
    list_lays,
    list_twists,
    shift,
    sort,
    without_twins,
)


include "_solve_memory.pxi"


# The search.
#
# What makes it fast, the most effective first:
# - States are remembered without their cost (`_solve.pxd`), in a memory that stays in the processor's cache while the position is
#   easy. Bounds at another cost follow (`shift`).
# - A round ends with a take. Who takes last and which twists remain leave a gap in which no value lies (`claim_ends`).
# - The opponent may twist and then take, so a turn is worth at most what the line will then cost (`claim_by_taking`). The mover
#   may do the same, so a position is worth at least what that gives.
# - Turns that leave the opponent the fewest replies are tried first; one that leaves none decides at once. A lay of a card that the
#   opponent can twist comes later. Among equals a twist comes first. Once a position has taken many nodes, twists come last,
#   because they can be made later as well.
# - Of cards that are interchangeable one is tried (`without_twins`).


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
    """Fills in what is remembered of the state, or of one that differs from it only in its cost."""
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
    """Searches one turn after another until `best` answers the question, or a limit is met."""
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
    """Stores the bounds of the state that `best` proves."""
    if not recalled.known:
        return
    learn(q, &recalled.low, &recalled.high)
    remember(&s.memory, &recalled.key, recalled.hash, state.cost, recalled.low, recalled.high)


cdef int search(Search *s, const State *state, int alpha, int beta) noexcept nogil:
    """The value if it is between alpha and beta; else an upper bound, at most alpha, or a lower bound, at least beta."""
    cdef Layout *layout = &s.layout
    cdef uint64_t hands = state.mover | state.other
    cdef Question q
    cdef Recalled recalled
    cdef int ranks[MOST_TURNS]
    q.alpha, q.beta, q.best, q.count = alpha, beta, WORST, 0
    q.lays, q.twists = layout.near[state.top] & state.mover, state.twists & state.mover
    if limited(&s.limits):
        return 0
    if not q.lays | q.twists:
        return -state.cost                     # T6, T8; and 0 for no card on an empty line
    claim(layout, state, q.lays, s.rules.forced_only, &q.claims)
    if decided_at_once(&q):
        return q.best
    if decided_before(s, state, &q, &recalled):
        return q.best
    q.lays = without_twins(layout, state, hands, q.lays)
    q.twists = without_twins(layout, state, hands, q.twists)
    list_lays(layout, state, s.rules.forced_only, &q, ranks)
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
    claim(&s.layout, state, s.layout.near[state.top] & state.mover, s.rules.forced_only, &claims)
    known.low, known.high = claims.low, claims.high
    if s.limits.nodes + EASY < limit:
        s.limits.node_limit = s.limits.nodes + EASY
    s.limits.checkpoint = s.limits.nodes if is_told_to_stop(&s.limits) else s.limits.node_limit
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


# The Python class. A `Solver` has one memory of states, for one thread at a time.


cdef enum:
    LEAST_ENTRIES = 16

cdef uint64_t NO_LIMIT = <uint64_t> 1 << 62


cdef class Solver:
    """Solves positions in packed form, one after the other, with at most `table_bytes` of remembered states.

    A limit of 0 nodes means no limit. `stop` is a buffer of one byte; when it becomes nonzero, the work ends early. left: the place
    at which the last call of `solve_range` ended.
    """

    cdef Search s
    cdef const uint8_t[::1] stop
    cdef readonly Py_ssize_t left

    def __cinit__(self, int rules, uint64_t table_bytes, const uint8_t[::1] stop=None):
        cdef uint64_t capacity = LEAST_ENTRIES
        while capacity <= table_bytes // (2 * sizeof(Entry)):
            capacity *= 2
        check_room(capacity, sizeof(Entry))
        if stop is not None and stop.shape[0] != 1:
            raise ValueError(f"stop must be one byte, not {stop.shape[0]}")
        read_rules(rules, &self.s.rules)
        self.stop = stop
        self.s.limits.stop = &stop[0] if stop is not None else NULL
        self.s.memory.capacity = capacity
        self.s.memory.used = self.s.memory.filled = self.s.memory.generation = self.s.memory.touched = 0
        self.s.memory.entries = <Entry *> calloc(capacity, sizeof(Entry))
        if self.s.memory.entries == NULL:
            raise MemoryError(f"no room for a table of {table_bytes} bytes")

    def __dealloc__(self):
        free(self.s.memory.entries)

    def value(self, const uint8_t[::1] packed not None, uint64_t nodes=0):
        """The least and the greatest possible value, equal unless a limit was met, and the number of nodes searched."""
        cdef State root
        cdef Bounds known
        self._begin(packed, &root, nodes)
        with nogil:
            known = value_of(&self.s, &root)
        return known.low, known.high, self.s.limits.nodes

    def answer(self, const uint8_t[::1] packed not None, uint64_t nodes=0):
        """The answer to a position: the least and the greatest possible value; the nodes searched for it; how many turns are worth
        the value; the codes of the principal line, ending with -1 if a limit cut it short, and with -2 if it does not reach the
        value, which is a fault of the search; the nodes searched for all of this.

        The limit applies separately to the value, the line and the number of best turns; the number is -1 if it is not found.
        """
        cdef State root
        cdef State here
        cdef State after
        cdef Bounds known
        cdef int code, optimal = -1, value, turn = 0
        cdef uint64_t spent
        cdef int codes[LONGEST_PLAY + 1]
        self._begin(packed, &root, nodes)
        with nogil:
            known = value_of(&self.s, &root)
            spent = self.s.limits.nodes
            codes[0] = -1
            if known.low == known.high:
                allow(&self.s, nodes)
                here, value = root, known.low
                while True:
                    best_turns(&self.s, &here, value, False, &code, &after)
                    codes[turn] = -1 if self.s.limits.stopped else code
                    if code == 0:
                        if codes[turn] == 0 and not reaches(&self.s, &here, code, value):
                            codes[turn] = -2
                        break
                    if codes[turn] < 0:
                        break
                    turn += 1
                    if after.cost == 0:
                        codes[turn] = 0 if reaches(&self.s, &here, code, value) else -2
                        break
                    value = (2 if code & TWISTS else 0) - value
                    here = after
                allow(&self.s, nodes)
                optimal = best_turns(&self.s, &root, known.low, True, &code, &after)
                if self.s.limits.stopped:
                    optimal = -1
        line = [codes[i] for i in range(turn)]
        if codes[turn] < 0:
            line.append(codes[turn])
        return known.low, known.high, spent, optimal, line, self.s.limits.nodes

    def turn_values(self, const uint8_t[::1] packed not None, uint64_t nodes=0):
        """The code and the bounds of the value of every legal turn, in the order lays and twists ascending, then taking; and
        the nodes searched for all of them together."""
        cdef State root
        cdef State following
        cdef Bounds known
        cdef uint64_t lays, twists
        cdef int slot
        self._begin(packed, &root, nodes)
        found = []
        if root.top == TABLE and not self.s.rules.opens:
            return found, 0
        lays, twists = self.s.layout.near[root.top] & root.mover, root.twists & root.mover
        may_take = root.top != TABLE and not (self.s.rules.forced_only and lays | twists)
        while lays:
            slot = __builtin_ctzll(lays)
            lays &= lays - 1
            with nogil:
                lay(&self.s.layout, &root, root.mover | root.other, slot, &following)
                self.s.layout.below[slot] = root.top
                known = solve(&self.s, &following)
            found.append((self.s.layout.card[slot], -known.high, -known.low))
        while twists:
            slot = __builtin_ctzll(twists)
            twists &= twists - 1
            with nogil:
                twist(&self.s.layout, &root, slot, &following)
                known.low = known.high = 0  # T7
                if following.cost:
                    known = solve(&self.s, &following)
            found.append((TWISTS | self.s.layout.card[slot], 2 - known.high, 2 - known.low))
        if may_take:
            found.append((TAKE, -root.cost, -root.cost))
        return found, self.s.limits.nodes

    def solve_range(self, const uint8_t[:, ::1] packed not None, int8_t[::1] values not None, uint8_t[::1] best,
                    uint8_t[:, ::1] lines, uint32_t[::1] optimal, uint64_t[::1] nodes, Py_ssize_t first, Py_ssize_t last):
        """Solves positions first..last-1, without the interpreter. Fills in their values and, unless None, the codes of their
        best turns (0: none), those of their principal lines, how many turns are best, and their nodes. Returns -1, or the place
        of the first position that is not well-formed; or -2 less the place of one whose best turn or principal line does not reach
        the value, which is a fault of the search. A stop ends it at `left`, and nothing is known of the positions from there on."""
        cdef State root
        cdef State after
        cdef Py_ssize_t i, wrong = -1
        cdef int code
        cdef bint want_best = best is not None, want_nodes = nodes is not None, astray = False
        cdef bint want_lines = lines is not None, want_optimal = optimal is not None
        if packed.shape[1] != PACKED or not 0 <= first <= last <= packed.shape[0] or values.shape[0] < last:
            raise ValueError("the arrays do not match")
        if (want_best and best.shape[0] < last) or (want_nodes and nodes.shape[0] < last):
            raise ValueError("the arrays do not match")
        if want_lines and (lines.shape[0] < last or lines.shape[1] != LONGEST_PLAY):
            raise ValueError("the arrays do not match")
        if want_optimal and optimal.shape[0] < last:
            raise ValueError("the arrays do not match")
        self.s.limits.node_limit = NO_LIMIT
        self.left = last
        with nogil:
            for i in range(first, last):
                if not begin(&self.s, &packed[i, 0], &root):
                    wrong = i
                    break
                values[i] = value_of(&self.s, &root).low
                if want_nodes:
                    nodes[i] = self.s.limits.nodes
                if want_best:
                    best_turns(&self.s, &root, values[i], False, &code, &after)
                    best[i] = code
                    astray = code == 0 and not reaches(&self.s, &root, code, values[i])
                if want_lines:
                    astray = not follow_best(&self.s, &root, values[i], &lines[i, 0])
                if want_optimal:
                    optimal[i] = best_turns(&self.s, &root, values[i], True, &code, &after)
                if self.s.limits.stopped:
                    self.left = i
                    break
                if astray:
                    wrong = -2 - i
                    break
        return wrong

    cdef int _begin(self, const uint8_t[::1] packed, State *root, uint64_t nodes) except -1:
        if packed.shape[0] != PACKED or not begin(&self.s, &packed[0], root):
            raise ValueError("these bytes are not a packed position")
        self.s.limits.node_limit = nodes if nodes else NO_LIMIT
        return 0


cdef void allow(Search *s, uint64_t nodes) noexcept nogil:
    """Gives the next part of an answer `nodes` nodes of its own, 0 for no limit."""
    s.limits.node_limit = s.limits.nodes + nodes if nodes else NO_LIMIT
    s.limits.stopped = False


cdef Bounds value_of(Search *s, const State *root) noexcept nogil:
    cdef Bounds over
    over.low = over.high = 0
    if root.top == TABLE and not s.rules.opens:
        return over  # T9
    return solve(s, root)


cdef int best_turns(Search *s, const State *state, int value, bint every, int *code, State *after) noexcept nogil:
    """The number of turns that are worth `value`, the state's own; without `every` 1 as soon as there is one. code: of the first
    of them, in the order of `Solver.turn_values`; 0 for none. after: the state it leads to, with cost 0 if the round is over."""
    cdef State following
    cdef uint64_t lays = s.layout.near[state.top] & state.mover, twists = state.twists & state.mover
    cdef bint may_take = state.top != TABLE and not (s.rules.forced_only and lays | twists)
    cdef int slot, count = 0
    code[0] = 0
    if state.top == TABLE and not s.rules.opens:
        return 0
    s.limits.checkpoint = s.limits.nodes
    while lays and (every or not count):
        slot = __builtin_ctzll(lays)
        lays &= lays - 1
        lay(&s.layout, state, state.mover | state.other, slot, &following)
        s.layout.below[slot] = state.top
        if search(s, &following, -value, -value + 1) <= -value:
            count += 1
            if count == 1:
                code[0], after[0] = s.layout.card[slot], following
    while twists and (every or not count):
        slot = __builtin_ctzll(twists)
        twists &= twists - 1
        twist(&s.layout, state, slot, &following)
        if (search(s, &following, 2 - value, 3 - value) if following.cost else 0) <= 2 - value:
            count += 1
            if count == 1:
                code[0], after[0] = TWISTS | s.layout.card[slot], following
    if may_take and (every or not count) and value == -state.cost:
        count += 1
        if count == 1:
            code[0], after.cost = TAKE, 0
    return count


cdef bint reaches(const Search *s, const State *state, int code, int value) noexcept nogil:
    """Is this the value of a state where its principal line ends: with this turn or, at 0, because there is none?"""
    if code == 0:
        return value == 0 and state.top == TABLE and not (s.rules.opens and state.mover)      # T9
    return value == (2 if code & TWISTS else -state.cost)


cdef bint follow_best(Search *s, const State *root, int value, uint8_t *line) noexcept nogil:
    """Fills in the codes of the principal line, then zeros. What is remembered of one state of the line serves the next. False if
    the line does not reach the value."""
    cdef State state = root[0]
    cdef State after
    cdef int i, code
    memset(line, 0, LONGEST_PLAY)
    for i in range(LONGEST_PLAY):
        best_turns(s, &state, value, False, &code, &after)
        line[i] = code
        if code == 0 or after.cost == 0:
            return reaches(s, &state, code, value)
        value = (2 if code & TWISTS else 0) - value
        state = after
    return False


# The legal turns of packed positions, and what they lead to, from the rules T3-T10. Nothing is searched.
#
# A packed position is 97 bytes: the mover's hand, the opponent's hand, the line, each filled up with zeros.


cdef enum:
    REACH = 10                  # T4

cdef inline int length_of(const uint8_t *cards, int room) noexcept nogil:
    cdef int length = 0
    while length < room and cards[length]:
        length += 1
    return length


cdef inline int place_of(const uint8_t *cards, int length, int card) noexcept nogil:
    """The place of a card, or -1."""
    cdef int place
    for place in range(length):
        if cards[place] == card:
            return place
    return -1


cdef inline void take_out(uint8_t *cards, int room, int place) noexcept nogil:
    """Takes a card out; those behind it move up."""
    for place in range(place, room - 1):
        cards[place] = cards[place + 1]
    cards[room - 1] = 0


cdef int list_turns(const uint8_t *p, const Rules *rules, uint8_t *codes) noexcept nogil:
    """The codes of the legal turns: lays by card, twists by hand card, taking. Returns how many."""
    cdef const uint8_t *line = p + HANDS
    cdef int held = length_of(p, HAND_SIZE), length = length_of(line, LONGEST_LINE), i, count = 0
    if not length and not rules.opens:
        return 0                               # T9
    for i in range(held):
        if not length or -REACH <= p[i] - line[length - 1] <= REACH:
            codes[count] = p[i]
            count += 1
    for i in range(held):
        if place_of(line, length, twisted_card(p[i])) >= 0:     # a toad gives itself, which is not in the line
            codes[count] = TWISTS | p[i]
            count += 1
    if length and not (rules.forced_only and count):     # T6, T10
        codes[count] = TAKE
        count += 1
    return count


cdef int play(const uint8_t *p, int code, uint8_t *following) noexcept nogil:
    """The points of a legal turn; fills in the position after it, all zeros if the round is over (T7)."""
    cdef const uint8_t *line = p + HANDS
    cdef int length = length_of(line, LONGEST_LINE), card = code & 127, i, points = 0
    memset(following, 0, PACKED)
    if code == TAKE:
        for i in range(length):
            points -= card_cost(line[i])
        return points
    if code & TWISTS:
        points = 2
        if length == 1:
            return points
    memcpy(following, p + HAND_SIZE, HAND_SIZE)
    memcpy(following + HAND_SIZE, p, HAND_SIZE)
    memcpy(following + HANDS, line, LONGEST_LINE)
    take_out(following + HAND_SIZE, HAND_SIZE, place_of(p, HAND_SIZE, card))
    if code & TWISTS:
        take_out(following + HANDS, LONGEST_LINE, place_of(line, length, twisted_card(card)))
    else:
        following[HANDS + length] = card
    return points


cdef bint well_formed(const uint8_t *p) noexcept nogil:
    cdef Layout layout
    cdef State state
    return lay_out(p, &layout, &state)


cdef int check_packed(Py_ssize_t width) except -1:
    if width != PACKED:
        raise ValueError(f"a packed position must have {PACKED} bytes, not {width}")
    return 0


def count_range(const uint8_t[:, ::1] packed not None, uint32_t[::1] counts not None, Py_ssize_t start, Py_ssize_t stop,
                int rules):
    """Fills counts[start:stop] with the numbers of legal turns.

    Returns -1, or the place of the first position that is not well-formed.
    """
    cdef Py_ssize_t i
    cdef uint8_t codes[MOST_TURNS]
    cdef Rules options
    check_span(start, stop, min(packed.shape[0], counts.shape[0]))
    check_packed(packed.shape[1])
    read_rules(rules, &options)
    with nogil:
        for i in range(start, stop):
            if not well_formed(&packed[i, 0]):
                break
            counts[i] = list_turns(&packed[i, 0], &options, codes)
        else:
            i = -1
    return i


def list_range(const uint8_t[:, ::1] packed not None, const int64_t[::1] offsets not None, uint8_t[:, ::1] rows not None,
               Py_ssize_t start, Py_ssize_t stop, int rules):
    """Fills rows[offsets[i]:offsets[i + 1]] with the turns of position i, for start <= i < stop, all but their values.

    Returns what `count_range` does. Raises if the offsets of a position do not leave room for exactly its turns.
    """
    cdef Py_ssize_t i
    cdef uint8_t codes[MOST_TURNS]
    cdef Rules options
    cdef int count = 0, j
    cdef bint fits = True
    cdef Row *row
    check_span(start, stop, min(packed.shape[0], offsets.shape[0] - 1))
    check_packed(packed.shape[1])
    read_rules(rules, &options)
    if rows.shape[1] != sizeof(Row):
        raise ValueError(f"a row must have {sizeof(Row)} bytes, not {rows.shape[1]}")
    with nogil:
        for i in range(start, stop):
            if not well_formed(&packed[i, 0]):
                break
            count = list_turns(&packed[i, 0], &options, codes)
            fits = 0 <= offsets[i] <= rows.shape[0] - count and offsets[i + 1] - offsets[i] == count
            if not fits:
                break
            for j in range(count):
                row = <Row *> &rows[offsets[i] + j, 0]
                row.turn, row.value = codes[j], 0
                row.points = play(&packed[i, 0], codes[j], row.position)
        else:
            i = -1
    if not fits:
        raise ValueError(f"position {i} has {count} turns; the offsets do not leave room for that number")
    return i


def play_range(const uint8_t[:, ::1] packed not None, const uint8_t[::1] turns not None, int8_t[::1] points not None,
               uint8_t[:, ::1] following not None, Py_ssize_t start, Py_ssize_t stop, int rules):
    """Fills points[start:stop] with the points of a turn each, and following[start:stop] with the positions after it.

    Returns -1, or the place of the first position that is not well-formed, or whose turn is not legal.
    """
    cdef Py_ssize_t i
    cdef uint8_t codes[MOST_TURNS]
    cdef Rules options
    cdef int count
    check_span(start, stop, min(packed.shape[0], turns.shape[0], points.shape[0], following.shape[0]))
    check_packed(packed.shape[1])
    read_rules(rules, &options)
    check_packed(following.shape[1])
    with nogil:
        for i in range(start, stop):
            if not well_formed(&packed[i, 0]):
                break
            count = list_turns(&packed[i, 0], &options, codes)
            if place_of(codes, count, turns[i]) < 0:
                break
            points[i] = play(&packed[i, 0], turns[i], &following[i, 0])
        else:
            i = -1
    return i
