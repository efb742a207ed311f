"""Tables a person deals at: the order of the cards, cards that cannot be, entries put right, and the same slips."""

from pathlib import Path
from typing import Any

import pytest
from service.conftest import NewDriver
from service.table_driver import StackedShoe, TableDriver, events
from support.empty_books import KEYRING

from upcard.cards import card_text
from upcard.catalog import shipped
from upcard.service import commands as s
from upcard.service.check_results import Installation, Status
from upcard.service.doctor import examine
from upcard.service.history_check import check

CATALOG = shipped()
LAYOUTS = ("the-brook", "lucky-ladies-jackpot", "bet-bigger", "lucky-ladies", "double-action")


def by_hand(new_driver: NewDriver, layout: str = "bet-bigger", **opening: Any) -> TableDriver:
    """A table a person deals at, with a shoe on it."""
    driver = new_driver(layout, by_hand=True, **opening)
    driver.floor(s.PlaceShoe)
    return driver


def enter(driver: TableDriver, cards: str) -> None:
    for card in cards.split():
        driver.floor(s.EnterCard, card=card)


def dealt(driver: TableDriver, cards: str, *players: str) -> None:
    """The players bet ten dollars each, and these cards are dealt."""
    for spot, player in enumerate(players or ("Ann",), 1):
        if player not in driver.live.players:
            driver.sit(player) if spot == 1 else driver.say(player, s.Seat, spot=spot)
        driver.bet(player, spot)
    driver.floor(s.Deal)
    enter(driver, cards)


def sound(driver: TableDriver) -> None:
    """Every record done again, from the first one on."""
    with driver.service.desk.book.look() as clerk:
        report = check(clerk.unit, KEYRING)
    assert report.findings == []
    assert report.replayed == report.records


# --- the order of the cards


def test_each_card_entered_goes_to_the_hand_that_is_due_and_the_hole_card_stays_unseen(new_driver: NewDriver) -> None:
    driver = by_hand(new_driver)
    dealt(driver, "Th 9c 8h")
    state = driver.live.table.round
    assert state is not None
    assert [card_text(card) for card in state.spots[0].hands[0].cards] == ["Th", "8h"]
    assert (len(state.dealer), state.hole_unknown) == (1, True)
    driver.floor(s.Stay, spot=1)
    assert "hole-revealed" in events(driver.floor(s.EnterCard, card="9d"))
    sound(driver)


@pytest.mark.parametrize(
    ("cards", "then", "sentence"),
    [
        ("Th 9c 8h", (s.EnterCard, {"card": "5d"}), "not now: the table waits for spot 1 to play"),
        ("Th Ac 8h", (s.EnterCard, {"card": "5d"}), "not now: the table waits for insurance decisions"),
        ("Th Kc 8h", (s.EnterCard, {"card": "5d"}), "not now: the table waits for the peek"),
        ("Th 9c 8h", (s.Peek, {"blackjack": True}), "not now: the table waits for spot 1 to play"),
        ("Th 9c 8h", (s.Settle, {}), "the round is not over: the table waits for spot 1 to play"),
        ("Th", (s.Hit, {"spot": 1}), "not now: the table waits for the dealer's up card"),
        (
            "",
            (s.CorrectCard, {"number": 1, "card": "5d"}),
            "there is no card number 1 in this round; 0 cards were entered",
        ),
        ("", (s.TakeBack, {}), "there is no entry in this round to take back"),
    ],
)
def test_an_entry_out_of_order_is_refused_with_a_sentence(
    new_driver: NewDriver, cards: str, then: tuple[type[s.TableCommand], dict[str, Any]], sentence: str
) -> None:
    driver = by_hand(new_driver)
    dealt(driver, cards)
    assert driver.refused_floor(then[0], **then[1])[1] == sentence


def test_a_seventh_queen_of_hearts_is_not_in_six_decks(new_driver: NewDriver) -> None:
    driver = by_hand(new_driver)
    dealt(driver, "Qh Qh Qh")  # the up card makes the dealer peek
    driver.floor(s.Peek, blackjack=False)
    driver.floor(s.Split, spot=1)
    for _ in range(2):
        enter(driver, "Qh")
        driver.floor(s.Stay, spot=1)
    enter(driver, "Qh")  # the hole card
    assert (
        driver.refused_floor(s.CorrectCard, number=6, card="Ah")[0] == "CONTRADICTS_LATER_ENTRIES"
    )  # the peek found none
    driver.floor(s.Settle)
    driver.bet("Ann", 1)
    driver.floor(s.Deal)
    refused = driver.refused_floor(s.EnterCard, card="Qh")
    assert refused == ("NO_COPY_LEFT", "all 6 copies of Qh have come out of this shoe")
    driver.floor(s.EnterCard, card="Qd")
    driver.floor(s.Void, why="a card was seen")
    sound(driver)


