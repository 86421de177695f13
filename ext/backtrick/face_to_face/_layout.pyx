"""Builds the look-up tables of `_layout.pxd`, once, when the module is imported; and turns a packed position into the relations
that the search looks at."""

from libc.string cimport memset

import numpy as np

from backtrick._bits cimport __builtin_ctzll, __builtin_popcountll

cdef Laying tables


cdef const Laying *laying() noexcept nogil:
    return &tables


cdef void build_subsets() noexcept nogil:
    cdef int subset, cards, card, other, rank, trick
    for rank in range(HAND + 1):
        for trick in range(rank + 1):
            tables.plain[case_number(rank, trick)] = case_number(rank, 0)
    for subset in range(SUBSETS):
        tables.size[subset] = __builtin_popcountll(subset)
        for other in range(SUBSETS):
            if (other & ~subset) == 0:
                tables.within[subset] |= <uint64_t> 1 << other
        for card in range(HAND + 2):
            if tables.size[subset] >= card:
                tables.at_least[card] |= <uint64_t> 1 << subset
        for cards in range(SUBSETS):
            for card in range(HAND):
                if ((subset & cards) >> card) & 1:
                    tables.less_one[subset][cards] |= <uint64_t> 1 << (subset ^ (1 << card))


cdef void build_reach(const uint8_t *next_after, uint64_t *reach) noexcept nogil:
    """reach[first * HAND + last]: the subsets that can be laid on one pile, by first and last card."""
    cdef int first, last, card, subset
    memset(reach, 0, HAND * HAND * sizeof(uint64_t))
    for first in range(HAND):
        reach[first * HAND + first] = <uint64_t> 1 << (1 << first)
        for subset in range(SUBSETS):  # a longer subset is a greater number, so one pass upwards suffices
            for last in range(HAND):
                if (reach[first * HAND + last] >> subset) & 1:
                    for card in range(HAND):
                        if next_after[last] & ~subset & (1 << card):
                            reach[first * HAND + card] |= <uint64_t> 1 << (subset | (1 << card))


cdef void build_pattern(Pattern *p, const uint8_t *lower, const uint8_t *higher) noexcept nogil:
    cdef uint8_t up[HAND]
    cdef uint8_t down[HAND]
    cdef uint64_t reach_up[HAND * HAND]
    cdef uint64_t reach_down[HAND * HAND]
    cdef uint64_t all_up[CASES]
    cdef uint64_t all_down[CASES]
    cdef int card, rank, trick, case, first_up, first_down, first, last, other
    for card in range(HAND):
        p.lower[card], p.higher[card] = lower[card], higher[card]
        up[card] = (63 & ~((2 << card) - 1)) | lower[card]      # F5
        down[card] = ((1 << card) - 1) | higher[card]           # F6
        p.ascending_own[card] = case_number(card + 1, __builtin_ctzll(lower[card]) + 1 if lower[card] else 0)
        p.descending_own[card] = case_number(HAND - card, HAND - __builtin_ctzll(higher[card]) if higher[card] else 0)
    build_reach(up, reach_up)
    build_reach(down, reach_down)
    for rank in range(HAND + 1):
        for trick in range(rank + 1):
            case = case_number(rank, trick)
            first_up = 63 & ~((1 << rank) - 1)
            first_down = (1 << (HAND - rank)) - 1
            if trick:
                first_up |= 1 << (trick - 1)
                first_down |= 1 << (HAND - trick)
            all_up[case] = all_down[case] = 1
            for last in range(HAND):
                for first in range(HAND):
                    if (first_up >> first) & 1:
                        p.ascending[case][last] |= reach_up[first * HAND + last]
                    if (first_down >> first) & 1:
                        p.descending[case][last] |= reach_down[first * HAND + last]
                all_up[case] |= p.ascending[case][last]
                all_down[case] |= p.descending[case][last]
    for case in range(CASES):
        for other in range(CASES):
            p.both[case][other] = joined(all_up[case], all_down[other], tables.within)


cdef int build() noexcept nogil:
    """Builds the look-ups of every pattern: the cards with a partner above are matched, in order, to those with one below."""
    cdef uint8_t lower[HAND]
    cdef uint8_t higher[HAND]
    cdef int above, below, rest_above, rest_below, low, high, possible, count = 0
    memset(&tables, 0, sizeof(Laying))
    memset(tables.pattern_of, 255, sizeof(tables.pattern_of))
    build_subsets()
    for above in range(SUBSETS):
        for below in range(SUBSETS):
            if tables.size[above] != tables.size[below]:
                continue
            memset(lower, 0, HAND)
            memset(higher, 0, HAND)
            rest_above, rest_below, possible = above, below, 1
            while rest_above:
                low, high = __builtin_ctzll(rest_above), __builtin_ctzll(rest_below)
                rest_above &= rest_above - 1
                rest_below &= rest_below - 1
                if low >= high:
                    possible = 0
                    break
                higher[low], lower[high] = 1 << high, 1 << low
            if possible:
                if count < PATTERNS:
                    tables.pattern_of[above][below] = count
                    build_pattern(&tables.patterns[count], lower, higher)
                count += 1
    return count


