# Outcomes in the order of their first turns.

from libc.stdint cimport uint64_t

from backtrick.face_to_face._turns cimport Outcome, Scene

cdef struct Found:
    Outcome outcome
    uint64_t turn                          # the first one that leads there, packed as by `pack_turn`

cdef Py_ssize_t list_in_order(const Scene *scene, Found *found, Py_ssize_t room) noexcept nogil
