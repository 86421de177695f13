"""The network (`_network.pxd`): the fast twin of `network.py`."""

from libc.stdint cimport uint32_t, uint64_t

import numpy as np

from backtrick._bits cimport __builtin_popcountll
from backtrick.face_to_face._deal_turns cimport HELP_SHIFT, MOST_TURNS, Deal, Hand, Side, cards_at, list_turns, look_at_hand
from backtrick.face_to_face._duel cimport HIGHEST, under, upto
from backtrick.face_to_face._laying cimport HAND
from backtrick.face_to_face._seats cimport (
    OTHER_UP,
    Deck,
    Seat,
    Sight,
    check_rules,
    fits,
    highest_of,
    lay,
    lowest,
    play_of,
    read_view,
)

cdef enum:
    FAR = 30                               # a gap of this size or more is as good as no card
    HELPS = 1 + 2 * HAND                   # helpful cards, or none

cdef float WON = 1e6                       # the value of a turn that lays the last card (F12)


cdef inline int counted(uint64_t cards) noexcept nogil:
    return __builtin_popcountll(cards)


# Features

cdef inline uint64_t within_up(int up, int reach) noexcept nogil:
    """The numbers above `up`, at most `reach` above it."""
    return upto(min(up + reach, HIGHEST)) & ~upto(up)


cdef inline uint64_t within_down(int down, int reach) noexcept nogil:
    return under(down) & ~under(max(down - reach, 0))


cdef void write_side(const Seat *side, int pile, int held, const Deck *deck, float *f) noexcept nogil:
    """SIDE_FEATURES of a side with so many cards in pile and hand."""
    cdef uint64_t left = side.unlaid, above = left & ~upto(side.up), below = left & under(side.down)
    cdef uint64_t dead = left & ~above & ~below, lower = left >> deck.step, raised = left << deck.step
    f[0] = counted(left)
    f[1] = pile
    f[2] = held
    f[3] = side.up
    f[4] = deck.highest + 1 - side.down
    f[5] = counted(above)
    f[6] = counted(below)
    f[7] = counted(dead)
    f[8] = (raised >> side.up) & 1
    f[9] = (lower >> side.down) & 1
    f[10] = counted(left & lower)
    f[11] = counted(above & raised)
    f[12] = counted(below & lower)
    f[13] = counted(dead & ((above >> deck.step) | (below << deck.step)))
    f[14] = counted(left & within_up(side.up, 4))
    f[15] = counted(left & within_up(side.up, 10))
    f[16] = counted(left & within_down(side.down, 4))
    f[17] = counted(left & within_down(side.down, 10))
    f[18] = pile == 0
    f[19] = counted(above & below)


cdef void write_own(const Seat *own, const Seat *other, int drawn, const Deck *deck, float *f) noexcept nogil:
    """OWN_FEATURES of the player who made the turn and will draw so many cards."""
    cdef uint64_t hand = own.hand, above = hand & ~upto(own.up), below = hand & under(own.down), dead = hand & ~above & ~below
    cdef uint64_t helpful = hand & (under(other.up) | ~upto(other.down))
    cdef int gap
    write_side(own, own.to_come - drawn, counted(hand) + drawn, deck, f)
    f += SIDE_FEATURES
    f[0] = counted(hand)
    f[1] = drawn
    f[2] = counted(dead)
    f[3] = ((hand << deck.step) >> own.up) & 1
    f[4] = ((hand >> deck.step) >> own.down) & 1
    for gap in range(2):
        f[5 + gap] = min(lowest(above) - own.up, <int> FAR) if above else FAR
        f[7 + gap] = min(own.down - highest_of(below), <int> FAR) if below else FAR
        above &= above - 1
        if below:
            below ^= <uint64_t> 1 << highest_of(below)
    f[9] = counted(hand & (hand >> deck.step))
    f[10] = counted(helpful)
    f[11] = counted(helpful & dead)
    f[12] = counted(other.unlaid & under(own.up))
    f[13] = counted(other.unlaid & ~upto(own.down))


cdef void write_features(
    const Seat *own, const Seat *other, int other_held, int drawn, const Deck *deck, float *features,
) noexcept nogil:
    """FEATURES of the position after a turn of `own`, before so many cards are drawn."""
    write_own(own, other, drawn, deck, features)
    write_side(other, counted(other.unlaid) - other_held, other_held, deck, features + OWN_FEATURES)


