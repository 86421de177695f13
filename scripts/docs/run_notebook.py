"""Runs a notebook and writes what its cells print and plot into it. It needs no Jupyter: a notebook is JSON.

    python scripts/docs/run_notebook.py docs/notebooks/learner.ipynb
"""

from __future__ import annotations

import base64
import json
import os
import sys
from contextlib import redirect_stdout
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any


def run(notebook: dict[str, Any]) -> None:
    """Runs the code cells in one name space, in order, and sets their outputs. Raises what a cell raises."""
    names: dict[str, Any] = {"__name__": "__main__"}
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    plots()  # of others
    for number, cell in enumerate(code, 1):
        printed = StringIO()
        with redirect_stdout(printed):
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
        lines = printed.getvalue().splitlines(keepends=True)
        cell["execution_count"] = number
        cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": lines}] if lines else []
        cell["outputs"] += [{"data": {"image/png": plot}, "metadata": {}, "output_type": "display_data"} for plot in plots()]


def plots() -> list[str]:
    """The figures that matplotlib has open, as base64, the way a notebook keeps them; they are closed."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    found = []
    for number in pyplot.get_fignums() if pyplot else ():
        picture = BytesIO()
        pyplot.figure(number).savefig(picture, format="png", dpi=80, metadata={"Software": None})  # type: ignore[union-attr]
        found.append(base64.b64encode(picture.getvalue()).decode())
    if pyplot:
        pyplot.close("all")
    return found


def printed(notebook: dict[str, Any]) -> str:
    """What all cells print, by the outputs in the notebook."""
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
    return "".join("".join(output.get("text", ())) for output in outputs)


def main(path: str) -> None:
    """Runs the notebook in a file, and writes it back with its outputs."""
    notebook = json.loads(Path(path).read_text())
    os.environ.setdefault("MPLBACKEND", "agg")
    run(notebook)
    Path(path).write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
