"""Positions and turns of Face to Face as text, many at once. Their notation is that of `position.py` and `turn.py`.

These functions read positions only as `str` spells them. `Position.parse` in Python reads every other spelling and says what is
wrong with a text.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from backtrick._arguments cimport check_span
from backtrick._bits cimport __builtin_ctzll
from backtrick._lines cimport Column, check_texts, read_lines, read_number, read_sign, text_of, write_number
from backtrick.face_to_face._layout cimport HAND, HIGHEST, Packed, fault

cdef enum:
    POSITION_TEXT = 49          # the longest text of a position: 59^60v:54,55,56,57,58,59 twice, and a blank
    TURN_TEXT = 29              # of a turn: six plays like 18^', and five blanks

POSITION_BYTES, TURN_BYTES = POSITION_TEXT, TURN_TEXT


cdef struct Side:
    int ascending
    int descending
    uint64_t hand


cdef inline bint read_side(const uint8_t **at, Side *side) noexcept nogil:
    """One player's side, as in 27^40v:17,18,45. False if it is spelled otherwise."""
    cdef int card, last = 0
    side.ascending = read_number(at)
    if not read_sign(at, c"^"):
        return False
    side.descending = read_number(at)
    if not read_sign(at, c"v") or not read_sign(at, c":"):
        return False
    side.hand = 0
    card = read_number(at)
    if card == 0:
        return True
    while last < card < HIGHEST:
        side.hand |= <uint64_t> 1 << card
        if not read_sign(at, c","):
            return True
        last = card
        card = read_number(at)
    return False


cdef bint read_position(const uint8_t **at, void *found) noexcept nogil:
    """A well-formed position. False for anything else."""
    cdef Packed *position = <Packed *> found
    cdef Side mover, opponent
    if not read_side(at, &mover) or not read_sign(at, c" ") or not read_side(at, &opponent):
        return False
    position.mover_hand, position.opponent_hand = mover.hand, opponent.hand
    position.mover_ascending, position.mover_descending = mover.ascending, mover.descending
    position.opponent_ascending, position.opponent_descending = opponent.ascending, opponent.descending
    return not fault(position)


cdef bint read_turn(const uint8_t **at, void *found) noexcept nogil:
    """A turn, as in 18^ 17^ 45v 12^'. False for anything else."""
    cdef uint64_t packed = 0
    cdef int card, pile, count = 0
    while count < HAND:
        card = read_number(at)
        if not 2 <= card < HIGHEST:
            return False
        if read_sign(at, c"^"):
            pile = 0
        elif read_sign(at, c"v"):
            pile = 1
        else:
            return False
        if read_sign(at, c"'"):
            pile += 2
        packed |= (<uint64_t> (card | (pile << 6))) << (8 * count)
        count += 1
        if not read_sign(at, c" "):
            (<uint64_t *> found)[0] = packed
            return True
    return False


cdef inline uint8_t *write_side(uint8_t *at, int ascending, int descending, uint64_t hand) noexcept nogil:
    at = write_number(at, ascending)
    at[0] = c"^"
    at = write_number(at + 1, descending)
    at[0] = c"v"
    at[1] = c":"
    at += 2
    while hand:
        at = write_number(at, __builtin_ctzll(hand))
        hand &= hand - 1
        if hand:
            at[0] = c","
            at += 1
    return at


cdef inline uint8_t *write_position(uint8_t *at, const Packed *p) noexcept nogil:
    at = write_side(at, p.mover_ascending, p.mover_descending, p.mover_hand)
    at[0] = c" "
    return write_side(at + 1, p.opponent_ascending, p.opponent_descending, p.opponent_hand)


cdef inline bint write_turn(uint8_t *text, uint64_t packed) noexcept nogil:
    """Writes a turn; nothing for 0. False if it is not a packed turn."""
    cdef uint8_t *at = text
    cdef int play, count = 0
    while packed:
        play = packed & 255
        if not 2 <= (play & 63) < HIGHEST or count == HAND:
            return False
        if count:
            at[0] = c" "
            at += 1
        at = write_number(at, play & 63)
        at[0] = c"v" if play & 64 else c"^"
        at += 1
        if play & 128:
            at[0] = c"'"
            at += 1
        packed >>= 8
        count += 1
    return True


