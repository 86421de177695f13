"""Numbers the classes of positions, and finds a position for a class (`_classes.pxd`)."""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

import numpy as np

from backtrick._arguments cimport check_room, check_span
from backtrick._bits cimport __builtin_ctzll, __builtin_popcountll
from backtrick.face_to_face._layout cimport BACK, HAND, HIGHEST, Packed, cards_of, fault, read_position, read_rules


import numpy as np

from backtrick.face_to_face._solve cimport (
    MOST_OUTCOMES,
    Outcome,
    Scene,
    list_outcomes,
    outcome_position,
    position_value,
    set_scene,
)

# Patterns of hands: rank, unrank, the mirror, and the pattern of concrete hands.
#
# `Masks` is a pattern as sets of elements, which are read and ranked fast.


cdef struct Masks:
    int count
    uint32_t mover
    uint32_t both                          # the shared ones, counted among the mover's cards
    uint32_t opens                         # elements with a partner above
    uint32_t closes                        # and below


# Pairs of numbers 10 apart close in the order in which they open. So two bits for each element, opens and closes, are enough.
# These bits are ranked by two look-ups: `tail` for the last six elements, `head` for those before.
cdef enum:
    HALF = 6
    CODES = 1 << (2 * HALF)
cdef uint64_t[ELEMENTS + 1][ELEMENTS + 2] completions   # [elements left][pairs open]: ways to pair them
cdef uint32_t[HALF + 1][CODES] head                     # [elements before the last six][closes, opens]
cdef uint32_t[HALF + 1][CODES] tail                     # [pairs open before the last six][closes, opens]
cdef uint16_t[1 << ELEMENTS] subset_rank                # of a set of elements among those of its size, colexicographic
cdef uint64_t[ELEMENTS + 1][ELEMENTS + 1] choices       # binomial coefficients
cdef uint64_t[HAND + 1][HAND + 1][HAND + 2] bases       # [mover][opponent][shared]: patterns with more shared numbers


cdef void build_tables() noexcept nogil:
    cdef int left, level, n, k, m, shared
    cdef uint32_t code
    memset(completions, 0, sizeof(completions))
    completions[0][0] = 1                  # completions[n][0] is the n-th Catalan number
    for left in range(1, ELEMENTS + 1):
        for level in range(ELEMENTS + 1):
            completions[left][level] = completions[left - 1][level] + completions[left - 1][level + 1]
            if level:
                completions[left][level] += completions[left - 1][level - 1] + completions[left - 1][level]
    for n in range(ELEMENTS + 1):
        for k in range(ELEMENTS + 1):
            choices[n][k] = 1 if k == 0 else 0 if n == 0 else choices[n - 1][k - 1] + choices[n - 1][k]
    for code in range(1 << ELEMENTS):
        subset_rank[code] = 0
        k = 0
        for n in range(ELEMENTS):
            if (code >> n) & 1:
                k += 1
                subset_rank[code] += choices[n][k]
    for code in range(CODES):
        for level in range(HALF + 1):
            tail[level][code] = rank_pairs(code, HALF, HALF, level)
        for n in range(HALF + 1):
            head[n][code] = rank_pairs(code, n, HALF + n, 0)
    for k in range(HAND + 1):
        for m in range(HAND + 1):
            bases[k][m][HAND + 1] = 0
            for shared in range(HAND, -1, -1):
                bases[k][m][shared] = bases[k][m][shared + 1]
                if shared + 1 <= min(k, m):
                    bases[k][m][shared] += (choices[k + m - shared - 1][k] * choices[k][shared + 1]
                                            * completions[k + m - shared - 1][0])


cdef uint32_t rank_pairs(uint32_t code, int steps, int left, int level) noexcept nogil:
    """What the first `steps` of `left` elements add to a pairing's rank. At each, the order is: neither, opens, closes, both."""
    cdef uint64_t rank = 0
    cdef int i
    for i in range(steps):
        left -= 1
        if (code >> (HALF + i)) & 1:
            rank += completions[left][level] + completions[left][level + 1]
            level -= 1
            if level < 0:
                return 0  # no pairing
            if (code >> i) & 1:
                rank += completions[left][level]
                level += 1
        elif (code >> i) & 1:
            rank += completions[left][level]
            level += 1
    return rank


build_tables()


cdef uint64_t pattern_count(int mover_count, int opponent_count, int shared_from) noexcept nogil:
    """How many patterns have `shared_from` shared numbers or more."""
    cdef int count = mover_count + opponent_count - shared_from
    if shared_from > min(mover_count, opponent_count):
        return 0
    return (bases[mover_count][opponent_count][shared_from]
            + choices[count][mover_count] * choices[mover_count][shared_from] * completions[count][0])


cdef uint64_t rank_masks(const Masks *masks) noexcept nogil:
    """The number of a pattern: more shared numbers first, then by holders, then by pairs."""
    cdef int count = masks.count, movers = __builtin_popcountll(masks.mover), shared = __builtin_popcountll(masks.both)
    cdef int before = count - HALF, level
    cdef uint64_t order = subset_rank[masks.mover] * choices[movers][shared] + subset_rank[masks.both], pairing
    if before <= 0:
        pairing = tail[0][(masks.opens << -before) | (masks.closes << (HALF - before))]
    else:
        level = (__builtin_popcountll(masks.opens & ((1 << before) - 1))
                 - __builtin_popcountll(masks.closes & ((1 << before) - 1)))
        pairing = (head[before][(masks.opens & ((1 << before) - 1)) | ((masks.closes & ((1 << before) - 1)) << HALF)]
                   + tail[level][(masks.opens >> before) | (masks.closes >> before << HALF)])
    return bases[movers][count - movers + shared][shared] + order * completions[count][0] + pairing


