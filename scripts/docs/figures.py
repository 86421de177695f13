"""Writes measured figures into the pages: `python scripts/docs/figures.py`.

Every time, rate and size that a page states comes from a file docs/data/NAME.json. The benchmark that measured it writes this file
(`--json`, `benchmarks/record.py`). A comment in a page says what stands there, and this script fills it in, up to `<!-- end -->`:

    <!-- data: NAME -->                        how it was measured: command, machine, date
    <!-- data: NAME.TABLE -->                  a whole table
    <!-- data: NAME.TABLE: ROW; ROW -->        some rows of it
    <!-- data: NAME.TABLE: ROW / COLUMN -->    one cell

In a script of the page the comment is `/* data: NAME.TABLE: ROW / COLUMN */`, and the number of the cell comes before `/* end */`.
It needs only Python.
"""

from __future__ import annotations

import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MARK = r"(?:<!--|(?P<script>/\*)) data: (?P<name>\w+)(?:\.(?P<table>\w+)(?:: (?P<rows>.*?))?)? (?:-->|\*/)"
PLACE = re.compile(rf"(?P<mark>{MARK}).*?(?P<end><!-- end -->|/\* end \*/)", re.DOTALL)


def pages() -> list[Path]:
    """The pages that may show figures, and the scripts of the explorer that do."""
    static = ROOT / "solver" / "backtrick" / "web" / "static"
    scripts = static / "panel.js", static / "thumb.js"
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *scripts, *sorted((ROOT / "docs").rglob("*.md"))]


@cache
def run_of(name: str) -> dict[str, Any]:
    """What a run wrote: command, machine, date, note, tables."""
    found: dict[str, Any] = json.loads((ROOT / "docs" / "data" / f"{name}.json").read_text(encoding="utf-8"))
    return found


def filled(text: str) -> str:
    """A page with the figures of today's files.

    >>> filled("no figures")
    'no figures'
    """

    def written(found: re.Match[str]) -> str:
        if found["table"] is None:
            return found["mark"] + measured(run_of(found["name"])) + found["end"]
        head, *rows = run_of(found["name"])["tables"][found["table"]]
        row, slash, column = (found["rows"] or "").partition(" / ")
        if slash:
            cell = shown(chosen(rows, row)[head.index(column)])
            return found["mark"] + (f" {float(cell.split()[0]):g} " if found["script"] else cell) + found["end"]
        if found["rows"]:
            rows = [chosen(rows, row) for row in found["rows"].split("; ")]
        return f"{found['mark']}\n{markdown(head, rows)}\n{found['end']}"

    return PLACE.sub(written, text)


def chosen(rows: list[list[Any]], label: str) -> list[Any]:
    """The row with this first cell."""
    for row in rows:
        if shown(row[0]) == label:
            return row
    raise ValueError(f"no row {label!r}, only {', '.join(shown(row[0]) for row in rows)}")


def measured(run: dict[str, Any]) -> str:
    """The command, the machine, the date and what else is to be known of a run."""
    parts = [f"`{run['command']}`", run["machine"].get("cpu"), run["machine"].get("commit"), run["date"], run.get("note")]
    return ", ".join(part for part in parts if part)


def markdown(head: list[str], rows: list[list[Any]]) -> str:
    """A table; a column whose cells all begin with digits stands right."""
    texts = [[shown(cell).replace("|", "\\|") for cell in row] for row in rows]
    right = [all(re.match(r"[-+]?\d|$", row[place]) for row in texts) and place > 0 for place in range(len(head))]
    lines = [head, ["--:" if one else "---" for one in right], *texts]
    return "\n".join("|" + "".join(f" {cell} |" if cell else " |" for cell in line) for line in lines)


def shown(cell: Any) -> str:
    """A cell as text; commas part the thousands of a whole number."""
    return "" if cell is None else f"{cell:,}" if isinstance(cell, int) else str(cell)


def every() -> str:
    """A page with every table of docs/data, whole; the site has it.

    >>> every().splitlines()[0]
    '# All figures'
    """
    parts = ["# All figures\n"]
    for path in sorted((ROOT / "docs" / "data").glob("*.json")):
        run = run_of(path.stem)
        parts += [f"## {path.stem}\n", measured(run) + "\n"]
        parts += [f"### {path.stem}: {name}\n\n{markdown(head, rows)}\n" for name, (head, *rows) in run["tables"].items()]
    return "\n".join(parts)


def main() -> int:
    for path in pages():
        text = path.read_text(encoding="utf-8")
        if filled(text) != text:
            path.write_text(filled(text), encoding="utf-8")
            print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
