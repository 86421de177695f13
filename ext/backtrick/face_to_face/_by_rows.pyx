"""Fills tables by rows, and compares rows and search pattern by pattern.

It is a separate module because, apart from the numbering of classes, it shares nothing with the search, by which `_tables.pyx`
fills tables.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

import numpy as np

from backtrick._bits cimport __builtin_ctzll, __builtin_popcountll
from backtrick.face_to_face._classes cimport (
    ELEMENTS,
    MOST_DIGITS,
    MOVER,
    NOWHERE,
    OPPONENT,
    PILES,
    Class,
    Entry,
    Hands,
    TableIndex,
    TopClass,
    check_slots,
    describe_slot,
    entry_at,
    fill_entry,
    find,
    list_tops,
    check_sizes,
    mirror_hands,
    pattern_count,
    rank_at,
    rank_hands,
    tops_of_slot,
    unrank_hands,
)
from backtrick.face_to_face._layout cimport HAND, Packed
from backtrick.face_to_face._tables cimport ValueTable, ValueTables, entries_of, fill_pattern, has_chunks


# Derives the values of a pattern's slots from the tables that its turns lead to, row by row (docs/tablebases.md). Turns are
# enumerated here, plainly, from the rules F3-F10 and F13.
#
# For a fixed pattern and fixed tops of the mover, all tops of the opponent form one *row* of consecutive slots. A turn on own
# piles lays a set of cards and ends with some card, or what lay there before, on each pile. It maps a whole row of a child table
# onto this row, whatever the opponent's tops are. A helpful card (F8) replaces one of the opponent's tops, so such a turn maps a
# line of a child's row onto all slots of this row in which the card fits. A helpful card does not change what fits on own piles
# (F10). Most rows need no child: a turn on own piles finishes, or a helpful card does from some top of the opponent on.
#
# Children are compared by *score*, a byte with one low bit set for each better value: none for lost at once, one for lost in 2,
# then lost in 4, won in 5, won in 3, won in 1; six if there is no turn. So the better of two scores is their `and`, and a word
# compares eight at once.
#
# The functions are called in this order:
#
#   set_pattern   sets the pattern, in a Work that began as zeros
#   take_cards    finds the pattern that is left after a set of cards, for every set of two cards or more but the whole hand
#   look_ahead    says where the slots of that child pattern are
#   derive_row    derives a row of the pattern, once all children are set


cdef enum:
    CARDS = 6
    SUBSETS = 64
    ROW = MOST_DIGITS * MOST_DIGITS
    WORD = 8                               # scores that are compared at once, a byte each in a word
    LINE = 12                              # words of a line of MOST_DIGITS scores


cdef struct Rest:                          # the pattern after some cards have left the mover's hand; elements are those before
    Hands hands                            # their mover is the opponent of the turn
    int left[ELEMENTS + 1]                 # elements that stay, below an element
    int seats[2][ELEMENTS + 1]             # cards that stay below an element, the mover's and the opponent's
    int stays[ELEMENTS]                    # the holders left


cdef struct Child:                         # the slots of one pattern of a child table, after the mover has laid some cards
    const uint8_t *packed                  # of a table
    uint64_t first                         # the pattern's first slot there
    int bits                               # of a slot: 2, 4 or 8
    uint32_t by_top[PILES][MOST_DIGITS]    # what a top that stays adds to the slot, by its pile and digit before the turn
    uint32_t by_card[PILES][CARDS]         # what a card of the mover adds that was laid on the pile


cdef struct Work:
    Hands hands
    const Entry *entry
    int count                              # the mover's cards
    bint helpful                           # turns with a helpful card count
    int all                                # the set of them
    int row
    int words                              # of a line of scores, one for each descending digit
    TopClass tops[PILES][MOST_DIGITS]
    uint8_t element[CARDS]                 # of a card of the mover
    uint64_t never[CARDS][LINE]            # [card][descending digit]: a byte of ones if the card does not help there, else 0
    uint8_t lasts[2][MOST_DIGITS][SUBSETS] # [pile][digit][cards]: which of the cards can be last if all are laid there
    uint64_t layable[2][MOST_DIGITS]       # the sets of cards that can be laid on the pile
    uint64_t finished[MOST_DIGITS]         # [descending digit]: the sets whose other cards can be laid on the descending pile
    Child children[SUBSETS]                # by the cards that leave the hand
    uint8_t won[ROW]                       # a row that a turn on own piles wins: 1 throughout
    uint8_t derived[ROW + WORD]
    uint64_t ends[SUBSETS]                 # [cards laid]: the tops that can be left on own piles, bit ENDS * up + down
    int reach                              # from this ascending digit on, a helpful card finishes
    int depth                              # below this descending digit, one does
    uint64_t best[MOST_DIGITS * LINE]      # scores of the turns on own piles
    uint64_t lower[CARDS][LINE]            # [helpful card on the ascending pile][descending digit]: best score
    uint8_t higher[CARDS][MOST_DIGITS]     # [helpful card on the descending pile][ascending digit]
    bint broken                            # a turn led to a class that has no slot


cdef enum:
    KEPT = 6                               # of a pile at the end of a turn: what lay there before
    ENDS = 7                               # the last card on a pile, or KEPT
    NO_TURN = 0b111111
    EACH_BYTE = 0x0101010101010101

cdef uint8_t[256] scores                   # by remoteness; an impossible remoteness counts as no turn
cdef uint8_t[NO_TURN + 1] remoteness_of    # by the score of the best child
cdef uint64_t[1 << ENDS] spread            # bit i of the argument at bit ENDS * i
cdef uint64_t[SUBSETS] within              # the subsets of a set of cards, one bit each


cdef void build_tables() noexcept nogil:
    cdef int i, j
    memset(scores, NO_TURN, sizeof(scores))
    scores[0], scores[2], scores[4], scores[5], scores[3], scores[1] = 0, 1, 0b11, 0b111, 0b1111, 0b11111
    for i in range(6):
        remoteness_of[scores[i]] = i + 1   # that of a child in 5 is never the best: it would be 6
    remoteness_of[NO_TURN] = 0
    for i in range(1 << ENDS):
        for j in range(ENDS):
            spread[i] |= <uint64_t> ((i >> j) & 1) << (ENDS * j)
    for i in range(SUBSETS):
        for j in range(SUBSETS):
            within[i] |= <uint64_t> ((i & j) == j) << j


build_tables()


cdef void take_cards(Rest *rest, const Hands *hands, int leaving) noexcept nogil:
    """The pattern that a set of the mover's cards leaves behind, before the mirror."""
    cdef int i, own = 0
    cdef int *left = rest.left
    cdef int *stays = rest.stays
    left[0] = rest.seats[0][0] = rest.seats[1][0] = 0
    for i in range(hands.count):
        stays[i] = hands.holders[i]
        if stays[i] & MOVER:
            if (leaving >> own) & 1:
                stays[i] ^= MOVER
            own += 1
        left[i + 1] = left[i] + (stays[i] != 0)
        rest.seats[0][i + 1] = rest.seats[0][i] + ((stays[i] & MOVER) != 0)
        rest.seats[1][i + 1] = rest.seats[1][i] + ((stays[i] & OPPONENT) != 0)
    rest.hands.count = left[hands.count]
    for i in range(hands.count):
        if stays[i]:
            rest.hands.holders[left[i]] = (OPPONENT if stays[i] & MOVER else 0) | (MOVER if stays[i] & OPPONENT else 0)
            rest.hands.higher[left[i]] = rest.hands.lower[left[i]] = -1
            if hands.higher[i] >= 0 and stays[hands.higher[i]]:
                rest.hands.higher[left[i]] = left[hands.higher[i]]
            if hands.lower[i] >= 0 and stays[hands.lower[i]]:
                rest.hands.lower[left[i]] = left[hands.lower[i]]


