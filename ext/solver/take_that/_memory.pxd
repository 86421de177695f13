# What the search remembers about states: bounds on their value, in a hash table that starts small and grows.
#
# The key is the whole state, so no state is mistaken for another. Given the position at the start, the cards left in the hands
# say who is to move, what can be twisted and which cards of the start still lie in the line. The rest of the state, and the
# bounds:
#
#   first    bits  0..44   the cards laid since that can still be twisted, from the right end down to the first that cannot,
#                          five bits each; there are at most nine, because each keeps its twisted card in a hand
#            bits 45..63   generation: entries of other positions are not looked at
#   second   bits  0..17   the cards left in the hands
#            bits 18..35   those of them that may be laid on that first card which cannot be twisted: all that it is good for
#            bits 36..42   what taking the line costs
#            bits 44..51   a lower bound of the value, plus 128
#            bits 52..59   an upper bound of the value, plus 128

from libc.stdint cimport uint64_t
from libc.string cimport memset

from solver.take_that._layout cimport HANDS, Layout, State

cdef enum:
    GENERATION_SHIFT = 45
    GENERATIONS = 1 << 19
    COST_SHIFT = 36
    LOW_SHIFT = 44
    HIGH_SHIFT = 52
    KEY_FILL = 64 - LOW_SHIFT

cdef struct Entry:
    uint64_t first
    uint64_t second

cdef struct Memory:
    Entry *entries
    uint64_t capacity           # entries that have memory, a power of two
    uint64_t used               # entries in use now, a power of two
    uint64_t touched            # entries that have been in use since all were cleared
    uint64_t generation

cdef inline void forget(Memory *memory, uint64_t used) noexcept nogil:
    """Starts on a new position with `used` entries. The memory is cleared only when the generations run out."""
    memory.used = used if used < memory.capacity else memory.capacity
    memory.generation += 1
    if memory.generation == GENERATIONS:
        memset(memory.entries, 0, memory.touched * sizeof(Entry))
        memory.generation = 1
        memory.touched = 0
    if memory.touched < memory.used:
        memory.touched = memory.used

cdef inline void grow(Memory *memory, uint64_t times) noexcept nogil:
    """Uses `times` as many entries. Most remembered states are no longer found; those that are found are right."""
    memory.used = memory.used * times if memory.used * times < memory.capacity else memory.capacity
    if memory.touched < memory.used:
        memory.touched = memory.used

cdef inline void make_key(const Memory *memory, const Layout *layout, const State *state, Entry *key) noexcept nogil:
    cdef uint64_t hands = state.mover | state.other
    cdef int slot = state.top
    key.first = 0
    while layout.partner[slot] & hands:
        if slot < HANDS:
            key.first = (key.first << 5) | <uint64_t> (slot + 1)
        slot = layout.below[slot]
        while layout.partner[slot] & state.spent:
            slot = layout.below[slot]
    key.first |= memory.generation << GENERATION_SHIFT
    key.second = hands | ((layout.near[slot] & hands) << 18) | (<uint64_t> state.cost << COST_SHIFT)

cdef inline Entry *place_of(const Memory *memory, const Entry *key) noexcept nogil:
    """The place of a key. It is the same in every generation, so a search takes the same nodes whatever was searched before."""
    cdef uint64_t state = key.first & ((<uint64_t> 1 << GENERATION_SHIFT) - 1)
    cdef uint64_t hash = (state * <uint64_t> 0x9E3779B97F4A7C15) ^ (key.second * <uint64_t> 0xC2B2AE3D27D4EB4F)
    hash ^= hash >> 32
    hash *= <uint64_t> 0xD6E8FEB86659FD93
    hash ^= hash >> 29
    return &memory.entries[hash & (memory.used - 1)]

cdef inline bint is_there(const Entry *entry, const Entry *key) noexcept nogil:
    return entry.first == key.first and (entry.second << KEY_FILL) == (key.second << KEY_FILL)

cdef inline int low_of(const Entry *entry) noexcept nogil:
    return <int> ((entry.second >> LOW_SHIFT) & 255) - 128

cdef inline int high_of(const Entry *entry) noexcept nogil:
    return <int> ((entry.second >> HIGH_SHIFT) & 255) - 128

cdef inline void remember(Entry *entry, const Entry *key, int low, int high) noexcept nogil:
    entry.first = key.first
    entry.second = key.second | (<uint64_t> (low + 128) << LOW_SHIFT) | (<uint64_t> (high + 128) << HIGH_SHIFT)
