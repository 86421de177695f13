"""The search of the player `sampler`. Every number depends only on the view and the seed."""

from libc.math cimport fabs, sqrt
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from backtrick._bits cimport __builtin_popcountll
from backtrick._random cimport Stream, shuffle, stream_of
from backtrick.take_that._cards cimport is_toad, twisted_card
from backtrick.take_that._layout cimport HAND_SIZE, LONGEST_LINE, PACKED, State, read_rules
from backtrick.take_that._play cimport (
    POLICIES,
    TAKE,
    TUNED,
    TWISTS,
    Cards,
    Round,
    Tuned,
    best_tuned,
    both,
    check_points,
    choose,
    count_of,
    draw,
    fill,
    has,
    lays_of,
    look,
    may_take,
    near,
    next_of,
    pack,
    play,
    tune,
    twists_of,
)
from backtrick.take_that._solve cimport Bounds, Entry, Search, begin, solve

# Moves valued in worlds that a view leaves. The readable twin is `tests/support/sampler_twin.py`.
#
# A world is a round with all cards known: the hidden cards in random order. World number i is the same for all moves, so the luck
# of the cards affects all of them alike. In a world a move is followed by some turns of two policies, which see only their own
# views. If the draw pile is empty then, exact play gives the rest of the value; otherwise `expected` does.

cdef enum:
    MOST_WORLDS = 1 << 20       # of a call
    ENTRIES = 1 << 16           # of the endgame search: 1 MiB
    PROMISES = 9                # numbers of `players.Promises`


cdef class Sampler:
    """Values moves. It has one memory of the endgame search, for one thread at a time.

    weights:  the `policies.Weights` of the players that play on
    promises: the `players.Promises` of `expected`
    turns:    how many turns they play
    late:     with this many cards in the pile or fewer they play until it is empty
    nodes:    the most nodes for the exact value of an endgame
    other:    the policy of the other player, by its place in `policies.POLICIES`
    level, slope: a lead of level + slope times the square root of the pile's size is worth half a round
    """

    cdef Search search
    cdef Tuned tuned
    cdef int turns
    cdef int late
    cdef int other
    cdef double promises[PROMISES]
    cdef double spread[2]

    def __cinit__(self, int rules, const double[::1] weights not None, const double[::1] promises not None, int turns, int late,
                  uint64_t nodes, double level, double slope, int other):
        cdef int i
        tune(&self.tuned, weights)
        if promises.shape[0] != PROMISES:
            raise ValueError(f"there must be {PROMISES} promises, not {promises.shape[0]}")
        for i in range(PROMISES):
            if not -100 <= promises[i] <= 100:
                raise ValueError(f"promise {i} must be -100..100, not {promises[i]}")
        memcpy(self.promises, &promises[0], sizeof(self.promises))
        if not (0 <= turns <= LONGEST_LINE and 0 <= late <= LONGEST_LINE and 0.001 <= level <= 1000 and 0 <= slope <= 1000):
            raise ValueError(f"turns, late, level or slope is out of range: {turns}, {late}, {level}, {slope}")
        if not 0 <= other < POLICIES:
            raise ValueError(f"policies must be numbered 0..{POLICIES - 1}, not {other}")
        self.turns, self.late, self.other = turns, late, other
        self.spread[0], self.spread[1] = level, slope
        memset(&self.search, 0, sizeof(self.search))
        read_rules(rules, &self.search.rules)
        self.search.limits.node_limit = nodes
        self.search.limits.stop = NULL
        self.search.memory.capacity = ENTRIES
        self.search.memory.entries = <Entry *> calloc(ENTRIES, sizeof(Entry))
        if self.search.memory.entries == NULL:
            raise MemoryError("no room for the memory of an endgame search")

    def __dealloc__(self):
        free(self.search.memory.entries)

    def value_moves(self, const uint8_t[::1] hand not None, const uint8_t[::1] line not None, const uint8_t[::1] unseen not None,
                    int hand_size, int own_points, int other_points, const uint8_t[::1] codes not None,
                    double[::1] values not None, uint64_t seed, uint64_t first, uint64_t last):
        """Adds to `values`, one for each of the codes of moves, what the moves are worth in worlds first..last-1 of a seed: -1..1 in
        each. The moves are legal. The pile, what is unseen and not in the opponent's hand, is not empty; if it is one card, world i
        has the i-th unseen card in it, starting over after the last."""
        cdef Round r
        cdef Round world
        cdef uint8_t[LONGEST_LINE] cards
        cdef Stream stream
        cdef uint64_t number
        cdef int i, count = <int> unseen.shape[0], pile = <int> unseen.shape[0] - hand_size
        r.rules = self.search.rules
        check_points(own_points, other_points)
        r.points[0], r.points[1] = own_points, other_points
        look(&r, hand, line, unseen, hand_size)
        if r.left == 0:
            raise ValueError("the pile is empty")
        if values.shape[0] != codes.shape[0] or not (first <= last <= first + MOST_WORLDS):
            raise ValueError("the arrays do not match, or too many worlds")
        for i in range(codes.shape[0]):
            if not is_legal(&r, codes[i]):
                raise ValueError(f"{codes[i]} is not the code of a legal move")
        with nogil:
            for number in range(first, last):
                for i in range(count):
                    cards[i] = unseen[i]
                if pile == 1:
                    i = <int> (number % <uint64_t> count)
                    cards[i], cards[count - 1] = cards[count - 1], cards[i]
                else:
                    stream = stream_of(seed, number)
                    shuffle(&stream, cards, count)
                world = r
                fill(&world, cards)
                for i in range(codes.shape[0]):
                    values[i] += self.value_of(&world, codes[i])

    cdef double value_of(self, const Round *world, int code) noexcept nogil:
        """What a move of player 0 is worth in a world, -1..1."""
        cdef Round r = world[0]
        cdef int turn, turns
        cdef double more, scale
        finish_turn(&r, code, &self.tuned)
        turns = self.turns if r.left > self.late and r.left > self.turns else r.left
        for turn in range(turns):
            if r.left == 0:
                break                          # a minus card was the last one (T11)
            finish_turn(&r, choose(&r, self.other if r.mover == 1 else TUNED, &self.tuned), &self.tuned)
        if r.left == 0:
            more = self.settled(&r)
            scale = self.spread[0]
        else:
            more = expected(&r, self.promises)
            scale = self.spread[0] + (self.spread[1] * sqrt(r.left))
        more = (r.points[0] - r.points[1]) + (more if r.mover == 0 else -more)
        return more / (scale + fabs(more))

    cdef double settled(self, Round *r) noexcept nogil:
        """What exact play of the endgame gives its mover."""
        cdef uint8_t packed[PACKED]
        cdef State root
        cdef Bounds known
        if r.length == 0 and (not r.rules.opens or r.held[r.mover] == 0):
            return 0  # T9
        pack(r, packed)
        begin(&self.search, packed, &root)
        known = solve(&self.search, &root)
        return (known.low + known.high) / 2.0


