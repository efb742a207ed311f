"""Alerts: what must be looked at, from its first moment, at every console, until somebody's name stands beside it."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from api.house import ApiUser, House, running_house
from api.linked_house import JACKPOT, SUITED_ACES, LinkedHouse
from service.table_driver import StackedShoe
from support.empty_books import NewAddress

from upcard.codes import Coded
from upcard.ledger.jackpots import requests as j
from upcard.ledger.journal import utc_now
from upcard.people import Role
from upcard.service import alerts as of_house
from upcard.service import commands as s
from upcard.service.large_wins import LargeWins

PROGRESSIVE = "Progressive"
WHY: Coded = {"code": "RECORD_MISSING"}


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setattr(of_house, "FRESH_SECONDS", 0.0)
    with running_house(tmp_path, large_win=10_00) as opened:
        yield opened


def alerts(person: ApiUser, kind: str) -> list[Any]:
    answer = person.get("/api/alerts")
    assert answer.status_code == 200, answer.text
    return [alert for alert in answer.json() if alert["kind"] == kind]


def test_a_jackpot_is_an_alert_from_the_deciding_card_until_it_is_paid(house: House, stack_shoe: StackedShoe) -> None:
    stack_shoe(SUITED_ACES)
    linked = LinkedHouse(house, "the-brook", "Ante", "Galaxy Bonus Jackpot", 5_00)
    assert linked.bet(linked.ann, "T1").status_code == 200
    assert alerts(linked.jack, "jackpot-win") == []
    linked.ann.say("T1", "ready", player="Ann")
    assert linked.ann.get("/api/tables/T1").json()["state"]["round"] is not None  # the round goes on
    (alert,) = alerts(linked.jack, "jackpot-win")
    assert (alert["jackpot"], alert["table"], alert["round"], alert["amount"]) == (JACKPOT, "T1", 1, 1_250_00)
    linked.play_on(linked.ann, "T1")
    assert linked.jack.post("/api/house/verify", {"jackpot": JACKPOT, "win": "T1/1"}).status_code == 200
    assert [line["id"] for line in alerts(linked.aud, "jackpot-win")] == [alert["id"]]
    house.do(s.House(request=j.PayWin(jackpot=JACKPOT, win="T1/1")))
    assert alerts(linked.jack, "jackpot-win") == []


def test_an_alert_is_acknowledged_by_name_for_every_console(
    new_address: NewAddress, tmp_path: Path, stack_shoe: StackedShoe
) -> None:
    with running_house(tmp_path, book=new_address(), key=tmp_path / "operator.key") as house:
        _check_acknowledgements(house, stack_shoe)


def _check_acknowledgements(house: House, stack_shoe: StackedShoe) -> None:
    stack_shoe(SUITED_ACES)
    linked = LinkedHouse(house, "the-brook", "Ante", "Galaxy Bonus Jackpot", 5_00)
    linked.bet(linked.ann, "T1")
    linked.ann.say("T1", "ready", player="Ann")
    fay = house.somebody(Role.FLOOR, name="Fay")
    (alert,) = alerts(fay, "jackpot-win")
    assert (alert["acknowledged_by"], alert["acknowledged_at"]) == ("", "")
    for person in (fay, linked.jack):
        assert person.post("/api/house/acknowledge-alert", {"alert": alert["id"]}).status_code == 200
    (seen,) = alerts(linked.jack, "jackpot-win")
    assert seen["acknowledged_by"] == "Fay"  # the first
    assert seen["acknowledged_at"] <= utc_now().isoformat()
    refused = linked.aud.post("/api/house/acknowledge-alert", {"alert": alert["id"]})
    assert refused.json()["reason"] == "NOT_ALLOWED"
    trail = linked.aud.get("/api/floor/trail", house=True).json()
    orders = [entry["command"]["request"]["order"] for entry in trail if entry["command"]["do"] == "house"]
    assert orders.count("acknowledge-alert") == 2


def test_players_and_dealers_get_no_alerts(house: House) -> None:
    for person in (house.player(), house.somebody(Role.DEALER)):
        assert person.get("/api/alerts").json()["reason"] == "NOT_ALLOWED"


def test_a_large_win_is_an_alert_with_its_player_also_after_a_restart(house: House, stack_shoe: StackedShoe) -> None:
    stack_shoe("Ah 2c Kh 9c")
    linked = LinkedHouse(house, "the-brook", "Ante", "Galaxy Bonus Jackpot", 5_00)
    assert alerts(linked.jack, "large-win") == []
    linked.ann.say("T1", "bet", spot=1, stakes={"Ante": 10_00})
    linked.play_on(linked.ann, "T1")
    (alert,) = alerts(linked.jack, "large-win")
    assert (alert["player"], alert["table"], alert["round"]) == ("Ann", "T1", 1)
    assert alert["amount"] == 15_00
    desk = house.server.service.desk
    after_a_restart = LargeWins(desk.store, 10_00)
    assert [win.player for win in after_a_restart.current(desk.clock())] == ["Ann"]
    assert after_a_restart.current(desk.clock() + timedelta(hours=13)) == []


def test_a_round_that_another_process_dealt_is_looked_at(house: House, stack_shoe: StackedShoe) -> None:
    stack_shoe("Ah 2c Kh 9c")
    desk = house.server.service.desk
    other = LargeWins(desk.store, 10_00)
    assert other.current(desk.clock()) == []
    linked = LinkedHouse(house, "the-brook", "Ante", "Galaxy Bonus Jackpot", 5_00)
    linked.ann.say("T1", "bet", spot=1, stakes={"Ante": 10_00})
    linked.play_on(linked.ann, "T1")
    assert other.current(desk.clock()) == []  # nobody has told it
    other.changed(["T1"])
    assert len(other.current(desk.clock())) == 1


def test_a_short_escrow_and_an_overdue_deposit_are_alerts(house: House) -> None:
    jack = house.somebody(Role.JACKPOTS, name="Jack")
    house.do(s.OpenJackpot(jackpot=PROGRESSIVE, layout="lucky-ladies-progressive", wager="Lucky Ladies Jackpot"))
    account = jack.get(f"/api/jackpots/{PROGRESSIVE}/account").json()["progressive"]
    assert alerts(jack, "escrow-short") == []
    house.do(s.House(request=j.Deposit(jackpot=PROGRESSIVE, amount=account["base"] - 1)))
    house.do(s.House(request=j.EscrowLost(jackpot=PROGRESSIVE, amount=7_00, why="a fee of the bank")))
    (short,) = alerts(jack, "escrow-short")
    assert (short["jackpot"], short["amount"]) == (PROGRESSIVE, 7_00)
    house.do(s.House(request=j.CureEscrow(jackpot=PROGRESSIVE, amount=7_00)))
    assert alerts(jack, "escrow-short") == []
    assert alerts(jack, "deposit-overdue") == []
    house.server.service.desk.clock = lambda: utc_now() + timedelta(days=8)
    (overdue,) = (alert for alert in alerts(jack, "deposit-overdue") if alert["jackpot"] == PROGRESSIVE)
    assert overdue["amount"] == 1


def test_a_stopped_table_and_a_waiting_approval_are_alerts(house: House) -> None:
    fay = house.somebody(Role.FLOOR, name="Fay")
    assert alerts(fay, "table-stopped") == alerts(fay, "approval-waiting") == []
    table = house.server.service.queries.tables()[0]
    house.server.service.desk.cache.stopped[f"table:{table}"] = (_version(house, table), WHY)
    (stopped,) = alerts(fay, "table-stopped")
    assert (stopped["table"], stopped["why"]) == (table, WHY)
    fay.step_up()
    asked = fay.post("/api/people/invite", {"name": "Dora", "roles": ["dealer"]})
    assert asked.status_code == 202
    (waiting,) = alerts(fay, "approval-waiting")
    assert waiting["asked_by"] == "Fay"
    fay.post(f"/api/approvals/{asked.json()['approval']}/withdraw")
    assert alerts(fay, "approval-waiting") == []


def test_a_hold_outside_its_range_is_an_alert_for_each_day(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    fay = house.somebody(Role.FLOOR, name="Fay")
    server = house.server
    day = server.gaming_days.days().today
    hold = server.gaming_days.hold(day, None)
    line = hold.together.model_copy(update={"table": "T1", "win": -900_00, "inside": False})
    told = hold.model_copy(update={"tables": [line, line.model_copy(update={"table": "T2", "inside": True})]})
    monkeypatch.setattr(server.gaming_days, "hold", lambda _day, _table: told)
    server.alerts.compare_hold()
    (alert,) = alerts(fay, "hold-outside")
    assert (alert["table"], alert["amount"], alert["day"]) == ("T1", -900_00, day.isoformat())


def _version(house: House, table: str) -> int:
    return house.server.service.desk.live(table).version


def test_at_a_table_dealt_by_hand_the_alert_comes_before_the_dealer_has_paid(house: House) -> None:
    """The book hears of the last card's win when the dealer has paid; the floor had heard of it only then."""
    dealer, jack = house.somebody(Role.DEALER), house.somebody(Role.JACKPOTS)
    wager = "Lucky Ladies Jackpot"
    house.do(s.OpenTable(table="Hand", layout="lucky-ladies", tray=10**7, jackpots={wager: JACKPOT}, by_hand=True))
    house.chips("Bob", 100_00)
    dealer.say("Hand", "log-on")
    dealer.say("Hand", "new-shoe")
    dealer.say("Hand", "seat", player="Bob", spot=1)
    dealer.say("Hand", "bet", spot=1, stakes={"Blackjack": 5_00, wager: 1_00})
    dealer.say("Hand", "deal")
    for card in ("Qh", "Ah", "Qh"):
        dealer.say("Hand", "card", card=card)
    dealer.say("Hand", "deal")
    dealer.say("Hand", "peek", blackjack=True)
    assert alerts(jack, "jackpot-win") == []
    assert dealer.say("Hand", "card", card="Kh").status_code == 200
    (early,) = alerts(jack, "jackpot-win")
    assert dealer.say("Hand", "settle").status_code == 200
    assert alerts(jack, "jackpot-win") == [early]  # the same alert: an acknowledgement stays
    assert (early["jackpot"], early["table"], early["amount"]) == (JACKPOT, "Hand", 10_000_00)
