# Patterns of two hands and their numbers. Two concrete pairs of hands have the same pattern if they agree on
#
#   element     a distinct number in the two hands, counted from the lowest: 0..n-1
#   holders     who holds each element: MOVER, OPPONENT or both
#   pairs       which elements are exactly `step` apart
#
# `Hands` is a pattern element by element, `Masks` the same as sets of elements, which are read and ranked fast.

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    MOVER = 1
    OPPONENT = 2
    ELEMENTS = 12

cdef struct Hands:
    int count
    uint8_t holders[ELEMENTS]
    int8_t higher[ELEMENTS]                # the element exactly `step` above, or -1
    int8_t lower[ELEMENTS]

cdef struct Masks:
    int count
    uint32_t mover
    uint32_t both                          # the shared ones, counted among the mover's cards
    uint32_t opens                         # elements with a partner above
    uint32_t closes                        # and below

cdef int check_sizes(int mover_count, int opponent_count) except -1
cdef uint64_t pattern_count(int mover_count, int opponent_count, int shared_from) noexcept nogil

cdef Masks read_masks(uint64_t mover, uint64_t opponent, int step) noexcept nogil
cdef Masks mirror_masks(const Masks *masks) noexcept nogil
cdef uint64_t rank_masks(const Masks *masks) noexcept nogil
cdef uint64_t pattern_of_hands(uint64_t mover, uint64_t opponent, int step) noexcept nogil
cdef uint64_t pattern_of_image(uint64_t mover, uint64_t opponent, int step) noexcept nogil

cdef void read_hands(Hands *hands, uint64_t mover, uint64_t opponent, int step) noexcept nogil
cdef void mirror_hands(Hands *image, const Hands *hands) noexcept nogil
cdef uint64_t rank_hands(const Hands *hands) noexcept nogil
cdef void unrank_hands(Hands *hands, uint64_t rank, int mover_count, int opponent_count) noexcept nogil
