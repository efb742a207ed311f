"""A player who reconnects with their last number gets exactly what they missed, and keeps their seat."""

import json
import secrets
import time
from typing import Any

import pytest
from api.house import TABLE, ApiUser, House, receive, send
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.sync.client import ClientConnection

from upcard.api.messages import FROM_SERVER
from upcard.api.socket import MAX_MISSED_RECORDS
from upcard.service import commands as s

Json = dict[str, Any]
CUTS = st.lists(st.integers(1, 12), min_size=1, max_size=6)


def test_a_client_that_reconnects_receives_exactly_the_records_it_missed(house: House) -> None:
    """Wherever the connection is cut: its parts laid end to end are what another heard without a break."""
    steady, broken, guest = house.player(), house.player(), house.player()
    with steady.socket() as steady_socket:
        send(steady_socket, {"type": "watch", "table": TABLE})
        first = receive(steady_socket, "snapshot")["number"]

        @settings(max_examples=8)
        @given(CUTS, CUTS)
        def cut_anywhere(stays: list[int], away: list[int]) -> None:
            number = house.server.service.desk.live(TABLE).version
            parts: list[Json] = []
            for stay, missed in zip(stays, away, strict=False):
                with broken.socket() as socket:
                    send(socket, {"type": "watch", "table": TABLE, "since": number})
                    stir(house, guest, stay)
                    parts += _up_to(socket, house.server.service.desk.live(TABLE).version, number)
                    number = parts[-1]["number"]
                stir(house, guest, missed)
            with broken.socket() as socket:
                send(socket, {"type": "watch", "table": TABLE, "since": number})
                parts += _up_to(socket, house.server.service.desk.live(TABLE).version, number)
            all_heard.extend((part["number"], part["events"]) for part in parts)

        all_heard: list[tuple[int, Any]] = []
        cut_anywhere()
        last = house.server.service.desk.live(TABLE).version
        uninterrupted = [(message["number"], message["events"]) for message in _up_to(steady_socket, last, first)]
    assert [number for number, _ in uninterrupted] == list(range(first + 1, last + 1))
    assert all_heard == uninterrupted
    assert len(all_heard) > 100


@pytest.mark.parametrize("since", [10**6, 2**60])
def test_a_number_from_the_future_gets_a_snapshot(house: House, since: int) -> None:
    with house.player().socket() as socket:
        send(socket, {"type": "watch", "table": TABLE, "since": since})
        message = json.loads(socket.recv(timeout=5))
        assert message["type"] == "snapshot"
        assert message["number"] == message["state"]["number"] < since


def test_a_client_that_missed_too_much_gets_a_snapshot_and_continues_from_it(house: House) -> None:
    """However much is sent at once, the server never takes the client for a slow reader because of it."""
    guest, most = house.player(), min(MAX_MISSED_RECORDS, house.settings.outbox_limit // 2)
    stir(house, guest, most + 1)
    version = house.server.service.desk.live(TABLE).version
    with guest.socket() as socket:
        send(socket, {"type": "watch", "table": TABLE, "since": version - most - 1})
        assert json.loads(socket.recv(timeout=5))["type"] == "snapshot"
        send(socket, {"type": "watch", "table": TABLE, "since": version - most})
        messages = [json.loads(socket.recv(timeout=5)) for _ in range(most)]
        assert [message["number"] for message in messages] == list(range(version - most + 1, version + 1))
        assert ["state" in message for message in messages] == [False] * (most - 1) + [True]
        stir(house, guest, 1)
        assert receive(socket, "events")["number"] == version + 1


def test_a_client_that_missed_nothing_receives_only_new_records(house: House) -> None:
    guest = house.player()
    version = house.server.service.desk.live(TABLE).version
    with guest.socket() as socket:
        send(socket, {"type": "watch", "table": TABLE, "since": version})
        send(socket, {"type": "ping"})
        assert json.loads(socket.recv(timeout=5)) == {"type": "pong"}
        stir(house, guest, 1)
        assert json.loads(socket.recv(timeout=5))["number"] == version + 1


def test_a_seat_survives_a_lost_connection(house: House) -> None:
    guest, other = house.player(), house.player()
    house.do(s.Seat(table=TABLE, player=guest.name, spot=5))
    with other.socket() as watching:
        send(watching, {"type": "watch", "table": TABLE})
        receive(watching, "snapshot")
        with guest.socket() as socket:
            send(socket, {"type": "watch", "table": TABLE})
            number = receive(socket, "snapshot")["number"]
        away = receive(watching, "events")
        assert away["events"] == [{"event": "player-away", "player": guest.name}]
        assert away["state"]["seats"]["5"] == guest.name
        with guest.socket() as socket:
            send(socket, {"type": "watch", "table": TABLE, "since": number})
            assert receive(socket, "events")["events"] == away["events"]
            back = receive(socket, "events")
            assert back["events"] == [{"event": "player-back", "player": guest.name}]
            assert back["state"]["seats"]["5"] == guest.name
            assert back["state"]["absent"] == []
    house.do(s.Leave(table=TABLE, player=guest.name))


def test_a_player_with_two_sockets_is_away_when_the_last_is_gone(house: House) -> None:
    guest = house.player()
    house.do(s.Seat(table=TABLE, player=guest.name, spot=4))
    with guest.socket() as first:
        send(first, {"type": "watch", "table": TABLE})
        receive(first, "snapshot")
        with guest.socket() as second:
            send(second, {"type": "watch", "table": TABLE})
            receive(second, "snapshot")
            send(second, {"type": "command", "id": secrets.token_hex(8), "command": _back(guest)})
            first_events, second_events = receive(first, "events"), receive(second, "events")
            assert first_events == second_events, "both hear the same"
            assert receive(second, "answer")["number"] == first_events["number"]
        time.sleep(0.3)  # nothing may happen meanwhile, so there is nothing to wait for
        assert house.server.service.desk.live(TABLE).absent == {}
    until = time.monotonic() + 5
    while guest.name not in house.server.service.desk.live(TABLE).absent:
        assert time.monotonic() < until, "the disconnection was not noticed"
        time.sleep(0.01)
    house.do(s.Leave(table=TABLE, player=guest.name))


def stir(house: House, guest: ApiUser, times: int) -> None:
    """Something happens at the table, so many times."""
    desk = house.server.service.desk
    command = s.Tip(table=TABLE, player=guest.name, amount=1)
    waiting = [desk.submit(command, id=secrets.token_hex(8), actor=guest.name) for _ in range(times)]
    for future in waiting:
        future.result()


def _back(guest: ApiUser) -> Json:
    return {"do": "back", "table": TABLE, "player": guest.name}


def _up_to(socket: ClientConnection, last: int, number: int) -> list[Json]:
    """Every record up to a number; each valid by the published schema."""
    messages: list[Json] = []
    while number < last:
        message = json.loads(socket.recv(timeout=10))
        FROM_SERVER.validate_python(message)
        assert message["type"] == "events", message
        messages.append(message)
        number = message["number"]
    return messages
