"""A table's money: tray, stakes, settlement, corrections; ids, repeats and the days of the house."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ledger.book_driver import BookDriver, check_refusal, misdeal
from support.random_play import Player

from upcard.ledger import requests as r
from upcard.ledger.gaming_day import Hours, day_of, length_of, start_of
from upcard.ledger.journal import instant_text
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.transfers import Reason
from upcard.settlement import settle


def refused(driver: BookDriver, request: r.TableRequest | r.HouseRequest, reason: BookRefusal) -> None:
    with pytest.raises(BookRefused) as no:
        driver.do(request)
    assert no.value.reason is reason, no.value
    check_refusal(no.value)


def test_an_id_is_a_short_printable_text(driver: BookDriver) -> None:
    driver.table("T1", "bet-bigger")
    assert driver.clerk is not None
    for name in ("", "a#b", "x" * 201, "a\nb"):
        with pytest.raises(BookRefused, match="an id is 1 to 200 printable characters"):
            driver.clerk.carry_out(r.Fill(table="T1", amount=1), id=name, at=driver.at, actor="Dana")


def test_the_tray_moves_for_openers_fills_credits_buy_ins_cash_outs_and_counts_only() -> None:
    from upcard.ledger.accounts import Kind

    cage = {Reason.OPENER, Reason.FILL, Reason.CREDIT, Reason.COUNTED, Reason.DEALING}
    touching = {kind: {reason for reason in Reason for pair in reason.pairs if kind in pair} for kind in Kind}
    assert touching[Kind.TRAY] == cage | {Reason.BUY_IN, Reason.CASH_OUT}
    assert touching[Kind.HAND_TRAY] == cage | {Reason.CHIPS}


def test_a_meter_is_lowered_for_four_reasons_and_hidden_money_for_three_more() -> None:
    from upcard.ledger.accounts import Kind

    lowering = {reason for reason in Reason for debit, _ in reason.pairs if debit is Kind.METER}
    assert lowering == {Reason.WIN_LOCKED, Reason.MALFUNCTION, Reason.TO_CAP, Reason.SEED_RECOVERED}


def test_random_rounds_of_the_engine_settle_to_the_cent(driver: BookDriver) -> None:
    """Slips as the settlement writes them: what players gain or lose is what the house's win shows."""
    driver.table("T1", "bet-bigger")
    driver.do(r.BuyIn(table="T1", player="P1", amount=1_000_000))
    driver.do(r.BuyIn(table="T1", player="P2", amount=1_000_000))
    player, net = Player("bet-bigger", 5, spots=2), 0
    for number in range(1, 9):
        played = player.play_round()
        slips = settle(played.final, played.terms)
        for slip in slips:
            stake = r.PlaceStake(
                table="T1", round=number, spot=slip.spot, player=slip.player, wager=slip.wager, amount=slip.stake
            )
            driver.do(stake)
        if not slips:
            driver.do(r.PlaceStake(table="T1", round=number, spot=1, player="P1", wager="Ante", amount=5))
            driver.do(misdeal("T1", number))
            continue
        driver.do(r.LockRound(table="T1", round=number))
        driver.do(r.SettleRound(table="T1", round=number, slips=tuple(map(r.slip_line, slips))))
        net += sum(slip.net for slip in slips)
    assert driver.own("win:T1") == -net
    assert driver.own("player:P1") + driver.own("player:P2") == 2_000_000 + net
    assert driver.own("stakes:T1") == 0
    assert driver.check().sound


