"""The check of the audit for proofs: what `prove` writes, `scripts/check_proof.py` accepts."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from audit import Found, Mismatch
from backtrick.budget import Budget
from backtrick.errors import NotSolvedError
from backtrick.game import Game
from backtrick.proofs import prove

CHECKER = Path(__file__).parents[2] / "scripts" / "check_proof.py"
LIMITS = Budget(nodes=2_000, seconds=2, table_mib=1)
"""A deal that needs more is passed over."""


def compare_proofs(game: Game[Any, Any, Any], deals: Iterable[tuple[Any, Any]]) -> Found:
    """Proves each deal under its rules, and has the proof checked."""
    spec = importlib.util.spec_from_file_location("check_proof", CHECKER)
    assert spec is not None
    assert spec.loader is not None
    checker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(checker)
    mismatches, passed_over, compared = [], 0, 0
    for place, (deal, rules) in enumerate(deals):
        try:
            lines = list(prove(game, deal, rules, LIMITS))
        except NotSolvedError:
            passed_over += 1
            continue
        compared += 1
        try:
            checker.check(lines)
        except ValueError as problem:
            mismatches.append(Mismatch(place, f"{deal} {rules}", (f"the prover: {lines[1]}", f"the checker: {problem}")))
    return Found(compared, mismatches, passed_over)
