# The tops of the four piles over a pattern of hands.
#
#   place       of a top: how many elements lie below it. An element with the top's own number counts as the rules compare it:
#               the owner's card lies below an ascending top and above a descending one, the other's card the other way round
#   trick       the place in the owner's hand of the card that is the top's back trick, if any
#   digit       one top's (place, trick) among those that the pattern admits, place by place, no trick first
#
#   slot = offset[pattern] + mixed radix (digits of the mover's ascending, descending, opponent's ascending, descending)

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from backtrick._bits cimport __builtin_popcountll
from backtrick.face_to_face._duel cimport Packed, under
from backtrick.face_to_face._hands cimport Hands

cdef enum:
    PLACES = 13
    PILES = 4
    MOST_DIGITS = 96
    NOWHERE = 255

cdef struct Entry:                         # what the index knows of a pattern
    uint64_t offset                        # of its first slot; of the mirror image's, if that is in the table instead
    uint32_t strides[PILES]                # what a digit of the pile weighs in the slot
    uint8_t sizes[PILES]                   # digits
    uint8_t first[PILES][PLACES]           # the digit of a place without a trick; if turned, the mirror image's digit
    uint8_t tricks[PILES][PLACES]          # the owner's cards, 6 bits, that can be the trick there
    uint8_t turned                         # 1 if the mirror image is in the table instead

cdef struct TopClass:
    uint8_t place
    uint8_t trick                          # NOWHERE if none

cdef uint64_t fill_entry(Entry *entry, const Hands *hands) noexcept nogil
cdef void mirror_entry(Entry *entry, const Entry *image, int elements) noexcept nogil
cdef int list_tops(const Entry *entry, int pile, int places, TopClass *tops) noexcept nogil
cdef void tops_of_slot(TopClass *found, const Entry *entry, int elements, uint64_t slot) noexcept nogil
cdef uint64_t slot_within(const Entry *entry, const Packed *position, int step) noexcept nogil
cdef tuple describe_slot(const Hands *hands, const Entry *entry, uint64_t slot)


cdef inline int digit_of(
    const Entry *entry, int pile, uint64_t own, uint64_t numbers, int top, int step, int turned,
) noexcept nogil:
    """The digit of a concrete top. own: its owner's hand. Branches are few, because nobody can predict the order of tops.

    The digit of a top with a trick is that of its place without one, plus one, plus one for each lower card that can be the trick
    there; in the mirror image, if `turned`, for each higher card.
    """
    cdef int place = __builtin_popcountll(numbers & under(top)), card
    cdef uint32_t cards
    cdef uint64_t trick = 0
    if pile % 2 == 0:
        place += (own >> top) & 1
        if top > step:
            trick = own & (<uint64_t> 1 << (top - step))
    else:
        place += ((numbers & ~own) >> top) & 1
        if top + step < 64:
            trick = own & (<uint64_t> 1 << (top + step))
    card = __builtin_popcountll(own & (trick - 1))
    cards = ((((2 - turned) << card) - 1) ^ -turned) & -<uint32_t> (trick != 0)
    return entry.first[pile][place] + __builtin_popcountll(entry.tricks[pile][place] & cards)
