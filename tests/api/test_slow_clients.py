"""Slow, silent and numerous clients are closed in time, and whoever is signed in or signs in gets through."""

import resource
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from api.house import PASSWORD, House, receive, running_house, send

from upcard.api.connections import (
    FILES_OF_THE_BOOK,
    PLACE_NEEDED,
    Connection,
    ConnectionLimits,
    Connections,
    limits_for,
    raise_file_limit,
)
from upcard.api.metrics import CONNECTIONS_CLOSED
from upcard.cli.commands.serve_run import uvicorn_config

HALF_A_REQUEST = b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
LONG = 30  # seconds within which what must happen soon happens, on a busy machine


@contextmanager
def connection_to(house: House, *first: bytes) -> Iterator[socket.socket]:
    port = int(house.address.rpartition(":")[2])
    with closing(socket.create_connection(("127.0.0.1", port), timeout=LONG)) as opened:
        for part in first:
            opened.sendall(part)
        yield opened


def is_closed_by_server(connection: socket.socket) -> bool:
    """Waits until the server ends it; False: it stayed open."""
    try:
        while connection.recv(65_536):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house that waits half a second for everything."""
    with running_house(
        tmp_path_factory.mktemp("impatient"), header_seconds=0.5, body_seconds=0.5, read_seconds=0.5, idle_seconds=1
    ) as house:
        yield house


# --- time ---------------------------------------------------------------------------------------------------------


def test_a_client_that_says_nothing_is_closed(impatient: House) -> None:
    with connection_to(impatient) as silent:
        assert is_closed_by_server(silent)


def test_a_half_sent_request_is_closed_however_steadily_it_drips(impatient: House) -> None:
    with connection_to(impatient, HALF_A_REQUEST) as slow:
        slow.settimeout(0.1)
        until = time.monotonic() + LONG
        while time.monotonic() < until:
            try:
                slow.sendall(b"x")
                if not slow.recv(100):
                    return
            except TimeoutError:
                continue
            except ConnectionError:
                return
        raise AssertionError("it was never closed")


def test_empty_lines_between_requests_do_not_keep_a_connection_open(impatient: House) -> None:
    with connection_to(impatient, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") as slow:
        assert slow.recv(100).startswith(b"HTTP/1.1 200")
        slow.sendall(b"\r\n")
        assert is_closed_by_server(slow)


def test_a_half_sent_body_is_closed(impatient: House) -> None:
    head = (
        b"POST /api/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n"
    )
    with connection_to(impatient, head, b'{"name": ') as slow:
        assert is_closed_by_server(slow)


def test_an_idle_connection_is_closed_after_its_last_answer(impatient: House) -> None:
    with connection_to(impatient, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") as idle:
        assert idle.recv(100).startswith(b"HTTP/1.1 200")
        assert is_closed_by_server(idle)


def test_a_client_that_does_not_read_is_closed(impatient: House) -> None:
    impatient.narrow()
    request = b"GET /api/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with closing(socket.socket()) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.settimeout(LONG)
        deaf.connect(("127.0.0.1", int(impatient.address.rpartition(":")[2])))
        deaf.sendall(request * 20)
        connections, until = _connections_of(impatient), time.monotonic() + LONG
        while not (busy := [connection for connection in tuple(connections.open) if connection.busy]):
            assert time.monotonic() < until, "it never came"
            time.sleep(0.001)
        while busy[0] in connections.open:
            assert time.monotonic() < until, "it was never closed"
            time.sleep(0.02)


def test_endless_headers_are_refused(impatient: House) -> None:
    with connection_to(impatient, HALF_A_REQUEST) as endless:
        try:
            for _ in range(40):
                endless.sendall(b"a" * 10_000)
        except ConnectionError:
            return
        assert is_closed_by_server(endless)


def test_a_slow_but_honest_request_is_answered(impatient: House) -> None:
    with connection_to(impatient, b"GET /healthz HTTP/1.1\r\n", b"Host: 127.0.0.1\r\n") as honest:
        honest.sendall(b"\r\n")
        assert honest.recv(100).startswith(b"HTTP/1.1 200")


def test_a_socket_outlives_the_limits_for_requests(impatient: House) -> None:
    player = impatient.player()
    with player.socket() as opened:
        time.sleep(1.5)  # longer than any limit of this house
        send(opened, {"type": "ping"})
        assert receive(opened, "pong")["type"] == "pong"


# --- numbers ------------------------------------------------------------------------------------------------------


def _connections_of(house: House) -> Connections:
    connections: Connections = house._uvicorn.config.http_protocol_class.args[0]  # type: ignore[attr-defined]
    return connections


def test_thousands_of_half_sent_requests_block_nobody(tmp_path: Path) -> None:
    """4,100 of them used to block everybody: signed-in people, people who sign in, and sockets."""
    with running_house(tmp_path, connections=60, connections_reserved=20, connections_per_address=30) as house:
        player, closed = house.player(), CONNECTIONS_CLOSED.labels(PLACE_NEEDED)._value.get()
        with player.socket() as opened, ExitStack() as slow:
            for _ in range(300):
                slow.enter_context(connection_to(house, HALF_A_REQUEST))
            send(opened, {"type": "ping"})
            assert receive(opened, "pong", seconds=LONG)["type"] == "pong"
            assert player.get("/api/me").status_code == 200
            answer = house.nobody().post("/api/sign-in", json={"name": player.name, "password": PASSWORD})
            assert answer.status_code == 200
            connections = _connections_of(house)
            assert len(connections.strangers) <= 30
            assert CONNECTIONS_CLOSED.labels(PLACE_NEEDED)._value.get() >= closed + 200


def test_a_flood_of_requests_does_not_stop_who_is_signed_in_behind_the_same_address(tmp_path: Path) -> None:
    with running_house(tmp_path, requests_per_minute=60) as house:
        player = house.player()
        assert player.get("/api/me").status_code == 200
        nobody = house.nobody()
        assert {nobody.get("/api/games").status_code for _ in range(60)} == {200, 429}
        assert player.get("/api/me").status_code == 200
        mine = {player.get("/api/me").status_code for _ in range(60)}
        assert mine == {200, 429}  # a limit of their own


def connections_of(all_: int, reserved: int, per_address: int, *proxies: str) -> Connections:
    return Connections(ConnectionLimits(all=all_, reserved=reserved, per_address=per_address, proxies=proxies))


def opened(connections: Connections, source: str, closed: list[str], name: str = "") -> Connection:
    connection = connections.admit(source, lambda: closed.append(name or source))
    assert connection is not None
    return connection


def test_a_newcomer_takes_the_place_of_who_has_waited_longest() -> None:
    connections, closed = connections_of(10, 4, 3), list[str]()
    first, _, _ = (opened(connections, "192.0.2.1", closed, name) for name in ("first", "second", "third"))
    connections.request_arrived(first)  # who is being answered is not closed
    opened(connections, "192.0.2.1", closed, "fourth")
    assert closed == ["second"]
    connections.answered(first)
    opened(connections, "192.0.2.1", closed, "fifth")
    assert closed == ["second", "third"]


def test_places_are_reserved_for_people_who_are_signed_in() -> None:
    connections, closed = connections_of(10, 4, 100), list[str]()
    for number in range(4):
        connection = opened(connections, "192.0.2.1", closed, f"Ann {number}")
        connection.person = "Ann"
        connections.answered(connection)
    for number in range(50):
        opened(connections, f"198.51.100.{number}", closed)
    assert not any(name.startswith("Ann") for name in closed)
    assert (len(connections.open), len(connections.strangers)) == (10, 6)


def test_one_person_cannot_take_every_place() -> None:
    connections, closed = connections_of(100, 50, 100), list[str]()
    for _ in range(200):
        connection = opened(connections, "192.0.2.1", closed)
        connection.person = "Ann"
        connections.answered(connection)
    assert connections.by_person == {"Ann": 32}
    assert len(connections.strangers) == 50


def test_an_ipv6_network_is_one_address_and_a_proxy_none() -> None:
    connections, closed = connections_of(100, 50, 2, "10.0.0.0/8"), list[str]()
    for number in range(5):
        opened(connections, f"2001:db8::{number}", closed)
        opened(connections, f"10.0.0.{number}", closed)
    assert closed == ["2001:db8::0", "2001:db8::1", "2001:db8::2"]


def test_a_closed_connection_leaves_nothing_behind() -> None:
    connections, closed = connections_of(10, 4, 3), list[str]()
    for name in ("", "Ann"):
        connection = opened(connections, "192.0.2.1", closed)
        connection.person = name
        connections.answered(connection)
        connections.remove(connection)
        connections.remove(connection)
    assert (connections.open, connections.strangers, connections.by_address, connections.by_person) == (
        set(),
        {},
        {},
        {},
    )


# --- files --------------------------------------------------------------------------------------------------------


def test_the_service_raises_its_limit_of_open_files(impatient: House) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1000, hard))
    try:
        uvicorn_config(impatient.settings, impatient.app)
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (min(hard, 65_536), hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_connections_leave_files_for_the_book() -> None:
    wanted = ConnectionLimits(all=4000, reserved=1000, per_address=64)
    limits = limits_for(1024, wanted, 128)
    assert limits.all + 128 + FILES_OF_THE_BOOK <= 1024
    assert limits.reserved < limits.all
    assert limits_for(65_536, wanted, 512) == wanted
    assert raise_file_limit() == raise_file_limit()
