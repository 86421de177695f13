# What the search remembers about states: bounds on their value, in a hash table that starts small and grows.
#
# The key is the whole state but for its cost, so no state is mistaken for another. Given the position at the start, the cards
# left in the hands say who is to move, what can be twisted and which cards of the start still lie in the line. The rest of the
# state, and the bounds:
#
#   first    bits  0..44   the cards laid since that can still be twisted, from the right end down to the first that cannot,
#                          five bits each; there are at most nine, because each keeps its twisted card in a hand
#            bits 45..63   generation: entries of other positions are not looked at
#   second   bits  0..17   the cards left in the hands
#            bits 36..37   what is meant by bits 18..35, which tell what is known of that first card that cannot be twisted:
#               ENDS_LAID      the cards left that may be laid on it. No card of the start lies above it
#               ENDS_DEEPER    its slot. Cards of the start lie above it: which of them, the cards left in the hands say
#               ENDS_NOWHERE   there is no such card: the whole line can be twisted away. What taking it costs
#            bits 38..44   what taking the line costs; no part of the key
#            bits 45..52   a lower bound of the value, plus 128
#            bits 53..60   an upper bound of the value, plus 128
#
# Two entries share a bucket. The first of the two is in use if the second is, and has at least as many cards in the hands when it
# comes in: more cards are more work.

from libc.stdint cimport uint64_t
from libc.string cimport memset

from backtrick._bits cimport __builtin_popcountll
from backtrick.take_that._layout cimport HANDS, TABLE, Layout, State

cdef enum:
    GENERATION_SHIFT = 45
    GENERATIONS = 1 << 19
    REACH_SHIFT = 18
    END_SHIFT = 36
    COST_SHIFT = 38
    LOW_SHIFT = 45
    HIGH_SHIFT = 53
    ENDS_LAID = 0
    ENDS_DEEPER = 1
    ENDS_NOWHERE = 2
    GROWTH = 4

cdef struct Entry:
    uint64_t first
    uint64_t second

cdef struct Memory:
    Entry *entries
    uint64_t capacity           # entries that have memory, a power of two, at least two
    uint64_t used               # entries in use now, a power of two
    uint64_t filled             # of these, how many hold a state of this position
    uint64_t touched            # entries that have been in use since all were cleared
    uint64_t generation

cdef inline void forget(Memory *memory, uint64_t used) noexcept nogil:
    """Starts on a new position with `used` entries. The memory is cleared only when the generations run out."""
    memory.used = used if used < memory.capacity else memory.capacity
    memory.filled = 0
    memory.generation += 1
    if memory.generation == GENERATIONS:
        memset(memory.entries, 0, memory.touched * sizeof(Entry))
        memory.generation = 1
        memory.touched = 0
    if memory.touched < memory.used:
        memory.touched = memory.used

cdef inline void make_key(const Memory *memory, const Layout *layout, const State *state, Entry *key) noexcept nogil:
    cdef uint64_t hands = state.mover | state.other, what
    cdef int slot = state.top, end = ENDS_LAID
    key.first = 0
    while layout.partner[slot] & hands:
        if slot < HANDS:
            key.first = (key.first << 5) | <uint64_t> (slot + 1)
        else:
            end = ENDS_DEEPER
        slot = layout.below[slot]
        while layout.partner[slot] & state.spent:
            slot = layout.below[slot]
    key.first |= memory.generation << GENERATION_SHIFT
    what = layout.near[slot] & hands
    if slot == TABLE:
        end, what = ENDS_NOWHERE, state.cost
    elif end == ENDS_DEEPER:
        what = slot
    key.second = hands | (what << REACH_SHIFT) | (<uint64_t> end << END_SHIFT)

cdef inline uint64_t key_part(uint64_t second) noexcept nogil:
    return second & ((<uint64_t> 1 << COST_SHIFT) - 1)

