"""Builds the extension modules; everything else about the distribution is in pyproject.toml.

Every `ext/solver/GAME/_name.pyx` becomes `solver.GAME._name`. Generated C goes to build/cython, so ext/ stays clean.
Set BACKTRICK_CHECKED=1 for the checked build: Python-level bounds checks on, and every C array index, shift and
conversion watched by the compiler's undefined-behaviour sanitizer, which traps on the first offence.
"""

import os
import platform
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

CHECKED = os.environ.get("BACKTRICK_CHECKED") == "1"

compile_args = ["-O3", "-fno-strict-aliasing"] if sys.platform != "win32" else ["/O2"]
if platform.machine() in ("x86_64", "AMD64") and sys.platform != "win32":
    compile_args.append("-mpopcnt")  # every 64-bit x86 since 2008 has it; nothing newer is assumed
link_args: list[str] = []
if CHECKED:
    compile_args += ["-O1", "-fsanitize=bounds,shift,integer-divide-by-zero", "-fsanitize-undefined-trap-on-error"]

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
    ext_modules=cythonize(
        extensions,
        include_path=["ext"],
        build_dir="build/cython",
        force=CHECKED,
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
