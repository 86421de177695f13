"""What a search of a deal remembers (`_deal_memory.pxd`)."""

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from backtrick._atomic cimport claim_word, load_word, store_word
from backtrick._busy cimport BUSY_WORDS
from backtrick.face_to_face._deal_turns cimport UNKNOWN

cdef enum:
    LEAST_SIZE = 1 << 8
    TIMES = 4                              # a table that is half full grows to so many times its size


cdef inline uint64_t second_word(const Side *x) noexcept nogil:
    """Seat, cards drawn and tops."""
    return x.seat | (<uint64_t> x.drawn << 8) | (<uint64_t> x.up << 16) | (<uint64_t> x.down << 24)


cdef inline uint64_t mixed(uint64_t first, uint64_t second) noexcept nogil:
    cdef uint64_t hash = (first * <uint64_t> 0x9E3779B97F4A7C15) ^ (second * <uint64_t> 0xC2B2AE3D27D4EB4F)
    hash ^= hash >> 32
    hash *= <uint64_t> 0xD6E8FEB86659FD93
    return hash ^ (hash >> 32)


cdef inline uint64_t bucket_of(uint64_t hash, uint64_t size) noexcept nogil:
    return hash & (size - 1) & ~<uint64_t> (BUCKET - 1)


cdef inline uint64_t first_place(uint64_t hash) noexcept nogil:
    """The place in its bucket that is looked at first."""
    return (hash >> 40) & (BUCKET - 1)


cdef inline uint64_t key_hash(const Side *x, const Side *y) noexcept nogil:
    return mixed(x.left ^ x.seat, y.left)


cdef inline uint64_t side_hash(const Side *x) noexcept nogil:
    return mixed(x.left, second_word(x))


cdef int prepare(Memory *memory, uint64_t most_bytes) noexcept nogil:
    """An empty memory. Returns 0, or -1 if the machine has no room for it."""
    memset(memory, 0, sizeof(Memory))
    memory.most_bytes, memory.epoch = most_bytes, 1
    memory.table.size = memory.notes.size = LEAST_SIZE
    memory.table.entries = <Entry *> calloc(LEAST_SIZE, sizeof(Entry))
    memory.notes.notes = <Note *> calloc(LEAST_SIZE, sizeof(Note))
    memory.replies = <Reply *> calloc(REPLIES, sizeof(Reply))
    memory.last_turns = <uint32_t *> calloc(REPLIES, sizeof(uint32_t))
    memory.last_lays = <uint32_t *> calloc(REPLIES, sizeof(uint32_t))
    memory.plans = <Plan *> calloc(PLANS, sizeof(Plan))
    if (memory.plans == NULL or memory.last_turns == NULL or memory.last_lays == NULL or memory.table.entries == NULL
            or memory.notes.notes == NULL or memory.replies == NULL):
        release(memory)
        return -1
    return 0


cdef int clear(Memory *memory) noexcept nogil:
    """Empties a memory and gives back what it grew by. Returns 0, or -1 if the machine has no room for it."""
    cdef uint64_t most_bytes = memory.most_bytes
    cdef Shared *shared = memory.shared
    cdef int failed
    if memory.table.size != LEAST_SIZE or memory.notes.size != LEAST_SIZE or memory.epoch == MOST_EPOCH:
        release(memory)
        failed = prepare(memory, most_bytes)
        memory.most_bytes, memory.shared = most_bytes, shared
        return failed
    memset(memory.table.entries, 0, LEAST_SIZE * sizeof(Entry))
    memset(memory.notes.notes, 0, LEAST_SIZE * sizeof(Note))
    memset(memory.last_turns, 0, REPLIES * sizeof(uint32_t))
    memset(memory.last_lays, 0, REPLIES * sizeof(uint32_t))
    memory.epoch += 1
    memory.table.used = memory.notes.used = 0
    return 0


cdef void release(Memory *memory) noexcept nogil:
    free(memory.table.entries)
    free(memory.notes.notes)
    free(memory.replies)
    free(memory.plans)
    free(memory.last_turns)
    free(memory.last_lays)
    memset(memory, 0, sizeof(Memory))


