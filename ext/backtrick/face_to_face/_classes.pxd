# Classes of positions and their numbers (docs/face_to_face.md): the pattern of the hands, the tops over it, and the slot of both in the
# index of a table.

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t

from backtrick._bits cimport __builtin_popcountll
from backtrick.face_to_face._layout cimport BACK, Packed, under

# Patterns of two hands and their numbers. Two concrete pairs of hands have the same pattern if they agree on
#
#   element     a distinct number in the two hands, counted from the lowest: 0..n-1
#   holders     who holds each element: MOVER, OPPONENT or both
#   pairs       which elements are exactly 10 apart
#
# `Hands` is a pattern element by element.

cdef enum:
    MOVER = 1
    OPPONENT = 2
    ELEMENTS = 12

cdef struct Hands:
    int count
    uint8_t holders[ELEMENTS]
    int8_t higher[ELEMENTS]                # the element exactly 10 above, or -1
    int8_t lower[ELEMENTS]

cdef int check_sizes(int mover_count, int opponent_count) except -1
cdef uint64_t pattern_count(int mover_count, int opponent_count, int shared_from) noexcept nogil
cdef uint64_t pattern_of_hands(uint64_t mover, uint64_t opponent) noexcept nogil
cdef uint64_t pattern_of_image(uint64_t mover, uint64_t opponent) noexcept nogil
cdef void mirror_hands(Hands *image, const Hands *hands) noexcept nogil
cdef uint64_t rank_hands(const Hands *hands) noexcept nogil
cdef void unrank_hands(Hands *hands, uint64_t rank, int mover_count, int opponent_count) noexcept nogil

# The tops of the four piles over a pattern of hands.
#
#   place       of a top: how many elements lie below it. An element with the top's own number counts as the rules compare it:
#               the owner's card lies below an ascending top and above a descending one, the opponent's card the other way round
#   trick       the place in the owner's hand of the card that is the top's back trick, if any
#   digit       one top's (place, trick) among those that the pattern admits, place by place, no trick first
#
#   slot = offset[pattern] + mixed radix (digits of the mover's ascending, descending, opponent's ascending, descending)

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
cdef int list_tops(const Entry *entry, int pile, int places, TopClass *tops) noexcept nogil
cdef void tops_of_slot(TopClass *found, const Entry *entry, int elements, uint64_t slot) noexcept nogil
cdef uint64_t slot_within(const Entry *entry, const Packed *position) noexcept nogil

cdef tuple describe_slot(const Hands *hands, const Entry *entry, uint64_t slot)

cdef inline int digit_of(
    const Entry *entry, int pile, uint64_t own, uint64_t numbers, int top, int turned,
) noexcept nogil:
    """The digit of a concrete top. own: its owner's hand. It has few branches, because the order of tops cannot be predicted.

    The digit of a top with a trick is that of its place without one, plus one, plus one for each lower card that can be the trick
    there; in the mirror image, if `turned`, for each higher card.
    """
    cdef int place = __builtin_popcountll(numbers & under(top)), card
    cdef uint32_t cards
    cdef uint64_t trick
    if pile % 2 == 0:
        place += (own >> top) & 1
        trick = own & ((<uint64_t> 1 << top) >> BACK)
    else:
        place += ((numbers & ~own) >> top) & 1
        trick = own & ((<uint64_t> 1 << top) << BACK)
    card = __builtin_popcountll(own & (trick - 1))
    cards = ((((2 - turned) << card) - 1) ^ -turned) & -<uint32_t> (trick != 0)
    return entry.first[pile][place] + __builtin_popcountll(entry.tricks[pile][place] & cards)

# Keys of positions: two have the same key if and only if they are of one class, or their classes are mirror images.
#
#   key  = the hand sizes, 3 bits each, the pattern's number, 29 bits (416,852,190 of 6v6), and the digits, 7 bits each. It needs
#          no index, and no two tables share a key. The key is the smaller one of the position and its mirror image

cdef uint64_t key_of(const Packed *position, bint *turned) noexcept nogil
cdef Packed mirror_packed(const Packed *position) noexcept nogil

# The index of a table (docs/tablebases.md): the entries of its patterns, and which of them have slots. It covers the whole table or
# a *stretch*, a run of patterns, whose slots are a run too.

cdef class TableIndex:
    cdef readonly int mover_count
    cdef readonly int opponent_count
    cdef readonly uint64_t first           # pattern; 0 for a whole table
    cdef readonly uint32_t patterns
    cdef readonly uint64_t start           # slot; 0 for a whole table
    cdef readonly uint64_t stop            # the slot behind the last
    cdef readonly uint64_t size            # slots: stop - start
    cdef readonly uint64_t unfolded        # slots if mirror images also had some
    cdef readonly bint whole
    cdef Entry *entries                    # by pattern, from `first` on
    cdef uint32_t *kept                    # the places in `entries` of the patterns that have slots, ascending
    cdef readonly uint32_t kept_count
    cdef uint32_t pattern_at(self, uint64_t slot) noexcept nogil
    cdef uint64_t end_of(self, uint32_t kept) noexcept nogil
cdef int check_whole(TableIndex index) except -1
cdef int check_slots(TableIndex index, uint64_t start, uint64_t count) except -1
cdef uint64_t rank_at(TableIndex index, uint32_t kept) noexcept nogil
cdef const Entry *entry_at(TableIndex index, uint32_t kept) noexcept nogil
cdef uint64_t slot_of(const Entry *entries, const Packed *position) noexcept nogil

# A position for a class, if the deck has one.

cdef struct Class:
    Hands hands
    TopClass tops[PILES]

cdef bint find(Packed *position, const Class *wanted) noexcept nogil
