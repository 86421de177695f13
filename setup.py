"""Builds the extension modules. Everything else about the distribution is in pyproject.toml.

Every `ext/solver/GAME/_name.pyx` becomes `solver.GAME._name`, and `ext/solver/_name.pyx`, which is blind to the game,
`solver._name`. Generated C goes to build/cython, so ext/ stays clean. Two more builds, with gcc or clang, watch the kernels at
work. Each has its own folder under build/, so that builds are never mixed. The library of the sanitizer must be preloaded, as the
Makefile does.

BACKTRICK_CHECKED=1        `make test-checked`: bounds checks on memoryviews. The compiler's undefined-behaviour sanitizer stops
                           at a wrong index of a C array, a wrong shift or a division by zero. Its address sanitizer watches
                           every access through a pointer
BACKTRICK_CHECKED=threads  `make test-threads`: the thread sanitizer reports data races: one thread writes what another one reads
                           or writes, and nothing puts the two in order

BACKTRICK_ABI3=1           a wheel for CPython 3.11 and every later one (its stable ABI), for those who publish wheels. A batch is
                           as fast as in any other build; a single call takes a sixth longer, so a build from source does without

All builds are run on Linux with gcc. The flags for macOS and Windows are chosen with care, but nobody has tried a build there.
"""

import os
import platform
import re
import runpy
import sys
import sysconfig
from pathlib import Path

CHECKED = os.environ.get("BACKTRICK_CHECKED", "")
STABLE = os.environ.get("BACKTRICK_ABI3", "") == "1"
BUILDS = {"": "build", "1": "build/checked", "threads": "build/threads"}
WATCHED = {
    "": [],
    "1": ["-O1", "-g", "-fsanitize=address,bounds,shift,integer-divide-by-zero", "-fsanitize-undefined-trap-on-error"],
    "threads": ["-O1", "-g", "-fsanitize=thread"],
}


def compile_flags(system: str, machine: str, flags: str) -> list[str]:
    """The compiler's flags for a system (`sys.platform`), a machine and the flags that Python and ARCHFLAGS add.

    Every 64-bit x86 since 2008 counts bits in one instruction; nothing newer is assumed. On macOS one build may be for two
    machines (`-arch x86_64 -arch arm64`), and for ARM that flag is an error. A product and a sum are rounded one after the other,
    as Python does: a machine that can do both in one step would round once.
    """
    if system == "win32":
        return ["/O2"]
    machines = set(re.findall(r"-arch\s+(\S+)", flags)) if system == "darwin" else set()
    counts_bits = (machines or {machine.lower()}) <= {"x86_64", "amd64"}
    return ["-O3", "-g0", "-fno-strict-aliasing", "-ffp-contract=off"] + ["-mpopcnt"] * counts_bits


def link_flags(system: str) -> list[str]:
    """The linker's flags for a system: no symbols but those that Python looks up, where the linker is known to take the flag."""
    return ["-Wl,-s"] if system == "linux" else []


def long_description() -> str:
    """What the package index shows: the README, its links as whole addresses."""
    links = runpy.run_path("scripts/links.py")
    return links["for_index"](Path("README.md").read_text(encoding="utf-8"), links["source"]())


def main() -> None:
    from Cython.Build import cythonize
    from setuptools import Extension, setup

    if CHECKED not in BUILDS:
        sys.exit(f"BACKTRICK_CHECKED is 1 or threads, or not set, not {CHECKED!r}")
    flags = os.environ.get("ARCHFLAGS") or sysconfig.get_config_var("CFLAGS") or ""
    compile_args = compile_flags(sys.platform, platform.machine(), flags) + WATCHED[CHECKED]
    watching = [flag.partition(",")[0] for flag in WATCHED[CHECKED] if flag.startswith("-fsanitize=")]
    link_args = watching or link_flags(sys.platform)
    base = "build/abi3" if STABLE else BUILDS[CHECKED]
    extensions = [
        Extension(
            ".".join(source.relative_to("ext").with_suffix("").parts),
            [str(source)],
            extra_compile_args=compile_args,
            extra_link_args=link_args,
            define_macros=[("Py_LIMITED_API", "0x030B0000")] if STABLE else [],
            py_limited_api=STABLE,
        )
        for source in sorted(Path("ext").rglob("*.pyx"))
    ]
    setup(
        long_description=long_description(),
        long_description_content_type="text/markdown",
        options={"build": {"build_base": base}, **({"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE else {})},
        ext_modules=cythonize(
            extensions,
            include_path=["ext"],
            build_dir=f"{base}/cython",
            compiler_directives={
                "language_level": 3,
                "boundscheck": CHECKED == "1",
                "wraparound": False,
                "initializedcheck": CHECKED == "1",
                "cdivision": True,
                "embedsignature": True,
                "freethreading_compatible": True,
            },
        ),
    )


if __name__ == "__main__":
    main()
