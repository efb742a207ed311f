"""A house on its first day, over HTTP: it has no hours yet, sets them, and finds its players."""

from collections.abc import Iterator
from pathlib import Path

import pyotp
import pytest
from api.house import House, running_house

from upcard.people import Role


@pytest.fixture
def empty_house(tmp_path: Path) -> Iterator[House]:
    with running_house(tmp_path, tables=False) as house:
        yield house


def test_a_house_without_hours_says_what_to_do_and_then_has_a_gaming_day(empty_house: House) -> None:
    """The page of the day answered 500."""
    flo = empty_house.somebody(Role.FLOOR, name="Flo")
    assert flo.get("/api/house").json() == {"name": "", "hours": None, "today": None}
    answer = flo.get("/api/floor/days")
    assert (answer.status_code, answer.json()["reason"]) == (409, "NO_HOURS")
    assert flo.get("/api/floor/hold/2026-11-18").json()["tables"] == []
    assert flo.get("/api/report/2026-11-18").json()["tables"] == []
    flo.step_up()
    hours = {"since": "2026-01-01", "zone": "America/New_York", "start": 6}
    assert flo.post("/api/house/set-hours", {"hours": hours}).status_code == 200
    house = flo.get("/api/house").json()
    assert house["hours"] == hours
    assert flo.get("/api/floor/days").json()["today"] == house["today"]
    assert flo.get(f"/api/report/{house['today']}").json()["tables"] == []


def test_the_cage_finds_players_by_a_part_of_their_name(house: House) -> None:
    house.player(name="Annabel Lee", chips=25_00)
    house.chips("Hannah", 10_00)
    cashier = house.somebody(Role.CASHIER)
    found = cashier.get("/api/people/players", search="ANNA").json()
    assert [(line["name"], line["chips"]) for line in found] == [("Annabel Lee", 25_00), ("Hannah", 10_00)]
    assert cashier.get("/api/people/players", search="nobody").json() == []
    assert len(cashier.get("/api/people/players").json()) <= 20
    assert house.somebody(Role.PLAYER).get("/api/people/players", search="anna").status_code == 403


def test_a_new_authenticator_comes_with_a_qr_code(house: House) -> None:
    dealer = house.somebody(Role.DEALER)
    dealer.step_up()
    answer = dealer.post("/api/totp/enrol").json()
    assert pyotp.parse_uri(answer["uri"]).secret == answer["secret"]
    assert answer["qr"].startswith("data:image/svg+xml")
