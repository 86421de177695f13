"""Which classes some position of the deck has: counted, and slot by slot (docs/classes.md has the argument).

For two concrete hands the tops are chosen one by one, so the classes they reach are a *box*: a product of four sets of digits.
A pattern's classes are the union of the boxes of all hand pairs of that pattern. A box depends on little:

    location   of a number: 2p between element p-1 and element p (p = count: above all), 2p + 1 on element p
    shift      the locations of all x + step; it decides those of all x - step, and which elements are `step` apart
    spare      bit p: more numbers lie between element p-1 and element p than tricks, so one is left that is no trick
    reach      how many tricks beyond the last element (before the first) the deck still has

`Shapes` lists all that the deck has room for, without those that another one includes whoever holds what.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

import numpy as np

from solver.face_to_face._classes cimport (
    ELEMENTS,
    MOST_DIGITS,
    MOVER,
    NOWHERE,
    OPPONENT,
    PILES,
    Entry,
    Hands,
    TableIndex,
    TopClass,
    fill_pile,
    list_tops,
    mirror_hands,
    rank_hands,
    unrank_hands,
)
from solver.face_to_face._laying cimport HAND, __builtin_clzll, __builtin_ctzll, __builtin_popcountll

MOST_NUMBERS = MOST

cdef enum:
    MOST = 9                               # distinct numbers: a key has 7 bits for each, and one
    WORDS = 2                              # a set of digits
    NOT_REACHED = 254                      # even, as the locations between elements are
    RECENT = 14                            # bits

cdef struct Shape:
    uint8_t up[MOST]                       # the location of x + step
    uint8_t down[MOST]                     # the location of x - step
    uint32_t spare_up                      # where a top that is no x + step is left
    uint32_t spare_down

cdef struct Box:
    uint64_t digits[PILES][WORDS]

cdef struct Shown:                         # the element that a top shows because its trick's partner is one, or NOWHERE
    uint8_t element[PILES][MOST_DIGITS]
    uint64_t digits[PILES][MOST][WORDS]    # by pile and element

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
    """The key of a set of numbers, the lowest at bit 0, but for what depends on how far the deck goes on below and above them.

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
        trick = bit << step                # 0 if it lies beyond 64 bits, and then so do all numbers below it
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
            continue                       # what was added with one number less below and one more above includes it
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
    """The keys of all numbers in 2..highest-1; returns -1 if memory is short.

    A gap of max(step, count + 1) numbers is as good as a wider one, inside and at the ends of the deck: nothing is `step` apart
    across it, all its tricks fit, and being at most `count` they leave a number over.
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
    step = min(step, 63)                   # no two numbers are so far apart
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
    """Of ascending keys, those that no other of the same shift includes; returns how many."""
    cdef uint64_t i = total, j, count = 0, group = 0
    while i:
        i -= 1                             # downwards, since a key that includes another is the greater number
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
    """The number of a pattern among those with the same holders: pairs come last in a pattern's number."""
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
    """The shapes of so many distinct numbers in a deck, by pairing.

    >>> [Shapes(count, 60, 10).pairings for count in range(1, 5)]
    [1, 2, 5, 14]
    """

    cdef readonly int count
    cdef readonly uint64_t total
    cdef readonly uint64_t pairings
    cdef readonly uint64_t largest         # the most shapes of one pairing
    cdef Shape *shapes
    cdef uint64_t *first                   # the shapes of a pairing are first[pairing]..first[pairing + 1]

    def __cinit__(self, int count, int highest, int step):
        cdef KeySet found
        cdef uint64_t i, at = 0
        cdef int j
        cdef Hands hands
        cdef Shape shape
        cdef uint64_t[::1] keys
        cdef uint64_t[::1] kept
        cdef long long[::1] places
        if not 1 <= count <= MOST:
            raise ValueError(f"the shapes of 1..{MOST} distinct numbers are listed, not of {count}")
        self.count = count
        found.room, found.used = 1 << 16, 0
        found.keys = <uint64_t *> calloc(found.room, sizeof(uint64_t))
        if found.keys == NULL:
            raise MemoryError()
        with nogil:
            j = collect(&found, count, highest, step)
        if j:
            free(found.keys)
            raise MemoryError()
        keys = np.zeros(found.used + 1, dtype=np.uint64)
        for i in range(found.room):
            if found.keys[i]:
                keys[at] = found.keys[i]
                at += 1
        free(found.keys)
        keys = np.sort(np.asarray(keys)[:at])
        kept = np.zeros(at + 1, dtype=np.uint64)
        if at:
            self.total = keep_largest(&keys[0], at, 4 * count, &kept[0])
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
        self.shapes = <Shape *> calloc(self.total + 1, sizeof(Shape))
        self.first = <uint64_t *> calloc(self.pairings + 1, sizeof(uint64_t))
        if self.shapes == NULL or self.first == NULL:
            raise MemoryError()
        for i in range(self.pairings):
            self.first[i + 1] = self.first[i] + of_pairing[i]
        places = np.argsort(numbers, kind="stable").astype(np.int64)
        for i in range(self.total):
            decode(&self.shapes[i], kept[places[i]], count)

    def __dealloc__(self):
        free(self.shapes)
        free(self.first)