cdef bint has_room(const Memory *memory, uint64_t bytes) noexcept nogil:
    """Both copies of what grows count: the old one is read while the new one is filled."""
    return (memory.table.size * sizeof(Entry) + memory.notes.size * sizeof(Note) + REPLIES * sizeof(Reply) + bytes
            <= memory.most_bytes)


cdef Entry entry_of(const Side *x, const Side *y, int outcome, uint64_t nodes, int height) noexcept nogil:
    cdef Entry new
    new.x, new.y, new.outcome, new.effort, new.height = x[0], y[0], outcome, 0, height
    while nodes > 1:
        nodes >>= 1
        new.effort += 1
    return new


cdef int prepare_shared(Shared *shared, uint64_t most_bytes) noexcept nogil:
    """Empty, with as many entries and notes as the bytes have room for. Returns 0, or -1 if the machine has no room for them."""
    memset(shared, 0, sizeof(Shared))
    shared.entry_count = shared.note_count = LEAST_SIZE
    while shared.entry_count <= most_bytes // (2 * (ENTRY_WORDS + NOTE_WORDS) * sizeof(uint64_t)):
        shared.entry_count *= 2
        shared.note_count *= 2
    shared.entries = <uint64_t *> calloc(shared.entry_count * ENTRY_WORDS, sizeof(uint64_t))
    shared.notes = <uint64_t *> calloc(shared.note_count * NOTE_WORDS, sizeof(uint64_t))
    shared.busy = <uint64_t *> calloc(BUSY_WORDS, sizeof(uint64_t))
    if shared.entries == NULL or shared.notes == NULL or shared.busy == NULL:
        release_shared(shared)
        return -1
    return 0


cdef void release_shared(Shared *shared) noexcept nogil:
    free(shared.entries)
    free(shared.notes)
    free(shared.busy)
    memset(shared, 0, sizeof(Shared))


cdef inline uint64_t *entry_bucket(const Shared *shared, const Side *x, const Side *y) noexcept nogil:
    return &shared.entries[bucket_of(key_hash(x, y), shared.entry_count) * ENTRY_WORDS]


cdef inline uint64_t hash_of_words(const uint64_t *words) noexcept nogil:
    return mixed(mixed(words[0], words[1]), mixed(words[2], words[3]))


cdef inline void read_side(Side *side, uint64_t left, uint64_t second) noexcept nogil:
    side.left, side.seat, side.drawn, side.up, side.down = left, second & 255, (second >> 8) & 255, (second >> 16) & 255, second >> 24


cdef bint read_entry(const uint64_t *place, const Side *x, const Side *y, Entry *entry) noexcept nogil:
    """Reads an entry. False if it is empty, is half written, or of other cards left than x and y have."""
    cdef uint64_t[ENTRY_WORDS] words
    cdef int i
    words[0], words[1] = load_word(place), load_word(&place[1])
    if words[0] != x.left or words[1] != y.left:
        return False
    for i in range(2, ENTRY_WORDS):
        words[i] = load_word(&place[i])
    if words[4] != hash_of_words(words):
        return False
    read_side(&entry.x, words[0], <uint32_t> words[2])
    read_side(&entry.y, words[1], words[2] >> 32)
    entry.outcome, entry.effort, entry.height = words[3] & 255, (words[3] >> 8) & 255, (words[3] >> 16) & 255
    return entry.x.seat == x.seat


cdef int recall_shared(const Shared *shared, const Deal *deal, const Side *x, const Side *y, bint dominance, int *height) noexcept nogil:
    """As `recall`."""
    cdef const uint64_t *bucket = entry_bucket(shared, x, y)
    cdef Entry entry
    cdef int i
    for i in range(BUCKET):
        if read_entry(&bucket[i * ENTRY_WORDS], x, y, &entry):
            if (is_same(&entry.x, x) and is_same(&entry.y, y)) or (dominance and transfers(deal, &entry, x, y)):
                height[0] = entry.height
                return entry.outcome
    return UNKNOWN


