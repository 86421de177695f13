"""Counts, for the slots of a table, the classes that have a position in the deck."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memmove, memset

import numpy as np

from backtrick._arguments cimport check_span
from backtrick._bits cimport __builtin_clzll, __builtin_popcountll
from backtrick.face_to_face._classes cimport (
    MOST_DIGITS,
    MOVER,
    NOWHERE,
    OPPONENT,
    PILES,
    Entry,
    Hands,
    TableIndex,
    TopClass,
    check_sizes,
    check_slots,
    entry_at,
    fill_entry,
    list_tops,
    mirror_hands,
    pattern_count,
    rank_at,
    rank_hands,
    unrank_hands,
)
from backtrick.face_to_face._layout cimport BACK, HAND, HIGHEST


# Shapes of numbers, which decide what tops there are over them (docs/face_to_face.md has the argument).
#
#   location   of a number: 2p between element p-1 and element p (p = count: above all), 2p + 1 on element p
#   shift      the locations of all x + 10; it decides those of all x - 10, and which elements are 10 apart
#   spare      bit p: more numbers than tricks lie between element p-1 and element p, so one of them is not a trick
#   reach      how many tricks above the last element (or below the first) are still in the deck
#
# `Shapes` lists all shapes that fit the deck. A shape is dropped if another of the same shift has all its spares and reaches: it
# adds no class.

cdef enum:
    MOST = 9                               # distinct numbers: a key has 7 bits for each, and one
    NOT_REACHED = 254                      # even, as the locations between elements are


cdef struct Shape:
    uint8_t up[MOST]                       # the location of x + 10
    uint8_t down[MOST]                     # the location of x - 10
    uint32_t spare_up                      # where a top other than every x + 10 is left
    uint32_t spare_down


cdef struct ShapeList:
    Shape *shapes
    uint64_t *first                        # the shapes of a pairing are first[pairing]..first[pairing + 1]


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


cdef inline uint64_t inner_key(uint64_t numbers, int count) noexcept nogil:
    """The key of a set of numbers, the lowest at bit 0, without the parts that depend on how far the deck extends beyond them.

    From the low end: reach up and reach down (unary), spare up of the gaps 1..count, spare down of the gaps 0..count-1, `count`
    bits each, and the shift in unary. A key includes another of the same shift if it has all of its bits.
    """
    cdef uint64_t free_up = ~numbers & ~(numbers << BACK), free_down = ~numbers & ~(numbers >> BACK)
    cdef uint64_t rest = numbers, bit, trick, gap, before = 1, shift = 1, spare_up = 0, spare_down = 0
    cdef int i, location, reached = 0
    for i in range(count):
        bit = rest & -rest
        rest ^= bit
        gap = (bit - 1) & ~before
        spare_up |= <uint64_t> ((free_up & gap) != 0) << i
        spare_down |= <uint64_t> ((free_down & gap) != 0) << i
        before = (bit << 1) - 1
        trick = bit << BACK                # 0 beyond 64 bits: `trick - 1` is then all ones, so all numbers lie below it
        location = 2 * __builtin_popcountll(numbers & (trick - 1)) + ((numbers & trick) != 0)
        shift = ((shift << (location - reached)) << 1) | 1
        reached = location
    return ((spare_up >> 1) << (2 * count)) | (spare_down << (3 * count)) | (shift << (4 * count))


cdef inline uint64_t unary(int number) noexcept nogil:
    return (<uint64_t> 1 << number) - 1


cdef int add_ends(KeySet *found, uint64_t *recent, uint64_t numbers, int count, int rest) noexcept nogil:
    """Adds the keys of a set of numbers for all ways to divide the `rest` of the deck between its two ends."""
    cdef uint64_t key, inner = inner_key(numbers, count), place
    cdef int below, above, reach_up, reach_down, spare_down, before = -1, last = 63 - __builtin_clzll(numbers)
    cdef uint64_t low = numbers & unary(BACK)                            # the tricks of these lie below all numbers
    cdef uint64_t high = numbers << (63 - last) >> (64 - BACK)           # and of these above, the lowest at bit 0
    for below in range(max(0, min(BACK, rest - BACK)), min(BACK, rest) + 1):
        above = min(BACK, rest - below)
        reach_down = __builtin_popcountll(low >> (BACK - below))
        spare_down = below > reach_down
        if 2 * reach_down + spare_down == before:
            continue                       # the last key added, with one number less below and one more above, includes this one
        before = 2 * reach_down + spare_down
        reach_up = __builtin_popcountll(high & unary(above))
        key = inner | unary(reach_up) | (unary(reach_down) << count)
        key |= (<uint64_t> (above > reach_up) << (3 * count - 1)) | (<uint64_t> spare_down << (3 * count))
        place = (key * <uint64_t> 0x9E3779B97F4A7C15) >> (64 - RECENT)
        if recent[place] != key:
            recent[place] = key
            if add(found, key):
                return -1
    return 0


cdef int collect(KeySet *found, int count) noexcept nogil:
    """Collects the keys of all sets of number cards; returns -1 if there is not enough memory.

    A gap of 10 numbers gives the same key as a wider one, inside the deck and at its ends: no two numbers on either side of it
    are 10 apart, and all its tricks fit. There are at most `count` of these, 9 or fewer, so a number is left.
    """
    cdef int x[MOST]
    cdef uint64_t below[MOST]              # the numbers below x[at]
    cdef uint64_t recent[1 << RECENT]      # keys added lately, because most of them soon come again
    cdef int last = count - 1, at
    memset(recent, 0, sizeof(recent))
    for at in range(count):
        x[at] = at
        below[at] = unary(at)
    while True:
        if add_ends(found, recent, below[last] | (<uint64_t> 1 << x[last]), count, HIGHEST - 3 - x[last]):
            return -1
        at = last
        while at > 0 and (x[at] - x[at - 1] > BACK or x[at] + last - at >= HIGHEST - 3):
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
    """The shapes of `count` distinct numbers, by pairing.

    >>> [Shapes(count).pairings for count in range(1, 5)]
    [1, 2, 5, 14]
    """

    cdef readonly int count
    cdef readonly uint64_t total
    cdef readonly uint64_t pairings
    cdef readonly uint64_t largest         # the most shapes of one pairing
    cdef ShapeList list                    # of `total` shapes

    def __cinit__(self, int count):
        cdef KeySet found
        cdef uint64_t i, at = 0
        cdef int j
        cdef Hands hands
        cdef Shape shape
        cdef uint64_t[::1] kept
        cdef long long[::1] places
        if not 1 <= count <= MOST:
            raise ValueError(f"count must be 1..{MOST}, not {count}")
        self.count = count
        found.room, found.used = 1 << 16, 0
        found.keys = <uint64_t *> calloc(found.room, sizeof(uint64_t))
        if found.keys == NULL:
            raise MemoryError()
        with nogil:
            j = collect(&found, count)
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


# The classes of one pattern that have a position in the deck.
#
# Over two concrete hands the four tops are chosen independently, so the classes they reach are a *box*: a product of four sets of
# digits. A pattern's classes are the union of the boxes of all its shapes. For each digit of each pile, `Reached` keeps the set of
# shapes whose box has the digit. Four digits are a class if their four sets have a shape in common.


cdef struct Reached:                       # the classes of one pattern; digits in the boxes of the same shapes form a group
    int words                              # of a set of shapes
    int sizes[PILES]                       # digits
    int groups[PILES]
    uint8_t group[PILES][MOST_DIGITS]      # of a digit
    uint8_t members[PILES][MOST_DIGITS]    # of a group: how many digits
    uint8_t shows[PILES][MOST_DIGITS]      # of a group: an element that no other top may show, or NOWHERE
    uint64_t *shapes                       # [pile][group]: the shapes that have these digits
    uint64_t *pair                         # room for two more sets
    uint64_t *three


cdef enum:
    WORDS = 2                              # a set of groups of digits

cdef struct Lines:                         # the opponent's digits that are possible with two groups of the mover's digits
    uint64_t has[MOST_DIGITS][WORDS]       # [group of ascending digits]: the groups of descending digits

cdef inline uint64_t *shapes_of(const Reached *r, int pile, int group) noexcept nogil:
    return r.shapes + (pile * MOST_DIGITS + group) * <size_t> r.words


cdef inline void put(Reached *r, uint64_t shape, const Entry *entry, int pile, int place, int trick) noexcept nogil:
    cdef int digit = entry.first[pile][place]
    if trick >= 0:
        digit += 1 + __builtin_popcountll(entry.tricks[pile][place] & ((1 << trick) - 1))
    shapes_of(r, pile, digit)[shape >> 6] |= <uint64_t> 1 << (shape & 63)


cdef inline bint is_trick(const Hands *hands, uint8_t location, int owner) noexcept nogil:
    return location % 2 and hands.holders[location // 2] & owner


cdef void put_box(Reached *r, uint64_t number, Shape *shape, const Hands *hands, const Entry *entry) noexcept nogil:
    """Adds the box of a shape: the tops that hands of this shape allow. A top may show an element only if one hand alone holds
    that number (F1)."""
    cdef int pile, owner, i, k, place, card
    cdef bint ascending
    cdef uint8_t *away                     # where the tricks of a pile lie
    cdef uint8_t *back
    cdef uint32_t left
    for pile in range(PILES):
        owner = MOVER if pile < 2 else OPPONENT
        ascending = pile % 2 == 0
        away = &shape.up[0] if ascending else &shape.down[0]
        back = &shape.down[0] if ascending else &shape.up[0]
        left = shape.spare_up if ascending else shape.spare_down
        card = 0
        for i in range(hands.count):
            k = away[i] // 2
            if away[i] != NOT_REACHED:
                if hands.holders[i] & owner:
                    if away[i] % 2 == 0:
                        put(r, number, entry, pile, k, card)
                    elif hands.holders[k] != (MOVER | OPPONENT):
                        put(r, number, entry, pile, k + ((hands.holders[k] == owner) == ascending), card)
                elif away[i] % 2 == 0:
                    left |= 1 << k
            card += (hands.holders[i] & owner) != 0
            if hands.holders[i] != (MOVER | OPPONENT) and not is_trick(hands, back[i], owner):
                left |= 1 << (i + ((hands.holders[i] == owner) == ascending))
        for place in range(hands.count + 1):
            if (left >> place) & 1:
                put(r, number, entry, pile, place, -1)


cdef void find_shown(uint8_t *shown, int pile, const Hands *hands, const Entry *entry) noexcept nogil:
    """For each digit the element that its top shows, or NOWHERE. A top shows an element if this element is its trick's
    partner."""
    cdef TopClass tops[MOST_DIGITS]
    cdef int digit, owner = MOVER if pile < 2 else OPPONENT, i, card, partner
    for digit in range(list_tops(entry, pile, hands.count + 1, tops)):
        shown[digit] = NOWHERE
        card = 0
        for i in range(hands.count):
            partner = hands.higher[i] if pile % 2 == 0 else hands.lower[i]
            if hands.holders[i] & owner:
                if card == tops[digit].trick and partner >= 0:
                    shown[digit] = partner
                card += 1


cdef void group_digits(Reached *r, int pile, const uint8_t *shown) noexcept nogil:
    """Makes groups of digits that have the same shapes and show the same element. A group's set replaces those of its digits."""
    cdef int digit, group, count = 0
    cdef size_t size = r.words * sizeof(uint64_t)
    for digit in range(r.sizes[pile]):
        for group in range(count):
            if (r.shows[pile][group] == shown[digit]
                    and memcmp(shapes_of(r, pile, group), shapes_of(r, pile, digit), size) == 0):
                break
        else:
            group = count
            count += 1
            memmove(shapes_of(r, pile, group), shapes_of(r, pile, digit), size)
            r.shows[pile][group], r.members[pile][group] = shown[digit], 0
        r.group[pile][digit] = group
        r.members[pile][group] += 1
    r.groups[pile] = count


