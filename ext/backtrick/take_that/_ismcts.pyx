"""The tree of `solver/backtrick/ismcts.py`, its readable twin, for rounds of Take That. The same iterations give the same tree."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free

from backtrick._random cimport Stream, shuffle, stream_of
from backtrick._tree cimport Actions, Nodes, Path, back_up, check_iterations, choose, list_action, plant, replies_after
from backtrick.take_that._layout cimport LONGEST_LINE
from backtrick.take_that._play cimport (
    TAKE,
    TWISTS,
    Cards,
    Round,
    check_points,
    fill,
    is_over,
    lays_of,
    look,
    make_move,
    may_take,
    next_of,
    twists_of,
)

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
        plant(&self.nodes, exploration, iterations)

    def __dealloc__(self):
        free(self.nodes.all)

    def search(self, uint64_t key, uint64_t first, uint64_t last):
        """Iterations first..last-1 of a key, without the interpreter."""
        cdef uint64_t number
        check_iterations(&self.nodes, first, last)
        with nogil:
            for number in range(first, last):
                self.iterate(key, number)

    def replies(self, const uint64_t[::1] path not None):
        """The code, visits, availability and reward of every move tried after those of a path, the latest one first."""
        return replies_after(&self.nodes, path)

    cdef void iterate(self, uint64_t key, uint64_t number) noexcept nogil:
        cdef Round r = self.view
        cdef uint8_t[LONGEST_LINE] cards
        cdef Path path              # at most two moves for each card drawn, then one for each card held, and a taking
        cdef Stream numbers = stream_of(key, number)
        cdef Actions moves
        cdef int i, lead
        cdef bint over = is_over(&r)
        path.node = path.length = 0
        for i in range(r.unseen[0]):
            cards[i] = self.unseen[i]
        shuffle(&numbers, cards, r.unseen[0])
        fill(&r, cards)
        while not over:
            list_moves(&r, &moves)
            over = make_move(&r, moves.codes[choose(&self.nodes, &path, &moves, r.mover, &numbers)])
        lead = r.points[0] - r.points[1]
        back_up(&self.nodes, &path, 0.5 if lead == 0 else 1.0 if lead > 0 else 0.0)
