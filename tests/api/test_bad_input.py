"""Whatever is sent, one shape comes back: no traceback, nothing that grows, and the others play on (S10, S12)."""

import json
import socket as sockets
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import sqlalchemy as sa
from api.house import TABLE, ApiUser, House, close_code, receive, running_house, send
from sqlalchemy.exc import SQLAlchemyError
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed

from upcard.api.middleware import HEADERS, HSTS, MAX_BODY_BYTES
from upcard.api.problems import problem_of
from upcard.api.socket import MAX_PROBLEMS, Socket
from upcard.cli.commands.serve_run import uvicorn_config
from upcard.people import Role
from upcard.service.refusals import StoreFailed

DEEP = "[" * 3_000 + "]" * 3_000
BODIES = {
    "malformed": b"{",
    "nothing": b"",
    "deep": DEEP.encode(),
    "deep object": b'{"a":' * 3_000 + b"1" + b"}" * 3_000,
    "long number": b'{"amount": ' + b"9" * 5_000 + b"}",
    "huge number": b'{"player": "Ann", "spot": 1e999}',
    "not a number": b'{"player": "Ann", "spot": NaN}',
    "surrogate": b'{"player": "\\ud800", "spot": 1}',
    "surrogate key": b'{"player": "Ann", "spot": 1, "\\ud800": 1}',
    "not utf-8": b'{"player": "\xff\xfe", "spot": 1}',
    "nul": b'{"player": "A\\u0000nn", "spot": 1}',
    "unknown field": b'{"player": "Ann", "spot": 1, "admin": true}',
    "wrong shape": b'[{"player": "Ann"}]',
    "a word": b'"hello"',
}


@pytest.fixture(scope="module")
def player(house: House) -> ApiUser:
    return house.player(name="Ann")


def is_problem(answer: httpx.Response) -> dict[str, Any]:
    assert answer.headers["Content-Type"] == "application/problem+json", answer.text
    reply: dict[str, Any] = answer.json()
    assert reply["status"] == answer.status_code
    for word in ("Traceback", "File ", "site-packages", "sqlalchemy", "pydantic", "Error("):
        assert word not in answer.text
    return reply


# --- over HTTP ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BODIES)
def test_an_invalid_body_is_refused_with_a_sentence(player: ApiUser, name: str) -> None:
    for path in (f"/api/tables/{TABLE}/seat", "/api/sign-in"):
        headers = {"Content-Type": "application/json", "Idempotency-Key": f"bad-{name.replace(' ', '-')}"}
        answer = player.http.post(path, content=BODIES[name], headers=headers)
        assert answer.status_code in (400, 422), answer.text
        assert is_problem(answer)["reason"] == "UNREADABLE"


ODD: tuple[object, ...] = (
    5,
    None,
    True,
    1.5,
    [1],
    [],
    "",
    "Ante",
    [["Ante", 500]],
    {"Ante": -1},
    {"Ante": "5"},
    {"": 5},
)


@pytest.mark.parametrize("amounts", ODD)
def test_a_bad_amount_is_refused_over_http_and_over_a_socket(player: ApiUser, amounts: object) -> None:
    problem = is_problem(player.say(TABLE, "double", spot=1, amounts=amounts))
    assert problem["status"] == 422
    with player.socket() as socket:
        command = {"do": "double", "table": TABLE, "spot": 1, "amounts": amounts}
        socket.send(json.dumps({"type": "command", "id": "odd", "command": command}))
        refused = receive(socket, "refused")
        assert refused["reason"] == "UNREADABLE"
        socket.send(json.dumps({"type": "ping"}))
        receive(socket, "pong")


@pytest.mark.parametrize("card", [5, None, True, -1, 416, "", "1h", "Qx", ["Qh"], {"card": "Qh"}])
def test_an_unknown_card_is_refused(house: House, card: object) -> None:
    dealer = house.somebody(Role.DEALER)
    assert is_problem(dealer.say(TABLE, "card", card=card))["status"] == 422
    assert is_problem(dealer.say(TABLE, "correct-card", card=card, number=1))["status"] == 422


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_body_of_another_content_type_is_refused(player: ApiUser, kind: str) -> None:
    """S7: what a form of another site can send is not read at all."""
    headers = {"Content-Type": kind, "Idempotency-Key": "form"}
    body = json.dumps({"player": "Ann", "spot": 1}).encode()
    answer = player.http.post(f"/api/tables/{TABLE}/seat", content=body, headers=headers)
    assert 400 <= answer.status_code < 500
    is_problem(answer)


