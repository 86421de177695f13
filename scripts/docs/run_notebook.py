"""Runs a notebook and writes what its cells print into it. It needs no Jupyter: a notebook is JSON.

    python scripts/docs/run_notebook.py docs/notebooks/learner.ipynb
"""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any


def run(notebook: dict[str, Any]) -> None:
    """Runs the code cells in one name space, in order, and sets their outputs. Raises what a cell raises."""
    names: dict[str, Any] = {"__name__": "__main__"}
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(code, 1):
        printed = StringIO()
        with redirect_stdout(printed):
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
        lines = printed.getvalue().splitlines(keepends=True)
        cell["execution_count"] = number
        cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": lines}] if lines else []


def printed(notebook: dict[str, Any]) -> str:
    """What all cells print, by the outputs in the notebook."""
    return "".join("".join(output["text"]) for cell in notebook["cells"] for output in cell.get("outputs", ()))


def main(path: str) -> None:
    """Runs the notebook in a file, and writes it back with its outputs."""
    notebook = json.loads(Path(path).read_text())
    run(notebook)
    Path(path).write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
