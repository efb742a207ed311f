"""Timers on a clock turned by hand: what happens when nobody says anything."""

from datetime import timedelta

import pytest
from service.conftest import NewDriver
from service.table_driver import StackedShoe, TableDriver, events

from upcard.ledger.jackpots import requests as j
from upcard.service import commands as s
from upcard.service.refusals import Refused
from upcard.service.table_draft import TableDraft
from upcard.service.timers import fire_due, timer_id

PACE = s.Pace(betting=20, decision=30, insurance=10, late=8, away=120, sitting_out=600)
PROGRESSIVE = {"Lucky Ladies Jackpot": "LL", "21+3 Jackpot": "T3"}


def test_betting_closes_after_its_pace(new_driver: NewDriver) -> None:
    driver = new_driver(pace=PACE)
    driver.sit("Ann", "Ben")
    assert driver.live.timers == {}, "nobody is hurried before the first wager"
    driver.bet("Ann", 1)
    assert driver.later(15) == []
    driver.bet("Ben", 2)  # wins no time
    assert driver.later(4.9) == []
    (answer,) = driver.later(0.1)
    assert events(answer)[:2] == ["timer-expired", "betting-closed"]


def test_a_hand_stays_when_its_decision_times_out(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    stack_shoe("5c 6h 6d Ts 2d 3c")
    driver = _dealt(new_driver(pace=PACE))
    assert driver.later(29) == []
    driver.say("Ann", s.Hit, spot=1)
    assert driver.later(29) == [], "each decision has its own time"
    (answer,) = driver.later(1)
    assert "hand-stayed" in events(answer)


def test_insurance_that_is_not_taken_is_declined(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    stack_shoe("Tc As 9d 7h")
    driver = _dealt(new_driver(pace=PACE))
    (answer,) = driver.later(10)
    assert "insurance-closed" in events(answer)
    assert driver.bankroll("Ann") == 990_00


def test_late_wagers_close_by_themselves(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    """003: the Bust Bonus is wagered after the peek, and play goes on without it."""
    stack_shoe("Tc 8h 9d 8s 8c")
    driver = _dealt(new_driver("lucky-ladies", pace=PACE))
    (answer,) = driver.later(8)
    assert "late-wagers-closed" in events(answer)
    assert next(iter(driver.live.timers)).startswith("1/1.0.")


@pytest.mark.parametrize(("kind", "seconds"), [(s.Away, 120), (s.SitOut, 600)])
def test_a_seat_is_held_for_a_while(new_driver: NewDriver, kind: type[s.TableCommand], seconds: int) -> None:
    driver = new_driver(pace=PACE)
    driver.sit("Ann", "Ann", "Ben")
    driver.say("Ann", kind)
    assert driver.later(seconds - 1) == []
    driver.say("Ann", s.Back)
    assert driver.later(seconds) == []
    driver.say("Ann", kind)
    (answer,) = driver.later(seconds)
    assert events(answer).count("spot-left") == 2
    assert driver.live.players == ("Ben",)


def test_nobody_is_removed_in_the_middle_of_a_hand(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    """Away longer than a seat is held, but in the middle of a round: the seat goes when the round is over."""
    stack_shoe("5c 6h 6d Ts 2d 3c")
    driver = _dealt(new_driver(pace=s.Pace(away=2, decision=30)))
    driver.say("Ann", s.Away)
    assert driver.later(3) == []
    (stayed,) = driver.later(2)
    assert "round-over" in events(stayed)
    (answer,) = driver.later(0)
    assert "spot-left" in events(answer)


def test_a_timer_fires_once_though_two_desks_fire_it(new_driver_any_database: NewDriver) -> None:
    driver = new_driver_any_database(pace=PACE)
    driver.sit("Ann")
    driver.bet("Ann", 1)
    other = driver.another_service()
    other.desk.live("T1")
    timeout = s.Timeout(table="T1", key="1/betting")
    driver.now += timedelta(seconds=20)
    name = timer_id("T1", "1/betting")
    first = driver.service.desk.do(timeout, id=name, actor="clock", role="clock")
    rows_before = driver.rows()
    for desk in (other.desk, driver.service.desk, driver.another_service().desk):
        assert desk.do(timeout, id=name, actor="clock", role="clock") == first
    assert driver.rows() == rows_before


def test_timers_go_on_after_a_restart(new_driver_any_database: NewDriver) -> None:
    driver = new_driver_any_database(pace=PACE)
    driver.sit("Ann", "Ben")
    driver.say("Ben", s.Away)
    driver.bet("Ann", 1)
    driver.later(12)
    driver.restart()
    assert driver.later(7.9) == []
    (answer,) = driver.later(0.1)
    assert "betting-closed" in events(answer)
    while driver.live.table.round is not None:
        driver.later(30)
    driver.restart()
    driver.later(120)
    assert driver.live.players == ("Ann",)


@pytest.mark.parametrize("key", ["1/betting", "2/betting", "1/1.0.1.2", "away/Ann/2026-03-02T18:00:00Z", "", "x/y/z"])
def test_a_timer_that_does_not_run_leaves_no_record(new_driver: NewDriver, key: str) -> None:
    driver = new_driver(pace=PACE)
    driver.sit("Ann")
    if not key:
        driver.bet("Ann", 1)  # it runs, and has not run out
    rows_before = driver.rows()
    with pytest.raises(Refused) as refused:
        driver.do(s.Timeout(table="T1", key=key or "1/betting"), id="t", actor="clock", role="clock")
    assert refused.value.reason == ("TIMER_STALE" if key else "TIMER_EARLY")
    assert driver.rows() == rows_before


def test_stakes_on_spots_apart_go_back_when_betting_closes(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    stack_shoe("Tc 9h 8d Ts")
    driver = new_driver(pace=PACE)
    driver.sit("Ann", "Ann", "Ann")
    driver.bet("Ann", 1)
    driver.bet("Ann", 3)
    assert driver.refused("Ann", s.Ready)[0] == "SPOTS_APART"
    (answer,) = driver.later(20)
    assert events(answer)[:3] == ["timer-expired", "wagers-cleared", "betting-closed"]
    assert driver.bankroll("Ann") == 990_00


def test_a_flat_bettor_who_lacks_a_wager_gets_their_stakes_back_when_betting_closes(new_driver: NewDriver) -> None:
    """000 C&E: all the wagers of the player's first hand, or none; the others do not wait."""
    driver = new_driver("the-brook", pace=PACE)
    driver.sit("Ann", "Ben")
    driver.bet("Ann", 1, 10_00, **{"Lucky Ladies": 5_00})
    driver.bet("Ben", 2)
    while not driver.live.round or driver.live.table.round is not None:
        driver.later(30)
    driver.floor(s.NotifyFlatBet, player="Ann")
    before = driver.bankroll("Ann")
    driver.bet("Ann", 1, 10_00)
    driver.bet("Ben", 2)
    (answer,) = driver.later(20)
    assert {"wagers-cleared", "betting-closed"} <= set(events(answer))
    assert driver.bankroll("Ann") == before


def test_there_is_no_round_when_no_stake_is_left_at_the_close(new_driver: NewDriver) -> None:
    driver = new_driver("the-brook", pace=PACE)
    driver.sit("Ann")
    driver.bet("Ann", 1, 10_00, **{"Lucky Ladies": 5_00})
    while driver.live.table.round is not None:
        driver.later(30)
    driver.floor(s.NotifyFlatBet, player="Ann")
    driver.bet("Ann", 1, 10_00)
    driver.later(20)
    assert (driver.live.table.round, driver.round(2)["void"]) == (None, {"code": "void/wagers-cleared"})


def test_when_betting_times_out_wagers_on_a_suspended_jackpot_are_returned_and_the_rest_is_dealt(
    new_driver_any_database: NewDriver,
) -> None:
    """003: the jackpot was suspended between the wager and the deal; nobody is kept waiting."""
    driver = new_driver_any_database("lucky-ladies-progressive", pace=PACE, jackpots=PROGRESSIVE)
    driver.sit("Ann", "Ben")
    driver.bet("Ann", 1, 10_00, **{"Lucky Ladies Jackpot": 1_00})
    driver.bet("Ben", 2)
    driver.do(s.House(request=j.Suspend(jackpot="LL", why="the sign is dark")))
    (answer,) = driver.later(20)
    happened = events(answer)
    assert happened.index("jackpot-wagers-returned") < happened.index("betting-closed") < happened.index("card-dealt")
    state = driver.live.table.round
    assert state is None or all("Lucky Ladies Jackpot" not in spot.wagers for spot in state.spots)
    rows_before, other = driver.rows(), driver.another_service()
    assert fire_due(other.desk, other.queries) == []
    assert driver.rows() == rows_before
    table_before = driver.live
    driver.restart()
    assert driver.live == table_before


def test_long_names_have_timers_too(new_driver: NewDriver) -> None:
    """An id has at most 120 characters: a timer's is made to fit, and stays one of a kind."""
    driver = new_driver(pace=PACE)
    player = "P" * 80
    table = "T" * 80
    driver.do(s.OpenTable(table=table, layout="bet-bigger", pace=PACE))
    driver.do(s.Seat(table=table, player=player, spot=1))
    driver.do(s.Away(table=table, player=player))
    (answer,) = driver.later(120)
    assert "spot-left" in events(answer)
    assert timer_id(table, f"away/{player}/1") != timer_id(table, f"away/{player}/2")


def test_the_clock_fires_for_every_table(new_driver: NewDriver) -> None:
    driver = new_driver(pace=PACE)
    for number in range(2, 5):
        driver.do(s.OpenTable(table=f"T{number}", layout="bet-bigger", pace=PACE))
        driver.do(s.BuyIn(table=f"T{number}", player=f"P{number}", amount=100_00))
        driver.do(s.Seat(table=f"T{number}", player=f"P{number}", spot=1))
        driver.do(s.Bet(table=f"T{number}", spot=1, stakes={"Ante": 10_00}))
    assert driver.service.queries.due("9999") == ["T2", "T3", "T4"]
    driver.now += timedelta(seconds=20)
    answers = fire_due(driver.service.desk, driver.service.queries)
    assert [answer.stream for answer in answers] == ["table:T2", "table:T3", "table:T4"]


def _dealt(driver: TableDriver) -> TableDriver:
    driver.sit("Ann")
    driver.bet("Ann", 1)
    driver.say("Ann", s.Ready)
    return driver


def test_no_timer_runs_after_the_game_has_ended(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    driver = new_driver("the-brook", pace=PACE)
    driver.sit("Ann", "Bob")
    stack_shoe.cut_card = 3
    driver.bet("Ann", 1)
    driver.floor(s.AnnounceClosing)
    driver.say("Bob", s.Away)
    driver.floor(s.Deal)
    while driver.live.table.round is not None:
        driver.later(PACE.decision)
    assert driver.live.table.closed
    driver.later(PACE.away)
    assert not driver.live.timers  # an ended game lets nobody leave: this would be tried for ever
    assert not driver.service.queries.due("~")


def test_an_absent_player_who_bets_is_present_again(new_driver: NewDriver) -> None:
    driver = new_driver("the-brook", pace=PACE)
    driver.sit("Ann", "Bob")
    driver.say("Ann", s.SitOut)
    assert "player-back" in events(driver.bet("Ann", 1))
    assert not driver.live.absent
    assert "player-back" not in events(driver.bet("Ann", 1))
    driver.floor(s.Void, why="enough")
    driver.later(PACE.sitting_out)
    assert driver.live.players == ("Ann", "Bob")


def test_a_timer_that_breaks_does_not_keep_others_from_being_void(
    new_driver: NewDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = new_driver("the-brook", pace=PACE)
    driver.sit("Ann")
    driver.bet("Ann", 1)

    def broken(_draft: TableDraft) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("upcard.service.table_timeouts._deal_in_time", broken)
    (fired,) = driver.later(PACE.betting)
    assert "round-over" in events(fired)
    assert driver.bankroll("Ann") == 1000_00
    assert not driver.service.queries.due("~")
