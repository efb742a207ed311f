"""Another password: what it ends."""

import time
from pathlib import Path

import httpx
from api.house import PASSWORD, ApiUser, House, close_code, running_house
from api.server_process import server_process

from upcard.client import Client

NEW = "eleven green lamps in a row"


def signed_in(house: House, name: str, password: str) -> httpx.Response:
    return house.nobody().post("/api/sign-in", json={"name": name, "password": password})


def test_changing_the_password_ends_every_other_session_and_its_sockets(house: House) -> None:
    pat = house.player(name="Pat")
    other_session = house.sign_in("Pat")
    with other_session.socket() as elsewhere:
        wrong_password = pat.post("/api/password", {"old": "not it at all", "new": NEW})
        assert (wrong_password.status_code, wrong_password.json()["reason"]) == (401, "WRONG_NAME_OR_PASSWORD")
        short = pat.post("/api/password", {"old": PASSWORD, "new": "short"})
        assert (short.status_code, short.json()["reason"]) == (409, "PASSWORD_SHORT")
        assert pat.post("/api/password", {"old": PASSWORD, "new": NEW}).json() == {"changed": True}
        assert close_code(elsewhere) == 4401
    assert pat.get("/api/me").status_code == 200
    assert other_session.get("/api/me").status_code == 401
    assert signed_in(house, "Pat", PASSWORD).status_code == 401
    assert signed_in(house, "Pat", NEW).status_code == 200


def test_a_guest_has_no_password_to_change(tmp_path: Path) -> None:
    with running_house(tmp_path, demo=True) as house:
        guest = ApiUser(house, house.nobody().post("/api/guest").json())
        answer = guest.post("/api/password", {"old": "none at all", "new": NEW})
        assert (answer.status_code, answer.json()["reason"]) == (409, "NO_PASSWORD")


def test_a_player_who_does_not_reconnect_after_a_restart_is_absent(tmp_path: Path) -> None:
    """Killed, so that nobody was told; one of two comes back."""
    book = tmp_path / "house.db"
    with server_process(book) as first:
        stays, goes = Client.guest(first.address), Client.guest(first.address)
        for spot, client in enumerate((stays, goes), 1):
            client.post("/api/tables/the-brook/seat", {"player": client.name, "spot": spot})
        first.kill()
    with server_process(book, port=first.port, reconnect_seconds=3):
        table = stays.watch("the-brook")
        until = time.monotonic() + 15
        while not table.state["absent"]:
            assert time.monotonic() < until, "nobody was missed"
            stays.hear(seconds=5)
        assert table.state["absent"] == [goes.name]
        stays.close()
        goes.close()
