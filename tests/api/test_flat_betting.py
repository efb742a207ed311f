"""Through the API: a player who is told to flat bet between two shoes is held for the next one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from api.house import TABLE, ApiUser, House, running_house
from support.empty_books import NewAddress, write_key

from upcard.people import Role


@pytest.fixture
def house(new_address: NewAddress, tmp_path: Path) -> Iterator[House]:
    """A house on each kind of database."""
    with running_house(tmp_path, book=new_address(), key=write_key(tmp_path / "operator.key")) as opened:
        yield opened


def play(player: ApiUser, **stakes: int) -> None:
    """One round; the player stays and insures nothing."""
    assert player.say(TABLE, "bet", spot=1, stakes=stakes).status_code == 200
    assert player.say(TABLE, "ready", player=player.name).status_code == 200
    while (mine := player.get(f"/api/tables/{TABLE}").json()["mine"])["choices"]:
        offered = [choice["do"] for choice in mine["choices"]]
        do = "stay" if "stay" in offered else "decline-insurance"
        assert player.say(TABLE, do, spot=1).status_code == 200


def test_a_flat_bet_ordered_between_shoes_holds_until_the_next_shoe_ends(house: House) -> None:
    ann, fay = house.player(name="Ann"), house.somebody(Role.FLOOR, name="Fay")
    assert ann.say(TABLE, "seat", player="Ann", spot=1).status_code == 200
    play(ann, Ante=1000)
    assert fay.say(TABLE, "shuffle").status_code == 200
    assert fay.say(TABLE, "flat-bet", player="Ann").status_code == 200
    play(ann, Ante=500)
    refused = ann.say(TABLE, "bet", spot=1, stakes={"Ante": 1000})
    assert (refused.status_code, refused.json()["reason"]) == (409, "FLAT_BET")
    play(ann, Ante=500)
    assert fay.say(TABLE, "shuffle").status_code == 200
    play(ann, Ante=1000)
