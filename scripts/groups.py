"""The requirements of dependency groups of pyproject.toml, one a line, for any pip: `pip install --group` needs version 25.1.

    python scripts/groups.py lint docs | python -m pip install --requirement /dev/stdin

It needs Python 3.11, or 3.10 with pip. `build` names what compiles the package, and `product` what it
needs to run. Free-threaded Python gets no OpenSpiel, which has no wheel for it; no marker in pyproject.toml can say so.
"""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import Any

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    from pip._vendor import tomli as tomllib

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def requirements(names: Iterable[str]) -> list[str]:
    """The requirements of groups, each once. Exits with a sentence if there is no such group."""
    project: dict[str, Any] = tomllib.loads(PROJECT.read_text("utf-8"))
    made = {"build": project["build-system"]["requires"], "product": project["project"]["dependencies"]}
    groups = {**project["dependency-groups"], **made}
    found: list[str] = []
    for name in names:
        if name not in groups:
            sys.exit(f"there is no dependency group {name!r}; there are {', '.join(sorted(groups))}")
        for one in groups[name]:
            found += [one] if isinstance(one, str) else requirements([one["include-group"]])
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        found = [one for one in found if not one.startswith("open_spiel")]
    return list(dict.fromkeys(found))


if __name__ == "__main__":
    print("\n".join(requirements(sys.argv[1:])))
