"""Names that are imported when they are first asked for, so that a start costs only what it uses."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from opcode import opmap
from types import FrameType, FunctionType, MethodType
from typing import Any


def imported(module: str, name: str, **given: Any) -> Callable[..., Any]:
    """A function of a module, which is imported when it is called. given: arguments that are always the same.

    >>> imported("math", "comb")(5, 2)
    10
    """

    def call(*arguments: Any, **more: Any) -> Any:
        return getattr(import_module(module), name)(*arguments, **given, **more)

    return call


def _imports_from(frame: FrameType | None) -> bool:
    """True if a name is read by `from package import name`, as seen from the function that asks for it. Python would put a sentence
    of its own in place of an AttributeError."""
    while frame is not None and frame.f_code.co_name == "__getattr__":
        frame = frame.f_back
    return frame is not None and frame.f_code.co_code[frame.f_lasti] == opmap["IMPORT_FROM"]


def public_names(
    package: str, homes: Mapping[str, Sequence[str] | None]
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """`__all__`, `__getattr__` and `__dir__` of a package whose public names are imported when they are first read, as are its
    modules. Its functions refuse what cannot be meant (arguments.py).

    homes: the names that come from each module; None for a module of the package that is shown too

    >>> names, get, _ = public_names("backtrick", {"math": ["comb"]})
    >>> names, get("comb")(5, 2)
    (['comb'], 10)
    >>> get("cmob")
    Traceback (most recent call last):
    AttributeError: module 'backtrick' has no attribute 'cmob'
    """
    module_of = {name: module for module, names in homes.items() for name in names or ()}
    shown = sorted([*module_of, *(module.rpartition(".")[2] for module, names in homes.items() if names is None)])

    def get(name: str) -> Any:
        if name not in module_of:
            if not name.startswith("_") and find_spec(f"{package}.{name}"):
                return import_module(f"{package}.{name}")
            from backtrick.names.other_names import missing

            error = missing(f"module {package!r}", name, import_module(package))
            raise ImportError(str(error)) if _imports_from(sys._getframe(1)) else error
        found = getattr(import_module(module_of[name]), name)
        if isinstance(found, (FunctionType, MethodType)):
            from backtrick.arguments import checked

            found = checked(found, package, name)
        vars(import_module(package))[name] = found
        return found

    return sorted(module_of), get, lambda: shown
