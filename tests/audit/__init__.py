"""The audit: answers compared with each other by the million, in several independent ways. Blind to the game.

    check.py    a check, a unit of it, and how a mismatch is made small
    proofs.py   the check of proofs of both games, texts.py that of notation
    report.py   what was compared, in a file from which a later run continues
    running.py  units on all cores until the time is over

Each game has its checks, `CHECKS` in `tests/audit/GAME/checks.py`. docs/correctness.md says what they compare.
"""

from audit.check import Batch, Check, Found, Mismatch, Unit, held, run_unit
from audit.report import Report
from audit.running import audit, repeat

__all__ = ["Batch", "Check", "Found", "Mismatch", "Report", "Unit", "audit", "held", "repeat", "run_unit"]
