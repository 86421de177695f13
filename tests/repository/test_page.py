"""The scripts of the page: their types, and the unit tests of state, notation and store. Both need node."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
STATIC = ROOT / "solver" / "backtrick" / "web" / "static"
TYPESCRIPT = ROOT / "build" / "browser" / "typescript" / "lib" / "tsc.js"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="needs node")


def test_a_workflow_runs_the_tests_of_the_page():
    texts = "".join(path.read_text("utf-8") for path in (ROOT / ".github" / "workflows").glob("*.yml"))
    assert "run: make browser-test\n" in texts


@needs_node
def test_state_notation_and_store():
    ran = subprocess.run([NODE, "--test", "tests/web/page"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-3000:]
    assert int(re.search(r"^# pass (\d+)", ran.stdout, re.M)[1]) >= 15, "a folder without tests passes as well"


@needs_node
@pytest.mark.skipif(not TYPESCRIPT.exists(), reason="needs typescript: scripts/page/install_browser.py fetches it")
def test_types():
    ran = subprocess.run([NODE, str(TYPESCRIPT), "-p", str(ROOT)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-3000:]


def test_no_module_imports_one_that_imports_it():
    imports = {path.name: set(re.findall(r'from "\./([\w/]+\.js)"', path.read_text("utf-8"))) for path in STATIC.glob("*.js")}

    def reached(name, seen):
        for other in imports.get(name, ()):
            if other not in seen:
                seen.add(other)
                reached(other, seen)
        return seen

    assert [name for name in imports if name in reached(name, set())] == []


def test_every_player_of_the_page_shows_its_own_rating():
    panel = (STATIC / "panel.js").read_text("utf-8")
    found = re.findall(r"^    (\w+): \{ elo: /\* data: players\.\w+: (\w+)", panel, re.M)
    assert len(found) >= 10 and all(player == rated for player, rated in found)
