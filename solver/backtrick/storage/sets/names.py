"""The names of solved sets and closures, and of their files."""

from __future__ import annotations

import re
from pathlib import Path

from backtrick.errors import UsageError
from backtrick.storage.file import SUFFIX

SET, CLOSURE = "set", "closure"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def is_name(name: str) -> bool:
    """True if a set or closure may have this name."""
    return _NAME.fullmatch(name) is not None


def path_of(directory: str | Path, name: str, kind: str = SET) -> Path:
    """The file of a set or closure. Raises `UsageError` if the name cannot be part of a file's.

    >>> path_of("tablebases", "endgames").name
    'endgames.set.h5'
    """
    if not is_name(name):
        raise UsageError(f"{name[:80]!r} is no name for a {kind}: letters, digits and . _ -, at most 64, not . _ - first")
    return Path(directory) / f"{name}.{kind}{SUFFIX}"


def name_of(path: Path) -> tuple[str, str] | None:
    """The name and kind that a file's name gives; None if it is not the file name of a set or closure.

    >>> name_of(Path("endgames.set.h5")), name_of(Path("4v3.h5"))
    (('endgames', 'set'), None)
    """
    for kind in (SET, CLOSURE):
        ending = f".{kind}{SUFFIX}"
        if path.name.endswith(ending) and is_name(path.name[: -len(ending)]):
            return path.name[: -len(ending)], kind
    return None