cdef void look_ahead(
    Work *w, int leaving, const Rest *rest, const Entry *entry, bint mirrored, const uint8_t *packed, uint64_t first, int bits,
) noexcept nogil:
    """Sets the child pattern after a set of cards has left the mover's hand, and where each top is found in it.

    entry: of the pattern that is left, or of its mirror image if `mirrored`. Its slots lie in `packed` from `first` on, `bits`
    bits each.
    """
    cdef const Hands *hands = &w.hands
    cdef Child *child = &w.children[leaving]
    cdef const TopClass *tops
    cdef uint32_t strides[PILES]
    cdef int i, pile, where, owner, place, trick, digit, card, elements = rest.hands.count, cards
    child.packed, child.first, child.bits = packed, first, bits
    strides[3] = 1
    for pile in range(PILES - 2, -1, -1):
        strides[pile] = strides[pile + 1] * entry.sizes[pile + 1]
    for pile in range(PILES):
        where = pile ^ (3 if mirrored else 2)  # the child's mover is the opponent of the turn
        owner = 0 if pile < 2 else 1
        cards = rest.seats[owner][hands.count]
        tops = w.tops[pile]
        for i in range(w.entry.sizes[pile]):
            trick = -1
            if tops[i].trick != NOWHERE and owner == 1:
                trick = tops[i].trick
            elif tops[i].trick != NOWHERE and not (leaving >> tops[i].trick) & 1:
                trick = tops[i].trick - __builtin_popcountll(leaving & ((1 << tops[i].trick) - 1))
            digit = find_digit(w, entry, where, mirrored, elements, cards, rest.left[tops[i].place], trick)
            child.by_top[pile][i] = digit * strides[where]
        for card in range(w.count):
            if not (leaving >> card) & 1:
                continue
            i = w.element[card]
            # A card with the top's number, still in a hand: the pile owner's lies below an ascending top, the opponent's above.
            place = rest.left[i + 1] if (owner == 1) == (pile % 2 == 0) else rest.left[i]
            i = hands.lower[i] if pile % 2 == 0 else hands.higher[i]
            trick = rest.seats[owner][i] if i >= 0 and rest.stays[i] & (OPPONENT if owner else MOVER) else -1
            digit = find_digit(w, entry, where, mirrored, elements, cards, place, trick)
            child.by_card[pile][card] = digit * strides[where]


