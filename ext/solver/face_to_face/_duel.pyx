"""From a packed position to the relations that the search looks at (`_duel.pxd`)."""

from solver.face_to_face._laying cimport (
    HAND,
    __builtin_ctzll,
    __builtin_popcountll,
    case_number,
    laying,
)


cdef inline uint64_t upto(int number) noexcept nogil:
    return (<uint64_t> 2 << number) - 1


cdef inline uint64_t under(int number) noexcept nogil:
    return (<uint64_t> 1 << number) - 1


cdef int spread(uint64_t hand, uint8_t *numbers) noexcept nogil:
    """The numbers of a hand, ascending; returns how many."""
    cdef int count = 0
    while hand:
        numbers[count] = __builtin_ctzll(hand)
        hand &= hand - 1
        count += 1
    return count


cdef const Pattern *pattern_of(uint64_t hand, const uint8_t *numbers, int count, int step) noexcept nogil:
    cdef uint64_t partner_above = hand & hand >> step
    cdef uint64_t partner_below = hand & hand << step
    cdef int above = 0, below = 0, card
    if partner_above:
        for card in range(count):
            above |= <int> (partner_above >> numbers[card] & 1) << card
            below |= <int> (partner_below >> numbers[card] & 1) << card
    return &laying().patterns[laying().pattern_of[above][below]]


cdef int ascending_case(uint64_t hand, int top, int step) noexcept nogil:
    cdef int trick = 0
    if top > step and hand >> top - step & 1:
        trick = __builtin_popcountll(hand & upto(top - step))
    return case_number(__builtin_popcountll(hand & upto(top)), trick)


cdef int descending_case(uint64_t hand, int top, int step) noexcept nogil:
    cdef int trick = 0
    if top + step < 64 and hand >> top + step & 1:
        trick = HAND - __builtin_popcountll(hand & under(top + step))
    return case_number(HAND - __builtin_popcountll(hand & under(top)), trick)


cdef inline void set_top(Player *player, int top, int number, uint64_t hand, int step) noexcept nogil:
    player.ascending_case[top] = ascending_case(hand, number, step)
    player.descending_case[top] = descending_case(hand, number, step)


cdef inline void relate(
    Player *player, uint64_t hand, const uint8_t *numbers, int count,
    uint64_t others, const uint8_t *other_numbers, int other_count, int ascending, int descending, int step,
) noexcept nogil:
    cdef int card, everyone = (1 << other_count) - 1
    player.pattern = pattern_of(hand, numbers, count, step)
    for card in range(count):
        player.ascending_case[card] = player.pattern.ascending_own[card]
        player.descending_case[card] = player.pattern.descending_own[card]
        player.ascending_open[card] = (1 << __builtin_popcountll(others & under(numbers[card]))) - 1
        player.descending_open[card] = everyone & ~((1 << __builtin_popcountll(others & upto(numbers[card]))) - 1)
    for card in range(other_count):
        set_top(player, OTHERS + card, other_numbers[card], hand, step)
        player.ascending_open[OTHERS + card] = (1 << card) - 1
        player.descending_open[OTHERS + card] = everyone & ~((2 << card) - 1)
        player.not_above[card] = __builtin_popcountll(hand & upto(other_numbers[card]))
        player.below[card] = __builtin_popcountll(hand & under(other_numbers[card]))
    player.ascending_case[ORIGINAL] = ascending_case(hand, ascending, step)
    player.descending_case[ORIGINAL] = descending_case(hand, descending, step)
    player.ascending_open[ORIGINAL] = (1 << __builtin_popcountll(others & under(ascending))) - 1
    player.descending_open[ORIGINAL] = everyone & ~((1 << __builtin_popcountll(others & upto(descending))) - 1)


cdef void set_up(Duel *duel, const Packed *p, int step) noexcept nogil:
    """The relations of a well-formed position."""
    cdef uint8_t mover[HAND]
    cdef uint8_t opponent[HAND]
    cdef int mover_count = spread(p.mover_hand, mover)
    cdef int opponent_count = spread(p.opponent_hand, opponent)
    relate(&duel.mover, p.mover_hand, mover, mover_count, p.opponent_hand, opponent, opponent_count,
           p.mover_ascending, p.mover_descending, step)
    relate(&duel.opponent, p.opponent_hand, opponent, opponent_count, p.mover_hand, mover, mover_count,
           p.opponent_ascending, p.opponent_descending, step)
    duel.mover_cards = (1 << mover_count) - 1
    duel.opponent_cards = (1 << opponent_count) - 1


cdef int fault(const Packed *p, int highest) noexcept nogil:
    """0 if the position is well-formed (RULES.md); the sentence that says why not is made in Python."""
    cdef uint64_t numbers = under(highest) & ~<uint64_t> 3
    cdef uint64_t once, twice, top
    cdef int i
    cdef uint8_t tops[4]
    tops[0], tops[1] = p.mover_ascending, p.mover_descending
    tops[2], tops[3] = p.opponent_ascending, p.opponent_descending
    if (p.mover_hand | p.opponent_hand) & ~numbers or not p.mover_hand:
        return 1
    if __builtin_popcountll(p.mover_hand) > HAND or __builtin_popcountll(p.opponent_hand) > HAND:
        return 1
    for i in range(4):
        if not 1 + i % 2 <= tops[i] < highest + i % 2:
            return 1
    once, twice = p.mover_hand | p.opponent_hand, p.mover_hand & p.opponent_hand
    for i in range(4):
        top = (<uint64_t> 1 << tops[i]) & numbers
        if twice & top:
            return 1
        twice |= once & top
        once |= top
    return 0
