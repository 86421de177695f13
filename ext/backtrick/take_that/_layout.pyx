"""From a packed position to the small numbers that the search works on; see `_layout.pxd`."""

from libc.stdint cimport uint64_t
from libc.string cimport memcmp

import numpy as np

from backtrick._bits cimport __builtin_ctzll, __builtin_popcountll
from backtrick.take_that._cards cimport NUMBERS, card_cost, is_card, twisted_card

cdef enum:
    TWISTS = 128                # as in `turn.pack_turn`
    BYTES = 256
    WORDS = 2                   # a set of numbers has a bit for each, 64 in a word
    ENDS = NUMBERS + 16         # a number, plus how far its card reaches

cdef uint8_t twisted[NUMBERS]
cdef uint8_t cost_of[NUMBERS]
cdef uint64_t bit_of[BYTES][WORDS]   # the set of this number alone; empty unless it is a card
cdef uint64_t below_of[ENDS][WORDS]  # the set of all numbers below this one
cdef uint8_t nothing[LONGEST_LINE]


cdef void fill_tables() noexcept nogil:
    cdef int number, other
    for number in range(NUMBERS):
        twisted[number] = twisted_card(number)
        cost_of[number] = card_cost(number)
        if is_card(number):
            bit_of[number][number >> 6] = <uint64_t> 1 << (number & 63)
    for number in range(ENDS):
        for other in range(number):
            below_of[number][other >> 6] |= <uint64_t> 1 << (other & 63)


fill_tables()

cdef struct Numbers:            # a set of cards by their numbers
    uint64_t words[WORDS]

cdef inline bint contains(const Numbers *numbers, int card) noexcept nogil:
    return ((numbers.words[card >> 6] >> (card & 63)) & 1) != 0


cdef inline int count_below(const Numbers *numbers, int number) noexcept nogil:
    """How many of these are below a number."""
    cdef int low = __builtin_popcountll(numbers.words[0] & below_of[number][0])
    return low + __builtin_popcountll(numbers.words[1] & below_of[number][1])


cdef bint lay_out(const uint8_t *packed, Layout *layout, State *state) noexcept nogil:
    """Fills in `layout` and `state`; False unless the bytes are a well-formed position with ascending hands."""
    cdef Numbers hands
    if not read_hands(packed, &hands):
        return False
    begin(state)
    deal_slots(layout, state, packed, &hands)
    link(layout, state, state.mover | state.other, state.mover, &hands)
    return take_in_line(packed + HANDS, HANDS, layout, state, &hands)


cdef bint lay_out_deal(
    const uint8_t *packed, const uint8_t *pile, int count, Layout *layout, State *state, uint64_t *drawn,
) noexcept nogil:
    """The same for a deal with fewer than LIVE cards in hands and pile; the mover draws the first card of `pile`. drawn: gets the
    bit of each card of the pile. Both hands must hold cards if the pile does (T3)."""
    cdef Numbers live
    cdef uint64_t hands, pile_cards = 0, mine = 0
    cdef int i, card, slot
    if not read_hands(packed, &live) or (count and not (packed[0] and packed[HAND_SIZE])):
        return False
    if count >= LIVE - size_of(&live):
        return False
    for i in range(count):
        card = pile[i]
        if not bit_of[card][0] | bit_of[card][1] or contains(&live, card):
            return False
        live.words[0] |= bit_of[card][0]
        live.words[1] |= bit_of[card][1]
    begin(state)
    deal_slots(layout, state, packed, &live)
    hands = state.mover | state.other
    for i in range(count):
        slot = count_below(&live, pile[i])
        layout.card[slot] = pile[i]
        layout.cost[slot] = cost_of[pile[i]]
        drawn[i] = <uint64_t> 1 << slot
        pile_cards |= drawn[i]
        if i % 2 == 0:
            mine |= drawn[i]
    link(layout, state, hands | pile_cards, state.mover | mine, &live)
    return take_in_line(packed + HANDS, LIVE, layout, state, &live)


cdef inline bint read_hands(const uint8_t *packed, Numbers *hands) noexcept nogil:
    """Reads both hands; False if one is not ascending, or a card is unknown or in both."""
    cdef Numbers mover
    cdef int word
    if not (read_hand(packed, &mover) and read_hand(packed + HAND_SIZE, hands)):
        return False
    if (mover.words[0] & hands.words[0]) | (mover.words[1] & hands.words[1]):
        return False
    for word in range(WORDS):
        hands.words[word] |= mover.words[word]
    return True


cdef inline int size_of(const Numbers *numbers) noexcept nogil:
    return __builtin_popcountll(numbers.words[0]) + __builtin_popcountll(numbers.words[1])


cdef inline void begin(State *state) noexcept nogil:
    """An empty table."""
    state.mover = state.other = state.twists = state.mates = state.spent = 0
    state.cost = 0


cdef inline bint read_hand(const uint8_t *hand, Numbers *numbers) noexcept nogil:
    """Reads an ascending hand; False if a card is unknown or out of order."""
    cdef int i, card, last = 0
    numbers.words[0] = numbers.words[1] = 0
    for i in range(HAND_SIZE):
        card = hand[i]
        if card == 0:
            return memcmp(hand + i, nothing, HAND_SIZE - i) == 0
        if card <= last or not bit_of[card][0] | bit_of[card][1]:
            return False
        numbers.words[0] |= bit_of[card][0]
        numbers.words[1] |= bit_of[card][1]
        last = card
    return True