cdef inline int find_digit(
    Work *w, const Entry *entry, int pile, bint mirrored, int elements, int cards, int place, int trick,
) noexcept nogil:
    """The digit of a top. place, trick (-1: none): as counted before the mirror."""
    if mirrored:
        place = elements - place
        if trick >= 0:
            trick = cards - 1 - trick
    if trick < 0:
        return entry.first[pile][place]
    if not (entry.tricks[pile][place] >> trick) & 1:
        w.broken = True
    return entry.first[pile][place] + 1 + __builtin_popcountll(entry.tricks[pile][place] & ((1 << trick) - 1))


cdef void look_at_piles(Work *w) noexcept nogil:
    """Finds the cards that can be laid on each own pile, for each of its tops (F5, F6)."""
    cdef const TopClass *tops
    cdef int onto[2][CARDS]                # by card: the cards, and KEPT, that it may be laid on; of this digit and the one before
    cdef int onto_cards[CARDS]
    cdef int pile, digit, card, other, cards, element, rest, partner
    cdef uint8_t *lasts
    for pile in range(2):
        for card in range(w.count):
            partner = w.hands.higher[w.element[card]] if pile == 0 else w.hands.lower[w.element[card]]
            onto_cards[card] = (1 << card) - 1 if pile == 0 else w.all & ~((2 << card) - 1)
            for other in range(w.count):
                if w.element[other] == partner:
                    onto_cards[card] |= 1 << other
        tops = w.tops[pile]
        for digit in range(w.entry.sizes[pile]):
            for card in range(w.count):
                element = w.element[card]
                onto[digit & 1][card] = onto_cards[card]
                if (element >= tops[digit].place) == (pile == 0) or card == tops[digit].trick:
                    onto[digit & 1][card] |= 1 << KEPT
            lasts = w.lasts[pile][digit]
            if digit and memcmp(onto[0], onto[1], w.count * sizeof(int)) == 0:
                memcpy(lasts, w.lasts[pile][digit - 1], SUBSETS)
                w.layable[pile][digit] = w.layable[pile][digit - 1]
                continue
            lasts[0] = 1 << KEPT
            w.layable[pile][digit] = 1
            for cards in range(1, w.all + 1):
                lasts[cards] = 0
                rest = cards
                while rest:
                    card = __builtin_ctzll(rest)
                    rest &= rest - 1
                    if lasts[cards ^ (1 << card)] & onto[digit & 1][card]:
                        lasts[cards] |= 1 << card
                if lasts[cards]:
                    w.layable[pile][digit] |= <uint64_t> 1 << cards
    for digit in range(w.entry.sizes[1]):
        w.finished[digit] = 0
        for cards in range(w.all + 1):
            w.finished[digit] |= ((w.layable[1][digit] >> cards) & 1) << (w.all ^ cards)


