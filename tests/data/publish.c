/* 0 if the versions of _atomic.pxd mean what they say. */
int main(void) {
    unsigned char flag = 0;
    const int number = 7;
    const int *place = 0;
    unsigned long long word = 0;
    if (!claim_word(&word, 5) || word != 5 || claim_word(&word, 6) || word != 5) return 5;
    if (acquire_flag(&flag)) return 1;
    release_flag(&flag, 200);
    if (acquire_flag(&flag) != 200 || exchange_flag(&flag, 3) != 200 || flag != 3) return 2;
    if (acquire_pointer(&place)) return 3;
    release_pointer(&place, &number);
    return *(const int *) acquire_pointer(&place) == 7 ? 0 : 4;
}
