"""Compares answers by the million, in several independent ways (docs/correctness.md)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill

# Where the audit lies, and what it uses; worker processes inherit it.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from audit import Check, audit, repeat
from audit.face_to_face.checks import CHECKS as FACE_TO_FACE
from audit.report import mismatch_text, table
from audit.take_that.checks import CHECKS as TAKE_THAT
from backtrick.errors import BacktrickError, UsageError
from backtrick.signals import INTERRUPTED, tidy_on_sigterm

CHECKS = {check.name: check for check in (*FACE_TO_FACE, *TAKE_THAT)}
DIFFERS = 3

EXAMPLES = """examples:
  python scripts/audit.py --minutes 10                       all checks, on all cores
  python scripts/audit.py --minutes 60 --report audit.json   keep what was done, and continue from it next time
  python scripts/audit.py --game take-that --minutes 5       one game
  python scripts/audit.py --check mirror --minutes 1         one check of every game
  python scripts/audit.py --check face-to-face/mirror --unit 12 --seed 7   one unit again, alone

exit codes: 0 nothing differs, 2 bad usage, 3 something differs, 130 and 143 stopped (what was done is in the report)"""


def main(arguments: Sequence[str] | None = None, checks: dict[str, Check] = CHECKS) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60, metavar="M", help="how long this run takes (default: %(default)s)")
    parser.add_argument("--units", type=int, metavar="N", help="at most N units, for a run that is the same everywhere")
    parser.add_argument("--seed", type=int, metavar="S", help="of all drawing, 0 or more (default: the report's, or 1)")
    parser.add_argument("--report", type=Path, metavar="FILE", help="a JSON file to continue from, kept up to date during the run")
    parser.add_argument("--game", choices=sorted({name.split("/")[0] for name in checks}), help="only the checks of this game")
    parser.add_argument("--check", action="append", metavar="NAME", help="only this check; may be given again; names: --list")
    parser.add_argument("--unit", type=int, metavar="N", help="only this unit of the one check that is named, 0 or more")
    parser.add_argument("--processes", type=int, metavar="N", help="worker processes (default: one per core; 0: none but this)")
    parser.add_argument("--list", action="store_true", help="name the checks and say what each compares")
    options = parser.parse_args(arguments)
    try:
        with tidy_on_sigterm():
            return run(options, checks)
    except BacktrickError as error:
        print(f"audit: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED


def run(options: argparse.Namespace, checks: dict[str, Check]) -> int:
    chosen = choose(options, checks)
    if options.list:
        for check in chosen:
            print(f"{check.name}\n{fill(check.says, 100, initial_indent='    ', subsequent_indent='    ')}")
        return 0
    if options.unit is not None:
        if len(chosen) != 1:
            raise UsageError("--unit is of one check: name it with --check")
        report = repeat(chosen[0], options.unit, 1 if options.seed is None else options.seed)
    else:
        report = audit(chosen, seconds=60 * options.minutes, seed=options.seed, path=options.report,
                       processes=options.processes, units=options.units)  # fmt: skip
    print(table(report))
    for unit in report.differing:
        print(mismatch_text(report, unit))
    count = len(report.differing)
    print(f"{count} unit{'s differ' if count > 1 else ' differs'}" if count else "nothing differs")
    return DIFFERS if report.differing else 0


def choose(options: argparse.Namespace, checks: dict[str, Check]) -> list[Check]:
    """The checks that were asked for. Raises `UsageError` for an unknown name, and for numbers that are out of range."""
    for name, least in (("seed", 0), ("unit", 0), ("units", 0), ("processes", 0), ("minutes", 0)):
        given = getattr(options, name)
        if given is not None and not given >= least:
            raise UsageError(f"--{name} is {least} or more, not {given}")
    asked = [check for check in checks.values() if options.game in (None, check.name.split("/")[0])]
    if options.check is None:
        return asked
    for name in options.check:
        if not any(name in (check.name, check.name.split("/")[1]) for check in asked):
            raise UsageError(f"there is no check {name!r} (try: --list)")
    return [check for check in asked if {check.name, check.name.split("/")[1]} & set(options.check)]


if __name__ == "__main__":
    sys.exit(main())