cdef Work *new_work(bint helpful) noexcept nogil:
    """A new Work of zeros, which the caller frees; NULL if there is no memory."""
    cdef Work *w = <Work *> calloc(1, sizeof(Work))
    if w != NULL:
        memset(w.won, 1, sizeof(w.won))
        w.helpful = helpful
    return w


cdef void set_pattern(Work *w, uint32_t rank, const Entry *entry, int movers, int opponents, int fewest) noexcept nogil:
    """Sets all that the rows of a pattern share, except the children."""
    cdef int i, pile, own = 0, digits = entry.sizes[3]
    unrank_hands(&w.hands, rank, movers, opponents)
    w.entry, w.count, w.all, w.row = entry, movers, (1 << movers) - 1, entry.sizes[2] * digits
    w.words = (digits + WORD - 1) // WORD
    for pile in range(PILES):
        list_tops(entry, pile, w.hands.count + 1, w.tops[pile])
    for i in range(w.hands.count):
        if w.hands.holders[i] & MOVER:
            w.element[own] = i
            memset(w.never[own], 255, MOST_DIGITS)
            memset(w.never[own], 0, entry.first[3][i + 1])
            own += 1
    if movers >= fewest:
        look_at_piles(w)


cdef bint set_children(Work *w, int fewest, const ValueTable *tables) noexcept nogil:
    """Sets the children of a pattern, each in the table of the cards that stay. False if a table is not in memory."""
    cdef Rest rest
    cdef Hands image
    cdef const ValueTable *table
    cdef const Entry *entry
    cdef int leaving, stay
    cdef bint mirrored, there = True
    for leaving in range(1, w.all):
        stay = w.count - __builtin_popcountll(leaving)
        if stay > w.count - fewest:
            continue
        table = &tables[stay]
        take_cards(&rest, &w.hands, leaving)
        entry = &entries_of(table)[rank_hands(&rest.hands)]
        mirrored = entry.turned
        if mirrored:
            mirror_hands(&image, &rest.hands)
            entry = &entries_of(table)[rank_hands(&image)]
        if has_chunks(table, entry.offset, <uint64_t> entry.sizes[0] * entry.strides[0]):
            look_ahead(w, leaving, &rest, entry, mirrored, table.packed, entry.offset, table.bits)
        else:
            there = False
    return there


cdef bint list_ends(Work *w, int a, int d) noexcept nogil:
    """Lists all that can be laid on own piles, from two tops given by digit. False if the whole hand can be laid: that wins."""
    cdef uint64_t ups = w.layable[0][a], downs, up_ends
    cdef int up, down
    if ups & w.finished[d]:
        return False
    memset(w.ends, 0, sizeof(w.ends))
    while ups:
        up = __builtin_ctzll(ups)
        ups &= ups - 1
        downs = w.layable[1][d] & within[w.all ^ up]
        up_ends = spread[w.lasts[0][a][up]]
        while downs:
            down = __builtin_ctzll(downs)
            downs &= downs - 1
            w.ends[up | down] |= up_ends * w.lasts[1][d][down]
    return True


