"""Jackpots of linked tables through the API, on both databases: the morning, posted values, a win at another table."""

import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from api.house import ApiUser, House, receive, running_house, send
from service.table_driver import StackedShoe
from support.empty_books import NewAddress

from upcard.ledger.journal import utc_now
from upcard.people import Role
from upcard.service import commands as s

SUITED_ACES = "Ah Ah Ah 9c"
QUEENS_OF_HEARTS = "Qh Qh Qh 9c"
JACKPOT = "Linked"


class LinkedHouse:
    """T1 with Ann and T2 with Bob, linked to one jackpot; the tables' clock moves when a test says so."""

    def __init__(self, house: House, layout: str, main: str, wager: str, stake: int) -> None:
        self.stakes, self.ahead = {main: 10_00, wager: stake}, timedelta(0)
        house.server.service.desk.clock = lambda: utc_now() + self.ahead
        for table in ("T1", "T2"):
            pace = s.Pace(betting=600, decision=600, insurance=600)
            house.do(s.OpenTable(table=table, layout=layout, tray=10**7, jackpots={wager: JACKPOT}, pace=pace))
        self.ann, self.bob = house.player(name="Ann"), house.player(name="Bob")
        self.jack = house.somebody(Role.JACKPOTS, name="Jack")
        self.aud = house.somebody(Role.AUDITOR, name="Aud")
        for table, player in (("T1", self.ann), ("T2", self.bob)):
            assert player.say(table, "seat", player=player.name, spot=1).status_code == 200

    def bet(self, player: ApiUser, table: str) -> Any:
        return player.say(table, "bet", spot=1, stakes=self.stakes)

    def play_on(self, player: ApiUser, table: str) -> None:
        """The player stays and does not insure."""
        player.say(table, "ready", player=player.name)
        while player.get(f"/api/tables/{table}").json()["state"]["round"] is not None:
            if player.say(table, "stay", spot=1).status_code != 200:
                assert player.say(table, "decline-insurance", spot=1).status_code == 200

    def jackpot(self, player: ApiUser) -> Any:
        return next(line for line in player.get("/api/jackpots").json() if line["jackpot"] == JACKPOT)

    def later(self, **by: float) -> None:
        self.ahead += timedelta(**by)


@pytest.fixture
def house(new_address: NewAddress, tmp_path: Path) -> Iterator[House]:
    with running_house(tmp_path, book=new_address(), key=tmp_path / "operator.key") as opened:
        yield opened


@pytest.fixture
def stack_shoe(monkeypatch: pytest.MonkeyPatch) -> StackedShoe:
    stacked = StackedShoe()
    monkeypatch.setattr("upcard.service.table_shoes.new_shoe", stacked.order)
    return stacked


def test_000_grows_by_itself_in_the_morning_and_a_winner_gets_it(house: House, stack_shoe: StackedShoe) -> None:
    """Bob's $5 of the first day: Ann wins $1,250.50 on the second."""
    linked = LinkedHouse(house, "the-brook", "Ante", "Galaxy Bonus Jackpot", 5_00)
    assert linked.bet(linked.bob, "T2").status_code == 200
    linked.play_on(linked.bob, "T2")
    assert linked.jackpot(linked.ann)["meters"] == {"Bonus Jackpot": 1_250_00}
    linked.later(days=1)
    until = time.monotonic() + 20
    while linked.jackpot(linked.ann)["meters"] != {"Bonus Jackpot": 1_250_50}:
        assert time.monotonic() < until, "nobody bet or asked for it: the clock adds it"
        time.sleep(0.05)
    assert linked.jackpot(linked.ann)["accrued"]["amount"] == 50
    stack_shoe(SUITED_ACES)
    assert linked.bet(linked.ann, "T1").status_code == 200
    linked.play_on(linked.ann, "T1")
    (win,) = linked.jackpot(linked.ann)["wins"].values()
    assert [award["amount"] for award in win["awards"]] == [1_250_50]
    orders = [
        (entry["actor"], entry["command"]["request"]["order"])
        for entry in linked.aud.get("/api/floor/trail", house=True).json()
        if entry["command"]["do"] == "house" and entry["command"]["request"].get("jackpot") == JACKPOT
    ]
    assert orders == [("clock", "accrue-day")]


def test_001_values_posted_while_a_wager_is_down_wait_for_it(house: House, stack_shoe: StackedShoe) -> None:
    """$10,000 become $1 only after Ann has won them."""
    stack_shoe(QUEENS_OF_HEARTS)
    linked = LinkedHouse(house, "lucky-ladies-jackpot", "Ante", "Lucky Ladies", 10_00)
    linked.later(hours=25)
    linked.jack.step_up()
    assert linked.bet(linked.ann, "T1").status_code == 200
    body = {"jackpot": JACKPOT, "values": {"MEGA": 1_00}}
    reply = linked.jack.post("/api/house/post", body)
    assert reply.status_code == 200, reply.text
    assert reply.json()["told"][f"jackpot:{JACKPOT}"]["queued"] == {"MEGA": 1_00}
    refused = linked.bet(linked.bob, "T2")
    assert (refused.status_code, refused.json()["reason"]) == (409, "CHANGE_WAITS")
    assert refused.json()["detail"].endswith("bet on it again after that")
    assert linked.jackpot(linked.jack)["queued"]["by"] == "Jack"
    shown = linked.jackpot(linked.bob)
    assert (shown["queued"]["values"], shown["queued"]["by"]) == ({"MEGA": 1_00}, "")
    assert linked.jack.post("/api/house/withdraw-post", {"jackpot": JACKPOT}).status_code == 200
    assert linked.jackpot(linked.bob)["queued"] is None
    assert linked.jack.post("/api/house/post", body).status_code == 200
    linked.play_on(linked.ann, "T1")
    after = linked.jackpot(linked.ann)
    (win,) = after["wins"].values()
    assert [award["amount"] for award in win["awards"]] == [10_000_00]
    assert (after["meters"]["MEGA"], after["queued"], after["stopped"]) == (1_00, None, None)
    assert linked.bet(linked.bob, "T2").status_code == 200


def test_a_jackpot_won_at_one_table_does_not_void_the_round_of_another(house: House, stack_shoe: StackedShoe) -> None:
    stack_shoe(SUITED_ACES)
    linked = LinkedHouse(house, "the-brook", "Ante", "Galaxy Bonus Jackpot", 5_00)
    with linked.bob.socket() as socket:
        send(socket, {"type": "watch", "table": "T2", "shown": True})
        receive(socket, "snapshot")
        for player, table in ((linked.bob, "T2"), (linked.ann, "T1")):
            assert linked.bet(player, table).status_code == 200
        linked.play_on(linked.ann, "T1")
        send(socket, {"type": "command", "id": "ready", "command": {"do": "ready", "table": "T2", "player": "Bob"}})
        events: list[dict[str, Any]] = []
        while not any(event["event"] == "card-dealt" for event in events):
            events = receive(socket, "events")["events"]
    returned = next(event for event in events if event["event"] == "jackpot-wagers-returned")
    assert (returned["wager"], returned["spots"]) == ("Galaxy Bonus Jackpot", [1])
    assert returned["stopped"] == {"code": "BEING_VERIFIED", "jackpot": JACKPOT}
    state = linked.bob.get("/api/tables/T2").json()["state"]
    assert [spot["wagers"] for spot in state["round"]["spots"]] == [{"Ante": 10_00}]
