"""Jackpots of linked tables through the API, on both databases: the morning, posted values, a win at another table."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from api.house import House, receive, running_house, send
from api.linked_house import JACKPOT, QUEENS_OF_HEARTS, SUITED_ACES, LinkedHouse
from service.table_driver import StackedShoe
from support.empty_books import NewAddress


@pytest.fixture
def house(new_address: NewAddress, tmp_path: Path) -> Iterator[House]:
    with running_house(tmp_path, book=new_address(), key=tmp_path / "operator.key") as opened:
        yield opened


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
