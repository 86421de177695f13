# Places and counts of the bits of a word, for all kernels, under the names that gcc and clang give them.
#
# tests/kernels/test_bits.py compares the versions for Microsoft's compiler, x86-64 only, with these. Whether the whole package compiles
# there is untried.

from libc.stdint cimport uint32_t, uint64_t

cdef extern from *:
    """
    #if defined(_MSC_VER) && !defined(__clang__)
    #if !defined(_M_X64)
    #error "with Microsoft's compiler, Backtrick is for x86-64 only"
    #endif
    #include <intrin.h>
    static __inline int __builtin_ctzll(unsigned __int64 word) {
        unsigned long place;
        _BitScanForward64(&place, word);
        return (int) place;
    }
    static __inline int __builtin_clzll(unsigned __int64 word) {
        unsigned long place;
        _BitScanReverse64(&place, word);
        return 63 - (int) place;
    }
    static __inline int __builtin_popcountll(unsigned __int64 word) { return (int) __popcnt64(word); }
    static __inline int __builtin_ctz(unsigned int word) {
        unsigned long place;
        _BitScanForward(&place, word);
        return (int) place;
    }
    static __inline int __builtin_popcount(unsigned int word) { return (int) __popcnt(word); }
    static __inline void __builtin_prefetch(const void *address) { _mm_prefetch((const char *) address, _MM_HINT_T0); }
    #endif
    """
    int __builtin_ctzll(uint64_t) noexcept nogil       # of a word that is not 0
    int __builtin_clzll(uint64_t) noexcept nogil       # of a word that is not 0
    int __builtin_popcountll(uint64_t) noexcept nogil
    int __builtin_ctz(uint32_t) noexcept nogil         # of a word that is not 0
    int __builtin_popcount(uint32_t) noexcept nogil
    void __builtin_prefetch(const void *address) noexcept nogil

cdef inline int nth_bit(uint64_t word, int which) noexcept nogil:
    """The place of the bit that has `which` bits of the word below it."""
    while which:
        word &= word - 1
        which -= 1
    return __builtin_ctzll(word)
