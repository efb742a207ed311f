"""What the house does at a table: opening, closing, chips, limits, shoes, jackpots; and commands asked again."""

from datetime import date, timedelta
from typing import Any

import pytest
from service.conftest import NewEvening
from service.evening import HOURS, Evening, Laid, events

from upcard.ledger.jackpots import requests as j
from upcard.ledger.requests import CloseDay
from upcard.service import commands as s
from upcard.service.refusals import Refused
from upcard.units import Cents

PROGRESSIVE = {"Lucky Ladies Jackpot": "LL", "21+3 Jackpot": "T3"}


# --- opening and closing


def test_a_table_opens_with_its_tray_its_jackpots_and_a_promised_shoe(evening: NewEvening) -> None:
    e = evening("lucky-ladies-progressive", tray=5000_00, jackpots=PROGRESSIVE)
    assert e.own("tray:T1") == 5000_00
    with e.service.desk.book.look() as clerk:
        assert dict(clerk.table("T1").links) == PROGRESSIVE
        assert clerk.jackpot("LL").values() == {"Lucky Ladies Jackpot": 10_000_00}
    (shoe,) = e.service.queries.shoes("T1")
    assert (shoe["number"], shoe["key"]) == (1, None)
    assert e.service.queries.tables() == ["T1"]


def test_a_second_table_is_linked_to_the_jackpot_that_is_there(evening: NewEvening) -> None:
    e = evening("lucky-ladies-progressive", jackpots=PROGRESSIVE)
    e.do(s.OpenTable(table="T2", layout="lucky-ladies-progressive", jackpots=PROGRESSIVE))
    with e.service.desk.book.look() as clerk:
        assert dict(clerk.table("T2").links) == PROGRESSIVE


@pytest.mark.parametrize(
    ("opening", "reason"),
    [
        ({"table": "T2", "layout": "no-such"}, "UNKNOWN_NAME"),
        ({"table": "T2", "layout": "bet-bigger", "jackpots": {"Ante": "X"}}, "UNKNOWN_NAME"),
        ({"table": "T1", "layout": "bet-bigger"}, "TABLE_OPEN"),
    ],
)
def test_an_opening_that_cannot_be_leaves_nothing(evening: NewEvening, opening: dict[str, Any], reason: str) -> None:
    e = evening()
    assert e.no_do(s.OpenTable(**opening))[0] == reason
    assert e.service.queries.tables() == ["T1"]


def test_a_closed_table_opens_again_with_its_tray_counted(evening: NewEvening) -> None:
    e = evening(tray=1000_00)
    e.floor(s.CloseTable, tray=1000_00)
    assert not e.live.opened
    assert e.no_floor(s.Fill, amount=100)[0] == "TABLE_NOT_OPEN"
    short = {"layout": "bet-bigger", "tray": 990_00}
    assert e.no_floor(s.OpenTable, **short)[0] == "TRAY_DIFFERS"
    e.floor(s.OpenTable, **short, why="two fives fell under the table")
    assert (e.own("tray:T1"), e.own("win:T1")) == (990_00, -10_00)
    assert e.live.opened


def test_a_table_keeps_its_layout(evening: NewEvening) -> None:
    e = evening(tray=0)
    e.floor(s.CloseTable, tray=0)
    assert e.no_floor(s.OpenTable, layout="double-action")[0] == "OTHER_LAYOUT"


def test_rounds_and_shoes_are_counted_on_when_a_table_opens_again(evening: NewEvening, lay: Laid) -> None:
    lay("Tc 9c Td 8c")
    e = evening(tray=0)
    e.sit("Ann", chips=100_00)
    one_round(e)
    e.floor(s.CloseTable, tray=100_00)
    assert e.service.queries.shoes("T1")[0]["key"], "a shoe that is put away is told"
    e.floor(s.OpenTable, layout="bet-bigger", tray=100_00)
    assert (e.live.shoe, e.live.players) == (2, ())
    e.say("Ann", s.Seat, spot=1)
    e.bet("Ann", 1)
    assert e.live.round == 2