cdef void find_reached(Reached *r, const ShapeList *shapes, const Hands *hands, const Entry *entry, bint apart) noexcept nogil:
    """Finds the classes of a pattern; with `apart`, no two tops show the same element."""
    cdef uint64_t pairing = pairing_of(hands), first = shapes.first[pairing], count = shapes.first[pairing + 1] - first, at
    cdef uint8_t shown[MOST_DIGITS]
    cdef int pile
    r.words = (count + 63) // 64 if count else 1
    for pile in range(PILES):
        r.sizes[pile] = entry.sizes[pile]
        memset(shapes_of(r, pile, 0), 0, r.sizes[pile] * r.words * sizeof(uint64_t))
    for at in range(count):
        put_box(r, at, &shapes.shapes[first + at], hands, entry)
    for pile in range(PILES):
        memset(shown, NOWHERE, sizeof(shown))
        if apart:
            find_shown(shown, pile, hands, entry)
        group_digits(r, pile, shown)


cdef inline bint meet(const uint64_t *first, const uint64_t *second, int words) noexcept nogil:
    cdef int i
    for i in range(words):
        if first[i] & second[i]:
            return True
    return False


cdef inline void intersect(uint64_t *common, const uint64_t *first, const uint64_t *second, int words) noexcept nogil:
    cdef int i
    for i in range(words):
        common[i] = first[i] & second[i]


