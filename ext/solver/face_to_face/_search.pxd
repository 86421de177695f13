from solver.face_to_face._duel cimport Duel, Packed, Player

cdef int value(
    int keep, const Player *x, int x_cards, int x_up, int x_down, const Player *y, int y_cards, int y_up, int y_down,
) noexcept nogil
cdef int position_value(const Packed *position, int step, int keep) noexcept nogil
