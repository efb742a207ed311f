"""Timers on a clock turned by hand: what happens when nobody says anything."""

from datetime import timedelta

import pytest
from service.conftest import NewEvening
from service.evening import Evening, Laid, events

from upcard.codes import sentence_of
from upcard.ledger.jackpots import requests as j
from upcard.service import commands as s
from upcard.service.refusals import Refused
from upcard.service.table_draft import TableDraft
from upcard.service.timers import fire_due, timer_id

PACE = s.Pace(betting=20, decision=30, insurance=10, late=8, away=120, sitting_out=600)
PROGRESSIVE = {"Lucky Ladies Jackpot": "LL", "21+3 Jackpot": "T3"}


def test_betting_closes_after_its_pace(evening: NewEvening) -> None:
    e = evening(pace=PACE)
    e.sit("Ann", "Ben")
    assert e.live.timers == {}, "nobody is hurried before the first wager"
    e.bet("Ann", 1)
    assert e.later(15) == []
    e.bet("Ben", 2)  # wins no time
    assert e.later(4.9) == []
    (answer,) = e.later(0.1)
    assert events(answer)[:2] == ["timer-expired", "betting-closed"]


def test_a_decision_that_is_not_made_is_to_stay(evening: NewEvening, lay: Laid) -> None:
    lay("5c 6h 6d Ts 2d 3c")
    e = _dealt(evening(pace=PACE))
    assert e.later(29) == []
    e.say("Ann", s.Hit, spot=1)
    assert e.later(29) == [], "each decision has its own time"
    (answer,) = e.later(1)
    assert "hand-stayed" in events(answer)


def test_insurance_that_is_not_taken_is_declined(evening: NewEvening, lay: Laid) -> None:
    lay("Tc As 9d 7h")
    e = _dealt(evening(pace=PACE))
    (answer,) = e.later(10)
    assert "insurance-closed" in events(answer)
    assert e.bankroll("Ann") == 990_00


def test_late_wagers_close_by_themselves(evening: NewEvening, lay: Laid) -> None:
    """003: the Bust Bonus is wagered after the peek, and play goes on without it."""
    lay("Tc 8h 9d 8s 8c")
    e = _dealt(evening("lucky-ladies", pace=PACE))
    (answer,) = e.later(8)
    assert "late-wagers-closed" in events(answer)
    assert next(iter(e.live.timers)).startswith("1/1.0.")


@pytest.mark.parametrize(("kind", "seconds"), [(s.Away, 120), (s.SitOut, 600)])
def test_a_seat_is_held_for_a_while(evening: NewEvening, kind: type[s.TableCommand], seconds: int) -> None:
    e = evening(pace=PACE)
    e.sit("Ann", "Ann", "Ben")
    e.say("Ann", kind)
    assert e.later(seconds - 1) == []
    e.say("Ann", s.Back)
    assert e.later(seconds) == []
    e.say("Ann", kind)
    (answer,) = e.later(seconds)
    assert events(answer).count("spot-left") == 2
    assert e.live.players == ("Ben",)


def test_nobody_is_taken_from_his_hand(evening: NewEvening, lay: Laid) -> None:
    """Away longer than a seat is held, but in the middle of a round: the seat goes when the round is over."""
    lay("5c 6h 6d Ts 2d 3c")
    e = _dealt(evening(pace=s.Pace(away=20, decision=30)))
    e.say("Ann", s.Away)
    assert e.later(25) == []
    (stayed,) = e.later(5)
    assert "round-over" in events(stayed)
    (left,) = e.later(0)
    assert "spot-left" in events(left)


def test_a_timer_fires_once_though_two_desks_fire_it(any_evening: NewEvening) -> None:
    e = any_evening(pace=PACE)
    e.sit("Ann")
    e.bet("Ann", 1)
    other = e.another()
    other.desk.live("T1")
    timeout = s.Timeout(table="T1", key="1/betting")
    e.now += timedelta(seconds=20)
    name = timer_id("T1", "1/betting")
    first = e.service.desk.do(timeout, id=name, actor="clock", role="clock")
    kept = e.rows()
    for desk in (other.desk, e.service.desk, e.another().desk):
        assert desk.do(timeout, id=name, actor="clock", role="clock") == first
    assert e.rows() == kept