cdef inline bint takes(uint32_t *taken, uint8_t element) noexcept nogil:
    """Marks an element as shown; False if another top shows it already."""
    if element == NOWHERE:
        return True
    if (taken[0] >> element) & 1:
        return False
    taken[0] |= <uint32_t> 1 << element
    return True


cdef void find_lines(const Reached *r, int ascending, int descending, Lines *lines) noexcept nogil:
    cdef uint32_t pair_taken = 0, taken, all_taken
    cdef int i, j
    memset(lines.has, 0, r.groups[2] * sizeof(lines.has[0]))
    if not (takes(&pair_taken, r.shows[0][ascending]) and takes(&pair_taken, r.shows[1][descending])):
        return
    intersect(r.pair, shapes_of(r, 0, ascending), shapes_of(r, 1, descending), r.words)
    for i in range(r.groups[2]):
        taken = pair_taken
        if not takes(&taken, r.shows[2][i]):
            continue
        intersect(r.three, r.pair, shapes_of(r, 2, i), r.words)
        for j in range(r.groups[3]):
            all_taken = taken
            if takes(&all_taken, r.shows[3][j]) and meet(r.three, shapes_of(r, 3, j), r.words):
                lines.has[i][j >> 6] |= <uint64_t> 1 << (j & 63)