def test_a_large_body_is_not_read(player: ApiUser) -> None:
    large = b'{"player": "' + b"A" * MAX_BODY_BYTES + b'"}'

    def piecemeal() -> Iterator[bytes]:  # says no length
        for at in range(0, len(large), 8192):
            yield large[at : at + 8192]

    for content in (large, piecemeal()):
        answer = player.http.post(
            "/api/sign-in", content=content, headers={"Content-Type": "application/json", "Connection": "close"}
        )
        assert answer.status_code == 413
        assert is_problem(answer)["reason"] == "TOO_LARGE"


@pytest.mark.parametrize(
    ("path", "params"),
    [
        ("/api/tables/%00", {}),
        ("/api/tables/..%2f..%2fetc", {}),
        ("/api/tables/T/rounds/99999999999999999999999999", {}),
        (f"/api/tables/{TABLE}/records", {"since": "1e9"}),
        (f"/api/tables/{TABLE}/records", {"most": "100000"}),
        ("/api/me/rounds", {"before": "' OR 1=1"}),
    ],
)
def test_an_invalid_url_is_refused(player: ApiUser, path: str, params: dict[str, str]) -> None:
    answer = player.get(path, **params)
    assert 400 <= answer.status_code < 500
    is_problem(answer)


def test_an_unexpected_error_is_logged_in_full_and_shows_the_client_no_details(
    house: House, player: ApiUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise ZeroDivisionError("the secret of the house")

    monkeypatch.setattr(type(house.server.service.queries), "jackpots", lambda *_, **__: broken())
    with capture_logs() as lines:
        answer = player.get("/api/jackpots")
    assert answer.status_code == 500
    assert is_problem(answer)["reason"] == "INTERNAL"
    assert "secret" not in answer.text
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert [(line["log_level"], line["id"]) for line in lines if line["event"] == "request failed"] == [
        ("error", answer.headers["X-Request-Id"])
    ]


def test_database_errors_are_not_shown_to_clients() -> None:
    problem = problem_of(StoreFailed("the book could not be written (connection to 10.0.0.7 refused)"))
    assert (problem["status"], problem["reason"]) == (503, "STORE_FAILED")
    assert "10.0.0.7" not in json.dumps(problem)


def test_database_errors_contain_no_parameters(house: House) -> None:
    """Nor then in a log: a statement that fails names none of its values."""
    with house.server.service.desk.store.view() as unit, pytest.raises(SQLAlchemyError) as caught:
        unit.connection.execute(sa.text("SELECT :value FROM nowhere"), {"value": "a token in clear"})
    assert "a token in clear" not in str(caught.value)


@pytest.mark.parametrize("path", ["/healthz", "/api/games", "/api/me", "/api/nowhere", "/api/openapi.json", "/metrics"])
def test_every_answer_has_its_headers(house: House, path: str) -> None:
    """S14: good or bad, found or not, whatever was asked how."""
    for method in ("GET", "POST", "DELETE", "OPTIONS"):
        answer = house.nobody().request(method, path)
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
        assert answer.headers["Strict-Transport-Security"] == HSTS
        assert "Server" not in answer.headers


@pytest.mark.parametrize("path", ["/", "/nowhere.js", "/anything"])
def test_pages_have_the_same_headers_but_may_be_kept(house: House, path: str) -> None:
    headers = house.nobody().get(path).headers
    page_headers = {name: value for name, value in HEADERS.items() if name != "Cache-Control"}
    assert {name: headers.get(name) for name in page_headers} == page_headers
    assert headers["Strict-Transport-Security"] == HSTS


# --- over the socket ----------------------------------------------------------------------------------------------

MESSAGES = {
    "malformed": "{",
    "nothing": "",
    "deep": DEEP,
    "deep object": '{"type": "command", "id": "1", "command": ' + '{"a":' * 2_000 + "1" + "}" * 2_001,
    "long number": '{"type": "watch", "table": "T", "since": ' + "9" * 5_000 + "}",
    "huge number": '{"type": "watch", "table": "the-brook", "since": 1e999}',
    "not a number": '{"type": "watch", "table": "the-brook", "since": NaN}',
    "surrogate": '{"type": "watch", "table": "\\ud800"}',
    "unknown field": '{"type": "ping", "admin": true}',
    "unknown type": '{"type": "administer"}',
    "unknown command": '{"type": "command", "id": "1", "command": {"do": "rob"}}',
    "an id like code": '{"type": "command", "id": "<script>", "command": {"do": "deal", "table": "T"}}',
    "a list": "[]",
}


@pytest.mark.parametrize("name", MESSAGES)
def test_an_invalid_message_is_refused_and_the_socket_stays_open(player: ApiUser, name: str) -> None:
    with player.socket() as socket:
        socket.send(MESSAGES[name])
        message = receive(socket, "problem", "refused")
        assert message["reason"] == "UNREADABLE"
        assert len(json.dumps(message)) < 1_000
        assert "<script>" not in json.dumps(message)
        send(socket, {"type": "ping"})
        receive(socket, "pong")


def test_an_unknown_table_or_record_number_is_refused(player: ApiUser) -> None:
    with player.socket() as socket:
        send(socket, {"type": "watch", "table": "nowhere"})
        assert receive(socket, "problem")["reason"] == "TABLE_UNKNOWN"
        for since in (10**9, 10**30):
            send(socket, {"type": "watch", "table": TABLE, "since": since})
            assert receive(socket, "snapshot", "problem")["type"] in ("snapshot", "problem")


def test_a_binary_frame_is_refused(player: ApiUser) -> None:
    with player.socket() as socket:
        socket.send(b"\x00\xff")
        assert receive(socket, "problem")["reason"] == "UNREADABLE"


def test_a_message_that_is_too_long_ends_the_socket(house: House, player: ApiUser) -> None:
    with player.socket() as socket:
        socket.send("x" * (house.settings.message_bytes + 1))
        assert close_code(socket) == 1009


def test_a_socket_with_too_many_errors_is_closed(player: ApiUser) -> None:
    with player.socket() as socket:
        for _ in range(MAX_PROBLEMS + 1):
            socket.send("{")
        assert close_code(socket) == 1008


def test_a_flood_of_messages_is_cut_off_and_others_are_served(tmp_path: Path) -> None:
    with running_house(tmp_path, messages_per_second=10) as house:
        flooder, guest = house.player(), house.player()
        with flooder.socket() as flood, guest.socket() as calm:
            for _ in range(200):
                with suppress(ConnectionClosed):
                    send(flood, {"type": "ping"})
            send(calm, {"type": "ping"})
            receive(calm, "pong")
            assert close_code(flood) == 1008


# --- slow readers -------------------------------------------------------------------------------------------------


def sockets_of(house: House, user: ApiUser) -> list[Socket]:
    table_sockets = list(house.server.sockets.values())
    return [socket for sockets in table_sockets for socket in sockets if socket.session.person.name == user.name]


def test_a_client_that_does_not_read_is_cut_off_and_the_others_play_on(tmp_path: Path) -> None:
    """The outbox of a slow reader never exceeds its limit; a reader who resumes is told why messages are missing."""
    with running_house(tmp_path, outbox_limit=16) as house:
        sleeper, player = house.player(), house.player()
        house.narrow()
        small = sockets.socket()
        small.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        small.connect((urlsplit(house.address).hostname, urlsplit(house.address).port))
        with sleeper.socket(sock=small, max_queue=1, close_timeout=0.1) as asleep, player.socket() as all_stepped_up:
            send(asleep, {"type": "watch", "table": TABLE})
            send(all_stepped_up, {"type": "watch", "table": TABLE})
            receive(all_stepped_up, "snapshot")
            (ear,) = sockets_of(house, sleeper)
            most = 0
            assert player.say(TABLE, "seat", player=player.name, spot=1).status_code == 200
            until = time.monotonic() + 20
            while ear._closing is None and time.monotonic() < until:
                for do, fields in (("bet", {"stakes": {"Ante": 500}}), ("clear", {})):
                    assert player.say(TABLE, do, spot=1, **fields).status_code == 200
                    most = max(most, len(ear._outbox))
            assert most == 16
            assert close_code(asleep) == 1013
            assert not sockets_of(house, sleeper)
            send(all_stepped_up, {"type": "ping"})
            receive(all_stepped_up, "pong")


def test_half_open_sockets_are_closed(house: House) -> None:
    """uvicorn asks every twenty seconds, and waits no longer than that for an answer."""
    config = uvicorn_config(house.settings, house.app)
    assert (config.ws_ping_interval, config.ws_ping_timeout) == (20, 20)
    assert config.ws_max_size == house.settings.message_bytes
    assert not config.ws_per_message_deflate
