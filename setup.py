"""Builds the extension modules; everything else about the distribution is in pyproject.toml.

Every `ext/solver/GAME/_name.pyx` becomes `solver.GAME._name`, and `ext/solver/_name.pyx`, blind to the game, `solver._name`.
Generated C goes to build/cython, so ext/ stays clean. Set BACKTRICK_CHECKED=1 for the checked build (gcc or clang): bounds
checks on memoryviews; every index of a C array, every shift and every division trapped by the compiler's undefined-behaviour
sanitizer if it is wrong; every access through a pointer watched by its address sanitizer, whose library must be preloaded, as
`make test-checked` does. It has its own folder under build/, so that nothing of it is taken for the fast build, nor the other
way round.

Linux with gcc is what all of it is run on. For macOS and Windows the flags are chosen with care, but a build there is untried.
"""

import os
import platform
import re
import sys
import sysconfig
from pathlib import Path

CHECKED = os.environ.get("BACKTRICK_CHECKED") == "1"
BUILD = "build/checked" if CHECKED else "build"


def compile_flags(system: str, machine: str, flags: str) -> list[str]:
    """The compiler's flags for a system (`sys.platform`), a machine and the flags that Python and ARCHFLAGS add.

    Every 64-bit x86 since 2008 counts bits in one instruction; nothing newer is assumed. On macOS one build may be for two
    machines (`-arch x86_64 -arch arm64`), and for ARM that flag is an error.
    """
    if system == "win32":
        return ["/O2"]
    machines = set(re.findall(r"-arch\s+(\S+)", flags)) if system == "darwin" else set()
    counts_bits = (machines or {machine.lower()}) <= {"x86_64", "amd64"}
    return ["-O3", "-fno-strict-aliasing"] + ["-mpopcnt"] * counts_bits


def main() -> None:
    from Cython.Build import cythonize
    from setuptools import Extension, setup

    flags = os.environ.get("ARCHFLAGS") or sysconfig.get_config_var("CFLAGS") or ""
    compile_args = compile_flags(sys.platform, platform.machine(), flags)
    link_args: list[str] = []
    if CHECKED:
        compile_args += ["-O1", "-fsanitize=address,bounds,shift,integer-divide-by-zero", "-fsanitize-undefined-trap-on-error"]
        link_args.append("-fsanitize=address")
    extensions = [
        Extension(
            ".".join(source.relative_to("ext").with_suffix("").parts),
            [str(source)],
            extra_compile_args=compile_args,
            extra_link_args=link_args,
        )
        for source in sorted(Path("ext").rglob("*.pyx"))
    ]
    setup(
        options={"build": {"build_base": BUILD}},
        ext_modules=cythonize(
            extensions,
            include_path=["ext"],
            build_dir=f"{BUILD}/cython",
            compiler_directives={
                "language_level": 3,
                "boundscheck": CHECKED,
                "wraparound": False,
                "initializedcheck": CHECKED,
                "cdivision": True,
                "embedsignature": True,
                "freethreading_compatible": True,
            },
        ),
    )


if __name__ == "__main__":
    main()