cdef inline bint has(const Lines *lines, int ascending, int descending) noexcept nogil:
    return (lines.has[ascending][descending >> 6] >> (descending & 63)) & 1


cdef uint64_t count_classes(const Reached *r) noexcept nogil:
    cdef Lines lines
    cdef int i, j, k, n
    cdef uint64_t line, row, total = 0
    for i in range(r.groups[0]):
        for j in range(r.groups[1]):
            find_lines(r, i, j, &lines)
            row = 0
            for k in range(r.groups[2]):
                line = 0
                for n in range(r.groups[3]):
                    line += r.members[3][n] * has(&lines, k, n)
                row += r.members[2][k] * line
            total += <uint64_t> r.members[0][i] * r.members[1][j] * row
    return total


cdef uint64_t count_symmetric(const Reached *r, const Hands *hands, const Entry *entry) noexcept nogil:
    """How many classes are their own mirror images, for a pattern that is its own mirror image."""
    cdef TopClass tops[PILES][MOST_DIGITS]
    cdef int image[PILES][MOST_DIGITS]
    cdef Lines lines
    cdef int pile, i, j, cards
    cdef uint64_t total = 0
    for pile in range(PILES):
        list_tops(entry, pile, hands.count + 1, tops[pile])
    for pile in range(0, PILES, 2):
        cards = 0
        for i in range(hands.count):
            cards += (hands.holders[i] & (MOVER if pile < 2 else OPPONENT)) != 0
        for i in range(r.sizes[pile]):
            for j in range(r.sizes[pile + 1]):
                if (tops[pile][i].place + tops[pile + 1][j].place == hands.count
                        and (tops[pile][i].trick == NOWHERE) == (tops[pile + 1][j].trick == NOWHERE)
                        and (tops[pile][i].trick == NOWHERE
                             or tops[pile][i].trick + tops[pile + 1][j].trick == cards - 1)):
                    image[pile][i] = j
    for i in range(r.sizes[0]):
        find_lines(r, r.group[0][i], r.group[1][image[0][i]], &lines)
        for j in range(r.sizes[2]):
            total += has(&lines, r.group[2][j], r.group[3][image[2][j]])
    return total


