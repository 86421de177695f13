"""Numbers the classes of a table's positions: rank, unrank, the mirror, and a duel made from a class (`_classes.pxd`)."""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

import numpy as np

from solver._arguments cimport check_room, check_span
from solver._bits cimport __builtin_ctzll, __builtin_popcountll
from solver.face_to_face._duel cimport ORIGINAL, OTHERS, Player, check_deck, fault
from solver.face_to_face._laying cimport HAND, case_number, laying

# Pairs of numbers `step` apart close in the order in which they open, so two bits an element, opens and closes, say all.
# The way through the elements is ranked in two look-ups: TAIL has the last six, HEAD those before.
cdef enum:
    HALF = 6
    CODES = 1 << (2 * HALF)
cdef uint64_t[ELEMENTS + 1][ELEMENTS + 2] completions   # [elements left][pairs open]: ways to pair them
cdef uint32_t[HALF + 1][CODES] head                     # [elements before the last six][closes, opens]
cdef uint32_t[HALF + 1][CODES] tail                     # [pairs open before the last six][closes, opens]
cdef uint16_t[1 << ELEMENTS] subset_rank                # of a set of elements among those of its size, colexicographic
cdef uint64_t[ELEMENTS + 1][ELEMENTS + 1] choices       # binomial coefficients
cdef uint64_t[HAND + 1][HAND + 1][HAND + 2] bases       # [mover][opponent][shared]: patterns with more shared numbers


cdef struct Masks:                         # a pattern, as sets of elements
    int count
    uint32_t mover
    uint32_t both                          # the shared ones, counted among the mover's cards
    uint32_t opens
    uint32_t closes


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
    """What the first `steps` of `left` elements add to a pairing's rank: at each, neither, opens, closes, closes and opens."""
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


cdef inline uint64_t pattern_count(int mover_count, int opponent_count, int shared_from) noexcept nogil:
    """How many patterns have `shared_from` shared numbers or more."""
    cdef int count = mover_count + opponent_count - shared_from
    if shared_from > min(mover_count, opponent_count):
        return 0
    return (bases[mover_count][opponent_count][shared_from]
            + choices[count][mover_count] * choices[mover_count][shared_from] * completions[count][0])


cdef inline uint64_t rank_masks(const Masks *masks) noexcept nogil:
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
    """The lowest `count` of at most 16 bits, in reverse."""
    bits = ((bits >> 1) & 0x5555) | ((bits & 0x5555) << 1)
    bits = ((bits >> 2) & 0x3333) | ((bits & 0x3333) << 2)
    bits = ((bits >> 4) & 0x0F0F) | ((bits & 0x0F0F) << 4)
    return (((bits >> 8) & 0x00FF) | ((bits & 0x00FF) << 8)) >> (16 - count)


cdef inline Masks mirror_masks(const Masks *masks) noexcept nogil:
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


