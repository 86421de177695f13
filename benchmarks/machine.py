"""The machine, commit and versions of a measurement: `python benchmarks/machine.py`."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parent.parent


def describe() -> str:
    """Machine, commit and versions, one on each line.

    >>> describe().splitlines()[0].startswith("cpu")
    True
    """
    return "\n".join(f"{name:<9} {value}" for name, value in facts().items())


def facts() -> dict[str, str]:
    """The same facts by name."""
    return {
        "cpu": f"{_cpu()}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "commit": _commit(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "numpy": _version("numpy"),
        "cython": _version("cython"),
        "open_spiel": _version("open_spiel"),
        "compiler": _first_line("c++", "--version") or "none",
    }


def _cpu() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def _commit() -> str:
    commit = _first_line("git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD")
    if not commit:
        return "unknown"
    code = (".", ":!docs", ":!README.md")  # figures are written into the pages
    changed = _first_line("git", "-C", str(ROOT), "status", "--porcelain", "--untracked-files=no", "--", *code)
    return commit + (", with changes that are not committed" if changed else "")


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"


def _first_line(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.partition("\n")[0]


if __name__ == "__main__":
    sys.stdout.write(describe() + "\n")
