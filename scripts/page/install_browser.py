"""Installs what the tests of the page need: the extra `web`, playwright, Chromium, axe-core and typescript.

    python scripts/page/install_browser.py         what is there already is left alone

Chromium is Debian's, as root or with sudo, unless one is on the path. playwright drives it, so playwright's own browsers are not
fetched. axe-core and typescript come from npm and go to build/browser; without npm the tests that need them are skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]
AXE = ROOT / "build" / "browser" / "axe.min.js"
AXE_PACKAGE = "axe-core@4.14.1"
TYPESCRIPT = ROOT / "build" / "browser" / "typescript"
TYPESCRIPT_PACKAGE = "typescript@5.9.3"
NAMES = ("chromium", "chromium-browser", "google-chrome")


def run(*command: str, **more: object) -> None:
    print("$", *command, flush=True)
    subprocess.run(command, check=True, **more)  # type: ignore[call-overload]


def install_chromium() -> None:
    """Debian's Chromium."""
    if any(map(shutil.which, NAMES)):
        return
    if shutil.which("apt-get") is None:
        sys.exit("no Chromium on the path, and no apt-get: install Chromium, and run this again")
    before = [] if os.geteuid() == 0 else ["sudo"]
    run(*before, "apt-get", "update", "-qq")
    run(*before, "apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-dejavu-core")


def fetch(package: str, there: Path, part: str) -> None:
    """A part of a package in npm's registry, a file or a folder, unless it is there."""
    if there.exists():
        return
    if shutil.which("npm") is None:
        print(f"no npm: the tests that need {package} will be skipped")
        return
    there.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        run("npm", "pack", "--silent", package, cwd=folder)
        [archive] = Path(folder).glob("*.tgz")
        shutil.unpack_archive(archive, folder, filter="data")
        shutil.move(Path(folder, "package", part), there)


def main() -> None:
    wanted = "playwright", "uvicorn"
    if missing := [package for package in wanted if find_spec(package) is None]:
        run(sys.executable, "-m", "pip", "install", "--quiet", *missing)
    install_chromium()
    fetch(AXE_PACKAGE, AXE, "axe.min.js")
    fetch(TYPESCRIPT_PACKAGE, TYPESCRIPT, "")
    print("the tests of the page can run: make browser-test")


if __name__ == "__main__":
    main()
