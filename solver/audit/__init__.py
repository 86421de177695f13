"""The audit: answers held against each other by the million, in several independent ways. Blind to the game.

    check.py    what a check is; a unit of one; a counter-example made small
    report.py   what was compared, in a file that a later run goes on from
    running.py  units handed to all cores until the time is over

A game brings its checks: `CHECKS` in `solver/GAME/audit/checks.py`. docs/audit.md says what they are.
"""

from solver.audit.check import Batch, Check, Found, Mismatch, Unit, held, run_unit
from solver.audit.report import Report
from solver.audit.running import audit, repeat

__all__ = ["Batch", "Check", "Found", "Mismatch", "Report", "Unit", "audit", "held", "repeat", "run_unit"]
