"""Equilibria with both hands hidden (`equilibria.py`): regret matching on vectors over all hands, and exact best responses.

Seat 0 moves first. A *node* is a place where the player to move chooses by its own hand, one for each sequence of turns, because
turns are public. Each turn uses one card, so a node at depth d has d cards fewer than the start: its *cards*. An *edge* is a turn;
a *leaf* is what follows once the pile is empty and all cards are known.

Sets of cards are numbered in ascending order of their masks (bit i is the i-th card that is left). So the number of a set does not
depend on how many cards there are, and the number of the complement counts from the other end. A vector over the hands of a player
is in *own order*, by the number of the hand, or in *rest order*, by the number of the cards that are left without the hand. What a
player brings to a node, its *reach*, is in own order: the weight of the hand times the chances of the turns that it chose. What it
gets there, its *gain*, is in rest order: the sum over all that it does not see of the other player's reach times the points. So both
a draw after a turn (on reach) and the way back (on gain) are one operation, `add_up`.

Floating point: single precision while strategies are sought. For proofs strategies are rounded to whole numbers of parts; then all
sums are whole numbers below 2^53, which double precision holds exactly. `equilibria.py` chooses the number of parts.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

import numpy as np

from backtrick._arguments cimport check_room
from backtrick._bits cimport __builtin_ctzll, __builtin_popcountll
from backtrick.take_that._cards cimport is_card
from backtrick.take_that._layout cimport HAND_SIZE, HANDS, LONGEST_LINE, PACKED

cdef enum:
    LOW = 8                     # a mask is a low part of so many bits and a high part
    LOWS = 1 << LOW
    MOST_OF_LOW = 70            # C(8, 4)
    MOST_CARDS = 22
    MOST_DEPTH = 6
    NODE_FIELDS = 3             # of the arrays that Python hands over: depth, first and last edge
    EDGE_FIELDS = 2             # child (a node, or -1 - leaf), place of the card

cdef double LEAST = 1e-6        # regrets are no smaller, so every legal turn keeps a chance, however small; 0: not legal

cdef int64_t choose[MOST_CARDS + 1][MOST_CARDS + 1]
cdef uint8_t rank_of_low[LOWS]                                      # among the masks with as many bits
cdef uint8_t without_one[LOW + 1][MOST_OF_LOW][LOW]                 # by bits and rank: the ranks of the mask without one bit each


cdef void fill_tables() noexcept nogil:
    cdef int mask, one, bits, count, i, j
    cdef int ranks[LOW + 1]
    for i in range(MOST_CARDS + 1):
        choose[i][0] = 1
        for j in range(1, i + 1):
            choose[i][j] = choose[i - 1][j - 1] + choose[i - 1][j]
    memset(ranks, 0, sizeof(ranks))
    for mask in range(LOWS):
        bits = __builtin_popcountll(mask)
        rank_of_low[mask] = ranks[bits]
        count = 0
        for one in range(LOW):
            if (mask >> one) & 1:
                without_one[bits][ranks[bits]][count] = rank_of_low[mask ^ (1 << one)]
                count += 1
        ranks[bits] += 1


fill_tables()


cdef struct Node:
    int32_t depth
    int32_t first               # its edges
    int32_t last

cdef struct Edge:
    int32_t child               # a node, or -1 - leaf
    int32_t place               # of the card that the turn uses, among the cards of the node
    int64_t strategy            # where its regrets and sums begin

cdef struct Work:               # room for one depth
    void *total
    void *cumulated
    void *laid
    void *reach
    void *gain
    void *rows                  # the gains of each edge of a node
    int64_t row

cdef struct Game:
    int cards                   # at depth 0
    int pile
    int held[2]
    int64_t *offsets            # [held][high part]: how many sets of `held` cards come before those with this high part
    uint32_t *widened[MOST_CARDS + 1]   # by the size of a set, then by place: its number when a card not in it is put in there
    int64_t widths[MOST_CARDS + 1]
    Node *nodes
    Edge *edges
    const int8_t *values        # of each leaf, by the hand of seat 0: its points less the other's from the beginning on
    int64_t leaf_size
    float *regrets              # of each edge, rest order
    float *sums                 # of each edge, rest order: the sum over iterations of weight times reach times chance
    float weight
    float keep
    double parts                # a proof counts chances in so many parts
    Work work[MOST_DEPTH]

ctypedef fused real:            # float: while strategies are sought; double: in proofs
    float
    double


cdef inline int64_t number_of(const Game *g, uint64_t mask) noexcept nogil:
    """The number of a set."""
    cdef int held = __builtin_popcountll(mask)
    return g.offsets[(held << (MOST_CARDS - LOW)) + (mask >> LOW)] + rank_of_low[mask & (LOWS - 1)]


cdef inline uint64_t next_mask(uint64_t mask) noexcept nogil:
    """The next greater mask with as many bits; the mask must not be 0."""
    cdef uint64_t low = mask & -mask, more = mask + low
    return more | (((mask ^ more) >> 2) >> __builtin_ctzll(low))


cdef inline const uint32_t *widen(const Game *g, int held, int place) noexcept nogil:
    return g.widened[held] + (place * g.widths[held])


cdef void add_up(const Game *g, const real *given, real *found, int cards, int held) noexcept nogil:
    """found[S] = the sum of given[S without one of its cards], for all sets S of held + 1 of `cards` cards."""
    cdef int high, bits, low_held, i, j, lows = min(cards, LOW), highs = 1 << (cards - lows)
    cdef int64_t length
    cdef const real *block
    cdef real *out
    cdef real total
    cdef const uint8_t *ranks
    cdef const int64_t *before = g.offsets + (held << (MOST_CARDS - LOW))
    cdef const int64_t *after = g.offsets + ((held + 1) << (MOST_CARDS - LOW))
    for high in range(highs):
        low_held = held + 1 - __builtin_popcountll(high)
        if not 0 <= low_held <= lows:
            continue
        out = found + after[high]
        length = choose[lows][low_held]
        if low_held == 0:
            out[0] = 0
        else:
            block = given + before[high]
            for i in range(length):
                ranks = without_one[low_held][i]
                total = block[ranks[0]]
                for j in range(1, low_held):
                    total += block[ranks[j]]
                out[i] = total
        bits = high
        while bits:
            block = given + before[high ^ (bits & -bits)]
            bits &= bits - 1
            for i in range(length):
                out[i] += block[i]


cdef void gain_of_leaf(const Game *g, int64_t leaf, int seat, const real *reach, real *found) noexcept nogil:
    """The gain of a seat at a leaf. reach: of the other seat."""
    cdef const int8_t *values = g.values + (leaf * g.leaf_size)
    cdef int64_t j, last = g.leaf_size - 1
    if seat == 0:
        for j in range(last + 1):
            found[j] = reach[j] * values[last - j]
    else:
        for j in range(last + 1):
            found[j] = -reach[j] * values[j]


cdef void gain_below(Game *g, const Edge *edge, int depth, int seat, const real *reach, real *found) noexcept nogil:
    """The gain of a seat at what an edge leads to, a node at `depth` or a leaf."""
    if edge.child < 0:
        gain_of_leaf(g, -1 - edge.child, seat, reach, found)
    else:
        visit(g, edge.child, seat, reach, found)


cdef void add_totals(const Game *g, const Node *node, real *total) noexcept nogil:
    """By hand of the player to move, in rest order: the sum over its turns of the regrets (float), or of `sums` (double). In the
    latter case minus the number of its turns, if all of its sums are 0."""
    cdef int left = g.cards - node.depth, rest = left - g.held[node.depth & 1], e
    cdef int64_t j, count = choose[left][rest], length = choose[left - 1][rest]
    cdef const uint32_t *places
    cdef const float *given
    for j in range(count):
        total[j] = 0
    for e in range(node.first, node.last):
        places = widen(g, rest, g.edges[e].place)
        given = (g.regrets if real is float else g.sums) + g.edges[e].strategy
        for j in range(length):
            total[places[j]] += given[j]
    if real is double:
        for e in range(node.first, node.last):
            places = widen(g, rest, g.edges[e].place)
            given = g.regrets + g.edges[e].strategy
            for j in range(length):
                if total[places[j]] <= 0 and given[j] > 0:
                    total[places[j]] -= 1


cdef inline double parts_of(const Game *g, double cumulated, double total) noexcept nogil:
    """A cumulated share of a total in whole parts. It rises with `cumulated`, and is all parts if the two are equal."""
    return <double> <int64_t> (((cumulated / total) * g.parts) + 0.5)


cdef void gain_by_other(
    Game *g, const Node *node, const Edge *edge, int seat, const real *reach, const real *total, real *cumulated, real *found,
) noexcept nogil:
    """Adds the gain of a seat if the other seat, which is to move, makes this turn. reach: of the seat to move. found: the gain, or
    NULL: then only the sums of the other's strategy are added up."""
    cdef int mover = 1 - seat, left = g.cards - node.depth, rest = left - g.held[mover]
    cdef int64_t j, last = choose[left][rest] - 1, length = choose[left - 1][rest], row, most
    cdef const uint32_t *places = widen(g, rest, edge.place)
    cdef Work *work = &g.work[node.depth]
    cdef real *laid = <real *> work.laid
    cdef real *gain = <real *> work.gain
    cdef float *sums = g.sums + edge.strategy
    cdef const float *regrets = g.regrets + edge.strategy
    cdef real chance
    cdef double before, share
    for j in range(length):
        row = places[j]
        if real is float:
            chance = (regrets[j] / total[row]) * reach[last - row]
            sums[j] += g.weight * chance
            laid[length - 1 - j] = chance
        else:
            share = sums[j]
            if total[row] < 0:
                share = 1 if regrets[j] > 0 else 0
            if share > 0:
                before = cumulated[row]
                cumulated[row] = before + share
                share = parts_of(g, cumulated[row], abs(total[row])) - parts_of(g, before, abs(total[row]))
            laid[length - 1 - j] = share * reach[last - row]
    add_up(g, laid, <real *> work.reach, left - 1, g.held[mover] - 1)
    gain_below(g, edge, node.depth + 1, seat, <const real *> work.reach, gain)
    places = widen(g, g.held[seat], edge.place)
    length = choose[left - 1][g.held[seat]]
    most = choose[left][g.held[seat]] - 1
    for j in range(length):
        found[most - places[j]] += gain[length - 1 - j]


