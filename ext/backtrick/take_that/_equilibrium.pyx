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

Floating point: single precision while strategies are sought. For proofs strategies are rounded to whole numbers of parts, the
*shares*; then all sums are whole numbers below 2^53, which double precision holds exactly. `equilibria.py` chooses the parts.
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
    MOST_POINTS = 1000
    NODE_FIELDS = 3             # of the arrays that Python hands over: depth, first and last edge
    EDGE_FIELDS = 3             # child (a node, or -1 - row of values), place of the card, points until then

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
    int32_t child               # a node, or -1 - row of values
    int32_t place               # of the card that the turn uses, among the cards of the node
    int32_t points              # of seat 0 less those of seat 1 from the beginning on, if a leaf follows
    int64_t strategy            # where its regrets, sums and shares begin

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
    const int8_t *values        # rows by the hand of seat 0: its points less the other's once the pile is empty
    int64_t leaf_size
    float *regrets              # of each edge, rest order; 0: the hand does not have the turn
    float *sums                 # of each edge, rest order: the sum over iterations of weight times reach times chance
    const int32_t *shares       # of each edge, rest order; -1: the hand does not have the turn
    int fixed                   # at this depth the shares are played, also by the seat that answers; -1 for none
    float weight
    float keep
    const uint8_t *stop
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


cdef void gain_of_leaf(const Game *g, const Edge *edge, int seat, const real *reach, real *found) noexcept nogil:
    """The gain of a seat at a leaf. reach: of the other seat."""
    cdef const int8_t *values = g.values + ((-1 - <int64_t> edge.child) * g.leaf_size)
    cdef int64_t j, last = g.leaf_size - 1
    cdef int points = edge.points
    if seat == 0:
        for j in range(last + 1):
            found[j] = reach[j] * (values[last - j] + points)
    else:
        for j in range(last + 1):
            found[j] = -reach[j] * (values[j] + points)


cdef void gain_below(Game *g, const Edge *edge, int seat, const real *reach, real *found) noexcept nogil:
    """The gain of a seat at what an edge leads to, a node or a leaf."""
    if edge.child < 0:
        gain_of_leaf(g, edge, seat, reach, found)
    else:
        visit(g, edge.child, seat, reach, found)


cdef void add_totals(const Game *g, const Node *node, const float *given, real *total) noexcept nogil:
    """By hand of the player to move, in rest order: the sum over its turns of what is given, regrets or sums."""
    cdef int left = g.cards - node.depth, rest = left - g.held[node.depth & 1], e
    cdef int64_t j, count = choose[left][rest], length = choose[left - 1][rest]
    cdef const uint32_t *places
    for j in range(count):
        total[j] = 0
    for e in range(node.first, node.last):
        places = widen(g, rest, g.edges[e].place)
        for j in range(length):
            total[places[j]] += given[g.edges[e].strategy + j]


cdef void gain_by_other(
    Game *g, const Node *node, const Edge *edge, int seat, const real *reach, const real *total, real *found,
) noexcept nogil:
    """Adds the gain of a seat if the other seat, which is to move, makes this turn. reach: of the seat to move. found: the gain."""
    cdef int mover = 1 - seat, left = g.cards - node.depth, rest = left - g.held[mover]
    cdef int64_t j, last = choose[left][rest] - 1, length = choose[left - 1][rest], row, most
    cdef const uint32_t *places = widen(g, rest, edge.place)
    cdef Work *work = &g.work[node.depth]
    cdef real *laid = <real *> work.laid
    cdef real *gain = <real *> work.gain
    cdef float *sums
    cdef const float *regrets
    cdef const int32_t *shares
    cdef real chance
    if real is float:
        sums, regrets = g.sums + edge.strategy, g.regrets + edge.strategy
        for j in range(length):
            row = places[j]
            chance = (regrets[j] / total[row]) * reach[last - row]
            sums[j] += g.weight * chance
            laid[length - 1 - j] = chance
    else:
        shares = g.shares + edge.strategy
        for j in range(length):
            laid[length - 1 - j] = max(shares[j], 0) * reach[last - places[j]]
    add_up(g, laid, <real *> work.reach, left - 1, g.held[mover] - 1)
    gain_below(g, edge, seat, <const real *> work.reach, gain)
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
    gain_below(g, edge, seat, kept, gain)
    add_up(g, gain, found, left - 1, left - 1 - g.held[seat])


