"""What the house does at a table: opening, closing, chips, limits, shoes, jackpots; and commands asked again."""

from datetime import date, timedelta
from typing import Any

import pytest
from service.conftest import NewDriver
from service.table_driver import HOURS, StackedShoe, TableDriver, events, one_round, play_on

from upcard.ledger.jackpots import requests as j
from upcard.ledger.requests import CloseDay
from upcard.service import commands as s
from upcard.service.refusals import Refused
from upcard.units import Cents

PROGRESSIVE = {"Lucky Ladies Jackpot": "LL", "21+3 Jackpot": "T3"}


# --- opening and closing


def key_of_shoe(driver: TableDriver, number: int) -> str | None:
    """The next shoe is promised already, so it is not the last one listed."""
    (shoe,) = [shoe for shoe in driver.service.queries.shoes("T1") if shoe["number"] == number]
    return shoe["key"]


def test_a_table_opens_with_its_tray_its_jackpots_and_a_promised_shoe(new_driver: NewDriver) -> None:
    driver = new_driver("lucky-ladies-progressive", tray=5000_00, jackpots=PROGRESSIVE)
    assert driver.balance("tray:T1") == 5000_00
    with driver.service.desk.book.look() as clerk:
        assert dict(clerk.table("T1").links) == PROGRESSIVE
        assert clerk.jackpot("LL").values() == {"Lucky Ladies Jackpot": 10_000_00}
    (shoe,) = driver.service.queries.shoes("T1")
    assert (shoe["number"], shoe["key"]) == (1, None)
    assert driver.service.queries.tables() == ["T1"]


def test_a_second_table_is_linked_to_the_jackpot_that_is_there(new_driver: NewDriver) -> None:
    driver = new_driver("lucky-ladies-progressive", jackpots=PROGRESSIVE)
    driver.do(s.OpenTable(table="T2", layout="lucky-ladies-progressive", jackpots=PROGRESSIVE))
    with driver.service.desk.book.look() as clerk:
        assert dict(clerk.table("T2").links) == PROGRESSIVE


@pytest.mark.parametrize(
    ("opening", "reason"),
    [
        ({"table": "T2", "layout": "no-such"}, "UNKNOWN_NAME"),
        ({"table": "T2", "layout": "bet-bigger", "jackpots": {"Ante": "X"}}, "UNKNOWN_NAME"),
        ({"table": "T1", "layout": "bet-bigger"}, "TABLE_OPEN"),
    ],
)
def test_a_refused_table_opening_leaves_nothing_behind(
    new_driver: NewDriver, opening: dict[str, Any], reason: str
) -> None:
    driver = new_driver()
    assert driver.refused_do(s.OpenTable(**opening))[0] == reason
    assert driver.service.queries.tables() == ["T1"]


def test_a_closed_table_opens_again_with_its_tray_counted(new_driver: NewDriver) -> None:
    driver = new_driver(tray=1000_00)
    driver.floor(s.CloseTable, tray=1000_00)
    assert not driver.live.opened
    assert driver.refused_floor(s.Fill, amount=100)[0] == "TABLE_NOT_OPEN"
    short = {"layout": "bet-bigger", "tray": 990_00}
    assert driver.refused_floor(s.OpenTable, **short)[0] == "TRAY_DIFFERS"
    driver.floor(s.OpenTable, **short, why="two fives fell under the table")
    assert (driver.balance("tray:T1"), driver.balance("over-short:T1")) == (990_00, -10_00)
    assert driver.live.opened


def test_a_table_keeps_its_layout(new_driver: NewDriver) -> None:
    driver = new_driver(tray=0)
    driver.floor(s.CloseTable, tray=0)
    assert driver.refused_floor(s.OpenTable, layout="double-action")[0] == "OTHER_LAYOUT"


def test_rounds_and_shoes_are_counted_on_when_a_table_opens_again(
    new_driver: NewDriver, stack_shoe: StackedShoe
) -> None:
    stack_shoe("Tc 9c Td 8c")
    driver = new_driver(tray=0)
    driver.sit("Ann", chips=100_00)
    one_round(driver)
    driver.say("Ann", s.Leave)
    driver.floor(s.CloseTable, tray=100_00)
    assert key_of_shoe(driver, 1), "a shoe that is put away is told"
    driver.floor(s.OpenTable, layout="bet-bigger", tray=100_00)
    assert (driver.live.shoe, driver.live.players) == (2, ())
    driver.say("Ann", s.Seat, spot=1)
    driver.bet("Ann", 1)
    assert driver.live.round == 2


