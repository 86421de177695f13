"""Outcomes as rows: the first turn, the position after it, how many ordered turns lead there, and the value."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

import numpy as np

from backtrick._arguments cimport check_span
from backtrick.face_to_face._best cimport Found, list_in_order
from backtrick.face_to_face._duel cimport HIGHEST, Packed, check_deck, fault, read_position
from backtrick.face_to_face._turns cimport (
    MOST_OUTCOMES,
    Orders,
    Scene,
    count_of,
    list_outcomes,
    outcome_position,
    outcome_value,
    set_orders,
    set_scene,
)

OUTCOME_DTYPE = np.dtype([
    ("key", "<u8"), ("turn", "<u8"), ("mover_hand", "<u8"), ("opponent_hand", "<u8"), ("mover_ascending", "u1"),
    ("mover_descending", "u1"), ("opponent_ascending", "u1"), ("opponent_descending", "u1"), ("count", "<u4"),
    ("remoteness", "u1"),
])

cdef packed struct Row:                    # OUTCOME_DTYPE; the next mover first
    uint64_t key
    uint64_t turn
    Packed following
    uint32_t count
    uint8_t remoteness


cdef inline uint64_t key_of_turn(uint64_t turn) noexcept nogil:
    """A number that sorts as the turns do: one byte a play, `card << 2 | pile`, the first play highest."""
    cdef uint64_t key = 0
    cdef int shift = 56
    while turn:
        key |= (((turn & 63) << 2) | ((turn >> 6) & 3)) << shift
        turn >>= 8
        shift -= 8
    return key


cdef void fill_rows(Row *rows, const Scene *scene, const Found *found, Py_ssize_t count) noexcept nogil:
    cdef Orders orders
    cdef Py_ssize_t i
    if not count:
        return
    set_orders(&orders, scene)
    for i in range(count):
        rows[i].key = key_of_turn(found[i].turn)
        rows[i].turn = found[i].turn
        rows[i].following = outcome_position(scene, &found[i].outcome)
        rows[i].count = count_of(scene, &orders, &found[i].outcome)
        rows[i].remoteness = 1 + outcome_value(scene, &found[i].outcome)


def outcomes(tuple position not None, int step, bint lone_card):
    """The distinct outcomes of a packed position as an array of OUTCOME_DTYPE, in the order of their first turns."""
    cdef Scene scene
    cdef Packed packed = read_position(position, HIGHEST)
    check_deck(HIGHEST, step)
    set_scene(&scene, &packed, step, 1 if lone_card else 2)
    cdef Py_ssize_t count = list_outcomes(&scene, NULL)
    rows = np.empty(count, OUTCOME_DTYPE)
    if not count:
        return rows
    cdef uint8_t[::1] room = np.empty(count * sizeof(Found), np.uint8)
    cdef Row[::1] filled = rows
    if list_in_order(&scene, <Found *> &room[0], count) != count:
        raise AssertionError(f"{count} outcomes were counted, and not as many found in order")
    fill_rows(&filled[0], &scene, <Found *> &room[0], count)
    return rows


def outcomes_range(const Packed[:] positions not None, const int64_t[::1] offsets not None, Row[::1] rows not None,
                   Py_ssize_t start, Py_ssize_t stop, int highest, int step, bint lone_card):
    """Fills rows[offsets[i]:offsets[i + 1]] with the outcomes of position i, for start <= i < stop.

    Returns -1, or the place of the first position that is not well-formed. Raises if the offsets leave another room than a
    position needs.
    """
    cdef Scene scene
    cdef Py_ssize_t i, count
    cdef int keep = 1 if lone_card else 2
    cdef bint fits = True
    cdef uint8_t[::1] room = np.empty(MOST_OUTCOMES * sizeof(Found), np.uint8)
    check_span(start, stop, min(positions.shape[0], offsets.shape[0] - 1))
    check_deck(highest, step)
    with nogil:
        for i in range(start, stop):
            if fault(&positions[i], highest):
                break
            set_scene(&scene, &positions[i], step, keep)
            count = list_in_order(&scene, <Found *> &room[0], MOST_OUTCOMES)
            fits = 0 <= offsets[i] <= rows.shape[0] - count and offsets[i + 1] - offsets[i] == count
            if not fits:
                break
            if count:
                fill_rows(&rows[offsets[i]], &scene, <Found *> &room[0], count)
        else:
            i = -1
    if not fits:
        raise ValueError(f"position {i} has {count} outcomes, and the offsets leave another room")
    return i