# The network

cdef inline void add_rows(float *sums, const float *features, const float *weights, int count) noexcept nogil:
    """Adds to the sums of all units what these features give."""
    cdef float[WIDTH] here
    cdef int row, unit
    for unit in range(WIDTH):
        here[unit] = sums[unit]
    for row in range(count):
        for unit in range(WIDTH):
            here[unit] += features[row] * weights[row * WIDTH + unit]
    for unit in range(WIDTH):
        sums[unit] = here[unit]


cdef inline void add_other(float *sums, const float *features, const float *weights) noexcept nogil:
    """The sums of the biases and the other side; the same for all turns that lay no helpful card."""
    cdef int unit
    for unit in range(WIDTH):
        sums[unit] = weights[FEATURES * WIDTH + unit]
    add_rows(sums, features, weights + OWN_FEATURES * WIDTH, SIDE_FEATURES)


cdef inline float output(const float *sums, const float *weights) noexcept nogil:
    cdef float value = sums[WIDTH - 1]
    cdef int unit
    for unit in range(WIDTH - 1):
        value += (sums[unit] if sums[unit] > 0 else 0) * weights[(FEATURES + 1) * WIDTH + unit]
    return value


cdef float network_value(const float *features, const float *weights) noexcept nogil:
    cdef float[WIDTH] sums
    add_other(sums, features + OWN_FEATURES, weights)
    add_rows(sums, features, weights, OWN_FEATURES)
    return output(sums, weights)


# Turns

cdef void list_outcomes(Turns *found, const Seat *own, const Seat *other, const Deck *deck) noexcept nogil:
    cdef Deal deal
    cdef Side x, y
    deal.step, deal.keep = deck.step, 1 if deck.lone_card else 2
    deal.decks[0].count, deal.decks[0].drawn[0] = own.to_come, own.hand
    x.seat, x.drawn, x.left, x.up, x.down = 0, 0, own.unlaid, own.up, own.down
    y.seat, y.drawn, y.left, y.up, y.down = 1, 0, other.unlaid, other.up, other.down
    look_at_hand(&deal, &x, True, True, &found.hand)
    found.count = list_turns(&deal, &x, &y, &found.hand, True, found.turns)


cdef int make_outcome(const Turns *found, uint32_t turn, Seat *own, Seat *other) noexcept nogil:
    """Makes a turn, and returns how many cards are drawn after it (F11); they are not drawn."""
    cdef int help = (turn >> HELP_SHIFT) & 15, card, wanted = 2
    cdef uint64_t laid = cards_at(found.hand.numbers, turn & 63)
    own.up, own.down = (turn >> 6) & 63, (turn >> 12) & 63
    if help:
        card = found.hand.numbers[(help - 1) >> 1]
        laid |= <uint64_t> 1 << card
        if (help - 1) & 1:
            other.down = card
        else:
            other.up = card
    own.hand &= ~laid
    own.unlaid &= ~laid
    if help:
        wanted = HAND - counted(own.hand)
    return min(wanted, own.to_come)


cdef int value_outcomes(
    Turns *found, const Seat *own, const Seat *other, int other_held, const Deck *deck, const float *weights,
) noexcept nogil:
    """Values every turn, and returns the place of the best, the first of equal ones; -1 if there is none."""
    cdef Seat next_own, next_other
    cdef float[OWN_FEATURES] features
    cdef float[HELPS][WIDTH] others
    cdef float[WIDTH] sums
    cdef int i, drawn, help, unit, known = 0, best = -1
    for i in range(found.count):
        next_own, next_other = own[0], other[0]
        drawn = make_outcome(found, found.turns[i], &next_own, &next_other)
        if not next_own.unlaid:
            found.values[i] = WON
        else:
            help = (found.turns[i] >> HELP_SHIFT) & 15
            if not (known >> help) & 1:
                write_side(&next_other, counted(other.unlaid) - other_held, other_held, deck, features)
                add_other(others[help], features, weights)
                known |= 1 << help
            for unit in range(WIDTH):
                sums[unit] = others[help][unit]
            write_own(&next_own, &next_other, drawn, deck, features)
            add_rows(sums, features, weights, OWN_FEATURES)
            found.values[i] = output(sums, weights)
        if best < 0 or found.values[i] > found.values[best]:
            best = i
    return best


