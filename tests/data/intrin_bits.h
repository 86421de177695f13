/* The intrinsics of Microsoft's compiler that _bits.pxd asks for, after their documentation, bit by bit. */
static unsigned char _BitScanForward64(unsigned long *place, unsigned long long word) {
    for (*place = 0; *place < 64; ++*place) if (word >> *place & 1) return 1;
    return 0;
}
static unsigned char _BitScanReverse64(unsigned long *place, unsigned long long word) {
    for (*place = 64; (*place)-- > 0;) if (word >> *place & 1) return 1;
    return 0;
}
static unsigned char _BitScanForward(unsigned long *place, unsigned long word) {
    for (*place = 0; *place < 32; ++*place) if (word >> *place & 1) return 1;
    return 0;
}
static unsigned long long __popcnt64(unsigned long long word) {
    unsigned long long count = 0;
    for (; word; word >>= 1) count += word & 1;
    return count;
}
static unsigned int __popcnt(unsigned int word) { return (unsigned int) __popcnt64(word); }
#define _MM_HINT_T0 1
static void _mm_prefetch(const char *address, int hint) { (void) address; (void) hint; }
