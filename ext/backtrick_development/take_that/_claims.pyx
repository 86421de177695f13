"""What the search of endgames claims and remembers, each asked alone: its bounds (`_bounds.pxd`), and its memory once more."""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from backtrick._arguments cimport check_room
from backtrick._bits cimport __builtin_popcountll
from backtrick.take_that._bounds cimport Claims, claim_by_counting, claim_by_taking, claim_ends, shift, without_twins
from backtrick.take_that._layout cimport HANDS, TABLE, Layout, State, follow
from backtrick.take_that._solve cimport Entry, Memory

include "../../backtrick/take_that/_solve_memory.pxi"


cdef class Remembered:
    """A memory of `capacity` entries, a power of two, at least 2. No entry is in use before `forget`. A key is two numbers, as
    `key_after` returns them; its generation is taken to be the present one."""

    cdef Memory memory

    def __cinit__(self, uint64_t capacity):
        if capacity < 2 or capacity & (capacity - 1):
            raise ValueError(f"capacity must be a power of two, at least 2, not {capacity}")
        check_room(capacity, sizeof(Entry))
        self.memory.capacity = capacity
        self.memory.used = self.memory.filled = self.memory.generation = self.memory.touched = 0
        self.memory.entries = <Entry *> calloc(capacity, sizeof(Entry))
        if self.memory.entries == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.memory.entries)

    def forget(self, uint64_t used, uint64_t times=1):
        """Starts on a new position, `times` times, each time with `used` entries, a power of two."""
        cdef uint64_t i
        if used < 2 or used & (used - 1):
            raise ValueError(f"used must be a power of two, at least 2, not {used}")
        if times > GENERATIONS:
            raise ValueError(f"times must be at most {GENERATIONS}, not {times}")
        for i in range(times):
            forget(&self.memory, used)

    def grow(self):
        """Uses GROWTH times as many entries, if there is room."""
        self.check_in_use()
        grow(&self.memory)

    def counts(self):
        """capacity, used, filled, touched and generation, as in `Memory`."""
        memory = &self.memory
        return memory.capacity, memory.used, memory.filled, memory.touched, memory.generation

    def put(self, uint64_t first, uint64_t second, int cost, int low, int high):
        """Remembers the bounds of a key, -128..127, at a cost, 0..127. The table grows as it does in a search."""
        cdef Entry key
        if not (-128 <= low <= 127 and -128 <= high <= 127):
            raise ValueError(f"bounds must be -128..127, not {low}..{high}")
        if not 0 <= cost <= 127:
            raise ValueError(f"a cost must be 0..127, not {cost}")
        self.check_in_use()
        key.first, key.second = self.of_this_generation(first), second & ((<uint64_t> 1 << COST_SHIFT) - 1)
        remember(&self.memory, &key, hash_of(&key), cost, low, high)

    def find(self, uint64_t first, uint64_t second):
        """The cost and the bounds of a key, or None. The generation is the present one."""
        cdef Entry key
        cdef const Entry *entry
        self.check_in_use()
        key.first, key.second = self.of_this_generation(first), second
        entry = find(&self.memory, &key, hash_of(&key))
        return None if entry == NULL else (cost_of(entry), low_of(entry), high_of(entry))

    cdef uint64_t of_this_generation(self, uint64_t first) noexcept:
        return (first & ((<uint64_t> 1 << GENERATION_SHIFT) - 1)) | (self.memory.generation << GENERATION_SHIFT)

    cdef int check_in_use(self) except -1:
        if self.memory.used == 0:
            raise ValueError("no entry is in use")
        return 0


def key_after(const uint8_t[::1] packed not None, const uint8_t[::1] codes not None, uint64_t generation):
    """The key of the state that turns lead to from a packed position. codes: of lays and twists, as in `turn.pack_turn`.
    Raises `ValueError` for a position that is not well-formed, or a turn that the mover does not have."""
    cdef Memory memory
    cdef Layout layout
    cdef State state
    cdef Entry key
    follow(packed, codes, &layout, &state)
    memory.generation = generation
    make_key(&memory, &layout, &state, &key)
    return key.first, key.second


def claims_after(const uint8_t[::1] packed not None, const uint8_t[::1] codes not None):
    """The claims about the state that turns lead to from a packed position: under 'taking', 'counting' and 'ends', each
    a pair, and under 'lays' and 'twists' the cards that are skipped because a twin of theirs is examined.

    Raises `ValueError` for a position that is not well-formed, or a turn that the mover does not have.
    """
    cdef Layout layout
    cdef State state
    cdef Claims claims
    cdef uint64_t lays
    follow(packed, codes, &layout, &state)
    lays = layout.near[state.top] & state.mover
    found = {}
    claim_by_taking(&layout, &state, lays, &claims)
    found["taking"] = claims.low, claims.high
    claim_by_counting(&layout, &state, &claims)
    found["counting"] = claims.low, claims.high
    claim_ends(&layout, &state, &claims)
    found["ends"] = claims.taken, claims.given
    for name, cards in (("lays", lays), ("twists", state.twists & state.mover)):
        dropped = cards & ~without_twins(&layout, &state, state.mover | state.other, cards)
        found[name] = [layout.card[slot] for slot in range(HANDS) if (dropped >> slot) & 1]
    return found


def shifted(int low, int high, int more, int taken, int given):
    """`shift`. Raises `ValueError` for a number that is not within -1000..1000."""
    for number in (low, high, more, taken, given):
        if not -1000 <= number <= 1000:
            raise ValueError(f"numbers must be -1000..1000, not {number}")
    shift(&low, &high, more, taken, given)
    return low, high
