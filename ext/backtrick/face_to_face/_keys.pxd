# Keys of positions: two have the same key if and only if they are of one class, or their classes are mirror images.
#
#   key  = the hand sizes, 3 bits each, the pattern's number, 29 bits (416,852,190 of 6v6), and the digits, 7 bits each. It needs
#          no index, and no two tables share a key. The key is the smaller one of the position and its mirror image

from libc.stdint cimport uint64_t

from backtrick.face_to_face._duel cimport Packed

cdef uint64_t key_of(const Packed *position, int highest, int step, bint *turned) noexcept nogil
cdef Packed mirror_packed(const Packed *position, int highest) noexcept nogil
