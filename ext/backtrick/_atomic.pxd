# Flags and pointers that one thread publishes and others read without the GIL: a thread that acquires one sees all that was
# written before it was released. gcc and clang use the machine's instructions. For Microsoft's compiler, x86-64 only, it is
# enough to stop the compiler from reordering, because there every load acquires and every store releases. That version is
# untried.

from libc.stdint cimport uint8_t

cdef extern from *:
    """
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
    #else
    #define acquire_flag(flag) __atomic_load_n(flag, __ATOMIC_ACQUIRE)
    #define release_flag(flag, value) __atomic_store_n(flag, value, __ATOMIC_RELEASE)
    #define exchange_flag(flag, value) __atomic_exchange_n(flag, value, __ATOMIC_ACQ_REL)
    #define acquire_pointer(place) __atomic_load_n((const void *const *) (place), __ATOMIC_ACQUIRE)
    #define release_pointer(place, value) __atomic_store_n((const void **) (place), value, __ATOMIC_RELEASE)
    #endif
    """
    uint8_t acquire_flag(const uint8_t *flag) noexcept nogil
    void release_flag(uint8_t *flag, uint8_t value) noexcept nogil
    uint8_t exchange_flag(uint8_t *flag, uint8_t value) noexcept nogil     # returns what was there
    const void *acquire_pointer(const void *place) noexcept nogil          # place: of a pointer
    void release_pointer(void *place, const void *value) noexcept nogil
