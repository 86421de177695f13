"""Fills a table by solving each of its classes; no other table is read (`_verify.pyx` is the other way)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from backtrick.face_to_face._duel cimport ORIGINAL, OTHERS, Duel, Player, at_start
from backtrick.face_to_face._hands cimport ELEMENTS, MOVER, OPPONENT, Hands, unrank_hands
from backtrick.face_to_face._index cimport TableIndex, check_slots, entry_at, rank_at
from backtrick.face_to_face._laying cimport HAND, case_number, laying
from backtrick.face_to_face._search cimport value
from backtrick.face_to_face._tops cimport MOST_DIGITS, NOWHERE, PILES, Entry, TopClass, list_tops


cdef inline void set_side(Player *player, const Hands *hands, int owner) noexcept nogil:
    """Fills all that the hands alone decide about a player."""
    cdef int own = 0, others = 0, other_count = 0, i, holder, above = 0, below = 0
    cdef int seat[ELEMENTS]
    for i in range(hands.count):
        seat[i] = own
        own += (hands.holders[i] & owner) != 0
        other_count += hands.holders[i] != owner
    player.count = own
    own = 0
    for i in range(hands.count):
        if hands.holders[i] & owner:
            if hands.higher[i] >= 0 and hands.holders[hands.higher[i]] & owner:
                above |= 1 << own
            if hands.lower[i] >= 0 and hands.holders[hands.lower[i]] & owner:
                below |= 1 << own
            own += 1
    player.pattern = &laying().patterns[laying().pattern_of[above][below]]
    own = 0
    for i in range(hands.count):
        holder = hands.holders[i]
        if holder != owner:  # the other holds it: it may become a top of this player's piles
            player.below[others] = own
            player.not_above[others] = own + ((holder & owner) != 0)
            player.ascending_case[OTHERS + others] = case_number(
                player.not_above[others],
                seat[hands.lower[i]] + 1 if hands.lower[i] >= 0 and hands.holders[hands.lower[i]] & owner else 0)
            player.descending_case[OTHERS + others] = case_number(
                HAND - own,
                HAND - seat[hands.higher[i]] if hands.higher[i] >= 0 and hands.holders[hands.higher[i]] & owner else 0)
            player.ascending_open[OTHERS + others] = (1 << others) - 1
            player.descending_open[OTHERS + others] = (1 << other_count) - (2 << others)
        if holder & owner:
            player.ascending_case[own] = player.pattern.ascending_own[own]
            player.descending_case[own] = player.pattern.descending_own[own]
            player.ascending_open[own] = (1 << others) - 1
            player.descending_open[own] = (1 << other_count) - (1 << (others + (holder != owner)))
            own += 1
        others += holder != owner


cdef void set_hands(Duel *duel, const Hands *hands) noexcept nogil:
    """Fills the duel of a pattern, except the tops of the piles."""
    set_side(&duel.mover, hands, MOVER)
    set_side(&duel.opponent, hands, OPPONENT)


cdef void set_top(Duel *duel, const Hands *hands, int pile, TopClass top) noexcept nogil:
    """Sets the top of one pile in a duel made by `set_hands`."""
    cdef Player *player = &duel.mover if pile < 2 else &duel.opponent
    cdef int owner = MOVER if pile < 2 else OPPONENT
    cdef int i, own = 0, others = 0, other_count = 0, trick = 0
    for i in range(hands.count):
        if i < top.place:
            own += (hands.holders[i] & owner) != 0
            others += hands.holders[i] != owner
        other_count += hands.holders[i] != owner
    if pile % 2 == 0:
        if top.trick != NOWHERE:
            trick = top.trick + 1
        player.ascending_case[ORIGINAL] = case_number(own, trick)
        player.ascending_open[ORIGINAL] = (1 << others) - 1
    else:
        if top.trick != NOWHERE:
            trick = HAND - top.trick
        player.descending_case[ORIGINAL] = case_number(HAND - own, trick)
        player.descending_open[ORIGINAL] = (1 << other_count) - (1 << others)


cdef void fill_pattern(
    uint8_t *values, const Hands *hands, const Entry *entry, uint64_t first, uint64_t count, int keep,
) noexcept nogil:
    """Fills `values` with the remoteness of `count` slots of a pattern, from its slot `first` on."""
    cdef Duel duel
    cdef TopClass tops[PILES][MOST_DIGITS]
    cdef int digits[PILES]
    cdef uint64_t slot, rest = first
    cdef int pile
    set_hands(&duel, hands)
    for pile in range(PILES - 1, -1, -1):
        list_tops(entry, pile, hands.count + 1, tops[pile])
        digits[pile] = rest % entry.sizes[pile]
        rest //= entry.sizes[pile]
        set_top(&duel, hands, pile, tops[pile][digits[pile]])
    for slot in range(count):
        values[slot] = value(keep, at_start(&duel.mover), at_start(&duel.opponent))
        pile = PILES - 1
        digits[pile] += 1
        while pile and digits[pile] == entry.sizes[pile]:
            digits[pile] = 0
            set_top(&duel, hands, pile, tops[pile][0])
            pile -= 1
            digits[pile] += 1
        if digits[0] == entry.sizes[0]:
            break
        set_top(&duel, hands, pile, tops[pile][digits[pile]])


def generate_range(TableIndex index not None, uint8_t[::1] values not None, uint64_t start, bint lone_card):
    """Fills `values` with the remoteness of the slots from `start` on."""
    cdef uint64_t slot = start, stop = start + values.shape[0], end
    cdef uint32_t kept
    cdef Hands hands
    cdef const Entry *entry
    check_slots(index, start, values.shape[0])
    if start == stop:
        return
    with nogil:
        kept = index.pattern_at(start)
        while slot < stop:
            entry, end = entry_at(index, kept), min(stop, index.end_of(kept))
            unrank_hands(&hands, rank_at(index, kept), index.mover_count, index.opponent_count)
            kept += 1
            fill_pattern(&values[slot - start], &hands, entry, slot - entry.offset, end - slot, 1 if lone_card else 2)
            slot = end
