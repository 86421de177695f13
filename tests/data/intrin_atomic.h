/* Those that _atomic.pxd asks for. */
#define _ReadWriteBarrier() __asm__ __volatile__("" : : : "memory")
static char _InterlockedExchange8(volatile char *place, char value) { char found = *place; *place = value; return found; }
static __int64 _InterlockedCompareExchange64(volatile __int64 *place, __int64 value, __int64 expected) {
    __int64 found = *place;
    if (found == expected) *place = value;
    return found;
}
