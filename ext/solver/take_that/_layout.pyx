"""From a packed position to the small numbers that the search works on; see `_layout.pxd`."""

from libc.stdint cimport uint64_t

import numpy as np

from solver._bits cimport __builtin_popcountll
from solver.take_that._cards cimport NUMBERS, card_cost, is_card, twisted_card

cdef uint8_t twisted[NUMBERS]
cdef uint8_t cost_of[NUMBERS]


cdef void fill_tables() noexcept:
    cdef int card
    for card in range(NUMBERS):
        twisted[card] = twisted_card(card)
        cost_of[card] = card_cost(card)


fill_tables()


cdef bint lay_out(const uint8_t *packed, Layout *layout, State *state) noexcept nogil:
    """Fills in `layout` and `state`; False unless the bytes are a well-formed position with ascending hands."""
    cdef uint8_t slot_of[NUMBERS]
    cdef int hands, slot
    for slot in range(NUMBERS):
        slot_of[slot] = TABLE
    state.mover = state.other = state.twists = state.mates = state.spent = 0
    state.cost = 0
    hands = take_in_hands(packed, packed + HAND_SIZE, layout, state, slot_of)
    if hands < 0:
        return False
    link_hands(layout, state, slot_of, hands)
    return take_in_line(packed + HANDS, layout, state, slot_of, hands)


cdef int take_in_hands(const uint8_t *mover, const uint8_t *other, Layout *layout, State *state,
                       uint8_t *slot_of) noexcept nogil:
    """Merges the two ascending hands into slots. Returns how many, or -1 if a card is unknown, out of order or there twice."""
    cdef int i = 0, j = 0, hands = 0, card, last = 0
    while (i < HAND_SIZE and mover[i]) or (j < HAND_SIZE and other[j]):
        if j == HAND_SIZE or other[j] == 0 or (i < HAND_SIZE and mover[i] and mover[i] < other[j]):
            card = mover[i]
            i += 1
            state.mover |= <uint32_t> 1 << hands
        else:
            card = other[j]
            j += 1
            state.other |= <uint32_t> 1 << hands
        if card <= last or not is_card(card):
            return -1
        last = card
        layout.card[hands] = card
        layout.cost[hands] = cost_of[card]
        slot_of[card] = hands
        hands += 1
    while i < HAND_SIZE and mover[i] == 0:
        i += 1
    while j < HAND_SIZE and other[j] == 0:
        j += 1
    return hands if i == HAND_SIZE and j == HAND_SIZE else -1


cdef void link_hands(Layout *layout, State *state, const uint8_t *slot_of, int hands) noexcept nogil:
    """Fills in the relations between hand cards."""
    cdef int slot, card, partner, first = 0, last = 0
    layout.toads = layout.same = 0
    for slot in range(hands):  # the cards within reach of a card are neighbours in an ascending row
        card = layout.card[slot]
        while layout.card[first] + 10 < card:
            first += 1
        while last < hands and layout.card[last] <= card + 10:
            last += 1
        layout.near[slot] = (((<uint32_t> 1 << last) - 1) >> first) << first
        layout.partner[slot] = 0
        partner = slot_of[twisted[card]]
        if card % 11 == 0:
            layout.toads |= <uint32_t> 1 << slot
        elif partner < hands:
            layout.partner[slot] = <uint32_t> 1 << partner
            state.mates |= <uint32_t> 1 << slot
            if ((state.mover >> slot) & 1) == ((state.mover >> partner) & 1):
                layout.same |= <uint32_t> 1 << slot


cdef bint take_in_line(const uint8_t *line, Layout *layout, State *state, uint8_t *slot_of, int hands) noexcept nogil:
    """Fills in the cards of the line, the table and the floor; False if a card is unknown or there twice."""
    cdef int i, card, partner, slot = HANDS
    cdef uint64_t held[2]       # the numbers of the hand cards
    held[0] = held[1] = 0
    for i in range(hands):
        held[layout.card[i] >> 6] |= <uint64_t> 1 << (layout.card[i] & 63)
    i = 0
    layout.near[TABLE] = (<uint32_t> 1 << hands) - 1  # T9: on an empty line any card may be laid
    layout.near[FLOOR] = 0
    layout.partner[FLOOR] = layout.partner[TABLE] = 0
    layout.card[FLOOR] = layout.card[TABLE] = 0
    layout.below[FLOOR] = layout.below[TABLE] = TABLE
    state.top = TABLE
    while i < LONGEST_LINE and line[i]:
        card = line[i]
        i += 1
        if not is_card(card) or slot_of[card] != TABLE:
            return False
        slot_of[card] = FLOOR
        state.cost += cost_of[card]
        partner = slot_of[twisted[card]]
        if partner < hands:
            layout.card[slot] = card
            layout.partner[slot] = <uint32_t> 1 << partner
            layout.near[slot] = reach(held, card)
            layout.below[slot] = state.top
            state.twists |= <uint32_t> 1 << partner
            state.top = slot
            slot += 1
        else:
            layout.card[FLOOR] = card
            state.top = FLOOR
    card = 0
    for i in range(i, LONGEST_LINE):
        card |= line[i]
    if card:
        return False  # a card after the fill
    if layout.card[FLOOR]:
        layout.near[FLOOR] = reach(held, layout.card[FLOOR])
    return True


cdef inline int held_below(const uint64_t *held, int number) noexcept nogil:
    """How many hand cards are below a number. It is also the slot of the first card that is not below."""
    if number < 64:
        return __builtin_popcountll(held[0] & ((<uint64_t> 1 << number) - 1))
    return __builtin_popcountll(held[0]) + __builtin_popcountll(held[1] & ((<uint64_t> 1 << (number - 64)) - 1))


cdef inline uint32_t reach(const uint64_t *held, int card) noexcept nogil:
    """The hand cards within reach of a card of the line (T4)."""
    return (<uint32_t> 1 << held_below(held, card + 11)) - (<uint32_t> 1 << held_below(held, card - 10))


def look_ups():
    """A copy of every look-up table of this module by its name here, for tests."""
    return {"twisted": np.array(<uint8_t[:NUMBERS]> &twisted[0]), "cost_of": np.array(<uint8_t[:NUMBERS]> &cost_of[0])}
