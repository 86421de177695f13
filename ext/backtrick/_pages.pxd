# Large pages for large tables: a look-up at random then seldom waits for the address to be translated. Linux gives them on request,
# two MiB each; elsewhere the request does nothing.

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif
    static void request_large_pages(void *start, uint64_t bytes) {
    #if defined(MADV_HUGEPAGE)
        const uintptr_t large = (uintptr_t) 2 << 20;
        uintptr_t from = ((uintptr_t) start + large - 1) & ~(large - 1), to = ((uintptr_t) start + bytes) & ~(large - 1);
        if (from < to)
            madvise((void *) from, to - from, MADV_HUGEPAGE);
    #else
        (void) start, (void) bytes;
    #endif
    }
    """
    void request_large_pages(void *start, uint64_t bytes) noexcept nogil   # of memory that is allocated; nothing else changes