cdef void choose_best(Game *g, const Node *node, int seat, double *found) noexcept nogil:
    """The gain of the seat to move by the best turn of each hand, from those of its turns in `work.rows`; or by its shares."""
    cdef int left = g.cards - node.depth, rest = left - g.held[seat], e
    cdef int64_t j, count = choose[left][rest], length = choose[left - 1][rest]
    cdef const Work *work = &g.work[node.depth]
    cdef const uint32_t *places
    cdef const double *gain
    cdef const int32_t *shares
    cdef bint is_fixed = node.depth == g.fixed
    for j in range(count):
        found[j] = 0 if is_fixed else -1e300
    for e in range(node.first, node.last):
        places = widen(g, rest, g.edges[e].place)
        gain = <const double *> work.rows + (work.row * (e - node.first))
        shares = g.shares + g.edges[e].strategy
        for j in range(length):
            if is_fixed:
                found[places[j]] += max(shares[j], 0) * gain[j]
            elif shares[j] >= 0 and gain[j] > found[places[j]]:
                found[places[j]] = gain[j]


cdef void match_regrets(Game *g, const Node *node, int seat, float *total, float *found) noexcept nogil:
    """The gain of the seat to move by its strategy of now, from those of its turns in `work.rows`. Then its regrets change."""
    cdef int left = g.cards - node.depth, rest = left - g.held[seat], e
    cdef int64_t j, count = choose[left][rest], length = choose[left - 1][rest]
    cdef const Work *work = &g.work[node.depth]
    cdef const uint32_t *places
    cdef const float *gain
    cdef float *regrets
    cdef float regret, least = LEAST
    for j in range(count):
        found[j] = total[j] = 0
    for e in range(node.first, node.last):
        places = widen(g, rest, g.edges[e].place)
        gain = <const float *> work.rows + (work.row * (e - node.first))
        regrets = g.regrets + g.edges[e].strategy
        for j in range(length):
            total[places[j]] += regrets[j]
            found[places[j]] += regrets[j] * gain[j]
    for j in range(count):
        found[j] /= total[j]
    if node.depth == g.fixed:
        return
    for e in range(node.first, node.last):
        places = widen(g, rest, g.edges[e].place)
        gain = <const float *> work.rows + (work.row * (e - node.first))
        regrets = g.regrets + g.edges[e].strategy
        for j in range(length):
            regret = (g.keep * regrets[j]) + (gain[j] - found[places[j]])
            regret = regret if regret > least else least
            regrets[j] = regret if regrets[j] > 0 else 0


cdef void visit(Game *g, int which, int seat, const real *reach, real *found) noexcept nogil:
    """The gain of a seat at a node. reach: of the other seat. In single precision the seat's regrets, and the sums of the other's
    strategy, go one step further. Once it is stopped, nothing of it holds."""
    cdef const Node *node = &g.nodes[which]
    cdef Work *work = &g.work[node.depth]
    cdef real *total = <real *> work.total
    cdef int e
    if (node.depth & 1) == seat:
        for e in range(node.first, node.last):
            if stopped(g.stop):
                return
            gain_of_turn(g, node, &g.edges[e], seat, reach, <real *> work.rows + (work.row * (e - node.first)))
        if real is float:
            match_regrets(g, node, seat, total, found)
        else:
            choose_best(g, node, seat, found)
        return
    begin_other(g, node, seat, total, found)
    for e in range(node.first, node.last):
        if stopped(g.stop):
            return
        gain_by_other(g, node, &g.edges[e], seat, reach, total, found)


cdef void begin_other(Game *g, const Node *node, int seat, real *total, real *found) noexcept nogil:
    """Before the turns of the other seat are gone through."""
    cdef int64_t j
    if real is float:
        add_totals(g, node, g.regrets, total)
    for j in range(choose[g.cards - node.depth][g.held[seat]]):
        found[j] = 0


