"""The tables of a run as a file that the pages show: docs/data/NAME.json (`scripts/docs/figures.py`)."""

from __future__ import annotations

import argparse
import datetime
import json
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import machine

Table = Sequence[Sequence[object]]
"""Rows of cells, the heads first. The first cell of a row is its name."""


def add_json(parser: argparse.ArgumentParser) -> None:
    """Adds the option `--json FILE`."""
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the tables of the run there, as in docs/data")


def write(path: Path | None, tables: dict[str, Table], note: str | None = None, **more: object) -> None:
    """Writes the tables with command, machine, commit and date. path: None to write nothing. more: further keys of the file."""
    if path is not None:
        command = shlex.join(["python", *_without_json(sys.argv)])
        today = str(datetime.date.today())
        run = {"command": command, "machine": machine.facts(), "date": today, "note": note, "tables": tables, **more}
        path.write_text(in_rows(run), encoding="utf-8")


def in_rows(run: dict[str, object]) -> str:
    """A record as text, a row of a table on each line."""
    text = json.dumps(run, indent=1, ensure_ascii=False) + "\n"
    return re.sub(r"\[\n +([^\[\]{}]*?)\n +\]", lambda found: "[" + re.sub(r"\n +", " ", found[1]) + "]", text)


def _without_json(words: list[str]) -> list[str]:
    """A command line without the option that names this file.

    >>> _without_json(["calls.py", "--json", "x.json", "--rounds", "5", "--json=y"])
    ['calls.py', '--rounds', '5']
    """
    kept = []
    skip = False
    for word in words:
        if not skip and not word.startswith("--json"):
            kept.append(word)
        skip = word == "--json"
    return kept


def rounded(value: float, digits: int = 3) -> str:
    """A number with this many digits.

    >>> rounded(0.01234), rounded(12345.6), rounded(7)
    ('0.0123', '12,300', '7')
    """
    return f"{float(f'{value:.{digits}g}'):,.12g}"


def markdown(rows: Table) -> str:
    """A table as Markdown.

    >>> print(markdown([("", "a"), ("b", 1000)]))
    |  | a |
    |---|---|
    | b | 1,000 |
    """
    head, *others = ["| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row) + " |" for row in rows]
    return "\n".join([head, "|---" * len(rows[0]) + "|", *others])
