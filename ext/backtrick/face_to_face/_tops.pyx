"""What the tops of a pattern can be, their digits, and the slot of a position in its pattern (`_tops.pxd`)."""

from libc.string cimport memset

import numpy as np

from backtrick._bits cimport __builtin_ctzll, __builtin_popcountll
from backtrick.face_to_face._hands cimport MOVER, OPPONENT, Hands

ENTRY_DTYPE = np.dtype([
    ("offset", "u8"), ("strides", "u4", PILES), ("sizes", "u1", PILES), ("first", "u1", (PILES, PLACES)),
    ("tricks", "u1", (PILES, PLACES)), ("turned", "u1"),
], align=True)


cdef void fill_pile(Entry *entry, const Hands *hands, int pile) noexcept nogil:
    """Finds the tops that one pile can have: for every place, one without a trick and one for each card that can be the trick."""
    cdef int owner = MOVER if pile < 2 else OPPONENT
    cdef bint ascending = pile % 2 == 0
    cdef int i, other, partner, low, high, place, card = 0
    cdef uint8_t *tricks = entry.tricks[pile]
    memset(tricks, 0, PLACES)
    for i in range(hands.count):
        if not hands.holders[i] & owner:
            continue
        partner = hands.higher[i] if ascending else hands.lower[i]
        if partner >= 0:
            # The top shows the partner's number, so only one hand may hold that number too (F1).
            if hands.holders[partner] != (MOVER | OPPONENT):
                tricks[partner + (1 if (hands.holders[partner] == owner) == ascending else 0)] |= 1 << card
        else:
            low = i + 1 if ascending else 0
            high = hands.count if ascending else i
            for other in range(hands.count):
                partner = hands.higher[other] if ascending else hands.lower[other]
                if partner >= 0 and other < i:
                    low = max(low, partner + 1)
                elif partner >= 0 and other > i:
                    high = min(high, partner)
            for place in range(low, high + 1):
                tricks[place] |= 1 << card
        card += 1
    entry.sizes[pile] = 0
    for place in range(hands.count + 1):
        entry.first[pile][place] = entry.sizes[pile]
        entry.sizes[pile] += 1 + __builtin_popcountll(tricks[place])


cdef uint64_t fill_entry(Entry *entry, const Hands *hands) noexcept nogil:
    """Fills the entry of a pattern as if its slots were the first of a table; returns how many slots it has."""
    cdef int pile
    cdef uint64_t slots = 1
    for pile in range(PILES - 1, -1, -1):
        fill_pile(entry, hands, pile)
        entry.strides[pile] = slots
        slots *= entry.sizes[pile]
    entry.offset = entry.turned = 0
    return slots


cdef void mirror_entry(Entry *entry, const Entry *image, int elements) noexcept nogil:
    """Makes a filled entry lead to the slots of its mirror image: there `digit_of` counts places and piles from the other end."""
    cdef int pile, place
    entry.offset = image.offset
    entry.turned = 1
    for pile in range(PILES):
        entry.strides[pile] = image.strides[pile ^ 1]
        for place in range(elements + 1):
            entry.first[pile][place] = image.first[pile ^ 1][elements - place]


cdef int list_tops(const Entry *entry, int pile, int places, TopClass *tops) noexcept nogil:
    """The tops of a pile in the order of their digits; returns how many."""
    cdef int place, rest, count = 0
    for place in range(places):
        tops[count].place, tops[count].trick = place, NOWHERE
        count += 1
        rest = entry.tricks[pile][place]
        while rest:
            tops[count].place, tops[count].trick = place, __builtin_ctzll(rest)
            rest &= rest - 1
            count += 1
    return count


cdef void tops_of_slot(TopClass *found, const Entry *entry, int elements, uint64_t slot) noexcept nogil:
    """The four tops of a slot of a pattern. slot: counted from the pattern's first."""
    cdef TopClass tops[MOST_DIGITS]
    cdef int pile
    for pile in range(PILES - 1, -1, -1):
        list_tops(entry, pile, elements + 1, tops)
        found[pile] = tops[slot % entry.sizes[pile]]
        slot //= entry.sizes[pile]


cdef tuple describe_slot(const Hands *hands, const Entry *entry, uint64_t slot):
    """What a slot of a pattern stands for, like `TableIndex.describe`. slot: counted from the pattern's first."""
    cdef TopClass tops[PILES]
    cdef int i
    tops_of_slot(tops, entry, hands.count, slot)
    holders = tuple([hands.holders[i] for i in range(hands.count)])
    higher = tuple([hands.higher[i] for i in range(hands.count)])
    return holders, higher, tuple([(tops[i].place, None if tops[i].trick == NOWHERE else tops[i].trick) for i in range(PILES)])


cdef uint64_t slot_within(const Entry *entry, const Packed *p, int step) noexcept nogil:
    """The slot of a well-formed position of a pattern."""
    cdef uint64_t mover = p.mover_hand, opponent = p.opponent_hand, numbers = mover | opponent
    cdef int turned = entry.turned
    return entry.offset + (
        digit_of(entry, 0, mover, numbers, p.mover_ascending, step, turned) * <uint64_t> entry.strides[0]
        + digit_of(entry, 1, mover, numbers, p.mover_descending, step, turned) * <uint64_t> entry.strides[1]
        + digit_of(entry, 2, opponent, numbers, p.opponent_ascending, step, turned) * <uint64_t> entry.strides[2]
        + digit_of(entry, 3, opponent, numbers, p.opponent_descending, step, turned) * <uint64_t> entry.strides[3])
