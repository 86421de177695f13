# A part of `_deal.pyx`, and of the kernel of development `_deal_claims.pyx`, which asks each claim alone.
# What both parts need is imported here, in the first one.

from libc.stdint cimport int16_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from backtrick._arguments cimport check_room
from backtrick._atomic cimport load_word, release_flag, store_word
from backtrick._bits cimport __builtin_clzll, __builtin_ctzll, __builtin_popcountll, __builtin_prefetch
from backtrick._pages cimport request_large_pages
from backtrick._searching cimport BUSY_WORDS, is_busy, mark_busy, unmark_busy
from backtrick.take_that._cards cimport card_cost, is_toad
from backtrick.take_that._layout cimport (
    LIVE,
    OPENS,
    PACKED,
    SLOTS,
    TABLE,
    Layout,
    Rules,
    State,
    lay,
    lay_out_deal,
    read_rules,
    replies,
    top_after,
    twist,
)
from backtrick.take_that._bounds cimport (
    A_LAY,
    MOST_TURNS,
    RANK_SHIFT,
    SLOT_MASK,
    WORST,
    Bounds,
    Claims,
    Limits,
    Question,
    beyond_the_gap,
    claim,
    decided_at_once,
    decided_by,
    learn,
    limited,
    list_lays,
    list_twists,
    shift,
    sort,
    without_twins,
)


# What the search of deals remembers about states: bounds on their value, in a hash table that starts small and grows.
#
# The key is the whole state except its cost, so no state is mistaken for another. Who will draw each card of the pile is known
# from the start, and each turn plays one card. So the live cards, those left in hands and pile, determine who holds what and who is
# to move.
#
#   left     the live cards
#   twists   those whose twisted card lies in the line
#   chain    the cards of the line from the right end down to the first that cannot be twisted, the partner's slot of each in six
#            bits, below a bit that is 1. At most ten: a state with a longer chain is not remembered
#   rest     bits  0..11   the live cards that may be laid on that first card: the slots of the least and the greatest; if there
#                          is none, 1 and 0
#            bit  12       set if there is no such card: the whole line can be twisted away, or it is empty
#            bits 13..20   what taking the line costs; not part of the key. If the bit is set, the chain implies it too
#            bits 21..28   a lower bound of the value, plus 128
#            bits 29..36   an upper bound of the value, plus 128
#            bits 37..63   stamp: the generation, so that entries of other deals are not looked at
#
# Under the professional rule (T11) a minus card changes who draws the next cards, so the live cards do not tell who holds what.
# There the whole state is in the key, its cost as well:
#
#   left     bits  0..31   the mover's hand
#            bits 32..63   the other hand. So at most 32 cards may be live
#   twists   bits  0..31   as above
#            bits 32..39   how many cards the pile has
#            bits 40..47   what taking the line costs
#            bit  48       set if the right-most card that can never be twisted is a toad
#
# Two entries share a bucket, as in `_solve.pxd`.
#
# Threads that search one deal together share a memory of a fixed size, without locks. Two threads may write one entry at the same
# time, or one may read it meanwhile. So the stamp there is a hash of the rest of the entry, and an entry with a wrong stamp counts
# as empty.


cdef enum:
    MOST_CHAIN = 10
    ON_TABLE = 1 << 12
    KEY_BITS = 13
    COST_SHIFT = 13
    LOW_SHIFT = 21
    HIGH_SHIFT = 29
    STAMP_SHIFT = 37
    GENERATIONS = 1 << 27
    LARGE = 1 << 17             # entries, 4 MiB: before, clearing a large page takes longer than it saves
    LINE = 64                   # bytes that the processor fetches at a time: a bucket


cdef struct Entry:
    uint64_t left
    uint64_t twists
    uint64_t chain
    uint64_t rest


