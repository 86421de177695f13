"""The limits of a server, which keep one client from blocking it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from backtrick.budget import TABLE_MIB
from backtrick.threads import available_cores

SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What requests may take.

    seconds:   from the arrival of a request to its answer; what is not solved by then is answered with bounds
    body:      bytes
    positions: in one request

    threads:   requests that are worked on at once
    spare:     more threads, each for an address that has no other
    waiting:   requests that wait for a thread; more are turned away
    a_client:  requests of one address that are worked on or wait; more are turned away
    memory:    MiB of remembered states, of all searches together

    body_seconds: for the body of a request to arrive
    held:         bytes of bodies in memory, of all requests together
    """

    seconds: float = SECONDS
    body: int = 1 << 22
    positions: int = 10_000
    threads: int = 0
    spare: int = 6
    waiting: int = 64
    a_client: int = 24
    memory: int = 192
    body_seconds: float = 10.0
    held: int = 1 << 26

    def __post_init__(self) -> None:
        if not self.threads:
            object.__setattr__(self, "threads", available_cores())

    @property
    def table_mib(self) -> int:
        """The most that one search may have."""
        return min(self.memory // 2, TABLE_MIB)

    def shared(self, workers: int) -> Limits:
        """The limits of one of some processes, which share cores and memory."""
        return replace(
            self, threads=max(self.threads // workers, 1), memory=max(self.memory // workers, 32), held=self.held // workers
        )
