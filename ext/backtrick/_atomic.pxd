# Flags and pointers that one thread publishes and others read without the GIL: a thread that acquires one sees all that was
# written before it was released. gcc and clang use the machine's instructions. For Microsoft's compiler, x86-64 only, it is
# enough to stop the compiler from reordering, because there every load acquires and every store releases. That version is
# untried.
#
# Words are in no order: on ARM a thread may see the later of two stores without the earlier one. What is shared in words is right
# in any mixture of old and new ones:
# - an entry of a deal of Face to Face (`_deal_memory.pxi`): its second word is mixed with the other two, so a mixture is of cards
#   that nobody asks for, or it is the entry itself
# - a note: its first word goes from 0 to a hand once and stays. Until the second one is there, its tops, which are never 0, are no
#   side's. All who write the second word of a place write about one side
# - an entry of Take That: the stamp is a hash of all the rest. Value and stamp are in one word
# - what is busy: a wrong answer only costs time
# Nothing else is shared but under a lock, before threads begin, or after they have ended: each of these puts all stores in order.

from libc.stdint cimport uint8_t, uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_MSC_VER) && !defined(__clang__)
    #if !defined(_M_X64)
    #error "with Microsoft's compiler, Backtrick is for x86-64 only"
    #endif
    #include <intrin.h>
    static __inline unsigned char acquire_flag(const unsigned char *flag) {
        unsigned char found = *(const volatile unsigned char *) flag;
        _ReadWriteBarrier();
        return found;
    }
    static __inline void release_flag(unsigned char *flag, unsigned char value) {
        _ReadWriteBarrier();
        *(volatile unsigned char *) flag = value;
    }
    static __inline unsigned char exchange_flag(unsigned char *flag, unsigned char value) {
        return (unsigned char) _InterlockedExchange8((volatile char *) flag, (char) value);
    }
    static __inline const void *acquire_pointer(const void *place) {
        const void *found = *(const void *const volatile *) place;
        _ReadWriteBarrier();
        return found;
    }
    static __inline void release_pointer(void *place, const void *value) {
        _ReadWriteBarrier();
        *(const void *volatile *) place = value;
    }
    #define load_word(word) (*(const volatile unsigned long long *) (word))
    #define store_word(word, value) (*(volatile unsigned long long *) (word) = (value))
    static __inline int claim_word(unsigned long long *word, unsigned long long value) {
        return _InterlockedCompareExchange64((volatile __int64 *) word, (__int64) value, 0) == 0;
    }
    #else
    #define acquire_flag(flag) __atomic_load_n(flag, __ATOMIC_ACQUIRE)
    #define release_flag(flag, value) __atomic_store_n(flag, value, __ATOMIC_RELEASE)
    #define exchange_flag(flag, value) __atomic_exchange_n(flag, value, __ATOMIC_ACQ_REL)
    #define acquire_pointer(place) __atomic_load_n((const void *const *) (place), __ATOMIC_ACQUIRE)
    #define release_pointer(place, value) __atomic_store_n((const void **) (place), value, __ATOMIC_RELEASE)
    #define load_word(word) __atomic_load_n(word, __ATOMIC_RELAXED)
    #define store_word(word, value) __atomic_store_n(word, value, __ATOMIC_RELAXED)
    static inline int claim_word(uint64_t *word, uint64_t value) {
        uint64_t none = 0;
        return __atomic_compare_exchange_n(word, &none, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    #endif
    """
    uint8_t acquire_flag(const uint8_t *flag) noexcept nogil
    void release_flag(uint8_t *flag, uint8_t value) noexcept nogil
    uint8_t exchange_flag(uint8_t *flag, uint8_t value) noexcept nogil     # returns what was there
    const void *acquire_pointer(const void *place) noexcept nogil          # place: of a pointer
    void release_pointer(void *place, const void *value) noexcept nogil
    uint64_t load_word(const uint64_t *word) noexcept nogil                # whole, in no order with other words
    void store_word(uint64_t *word, uint64_t value) noexcept nogil
    bint claim_word(uint64_t *word, uint64_t value) noexcept nogil         # writes it if the word is 0; else False