cdef struct Memory:
    void *room                  # as allocated, and to be freed
    Entry *entries              # therein
    uint64_t *busy              # hashes of the states that some thread is searching; NULL if the memory is not shared
    uint64_t capacity           # entries that have memory, a power of two, at least two
    uint64_t used               # entries in use now, a power of two
    uint64_t filled             # of these, how many hold a state of this deal
    uint64_t touched            # entries that have been in use since all were cleared
    uint64_t generation


cdef inline bint make_room(Memory *memory) noexcept nogil:
    """Allocates the entries; False if the machine has no room. Each bucket begins where the processor begins to fetch."""
    memory.room = calloc((memory.capacity * sizeof(Entry)) + LINE, 1)
    memory.entries = <Entry *> ((<size_t> memory.room + LINE - 1) & ~(<size_t> (LINE - 1)))
    return memory.room != NULL


cdef inline int make_key(const Layout *layout, const State *state, uint64_t live, Entry *key) noexcept nogil:
    """Fills in the key. Returns the right-most card that can never be twisted, or the table; -1 if the chain is too long."""
    cdef uint64_t near
    cdef int slot = state.top, length = 0
    key.left = live
    key.twists = state.twists
    key.chain = 1
    while layout.partner[slot] & live:
        if length == MOST_CHAIN:
            return -1
        length += 1
        key.chain = (key.chain << 6) | <uint64_t> __builtin_ctzll(layout.partner[slot])
        slot = layout.below[slot]
        while layout.partner[slot] & state.spent:
            slot = layout.below[slot]
    key.rest = 0
    if slot == TABLE:
        key.rest |= ON_TABLE
        return slot
    near = layout.near[slot] & live
    key.rest |= <uint64_t> __builtin_ctzll(near) | (<uint64_t> (63 - __builtin_clzll(near)) << 6) if near else 1
    return slot


cdef inline void widen_key(const Layout *layout, const State *state, int pile, int fixed, Entry *key) noexcept nogil:
    """Makes the key of a state one of the professional rule. fixed: what `make_key` returned.

    How many cards the line has matters only where it has one, now or after twists. Then it costs 1, or 5 and is a toad. If every
    card of the line can be twisted, the bit says nothing and is always set.
    """
    key.left = state.mover | (state.other << 32)
    key.twists |= (<uint64_t> pile << 32) | (<uint64_t> state.cost << 40) | (<uint64_t> is_toad(layout.card[fixed]) << 48)


cdef inline void make_opening_key(uint64_t live, Entry *key) noexcept nogil:
    """The key of a state with an empty line."""
    key.left = live
    key.twists = 0
    key.chain = 1
    key.rest = ON_TABLE


cdef inline uint64_t key_part(uint64_t rest) noexcept nogil:
    return rest & ((<uint64_t> 1 << KEY_BITS) - 1)


cdef inline uint64_t mixed(const Entry *entry, uint64_t rest) noexcept nogil:
    cdef uint64_t hash = (entry.left * <uint64_t> 0x9E3779B97F4A7C15) ^ (entry.twists * <uint64_t> 0xC2B2AE3D27D4EB4F)
    hash ^= hash >> 32
    hash ^= (entry.chain * <uint64_t> 0xD6E8FEB86659FD93) ^ (rest * <uint64_t> 0xA0761D6478BD642F)
    hash ^= hash >> 29
    hash *= <uint64_t> 0xE7037ED1A0B428DB
    return hash ^ (hash >> 32)


cdef inline uint64_t hash_of(const Entry *key) noexcept nogil:
    """A number for a key. It is the same in every generation, so a search takes the same nodes whatever was searched before."""
    return mixed(key, key_part(key.rest))


cdef inline uint64_t stamp_of(const Memory *memory, const Entry *entry) noexcept nogil:
    """The stamp that an entry of the present deal must have, if it is whole."""
    if memory.busy == NULL:
        return memory.generation
    return mixed(entry, entry.rest & ((<uint64_t> 1 << STAMP_SHIFT) - 1)) >> STAMP_SHIFT


