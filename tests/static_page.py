"""The page without a server, for tests: it is made when a source is newer than what is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SITE = ROOT / "build" / "page"
SOURCES = ("scripts/page", "scripts/make_page.py", "ext/backtrick", "solver/backtrick/web")


def made() -> Path:
    """The folder of the site. Skips the test without what makes it."""
    for module in ("ziglang", "Cython"):
        pytest.importorskip(module, reason="needs the extra page: pip install 'backtrick[page]'")
    parts = [ROOT / part for part in SOURCES]
    files = [path for part in parts for path in (part.rglob("*.*") if part.is_dir() else [part]) if "__pycache__" not in path.parts]
    last = SITE / "offline.js"
    if not last.exists() or last.stat().st_mtime < max(path.stat().st_mtime for path in files):
        subprocess.run([sys.executable, "scripts/make_page.py"], cwd=ROOT, check=True)
    return SITE
