# The index of a table (docs/tablebases.md): the entries of all its patterns, and which of them have slots.

from libc.stdint cimport uint32_t, uint64_t

from solver.face_to_face._duel cimport Packed
from solver.face_to_face._tops cimport Entry

cdef class TableIndex:
    cdef readonly int mover_count
    cdef readonly int opponent_count
    cdef readonly uint64_t size            # slots in the table
    cdef readonly uint64_t unfolded        # slots if mirror images were in it too
    cdef readonly uint32_t patterns
    cdef Entry *entries                    # by pattern
    cdef uint32_t *kept                    # the patterns in the table, ascending
    cdef readonly uint32_t kept_count
    cdef uint32_t pattern_at(self, uint64_t slot) noexcept nogil

cdef int check_slots(TableIndex index, uint64_t start, uint64_t count) except -1
cdef uint64_t slot_of(const Entry *entries, const Packed *position, int step) noexcept nogil