cdef bint stopped(const uint8_t *stop) noexcept nogil:
    return (<const volatile uint8_t *> stop)[0] != 0


cdef inline int64_t parts_of(double cumulated, double total, int parts) noexcept nogil:
    """A cumulated share of a total in whole parts. It rises with `cumulated`, and is all parts if the two are equal."""
    return <int64_t> (((cumulated / total) * parts) + 0.5)


cdef void round_node(const Game *g, const Node *node, const float *sums, int parts, int32_t *shares) noexcept nogil:
    """Writes the shares of a node, for each hand `parts` in all: its sums, or all its turns alike if it has none."""
    cdef int left = g.cards - node.depth, rest = left - g.held[node.depth & 1], e
    cdef int64_t j, length = choose[left - 1][rest], row
    cdef double *total = <double *> g.work[node.depth].total
    cdef double *cumulated = <double *> g.work[node.depth].cumulated
    cdef const uint32_t *places
    cdef double before
    cdef int64_t at
    add_totals(g, node, sums, total)
    for j in range(choose[left][rest]):
        cumulated[j] = 0
    for e in range(node.first, node.last):
        places, at = widen(g, rest, g.edges[e].place), g.edges[e].strategy
        for j in range(length):
            if total[places[j]] <= 0 and shares[at + j] >= 0:
                total[places[j]] -= 1  # less the number of its turns
    for e in range(node.first, node.last):
        places, at = widen(g, rest, g.edges[e].place), g.edges[e].strategy
        for j in range(length):
            if shares[at + j] < 0:
                continue
            row = places[j]
            before = cumulated[row]
            cumulated[row] = before + (sums[at + j] if total[row] > 0 else 1)
            shares[at + j] = parts_of(cumulated[row], abs(total[row]), parts) - parts_of(before, abs(total[row]), parts)


