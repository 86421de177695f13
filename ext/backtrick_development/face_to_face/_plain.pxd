# A moment of a line, and a reply, as Python hands them over (tests/audit/face_to_face/questions.py).

from libc.stdint cimport uint8_t

from backtrick.face_to_face._layout cimport Packed

cdef packed struct Moment:                 # MOMENT_DTYPE. Player 0 is the mover of the position, player 1 the opponent
    uint8_t who                            # x, the player to move; y is the other
    uint8_t x_cards                        # still held: bit i is the i-th card of the hand in the position, ascending
    uint8_t x_up                           # tops: 0..5 a card of the pile's owner, 6..11 one of the other player, 12 the one
    uint8_t x_down                         # that the position shows
    uint8_t y_cards
    uint8_t y_up
    uint8_t y_down

cdef packed struct Reply:                  # REPLY_DTYPE: a turn of x, as `_solve.Reply`
    uint8_t up, down, kept                 # of x, after it
    uint8_t helped                         # x's card on y's pile, 1 << place; 0 if none
    uint8_t on_up
    uint8_t free                           # x will have a turn after it, whatever y does

cdef int check_moments(const Packed[:] positions, const Moment[:] moments) except -1
cdef int check_question(
    const Packed[:] positions, const Moment[:] moments, str question, int depth,
) except -1
cdef int check_replies(const Packed[:] positions, const Moment[:] moments, const Reply[:] replies) except -1
cdef int check_lengths(Py_ssize_t positions, Py_ssize_t others) except -1
