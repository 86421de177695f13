"""Collects the shapes of a given count of distinct numbers in a deck (`_shapes.pxd`)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

import numpy as np

from backtrick._bits cimport __builtin_clzll, __builtin_popcountll
from backtrick.face_to_face._duel cimport check_deck
from backtrick.face_to_face._hands cimport MOVER, OPPONENT, rank_hands
from backtrick.face_to_face._laying cimport HAND

MOST_NUMBERS = MOST

cdef enum:
    RECENT = 14                            # bits

cdef struct KeySet:                        # open addressing, no key is 0
    uint64_t *keys
    uint64_t room
    uint64_t used


cdef int grow(KeySet *found) noexcept nogil:
    cdef KeySet larger
    cdef uint64_t i
    larger.room, larger.used = found.room * 2, 0
    larger.keys = <uint64_t *> calloc(larger.room, sizeof(uint64_t))
    if larger.keys == NULL:
        return -1
    for i in range(found.room):
        if found.keys[i]:
            add(&larger, found.keys[i])
    free(found.keys)
    found[0] = larger
    return 0


cdef int add(KeySet *found, uint64_t key) noexcept nogil:
    cdef uint64_t at = key ^ (key >> 31)
    at *= <uint64_t> 0x9E3779B97F4A7C15
    at = (at ^ (at >> 29)) & (found.room - 1)
    while found.keys[at]:
        if found.keys[at] == key:
            return 0
        at = (at + 1) & (found.room - 1)
    found.keys[at] = key
    found.used += 1
    return grow(found) if 2 * found.used > found.room else 0


cdef inline uint64_t inner_key(uint64_t numbers, int count, int step) noexcept nogil:
    """The key of a set of numbers, the lowest at bit 0, without the parts that depend on how far the deck extends beyond them.

    From the low end: reach up and reach down (unary), spare up of the gaps 1..count, spare down of the gaps 0..count-1, `count`
    bits each, and the shift in unary. Of two keys of one shift, the one with all bits of the other includes it.
    """
    cdef uint64_t free_up = ~numbers & ~(numbers << step), free_down = ~numbers & ~(numbers >> step)
    cdef uint64_t rest = numbers, bit, trick, gap, before = 1, shift = 1, spare_up = 0, spare_down = 0
    cdef int i, location, reached = 0
    for i in range(count):
        bit = rest & -rest
        rest ^= bit
        gap = (bit - 1) & ~before
        spare_up |= <uint64_t> ((free_up & gap) != 0) << i
        spare_down |= <uint64_t> ((free_down & gap) != 0) << i
        before = (bit << 1) - 1
        trick = bit << step                # 0 beyond 64 bits: `trick - 1` is then all ones, so all numbers lie below it
        location = 2 * __builtin_popcountll(numbers & (trick - 1)) + ((numbers & trick) != 0)
        shift = ((shift << (location - reached)) << 1) | 1
        reached = location
    return ((spare_up >> 1) << (2 * count)) | (spare_down << (3 * count)) | (shift << (4 * count))


cdef inline uint64_t unary(int number) noexcept nogil:
    return (<uint64_t> 1 << number) - 1


cdef int add_ends(KeySet *found, uint64_t *recent, uint64_t numbers, int count, int rest, int wide, int step) noexcept nogil:
    """Adds the keys of a set of numbers for all ways to divide the `rest` of the deck between its two ends."""
    cdef uint64_t key, inner = inner_key(numbers, count, step), place
    cdef int below, above, reach_up, reach_down, spare_down, before = -1, highest = 63 - __builtin_clzll(numbers)
    cdef uint64_t low = numbers & unary(step)                            # the tricks of these lie below all numbers
    cdef uint64_t high = numbers << (63 - highest) >> (64 - step)        # and of these above, the lowest at bit 0
    for below in range(max(0, min(wide, rest - wide)), min(wide, rest) + 1):
        above = min(wide, rest - below)
        reach_down = __builtin_popcountll(low >> max(0, step - below))
        spare_down = below > reach_down
        if 2 * reach_down + spare_down == before:
            continue                       # the last key added, with one number less below and one more above, includes this one
        before = 2 * reach_down + spare_down
        reach_up = __builtin_popcountll(high & unary(min(above, step)))
        key = inner | unary(reach_up) | (unary(reach_down) << count)
        key |= (<uint64_t> (above > reach_up) << (3 * count - 1)) | (<uint64_t> spare_down << (3 * count))
        place = (key * <uint64_t> 0x9E3779B97F4A7C15) >> (64 - RECENT)
        if recent[place] != key:
            recent[place] = key
            if add(found, key):
                return -1
    return 0


cdef int collect(KeySet *found, int count, int highest, int step) noexcept nogil:
    """Collects the keys of all sets of numbers in 2..highest-1; returns -1 if memory is short.

    A gap of max(step, count + 1) numbers gives the same key as a wider one, inside the deck and at its ends: no two numbers on
    either side of it are `step` apart, and all its tricks fit. There are at most `count` of these, so a number is left.
    """
    cdef int x[MOST]
    cdef uint64_t below[MOST]              # the numbers below x[at]
    cdef uint64_t recent[1 << RECENT]      # keys added, for most come again soon
    cdef int wide = max(step, count + 1), last = count - 1, at
    if count > highest - 2:
        return 0
    memset(recent, 0, sizeof(recent))
    for at in range(count):
        x[at] = at
        below[at] = unary(at)
    step = min(step, 63)                   # no two numbers are 63 apart
    while True:
        if add_ends(found, recent, below[last] | (<uint64_t> 1 << x[last]), count, highest - 3 - x[last], wide, step):
            return -1
        at = last
        while at > 0 and (x[at] - x[at - 1] > wide or x[at] + last - at >= highest - 3):
            at -= 1
        if at == 0:
            return 0
        x[at] += 1
        while at < last:
            x[at + 1] = x[at] + 1
            below[at + 1] = below[at] | (<uint64_t> 1 << x[at])
            at += 1


cdef uint64_t keep_largest(const uint64_t *keys, uint64_t total, int bits, uint64_t *kept) noexcept nogil:
    """Keeps the keys that no other key of the same shift includes; returns how many. keys: ascending."""
    cdef uint64_t i = total, j, count = 0, group = 0
    while i:
        i -= 1                             # downwards: a key that includes another is the greater number
        if i + 1 < total and (keys[i] >> bits) != (keys[i + 1] >> bits):
            group = count
        for j in range(group, count):
            if (keys[i] & ~kept[j]) == 0:
                break
        else:
            kept[count] = keys[i]
            count += 1
    return count


cdef void decode(Shape *shape, uint64_t key, int count) noexcept nogil:
    cdef int i, at, location = 0, reach
    cdef uint64_t shift = key >> (4 * count)
    cdef int bit = 62 - __builtin_clzll(shift)
    cdef uint32_t gaps = (1 << count) - 1
    shape.spare_up = (((key >> (2 * count)) & gaps) << 1) | 1         # the row card 1 lies below everything
    shape.spare_down = ((key >> (3 * count)) & gaps) | (1 << count)
    i = 0
    while i < count:
        if (shift >> bit) & 1:
            shape.up[i] = location
            i += 1
        else:
            location += 1
        bit -= 1
    for i in range(count):
        at = 0
        while at < count and shape.up[at] < 2 * i + 1:
            at += 1
        shape.down[i] = 2 * at + (at < count and shape.up[at] == 2 * i + 1)
    reach = __builtin_popcountll(key & gaps)                     # the lowest tricks above all elements
    for i in range(count):
        if shape.up[i] == 2 * count:
            if reach == 0:
                shape.up[i] = NOT_REACHED
            reach -= reach > 0
    reach = __builtin_popcountll((key >> count) & gaps)            # the highest tricks below all elements
    for i in range(count - 1, -1, -1):
        if shape.down[i] == 0:
            if reach == 0:
                shape.down[i] = NOT_REACHED
            reach -= reach > 0


cdef uint64_t pairing_of(const Hands *hands) noexcept nogil:
    """The number of a pattern among those with the same holders. Pairs are the lowest part of a pattern's number."""
    cdef Hands paired = hands[0]
    cdef Hands alone
    cdef int i
    for i in range(hands.count):
        paired.holders[i] = MOVER if i < HAND else OPPONENT
    alone = paired
    for i in range(hands.count):
        alone.higher[i] = alone.lower[i] = -1
    return rank_hands(&paired) - rank_hands(&alone)


