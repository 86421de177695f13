# Fills a pattern's slots by the search, without an index. Of `entry` only the piles are read (`fill_pile`).

from libc.stdint cimport uint8_t, uint64_t

from backtrick.face_to_face._hands cimport Hands
from backtrick.face_to_face._tops cimport Entry

cdef void fill_pattern(
    uint8_t *values, const Hands *hands, const Entry *entry, uint64_t first, uint64_t count, int keep,
) noexcept nogil
