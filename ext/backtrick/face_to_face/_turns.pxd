from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from backtrick.face_to_face._duel cimport Duel, Holding, Packed, cards_of, holding
from backtrick.face_to_face._laying cimport HAND, SUBSETS

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

cdef inline Holding holding_mover(const Scene *scene, const Outcome *outcome) noexcept nogil:
    """The player who has made the turn, after it."""
    return holding(
        &scene.duel.mover, cards_of(&scene.duel.mover) ^ outcome.laid ^ outcome.helped, outcome.up, outcome.down)

cdef inline Holding holding_opponent(const Scene *scene, const Outcome *outcome) noexcept nogil:
    """The player who is to move after the turn."""
    return holding(&scene.duel.opponent, cards_of(&scene.duel.opponent), outcome.other_up, outcome.other_down)

cdef inline Packed after_turn(const Packed *position, uint64_t turn) noexcept nogil:
    """The position after a legal turn, packed as by `pack_turn`, the next mover first."""
    cdef Packed following
    cdef uint8_t card
    following.mover_hand, following.opponent_hand = position.opponent_hand, position.mover_hand
    following.mover_ascending, following.mover_descending = position.opponent_ascending, position.opponent_descending
    following.opponent_ascending, following.opponent_descending = position.mover_ascending, position.mover_descending
    while turn:
        card = turn & 63
        following.opponent_hand ^= <uint64_t> 1 << card
        if not turn & 128:
            if turn & 64:
                following.opponent_descending = card
            else:
                following.opponent_ascending = card
        elif turn & 64:
            following.mover_descending = card
        else:
            following.mover_ascending = card
        turn >>= 8
    return following

cdef struct Orders:                        # in how many orders a subset can be laid on a pile, by last card
    uint16_t up[HAND * SUBSETS]
    uint16_t down[HAND * SUBSETS]

cdef void set_orders(Orders *orders, const Scene *scene) noexcept nogil
cdef uint32_t count_of(const Scene *scene, const Orders *orders, const Outcome *outcome) noexcept nogil
cdef int outcome_value(const Scene *scene, const Outcome *outcome) noexcept nogil
cdef void set_scene(Scene *scene, const Packed *position, int step, int keep) noexcept nogil
cdef Py_ssize_t list_outcomes(const Scene *scene, Outcome *found) noexcept nogil
cdef Py_ssize_t list_that_keep(const Scene *scene, int fewest, int most, Outcome *found) noexcept nogil
cdef Packed outcome_position(const Scene *scene, const Outcome *outcome) noexcept nogil
