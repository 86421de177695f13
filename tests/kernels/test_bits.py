"""Bits and atomics: one block of C each for all kernels, and their versions for Microsoft's compiler, played by gcc or clang."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from command import ROOT

EXT = ROOT / "ext"
BITS, ATOMIC = EXT / "backtrick" / "_bits.pxd", EXT / "backtrick" / "_atomic.pxd"
NAMES = [f"__builtin_{name}" for name in ("ctzll", "clzll", "popcountll", "ctz", "popcount", "prefetch")]

# The intrinsics of Microsoft's compiler that the block asks for, after their documentation, bit by bit.
INTRIN = """
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
"""

COMPARE = """
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
"""


ATOMIC_INTRIN = """
#define _ReadWriteBarrier() __asm__ __volatile__("" : : : "memory")
static char _InterlockedExchange8(volatile char *place, char value) { char found = *place; *place = value; return found; }
static __int64 _InterlockedCompareExchange64(volatile __int64 *place, __int64 value, __int64 expected) {
    __int64 found = *place;
    if (found == expected) *place = value;
    return found;
}
"""

PUBLISH = """
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
"""


def block(path: Path) -> str:
    return re.search(r'"""\n(.*?)"""', path.read_text(), re.DOTALL)[1]


def compile_and_run(directory: Path, intrin: str, source: str) -> int:
    """The exit code of a program that takes this compiler for Microsoft's."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler")
    microsoft = ["#undef __clang__", "#define _MSC_VER 1940", "#define _M_X64 1", "#define __int64 long long", ""]
    (directory / "intrin.h").write_text(intrin)
    (directory / "tried.c").write_text("\n".join(microsoft) + source)
    command = [compiler, "-Wall", "-Werror", "-I", str(directory), "-o", str(directory / "tried"), str(directory / "tried.c")]
    subprocess.run(command, check=True)
    return subprocess.run([str(directory / "tried")]).returncode


def test_the_version_for_microsofts_compiler_counts_alike(tmp_path):
    aside = [f"#define {name} {name.replace('__', 'ms_', 1)}" for name in NAMES]  # for this compiler has its own of these names
    back = [f"#undef {name}" for name in NAMES]
    assert compile_and_run(tmp_path, INTRIN, "\n".join([*aside, block(BITS), *back, COMPARE])) == 0


def test_the_version_for_microsofts_compiler_publishes(tmp_path):
    """One thread only: it says that the block compiles and means what it says, not that it orders anything."""
    assert compile_and_run(tmp_path, ATOMIC_INTRIN, block(ATOMIC) + PUBLISH) == 0


def test_every_bit_function_of_the_kernels_comes_from_the_one_block():
    used = {name: set(re.findall(r"__builtin_\w+", path.read_text())) for name, path in sources().items()}
    assert set().union(*used.values()) == set(NAMES)
    declared = re.findall(r"^    (?:int|void) (__builtin_\w+)\(", BITS.read_text(), re.MULTILINE)
    assert sorted(declared) == sorted(NAMES)
    for name, path in sources().items():
        if path != BITS:
            assert not re.search(r"\b(int|void) __builtin_", path.read_text()), f"{name} declares what _bits.pxd declares"


def sources() -> dict[str, Path]:
    return {str(path.relative_to(EXT)): path for path in EXT.rglob("*.p[yx][xdi]")}
