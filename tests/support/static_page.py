"""The page without a server, for tests."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from pathlib import Path

import pytest

from command import ROOT

SITE = ROOT / "build" / "page"


def made() -> Path:
    """The folder of the site. Skips the test without what makes it."""
    for module in ("ziglang", "Cython", "resvg_py"):
        pytest.importorskip(module, reason="make page installs it: the group page of pyproject.toml")
    SITE.parent.mkdir(exist_ok=True)
    with (SITE.parent / ".page").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two processes of tests would write the same files
        subprocess.run([sys.executable, "scripts/page/make_page.py"], cwd=ROOT, check=True)
    return SITE
