"""The tree of `solver/backtrick/face_to_face/ismcts.py`, its readable twin. The same iterations give the same tree. An action is a
whole turn: the packed turn of an outcome, its plays in one order."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free

import numpy as np

from backtrick._random cimport Stream, below, shuffle, stream_of
from backtrick._tree cimport (
    Node,
    Nodes,
    Path,
    add_reply,
    back_up,
    check_iterations,
    follow,
    plant,
    replies_after,
    reply_of,
    upper_bound,
)
from backtrick.face_to_face._deal_turns cimport MOST_TURNS, lowest, size_of
from backtrick.face_to_face._layout cimport HIGHEST
from backtrick.face_to_face._play cimport (
    FEATURES,
    TUNED,
    Deck,
    Seat,
    Sight,
    Turns,
    check_prices,
    check_rules,
    check_weights,
    draw,
    in_order,
    list_outcomes,
    make_outcome,
    network_value,
    play_on,
    play_turn,
    plays_of,
    read_view,
    turn_of,
    write_features,
)

cdef enum:
    CARDS = HIGHEST - 2
    NARROW = 12                 # a node has sqrt(visits / 12) turns to choose from, and one
    TRIES = 8                   # turns drawn at random, of which the best by the network is tried


cdef inline uint64_t cards_of(uint64_t turn) noexcept nogil:
    cdef uint64_t cards = 0
    while turn:
        cards |= <uint64_t> 1 << (turn & 63)
        turn >>= 8
    return cards


cdef inline void list_cards(uint64_t cards, uint8_t *found) noexcept nogil:
    while cards:
        found[0] = lowest(cards)
        found += 1
        cards &= cards - 1


cdef class Tree:
    """The tree of a view (`View.packed`), with room for a number of iterations."""

    cdef Deck deck
    cdef Sight sight
    cdef const int32_t[:, ::1] prices
    cdef const int16_t[:, ::1] weights
    cdef Turns found
    cdef uint32_t[::1] turns
    cdef Nodes nodes

    def __cinit__(self, tuple view not None, const int32_t[:, ::1] prices not None, const int16_t[:, ::1] weights not None,
                  int highest, int step, bint lone_card, double exploration, uint32_t iterations):
        self.deck = check_rules(highest, step, lone_card)
        self.sight = read_view(view, &self.deck)
        check_prices(prices)
        if prices.shape[0] != 1:
            raise ValueError(f"one row of prices, not {prices.shape[0]}")
        check_weights(weights)
        self.prices, self.weights = prices.copy(), weights.copy()
        self.turns = np.empty(MOST_TURNS, np.uint32)
        self.found.turns = &self.turns[0]
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
        """The packed turn, visits, availability and reward of every turn tried after those of a path, the latest one first."""
        return replies_after(&self.nodes, path)

    cdef void iterate(self, uint64_t key, uint64_t number) noexcept nogil:
        cdef Stream numbers = stream_of(key, number)
        cdef uint8_t[CARDS] own_cards
        cdef uint8_t[CARDS] other_cards
        cdef uint8_t[2] policies
        cdef Seat[2] seats
        cdef Path path              # two cards a turn at least: at most 58 turns
        cdef uint64_t turn
        cdef int mover = 0, winner
        cdef int32_t node = 0
        cdef bint new = False
        policies[0] = policies[1] = TUNED
        seats[0], seats[1] = self.sight.own, self.sight.other
        list_cards(seats[0].unlaid & ~seats[0].hand, own_cards)
        list_cards(seats[1].unlaid, other_cards)
        shuffle(&numbers, own_cards, seats[0].to_come)
        seats[1].to_come += self.sight.other_held
        shuffle(&numbers, other_cards, seats[1].to_come)
        seats[0].pile, seats[1].pile = own_cards, other_cards
        draw(&seats[1], self.sight.other_held)
        path.length = 0
        while True:
            turn = self.choose(&node, &new, &seats[mover], &seats[1 - mover], &numbers)
            if not turn:
                winner = 1 - mover                  # F13
                break
            follow(&path, node, mover)
            play_turn(&seats[mover], &seats[1 - mover], turn)
            if not seats[mover].unlaid:
                winner = mover                      # F12
                break
            mover = 1 - mover
            if new:
                winner = play_on(seats, mover, policies, &self.deck, &self.prices[0, 0])
                break
        back_up(&self.nodes, &path, winner == 0)

    cdef uint64_t choose(self, int32_t *node, bint *new, const Seat *own, const Seat *other, Stream *numbers) noexcept nogil:
        """The turn that the mover chooses in reply to a node, whose node takes its place; 0 if there is none."""
        cdef int32_t reply = self.nodes.all[node[0]].first, best = 0
        cdef double bound, greatest = -1
        cdef uint64_t turn = 0
        cdef int64_t tried = 0, visits = 0
        cdef Node *one
        while reply:
            one = &self.nodes.all[reply]
            if not cards_of(one.code) & ~own.hand:  # it is legal in this world
                tried += 1
                visits += one.visits
                one.available += 1
                bound = upper_bound(&self.nodes, reply)
                if bound > greatest:
                    best, greatest = reply, bound
            reply = one.next
        if NARROW * tried * tried <= visits:
            turn = self.untried(node[0], own, other, numbers)
        if turn:
            new[0] = True
            best = add_reply(&self.nodes, node[0], turn)
            self.nodes.all[best].available = 1
        elif not best:
            return 0
        node[0] = best
        return self.nodes.all[best].code

    cdef uint64_t untried(self, int32_t node, const Seat *own, const Seat *other, Stream *numbers) noexcept nogil:
        """A turn that was not tried in reply to a node: that of `tuned`, or else the best by the network of some drawn at random. 0 if
        none was found."""
        cdef uint64_t turn = turn_of(TUNED, own, other, &self.deck, &self.prices[0, 0]), best
        cdef Seat next_own, next_other
        cdef uint8_t[FEATURES] features
        cdef int32_t value, most = 0
        cdef int i, place, drawn
        if not turn:
            return 0
        turn = in_order(turn, own, other, &self.deck)
        if not reply_of(&self.nodes, node, turn):
            return turn
        list_outcomes(&self.found, own, other, &self.deck)
        best = 0
        for i in range(TRIES):
            place = below(numbers, self.found.count)
            turn = plays_of(&self.found, self.turns[place], own, &self.deck)
            if reply_of(&self.nodes, node, turn):
                continue
            next_own, next_other = own[0], other[0]
            drawn = make_outcome(&self.found, self.turns[place], &next_own, &next_other)
            if not next_own.unlaid:
                return turn                         # F12
            write_features(&next_own, &next_other, size_of(other.hand), drawn, &self.deck, features)
            value = network_value(features, &self.weights[0, 0])
            if not best or value > most:
                best, most = turn, value
        return best
