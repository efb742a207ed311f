"""Through the API: what the floor orders while bets are down, and insurance that is taken after it was declined."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from api.house import House, receive, running_house, send
from support.empty_books import NewAddress, write_key

from upcard.people import Role
from upcard.service import commands as s

TABLE = "by hand"


@pytest.fixture
def house(new_address: NewAddress, tmp_path: Path) -> Iterator[House]:
    """A house on each kind of database, with a table that a person deals at."""
    with running_house(tmp_path, book=new_address(), key=write_key(tmp_path / "operator.key")) as opened:
        opened.do(s.OpenTable(table=TABLE, layout="the-brook", tray=1_000_000, by_hand=True))
        opened.do(s.PlaceShoe(table=TABLE))
        yield opened


def test_orders_are_taken_while_bets_are_down_and_refused_when_cards_are_out(house: House) -> None:
    ann, fay = house.player(name="Ann", chips=50_000), house.somebody(Role.FLOOR, name="Fay")
    with ann.socket() as watching:
        send(watching, {"type": "watch", "table": TABLE, "shown": True})
        receive(watching, "snapshot")
        for spot in (1, 2):
            assert ann.say(TABLE, "seat", player="Ann", spot=spot).status_code == 200
            assert ann.say(TABLE, "bet", spot=spot, stakes={"Ante": 500}).status_code == 200
        assert fay.say(TABLE, "post-minimum", amount=1000).status_code == 200
        assert ann.get(f"/api/tables/{TABLE}").json()["state"]["wagers"]["Ante"]["least"] == 1000
        below = ann.say(TABLE, "bet", spot=1, stakes={"Ante": 600})
        assert (below.status_code, below.json()["reason"]) == (409, "BELOW_MINIMUM")
        assert fay.say(TABLE, "relinquish", player="Ann").status_code == 200
        while (record := receive(watching, "events"))["events"][0]["event"] != "asked-to-relinquish":
            pass
        assert [event["event"] for event in record["events"]][1:] == ["wagers-cleared", "spot-left"]
        assert record["mine"]["bankroll"] == 49_500
        assert fay.say(TABLE, "flat-bet", player="Ann").status_code == 200  # these are her first wagers
        dan = house.somebody(Role.DEALER, name="Dan")
        assert dan.say(TABLE, "log-on").status_code == 200
        assert dan.say(TABLE, "deal").status_code == 200
        assert dan.say(TABLE, "card", card="Th").status_code == 200
        for order, body in (("post-minimum", {"amount": 500}), ("flat-bet", {"player": "Ann"})):
            late = fay.say(TABLE, order, **body)
            assert (late.status_code, late.json()["reason"]) == (409, "ROUND_RUNNING")


def test_a_player_who_declined_insurance_may_take_it_until_the_dealer_closes_it(house: House) -> None:
    ann, dan = house.player(name="Ann", chips=10_000), house.somebody(Role.DEALER, name="Dan")
    assert dan.say(TABLE, "log-on").status_code == 200
    assert ann.say(TABLE, "seat", player="Ann", spot=1).status_code == 200
    assert ann.say(TABLE, "bet", spot=1, stakes={"Ante": 1000}).status_code == 200
    assert dan.say(TABLE, "deal").status_code == 200
    for card in ("Tc", "As", "9d"):
        assert dan.say(TABLE, "card", card=card).status_code == 200
    assert ann.say(TABLE, "decline-insurance", spot=1).status_code == 200
    seen = ann.get(f"/api/tables/{TABLE}").json()
    assert (seen["state"]["round"]["insurance"], seen["state"]["round"]["declined"]) == ([], [1])
    assert seen["mine"]["choices"] == []  # nobody waits for her
    assert [choice["do"] for choice in seen["mine"]["may_still_take"]] == ["insure"]
    assert ann.say(TABLE, "insure", spot=1).status_code == 200
    assert ann.get("/api/me").json()["bankroll"] == 8500
    assert dan.say(TABLE, "deal").status_code == 200
    refused = ann.say(TABLE, "insure", spot=1)
    assert (refused.status_code, refused.json()["reason"]) == (409, "NOT_NOW")
    assert "may_still_take" not in ann.get(f"/api/tables/{TABLE}").json()["mine"]
