"""The description of the API, OpenAPI 3.1."""

from __future__ import annotations

from typing import Any

from solver.web.limits import Limits


def description(limits: Limits) -> dict[str, Any]:
    """The description, as a record."""
    return {"openapi": "3.1.0", "info": {"title": "Backtrick", "version": "1"}, "paths": {}}
