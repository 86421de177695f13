"""What is to be known of a solved set or closure, for JSON and for people. Blind to the game."""

from __future__ import annotations

from typing import Any

from solver.core.columns import table_text
from solver.storage.file import Reader


def describe_set(reader: Reader) -> dict[str, Any]:
    """What the header of a set says, for JSON; `by_value` counts positions, one for each class."""
    header = reader.header
    return {
        "file": str(reader.path),
        "kind": header.kind,
        "game": header.game,
        "name": header.name,
        "rules": header.rules,
        "positions": header.length,
        "by_value": dict(sorted(header.counts.items(), key=lambda item: int(item[0]))),
        **({"root": header.scheme["root"]} if "root" in header.scheme else {}),
        "bytes": reader.file_bytes,
        "digest": header.digest,
        "program": header.program,
    }


def set_text(facts: dict[str, Any], title: str, value_text: Any) -> str:
    """`describe_set` for people; `value_text` says a value in the game's words."""
    rows: list[tuple[object, ...]] = [("value", "positions", "share")]
    for value, count in facts["by_value"].items():
        rows.append((value_text(int(value)), f"{count:,}", f"{count / facts['positions']:.2%}"))
    rows.append(("all", f"{facts['positions']:,}", ""))
    rules = ", ".join(f"{name} {value}" for name, value in facts["rules"].items())
    lines = [
        (facts["kind"], f"{facts['name']} of {title}, {rules}"),
        *([("root", facts["root"])] if "root" in facts else []),
        ("size", f"{facts['bytes']:,} bytes"),
        ("digest", facts["digest"]),
        ("program", facts["program"]),
    ]
    return f"{facts['file']}\n{table_text(lines)}\n\n{table_text(rows)}"
