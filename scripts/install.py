"""Installs this checkout into a virtual environment, which it makes if there is none, and shows its progress. Needs only Python.

    python scripts/install.py FOLDER [GROUP]

FOLDER: the virtual environment. GROUP: a dependency group of pyproject.toml, such as `test`. pip says nothing for a minute or two
while it compiles, so its lines about finished modules are shown; the rest of what it says is shown if it fails.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import venv
from collections.abc import Iterable, Iterator
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
    besides = requirements(python, options.group) if options.group else []
    print("installing: fetching what it needs, then compiling", flush=True)
    # Without bytecode of all that is never imported: Python writes that of the rest itself.
    line = [str(python), "-m", "pip", "install", "--verbose", "--disable-pip-version-check", "--no-compile", "--editable", "."]
    with subprocess.Popen([*line, *besides], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace") as pip:
        said: list[str] = []
        for shown in progress(pip.stdout or [], said):
            print(shown, flush=True)
    if pip.returncode:
        print("".join(said[-LAST:]), file=sys.stderr)
    return pip.returncode


def requirements(python: Path, group: str) -> list[str]:
    """The requirements of a dependency group, read by the Python of the environment, which has pip."""
    line = [str(python), str(Path(__file__).with_name("groups.py")), group]
    return subprocess.run(line, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def progress(lines: Iterable[str], said: list[str]) -> Iterator[str]:
    """The lines that show the progress of the installation, shortened. All lines are added to `said`."""
    for line in lines:
        said.append(line)
        if match := SHOWN.match(line):
            yield match[1][:100]


if __name__ == "__main__":
    sys.exit(main())
