"""From a packed position to the relations that the search looks at (`_duel.pxd`)."""

from backtrick._bits cimport __builtin_ctzll, __builtin_popcountll
from backtrick.face_to_face._laying cimport HAND, case_number, laying


cdef int check_deck(int highest, int step) except -1:
    """Raises unless `Rules` allows these. Then all shifts by them, and by the numbers of a well-formed position, are defined."""
    if not 4 <= highest <= HIGHEST:
        raise ValueError(f"highest is 4..{HIGHEST}, not {highest}")
    if not 1 <= step <= HIGHEST:
        raise ValueError(f"step is 1..{HIGHEST}, not {step}")
    return 0


cdef int check_position(const Packed *position, int highest) except -1:
    """Raises unless the position is well-formed. A position of a smaller deck is well-formed in the published deck too."""
    if fault(position, highest):
        raise ValueError("the position is not well-formed")
    return 0


cdef Packed read_position(tuple row, int highest) except *:
    """Six integers in the order of POSITION_DTYPE as a well-formed position."""
    cdef Packed position
    (position.mover_hand, position.opponent_hand, position.mover_ascending, position.mover_descending,
     position.opponent_ascending, position.opponent_descending) = row
    check_position(&position, highest)
    return position


cdef inline void spread(uint64_t hand, uint8_t *numbers) noexcept nogil:
    """The numbers of a hand, ascending."""
    cdef int count = 0
    while hand:
        numbers[count] = __builtin_ctzll(hand)
        hand &= hand - 1
        count += 1


cdef inline void look_closer(
    Player *player, uint64_t hand, const Player *other, int step,
) noexcept nogil:
    """Fills what depends on the other's cards: how many own cards lie below each, and what each is as a top of an own pile."""
    cdef int card, number, not_above, below, everyone = 1 << other.count
    for card in range(other.count):
        number = other.numbers[card]
        not_above, below = __builtin_popcountll(hand & upto(number)), __builtin_popcountll(hand & under(number))
        player.not_above[card], player.below[card] = not_above, below
        player.ascending_case[OTHERS + card] = case_number(not_above, trick_below(hand, number, step))
        player.descending_case[OTHERS + card] = case_number(HAND - below, trick_above(hand, player.count, number, step))
        player.ascending_open[OTHERS + card] = (1 << card) - 1
        player.descending_open[OTHERS + card] = everyone - (2 << card)


cdef inline void look_at_tops(Player *player, const Player *other) noexcept nogil:
    """Fills what depends on the player's cards as tops. How many of the other's cards lie below them is read from the other."""
    cdef int card, everyone = 1 << other.count
    for card in range(player.count):
        player.ascending_case[card] = player.pattern.ascending_own[card]
        player.descending_case[card] = player.pattern.descending_own[card]
        player.ascending_open[card] = (1 << other.below[card]) - 1
        player.descending_open[card] = everyone - (1 << other.not_above[card])


cdef void look_closely(Duel *duel, const Packed *p, int step) noexcept nogil:
    """The rest of the relations, after `look_at_own` and `look_at_other` for both players."""
    spread(p.mover_hand, duel.mover.numbers)
    spread(p.opponent_hand, duel.opponent.numbers)
    look_closer(&duel.mover, p.mover_hand, &duel.opponent, step)
    look_closer(&duel.opponent, p.opponent_hand, &duel.mover, step)
    look_at_tops(&duel.mover, &duel.opponent)
    look_at_tops(&duel.opponent, &duel.mover)


cdef void set_up(Duel *duel, const Packed *p, int step) noexcept nogil:
    """All relations of a well-formed position."""
    look_at_own(laying(), &duel.mover, p.mover_hand, p.mover_ascending, p.mover_descending, step)
    look_at_own(laying(), &duel.opponent, p.opponent_hand, p.opponent_ascending, p.opponent_descending, step)
    look_at_other(&duel.mover, p.opponent_hand, p.mover_ascending, p.mover_descending)
    look_at_other(&duel.opponent, p.mover_hand, p.opponent_ascending, p.opponent_descending)
    look_closely(duel, p, step)