def test_timers_go_on_after_a_restart(any_evening: NewEvening) -> None:
    e = any_evening(pace=PACE)
    e.sit("Ann", "Ben")
    e.say("Ben", s.Away)
    e.bet("Ann", 1)
    e.later(12)
    e.restart()
    assert e.later(7.9) == []
    (answer,) = e.later(0.1)
    assert "betting-closed" in events(answer)
    while e.live.table.round is not None:
        e.later(30)
    e.restart()
    e.later(120)
    assert e.live.players == ("Ann",)


@pytest.mark.parametrize("key", ["1/betting", "2/betting", "1/1.0.1.2", "away/Ann/2026-03-02T18:00:00Z", "", "x/y/z"])
def test_a_timer_that_does_not_run_leaves_no_record(evening: NewEvening, key: str) -> None:
    e = evening(pace=PACE)
    e.sit("Ann")
    if not key:
        e.bet("Ann", 1)  # it runs, and has not run out
    kept = e.rows()
    with pytest.raises(Refused) as refused:
        e.do(s.Timeout(table="T1", key=key or "1/betting"), id="t", actor="clock", role="clock")
    assert refused.value.reason == ("TIMER_STALE" if key else "TIMER_EARLY")
    assert e.rows() == kept


def test_stakes_on_spots_apart_go_back_when_betting_closes(evening: NewEvening, lay: Laid) -> None:
    lay("Tc 9h 8d Ts")
    e = evening(pace=PACE)
    e.sit("Ann", "Ann", "Ann")
    e.bet("Ann", 1)
    e.bet("Ann", 3)
    assert e.no("Ann", s.Ready)[0] == "SPOTS_APART"
    (answer,) = e.later(20)
    assert events(answer)[:3] == ["timer-expired", "wagers-cleared", "betting-closed"]
    assert e.bankroll("Ann") == 990_00


def test_a_flat_bettor_who_lacks_a_wager_has_his_stakes_back_when_betting_closes(evening: NewEvening) -> None:
    """000 C&E: all the wagers of his first hand, or none; the others do not wait for him."""
    e = evening("the-brook", pace=PACE)
    e.sit("Ann", "Ben")
    e.bet("Ann", 1, 10_00, **{"Lucky Ladies": 5_00})
    e.bet("Ben", 2)
    while not e.live.round or e.live.table.round is not None:
        e.later(30)
    e.floor(s.NotifyFlatBet, player="Ann")
    before = e.bankroll("Ann")
    e.bet("Ann", 1, 10_00)
    e.bet("Ben", 2)
    (answer,) = e.later(20)
    assert {"wagers-cleared", "betting-closed"} <= set(events(answer))
    assert e.bankroll("Ann") == before


def test_there_is_no_round_when_no_stake_is_left_at_the_close(evening: NewEvening) -> None:
    e = evening("the-brook", pace=PACE)
    e.sit("Ann")
    e.bet("Ann", 1, 10_00, **{"Lucky Ladies": 5_00})
    while e.live.table.round is not None:
        e.later(30)
    e.floor(s.NotifyFlatBet, player="Ann")
    e.bet("Ann", 1, 10_00)
    e.later(20)
    assert (e.live.table.round, e.round(2)["void"]) == (None, {"code": "void/wagers-cleared"})


