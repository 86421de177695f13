"""Finds and counts the classes of one pattern (`_boxes.pxd`)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memmove, memset

from backtrick._bits cimport __builtin_popcountll
from backtrick.face_to_face._hands cimport MOVER, OPPONENT
from backtrick.face_to_face._shapes cimport NOT_REACHED, Shape, pairing_of
from backtrick.face_to_face._tops cimport NOWHERE, TopClass, list_tops

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
    """False if the element is shown already."""
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