cdef void settle_helpful(Work *w) noexcept nogil:
    """Finds the tops of the opponent from which on a helpful card finishes (F8, F12)."""
    cdef int card
    w.reach, w.depth = w.entry.sizes[2], 0
    if not w.helpful:
        return
    for card in range(w.count):
        if w.ends[w.all ^ (1 << card)]:
            w.reach = min(w.reach, <int> w.entry.first[2][w.element[card] + 1])
            w.depth = max(w.depth, <int> w.entry.first[3][w.element[card] + 1])


cdef inline uint32_t after(const Child *child, int a, int d, int pair) noexcept nogil:
    """What the mover's tops at the end of a turn add to the child's slot."""
    cdef int up = pair // ENDS, down = pair % ENDS
    return ((child.by_card[0][up] if up < KEPT else child.by_top[0][a])
            + (child.by_card[1][down] if down < KEPT else child.by_top[1][d]))


cdef inline uint8_t score_at(const uint8_t *packed, uint64_t slot, int bits) noexcept nogil:
    if bits == 2:
        return scores[(packed[slot >> 2] >> (2 * (slot & 3))) & 3]
    if bits == 4:
        return scores[(packed[slot >> 1] >> (4 * (slot & 1))) & 15]
    return scores[packed[slot]]


cdef inline void play_own_packed(Work *w, int a, int d, int cards, int bits) noexcept nogil:
    """Scores the turns that lay a set of cards on own piles: each turn reads a row of the child."""
    cdef const Child *child = &w.children[cards]
    cdef const uint8_t *packed = child.packed
    cdef uint8_t *best
    cdef uint64_t pairs = w.ends[cards], row, line
    cdef int i, j, reach = w.reach, depth = w.depth, descending = w.entry.sizes[3]
    while pairs:
        row = child.first + after(child, a, d, __builtin_ctzll(pairs))
        pairs &= pairs - 1
        for i in range(reach):
            line = row + child.by_top[2][i]
            best = <uint8_t *> (w.best + i * w.words)
            for j in range(depth, descending):
                best[j] &= score_at(packed, line + child.by_top[3][j], bits)


cdef void play_own(Work *w, int a, int d, int cards) noexcept nogil:
    if w.children[cards].bits == 2:
        play_own_packed(w, a, d, cards, 2)
    elif w.children[cards].bits == 4:
        play_own_packed(w, a, d, cards, 4)
    else:
        play_own_packed(w, a, d, cards, 8)


cdef inline void play_helpful_packed(Work *w, int a, int d, int cards, int card, int bits) noexcept nogil:
    """Scores the turns that lay a set of cards on own piles and one more as a helpful card: each reads a line of the child."""
    cdef const Child *child = &w.children[cards | (1 << card)]
    cdef const uint8_t *packed = child.packed
    cdef uint8_t *lower = <uint8_t *> w.lower[card]
    cdef uint8_t *higher = w.higher[card]
    cdef uint64_t pairs = w.ends[cards], row, line
    cdef int i, j, reach = w.reach, depth = w.depth, descending = w.entry.sizes[3]
    cdef bint lowers = w.entry.first[2][w.element[card] + 1] < reach
    cdef bint raises = w.entry.first[3][w.element[card] + 1] > depth
    while pairs:
        row = child.first + after(child, a, d, __builtin_ctzll(pairs))
        pairs &= pairs - 1
        if lowers:
            line = row + child.by_card[2][card]
            for j in range(depth, descending):
                lower[j] &= score_at(packed, line + child.by_top[3][j], bits)
        if raises:
            line = row + child.by_card[3][card]
            for i in range(reach):
                higher[i] &= score_at(packed, line + child.by_top[2][i], bits)


