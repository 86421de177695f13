"""What the command line does with this game's files; the contract is `solver.games.Files`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from solver.core.errors import UsageError
from solver.storage.describing import describe_set, set_text
from solver.storage.file import Header, Reader
from solver.take_that.closures import build_closure
from solver.take_that.options import Rules
from solver.take_that.position import Position, pack
from solver.take_that.sets import build_set, check_set, open_set, verify_set

TITLE = "Take That"


def names_of(texts: Sequence[str], cards: int | None) -> list[Any]:
    """There is no table of all positions: a line of cards in any order has far too many."""
    raise UsageError("Take That has no complete tables; give --positions FILE for a solved set, or --closure POSITION")


def build_positions(directory: Path, name: str, positions: Sequence[Position], rules: Rules, **how: Any) -> Header:
    """Solves a list of positions into a file, adding to what is there."""
    return build_set(directory, name, pack(positions), rules, **how)


def build_reachable(directory: Path, name: str, root: Position, rules: Rules, **how: Any) -> Header:
    """All that can be reached from a position, each with its value, in a file."""
    return build_closure(directory, name, root, rules, **how)


def verify(reader: Reader, threads: int | None = None, by: str | None = None, share: float = 1, seed: int = 0) -> list[str]:
    """Finds every entry of a file anew; says what was verified. by, share, seed: of complete tables, and this game has none."""
    return [f"{verify_set(reader)} positions"]


def check(reader: Reader) -> None:
    """Structure, seal, checksums, digests, order and counts of a file. Raises a `TableError`."""
    check_set(reader)


def describe(reader: Reader, full: bool = False, threads: int | None = None) -> dict[str, Any]:
    """What is to be known of a file, for JSON. There is no more to a set than that."""
    return describe_set(open_set(reader).reader)


def describe_text(facts: dict[str, Any]) -> str:
    """`describe` for people."""
    return set_text(facts, TITLE, lambda points: f"{points:+}")