def test_a_table_does_not_close_during_a_round(evening: NewEvening) -> None:
    e = evening()
    e.sit("Ann")
    e.bet("Ann", 1)
    assert e.no_floor(s.CloseTable, tray=101_000_00)[0] == "END_ROUND_FIRST"


def test_a_closing_table_ends_with_its_shoe(evening: NewEvening, lay: Laid) -> None:
    lay.cut_card = 20
    e = evening()
    e.sit("Ann")
    e.bet("Ann", 1)
    e.floor(s.AnnounceClosing)
    rounds = 0
    while not e.live.table.closed:
        play_on(e)
        rounds += 1
        if not e.live.table.closed:
            e.bet("Ann", 1)
    assert rounds > 1
    assert e.service.queries.shoes("T1")[0]["key"], "its key is told"
    assert e.no("Ann", s.Bet, spot=1, stakes={"Ante": 10_00})[0] == "TABLE_CLOSED"


# --- chips


def test_fills_and_credits_move_chips_between_cage_and_tray(evening: NewEvening) -> None:
    e = evening(tray=500_00)
    e.floor(s.Fill, amount=200_00)
    e.floor(s.Credit, amount=50_00)
    assert e.own("tray:T1") == 650_00
    assert e.no_floor(s.Credit, amount=651_00)[0] == "NOT_ENOUGH"


def test_chips_are_bought_cashed_and_tipped_through_the_house(evening: NewEvening) -> None:
    e = evening(tray=0)
    e.floor(s.BuyIn, player="Ann", amount=100_00)
    e.floor(s.Tip, player="Ann", amount=5_00)
    e.floor(s.CashOut, player="Ann", amount=45_00)
    assert (e.bankroll("Ann"), e.own("tips:T1")) == (50_00, 5_00)
    e.floor(s.PayTips, amount=5_00)
    assert e.own("tips:T1") == 0
    for kind in (s.BuyIn, s.CashOut, s.Tip):
        assert e.no("Ann", kind, amount=1_00)[0] == "NOT_FOR_PLAYERS"


HOUSE_ONLY: list[s.Command] = [
    s.OpenTable(table="T9", layout="bet-bigger", tray=100),
    s.CloseTable(table="T1", tray=100_000_00),
    s.Fill(table="T1", amount=1),
    s.Credit(table="T1", amount=1),
    s.PostMinimum(table="T1", amount=Cents(10_00)),
    s.NotifyFlatBet(table="T1", player="Ann"),
    s.AskToRelinquish(table="T1", player="Ann"),
    s.AnnounceClosing(table="T1"),
    s.SetShuffler(table="T1", shuffler="hand"),
    s.Void(table="T1", why="so"),
    s.Reset(table="T1", why="so"),
    s.Deal(table="T1"),
    s.PayTips(table="T1", amount=1),
    s.Correct(table="T1", transfer="c1", amount=1, why="so"),
    s.Timeout(table="T1", key="1/betting"),
    s.House(request=HOURS),
    s.OpenJackpot(jackpot="X", layout="the-brook", wager="Galaxy Bonus Jackpot"),
]


@pytest.mark.parametrize("command", HOUSE_ONLY, ids=lambda one: str(one.do))
def test_a_player_cannot_speak_for_the_house(evening: NewEvening, command: s.Command) -> None:
    e = evening()
    e.sit("Ann")
    if isinstance(command, s.Timeout):  # nobody's request, so it is not even written down
        before = e.rows()
        with pytest.raises(Refused, match="staff only"):
            e.do(command, actor="Ann", role="player")
        assert e.rows() == before
    else:
        assert e.no_do(command, actor="Ann", role="player")[0] == "NOT_FOR_PLAYERS"