cdef void play_helpful(Work *w, int a, int d, int cards, int card) noexcept nogil:
    cdef int bits = w.children[cards | (1 << card)].bits
    if bits == 2:
        play_helpful_packed(w, a, d, cards, card, 2)
    elif bits == 4:
        play_helpful_packed(w, a, d, cards, card, 4)
    else:
        play_helpful_packed(w, a, d, cards, card, 8)


cdef void conclude(Work *w) noexcept nogil:
    """Turns the best scores of all turns into the remoteness of each slot of the row: 1 where a helpful card finishes."""
    cdef uint64_t line[LINE]               # the best of the helpful cards lower than the ascending top
    cdef uint64_t word
    cdef uint8_t *derived
    cdef int i, j, k, other, card = 0, descending = w.entry.sizes[3]
    memset(line, NO_TURN, sizeof(line))
    for i in range(w.reach):
        while card < w.count and w.entry.first[2][w.element[card] + 1] <= i:
            for k in range(w.words):
                line[k] &= w.lower[card][k]
            card += 1
        derived = w.derived + i * descending
        for k in range(w.words):
            word = w.best[i * w.words + k] & line[k]
            for other in range(w.count):   # helpful cards higher than the descending top
                word &= (w.higher[other][i] * <uint64_t> EACH_BYTE) | w.never[other][k]
            for j in range(WORD):          # the next line overwrites what lies beyond the end of this one
                derived[k * WORD + j] = remoteness_of[(<uint8_t *> &word)[j]]
        memset(derived, 1, w.depth)
    memset(w.derived + w.reach * descending, 1, (w.entry.sizes[2] - w.reach) * descending)


cdef const uint8_t *derive_row(Work *w, int a, int d) noexcept nogil:
    """The remoteness of all slots of a row, by the digits of the mover's tops."""
    cdef int cards, card
    if not list_ends(w, a, d):
        return w.won
    settle_helpful(w)
    memset(w.best, NO_TURN, w.entry.sizes[2] * w.words * WORD)
    memset(w.lower, NO_TURN, sizeof(w.lower))
    memset(w.higher, NO_TURN, sizeof(w.higher))
    for cards in range(1, w.all):
        if w.ends[cards]:
            if cards & (cards - 1):
                play_own(w, a, d, cards)
            for card in range(w.count if w.helpful else 0):
                if not (cards >> card) & 1 and (cards | (1 << card)) != w.all:
                    play_helpful(w, a, d, cards, card)
    conclude(w)
    return w.derived


cdef uint64_t walk(
    TableIndex index, uint64_t start, uint64_t stop, uint8_t *filled, int fewest, const ValueTable *tables, Work *w,
) noexcept nogil:
    """Fills the slots from `start` on, until a slot needs a chunk that is not in memory, or `w.broken`; returns that slot."""
    cdef uint64_t slot = start, skipped
    cdef uint32_t kept = index.pattern_at(start)
    cdef const Entry *entry
    cdef const uint8_t *row
    cdef int a, d, begin, length
    while slot < stop:
        entry = entry_at(index, kept)
        set_pattern(w, rank_at(index, kept), entry, index.mover_count, index.opponent_count, fewest)
        if not set_children(w, fewest, tables) or w.broken:
            break
        skipped = slot - entry.offset
        begin = skipped % w.row
        skipped //= w.row
        a, d = skipped // entry.sizes[1], skipped % entry.sizes[1]
        while a < entry.sizes[0] and slot < stop:
            if w.count < fewest:
                memset(w.derived, 0, w.row)
                row = w.derived
            else:
                row = derive_row(w, a, d)
            length = min(<uint64_t> (w.row - begin), stop - slot)
            memcpy(filled + (slot - start), row + begin, length)
            slot += length
            begin = 0
            d += 1
            if d == entry.sizes[1]:
                a, d = a + 1, 0
        kept += 1
    return slot


