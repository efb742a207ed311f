"""Through the API: a player who is told to flat bet between two shoes is held for the next one, and is not held to a
wager that cannot be made."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from api.house import TABLE, ApiUser, House, running_house
from support.empty_books import NewAddress, write_key

from upcard.ledger.jackpots import requests as j
from upcard.people import Role
from upcard.service import commands as s


@pytest.fixture
def house(new_address: NewAddress, tmp_path: Path) -> Iterator[House]:
    """A house on each kind of database."""
    with running_house(tmp_path, book=new_address(), key=write_key(tmp_path / "operator.key")) as opened:
        yield opened


def play(player: ApiUser, table: str, stakes: dict[str, int]) -> None:
    """One round; the player stays and insures nothing."""
    assert player.say(table, "bet", spot=1, stakes=stakes).status_code == 200
    assert player.say(table, "ready", player=player.name).status_code == 200
    while (mine := player.get(f"/api/tables/{table}").json()["mine"])["choices"]:
        offered = [choice["do"] for choice in mine["choices"]]
        do = "stay" if "stay" in offered else "decline-insurance"
        assert player.say(table, do, spot=1).status_code == 200


def test_a_flat_bet_ordered_between_shoes_holds_until_the_next_shoe_ends(house: House) -> None:
    ann, fay = house.player(name="Ann"), house.somebody(Role.FLOOR, name="Fay")
    assert ann.say(TABLE, "seat", player="Ann", spot=1).status_code == 200
    play(ann, TABLE, {"Ante": 1000})
    assert fay.say(TABLE, "shuffle").status_code == 200
    assert fay.say(TABLE, "flat-bet", player="Ann").status_code == 200
    play(ann, TABLE, {"Ante": 500})
    refused = ann.say(TABLE, "bet", spot=1, stakes={"Ante": 1000})
    assert (refused.status_code, refused.json()["reason"]) == (409, "FLAT_BET")
    play(ann, TABLE, {"Ante": 500})
    assert fay.say(TABLE, "shuffle").status_code == 200
    play(ann, TABLE, {"Ante": 1000})


def test_a_flat_bettor_plays_on_without_a_wager_that_cannot_be_made(house: House) -> None:
    """Its jackpot is suspended."""
    galaxy = "Galaxy Bonus Jackpot"
    house.do(s.OpenTable(table="T1", layout="the-brook", tray=1_000_000, jackpots={galaxy: "Flat"}))
    ann, fay = house.player(name="Ann"), house.somebody(Role.FLOOR, name="Fay")
    assert ann.say("T1", "seat", player="Ann", spot=1).status_code == 200
    play(ann, "T1", {"Ante": 500, galaxy: 500})
    assert fay.say("T1", "flat-bet", player="Ann").status_code == 200
    without = ann.say("T1", "bet", spot=1, stakes={"Ante": 500})
    assert without.status_code == 200
    refused = ann.say("T1", "ready", player="Ann")
    assert (refused.status_code, refused.json()["reason"]) == (409, "FLAT_BET")
    house.do(s.House(request=j.Suspend(jackpot="Flat", why="the sign is dark")))
    play(ann, "T1", {"Ante": 500})
    house.do(s.House(request=j.Resume(jackpot="Flat")))
    play(ann, "T1", {"Ante": 500, galaxy: 500})
