"""The notebook and the example of docs/learners.md: they run, and what they train learns."""

from __future__ import annotations

import json
import re
import runpy

import pytest

from command import ROOT

pytest.importorskip("gymnasium", reason="the environments need the extra `gymnasium`")
pytest.importorskip("pettingzoo", reason="the environments need the extra `pettingzoo`")
pytest.importorskip("matplotlib", reason="the plot of the notebook needs the extra `plots`")

NOTEBOOK = ROOT / "docs" / "notebooks" / "learner.ipynb"
READER = runpy.run_path(str(ROOT / "scripts" / "docs" / "run_notebook.py"))
"""Runs the cells of a notebook: it is JSON, so no Jupyter is needed."""


def figures(printed: str) -> dict[str, tuple[float, float, float]]:
    """The regrets that the notebook prints, by what stands before them: mean and interval."""
    found = re.findall(r"^(\w+): +[\d,]+ turns: regret ([\d.]+) \(([\d.]+)\.\.([\d.]+)\)", printed, re.MULTILINE)
    found += re.findall(r"^the regret (fell) by ([\d.]+) \(([\d.]+)\.\.([\d.]+)\)", printed, re.MULTILINE)
    return {name: (float(mean), float(low), float(high)) for name, mean, low, high in found}


def check_claim(printed: str) -> None:
    """The regret falls, by more than chance explains."""
    told = figures(printed)
    assert list(told) == ["before", "random", "frugal", "after", "fell"]
    assert told["after"][2] < told["before"][1] and told["fell"][1] > 0
    assert told["fell"][0] == pytest.approx(told["before"][0] - told["after"][0], abs=0.002)


def test_the_page_says_what_the_notebook_shows():
    told = figures(READER["printed"](json.loads(NOTEBOOK.read_text())))
    numbers = [f"{told[name][0]:.2f}" for name in ("before", "after", "random", "frugal")]
    text = " ".join((ROOT / "docs" / "learners.md").read_text().split())
    assert "falls from {} to {}, while random play has {} and `frugal` {}".format(*numbers) in text


def test_the_notebook_shows_that_the_regret_falls():
    notebook = json.loads(NOTEBOOK.read_text())
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert all(bool(cell["outputs"]) == bool(re.search(r"print\(|plt\.", "".join(cell["source"]))) for cell in code)
    check_claim(READER["printed"](notebook))


@pytest.mark.slow
def test_the_notebook_runs_shortly(monkeypatch):
    """With 100 games instead of 10,000: it runs, and the regret falls already."""
    monkeypatch.setenv("BACKTRICK_EPISODES", "100")
    monkeypatch.setenv("BACKTRICK_TESTED", "50")
    notebook = json.loads(NOTEBOOK.read_text())
    READER["run"](notebook)
    check_claim(READER["printed"](notebook))


@pytest.mark.slow
def test_the_notebook_runs_as_committed():
    notebook = json.loads(NOTEBOOK.read_text())
    committed = figures(READER["printed"](notebook))
    READER["run"](notebook)
    printed = READER["printed"](notebook)
    check_claim(printed)
    assert figures(printed)["after"][0] < committed["after"][2], "as good as committed, whatever the last digits of a sum"


@pytest.mark.parametrize("what", ["small", "whole"])
def test_the_example_of_ppo_runs_shortly(what, capsys):
    """With few and short updates: the figures are printed, and on the small deck the regret falls below that of chance."""
    torch = pytest.importorskip("torch", reason="the example needs the extra `learn`")
    torch.set_num_threads(1)  # its threads spin while they wait for each other: beside other work, more than twice as long
    example = runpy.run_path(str(ROOT / "docs" / "tutorials" / "ppo.py"))
    example[what](updates=8 if what == "small" else 1, often=4, judged=500, games=256)
    first, *_, last = [list(map(float, line.split())) for line in capsys.readouterr().out.splitlines()]
    assert first[0] == 0 < last[0] and 0 <= last[2] <= 2
    if what == "small":
        assert last[2] + last[3] < first[2] - first[3] and last[2] < 1
