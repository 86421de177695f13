"""Builds the extension modules; everything else about the distribution is in pyproject.toml.

Every `ext/solver/GAME/_name.pyx` becomes `solver.GAME._name`. Generated C goes to build/cython, so ext/ stays clean.
Set BACKTRICK_CHECKED=1 for the checked build (gcc or clang): bounds checks on memoryviews; every index of a C array, every
shift and every division trapped by the compiler's undefined-behaviour sanitizer if it is wrong; every access through a pointer
watched by its address sanitizer, whose library must be preloaded, as `make test-checked` does. It has its own folder under
build/, so that nothing of it is taken for the fast build, nor the other way round.
"""

import os
import platform
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

CHECKED = os.environ.get("BACKTRICK_CHECKED") == "1"
BUILD = "build/checked" if CHECKED else "build"

compile_args = ["-O3", "-fno-strict-aliasing"] if sys.platform != "win32" else ["/O2"]
if platform.machine() in ("x86_64", "AMD64") and sys.platform != "win32":
    compile_args.append("-mpopcnt")  # every 64-bit x86 since 2008 has it; nothing newer is assumed
link_args: list[str] = []
if CHECKED:
    compile_args += ["-O1", "-fsanitize=address,bounds,shift,integer-divide-by-zero", "-fsanitize-undefined-trap-on-error"]
    link_args.append("-fsanitize=address")

sources = sorted(Path("ext").rglob("*.pyx"))
extensions = [
    Extension(
        ".".join(source.relative_to("ext").with_suffix("").parts),
        [str(source)],
        extra_compile_args=compile_args,
        extra_link_args=link_args,
    )
    for source in sources
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
    )
)
