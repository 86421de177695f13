"""Tables in memory (`_tables.pxd`)."""

from libc.stdint cimport uint32_t

import numpy as np

from backtrick._arguments cimport check_span
from backtrick._atomic cimport exchange_flag, release_pointer
from backtrick._bits cimport __builtin_popcountll, __builtin_prefetch
from backtrick.face_to_face._classes cimport (
    ELEMENTS,
    MOST_DIGITS,
    MOVER,
    NOWHERE,
    OPPONENT,
    PILES,
    TableIndex,
    TopClass,
    check_sizes,
    check_slots,
    check_whole,
    entry_at,
    list_tops,
    pattern_of_hands,
    rank_at,
    slot_of,
    slot_within,
    unrank_hands,
)
from backtrick.face_to_face._layout cimport (
    ORIGINAL,
    OTHERS,
    Endgame,
    Packed,
    Player,
    at_start,
    case_number,
    check_position,
    fault,
    laying,
)
from backtrick.face_to_face._solve cimport value


# Fills a table by solving each of its classes; no other table is read (`_by_rows.pyx` is the other way).


cdef inline void set_side(Player *player, const Hands *hands, int owner) noexcept nogil:
    """Fills all that the hands alone decide about a player."""
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
        if holder != owner:  # the opponent holds it: it may become a top of this player's piles
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


cdef void set_hands(Endgame *endgame, const Hands *hands) noexcept nogil:
    """Fills the endgame of a pattern, except the tops of the piles."""
    set_side(&endgame.mover, hands, MOVER)
    set_side(&endgame.opponent, hands, OPPONENT)


cdef void set_top(Endgame *endgame, const Hands *hands, int pile, TopClass top) noexcept nogil:
    """Sets the top of one pile in an endgame made by `set_hands`."""
    cdef Player *player = &endgame.mover if pile < 2 else &endgame.opponent
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


cdef void fill_pattern(
    uint8_t *values, const Hands *hands, const Entry *entry, uint64_t first, uint64_t count, int keep,
) noexcept nogil:
    """Fills `values` with the remoteness of `count` slots of a pattern, from its slot `first` on."""
    cdef Endgame endgame
    cdef TopClass tops[PILES][MOST_DIGITS]
    cdef int digits[PILES]
    cdef uint64_t slot, rest = first
    cdef int pile
    set_hands(&endgame, hands)
    for pile in range(PILES - 1, -1, -1):
        list_tops(entry, pile, hands.count + 1, tops[pile])
        digits[pile] = rest % entry.sizes[pile]
        rest //= entry.sizes[pile]
        set_top(&endgame, hands, pile, tops[pile][digits[pile]])
    for slot in range(count):
        values[slot] = value(keep, at_start(&endgame.mover), at_start(&endgame.opponent))
        pile = PILES - 1
        digits[pile] += 1
        while pile and digits[pile] == entry.sizes[pile]:
            digits[pile] = 0
            set_top(&endgame, hands, pile, tops[pile][0])
            pile -= 1
            digits[pile] += 1
        if digits[0] == entry.sizes[0]:
            break
        set_top(&endgame, hands, pile, tops[pile][digits[pile]])


def generate_range(TableIndex index not None, uint8_t[::1] values not None, uint64_t start, bint lone_card):
    """Fills `values` with the remoteness of the slots from `start` on."""
    cdef uint64_t slot = start, stop = start + values.shape[0], end
    cdef uint32_t kept
    cdef Hands hands
    cdef const Entry *entry
    check_slots(index, start, values.shape[0])
    if start == stop:
        return
    with nogil:
        kept = index.pattern_at(start)
        while slot < stop:
            entry, end = entry_at(index, kept), min(stop, index.end_of(kept))
            unrank_hands(&hands, rank_at(index, kept), index.mover_count, index.opponent_count)
            kept += 1
            fill_pattern(&values[slot - start], &hands, entry, slot - entry.offset, end - slot, 1 if lone_card else 2)
            slot = end


# Look-ups in tables that are held in memory, packed as they are in the file: 2 or 4 bits a slot.


cdef enum:
    TOGETHER = 32   # look-ups under way at once: memory answers some while others are ranked
    UNREAD_ = 254
    MISSING_ = 255
    MOST_REMOTE = 5

UNREAD, MISSING = UNREAD_, MISSING_  # not values: the chunk is not in memory yet, its place in `wanted` is set; no such table


cdef inline uint8_t read_slot(const ValueTable *table, uint64_t slot) noexcept nogil:
    if not has_chunks(table, slot, 1):
        return UNREAD_
    if table.bits == 2:
        return (table.packed[slot >> 2] >> (2 * (slot & 3))) & 3
    return (table.packed[slot >> 1] >> (4 * (slot & 1))) & 15


