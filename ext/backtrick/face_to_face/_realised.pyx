"""The classes of a table that have a position in the deck: counted, marked, and their values counted (docs/classes.md)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

from backtrick._arguments cimport check_span
from backtrick.face_to_face._boxes cimport Reached, count_classes, count_symmetric, fill_row, find_reached
from backtrick.face_to_face._duel cimport check_deck
from backtrick.face_to_face._hands cimport Hands, check_sizes, mirror_hands, rank_hands, unrank_hands
from backtrick.face_to_face._index cimport TableIndex, check_slots, entry_at, rank_at
from backtrick.face_to_face._shapes cimport MOST, ShapeList, Shapes
from backtrick.face_to_face._tops cimport MOST_DIGITS, PILES, Entry, fill_entry

from backtrick.face_to_face._hands import count_patterns

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
    """How many marked values equal `value`, among at most 255: so the sum fits into a byte and many are compared at once."""
    cdef uint8_t few = 0
    cdef int i
    for i in range(length):
        few += <uint8_t> (values[i] == value) & marks[i]
    return few


cdef void count_row(const uint8_t *values, const uint8_t *marks, int length, uint32_t marked, uint64_t *counts) noexcept nogil:
    """How many of the `marked` values there are of each remoteness. Most rows have the same everywhere."""
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

    With `apart` two tops may not show the same card of a hand. As far as is known, this is all that the count of cards in F1
    excludes besides shared numbers (docs/classes.md).

    >>> Realised(1, 1, 60, 10).count_range(0, 5, apart=False)
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

    def __cinit__(self, int mover_count, int opponent_count, int highest, int step, shapes_of=None):
        cdef uint64_t most = 1, words
        cdef Shapes shapes
        check_sizes(mover_count, opponent_count)
        check_deck(highest, step)
        if mover_count + opponent_count > MOST:
            raise ValueError(f"classes are counted up to {MOST} cards, not for {mover_count} v {opponent_count}")
        self.mover_count, self.opponent_count = mover_count, opponent_count
        self.kept = []
        for count in range(max(mover_count, opponent_count), mover_count + opponent_count + 1):
            shapes = (shapes_of or Shapes)(count, highest, step)
            if shapes is None or (shapes.count, shapes.highest, shapes.step) != (count, highest, step):
                raise ValueError(f"not the shapes of {count} numbers in this deck")
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
        check_span(start, stop, count_patterns(self.mover_count, self.opponent_count))
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
        """Makes room for the rows of a pattern, none of them filled. False if there is no memory."""
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
        """Fills the marks or counts the values of `length` slots, pattern by pattern. False if there is no memory."""
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
            raise ValueError("the index is another table's")
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
            raise ValueError(f"a remoteness is 0..{VALUES - 1}, not {most}")
        memset(&over, 0, sizeof(over))
        if values.shape[0]:
            over.start, over.values = start, &values[0]
            with nogil:
                done = self.over_rows(index, values.shape[0], False, &over)
        if not done:
            raise MemoryError()
        return [over.counts[value] for value in range(VALUES)]
