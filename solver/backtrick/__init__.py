"""Backtrick: exact endgames of The Game: Face to Face (`backtrick.face_to_face`) and Take That (`backtrick.take_that`)."""

from backtrick.errors import BacktrickError

__version__: str
"""The version that is installed; `0+source` in a source tree that is not."""
__all__ = ["BacktrickError", "__version__"]


def __getattr__(name: str) -> str:
    if name != "__version__":
        raise AttributeError(f"module 'backtrick' has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version  # slow to import, and seldom needed

    try:
        return version("backtrick")
    except PackageNotFoundError:  # used from a source tree that was not installed
        return "0+source"