def test_a_wrong_payment_is_put_right(evening: NewEvening) -> None:
    e = evening(tray=0)
    e.do(s.BuyIn(table="T1", player="Ann", amount=100_00), id="bought")
    transfer = next(row[0] for row in e.rows()["transfers"] if "bought" in row[0])
    e.floor(s.Correct, transfer=transfer, amount=20_00, why="she handed over four twenties")
    assert e.bankroll("Ann") == 80_00


# --- the house


def test_the_day_is_closed_by_the_house(evening: NewEvening) -> None:
    e = evening()
    close = s.House(request=CloseDay(day=date(2026, 3, 2)))
    assert e.no_do(close)[0] == "DAY_NOT_OVER"
    e.sit("Ann")
    e.bet("Ann", 1)
    e.now += timedelta(days=1)
    assert e.no_do(close)[0] == "ROUND_NOT_SETTLED"
    play_on(e)
    e.do(close)
    with e.service.desk.book.look() as clerk:
        assert clerk.house().closed == date(2026, 3, 2)


def test_nothing_is_done_before_the_house_has_hours(evening: NewEvening) -> None:
    e = evening(hours=False)
    assert e.no_do(s.OpenTable(table="T1", layout="bet-bigger"))[0] == "NO_HOURS"
    e.do(s.House(request=HOURS))
    e.do(s.OpenTable(table="T1", layout="bet-bigger"))


# --- limits


def test_another_minimum_is_posted_between_rounds(evening: NewEvening) -> None:
    e = evening()
    e.sit("Ann")
    e.floor(s.PostMinimum, amount=10_00)
    assert e.no("Ann", s.Bet, spot=1, stakes={"Ante": 9_00})[0] == "BELOW_MINIMUM"
    e.bet("Ann", 1, 10_00)
    assert e.no_floor(s.PostMinimum, amount=5_00)[0] == "ROUND_RUNNING"


def test_a_flat_bettor_is_held_to_the_first_wager_of_the_shoe(evening: NewEvening) -> None:
    """000 C&E: from the notice on, the wagers of the first hand of the shoe and no others."""
    e = evening("the-brook")
    e.sit("Ann")
    one_round(e)
    e.floor(s.NotifyFlatBet, player="Ann")
    assert e.no("Ann", s.Bet, spot=1, stakes={"Ante": 20_00})[0] == "FLAT_BET"
    e.bet("Ann", 1, 10_00)


def test_a_shoe_is_shuffled_by_hand_or_by_machine(evening: NewEvening) -> None:
    e = evening("the-brook", jackpots={"Galaxy Bonus Jackpot": "G"})
    e.sit("Ann")
    e.floor(s.SetShuffler, shuffler="hand")
    assert e.no_floor(s.SetShuffler, shuffler="cat")[0] == "BAD_SHUFFLER"
    assert e.no("Ann", s.Bet, spot=1, stakes={"Ante": 10_00, "Galaxy Bonus Jackpot": 5_00})[0] == "WAGER_OFF"


def test_a_void_round_returns_every_stake(evening: NewEvening, lay: Laid) -> None:
    lay("8c 5h 8d Ts 3s Kd 4c 2c 9c")
    e = evening()
    e.sit("Ann", chips=100_00)
    e.say("Ann", s.Bet, spot=1, stakes={"Ante": 10_00, "Bet Bigger 1x": 10_00, "Match the Dealer": 5_00})
    e.say("Ann", s.Ready)
    e.say("Ann", s.Split, spot=1)
    e.say("Ann", s.Double, spot=1)
    assert e.bankroll("Ann") == 100_00 - 25_00 - 20_00 - 20_00
    answer = e.floor(s.Void, why="a card was seen")
    assert e.bankroll("Ann") == 100_00
    assert "round-over" in events(answer)
    told = e.round(1)
    assert (told["void"], told["slips"]) == ({"code": "void/floor", "note": "a card was seen"}, [])
    assert e.no_floor(s.Void, why="again")[0] == "NO_ROUND"