def catalan(int count):
    cdef int i
    number = 1
    for i in range(count):
        number = number * 2 * (2 * i + 1) // (i + 2)
    return number


cdef inline void put(Box *box, const Entry *entry, int pile, int place, int trick) noexcept nogil:
    cdef int digit = entry.first[pile][place]
    if trick >= 0:
        digit += 1 + __builtin_popcountll(entry.tricks[pile][place] & ((1 << trick) - 1))
    box.digits[pile][digit >> 6] |= <uint64_t> 1 << (digit & 63)


cdef inline bint is_trick(const Hands *hands, uint8_t location, int owner) noexcept nogil:
    return location % 2 and hands.holders[location // 2] & owner


cdef void fill_box(Box *box, Shape *shape, const Hands *hands, const Entry *entry) noexcept nogil:
    """The tops that hands of this shape allow. A top that shows an element is its owner's card or the other's; a number of both
    is none (F1)."""
    cdef int pile, owner, i, k, place, card
    cdef bint ascending
    cdef uint8_t *away                     # where the tricks of a pile lie
    cdef uint8_t *back
    cdef uint32_t left
    memset(box, 0, sizeof(Box))
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
                        put(box, entry, pile, k, card)
                    elif hands.holders[k] != (MOVER | OPPONENT):
                        put(box, entry, pile, k + ((hands.holders[k] == owner) == ascending), card)
                elif away[i] % 2 == 0:
                    left |= 1 << k
            card += (hands.holders[i] & owner) != 0
            if hands.holders[i] != (MOVER | OPPONENT) and not is_trick(hands, back[i], owner):
                left |= 1 << (i + ((hands.holders[i] == owner) == ascending))
        for place in range(hands.count + 1):
            if (left >> place) & 1:
                put(box, entry, pile, place, -1)


cdef inline bint includes(const Box *box, const Box *other) noexcept nogil:
    cdef int pile, word
    for pile in range(PILES):
        for word in range(WORDS):
            if other.digits[pile][word] & ~box.digits[pile][word]:
                return False
    return True


cdef int list_boxes(Box *boxes, Shapes shapes, const Hands *hands, const Entry *entry) noexcept nogil:
    """The boxes of a pattern that no other one includes; returns how many."""
    cdef uint64_t pairing = pairing_of(hands), at
    cdef int i, kept, count = 0
    cdef Box box
    for at in range(shapes.first[pairing], shapes.first[pairing + 1]):
        fill_box(&box, &shapes.shapes[at], hands, entry)
        for i in range(count):
            if includes(&boxes[i], &box):
                break
        else:
            kept = 0
            for i in range(count):
                if not includes(&box, &boxes[i]):
                    boxes[kept] = boxes[i]
                    kept += 1
            boxes[kept] = box
            count = kept + 1
    return count


cdef inline bint has(const Box *box, int pile, int digit) noexcept nogil:
    return (box.digits[pile][digit >> 6] >> (digit & 63)) & 1


cdef inline int narrow(const Box *boxes, const int *chosen, int count, int pile, int digit, int *kept) noexcept nogil:
    """Of the chosen boxes, those with a digit; returns how many."""
    cdef int i, left = 0
    for i in range(count):
        kept[left] = chosen[i]
        left += has(&boxes[chosen[i]], pile, digit)
    return left


cdef void fill_shown(Shown *shown, const Hands *hands, const Entry *entry) noexcept nogil:
    cdef TopClass tops[MOST_DIGITS]
    cdef int pile, digit, owner, i, card, partner
    for pile in range(PILES):
        owner = MOVER if pile < 2 else OPPONENT
        memset(shown.digits[pile], 0, sizeof(shown.digits[pile]))
        for digit in range(list_tops(entry, pile, hands.count + 1, tops)):
            shown.element[pile][digit] = NOWHERE
            card = 0
            for i in range(hands.count):
                partner = hands.higher[i] if pile % 2 == 0 else hands.lower[i]
                if hands.holders[i] & owner:
                    if card == tops[digit].trick and partner >= 0:
                        shown.element[pile][digit] = partner
                        shown.digits[pile][partner][digit >> 6] |= <uint64_t> 1 << (digit & 63)
                    card += 1


cdef inline int take(const Shown *shown, const int *digits, int piles) noexcept nogil:
    """The elements that the first tops show, or -1 if two of them show the same one."""
    cdef int pile, element, taken = 0
    if shown != NULL:
        for pile in range(piles):
            element = shown.element[pile][digits[pile]]
            if element != NOWHERE:
                if (taken >> element) & 1:
                    return -1
                taken |= 1 << element
    return taken


cdef uint64_t count_union(const Box *boxes, const int *chosen, int count, int pile, int *room, int most,
                          const Entry *entry, const Shown *shown, uint32_t taken) noexcept nogil:
    """The members of a union of boxes, from this pile on. Digits that the same boxes have are counted once, with their number.
    `room` is for a list of `most` boxes a digit on each pile; `taken` are elements that no further top may show."""
    cdef int digit, i, j, left, element, groups = 0
    cdef int lengths[MOST_DIGITS]
    cdef int shows[MOST_DIGITS]
    cdef uint64_t times[MOST_DIGITS]
    cdef uint64_t members[WORDS]
    cdef uint64_t total = 0
    cdef int *list_of
    cdef int *deeper = room + MOST_DIGITS * most
    if pile == PILES - 1:
        memset(members, 0, sizeof(members))
        for i in range(count):
            for j in range(WORDS):
                members[j] |= boxes[chosen[i]].digits[pile][j]
        while taken:
            i = __builtin_ctzll(taken)
            taken &= taken - 1
            for j in range(WORDS):
                members[j] &= ~shown.digits[pile][i][j]
        for j in range(WORDS):
            total += __builtin_popcountll(members[j])
        return total
    for digit in range(entry.sizes[pile]):
        list_of = room + groups * most
        left = narrow(boxes, chosen, count, pile, digit, list_of)
        element = NOWHERE if shown == NULL else shown.element[pile][digit]
        if left == 0 or (element != NOWHERE and (taken >> element) & 1):
            continue
        for i in range(groups):
            if lengths[i] == left and shows[i] == element:
                for j in range(left):
                    if list_of[j] != room[i * most + j]:
                        break
                else:
                    times[i] += 1
                    break
        else:
            lengths[groups], times[groups], shows[groups] = left, 1, element
            groups += 1
    for i in range(groups):
        total += times[i] * count_union(
            boxes, room + i * most, lengths[i], pile + 1, deeper, most, entry, shown,
            taken | (0 if shows[i] == NOWHERE else 1 << shows[i]))
    return total


cdef uint64_t count_symmetric(const Box *boxes, int count, const Hands *hands, const Entry *entry,
                              const Shown *shown) noexcept nogil:
    """The classes of a pattern that is its own mirror image which are their own mirror images as well."""
    cdef TopClass tops[PILES][MOST_DIGITS]
    cdef int image[PILES][MOST_DIGITS]
    cdef int chosen[PILES]
    cdef int sizes[PILES]
    cdef int pile, i, j, at, cards
    cdef uint64_t total = 0
    for pile in range(PILES):
        sizes[pile] = list_tops(entry, pile, hands.count + 1, tops[pile])
    for pile in range(0, PILES, 2):
        cards = 0
        for i in range(hands.count):
            cards += (hands.holders[i] & (MOVER if pile < 2 else OPPONENT)) != 0
        for i in range(sizes[pile]):
            for j in range(sizes[pile + 1]):
                if (tops[pile][i].place + tops[pile + 1][j].place == hands.count
                        and (tops[pile][i].trick == NOWHERE) == (tops[pile + 1][j].trick == NOWHERE)
                        and (tops[pile][i].trick == NOWHERE
                             or tops[pile][i].trick + tops[pile + 1][j].trick == cards - 1)):
                    image[pile][i] = j
    for i in range(sizes[0]):
        for j in range(sizes[2]):
            chosen[0], chosen[1], chosen[2], chosen[3] = i, image[0][i], j, image[2][j]
            if take(shown, chosen, PILES) < 0:
                continue
            for at in range(count):
                for pile in range(PILES):
                    if not has(&boxes[at], pile, chosen[pile]):
                        break
                else:
                    total += 1
                    break
    return total


cdef class Realised:
    """Which classes of the positions k v m some position of a deck has.

    With `apart` two tops may not show the same card of a hand: the one class of positions, as far as is known, that the count
    of cards in F1 excludes on top of shared numbers (docs/classes.md).

    >>> Realised(1, 1, 60, 10).count_range(0, 5, apart=False)
    (1329, 705, 9)
    """

    cdef readonly int mover_count
    cdef readonly int opponent_count
    cdef list shapes                       # by count of distinct numbers
    cdef int most                          # boxes of a pattern
    cdef Box *boxes
    cdef int *chosen
    cdef int *room

    def __cinit__(self, int mover_count, int opponent_count, int highest, int step, shapes_of=None):
        if not (1 <= mover_count <= 6 and 1 <= opponent_count <= 6):
            raise ValueError(f"hands are of 1..6 cards, not {mover_count} v {opponent_count}")
        if mover_count + opponent_count > MOST:
            raise ValueError(f"classes are counted up to {MOST} cards, not for {mover_count} v {opponent_count}")
        self.mover_count, self.opponent_count = mover_count, opponent_count
        self.shapes = [None] * (mover_count + opponent_count + 1)
        for count in range(max(mover_count, opponent_count), mover_count + opponent_count + 1):
            self.shapes[count] = (shapes_of or Shapes)(count, highest, step)
            self.most = max(self.most, (<Shapes> self.shapes[count]).largest)
        self.most += 1
        self.boxes = <Box *> calloc(self.most, sizeof(Box))
        self.chosen = <int *> calloc(self.most, sizeof(int))
        self.room = <int *> calloc(self.most * <size_t> MOST_DIGITS * PILES, sizeof(int))
        if self.boxes == NULL or self.chosen == NULL or self.room == NULL:
            raise MemoryError()
        for i in range(self.most):
            self.chosen[i] = i

    def __dealloc__(self):
        free(self.boxes)
        free(self.chosen)
        free(self.room)

    def count_range(self, uint32_t start, uint32_t stop, bint apart):
        """Over the patterns start..stop-1 as (classes, those of them with a slot of their own, those that are their own
        mirror images); mirror images of these patterns' classes are counted as well, once."""
        cdef uint32_t rank
        cdef uint64_t image_rank, classes, total = 0, stored = 0, symmetric = 0
        cdef Hands hands
        cdef Hands image
        cdef Entry entry
        cdef Shown shown
        cdef const Shown *limit = &shown if apart else NULL
        cdef int pile, count
        cdef Shapes shapes
        for rank in range(start, stop):
            unrank_hands(&hands, rank, self.mover_count, self.opponent_count)
            mirror_hands(&image, &hands)
            image_rank = rank_hands(&image)
            if image_rank < rank:
                continue
            shapes = self.shapes[hands.count]
            with nogil:
                for pile in range(PILES):
                    fill_pile(&entry, &hands, pile)
                fill_shown(&shown, &hands, &entry)
                count = list_boxes(self.boxes, shapes, &hands, &entry)
                classes = count_union(self.boxes, self.chosen, count, 0, self.room, self.most, &entry, limit, 0)
                stored += classes
                total += classes * (2 if image_rank > rank else 1)
                if image_rank == rank:
                    symmetric += count_symmetric(self.boxes, count, &hands, &entry, limit)
        return total, stored, symmetric

    def fill_range(self, TableIndex index, uint8_t[::1] marks, uint64_t start, bint apart):
        """Marks 1 what a position of the deck reaches and 0 the rest, of the slots from `start` on."""
        cdef uint64_t slot = start, stop = start + marks.shape[0], rest
        cdef uint32_t kept
        cdef Hands hands
        cdef const Entry *entry
        cdef int digits[PILES]
        cdef int lengths[PILES]
        cdef int *lists[PILES]
        cdef uint64_t members[WORDS]
        cdef Shown shown
        cdef const Shown *limit = &shown if apart else NULL
        cdef int pile, count, i, j, taken
        cdef Shapes shapes
        if index.mover_count != self.mover_count or index.opponent_count != self.opponent_count:
            raise ValueError("the index is another table's")
        if stop > index.size:
            raise IndexError(f"slots {start}..{stop} of {index.size}")
        if start == stop:
            return
        for pile in range(PILES):
            lists[pile] = self.room + pile * self.most
        kept = index.pattern_at(start)
        while slot < stop:
            entry = &index.entries[index.kept[kept]]
            unrank_hands(&hands, index.kept[kept], self.mover_count, self.opponent_count)
            shapes = self.shapes[hands.count]
            with nogil:
                fill_shown(&shown, &hands, entry)
                count = list_boxes(self.boxes, shapes, &hands, entry)
                rest = slot - entry.offset
                for pile in range(PILES - 1, -1, -1):
                    digits[pile] = rest % entry.sizes[pile]
                    rest //= entry.sizes[pile]
                pile = 0
                while True:
                    while pile < PILES - 1:
                        lengths[pile] = narrow(
                            self.boxes, lists[pile - 1] if pile else self.chosen, lengths[pile - 1] if pile else count,
                            pile, digits[pile], lists[pile])
                        pile += 1
                    memset(members, 0, sizeof(members))
                    taken = take(limit, digits, PILES - 1)
                    for i in range(lengths[2] if taken >= 0 else 0):
                        for j in range(WORDS):
                            members[j] |= self.boxes[lists[2][i]].digits[3][j]
                    while taken > 0:
                        i = __builtin_ctzll(taken)
                        taken &= taken - 1
                        for j in range(WORDS):
                            members[j] &= ~shown.digits[3][i][j]
                    while digits[3] < entry.sizes[3] and slot < stop:
                        marks[slot - start] = (members[digits[3] >> 6] >> (digits[3] & 63)) & 1
                        digits[3] += 1
                        slot += 1
                    while pile and digits[pile] == entry.sizes[pile]:
                        digits[pile] = 0
                        pile -= 1
                        digits[pile] += 1
                    if slot == stop or digits[0] == entry.sizes[0]:
                        break
            kept += 1