cdef class ValueTables:
    """Tables by hand sizes. Many threads may read while one at a time puts tables and publishes chunks.

    The arguments of `put` are kept alive and do not move.
    """

    def __cinit__(self):
        self.kept = []

    def put(self, TableIndex index not None, const uint8_t[::1] packed not None, int bits, int chunk_shift):
        """Adds a table without any chunk. packed: room for its bytes, to be filled chunk by chunk, 2^chunk_shift slots each. A
        chunk is read once `publish` has named it, and must not change afterwards."""
        cdef ValueTable *table = &self.tables[index.mover_count][index.opponent_count]
        cdef uint8_t[::1] loaded
        cdef uint8_t[::1] wanted
        check_bits(bits)
        check_whole(index)
        if not 0 <= chunk_shift < 64:
            raise ValueError(f"chunk_shift must be 0..63, not {chunk_shift}")
        if <uint64_t> packed.shape[0] * (8 // bits) < index.size:
            raise ValueError("too few bytes for the table")
        if table.entries != NULL:
            raise ValueError("the table is there already")
        table.chunks = ((index.size - 1) >> chunk_shift) + 1
        loaded, wanted = np.zeros(table.chunks, np.uint8), np.zeros(table.chunks, np.uint8)
        self.kept.append((index, packed, loaded, wanted))
        table.packed, table.loaded, table.wanted = &packed[0], &loaded[0], &wanted[0]
        table.bits, table.chunk_shift = bits, chunk_shift
        release_pointer(&table.entries, index.entries)

    def take_wanted(self, int mover_count, int opponent_count):
        """The chunks of a table that look-ups have missed since the last call and that are still missing, ascending."""
        cdef ValueTable *table = self.table_of(mover_count, opponent_count)
        cdef uint64_t chunk
        found = []
        for chunk in range(table.chunks):
            if exchange_flag(&table.wanted[chunk], 0) and not acquire_flag(&table.loaded[chunk]):
                found.append(chunk)
        return found

    def publish(self, int mover_count, int opponent_count, uint64_t chunk):
        """Declares that the bytes of a chunk are in memory."""
        cdef ValueTable *table = self.table_of(mover_count, opponent_count)
        if chunk >= table.chunks:
            raise IndexError(f"chunk {chunk} of {table.chunks}")
        release_flag(&table.loaded[chunk], 1)

    def drop(self, int mover_count, int opponent_count, uint64_t chunk):
        """Declares that the bytes of a chunk are no longer in memory. No look-up may be under way."""
        cdef ValueTable *table = self.table_of(mover_count, opponent_count)
        if chunk >= table.chunks:
            raise IndexError(f"chunk {chunk} of {table.chunks}")
        release_flag(&table.loaded[chunk], 0)

    cdef ValueTable *table_of(self, int mover_count, int opponent_count) except NULL:
        check_sizes(mover_count, opponent_count)
        if entries_of(&self.tables[mover_count][opponent_count]) == NULL:
            raise ValueError(f"table {mover_count}v{opponent_count} is not in memory")
        return &self.tables[mover_count][opponent_count]

    def look_up(self, uint64_t mover_hand, uint64_t opponent_hand, uint8_t a, uint8_t b, uint8_t c, uint8_t d):
        """The remoteness of a well-formed position, `UNREAD` or `MISSING`."""
        cdef Packed position
        cdef const ValueTable *table
        cdef const Entry *entries
        position.mover_hand, position.opponent_hand = mover_hand, opponent_hand
        position.mover_ascending, position.mover_descending = a, b
        position.opponent_ascending, position.opponent_descending = c, d
        check_position(&position)
        if opponent_hand == 0:
            return 0
        table = &self.tables[__builtin_popcountll(mover_hand)][__builtin_popcountll(opponent_hand)]
        entries = entries_of(table)
        if entries == NULL:
            return MISSING_
        return read_slot(table, slot_of(entries, &position))

    def look_up_range(self, const Packed[:] positions not None, uint8_t[::1] values not None, Py_ssize_t start,
                      Py_ssize_t stop):
        """Fills values[start:stop] as `look_up` does; returns -1, or the place of the first position that is not well-formed."""
        cdef uint64_t slots[TOGETHER]
        cdef const ValueTable *tables[TOGETHER]
        cdef const Entry *entries[TOGETHER]
        cdef Py_ssize_t base, i, count, fault_at = -1
        cdef const Packed *position
        cdef const ValueTable *table
        check_span(start, stop, min(positions.shape[0], values.shape[0]))
        with nogil:
            base = start
            while base < stop and fault_at < 0:
                count = min(TOGETHER, stop - base)
                for i in range(count):
                    position = &positions[base + i]
                    tables[i] = NULL
                    if fault(position):
                        fault_at = base + i
                        break
                    if position.opponent_hand == 0:
                        values[base + i] = 0
                        continue
                    table = &self.tables[__builtin_popcountll(position.mover_hand)][
                        __builtin_popcountll(position.opponent_hand)]
                    entries[i] = entries_of(table)
                    if entries[i] == NULL:
                        values[base + i] = MISSING_
                        continue
                    tables[i] = table
                    entries[i] += pattern_of_hands(position.mover_hand, position.opponent_hand)
                    __builtin_prefetch(entries[i])
                    __builtin_prefetch(<const char *> entries[i] + 64)
                    __builtin_prefetch(<const char *> (entries[i] + 1) - 1)
                if fault_at >= 0:
                    break
                for i in range(count):
                    if tables[i] != NULL:
                        slots[i] = slot_within(entries[i], &positions[base + i])
                        __builtin_prefetch(&tables[i].packed[slots[i] >> (2 if tables[i].bits == 2 else 1)])
                for i in range(count):
                    if tables[i] != NULL:
                        values[base + i] = read_slot(tables[i], slots[i])
                base += count
        return fault_at


def pack_values(const uint8_t[::1] values not None, uint8_t[::1] packed not None, int bits):
    """Packs values, one remoteness a byte, into `bits` bits each, the first lowest. Returns how many there are of each, 0..5.

    Raises `ValueError` if a value does not fit or is above 5. The rest of the last byte is 0.
    """
    cdef uint64_t bytes_like[256]
    cdef uint64_t counts[16]
    cdef Py_ssize_t i, count = values.shape[0], each, whole
    cdef int j, byte
    check_lengths(count, packed.shape[0], bits)
    check_values(values, (1 << bits) - 1)
    each = 8 // bits
    whole = count // each
    with nogil:
        if bits == 2:
            for i in range(whole):
                packed[i] = values[4 * i] | (values[4 * i + 1] << 2) | (values[4 * i + 2] << 4) | (values[4 * i + 3] << 6)
        else:
            for i in range(whole):
                packed[i] = values[2 * i] | (values[2 * i + 1] << 4)
        if whole < packed.shape[0]:
            packed[whole] = 0
            for i in range(whole * each, count):
                packed[whole] |= values[i] << (bits * (i - whole * each))
        for byte in range(256):
            bytes_like[byte] = 0
        for i in range(packed.shape[0]):
            bytes_like[packed[i]] += 1
        for j in range(16):
            counts[j] = 0
        for byte in range(256):
            for j in range(each):
                counts[(byte >> (j * bits)) & ((1 << bits) - 1)] += bytes_like[byte]
        counts[0] -= packed.shape[0] * each - count
    return [counts[j] for j in range(6)]


def unpack_values(const uint8_t[::1] packed not None, uint8_t[::1] values not None, int bits):
    """The reverse of `pack_values`."""
    cdef Py_ssize_t i, count = values.shape[0], each
    cdef int mask, shift = 2 if bits == 2 else 1
    check_lengths(count, packed.shape[0], bits)
    each, mask = 8 // bits, (1 << bits) - 1
    with nogil:
        for i in range(count):
            values[i] = (packed[i >> shift] >> (bits * (i & (each - 1)))) & mask


def count_values(const uint8_t[::1] values not None, const uint8_t[::1] weights not None):
    """The sum of the weights of the values of each remoteness, 0..5. Raises `ValueError` if a value is above 5."""
    cdef uint64_t counts[4][8]
    cdef Py_ssize_t i, j
    if values.shape[0] != weights.shape[0]:
        raise ValueError("each value needs one weight")
    check_values(values, MOST_REMOTE)
    with nogil:
        for i in range(4):
            for j in range(8):
                counts[i][j] = 0
        for i in range(values.shape[0]):  # four sums in turn: an addition need not wait for the one before
            counts[i & 3][values[i] & 7] += weights[i]
    return [counts[0][j] + counts[1][j] + counts[2][j] + counts[3][j] for j in range(6)]


cdef int check_bits(int bits) except -1:
    if bits not in (2, 4):
        raise ValueError(f"a slot must have 2 or 4 bits, not {bits}")
    return 0


cdef int check_lengths(Py_ssize_t count, Py_ssize_t packed, int bits) except -1:
    check_bits(bits)
    if packed != count // (8 // bits) + (count % (8 // bits) != 0):
        raise ValueError(f"{count} values of {bits} bits do not fit {packed} bytes")
    return 0


cdef int check_values(const uint8_t[::1] values, int most) except -1:
    """Raises `ValueError` unless every value is at most 5 and at most `most`, which its bits can hold."""
    cdef Py_ssize_t i
    cdef uint8_t found = 0
    with nogil:
        for i in range(values.shape[0]):
            found = max(found, values[i])
    if found > min(most, MOST_REMOTE):
        raise ValueError(f"a remoteness must be 0..{min(most, MOST_REMOTE)} here, not {found}")
    return 0
