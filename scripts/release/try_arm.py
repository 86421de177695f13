"""Runs tests on ARM64 Linux, imitated: `make test-arm`, on a Linux machine of another kind.

    python scripts/release/try_arm.py                      the quick tests of kernels, of both games and of what they share
    python scripts/release/try_arm.py tests/learn -k one   other tests: what pytest takes

What is needed lies in build/arm afterwards: Python 3.11 among Debian's packages for arm64, fetched by debootstrap (as root); wheels
of what the tests need, from the package index; and the package, with every kernel compiled for aarch64 by zig, for the stable ABI.
qemu (Debian: qemu-user-static) runs each process. It needs the group `machines` of pyproject.toml. The exit code is that of pytest.
"""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "arm"
SUITE, VERSION, MACHINE, QEMU = "bookworm", "3.11", "aarch64-linux-gnu.2.28", "qemu-aarch64-static"
DEBIAN, PACKAGE, PYTHON = FOLDER / "debian", FOLDER / "package", FOLDER / "bin" / "python3"
WHEELS = FOLDER / "lib" / f"python{VERSION}" / "site-packages"  # where Python looks, as in any virtual environment
ROOMS = ["tests/kernels", "tests/face_to_face", "tests/take_that", "tests/core"]


def run(*command: str | Path, **variables: str) -> None:
    print("$", *command, flush=True)
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, **variables})


def fetch_debian() -> None:
    """Python and what it needs, in a folder that qemu looks into first, and a virtual environment of it."""
    if PYTHON.exists():
        return
    run("debootstrap", "--arch=arm64", "--variant=minbase", "--download-only", "--include=python3,python3-distutils", SUITE, DEBIAN)
    for package in sorted(DEBIAN.glob("var/cache/apt/archives/*.deb")):
        subprocess.run(["dpkg-deb", "--extract", package, DEBIAN], check=True)
    (FOLDER / "pyvenv.cfg").write_text(f"home = {DEBIAN}/usr/bin\n")
    # A script, so that tests can start processes: no machine needs to be told of qemu for that.
    PYTHON.parent.mkdir(exist_ok=True)
    PYTHON.write_text(f'#!/bin/sh\nexec {QEMU} -L {DEBIAN} -0 {PYTHON} {DEBIAN}/usr/bin/python{VERSION} "$@"\n')
    PYTHON.chmod(0o755)


def fetch_wheels() -> None:
    """What the package and its tests need; OpenSpiel is left out: without it, its tests are skipped."""
    if WHEELS.exists():
        return
    wanted = runpy.run_path(str(ROOT / "scripts" / "groups.py"))["requirements"](["product", "test-anywhere"])
    fetched = FOLDER / "wheels"
    shutil.rmtree(fetched, ignore_errors=True)
    machine = [f"--python-version={VERSION}", *(f"--platform=manylinux{libc}_aarch64" for libc in ("2014", "_2_17", "_2_28"))]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", fetched, "--only-binary=:all:", *machine]
    run(*pip, *wanted)
    WHEELS.parent.mkdir(parents=True, exist_ok=True)
    fetched.rename(WHEELS)


def build_package() -> None:
    """The files of the package with modules for ARM64, and none for this machine."""
    run(sys.executable, "scripts/release/compile_for.py", MACHINE, BACKTRICK_ABI3="1", BACKTRICK_DEVELOPMENT="1")
    shutil.rmtree(PACKAGE, ignore_errors=True)
    shutil.copytree(ROOT / "solver" / "backtrick", PACKAGE / "backtrick", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    shutil.copytree(ROOT / "build" / "machines" / MACHINE, PACKAGE, dirs_exist_ok=True)


def main() -> int:
    if {"-h", "--help"} & {*sys.argv}:
        print(__doc__)
        return 0
    for needed in ("debootstrap", "dpkg-deb", QEMU):
        if shutil.which(needed) is None:
            sys.exit(f"there is no {needed} on the path: on Debian, apt-get install debootstrap qemu-user-static")
    FOLDER.mkdir(parents=True, exist_ok=True)
    fetch_debian()
    fetch_wheels()
    build_package()
    tests = sys.argv[1:] or ["-m", "not slow", *ROOMS]
    line = [PYTHON, "-m", "pytest", "--timeout", "6000", *tests]
    return subprocess.run(line, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(PACKAGE)}).returncode


if __name__ == "__main__":
    sys.exit(main())
