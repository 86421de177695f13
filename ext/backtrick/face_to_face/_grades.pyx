"""What given turns are worth: whether they are legal, play by play, and the values before and after."""

from libc.stdint cimport int8_t, uint8_t, uint64_t

from backtrick._arguments cimport check_span
from backtrick.face_to_face._duel cimport HIGHEST, Packed, check_deck, fault, read_position
from backtrick.face_to_face._search cimport position_value
from backtrick.face_to_face._turns cimport after_turn


cdef bint is_legal(const Packed *p, uint64_t turn, int step, int keep) noexcept nogil:
    """Is a packed turn legal (F3-F9, F13) in a well-formed position?"""
    cdef uint64_t hand = p.mover_hand
    cdef int up = p.mover_ascending, down = p.mover_descending, card, laid = 0
    cdef bint helped = False, fits
    if not p.opponent_hand:
        return False                       # F12: the game is over
    while turn:
        card = turn & 63
        if not (hand >> card) & 1:
            return False
        if turn & 128:                     # F4, F8
            fits = not helped and (card > p.opponent_descending if turn & 64 else card < p.opponent_ascending)
            helped = True
        elif turn & 64:                    # F6
            fits = card < down or card == down + step
            down = card
        else:                              # F5
            fits = card > up or card == up - step
            up = card
        if not fits:
            return False
        hand ^= <uint64_t> 1 << card
        laid += 1
        turn >>= 8
    return laid >= 2 or (laid == 1 and keep == 1 and not hand)      # F3, F13


def grade(tuple position not None, uint64_t turn, int step, bint lone_card):
    """The remoteness of a packed position, and of it once the turn is played; None if the turn is not legal."""
    cdef Packed packed = read_position(position, HIGHEST)
    cdef Packed following
    cdef int keep = 1 if lone_card else 2
    check_deck(HIGHEST, step)
    if not is_legal(&packed, turn, step, keep):
        return None
    following = after_turn(&packed, turn)
    return position_value(&packed, step, keep), 1 + position_value(&following, step, keep)


def first_illegal(const Packed[:] positions not None, const uint64_t[:] turns not None, Py_ssize_t start, Py_ssize_t stop,
                  int highest, int step, bint lone_card):
    """The first place of start..stop-1 whose position is not well-formed, or whose turn is not legal there; -1 if there is none."""
    cdef Py_ssize_t i
    cdef int keep = 1 if lone_card else 2
    check_span(start, stop, min(positions.shape[0], turns.shape[0]))
    check_deck(highest, step)
    with nogil:
        for i in range(start, stop):
            if fault(&positions[i], highest) or not is_legal(&positions[i], turns[i], step, keep):
                break
        else:
            i = -1
    return i


def grade_range(const Packed[:] positions not None, const uint64_t[:] turns not None, int8_t[:] before not None,
                int8_t[:] after not None, Py_ssize_t start, Py_ssize_t stop, int highest, int step, bint lone_card):
    """Fills before[start:stop] and after[start:stop] with the remoteness of the position, and of it once the turn is played.

    Returns -1, or the place of the first position that is not well-formed, or whose turn is not legal.
    """
    cdef Py_ssize_t i
    cdef Packed following
    cdef int keep = 1 if lone_card else 2
    check_span(start, stop, min(positions.shape[0], turns.shape[0], before.shape[0], after.shape[0]))
    check_deck(highest, step)
    with nogil:
        for i in range(start, stop):
            if fault(&positions[i], highest) or not is_legal(&positions[i], turns[i], step, keep):
                break
            following = after_turn(&positions[i], turns[i])
            before[i] = position_value(&positions[i], step, keep)
            after[i] = 1 + position_value(&following, step, keep)
        else:
            i = -1
    return i
