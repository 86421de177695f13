"""The questions that the search asks itself in the middle of a line, asked from Python for checks.

tests/audit/face_to_face/questions.py explains what each promises and when it may be asked; `_plain.pyx` has the slow twins.
"""

cimport backtrick_development.face_to_face._plain as _plain
from backtrick.face_to_face._solve cimport NO_SAFE_TURN, RESISTS, SAFE_TURN, Reply
from backtrick_development.face_to_face._plain cimport Moment, check_lengths, check_question, check_replies

include "../../backtrick/face_to_face/_solve_questions.pxi"


cdef inline Holding holding_x(const Endgame *endgame, const Moment *m) noexcept nogil:
    return holding(&endgame.opponent if m.who else &endgame.mover, m.x_cards, m.x_up, m.x_down)


cdef inline Holding holding_y(const Endgame *endgame, const Moment *m) noexcept nogil:
    return holding(&endgame.mover if m.who else &endgame.opponent, m.y_cards, m.y_up, m.y_down)


cdef int ask(int kind, int keep, const Endgame *endgame, const Moment *m, int depth, Reply *reply) noexcept nogil:
    cdef Holding x = holding_x(endgame, m), y = holding_y(endgame, m)
    if kind == 0:
        return can_finish(keep, x, y)
    if kind == 1:
        return stuck(keep, x, y)
    if kind == 2:
        return can_stick(keep, x, y)
    return resists(keep, x, y, depth, reply)


def ask_range(const Packed[:] positions not None, const Moment[:] moments not None, uint8_t[:] answered not None,
              str question, int depth, bint lone_card):
    """Answers a question of each moment: 'can_finish', 'stuck', 'can_stick' with 0 or 1, 'resists' to `depth` with 0..2."""
    cdef Py_ssize_t i
    cdef Endgame endgame
    cdef int kind = check_question(positions, moments, question, depth)
    cdef int keep = 1 if lone_card else 2
    check_lengths(positions.shape[0], answered.shape[0])
    with nogil:
        for i in range(positions.shape[0]):
            set_up(&endgame, &positions[i])
            answered[i] = ask(kind, keep, &endgame, &moments[i], depth, NULL)


def reply_range(const Packed[:] positions not None, const Moment[:] moments not None, uint8_t[:] answered not None,
                _plain.Reply[:] replies not None, int depth, bint lone_card):
    """Like `ask_range` of 'resists', and fills in the turn of x that resists, if there is one."""
    cdef Py_ssize_t i
    cdef Endgame endgame
    cdef Reply reply
    cdef int keep = 1 if lone_card else 2
    check_question(positions, moments, "resists", depth)
    check_lengths(positions.shape[0], answered.shape[0])
    check_lengths(positions.shape[0], replies.shape[0])
    with nogil:
        for i in range(positions.shape[0]):
            set_up(&endgame, &positions[i])
            answered[i] = ask(3, keep, &endgame, &moments[i], depth, &reply)
            if answered[i] == RESISTS:
                replies[i].up, replies[i].down, replies[i].kept = reply.up, reply.down, reply.kept
                replies[i].helped, replies[i].free = reply.helped, reply.free
                replies[i].on_up = reply.on_up if reply.helped else 0


def refutes_range(const Packed[:] positions not None, const Moment[:] moments not None,
                  const _plain.Reply[:] replies not None, uint8_t[:] answered not None, int depth, bint lone_card):
    """Does each reply of x refute the turn that y has just made, to `depth` 1 or 2? 0 or 1."""
    cdef Py_ssize_t i
    cdef Endgame endgame
    cdef Reply reply
    cdef int keep = 1 if lone_card else 2
    check_question(positions, moments, "resists", depth)
    check_lengths(positions.shape[0], answered.shape[0])
    check_lengths(positions.shape[0], replies.shape[0])
    check_replies(positions, moments, replies)
    with nogil:
        for i in range(positions.shape[0]):
            set_up(&endgame, &positions[i])
            reply.up, reply.down, reply.kept = replies[i].up, replies[i].down, replies[i].kept
            reply.helped, reply.on_up, reply.free = replies[i].helped, replies[i].on_up, replies[i].free
            # In the moment y made the turn and x the reply; `refutes` names them the other way round.
            answered[i] = refutes(
                &reply, keep, holding_y(&endgame, &moments[i]), holding_x(&endgame, &moments[i]).player, depth)


def families(tuple position not None):
    """Of the opponent, two families of sets of its cards, one bit for each set: what it lays, perhaps with one card on the mover's
    piles, to finish after a turn of a mover who could not; and what it can lay whatever helpful card comes."""
    cdef Packed packed = read_position(position)
    cdef Endgame endgame
    cdef Holding y
    set_up(&endgame, &packed)
    y = at_start(&endgame.opponent)
    return nearly_all(y), without_tricks(y)


def value_of(tuple position not None, bint lone_card):
    """The remoteness, by `value`."""
    cdef Packed packed = read_position(position)
    cdef Endgame endgame
    set_up(&endgame, &packed)
    return value(1 if lone_card else 2, at_start(&endgame.mover), at_start(&endgame.opponent))


def fewest_for(int depth, bint lone_card):
    """The fewest cards that a player must keep for `resists` to `depth`, by `fewest_kept`."""
    if not 0 <= depth <= 2:
        raise ValueError(f"depth must be 0..2, not {depth}")
    return fewest_kept(1 if lone_card else 2, depth)
