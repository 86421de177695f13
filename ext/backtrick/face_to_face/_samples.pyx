"""Random endgames by the thousand, from a seed and their numbers: the fast twin of `draw_uniform` and its neighbours in `samples.py`."""

from itertools import combinations

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from backtrick._arguments cimport check_span
from backtrick._bits cimport __builtin_popcountll
from backtrick._random cimport Stream, below, stream_of
from backtrick.face_to_face._layout cimport BACK, HAND, HIGHEST, Packed, fault
from backtrick.face_to_face._solve cimport position_value

cdef enum:
    NEAR = 6                    # clustered: numbers in each of the two groups
    LOWS = HIGHEST - BACK - NEAR - 1
    MOST_SETS = 924             # of six of the twelve numbers

cdef struct Numbers:
    uint8_t items[HIGHEST]
    int count

cdef Numbers cards, up, down            # uniform: all that there are
cdef Numbers[LOWS] near                 # clustered: the numbers for each of the lowest ones, 2, 3, ...
cdef uint16_t[HAND + 1][MOST_SETS] near_sets    # of each size, in the order of `combinations`; bit i for number i
cdef int[HAND + 1] near_counts


cdef void add(Numbers *numbers, int first, int last) noexcept nogil:
    cdef int number
    for number in range(first, last + 1):
        numbers.items[numbers.count] = number
        numbers.count += 1


cdef int prepare() except -1:
    """Fills what is looked up."""
    cdef int low, size, place
    add(&cards, 2, HIGHEST - 1)
    add(&up, 1, HIGHEST - 1)
    add(&down, 2, HIGHEST)
    for low in range(LOWS):
        add(&near[low], 2 + low, 1 + low + NEAR)
        add(&near[low], 2 + low + BACK, 1 + low + BACK + NEAR)
    for size in range(HAND + 1):
        for place, chosen in enumerate(combinations(range(2 * NEAR), size)):
            near_sets[size][place] = sum([1 << number for number in chosen])
            near_counts[size] = place + 1
    return 0


prepare()


cdef inline int one_of(Stream *stream, const Numbers *numbers) noexcept nogil:
    return numbers.items[below(stream, numbers.count)]


cdef inline uint64_t hand_of(Stream *stream, const Numbers *cards, int size) noexcept nogil:
    cdef uint64_t hand = 0
    while __builtin_popcountll(hand) != size:
        hand |= <uint64_t> 1 << one_of(stream, cards)
    return hand


cdef struct Seen:
    uint64_t once               # the number cards that are there, each at most twice (F1)
    uint64_t twice


cdef inline int top_of(Stream *stream, const Numbers *numbers, Seen *seen) noexcept nogil:
    cdef int top = one_of(stream, numbers)
    while (seen.twice >> top) & 1:
        top = one_of(stream, numbers)
    if 2 <= top < HIGHEST:
        seen.twice |= seen.once & (<uint64_t> 1 << top)
        seen.once |= <uint64_t> 1 << top
    return top


cdef inline void draw_tops(Packed *p, Stream *stream, const Numbers *up, const Numbers *down) noexcept nogil:
    """The twin of `_with_tops`."""
    cdef Seen seen
    seen.once, seen.twice = p.mover_hand | p.opponent_hand, p.mover_hand & p.opponent_hand
    p.mover_ascending = top_of(stream, up, &seen)
    p.mover_descending = top_of(stream, down, &seen)
    p.opponent_ascending = top_of(stream, up, &seen)
    p.opponent_descending = top_of(stream, down, &seen)


cdef inline uint64_t near_hand(Stream *stream, int low, int size) noexcept nogil:
    cdef uint64_t chosen = near_sets[size][below(stream, near_counts[size])]
    return ((chosen & ((1 << NEAR) - 1)) << low) | ((chosen >> NEAR) << (low + BACK))


cdef uint64_t paired_hand(Stream *stream) noexcept nogil:
    cdef uint64_t hand = 0
    cdef int held = 0
    while held != HAND:
        if held > HAND:
            hand = 0
        hand |= (1 | (<uint64_t> 1 << BACK)) << (2 + below(stream, HIGHEST - BACK - 2))
        held = __builtin_popcountll(hand)
    return hand


cdef void draw_tight(Packed *p, Stream *stream) noexcept nogil:
    while True:
        p.mover_ascending = 35 + below(stream, HIGHEST - 35)
        p.opponent_ascending = 35 + below(stream, HIGHEST - 35)
        p.mover_descending = 2 + below(stream, 24)
        p.opponent_descending = 2 + below(stream, 24)
        p.mover_hand = paired_hand(stream)
        p.opponent_hand = paired_hand(stream)
        if not fault(p) and position_value(p, 2) >= 2:
            return


cdef int check_hands(int mover, int opponent) except -1:
    """A hand of another size is never well-formed, and would be drawn for ever."""
    if not (1 <= mover <= HAND and 0 <= opponent <= HAND):
        raise ValueError(f"hands of {mover} and {opponent} cards")
    return 0


def uniform_range(Packed[:] positions not None, uint64_t seed, uint64_t first, Py_ssize_t start, Py_ssize_t stop,
                  int mover, int opponent):
    """Fills positions[i] with number first + i of the seed, for i in start..stop-1. mover, opponent: sizes of the hands."""
    cdef Stream stream
    cdef Py_ssize_t i
    check_span(start, stop, positions.shape[0])
    check_hands(mover, opponent)
    with nogil:
        for i in range(start, stop):
            stream = stream_of(seed, first + <uint64_t> i)
            positions[i].mover_hand = hand_of(&stream, &cards, mover)
            positions[i].opponent_hand = hand_of(&stream, &cards, opponent)
            draw_tops(&positions[i], &stream, &up, &down)
    return -1


def clustered_range(Packed[:] positions not None, uint64_t seed, uint64_t first, Py_ssize_t start, Py_ssize_t stop,
                    int mover, int opponent):
    """As `uniform_range`."""
    cdef Stream stream
    cdef Py_ssize_t i
    cdef int low
    check_span(start, stop, positions.shape[0])
    check_hands(mover, opponent)
    with nogil:
        for i in range(start, stop):
            stream = stream_of(seed, first + <uint64_t> i)
            low = below(&stream, LOWS)
            positions[i].mover_hand = near_hand(&stream, 2 + low, mover)
            positions[i].opponent_hand = near_hand(&stream, 2 + low, opponent)
            draw_tops(&positions[i], &stream, &near[low], &near[low])
    return -1


def tight_range(Packed[:] positions not None, uint64_t seed, uint64_t first, Py_ssize_t start, Py_ssize_t stop):
    """As `uniform_range`, with hands of six cards."""
    cdef Stream stream
    cdef Py_ssize_t i
    check_span(start, stop, positions.shape[0])
    with nogil:
        for i in range(start, stop):
            stream = stream_of(seed, first + <uint64_t> i)
            draw_tight(&positions[i], &stream)
    return -1