def test_slips_must_match_the_stakes_on_the_felt(driver: BookDriver) -> None:
    driver.table("T1", "bet-bigger")
    driver.do(r.BuyIn(table="T1", player="Ann", amount=1000))
    refused(
        driver,
        r.PlaceStake(table="T1", round=2, spot=1, player="Ann", wager="Ante", amount=500),
        BookRefusal.ROUND_NOT_NEXT,
    )
    driver.do(r.PlaceStake(table="T1", round=1, spot=1, player="Ann", wager="Ante", amount=500), id="stake")
    slip = r.SlipLine(spot=1, player="Ann", wager="Ante", stake=400)
    driver.do(r.LockRound(table="T1", round=1))
    refused(driver, r.LockRound(table="T1", round=1), BookRefusal.ROUND_LOCKED)
    refused(driver, r.SettleRound(table="T1", round=1, slips=(slip,)), BookRefusal.SLIPS_DIFFER)
    refused(driver, r.SettleRound(table="T1", round=1, slips=()), BookRefusal.SLIPS_DIFFER)
    over = slip.model_copy(update={"stake": 500, "returned": 501})
    refused(driver, r.SettleRound(table="T1", round=1, slips=(over,)), BookRefusal.BAD_SLIP)
    refused(driver, misdeal("T1", 1, " "), BookRefusal.NEEDS_REASON)
    driver.do(r.SettleRound(table="T1", round=1, slips=(slip.model_copy(update={"stake": 500}),)))
    refused(driver, r.ClearStake(table="T1", stake="stake"), BookRefusal.NOT_PENDING)
    assert (driver.own("player:Ann"), driver.own("win:T1")) == (500, 500)


def test_a_correction_names_its_transfer_and_never_exceeds_it(driver: BookDriver) -> None:
    driver.table("T1", "bet-bigger")
    driver.do(r.BuyIn(table="T1", player="Ann", amount=1000), id="buy")
    driver.do(r.PlaceStake(table="T1", round=1, spot=1, player="Ann", wager="Ante", amount=500))
    driver.do(r.LockRound(table="T1", round=1))
    slip = r.SlipLine(spot=1, player="Ann", wager="Ante", stake=500)
    driver.do(r.SettleRound(table="T1", round=1, slips=(slip,)), id="settled")
    driver.do(r.Correct(table="T1", transfer="buy", amount=300, why="counted wrong"))
    too_much = r.Correct(table="T1", transfer="buy", amount=701, why="counted wrong")
    refused(driver, too_much, BookRefusal.CORRECTED_TOO_MUCH)
    refused(driver, too_much.model_copy(update={"transfer": "none"}), BookRefusal.TRANSFER_UNKNOWN)
    refused(driver, too_much.model_copy(update={"transfer": "settled"}), BookRefusal.NOT_CORRECTABLE)
    pay = r.Correct(table="T1", transfer="settled#0.1", amount=1250, to_player="Ann", why="it was a blackjack")
    driver.do(r.BuyIn(table="T1", player="Bob", amount=500))
    refused(driver, pay.model_copy(update={"to_player": "Bob"}), BookRefusal.NOT_OF_THE_ROUND)
    with pytest.raises(ValueError, match="to_player"):
        r.Correct(table="T1", transfer="settled#0.1", amount=1, to_player="Ann:x", why="no name")
    driver.do(pay)
    assert (driver.own("player:Ann"), driver.own("tray:T1")) == (1000 - 500 - 300 + 1250, 500_000 + 700 + 500)
    assert driver.check().sound


def test_a_day_is_closed_once_over_in_order_with_no_round_running(driver: BookDriver) -> None:
    driver.table("T1", "bet-bigger")
    driver.do(r.BuyIn(table="T1", player="Ann", amount=1000))
    driver.do(r.PlaceStake(table="T1", round=1, spot=1, player="Ann", wager="Ante", amount=500))
    refused(driver, r.CloseDay(day=date(2026, 3, 2)), BookRefusal.DAY_NOT_OVER)
    driver.later(days=1)
    refused(driver, r.CloseDay(day=date(2026, 3, 2)), BookRefusal.ROUND_NOT_SETTLED)
    driver.do(misdeal("T1", 1))
    driver.do(r.CloseDay(day=date(2026, 3, 2)))
    refused(driver, r.CloseDay(day=date(2026, 3, 4)), BookRefusal.DAY_NOT_NEXT)
    hours = Hours(since=date(2026, 3, 3), zone="America/New_York", start=5)
    refused(driver, r.SetHours(hours=hours), BookRefusal.HOURS_IN_THE_PAST)
    driver.do(r.SetHours(hours=hours.model_copy(update={"since": date(2026, 3, 5)})))
    driver.table("T2", "bet-bigger")
    driver.at -= timedelta(days=1)
    with pytest.raises(BookRefused, match="the gaming day 2026-03-02 is closed"):
        driver.table("T3", "bet-bigger")
    assert driver.check().sound