def derive_range(TableIndex index not None, uint8_t[::1] values not None, uint64_t start, ValueTables value_tables not None,
                 bint lone_card, *, bint helpful=True):
    """Fills `values` with the remoteness of the slots from `start` on, looked up one turn ahead; returns how many it filled.

    It fills fewer than asked for if chunks of `value_tables` have to be read first; `take_wanted` then names them. These are
    the tables that a turn leads to: for an index k v m, the tables m v r, where r cards, 1..k-2, are left to the mover. A turn
    that leads to an impossible value is ignored. Without `helpful`, turns with a helpful card (F4) are ignored too; the children's
    values still count theirs.
    """
    cdef uint64_t filled = 0, count = values.shape[0]
    cdef const ValueTable *tables = value_tables.tables[index.opponent_count]
    cdef Work *w
    cdef bint broken
    cdef int cards, fewest = 1 if lone_card and index.mover_count == 1 else 2  # F3, F13
    check_slots(index, start, count)
    for cards in range(1, index.mover_count - 1):
        if entries_of(&tables[cards]) == NULL:
            raise ValueError(f"table {index.opponent_count}v{cards} is needed")
    if count == 0:
        return 0
    w = new_work(helpful)
    if w == NULL:
        raise MemoryError()
    with nogil:
        filled = walk(index, start, start + count, &values[0], fewest, tables, w) - start
        broken = w.broken
        free(w)
    if broken:
        raise AssertionError(f"a turn of {index.mover_count}v{index.opponent_count} leads to a class that has no slot")
    return filled


def look_ups():
    """A copy of every look-up table of this module by its name here, for tests."""
    return {
        "scores": np.array(<uint8_t[:256]> &scores[0]),
        "remoteness_of": np.array(<uint8_t[:NO_TURN + 1]> &remoteness_of[0]),
        "spread": np.array(<uint64_t[:1 << ENDS]> &spread[0]),
        "within": np.array(<uint64_t[:SUBSETS]> &within[0]),
    }


# The slots of one pattern of hands, in two ways: each solved by search, and each derived one turn ahead.
#
# A table of more than 8 cards is seldom built, and an index of 6v5 or 6v6 does not fit into memory. A single pattern needs neither:
# its entry and those of its children are made here, the children's slots are filled by the search (`_tables.pyx`), and the
# rows above look one turn ahead in them. No pattern is folded onto its mirror image.


cdef struct Chosen:                        # a pattern of some table
    uint64_t rank
    int movers
    int opponents
    Hands hands
    Entry entry
    uint64_t slots


cdef Chosen choose(int mover_count, int opponent_count, rank) except *:
    cdef Chosen chosen
    check_sizes(mover_count, opponent_count)
    patterns = pattern_count(mover_count, opponent_count, 0)
    if not 0 <= rank < patterns:
        raise IndexError(f"pattern {rank} of {mover_count} v {opponent_count}, which has {patterns:,}")
    chosen.rank, chosen.movers, chosen.opponents = rank, mover_count, opponent_count
    unrank_hands(&chosen.hands, chosen.rank, mover_count, opponent_count)
    chosen.slots = fill_entry(&chosen.entry, &chosen.hands)
    return chosen


cdef inline bint goes_on(int laid, int cards) noexcept nogil:
    """True if a turn may lay this many cards and the game goes on (F3, F12)."""
    return laid != (1 << cards) - 1 and __builtin_popcountll(laid) >= 2


cdef uint64_t count_below(const Chosen *chosen) noexcept nogil:
    """How many slots the children have together."""
    cdef Rest rest
    cdef Entry entry
    cdef uint64_t slots = 0
    cdef int laid
    for laid in range(1 << chosen.movers):
        if goes_on(laid, chosen.movers):
            take_cards(&rest, &chosen.hands, laid)
            slots += fill_entry(&entry, &rest.hands)
    return slots


