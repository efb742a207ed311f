"""A table's money: tray, stakes, settlement, corrections; ids, repeats and the days of the house."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ledger.desk import Desk, check_refusal, misdeal
from support.random_play import Player

from upcard.ledger import requests as r
from upcard.ledger.gaming_day import Hours, day_of, length_of, start_of
from upcard.ledger.journal import instant_text
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.transfers import Reason
from upcard.settlement import settle


def refused(desk: Desk, request: r.TableRequest | r.HouseRequest, reason: BookRefusal) -> None:
    with pytest.raises(BookRefused) as no:
        desk.do(request)
    assert no.value.reason is reason, no.value
    check_refusal(no.value)


def test_an_id_is_a_short_printable_text(desk: Desk) -> None:
    desk.table("T1", "bet-bigger")
    assert desk.clerk is not None
    for name in ("", "a#b", "x" * 201, "a\nb"):
        with pytest.raises(BookRefused, match="an id is 1 to 200 printable characters"):
            desk.clerk.carry_out(r.Fill(table="T1", amount=1), id=name, at=desk.at, actor="Dana")


def test_the_tray_moves_for_fills_credits_buy_ins_and_cash_outs_only() -> None:
    from upcard.ledger.accounts import Kind

    touching = {reason for reason in Reason for pair in reason.pairs if Kind.TRAY in pair}
    assert touching == {Reason.FILL, Reason.CREDIT, Reason.BUY_IN, Reason.CASH_OUT, Reason.COUNTED}


def test_a_meter_is_lowered_for_four_reasons_and_hidden_money_for_three_more() -> None:
    from upcard.ledger.accounts import Kind

    lowering = {reason for reason in Reason for debit, _ in reason.pairs if debit is Kind.METER}
    assert lowering == {Reason.WIN_LOCKED, Reason.MALFUNCTION, Reason.TO_CAP, Reason.SEED_RECOVERED}


def test_random_rounds_of_the_engine_settle_to_the_cent(desk: Desk) -> None:
    """Slips as the settlement writes them: what players gain or lose is what the house's win shows."""
    desk.table("T1", "bet-bigger")
    desk.do(r.BuyIn(table="T1", player="P1", amount=1_000_000))
    desk.do(r.BuyIn(table="T1", player="P2", amount=1_000_000))
    player, net = Player("bet-bigger", 5, spots=2), 0
    for number in range(1, 9):
        played = player.play_round()
        slips = settle(played.final, played.terms)
        for slip in slips:
            stake = r.PlaceStake(
                table="T1", round=number, spot=slip.spot, player=slip.player, wager=slip.wager, amount=slip.stake
            )
            desk.do(stake)
        if not slips:
            desk.do(r.PlaceStake(table="T1", round=number, spot=1, player="P1", wager="Ante", amount=5))
            desk.do(misdeal("T1", number))
            continue
        desk.do(r.LockRound(table="T1", round=number))
        desk.do(r.SettleRound(table="T1", round=number, slips=tuple(map(r.slip_line, slips))))
        net += sum(slip.net for slip in slips)
    assert desk.own("win:T1") == -net
    assert desk.own("player:P1") + desk.own("player:P2") == 2_000_000 + net
    assert desk.own("stakes:T1") == 0
    assert desk.check().sound


