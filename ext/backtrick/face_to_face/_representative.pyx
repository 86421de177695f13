"""A position for a class: numbers with given relations, found by difference bounds.

Nearly all that a class says has one form: a number is at least, or exactly, so much above another. Three things have another
form: some numbers are not `step` apart, some tops have no trick, and no number has a third card (F1). The search keeps the least
distances between all numbers (longest paths, exact for such bounds) and takes the smallest numbers that they allow. If these
break one of the three, it tries the ways out one after another. It ends with a position, or with the proof that there is none.
"""

from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t

from backtrick._bits cimport __builtin_ctzll, __builtin_popcountll
from backtrick.face_to_face._duel cimport Packed, check_deck, read_position
from backtrick.face_to_face._hands cimport ELEMENTS, MOVER, OPPONENT, Hands, mirror_hands, rank_hands, read_hands, unrank_hands
from backtrick.face_to_face._index cimport TableIndex, check_slots, entry_at, rank_at
from backtrick.face_to_face._tops cimport NOWHERE, PILES, Entry, TopClass, tops_of_slot

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


cdef bint demand_all(Bounds *bounds, const Class *wanted, int highest, int step) noexcept nogil:
    """Adds every bound that the class gives; False if no numbers satisfy them."""
    cdef const Hands *hands = &wanted.hands
    cdef int nodes = 1 + hands.count + PILES, i, j, pile, owner, top, card
    cdef bint ascending, strict
    for i in range(nodes):
        for j in range(nodes):
            bounds.least[i][j] = 0 if i == j else NO_BOUND
    for i in range(hands.count):
        if not demand(bounds, nodes, ROW, 1 + i, 2) or not demand(bounds, nodes, 1 + i, ROW, 1 - highest):
            return False
        if i and not demand(bounds, nodes, i, 1 + i, 1):
            return False
        if hands.higher[i] >= 0 and not demand_exactly(bounds, nodes, 1 + i, 1 + hands.higher[i], step):
            return False
    for pile in range(PILES):
        owner = MOVER if pile < 2 else OPPONENT
        ascending = pile % 2 == 0
        top = 1 + hands.count + pile
        card = 0
        if not demand(bounds, nodes, ROW, top, 1 if ascending else 2):
            return False
        if not demand(bounds, nodes, top, ROW, 1 - highest if ascending else -highest):
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
                        bounds, nodes, 1 + i, top, step if ascending else -step):
                    return False
                card += 1
    return True


cdef bint settle_apart(Bounds *bounds, const Class *wanted, int step, int low, int high, int distance) noexcept nogil:
    """Goes on with `high != low + distance`: first with `high` above that number, then below it."""
    cdef int nodes = 1 + wanted.hands.count + PILES
    cdef Bounds saved = bounds[0]
    if demand(bounds, nodes, low, high, distance + 1) and settle(bounds, wanted, step):
        return True
    bounds[0] = saved
    return demand(bounds, nodes, high, low, 1 - distance) and settle(bounds, wanted, step)


cdef bint settle(Bounds *bounds, const Class *wanted, int step) noexcept nogil:
    """True if numbers satisfy all bounds and the three other conditions; they are then bounds.least[ROW]."""
    cdef const Hands *hands = &wanted.hands
    cdef const int16_t *number = bounds.least[ROW]
    cdef int tops = 1 + hands.count, i, j, k, pile, owner, away, card
    cdef Bounds saved
    for i in range(hands.count):
        for j in range(i + 1, hands.count):
            if number[1 + j] - number[1 + i] == step and hands.higher[i] != j:
                return settle_apart(bounds, wanted, step, 1 + i, 1 + j, step)
    for pile in range(PILES):
        owner = MOVER if pile < 2 else OPPONENT
        away = step if pile % 2 == 0 else -step
        card = 0
        for i in range(hands.count):
            if hands.holders[i] & owner:
                if number[tops + pile] - number[1 + i] == away and card != wanted.tops[pile].trick:
                    return settle_apart(bounds, wanted, step, 1 + i, tops + pile, away)
                card += 1
    for i in range(PILES):
        for j in range(i + 1, PILES):
            if number[tops + i] != number[tops + j]:
                continue
            for k in range(hands.count):
                if number[1 + k] == number[tops + i]:
                    saved = bounds[0]
                    if settle_apart(bounds, wanted, step, 1 + k, tops + i, 0):
                        return True
                    bounds[0] = saved
                    return settle_apart(bounds, wanted, step, 1 + k, tops + j, 0)
            for k in range(j + 1, PILES):
                if number[tops + k] == number[tops + i]:
                    saved = bounds[0]
                    if settle_apart(bounds, wanted, step, tops + i, tops + j, 0):
                        return True
                    bounds[0] = saved
                    return settle_apart(bounds, wanted, step, tops + j, tops + k, 0)
    return True


cdef bint find(Packed *position, const Class *wanted, int highest, int step) noexcept nogil:
    cdef Bounds bounds
    cdef const int16_t *number = bounds.least[ROW]
    cdef int i, tops = 1 + wanted.hands.count
    if not demand_all(&bounds, wanted, highest, step) or not settle(&bounds, wanted, step):
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


def of_slot(TableIndex index not None, uint64_t slot, int highest, int step):
    """A well-formed position of a slot as six integers in the order of POSITION_DTYPE, or None if the deck has none."""
    cdef Class wanted
    cdef const Entry *entry
    cdef Packed position
    cdef uint32_t kept
    cdef bint found
    check_deck(highest, step)
    check_slots(index, slot, 1)
    with nogil:
        kept = index.pattern_at(slot)
        entry = entry_at(index, kept)
        unrank_hands(&wanted.hands, rank_at(index, kept), index.mover_count, index.opponent_count)
        tops_of_slot(wanted.tops, entry, wanted.hands.count, slot - entry.offset)
        found = find(&position, &wanted, highest, step)
    return row_of(&position) if found else None


def mark_range(TableIndex index not None, uint8_t[::1] marks not None, uint64_t start, int highest, int step):
    """Fills the marks of the slots from `start` on, one by one: 1 if the deck has a well-formed position of the slot, else 0."""
    cdef Py_ssize_t i
    check_slots(index, start, marks.shape[0])
    for i in range(marks.shape[0]):
        marks[i] = of_slot(index, start + i, highest, step) is not None


cdef void read_class(Class *found, const Packed *p, int step) noexcept nogil:
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
    read_hands(&found.hands, p.mover_hand, p.opponent_hand, step)
    for pile in range(PILES):
        owner = MOVER if pile < 2 else OPPONENT
        own = p.mover_hand if pile < 2 else p.opponent_hand
        ascending = pile % 2 == 0
        back = -step if ascending else step
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


def of_class(tuple row not None, int highest, int step):
    """The position that stands for the class of a well-formed position, both as six integers in the order of POSITION_DTYPE."""
    cdef Packed position
    cdef Class wanted
    cdef bint found
    check_deck(highest, step)
    position = read_position(row, highest)
    if not position.opponent_hand:
        raise ValueError("the opponent's hand is empty, so no table holds the position")
    with nogil:
        read_class(&wanted, &position, step)
        found = find(&position, &wanted, highest, step)
    assert found, row
    return row_of(&position)
