"""pytest verifies solved positions: files of them are collected as tests, and agents are held to exact play (docs/pytest.md).

>>> from backtrick.testing import assert_optimal
>>> assert_optimal("52^6v:16,18,19,57 53^15v:4,7,29,44", "16v 18v'")
"""

from backtrick.testing.assertions import assert_optimal, assert_value

__all__ = ["assert_optimal", "assert_value"]
