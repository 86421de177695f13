# A part of `_deal.pyx`, and of the kernel of development `_deal_claims.pyx`, which asks each claim alone.
#
# What a search remembers.


cdef enum:
    LEAST_SIZE = 1 << 8
    TIMES = 4                              # what is half full grows to TIMES its size
    LINE = 64                              # bytes that the processor fetches at a time: half a bucket of notes


cdef inline uint32_t second_word(const Side *x) noexcept nogil:
    """Seat, cards drawn and tops."""
    return x.seat | (<uint32_t> x.drawn << 8) | (<uint32_t> x.up << 16) | (<uint32_t> x.down << 24)


cdef inline uint64_t mixed(uint64_t first, uint64_t second) noexcept nogil:
    cdef uint64_t hash = (first * <uint64_t> 0x9E3779B97F4A7C15) ^ (second * <uint64_t> 0xC2B2AE3D27D4EB4F)
    hash ^= hash >> 32
    hash *= <uint64_t> 0xD6E8FEB86659FD93
    return hash ^ (hash >> 32)


cdef inline uint64_t side_hash(const Side *x) noexcept nogil:
    return mixed(x.left, second_word(x))


cdef uint64_t position_hash(const Side *x, const Side *y) noexcept nogil:
    return mixed(side_hash(x), side_hash(y)) | 1   # never 0, as in `_searching.pxd`


cdef inline uint64_t *bucket_of(const Buckets *buckets, uint64_t hash, int words) noexcept nogil:
    return &buckets.words[(hash & (buckets.count - 1) & ~<uint64_t> (BUCKET - 1)) * words]


cdef int allocate(Buckets *buckets, uint64_t count, int words) noexcept nogil:
    """Empty entries or notes of so many words. Returns 0, or -1 if the machine has no room."""
    buckets.room = calloc(count * words * sizeof(uint64_t) + LINE, 1)
    buckets.words = <uint64_t *> ((<uintptr_t> buckets.room + LINE - 1) & ~<uintptr_t> (LINE - 1))
    buckets.count, buckets.used = count, 0
    if buckets.room == NULL:
        buckets.count = 0
        return -1
    return 0


cdef int empty(Buckets *buckets, int words) noexcept nogil:
    """Empties them and frees what they grew by. Returns 0, or -1 if the machine has no room."""
    if buckets.count != LEAST_SIZE:
        free(buckets.room)
        return allocate(buckets, LEAST_SIZE, words)
    memset(buckets.words, 0, LEAST_SIZE * words * sizeof(uint64_t))
    buckets.used = 0
    return 0


cdef int prepare(Memory *memory, uint64_t most_bytes) noexcept nogil:
    """Allocates an empty memory. Returns 0, or -1 if the machine has no room for it."""
    memset(memory, 0, sizeof(Memory))
    memory.most_bytes, memory.epoch = most_bytes, 1
    memory.replies = <Reply *> calloc(REPLIES, sizeof(Reply))
    memory.last_turns = <uint32_t *> calloc(REPLIES, sizeof(uint32_t))
    memory.last_lays = <uint32_t *> calloc(REPLIES, sizeof(uint32_t))
    memory.plans = <Plan *> calloc(PLANS, sizeof(Plan))
    if (allocate(&memory.entries, LEAST_SIZE, ENTRY_WORDS) or allocate(&memory.notes, LEAST_SIZE, NOTE_WORDS)
            or memory.plans == NULL or memory.last_turns == NULL or memory.last_lays == NULL or memory.replies == NULL):
        release(memory)
        return -1
    return 0


cdef int clear(Memory *memory) noexcept nogil:
    """Empties a memory, but not what it shares. Returns 0, or -1 if the machine has no room for it."""
    if memory.shared == NULL and (empty(&memory.entries, ENTRY_WORDS) or empty(&memory.notes, NOTE_WORDS)):
        return -1
    memset(memory.last_turns, 0, REPLIES * sizeof(uint32_t))
    memset(memory.last_lays, 0, REPLIES * sizeof(uint32_t))
    if memory.epoch == MOST_EPOCH:
        memset(memory.replies, 0, REPLIES * sizeof(Reply))
        memset(memory.plans, 0, PLANS * sizeof(Plan))
        memory.epoch = 0
    memory.epoch += 1
    memory.next_plan = 0
    return 0


