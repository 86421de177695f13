"""Numbers the patterns of two hands: rank, unrank, the mirror, and the pattern of concrete hands (`_hands.pxd`)."""

from libc.string cimport memset

import numpy as np

from backtrick._bits cimport __builtin_popcountll
from backtrick.face_to_face._laying cimport HAND

# Pairs of numbers `step` apart close in the order in which they open. So two bits for each element, opens and closes, say all.
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


cdef Masks read_masks(uint64_t mover, uint64_t opponent, int step) noexcept nogil:
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
    rest = numbers & (numbers >> step) if step < 64 else 0
    for i in range(2):  # few hands have more pairs; a missing pair sets a bit above the numbers
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


cdef void read_hands(Hands *hands, uint64_t mover, uint64_t opponent, int step) noexcept nogil:
    """The pattern of two concrete hands, element by element."""
    cdef Masks masks = read_masks(mover, opponent, step)
    spread(hands, &masks)


cdef uint64_t pattern_of_image(uint64_t mover, uint64_t opponent, int step) noexcept nogil:
    """The number of the pattern of the mirror image of two concrete hands."""
    cdef Masks masks = read_masks(mover, opponent, step)
    cdef Masks image = mirror_masks(&masks)
    return rank_masks(&image)


cdef uint64_t pattern_of_hands(uint64_t mover, uint64_t opponent, int step) noexcept nogil:
    """The number of the pattern of two concrete hands."""
    cdef Masks masks = read_masks(mover, opponent, step)
    return rank_masks(&masks)


cdef int check_sizes(int mover_count, int opponent_count) except -1:
    if not (1 <= mover_count <= HAND and 1 <= opponent_count <= HAND):
        raise ValueError(f"hands are of 1..6 cards, not {mover_count} v {opponent_count}")
    return 0


def count_patterns(int mover_count, int opponent_count):
    """The number of hand patterns of a table, without building its index.

    >>> [count_patterns(1, 1), count_patterns(2, 1), count_patterns(2, 2), count_patterns(3, 2), count_patterns(6, 6)]
    [5, 19, 116, 603, 416852190]
    """
    check_sizes(mover_count, opponent_count)
    return pattern_count(mover_count, opponent_count, 0)


def pattern_at_rank(int mover_count, int opponent_count, uint64_t rank):
    """The pattern of a number, as (holders, higher) like `TableIndex.describe`. It works for every table.

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
    """rank(unrank(rank)), and the number of the pattern that is mirrored twice: both must be `rank`. For tests."""
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