cdef inline uint32_t reversed_bits(uint32_t bits, int count) noexcept nogil:
    """The lowest `count` bits, at most 16, in reverse order."""
    bits = ((bits >> 1) & 0x5555) | ((bits & 0x5555) << 1)
    bits = ((bits >> 2) & 0x3333) | ((bits & 0x3333) << 2)
    bits = ((bits >> 4) & 0x0F0F) | ((bits & 0x0F0F) << 4)
    return (((bits >> 8) & 0x00FF) | ((bits & 0x00FF) << 8)) >> (16 - count)


cdef Masks mirror_masks(const Masks *masks) noexcept nogil:
    cdef Masks image
    image.count = masks.count
    image.mover = reversed_bits(masks.mover, masks.count)
    image.both = reversed_bits(masks.both, __builtin_popcountll(masks.mover))
    image.opens = reversed_bits(masks.closes, masks.count)
    image.closes = reversed_bits(masks.opens, masks.count)
    return image


cdef uint64_t rank_hands(const Hands *hands) noexcept nogil:
    cdef Masks masks
    cdef int i, own = 0
    memset(&masks, 0, sizeof(masks))
    masks.count = hands.count
    for i in range(hands.count):
        masks.opens |= (hands.higher[i] >= 0) << i
        masks.closes |= (hands.lower[i] >= 0) << i
        if hands.holders[i] & MOVER:
            masks.mover |= 1 << i
            masks.both |= (hands.holders[i] == (MOVER | OPPONENT)) << own
            own += 1
    return rank_masks(&masks)


cdef uint32_t unrank_subset(uint64_t rank, int size) noexcept nogil:
    cdef uint32_t subset = 0
    cdef int n
    for n in range(ELEMENTS - 1, -1, -1):
        if size and rank >= choices[n][size]:
            rank -= choices[n][size]
            size -= 1
            subset |= 1 << n
    return subset


