"""Counts the well-formed positions (F1) with each label of their slot, hand pair by hand pair.

Over two concrete hands every number that a top may show has a digit, so the tops of a slot are a product of four counts of
numbers. From it are subtracted the tops that show a number more often than F1 allows: a number in one hand may show once, a
number in no hand twice, a number in both hands never.

A hand pair whose pattern has no slots is the mirror image of a pair whose pattern has slots; the latter counts twice.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from backtrick._bits cimport __builtin_popcountll
from backtrick.face_to_face._classes cimport (
    ELEMENTS,
    MOST_DIGITS,
    PILES,
    Entry,
    Hands,
    TableIndex,
    check_sizes,
    check_slots,
    check_whole,
    digit_of,
    mirror_hands,
    pattern_count,
    pattern_of_hands,
    pattern_of_image,
    rank_at,
    rank_hands,
    unrank_hands,
)
from backtrick.face_to_face._layout cimport HIGHEST, under

cdef enum:
    LABELS = 32
    NUMBERS = 61

LABEL_COUNT = LABELS


cdef struct Choice:                        # a digit of a pile and how many numbers show it
    uint32_t step                          # what the digit adds to the slot
    int64_t count

cdef struct Tops:                          # what the four piles can show over two concrete hands
    int sizes[PILES]
    Choice choices[PILES][MOST_DIGITS]
    uint32_t shown[PILES][NUMBERS]         # what a number adds to the slot
    int elements                           # numbers of one hand
    uint8_t element[ELEMENTS]
    int free                               # numbers of no hand
    uint8_t none[NUMBERS]
    const uint8_t *labels                  # of the pattern's slots


cdef void list_choices(Tops *t, const Entry *entry, uint64_t mover, uint64_t opponent, uint64_t deck) noexcept nogil:
    cdef uint64_t own, numbers = mover | opponent, both = mover & opponent
    cdef int64_t counts[MOST_DIGITS]
    cdef uint32_t stride = 1
    cdef int pile, top, digit
    t.elements = t.free = 0
    for top in range(2, HIGHEST):
        if not (deck >> top) & 1:
            continue
        if not (numbers >> top) & 1:
            t.none[t.free] = top
            t.free += 1
        elif not (both >> top) & 1:
            t.element[t.elements] = top
            t.elements += 1
    for pile in range(PILES - 1, -1, -1):
        own = mover if pile < 2 else opponent
        memset(counts, 0, entry.sizes[pile] * sizeof(int64_t))
        for top in range(1 + pile % 2, HIGHEST + pile % 2):
            if 1 < top < HIGHEST and ((both | ~deck) >> top) & 1:
                continue
            digit = digit_of(entry, pile, own, numbers, top, 0)
            counts[digit] += 1
            t.shown[pile][top] = digit * stride
        t.sizes[pile] = 0
        for digit in range(entry.sizes[pile]):
            if counts[digit]:
                t.choices[pile][t.sizes[pile]] = Choice(digit * stride, counts[digit])
                t.sizes[pile] += 1
        stride *= entry.sizes[pile]


cdef void count_all(const Tops *t, int64_t *totals, int64_t weight) noexcept nogil:
    """Counts every choice of four tops, whatever they share."""
    cdef int a, d, c, e
    cdef int64_t first, second
    cdef const uint8_t *row
    cdef const uint8_t *line
    for a in range(t.sizes[0]):
        for d in range(t.sizes[1]):
            first = weight * t.choices[0][a].count * t.choices[1][d].count
            row = t.labels + t.choices[0][a].step + t.choices[1][d].step
            for c in range(t.sizes[2]):
                second = first * t.choices[2][c].count
                line = row + t.choices[2][c].step
                for e in range(t.sizes[3]):
                    totals[line[t.choices[3][e].step]] += second * t.choices[3][e].count


cdef void subtract_pairs(const Tops *t, int64_t *totals, int64_t weight) noexcept nogil:
    """Subtracts the tops with a number of one hand on exactly two piles. The other two piles show other numbers, or share one."""
    cdef int p, q, r, s, i, j, x, y
    cdef uint8_t shared
    cdef uint32_t at, further
    cdef int64_t count
    for p in range(PILES):
        for q in range(p + 1, PILES):
            r = 0 if p > 0 else 1 if q > 1 else 2
            s = 6 - p - q - r
            for i in range(t.elements):
                shared = t.element[i]
                at = t.shown[p][shared] + t.shown[q][shared]
                for x in range(t.sizes[r]):
                    further = at + t.choices[r][x].step
                    count = weight * (t.choices[r][x].count - (t.choices[r][x].step == t.shown[r][shared]))
                    for y in range(t.sizes[s]):
                        totals[t.labels[further + t.choices[s][y].step]] -= (
                            count * (t.choices[s][y].count - (t.choices[s][y].step == t.shown[s][shared])))
                if p > 0:                  # two pairs were subtracted twice, once from either side
                    continue
                for j in range(t.elements):
                    if j != i:
                        further = at + t.shown[r][t.element[j]] + t.shown[s][t.element[j]]
                        totals[t.labels[further]] += weight


cdef void subtract_more(const Tops *t, int64_t *totals, int64_t weight, uint8_t shared) noexcept nogil:
    """Subtracts the tops with one number on three piles or all four."""
    cdef int p, pile, x
    cdef uint32_t all_four = 0, at
    for pile in range(PILES):
        all_four += t.shown[pile][shared]
    totals[t.labels[all_four]] -= weight
    for p in range(PILES):
        at = all_four - t.shown[p][shared]
        for x in range(t.sizes[p]):
            totals[t.labels[at + t.choices[p][x].step]] -= (
                weight * (t.choices[p][x].count - (t.choices[p][x].step == t.shown[p][shared])))


cdef void count_pair(
    TableIndex index, const uint8_t *labels, uint64_t mover, uint64_t opponent, int64_t *totals, uint64_t deck,
) noexcept nogil:
    cdef Tops tops
    cdef const Entry *entry
    cdef uint64_t rank = pattern_of_hands(mover, opponent)
    cdef int64_t weight
    cdef int i
    entry = &index.entries[rank]
    if entry.turned:
        return
    weight = 1 if pattern_of_image(mover, opponent) == rank else 2
    tops.labels = labels + entry.offset
    list_choices(&tops, entry, mover, opponent, deck)
    count_all(&tops, totals, weight)
    subtract_pairs(&tops, totals, weight)
    for i in range(tops.elements):
        subtract_more(&tops, totals, weight, tops.element[i])
    for i in range(tops.free):
        subtract_more(&tops, totals, weight, tops.none[i])


cdef int check_hands(const uint64_t[::1] hands, int count, uint64_t deck) except -1:
    cdef Py_ssize_t i
    for i in range(hands.shape[0]):
        if __builtin_popcountll(hands[i]) != count or (hands[i] & ~deck) != 0:
            raise ValueError(f"hand {i} must be {count} cards of the deck")
    return 0


def count_positions(
    TableIndex index not None, const uint8_t[::1] labels not None, const uint64_t[::1] movers not None,
    const uint64_t[::1] opponents not None, uint64_t deck,
):
    """How many well-formed positions with one of the mover's hands `movers` and one of the opponent's have each label.

    deck: its number cards as a set; no other number is on a pile. labels: of all slots of the table, each below LABEL_COUNT. Returns a list of LABEL_COUNT exact counts.
    """
    cdef int64_t[LABELS] totals
    cdef Py_ssize_t i, j
    cdef uint8_t most = 0
    if deck & ~(under(HIGHEST) & ~<uint64_t> 3):
        raise ValueError("a deck must be number cards")
    check_whole(index)
    if <uint64_t> labels.shape[0] != index.size:
        raise ValueError(f"{labels.shape[0]} labels of {index.size} slots")
    for i in range(labels.shape[0]):
        most = max(most, labels[i])
    if most >= LABELS:
        raise ValueError(f"labels must be below {LABELS}, not {most}")
    check_hands(movers, index.mover_count, deck)
    check_hands(opponents, index.opponent_count, deck)
    memset(totals, 0, sizeof(totals))
    with nogil:
        for i in range(movers.shape[0]):
            for j in range(opponents.shape[0]):
                count_pair(index, &labels[0], movers[i], opponents[j], totals, deck)
    return [totals[i] for i in range(LABELS)]


# Slots and patterns, one by one.


def unfold_range(TableIndex index not None, uint8_t[::1] marks not None, uint64_t start):
    """Doubles the marks of slots, from `start` on, whose mirror image has no slot: such a slot stands for two classes."""
    cdef uint64_t slot = start, stop = start + marks.shape[0], end, rank
    cdef uint32_t kept
    cdef Hands hands
    cdef Hands image
    check_slots(index, start, marks.shape[0])
    if start == stop:
        return
    with nogil:
        kept = index.pattern_at(start)
        while slot < stop:
            rank, end = rank_at(index, kept), min(stop, index.end_of(kept))
            unrank_hands(&hands, rank, index.mover_count, index.opponent_count)
            mirror_hands(&image, &hands)
            kept += 1
            if rank_hands(&image) == rank:
                slot = end
            while slot < end:
                marks[slot - start] *= 2
                slot += 1


def pattern_round_trip(int mover_count, int opponent_count, uint32_t rank):
    """rank(unrank(rank)), and the number of the pattern that is mirrored twice: both must be `rank`."""
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
