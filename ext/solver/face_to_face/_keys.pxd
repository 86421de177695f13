# Keys of positions: two have the same key if they are of one class up to the mirror.
#
#   key  = the hand sizes, 3 bits each, the pattern's number, 29 bits (416,852,190 of 6v6), and the digits, 7 bits each: it needs
#          no index, and names the classes of all tables apart. Of the position and its mirror image the least counts

from libc.stdint cimport uint64_t

from solver.face_to_face._duel cimport Packed

cdef uint64_t key_of(const Packed *position, int highest, int step, bint *turned) noexcept nogil
cdef Packed mirror_packed(const Packed *position, int highest) noexcept nogil
