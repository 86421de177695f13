"""Bits and atomics: one block of C each for all kernels, and their versions for Microsoft's compiler, played by gcc or clang."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from command import DATA, ROOT

EXT = ROOT / "ext"
BITS, ATOMIC = EXT / "backtrick" / "_bits.pxd", EXT / "backtrick" / "_atomic.pxd"
NAMES = [f"__builtin_{name}" for name in ("ctzll", "clzll", "popcountll", "ctz", "popcount", "prefetch")]

def block(path: Path) -> str:
    return re.search(r'"""\n(.*?)"""', path.read_text(), re.DOTALL)[1]


def compile_and_run(directory: Path, intrin: str, source: str) -> int:
    """The exit code of a program that takes this compiler for Microsoft's. intrin: its header, among the data."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler")
    microsoft = ["#undef __clang__", "#define _MSC_VER 1940", "#define _M_X64 1", "#define __int64 long long", ""]
    (directory / "intrin.h").write_text((DATA / intrin).read_text())
    (directory / "tried.c").write_text("\n".join(microsoft) + source)
    command = [compiler, "-Wall", "-Werror", "-I", str(directory), "-o", str(directory / "tried"), str(directory / "tried.c")]
    subprocess.run(command, check=True)
    return subprocess.run([str(directory / "tried")]).returncode


def test_the_version_for_microsofts_compiler_counts_alike(tmp_path):
    aside = [f"#define {name} {name.replace('__', 'ms_', 1)}" for name in NAMES]  # for this compiler has its own of these names
    back = [f"#undef {name}" for name in NAMES]
    source = "\n".join([*aside, block(BITS), *back, (DATA / "compare_bits.c").read_text()])
    assert compile_and_run(tmp_path, "intrin_bits.h", source) == 0


def test_the_version_for_microsofts_compiler_publishes(tmp_path):
    """One thread only: it says that the block compiles and means what it says, not that it orders anything."""
    assert compile_and_run(tmp_path, "intrin_atomic.h", block(ATOMIC) + (DATA / "publish.c").read_text()) == 0


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
