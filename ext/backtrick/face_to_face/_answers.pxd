# The distinct outcomes of the turns of a position.

from libc.stdint cimport uint8_t

from backtrick.face_to_face._duel cimport Duel, Packed
from backtrick.face_to_face._laying cimport HAND

cdef struct Scene:                         # a duel with its numbers, and what depends on them
    Duel duel
    Packed position
    uint8_t numbers[HAND]                  # the mover's
    int keep
    int up_twin                            # the mover's card that shows the number of the ascending top, or -1
    int down_twin

cdef struct Outcome:                       # what a turn leads to; tops as in _duel.pxd
    uint8_t laid                           # own cards laid on own piles
    uint8_t helped                         # the helpful card, a bit, or 0
    uint8_t up, down                       # the mover's tops; ORIGINAL also where the twin lies on it
    uint8_t other_up, other_down

cdef enum:
    MOST_OUTCOMES = 13 * 49 * 64           # helpful choices x tops x cards laid: more than any position has

cdef void set_scene(Scene *scene, const Packed *position, int step, int keep) noexcept nogil
cdef Py_ssize_t list_outcomes(const Scene *scene, Outcome *found) noexcept nogil
cdef Packed outcome_position(const Scene *scene, const Outcome *outcome) noexcept nogil
