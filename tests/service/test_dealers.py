"""Dealers at a table dealt by hand: only the one who is logged on acts, and who dealt when is in the records."""

from service.table_driver import TableDriver
from support.empty_books import NewAddress

from upcard.service import commands as s
from upcard.service.views import table_view

DAN = {"actor": "Dan", "role": "dealer"}
DORA = {"actor": "Dora", "role": "dealer"}


def test_only_the_dealer_who_is_logged_on_acts_at_a_table_dealt_by_hand(new_address: NewAddress) -> None:
    driver = TableDriver(new_address(), by_hand=True)
    assert driver.refused_do(s.PlaceShoe(table="T1"), **DAN)[0] == "NOT_LOGGED_ON"
    driver.do(s.LogOn(table="T1"), **DAN)
    driver.do(s.PlaceShoe(table="T1"), **DAN)
    assert driver.refused_do(s.LogOn(table="T1"), **DAN)[0] == "LOGGED_ON_ALREADY"
    sale = s.BuyIn(table="T1", player="Ann", amount=100_00)
    assert driver.refused_do(sale, **DORA) == (
        "NOT_LOGGED_ON",
        "log on to T1 first: only the dealer who is logged on acts there",
    )
    driver.do(s.LogOn(table="T1"), **DORA)  # relieves him
    driver.do(sale, **DORA)
    assert driver.refused_do(sale, **DAN)[0] == "NOT_LOGGED_ON"
    assert driver.refused_do(s.LogOff(table="T1"), **DAN)[0] == "NOT_LOGGED_ON"
    driver.do(s.LogOff(table="T1"), **DORA)
    events = [event for record in driver.service.queries.records("T1") for event in record["events"]]
    rotation = [event for event in events if event["event"].startswith("dealer-logged")]
    assert rotation == [
        {"event": "dealer-logged-on", "dealer": "Dan", "relieved": None},
        {"event": "dealer-logged-on", "dealer": "Dora", "relieved": "Dan"},
        {"event": "dealer-logged-off", "dealer": "Dora"},
    ]
    driver.end()


def test_who_deals_outlives_a_restart_and_ends_with_the_table(new_address: NewAddress) -> None:
    driver = TableDriver(new_address(), by_hand=True)
    driver.do(s.LogOn(table="T1"), **DAN)
    driver.restart()
    assert table_view(driver.live)["dealer"] == "Dan"
    driver.do(s.PlaceShoe(table="T1"), **DAN)
    driver.floor(s.Shuffle)
    driver.floor(s.CloseTable, tray=100_000_00)
    assert driver.live.dealer == ""
    driver.end()


def test_a_table_that_the_service_deals_has_no_dealer_to_log_on(new_address: NewAddress) -> None:
    driver = TableDriver(new_address())
    assert driver.refused_do(s.LogOn(table="T1"), **DAN)[0] == "NOT_BY_HAND"
    driver.do(s.BuyIn(table="T1", player="Ann", amount=100_00), **DAN)
    driver.end()