# --- jackpots


def test_three_queens_of_hearts_win_the_posted_mega(evening: NewEvening, lay: Laid) -> None:
    """001: ten dollars win all of the posted amount; a second person verifies it before it is paid."""
    lay("Qh Qh Qh Tc")
    e = evening("lucky-ladies-jackpot", jackpots={"Lucky Ladies": "LL"})
    e.sit("Ann", chips=100_00)
    e.say("Ann", s.Bet, spot=1, stakes={"Ante": 10_00, "Lucky Ladies": 10_00})
    e.say("Ann", s.Ready)
    play_on(e)
    assert _claims(e) == [("MEGA", "1")]
    _pay(e, "LL")
    assert e.bankroll("Ann") == 100_00 + 10_000_00  # the stakes come back too: 20 against 20 is a push


def test_queens_of_hearts_with_a_dealer_blackjack_of_hearts_win_the_progressive(evening: NewEvening, lay: Laid) -> None:
    """003 appendix D: all of the meter, as it stood at the deal; then it begins at its seed again."""
    lay("Qh Ah Qh Kh")
    e = evening("lucky-ladies-progressive", jackpots=PROGRESSIVE)
    e.sit("Ann", chips=100_00)
    e.say("Ann", s.Bet, spot=1, stakes={"Blackjack": 10_00, "Lucky Ladies Jackpot": 1_00})
    e.say("Ann", s.Ready)
    e.say("Ann", s.DeclineInsurance, spot=1)
    assert _claims(e) == [("Lucky Ladies Jackpot", "1")]
    _pay(e, "LL")
    assert e.bankroll("Ann") >= 100_00 - 11_00 + 10_000_00


def test_a_jackpot_wager_needs_a_jackpot_to_play_for(evening: NewEvening) -> None:
    e = evening("lucky-ladies-progressive")
    e.sit("Ann")
    assert e.no("Ann", s.Bet, spot=1, stakes={"Blackjack": 10_00, "21+3 Jackpot": 1_00})[0] == "NOT_LINKED"


def test_a_suspended_jackpot_takes_no_wagers(evening: NewEvening) -> None:
    e = evening("lucky-ladies-progressive", jackpots=PROGRESSIVE)
    e.sit("Ann")
    e.do(s.House(request=j.Suspend(jackpot="LL", why="the sign is dark")))
    stakes = {"Blackjack": 10_00, "Lucky Ladies Jackpot": 1_00}
    assert e.no("Ann", s.Bet, spot=1, stakes=stakes)[0] == "SUSPENDED"
    e.do(s.House(request=j.Resume(jackpot="LL")))
    e.say("Ann", s.Bet, spot=1, stakes=stakes)


def _claims(e: Evening) -> list[tuple[str, str]]:
    slips = e.round(1)["slips"]
    return [(slip["claim"]["jackpot"], slip["claim"]["share"]) for slip in slips if "claim" in slip]


def _pay(e: Evening, jackpot: str) -> None:
    with e.service.desk.book.look() as clerk:
        (win,) = clerk.jackpot(jackpot).wins
    e.do(s.House(request=j.Verify(jackpot=jackpot, win=win)), actor="Vera")
    e.do(s.House(request=j.PayWin(jackpot=jackpot, win=win)), actor="Paul")


# --- stopped


def test_a_process_that_knew_a_stopped_table_finds_it_reset(evening: NewEvening) -> None:
    """A record was spoiled and the table reset: whoever remembers the time before goes on from the reset."""
    e = evening()
    e.sit("Ann")
    other = e.another()
    other.desk.live("T1")
    e.bet("Ann", 1)
    e.spoiled = True
    with e.service.desk.store.engine.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER history_no_update")
        connection.exec_driver_sql("UPDATE history SET events = '[]' WHERE number = (SELECT max(number) FROM history)")
    e.restart()
    with pytest.raises(Refused, match="T1 is stopped"):
        e.say("Ann", s.Ready)
    e.floor(s.Reset, why="a spoiled record")
    assert (e.bankroll("Ann"), e.live.players) == (1000_00, ())
    assert other.desk.live("T1") == e.live


