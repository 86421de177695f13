/* 0 if the versions of _bits.pxd for Microsoft's compiler count as those of this one do. */
static int differ(unsigned long long word) {
    unsigned int low = (unsigned int) word;
    if (ms_builtin_popcountll(word) != __builtin_popcountll(word)) return 1;
    if (ms_builtin_popcount(low) != __builtin_popcount(low)) return 2;
    if (word && ms_builtin_ctzll(word) != __builtin_ctzll(word)) return 3;
    if (word && ms_builtin_clzll(word) != __builtin_clzll(word)) return 4;
    if (low && ms_builtin_ctz(low) != __builtin_ctz(low)) return 5;
    return 0;
}
int main(void) {
    unsigned long long word = 88172645463325252ULL;
    int i, j;
    ms_builtin_prefetch(&word);
    if (differ(0)) return differ(0);
    for (i = 0; i < 64; ++i)
        for (j = 0; j < 64; ++j)
            if (differ(1ULL << i | 1ULL << j)) return differ(1ULL << i | 1ULL << j);
    for (i = 0; i < 100000; ++i) {
        word ^= word << 13; word ^= word >> 7; word ^= word << 17;
        if (differ(word)) return differ(word);
    }
    return 0;
}
