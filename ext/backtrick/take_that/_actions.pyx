"""The legal actions of packed positions, and what they lead to, from the rules T3-T10. Nothing is searched.

A packed position is 97 bytes: the mover's hand, the opponent's hand, the line, each filled up with zeros.
"""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy, memset

from backtrick._arguments cimport check_span
from backtrick.take_that._cards cimport card_cost, twisted_card
from backtrick.take_that._layout cimport HAND_SIZE, HANDS, LONGEST_LINE, PACKED, Layout, State, lay_out

cdef enum:
    TAKE = 1                    # the codes of `action.pack_action`
    TWISTS = 128
    REACH = 10                  # T4
    MOST_ACTIONS = 2 * HAND_SIZE + 1

cdef struct Row:                # `turns.OUTCOME_DTYPE`; bytes only, so without padding
    uint8_t turn
    int8_t points
    int8_t value
    uint8_t position[PACKED]


cdef inline int length_of(const uint8_t *cards, int room) noexcept nogil:
    cdef int length = 0
    while length < room and cards[length]:
        length += 1
    return length


cdef inline int place_of(const uint8_t *cards, int length, int card) noexcept nogil:
    """The place of a card, or -1."""
    cdef int place
    for place in range(length):
        if cards[place] == card:
            return place
    return -1


cdef inline void take_out(uint8_t *cards, int room, int place) noexcept nogil:
    """Takes a card out; those behind it move up."""
    for place in range(place, room - 1):
        cards[place] = cards[place + 1]
    cards[room - 1] = 0


cdef int list_actions(const uint8_t *p, bint forced_only, bint opens, uint8_t *codes) noexcept nogil:
    """The codes of the legal actions: lays by card, twists by hand card, taking. Returns how many."""
    cdef const uint8_t *line = p + HANDS
    cdef int held = length_of(p, HAND_SIZE), length = length_of(line, LONGEST_LINE), i, count = 0
    if not length and not opens:
        return 0                               # T9
    for i in range(held):
        if not length or -REACH <= p[i] - line[length - 1] <= REACH:
            codes[count] = p[i]
            count += 1
    for i in range(held):
        if place_of(line, length, twisted_card(p[i])) >= 0:     # a toad gives itself, which is not in the line
            codes[count] = TWISTS | p[i]
            count += 1
    if length and not (forced_only and count):     # T6, T10
        codes[count] = TAKE
        count += 1
    return count


cdef int play(const uint8_t *p, int code, uint8_t *following) noexcept nogil:
    """The points of a legal action; fills in the position after it, all zeros if the round is over (T7)."""
    cdef const uint8_t *line = p + HANDS
    cdef int length = length_of(line, LONGEST_LINE), card = code & 127, i, points = 0
    memset(following, 0, PACKED)
    if code == TAKE:
        for i in range(length):
            points -= card_cost(line[i])
        return points
    if code & TWISTS:
        points = 2
        if length == 1:
            return points
    memcpy(following, p + HAND_SIZE, HAND_SIZE)
    memcpy(following + HAND_SIZE, p, HAND_SIZE)
    memcpy(following + HANDS, line, LONGEST_LINE)
    take_out(following + HAND_SIZE, HAND_SIZE, place_of(p, HAND_SIZE, card))
    if code & TWISTS:
        take_out(following + HANDS, LONGEST_LINE, place_of(line, length, twisted_card(card)))
    else:
        following[HANDS + length] = card
    return points


cdef inline bint well_formed(const uint8_t *p) noexcept nogil:
    cdef Layout layout
    cdef State state
    return lay_out(p, &layout, &state)


cdef int check_packed(Py_ssize_t width) except -1:
    if width != PACKED:
        raise ValueError(f"a packed position has {PACKED} bytes, not {width}")
    return 0


def count_range(const uint8_t[:, ::1] packed not None, uint32_t[::1] counts not None, Py_ssize_t start, Py_ssize_t stop,
                bint forced_only, bint opens):
    """Fills counts[start:stop] with the numbers of legal actions.

    Returns -1, or the place of the first position that is not well-formed.
    """
    cdef Py_ssize_t i
    cdef uint8_t codes[MOST_ACTIONS]
    check_span(start, stop, min(packed.shape[0], counts.shape[0]))
    check_packed(packed.shape[1])
    with nogil:
        for i in range(start, stop):
            if not well_formed(&packed[i, 0]):
                break
            counts[i] = list_actions(&packed[i, 0], forced_only, opens, codes)
        else:
            i = -1
    return i


def list_range(const uint8_t[:, ::1] packed not None, const int64_t[::1] offsets not None, uint8_t[:, ::1] rows not None,
               Py_ssize_t start, Py_ssize_t stop, bint forced_only, bint opens):
    """Fills rows[offsets[i]:offsets[i + 1]] with the actions of position i, for start <= i < stop, all but their values.

    Returns as `count_range` does. Raises if the offsets leave another room than a position needs.
    """
    cdef Py_ssize_t i
    cdef uint8_t codes[MOST_ACTIONS]
    cdef int count = 0, j
    cdef bint fits = True
    cdef Row *row
    check_span(start, stop, min(packed.shape[0], offsets.shape[0] - 1))
    check_packed(packed.shape[1])
    if rows.shape[1] != sizeof(Row):
        raise ValueError(f"a row has {sizeof(Row)} bytes, not {rows.shape[1]}")
    with nogil:
        for i in range(start, stop):
            if not well_formed(&packed[i, 0]):
                break
            count = list_actions(&packed[i, 0], forced_only, opens, codes)
            fits = 0 <= offsets[i] <= rows.shape[0] - count and offsets[i + 1] - offsets[i] == count
            if not fits:
                break
            for j in range(count):
                row = <Row *> &rows[offsets[i] + j, 0]
                row.turn, row.value = codes[j], 0
                row.points = play(&packed[i, 0], codes[j], row.position)
        else:
            i = -1
    if not fits:
        raise ValueError(f"position {i} has {count} actions, and the offsets leave another room")
    return i


def play_range(const uint8_t[:, ::1] packed not None, const uint8_t[::1] turns not None, int8_t[::1] points not None,
               uint8_t[:, ::1] following not None, Py_ssize_t start, Py_ssize_t stop, bint forced_only, bint opens):
    """Fills points[start:stop] with the points of an action each, and following[start:stop] with the positions after it.

    Returns -1, or the place of the first position that is not well-formed, or whose action is not legal.
    """
    cdef Py_ssize_t i
    cdef uint8_t codes[MOST_ACTIONS]
    cdef int count
    check_span(start, stop, min(packed.shape[0], turns.shape[0], points.shape[0], following.shape[0]))
    check_packed(packed.shape[1])
    check_packed(following.shape[1])
    with nogil:
        for i in range(start, stop):
            if not well_formed(&packed[i, 0]):
                break
            count = list_actions(&packed[i, 0], forced_only, opens, codes)
            if place_of(codes, count, turns[i]) < 0:
                break
            points[i] = play(&packed[i, 0], turns[i], &following[i, 0])
        else:
            i = -1
    return i