def test_slips_must_speak_of_the_stakes_on_the_felt(desk: Desk) -> None:
    desk.table("T1", "bet-bigger")
    desk.do(r.BuyIn(table="T1", player="Ann", amount=1000))
    refused(
        desk,
        r.PlaceStake(table="T1", round=2, spot=1, player="Ann", wager="Ante", amount=500),
        BookRefusal.ROUND_NOT_NEXT,
    )
    desk.do(r.PlaceStake(table="T1", round=1, spot=1, player="Ann", wager="Ante", amount=500), id="stake")
    slip = r.SlipLine(spot=1, player="Ann", wager="Ante", stake=400)
    refused(desk, r.SettleRound(table="T1", round=1, slips=(slip,)), BookRefusal.ROUND_NOT_LOCKED)
    desk.do(r.LockRound(table="T1", round=1))
    refused(desk, r.LockRound(table="T1", round=1), BookRefusal.ROUND_LOCKED)
    refused(desk, r.SettleRound(table="T1", round=1, slips=(slip,)), BookRefusal.SLIPS_DIFFER)
    refused(desk, r.SettleRound(table="T1", round=1, slips=()), BookRefusal.SLIPS_DIFFER)
    over = slip.model_copy(update={"stake": 500, "returned": 501})
    refused(desk, r.SettleRound(table="T1", round=1, slips=(over,)), BookRefusal.BAD_SLIP)
    refused(desk, misdeal("T1", 1, " "), BookRefusal.NEEDS_REASON)
    desk.do(r.SettleRound(table="T1", round=1, slips=(slip.model_copy(update={"stake": 500}),)))
    refused(desk, r.ClearStake(table="T1", stake="stake"), BookRefusal.NOT_PENDING)
    assert (desk.own("player:Ann"), desk.own("win:T1")) == (500, 500)


def test_corrections_name_what_they_put_right_and_never_more_than_it_was(desk: Desk) -> None:
    desk.table("T1", "bet-bigger")
    desk.do(r.BuyIn(table="T1", player="Ann", amount=1000), id="buy")
    desk.do(r.PlaceStake(table="T1", round=1, spot=1, player="Ann", wager="Ante", amount=500))
    desk.do(r.LockRound(table="T1", round=1))
    slip = r.SlipLine(spot=1, player="Ann", wager="Ante", stake=500)
    desk.do(r.SettleRound(table="T1", round=1, slips=(slip,)), id="settled")
    desk.do(r.Correct(table="T1", transfer="buy", amount=300, why="counted wrong"))
    too_much = r.Correct(table="T1", transfer="buy", amount=701, why="counted wrong")
    refused(desk, too_much, BookRefusal.CORRECTED_TOO_MUCH)
    refused(desk, too_much.model_copy(update={"transfer": "none"}), BookRefusal.TRANSFER_UNKNOWN)
    refused(desk, too_much.model_copy(update={"transfer": "settled"}), BookRefusal.NOT_CORRECTABLE)
    pay = r.Correct(table="T1", transfer="settled#0.1", amount=1250, to_player="Ann", why="it was a blackjack")
    desk.do(r.BuyIn(table="T1", player="Bob", amount=500))
    refused(desk, pay.model_copy(update={"to_player": "Bob"}), BookRefusal.NOT_OF_THE_ROUND)
    with pytest.raises(ValueError, match="to_player"):
        r.Correct(table="T1", transfer="settled#0.1", amount=1, to_player="Ann:x", why="no name")
    desk.do(pay)
    assert (desk.own("player:Ann"), desk.own("tray:T1")) == (1000 - 500 - 300 + 1250, 500_000 + 700 + 500)
    assert desk.check().sound


def test_a_day_is_closed_once_over_in_order_with_no_round_running(desk: Desk) -> None:
    desk.table("T1", "bet-bigger")
    desk.do(r.BuyIn(table="T1", player="Ann", amount=1000))
    desk.do(r.PlaceStake(table="T1", round=1, spot=1, player="Ann", wager="Ante", amount=500))
    refused(desk, r.CloseDay(day=date(2026, 3, 2)), BookRefusal.DAY_NOT_OVER)
    desk.later(days=1)
    refused(desk, r.CloseDay(day=date(2026, 3, 2)), BookRefusal.ROUND_NOT_SETTLED)
    desk.do(misdeal("T1", 1))
    desk.do(r.CloseDay(day=date(2026, 3, 2)))
    refused(desk, r.CloseDay(day=date(2026, 3, 4)), BookRefusal.DAY_NOT_NEXT)
    hours = Hours(since=date(2026, 3, 3), zone="America/New_York", start=5)
    refused(desk, r.SetHours(hours=hours), BookRefusal.HOURS_IN_THE_PAST)
    desk.do(r.SetHours(hours=hours.model_copy(update={"since": date(2026, 3, 5)})))
    desk.table("T2", "bet-bigger")
    desk.at -= timedelta(days=1)
    with pytest.raises(BookRefused, match="the gaming day 2026-03-02 is closed"):
        desk.table("T3", "bet-bigger")
    assert desk.check().sound


