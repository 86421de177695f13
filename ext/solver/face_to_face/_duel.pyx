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


cdef inline int trick_below(uint64_t hand, int top, int step) noexcept nogil:
    """The back trick's part of an ascending pile's case (`_laying.pxd`)."""
    if top > step and hand >> top - step & 1:
        return __builtin_popcountll(hand & upto(top - step))
    return 0


cdef inline int trick_above(uint64_t hand, int top, int step) noexcept nogil:
    if top + step < 64 and hand >> top + step & 1:
        return HAND - __builtin_popcountll(hand & under(top + step))
    return 0


cdef int ascending_case(uint64_t hand, int top, int step) noexcept nogil:
    return case_number(__builtin_popcountll(hand & upto(top)), trick_below(hand, top, step))


cdef int descending_case(uint64_t hand, int top, int step) noexcept nogil:
    return case_number(HAND - __builtin_popcountll(hand & under(top)), trick_above(hand, top, step))


cdef void look_at_own(Player *player, uint64_t hand, int ascending, int descending, int step) noexcept nogil:
    """What the player can lay at once on the own piles."""
    player.count = spread(hand, player.numbers)
    player.pattern = pattern_of(hand, player.numbers, player.count, step)
    player.ascending_case[ORIGINAL] = ascending_case(hand, ascending, step)
    player.descending_case[ORIGINAL] = descending_case(hand, descending, step)


cdef void look_at_other(Player *player, uint64_t others, int ascending, int descending) noexcept nogil:
    """What the other can lay at once on the player's piles."""
    player.ascending_open[ORIGINAL] = (1 << __builtin_popcountll(others & under(ascending))) - 1
    player.descending_open[ORIGINAL] = (
        (1 << __builtin_popcountll(others)) - (1 << __builtin_popcountll(others & upto(descending))))


cdef inline void look_closer(
    Player *player, uint64_t hand, const uint8_t *other_numbers, int other_count, uint64_t others, int step,
) noexcept nogil:
    """All other relations of one player's piles and hand."""
    cdef int card, number, not_above, below, everyone = (1 << other_count) - 1
    for card in range(player.count):
        number = player.numbers[card]
        player.ascending_case[card] = player.pattern.ascending_own[card]
        player.descending_case[card] = player.pattern.descending_own[card]
        player.ascending_open[card] = (1 << __builtin_popcountll(others & under(number))) - 1
        player.descending_open[card] = everyone & ~((1 << __builtin_popcountll(others & upto(number))) - 1)
    for card in range(other_count):
        number = other_numbers[card]
        not_above, below = __builtin_popcountll(hand & upto(number)), __builtin_popcountll(hand & under(number))
        player.not_above[card], player.below[card] = not_above, below
        player.ascending_case[OTHERS + card] = case_number(not_above, trick_below(hand, number, step))
        player.descending_case[OTHERS + card] = case_number(HAND - below, trick_above(hand, number, step))
        player.ascending_open[OTHERS + card] = (1 << card) - 1
        player.descending_open[OTHERS + card] = everyone & ~((2 << card) - 1)


cdef void look_closely(Duel *duel, const Packed *p, int step) noexcept nogil:
    """The rest of the relations, after `look_at_own` and `look_at_other` for both players."""
    look_closer(&duel.mover, p.mover_hand, duel.opponent.numbers, duel.opponent.count, p.opponent_hand, step)
    look_closer(&duel.opponent, p.opponent_hand, duel.mover.numbers, duel.mover.count, p.mover_hand, step)


cdef void set_up(Duel *duel, const Packed *p, int step) noexcept nogil:
    """All relations of a well-formed position."""
    look_at_own(&duel.mover, p.mover_hand, p.mover_ascending, p.mover_descending, step)
    look_at_own(&duel.opponent, p.opponent_hand, p.opponent_ascending, p.opponent_descending, step)
    look_at_other(&duel.mover, p.opponent_hand, p.mover_ascending, p.mover_descending)
    look_at_other(&duel.opponent, p.mover_hand, p.opponent_ascending, p.opponent_descending)
    look_closely(duel, p, step)


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