cdef inline Entry *bucket_of(const Memory *memory, uint64_t hash) noexcept nogil:
    return &memory.entries[hash & (memory.used - 2)]


cdef inline Entry read(const Entry *place) noexcept nogil:
    cdef Entry entry
    entry.left, entry.twists = load_word(&place.left), load_word(&place.twists)
    entry.chain, entry.rest = load_word(&place.chain), load_word(&place.rest)
    return entry


cdef inline void write(Entry *place, const Entry *entry) noexcept nogil:
    store_word(&place.left, entry.left)
    store_word(&place.twists, entry.twists)
    store_word(&place.chain, entry.chain)
    store_word(&place.rest, entry.rest)


cdef inline bint is_new(const Memory *memory, const Entry *entry) noexcept nogil:
    """True if an entry belongs to the present deal."""
    return (entry.rest >> STAMP_SHIFT) == stamp_of(memory, entry)


cdef inline bint is_there(const Memory *memory, const Entry *entry, const Entry *key) noexcept nogil:
    return (
        entry.left == key.left and entry.twists == key.twists and entry.chain == key.chain
        and key_part(entry.rest ^ key.rest) == 0 and is_new(memory, entry)
    )


cdef inline bint find(const Memory *memory, const Entry *key, uint64_t hash, Entry *found) noexcept nogil:
    """Reads the entry of a key. False if there is none."""
    cdef const Entry *bucket = bucket_of(memory, hash)
    found[0] = read(&bucket[0])
    if is_there(memory, found, key):
        return True
    found[0] = read(&bucket[1])
    return is_there(memory, found, key)


cdef inline int cost_of(const Entry *entry) noexcept nogil:
    return <int> (entry.rest >> COST_SHIFT) & 255


cdef inline int low_of(const Entry *entry) noexcept nogil:
    return (<int> (entry.rest >> LOW_SHIFT) & 255) - 128


cdef inline int high_of(const Entry *entry) noexcept nogil:
    return (<int> (entry.rest >> HIGH_SHIFT) & 255) - 128


cdef inline void put(Memory *memory, const Entry *entry, uint64_t hash) noexcept nogil:
    """Puts an entry with its stamp into its bucket. Of the states there, the one with more live cards stays."""
    cdef Entry *bucket = bucket_of(memory, hash)
    cdef Entry first = read(&bucket[0]), second = read(&bucket[1])
    if is_there(memory, &first, entry):
        write(&bucket[0], entry)
    elif is_there(memory, &second, entry):
        write(&bucket[1], entry)
    elif not is_new(memory, &first):
        write(&bucket[0], entry)
        memory.filled += 1
    else:
        if not is_new(memory, &second):
            memory.filled += 1
        if __builtin_popcountll(entry.left) >= __builtin_popcountll(first.left):
            write(&bucket[1], &first)
            write(&bucket[0], entry)
        else:
            write(&bucket[1], entry)


cdef inline void empty(Entry *entry) noexcept nogil:
    entry.rest = 0


include "_memory.pxi"


cdef inline void remember(
    Memory *memory, const Entry *key, uint64_t hash, int cost, int low, int high,
) noexcept nogil:
    cdef Entry entry = key[0]
    cdef uint64_t more
    entry.rest |= <uint64_t> cost << COST_SHIFT
    entry.rest |= (<uint64_t> (low + 128) << LOW_SHIFT) | (<uint64_t> (high + 128) << HIGH_SHIFT)
    entry.rest |= stamp_of(memory, &entry) << STAMP_SHIFT
    put(memory, &entry, hash)
    if 2 * memory.filled > memory.used and memory.used < memory.capacity:
        more = memory.used * GROWTH if memory.used * GROWTH < memory.capacity else memory.capacity
        if more >= LARGE:
            request_large_pages(memory.entries, more * sizeof(Entry))
        grow(memory)
