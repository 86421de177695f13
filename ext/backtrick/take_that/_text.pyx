"""Positions and turns of Take That as text, many at once. Their notation is that of `position.py` and `turn.py`.

These functions read endgames only as `str` spells them. `Position.parse` in Python reads every other spelling and deals, and says
what is wrong with a text.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset, strncmp

from backtrick._arguments cimport check_span
from backtrick._lines cimport Column, check_texts, read_lines, read_number, read_sign, text_of, write_number
from backtrick.take_that._cards cimport is_card, is_toad, twisted_card
from backtrick.take_that._layout cimport HAND_SIZE, HANDS, LONGEST_LINE, PACKED

cdef enum:
    POSITION_TEXT = 240         # the longest text of a position: no hands and all 79 cards in the line
    TURN_TEXT = 5               # of a turn: 94x49
    TAKE = 1                    # the codes of `turn.pack_turn`
    TWISTS = 128

POSITION_BYTES, TURN_BYTES = POSITION_TEXT, TURN_TEXT


cdef inline bint fresh(uint64_t *seen, int card) noexcept nogil:
    """True if it is a card not seen before."""
    cdef uint64_t bit = <uint64_t> 1 << (card & 63)
    if not is_card(card) or seen[card >> 6] & bit:
        return False
    seen[card >> 6] |= bit
    return True


cdef inline bint read_cards(
    const uint8_t **at, uint8_t *cards, int most, uint8_t separator, bint ascending, uint64_t *seen,
) noexcept nogil:
    """At most `most` cards, none seen before; - for none. False if they are spelled otherwise."""
    cdef int card, last = 0, count = 0
    if read_sign(at, c"-"):
        return True
    while count < most:
        card = read_number(at)
        if not fresh(seen, card) or (ascending and card < last):
            return False
        cards[count] = card
        count += 1
        if not read_sign(at, separator):
            return True
        last = card
    return False


cdef bint read_position(const uint8_t **at, void *found) noexcept nogil:
    """A well-formed endgame. False for anything else."""
    cdef uint8_t *row = <uint8_t *> found
    cdef uint64_t seen[2]
    seen[0] = seen[1] = 0
    memset(row, 0, PACKED)
    return (read_cards(at, row, HAND_SIZE, c",", True, seen) and read_sign(at, c" ")
            and read_cards(at, row + HAND_SIZE, HAND_SIZE, c",", True, seen) and read_sign(at, c" ")
            and read_cards(at, row + HANDS, LONGEST_LINE, c"-", False, seen))


cdef bint read_turn(const uint8_t **at, void *found) noexcept nogil:
    """A turn of an endgame: 41, 94x49 or take. False for anything else."""
    cdef int card
    if strncmp(<const char *> at[0], b"take", 4) == 0:
        at[0] += 4
        (<uint8_t *> found)[0] = TAKE
        return True
    card = read_number(at)
    if not is_card(card):
        return False
    (<uint8_t *> found)[0] = card
    if read_sign(at, c"x"):
        (<uint8_t *> found)[0] = TWISTS | card
        return not is_toad(card) and read_number(at) == twisted_card(card)
    return True


cdef inline uint8_t *write_cards(uint8_t *at, const uint8_t *cards, int most, uint8_t separator) noexcept nogil:
    cdef int i
    if cards[0] == 0:
        at[0] = c"-"
        return at + 1
    for i in range(most):
        if cards[i] == 0:
            break
        if i:
            at[0] = separator
            at += 1
        at = write_number(at, cards[i])
    return at


cdef inline bint check_cards(const uint8_t *cards, int most, bint ascending, uint64_t *seen) noexcept nogil:
    """True for cards that were not seen before, and fill after them."""
    cdef int i = 0, last = 0
    while i < most and cards[i]:
        if not fresh(seen, cards[i]) or (ascending and cards[i] < last):
            return False
        last = cards[i]
        i += 1
    while i < most and cards[i] == 0:
        i += 1
    return i == most


cdef inline bint well_formed(const uint8_t *row) noexcept nogil:
    cdef uint64_t seen[2]
    seen[0] = seen[1] = 0
    return (check_cards(row, HAND_SIZE, True, seen) and check_cards(row + HAND_SIZE, HAND_SIZE, True, seen)
            and check_cards(row + HANDS, LONGEST_LINE, False, seen))


cdef inline bint write_turn(uint8_t *text, int code) noexcept nogil:
    """Writes a turn; nothing for 0. False if it is not a packed turn."""
    cdef int card = code & ~TWISTS
    if code == TAKE:
        text[0], text[1], text[2], text[3] = c"t", c"a", c"k", c"e"
        return True
    if code == 0:
        return True
    if not is_card(card) or (code & TWISTS and is_toad(card)):
        return False
    text = write_number(text, card)
    if code & TWISTS:
        text[0] = c"x"
        write_number(text + 1, twisted_card(card))
    return True


cdef tuple numbers_of(const uint8_t *cards, int most):
    cdef int i
    cdef list numbers = []
    for i in range(most):
        if cards[i] == 0:
            break
        numbers.append(cards[i])
    return tuple(numbers)


def parse(text not None):
    """The position that a str spells: its mover's hand, its opponent's hand, its line. Raises `ValueError` if it is spelled
    otherwise."""
    cdef uint8_t row[PACKED]
    cdef const uint8_t *at = text_of(text)
    if not read_position(&at, row) or at[0]:
        raise ValueError("not spelled as `str` spells it")
    return numbers_of(row, HAND_SIZE), numbers_of(row + HAND_SIZE, HAND_SIZE), numbers_of(row + HANDS, LONGEST_LINE)


def read_range(bytes text not None, Py_ssize_t start, uint8_t[:, ::1] packed not None, uint8_t[::1] turns, Py_ssize_t first,
               bint rest):
    """Fills packed[first:], and turns[first:] unless None, from the lines of a text from byte `start` on (`_lines.pxd`).

    Returns how many are filled and the byte where the next line begins: at the end, or one that is not spelled as `str` does.
    """
    cdef Column places, others
    cdef Py_ssize_t most = packed.shape[0], length = len(text)
    cdef const uint8_t *at = text
    check_packed(packed)
    check_span(start, length, length)
    others.read, others.first, others.width = read_turn, NULL, 1
    if turns is not None:
        most = min(most, turns.shape[0])
        others.first = &turns[0] if most else NULL
    check_span(first, most, most)
    places.read, places.first, places.width = read_position, &packed[0, 0] if most else NULL, PACKED
    with nogil:
        most = read_lines(at, length, &start, places, others, first, most, rest)
    return most, start


def read_turns(bytes text not None, Py_ssize_t start, uint8_t[::1] turns not None, Py_ssize_t first):
    """As `read_range`, of turns alone, one per line."""
    cdef Column column, others
    cdef Py_ssize_t most = turns.shape[0], length = len(text)
    cdef const uint8_t *at = text
    check_span(start, length, length)
    check_span(first, most, most)
    column.read, column.first, column.width = read_turn, <uint8_t *> &turns[0] if most else NULL, 1
    others.read, others.first, others.width = read_turn, NULL, 1
    with nogil:
        most = read_lines(at, length, &start, column, others, first, most, False)
    return most, start


def write_range(const uint8_t[:, ::1] packed not None, uint8_t[:, ::1] texts not None):
    """Writes the text of each position into a row. Returns -1, or the place of the first position that is not well-formed."""
    cdef Py_ssize_t i
    cdef uint8_t *at
    check_packed(packed)
    check_texts(packed.shape[0], texts, POSITION_TEXT)
    with nogil:
        for i in range(packed.shape[0]):
            if not well_formed(&packed[i, 0]):
                break
            at = &texts[i, 0]
            memset(at, 0, POSITION_TEXT)
            at = write_cards(at, &packed[i, 0], HAND_SIZE, c",")
            at[0] = c" "
            at = write_cards(at + 1, &packed[i, HAND_SIZE], HAND_SIZE, c",")
            at[0] = c" "
            write_cards(at + 1, &packed[i, HANDS], LONGEST_LINE, c"-")
        else:
            i = -1
    return i


def write_turns(const uint8_t[::1] turns not None, uint8_t[:, ::1] texts not None):
    """Writes the text of each packed turn into a row, none for 0. Returns -1, or the place of the first that is none."""
    cdef Py_ssize_t i
    check_texts(turns.shape[0], texts, TURN_TEXT)
    with nogil:
        for i in range(turns.shape[0]):
            memset(&texts[i, 0], 0, TURN_TEXT)
            if not write_turn(&texts[i, 0], turns[i]):
                break
        else:
            i = -1
    return i


def check_range(const uint8_t[:, ::1] packed not None):
    """Returns -1 if all positions are well-formed, or the place of the first that is not."""
    cdef Py_ssize_t i
    check_packed(packed)
    with nogil:
        for i in range(packed.shape[0]):
            if not well_formed(&packed[i, 0]):
                break
        else:
            i = -1
    return i


cdef int check_packed(const uint8_t[:, :] packed) except -1:
    if packed.shape[1] != PACKED:
        raise ValueError(f"a position must have {PACKED} bytes, not {packed.shape[1]}")
    return 0