cdef void gain_of_turn(Game *g, const Node *node, const Edge *edge, int seat, const real *reach, real *found) noexcept nogil:
    """The gain of a seat, which is to move, by this turn. reach: of the other seat."""
    cdef int left = g.cards - node.depth
    cdef int64_t j, length = choose[left - 1][g.held[1 - seat]]
    cdef const uint32_t *places = widen(g, g.held[1 - seat], edge.place)
    cdef Work *work = &g.work[node.depth]
    cdef real *kept = <real *> work.reach
    cdef real *gain = <real *> work.gain
    for j in range(length):
        kept[j] = reach[places[j]]
    gain_below(g, edge, node.depth + 1, seat, kept, gain)
    add_up(g, gain, found, left - 1, left - 1 - g.held[seat])


cdef void choose_turns(Game *g, const Node *node, int seat, real *total, real *found) noexcept nogil:
    """The gain of the seat to move, from those of its turns in `work.rows`: by its strategy of now, whose regrets are then changed
    (float), or by the best turn for each hand (double)."""
    cdef int left = g.cards - node.depth, rest = left - g.held[seat], e
    cdef int64_t j, count = choose[left][rest], length = choose[left - 1][rest]
    cdef const Work *work = &g.work[node.depth]
    cdef const uint32_t *places
    cdef const real *gain
    cdef float *regrets
    cdef float regret, least = LEAST
    for j in range(count):
        found[j] = 0 if real is float else -1e300
    if real is float:
        for j in range(count):
            total[j] = 0
    for e in range(node.first, node.last):
        places = widen(g, rest, g.edges[e].place)
        gain = <const real *> work.rows + (work.row * (e - node.first))
        regrets = g.regrets + g.edges[e].strategy
        for j in range(length):
            if real is float:
                total[places[j]] += regrets[j]
                found[places[j]] += regrets[j] * gain[j]
            elif regrets[j] > 0 and gain[j] > found[places[j]]:
                found[places[j]] = gain[j]
    if real is float:
        for j in range(count):
            found[j] /= total[j]
        for e in range(node.first, node.last):
            places = widen(g, rest, g.edges[e].place)
            gain = <const real *> work.rows + (work.row * (e - node.first))
            regrets = g.regrets + g.edges[e].strategy
            for j in range(length):
                regret = (g.keep * regrets[j]) + (gain[j] - found[places[j]])
                regret = regret if regret > least else least
                regrets[j] = regret if regrets[j] > 0 else 0


