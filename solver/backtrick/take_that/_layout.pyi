"""Written by scripts/stubs.py."""

from typing import Any

def look_ups() -> dict[str, Any]: ...
