# A part of `_solve_memory.pxi` and of `_deal_memory.pxi`: how a memory of states starts and grows. Each has entries of its own, and
# says which are new (`is_new`), where they belong (`hash_of`, `put`), and how one is emptied (`empty`).


cdef enum:
    GROWTH = 4


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


cdef inline void grow(Memory *memory) noexcept nogil:
    """Uses GROWTH times as many entries, if there is room, and moves the old ones to their new places."""
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
        empty(&memory.entries[place])
        empty(&memory.entries[place + 1])
        if is_new(memory, &one):
            put(memory, &one, hash_of(&one))
        if is_new(memory, &other):
            put(memory, &other, hash_of(&other))
        place += 2