cdef class Tree:
    """A public state with both hands hidden, as turns and values, and room to go through it: for one thread at a time.

    nodes: depth, first and last edge of each, the root first and every child behind its parent. edges: child (a node, or -1 - row
    of values), place of the card, and points until then of each. values: a row by the hand of seat 0. stop: a buffer of one byte;
    when it becomes nonzero, the work ends early.

    Strategies are the caller's: `regrets` and `sums` while they are sought, and `shares`, whole numbers, in proofs. Each is one
    array, edge after edge, in rest order of the hands that have its card. Reaches are in own order, gains in rest order.
    """

    cdef Game g
    cdef int64_t edge_count, node_count, strategies
    cdef const int8_t[:, ::1] values
    cdef const uint8_t[::1] stop

    def __cinit__(self, int pile, int held, int other_held, const int32_t[:, ::1] nodes not None,
                  const int32_t[:, ::1] edges not None, const int8_t[:, ::1] values not None, const uint8_t[::1] stop not None):
        cdef Game *g = &self.g
        if not (1 <= held <= HAND_SIZE and 1 <= other_held <= HAND_SIZE and 0 <= pile <= MOST_DEPTH):
            raise ValueError(f"hands must have 1..{HAND_SIZE} cards and the pile 0..{MOST_DEPTH}, not {held}, {other_held}, {pile}")
        if held + other_held + pile > MOST_CARDS:
            raise ValueError(f"at most {MOST_CARDS} cards may be hidden")
        g.pile, g.cards, g.fixed = pile, held + other_held + pile, -1
        g.held[0], g.held[1] = held, other_held
        g.leaf_size = choose[held + other_held][held]
        if stop.shape[0] != 1:
            raise ValueError(f"stop must be one byte, not {stop.shape[0]}")
        self.values, self.stop = values, stop
        g.stop = &stop[0]
        self._read_tree(nodes, edges)
        g.values = &values[0, 0]
        self._make_room()

    cdef int _read_tree(self, const int32_t[:, ::1] nodes, const int32_t[:, ::1] edges) except -1:
        """Checks the tree and copies it."""
        cdef Game *g = &self.g
        cdef int64_t i, e, size = 0
        cdef int32_t depth, child
        if nodes.shape[1] != NODE_FIELDS or edges.shape[1] != EDGE_FIELDS:
            raise ValueError("nodes and edges have three numbers each")
        if nodes.shape[0] < 1 or edges.shape[0] < 1 or self.values.shape[0] < 1 or self.values.shape[1] != g.leaf_size:
            raise ValueError("the arrays do not match")
        if nodes[0, 0] != 0:
            raise ValueError("the first node must have depth 0")
        g.nodes = <Node *> calloc(nodes.shape[0], sizeof(Node))
        g.edges = <Edge *> calloc(edges.shape[0], sizeof(Edge))
        if g.nodes == NULL or g.edges == NULL:
            raise MemoryError("no room for the tree")
        self.node_count, self.edge_count = nodes.shape[0], edges.shape[0]
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
                if not -MOST_POINTS <= edges[e, 2] <= MOST_POINTS:
                    raise ValueError(f"edge {e} must have points of -{MOST_POINTS}..{MOST_POINTS}")
                if depth + 1 == g.pile:
                    if not 0 <= -1 - <int64_t> child < self.values.shape[0]:
                        raise ValueError(f"edge {e} must lead to a row of values")
                elif not i < child < nodes.shape[0] or nodes[child, 0] != depth + 1:
                    raise ValueError(f"edge {e} must lead to a node behind its own, one deeper")
                g.edges[e].child, g.edges[e].place, g.edges[e].points = child, edges[e, 1], edges[e, 2]
                g.edges[e].strategy = size
                size += self._length(depth)
        if nodes[0, 1] != 0 or nodes[nodes.shape[0] - 1, 2] != edges.shape[0]:
            raise ValueError("every edge must have a node")
        self.strategies = size
        return 0

    cdef int64_t _length(self, int depth) noexcept:
        """How many hands can make a turn: those with its card."""
        return choose[self.g.cards - depth - 1][self.g.held[depth & 1] - 1]

    cdef int _make_room(self) except -1:
        cdef Game *g = &self.g
        cdef int depth, held, left, high, low_held, seat
        cdef int64_t j, widest, total = 0, reach
        cdef int64_t edges[MOST_DEPTH]
        memset(edges, 0, sizeof(edges))
        for j in range(self.node_count):
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
            g.work[depth].total = self._room(widest)
            g.work[depth].cumulated = self._room(widest)
            g.work[depth].laid = self._room(g.work[depth].row)
            g.work[depth].reach = self._room(reach)
            g.work[depth].gain = self._room(reach)
            g.work[depth].rows = self._room(edges[depth] * g.work[depth].row)
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
        for i in range(MOST_CARDS + 1):
            free(g.widened[i])
        for i in range(MOST_DEPTH):
            free(g.work[i].total)
            free(g.work[i].cumulated)
            free(g.work[i].laid)
            free(g.work[i].reach)
            free(g.work[i].gain)
            free(g.work[i].rows)

    cdef int64_t _hands(self, int64_t node, int seat) except -1:
        """How many hands a seat can have at a node."""
        if seat != 0 and seat != 1:
            raise ValueError(f"a seat must be 0 or 1, not {seat}")
        if not 0 <= node < self.node_count:
            raise ValueError(f"a node must be 0..{self.node_count - 1}, not {node}")
        return choose[self.g.cards - self.g.nodes[node].depth][self.g.held[seat]]

    cdef int _fix(self, int fixed) except -1:
        if not -1 <= fixed < self.g.pile:
            raise ValueError(f"a fixed depth must be -1..{self.g.pile - 1}, not {fixed}")
        self.g.fixed = fixed
        return 0

    def iterate(self, float[::1] regrets not None, float[::1] sums not None, const float[::1] mover not None,
                const float[::1] other not None, float weight, float keep, int fixed=-1):
        """One step of both strategies, the other seat's first below each turn. mover, other: the reaches at the root. weight: of the
        strategies of this step in their means. keep: what regrets are multiplied with before they are added to. fixed: a depth
        at which regrets do not change. Returns False if it was stopped before the end."""
        cdef Game *g = &self.g
        cdef const Node *root = g.nodes
        cdef Work *work = &g.work[0]
        cdef float *total = <float *> work.total
        cdef float[::1] found
        cdef int e
        if not (0 <= weight <= 1e20 and 0 <= keep <= 1):
            raise ValueError(f"a weight must be 0..1e20, and keep 0..1, not {weight} and {keep}")
        if regrets.shape[0] != self.strategies or sums.shape[0] != self.strategies:
            raise ValueError(f"there must be {self.strategies} regrets and sums")
        if mover.shape[0] != self._hands(0, 0) or other.shape[0] != self._hands(0, 1):
            raise ValueError("there must be one reach for each hand")
        self._fix(fixed)
        g.weight, g.keep, g.regrets, g.sums = weight, keep, &regrets[0], &sums[0]
        found = np.empty(max(mover.shape[0], other.shape[0]), np.float32)
        with nogil:
            begin_other(g, root, 1, total, &found[0])
            for e in range(root.first, root.last):
                if stopped(g.stop):
                    break
                gain_by_other(g, root, &g.edges[e], 1, &mover[0], total, &found[0])
                gain_of_turn(g, root, &g.edges[e], 0, &other[0], <float *> work.rows + (work.row * (e - root.first)))
            if not stopped(g.stop):
                match_regrets(g, root, 0, total, &found[0])
        return not stopped(g.stop)

    def round(self, const float[::1] sums not None, const int32_t[::1] parts not None, int32_t[::1] shares not None):
        """Writes sums as shares: those of a hand at depth d add up to parts[d]. Shares below 0, which say that a hand does not have
        a turn, stay. Returns False if it was stopped before the end."""
        cdef Game *g = &self.g
        cdef int64_t i
        if sums.shape[0] != self.strategies or shares.shape[0] != self.strategies or parts.shape[0] != g.pile:
            raise ValueError("the arrays do not match")
        for i in range(g.pile):
            if not 1 <= parts[i] <= (1 << 30):
                raise ValueError(f"parts must be 1..2^30, not {parts[i]}")
        with nogil:
            for i in range(self.node_count):
                if stopped(g.stop):
                    break
                round_node(g, &g.nodes[i], &sums[0], parts[g.nodes[i].depth], &shares[0])
        return not stopped(g.stop)

    def respond(self, const int32_t[::1] shares not None, int64_t node, int seat, const double[::1] reach not None,
                double[::1] gains not None, double[:, ::1] turns=None, int fixed=-1):
        """Fills in what the best response of a seat gains from a node on against the shares of the other seat, in rest order; and,
        unless None, what each turn of the node gains, for the seat that is to move. reach: of the other seat at the node. All are
        whole numbers if it is. fixed: a depth at which the seat plays its shares. Returns False if it was stopped before the end."""
        cdef Game *g = &self.g
        cdef int64_t j, e, first
        cdef Work *work
        if gains.shape[0] != self._hands(node, seat) or reach.shape[0] != self._hands(node, 1 - seat):
            raise ValueError("there must be one gain and one reach for each hand")
        if shares.shape[0] != self.strategies:
            raise ValueError(f"there must be {self.strategies} shares")
        work, first = &g.work[g.nodes[node].depth], g.nodes[node].first
        if turns is not None:
            if seat != (g.nodes[node].depth & 1):
                raise ValueError("the seat must be to move")
            if turns.shape[0] != g.nodes[node].last - first or turns.shape[1] != work.row:
                raise ValueError("there must be one row for each turn, and one gain for each hand that can make it")
        self._fix(fixed)
        g.shares = &shares[0]
        with nogil:
            visit(g, <int> node, seat, &reach[0], &gains[0])
            if turns is not None:
                for e in range(turns.shape[0]):
                    for j in range(turns.shape[1]):
                        turns[e, j] = (<double *> work.rows)[(e * work.row) + j]
        return not stopped(g.stop)


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
