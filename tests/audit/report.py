"""The report of an audit: a JSON file that is always whole. A later run of the same seed and code continues from it."""

from __future__ import annotations

import json
import platform
import subprocess
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

import backtrick
from audit.check import Check, Unit
from backtrick.errors import UsageError
from backtrick.storage.atomic import whole_file

FORMAT = "backtrick audit 1"
PACKAGE = Path(backtrick.__file__).parent


def code_digest(package: Path = PACKAGE) -> str:
    """A digest of every module of the package, compiled ones included. A run continues only from a report of the same code."""
    digest = sha256()
    for path in sorted(package.rglob("*")):
        if path.suffix in (".py", ".so", ".pyd"):
            digest.update(f"{path.relative_to(package)}\0".encode())
            digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def commit() -> str | None:
    """The commit that the package is from, followed by "+" if tracked files have changed since; None if there is no commit."""
    lines = []
    for arguments in (["rev-parse", "--short=12", "HEAD"], ["status", "--porcelain", "--untracked-files=no"]):
        try:
            done = subprocess.run(
                ["git", "-C", str(PACKAGE), *arguments], capture_output=True, text=True, check=True, timeout=10
            )
        except (OSError, subprocess.SubprocessError):
            return None
        lines.append(done.stdout.strip())
    return lines[0] + ("+" if lines[1] else "")


@dataclass
class Tally:
    """What was done of one check: the units, their seconds, and by family how many cases were compared and passed over."""

    says: str
    units: set[int] = field(default_factory=set)
    seconds: float = 0.0
    compared: dict[str, int] = field(default_factory=dict)
    passed_over: dict[str, int] = field(default_factory=dict)

    def add(self, unit: Unit) -> None:
        self.units.add(unit.number)
        self.seconds += unit.seconds
        self.compared[unit.family] = self.compared.get(unit.family, 0) + unit.compared
        if unit.passed_over:
            self.passed_over[unit.family] = self.passed_over.get(unit.family, 0) + unit.passed_over


@dataclass
class Report:
    """What an audit has done so far: a tally for each check by name, and the units with a mismatch.

    A unit with a mismatch does not count as done, so the next run meets it again.
    """

    seed: int
    made_by: dict[str, Any]
    seconds: float = 0.0
    tallies: dict[str, Tally] = field(default_factory=dict)
    differing: list[Unit] = field(default_factory=list)

    @classmethod
    def new(cls, seed: int) -> Report:
        """An empty report, made by the code that is running."""
        made_by = {
            "program": backtrick.__version__,
            "code": code_digest(),
            "commit": commit(),
            "python": platform.python_version(),
            "numpy": np.__version__,
            "machine": platform.machine(),
        }
        return cls(seed, made_by)

    @classmethod
    def load(cls, path: Path) -> Report:
        """The report in a file. Raises `UsageError` if the file holds no report."""
        try:
            record = json.loads(path.read_text())
            if record["format"] != FORMAT:
                raise ValueError
            report = cls(record["seed"], record["made_by"], record["seconds"])
            for name, one in record["checks"].items():
                units = {number for first, last in one["units"] for number in range(first, last + 1)}
                report.tallies[name] = Tally(one["says"], units, one["seconds"], one["compared"], one["passed_over"])
        except OSError as error:
            raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UsageError(f"{path}: not the report of an audit; name another file") from None
        return report

    def tally(self, check: Check) -> Tally:
        """The tally of a check, empty if none of its units was done."""
        return self.tallies.setdefault(check.name, Tally(check.says))

    def add(self, check: Check, unit: Unit) -> None:
        """Counts a finished unit."""
        if unit.mismatches:
            self.differing.append(unit)
        else:
            self.tally(check).add(unit)

    @property
    def compared(self) -> int:
        """The number of comparisons in all."""
        return sum(sum(tally.compared.values()) for tally in self.tallies.values())

    def record(self) -> dict[str, Any]:
        """The report as plain values, for JSON."""
        checks = {
            name: {
                "says": tally.says,
                "units": spans(tally.units),
                "seconds": round(tally.seconds, 3),
                "compared": dict(sorted(tally.compared.items())),
                "passed_over": dict(sorted(tally.passed_over.items())),
            }
            for name, tally in sorted(self.tallies.items())
        }
        mismatches = [
            {
                "check": unit.check,
                "unit": unit.number,
                "family": unit.family,
                "mismatches": unit.mismatches,
                "case": unit.found and unit.found.case,
                "says": unit.found and unit.found.says,
                "smallest": unit.smallest and {"case": unit.smallest.case, "says": unit.smallest.says},
            }
            for unit in self.differing
        ]
        return {
            "format": FORMAT,
            "seed": self.seed,
            "made_by": self.made_by,
            "seconds": round(self.seconds, 3),
            "compared": self.compared,
            "checks": checks,
            "mismatches": mismatches,
        }

    def save(self, path: Path) -> None:
        """Writes the whole file, or leaves the old one as it is. Raises `StorageError`."""
        with whole_file(path) as temporary:
            temporary.write_text(json.dumps(self.record(), indent=1, ensure_ascii=False) + "\n")


def spans(numbers: set[int]) -> list[list[int]]:
    """A set of numbers as spans, each from its first to its last number.

    >>> spans({0, 1, 2, 5, 7, 8})
    [[0, 2], [5, 5], [7, 8]]
    """
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def table(report: Report) -> str:
    """What was compared, one line for each check, for people."""
    width = max(map(len, report.tallies), default=0)
    lines = [f"{'check':<{width}} {'compared':>17} {'units':>8} {'a second a core':>17} {'passed over':>12}"]
    for name, tally in sorted(report.tallies.items()):
        compared = sum(tally.compared.values())
        speed = f"{compared / tally.seconds:,.0f}" if tally.seconds else "-"
        passed_over = sum(tally.passed_over.values())
        lines.append(f"{name:<{width}} {compared:>17,} {len(tally.units):>8,} {speed:>17} {passed_over:>12,}")
    units = sum(len(tally.units) for tally in report.tallies.values())
    return "\n".join([*lines, f"{'all':<{width}} {report.compared:>17,} {units:>8,}"])


def mismatch_text(report: Report, unit: Unit) -> str:
    """A unit with a mismatch, for people: the first case, the smallest one found, and the command that repeats it."""
    first, smallest = unit.found, unit.smallest
    assert first is not None and smallest is not None
    lines = [f"\n{unit.check} differs in {unit.mismatches:,} cases of unit {unit.number} ({unit.family})"]
    for word, mismatch in (("first", first), ("smallest", smallest)):
        lines += [f"{word}: {mismatch.case}", *(f"    {says}" for says in mismatch.says)]
    lines.append(f"again: python scripts/audit.py --seed {report.seed} --check {unit.check} --unit {unit.number}")
    return "\n".join(lines) + "\n"
