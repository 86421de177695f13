"""The tests run the build that they were asked to run: the fast one, or that of `make test-checked` or `make test-threads`."""

import os
import re
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import backtrick
from command import ENVIRONMENT, ROOT
from conftest import SLOW_SECONDS
from waiting import PATIENCE

CHECKED = os.environ.get("BACKTRICK_CHECKED", "")
SANITIZERS = {b"__asan_init": "1", b"__tsan_init": "threads"}


@pytest.mark.threads
def test_every_extension_module_is_of_the_build_asked_for():
    built = [path for path in Path(backtrick.__file__).parent.rglob("*") if path.name.endswith(tuple(EXTENSION_SUFFIXES))]
    sources = ROOT / "ext" / "backtrick"
    wanted = {path.relative_to(sources).with_suffix("") for path in sources.rglob("*.pyx")} | {Path("_cyutility")}
    assert len(wanted) >= 9
    assert {path.relative_to(Path(backtrick.__file__).parent).parent / path.name.split(".")[0] for path in built} == wanted
    assert {"".join(name for mark, name in SANITIZERS.items() if mark in path.read_bytes()) for path in built} == {CHECKED}


@pytest.mark.threads
def test_no_kernel_that_ships_has_what_only_tests_ask():
    """Each class and function of a kernel of development, such as `Claims`, that no kernel of the package has."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "ext/backtrick_development").rglob("*_claims.pyx")]
    hooks = {name for text in texts for name in re.findall(r"^(?:def|cdef class) (\w+)", text, re.MULTILINE)}
    assert {"Claims", "Remembered", "left_out", "claims_of"} <= hooks
    for path in Path(backtrick.__file__).parent.rglob("*"):
        if path.name.endswith(tuple(EXTENSION_SUFFIXES)):
            built = path.read_bytes()
            near = [hook for hook in hooks if hook.encode() in built]
            assert not [hook for hook in near if re.search(rb"(?<![\w.])" + hook.encode() + rb"(?!\w)", built)], path


@pytest.mark.threads
def test_a_quick_test_has_a_limit_of_time(request):
    pytest.importorskip("pytest_timeout")
    assert float(request.config.getini("timeout")) == 2 * PATIENCE < SLOW_SECONDS
    assert request.node.get_closest_marker("timeout") is None


@pytest.mark.slow
def test_a_slow_test_has_a_longer_one(request):
    assert request.node.get_closest_marker("timeout").args == (SLOW_SECONDS,)


@pytest.mark.threads
def test_no_extension_module_brings_the_global_lock_back():
    """Where Python is built with the lock, the program only imports every module."""
    program = """import backtrick, importlib, pkgutil, sys, sysconfig
for module in pkgutil.walk_packages(backtrick.__path__, "backtrick."):
    if module.name.rpartition(".")[2].startswith("_") and not module.name.endswith("__main__"):
        importlib.import_module(module.name)
sys.exit(bool(sysconfig.get_config_var("Py_GIL_DISABLED")) and sys._is_gil_enabled())"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
