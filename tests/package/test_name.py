"""An installed Backtrick stays out of the way of other projects, whatever their modules are called."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import distribution, entry_points
from pathlib import Path

import pytest

from command import ENVIRONMENT, ROOT
from waiting import PATIENCE

PLUGIN = """
import sys

def test_the_solver_is_the_project_s_own(pytestconfig):
    from solver import answer

    assert answer() == 42
    assert pytestconfig.pluginmanager.hasplugin("backtrick")

def test_no_kernel_is_imported():
    modules = [name for name in sys.modules if name.startswith("backtrick.")]
    assert "backtrick.pytest_plugin" in modules and "numpy" not in sys.modules
    assert not [name for name in modules if name.rpartition(".")[2].startswith("_")]
"""
OWN = "def answer():\n    return 42\n"
INSTALLED = [one for one in entry_points(group="pytest11") if one.name == "backtrick"]


def run_in(folder: Path, *line: str, python: str = sys.executable, **variables: str) -> subprocess.CompletedProcess:
    """pytest in a project, with every plugin that is installed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHONPATH", "COV"))}
    command = [python, *line, "-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest"]
    return subprocess.run(command, cwd=folder, env=environment | variables, capture_output=True, text=True, timeout=PATIENCE)


def project(folder: Path, own: str) -> Path:
    """A project with tests whose own module or package is called `solver`."""
    (folder / own).parent.mkdir(parents=True, exist_ok=True)
    (folder / own).write_text(OWN)
    (folder / "test_own.py").write_text(PLUGIN)
    return folder


@pytest.mark.skipif(not INSTALLED, reason="Backtrick is not installed, so pytest does not find its plugin")
@pytest.mark.parametrize(
    ("own", "line"),
    [("solver.py", ("-m", "pytest")), ("solver/__init__.py", (str(Path(sys.executable).with_name("pytest")),))],
)
def test_a_project_with_a_solver_of_its_own_runs_its_tests(tmp_path, own, line):
    done = run_in(project(tmp_path, own), *line, PYTHONPATH=ENVIRONMENT["PYTHONPATH"])
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("own", ["solver.py", "solver/__init__.py"])
def test_so_it_does_beside_an_installed_wheel(tmp_path, wheel_python, own):
    for line in (("-m", "pytest"), (str(Path(wheel_python).with_name("pytest")),)):
        done = run_in(project(tmp_path, own), *line, python=wheel_python)
        assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel_python(tmp_path_factory) -> str:
    """The Python of a virtual environment in which a wheel of this checkout is installed, and pytest."""
    folder = tmp_path_factory.mktemp("wheel")
    python = folder / "environment" / "bin" / "python"
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([sys.executable, "-m", "venv", str(folder / "environment")], check=True)
    subprocess.run([*pip, "pytest", str(ROOT)], check=True, timeout=1800)
    return str(python)


def test_nothing_called_solver_is_installed():
    if not INSTALLED:
        pytest.skip("Backtrick is not installed")
    assert {*(distribution("backtrick").read_text("top_level.txt") or "").split()} <= {"backtrick", "backtrick_development"}
    done = subprocess.run([sys.executable, "-c", "import solver"], cwd=ROOT / "tests", env=ENVIRONMENT, capture_output=True)
    assert b"No module named 'solver'" in done.stderr


def test_a_checkout_that_is_not_installed_is_not_imported_by_accident():
    done = subprocess.run([sys.executable, "-I", "-S", "-c", "import sys; sys.path[0:0] = ['.']; import backtrick"],
                          cwd=ROOT, capture_output=True, text=True)  # fmt: skip
    assert "No module named 'backtrick'" in done.stderr
