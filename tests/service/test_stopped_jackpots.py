"""Wagers that are down when their jackpot is stopped or changed: returned at the deal, or played for the old values."""

from datetime import timedelta

import pytest
from service.conftest import NewDriver
from service.linked_tables import JACKPOT, LinkedTables
from service.table_driver import StackedShoe, events

from upcard.catalog import ruleset, shipped
from upcard.ledger.jackpots import requests as j
from upcard.service import commands as s
from upcard.service.query_models import RoundSent
from upcard.service.refusals import Refused

SUITED_ACES = "Ah Ah Ah 9c"
QUEENS_OF_HEARTS = "Qh Qh Qh 9c"


def won_at_the_other_table(new_driver: NewDriver, stack_shoe: StackedShoe) -> LinkedTables:
    """Bob's wagers lie at T2 while Ann wins the jackpot of 000 at T1, which is then being verified."""
    stack_shoe(SUITED_ACES)
    tables = LinkedTables(new_driver, "the-brook")
    for table in ("T2", "T1"):
        tables.bet(table)
    tables.say("T1", s.Ready)
    tables.say("T1", s.DeclineInsurance, spot=1)
    tables.say("T1", s.Stay, spot=1)
    assert tables.state.stopped() is not None
    return tables


def round_at_t2(tables: LinkedTables, number: int = 1) -> RoundSent:
    round_ = tables.driver.service.queries.round("T2", number)
    assert round_ is not None
    return round_


def test_a_jackpot_won_elsewhere_returns_the_jackpot_wagers_and_the_round_is_dealt(
    new_driver_any_database: NewDriver, stack_shoe: StackedShoe
) -> None:
    tables = won_at_the_other_table(new_driver_any_database, stack_shoe)
    chips = tables.driver.bankroll("Bob")
    answer = tables.say("T2", s.Ready)
    assert answer.events[1] == {
        "event": "jackpot-wagers-returned",
        "wager": "Galaxy Bonus Jackpot",
        "spots": [1],
        "stopped": {"code": "BEING_VERIFIED", "jackpot": JACKPOT},
    }
    assert events(answer)[2:5] == ["wagers-cleared", "betting-closed", "card-dealt"]
    assert tables.driver.bankroll("Bob") == chips + 5_00
    assert tables.live("T2").table.round.spots[0].wagers == {"Ante": 10_00}
    tables.play_on("T2")
    assert round_at_t2(tables)["void"] is None


