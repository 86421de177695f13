"""Kernels for other machines, by `scripts/release/compile_for.py`: with the flags of each, and what does not compile is told."""

import runpy
import sys

import pytest

from command import ROOT

pytest.importorskip("ziglang", reason="make check-macos installs it: the group machines of pyproject.toml")

ASKS = """#include <Python.h>
#if defined(__APPLE__) == defined(__linux__) || defined(__POPCNT__) != defined(__x86_64__)
#error "another machine, or other flags"
#endif
"""


@pytest.mark.parametrize(
    ("machine", "format", "place", "number"),
    [
        ("x86_64-macos", b"\xcf\xfa\xed\xfe", 4, 0x07),
        ("aarch64-macos", b"\xcf\xfa\xed\xfe", 4, 0x0C),
        ("aarch64-linux-gnu.2.28", b"\x7fELF", 18, 0xB7),
    ],
)
def test_a_kernel_is_compiled_for_its_machine_or_zig_says_why_not(machine, format, place, number, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "path", [*sys.path])
    script = runpy.run_path(str(ROOT / "scripts" / "release" / "compile_for.py"))
    script["compiled"].__globals__["BUILD"] = tmp_path
    (tmp_path / "one.c").write_text(ASKS)
    assert script["compiled"](machine, "some._one", str(tmp_path / "one.c")) == ""
    [found] = (tmp_path / machine / "some").iterdir()
    made = found.read_bytes()
    assert (found.suffix, made[:4], made[place]) == (".so" if "linux" in machine else ".o", format, number)
    (tmp_path / "one.c").write_text(ASKS + "int one(void) { return two; }")
    assert "use of undeclared identifier 'two'" in script["compiled"](machine, "some._one", str(tmp_path / "one.c"))
