"""Kernels for other machines, by `scripts/release/compile_for.py`: with the flags of each, and what does not compile is told."""

import runpy
import sys

import pytest

from command import ROOT

pytest.importorskip("ziglang", reason="make check-macos installs it: the group machines of pyproject.toml")

ASKS = """#include <Python.h>
#if !defined(__APPLE__) || defined(__POPCNT__) != defined(__x86_64__)
#error "another machine, or other flags"
#endif
"""


@pytest.mark.parametrize("machine", ["x86_64-macos", "aarch64-macos"])
def test_a_kernel_is_compiled_for_its_machine_or_zig_says_why_not(machine, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "path", [*sys.path])
    script = runpy.run_path(str(ROOT / "scripts" / "release" / "compile_for.py"))
    script["compiled"].__globals__["BUILD"] = tmp_path
    (tmp_path / "one.c").write_text(ASKS)
    assert script["compiled"](machine, "some._one", str(tmp_path / "one.c")) == ""
    assert (tmp_path / machine / "some" / "_one.o").read_bytes()[:4] == b"\xcf\xfa\xed\xfe", "a file of macOS"
    (tmp_path / "one.c").write_text(ASKS + "int one(void) { return two; }")
    assert "use of undeclared identifier 'two'" in script["compiled"](machine, "some._one", str(tmp_path / "one.c"))