cdef void fill_children(Work *w, uint8_t *values, int keep) noexcept nogil:
    """Solves the slots of all children, one pattern after another in `values`."""
    cdef Rest rest
    cdef Entry entry
    cdef uint64_t slots
    cdef int laid
    for laid in range(1 << w.count):
        if goes_on(laid, w.count):
            take_cards(&rest, &w.hands, laid)
            slots = fill_entry(&entry, &rest.hands)
            fill_pattern(values, &rest.hands, &entry, 0, slots, keep)
            look_ahead(w, laid, &rest, &entry, False, values, 0, 8)
            values += slots


cdef void derive_rows(Work *w, uint8_t *values) noexcept nogil:
    cdef int a, d
    for a in range(w.entry.sizes[0]):
        for d in range(w.entry.sizes[1]):
            memcpy(values, derive_row(w, a, d), w.row)
            values += w.row


cdef int check_room(const uint8_t[::1] values, uint64_t slots) except -1:
    if <uint64_t> values.shape[0] != slots:
        raise ValueError(f"the pattern has {slots} slots, not {values.shape[0]}")
    return 0


def slots_of_pattern(int mover_count, int opponent_count, rank):
    """How many slots a pattern has, and how many all patterns that its turns lead to have.

    >>> slots_of_pattern(3, 2, 602), slots_of_pattern(6, 6, 0)
    ((5184, 3420), (614656, 12605936))
    """
    cdef Chosen chosen = choose(mover_count, opponent_count, rank)
    return chosen.slots, count_below(&chosen)


def search_pattern(int mover_count, int opponent_count, rank, bint lone_card, uint8_t[::1] values):
    """Fills `values` with the remoteness of a pattern's slots, each solved by search."""
    cdef Chosen chosen = choose(mover_count, opponent_count, rank)
    check_room(values, chosen.slots)
    with nogil:
        fill_pattern(&values[0], &chosen.hands, &chosen.entry, 0, chosen.slots, 1 if lone_card else 2)


def derive_pattern(int mover_count, int opponent_count, rank, bint lone_card, uint8_t[::1] values):
    """Fills `values` with the remoteness of a pattern's slots, looked up one turn ahead in slots that the search has solved.

    It takes a byte for each slot of the children, 59 MB for the largest pattern of 6v6.
    """
    cdef Chosen chosen = choose(mover_count, opponent_count, rank)
    cdef Work *w = NULL
    cdef uint8_t *below = NULL
    cdef int fewest = 1 if lone_card and mover_count == 1 else 2  # F3, F13
    cdef bint broken = False
    check_room(values, chosen.slots)
    if mover_count < fewest:
        values[:] = 0
        return
    try:
        with nogil:
            w = new_work(True)
            below = <uint8_t *> malloc(count_below(&chosen) + 1)
            if w != NULL and below != NULL:
                set_pattern(w, chosen.rank, &chosen.entry, mover_count, opponent_count, fewest)
                fill_children(w, below, 1 if lone_card else 2)
                broken = w.broken
                if not broken:
                    derive_rows(w, &values[0])
        if w == NULL or below == NULL:
            raise MemoryError()
        if broken:
            raise AssertionError(f"a turn of pattern {rank} of {mover_count} v {opponent_count} leads to a class that has no slot")
    finally:
        free(w)
        free(below)


def describe(int mover_count, int opponent_count, rank, uint64_t slot):
    """What a slot of a pattern stands for: six integers in the order of POSITION_DTYPE, or None if the deck has no position of
    its class; and its description, as of `TableIndex.describe`."""
    cdef Chosen chosen = choose(mover_count, opponent_count, rank)
    cdef Class wanted
    cdef Packed p
    if slot >= chosen.slots:
        raise IndexError(f"slot {slot} of {chosen.slots}")
    wanted.hands = chosen.hands
    tops_of_slot(wanted.tops, &chosen.entry, wanted.hands.count, slot)
    row = None
    if find(&p, &wanted):
        row = (p.mover_hand, p.opponent_hand, p.mover_ascending, p.mover_descending, p.opponent_ascending, p.opponent_descending)
    return row, describe_slot(&chosen.hands, &chosen.entry, slot)
