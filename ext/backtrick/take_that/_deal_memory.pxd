# What the search of deals remembers about states: bounds on their value, in a hash table that starts small and grows.
#
# The key is the whole state but for its cost, so no state is mistaken for another. Who holds a card of the pile is known from the
# start, and each turn plays one card. So the live cards, those left in hands and pile, say who holds what and who is to move.
#
#   left     the live cards
#   twists   those whose twisted card lies in the line
#   chain    the cards of the line from the right end down to the first that cannot be twisted, the partner's slot of each in six
#            bits, below a bit that is 1. At most ten: a state with a longer chain is not remembered
#   rest     bits  0..11   the live cards that may be laid on that first card: the slots of the least and the greatest; if there
#                          is none, 1 and 0
#            bit  12       set if there is no such card: the whole line can be twisted away, or it is empty
#            bits 13..20   what taking the line costs; no part of the key. If the bit is set, the chain says it too
#            bits 21..28   a lower bound of the value, plus 128
#            bits 29..36   an upper bound of the value, plus 128
#            bits 37..63   generation: entries of other deals are not looked at
#
# Two entries share a bucket, as in `_memory.pxd`.

from libc.stdint cimport uint64_t
from libc.string cimport memset

from backtrick._bits cimport __builtin_clzll, __builtin_ctzll, __builtin_popcountll
from backtrick.take_that._layout cimport TABLE, Layout, State

cdef enum:
    MOST_CHAIN = 10
    ON_TABLE = 1 << 12
    KEY_BITS = 13
    COST_SHIFT = 13
    LOW_SHIFT = 21
    HIGH_SHIFT = 29
    GENERATION_SHIFT = 37
    GENERATIONS = 1 << 27
    GROWTH = 4

cdef struct Entry:
    uint64_t left
    uint64_t twists
    uint64_t chain
    uint64_t rest

cdef struct Memory:
    Entry *entries
    uint64_t capacity           # entries that have memory, a power of two, at least two
    uint64_t used               # entries in use now, a power of two
    uint64_t filled             # of these, how many hold a state of this deal
    uint64_t touched            # entries that have been in use since all were cleared
    uint64_t generation

cdef inline void forget(Memory *memory, uint64_t used) noexcept nogil:
    """Starts on a new deal with `used` entries. The memory is cleared only when the generations run out."""
    memory.used = used if used < memory.capacity else memory.capacity
    memory.filled = 0
    memory.generation += 1
    if memory.generation == GENERATIONS:
        memset(memory.entries, 0, memory.touched * sizeof(Entry))
        memory.generation = 1
        memory.touched = 0
    if memory.touched < memory.used:
        memory.touched = memory.used

cdef inline bint make_key(const Memory *memory, const Layout *layout, const State *state, uint64_t live, Entry *key) noexcept nogil:
    """Fills in the key; False if the chain is too long."""
    cdef uint64_t near
    cdef int slot = state.top, length = 0
    key.left = live
    key.twists = state.twists
    key.chain = 1
    while layout.partner[slot] & live:
        if length == MOST_CHAIN:
            return False
        length += 1
        key.chain = (key.chain << 6) | <uint64_t> __builtin_ctzll(layout.partner[slot])
        slot = layout.below[slot]
        while layout.partner[slot] & state.spent:
            slot = layout.below[slot]
    key.rest = memory.generation << GENERATION_SHIFT
    if slot == TABLE:
        key.rest |= ON_TABLE
        return True
    near = layout.near[slot] & live
    key.rest |= <uint64_t> __builtin_ctzll(near) | (<uint64_t> (63 - __builtin_clzll(near)) << 6) if near else 1
    return True

cdef inline void make_opening_key(const Memory *memory, uint64_t live, Entry *key) noexcept nogil:
    """The key of a state with an empty line."""
    key.left = live
    key.twists = 0
    key.chain = 1
    key.rest = (memory.generation << GENERATION_SHIFT) | ON_TABLE

cdef inline uint64_t key_part(uint64_t rest) noexcept nogil:
    return rest & ((<uint64_t> 1 << KEY_BITS) - 1)

cdef inline uint64_t hash_of(const Entry *key) noexcept nogil:
    """A number for a key. It is the same in every generation, so a search takes the same nodes whatever was searched before."""
    cdef uint64_t hash = (key.left * <uint64_t> 0x9E3779B97F4A7C15) ^ (key.twists * <uint64_t> 0xC2B2AE3D27D4EB4F)
    hash ^= hash >> 32
    hash ^= (key.chain * <uint64_t> 0xD6E8FEB86659FD93) ^ (key_part(key.rest) * <uint64_t> 0xA0761D6478BD642F)
    hash ^= hash >> 29
    hash *= <uint64_t> 0xE7037ED1A0B428DB
    return hash ^ (hash >> 32)

cdef inline Entry *bucket_of(const Memory *memory, uint64_t hash) noexcept nogil:
    return &memory.entries[hash & (memory.used - 2)]

cdef inline bint is_new(const Memory *memory, const Entry *entry) noexcept nogil:
    """True if an entry is of the deal that is being solved."""
    return (entry.rest >> GENERATION_SHIFT) == memory.generation

cdef inline bint is_there(const Entry *entry, const Entry *key) noexcept nogil:
    cdef uint64_t both = entry.rest ^ key.rest
    return (
        entry.left == key.left and entry.twists == key.twists and entry.chain == key.chain
        and key_part(both) == 0 and (both >> GENERATION_SHIFT) == 0
    )

cdef inline const Entry *find(const Memory *memory, const Entry *key, uint64_t hash) noexcept nogil:
    """The entry of a key, or NULL."""
    cdef const Entry *bucket = bucket_of(memory, hash)
    if is_there(&bucket[0], key):
        return &bucket[0]
    return &bucket[1] if is_there(&bucket[1], key) else NULL

cdef inline int cost_of(const Entry *entry) noexcept nogil:
    return <int> (entry.rest >> COST_SHIFT) & 255

cdef inline int low_of(const Entry *entry) noexcept nogil:
    return (<int> (entry.rest >> LOW_SHIFT) & 255) - 128

cdef inline int high_of(const Entry *entry) noexcept nogil:
    return (<int> (entry.rest >> HIGH_SHIFT) & 255) - 128

cdef inline void put(Memory *memory, const Entry *entry, uint64_t hash) noexcept nogil:
    """Puts an entry of this generation into its bucket. Of the states there, the one with more live cards stays."""
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
        if __builtin_popcountll(entry.left) >= __builtin_popcountll(bucket[0].left):
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
        memory.entries[place].rest = memory.entries[place + 1].rest = 0
        if is_new(memory, &one):
            put(memory, &one, hash_of(&one))
        if is_new(memory, &other):
            put(memory, &other, hash_of(&other))
        place += 2

cdef inline void remember(
    Memory *memory, const Entry *key, uint64_t hash, int cost, int low, int high,
) noexcept nogil:
    cdef Entry entry = key[0]
    entry.rest |= <uint64_t> cost << COST_SHIFT
    entry.rest |= (<uint64_t> (low + 128) << LOW_SHIFT) | (<uint64_t> (high + 128) << HIGH_SHIFT)
    put(memory, &entry, hash)
    if 2 * memory.filled > memory.used and memory.used < memory.capacity:
        grow(memory)
