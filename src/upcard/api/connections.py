"""Counts open connections, and closes waiting ones of strangers when there are too many. It knows no protocol.

A connection is a stranger's until a valid session was used on it. Strangers share a part of all connections, and each
address has a part of that. A newcomer beyond it takes the place of the connection that has waited longest (idle, or
with a request that is only half sent), so a new sign-in succeeds while thousands of slow clients hold on. Connections
of people who are signed in are never closed for a newcomer.
"""

import ipaddress
import resource
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import structlog

from upcard.api.metrics import CONNECTIONS_CLOSED
from upcard.people.network import address_of

_log = structlog.get_logger("upcard.connections")

FILES_WANTED = 65_536  # open files, if the machine allows as many
FILES_OF_THE_BOOK = 400  # files that are not connections: the database, its log, workers
CONNECTION = "connection"  # where the application finds its connection, in the scope's state
PLACE_NEEDED = "place needed"  # why a waiting connection was closed
LOG_SECONDS = 10.0  # between two lines about connections that were closed
PER_PERSON = 32  # connections of one person that count as theirs


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """How many connections there may be."""

    all: int
    reserved: int  # of these, only for people who are signed in
    per_address: int  # of strangers; an IPv6 /64 is one address
    proxies: tuple[str, ...] = ()  # addresses or networks that speak for many clients, and have no limit of their own


@dataclass(eq=False, slots=True)
class Connection:
    """One open connection."""

    all: "Connections"
    address: str
    close: Callable[[], None]
    is_proxy: bool = False
    person: str = ""  # who used a valid session on it; set from any thread
    known: bool = False  # counted as that person's
    busy: bool = False  # a whole request arrived, and is being answered


@dataclass
class Connections:
    """All open connections of a process. Used on the event loop only."""

    limits: ConnectionLimits
    open: set[Connection] = field(default_factory=set)
    strangers: dict[Connection, None] = field(default_factory=dict)  # the one that has waited longest first
    by_address: dict[str, dict[Connection, None]] = field(default_factory=dict)  # strangers
    by_person: dict[str, int] = field(default_factory=dict)
    closed: Counter[str] = field(default_factory=Counter)  # by reason, since the last line in the log

    def __post_init__(self) -> None:
        self._next_line = 0.0
        self._proxies = [ipaddress.ip_network(proxy, strict=False) for proxy in _readable(self.limits.proxies)]
        self._all_are_proxies = "*" in self.limits.proxies

    def admit(self, source: str, close: Callable[[], None]) -> Connection | None:
        """A new connection; None: it must be refused, because every place is taken by somebody who may stay."""
        connection = Connection(self, address_of(source), close, self._is_proxy(source))
        limits = self.limits
        of_address = self.by_address.get(connection.address, {})
        if not connection.is_proxy:
            if len(of_address) >= limits.per_address and not self._close_longest_waiting(of_address):
                return None
            if len(self.strangers) >= limits.all - limits.reserved and not self._close_longest_waiting(self.strangers):
                return None
        if len(self.open) >= limits.all and not self._close_longest_waiting(self.strangers):
            return None
        self.open.add(connection)
        if not connection.is_proxy:
            self._add_stranger(connection)
        return connection

    def remove(self, connection: Connection) -> None:
        """Forgets a closed connection."""
        if connection not in self.open:
            return
        self.open.discard(connection)
        self._remove_stranger(connection)
        if connection.known:
            self.by_person[connection.person] -= 1
            if not self.by_person[connection.person]:
                del self.by_person[connection.person]

    def request_arrived(self, connection: Connection) -> None:
        connection.busy = True

    def answered(self, connection: Connection) -> None:
        """After an answer: it waits again, as the last in the row, or belongs to somebody who has signed in."""
        connection.busy = False
        if connection.person:
            self.signed_in(connection)
        if connection in self.strangers:
            self._remove_stranger(connection)
            self._add_stranger(connection)

    def signed_in(self, connection: Connection) -> None:
        """A connection on which a valid session was used is no stranger's, up to a number per person."""
        name = connection.person
        if connection.known or connection not in self.open or self.by_person.get(name, 0) >= PER_PERSON:
            return
        connection.known = True
        self.by_person[name] = self.by_person.get(name, 0) + 1
        self._remove_stranger(connection)

    def _is_proxy(self, source: str) -> bool:
        if self._all_are_proxies:
            return True
        if not self._proxies:
            return False
        try:
            address = ipaddress.ip_address(source)
        except ValueError:
            return False
        return any(address in network for network in self._proxies)

    def _close_longest_waiting(self, candidates: dict[Connection, None]) -> bool:
        waiting = next((connection for connection in candidates if not connection.busy), None)
        if waiting is None:
            return False
        self.remove(waiting)
        self.note_closed(PLACE_NEEDED, waiting.address)
        waiting.close()
        return True

    def note_closed(self, why: str, address: str) -> None:
        """Counts a connection that the server ended; the log gets a line now and then, not one for each."""
        CONNECTIONS_CLOSED.labels(why).inc()
        self.closed[why] += 1
        now = time.monotonic()
        if now >= self._next_line:
            self._next_line = now + LOG_SECONDS
            _log.info("connections closed", last_address=address, reasons=dict(self.closed))
            self.closed.clear()

    def _add_stranger(self, connection: Connection) -> None:
        self.strangers[connection] = None
        self.by_address.setdefault(connection.address, {})[connection] = None

    def _remove_stranger(self, connection: Connection) -> None:
        self.strangers.pop(connection, None)
        of_address = self.by_address.get(connection.address)
        if of_address is not None:
            of_address.pop(connection, None)
            if not of_address:
                del self.by_address[connection.address]


def _readable(proxies: Sequence[str]) -> list[str]:
    """The proxies that are addresses or networks; uvicorn also accepts other names for them."""
    readable = []
    for proxy in proxies:
        try:
            ipaddress.ip_network(proxy, strict=False)
        except ValueError:
            continue
        readable.append(proxy)
    return readable


def raise_file_limit() -> int:
    """Raises the soft limit of open files as far as the machine allows, and returns it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = FILES_WANTED if hard == resource.RLIM_INFINITY else min(hard, FILES_WANTED)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        return most
    return FILES_WANTED if soft == resource.RLIM_INFINITY else soft


def limits_for(files: int, wanted: ConnectionLimits, backlog: int) -> ConnectionLimits:
    """The limits wanted, or smaller ones if the process may not open as many files. Newcomers take a file each before
    they are counted, so a whole backlog of them must fit too."""
    most = max(16, min(wanted.all, files - FILES_OF_THE_BOOK - backlog))
    reserved = min(wanted.reserved, most // 2)
    return ConnectionLimits(all=most, reserved=reserved, per_address=wanted.per_address, proxies=wanted.proxies)
