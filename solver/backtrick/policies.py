"""Policies by name, and who sits where when two of them play many games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np

from backtrick.errors import ArgumentError

V = TypeVar("V")
T = TypeVar("T")


class Policies(dict[str, Callable[[V], T]], Generic[V, T]):
    """The policies of a game by name. A policy maps what a player may see to a turn. Kernels know a policy by its place.

    >>> policies = Policies({"low": min, "high": max})
    >>> policies.named("high")([1, 2])
    2
    """

    def named(self, name: str) -> Callable[[V], T]:
        """The policy of a name. Raises `ArgumentError`."""
        if name not in self:
            raise ArgumentError(f"no policy is called {name!r}; there are {', '.join(self)}")
        return self[name]

    def seats(self, names: tuple[str, str], start: int, stop: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Who sits where in games start..stop-1: the places of the policies, uint8, shape (stop - start, 2).

        The policies change seats: in odd games the second one begins. Raises `ArgumentError` if there is no such policy.

        >>> Policies({"low": min, "high": max}).seats(("low", "high"), 0, 3).tolist()
        [[0, 1], [1, 0], [0, 1]]
        """
        for name in names:
            self.named(name)
        first, second = (list(self).index(name) for name in names)
        seats = np.empty((stop - start, 2), np.uint8)
        odd = np.arange(start, stop) % 2
        seats[:, 0], seats[:, 1] = np.where(odd, second, first), np.where(odd, first, second)
        return seats