# --- asked again


def test_a_command_asked_again_gives_the_first_answer_and_does_nothing(any_evening: NewEvening) -> None:
    e = any_evening()
    commands: list[tuple[s.Command, str, str]] = [
        (s.BuyIn(table="T1", player="Ann", amount=100_00), "Dana", "floor"),
        (s.Seat(table="T1", player="Ann", spot=1), "Ann", "player"),
        (s.Bet(table="T1", spot=1, stakes={"Ante": 10_00}), "Ann", "player"),
        (s.Bet(table="T1", spot=1, stakes={"Ante": 1_00}), "Ann", "player"),  # refused
        (s.Bet(table="T1", spot=1, stakes={"Ante": 500_00}), "Ann", "player"),  # refused
        (s.CashOut(table="T1", player="Ann", amount=91_00), "Dana", "floor"),  # refused
        (s.Ready(table="T1", player="Ann"), "Ann", "player"),
        (s.House(request=j.Suspend(jackpot="X", why="so")), "Dana", "floor"),  # refused
        (s.OpenJackpot(jackpot="G", layout="the-brook", wager="Galaxy Bonus Jackpot"), "Dana", "floor"),
    ]
    first = [_answer(e, *one, number) for number, one in enumerate(commands)]
    kept = e.rows()
    for process in range(2):
        assert [_answer(e, *one, number) for number, one in enumerate(commands)] == first, process
        e.restart()
    assert e.rows() == kept
    assert sum(isinstance(one, tuple) for one in first) == 4


def test_an_id_is_for_one_thing(evening: NewEvening) -> None:
    e = evening()
    fill = s.Fill(table="T1", amount=100)
    e.do(fill, id="once")
    with pytest.raises(Refused) as lacking:
        e.do(s.Credit(table="T1", amount=10**9), id="refused once")
    assert lacking.value.reason == "NOT_ENOUGH"
    kept = e.rows()
    for command, name, actor in (
        (s.Fill(table="T1", amount=101), "once", "Dana"),
        (fill, "once", "Eve"),
        (s.House(request=HOURS), "once", "Dana"),
        (fill, "refused once", "Dana"),
    ):
        with pytest.raises(Refused) as refused:
            e.do(command, id=name, actor=actor)
        assert refused.value.reason == "ID_TAKEN"
    for name in ("a#b", "x" * 151, "a\nb", "timer:T1:1/betting"):
        with pytest.raises(Refused) as refused:
            e.do(fill, id=name)
        assert refused.value.reason == "BAD_COMMAND_ID"
    assert e.rows() == kept


def _answer(e: Evening, command: s.Command, actor: str, role: str, number: int) -> object:
    try:
        return e.do(command, id=f"again-{number}", actor=actor, role=role)
    except Refused as refused:
        return refused.reason, refused.sentence


def one_round(e: Evening) -> None:
    """Ann plays a round on spot 1."""
    e.bet("Ann", 1)
    e.say("Ann", s.Ready)
    play_on(e)


def play_on(e: Evening) -> None:
    """Everybody stays, and nobody insures."""
    while e.live.table.round is not None:
        e.later(60)


def test_a_clock_that_goes_back_does_not_bring_yesterday_back(evening: NewEvening) -> None:
    e = evening()
    e.now += timedelta(days=1)
    e.floor(s.Fill, amount=100)
    e.now -= timedelta(days=1)
    e.floor(s.Fill, amount=100)
    before, after = e.service.queries.audit("T1")["done"][-2:]
    assert (after["at"], after["day"]) == (before["at"], before["day"])