cdef struct Hand:
    int moves                   # lays and twists
    int twists
    int pairs                   # cards and their twisted cards
    int toads


cdef Hand counted(const Round *r, int player) noexcept nogil:
    cdef const Cards *hand = &r.hands[player]
    cdef Cards left = hand[0]
    cdef Cards some = both(hand, &r.wanted)
    cdef Hand found
    cdef int card = next_of(&left)
    found.moves = found.twists = count_of(&some)
    if r.length:
        some = near(hand, r.line[r.length - 1])
        found.moves += count_of(&some)
    else:
        found.moves += r.held[player]
    found.pairs = found.toads = 0
    while card:
        if is_toad(card):
            found.toads += 1
        elif twisted_card(card) > card and has(hand, twisted_card(card)):
            found.pairs += 1
        card = next_of(&left)
    return found


cdef double expected(const Round *r, const double *p) noexcept nogil:
    """A rough estimate of the mover's points minus the opponent's from here on. The cards of both are known."""
    cdef Hand own = counted(r, r.mover), other = counted(r, 1 - r.mover)
    cdef double total = p[0] + (p[1] * (own.twists - other.twists))
    cdef double of_line = p[4]
    total += p[2] * (own.pairs - other.pairs)
    total += p[3] * (own.toads - other.toads)
    of_line += p[5] / (1 + own.moves)
    of_line += p[6] / (1 + other.moves)
    if own.moves == 0:
        of_line += p[7]
    if other.moves == 0:
        of_line += p[8]
    return total + (r.cost * of_line)


cdef bint is_legal(const Round *r, int code) noexcept nogil:
    cdef Cards lays = lays_of(r), twists = twists_of(r)
    if code == TAKE:
        return may_take(r, &lays, &twists)
    return has(&twists if code >= TWISTS else &lays, code & 127)


cdef inline void finish_turn(Round *r, int code, const Tuned *tuned) noexcept nogil:
    """Plays a move, after a taking what a tuned player opens with (T6), and the draw (T3). The pile has cards before."""
    play(r, code)
    if code == TAKE:
        play(r, best_tuned(r, tuned).code)
    if r.left:
        draw(r)
    r.mover = 1 - r.mover
