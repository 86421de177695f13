# The search of the player `sampler`, for whole games without the interpreter.

from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t

from backtrick._random cimport Stream
from backtrick.face_to_face._layout cimport HIGHEST
from backtrick.face_to_face._play cimport Seat, Sight, Turns

cdef enum:
    CARDS = HIGHEST - 2
    MOST_CANDIDATES = 64
    SHARES = 64

cdef struct Candidate:
    Seat own                    # after the turn, before drawing
    Seat other
    uint64_t turn
    int drawn                   # cards to draw after it
    double won                  # chances in all play-outs together
    int played
    float prior                 # the chance to win, as the networks see it

cdef double score_of(const Candidate *one) noexcept nogil

cdef class Sampler:
    cdef int keep
    cdef Sight sight
    cdef Stream stream
    cdef Turns found
    cdef Candidate[MOST_CANDIDATES] candidates
    cdef int count              # candidates that are left
    cdef int frugal_shares      # of SHARES worlds, those in which the opponent plays as `frugal`
    cdef uint8_t[CARDS] own_cards
    cdef uint8_t[CARDS] other_cards
    cdef const int32_t[:, ::1] prices
    cdef const int16_t[:, ::1] weights
    cdef const int16_t[:, ::1] frugal_weights
    cdef uint32_t[::1] turns
    cdef int32_t[::1] values

    cdef void _guess(self) noexcept nogil
    cdef void _choose(self, int candidates) noexcept nogil
    cdef float _prior(self, const Candidate *one) noexcept nogil
    cdef void _after_plays(self, uint64_t turn, Candidate *one) noexcept nogil
    cdef int _place(self, const Candidate *one) noexcept nogil
    cdef bint _has_turn(self, uint64_t turn) noexcept nogil
    cdef void _add(self, const Candidate *one) noexcept nogil
    cdef void _play_world(self) noexcept nogil
    cdef void _next_world(self) noexcept nogil
    cdef void _halve(self) noexcept nogil
    cdef void _sort(self) noexcept nogil