cdef void release(Memory *memory) noexcept nogil:
    if memory.shared == NULL:
        free(memory.entries.room)
        free(memory.notes.room)
    free(memory.replies)
    free(memory.plans)
    free(memory.last_turns)
    free(memory.last_lays)
    memset(memory, 0, sizeof(Memory))


cdef int prepare_shared(Shared *shared, uint64_t most_bytes) noexcept nogil:
    """Allocates as many empty entries and notes as fit the bytes. Returns 0, or -1 if the machine has no room."""
    cdef uint64_t count = LEAST_SIZE
    memset(shared, 0, sizeof(Shared))
    while count <= most_bytes // (2 * (ENTRY_WORDS + NOTE_WORDS) * sizeof(uint64_t)):
        count *= 2
    shared.busy = <uint64_t *> calloc(BUSY_WORDS, sizeof(uint64_t))
    if allocate(&shared.entries, count, ENTRY_WORDS) or allocate(&shared.notes, count, NOTE_WORDS) or shared.busy == NULL:
        release_shared(shared)
        return -1
    request_large_pages(shared.entries.words, count * ENTRY_WORDS * sizeof(uint64_t))
    request_large_pages(shared.notes.words, count * NOTE_WORDS * sizeof(uint64_t))
    return 0


cdef void release_shared(Shared *shared) noexcept nogil:
    free(shared.entries.room)
    free(shared.notes.room)
    free(shared.busy)
    memset(shared, 0, sizeof(Shared))


cdef void share(Memory *memory, Shared *shared) noexcept nogil:
    """Uses these entries and notes instead of own ones."""
    free(memory.entries.room)
    free(memory.notes.room)
    memory.shared, memory.entries, memory.notes = shared, shared.entries, shared.notes


cdef bint has_room(const Memory *memory, uint64_t bytes) noexcept nogil:
    """Is there room to grow by these bytes? The old copy counts too, because it is read while the new one is filled."""
    return ((memory.entries.count * ENTRY_WORDS + memory.notes.count * NOTE_WORDS) * sizeof(uint64_t)
            + REPLIES * sizeof(Reply) + bytes <= memory.most_bytes)


cdef bint grow(Memory *memory, Buckets *buckets, int words) noexcept nogil:
    """Puts empty entries or notes, TIMES as many, in the place of those that are half full; the caller then moves these. False if
    they are not half full or may not grow."""
    cdef Buckets old = buckets[0]
    if memory.shared != NULL or 2 * old.used <= old.count or not has_room(memory, TIMES * old.count * words * sizeof(uint64_t)):
        return False
    if allocate(buckets, TIMES * old.count, words):
        buckets[0] = old
        return False
    return True


cdef inline uint64_t key_hash(const Side *x, const Side *y) noexcept nogil:
    return mixed(x.left ^ x.seat, y.left)


cdef inline uint64_t *entry_bucket(const Memory *memory, const Side *x, const Side *y) noexcept nogil:
    return bucket_of(&memory.entries, key_hash(x, y), ENTRY_WORDS)


cdef inline void unpack_side(Side *side, uint64_t left, int seat, uint32_t second) noexcept nogil:
    side.left, side.seat, side.drawn, side.up, side.down = left, seat, (second >> 8) & 255, (second >> 16) & 255, second >> 24


cdef inline Entry read_entry(const uint64_t *place) noexcept nogil:
    cdef Entry entry
    cdef uint64_t left = load_word(place), word = load_word(&place[2])
    unpack_side(&entry.x, left, word & 1, <uint32_t> word)
    unpack_side(&entry.y, load_word(&place[1]) ^ mixed(left, word), 1 - (word & 1), word >> 32)
    entry.outcome, entry.effort, entry.height = (word >> 1) & 3, (word >> 3) & 31, (word >> 32) & 255
    return entry