cdef void fill_row(const Reached *r, int ascending, int descending, uint8_t *row) noexcept nogil:
    """Marks the classes that are reached in a row: all tops of the opponent, for two groups of the mover's digits."""
    cdef Lines lines
    cdef int i, j, group, size = r.sizes[3]
    cdef uint8_t *first[MOST_DIGITS]       # the line of a group that is there already
    memset(first, 0, sizeof(first))
    find_lines(r, ascending, descending, &lines)
    for i in range(r.sizes[2]):
        group = r.group[2][i]
        if first[group] != NULL:
            memcpy(row, first[group], size)
        else:
            first[group] = row
            for j in range(size):
                row[j] = has(&lines, group, r.group[3][j])
        row += size


# The classes of a table that have a position in the deck: counted, marked, and their values counted (docs/face_to_face.md).


cdef enum:
    VALUES = 6                             # remoteness 0..5
    NOT_FILLED = 0xFFFFFFFF

cdef struct Over:                          # a walk over slots, row by row, to fill marks or to count values
    uint64_t start                         # the slot that marks[0] or values[0] belongs to
    uint8_t *marks                         # NULL: values are counted
    const uint8_t *values
    uint64_t found[8]                      # in one pattern, by remoteness
    uint64_t counts[8]                     # in all of them


cdef inline uint32_t count_marks(const uint8_t *marks, int length) noexcept nogil:
    cdef uint32_t total = 0
    cdef int i
    for i in range(length):
        total += marks[i]
    return total


cdef inline uint8_t count_few(const uint8_t *values, const uint8_t *marks, int length, uint8_t value) noexcept nogil:
    """How many marked values equal `value`. There are at most 255, so the sum fits into a byte and many are compared at once."""
    cdef uint8_t few = 0
    cdef int i
    for i in range(length):
        few += <uint8_t> (values[i] == value) & marks[i]
    return few


cdef void count_row(const uint8_t *values, const uint8_t *marks, int length, uint32_t marked, uint64_t *counts) noexcept nogil:
    """Adds to `counts` how many of the `marked` values have each remoteness. Most rows have a single one."""
    cdef uint64_t few, others = 0
    cdef int start, value
    if memcmp(values, values + 1, length - 1) == 0:
        counts[values[0] % 8] += marked
        return
    for start in range(0, length, 255):
        for value in range(1, VALUES):
            few = count_few(values + start, marks + start, min(255, length - start), value)
            counts[value] += few
            others += few
    counts[0] += marked - others


