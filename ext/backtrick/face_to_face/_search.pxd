# The questions of the search: x is to move, y is the other.
from backtrick.face_to_face._duel cimport Holding, Packed, Player

cdef enum:                                 # what `resists` answers
    NO_SAFE_TURN = 0
    SAFE_TURN = 1                          # x has a safe turn, but none that resists
    RESISTS = 2

cdef struct Reply:                         # a safe turn of y, tried first against the next turns of x
    int up, down, kept                     # of y, after it
    int helped, on_up                      # y's card, 1 << place, on x's pile; 0 if none
    bint free                              # y will have a turn after it, whatever x does

cdef void prepare() noexcept nogil             # before all else; the module does it
cdef int value(int keep, Holding x, Holding y) noexcept nogil
cdef bint can_finish(int keep, Holding x, Holding y) noexcept nogil
cdef bint can_stick(int keep, Holding x, Holding y) noexcept nogil
cdef bint can_win_at_once(int keep, Holding x, Holding y) noexcept nogil
cdef bint stuck(int keep, Holding x, Holding y) noexcept nogil
cdef int resists(int keep, Holding x, Holding y, int depth, Reply *reply) noexcept nogil
cdef bint refutes(const Reply *reply, int keep, Holding x, const Player *y, int depth) noexcept nogil
cdef int position_value(const Packed *position, int step, int keep) noexcept nogil