if build() != PATTERNS:
    raise AssertionError("the patterns of six cards are 132, the sixth Catalan number")


PATTERN_DTYPE = np.dtype([
    ("both", "u8", (CASES, CASES)), ("ascending", "u8", (CASES, HAND)), ("descending", "u8", (CASES, HAND)),
    ("ascending_own", "u1", HAND), ("descending_own", "u1", HAND), ("lower", "u1", HAND), ("higher", "u1", HAND),
], align=True)


def look_ups():
    """A copy of every look-up table of this module by its name in `_layout.pxd`, for tests."""
    cdef uint64_t[::1] within = <uint64_t[:SUBSETS]> &tables.within[0]  # Cython needs one memoryview with a type
    return {
        "patterns": np.frombuffer((<char *> &tables.patterns[0])[:PATTERNS * sizeof(Pattern)], PATTERN_DTYPE),
        "pattern_of": np.array(<uint8_t[:SUBSETS, :SUBSETS]> &tables.pattern_of[0][0]),
        "within": np.array(within),
        "less_one": np.array(<uint64_t[:SUBSETS, :SUBSETS]> &tables.less_one[0][0]),
        "at_least": np.array(<uint64_t[:HAND + 2]> &tables.at_least[0]),
        "size": np.array(<uint8_t[:SUBSETS]> &tables.size[0]),
        "plain": np.array(<uint8_t[:CASES]> &tables.plain[0]),
    }


cdef int read_rules(int code) except -1:
    """`keep`, the fewest cards with which a player can have a turn: 2, or 1 with a lone card (F13). code: `Rules.code`."""
    if code not in (0, 1):
        raise ValueError(f"rules must be numbered 0 or 1, not {code}")
    return 2 - code


cdef int check_position(const Packed *position) except -1:
    """Raises unless the position is well-formed."""
    if fault(position):
        raise ValueError("the position is not well-formed")
    return 0


cdef Packed read_position(tuple row) except *:
    """Six integers in the order of POSITION_DTYPE as a well-formed position."""
    cdef Packed position
    (position.mover_hand, position.opponent_hand, position.mover_ascending, position.mover_descending,
     position.opponent_ascending, position.opponent_descending) = row
    check_position(&position)
    return position


cdef inline void spread(uint64_t hand, uint8_t *numbers) noexcept nogil:
    """The numbers of a hand, ascending."""
    cdef int count = 0
    while hand:
        numbers[count] = __builtin_ctzll(hand)
        hand &= hand - 1
        count += 1


cdef inline void look_closer(
    Player *player, uint64_t hand, const Player *other,
) noexcept nogil:
    """Fills what depends on the opponent's cards: how many own cards lie below each, and what each is as a top of an own pile."""
    cdef int card, number, not_above, below, everyone = 1 << other.count
    for card in range(other.count):
        number = other.numbers[card]
        not_above, below = __builtin_popcountll(hand & upto(number)), __builtin_popcountll(hand & under(number))
        player.not_above[card], player.below[card] = not_above, below
        player.ascending_case[OTHERS + card] = case_number(not_above, trick_below(hand, number))
        player.descending_case[OTHERS + card] = case_number(HAND - below, trick_above(hand, player.count, number))
        player.ascending_open[OTHERS + card] = (1 << card) - 1
        player.descending_open[OTHERS + card] = everyone - (2 << card)


cdef inline void look_at_tops(Player *player, const Player *other) noexcept nogil:
    """Fills what depends on the player's cards as tops. The opponent's relations give how many of its cards lie below them."""
    cdef int card, everyone = 1 << other.count
    for card in range(player.count):
        player.ascending_case[card] = player.pattern.ascending_own[card]
        player.descending_case[card] = player.pattern.descending_own[card]
        player.ascending_open[card] = (1 << other.below[card]) - 1
        player.descending_open[card] = everyone - (1 << other.not_above[card])


cdef void look_closely(Endgame *endgame, const Packed *p) noexcept nogil:
    """The rest of the relations, after `look_at_own` and `look_at_other` for both players."""
    spread(p.mover_hand, endgame.mover.numbers)
    spread(p.opponent_hand, endgame.opponent.numbers)
    look_closer(&endgame.mover, p.mover_hand, &endgame.opponent)
    look_closer(&endgame.opponent, p.opponent_hand, &endgame.mover)
    look_at_tops(&endgame.mover, &endgame.opponent)
    look_at_tops(&endgame.opponent, &endgame.mover)


cdef void set_up(Endgame *endgame, const Packed *p) noexcept nogil:
    """All relations of a well-formed position."""
    look_at_own(laying(), &endgame.mover, p.mover_hand, p.mover_ascending, p.mover_descending)
    look_at_own(laying(), &endgame.opponent, p.opponent_hand, p.opponent_ascending, p.opponent_descending)
    look_at_other(&endgame.mover, p.opponent_hand, p.mover_ascending, p.mover_descending)
    look_at_other(&endgame.opponent, p.mover_hand, p.opponent_ascending, p.opponent_descending)
    look_closely(endgame, p)