cdef void visit(Game *g, int which, int seat, const real *reach, real *found) noexcept nogil:
    """The gain of a seat at a node. reach: of the other seat. In single precision the seat's regrets, and the sums of the other's
    strategy, go one step further."""
    cdef const Node *node = &g.nodes[which]
    cdef Work *work = &g.work[node.depth]
    cdef real *total = <real *> work.total
    cdef real *cumulated = <real *> work.cumulated
    cdef int left = g.cards - node.depth, e
    cdef int64_t j
    if (node.depth & 1) == seat:
        for e in range(node.first, node.last):
            gain_of_turn(g, node, &g.edges[e], seat, reach, <real *> work.rows + (work.row * (e - node.first)))
        choose_turns(g, node, seat, total, found)
        return
    begin_other(g, node, seat, total, cumulated, found)
    for e in range(node.first, node.last):
        gain_by_other(g, node, &g.edges[e], seat, reach, total, cumulated, found)


cdef void begin_other(Game *g, const Node *node, int seat, real *total, real *cumulated, real *found) noexcept nogil:
    """Before the turns of the other seat are gone through."""
    cdef int left = g.cards - node.depth
    cdef int64_t j
    add_totals(g, node, total)
    for j in range(choose[left][g.held[seat]]):
        found[j] = 0
    if real is double:
        for j in range(choose[left][g.held[1 - seat]]):
            cumulated[j] = 0