cdef class Realised:
    """The classes of the table k v m that have a position in a deck.

    With `apart` two tops may not show the same card of a hand. As far as is known, F1 excludes nothing else besides shared numbers
    (docs/face_to_face.md).

    >>> Realised(1, 1).count_range(0, 5, apart=False)
    (1329, 705, 9)
    """

    cdef readonly int mover_count
    cdef readonly int opponent_count
    cdef list kept                         # the shapes by count of distinct numbers
    cdef const ShapeList *shapes[MOST + 1] # the same
    cdef Reached reached
    cdef uint64_t *room
    cdef uint8_t *rows                     # of a pattern, by groups of the mover's digits
    cdef uint32_t *marked                  # by the same, how many are marked there, or NOT_FILLED
    cdef uint64_t rows_room

    def __cinit__(self, int mover_count, int opponent_count, shapes_of=None):
        cdef uint64_t most = 1, words
        cdef Shapes shapes
        check_sizes(mover_count, opponent_count)
        if mover_count + opponent_count > MOST:
            raise ValueError(f"classes are counted for up to {MOST} cards, not for {mover_count} v {opponent_count}")
        self.mover_count, self.opponent_count = mover_count, opponent_count
        self.kept = []
        for count in range(max(mover_count, opponent_count), mover_count + opponent_count + 1):
            shapes = (shapes_of or Shapes)(count)
            if shapes is None or shapes.count != count:
                raise ValueError(f"these are not the shapes of {count} numbers")
            self.kept.append(shapes)
            self.shapes[shapes.count] = &shapes.list
            most = max(most, shapes.largest)
        words = (most + 63) // 64
        self.room = <uint64_t *> malloc((PILES * MOST_DIGITS + 2) * words * sizeof(uint64_t))
        self.marked = <uint32_t *> malloc(MOST_DIGITS * MOST_DIGITS * sizeof(uint32_t))
        if self.room == NULL or self.marked == NULL:
            raise MemoryError()
        self.reached.shapes = self.room + 2 * words
        self.reached.pair, self.reached.three = self.room, self.room + words

    def __dealloc__(self):
        free(self.room)
        free(self.marked)
        free(self.rows)

    def count_range(self, uint32_t start, uint32_t stop, bint apart):
        """Counts over the patterns start..stop-1: (classes, classes with a slot of their own, classes that are their own mirror
        images). The mirror images of these classes are counted too, each once."""
        cdef uint32_t rank
        cdef uint64_t image_rank, classes, total = 0, stored = 0, symmetric = 0
        cdef Hands hands
        cdef Hands image
        cdef Entry entry
        check_span(start, stop, pattern_count(self.mover_count, self.opponent_count, 0))
        with nogil:
            for rank in range(start, stop):
                unrank_hands(&hands, rank, self.mover_count, self.opponent_count)
                mirror_hands(&image, &hands)
                image_rank = rank_hands(&image)
                if image_rank < rank:
                    continue
                fill_entry(&entry, &hands)
                find_reached(&self.reached, self.shapes[hands.count], &hands, &entry, apart)
                classes = count_classes(&self.reached)
                stored += classes
                total += classes * (2 if image_rank > rank else 1)
                if image_rank == rank:
                    symmetric += count_symmetric(&self.reached, &hands, &entry)
        return total, stored, symmetric

    cdef bint make_room(self) noexcept nogil:
        """Makes room for the rows of a pattern, none of them filled. False if memory runs out."""
        cdef uint64_t pairs = self.reached.groups[0] * self.reached.groups[1]
        cdef uint64_t size = pairs * self.reached.sizes[2] * self.reached.sizes[3]
        if size > self.rows_room:
            free(self.rows)
            self.rows = <uint8_t *> malloc(size)
            self.rows_room = size if self.rows != NULL else 0
        memset(self.marked, NOT_FILLED, pairs * sizeof(uint32_t))
        return size <= self.rows_room

    cdef const uint8_t *row_of(self, int a, int d, uint64_t length) noexcept nogil:
        """The marks of all tops of the opponent for two digits of the mover's, filled when first asked for."""
        cdef Reached *r = &self.reached
        cdef int ascending = r.group[0][a], descending = r.group[1][d]
        cdef uint64_t at = ascending * r.groups[1] + descending
        if self.marked[at] == NOT_FILLED:
            fill_row(r, ascending, descending, self.rows + at * length)
            self.marked[at] = count_marks(self.rows + at * length, length)
        return self.rows + at * length

    cdef uint32_t marks_of(self, int a, int d) noexcept nogil:
        """How many marks a row has, once `row_of` has filled it."""
        return self.marked[self.reached.group[0][a] * self.reached.groups[1] + self.reached.group[1][d]]

    cdef uint64_t over_pattern(self, const Entry *entry, uint64_t slot, uint64_t stop, Over *over) noexcept nogil:
        """Walks over the current pattern row by row, from `slot` to its last slot or `stop`; returns the slot after."""
        cdef uint64_t length = entry.sizes[2] * entry.sizes[3], count
        cdef uint64_t line = (slot - entry.offset) // length, begin = (slot - entry.offset) % length
        cdef int a = line // entry.sizes[1], d = line % entry.sizes[1]
        cdef const uint8_t *marks
        while a < entry.sizes[0] and slot < stop:
            marks = self.row_of(a, d, length) + begin
            count = min(length - begin, stop - slot)
            if over.marks != NULL:
                memcpy(over.marks + (slot - over.start), marks, count)
            else:
                count_row(over.values + (slot - over.start), marks, count,
                          self.marks_of(a, d) if count == length else count_marks(marks, count), over.found)
            slot += count
            begin = 0
            d += 1
            if d == entry.sizes[1]:
                a, d = a + 1, 0
        return slot

    cdef bint over_rows(self, TableIndex index, uint64_t length, bint apart, Over *over) noexcept nogil:
        """Fills the marks or counts the values of `length` slots, pattern by pattern. False if memory runs out."""
        cdef uint64_t slot = over.start, stop = over.start + length
        cdef uint32_t kept = index.pattern_at(slot)
        cdef uint64_t rank
        cdef const Entry *entry
        cdef Hands hands
        cdef Hands image
        cdef int i
        while slot < stop:
            rank, entry = rank_at(index, kept), entry_at(index, kept)
            unrank_hands(&hands, rank, self.mover_count, self.opponent_count)
            find_reached(&self.reached, self.shapes[hands.count], &hands, entry, apart)
            if not self.make_room():
                return False
            memset(over.found, 0, sizeof(over.found))
            slot = self.over_pattern(entry, slot, stop, over)
            if over.marks == NULL:
                mirror_hands(&image, &hands)
                for i in range(8):         # twice where the mirror image has no slot
                    over.counts[i] += over.found[i] * (1 if rank_hands(&image) == rank else 2)
            kept += 1
        return True

    cdef int check(self, TableIndex index, uint64_t start, uint64_t length) except -1:
        if index.mover_count != self.mover_count or index.opponent_count != self.opponent_count:
            raise ValueError("the index belongs to another table")
        check_slots(index, start, length)
        return 0

    def fill_range(self, TableIndex index not None, uint8_t[::1] marks not None, uint64_t start, bint apart):
        """Fills the marks of the slots from `start` on: 1 if the deck has a position of the slot, else 0."""
        cdef bint done = True
        cdef Over over
        self.check(index, start, marks.shape[0])
        if marks.shape[0]:
            over.start, over.marks, over.values = start, &marks[0], NULL
            with nogil:
                done = self.over_rows(index, marks.shape[0], apart, &over)
        if not done:
            raise MemoryError()

    def count_values(self, TableIndex index not None, const uint8_t[::1] values not None, uint64_t start):
        """How many classes have each remoteness, 0..5. values: of the slots from `start` on.

        A class whose mirror image has no slot of its own counts twice.
        """
        cdef Over over
        cdef bint done = True
        cdef uint8_t most = 0
        cdef Py_ssize_t i
        self.check(index, start, values.shape[0])
        with nogil:
            for i in range(values.shape[0]):
                most = max(most, values[i])
        if most >= VALUES:
            raise ValueError(f"a remoteness must be 0..{VALUES - 1}, not {most}")
        memset(&over, 0, sizeof(over))
        if values.shape[0]:
            over.start, over.values = start, &values[0]
            with nogil:
                done = self.over_rows(index, values.shape[0], False, &over)
        if not done:
            raise MemoryError()
        return [over.counts[value] for value in range(VALUES)]
