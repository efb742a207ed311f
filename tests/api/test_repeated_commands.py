"""Said twice over the wire, done once: over HTTP and sockets, refused or not, and across a killed process."""

import json
import secrets
from typing import Any

import pytest
from api.house import TABLE, ApiUser, House, send
from api.server_process import server_process
from websockets.sync.client import ClientConnection

from upcard.client import Client, Refusal
from upcard.people import Role
from upcard.service import commands as s

Json = dict[str, Any]


def hand_of_every_kind(player: str) -> list[tuple[str, Json]]:
    """Commands of players, in an order in which most are done and some are refused."""
    return [
        ("seat", {"player": player, "spot": 2}),
        ("cut", {"player": player, "words": "lucky"}),
        ("sit-out", {"player": player}),
        ("back", {"player": player}),
        ("leave", {"player": player, "spot": 6}),  # refused: another player's spot
        ("bet", {"spot": 2, "stakes": {"Ante": 2000}}),
        ("bet", {"spot": 2, "stakes": {"Sic Bo": 500}}),  # refused: not offered here
        ("clear", {"spot": 2, "wager": ""}),
        ("bet", {"spot": 2, "stakes": {"Ante": 1000}}),
        ("ready", {"player": player}),
        ("insure", {"spot": 2}),
        ("even-money", {"spot": 2}),
        ("decline-insurance", {"spot": 2}),
        ("surrender", {"spot": 2}),
        ("split", {"spot": 2}),
        ("double", {"spot": 2}),
        ("hit", {"spot": 2}),
        ("stay", {"spot": 2}),
        ("sit-out", {"player": player}),
        ("away", {"player": player}),
        ("back", {"player": player}),
        ("leave", {"player": player}),
    ]


@pytest.fixture
def ann(house: House) -> ApiUser:
    return house.player()


@pytest.fixture
def table(house: House) -> str:
    """A table of a test's own."""
    name = f"Annex {secrets.token_hex(4)}"
    house.do(s.OpenTable(table=name, layout=TABLE, tray=1_000_000))
    return name


def by_http(somebody: ApiUser, table: str, do: str, fields: Json, key: str) -> Json:
    answer = somebody.post(f"/api/tables/{table}/{do}", fields, key=key)
    body: Json = answer.json()
    return {"status": answer.status_code, **{name: value for name, value in body.items() if name != "repeated"}}


def by_socket(socket: ClientConnection, table: str, do: str, body: Json, key: str) -> Json:
    send(socket, {"type": "command", "id": key, "command": {"do": do, "table": table, **body}})
    while True:
        message: Json = json.loads(socket.recv(timeout=10))
        if message.get("id") == key:
            return {name: value for name, value in message.items() if name != "repeated"}


def test_every_command_sent_twice_over_http_gets_the_first_answer(ann: ApiUser, table: str) -> None:
    first = {}
    for number, (do, fields) in enumerate(hand_of_every_kind(ann.name)):
        first[number] = by_http(ann, table, do, fields, f"h{number}")
        assert by_http(ann, table, do, fields, f"h{number}") == first[number]
    repeated = {
        number: by_http(ann, table, do, fields, f"h{number}")
        for number, (do, fields) in enumerate(hand_of_every_kind(ann.name))
    }
    assert repeated == first, "long after, out of place, it is the first answer still"
    statuses = [answer["status"] for answer in first.values()]
    assert statuses.count(200) > 8
    assert statuses.count(409) > 2


def test_every_command_sent_twice_over_a_socket_gets_the_first_answer(ann: ApiUser, table: str) -> None:
    with ann.socket() as socket:
        first = {}
        for number, (do, fields) in enumerate(hand_of_every_kind(ann.name)):
            first[number] = by_socket(socket, table, do, fields, f"s{number}")
            assert by_socket(socket, table, do, fields, f"s{number}") == first[number]
        kinds = [answer["type"] for answer in first.values()]
        assert kinds.count("answer") > 8
        assert kinds.count("refused") > 2
    for number, (do, fields) in enumerate(hand_of_every_kind(ann.name)):
        answer = by_http(ann, table, do, fields, f"s{number}")
        assert answer.get("number") == first[number].get("number"), "HTTP and sockets have one memory"
        assert answer.get("reason") == first[number].get("reason")


