"""The tree of `solver/core/ismcts.py`, its readable twin, for rounds of Take That. The same iterations give the same tree."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from solver._arguments cimport check_room
from solver._random cimport Stream, below, shuffle, stream_of
from solver._tree cimport Actions, Node, Nodes, add, best_of, count_available, find, list_action, reward
from solver.take_that._layout cimport LONGEST_LINE
from solver.take_that._round cimport (
    TAKE, TWISTS, Cards, Round, check_points, draw, fill, lays_of, look, may_take, next_of, play, twists_of,
)

cdef enum:
    MOST_ITERATIONS = 1 << 30
    LONGEST_PATH = 256          # moves of a round: at most two for each card drawn, then one for each card held, and a taking

cdef void list_moves(const Round *r, Actions *moves) noexcept nogil:
    """In the order of `rules.legal_moves`."""
    cdef Cards lays = lays_of(r), twists = twists_of(r)
    cdef bint taking = may_take(r, &lays, &twists)
    cdef int card = next_of(&lays)
    moves.count = 0
    while card:
        list_action(moves, card)
        card = next_of(&lays)
    card = next_of(&twists)
    while card:
        list_action(moves, TWISTS | card)
        card = next_of(&twists)
    if taking:
        list_action(moves, TAKE)


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
    cdef Nodes nodes

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
        if not 0 < iterations < MOST_ITERATIONS:
            raise ValueError(f"iterations are 1..2^30-1, not {iterations}")
        check_room(iterations + 1, sizeof(Node))
        self.nodes.exploration = exploration
        self.nodes.room, self.nodes.used = <int32_t> iterations + 1, 1
        self.nodes.all = <Node *> calloc(iterations + 1, sizeof(Node))
        if self.nodes.all == NULL:
            raise MemoryError(f"no room for {iterations} nodes")

    def __dealloc__(self):
        free(self.nodes.all)

    def search(self, uint64_t key, uint64_t first, uint64_t last):
        """Iterations first..last-1 of a key, without the interpreter."""
        cdef uint64_t number
        if first > last or last - first > <uint64_t> (self.nodes.room - self.nodes.used):
            raise ValueError(f"iterations {first}..{last} of a tree with room for {self.nodes.room - self.nodes.used} more")
        with nogil:
            for number in range(first, last):
                self.iterate(key, number)

    def replies(self):
        """The code, visits, availability and reward of every move tried from the view, the latest one first."""
        found, place = [], self.nodes.all[0].first
        while place:
            node = &self.nodes.all[place]
            found.append((node.code, node.visits, node.available, node.reward))
            place = node.next
        return found

    cdef void iterate(self, uint64_t key, uint64_t number) noexcept nogil:
        cdef Round r = self.view
        cdef uint8_t[LONGEST_LINE] cards
        cdef int32_t[LONGEST_PATH] path
        cdef uint8_t[LONGEST_PATH] seats
        cdef Stream numbers = stream_of(key, number)
        cdef Actions moves
        cdef int i, best, untried, length = 0, lead
        cdef int32_t node = 0
        cdef double share
        cdef bint over = is_over(&r)
        for i in range(r.unseen[0]):
            cards[i] = self.unseen[i]
        shuffle(&numbers, cards, r.unseen[0])
        fill(&r, cards)
        while not over:
            list_moves(&r, &moves)
            untried = find(&self.nodes, node, &moves)
            best = add(&self.nodes, node, &moves, below(&numbers, untried)) if untried else best_of(&self.nodes, &moves)
            count_available(&self.nodes, &moves)
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
        share = 0.5 if lead == 0 else 1.0 if lead > 0 else 0.0
        for i in range(length):
            reward(&self.nodes, path[i], share if seats[i] == 0 else 1 - share)