cdef inline bint is_entry_of(const uint64_t *place, const Side *x, const Side *y, Entry *entry) noexcept nogil:
    """Reads an entry if it is of x, to move, and y, whatever their tops and what they drew."""
    if load_word(place) != x.left:
        return False
    entry[0] = read_entry(place)
    return has_cards_of(entry, x, y)


cdef int recall(const Memory *memory, const Deal *deal, const Side *x, const Side *y, bint dominance, int *height) noexcept nogil:
    """The outcome for x, to move, if it is remembered or follows from a remembered one, with its height; else UNKNOWN."""
    cdef const uint64_t *bucket = entry_bucket(memory, x, y)
    cdef Entry entry
    cdef int i
    for i in range(BUCKET):
        if is_entry_of(&bucket[i * ENTRY_WORDS], x, y, &entry):
            if (is_same(&entry.x, x) and is_same(&entry.y, y)) or (dominance and transfers(deal, &entry, x, y)):
                height[0] = entry.height
                return entry.outcome
    return UNKNOWN


cdef void insert(Memory *memory, const Deal *deal, const Entry *new) noexcept nogil:
    """Writes an entry over one that follows from it, else to an empty place, else over the cheapest one."""
    cdef Entry entry
    cdef uint64_t *bucket = entry_bucket(memory, &new.x, &new.y)
    cdef uint64_t *best = bucket
    cdef uint64_t *place
    cdef uint64_t word, effort, least = 32
    cdef int i
    for i in range(BUCKET):
        place = &bucket[i * ENTRY_WORDS]
        if not load_word(place):
            memory.entries.used += 1
            best = place
            break
        if is_entry_of(place, &new.x, &new.y, &entry) and entry.outcome == new.outcome and transfers(deal, new, &entry.x, &entry.y):
            best = place
            break
        effort = (load_word(&place[2]) >> 3) & 31
        if effort < least:
            best, least = place, effort
    word = (second_word(&new.x) | (new.outcome << 1) | (new.effort << 3)
            | (<uint64_t> ((second_word(&new.y) & ~<uint32_t> 255) | new.height) << 32))
    store_word(&best[0], new.x.left)
    store_word(&best[1], new.y.left ^ mixed(new.x.left, word))
    store_word(&best[2], word)


cdef void remember(
    Memory *memory, const Deal *deal, const Side *x, const Side *y, int outcome, uint64_t nodes, int height,
) noexcept nogil:
    cdef Buckets old = memory.entries
    cdef Entry entry
    cdef uint64_t i
    if grow(memory, &memory.entries, ENTRY_WORDS):
        for i in range(old.count):
            if old.words[i * ENTRY_WORDS]:
                entry = read_entry(&old.words[i * ENTRY_WORDS])
                insert(memory, deal, &entry)
        free(old.room)
    entry.x, entry.y, entry.outcome, entry.effort, entry.height = x[0], y[0], outcome, 0, height
    while nodes > 1 and entry.effort < 31:
        nodes >>= 1
        entry.effort += 1
    insert(memory, deal, &entry)


cdef inline int first_place(uint64_t hash) noexcept nogil:
    """The place in its bucket at which the look for a note begins. It goes on within the same LINE."""
    return (hash >> 40) & (BUCKET - 1)


cdef inline bint is_note_of(const uint64_t *place, const Side *x) noexcept nogil:
    return load_word(place) == x.left and <uint32_t> load_word(&place[1]) == second_word(x)


