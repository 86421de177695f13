# The 79 cards of Take That (T1), for the kernels. `_second.pyx` checks these kernels and has its own.

cdef enum:
    NUMBERS = 100               # room for a look-up by a card's number
    LOWEST = 12
    HIGHEST = 98

cdef inline int twisted_card(int card) noexcept nogil:
    """The card with the digits exchanged; a toad gives itself."""
    return ((card % 10) * 10) + (card // 10)

cdef inline bint is_toad(int card) noexcept nogil:
    return card % 11 == 0

cdef inline int card_cost(int card) noexcept nogil:
    return 5 if is_toad(card) else 1  # T6

cdef inline bint is_card(int card) noexcept nogil:
    return LOWEST <= card <= HIGHEST and card % 10 != 0
