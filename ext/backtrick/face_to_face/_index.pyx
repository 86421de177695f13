"""The index of a table: which patterns have slots in it, and where (`_index.pxd`)."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

import numpy as np

from backtrick._arguments cimport check_room, check_span
from backtrick._bits cimport __builtin_popcountll
from backtrick.face_to_face._duel cimport Packed, check_deck, fault
from backtrick.face_to_face._hands cimport (
    Hands,
    check_sizes,
    mirror_hands,
    pattern_count,
    pattern_of_hands,
    rank_hands,
    unrank_hands,
)
from backtrick.face_to_face._tops cimport Entry, describe_slot, fill_entry, mirror_entry, slot_within

from backtrick.face_to_face._tops import ENTRY_DTYPE


cdef uint64_t slot_of(const Entry *entries, const Packed *p, int step) noexcept nogil:
    """The slot of a well-formed position. entries: of its whole table."""
    return slot_within(&entries[pattern_of_hands(p.mover_hand, p.opponent_hand, step)], p, step)


cdef uint64_t rank_at(TableIndex index, uint32_t kept) noexcept nogil:
    """The number of a pattern that has slots."""
    return index.first + index.kept[kept]


cdef const Entry *entry_at(TableIndex index, uint32_t kept) noexcept nogil:
    return &index.entries[index.kept[kept]]


cdef int check_whole(TableIndex index) except -1:
    """Raises unless the index is of a whole table."""
    if not index.whole:
        raise ValueError(f"the index is of a stretch of {index.mover_count}v{index.opponent_count}")
    return 0


cdef int check_slots(TableIndex index, uint64_t start, uint64_t count) except -1:
    """Raises unless the index has `count` slots from `start` on."""
    if start < index.start or start > index.stop or count > index.stop - start:
        begin = f"{index.start}.." if index.start else ""
        raise IndexError(f"slots {start}..{<object> start + count} of {begin}{index.stop}")
    return 0


cdef enum:
    ELSEWHERE = 2                          # `Entry.turned`: the mirror image lies before the stretch


cdef class TableIndex:
    """The index of the table of all positions in which the mover holds k cards and the opponent m, or of a stretch of it.

    Its slots are start..stop-1. Of a class and its mirror image one has a slot: the one whose pattern has the smaller number. If
    both have the same pattern, each has a slot. A few slots belong to no class that fits the deck.

    first, count: the patterns of a stretch; -1 for all from `first` on. first_slot: of these patterns.

    >>> index = TableIndex(1, 1)
    >>> index.patterns, index.unfolded, index.size
    (5, 1393, 737)
    >>> stretch = TableIndex(1, 1, 3, 2, index.size - TableIndex(1, 1, 3, 2).size)
    >>> stretch.stop == index.size and stretch.describe(736) == index.describe(736)
    True
    """

    def __cinit__(self, int mover_count, int opponent_count, uint64_t first=0, int64_t count=-1, uint64_t first_slot=0):
        cdef uint32_t place
        cdef uint64_t slots, rank, image_rank, patterns
        cdef Hands hands
        cdef Hands image
        cdef Entry *entry
        check_sizes(mover_count, opponent_count)
        patterns = pattern_count(mover_count, opponent_count, 0)
        if count == -1 and first <= patterns:
            count = patterns - first
        if first > patterns or not 0 <= count <= <int64_t> (patterns - first):
            raise IndexError(f"{count} patterns from {first} on, of {patterns:,}")
        if count > 10_000_000:
            raise ValueError(f"{mover_count} v {opponent_count} has {patterns:,} patterns, more than are indexed in memory")
        if first_slot > (<uint64_t> 1 << 62):
            raise ValueError(f"no table has a slot {first_slot}")
        self.mover_count, self.opponent_count = mover_count, opponent_count
        self.first, self.patterns, self.start, self.stop = first, count, first_slot, first_slot
        self.whole = self.patterns == patterns
        check_room(self.patterns, sizeof(Entry))
        self.entries = <Entry *> calloc(max(1, self.patterns), sizeof(Entry))
        self.kept = <uint32_t *> calloc(max(1, self.patterns), sizeof(uint32_t))
        if self.entries == NULL or self.kept == NULL:
            raise MemoryError()
        with nogil:
            for place in range(self.patterns):
                entry = &self.entries[place]
                rank = first + place
                unrank_hands(&hands, rank, mover_count, opponent_count)
                slots = fill_entry(entry, &hands)
                self.unfolded += slots
                mirror_hands(&image, &hands)
                image_rank = rank_hands(&image)
                if image_rank < first:
                    entry.turned = ELSEWHERE
                    continue
                if image_rank < rank:
                    mirror_entry(entry, &self.entries[image_rank - first], hands.count)
                    continue
                entry.offset = self.stop
                self.stop += slots
                self.kept[self.kept_count] = place
                self.kept_count += 1
        self.size = self.stop - first_slot

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

    cdef uint64_t end_of(self, uint32_t kept) noexcept nogil:
        """The slot behind the last of a pattern, which is given by its place in `kept`."""
        return self.entries[self.kept[kept + 1]].offset if kept + 1 < self.kept_count else self.stop

    def rank_range(self, const Packed[:] positions not None, uint64_t[:] slots not None, Py_ssize_t start, Py_ssize_t stop,
                   int highest, int step):
        """Fills slots[start:stop] with the slots of positions. Returns -1, or the place of the first position that is not
        well-formed or has no slot here. In a stretch that can be because its mirror image has one in another stretch."""
        cdef Py_ssize_t i
        cdef uint64_t rank
        check_span(start, stop, min(positions.shape[0], slots.shape[0]))
        check_deck(highest, step)
        with nogil:
            for i in range(start, stop):
                if (fault(&positions[i], highest) or __builtin_popcountll(positions[i].mover_hand) != self.mover_count
                        or __builtin_popcountll(positions[i].opponent_hand) != self.opponent_count):
                    break
                rank = pattern_of_hands(positions[i].mover_hand, positions[i].opponent_hand, step)
                if rank < self.first or rank - self.first >= self.patterns or self.entries[rank - self.first].turned == ELSEWHERE:
                    break
                slots[i] = slot_within(&self.entries[rank - self.first], &positions[i], step)
            else:
                i = -1
        return i

    def unfold_range(self, uint8_t[::1] marks not None, uint64_t start):
        """Doubles the marks of slots, from `start` on, whose mirror image has no slot: such a slot stands for two classes."""
        cdef uint64_t slot = start, stop = start + marks.shape[0], end, rank
        cdef uint32_t kept
        cdef Hands hands
        cdef Hands image
        check_slots(self, start, marks.shape[0])
        if start == stop:
            return
        with nogil:
            kept = self.pattern_at(start)
            while slot < stop:
                rank, end = rank_at(self, kept), min(stop, self.end_of(kept))
                unrank_hands(&hands, rank, self.mover_count, self.opponent_count)
                mirror_hands(&image, &hands)
                kept += 1
                if rank_hands(&image) == rank:
                    slot = end
                while slot < end:
                    marks[slot - start] *= 2
                    slot += 1

    def look_ups(self):
        """A copy of `entries` and `kept`, for tests."""
        return {
            "entries": np.frombuffer((<char *> self.entries)[:self.patterns * sizeof(Entry)], ENTRY_DTYPE),
            "kept": np.frombuffer((<char *> self.kept)[:self.kept_count * sizeof(uint32_t)], np.uint32),
        }

    def describe(self, uint64_t slot):
        """What a slot stands for, as (holders, higher, tops): per element 1 mover, 2 opponent, 3 both; the element a
        back trick above, or -1; per pile in the order of POSITION_DTYPE (place, trick or None)."""
        cdef Hands hands
        cdef const Entry *entry
        cdef uint32_t kept
        check_slots(self, slot, 1)
        kept = self.pattern_at(slot)
        entry = entry_at(self, kept)
        unrank_hands(&hands, rank_at(self, kept), self.mover_count, self.opponent_count)
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