cdef inline void deal_slots(Layout *layout, State *state, const uint8_t *packed, const Numbers *hands) noexcept nogil:
    """Gives the cards of both hands their slots, ascending by number."""
    cdef int i, card, slot
    for i in range(HANDS):
        card = packed[i]
        if card:
            slot = count_below(hands, card)
            layout.card[slot] = card
            layout.cost[slot] = cost_of[card]
            if i < HAND_SIZE:
                state.mover |= <uint64_t> 1 << slot
            else:
                state.other |= <uint64_t> 1 << slot


cdef inline void link(Layout *layout, State *state, uint64_t live, uint64_t mine, const Numbers *numbers) noexcept nogil:
    """Fills in the relations between live cards, the ones in hands and pile. mine: those that the mover holds or will draw."""
    cdef uint64_t left = live, bit
    cdef int slot, card, partner
    layout.near[TABLE] = left  # T9: on an empty line any card may be laid
    layout.toads = layout.same = 0
    while left:
        bit = left & -left
        left ^= bit
        slot = __builtin_ctzll(bit)
        card = layout.card[slot]
        layout.near[slot] = reach(numbers, card)
        layout.partner[slot] = 0
        partner = twisted[card]
        if partner == card:
            layout.toads |= bit
        elif contains(numbers, partner):
            layout.partner[slot] = <uint64_t> 1 << count_below(numbers, partner)
            state.mates |= bit
            if ((mine & bit) != 0) == ((mine & layout.partner[slot]) != 0):
                layout.same |= bit


cdef inline bint take_in_line(const uint8_t *line, int slot, Layout *layout, State *state, const Numbers *hands) noexcept nogil:
    """Fills in the cards of the line, from a slot on, the table and the floor; False if a card is unknown or there twice."""
    cdef Numbers seen = hands[0]
    cdef int i, card, floor = 0
    layout.near[FLOOR] = 0
    layout.partner[FLOOR] = layout.partner[TABLE] = 0
    layout.below[FLOOR] = layout.below[TABLE] = TABLE
    state.top = TABLE
    for i in range(LONGEST_LINE):
        card = line[i]
        if card == 0:
            if memcmp(line + i, nothing, LONGEST_LINE - i):
                return False    # a card after the fill
            break
        if not bit_of[card][0] | bit_of[card][1] or contains(&seen, card):
            return False
        seen.words[0] |= bit_of[card][0]
        seen.words[1] |= bit_of[card][1]
        state.cost += cost_of[card]
        if contains(hands, twisted[card]):
            layout.card[slot] = card
            layout.partner[slot] = <uint64_t> 1 << count_below(hands, twisted[card])
            layout.near[slot] = reach(hands, card)
            layout.below[slot] = state.top
            state.twists |= layout.partner[slot]
            state.top = slot
            slot += 1
        else:
            floor = card
            state.top = FLOOR
    layout.card[FLOOR], layout.card[TABLE] = floor, 0
    if floor:
        layout.near[FLOOR] = reach(hands, floor)
    return True


cdef inline uint64_t reach(const Numbers *hands, int card) noexcept nogil:
    """The hand cards within reach of a card (T4). They are neighbours in an ascending row."""
    return (<uint64_t> 1 << count_below(hands, card + 11)) - (<uint64_t> 1 << count_below(hands, card - 10))


cdef int read_rules(int code, Rules *rules) except -1:
    """The rule options from their number, `rule_options.Rules.code`. Raises `ValueError` for any other."""
    if not 0 <= code <= EVERY_OPTION:
        raise ValueError(f"rules must be numbered 0..{EVERY_OPTION}, not {code}")
    rules.forced_only, rules.opens = (code & FORCED_ONLY) != 0, (code & OPENS) != 0
    rules.professional = (code & PROFESSIONAL) != 0
    return 0


cdef int follow(const uint8_t[::1] packed, const uint8_t[::1] codes, Layout *layout, State *state) except -1:
    """The state that turns lead to from a packed position, for tests. codes: of lays and twists, as in `turn.pack_turn`.
    Raises `ValueError` for a position that is not well-formed, or a turn that the mover does not have."""
    cdef State following
    cdef Py_ssize_t i
    cdef int slot
    cdef uint64_t held
    if packed.shape[0] != PACKED or not lay_out(&packed[0], layout, state):
        raise ValueError("these bytes are not a packed position")
    for i in range(codes.shape[0]):
        held = state.mover & (state.twists if codes[i] & TWISTS else layout.near[state.top])
        while held and layout.card[__builtin_ctzll(held)] != (codes[i] & (TWISTS - 1)):
            held &= held - 1
        if not held:
            raise ValueError(f"turn {i} is not legal")
        slot = __builtin_ctzll(held)
        if codes[i] & TWISTS:
            twist(layout, state, slot, &following)
        else:
            lay(layout, state, state.mover | state.other, slot, &following)
            layout.below[slot] = state.top
        state[0] = following
    return 0


def look_ups():
    """A copy of every look-up table of this module by its name here, for tests. A set of numbers is two words."""
    return {
        "twisted": np.array(<uint8_t[:NUMBERS]> &twisted[0]),
        "cost_of": np.array(<uint8_t[:NUMBERS]> &cost_of[0]),
        "bit_of": np.array(<uint64_t[:BYTES, :WORDS]> &bit_of[0][0]),
        "below_of": np.array(<uint64_t[:ENDS, :WORDS]> &below_of[0][0]),
    }