cdef void remember_shared(Shared *shared, const Deal *deal, const Entry *new) noexcept nogil:
    """In the place that `entry_place` would take."""
    cdef Entry entry
    cdef uint64_t *bucket = entry_bucket(shared, &new.x, &new.y)
    cdef uint64_t *best = bucket
    cdef uint64_t *place
    cdef uint64_t[ENTRY_WORDS] words
    cdef uint64_t effort, least = 256
    cdef int i
    for i in range(BUCKET):
        place = &bucket[i * ENTRY_WORDS]
        if not load_word(place):
            best = place
            break
        if (read_entry(place, &new.x, &new.y, &entry) and entry.outcome == new.outcome
                and transfers(deal, new, &entry.x, &entry.y)):
            best = place
            break
        effort = (load_word(&place[3]) >> 8) & 255
        if effort < least:
            best, least = place, effort
    words[0], words[1], words[2] = new.x.left, new.y.left, second_word(&new.x) | (second_word(&new.y) << 32)
    words[3] = new.outcome | (<uint64_t> new.effort << 8) | (<uint64_t> new.height << 16)
    words[4] = hash_of_words(words)
    for i in range(ENTRY_WORDS):
        store_word(&best[i], words[i])


cdef uint64_t position_hash(const Side *x, const Side *y) noexcept nogil:
    return mixed(side_hash(x), side_hash(y)) | 1   # never 0, as in `_busy.pxd`


cdef inline uint64_t *note_bucket(const Shared *shared, uint64_t hash) noexcept nogil:
    return &shared.notes[bucket_of(hash, shared.note_count) * NOTE_WORDS]


cdef inline bint is_note_of(const uint64_t *place, const Side *x) noexcept nogil:
    return load_word(place) == x.left and load_word(&place[1]) == second_word(x)


cdef Note shared_note_of(const Shared *shared, const Side *x) noexcept nogil:
    """As `note_of`."""
    cdef uint64_t hash = side_hash(x), known = 0
    cdef const uint64_t *bucket = note_bucket(shared, hash)
    cdef const uint64_t *place
    cdef Note note
    cdef int i
    for i in range(BUCKET):
        place = &bucket[((i + first_place(hash)) & (BUCKET - 1)) * NOTE_WORDS]
        if is_note_of(place, x):
            known = load_word(&place[2])
            break
        if not load_word(place):
            break
    note.side = x[0]
    memcpy(&note.through_in, &known, sizeof(uint64_t))
    return note


cdef void write_shared_note(Shared *shared, const Note *note) noexcept nogil:
    cdef uint64_t hash = side_hash(&note.side), known = 0
    cdef uint64_t *bucket = note_bucket(shared, hash)
    cdef uint64_t *place
    cdef int i
    memcpy(&known, &note.through_in, sizeof(uint64_t))
    for i in range(BUCKET):
        place = &bucket[((i + first_place(hash)) & (BUCKET - 1)) * NOTE_WORDS]
        if is_note_of(place, &note.side):
            break
        if claim_word(place, note.side.left):
            store_word(&place[1], second_word(&note.side))
            break
    else:
        return
    store_word(&place[2], known)


cdef int recall(const Memory *memory, const Deal *deal, const Side *x, const Side *y, bint dominance, int *height) noexcept nogil:
    """The outcome for x, to move, if it is remembered or follows from what is, and its height; else UNKNOWN."""
    cdef const Entry *entry
    cdef int i
    if memory.shared != NULL:
        return recall_shared(memory.shared, deal, x, y, dominance, height)
    entry = &memory.table.entries[bucket_of(key_hash(x, y), memory.table.size)]
    for i in range(BUCKET):
        if entry.x.left == x.left and entry.y.left == y.left and entry.x.seat == x.seat:
            if (is_same(&entry.x, x) and is_same(&entry.y, y)) or (dominance and transfers(deal, entry, x, y)):
                height[0] = entry.height
                return entry.outcome
        entry += 1
    return UNKNOWN


cdef Entry *entry_place(const Memory *memory, const Deal *deal, const Entry *new) noexcept nogil:
    """The place of a new entry: that of one which follows from it, else an empty one, else that of the cheapest."""
    cdef Entry *entry = &memory.table.entries[bucket_of(key_hash(&new.x, &new.y), memory.table.size)]
    cdef Entry *best = entry
    cdef int i
    for i in range(BUCKET):
        if not entry.x.left:
            return entry
        if (entry.x.left == new.x.left and entry.y.left == new.y.left and entry.x.seat == new.x.seat
                and entry.outcome == new.outcome and transfers(deal, new, &entry.x, &entry.y)):
            return entry
        if entry.effort < best.effort:
            best = entry
        entry += 1
    return best


