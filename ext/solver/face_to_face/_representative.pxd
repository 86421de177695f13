# A position for a class, if the deck has one (_representative.pyx).

from solver.face_to_face._classes cimport PILES, Hands, TopClass
from solver.face_to_face._duel cimport Packed

cdef struct Class:
    Hands hands
    TopClass tops[PILES]

cdef bint find(Packed *position, const Class *wanted, int highest, int step) noexcept nogil
