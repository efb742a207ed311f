"""The house of the tests opens, lets people in, and shuts."""

import pytest
from api.house import TABLE, House, receive, send

from upcard.people import Role
from upcard.service import health


def test_a_player_comes_in_watches_and_sits_down(house: House) -> None:
    player = house.player()
    assert player.get("/api/me").json()["roles"] == [Role.PLAYER]
    with player.socket() as socket:
        send(socket, {"type": "watch", "table": TABLE})
        assert receive(socket, "snapshot")["state"]["table"] == TABLE
        assert player.say(TABLE, "seat", player=player.name, spot=1).status_code == 200
        assert receive(socket, "events")["state"]["seats"] == {"1": player.name}


def test_health_is_told_to_anybody(house: House) -> None:
    answer = house.nobody().get("/healthz")
    told = answer.json()
    assert (answer.status_code, told["healthy"], told["status"], told["problems"]) == (200, True, "ok", [])


def test_a_service_that_cannot_write_is_not_healthy(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """It used to answer 200 as long as the book could be read, also with a full disk."""

    def fail(_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(health, "prove_write", fail)
    monkeypatch.setattr(house.server.health, "_fresh_until", 0.0)
    answer = house.nobody().get("/healthz")
    assert (answer.status_code, answer.json()["healthy"]) == (503, False)
    assert answer.json()["problems"] == ["BOOK_NOT_WRITTEN"]
    assert house.nobody().get("/api/service").json()["demo"] is False  # pages are still served
    monkeypatch.undo()
    house.server.health._fresh_until = 0.0
    assert house.nobody().get("/healthz").status_code == 200
