# A position for a class, if the deck has one (_representative.pyx).

from backtrick.face_to_face._duel cimport Packed
from backtrick.face_to_face._hands cimport Hands
from backtrick.face_to_face._tops cimport PILES, TopClass

cdef struct Class:
    Hands hands
    TopClass tops[PILES]

cdef bint find(Packed *position, const Class *wanted, int highest, int step) noexcept nogil