cdef tuple numbers_of(uint64_t hand):
    cdef list cards = []
    while hand:
        cards.append(__builtin_ctzll(hand))
        hand &= hand - 1
    return tuple(cards)


def parse(text not None):
    """The position that a str spells, as its six packed numbers and both hands. Raises `ValueError` if it is spelled otherwise."""
    cdef Packed p
    cdef const uint8_t *at = text_of(text)
    if not read_position(&at, &p) or at[0]:
        raise ValueError("not spelled as `str` spells it")
    packed = (p.mover_hand, p.opponent_hand, p.mover_ascending, p.mover_descending, p.opponent_ascending, p.opponent_descending)
    return packed, numbers_of(p.mover_hand), numbers_of(p.opponent_hand)


def text(tuple packed not None):
    """What `parse` reads: the text of a position by its six packed numbers. Raises `ValueError` if it is not well-formed."""
    cdef Packed p
    cdef uint8_t made[POSITION_TEXT]
    (p.mover_hand, p.opponent_hand, p.mover_ascending, p.mover_descending, p.opponent_ascending, p.opponent_descending) = packed
    if fault(&p):
        raise ValueError("not a well-formed position")
    return (<char *> made)[:write_position(made, &p) - made].decode("ascii")


def read_range(bytes text not None, Py_ssize_t start, Packed[::1] positions not None, uint64_t[::1] turns, Py_ssize_t first,
               bint rest):
    """Fills positions[first:], and turns[first:] unless None, from the lines of a text from byte `start` on (`_lines.pxd`).

    Returns how many are filled and the byte where the next line begins: at the end, or one that is not spelled as `str` does.
    """
    cdef Column places, others
    cdef Py_ssize_t most = positions.shape[0], length = len(text)
    cdef const uint8_t *at = text
    check_span(start, length, length)
    others.read, others.first, others.width = read_turn, NULL, sizeof(uint64_t)
    if turns is not None:
        most = min(most, turns.shape[0])
        others.first = <uint8_t *> &turns[0] if most else NULL
    check_span(first, most, most)
    places.read, places.first, places.width = read_position, <uint8_t *> &positions[0] if most else NULL, sizeof(Packed)
    with nogil:
        most = read_lines(at, length, &start, places, others, first, most, rest)
    return most, start


def read_turns(bytes text not None, Py_ssize_t start, uint64_t[::1] turns not None, Py_ssize_t first):
    """As `read_range`, of turns alone, one per line."""
    cdef Column column, others
    cdef Py_ssize_t most = turns.shape[0], length = len(text)
    cdef const uint8_t *at = text
    check_span(start, length, length)
    check_span(first, most, most)
    column.read, column.first, column.width = read_turn, <uint8_t *> &turns[0] if most else NULL, sizeof(uint64_t)
    others.read, others.first, others.width = read_turn, NULL, sizeof(uint64_t)
    with nogil:
        most = read_lines(at, length, &start, column, others, first, most, False)
    return most, start


def write_range(const Packed[:] positions not None, uint8_t[:, ::1] texts not None):
    """Writes the text of each position into a row. Returns -1, or the place of the first position that is not well-formed."""
    cdef Py_ssize_t i
    check_texts(positions.shape[0], texts, POSITION_TEXT)
    with nogil:
        for i in range(positions.shape[0]):
            if fault(&positions[i]):
                break
            memset(&texts[i, 0], 0, texts.shape[1])
            write_position(&texts[i, 0], &positions[i])
        else:
            i = -1
    return i


def write_turns(const uint64_t[:] turns not None, uint8_t[:, ::1] texts not None):
    """Writes the text of each packed turn into a row, none for 0. Returns -1, or the place of the first that is none."""
    cdef Py_ssize_t i
    check_texts(turns.shape[0], texts, TURN_TEXT)
    with nogil:
        for i in range(turns.shape[0]):
            memset(&texts[i, 0], 0, texts.shape[1])
            if not write_turn(&texts[i, 0], turns[i]):
                break
        else:
            i = -1
    return i


def check_range(const Packed[:] positions not None):
    """Returns -1 if all positions are well-formed, or the place of the first that is not."""
    cdef Py_ssize_t i
    with nogil:
        for i in range(positions.shape[0]):
            if fault(&positions[i]):
                break
        else:
            i = -1
    return i