def test_an_unknown_table_is_refused(driver: BookDriver) -> None:
    refused(driver, r.Fill(table="T9", amount=5), BookRefusal.TABLE_UNKNOWN)
    driver.table("T1", "bet-bigger")
    with pytest.raises(BookRefused, match="is already in this book"):
        driver.table("T1", "bet-bigger")
    refused(driver, r.LinkTable(table="T1", wager="Ante", jackpot="J"), BookRefusal.NO_SUCH_SENSOR)


# --- gaming days --------------------------------------------------------------------------------------------------

NIGHT = (Hours(since=date(2026, 1, 1), zone="America/New_York", start=6),)


def test_a_gaming_day_is_23_hours_long_when_clocks_go_forward_and_25_when_they_go_back() -> None:
    assert length_of(date(2026, 3, 7), NIGHT) == timedelta(hours=23)
    assert length_of(date(2026, 10, 31), NIGHT) == timedelta(hours=25)
    assert day_of(datetime(2026, 3, 8, 9, 59, tzinfo=UTC), NIGHT) == date(2026, 3, 7)
    assert day_of(datetime(2026, 3, 8, 10, tzinfo=UTC), NIGHT) == date(2026, 3, 8)


def test_the_daylight_saving_overlap_is_two_hours() -> None:
    """On the house's own clock both are half past one; Python takes them for equal."""
    first = datetime(2026, 11, 1, 1, 30, tzinfo=ZoneInfo("America/New_York"))
    second = first.replace(fold=1)
    assert [instant_text(instant)[11:16] for instant in (first, second)] == ["05:30", "06:30"]
    early = (Hours(since=date(2026, 1, 1), zone="UTC", start=6),)
    assert [day_of(instant, early) for instant in (first, second)] == [date(2026, 10, 31), date(2026, 11, 1)]


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


def test_an_unknown_time_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a time zone like America/New_York"):
        Hours(since=date(2026, 1, 1), zone="Mars/Base", start=6)


def test_a_counted_tray_that_differs_is_explained_and_is_over_or_short(driver: BookDriver) -> None:
    """The difference was the house's win, so that a wrong count made the hold worthless."""
    driver.table("T1", "bet-bigger")
    driver.do(r.Fill(table="T1", amount=50_000))
    tray = driver.own("tray:T1")
    with pytest.raises(BookRefused, match=r"^the count differs from the book: count again") as refused:
        driver.do(r.CountTray(table="T1", counted=tray - 500, expected=tray))
    assert not refused.value.details  # a blind count: the refusal does not say what was expected
    with pytest.raises(BookRefused, match=r"now has .* in its tray"):
        driver.do(r.CountTray(table="T1", counted=tray, expected=tray + 1))
    driver.do(r.CountTray(table="T1", counted=tray, expected=tray))
    win = driver.own("win:T1")
    driver.do(r.CountTray(table="T1", counted=tray - 500, expected=tray, why="a chip rolled away"))
    assert (driver.own("tray:T1"), driver.own("over-short:T1"), driver.own("win:T1")) == (tray - 500, -500, win)
    driver.do(r.CountTray(table="T1", counted=tray, expected=tray - 500, why="it was found"))
    assert (driver.own("tray:T1"), driver.own("over-short:T1"), driver.own("win:T1")) == (tray, 0, win)
    assert driver.check().sound
