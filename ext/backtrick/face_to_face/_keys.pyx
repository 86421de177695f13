"""Keys of classes, and mirror images of positions (`_keys.pxd`)."""

from libc.stdint cimport uint64_t

from backtrick._bits cimport __builtin_popcountll
from backtrick.face_to_face._hands cimport Hands, Masks, mirror_masks, rank_masks, read_masks, unrank_hands
from backtrick.face_to_face._tops cimport Entry, digit_of, fill_entry


cdef inline uint64_t mirrored(uint64_t hand) noexcept nogil:
    """v -> 61 - v."""
    hand = ((hand >> 1) & <uint64_t> 0x5555555555555555) | ((hand & <uint64_t> 0x5555555555555555) << 1)
    hand = ((hand >> 2) & <uint64_t> 0x3333333333333333) | ((hand & <uint64_t> 0x3333333333333333) << 2)
    hand = ((hand >> 4) & <uint64_t> 0x0F0F0F0F0F0F0F0F) | ((hand & <uint64_t> 0x0F0F0F0F0F0F0F0F) << 4)
    hand = ((hand >> 8) & <uint64_t> 0x00FF00FF00FF00FF) | ((hand & <uint64_t> 0x00FF00FF00FF00FF) << 8)
    hand = ((hand >> 16) & <uint64_t> 0x0000FFFF0000FFFF) | ((hand & <uint64_t> 0x0000FFFF0000FFFF) << 16)
    return ((hand >> 32) | (hand << 32)) >> 2


cdef Packed mirror_packed(const Packed *p, int highest) noexcept nogil:
    """The mirror image: v -> highest + 1 - v, ascending and descending piles exchanged."""
    cdef Packed image
    image.mover_hand = mirrored(p.mover_hand) >> (60 - highest)
    image.opponent_hand = mirrored(p.opponent_hand) >> (60 - highest)
    image.mover_ascending, image.mover_descending = highest + 1 - p.mover_descending, highest + 1 - p.mover_ascending
    image.opponent_ascending = highest + 1 - p.opponent_descending
    image.opponent_descending = highest + 1 - p.opponent_ascending
    return image


cdef inline uint64_t digits_of(const Entry *entry, const Packed *p, int step) noexcept nogil:
    """The four digits, 7 bits each."""
    cdef uint64_t mover = p.mover_hand, opponent = p.opponent_hand, numbers = mover | opponent
    return ((((((<uint64_t> digit_of(entry, 0, mover, numbers, p.mover_ascending, step, 0) << 7)
              | digit_of(entry, 1, mover, numbers, p.mover_descending, step, 0)) << 7)
             | digit_of(entry, 2, opponent, numbers, p.opponent_ascending, step, 0)) << 7)
            | digit_of(entry, 3, opponent, numbers, p.opponent_descending, step, 0))


cdef inline bint packs_smaller(const Packed *p, const Packed *q) noexcept nogil:
    """True if p comes before q, field by field: decides between two images of a class that is its own mirror image."""
    if p.mover_hand != q.mover_hand:
        return p.mover_hand < q.mover_hand
    if p.opponent_hand != q.opponent_hand:
        return p.opponent_hand < q.opponent_hand
    if p.mover_ascending != q.mover_ascending:
        return p.mover_ascending < q.mover_ascending
    if p.mover_descending != q.mover_descending:
        return p.mover_descending < q.mover_descending
    if p.opponent_ascending != q.opponent_ascending:
        return p.opponent_ascending < q.opponent_ascending
    return p.opponent_descending < q.opponent_descending


cdef uint64_t key_of(const Packed *p, int highest, int step, bint *turned) noexcept nogil:
    """The key of the class of a well-formed position, the same for its mirror image. `turned` becomes True if the key is the
    image's, or if both have this key and the image's packed form is smaller."""
    cdef Masks masks = read_masks(p.mover_hand, p.opponent_hand, step)
    cdef Masks image_masks = mirror_masks(&masks)
    cdef uint64_t rank = rank_masks(&masks), image_rank = rank_masks(&image_masks), digits = 0, image_digits = 0
    cdef int movers = __builtin_popcountll(p.mover_hand), opponents = __builtin_popcountll(p.opponent_hand)
    cdef Packed image
    cdef Hands hands
    cdef Entry entry
    unrank_hands(&hands, min(rank, image_rank), movers, opponents)
    fill_entry(&entry, &hands)
    turned[0] = image_rank < rank
    if rank <= image_rank:
        digits = digits_of(&entry, p, step)
    if image_rank <= rank:
        image = mirror_packed(p, highest)
        image_digits = digits_of(&entry, &image, step)
        if image_rank < rank or image_digits < digits or (image_digits == digits and packs_smaller(&image, p)):
            turned[0] = True
            digits = image_digits
    return (((<uint64_t> ((movers << 3) | opponents) << 29) | min(rank, image_rank)) << 28) | digits
