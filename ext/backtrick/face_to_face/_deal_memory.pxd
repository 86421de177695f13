# What a search of a deal remembers: of positions (`Table`), of one side alone (`Notes`), and last winning turns (`Reply`).
#
# A position's key is who moves and which cards each side has left. Positions of one key differ in tops and in cards drawn, and a
# result transfers from one to another by dominance (docs/deals.md). Table and notes start small and grow up to a common limit.
# After that, new entries replace the cheapest ones of their bucket. All start empty for every deal, so a search does not depend
# on those before it.
#
# Threads that search one deal together share a `Shared`: table and notes of a fixed size, without locks, and which positions are
# being searched. Two threads may write one entry at the same time, or one may read it meanwhile. So an entry carries a hash of
# its other words, and one whose hash is wrong counts as empty. A note stays the note of one side for ever, and whatever was
# written into it is true of that side: so it needs no hash. Where a bucket is full of notes, new ones are forgotten.

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from backtrick.face_to_face._deal_turns cimport LOSS, Deal, Side, no_worse_down, no_worse_up

cdef enum:
    BUCKET = 8                             # entries or notes
    REPLIES = 1 << 12
    MOST_EPOCH = (1 << 24) - 1
    PLANS = 1 << 13
    ENTRY_WORDS = 5
    NOTE_WORDS = 3

cdef struct Entry:                         # a position that is solved, x to move; 40 bytes
    Side x                                 # no cards left: the entry is empty
    Side y
    uint8_t outcome
    uint8_t effort                         # the logarithm of the nodes that it took
    uint8_t height                         # the turns of its longest line until the outcome was known without listing turns

cdef struct Table:
    Entry *entries
    uint64_t size                          # entries, a power of two
    uint64_t used

cdef struct Note:                          # what is known of a side alone (`_deal.pyx`); 24 bytes
    Side side                              # no cards left: the note is empty
    uint8_t through_in                     # the player can be through in so many turns if all goes well; 0: not known
    uint8_t not_through_in                 # the player cannot be through in so many turns, even if all goes well
    uint8_t goes_on                        # the player can make so many turns if all goes well
    uint8_t ends_before                    # the player cannot make so many turns, even if all goes well; 0: not known
    uint8_t surely_goes_on                 # the player can make so many turns whatever the other does
    uint8_t not_surely                     # there is no such plan; 0: not known
    uint8_t surely_fresh                   # the same for the player to move, who can lay the back tricks of the tops
    uint8_t not_fresh

cdef struct Notes:
    Note *notes
    uint64_t size
    uint64_t used

cdef struct Reply:
    Side x
    uint32_t turn
    uint32_t epoch                         # of the memory when it was written; another one: there is none

cdef struct Plan:                          # an answer of `surely_through`
    Side x
    Side y
    uint32_t question                      # k, turns passed, gifts; from bit 8 the epoch
    bint found

cdef struct Shared:
    uint64_t *entries                      # `ENTRY_WORDS` each, in buckets: the cards left of both; seats, draws and tops; the
                                           # result; a hash of these
    uint64_t *notes                        # `NOTE_WORDS` each, in buckets: the cards left; seat, draws and tops; what is known
    uint64_t *busy                         # hashes of the positions that some thread is searching
    uint64_t entry_count                   # powers of two
    uint64_t note_count
    uint8_t done                           # one thread has the answer

cdef struct Memory:
    Shared *shared                         # with the other threads on this deal: instead of table and notes. NULL: there are none
    Table table
    Notes notes
    Reply *replies
    Plan *plans
    uint32_t *last_turns                   # by cards left and drawn, whatever the tops
    uint32_t *last_lays                    # the first lay of the last plan of a side; another side's may lie in its place
    uint64_t most_bytes
    uint32_t epoch                         # 1, 2, ...: how often it was emptied. What has another epoch is forgotten

cdef int prepare_shared(Shared *shared, uint64_t most_bytes) noexcept nogil
cdef void release_shared(Shared *shared) noexcept nogil
cdef uint64_t position_hash(const Side *x, const Side *y) noexcept nogil
cdef int prepare(Memory *memory, uint64_t most_bytes) noexcept nogil
cdef int clear(Memory *memory) noexcept nogil
cdef void release(Memory *memory) noexcept nogil
cdef int recall(const Memory *memory, const Deal *deal, const Side *x, const Side *y, bint dominance, int *height) noexcept nogil
cdef void remember(Memory *memory, const Deal *deal, const Side *x, const Side *y, int outcome, uint64_t nodes, int height) noexcept nogil
cdef Note note_of(const Memory *memory, const Side *x) noexcept nogil
cdef void write_note(Memory *memory, const Note *note) noexcept nogil
cdef uint32_t *last_turn_place(const Memory *memory, const Side *x) noexcept nogil
cdef uint32_t *last_lay_place(const Memory *memory, const Side *x) noexcept nogil
cdef Plan *plan_place(const Memory *memory, const Side *x, const Side *y) noexcept nogil
cdef Reply *reply_place(const Memory *memory, const Side *x) noexcept nogil

cdef inline bint is_same(const Side *a, const Side *b) noexcept nogil:
    return a.left == b.left and a.up == b.up and a.down == b.down and a.drawn == b.drawn and a.seat == b.seat

cdef inline bint transfers(const Deal *deal, const Entry *known, const Side *x, const Side *y) noexcept nogil:
    """Does the result of an entry hold for x to move against y, who have the same cards left?"""
    cdef const Side *a = x
    cdef const Side *b = &known.x
    cdef const Side *c = &known.y
    cdef const Side *d = y
    if known.outcome == LOSS:                  # then x is no better off here than there, and y no worse
        a, b, c, d = b, a, d, c
    return (a.drawn >= b.drawn and c.drawn >= d.drawn
            and no_worse_up(a.up, b.up, a.left, deal.step) and no_worse_down(a.down, b.down, a.left, deal.step)
            and no_worse_up(c.up, d.up, c.left, deal.step) and no_worse_down(c.down, d.down, c.left, deal.step))
