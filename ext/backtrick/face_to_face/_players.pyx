"""The search of the player `sampler`. Every number depends only on the view and the seed."""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint64_t

import numpy as np

from backtrick._bits cimport __builtin_popcountll
from backtrick._random cimport shuffle, stream_of
from backtrick.face_to_face._deal cimport MOST_TURNS, lowest, size_of
from backtrick.face_to_face._layout cimport HAND, HIGHEST, read_rules
from backtrick.face_to_face._play cimport (
    FEATURES,
    FRUGAL,
    ONE,
    OTHER_UP,
    TUNED,
    Seat,
    Sight,
    Turns,
    cards_due,
    check_prices,
    check_weights,
    draw,
    lay,
    lay_turn,
    list_outcomes,
    make_outcome,
    network_value,
    plays_of,
    read_view,
    turn_of,
    value_outcomes,
    write_features,
)


cdef inline void spread_cards(uint64_t cards, uint8_t *places) noexcept nogil:
    """The cards, ascending, one in each place."""
    while cards:
        places[0] = lowest(cards)
        places += 1
        cards &= cards - 1


# Candidates from a network, worlds sampled from the view, play-outs by the better of two simple turns.
#
# A world is an order of all cards that cannot be seen: the player's pile, and the opponent's hand and pile together. All orders are
# equally likely. Every candidate is played out in the same worlds. In some worlds the opponent plays as `frugal` does, in the others
# it is strong: the fewer cards it has laid, the more worlds have `frugal`. Each kind of opponent has a network of its own, because
# against `frugal` there is time to be patient. In a play-out the players choose, by the network, between the turns of two policies:
# nearly as good as its choice of all turns, and a hundred times quicker. A play-out stops after AHEAD turns, and the network values
# the position reached, which is quicker and more accurate than playing the whole game. After equal shares of the play-outs the worse
# half of the candidates is dropped (successive halving).

cdef enum:
    MOST_PLAYOUTS = 1 << 24
    PRIOR = 40                  # the networks' value counts as this many play-outs, so that a few cannot override what they know
    AHEAD = 4                   # turns of a play-out, the last by the player who made the turn
    HELPING = TUNED + 1         # policies: further rows of the prices, as `players.py` names them
    KEEPING = TUNED + 2
    KNOWN_PRICES = 3
    AT_FIRST = 130_000          # odds that the opponent is like `frugal`, in parts of ONE: before any card is laid,
    LAID = 42_218               # more for each card that the player has laid, and less for each that the opponent has. `frugal`
    LAID_BY_OTHER = 47_861      # lays 2.1 a turn, strong players 2.9
    LEAST_SHARES = 1


cdef inline float chance_of(int32_t value) noexcept nogil:
    """Log odds as a chance: close to the logistic function, by arithmetic that gives the same result on every machine."""
    cdef float odds = value / <float> ONE, power
    cdef int _
    power = 1 + min(odds if odds > 0 else -odds, <float> 16) / 64
    for _ in range(6):
        power *= power          # (1 + odds / 64)^64
    return (power if odds > 0 else 1) / (1 + power)


cdef double score_of(const Candidate *one) noexcept nogil:
    return (one.won + PRIOR * one.prior) / (one.played + PRIOR)


cdef uint64_t better_turn(const Seat *own, const Seat *other, int keep, const int32_t *prices, const int16_t *weights,
                          int32_t *value) noexcept nogil:
    """Of the turns of HELPING and KEEPING the one that the network values more, with its value unless it ends the game; 0 if there
    is none."""
    cdef Seat[2] seats
    cdef uint8_t[FEATURES] features
    cdef uint64_t turn, best = 0
    cdef int32_t found
    cdef int policy, due
    for policy in range(HELPING, KEEPING + 1):
        turn = turn_of(policy, own, other, keep, prices)
        if turn == best:
            break
        seats[0], seats[1] = own[0], other[0]
        due = cards_due(&seats[0], lay_turn(&seats[0], &seats[1], turn))
        if not seats[0].unlaid:
            return turn                             # F12
        write_features(&seats[0], &seats[1], size_of(other.hand), min(due, seats[0].to_come), features)
        found = network_value(features, weights)
        if not best or found > value[0]:
            best, value[0] = turn, found
    return best


