"""A console that somebody only watches stays signed in, and can be read; acting asks for the code again."""

import pytest
from api.house import TABLE, House

from upcard.people import Role

MINUTES = (10, 20, 30, 40)


def reason(answer: object) -> str:
    return str(answer.json().get("reason", ""))  # type: ignore[attr-defined]


def test_a_watched_console_stays_signed_in_and_asks_for_a_code_before_it_acts(house: House) -> None:
    """A console signed its person out after a quarter of an hour, in the middle of what they watched."""
    fay = house.somebody(Role.FLOOR, name="Fay")
    for _ in MINUTES:
        house.later(minutes=10)
        assert fay.get("/api/alerts").status_code == 200
    assert fay.get("/api/floor").status_code == 200
    refused = fay.say(TABLE, "post-minimum", amount=10_00)
    assert (refused.status_code, reason(refused)) == (403, "STEP_UP_NEEDED")
    assert fay.get("/api/floor").status_code == 200  # still there to watch
    fay.step_up()
    assert fay.say(TABLE, "post-minimum", amount=10_00).status_code == 200
    house.later(minutes=10)
    assert fay.post("/api/people/walk-in", {"name": "Wim"}).status_code == 200  # acting keeps them
    house.later(minutes=10)
    assert fay.post("/api/people/walk-in", {"name": "Wim"}).status_code == 200


def test_a_socket_that_only_watched_needs_a_code_too(house: House) -> None:
    dealer = house.somebody(Role.DEALER)
    with dealer.socket() as socket:
        for _ in range(2):
            house.later(minutes=10)
            assert dealer.get("/api/tables").status_code == 200
        socket.send(
            f'{{"type": "command", "id": "c1", "command": {{"do": "ready", "table": "{TABLE}", "player": "Ann"}}}}'
        )
        told = str(socket.recv(10))
    assert '"STEP_UP_NEEDED"' in told


def test_a_console_that_nobody_watches_is_signed_out(house: House) -> None:
    fay = house.somebody(Role.FLOOR)
    house.later(minutes=16)
    assert reason(fay.get("/api/floor")) == "NOT_SIGNED_IN"


@pytest.mark.parametrize("path", ["/api/ticket", "/api/me/may"])
def test_what_a_console_does_by_itself_is_no_act(house: House, path: str) -> None:
    fay = house.somebody(Role.FLOOR)
    for _ in MINUTES:
        house.later(minutes=10)
        assert (fay.post(path) if path == "/api/ticket" else fay.get(path)).status_code == 200


def test_players_are_never_asked_for_a_code(house: House) -> None:
    ann = house.player()
    for _ in range(3):
        house.later(minutes=14)
        assert ann.get("/api/tables").status_code == 200
    assert ann.say(TABLE, "seat", player=ann.name, spot=1).status_code == 200