cdef class Shapes:
    """The shapes of `count` distinct numbers in a deck, by pairing.

    >>> [Shapes(count, 60, 10).pairings for count in range(1, 5)]
    [1, 2, 5, 14]
    """

    def __cinit__(self, int count, int highest, int step):
        cdef KeySet found
        cdef uint64_t i, at = 0
        cdef int j
        cdef Hands hands
        cdef Shape shape
        cdef uint64_t[::1] kept
        cdef long long[::1] places
        if not 1 <= count <= MOST:
            raise ValueError(f"the shapes of 1..{MOST} distinct numbers are listed, not of {count}")
        check_deck(highest, step)
        self.count, self.highest, self.step = count, highest, step
        found.room, found.used = 1 << 16, 0
        found.keys = <uint64_t *> calloc(found.room, sizeof(uint64_t))
        if found.keys == NULL:
            raise MemoryError()
        with nogil:
            j = collect(&found, count, highest, step)
        if j:
            free(found.keys)
            raise MemoryError()
        for i in range(found.room):
            if found.keys[i]:
                found.keys[at] = found.keys[i]
                at += 1
        kept = np.zeros(at + 1, dtype=np.uint64)
        if at:
            np.asarray(<uint64_t[:at]> found.keys).sort()
            self.total = keep_largest(found.keys, at, 4 * count, &kept[0])
        free(found.keys)
        numbers = np.zeros(self.total, dtype=np.int64)
        for i in range(self.total):
            decode(&shape, kept[i], count)
            hands.count = count
            for j in range(count):
                hands.higher[j] = shape.up[j] // 2 if shape.up[j] % 2 else -1
                hands.lower[j] = shape.down[j] // 2 if shape.down[j] % 2 else -1
            numbers[i] = pairing_of(&hands)
        self.pairings = catalan(count)
        of_pairing = np.bincount(numbers, minlength=self.pairings)
        self.largest = of_pairing.max()
        self.list.shapes = <Shape *> calloc(self.total + 1, sizeof(Shape))
        self.list.first = <uint64_t *> calloc(self.pairings + 1, sizeof(uint64_t))
        if self.list.shapes == NULL or self.list.first == NULL:
            raise MemoryError()
        for i in range(self.pairings):
            self.list.first[i + 1] = self.list.first[i] + of_pairing[i]
        places = np.argsort(numbers, kind="stable").astype(np.int64)
        for i in range(self.total):
            decode(&self.list.shapes[i], kept[places[i]], count)

    def __dealloc__(self):
        free(self.list.shapes)
        free(self.list.first)


cdef object catalan(int count):
    cdef int i
    number = 1
    for i in range(count):
        number = number * 2 * (2 * i + 1) // (i + 2)
    return number