cdef uint64_t lay_in_order(uint64_t cards, Seat own, const Seat *other, int up, int down, int step) noexcept nogil:
    """Plays that lay these cards on the own piles and end with these tops; 0 if there are none."""
    cdef Seat following
    cdef uint64_t rest = cards, plays
    cdef int card, pile
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        for pile in range(OTHER_UP):
            if not fits(&own, other, card, pile, False, step):
                continue
            following = own
            lay(&following, NULL, play_of(card, pile))
            if not cards & (cards - 1):
                if following.up == up and following.down == down:
                    return play_of(card, pile)
                continue
            plays = lay_in_order(cards & ~(<uint64_t> 1 << card), following, other, up, down, step)
            if plays:
                return play_of(card, pile) | (plays << 8)
    return 0


cdef uint64_t plays_of(const Turns *found, uint32_t turn, const Seat *own, const Deck *deck) noexcept nogil:
    """The packed turn: its plays in an order that the rules allow, the helpful card last."""
    cdef int help = (turn >> HELP_SHIFT) & 15
    cdef uint64_t cards = cards_at(found.hand.numbers, turn & 63)
    cdef uint64_t plays = lay_in_order(cards, own[0], own, (turn >> 6) & 63, (turn >> 12) & 63, deck.step)
    if not help:
        return plays
    return plays | (<uint64_t> play_of(found.hand.numbers[(help - 1) >> 1], OTHER_UP + ((help - 1) & 1)) << (8 * counted(cards)))


# Python

cdef const float *check_weights(const float[:, ::1] weights) except NULL:
    if weights.shape[0] != ROWS or weights.shape[1] != WIDTH:
        raise ValueError(f"the network has weights of shape ({ROWS}, {WIDTH}), not ({weights.shape[0]}, {weights.shape[1]})")
    return &weights[0, 0]


def value_turns(tuple view not None, const float[:, ::1] weights not None, int highest, int step, bint lone_card):
    """Every distinct outcome of the turns from `view` (`View.packed`), without dominated ones: packed turns, uint64, shape (n,);
    features, float32, shape (n, FEATURES); and values, float32, shape (n,)."""
    cdef Deck deck = check_rules(highest, step, lone_card)
    cdef const float *w = check_weights(weights)
    cdef Sight sight = read_view(view, &deck)
    cdef Turns found
    cdef Seat own, other
    cdef uint32_t[::1] turns = np.empty(MOST_TURNS, np.uint32)
    cdef float[::1] values = np.empty(MOST_TURNS, np.float32)
    cdef uint64_t[::1] packed
    cdef float[:, ::1] features
    cdef int i, drawn
    found.turns, found.values = &turns[0], &values[0]
    list_outcomes(&found, &sight.own, &sight.other, &deck)
    value_outcomes(&found, &sight.own, &sight.other, sight.other_held, &deck, w)
    packed, features = np.empty(found.count, np.uint64), np.empty((found.count, FEATURES), np.float32)
    for i in range(found.count):
        own, other = sight.own, sight.other
        drawn = make_outcome(&found, found.turns[i], &own, &other)
        write_features(&own, &other, sight.other_held, drawn, &deck, &features[i, 0])
        packed[i] = plays_of(&found, found.turns[i], &sight.own, &deck)
    return np.asarray(packed), np.asarray(features), np.asarray(values)[:found.count]


def turn_by_network(tuple view not None, const float[:, ::1] weights not None, int highest, int step, bint lone_card):
    """The packed turn with the greatest value from `view` (`View.packed`); 0 if there is none."""
    cdef Deck deck = check_rules(highest, step, lone_card)
    cdef const float *w = check_weights(weights)
    cdef Sight sight = read_view(view, &deck)
    cdef uint32_t[MOST_TURNS] turns
    cdef float[MOST_TURNS] values
    cdef Turns found
    cdef int best
    found.turns, found.values = turns, values
    list_outcomes(&found, &sight.own, &sight.other, &deck)
    best = value_outcomes(&found, &sight.own, &sight.other, sight.other_held, &deck, w)
    return plays_of(&found, turns[best], &sight.own, &deck) if best >= 0 else 0