def test_betting_that_the_book_does_not_let_end_is_void_with_its_reason(any_evening: NewEvening) -> None:
    """003: the jackpot was suspended between the wager and the deal; nobody is kept waiting for ever."""
    e = any_evening("lucky-ladies-progressive", pace=PACE, jackpots=PROGRESSIVE)
    e.sit("Ann", "Ben")
    e.bet("Ann", 1, 10_00, **{"Lucky Ladies Jackpot": 1_00})
    e.bet("Ben", 2)
    e.do(s.House(request=j.Suspend(jackpot="LL", why="the sign is dark")))
    assert e.no_floor(s.Deal)[0] == "SUSPENDED"
    (answer,) = e.later(20)
    assert "round-over" in events(answer)
    assert (e.bankroll("Ann"), e.bankroll("Ben")) == (1000_00, 1000_00)
    assert e.round(1)["void"] == {
        "code": "void/timer",
        "refusal": {"code": "SUSPENDED", "jackpot": "LL", "why": "the sign is dark"},
    }
    assert sentence_of(e.round(1)["void"]) == "LL is suspended: the sign is dark"
    kept, other = e.rows(), e.another()
    assert fire_due(other.desk, other.queries) == []
    assert e.rows() == kept
    known = e.live
    e.restart()
    assert e.live == known
    e.bet("Ben", 2)
    assert "betting-closed" in events(e.later(20)[0])


def test_long_names_have_timers_too(evening: NewEvening) -> None:
    """An id has at most 120 characters: a timer's is made to fit, and stays one of a kind."""
    e = evening(pace=PACE)
    player = "P" * 80
    table = "T" * 80
    e.do(s.OpenTable(table=table, layout="bet-bigger", pace=PACE))
    e.do(s.Seat(table=table, player=player, spot=1))
    e.do(s.Away(table=table, player=player))
    (answer,) = e.later(120)
    assert "spot-left" in events(answer)
    assert timer_id(table, f"away/{player}/1") != timer_id(table, f"away/{player}/2")


def test_the_clock_fires_for_every_table(evening: NewEvening) -> None:
    e = evening(pace=PACE)
    for number in range(2, 5):
        e.do(s.OpenTable(table=f"T{number}", layout="bet-bigger", pace=PACE))
        e.do(s.BuyIn(table=f"T{number}", player=f"P{number}", amount=100_00))
        e.do(s.Seat(table=f"T{number}", player=f"P{number}", spot=1))
        e.do(s.Bet(table=f"T{number}", spot=1, stakes={"Ante": 10_00}))
    assert e.service.queries.due("9999") == ["T2", "T3", "T4"]
    e.now += timedelta(seconds=20)
    answers = fire_due(e.service.desk, e.service.queries)
    assert [one.stream for one in answers] == ["table:T2", "table:T3", "table:T4"]


def _dealt(e: Evening) -> Evening:
    e.sit("Ann")
    e.bet("Ann", 1)
    e.say("Ann", s.Ready)
    return e


def test_no_timer_runs_where_the_game_has_ended(evening: NewEvening, lay: Laid) -> None:
    e = evening("the-brook", pace=PACE)
    e.sit("Ann", "Bob")
    lay.cut_card = 3
    e.bet("Ann", 1)
    e.floor(s.AnnounceClosing)
    e.say("Bob", s.Away)
    e.floor(s.Deal)
    while e.live.table.round is not None:
        e.later(PACE.decision)
    assert e.live.table.closed
    e.later(PACE.away)
    assert not e.live.timers  # an ended game lets nobody leave: this would be tried for ever
    assert not e.service.queries.due("~")


def test_who_wagers_is_back(evening: NewEvening) -> None:
    e = evening("the-brook", pace=PACE)
    e.sit("Ann", "Bob")
    e.say("Ann", s.SitOut)
    assert "player-back" in events(e.bet("Ann", 1))
    assert not e.live.absent
    assert "player-back" not in events(e.bet("Ann", 1))
    e.floor(s.Void, why="enough")
    e.later(PACE.sitting_out)
    assert e.live.players == ("Ann", "Bob")


def test_a_timer_that_breaks_does_not_keep_others_from_being_void(
    evening: NewEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    e = evening("the-brook", pace=PACE)
    e.sit("Ann")
    e.bet("Ann", 1)

    def broken(_draft: TableDraft) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("upcard.service.table_timeouts._deal_in_time", broken)
    (fired,) = e.later(PACE.betting)
    assert "round-over" in events(fired)
    assert e.bankroll("Ann") == 1000_00
    assert not e.service.queries.due("~")
