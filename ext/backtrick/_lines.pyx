"""Lines of text (`_lines.pxd`)."""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint64_t
from libc.string cimport memchr, memcpy

cdef enum:
    TAB = 9
    NEW_LINE = 10
    RETURN = 13


cdef int check_texts(Py_ssize_t count, uint8_t[:, ::1] texts, Py_ssize_t width) except -1:
    """Raises unless there are `count` rows, each with room for the longest text and no more."""
    if texts.shape[0] != count or texts.shape[1] != width:
        raise IndexError(f"{count} texts of {width} bytes into {texts.shape[0]} of {texts.shape[1]}")
    return 0


cdef const uint8_t *text_of(object text) except NULL:
    """The bytes of a Python str. A zero byte inside it would end it too early, so such a text is not valid notation."""
    cdef Py_ssize_t length
    cdef const uint8_t *found = <const uint8_t *> PyUnicode_AsUTF8AndSize(text, &length)
    if memchr(found, 0, length) != NULL:
        raise ValueError("a zero byte")
    return found


cdef Py_ssize_t read_lines(
    const uint8_t *text, Py_ssize_t length, Py_ssize_t *place, Column positions, Column turns, Py_ssize_t count, Py_ssize_t most,
    bint rest,
) noexcept nogil:
    """Reads lines from `place` on into rows `count`, ..., `most` - 1 of the columns. `turns.first` is NULL to read none.

    Stops before the first line that is not written in the one spelling that `write` gives, and at the end of the text. Returns
    the number of rows that are filled by then; `place` is where the next line begins.
    """
    cdef const uint8_t *end = text + length
    cdef const uint8_t *at = text + place[0]
    while at < end and count < most:
        place[0] = at - text
        if not positions.read(&at, positions.first + (count * positions.width)):
            return count
        if turns.first != NULL:
            if not read_sign(&at, TAB) or not turns.read(&at, turns.first + (count * turns.width)):
                return count
        if rest and at[0] == TAB:
            at = <const uint8_t *> memchr(at, NEW_LINE, end - at)
            if at == NULL:
                at = end
        if at[0] == RETURN and (at[1] == NEW_LINE or at + 1 == end):
            at += 1
        if at < end and not read_sign(&at, NEW_LINE):
            return count
        count += 1
    place[0] = at - text
    return count


def squeeze(const uint8_t[::1] padded not None, uint8_t[::1] squeezed not None):
    """Copies all bytes that are not zero. Returns how many there are; there must be room for all."""
    cdef Py_ssize_t i = 0, count = 0, length = padded.shape[0]
    cdef uint64_t word
    cdef int k
    if squeezed.shape[0] < length:
        raise IndexError(f"{length} bytes into {squeezed.shape[0]}")
    with nogil:
        while i + 8 <= length:
            memcpy(&word, &padded[i], 8)
            if word:  # most of a row is padding
                for k in range(8):
                    squeezed[count] = padded[i + k]
                    count += padded[i + k] != 0
            i += 8
        while i < length:
            squeezed[count] = padded[i]
            count += padded[i] != 0
            i += 1
    return count
