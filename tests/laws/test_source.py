"""What no test sees on this machine: a text file read as the system likes, and a thread that keeps a process from ending."""

from __future__ import annotations

import ast
from pathlib import Path

import backtrick

WORDS = ("read_text(", "write_text(", "open(", "Thread(")
PLACES = {"read_text": 0, "write_text": 1, "open": 3}
"""Where the encoding of a text file stands if it has no name."""


def test_text_files_have_an_encoding_and_threads_are_daemons():
    wrong = []
    for path in sorted(Path(backtrick.__file__).parent.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if any(word in text for word in WORDS) else ():
            if isinstance(node, ast.Call):
                name, named = getattr(node.func, "attr", None), {one.arg for one in node.keywords}
                name = "open" if isinstance(node.func, ast.Name) and node.func.id == "open" else name if name != "open" else None
                is_text = name in PLACES and not any(
                    isinstance(one, ast.Constant) and "b" in str(one.value) for one in node.args[1:]
                )
                if (is_text and "encoding" not in named and len(node.args) <= PLACES[name]) or (name, "daemon" in named) == (
                    "Thread",
                    False,
                ):
                    wrong.append(f"{path.name}:{node.lineno}")
    assert wrong == []