cdef void unrank_masks(Masks *masks, uint64_t rank, int mover_count, int opponent_count) noexcept nogil:
    """The reverse of `rank_masks`."""
    cdef int shared = min(mover_count, opponent_count), level = 0, i
    cdef uint64_t order, pairing = rank, ways
    while pairing >= pattern_count(mover_count, opponent_count, shared):
        shared -= 1
    pairing -= bases[mover_count][opponent_count][shared]
    masks.count = mover_count + opponent_count - shared
    order = pairing // completions[masks.count][0]
    pairing %= completions[masks.count][0]
    masks.mover = unrank_subset(order // choices[mover_count][shared], mover_count)
    masks.both = unrank_subset(order % choices[mover_count][shared], shared)
    masks.opens = masks.closes = 0
    for i in range(masks.count):
        ways = completions[masks.count - 1 - i][level] + completions[masks.count - 1 - i][level + 1]
        if pairing >= ways:
            pairing -= ways
            level -= 1
            masks.closes |= 1 << i
        ways = completions[masks.count - 1 - i][level]
        if pairing >= ways:
            pairing -= ways
            level += 1
            masks.opens |= 1 << i


cdef void spread(Hands *hands, const Masks *masks) noexcept nogil:
    """A pattern element by element. Pairs close in the order in which they open."""
    cdef int open[ELEMENTS]
    cdef int i, own = 0, oldest = 0, newest = 0
    hands.count = masks.count
    for i in range(masks.count):
        hands.holders[i] = OPPONENT
        if (masks.mover >> i) & 1:
            hands.holders[i] = MOVER | OPPONENT if (masks.both >> own) & 1 else MOVER
            own += 1
        hands.higher[i] = hands.lower[i] = -1
        if (masks.closes >> i) & 1:
            hands.lower[i] = open[oldest]
            hands.higher[open[oldest]] = i
            oldest += 1
        if (masks.opens >> i) & 1:
            open[newest] = i
            newest += 1


cdef void unrank_hands(Hands *hands, uint64_t rank, int mover_count, int opponent_count) noexcept nogil:
    """The pattern of a number, in the table of these sizes of hands."""
    cdef Masks masks
    unrank_masks(&masks, rank, mover_count, opponent_count)
    spread(hands, &masks)


cdef void mirror_hands(Hands *image, const Hands *hands) noexcept nogil:
    cdef int i, last = hands.count - 1
    image.count = hands.count
    for i in range(hands.count):
        image.holders[last - i] = hands.holders[i]
        image.higher[last - i] = last - hands.lower[i] if hands.lower[i] >= 0 else -1
        image.lower[last - i] = last - hands.higher[i] if hands.higher[i] >= 0 else -1


cdef Masks read_masks(uint64_t mover, uint64_t opponent) noexcept nogil:
    """The pattern of two concrete hands, as sets of elements."""
    cdef Masks masks
    cdef uint64_t numbers = mover | opponent, rest = mover, bit
    cdef uint32_t all
    cdef int i
    masks.count = __builtin_popcountll(numbers)
    all = (1 << masks.count) - 1
    masks.mover = masks.both = masks.opens = masks.closes = 0
    while rest:
        bit = rest & -rest
        rest ^= bit
        masks.mover |= 1 << __builtin_popcountll(numbers & (bit - 1))
    rest = mover & opponent
    while rest:
        bit = rest & -rest
        rest ^= bit
        masks.both |= 1 << __builtin_popcountll(mover & (bit - 1))
    rest = numbers & (numbers >> BACK)
    for i in range(2):  # few hands have more pairs; a missing pair sets a bit above the numbers
        bit = rest & -rest
        rest ^= bit
        masks.opens |= 1 << __builtin_popcountll(numbers & (bit - 1))
        masks.closes |= 1 << __builtin_popcountll(numbers & ((bit << BACK) - 1))
    while rest:
        bit = rest & -rest
        rest ^= bit
        masks.opens |= 1 << __builtin_popcountll(numbers & (bit - 1))
        masks.closes |= 1 << __builtin_popcountll(numbers & ((bit << BACK) - 1))
    masks.opens &= all
    masks.closes &= all
    return masks


cdef void read_hands(Hands *hands, uint64_t mover, uint64_t opponent) noexcept nogil:
    """The pattern of two concrete hands, element by element."""
    cdef Masks masks = read_masks(mover, opponent)
    spread(hands, &masks)


cdef uint64_t pattern_of_image(uint64_t mover, uint64_t opponent) noexcept nogil:
    """The number of the pattern of the mirror image of two concrete hands."""
    cdef Masks masks = read_masks(mover, opponent)
    cdef Masks image = mirror_masks(&masks)
    return rank_masks(&image)


cdef uint64_t pattern_of_hands(uint64_t mover, uint64_t opponent) noexcept nogil:
    """The number of the pattern of two concrete hands."""
    cdef Masks masks = read_masks(mover, opponent)
    return rank_masks(&masks)


cdef int check_sizes(int mover_count, int opponent_count) except -1:
    if not (1 <= mover_count <= HAND and 1 <= opponent_count <= HAND):
        raise ValueError(f"hands must be of 1..6 cards, not {mover_count} v {opponent_count}")
    return 0


def count_patterns(int mover_count, int opponent_count):
    """The number of hand patterns of a table, without building its index.

    >>> [count_patterns(1, 1), count_patterns(2, 1), count_patterns(2, 2), count_patterns(3, 2), count_patterns(6, 6)]
    [5, 19, 116, 603, 416852190]
    """
    check_sizes(mover_count, opponent_count)
    return pattern_count(mover_count, opponent_count, 0)


def pattern_at_rank(int mover_count, int opponent_count, uint64_t rank):
    """The pattern of a number, as (holders, higher) like `TableIndex.describe`. Works for every table.

    >>> pattern_at_rank(1, 1, 4)
    ((2, 1), (1, -1))
    """
    cdef Hands hands
    check_sizes(mover_count, opponent_count)
    if rank >= pattern_count(mover_count, opponent_count, 0):
        raise IndexError(f"pattern {rank} of {mover_count} v {opponent_count}")
    unrank_hands(&hands, rank, mover_count, opponent_count)
    return tuple([hands.holders[i] for i in range(hands.count)]), tuple([hands.higher[i] for i in range(hands.count)])


def look_ups():
    """A copy of every look-up table of this module by its name here, for tests."""
    cdef uint64_t[:, ::1] of_completions = <uint64_t[:ELEMENTS + 1, :ELEMENTS + 2]> &completions[0][0]  # Cython needs one with a type
    return {
        "completions": np.array(of_completions),
        "head": np.array(<uint32_t[:HALF + 1, :CODES]> &head[0][0]),
        "tail": np.array(<uint32_t[:HALF + 1, :CODES]> &tail[0][0]),
        "subset_rank": np.array(<uint16_t[:1 << ELEMENTS]> &subset_rank[0]),
        "choices": np.array(<uint64_t[:ELEMENTS + 1, :ELEMENTS + 1]> &choices[0][0]),
        "bases": np.array(<uint64_t[:HAND + 1, :HAND + 1, :HAND + 2]> &bases[0][0][0]),
    }


# Tops: what they can be over a pattern, their digits, and the slot of a position in its pattern.


ENTRY_DTYPE = np.dtype([
    ("offset", "u8"), ("strides", "u4", PILES), ("sizes", "u1", PILES), ("first", "u1", (PILES, PLACES)),
    ("tricks", "u1", (PILES, PLACES)), ("turned", "u1"),
], align=True)


cdef void fill_pile(Entry *entry, const Hands *hands, int pile) noexcept nogil:
    """Finds the tops that one pile can have: for every place, one without a trick and one for each card that can be the trick."""
    cdef int owner = MOVER if pile < 2 else OPPONENT
    cdef bint ascending = pile % 2 == 0
    cdef int i, other, partner, low, high, place, card = 0
    cdef uint8_t *tricks = entry.tricks[pile]
    memset(tricks, 0, PLACES)
    for i in range(hands.count):
        if not hands.holders[i] & owner:
            continue
        partner = hands.higher[i] if ascending else hands.lower[i]
        if partner >= 0:
            # The top shows the partner's number, so only one hand may hold that number too (F1).
            if hands.holders[partner] != (MOVER | OPPONENT):
                tricks[partner + (1 if (hands.holders[partner] == owner) == ascending else 0)] |= 1 << card
        else:
            low = i + 1 if ascending else 0
            high = hands.count if ascending else i
            for other in range(hands.count):
                partner = hands.higher[other] if ascending else hands.lower[other]
                if partner >= 0 and other < i:
                    low = max(low, partner + 1)
                elif partner >= 0 and other > i:
                    high = min(high, partner)
            for place in range(low, high + 1):
                tricks[place] |= 1 << card
        card += 1
    entry.sizes[pile] = 0
    for place in range(hands.count + 1):
        entry.first[pile][place] = entry.sizes[pile]
        entry.sizes[pile] += 1 + __builtin_popcountll(tricks[place])


cdef uint64_t fill_entry(Entry *entry, const Hands *hands) noexcept nogil:
    """Fills the entry of a pattern as if its slots were the first of a table; returns how many slots it has."""
    cdef int pile
    cdef uint64_t slots = 1
    for pile in range(PILES - 1, -1, -1):
        fill_pile(entry, hands, pile)
        entry.strides[pile] = slots
        slots *= entry.sizes[pile]
    entry.offset = entry.turned = 0
    return slots


cdef void mirror_entry(Entry *entry, const Entry *image, int elements) noexcept nogil:
    """Makes a filled entry lead to the slots of its mirror image: there `digit_of` counts places and piles from the other end."""
    cdef int pile, place
    entry.offset = image.offset
    entry.turned = 1
    for pile in range(PILES):
        entry.strides[pile] = image.strides[pile ^ 1]
        for place in range(elements + 1):
            entry.first[pile][place] = image.first[pile ^ 1][elements - place]


cdef int list_tops(const Entry *entry, int pile, int places, TopClass *tops) noexcept nogil:
    """The tops of a pile in the order of their digits; returns how many."""
    cdef int place, rest, count = 0
    for place in range(places):
        tops[count].place, tops[count].trick = place, NOWHERE
        count += 1
        rest = entry.tricks[pile][place]
        while rest:
            tops[count].place, tops[count].trick = place, __builtin_ctzll(rest)
            rest &= rest - 1
            count += 1
    return count


cdef void tops_of_slot(TopClass *found, const Entry *entry, int elements, uint64_t slot) noexcept nogil:
    """The four tops of a slot of a pattern. slot: counted from the pattern's first."""
    cdef TopClass tops[MOST_DIGITS]
    cdef int pile
    for pile in range(PILES - 1, -1, -1):
        list_tops(entry, pile, elements + 1, tops)
        found[pile] = tops[slot % entry.sizes[pile]]
        slot //= entry.sizes[pile]


cdef tuple describe_slot(const Hands *hands, const Entry *entry, uint64_t slot):
    """What a slot of a pattern stands for, like `TableIndex.describe`. slot: counted from the pattern's first."""
    cdef TopClass tops[PILES]
    cdef int i
    tops_of_slot(tops, entry, hands.count, slot)
    holders = tuple([hands.holders[i] for i in range(hands.count)])
    higher = tuple([hands.higher[i] for i in range(hands.count)])
    return holders, higher, tuple([(tops[i].place, None if tops[i].trick == NOWHERE else tops[i].trick) for i in range(PILES)])


cdef uint64_t slot_within(const Entry *entry, const Packed *p) noexcept nogil:
    """The slot of a well-formed position of a pattern."""
    cdef uint64_t mover = p.mover_hand, opponent = p.opponent_hand, numbers = mover | opponent
    cdef int turned = entry.turned
    return entry.offset + (
        digit_of(entry, 0, mover, numbers, p.mover_ascending, turned) * <uint64_t> entry.strides[0]
        + digit_of(entry, 1, mover, numbers, p.mover_descending, turned) * <uint64_t> entry.strides[1]
        + digit_of(entry, 2, opponent, numbers, p.opponent_ascending, turned) * <uint64_t> entry.strides[2]
        + digit_of(entry, 3, opponent, numbers, p.opponent_descending, turned) * <uint64_t> entry.strides[3])


# Keys of classes, and mirror images of positions.


cdef inline uint64_t mirrored(uint64_t hand) noexcept nogil:
    """v -> 61 - v."""
    hand = ((hand >> 1) & <uint64_t> 0x5555555555555555) | ((hand & <uint64_t> 0x5555555555555555) << 1)
    hand = ((hand >> 2) & <uint64_t> 0x3333333333333333) | ((hand & <uint64_t> 0x3333333333333333) << 2)
    hand = ((hand >> 4) & <uint64_t> 0x0F0F0F0F0F0F0F0F) | ((hand & <uint64_t> 0x0F0F0F0F0F0F0F0F) << 4)
    hand = ((hand >> 8) & <uint64_t> 0x00FF00FF00FF00FF) | ((hand & <uint64_t> 0x00FF00FF00FF00FF) << 8)
    hand = ((hand >> 16) & <uint64_t> 0x0000FFFF0000FFFF) | ((hand & <uint64_t> 0x0000FFFF0000FFFF) << 16)
    return ((hand >> 32) | (hand << 32)) >> 2


cdef Packed mirror_packed(const Packed *p) noexcept nogil:
    """The mirror image: v -> 61 - v, ascending and descending piles exchanged."""
    cdef Packed image
    image.mover_hand = mirrored(p.mover_hand)
    image.opponent_hand = mirrored(p.opponent_hand)
    image.mover_ascending, image.mover_descending = HIGHEST + 1 - p.mover_descending, HIGHEST + 1 - p.mover_ascending
    image.opponent_ascending = HIGHEST + 1 - p.opponent_descending
    image.opponent_descending = HIGHEST + 1 - p.opponent_ascending
    return image


cdef inline uint64_t digits_of(const Entry *entry, const Packed *p) noexcept nogil:
    """The four digits, 7 bits each."""
    cdef uint64_t mover = p.mover_hand, opponent = p.opponent_hand, numbers = mover | opponent
    return ((((((<uint64_t> digit_of(entry, 0, mover, numbers, p.mover_ascending, 0) << 7)
              | digit_of(entry, 1, mover, numbers, p.mover_descending, 0)) << 7)
             | digit_of(entry, 2, opponent, numbers, p.opponent_ascending, 0)) << 7)
            | digit_of(entry, 3, opponent, numbers, p.opponent_descending, 0))


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


cdef uint64_t key_of(const Packed *p, bint *turned) noexcept nogil:
    """The key of the class of a well-formed position, the same for its mirror image. `turned` becomes True if the key is the
    image's, or if both have this key and the image's packed form is smaller."""
    cdef Masks masks = read_masks(p.mover_hand, p.opponent_hand)
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
        digits = digits_of(&entry, p)
    if image_rank <= rank:
        image = mirror_packed(p)
        image_digits = digits_of(&entry, &image)
        if image_rank < rank or image_digits < digits or (image_digits == digits and packs_smaller(&image, p)):
            turned[0] = True
            digits = image_digits
    return (((<uint64_t> ((movers << 3) | opponents) << 29) | min(rank, image_rank)) << 28) | digits


# The index of a table: which patterns have slots in it, and where.


cdef uint64_t slot_of(const Entry *entries, const Packed *p) noexcept nogil:
    """The slot of a well-formed position. entries: of its whole table."""
    return slot_within(&entries[pattern_of_hands(p.mover_hand, p.opponent_hand)], p)


cdef uint64_t rank_at(TableIndex index, uint32_t kept) noexcept nogil:
    """The number of a pattern that has slots."""
    return index.first + index.kept[kept]


cdef const Entry *entry_at(TableIndex index, uint32_t kept) noexcept nogil:
    return &index.entries[index.kept[kept]]


cdef int check_whole(TableIndex index) except -1:
    """Raises unless the index is of a whole table."""
    if not index.whole:
        raise ValueError(f"the index covers only a part of {index.mover_count}v{index.opponent_count}")
    return 0


cdef int check_slots(TableIndex index, uint64_t start, uint64_t count) except -1:
    """Raises unless the index has `count` slots from `start` on."""
    if start < index.start or start > index.stop or count > index.stop - start:
        begin = f"{index.start}.." if index.start else ""
        raise IndexError(f"slots {start}..{<object> start + count} of {begin}{index.stop}")
    return 0


cdef enum:
    ELSEWHERE = 2                          # `Entry.turned`: the mirror image lies before the stretch


cdef class TableIndex:
    """The index of the table of all positions in which the mover holds k cards and the opponent m, or of a stretch of it.

    Its slots are start..stop-1. Of a class and its mirror image one has a slot: the one whose pattern has the smaller number. If
    both have the same pattern, each has a slot. A few slots belong to no class that fits the deck.

    first, count: the patterns of a stretch; -1 for all from `first` on. first_slot: of these patterns.

    >>> index = TableIndex(1, 1)
    >>> index.patterns, index.unfolded, index.size
    (5, 1393, 737)
    >>> stretch = TableIndex(1, 1, 3, 2, index.size - TableIndex(1, 1, 3, 2).size)
    >>> stretch.stop == index.size and stretch.describe(736) == index.describe(736)
    True
    """

    def __cinit__(self, int mover_count, int opponent_count, uint64_t first=0, int64_t count=-1, uint64_t first_slot=0):
        cdef uint32_t place
        cdef uint64_t slots, rank, image_rank, patterns
        cdef Hands hands
        cdef Hands image
        cdef Entry *entry
        check_sizes(mover_count, opponent_count)
        patterns = pattern_count(mover_count, opponent_count, 0)
        if count == -1 and first <= patterns:
            count = patterns - first
        if first > patterns or not 0 <= count <= <int64_t> (patterns - first):
            raise IndexError(f"{count} patterns from {first} on, of {patterns:,}")
        if count > 10_000_000:
            raise ValueError(f"{mover_count} v {opponent_count} has {patterns:,} patterns, too many for an index in memory")
        if first_slot > (<uint64_t> 1 << 62):
            raise ValueError(f"first_slot must be at most 2^62, not {first_slot}")
        self.mover_count, self.opponent_count = mover_count, opponent_count
        self.first, self.patterns, self.start, self.stop = first, count, first_slot, first_slot
        self.whole = self.patterns == patterns
        check_room(self.patterns, sizeof(Entry))
        self.entries = <Entry *> calloc(max(1, self.patterns), sizeof(Entry))
        self.kept = <uint32_t *> calloc(max(1, self.patterns), sizeof(uint32_t))
        if self.entries == NULL or self.kept == NULL:
            raise MemoryError()
        with nogil:
            for place in range(self.patterns):
                entry = &self.entries[place]
                rank = first + place
                unrank_hands(&hands, rank, mover_count, opponent_count)
                slots = fill_entry(entry, &hands)
                self.unfolded += slots
                mirror_hands(&image, &hands)
                image_rank = rank_hands(&image)
                if image_rank < first:
                    entry.turned = ELSEWHERE
                    continue
                if image_rank < rank:
                    mirror_entry(entry, &self.entries[image_rank - first], hands.count)
                    continue
                entry.offset = self.stop
                self.stop += slots
                self.kept[self.kept_count] = place
                self.kept_count += 1
        self.size = self.stop - first_slot

    def __dealloc__(self):
        free(self.entries)
        free(self.kept)

    cdef uint32_t pattern_at(self, uint64_t slot) noexcept nogil:
        """The pattern that a slot belongs to, as a place in `kept`."""
        cdef uint32_t low = 0, high = self.kept_count, middle
        while high - low > 1:
            middle = (low + high) // 2
            if self.entries[self.kept[middle]].offset <= slot:
                low = middle
            else:
                high = middle
        return low

    cdef uint64_t end_of(self, uint32_t kept) noexcept nogil:
        """The slot behind the last of a pattern, which is given by its place in `kept`."""
        return self.entries[self.kept[kept + 1]].offset if kept + 1 < self.kept_count else self.stop

    def rank_range(self, const Packed[:] positions not None, uint64_t[:] slots not None, Py_ssize_t start, Py_ssize_t stop):
        """Fills slots[start:stop] with the slots of positions. Returns -1, or the place of the first position that is not
        well-formed or has no slot here. In a stretch that can be because its mirror image has one in another stretch."""
        cdef Py_ssize_t i
        cdef uint64_t rank
        check_span(start, stop, min(positions.shape[0], slots.shape[0]))
        with nogil:
            for i in range(start, stop):
                if (fault(&positions[i]) or __builtin_popcountll(positions[i].mover_hand) != self.mover_count
                        or __builtin_popcountll(positions[i].opponent_hand) != self.opponent_count):
                    break
                rank = pattern_of_hands(positions[i].mover_hand, positions[i].opponent_hand)
                if rank < self.first or rank - self.first >= self.patterns or self.entries[rank - self.first].turned == ELSEWHERE:
                    break
                slots[i] = slot_within(&self.entries[rank - self.first], &positions[i])
            else:
                i = -1
        return i

    def look_ups(self):
        """A copy of `entries` and `kept`, for tests."""
        return {
            "entries": np.frombuffer((<char *> self.entries)[:self.patterns * sizeof(Entry)], ENTRY_DTYPE),
            "kept": np.frombuffer((<char *> self.kept)[:self.kept_count * sizeof(uint32_t)], np.uint32),
        }

    def describe(self, uint64_t slot):
        """What a slot stands for, as (holders, higher, tops): per element 1 mover, 2 opponent, 3 both; the element a
        back trick above, or -1; per pile in the order of POSITION_DTYPE (place, trick or None)."""
        cdef Hands hands
        cdef const Entry *entry
        cdef uint32_t kept
        check_slots(self, slot, 1)
        kept = self.pattern_at(slot)
        entry = entry_at(self, kept)
        unrank_hands(&hands, rank_at(self, kept), self.mover_count, self.opponent_count)
        return describe_slot(&hands, entry, slot - entry.offset)


def slots_of_range(int mover_count, int opponent_count, uint64_t start, uint64_t stop):
    """How many slots the patterns start..stop-1 have, with mirror images counted too, and how many of these belong to patterns
    that are their own mirror images. No index is needed, so this works for every table.

    >>> slots_of_range(1, 1, 0, 5)
    (1393, 81)
    """
    cdef uint64_t rank, slots, total = 0, symmetric = 0
    cdef Hands hands
    cdef Hands image
    cdef Entry entry
    check_sizes(mover_count, opponent_count)
    if start > stop or stop > pattern_count(mover_count, opponent_count, 0):
        raise IndexError(f"patterns {start}..{stop} of {mover_count} v {opponent_count}")
    with nogil:
        for rank in range(start, stop):
            unrank_hands(&hands, rank, mover_count, opponent_count)
            slots = fill_entry(&entry, &hands)
            total += slots
            mirror_hands(&image, &hands)
            if rank_hands(&image) == rank:
                symmetric += slots
    return total, symmetric


# A position for a class: numbers with given relations, found by difference bounds.
#
# Nearly every condition of a class has one form: a number is at least, or exactly, a distance above another. Three have another
# form: some numbers are not 10 apart, some tops have no trick, and no number has a third card (F1). The search keeps the least
# distances between all numbers (longest paths, exact for such bounds) and takes the smallest numbers that they allow. If these
# break one of the three, it tries the ways out one after another. It returns a position or proves that none exists.


cdef enum:
    ROW = 0                                # node 0 stands for the number 0, then elements, then tops
    NODES = 1 + ELEMENTS + PILES
    NO_BOUND = -1000

cdef struct Bounds:                        # node j is at least least[i][j] above node i
    int16_t least[NODES][NODES]


cdef bint demand(Bounds *bounds, int nodes, int low, int high, int distance) noexcept nogil:
    """Adds the bound `high >= low + distance`; False if no numbers satisfy all bounds."""
    cdef int i, j, through
    if bounds.least[low][high] >= distance:
        return True
    if bounds.least[high][low] + distance > 0:
        return False
    for i in range(nodes):
        if bounds.least[i][low] == NO_BOUND:
            continue
        through = bounds.least[i][low] + distance
        for j in range(nodes):
            if bounds.least[high][j] != NO_BOUND and bounds.least[i][j] < through + bounds.least[high][j]:
                bounds.least[i][j] = through + bounds.least[high][j]
    return True


cdef bint demand_exactly(Bounds *bounds, int nodes, int low, int high, int distance) noexcept nogil:
    return demand(bounds, nodes, low, high, distance) and demand(bounds, nodes, high, low, -distance)


cdef bint demand_all(Bounds *bounds, const Class *wanted) noexcept nogil:
    """Adds every bound that the class gives; False if no numbers satisfy them."""
    cdef const Hands *hands = &wanted.hands
    cdef int nodes = 1 + hands.count + PILES, i, j, pile, owner, top, card
    cdef bint ascending, strict
    for i in range(nodes):
        for j in range(nodes):
            bounds.least[i][j] = 0 if i == j else NO_BOUND
    for i in range(hands.count):
        if not demand(bounds, nodes, ROW, 1 + i, 2) or not demand(bounds, nodes, 1 + i, ROW, 1 - HIGHEST):
            return False
        if i and not demand(bounds, nodes, i, 1 + i, 1):
            return False
        if hands.higher[i] >= 0 and not demand_exactly(bounds, nodes, 1 + i, 1 + hands.higher[i], BACK):
            return False
    for pile in range(PILES):
        owner = MOVER if pile < 2 else OPPONENT
        ascending = pile % 2 == 0
        top = 1 + hands.count + pile
        card = 0
        if not demand(bounds, nodes, ROW, top, 1 if ascending else 2):
            return False
        if not demand(bounds, nodes, top, ROW, 1 - HIGHEST if ascending else -HIGHEST):
            return False
        for i in range(hands.count):
            # may a top with the element's number stand on this side of it?
            if i < wanted.tops[pile].place:
                strict = hands.holders[i] == (MOVER | OPPONENT) or (hands.holders[i] == owner) != ascending
                if not demand(bounds, nodes, 1 + i, top, strict):
                    return False
            else:
                strict = hands.holders[i] == (MOVER | OPPONENT) or (hands.holders[i] == owner) == ascending
                if not demand(bounds, nodes, top, 1 + i, strict):
                    return False
            if hands.holders[i] & owner:
                if card == wanted.tops[pile].trick and not demand_exactly(
                        bounds, nodes, 1 + i, top, BACK if ascending else -BACK):
                    return False
                card += 1
    return True


cdef bint settle_apart(Bounds *bounds, const Class *wanted, int low, int high, int distance) noexcept nogil:
    """Goes on with `high != low + distance`: first with `high` above that number, then below it."""
    cdef int nodes = 1 + wanted.hands.count + PILES
    cdef Bounds saved = bounds[0]
    if demand(bounds, nodes, low, high, distance + 1) and settle(bounds, wanted):
        return True
    bounds[0] = saved
    return demand(bounds, nodes, high, low, 1 - distance) and settle(bounds, wanted)


cdef bint settle(Bounds *bounds, const Class *wanted) noexcept nogil:
    """True if numbers satisfy all bounds and the three other conditions; they are then bounds.least[ROW]."""
    cdef const Hands *hands = &wanted.hands
    cdef const int16_t *number = bounds.least[ROW]
    cdef int tops = 1 + hands.count, i, j, k, pile, owner, away, card
    cdef Bounds saved
    for i in range(hands.count):
        for j in range(i + 1, hands.count):
            if number[1 + j] - number[1 + i] == BACK and hands.higher[i] != j:
                return settle_apart(bounds, wanted, 1 + i, 1 + j, BACK)
    for pile in range(PILES):
        owner = MOVER if pile < 2 else OPPONENT
        away = BACK if pile % 2 == 0 else -BACK
        card = 0
        for i in range(hands.count):
            if hands.holders[i] & owner:
                if number[tops + pile] - number[1 + i] == away and card != wanted.tops[pile].trick:
                    return settle_apart(bounds, wanted, 1 + i, tops + pile, away)
                card += 1
    for i in range(PILES):
        for j in range(i + 1, PILES):
            if number[tops + i] != number[tops + j]:
                continue
            for k in range(hands.count):
                if number[1 + k] == number[tops + i]:
                    saved = bounds[0]
                    if settle_apart(bounds, wanted, 1 + k, tops + i, 0):
                        return True
                    bounds[0] = saved
                    return settle_apart(bounds, wanted, 1 + k, tops + j, 0)
            for k in range(j + 1, PILES):
                if number[tops + k] == number[tops + i]:
                    saved = bounds[0]
                    if settle_apart(bounds, wanted, tops + i, tops + j, 0):
                        return True
                    bounds[0] = saved
                    return settle_apart(bounds, wanted, tops + j, tops + k, 0)
    return True


cdef bint find(Packed *position, const Class *wanted) noexcept nogil:
    cdef Bounds bounds
    cdef const int16_t *number = bounds.least[ROW]
    cdef int i, tops = 1 + wanted.hands.count
    if not demand_all(&bounds, wanted) or not settle(&bounds, wanted):
        return False
    position.mover_hand = position.opponent_hand = 0
    for i in range(wanted.hands.count):
        if wanted.hands.holders[i] & MOVER:
            position.mover_hand |= <uint64_t> 1 << number[1 + i]
        if wanted.hands.holders[i] & OPPONENT:
            position.opponent_hand |= <uint64_t> 1 << number[1 + i]
    position.mover_ascending, position.mover_descending = number[tops], number[tops + 1]
    position.opponent_ascending, position.opponent_descending = number[tops + 2], number[tops + 3]
    return True


cdef tuple row_of(const Packed *p):
    return (p.mover_hand, p.opponent_hand, p.mover_ascending, p.mover_descending,
            p.opponent_ascending, p.opponent_descending)


def of_slot(TableIndex index not None, uint64_t slot):
    """A well-formed position of a slot as six integers in the order of POSITION_DTYPE, or None if the deck has none."""
    cdef Class wanted
    cdef const Entry *entry
    cdef Packed position
    cdef uint32_t kept
    cdef bint found
    check_slots(index, slot, 1)
    with nogil:
        kept = index.pattern_at(slot)
        entry = entry_at(index, kept)
        unrank_hands(&wanted.hands, rank_at(index, kept), index.mover_count, index.opponent_count)
        tops_of_slot(wanted.tops, entry, wanted.hands.count, slot - entry.offset)
        found = find(&position, &wanted)
    return row_of(&position) if found else None


cdef void read_class(Class *found, const Packed *p) noexcept nogil:
    """The class of a position or of its mirror image, whichever has a slot (`TableIndex.rank_range`)."""
    cdef int shown[PILES]
    cdef Class image
    cdef Hands hands
    cdef int pile, i, holder, owner, back, card, number, cards
    cdef bint ascending
    cdef uint64_t own
    cdef const TopClass *top
    shown[0], shown[1], shown[2], shown[3] = (
        p.mover_ascending, p.mover_descending, p.opponent_ascending, p.opponent_descending)
    read_hands(&found.hands, p.mover_hand, p.opponent_hand)
    for pile in range(PILES):
        owner = MOVER if pile < 2 else OPPONENT
        own = p.mover_hand if pile < 2 else p.opponent_hand
        ascending = pile % 2 == 0
        back = -BACK if ascending else BACK
        found.tops[pile].place, found.tops[pile].trick = 0, NOWHERE
        i = card = 0
        for number in range(64):
            if not ((p.mover_hand | p.opponent_hand) >> number) & 1:
                continue
            holder = found.hands.holders[i]
            found.tops[pile].place += number < shown[pile] or (
                number == shown[pile] and ((holder & owner) != 0) == ascending)
            if holder & owner:
                if number == shown[pile] + back:
                    found.tops[pile].trick = card
                card += 1
            i += 1
    mirror_hands(&hands, &found.hands)
    if rank_hands(&hands) >= rank_hands(&found.hands):
        return
    image.hands = hands
    for pile in range(PILES):
        owner = MOVER if pile < 2 else OPPONENT
        cards = 0
        for i in range(hands.count):
            cards += (hands.holders[i] & owner) != 0
        top = &found.tops[pile ^ 1]
        image.tops[pile].place = hands.count - top.place
        image.tops[pile].trick = NOWHERE if top.trick == NOWHERE else cards - 1 - top.trick
    found[0] = image


def of_class(tuple row not None):
    """The position that stands for the class of a well-formed position, both as six integers in the order of POSITION_DTYPE."""
    cdef Packed position = read_position(row)
    cdef Class wanted
    cdef bint found
    if not position.opponent_hand:
        raise ValueError("the opponent's hand is empty, so no table holds the position")
    with nogil:
        read_class(&wanted, &position)
        found = find(&position, &wanted)
    assert found, row
    return row_of(&position)


# Solved sets: keys of positions, turns mapped from one position of a class to another, and values derived one turn ahead.


def keys_range(const Packed[:] positions not None, uint64_t[:] keys not None, uint8_t[:] turned not None, Py_ssize_t start,
               Py_ssize_t stop):
    """Fills keys[start:stop], 0 if the game is over (F12), and turned[start:stop], 1 if the key is that of the mirror image.

    Returns -1, or the place of the first position that is not well-formed.
    """
    cdef Py_ssize_t i
    cdef bint image
    check_span(start, stop, min(positions.shape[0], keys.shape[0], turned.shape[0]))
    with nogil:
        for i in range(start, stop):
            if fault(&positions[i]):
                break
            image = False
            keys[i] = key_of(&positions[i], &image) if positions[i].opponent_hand else 0
            turned[i] = image
        else:
            i = -1
    return i


def key(tuple position not None):
    """The key of one well-formed position, and True if it is the key of the mirror image."""
    cdef Packed packed = read_position(position)
    cdef bint image = False
    if not packed.opponent_hand:
        return 0, False
    return key_of(&packed, &image), image


def mirror_range(const Packed[:] positions not None, Packed[:] images not None, Py_ssize_t start, Py_ssize_t stop):
    """Fills images[start:stop] with the mirror images."""
    cdef Py_ssize_t i
    check_span(start, stop, min(positions.shape[0], images.shape[0]))
    with nogil:
        for i in range(start, stop):
            images[i] = mirror_packed(&positions[i])


cdef bint carry(uint64_t turn, uint64_t hand, uint64_t to_hand, bint turned, uint64_t *found) noexcept nogil:
    """Maps a packed turn to another position of the class: each card becomes the card at the same place in the other hand. In the
    mirror image places count from the other end, and ascending piles become descending ones. False if the hands differ in size,
    or if the turn lays a card that is not in the hand, lays a card twice, or goes on after its end."""
    cdef uint64_t rest, card, left = hand
    cdef int shift = 0, place, pile
    found[0] = 0
    if __builtin_popcountll(hand) != __builtin_popcountll(to_hand):
        return False
    while turn:
        card = <uint64_t> 1 << (turn & 63)
        if not (left & card):
            return False
        left ^= card
        place = __builtin_popcountll(hand & (card - 1))
        pile = (turn >> 6) & 3
        if turned:
            place = __builtin_popcountll(hand) - 1 - place
            pile ^= 1
        rest = to_hand
        while place:
            rest &= rest - 1
            place -= 1
        found[0] |= <uint64_t> (__builtin_ctzll(rest) | (pile << 6)) << shift
        turn >>= 8
        shift += 8
    return True


def carry_turns(const uint64_t[:] turns not None, const uint64_t[:] hands not None, const uint64_t[:] to_hands not None,
                const uint8_t[:] turned not None, uint64_t[:] found not None):
    """Fills `found` with the turns of the movers' `hands` as turns of `to_hands`, in positions of the same class.

    Returns -1, or the place of the first turn that its hand cannot lay, or whose two hands differ in size.
    """
    cdef Py_ssize_t i, count = turns.shape[0]
    if not (hands.shape[0] == to_hands.shape[0] == turned.shape[0] == found.shape[0] == count):
        raise ValueError("the arrays differ in length")
    with nogil:
        for i in range(count):
            if not carry(turns[i], hands[i], to_hands[i], turned[i], &found[i]):
                break
        else:
            i = -1
    return i


def derive_range(const Packed[:] positions not None, uint8_t[:] values not None, Py_ssize_t start, Py_ssize_t stop, int rules):
    """Fills values[start:stop] with the remoteness that follows from every outcome, each valued as a position of its own.

    Returns -1, or the place of the first position that is not well-formed.
    """
    cdef int keep = read_rules(rules)
    cdef Scene scene
    cdef Packed child
    cdef Outcome *outcomes
    cdef Py_ssize_t i, j
    cdef int value, best_win, longest
    cdef uint8_t[::1] room = np.empty(MOST_OUTCOMES * sizeof(Outcome), np.uint8)
    check_span(start, stop, min(positions.shape[0], values.shape[0]))
    with nogil:
        outcomes = <Outcome *> &room[0]
        for i in range(start, stop):
            if fault(&positions[i]):
                break
            set_scene(&scene, &positions[i], keep)
            best_win, longest = 255, 0
            for j in range(list_outcomes(&scene, outcomes) if positions[i].opponent_hand else 0):
                child = outcome_position(&scene, &outcomes[j])
                value = 1 + (position_value(&child, keep) if child.opponent_hand else 0)
                if value & 1:
                    best_win = min(best_win, value)
                longest = max(longest, value)
            values[i] = best_win if best_win < 255 else longest
        else:
            i = -1
    return i