def test_the_betting_timer_deals_the_other_wagers_too(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    tables = won_at_the_other_table(new_driver, stack_shoe)
    tables.play_on("T2")
    assert round_at_t2(tables)["void"] is None
    assert {slip["wager"] for slip in round_at_t2(tables)["slips"]} == {"Ante"}


def test_a_restarted_service_continues_a_round_whose_jackpot_wagers_were_returned(new_driver: NewDriver) -> None:
    """The record says which jackpot was stopped: the table is replayed from it, whatever the jackpot does now."""
    tables = LinkedTables(new_driver, "lucky-ladies")
    tables.bet("T2")
    tables.house(j.Suspend(jackpot=JACKPOT, why="the sign is dark"))
    tables.driver.do(s.Deal(table="T2"))
    tables.house(j.Resume(jackpot=JACKPOT))
    before = tables.live("T2")
    tables.driver.restart()
    assert tables.live("T2") == before
    assert tables.live("T2").table.round.spots[0].wagers == {"Blackjack": 10_00}
    tables.play_on("T2")


def test_a_flat_bettor_is_dealt_without_a_jackpot_wager_that_was_returned(new_driver: NewDriver) -> None:
    tables = LinkedTables(new_driver, "lucky-ladies-jackpot")
    tables.play("T2")
    tables.driver.do(s.NotifyFlatBet(table="T2", player="Bob"))
    tables.bet("T2")
    tables.house(j.Suspend(jackpot=JACKPOT, why="the sign is dark"))
    tables.driver.do(s.Deal(table="T2"))
    tables.play_on("T2")
    assert round_at_t2(tables, 2)["void"] is None


def test_a_flat_bettor_is_dealt_without_a_jackpot_wager_that_could_not_be_made(new_driver: NewDriver) -> None:
    tables = LinkedTables(new_driver, "lucky-ladies-jackpot")
    tables.play("T2")
    tables.driver.do(s.NotifyFlatBet(table="T2", player="Bob"))
    tables.house(j.Suspend(jackpot=JACKPOT, why="the sign is dark"))
    with pytest.raises(Refused):
        tables.bet("T2")
    tables.bet("T2", jackpot=False)
    answer = tables.say("T2", s.Ready)
    assert answer.events[1] == {
        "event": "flat-bet-waived",
        "wager": tables.wager,
        "spots": [1],
        "stopped": {"code": "SUSPENDED", "jackpot": JACKPOT, "why": "the sign is dark"},
    }
    tables.house(j.Resume(jackpot=JACKPOT))
    before = tables.live("T2")
    tables.driver.restart()
    assert tables.live("T2") == before
    tables.play_on("T2")
    assert {slip["wager"] for slip in round_at_t2(tables, 2)["slips"]} <= {tables.main, f"insurance/{tables.main}"}
    tables.bet("T2", jackpot=False)
    with pytest.raises(Refused, match="may only repeat"):  # the jackpot is back, and with it the whole flat bet
        tables.driver.do(s.Deal(table="T2"))


def test_a_shoe_that_began_by_rules_of_format_1_is_finished_by_them(
    new_driver: NewDriver, stack_shoe: StackedShoe, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = ruleset.CURRENT_BEHAVIOUR.model_copy(update={"jackpot_stopped_at_the_deal": "deal-refused"})
    monkeypatch.setattr(ruleset, "CURRENT_BEHAVIOUR", old)
    monkeypatch.setitem(shipped().__dict__, "_rulesets", {})
    tables = won_at_the_other_table(new_driver, stack_shoe)
    with pytest.raises(Refused, match="was won and is being verified"):
        tables.say("T2", s.Ready)
    tables.play_on("T2")
    void = round_at_t2(tables)["void"]
    assert void is not None
    assert void["code"] == "void/timer"


def test_001_a_queued_change_closes_the_wager_at_every_linked_table_until_it_is_posted(
    new_driver_any_database: NewDriver, stack_shoe: StackedShoe
) -> None:
    """$10,000 are lowered to $1 while Ann's wager is down: she wins $10,000, then Bob plays for $1."""
    stack_shoe(QUEENS_OF_HEARTS)
    tables = LinkedTables(new_driver_any_database, "lucky-ladies-jackpot")
    tables.driver.later(24 * 3600)
    tables.bet("T1")
    answer = tables.house(j.Post(jackpot=JACKPOT, values={"MEGA": 100}))
    assert "'queued': {'MEGA': 100}" in str(answer.told)
    with pytest.raises(Refused, match="when the wagers at T1 are decided; bet on it again after that") as refused:
        tables.bet("T2")
    assert refused.value.reason == "CHANGE_WAITS"
    (line,) = tables.driver.service.queries.jackpots()
    assert line["queued"] is not None
    assert (line["queued"]["values"], line["queued"]["by"], line["queued"]["tables"]) == ({"MEGA": 100}, "Jack", ["T1"])
    assert line["stopped"] is not None
    assert line["stopped"]["code"] == "CHANGE_WAITS"
    tables.driver.restart()
    tables.say("T1", s.Ready)
    tables.play_on("T1")
    assert [win.amount for win in tables.state.wins.values()] == [10_000_00]
    assert tables.state.values()["MEGA"] == 100
    tables.bet("T2")


def test_001_wagers_that_are_taken_back_or_void_let_a_queued_change_through(new_driver: NewDriver) -> None:
    tables = LinkedTables(new_driver, "lucky-ladies-jackpot")
    tables.driver.later(24 * 3600)
    ends: tuple[s.Command, ...] = (s.ClearWagers(table="T1", spot=1), s.Void(table="T1", why="a card fell"))
    for number, end in enumerate(ends, 1):
        tables.bet("T1")
        tables.house(j.Post(jackpot=JACKPOT, values={"MEGA": 100 * number}))
        tables.driver.do(end)
        assert tables.state.values()["MEGA"] == 100 * number
        tables.driver.now += timedelta(days=1)


def test_001_a_queued_change_can_be_withdrawn(new_driver: NewDriver) -> None:
    tables = LinkedTables(new_driver, "lucky-ladies-jackpot")
    tables.driver.later(24 * 3600)
    tables.bet("T1")
    tables.house(j.Post(jackpot=JACKPOT, values={"MEGA": 100}))
    tables.house(j.WithdrawPost(jackpot=JACKPOT))
    tables.bet("T2")
    for table in ("T1", "T2"):
        tables.say(table, s.Ready)
    for table in ("T1", "T2"):
        tables.play_on(table)
    assert tables.state.values()["MEGA"] == 10_000_00