cdef inline uint64_t hash_of(const Entry *key) noexcept nogil:
    """A number for a key. It is the same in every generation, so a search takes the same nodes whatever was searched before."""
    cdef uint64_t hash = (key.first << (64 - GENERATION_SHIFT)) * <uint64_t> 0x9E3779B97F4A7C15
    hash ^= key_part(key.second) * <uint64_t> 0xC2B2AE3D27D4EB4F
    hash ^= hash >> 32
    hash *= <uint64_t> 0xD6E8FEB86659FD93
    return hash ^ (hash >> 29)

cdef inline Entry *bucket_of(const Memory *memory, uint64_t hash) noexcept nogil:
    return &memory.entries[hash & (memory.used - 2)]

cdef inline bint is_new(const Memory *memory, const Entry *entry) noexcept nogil:
    """True if an entry is of the position that is being solved."""
    return (entry.first >> GENERATION_SHIFT) == memory.generation

cdef inline bint is_there(const Entry *entry, const Entry *key) noexcept nogil:
    return entry.first == key.first and key_part(entry.second ^ key.second) == 0

cdef inline const Entry *find(const Memory *memory, const Entry *key, uint64_t hash) noexcept nogil:
    """The entry of a key, or NULL."""
    cdef const Entry *bucket = bucket_of(memory, hash)
    if is_there(&bucket[0], key):
        return &bucket[0]
    return &bucket[1] if is_there(&bucket[1], key) else NULL

cdef inline int cost_of(const Entry *entry) noexcept nogil:
    return <int> (entry.second >> COST_SHIFT) & 127

cdef inline int low_of(const Entry *entry) noexcept nogil:
    return <int> ((entry.second >> LOW_SHIFT) & 255) - 128

cdef inline int high_of(const Entry *entry) noexcept nogil:
    return <int> ((entry.second >> HIGH_SHIFT) & 255) - 128

cdef inline int cards_of(const Entry *entry) noexcept nogil:
    return __builtin_popcountll(entry.second & ((<uint64_t> 1 << REACH_SHIFT) - 1))

cdef inline void put(Memory *memory, const Entry *entry, uint64_t hash) noexcept nogil:
    """Puts an entry of this generation into its bucket. Of the states there, the one with more cards stays."""
    cdef Entry *bucket = bucket_of(memory, hash)
    if is_there(&bucket[0], entry):
        bucket[0] = entry[0]
    elif is_there(&bucket[1], entry):
        bucket[1] = entry[0]
    elif not is_new(memory, &bucket[0]):
        bucket[0] = entry[0]
        memory.filled += 1
    else:
        if not is_new(memory, &bucket[1]):
            memory.filled += 1
        if cards_of(entry) >= cards_of(&bucket[0]):
            bucket[1] = bucket[0]
            bucket[0] = entry[0]
        else:
            bucket[1] = entry[0]

cdef inline void grow(Memory *memory) noexcept nogil:
    """Uses GROWTH times as many entries, if there is room, and moves those that are there to their new places."""
    cdef uint64_t before = memory.used, place
    cdef Entry one
    cdef Entry other
    memory.used = before * GROWTH if before * GROWTH < memory.capacity else memory.capacity
    if memory.touched < memory.used:
        memory.touched = memory.used
    memory.filled = 0
    place = 0
    while place < before:
        one, other = memory.entries[place], memory.entries[place + 1]
        memory.entries[place].first = memory.entries[place + 1].first = 0
        if is_new(memory, &one):
            put(memory, &one, hash_of(&one))
        if is_new(memory, &other):
            put(memory, &other, hash_of(&other))
        place += 2

cdef inline void remember(
    Memory *memory, const Entry *key, uint64_t hash, int cost, int low, int high,
) noexcept nogil:
    cdef Entry entry
    entry.first = key.first
    entry.second = key.second | (<uint64_t> cost << COST_SHIFT)
    entry.second |= (<uint64_t> (low + 128) << LOW_SHIFT) | (<uint64_t> (high + 128) << HIGH_SHIFT)
    put(memory, &entry, hash)
    if 2 * memory.filled > memory.used and memory.used < memory.capacity:
        grow(memory)
