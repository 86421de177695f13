"""The tree of `solver/core/ismcts.py`, its readable twin, for rounds of Take That. The same iterations give the same tree.

A tree of n iterations has at most n nodes and the root: an iteration adds one. The replies to a node are a list, the last one first.
"""

from libc.math cimport log, sqrt
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from solver._arguments cimport check_room
from solver._random cimport Stream, below, shuffle, stream_of
from solver.take_that._layout cimport HAND_SIZE, LONGEST_LINE
from solver.take_that._round cimport (
    TAKE, TWISTS, Cards, Round, check_points, draw, fill, lays_of, look, may_take, next_of, play, twists_of,
)

cdef enum:
    MOST_MOVES = 2 * HAND_SIZE + 1
    LONGEST_PATH = 256          # moves of a round: at most two for each card drawn, then one for each card held, and a taking

cdef struct Node:               # as `core.ismcts.Node`
    double reward
    int32_t visits
    int32_t available
    int32_t first               # its latest reply; 0 if there is none
    int32_t next                # the reply before, of the same list
    uint8_t code

cdef struct Moves:
    uint8_t codes[MOST_MOVES]   # in the order of `rules.legal_moves`
    int32_t nodes[MOST_MOVES]   # where in the tree they are; 0 for those not tried
    int count


cdef void list_moves(const Round *r, Moves *moves) noexcept nogil:
    cdef Cards lays = lays_of(r), twists = twists_of(r)
    cdef bint taking = may_take(r, &lays, &twists)
    cdef int card = next_of(&lays)
    moves.count = 0
    while card:
        moves.codes[moves.count] = card
        moves.count += 1
        card = next_of(&lays)
    card = next_of(&twists)
    while card:
        moves.codes[moves.count] = TWISTS | card
        moves.count += 1
        card = next_of(&twists)
    if taking:
        moves.codes[moves.count] = TAKE
        moves.count += 1


cdef inline bint is_over(const Round *r) noexcept nogil:
    """At the start of a turn, as `rules.is_over`."""
    return r.length == 0 and (r.held[r.mover] == 0 or (r.left == 0 and not r.opens))


cdef bint make_move(Round *r, int code) noexcept nogil:
    """Plays a move and what follows without a choice; True if the round is over then."""
    play(r, code)
    if r.left == 0:
        if r.length == 0:
            return True  # T7
        r.mover = 1 - r.mover
        return False
    if code == TAKE:
        return False  # T6: the same player opens
    draw(r)
    r.mover = 1 - r.mover
    return is_over(r)


cdef class Tree:
    """The tree of a view, with room for a number of iterations. The arguments are those of a view."""

    cdef Round view
    cdef uint8_t[LONGEST_LINE] unseen
    cdef Node *nodes
    cdef int32_t used
    cdef int32_t room
    cdef double exploration

    def __cinit__(self, const uint8_t[::1] hand not None, const uint8_t[::1] line not None, const uint8_t[::1] unseen not None,
                  int hand_size, int own_points, int other_points, bint forced_only, bint opens, double exploration,
                  uint32_t iterations):
        cdef Py_ssize_t i
        look(&self.view, hand, line, unseen, hand_size)
        check_points(own_points, other_points)
        self.view.points[0], self.view.points[1] = own_points, other_points
        self.view.forced_only, self.view.opens = forced_only, opens
        for i in range(unseen.shape[0]):
            self.unseen[i] = unseen[i]
        if not 0 <= exploration <= 1000:
            raise ValueError(f"exploration is 0..1000, not {exploration}")
        if not 0 < iterations < <uint32_t> 1 << 30:
            raise ValueError(f"iterations are 1..2^30-1, not {iterations}")
        check_room(iterations + 1, sizeof(Node))
        self.exploration = exploration
        self.room, self.used = <int32_t> iterations + 1, 1
        self.nodes = <Node *> calloc(iterations + 1, sizeof(Node))
        if self.nodes == NULL:
            raise MemoryError(f"no room for {iterations} nodes")

    def __dealloc__(self):
        free(self.nodes)

    def search(self, uint64_t key, uint64_t first, uint64_t last):
        """Iterations first..last-1 of a key, without the interpreter."""
        cdef uint64_t number
        if first > last or last - first > <uint64_t> (self.room - self.used):
            raise ValueError(f"iterations {first}..{last} of a tree with room for {self.room - self.used} more")
        with nogil:
            for number in range(first, last):
                self.iterate(key, number)

    def replies(self):
        """The code, visits, availability and reward of every move tried from the view, the latest one first."""
        found, place = [], self.nodes[0].first
        while place:
            node = &self.nodes[place]
            found.append((node.code, node.visits, node.available, node.reward))
            place = node.next
        return found

    cdef void iterate(self, uint64_t key, uint64_t number) noexcept nogil:
        cdef Round r = self.view
        cdef uint8_t[LONGEST_LINE] cards
        cdef int32_t[LONGEST_PATH] path
        cdef uint8_t[LONGEST_PATH] seats
        cdef Stream numbers = stream_of(key, number)
        cdef Moves moves
        cdef int i, best, untried, length = 0, lead
        cdef int32_t node = 0
        cdef double reward
        cdef bint over = is_over(&r)
        for i in range(r.unseen[0]):
            cards[i] = self.unseen[i]
        shuffle(&numbers, cards, r.unseen[0])
        fill(&r, cards)
        while not over:
            list_moves(&r, &moves)
            untried = self.find(node, &moves)
            best = self.untried_move(node, &moves, below(&numbers, untried)) if untried else self.best_move(&moves)
            for i in range(moves.count):
                if moves.nodes[i]:
                    self.nodes[moves.nodes[i]].available += 1
            node = moves.nodes[best]
            path[length], seats[length] = node, r.mover
            length += 1
            over = make_move(&r, moves.codes[best])
            if untried:
                break
        while not over:
            list_moves(&r, &moves)
            over = make_move(&r, moves.codes[below(&numbers, moves.count)])
        lead = r.points[0] - r.points[1]
        reward = 0.5 if lead == 0 else 1.0 if lead > 0 else 0.0
        for i in range(length):
            self.nodes[path[i]].visits += 1
            self.nodes[path[i]].reward += reward if seats[i] == 0 else 1 - reward

    cdef int find(self, int32_t node, Moves *moves) noexcept nogil:
        """Finds the moves among the replies to a node; returns how many are not there."""
        cdef int i, untried = moves.count
        cdef int32_t reply
        for i in range(moves.count):
            reply = self.nodes[node].first
            while reply and self.nodes[reply].code != moves.codes[i]:
                reply = self.nodes[reply].next
            moves.nodes[i] = reply
            untried -= reply != 0
        return untried

    cdef int untried_move(self, int32_t node, Moves *moves, int which) noexcept nogil:
        """Adds a node for the untried move of this number; returns the move."""
        cdef int i = 0
        while moves.nodes[i] or which:
            which -= moves.nodes[i] == 0
            i += 1
        moves.nodes[i] = self.used
        self.nodes[self.used].code = moves.codes[i]
        self.nodes[self.used].next = self.nodes[node].first
        self.nodes[node].first = self.used
        self.used += 1
        return i

    cdef int best_move(self, const Moves *moves) noexcept nogil:
        """The move with the highest UCB1, the first of equal ones."""
        cdef int i, best = 0
        cdef double bound, highest = -1
        cdef const Node *node
        for i in range(moves.count):
            node = &self.nodes[moves.nodes[i]]
            bound = (node.reward / node.visits) + (self.exploration * sqrt(log(node.available) / node.visits))
            if bound > highest:
                best, highest = i, bound
        return best
