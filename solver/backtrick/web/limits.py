"""The limits of a server, so that no client stalls it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from ipaddress import IPv6Address, IPv6Network

from backtrick.work import available_cores

MOST_POSITIONS = 10_000
SECONDS = 10.0

SPARE_DESCRIPTORS = 64
"""Files and sockets besides the connections: tables, the listening socket, connections that are being closed."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What requests and connections may take.

    seconds:   from the arrival of a request to its answer; what is not solved by then is answered with bounds
    body:      bytes
    positions: in one request

    threads:   requests that are worked on at once
    spare:     more threads, each for an address that has no other
    waiting:   requests that wait for a thread; more are turned away
    a_client:  requests of one address that are worked on or wait; more are turned away
    memory:    MiB of remembered states, of all searches together

    head_seconds:  for the headers of a request to arrive
    body_seconds:  for its body
    idle_seconds:  that a connection may stay open without a request, or with an answer that nobody takes
    connections:   in all; 0 for what the system allows, at most 1,024
    connections_a_client: of one address
    held:      bytes of bodies that arrive and answers that are not taken, of all connections together
    """

    seconds: float = SECONDS
    body: int = 1 << 22
    positions: int = MOST_POSITIONS
    threads: int = 0
    spare: int = 6
    waiting: int = 64
    a_client: int = 24
    memory: int = 256
    head_seconds: float = 10.0
    body_seconds: float = 10.0
    idle_seconds: float = 30.0
    connections: int = 0
    connections_a_client: int = 128
    held: int = 1 << 26

    def __post_init__(self) -> None:
        if not self.threads:
            object.__setattr__(self, "threads", available_cores())
        if not self.connections:
            object.__setattr__(self, "connections", max(min(1024, _descriptors() - SPARE_DESCRIPTORS), 16))

    @property
    def table_mib(self) -> int:
        """The most that one search may have."""
        return self.memory // 2

    def shared(self, workers: int) -> Limits:
        """The limits of one of some processes, which share cores and memory."""
        return replace(
            self, threads=max(self.threads // workers, 1), memory=max(self.memory // workers, 32), held=self.held // workers
        )


def client_of(address: str) -> str:
    """Whom the limits of an address are for: the address, or the network that one IPv6 client has, of 64 bits.

    >>> client_of("192.0.2.7"), client_of("::ffff:192.0.2.7"), client_of("2001:db8:1:2:3:4:5:6"), client_of("fe80::1%eth0")
    ('192.0.2.7', '192.0.2.7', '2001:db8:1:2::/64', 'fe80::/64')
    """
    if ":" not in address:
        return address
    packed = IPv6Address(address.partition("%")[0])
    return str(packed.ipv4_mapped or IPv6Network((packed, 64), strict=False))


def _descriptors() -> int:
    """How many files and sockets this process may have open."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return 512
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
