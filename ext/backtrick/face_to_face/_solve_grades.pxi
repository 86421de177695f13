# A part of `_solve.pyx`.
#
# Grades of given turns: whether they are legal, play by play, and the values before and after.


cdef int rule_broken(const Packed *p, int play, bint helped) noexcept nogil:
    """The number of the rule that forbids a play of a packed turn, as 5 for F5; 0 if it is legal. helped: a card of this turn lies
    on the opponent's piles."""
    cdef int card = play & 63, up = p.mover_ascending, down = p.mover_descending
    if not (p.mover_hand >> card) & 1:
        return 3
    if play & 128:
        if helped:
            return 4
        return 0 if (card > p.opponent_descending if play & 64 else card < p.opponent_ascending) else 8
    if play & 64:
        return 0 if card < down or card == down + BACK else 6
    return 0 if card > up or card == up - BACK else 5


cdef bint is_legal(const Packed *p, uint64_t turn, int keep) noexcept nogil:
    """Is a packed turn legal (F3-F9, F13) in a well-formed position?"""
    cdef Packed table = p[0]
    cdef int laid = 0
    cdef bint helped = False
    if not p.opponent_hand:
        return False                       # F12: the game is over
    while turn:
        if rule_broken(&table, turn & 255, helped):
            return False
        put(&table, turn & 255)
        helped |= (turn & 128) != 0
        laid += 1
        turn >>= 8
    return laid >= 2 or (laid == 1 and keep == 1 and not table.mover_hand)      # F3, F13


def grade(tuple position not None, uint64_t turn, int rules):
    """The remoteness of a packed position before and after the turn; None if the turn is not legal."""
    cdef int keep = read_rules(rules)
    cdef Packed packed = read_position(position)
    cdef Packed following
    if not is_legal(&packed, turn, keep):
        return None
    following = after_turn(&packed, turn)
    return position_value(&packed, keep), 1 + position_value(&following, keep)


def first_illegal(const Packed[:] positions not None, const uint64_t[:] turns not None, Py_ssize_t start, Py_ssize_t stop,
                  int rules):
    """The first place of start..stop-1 whose position is not well-formed, or whose turn is not legal there; -1 if there is none."""
    cdef int keep = read_rules(rules)
    cdef Py_ssize_t i
    check_span(start, stop, min(positions.shape[0], turns.shape[0]))
    with nogil:
        for i in range(start, stop):
            if fault(&positions[i]) or not is_legal(&positions[i], turns[i], keep):
                break
        else:
            i = -1
    return i


def grade_range(const Packed[:] positions not None, const uint64_t[:] turns not None, int8_t[:] before not None,
                int8_t[:] after not None, Py_ssize_t start, Py_ssize_t stop, int rules):
    """Fills before[start:stop] and after[start:stop] with the remoteness of the position before and after the turn.

    Returns -1, or the place of the first position that is not well-formed, or whose turn is not legal.
    """
    cdef int keep = read_rules(rules)
    cdef Py_ssize_t i
    cdef Packed following
    check_span(start, stop, min(positions.shape[0], turns.shape[0], before.shape[0], after.shape[0]))
    with nogil:
        for i in range(start, stop):
            if fault(&positions[i]) or not is_legal(&positions[i], turns[i], keep):
                break
            following = after_turn(&positions[i], turns[i])
            before[i] = position_value(&positions[i], keep)
            after[i] = 1 + position_value(&following, keep)
        else:
            i = -1
    return i
