"""The index of a table: which patterns have slots in it, and where (`_index.pxd`)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

import numpy as np

from solver._arguments cimport check_room, check_span
from solver._bits cimport __builtin_popcountll
from solver.face_to_face._duel cimport Packed, check_deck, fault
from solver.face_to_face._hands cimport (
    Hands,
    check_sizes,
    mirror_hands,
    pattern_count,
    pattern_of_hands,
    rank_hands,
    unrank_hands,
)
from solver.face_to_face._tops cimport Entry, describe_slot, fill_entry, mirror_entry, slot_within

from solver.face_to_face._tops import ENTRY_DTYPE


cdef uint64_t slot_of(const Entry *entries, const Packed *p, int step) noexcept nogil:
    """The slot of a well-formed position. entries: of its table."""
    return slot_within(&entries[pattern_of_hands(p.mover_hand, p.opponent_hand, step)], p, step)


cdef int check_slots(TableIndex index, uint64_t start, uint64_t count) except -1:
    """Raises unless the table has `count` slots from `start` on."""
    if start > index.size or count > index.size - start:
        raise IndexError(f"slots {start}..{<object> start + count} of {index.size}")
    return 0


cdef class TableIndex:
    """The index of the table of all positions in which the mover holds k cards and the opponent m.

    Its slots are 0..size-1. Of a class and its mirror image one has a slot: the one whose pattern has the smaller number. If both
    have the same pattern, each has a slot. A few slots belong to no class that fits the deck.

    >>> index = TableIndex(1, 1)
    >>> index.patterns, index.unfolded, index.size
    (5, 1393, 737)
    """

    def __cinit__(self, int mover_count, int opponent_count):
        cdef uint32_t rank
        cdef uint64_t slots, image_rank
        cdef Hands hands
        cdef Hands image
        cdef Entry *entry
        check_sizes(mover_count, opponent_count)
        self.mover_count, self.opponent_count = mover_count, opponent_count
        if pattern_count(mover_count, opponent_count, 0) > 10_000_000:
            raise ValueError(f"{mover_count} v {opponent_count} has {pattern_count(mover_count, opponent_count, 0):,} "
                             "patterns, more than are indexed in memory")
        self.patterns = pattern_count(mover_count, opponent_count, 0)
        check_room(self.patterns, sizeof(Entry))
        self.entries = <Entry *> calloc(self.patterns, sizeof(Entry))
        self.kept = <uint32_t *> calloc(self.patterns, sizeof(uint32_t))
        if self.entries == NULL or self.kept == NULL:
            raise MemoryError()
        with nogil:
            for rank in range(self.patterns):
                entry = &self.entries[rank]
                unrank_hands(&hands, rank, mover_count, opponent_count)
                slots = fill_entry(entry, &hands)
                self.unfolded += slots
                mirror_hands(&image, &hands)
                image_rank = rank_hands(&image)
                if image_rank < rank:
                    mirror_entry(entry, &self.entries[image_rank], hands.count)
                    continue
                entry.offset = self.size
                self.size += slots
                self.kept[self.kept_count] = rank
                self.kept_count += 1

    def __dealloc__(self):
        free(self.entries)
        free(self.kept)

    cdef uint32_t pattern_at(self, uint64_t slot) noexcept nogil:
        """The pattern that a slot belongs to, as a place in `kept`."""
        cdef uint32_t low = 0, high = self.kept_count, middle
        while high - low > 1:
            middle = (low + high) // 2
            if self.entries[self.kept[middle]].offset <= slot:
                low = middle
            else:
                high = middle
        return low

    def rank_range(self, const Packed[:] positions not None, uint64_t[:] slots not None, Py_ssize_t start, Py_ssize_t stop,
                   int highest, int step):
        """Fills slots[start:stop] with the slots of positions. Returns -1, or the place of the first position that is not
        well-formed or not of this table."""
        cdef Py_ssize_t i
        check_span(start, stop, min(positions.shape[0], slots.shape[0]))
        check_deck(highest, step)
        with nogil:
            for i in range(start, stop):
                if (fault(&positions[i], highest) or __builtin_popcountll(positions[i].mover_hand) != self.mover_count
                        or __builtin_popcountll(positions[i].opponent_hand) != self.opponent_count):
                    break
                slots[i] = slot_of(self.entries, &positions[i], step)
            else:
                i = -1
        return i

    def unfold_range(self, uint8_t[::1] marks not None, uint64_t start):
        """Doubles the marks of slots, from `start` on, whose mirror image has no slot: such a slot stands for two classes."""
        cdef uint64_t slot = start, stop = start + marks.shape[0], end
        cdef uint32_t kept
        cdef Hands hands
        cdef Hands image
        check_slots(self, start, marks.shape[0])
        if start == stop:
            return
        with nogil:
            kept = self.pattern_at(start)
            while slot < stop:
                unrank_hands(&hands, self.kept[kept], self.mover_count, self.opponent_count)
                mirror_hands(&image, &hands)
                kept += 1
                end = min(stop, self.entries[self.kept[kept]].offset if kept < self.kept_count else self.size)
                if rank_hands(&image) == self.kept[kept - 1]:
                    slot = end
                while slot < end:
                    marks[slot - start] *= 2
                    slot += 1

    def look_ups(self):
        """A copy of `entries` and `kept`, for tests."""
        return {
            "entries": np.frombuffer((<char *> self.entries)[:self.patterns * sizeof(Entry)], ENTRY_DTYPE),
            "kept": np.array(<uint32_t[:self.kept_count]> self.kept),
        }

    def describe(self, uint64_t slot):
        """What a slot stands for, as (holders, higher, tops): per element 1 mover, 2 opponent, 3 both; the element a
        back trick above, or -1; per pile in the order of POSITION_DTYPE (place, trick or None)."""
        cdef Hands hands
        cdef const Entry *entry
        cdef uint32_t rank
        if slot >= self.size:
            raise IndexError(f"slot {slot} of {self.size}")
        rank = self.kept[self.pattern_at(slot)]
        entry = &self.entries[rank]
        unrank_hands(&hands, rank, self.mover_count, self.opponent_count)
        return describe_slot(&hands, entry, slot - entry.offset)


def slots_of_range(int mover_count, int opponent_count, uint64_t start, uint64_t stop):
    """How many slots the patterns start..stop-1 have, with mirror images counted too, and how many of these belong to patterns
    that are their own mirror images. No index is needed, so this works for every table.

    >>> slots_of_range(1, 1, 0, 5)
    (1393, 81)
    """
    cdef uint64_t rank, slots, total = 0, symmetric = 0
    cdef Hands hands
    cdef Hands image
    cdef Entry entry
    check_sizes(mover_count, opponent_count)
    if start > stop or stop > pattern_count(mover_count, opponent_count, 0):
        raise IndexError(f"patterns {start}..{stop} of {mover_count} v {opponent_count}")
    with nogil:
        for rank in range(start, stop):
            unrank_hands(&hands, rank, mover_count, opponent_count)
            slots = fill_entry(&entry, &hands)
            total += slots
            mirror_hands(&image, &hands)
            if rank_hands(&image) == rank:
                symmetric += slots
    return total, symmetric