cdef Note note_of(const Memory *memory, const Side *x) noexcept nogil:
    """The note about x; a new, empty one if there is none."""
    cdef uint64_t hash = side_hash(x), known = 0
    cdef const uint64_t *bucket = bucket_of(&memory.notes, hash, NOTE_WORDS)
    cdef const uint64_t *place
    cdef Note note
    cdef int i
    for i in range(BUCKET):
        place = &bucket[(i ^ first_place(hash)) * NOTE_WORDS]
        if is_note_of(place, x):
            known = load_word(&place[1]) >> 32
            break
        if not load_word(place):
            break
    note.side = x[0]
    known = (known | (known << 16)) & <uint64_t> 0x0000FFFF0000FFFF
    known = (known | (known << 8)) & <uint64_t> 0x00FF00FF00FF00FF
    known = (known | (known << 4)) & <uint64_t> 0x0F0F0F0F0F0F0F0F
    memcpy(&note.through_in, &known, sizeof(uint64_t))
    return note


cdef void insert_note(Memory *memory, const Side *x, uint64_t known) noexcept nogil:
    """Writes what is known of x. If its bucket is full, an older note is forgotten, or the new one where threads share them: others
    could read a note half written."""
    cdef uint64_t hash = side_hash(x)
    cdef uint64_t *bucket = bucket_of(&memory.notes, hash, NOTE_WORDS)
    cdef uint64_t *place
    cdef int i
    for i in range(BUCKET):
        place = &bucket[(i ^ first_place(hash)) * NOTE_WORDS]
        if is_note_of(place, x):
            break
        if not load_word(place) and claim_word(place, x.left):
            memory.notes.used += 1
            break
    else:
        if memory.shared != NULL:
            return
        place = &bucket[first_place(hash) * NOTE_WORDS]
        store_word(place, x.left)
    store_word(&place[1], second_word(x) | (known << 32))


cdef void write_note(Memory *memory, const Note *note) noexcept nogil:
    cdef Buckets old = memory.notes
    cdef Side side
    cdef uint64_t known, i
    if grow(memory, &memory.notes, NOTE_WORDS):
        for i in range(old.count):
            if old.words[i * NOTE_WORDS]:
                known = old.words[i * NOTE_WORDS + 1]
                unpack_side(&side, old.words[i * NOTE_WORDS], known & 1, <uint32_t> known)
                insert_note(memory, &side, known >> 32)
        free(old.room)
    memcpy(&known, &note.through_in, sizeof(uint64_t))
    known = (known | (known >> 4)) & <uint64_t> 0x00FF00FF00FF00FF
    known = (known | (known >> 8)) & <uint64_t> 0x0000FFFF0000FFFF
    known = (known | (known >> 16)) & <uint64_t> 0x00000000FFFFFFFF
    insert_note(memory, &note.side, known)


cdef Reply *reply_place(const Memory *memory, const Side *x) noexcept nogil:
    return &memory.replies[side_hash(x) & (REPLIES - 1)]


cdef uint32_t *last_turn_place(const Memory *memory, const Side *x) noexcept nogil:
    return &memory.last_turns[mixed(x.left, x.seat | (<uint64_t> x.drawn << 8)) & (REPLIES - 1)]


cdef uint32_t *last_lay_place(const Memory *memory, const Side *x) noexcept nogil:
    return &memory.last_lays[side_hash(x) & (REPLIES - 1)]


cdef inline Plan *plan_bucket(const Memory *memory, const Side *x, const Side *y) noexcept nogil:
    return &memory.plans[key_hash(x, y) & (PLANS - 1) & ~<uint64_t> (PLAN_BUCKET - 1)]


cdef int recall_plan(const Deal *deal, const Plan *bucket, const Side *x, const Side *y, int k, uint32_t question) noexcept nogil:
    """The answer to a question of `surely_through`, if it is remembered or follows from a remembered one; else UNKNOWN.

    A plan of x for fewer turns is one for k turns; and it is one if x is no worse off and y no better (`transfers`), if as many
    turns of y have passed and as many gifts are allowed.
    """
    cdef const Entry *answer
    cdef int i
    for i in range(PLAN_BUCKET):
        answer = &bucket[i].answer
        if (bucket[i].question == question and (k >= bucket[i].k if answer.outcome == WIN else k <= bucket[i].k)
                and has_cards_of(answer, x, y) and transfers(deal, answer, x, y)):
            return answer.outcome
    return UNKNOWN
