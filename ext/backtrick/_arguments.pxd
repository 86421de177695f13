# Checks of what Python hands to a kernel, before anything is read or written: every `def` refuses what it cannot use.
# Arrays and indexes are `not None` in the signatures; positions and decks of Face to Face are checked in `_layout.pxd`.

from libc.stdint cimport uint64_t

cdef int check_span(Py_ssize_t start, Py_ssize_t stop, Py_ssize_t length) except -1
cdef int check_room(uint64_t count, uint64_t each) except -1