def test_a_table_does_not_close_during_a_round(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann")
    driver.bet("Ann", 1)
    assert driver.refused_floor(s.CloseTable, tray=101_000_00)[0] == "END_ROUND_FIRST"


def test_a_closing_table_ends_with_its_shoe(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    stack_shoe.cut_card = 20
    driver = new_driver()
    driver.sit("Ann")
    driver.bet("Ann", 1)
    driver.floor(s.AnnounceClosing)
    rounds = 0
    while not driver.live.table.closed:
        play_on(driver)
        rounds += 1
        if not driver.live.table.closed:
            driver.bet("Ann", 1)
    assert rounds > 1
    assert key_of_shoe(driver, 1), "its key is told"
    assert driver.refused("Ann", s.Bet, spot=1, stakes={"Ante": 10_00})[0] == "TABLE_CLOSED"
    driver.floor(s.CloseTable, tray=driver.balance("tray:T1"))


def test_a_table_with_players_closes_only_after_its_shoe(new_driver: NewDriver) -> None:
    """002: the house gives notice that the game ends after the current shoe."""
    driver = new_driver()
    driver.sit("Ann")
    one_round(driver)
    tray = driver.balance("tray:T1")
    assert driver.refused_floor(s.CloseTable, tray=tray)[0] == "END_SHOE_FIRST"
    driver.floor(s.AnnounceClosing)
    assert driver.refused_floor(s.CloseTable, tray=tray)[0] == "END_SHOE_FIRST"
    driver.say("Ann", s.Leave)
    driver.floor(s.CloseTable, tray=tray)
    assert not driver.live.opened


def test_a_game_whose_filing_does_not_say_so_closes_between_rounds(new_driver: NewDriver) -> None:
    driver = new_driver("double-action")
    driver.sit("Ann")
    driver.bet("Ann", 1)
    driver.floor(s.Void, why="a drill")
    driver.floor(s.CloseTable, tray=driver.balance("tray:T1"))
    assert not driver.live.opened


# --- decks


def test_every_deck_is_verified_when_a_table_opens(new_driver: NewDriver) -> None:
    """001: at the first opening of the day, the dealer ensures that all cards are present."""
    driver = new_driver("lucky-ladies-jackpot")
    events = [event for row in driver.service.queries.records("T1") for event in row["events"]]
    assert [event["event"] for event in events] == ["table-opened", "decks-verified", "shoe-committed"]
    assert events[1]["decks"] == 6


def test_the_dealer_of_a_table_dealt_by_hand_is_told_to_verify_the_decks(new_driver: NewDriver) -> None:
    driver = new_driver("bet-bigger", by_hand=True)
    events = [event for row in driver.service.queries.records("T1") for event in row["events"]]
    assert {"event": "decks-to-verify", "decks": 6} in events


# --- chips


def test_fills_and_credits_move_chips_between_cage_and_tray(new_driver: NewDriver) -> None:
    driver = new_driver(tray=500_00)
    driver.floor(s.Fill, amount=200_00)
    driver.floor(s.Credit, amount=50_00)
    assert driver.balance("tray:T1") == 650_00
    assert driver.refused_floor(s.Credit, amount=651_00)[0] == "NOT_ENOUGH"


def test_chips_are_bought_cashed_and_tipped_through_the_house(new_driver: NewDriver) -> None:
    driver = new_driver(tray=0)
    driver.floor(s.BuyIn, player="Ann", amount=100_00)
    driver.floor(s.Tip, player="Ann", amount=5_00)
    driver.floor(s.CashOut, player="Ann", amount=45_00)
    assert (driver.bankroll("Ann"), driver.balance("tips:T1")) == (50_00, 5_00)
    driver.floor(s.PayTips, amount=5_00)
    assert driver.balance("tips:T1") == 0
    for kind in (s.BuyIn, s.CashOut, s.Tip):
        assert driver.refused("Ann", kind, amount=1_00)[0] == "NOT_FOR_PLAYERS"


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


@pytest.mark.parametrize("command", HOUSE_ONLY, ids=lambda command: str(command.do))
def test_a_player_cannot_speak_for_the_house(new_driver: NewDriver, command: s.Command) -> None:
    driver = new_driver()
    driver.sit("Ann")
    if isinstance(command, s.Timeout):  # nobody's request, so it is not even written down
        before = driver.rows()
        with pytest.raises(Refused, match="staff only"):
            driver.do(command, actor="Ann", role="player")
        assert driver.rows() == before
    else:
        assert driver.refused_do(command, actor="Ann", role="player")[0] == "NOT_FOR_PLAYERS"


def test_a_wrong_payment_is_put_right(new_driver: NewDriver) -> None:
    driver = new_driver(tray=0)
    driver.do(s.BuyIn(table="T1", player="Ann", amount=100_00), id="bought")
    transfer = next(row[0] for row in driver.rows()["transfers"] if "bought" in row[0])
    driver.floor(s.Correct, transfer=transfer, amount=20_00, why="she handed over four twenties")
    assert driver.bankroll("Ann") == 80_00


# --- the house


def test_the_day_is_closed_by_the_house(new_driver: NewDriver) -> None:
    driver = new_driver()
    close = s.House(request=CloseDay(day=date(2026, 3, 2)))
    assert driver.refused_do(close)[0] == "DAY_NOT_OVER"
    driver.sit("Ann")
    driver.bet("Ann", 1)
    driver.now += timedelta(days=1)
    assert driver.refused_do(close)[0] == "ROUND_NOT_SETTLED"
    play_on(driver)
    driver.do(close)
    with driver.service.desk.book.look() as clerk:
        assert clerk.house().closed == date(2026, 3, 2)


def test_nothing_is_done_before_the_house_has_hours(new_driver: NewDriver) -> None:
    driver = new_driver(hours=False)
    assert driver.refused_do(s.OpenTable(table="T1", layout="bet-bigger"))[0] == "NO_HOURS"
    driver.do(s.House(request=HOURS))
    driver.do(s.OpenTable(table="T1", layout="bet-bigger"))


# --- limits


def test_another_minimum_is_posted_between_rounds(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann")
    driver.floor(s.PostMinimum, amount=10_00)
    assert driver.refused("Ann", s.Bet, spot=1, stakes={"Ante": 9_00})[0] == "BELOW_MINIMUM"
    driver.bet("Ann", 1, 10_00)


def test_a_flat_bettor_is_held_to_the_first_wager_of_the_shoe(new_driver: NewDriver) -> None:
    """000 C&E: from the notice on, the wagers of the first hand of the shoe and no others."""
    driver = new_driver("the-brook")
    driver.sit("Ann")
    one_round(driver)
    driver.floor(s.NotifyFlatBet, player="Ann")
    assert driver.refused("Ann", s.Bet, spot=1, stakes={"Ante": 20_00})[0] == "FLAT_BET"
    driver.bet("Ann", 1, 10_00)


def test_a_flat_bet_ordered_between_shoes_holds_for_the_next_shoe(new_driver_any_database: NewDriver) -> None:
    """000-C64: from the player's first hand of that shoe until it ends."""
    driver = new_driver_any_database("the-brook")
    driver.sit("Ann")
    one_round(driver)
    driver.floor(s.Shuffle)
    driver.floor(s.NotifyFlatBet, player="Ann")
    driver.restart()
    driver.bet("Ann", 1, 5_00)
    driver.say("Ann", s.Ready)
    play_on(driver)
    assert driver.refused("Ann", s.Bet, spot=1, stakes={"Ante": 10_00})[0] == "FLAT_BET"
    driver.floor(s.Shuffle)
    driver.bet("Ann", 1, 10_00)


def test_a_shoe_is_shuffled_by_hand_or_by_machine(new_driver: NewDriver) -> None:
    driver = new_driver("the-brook", jackpots={"Galaxy Bonus Jackpot": "G"})
    driver.sit("Ann")
    driver.floor(s.SetShuffler, shuffler="hand")
    assert driver.refused_floor(s.SetShuffler, shuffler="cat")[0] == "BAD_SHUFFLER"
    assert driver.refused("Ann", s.Bet, spot=1, stakes={"Ante": 10_00, "Galaxy Bonus Jackpot": 5_00})[0] == "WAGER_OFF"


def test_a_void_round_returns_every_stake(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    stack_shoe("8c 5h 8d Ts 3s Kd 4c 2c 9c")
    driver = new_driver()
    driver.sit("Ann", chips=100_00)
    driver.say("Ann", s.Bet, spot=1, stakes={"Ante": 10_00, "Bet Bigger 1x": 10_00, "Match the Dealer": 5_00})
    driver.say("Ann", s.Ready)
    driver.say("Ann", s.Split, spot=1)
    driver.say("Ann", s.Double, spot=1)
    assert driver.bankroll("Ann") == 100_00 - 25_00 - 20_00 - 20_00
    answer = driver.floor(s.Void, why="a card was seen")
    assert driver.bankroll("Ann") == 100_00
    assert "round-over" in events(answer)
    round_ = driver.round(1)
    assert (round_["void"], round_["slips"]) == ({"code": "void/floor", "note": "a card was seen"}, [])
    assert driver.refused_floor(s.Void, why="again")[0] == "NO_ROUND"


# --- stopped


def test_a_process_that_knew_a_stopped_table_finds_it_reset(new_driver: NewDriver) -> None:
    """A record was spoiled and the table reset: whoever remembers the time before goes on from the reset."""
    driver = new_driver()
    driver.sit("Ann")
    other = driver.another_service()
    other.desk.live("T1")
    driver.bet("Ann", 1)
    driver.spoiled = True
    with driver.service.desk.store.engine.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER history_no_update")
        connection.exec_driver_sql("UPDATE history SET events = '[]' WHERE number = (SELECT max(number) FROM history)")
    driver.restart()
    with pytest.raises(Refused, match="T1 is stopped"):
        driver.say("Ann", s.Ready)
    driver.floor(s.Reset, why="a spoiled record")
    assert (driver.bankroll("Ann"), driver.live.players) == (1000_00, ())
    assert other.desk.live("T1") == driver.live


# --- asked again


def test_a_repeated_command_returns_the_first_answer_and_does_nothing(new_driver_any_database: NewDriver) -> None:
    driver = new_driver_any_database()
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
    first = [_answer(driver, *command, number) for number, command in enumerate(commands)]
    rows_before = driver.rows()
    for process in range(2):
        assert [_answer(driver, *command, number) for number, command in enumerate(commands)] == first, process
        driver.restart()
    assert driver.rows() == rows_before
    assert sum(isinstance(answer, tuple) for answer in first) == 4


def test_an_id_cannot_be_reused_for_another_command(new_driver: NewDriver) -> None:
    driver = new_driver()
    fill = s.Fill(table="T1", amount=100)
    driver.do(fill, id="once")
    with pytest.raises(Refused) as lacking:
        driver.do(s.Credit(table="T1", amount=10**8), id="refused once")
    assert lacking.value.reason == "NOT_ENOUGH"
    rows_before = driver.rows()
    for command, name, actor in (
        (s.Fill(table="T1", amount=101), "once", "Dana"),
        (fill, "once", "Eve"),
        (s.House(request=HOURS), "once", "Dana"),
        (fill, "refused once", "Dana"),
    ):
        with pytest.raises(Refused) as refused:
            driver.do(command, id=name, actor=actor)
        assert refused.value.reason == "ID_TAKEN"
    for name in ("a#b", "x" * 151, "a\nb", "timer:T1:1/betting"):
        with pytest.raises(Refused) as refused:
            driver.do(fill, id=name)
        assert refused.value.reason == "BAD_COMMAND_ID"
    assert driver.rows() == rows_before


def _answer(driver: TableDriver, command: s.Command, actor: str, role: str, number: int) -> object:
    try:
        return driver.do(command, id=f"again-{number}", actor=actor, role=role)
    except Refused as refused:
        return refused.reason, refused.sentence


def test_a_clock_set_back_does_not_reopen_the_day_before(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.now += timedelta(days=1)
    driver.floor(s.Fill, amount=100)
    driver.now -= timedelta(days=1)
    driver.floor(s.Fill, amount=100)
    before, after = driver.service.queries.audit("T1")["done"][-2:]
    assert (after["at"], after["day"]) == (before["at"], before["day"])
