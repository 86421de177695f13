"""The limits of a server, so that nobody stalls it."""

from __future__ import annotations

from dataclasses import dataclass

from backtrick.work import available_cores

MOST_POSITIONS = 10_000
SECONDS = 10.0
MOST_HEADERS = 1 << 16
"""Bytes before the body of a request."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a request may take.

    seconds:   from its arrival to its answer; what is not solved by then is answered with bounds
    table_mib: of remembered states, a search
    body:      bytes
    positions: in one request
    workers:   requests that are worked on at once, each in a thread
    waiting:   requests that wait for a thread; more are turned away
    a_client:  requests of one address that are worked on or wait; more are turned away
    """

    seconds: float = SECONDS
    table_mib: int = 256
    body: int = 1 << 22
    positions: int = MOST_POSITIONS
    workers: int = 0
    waiting: int = 32
    a_client: int = 24

    def __post_init__(self) -> None:
        if not self.workers:
            object.__setattr__(self, "workers", available_cores())