cdef float play_out(const Candidate *one, const uint8_t *own, const uint8_t *other, int held, bint frugal, int keep,
                    const int32_t *prices, const int16_t *weights) noexcept nogil:
    """The chance that the player who made the turn wins in this world: 0 or 1 if the game ends within AHEAD turns."""
    cdef Seat[2] seats
    cdef uint64_t turn
    cdef int32_t value = 0
    cdef int mover = 1, due = 0, made
    seats[0], seats[1] = one.own, one.other
    seats[0].pile, seats[1].pile = own, other
    draw(&seats[0], one.drawn)
    seats[1].to_come += held
    draw(&seats[1], held)
    for made in range(AHEAD):
        if made:
            draw(&seats[1 - mover], due)
        if frugal and mover:
            turn = turn_of(FRUGAL, &seats[1], &seats[0], keep, prices)
        else:
            turn = better_turn(&seats[mover], &seats[1 - mover], keep, prices, weights, &value)
        if not turn:
            return mover                            # F13
        due = cards_due(&seats[mover], lay_turn(&seats[mover], &seats[1 - mover], turn))
        if not seats[mover].unlaid:
            return 1 - mover                        # F12
        mover = 1 - mover
    return chance_of(value)


cdef class Sampler:
    """Finds a turn for one view after another: `begin`, then `play` and `halve` as often as wanted, then `best`."""

    def __cinit__(self, const int32_t[:, ::1] prices not None, const int16_t[:, ::1] weights not None,
                  const int16_t[:, ::1] frugal_weights not None, int rules):
        """weights: of the network against strong opponents; frugal_weights: of the one against `frugal`."""
        self.keep = read_rules(rules)
        check_prices(prices)
        check_weights(weights)
        check_weights(frugal_weights)
        if prices.shape[0] != KNOWN_PRICES:
            raise ValueError(f"the prices must be {KNOWN_PRICES} rows, not {prices.shape[0]}")
        self.prices, self.weights, self.frugal_weights = prices.copy(), weights.copy(), frugal_weights.copy()
        self.turns, self.values = np.empty(MOST_TURNS, np.uint32), np.empty(MOST_TURNS, np.int32)
        self.found.turns, self.found.values = &self.turns[0], &self.values[0]

    def begin(self, tuple view not None, uint64_t seed, uint64_t number, int candidates):
        """Chooses the candidates: the turn of `tuned` and the best by the likelier opponent's network, at most `candidates` together.

        Returns how many there are: 0 if there is no turn, 1 if there is nothing to choose.
        """
        if not 1 <= candidates <= MOST_CANDIDATES:
            raise ValueError(f"candidates must be 1..{MOST_CANDIDATES}, not {candidates}")
        self.count = 0
        self.sight = read_view(view)
        self.stream = stream_of(seed, number)
        with nogil:
            self._guess()
            self._choose(candidates)
        return self.count

    cdef void _guess(self) noexcept nogil:
        """In how many worlds the opponent plays as `frugal`."""
        cdef int numbers = HIGHEST - 2
        cdef int laid = numbers - size_of(self.sight.own.unlaid), by_other = numbers - size_of(self.sight.other.unlaid)
        cdef float chance = chance_of(AT_FIRST + LAID * laid - LAID_BY_OTHER * by_other)
        self.frugal_shares = max(<int> LEAST_SHARES, min(<int> (SHARES - LEAST_SHARES), <int> (SHARES * chance + 0.5)))

    cdef void _choose(self, int candidates) noexcept nogil:
        cdef Turns *found = &self.found
        cdef Seat *own = &self.sight.own
        cdef Seat *other = &self.sight.other
        cdef uint64_t turn = turn_of(TUNED, own, other, self.keep, &self.prices[0, 0])
        cdef const int16_t *likelier = &self.weights[0, 0] if 2 * self.frugal_shares < SHARES else &self.frugal_weights[0, 0]
        cdef int best, i
        cdef Candidate one
        spread_cards(own.unlaid & ~own.hand, self.own_cards)
        spread_cards(other.unlaid, self.other_cards)
        if not turn:
            return
        list_outcomes(found, own, other, self.keep)
        best = value_outcomes(found, own, other, self.sight.other_held, likelier)
        one.won = one.played = 0
        while best >= 0 and self.count < candidates:
            if self.count == candidates - 1 and not self._has_turn(turn):
                break                                       # the last place is kept for `tuned`
            one.own, one.other = own[0], other[0]
            one.drawn = make_outcome(found, found.turns[best], &one.own, &one.other)
            one.turn = plays_of(found, found.turns[best], own)
            one.prior = self._prior(&one)
            self._add(&one)
            if not one.own.unlaid:
                self.count = 1                              # F12
                return
            found.count -= 1
            found.turns[best], found.values[best] = found.turns[found.count], found.values[found.count]
            best = -1
            for i in range(found.count):
                if best < 0 or found.values[i] > found.values[best]:
                    best = i
        if not self._has_turn(turn):
            self._after_plays(turn, &one)
            one.prior = self.candidates[self.count - 1].prior if self.count else 0
            self._add(&one)

    cdef float _prior(self, const Candidate *one) noexcept nogil:
        """The mean of what the networks say, by the worlds of both kinds."""
        cdef uint8_t[FEATURES] features
        cdef float frugal, strong
        if not one.own.unlaid:
            return 1                                        # F12
        write_features(&one.own, &one.other, self.sight.other_held, one.drawn, features)
        frugal = chance_of(network_value(features, &self.frugal_weights[0, 0]))
        strong = chance_of(network_value(features, &self.weights[0, 0]))
        return (self.frugal_shares * frugal + (SHARES - self.frugal_shares) * strong) / SHARES

    cdef void _after_plays(self, uint64_t turn, Candidate *one) noexcept nogil:
        cdef bint helped = False
        cdef int wanted = 2
        one.own, one.other, one.turn = self.sight.own, self.sight.other, turn
        while turn:
            lay(&one.own, &one.other, turn & 255)
            helped = helped or ((turn & 255) >> 6) >= OTHER_UP
            turn >>= 8
        if helped:
            wanted = HAND - __builtin_popcountll(one.own.hand)
        one.drawn = wanted if wanted < one.own.to_come else one.own.to_come

    cdef int _place(self, const Candidate *one) noexcept nogil:
        """The place of the candidate with the same outcome, or -1."""
        cdef const Candidate *other
        cdef int i
        for i in range(self.count):
            other = &self.candidates[i]
            if (one.own.hand == other.own.hand and one.own.up == other.own.up and one.own.down == other.own.down
                    and one.other.up == other.other.up and one.other.down == other.other.down):
                return i
        return -1

    cdef bint _has_turn(self, uint64_t turn) noexcept nogil:
        cdef Candidate one
        self._after_plays(turn, &one)
        return self._place(&one) >= 0

    cdef void _add(self, const Candidate *one) noexcept nogil:
        if self._place(one) < 0:
            self.candidates[self.count] = one[0]
            self.count += 1

    def play(self, int worlds):
        """Plays out every candidate that is left in `worlds` more worlds."""
        cdef int i
        if not 0 <= worlds <= MOST_PLAYOUTS:
            raise ValueError(f"worlds must be 0..{MOST_PLAYOUTS}, not {worlds}")
        with nogil:
            for i in range(worlds):
                self._play_world()

    cdef void _play_world(self) noexcept nogil:
        cdef Candidate *one
        cdef int i, number = self.candidates[0].played
        cdef bint frugal = (number + 1) * self.frugal_shares // SHARES > number * self.frugal_shares // SHARES
        cdef const int16_t *weights = &self.frugal_weights[0, 0] if frugal else &self.weights[0, 0]
        self._next_world()
        for i in range(self.count):
            one = &self.candidates[i]
            one.won += play_out(
                one, self.own_cards, self.other_cards, self.sight.other_held, frugal, self.keep, &self.prices[0, 0], weights)
            one.played += 1

    cdef void _next_world(self) noexcept nogil:
        shuffle(&self.stream, self.own_cards, self.sight.own.to_come)
        shuffle(&self.stream, self.other_cards, self.sight.other.to_come + self.sight.other_held)

    def next_world(self):
        """The next world, for tests: the player's pile, and the opponent's hand and then pile, in the order drawn."""
        if not self.count:
            raise ValueError("no view was begun, or it has no turn")
        self._next_world()
        return (list(self.own_cards[:self.sight.own.to_come]),
                list(self.other_cards[:self.sight.other.to_come + self.sight.other_held]))

    def halve(self):
        """Keeps the better half of the candidates, best first; of equal ones, those that came first. Returns how many."""
        self._halve()
        return self.count

    cdef void _halve(self) noexcept nogil:
        self._sort()
        self.count = (self.count + 1) // 2

    cdef void _sort(self) noexcept nogil:
        cdef Candidate one
        cdef int i, j
        for i in range(1, self.count):
            one, j = self.candidates[i], i
            while j and score_of(&self.candidates[j - 1]) < score_of(&one):
                self.candidates[j] = self.candidates[j - 1]
                j -= 1
            self.candidates[j] = one

    def candidates_left(self):
        """The candidates that are left: packed turn, chances won in play-outs, play-outs, and the chance that the networks gave."""
        return [(one.turn, one.won, one.played, one.prior) for one in self.candidates[:self.count]]

    def best(self):
        """The packed turn of the best candidate; 0 if there is none."""
        self._sort()
        return self.candidates[0].turn if self.count else 0
