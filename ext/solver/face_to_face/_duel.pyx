"""From a packed position to the relations that the search looks at (`_duel.pxd`)."""

from solver.face_to_face._laying cimport (
    HAND,
    __builtin_ctzll,
    __builtin_popcountll,
    case_number,
    laying,
)


cdef inline void spread(uint64_t hand, uint8_t *numbers) noexcept nogil:
    """The numbers of a hand, ascending."""
    cdef int count = 0
    while hand:
        numbers[count] = __builtin_ctzll(hand)
        hand &= hand - 1
        count += 1


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
    spread(p.mover_hand, duel.mover.numbers)
    spread(p.opponent_hand, duel.opponent.numbers)
    look_closer(&duel.mover, p.mover_hand, duel.opponent.numbers, duel.opponent.count, p.opponent_hand, step)
    look_closer(&duel.opponent, p.opponent_hand, duel.mover.numbers, duel.mover.count, p.mover_hand, step)


cdef void set_up(Duel *duel, const Packed *p, int step) noexcept nogil:
    """All relations of a well-formed position."""
    look_at_own(laying(), &duel.mover, p.mover_hand, p.mover_ascending, p.mover_descending, step)
    look_at_own(laying(), &duel.opponent, p.opponent_hand, p.opponent_ascending, p.opponent_descending, step)
    look_at_other(&duel.mover, p.opponent_hand, p.mover_ascending, p.mover_descending)
    look_at_other(&duel.opponent, p.mover_hand, p.opponent_ascending, p.opponent_descending)
    look_closely(duel, p, step)
