# Shapes of numbers, which decide what tops there are over them (docs/classes.md has the argument).
#
#   location   of a number: 2p between element p-1 and element p (p = count: above all), 2p + 1 on element p
#   shift      the locations of all x + step; it decides those of all x - step, and which elements are `step` apart
#   spare      bit p: more numbers lie between element p-1 and element p than tricks, so one is left that is no trick
#   reach      how many tricks beyond the last element (before the first) the deck still has
#
# `Shapes` lists all shapes that fit the deck. A shape is dropped if another of the same shift has all its spares and reaches: it
# adds no class.

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from backtrick.face_to_face._hands cimport Hands

cdef enum:
    MOST = 9                               # distinct numbers: a key has 7 bits for each, and one
    NOT_REACHED = 254                      # even, as the locations between elements are

cdef struct Shape:
    uint8_t up[MOST]                       # the location of x + step
    uint8_t down[MOST]                     # the location of x - step
    uint32_t spare_up                      # where a top that is no x + step is left
    uint32_t spare_down

cdef struct ShapeList:
    Shape *shapes
    uint64_t *first                        # the shapes of a pairing are first[pairing]..first[pairing + 1]

cdef class Shapes:
    cdef readonly int count
    cdef readonly int highest
    cdef readonly int step
    cdef readonly uint64_t total
    cdef readonly uint64_t pairings
    cdef readonly uint64_t largest         # the most shapes of one pairing
    cdef ShapeList list                    # of `total` shapes

cdef uint64_t pairing_of(const Hands *hands) noexcept nogil
