# The index of a table (docs/tablebases.md): the entries of its patterns, and which of them have slots. It is of the whole table, or
# of a *stretch*, a run of patterns: then their slots are a run too.

from libc.stdint cimport uint32_t, uint64_t

from backtrick.face_to_face._duel cimport Packed
from backtrick.face_to_face._tops cimport Entry

cdef class TableIndex:
    cdef readonly int mover_count
    cdef readonly int opponent_count
    cdef readonly uint64_t first           # pattern; 0 for a whole table
    cdef readonly uint32_t patterns
    cdef readonly uint64_t start           # slot; 0 for a whole table
    cdef readonly uint64_t stop            # the slot behind the last
    cdef readonly uint64_t size            # slots: stop - start
    cdef readonly uint64_t unfolded        # slots if mirror images had some too
    cdef readonly bint whole
    cdef Entry *entries                    # by pattern, from `first` on
    cdef uint32_t *kept                    # the places in `entries` of the patterns that have slots, ascending
    cdef readonly uint32_t kept_count
    cdef uint32_t pattern_at(self, uint64_t slot) noexcept nogil
    cdef uint64_t end_of(self, uint32_t kept) noexcept nogil

cdef int check_whole(TableIndex index) except -1
cdef int check_slots(TableIndex index, uint64_t start, uint64_t count) except -1
cdef uint64_t rank_at(TableIndex index, uint32_t kept) noexcept nogil
cdef const Entry *entry_at(TableIndex index, uint32_t kept) noexcept nogil
cdef uint64_t slot_of(const Entry *entries, const Packed *position, int step) noexcept nogil
