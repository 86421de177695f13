"""The stubs of the compiled modules say what these say of themselves."""

from __future__ import annotations

import importlib.util

from command import ROOT


def test_stubs_are_as_the_script_writes_them():
    spec = importlib.util.spec_from_file_location("stubs", ROOT / "scripts" / "stubs.py")
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    expected = script.stubs()
    assert len(expected) > 20
    wrong = [path.name for path, text in expected.items() if path.read_text() != text]
    assert not wrong, f"run python scripts/stubs.py: {wrong}"
