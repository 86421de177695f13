"""The Python class over the search. A `Solver` has one memory of states, for one thread at a time."""

from libc.stdint cimport int8_t, int16_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from backtrick._arguments cimport check_room
from backtrick._bits cimport __builtin_ctzll
from backtrick.take_that._layout cimport HANDS, PACKED, TABLE, State, lay, twist
from backtrick.take_that._memory cimport Entry
from backtrick.take_that._question cimport Bounds
from backtrick.take_that._search cimport Search, begin, search, solve

cdef enum:
    TAKE = 1                    # the codes of `action.pack_action`
    TWISTS = 128
    LEAST_ENTRIES = 16
    LONGEST_PLAY = HANDS + 1    # each action but the last uses a card of a hand

cdef uint64_t NO_LIMIT = <uint64_t> 1 << 62


cdef class Solver:
    """Solves positions in packed form, one after the other, with at most `table_bytes` of remembered states.

    A limit of 0 nodes means no limit. `stop` is a buffer of one byte; when it becomes nonzero, the work ends early.
    """

    cdef Search s
    cdef const uint8_t[::1] stop

    def __cinit__(self, bint forced_only, bint opens, uint64_t table_bytes, const uint8_t[::1] stop=None):
        cdef uint64_t capacity = LEAST_ENTRIES
        while capacity <= table_bytes // (2 * sizeof(Entry)):
            capacity *= 2
        check_room(capacity, sizeof(Entry))
        if stop is not None and stop.shape[0] != 1:
            raise ValueError(f"stop is one byte, not {stop.shape[0]}")
        self.s.forced_only, self.s.opens = forced_only, opens
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
        """What is known of a position: the least and the greatest possible value; the nodes searched for it; how many actions are
        worth the value; the codes of the principal line, -1 at its end if it was not found to the end; the nodes searched for all.

        The limit is for the value, again for the line, and again for the number of best actions, which is -1 if it is not found.
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
                    best_actions(&self.s, &here, value, False, &code, &after)
                    codes[turn] = -1 if self.s.limits.stopped else code
                    if codes[turn] <= 0:
                        break
                    turn += 1
                    if after.cost == 0:
                        codes[turn] = 0
                        break
                    value = (2 if code & TWISTS else 0) - value
                    here = after
                allow(&self.s, nodes)
                optimal = best_actions(&self.s, &root, known.low, True, &code, &after)
                if self.s.limits.stopped:
                    optimal = -1
        line = [codes[i] for i in range(turn)]
        if codes[turn] < 0:
            line.append(-1)
        return known.low, known.high, spent, optimal, line, self.s.limits.nodes

    def action_values(self, const uint8_t[::1] packed not None, uint64_t nodes=0):
        """The code and the bounds of the value of every legal action, in the order lays and twists ascending, then taking; and
        the nodes searched for all of them together."""
        cdef State root
        cdef State following
        cdef Bounds known
        cdef uint64_t lays, twists
        cdef int slot
        self._begin(packed, &root, nodes)
        found = []
        if root.top == TABLE and not self.s.opens:
            return found, 0
        lays, twists = self.s.layout.near[root.top] & root.mover, root.twists & root.mover
        may_take = root.top != TABLE and not (self.s.forced_only and lays | twists)
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
        best actions (0: none), those of their principal lines, how many actions are best, and their nodes. Returns -1, or the place
        of the first position that is not well-formed."""
        cdef State root
        cdef State after
        cdef Py_ssize_t i, wrong = -1
        cdef int code
        cdef bint want_best = best is not None, want_nodes = nodes is not None
        cdef bint want_lines = lines is not None, want_optimal = optimal is not None
        if packed.shape[1] != PACKED or not 0 <= first <= last <= packed.shape[0] or values.shape[0] < last:
            raise ValueError("arrays that do not belong together")
        if (want_best and best.shape[0] < last) or (want_nodes and nodes.shape[0] < last):
            raise ValueError("arrays that do not belong together")
        if want_lines and (lines.shape[0] < last or lines.shape[1] != LONGEST_PLAY):
            raise ValueError("arrays that do not belong together")
        if want_optimal and optimal.shape[0] < last:
            raise ValueError("arrays that do not belong together")
        self.s.limits.node_limit = NO_LIMIT
        with nogil:
            for i in range(first, last):
                if not begin(&self.s, &packed[i, 0], &root):
                    wrong = i
                    break
                values[i] = value_of(&self.s, &root).low
                if want_nodes:
                    nodes[i] = self.s.limits.nodes
                if want_best:
                    best_actions(&self.s, &root, values[i], False, &code, &after)
                    best[i] = code
                if want_lines:
                    follow_best(&self.s, &root, values[i], &lines[i, 0])
                if want_optimal:
                    optimal[i] = best_actions(&self.s, &root, values[i], True, &code, &after)
                if self.s.limits.stopped:
                    break
        return wrong

    cdef int _begin(self, const uint8_t[::1] packed, State *root, uint64_t nodes) except -1:
        if packed.shape[0] != PACKED or not begin(&self.s, &packed[0], root):
            raise ValueError("these bytes are no packed position")
        self.s.limits.node_limit = nodes if nodes else NO_LIMIT
        return 0


cdef void allow(Search *s, uint64_t nodes) noexcept nogil:
    """Gives the next part of an answer so many nodes of its own, 0 for no limit."""
    s.limits.node_limit = s.limits.nodes + nodes if nodes else NO_LIMIT
    s.limits.stopped = False


cdef Bounds value_of(Search *s, const State *root) noexcept nogil:
    cdef Bounds over
    over.low = over.high = 0
    if root.top == TABLE and not s.opens:
        return over  # T9
    return solve(s, root)


cdef int best_actions(Search *s, const State *state, int value, bint every, int *code, State *after) noexcept nogil:
    """The number of actions that are worth `value`, the state's own; without `every` 1 as soon as there is one. code: of the first
    of them, in the order of `Solver.action_values`; 0 for none. after: the state it leads to, with cost 0 if the round is over."""
    cdef State following
    cdef uint64_t lays = s.layout.near[state.top] & state.mover, twists = state.twists & state.mover
    cdef bint may_take = state.top != TABLE and not (s.forced_only and lays | twists)
    cdef int slot, count = 0
    code[0] = 0
    if state.top == TABLE and not s.opens:
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


cdef void follow_best(Search *s, const State *root, int value, uint8_t *line) noexcept nogil:
    """Fills in the codes of the principal line, then zeros. What is remembered of one state of the line serves the next."""
    cdef State state = root[0]
    cdef State after
    cdef int i, code
    memset(line, 0, LONGEST_PLAY)
    for i in range(LONGEST_PLAY):
        best_actions(s, &state, value, False, &code, &after)
        line[i] = code
        if code == 0 or after.cost == 0:
            return
        value = (2 if code & TWISTS else 0) - value
        state = after