def test_a_card_that_contradicts_the_peek_is_refused(new_driver: NewDriver) -> None:
    driver = by_hand(new_driver)
    dealt(driver, "Th Kc 8h")
    driver.floor(s.Peek, blackjack=True)
    assert driver.refused_floor(s.EnterCard, card="9d") == ("PEEK_SAID_OTHERWISE", "9d contradicts the peek")
    driver.floor(s.EnterCard, card="Ad")
    driver.floor(s.Settle)
    assert driver.round(1)["slips"][0]["reason"] == "dealer-blackjack"


def test_card_entries_are_refused_where_the_service_deals(new_driver: NewDriver) -> None:
    driver = new_driver()
    assert driver.refused_floor(s.EnterCard, card="Qh")[0] == "NOT_BY_HAND"
    assert driver.refused_floor(s.PlaceShoe)[0] == "NOT_BY_HAND"


def test_a_hand_dealt_table_needs_a_shoe_before_wagers_and_is_cut_by_hand(new_driver: NewDriver) -> None:
    driver = new_driver(by_hand=True)
    driver.sit("Ann")
    assert driver.refused("Ann", s.Bet, spot=1, stakes={"Ante": 10_00})[1] == "the shoe is over: shuffle first"
    assert driver.refused("Ann", s.Cut, words="luck")[1] == "this shoe is cut by hand at the table"


# --- the same slips


