# Tables in memory: filled by search, packed as in their files, looked up chunk by chunk as they are needed.

from libc.stdint cimport uint8_t, uint64_t

from backtrick._atomic cimport acquire_flag, acquire_pointer, release_flag
from backtrick.face_to_face._classes cimport Entry, Hands
from backtrick.face_to_face._layout cimport HAND

# Fills a pattern's slots by the search, without an index. Of `entry` only the piles are read (`fill_pile`).

cdef void fill_pattern(
    uint8_t *values, const Hands *hands, const Entry *entry, uint64_t first, uint64_t count, int keep,
) noexcept nogil

#   entries_of    the entries of a table in memory; NULL if there is no such table
#   has_chunks    true if certain slots of a table are in memory; if not, their chunks become wanted

cdef struct ValueTable:
    const Entry *entries   # NULL: no such table; released last, when all else of the table is there
    const uint8_t *packed
    uint8_t *loaded        # by chunk: whether its bytes are there; released after them
    uint8_t *wanted        # by chunk: set by whoever misses it
    uint64_t chunks
    int bits
    int chunk_shift        # slot >> chunk_shift is its chunk

cdef inline const Entry *entries_of(const ValueTable *table) noexcept nogil:
    return <const Entry *> acquire_pointer(&table.entries)

cdef inline bint has_chunks(const ValueTable *table, uint64_t slot, uint64_t count) noexcept nogil:
    cdef uint64_t chunk
    cdef bint there = True
    for chunk in range(slot >> table.chunk_shift, ((slot + count - 1) >> table.chunk_shift) + 1):
        if not acquire_flag(&table.loaded[chunk]):
            release_flag(&table.wanted[chunk], 1)
            there = False
    return there

cdef class ValueTables:
    cdef ValueTable tables[HAND + 1][HAND + 1]
    cdef list kept
    cdef ValueTable *table_of(self, int mover_count, int opponent_count) except NULL
