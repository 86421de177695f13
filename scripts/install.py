"""Installs this checkout into a virtual environment, which it makes if there is none, and shows its progress. Needs only Python.

    python scripts/install.py FOLDER [GROUP]

FOLDER: the virtual environment. GROUP: a dependency group of pyproject.toml, such as `test`. pip says nothing for a minute or two
while it compiles, so its lines about finished modules are shown; the rest of what it says is shown if it fails.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SHOWN = re.compile(r"\s*(\[\d+/\d+\] \S+|Cython writes .*|Installing .*)")
LAST = 60
"""How many of the last lines of pip are shown if it fails."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the virtual environment")
    parser.add_argument("group", nargs="?", help="a dependency group of pyproject.toml")
    options = parser.parse_args()
    python = options.folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.exists():
        print(f"making the virtual environment {options.folder}", flush=True)
        venv.create(options.folder, with_pip=True)
    print("installing: fetching what it needs, and compiling", flush=True)
    # Without bytecode of all that is never imported, also where pip builds: Python writes that of the rest itself.
    os.environ["PIP_NO_COMPILE"] = "1"
    line = [str(python), "-m", "pip", "install", "--disable-pip-version-check"]
    compiling = [*line, "--verbose", "--editable", "."]
    if not options.group:
        return install(compiling)
    # A group is fetched while the package compiles: the one waits for the network, the other for the processor.
    with ThreadPoolExecutor() as both:
        fetched = both.submit(install, [*line, "--quiet", *requirements(python, "product", options.group)])
        return install([*compiling, "--no-deps"]) or fetched.result()


def install(line: list[str]) -> int:
    """Runs pip, and shows its progress; the last of what it said if it fails. Returns its exit code."""
    said: list[str] = []
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace") as pip:
        for shown in progress(pip.stdout or [], said):
            print(shown, flush=True)
    if pip.returncode:
        print("".join(said[-LAST:]), file=sys.stderr)
    return pip.returncode


def requirements(python: Path, *groups: str) -> list[str]:
    """The requirements of dependency groups, read by the Python of the environment, which has pip."""
    line = [str(python), str(Path(__file__).with_name("groups.py")), *groups]
    return subprocess.run(line, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def progress(lines: Iterable[str], said: list[str]) -> Iterator[str]:
    """The lines that show the progress of the installation, shortened. All lines are added to `said`."""
    for line in lines:
        said.append(line)
        if match := SHOWN.match(line):
            yield match[1][:100]


if __name__ == "__main__":
    sys.exit(main())
