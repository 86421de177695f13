# A part of `_solve.pyx`, and of the kernel of development `_claims.pyx`, which asks it alone: the memory of states.


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
    """True if an entry belongs to the present position."""
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


cdef inline void empty(Entry *entry) noexcept nogil:
    entry.first = 0


include "_memory.pxi"


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
