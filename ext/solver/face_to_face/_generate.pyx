"""Fills a table by solving each of its classes; no other table is read (`_verify.pyx` is the other way)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from solver.face_to_face._classes cimport (
    MOST_DIGITS,
    PILES,
    Entry,
    Hands,
    TableIndex,
    TopClass,
    check_slots,
    list_tops,
    set_hands,
    set_top,
    unrank_hands,
)
from solver.face_to_face._duel cimport Duel, at_start
from solver.face_to_face._search cimport value


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
            entry = &index.entries[index.kept[kept]]
            unrank_hands(&hands, index.kept[kept], index.mover_count, index.opponent_count)
            kept += 1
            end = min(stop, index.entries[index.kept[kept]].offset if kept < index.kept_count else index.size)
            fill_pattern(&values[slot - start], &hands, entry, slot - entry.offset, end - slot, 1 if lone_card else 2)
            slot = end