cdef void insert(Memory *memory, const Deal *deal, const Entry *new) noexcept nogil:
    cdef Entry *place = entry_place(memory, deal, new)
    if not place.x.left:
        memory.table.used += 1
    place[0] = new[0]


cdef void grow_table(Memory *memory, const Deal *deal) noexcept nogil:
    cdef Entry *old = memory.table.entries
    cdef Entry *new
    cdef uint64_t size = memory.table.size, i
    if not has_room(memory, TIMES * size * sizeof(Entry)):
        return
    new = <Entry *> calloc(TIMES * size, sizeof(Entry))
    if new == NULL:
        return
    memory.table.entries, memory.table.size, memory.table.used = new, TIMES * size, 0
    for i in range(size):
        if old[i].x.left:
            insert(memory, deal, &old[i])
    free(old)


cdef void remember(Memory *memory, const Deal *deal, const Side *x, const Side *y, int outcome, uint64_t nodes, int height) noexcept nogil:
    cdef Entry new = entry_of(x, y, outcome, nodes, height)
    if memory.shared != NULL:
        remember_shared(memory.shared, deal, &new)
        return
    if 2 * memory.table.used > memory.table.size:
        grow_table(memory, deal)
    insert(memory, deal, &new)


cdef Note note_of(const Memory *memory, const Side *x) noexcept nogil:
    """What is known of x; an empty note of x if there is none."""
    cdef uint64_t hash = side_hash(x)
    cdef const Note *bucket = &memory.notes.notes[bucket_of(hash, memory.notes.size)]
    cdef const Note *note
    cdef Note none
    cdef int i
    if memory.shared != NULL:
        return shared_note_of(memory.shared, x)
    for i in range(BUCKET):
        note = &bucket[(i + first_place(hash)) & (BUCKET - 1)]
        if is_same(&note.side, x):
            return note[0]
        if not note.side.left:
            break
    memset(&none, 0, sizeof(Note))
    none.side = x[0]
    return none


cdef void insert_note(Memory *memory, const Note *new) noexcept nogil:
    cdef uint64_t hash = side_hash(&new.side)
    cdef Note *bucket = &memory.notes.notes[bucket_of(hash, memory.notes.size)]
    cdef Note *note
    cdef int i
    for i in range(BUCKET):
        note = &bucket[(i + first_place(hash)) & (BUCKET - 1)]
        if not note.side.left:
            memory.notes.used += 1
            note[0] = new[0]
            return
        if is_same(&note.side, &new.side):
            note[0] = new[0]
            return
    bucket[first_place(hash)] = new[0]


cdef void grow_notes(Memory *memory) noexcept nogil:
    cdef Note *old = memory.notes.notes
    cdef Note *new
    cdef uint64_t size = memory.notes.size, i
    if not has_room(memory, TIMES * size * sizeof(Note)):
        return
    new = <Note *> calloc(TIMES * size, sizeof(Note))
    if new == NULL:
        return
    memory.notes.notes, memory.notes.size, memory.notes.used = new, TIMES * size, 0
    for i in range(size):
        if old[i].side.left:
            insert_note(memory, &old[i])
    free(old)


cdef void write_note(Memory *memory, const Note *note) noexcept nogil:
    if memory.shared != NULL:
        write_shared_note(memory.shared, note)
        return
    if 2 * memory.notes.used > memory.notes.size:
        grow_notes(memory)
    insert_note(memory, note)


cdef Reply *reply_place(const Memory *memory, const Side *x) noexcept nogil:
    return &memory.replies[side_hash(x) & (REPLIES - 1)]


cdef uint32_t *last_turn_place(const Memory *memory, const Side *x) noexcept nogil:
    return &memory.last_turns[mixed(x.left, x.seat | (<uint64_t> x.drawn << 8)) & (REPLIES - 1)]


cdef uint32_t *last_lay_place(const Memory *memory, const Side *x) noexcept nogil:
    return &memory.last_lays[side_hash(x) & (REPLIES - 1)]


cdef Plan *plan_place(const Memory *memory, const Side *x, const Side *y) noexcept nogil:
    return &memory.plans[mixed(side_hash(x), side_hash(y)) & (PLANS - 1)]
