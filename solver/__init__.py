"""Backtrick: exact endgames of The Game: Face to Face (`solver.face_to_face`) and Take That (`solver.take_that`)."""

from importlib.metadata import PackageNotFoundError, version

from solver.core.errors import BacktrickError

try:
    __version__ = version("backtrick")
except PackageNotFoundError:  # used from a source tree that was not installed
    __version__ = "0+source"

__all__ = ["BacktrickError", "__version__"]