cdef bint stopped(const uint8_t *stop) noexcept nogil:
    return stop != NULL and (<const volatile uint8_t *> stop)[0] != 0


cdef class Tree:
    """A public state with both hands hidden, and two strategies for it.

    nodes: depth, first and last edge of each, the root first and every child behind its parent. edges: child (a node, or -1 - leaf)
    and place of the card of each. values: of each leaf a row, by the hand of seat 0. weights: how often each hand is held, in own
    order: whole numbers. `stop` is a buffer of one byte; when it becomes nonzero, the work ends early.
    """

    cdef Game g
    cdef int64_t edge_count, strategies
    cdef const int8_t[:, ::1] values
    cdef const double[::1] weights_0
    cdef const double[::1] weights_1
    cdef const uint8_t[::1] stop
    cdef float *reaches[2]
    cdef void *found

    def __cinit__(self, int pile, int held, int other_held, const int32_t[:, ::1] nodes not None,
                  const int32_t[:, ::1] edges not None, const int8_t[:, ::1] values not None,
                  const double[::1] weights not None, const double[::1] other_weights not None, const uint8_t[::1] stop not None):
        cdef Game *g = &self.g
        cdef int64_t j
        if not (1 <= held <= HAND_SIZE and 1 <= other_held <= HAND_SIZE and 0 <= pile <= MOST_DEPTH):
            raise ValueError(f"hands must have 1..{HAND_SIZE} cards and the pile 0..{MOST_DEPTH}, not {held}, {other_held}, {pile}")
        if held + other_held + pile > MOST_CARDS:
            raise ValueError(f"at most {MOST_CARDS} cards may be hidden")
        g.pile, g.cards = pile, held + other_held + pile
        g.held[0], g.held[1] = held, other_held
        g.leaf_size = choose[held + other_held][held]
        if stop.shape[0] != 1:
            raise ValueError(f"stop must be one byte, not {stop.shape[0]}")
        if weights.shape[0] != choose[g.cards][held] or other_weights.shape[0] != choose[g.cards][other_held]:
            raise ValueError("there must be one weight for each hand")
        self.weights_0, self.weights_1, self.values, self.stop = weights, other_weights, values, stop
        for j in range(weights.shape[0]):
            if not 0 <= weights[j] <= 65536:
                raise ValueError("weights must be 0..65536")
        for j in range(other_weights.shape[0]):
            if not 0 <= other_weights[j] <= 65536:
                raise ValueError("weights must be 0..65536")
        self._read_tree(nodes, edges)
        g.values = &values[0, 0]
        self._make_room(nodes.shape[0])

    cdef int _read_tree(self, const int32_t[:, ::1] nodes, const int32_t[:, ::1] edges) except -1:
        """Checks the tree and copies it."""
        cdef Game *g = &self.g
        cdef int64_t i, e, size = 0
        cdef int32_t depth, child
        if nodes.shape[1] != NODE_FIELDS or edges.shape[1] != EDGE_FIELDS:
            raise ValueError("nodes have three numbers each, and edges two")
        if nodes.shape[0] < 1 or edges.shape[0] < 1 or self.values.shape[0] < 1 or self.values.shape[1] != g.leaf_size:
            raise ValueError("the arrays do not match")
        if nodes[0, 0] != 0:
            raise ValueError("the first node must have depth 0")
        g.nodes = <Node *> calloc(nodes.shape[0], sizeof(Node))
        g.edges = <Edge *> calloc(edges.shape[0], sizeof(Edge))
        if g.nodes == NULL or g.edges == NULL:
            raise MemoryError("no room for the tree")
        self.edge_count = edges.shape[0]
        for i in range(nodes.shape[0]):
            depth = nodes[i, 0]
            if not (0 <= depth < g.pile and 0 <= nodes[i, 1] < nodes[i, 2] <= edges.shape[0]):
                raise ValueError(f"node {i} must have a depth below {g.pile}, and edges")
            if i and nodes[i, 1] != nodes[i - 1, 2]:
                raise ValueError("edges must stand in the order of the nodes")
            g.nodes[i].depth, g.nodes[i].first, g.nodes[i].last = depth, nodes[i, 1], nodes[i, 2]
            for e in range(nodes[i, 1], nodes[i, 2]):
                child = edges[e, 0]
                if not 0 <= edges[e, 1] < g.cards - depth:
                    raise ValueError(f"edge {e} must have the place of a card")
                if depth + 1 == g.pile:
                    if not 0 <= -1 - <int64_t> child < self.values.shape[0]:
                        raise ValueError(f"edge {e} must lead to a leaf")
                elif not i < child < nodes.shape[0] or nodes[child, 0] != depth + 1:
                    raise ValueError(f"edge {e} must lead to a node behind its own, one deeper")
                g.edges[e].child, g.edges[e].place = child, edges[e, 1]
                g.edges[e].strategy = size
                size += self._length(depth)
        if nodes[0, 1] != 0 or nodes[nodes.shape[0] - 1, 2] != edges.shape[0]:
            raise ValueError("every edge must have a node")
        self.strategies = size
        return 0

    cdef int64_t _length(self, int depth) noexcept:
        """How many hands can make a turn: those with its card."""
        return choose[self.g.cards - depth - 1][self.g.held[depth & 1] - 1]

    cdef int _make_room(self, Py_ssize_t node_count) except -1:
        cdef Game *g = &self.g
        cdef int depth, held, left, high, low_held, seat
        cdef int64_t j, widest, total = 0, most = 0, reach
        cdef int64_t edges[MOST_DEPTH]
        cdef uint64_t mask
        memset(edges, 0, sizeof(edges))
        for j in range(node_count):
            depth = g.nodes[j].depth
            edges[depth] = max(edges[depth], g.nodes[j].last - g.nodes[j].first)
        g.offsets = <int64_t *> calloc((MOST_CARDS + 2) << (MOST_CARDS - LOW), sizeof(int64_t))
        if g.offsets == NULL:
            raise MemoryError("no room for the numbers of sets")
        for held in range(MOST_CARDS + 1):
            total = 0
            for high in range(1 << (MOST_CARDS - LOW)):
                g.offsets[(held << (MOST_CARDS - LOW)) + high] = total
                low_held = held - __builtin_popcountll(high)
                if 0 <= low_held <= LOW:
                    total += choose[LOW][low_held]
        for depth in range(g.pile):
            left = g.cards - depth
            for seat in range(2):
                held = g.held[seat] if (depth & 1) != seat else left - g.held[seat]
                self._widen(held, left)
            g.work[depth].row = self._length(depth)
            widest = max(choose[left][g.held[0]], choose[left][g.held[1]])
            reach = max(choose[left - 1][g.held[0]], choose[left - 1][g.held[1]])
            most = max(most, widest)
            g.work[depth].total = self._room(widest)
            g.work[depth].cumulated = self._room(widest)
            g.work[depth].laid = self._room(g.work[depth].row)
            g.work[depth].reach = self._room(reach)
            g.work[depth].gain = self._room(reach)
            g.work[depth].rows = self._room(edges[depth] * g.work[depth].row)
        self.found = self._room(most)
        check_room(self.strategies, sizeof(float))
        g.regrets = <float *> calloc(self.strategies, sizeof(float))
        g.sums = <float *> calloc(self.strategies, sizeof(float))
        for seat in range(2):
            self.reaches[seat] = <float *> calloc(choose[g.cards][g.held[seat]], sizeof(float))
        if g.regrets == NULL or g.sums == NULL or self.reaches[0] == NULL or self.reaches[1] == NULL:
            raise MemoryError("no room for the strategies")
        for j in range(self.strategies):
            g.regrets[j] = LEAST
        for j in range(self.weights_0.shape[0]):
            self.reaches[0][j] = self.weights_0[j]
        for j in range(self.weights_1.shape[0]):
            self.reaches[1][j] = self.weights_1[j]
        return 0

    cdef int _widen(self, int held, int left) except -1:
        """Fills in the numbers of sets of `held` of left - 1 cards when one more card is put in at each place. The first call for
        a size is the one with the most cards."""
        cdef Game *g = &self.g
        cdef int64_t length = choose[left - 1][held], j
        cdef int place
        cdef uint64_t mask
        cdef uint32_t *found
        if g.widened[held] != NULL:
            return 0
        g.widths[held] = length
        found = <uint32_t *> calloc(length * left, sizeof(uint32_t))
        if found == NULL:
            raise MemoryError("no room for the numbers of sets")
        g.widened[held] = found
        for place in range(left):
            mask = (<uint64_t> 1 << held) - 1
            for j in range(length):
                found[(place * length) + j] = number_of(g, (mask & ((<uint64_t> 1 << place) - 1)) | ((mask >> place) << (place + 1)))
                if mask:
                    mask = next_mask(mask)
        return 0

    cdef void *_room(self, int64_t count) except NULL:
        cdef void *found
        check_room(count + 1, sizeof(double))
        found = calloc(count + 1, sizeof(double))
        if found == NULL:
            raise MemoryError("no room for the work")
        return found

    def __dealloc__(self):
        cdef Game *g = &self.g
        cdef int i
        free(g.nodes)
        free(g.edges)
        free(g.offsets)
        free(g.regrets)
        free(g.sums)
        free(self.reaches[0])
        free(self.reaches[1])
        free(self.found)
        for i in range(MOST_CARDS + 1):
            free(g.widened[i])
        for i in range(MOST_DEPTH):
            free(g.work[i].total)
            free(g.work[i].cumulated)
            free(g.work[i].laid)
            free(g.work[i].reach)
            free(g.work[i].gain)
            free(g.work[i].rows)

    def iterate(self, float weight, float keep):
        """One step of both strategies, the other seat's first below each turn. weight: of the strategies of this step in their
        means. keep: what regrets are multiplied with before they are added to. Returns False if it was stopped before the end."""
        cdef Game *g = &self.g
        cdef const Node *root = g.nodes
        cdef Work *work = &g.work[0]
        cdef const uint8_t *stop = &self.stop[0]
        cdef float *total = <float *> work.total
        cdef float *found = <float *> self.found
        cdef int e
        if not (0 <= weight <= 1e20 and 0 <= keep <= 1):
            raise ValueError(f"a weight must be 0..1e20, and keep 0..1, not {weight} and {keep}")
        g.weight, g.keep = weight, keep
        with nogil:
            begin_other(g, root, 1, total, <float *> work.cumulated, found)
            for e in range(root.first, root.last):
                if stopped(stop):
                    with gil:
                        return False
                gain_by_other(g, root, &g.edges[e], 1, self.reaches[0], total, <float *> work.cumulated, found)
                gain_of_turn(g, root, &g.edges[e], 0, self.reaches[1], <float *> work.rows + (work.row * (e - root.first)))
            choose_turns(g, root, 0, total, found)
        return True

    def respond(self, int seat, double parts, double[::1] gains not None, double[:, ::1] turns=None):
        """Fills in what the best response of a seat gains against the mean strategy of the other one, in rest order, times `parts`
        for each decision of the other; and, of seat 0, what each turn at the root gains. All are whole numbers if `parts` is."""
        cdef Game *g = &self.g
        cdef int64_t j, e
        cdef Work *work = &g.work[0]
        cdef double[::1] reach
        if seat != 0 and seat != 1:
            raise ValueError(f"a seat must be 0 or 1, not {seat}")
        if not 1 <= parts <= (1 << 30):
            raise ValueError(f"parts must be 1..2^30, not {parts}")
        if gains.shape[0] != choose[g.cards][g.held[seat]]:
            raise ValueError("there must be one gain for each hand")
        if turns is not None and (turns.shape[0] != g.nodes[0].last or turns.shape[1] != work.row):
            raise ValueError("there must be one row for each turn, and one gain for each hand that can make it")
        g.parts = parts
        reach = np.array(self.weights_1 if seat == 0 else self.weights_0)
        with nogil:
            visit(g, 0, seat, <const double *> &reach[0], &gains[0])
            if turns is not None:
                for e in range(turns.shape[0]):
                    for j in range(turns.shape[1]):
                        turns[e, j] = (<double *> work.rows)[(e * work.row) + j]

    def strategy(self, int64_t edge):
        """A copy of the sums of an edge, in rest order of the cards that are left after it."""
        return np.array(<float[:self._length_of(edge)]> (self.g.sums + self.g.edges[edge].strategy))

    def one_sum(self, int64_t edge, int64_t place):
        """One of the sums of an edge."""
        if not 0 <= place < self._length_of(edge):
            raise ValueError(f"no hand has the place {place}")
        return self.g.sums[self.g.edges[edge].strategy + place]

    def put(self, int64_t edge, const float[::1] sums not None):
        """Puts sums in place of those of an edge. They must be finite numbers of 0 or more."""
        cdef int64_t j, length = self._length_of(edge)
        if sums.shape[0] != length:
            raise ValueError(f"there must be {length} sums")
        for j in range(length):
            if not 0 <= sums[j] <= 1e30:
                raise ValueError("sums must be 0..1e30")
        for j in range(length):
            self.g.sums[self.g.edges[edge].strategy + j] = sums[j]

    def forbid(self, int64_t edge, const uint8_t[::1] forbidden not None):
        """Takes a turn from the hands for which the byte is not 0 (T10)."""
        cdef int64_t j, length = self._length_of(edge)
        if forbidden.shape[0] != length:
            raise ValueError(f"there must be {length} bytes")
        for j in range(length):
            if forbidden[j]:
                self.g.regrets[self.g.edges[edge].strategy + j] = 0

    cdef int64_t _length_of(self, int64_t edge) except -1:
        cdef int depth = 0
        cdef int64_t i = 0
        if not 0 <= edge < self.edge_count:
            raise ValueError(f"an edge must be 0..{self.edge_count - 1}, not {edge}")
        while edge >= self.g.nodes[i].last:
            i += 1
        return self._length(self.g.nodes[i].depth)


