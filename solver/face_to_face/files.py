"""What the command line does with this game's files; the contract is `solver.games.Files`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from solver.core.columns import table_text
from solver.core.errors import UsageError
from solver.face_to_face.classes import index_of, representative
from solver.face_to_face.options import Rules
from solver.face_to_face.position import Position, pack
from solver.face_to_face.sets import build_set, check_set, open_set, verify_set
from solver.face_to_face.tables.building import Estimate, build_tables, estimate
from solver.face_to_face.tables.names import TableName, all_dependencies, tables_up_to
from solver.face_to_face.tables.statistics import facts_of, statistics, text_of
from solver.face_to_face.tables.table import CLASSES, ROWS, SLOTS, counts_of, read_values
from solver.face_to_face.tables.verifying import check_table, open_by_itself, verify_table
from solver.storage.describing import describe_set, set_text
from solver.storage.file import Header, Reader
from solver.storage.sets import SET

TITLE = "The Game: Face to Face"
MOST_CARDS = 10  # of which all tables fit an index in memory
LONGEST = 3  # positions that `describe` names


def names_of(texts: Sequence[str], cards: int | None) -> list[TableName]:
    """The tables that were asked for and all that they need, each after those it needs. Raises `TableNameError`, `UsageError`."""
    if not texts and cards is None:
        raise UsageError("name tables, as in 4v3, or give --cards N for all of at most N cards")
    if cards is not None and not 2 <= cards <= MOST_CARDS:
        raise UsageError(f"--cards is 2..{MOST_CARDS}, not {cards}: larger tables have too many hand patterns to be numbered")
    return all_dependencies(*map(TableName.parse, texts), *(tables_up_to(cards) if cards is not None else ()))


def estimates(names: Sequence[TableName], rules: Rules, by: str | None = None) -> list[Estimate]:
    """What each table will cost, built by 'rows' or 'search'; None for rows."""
    return [estimate(name, rules, by or ROWS) for name in names]


def estimate_text(costs: Sequence[Estimate], workers: int) -> str:
    """A table for people: what each will cost, and all of them with so many workers."""
    rows: list[tuple[object, ...]] = [("table", "slots", "MiB to load", "MiB a worker", "seconds")]
    for cost in costs:
        rows.append((cost.name, f"{cost.slots:,}", f"{cost.bytes / 2**20:,.1f}", f"{cost.worker_bytes / 2**20:,.0f}",
                     f"{cost.seconds / workers:,.1f}"))  # fmt: skip
    whole = [sum(getattr(cost, what) for cost in costs) for what in ("slots", "bytes", "seconds")]
    rows.append(("all", f"{whole[0]:,}", f"{whole[1] / 2**20:,.1f}", "", f"{whole[2] / workers:,.1f}"))
    return table_text(rows) + f"\n\n  in {workers} at a time; on disk about a tenth of what is loaded, or less"


def build(directory: str | Path, names: Sequence[TableName], rules: Rules, *, by: str | None = None, **how: Any) -> list[Header]:
    """Builds the tables that are missing, by 'rows' or 'search'; None for rows."""
    return build_tables(directory, names, rules, by=by or ROWS, **how)



def build_positions(directory: Path, name: str, positions: Sequence[Position], rules: Rules, **how: Any) -> Header:
    """Solves a list of positions into a file, adding to what is there."""
    return build_set(directory, name, pack(positions), rules, **how)


def build_reachable(directory: Path, name: str, root: Position, rules: Rules, **how: Any) -> Header:
    """Not for this game: complete tables hold all that can be reached."""
    raise UsageError(f"{TITLE} has no closures; its complete tables hold all that a position leads to")


def verify(reader: Reader, threads: int | None = None, by: str | None = None, share: float = 1, seed: int = 0) -> list[str]:
    """Finds every entry of a file anew, of a table `by` one of two ways or both, or a share of it; says what was verified."""
    if reader.header.kind == SET:
        return [f"{verify_set(reader)} positions"]
    return [str(one) for one in verify_table(reader, threads, by=by, share=share, seed=seed)]


def check(reader: Reader) -> None:
    """Structure, seal, checksums, digests and counts of a file. Raises a `TableError`."""
    if reader.header.kind == SET:
        check_set(reader)
    else:
        check_table(reader)


def describe(reader: Reader, full: bool = False, threads: int | None = None, progress: bool | None = None) -> dict[str, Any]:
    """What is to be known of a file, for JSON: counts by remoteness, the longest wins with positions, sizes, digests.

    full: the shares of positions too, and how many wins need a helpful card; some minutes, of a table of 7 cards.
    """
    if reader.header.kind == SET:
        return describe_set(open_set(reader).reader)
    reader, name, rules = open_by_itself(reader)
    header = reader.header
    slots = counts_of(header, SLOTS)
    classes = counts_of(header, CLASSES)
    wins = [value for value in (5, 3, 1) if slots[value]]
    longest = wins[0] if wins else None
    return {
        "file": str(reader.path),
        "kind": header.kind,
        "game": header.game,
        "table": header.name,
        "rules": header.rules,
        "classes": sum(classes),
        "by_remoteness": {str(value): count for value, count in enumerate(classes) if count},
        "slots": index_of(name).size,
        "bytes": reader.file_bytes,
        "bits_a_class": round(8 * reader.file_bytes / sum(classes), 5) if sum(classes) else None,
        "longest_win": longest,
        "longest_win_positions": [] if longest is None else [str(one) for one in _examples(reader, name, longest)],
        "digest": header.digest,
        "built_upon": header.dependencies,
        "program": header.program,
        **({"statistics": facts_of(statistics(reader, threads, progress))} if full else {}),
    }


def _examples(reader: Reader, name: TableName, value: int) -> list[Any]:
    found: list[Any] = []
    for slot in _slots_with(reader, value):
        position = representative(name, slot)
        if position is not None:
            found.append(position)
        if len(found) == LONGEST:
            break
    return found


def _slots_with(reader: Reader, value: int) -> Iterator[int]:
    start = 0
    for number in range(reader.header.chunks):
        values = read_values(reader, number, number + 1)
        yield from (start + np.flatnonzero(values == value)).tolist()
        start += len(values)


def describe_text(facts: dict[str, Any]) -> str:
    """`describe` for people."""
    if facts["kind"] == SET:
        return set_text(facts, TITLE, lambda value: f"{'win' if value % 2 else 'loss'} in {value}")
    rows: list[tuple[object, ...]] = [("remoteness", "classes", "share")]
    for value, count in facts["by_remoteness"].items():
        rows.append((f"{'win' if int(value) % 2 else 'loss'} in {value}", f"{count:,}", f"{count / facts['classes']:.4%}"))
    rows.append(("all", f"{facts['classes']:,}", ""))
    reading = "lone card" if facts["rules"]["lone_card"] else "strict"
    lines: list[tuple[object, ...]] = [
        ("table", f"{facts['table']} of The Game: Face to Face, {reading} (F13), complete"),
        ("size", f"{facts['bytes']:,} bytes, {facts['bits_a_class'] or 0:.4f} bits a class"),
        ("digest", facts["digest"]),
        *(("upon", f"{name} {digest}") for name, digest in facts["built_upon"].items()),
        ("program", facts["program"]),
        *(("longest win", f"{facts['longest_win']}: {position}") for position in facts["longest_win_positions"]),
    ]
    more = "\n\n" + text_of(facts["statistics"]) if "statistics" in facts else ""
    return f"{facts['file']}\n{table_text(lines)}\n\n{table_text(rows)}{more}"