cdef void unrank_hands(Hands *hands, uint32_t rank, int mover_count, int opponent_count) noexcept nogil:
    cdef int open[ELEMENTS]
    cdef int i, own = 0, shared, level = 0, oldest = 0, newest = 0, count
    cdef uint64_t order, pairing = rank, ways
    cdef uint32_t mover, both
    shared = min(mover_count, opponent_count)
    while pairing >= pattern_count(mover_count, opponent_count, shared):
        shared -= 1
    pairing -= bases[mover_count][opponent_count][shared]
    count = hands.count = mover_count + opponent_count - shared
    order = pairing // completions[count][0]
    pairing %= completions[count][0]
    mover = unrank_subset(order // choices[mover_count][shared], mover_count)
    both = unrank_subset(order % choices[mover_count][shared], shared)
    for i in range(count):
        hands.holders[i] = OPPONENT
        if (mover >> i) & 1:
            hands.holders[i] = MOVER | OPPONENT if (both >> own) & 1 else MOVER
            own += 1
    for i in range(count):
        hands.higher[i] = hands.lower[i] = -1
        ways = completions[count - 1 - i][level] + completions[count - 1 - i][level + 1]
        if pairing >= ways:
            pairing -= ways
            level -= 1
            hands.lower[i] = open[oldest]
            hands.higher[open[oldest]] = i
            oldest += 1
        ways = completions[count - 1 - i][level]
        if pairing >= ways:
            pairing -= ways
            level += 1
            open[newest] = i
            newest += 1


cdef void mirror_hands(Hands *image, const Hands *hands) noexcept nogil:
    cdef int i, last = hands.count - 1
    image.count = hands.count
    for i in range(hands.count):
        image.holders[last - i] = hands.holders[i]
        image.higher[last - i] = last - hands.lower[i] if hands.lower[i] >= 0 else -1
        image.lower[last - i] = last - hands.higher[i] if hands.higher[i] >= 0 else -1


cdef void fill_pile(Entry *entry, const Hands *hands, int pile) noexcept nogil:
    """Which tops one pile can have: every place, and there no trick or each card that can be the trick there."""
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
            # The top shows the partner's number, which both hands may not hold besides (F1).
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


cdef void turn(Entry *entry, const Entry *image, int elements) noexcept nogil:
    """Makes a filled entry lead to the slots of its mirror image, in which place and pile are those that `digit_of` counts from
    the other end."""
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


cdef inline void set_side(Player *player, const Hands *hands, int owner) noexcept nogil:
    """All of a player that the hands alone decide."""
    cdef int own = 0, others = 0, other_count = 0, i, holder, above = 0, below = 0
    cdef int seat[ELEMENTS]
    for i in range(hands.count):
        seat[i] = own
        own += (hands.holders[i] & owner) != 0
        other_count += hands.holders[i] != owner
    player.count = own
    own = 0
    for i in range(hands.count):
        if hands.holders[i] & owner:
            if hands.higher[i] >= 0 and hands.holders[hands.higher[i]] & owner:
                above |= 1 << own
            if hands.lower[i] >= 0 and hands.holders[hands.lower[i]] & owner:
                below |= 1 << own
            own += 1
    player.pattern = &laying().patterns[laying().pattern_of[above][below]]
    own = 0
    for i in range(hands.count):
        holder = hands.holders[i]
        if holder != owner:  # the other holds it: what it is as a top of this player's piles
            player.below[others] = own
            player.not_above[others] = own + ((holder & owner) != 0)
            player.ascending_case[OTHERS + others] = case_number(
                player.not_above[others],
                seat[hands.lower[i]] + 1 if hands.lower[i] >= 0 and hands.holders[hands.lower[i]] & owner else 0)
            player.descending_case[OTHERS + others] = case_number(
                HAND - own,
                HAND - seat[hands.higher[i]] if hands.higher[i] >= 0 and hands.holders[hands.higher[i]] & owner else 0)
            player.ascending_open[OTHERS + others] = (1 << others) - 1
            player.descending_open[OTHERS + others] = (1 << other_count) - (2 << others)
        if holder & owner:
            player.ascending_case[own] = player.pattern.ascending_own[own]
            player.descending_case[own] = player.pattern.descending_own[own]
            player.ascending_open[own] = (1 << others) - 1
            player.descending_open[own] = (1 << other_count) - (1 << (others + (holder != owner)))
            own += 1
        others += holder != owner


cdef void set_hands(Duel *duel, const Hands *hands) noexcept nogil:
    """The duel of a pattern, without the tops that lie there."""
    set_side(&duel.mover, hands, MOVER)
    set_side(&duel.opponent, hands, OPPONENT)


cdef void set_top(Duel *duel, const Hands *hands, int pile, TopClass top) noexcept nogil:
    """What lies on one pile, in a duel made by `set_hands`."""
    cdef Player *player = &duel.mover if pile < 2 else &duel.opponent
    cdef int owner = MOVER if pile < 2 else OPPONENT
    cdef int i, own = 0, others = 0, other_count = 0, trick = 0
    for i in range(hands.count):
        if i < top.place:
            own += (hands.holders[i] & owner) != 0
            others += hands.holders[i] != owner
        other_count += hands.holders[i] != owner
    if pile % 2 == 0:
        if top.trick != NOWHERE:
            trick = top.trick + 1
        player.ascending_case[ORIGINAL] = case_number(own, trick)
        player.ascending_open[ORIGINAL] = (1 << others) - 1
    else:
        if top.trick != NOWHERE:
            trick = HAND - top.trick
        player.descending_case[ORIGINAL] = case_number(HAND - own, trick)
        player.descending_open[ORIGINAL] = (1 << other_count) - (1 << others)


cdef inline Masks read_hands(uint64_t mover, uint64_t opponent, int step) noexcept nogil:
    """The pattern of two concrete hands."""
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
    rest = numbers & (numbers >> step) if step < 64 else 0
    for i in range(2):  # few hands have more pairs; a pair that is not there sets a bit above the numbers
        bit = rest & -rest
        rest ^= bit
        masks.opens |= 1 << __builtin_popcountll(numbers & (bit - 1))
        masks.closes |= 1 << __builtin_popcountll(numbers & ((bit << (step & 63)) - 1))
    while rest:
        bit = rest & -rest
        rest ^= bit
        masks.opens |= 1 << __builtin_popcountll(numbers & (bit - 1))
        masks.closes |= 1 << __builtin_popcountll(numbers & ((bit << step) - 1))
    masks.opens &= all
    masks.closes &= all
    return masks


cdef inline uint64_t mirrored(uint64_t hand) noexcept nogil:
    """v -> 61 - v."""
    hand = ((hand >> 1) & <uint64_t> 0x5555555555555555) | ((hand & <uint64_t> 0x5555555555555555) << 1)
    hand = ((hand >> 2) & <uint64_t> 0x3333333333333333) | ((hand & <uint64_t> 0x3333333333333333) << 2)
    hand = ((hand >> 4) & <uint64_t> 0x0F0F0F0F0F0F0F0F) | ((hand & <uint64_t> 0x0F0F0F0F0F0F0F0F) << 4)
    hand = ((hand >> 8) & <uint64_t> 0x00FF00FF00FF00FF) | ((hand & <uint64_t> 0x00FF00FF00FF00FF) << 8)
    hand = ((hand >> 16) & <uint64_t> 0x0000FFFF0000FFFF) | ((hand & <uint64_t> 0x0000FFFF0000FFFF) << 16)
    return ((hand >> 32) | (hand << 32)) >> 2


cdef uint64_t slot_of(const Entry *entries, const Packed *p, int step) noexcept nogil:
    """The slot of a well-formed position; `entries` are those of its table."""
    return slot_within(&entries[pattern_of_hands(p.mover_hand, p.opponent_hand, step)], p, step)


cdef uint64_t pattern_of_hands(uint64_t mover, uint64_t opponent, int step) noexcept nogil:
    """The number of the pattern of two concrete hands."""
    cdef Masks masks = read_hands(mover, opponent, step)
    return rank_masks(&masks)


cdef uint64_t slot_within(const Entry *entry, const Packed *p, int step) noexcept nogil:
    """The slot of a well-formed position of a pattern."""
    cdef uint64_t mover = p.mover_hand, opponent = p.opponent_hand, numbers = mover | opponent
    cdef int turned = entry.turned
    return entry.offset + (
        digit_of(entry, 0, mover, numbers, p.mover_ascending, step, turned) * <uint64_t> entry.strides[0]
        + digit_of(entry, 1, mover, numbers, p.mover_descending, step, turned) * <uint64_t> entry.strides[1]
        + digit_of(entry, 2, opponent, numbers, p.opponent_ascending, step, turned) * <uint64_t> entry.strides[2]
        + digit_of(entry, 3, opponent, numbers, p.opponent_descending, step, turned) * <uint64_t> entry.strides[3])


cdef Packed mirror_packed(const Packed *p, int highest) noexcept nogil:
    """v -> highest + 1 - v, ascending and descending exchanged, in the deck of `highest`."""
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
    """Field by field; between the two images of a class that is its own mirror image."""
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
    """The key of the class of a well-formed position, the same for its mirror image; `turned`: it is the image's,
    or both have it and the image packs smaller."""
    cdef Masks masks = read_hands(p.mover_hand, p.opponent_hand, step)
    cdef Masks image_masks = mirror_masks(&masks)
    cdef uint64_t rank = rank_masks(&masks), image_rank = rank_masks(&image_masks), digits = 0, image_digits = 0
    cdef int movers = __builtin_popcountll(p.mover_hand), opponents = __builtin_popcountll(p.opponent_hand), pile
    cdef Packed image
    cdef Hands hands
    cdef Entry entry
    unrank_hands(&hands, min(rank, image_rank), movers, opponents)
    for pile in range(PILES):
        fill_pile(&entry, &hands, pile)
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


cdef int check_sizes(int mover_count, int opponent_count) except -1:
    if not (1 <= mover_count <= HAND and 1 <= opponent_count <= HAND):
        raise ValueError(f"hands are of 1..6 cards, not {mover_count} v {opponent_count}")
    return 0


cdef int check_slots(TableIndex index, uint64_t start, uint64_t count) except -1:
    """The table has `count` slots from `start` on."""
    if start > index.size or count > index.size - start:
        raise IndexError(f"slots {start}..{<object> start + count} of {index.size}")
    return 0


ENTRY_DTYPE = np.dtype([
    ("offset", "u8"), ("strides", "u4", PILES), ("sizes", "u1", PILES), ("first", "u1", (PILES, PLACES)),
    ("tricks", "u1", (PILES, PLACES)), ("turned", "u1"),
], align=True)


cdef class TableIndex:
    """The index of the table of all positions in which the mover holds k cards and the opponent m.

    Its slots are 0..size-1. Every class that is its own mirror image, or whose pattern's number is not above that of its
    mirror image, has a slot; a few slots belong to no class that fits the deck.

    >>> index = TableIndex(1, 1)
    >>> index.patterns, index.unfolded, index.size
    (5, 1393, 737)
    """

    def __cinit__(self, int mover_count, int opponent_count):
        cdef uint32_t rank
        cdef uint64_t slots, image_rank
        cdef int pile
        cdef Hands hands
        cdef Hands image
        cdef Entry *entry
        check_sizes(mover_count, opponent_count)
        self.mover_count, self.opponent_count = mover_count, opponent_count
        if pattern_count(mover_count, opponent_count, 0) > 10_000_000:
            raise ValueError(f"{mover_count} v {opponent_count} has {pattern_count(mover_count, opponent_count, 0):,} "
                             "patterns, more than are indexed in memory")
        self.patterns = pattern_count(mover_count, opponent_count, 0)
        check_room(self.patterns, sizeof(Entry))
        self.entries = <Entry *> calloc(self.patterns, sizeof(Entry))
        self.kept = <uint32_t *> calloc(self.patterns, sizeof(uint32_t))
        if self.entries == NULL or self.kept == NULL:
            raise MemoryError()
        with nogil:
            for rank in range(self.patterns):
                entry = &self.entries[rank]
                unrank_hands(&hands, rank, mover_count, opponent_count)
                for pile in range(PILES):
                    fill_pile(entry, &hands, pile)
                slots = <uint64_t> entry.sizes[0] * entry.sizes[1] * entry.sizes[2] * entry.sizes[3]
                self.unfolded += slots
                mirror_hands(&image, &hands)
                image_rank = rank_hands(&image)
                if image_rank < rank:
                    turn(entry, &self.entries[image_rank], hands.count)
                    continue
                entry.offset = self.size
                entry.strides[3] = 1
                for pile in range(PILES - 2, -1, -1):
                    entry.strides[pile] = entry.strides[pile + 1] * entry.sizes[pile + 1]
                self.size += slots
                self.kept[self.kept_count] = rank
                self.kept_count += 1

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

    def rank_range(self, const Packed[:] positions not None, uint64_t[:] slots not None, Py_ssize_t start, Py_ssize_t stop,
                   int highest, int step):
        """Fills slots[start:stop]; returns -1, or the place of the first position that is not well-formed or not of
        this table."""
        cdef Py_ssize_t i
        check_span(start, stop, min(positions.shape[0], slots.shape[0]))
        check_deck(highest, step)
        with nogil:
            for i in range(start, stop):
                if (fault(&positions[i], highest) or __builtin_popcountll(positions[i].mover_hand) != self.mover_count
                        or __builtin_popcountll(positions[i].opponent_hand) != self.opponent_count):
                    break
                slots[i] = slot_of(self.entries, &positions[i], step)
            else:
                i = -1
        return i

    def unfold_range(self, uint8_t[::1] marks not None, uint64_t start):
        """Doubles the marks of the slots from `start` on that stand for their mirror images too, for these have no slot."""
        cdef uint64_t slot = start, stop = start + marks.shape[0], end
        cdef uint32_t kept
        cdef Hands hands
        cdef Hands image
        check_slots(self, start, marks.shape[0])
        if start == stop:
            return
        with nogil:
            kept = self.pattern_at(start)
            while slot < stop:
                unrank_hands(&hands, self.kept[kept], self.mover_count, self.opponent_count)
                mirror_hands(&image, &hands)
                kept += 1
                end = min(stop, self.entries[self.kept[kept]].offset if kept < self.kept_count else self.size)
                if rank_hands(&image) == self.kept[kept - 1]:
                    slot = end
                while slot < end:
                    marks[slot - start] *= 2
                    slot += 1

    def look_ups(self):
        """A copy of `entries` and `kept`, for tests."""
        return {
            "entries": np.frombuffer((<char *> self.entries)[:self.patterns * sizeof(Entry)], ENTRY_DTYPE),
            "kept": np.array(<uint32_t[:self.kept_count]> self.kept),
        }

    def describe(self, uint64_t slot):
        """What a slot stands for, as (holders, higher, tops): per element 1 mover, 2 opponent, 3 both; the element a
        back trick above, or -1; per pile in the order of POSITION_DTYPE (place, trick or None)."""
        cdef Hands hands
        cdef const Entry *entry
        cdef uint32_t rank
        if slot >= self.size:
            raise IndexError(f"slot {slot} of {self.size}")
        rank = self.kept[self.pattern_at(slot)]
        entry = &self.entries[rank]
        unrank_hands(&hands, rank, self.mover_count, self.opponent_count)
        return describe_slot(&hands, entry, slot - entry.offset)


cdef void tops_of_slot(TopClass *found, const Entry *entry, int elements, uint64_t slot) noexcept nogil:
    """The four tops of a slot of a pattern, counted from its first slot."""
    cdef TopClass tops[MOST_DIGITS]
    cdef int pile
    for pile in range(PILES - 1, -1, -1):
        list_tops(entry, pile, elements + 1, tops)
        found[pile] = tops[slot % entry.sizes[pile]]
        slot //= entry.sizes[pile]


cdef tuple describe_slot(const Hands *hands, const Entry *entry, uint64_t slot):
    """What a slot of a pattern, counted from its first slot, stands for, like `TableIndex.describe`."""
    cdef TopClass tops[PILES]
    cdef int i
    tops_of_slot(tops, entry, hands.count, slot)
    holders = tuple([hands.holders[i] for i in range(hands.count)])
    higher = tuple([hands.higher[i] for i in range(hands.count)])
    return holders, higher, tuple([(tops[i].place, None if tops[i].trick == NOWHERE else tops[i].trick) for i in range(PILES)])


def count_patterns(int mover_count, int opponent_count):
    """The number of hand patterns of a table, without building its index.

    >>> [count_patterns(1, 1), count_patterns(2, 1), count_patterns(2, 2), count_patterns(3, 2), count_patterns(6, 6)]
    [5, 19, 116, 603, 416852190]
    """
    check_sizes(mover_count, opponent_count)
    return pattern_count(mover_count, opponent_count, 0)


def slots_of_range(int mover_count, int opponent_count, uint64_t start, uint64_t stop):
    """The slots of the patterns start..stop-1, none folded away, and how many of them belong to patterns that are their own
    mirror images. No index is needed, so every table can be counted.

    >>> slots_of_range(1, 1, 0, 5)
    (1393, 81)
    """
    cdef uint64_t rank, slots, total = 0, symmetric = 0
    cdef Hands hands
    cdef Hands image
    cdef Entry entry
    cdef int pile
    check_sizes(mover_count, opponent_count)
    if start > stop or stop > pattern_count(mover_count, opponent_count, 0):
        raise IndexError(f"patterns {start}..{stop} of {mover_count} v {opponent_count}")
    with nogil:
        for rank in range(start, stop):
            unrank_hands(&hands, rank, mover_count, opponent_count)
            slots = 1
            for pile in range(PILES):
                fill_pile(&entry, &hands, pile)
                slots *= entry.sizes[pile]
            total += slots
            mirror_hands(&image, &hands)
            if rank_hands(&image) == rank:
                symmetric += slots
    return total, symmetric


def pattern_at_rank(int mover_count, int opponent_count, uint64_t rank):
    """The pattern of a number, as (holders, higher) like `TableIndex.describe`, in every table.

    >>> pattern_at_rank(1, 1, 4)
    ((2, 1), (1, -1))
    """
    cdef Hands hands
    check_sizes(mover_count, opponent_count)
    if rank >= pattern_count(mover_count, opponent_count, 0):
        raise IndexError(f"pattern {rank} of {mover_count} v {opponent_count}")
    unrank_hands(&hands, rank, mover_count, opponent_count)
    return tuple([hands.holders[i] for i in range(hands.count)]), tuple([hands.higher[i] for i in range(hands.count)])


def pattern_round_trip(int mover_count, int opponent_count, uint32_t rank):
    """rank(unrank(rank)) and the number of the twice mirrored pattern, for tests of the arithmetic."""
    cdef Hands hands
    cdef Hands image
    cdef Hands again
    check_sizes(mover_count, opponent_count)
    if rank >= pattern_count(mover_count, opponent_count, 0):
        raise IndexError(f"pattern {rank} of {mover_count} v {opponent_count}")
    unrank_hands(&hands, rank, mover_count, opponent_count)
    mirror_hands(&image, &hands)
    mirror_hands(&again, &image)
    return rank_hands(&hands), rank_hands(&again)


def look_ups():
    """A copy of every look-up table of this module by its name here, for tests. `TableIndex.look_ups` has those of an index."""
    return {
        "completions": np.array(<uint64_t[:ELEMENTS + 1, :ELEMENTS + 2]> &completions[0][0]),
        "head": np.array(<uint32_t[:HALF + 1, :CODES]> &head[0][0]),
        "tail": np.array(<uint32_t[:HALF + 1, :CODES]> &tail[0][0]),
        "subset_rank": np.array(<uint16_t[:1 << ELEMENTS]> &subset_rank[0]),
        "choices": np.array(<uint64_t[:ELEMENTS + 1, :ELEMENTS + 1]> &choices[0][0]),
        "bases": np.array(<uint64_t[:HAND + 1, :HAND + 1, :HAND + 2]> &bases[0][0][0]),
    }
