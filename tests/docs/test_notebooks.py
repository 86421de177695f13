"""The research notebook: it runs, and finds what it says. That of the learners is tested in tests/learn/test_learners.py."""

from __future__ import annotations

import json
import re
import runpy
from typing import Any

import pytest

from command import ROOT

pytest.importorskip("matplotlib", reason="the plots need the extra `plots`")

NOTEBOOK = ROOT / "docs" / "notebooks" / "zigzag.ipynb"
READER = runpy.run_path(str(ROOT / "scripts" / "docs" / "run_notebook.py"))


def zigzags(notebook: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """The zigzag of all endgames, and of those in which equally many cards fit, with standard errors."""
    found = re.findall(r"^zigzag, (\w+): ([+-][\d.]+) \+- ([\d.]+) points$", READER["printed"](notebook), re.MULTILINE)
    return {name: (float(value), float(error)) for name, value, error in found}


def plots(notebook: dict[str, Any]) -> int:
    return sum("image/png" in output.get("data", {}) for cell in notebook["cells"] for output in cell.get("outputs", ()))


def test_the_notebook_finds_what_it_says(monkeypatch):
    """In a fiftieth of the endgames: without the difference in cards that fit, most of the zigzag is gone."""
    monkeypatch.setenv("BACKTRICK_ENDGAMES", "20000")
    monkeypatch.setenv("MPLBACKEND", "agg")
    notebook = json.loads(NOTEBOOK.read_text())
    committed = zigzags(notebook)
    READER["run"](notebook)
    found = zigzags(notebook)
    assert plots(notebook) == 3 and set(found) == {"all", "equal"}
    assert found["equal"][0] < found["all"][0] / 2
    for name, (value, error) in found.items():
        assert value == pytest.approx(committed[name][0], abs=4 * error), name


def test_the_page_says_what_the_notebook_shows():
    notebook = json.loads(NOTEBOOK.read_text())
    told, text = zigzags(notebook), " ".join((ROOT / "docs" / "findings.md").read_text().split())
    assert plots(notebook) == 3
    assert "from {:.2f} ± {:.2f} to {:.2f} ± {:.2f} points".format(*told["all"], *told["equal"]) in text
