# The questions of the search: x is to move, y is the other.

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from backtrick.face_to_face._layout cimport HAND, Endgame, Holding, Packed

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
cdef int position_value(const Packed *position, int keep) noexcept nogil


# The distinct outcomes of the turns of a position.

cdef struct Scene:                         # an endgame with its numbers, and what depends on them
    Endgame endgame
    Packed position
    uint8_t numbers[HAND]                  # the mover's
    int keep
    int up_twin                            # the mover's card that shows the number of the ascending top, or -1
    int down_twin

cdef struct Outcome:                       # what a turn leads to; tops as in _layout.pxd
    uint8_t laid                           # own cards laid on own piles
    uint8_t helped                         # the helpful card, a bit, or 0
    uint8_t up, down                       # the mover's tops; ORIGINAL also where the twin lies on it
    uint8_t other_up, other_down

cdef struct Found:
    Outcome outcome
    uint64_t turn                          # the first one that leads there, packed as by `pack_turn`

cdef packed struct Row:                    # OUTCOME_DTYPE; the next mover first
    uint64_t key
    uint64_t turn
    Packed following
    uint32_t count
    uint8_t value

cdef enum:
    MOST_OUTCOMES = 13 * 49 * 64           # helpful choices x tops x cards laid: more than any position has

cdef int rule_broken(const Packed *p, int play, bint helped) noexcept nogil
cdef void put(Packed *p, int play) noexcept nogil
cdef void set_scene(Scene *scene, const Packed *position, int keep) noexcept nogil
cdef Py_ssize_t list_outcomes(const Scene *scene, Outcome *found) noexcept nogil
cdef Packed outcome_position(const Scene *scene, const Outcome *outcome) noexcept nogil