def test_a_table_that_is_not_there_is_told_so(desk: Desk) -> None:
    refused(desk, r.Fill(table="T9", amount=5), BookRefusal.TABLE_UNKNOWN)
    desk.table("T1", "bet-bigger")
    with pytest.raises(BookRefused, match="is in this book already"):
        desk.table("T1", "bet-bigger")
    refused(desk, r.LinkTable(table="T1", wager="Ante", jackpot="J"), BookRefusal.NO_SUCH_SENSOR)


# --- gaming days --------------------------------------------------------------------------------------------------

NIGHT = (Hours(since=date(2026, 1, 1), zone="America/New_York", start=6),)


def test_a_gaming_day_is_23_hours_long_when_clocks_go_forward_and_25_when_they_go_back() -> None:
    assert length_of(date(2026, 3, 7), NIGHT) == timedelta(hours=23)
    assert length_of(date(2026, 10, 31), NIGHT) == timedelta(hours=25)
    assert day_of(datetime(2026, 3, 8, 9, 59, tzinfo=UTC), NIGHT) == date(2026, 3, 7)
    assert day_of(datetime(2026, 3, 8, 10, tzinfo=UTC), NIGHT) == date(2026, 3, 8)


def test_the_hour_that_comes_twice_is_two_hours() -> None:
    """On the house's own clock both are half past one; Python takes them for equal."""
    first = datetime(2026, 11, 1, 1, 30, tzinfo=ZoneInfo("America/New_York"))
    second = first.replace(fold=1)
    assert [instant_text(one)[11:16] for one in (first, second)] == ["05:30", "06:30"]
    early = (Hours(since=date(2026, 1, 1), zone="UTC", start=6),)
    assert [day_of(one, early) for one in (first, second)] == [date(2026, 10, 31), date(2026, 11, 1)]


@given(
    st.datetimes(datetime(2025, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC)),
    st.sampled_from(["America/New_York", "America/Los_Angeles", "Australia/Lord_Howe", "UTC"]),
    st.integers(0, 23),
    st.integers(0, 23),
)
def test_every_moment_belongs_to_exactly_one_gaming_day(at: datetime, zone: str, first: int, second: int) -> None:
    hours = (
        Hours(since=date(2024, 1, 1), zone=zone, start=first),
        Hours(since=date(2026, 2, 1), zone=zone, start=second),
    )
    day = day_of(at, hours)
    assert start_of(day, hours) <= at < start_of(day + timedelta(days=1), hours)
    assert day_of(at, hours[:1]) == day or at >= start_of(date(2026, 1, 31), hours)


def test_a_zone_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a time zone like America/New_York"):
        Hours(since=date(2026, 1, 1), zone="Mars/Base", start=6)


def test_a_counted_tray_that_differs_is_explained_and_the_difference_is_the_houses_win(desk: Desk) -> None:
    desk.table("T1", "bet-bigger")
    desk.do(r.Fill(table="T1", amount=50_000))
    tray = desk.own("tray:T1")
    with pytest.raises(BookRefused, match=r"were counted and .* expected: count again, or say why"):
        desk.do(r.CountTray(table="T1", counted=tray - 500, expected=tray))
    with pytest.raises(BookRefused, match="in its tray by now"):
        desk.do(r.CountTray(table="T1", counted=tray, expected=tray + 1))
    desk.do(r.CountTray(table="T1", counted=tray, expected=tray))
    win = desk.own("win:T1")
    desk.do(r.CountTray(table="T1", counted=tray - 500, expected=tray, why="a chip rolled away"))
    assert desk.own("tray:T1") == tray - 500
    assert desk.own("win:T1") == win - 500
    desk.do(r.CountTray(table="T1", counted=tray, expected=tray - 500, why="it was found"))
    assert (desk.own("tray:T1"), desk.own("win:T1")) == (tray, win)
    assert desk.check().sound