CARDS = {
    "the-brook": ("Kh 7d Qh Td", {"Ante": 10_00, "Bet Bigger 2": 10_00, "Lucky Ladies": 5_00, "Suited Royals": 5_00}),
    "lucky-ladies-jackpot": ("9s 9d 9s 8c", {"Ante": 10_00, "Match the Dealer": 5_00, "Perfect Pair": 5_00}),
    "bet-bigger": ("Ts 6d Tc Th 9d", {"Ante": 10_00, "Match the Dealer": 5_00, "Break Bonus": 5_00}),
    "lucky-ladies": ("Td 9d Kd 8s", {"Blackjack": 10_00, "Lucky Ladies": 5_00, "21+3 Xtreme": 5_00}),
    "double-action": ("Tc 9d Ts 8h", {"Blackjack": 10_00, "Double Action": 5_00, "Match Madness": 5_00}),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_round_by_hand_is_settled_as_the_same_cards_out_of_a_shoe(
    new_driver: NewDriver, stack_shoe: StackedShoe, layout: str
) -> None:
    cards, stakes = CARDS[layout]
    hand, shoe = by_hand(new_driver, layout), new_driver(layout)
    stack_shoe(cards)
    for driver in (shoe, hand):
        driver.sit("Ann")
        driver.say("Ann", s.Bet, spot=1, stakes=stakes)
        driver.floor(s.Deal)
    first, up, second, hole, *draws = cards.split()
    enter(hand, f"{first} {up} {second}")
    for driver in (shoe, hand):
        if str(driver.live.table.round and driver.live.table.round.phase.value) == "late-wagers":
            driver.floor(s.Deal)
        driver.floor(s.Stay, spot=1)
    enter(hand, " ".join([hole, *draws]))
    hand.floor(s.Settle)
    assert hand.round(1)["slips"] == shoe.round(1)["slips"]
    assert hand.bankroll("Ann") == shoe.bankroll("Ann")
    sound(hand)


# --- entries put right


def test_a_wrong_card_is_corrected_before_the_round_is_booked_and_leaves_a_trace(new_driver: NewDriver) -> None:
    driver = by_hand(new_driver)
    dealt(driver, "Th 9c 8h")
    answer = driver.floor(s.CorrectCard, number=3, card="9h")
    assert answer.events == [
        {
            "event": "card-corrected",
            "number": 3,
            "place": {"code": "awaiting/player-card", "spot": 1, "hand": 0},
            "was": "8h",
            "now": "9h",
        }
    ]
    driver.floor(s.Stay, spot=1)
    enter(driver, "9d")
    driver.floor(s.Settle)
    (settled,) = driver.round(1)["slips"]
    assert (settled["reason"], settled["points"], settled["pays"]) == ("win", 19, "1")
    trail = [row["command"]["do"] for row in driver.service.queries.audit("T1")["done"]]
    assert "correct-card" in trail
    assert driver.refused_floor(s.CorrectCard, number=3, card="8h")[0] == "NO_SUCH_ENTRY"
    sound(driver)


def test_the_last_card_can_be_corrected_too_for_nothing_is_booked_before_the_dealer_says_so(
    new_driver: NewDriver,
) -> None:
    driver = by_hand(new_driver)
    dealt(driver, "Th 9c 9h")
    driver.floor(s.Stay, spot=1)
    enter(driver, "9d")
    before = driver.bankroll("Ann")
    driver.floor(s.CorrectCard, number=4, card="Td")
    driver.floor(s.Settle)
    assert driver.round(1)["slips"][0]["reason"] == "push"
    assert driver.bankroll("Ann") == before + 10_00


def test_a_correction_the_round_contradicts_is_refused_and_the_entries_can_be_taken_back(new_driver: NewDriver) -> None:
    driver = by_hand(new_driver)
    dealt(driver, "5h 9c 6h")
    driver.floor(s.Hit, spot=1)
    enter(driver, "2d")
    driver.floor(s.Hit, spot=1)
    enter(driver, "3d")
    reason, sentence = driver.refused_floor(s.CorrectCard, number=2, card="Ac")  # insurance would have been offered
    assert reason == "CONTRADICTS_LATER_ENTRIES"
    assert sentence == (
        "Ac contradicts later entries: not now: the table waits for insurance decisions; "
        "take back the later entries first"
    )
    driver.floor(s.TakeBack)
    assert events(driver.floor(s.TakeBack)) == ["entry-taken-back"]
    driver.floor(s.CorrectCard, number=4, card="Kd")
    driver.floor(s.Stay, spot=1)
    enter(driver, "Td")
    driver.floor(s.Settle)
    assert (driver.round(1)["slips"][0]["reason"], driver.round(1)["slips"][0]["points"]) == ("win", 21)
    sound(driver)


@pytest.mark.parametrize("action", [s.Split, s.Double])
def test_a_corrected_double_or_split_returns_its_stake(
    new_driver_any_database: NewDriver, action: type[s.TableCommand]
) -> None:
    driver = by_hand(new_driver_any_database)
    dealt(driver, "8h 9c 8d")
    before = driver.bankroll("Ann")
    driver.floor(action, spot=1)
    assert driver.bankroll("Ann") == before - 10_00
    driver.floor(s.TakeBack)
    assert driver.bankroll("Ann") == before
    driver.floor(s.Stay, spot=1)
    enter(driver, "9d")
    driver.floor(s.Settle)
    assert [(slip["stake"], slip["reason"], slip["points"]) for slip in driver.round(1)["slips"]] == [
        (10_00, "lose", 16)
    ]
    sound(driver)


def test_insurance_taken_back_is_given_back_and_a_late_wager_is_cleared_instead(new_driver: NewDriver) -> None:
    driver = by_hand(new_driver, "lucky-ladies")
    dealt(driver, "8h Ac 8d")
    before = driver.bankroll("Ann")
    driver.floor(s.Insure, spot=1)
    driver.floor(s.TakeBack)
    assert driver.bankroll("Ann") == before
    driver.floor(s.DeclineInsurance, spot=1)
    driver.floor(s.Deal)  # closes insurance
    driver.floor(s.Peek, blackjack=False)
    driver.floor(s.Bet, spot=1, stakes={"Bust Bonus": 5_00})
    assert driver.refused_floor(s.TakeBack)[0] == "CLEAR_INSTEAD"
    driver.floor(s.ClearWagers, spot=1, wager="Bust Bonus")
    driver.restart()
    assert driver.floor(s.TakeBack).events[0]["entry"] == {
        "do": "peek",
        "blackjack": False,
    }  # nothing stands in its way any longer
    driver.floor(s.Peek, blackjack=False)
    sound(driver)


# --- shoes, timers, restarts


def test_the_doctor_accepts_a_physical_shoe_without_a_key(new_driver: NewDriver, tmp_path: Path) -> None:
    driver = by_hand(new_driver)
    key = tmp_path / "key"
    key.write_text(bytes(32).hex())
    key.chmod(0o600)
    installation = Installation(
        address=driver.address, store=driver.service.desk.store, catalog=CATALOG, key=key, clock=lambda: driver.now
    )
    statuses = {result.what: result.mark for result in examine(installation)}
    assert (statuses["live shoes"], statuses["tables"]) == (Status.OK, Status.OK)


def test_the_cut_card_ends_the_shoe_after_the_round_and_the_next_one_is_laid(new_driver: NewDriver) -> None:
    driver = by_hand(new_driver)
    dealt(driver, "Th 9c 9h")
    driver.floor(s.CutCard)
    assert driver.refused_floor(s.CutCard)[0] == "CUT_CARD_OUT"
    driver.floor(s.Stay, spot=1)
    enter(driver, "9d")
    driver.floor(s.Settle)
    assert driver.live.table.shoe_over
    driver.floor(s.PlaceShoe)
    shoes = driver.service.queries.shoes("T1")
    assert [(shoe["number"], shoe["commitment"], shoe["key"]) for shoe in shoes] == [(2, "", None), (1, "", None)]
    sound(driver)


def test_a_closing_table_ends_with_its_physical_shoe_and_opens_again_with_a_shoe_of_the_service(
    new_driver: NewDriver,
) -> None:
    driver = by_hand(new_driver)
    dealt(driver, "Th 9c 9h")
    driver.floor(s.AnnounceClosing)
    driver.floor(s.CutCard)
    driver.floor(s.CorrectCard, number=1, card="Td")  # what the house said meanwhile stands
    driver.floor(s.Stay, spot=1)
    enter(driver, "9d")
    assert not driver.live.table.closed
    driver.floor(s.Settle)
    assert driver.live.table.closed
    tray = driver.balance("hand-tray:T1")
    driver.floor(s.CloseTable, tray=tray)
    driver.floor(s.OpenTable, layout="bet-bigger", tray=tray)
    assert driver.live.shoe == 2
    driver.sit("Ann")
    driver.bet("Ann", 1)
    sound(driver)


def test_a_hand_dealt_table_waits_for_its_dealer(new_driver: NewDriver) -> None:
    driver = by_hand(new_driver)
    dealt(driver, "Th 9c 9h")
    assert driver.live.due is None
    assert driver.later(86_400) == []


def test_a_restart_loses_no_card_that_was_entered(new_driver_any_database: NewDriver) -> None:
    driver = by_hand(new_driver_any_database)
    for number in range(5):  # snapshots within the shoe
        dealt(driver, "Th 9c 9h")
        driver.floor(s.Stay, spot=1)
        enter(driver, "9d")
        driver.floor(s.Settle)
        assert driver.round(number + 1)["void"] is None
    dealt(driver, "5h 9c 6h")
    came_out, entries = dict(driver.live.table.came_out), driver.live.entries
    driver.restart()
    assert (dict(driver.live.table.came_out), driver.live.entries) == (came_out, entries)
    assert driver.live.table.shoe_cards == 312 - 5 * 4 - 4
    driver.floor(s.CorrectCard, number=1, card="4h")
    driver.floor(s.Void, why="the dealer dropped the shoe")
    driver.restart()
    assert driver.live.table.round is None
    sound(driver)


def test_the_house_may_shuffle_between_rounds_and_with_the_round_on_the_felt(
    new_driver: NewDriver, stack_shoe: StackedShoe
) -> None:
    driver = new_driver()
    stack_shoe("Th 9c 9h 9d Th 9c 9h 9d")
    driver.sit("Ann")
    driver.bet("Ann", 1)
    driver.floor(s.Deal)
    assert events(driver.floor(s.Shuffle)) == ["last-round-announced"]
    driver.say("Ann", s.Stay, spot=1)
    assert (driver.live.table.shoe_over, driver.live.shoe) == (True, 2)
    assert driver.refused_floor(s.Shuffle)[0] == "NO_SHOE"
    driver.bet("Ann", 1)
    driver.floor(s.Deal)
    driver.say("Ann", s.Stay, spot=1)
    assert "shoe-revealed" in events(driver.floor(s.Shuffle))
    sound(driver)