def test_every_floor_command_sent_twice_gets_the_first_answer(house: House) -> None:
    floor, cashier = house.somebody(Role.FLOOR), house.somebody(Role.CASHIER)
    commands: list[tuple[ApiUser, str, Json]] = [
        (floor, "open-table", {"layout": "bet-bigger", "tray": 100_000}),
        (floor, "open-table", {"layout": "bet-bigger"}),
        (floor, "fill", {"amount": 5_000}),
        (cashier, "credit", {"amount": 1_000}),
        (floor, "post-minimum", {"amount": 1_000}),
        (floor, "set-shuffler", {"shuffler": "hand"}),
        (floor, "flat-bet", {"player": "nobody"}),
        (floor, "relinquish", {"player": "nobody"}),
        (cashier, "pay-tips", {"amount": 100}),
        (floor, "void", {"why": "nothing to void"}),
        (floor, "announce-closing", {}),
        (floor, "close-table", {"tray": 104_000, "why": ""}),
    ]
    carried_out = []
    for number, (user, do, fields) in enumerate(commands):
        answers = [user.post(f"/api/tables/Annex/{do}", fields, key=f"f{number}") for _ in range(2)]
        first, second = (answer.json() for answer in answers)
        assert first.pop("repeated", False) is False
        assert second.pop("repeated", True) is True
        assert first == second
        assert answers[0].status_code == answers[1].status_code
        carried_out.append(answers[0].status_code)
    assert carried_out.count(200) >= 7
    assert 409 in carried_out


def test_an_idempotency_key_cannot_be_reused_for_another_command(ann: ApiUser, table: str) -> None:
    body = {"player": ann.name, "spot": 1}
    first = by_http(ann, table, "seat", body, "k")
    assert first["status"] == 200
    other = by_http(ann, table, "seat", {**body, "spot": 2}, "k")
    assert (other["status"], other["reason"]) == (409, "ID_TAKEN")
    with ann.socket() as socket:
        refused = by_socket(socket, table, "leave", {"player": ann.name}, "k")
        assert (refused["type"], refused["reason"]) == ("refused", "ID_TAKEN")
    assert by_http(ann, table, "seat", body, "k") == first


def test_two_people_may_choose_the_same_key(house: House, ann: ApiUser, table: str) -> None:
    for spot, user in enumerate((ann, house.player()), 1):
        assert by_http(user, table, "seat", {"player": user.name, "spot": spot}, "same")["status"] == 200


@pytest.mark.parametrize("key", ["", "with space", "a" * 65, "sla/sh", "ha#sh", "co:lon", "é"])
def test_an_invalid_idempotency_key_is_refused_and_does_nothing(ann: ApiUser, table: str, key: str) -> None:
    body = {"player": ann.name, "spot": 1}
    headers = {"Idempotency-Key": key.encode()}
    answer = ann.http.post(f"/api/tables/{table}/seat", json=body, headers=headers)  # type: ignore[arg-type]  # wider than the signature on purpose
    assert (answer.status_code, answer.json()["reason"]) == (422, "UNREADABLE")
    assert ann.http.post(f"/api/tables/{table}/seat", json=body).status_code == 422, "a key is not left out"
    assert ann.get(f"/api/tables/{table}").json()["state"]["seats"] == {}


def test_answers_survive_a_killed_process(tmp_path: Any) -> None:
    """A real `upcard serve`, killed: what it answered is answered again by the next one, word for word."""
    book = tmp_path / "house.db"
    with server_process(book) as child:
        guest = Client.guest(child.address)
        token = guest.http.headers["Authorization"]
        first = _tried(guest)
        child.kill()
    with server_process(book) as child:
        client = Client(child.address, token.removeprefix("Bearer "), guest.name)
        assert _tried(client) == first
        client.close()
    guest.close()
    assert {kind for kind, _ in first} == {"answer", "refused"}


def _tried(client: Client) -> list[tuple[str, Any]]:
    answers: list[tuple[str, Any]] = []
    for number, (do, fields) in enumerate(hand_of_every_kind(client.name)):
        try:
            answer = client.say({"do": do, "table": TABLE, **fields}, name=f"k{number}")
        except Refusal as refused:
            answers.append(("refused", (refused.reason, str(refused))))
        else:
            answers.append(("answer", (answer["number"], answer["told"])))
    return answers
