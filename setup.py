"""Builds the extension modules. Everything else about the distribution is in pyproject.toml.

Every `ext/backtrick/GAME/_name.pyx` becomes `backtrick.GAME._name`, and `ext/backtrick/_name.pyx`, which serves every game,
`backtrick._name`. Code that Cython would write into every module with a memoryview is compiled once, as `backtrick._cyutility`.
Generated C goes to build/cython, so ext/ stays clean. These variables of the environment change a build:

BACKTRICK_JOBS=N           so many modules at a time, instead of one per core
BACKTRICK_DEVELOPMENT=1    also builds ext/backtrick_development: the second solvers that tests and the audit compare with, and
                           what training needs. No user needs them
BACKTRICK_ABI3=1           a wheel for CPython 3.11 and every later one (its stable ABI), for those who publish wheels. A batch is
                           as fast as in any other build; a single call takes a sixth longer, so a build from source does without

Two more builds, with gcc or clang, watch the kernels at work. Each has its own folder under build/, so that builds are never
mixed. The library of the sanitizer must be preloaded, as the Makefile does.

BACKTRICK_CHECKED=1        `make test-checked`: bounds checks on memoryviews. The compiler's undefined-behaviour sanitizer stops
                           at a wrong index of a C array, a wrong shift or a division by zero. Its address sanitizer watches
                           every access through a pointer
BACKTRICK_CHECKED=threads  `make test-threads`: the thread sanitizer reports data races: one thread writes what another one reads
                           or writes, and nothing puts the two in order

All builds are run on Linux with gcc. The flags for macOS and Windows are chosen with care, but nobody has tried a build there.
"""

import os
import platform
import re
import runpy
import subprocess
import sys
import sysconfig
from pathlib import Path
from threading import Lock

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

CHECKED = os.environ.get("BACKTRICK_CHECKED", "")
STABLE = os.environ.get("BACKTRICK_ABI3", "") == "1"
LIMITED = [("Py_LIMITED_API", "0x030B0000")] if STABLE else []
DEVELOPMENT = os.environ.get("BACKTRICK_DEVELOPMENT", "") == "1"
SHARED = "backtrick._cyutility"
BUILDS = {"": "build", "1": "build/checked", "threads": "build/threads"}
BASE = "build/abi3" if STABLE else BUILDS.get(CHECKED, "")
WATCHED = {
    "": [],
    "1": ["-O1", "-g", "-fsanitize=address,bounds,shift,integer-divide-by-zero", "-fsanitize-undefined-trap-on-error"],
    "threads": ["-O1", "-g", "-fsanitize=thread"],
}
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": CHECKED == "1",
    "wraparound": False,
    "initializedcheck": CHECKED == "1",
    "cdivision": True,
    "embedsignature": True,
    "freethreading_compatible": True,
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
    links = runpy.run_path("scripts/docs/links.py")
    return links["for_index"](Path("README.md").read_text(encoding="utf-8"), links["source"]())


COMMIT = "commit.txt"
"""In the package: the commit that was built, which the version of what is no release names. Not in an editable install, whose files
change."""


def commit() -> str:
    """The commit of this checkout, with `.changed` if files differ from it; empty outside of a checkout."""
    try:
        line = ["git", "describe", "--always", "--exclude=*", "--abbrev=12", "--dirty=.changed"]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 and Path(".git").exists() else ""


class BuildPackage(build_py):
    """Says in the package which commit it is of."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode and (made := commit()):
            Path(self.build_lib, "backtrick", COMMIT).write_text(made, encoding="utf-8")


class BuildSource(sdist):
    """Says in the package which commit it is of, for builds from the archive."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        if made := commit():
            Path(base_dir, "solver", "backtrick", COMMIT).write_text(made, encoding="utf-8")


def jobs() -> int:
    """How many modules are compiled at a time."""
    given = os.environ.get("BACKTRICK_JOBS", "")
    if given and not (given.isdecimal() and int(given)):
        sys.exit(f"BACKTRICK_JOBS is a number of modules at a time, 1 or more, not {given!r}")
    return int(given or os.cpu_count() or 1)


def write_c(extensions: list[Extension]) -> list[Extension]:
    """Writes the C code of modules, where it is older than its sources. Returns the modules with it as their sources."""
    from Cython.Build import cythonize  # not when this file is read: pip reads it several times

    return cythonize(
        [Extension(extension.name, [*extension.sources]) for extension in extensions],
        nthreads=jobs() if sys.platform == "linux" else 0,  # elsewhere each process would run this file again
        quiet=True,
        include_path=["ext"],
        build_dir=f"{BASE}/cython",
        shared_utility_qualified_name=SHARED,
        compiler_directives=DIRECTIVES,
    )


class BuildKernels(build_ext):
    """Compiles Cython to C and C to modules, several at a time, and says of each when it is done."""

    def run(self) -> None:
        self.parallel, self.done, self.lock = jobs(), 0, Lock()
        self.say(f"Cython writes the C code of {len(self.extensions)} modules")
        written = write_c(self.extensions)
        sources = {extension.name: extension.sources for extension in written}
        for extension in self.extensions:
            extension.sources = sources[extension.name]
        super().run()

    def build_extension(self, extension: Extension) -> None:
        super().build_extension(extension)
        with self.lock:
            self.done += 1
            self.say(f"[{self.done}/{len(self.extensions)}] {extension.name}")

    def copy_extensions_to_source(self) -> None:
        for extension in self.extensions:  # ext/backtrick_development has no folder of its own in solver/
            Path("solver", *extension.name.split(".")[:-1]).mkdir(parents=True, exist_ok=True)
        super().copy_extensions_to_source()

    @staticmethod
    def say(line: str) -> None:
        print(line, flush=True)


def extensions() -> list[Extension]:
    """The modules to build: the shared one, one for every `.pyx` of the package, and on request those of development."""
    flags = os.environ.get("ARCHFLAGS") or sysconfig.get_config_var("CFLAGS") or ""
    watching = [flag.partition(",")[0] for flag in WATCHED[CHECKED] if flag.startswith("-fsanitize=")]
    folders = ["ext/backtrick", *["ext/backtrick_development"] * DEVELOPMENT]
    sources = [source for folder in folders for source in sorted(Path(folder).rglob("*.pyx"))]
    names = {SHARED: [], **{".".join(source.relative_to("ext").with_suffix("").parts): [str(source)] for source in sources}}
    return [
        Extension(
            name,
            source,
            extra_compile_args=compile_flags(sys.platform, platform.machine(), flags) + WATCHED[CHECKED],
            extra_link_args=watching or link_flags(sys.platform),
            define_macros=LIMITED,
            py_limited_api=STABLE,
        )
        for name, source in names.items()
    ]


def main() -> None:
    if CHECKED not in BUILDS:
        sys.exit(f"BACKTRICK_CHECKED is 1 or threads, or not set, not {CHECKED!r}")
    setup(
        long_description=long_description(),
        long_description_content_type="text/markdown",
        options={"build": {"build_base": BASE}, **({"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE else {})},
        ext_modules=extensions(),
        cmdclass={"build_ext": BuildKernels, "build_py": BuildPackage, "sdist": BuildSource},
    )


if __name__ == "__main__":
    main()
