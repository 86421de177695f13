# Which positions some thread is searching, for threads that search together: their hashes, in buckets, without locks. 0 is an
# empty place. A wrong answer only costs time.

from libc.stdint cimport uint64_t

from backtrick._atomic cimport load_word, store_word

cdef enum:
    BUSY_BUCKETS = 1 << 12
    BUSY_BUCKET = 4
    BUSY_WORDS = BUSY_BUCKETS * BUSY_BUCKET

cdef inline uint64_t *busy_bucket(uint64_t *busy, uint64_t hash) noexcept nogil:
    return &busy[((hash >> 20) & (BUSY_BUCKETS - 1)) * BUSY_BUCKET]

cdef inline bint is_busy(uint64_t *busy, uint64_t hash) noexcept nogil:
    cdef const uint64_t *bucket = busy_bucket(busy, hash)
    cdef int i
    for i in range(BUSY_BUCKET):
        if load_word(&bucket[i]) == hash:
            return True
    return False

cdef inline void mark_busy(uint64_t *busy, uint64_t hash) noexcept nogil:
    cdef uint64_t *bucket = busy_bucket(busy, hash)
    cdef int i
    for i in range(BUSY_BUCKET):
        if not load_word(&bucket[i]):
            break
    store_word(&bucket[i], hash)               # the last place if none is empty

cdef inline void unmark_busy(uint64_t *busy, uint64_t hash) noexcept nogil:
    cdef uint64_t *bucket = busy_bucket(busy, hash)
    cdef int i
    for i in range(BUSY_BUCKET):
        if load_word(&bucket[i]) == hash:
            store_word(&bucket[i], 0)
