# Lines of text, for the kernels of all games: what every notation has in common. Texts are ASCII.
#
#   a text that is read      ends in a zero byte, as the bytes of Python do; a cursor `at` steps over what it has read
#   a text that is written   has room for the longest one; what is left of the room is zero, as in numpy's dtype S
#   a line                   a position, and if turns are asked for a tab and a turn; if `rest`, then perhaps a tab and anything

from libc.stdint cimport uint8_t

ctypedef bint (*Reader)(const uint8_t **at, void *found) noexcept nogil

cdef struct Column:                        # an array to be filled: of `width` bytes each
    Reader read
    uint8_t *first
    Py_ssize_t width

cdef inline int read_number(const uint8_t **at) noexcept nogil:
    """Steps over a number of one or two digits and returns it; 0 if there is none. No number begins with 0."""
    cdef unsigned int tens = at[0][0] - <unsigned int> 48, ones
    if tens - 1 > 8:
        return 0
    ones = at[0][1] - <unsigned int> 48
    if ones > 9:
        at[0] += 1
        return tens
    at[0] += 2
    return (10 * tens) + ones

cdef inline bint read_sign(const uint8_t **at, uint8_t sign) noexcept nogil:
    """Steps over a sign; False if another one stands there."""
    if at[0][0] != sign:
        return False
    at[0] += 1
    return True

cdef inline uint8_t *write_number(uint8_t *at, int number) noexcept nogil:
    """Writes a number of one or two digits; returns where the next sign goes."""
    if number > 9:
        at[0] = 48 + (number // 10)
        at += 1
    at[0] = 48 + (number % 10)
    return at + 1

cdef int check_texts(Py_ssize_t count, uint8_t[:, ::1] texts, Py_ssize_t width) except -1
cdef const uint8_t *text_of(object text) except NULL
cdef Py_ssize_t read_lines(
    const uint8_t *text, Py_ssize_t length, Py_ssize_t *place, Column positions, Column turns, Py_ssize_t count, Py_ssize_t most,
    bint rest) noexcept nogil