def fill_endgames(const uint8_t[::1] cards not None, const uint8_t[::1] laid not None, int held, bint swapped,
                  uint8_t[:, ::1] packed not None):
    """Fills in an endgame for each way to give `held` of the cards to seat 0 and the rest to seat 1, in own order of seat 0.
    cards: ascending. laid: the line. swapped: seat 1 is to move."""
    cdef int count = cards.shape[0], length = laid.shape[0], i
    cdef int64_t j
    cdef uint64_t mask
    cdef int places[2]
    cdef int who
    cdef uint8_t known[256]
    if not (1 <= held <= HAND_SIZE and held < count <= held + HAND_SIZE):
        raise ValueError(f"hands must have 1..{HAND_SIZE} cards")
    if length > LONGEST_LINE or packed.shape[0] != choose[count][held] or packed.shape[1] != PACKED:
        raise ValueError("the arrays do not match")
    memset(known, 0, 256)
    for i in range(count + length):
        who = cards[i] if i < count else laid[i - count]
        if not is_card(who) or known[who] or (0 < i < count and who < cards[i - 1]):
            raise ValueError("these are not different cards, those of the hands ascending")
        known[who] = 1
    mask = (<uint64_t> 1 << held) - 1
    with nogil:
        memset(&packed[0, 0], 0, packed.shape[0] * PACKED)
        for j in range(packed.shape[0]):
            places[0], places[1] = 0, HAND_SIZE
            if swapped:
                places[0], places[1] = HAND_SIZE, 0
            for i in range(count):
                who = 0 if (mask >> i) & 1 else 1
                packed[j, places[who]] = cards[i]
                places[who] += 1
            for i in range(length):
                packed[j, HANDS + i] = laid[i]
            mask = next_mask(mask)
