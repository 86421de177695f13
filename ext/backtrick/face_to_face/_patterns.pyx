"""The slots of one pattern of hands, in two ways: each solved by search, and each derived one turn ahead.

A table of more than 8 cards is seldom built, and an index of 6v5 or 6v6 does not fit into memory. A single pattern needs neither:
its entry and those of its children are made here, the children's slots are filled by the search (`_generate.pyx`), and the
code that verifies tables (`_verify.pyx`) looks one turn ahead in them. No pattern is folded onto its mirror image.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from backtrick._bits cimport __builtin_popcountll
from backtrick.face_to_face._duel cimport Packed, check_deck
from backtrick.face_to_face._generate cimport fill_pattern
from backtrick.face_to_face._hands cimport Hands, unrank_hands
from backtrick.face_to_face._laying cimport HAND
from backtrick.face_to_face._representative cimport Class, find
from backtrick.face_to_face._tops cimport Entry, describe_slot, fill_entry, tops_of_slot
from backtrick.face_to_face._verify cimport (
    Rest,
    Work,
    derive_row,
    look_ahead,
    new_work,
    set_pattern,
    take_cards,
)

from backtrick.face_to_face._hands import count_patterns


cdef struct Chosen:                        # a pattern of some table
    uint64_t rank
    int movers
    int opponents
    Hands hands
    Entry entry
    uint64_t slots


cdef Chosen choose(int mover_count, int opponent_count, rank) except *:
    cdef Chosen chosen
    if not (1 <= mover_count <= HAND and 1 <= opponent_count <= HAND):
        raise ValueError(f"hands are of 1..6 cards, not {mover_count} v {opponent_count}")
    patterns = count_patterns(mover_count, opponent_count)
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
    """How many slots all children have."""
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


def describe(int mover_count, int opponent_count, rank, uint64_t slot, int highest, int step):
    """What a slot of a pattern stands for: six integers in the order of POSITION_DTYPE, or None if the deck has no position of
    its class; and its description, as of `TableIndex.describe`."""
    cdef Chosen chosen = choose(mover_count, opponent_count, rank)
    cdef Class wanted
    cdef Packed p
    check_deck(highest, step)
    if slot >= chosen.slots:
        raise IndexError(f"slot {slot} of {chosen.slots}")
    wanted.hands = chosen.hands
    tops_of_slot(wanted.tops, &chosen.entry, wanted.hands.count, slot)
    row = None
    if find(&p, &wanted, highest, step):
        row = (p.mover_hand, p.opponent_hand, p.mover_ascending, p.mover_descending, p.opponent_ascending, p.opponent_descending)
    return row, describe_slot(&chosen.hands, &chosen.entry, slot)
