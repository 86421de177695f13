# The classes of one pattern that have a position in the deck.
#
# Over two concrete hands the four tops are chosen independently, so the classes they reach are a *box*: a product of four sets of
# digits. A pattern's classes are the union of the boxes of all its shapes (`_shapes.pxd`). For each digit of each pile we keep
# the set of shapes whose box has it. Four digits are a class if their four sets have a shape in common.

from libc.stdint cimport uint8_t, uint64_t

from backtrick.face_to_face._hands cimport Hands
from backtrick.face_to_face._shapes cimport ShapeList
from backtrick.face_to_face._tops cimport MOST_DIGITS, PILES, Entry

cdef struct Reached:                       # the classes of one pattern; digits that the same shapes have are a group
    int words                              # of a set of shapes
    int sizes[PILES]                       # digits
    int groups[PILES]
    uint8_t group[PILES][MOST_DIGITS]      # of a digit
    uint8_t members[PILES][MOST_DIGITS]    # of a group: how many digits
    uint8_t shows[PILES][MOST_DIGITS]      # of a group: an element that no other top may show, or NOWHERE
    uint64_t *shapes                       # [pile][group]: the shapes that have these digits
    uint64_t *pair                         # room for two more sets
    uint64_t *three

cdef void find_reached(Reached *r, const ShapeList *shapes, const Hands *hands, const Entry *entry, bint apart) noexcept nogil
cdef uint64_t count_classes(const Reached *r) noexcept nogil
cdef uint64_t count_symmetric(const Reached *r, const Hands *hands, const Entry *entry) noexcept nogil
cdef void fill_row(const Reached *r, int ascending, int descending, uint8_t *row) noexcept nogil
