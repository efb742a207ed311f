"""Every wager is settled when it is decided: at the deal, the peek, a bust, a surrender, the reveal, and at the end.

000-002: side wagers are paid or taken right after the deal, a busted hand loses at once (000-C53); 004: rule 4 comes
before rule 5.
"""

from typing import Any

from service.conftest import NewDriver
from service.table_driver import StackedShoe, TableDriver, events, play_on
from service.test_manual_dealing import by_hand, dealt, enter, sound

from upcard.ledger.jackpots import requests as j
from upcard.service import commands as s
from upcard.service.pending import Answer

GALAXY = {"Galaxy Bonus Jackpot": "BJ"}


def settled(answer: Answer) -> list[tuple[int, str, int]]:
    """The slips of an answer: spot, wager, and what the player got back."""
    slips = [event for event in answer.events if event["event"] == "slip"]
    return [(slip["spot"], slip["wager"], slip["paid"] + slip["returned"]) for slip in slips]


def brook(new_driver: NewDriver, chips: int, stakes: dict[str, int], **opening: Any) -> tuple[TableDriver, Answer]:
    """Ann, with these chips, bets at the Brook, and the cards are dealt."""
    driver = new_driver("the-brook", **opening)
    driver.sit("Ann", chips=chips)
    driver.say("Ann", s.Bet, spot=1, stakes=stakes)
    return driver, driver.say("Ann", s.Ready)


def test_side_wagers_are_settled_at_the_deal_and_winnings_can_be_staked_in_the_same_round(
    new_driver_any_database: NewDriver, stack_shoe: StackedShoe
) -> None:
    """A suited 19 against a 5: Lucky Ladies loses, Suited Royals pays 2 to 1, and Ann doubles with what she won."""
    stack_shoe("Kh 5c 9h Ts 2d")
    stakes = {"Ante": 10_00, "Lucky Ladies": 2_00, "Suited Royals": 5_00}
    driver, deal = brook(new_driver_any_database, 17_00, stakes)
    assert settled(deal) == [(1, "Lucky Ladies", 0), (1, "Suited Royals", 15_00)]
    assert driver.live.table.round is not None
    assert driver.bankroll("Ann") == 15_00
    assert driver.balance("win:T1") == 2_00 - 10_00
    driver.restart()
    driver.say("Ann", s.Double, spot=1)
    assert driver.live.table.round is None
    slips = driver.round(1)["slips"]
    assert [slip["wager"] for slip in slips] == ["Lucky Ladies", "Suited Royals", "Ante"]
    assert len(driver.rows()["player_rounds"]) == 1
    sound(driver)


def test_winnings_are_not_cashed_out_or_tipped_before_the_round_is_over(
    new_driver_any_database: NewDriver, stack_shoe: StackedShoe
) -> None:
    stack_shoe("Kh 5c 9h Ts 2d")
    driver, _ = brook(new_driver_any_database, 20_00, {"Ante": 10_00, "Suited Royals": 5_00})
    assert driver.bankroll("Ann") == 20_00
    for kind in (s.CashOut, s.Tip):
        reason, sentence = driver.refused_floor(kind, player="Ann", amount=10_50)
        assert reason == "WINNINGS_HELD"
        assert sentence == (
            "Ann is $0.50 short: the $10 won in the current round can be bet in that round, "
            "but leaves the table only after it"
        )
    driver.floor(s.CashOut, player="Ann", amount=10_00)  # what she had, and the stake that came back
    play_on(driver)
    driver.floor(s.CashOut, player="Ann", amount=10_00)
    sound(driver)


def test_a_jackpot_claim_is_locked_when_it_is_decided_and_paid_after_the_round(
    new_driver_any_database: NewDriver, stack_shoe: StackedShoe
) -> None:
    stack_shoe("Ah Ah Ah 5s 5d 5c")
    driver, _ = brook(new_driver_any_database, 1000_00, {"Ante": 10_00, "Galaxy Bonus Jackpot": 5_00}, jackpots=GALAXY)
    assert driver.live.table.round is not None
    with driver.service.desk.book.look() as clerk:
        (win,) = clerk.jackpot("BJ").wins
    verify, pay = j.Verify(jackpot="BJ", win=win), j.PayWin(jackpot="BJ", win=win)
    driver.do(s.House(request=verify), actor="Vera")
    assert driver.refused_do(s.House(request=pay), actor="Paul") == (
        "ROUND_NOT_SETTLED",
        "round 1 of T1 is not settled yet",
    )
    play_on(driver)
    driver.do(s.House(request=pay), actor="Paul")
    sound(driver)


def test_a_voided_round_changes_no_balance(new_driver_any_database: NewDriver, stack_shoe: StackedShoe) -> None:
    stack_shoe("9h 9h 9h 8s 3c 4c")
    stakes = {"Ante": 10_00, "Suited Royals": 5_00, "Lucky Ladies": 2_00, "Galaxy Bonus Jackpot": 5_00}
    driver, _ = brook(new_driver_any_database, 22_00, stakes, jackpots=GALAXY)
    assert driver.bankroll("Ann") == 640_00  # three suited nines win $625, two suited cards pay 2 to 1
    driver.say("Ann", s.Split, spot=1)
    driver.floor(s.Void, why="a card was exposed")
    assert driver.bankroll("Ann") == 22_00
    assert (driver.balance("win:T1"), driver.balance("stakes:T1")) == (0, 0)
    assert driver.round(1)["slips"] == []
    assert len(driver.rows()["player_rounds"]) == 0
    sound(driver)


def test_a_jackpot_that_a_void_round_had_won_is_as_it_was(
    new_driver_any_database: NewDriver, stack_shoe: StackedShoe
) -> None:
    stack_shoe("Ah Ah Ah 5s")
    driver, _ = brook(new_driver_any_database, 100_00, {"Ante": 10_00, "Galaxy Bonus Jackpot": 5_00}, jackpots=GALAXY)
    with driver.service.desk.book.look() as clerk:
        assert clerk.jackpot("BJ").wins
    driver.floor(s.Void, why="a card was exposed")
    with driver.service.desk.book.look() as clerk:
        jackpot = clerk.jackpot("BJ")
    assert (dict(jackpot.wins), jackpot.values()) == ({}, {"Bonus Jackpot": 1250_00})
    driver.bet("Ann", 1, **{"Galaxy Bonus Jackpot": 5_00})  # nothing is being verified
    sound(driver)


def test_a_busted_hand_loses_at_once_while_the_other_half_of_a_split_is_played(
    new_driver_any_database: NewDriver, stack_shoe: StackedShoe
) -> None:
    """000-C53: the dealer takes the bet immediately."""
    stack_shoe("8h 5c 8d Ts Td Kd 3h 9s")
    driver = new_driver_any_database()
    driver.sit("Ann")
    driver.bet("Ann", 1)
    driver.floor(s.Deal)
    driver.say("Ann", s.Split, spot=1)
    bust = driver.say("Ann", s.Hit, spot=1)
    assert settled(bust) == [(1, "Ante", 0)]
    assert driver.balance("win:T1") == 10_00
    driver.say("Ann", s.Double, spot=1)
    assert [slip["hand"] for slip in driver.round(1)["slips"]] == [0, 1]
    sound(driver)


def test_a_blackjack_is_paid_at_the_deal_or_after_the_peek(
    new_driver_any_database: NewDriver, stack_shoe: StackedShoe
) -> None:
    """000-C34, C35: at once where the dealer shows neither an ace nor a ten, else after the peek with insurance."""
    stack_shoe("Ah 9c 5c Kd 7c Ts")
    driver = new_driver_any_database()
    driver.sit("Ann", "Bob")
    driver.bet("Ann", 1)
    driver.bet("Bob", 2)
    assert settled(driver.floor(s.Deal)) == [(1, "Ante", 25_00)]
    assert driver.bankroll("Ann") == 1015_00


def test_insurance_is_taken_after_the_peek(new_driver_any_database: NewDriver, stack_shoe: StackedShoe) -> None:
    stack_shoe("Ah 9c Ac Kd 7c 8s")
    driver = new_driver_any_database()
    driver.sit("Ann", "Bob")
    driver.bet("Ann", 1)
    driver.bet("Bob", 2)
    assert settled(driver.floor(s.Deal)) == []
    driver.say("Bob", s.Insure, spot=2)
    peek = driver.say("Ann", s.DeclineInsurance, spot=1)
    assert settled(peek) == [(2, "insurance/Ante", 0), (1, "Ante", 25_00)]
    play_on(driver)
    sound(driver)


def test_double_action_is_settled_before_the_hands_and_match_madness_after_the_reveal(
    new_driver_any_database: NewDriver, stack_shoe: StackedShoe
) -> None:
    """004 rules 4, 5 and 9."""
    stack_shoe("9h 9c 5s 6d")
    driver = new_driver_any_database("double-action")
    driver.sit("Ann")
    driver.say("Ann", s.Bet, spot=1, stakes={"Blackjack": 10_00, "Double Action": 5_00, "Match Madness": 5_00})
    (slip,) = settled(driver.floor(s.Deal))
    assert slip[:2] == (1, "Double Action")
    end = driver.say("Ann", s.Stay, spot=1)
    assert [wager for _, wager, _ in settled(end)] == ["Match Madness", "Blackjack"]
    sound(driver)


# --- dealt by hand


def test_a_corrected_card_reverses_what_it_had_paid_and_leaves_the_rest(new_driver: NewDriver) -> None:
    driver = by_hand(new_driver, "the-brook")
    driver.sit("Ann", "Bob", chips=100_00)
    for player, spot in (("Ann", 1), ("Bob", 2)):
        driver.say(player, s.Bet, spot=spot, stakes={"Ante": 10_00, "Suited Royals": 5_00})
    driver.floor(s.Deal)
    enter(driver, "Kh 7h 5c 9h 8h")
    assert (driver.bankroll("Ann"), driver.bankroll("Bob")) == (100_00, 100_00)
    correction = driver.floor(s.CorrectCard, number=4, card="9d")
    assert events(correction) == ["card-corrected", "slip-reversed", "slip"]
    assert settled(correction) == [(1, "Suited Royals", 0)]
    assert (driver.bankroll("Ann"), driver.bankroll("Bob")) == (85_00, 100_00)
    driver.restart()
    driver.floor(s.CorrectCard, number=4, card="Qh")  # king and queen of hearts pay 25 to 1
    assert driver.bankroll("Ann") == 85_00 + 130_00
    driver.floor(s.Stay, spot=1)
    driver.floor(s.Stay, spot=2)
    enter(driver, "Td 9c")
    driver.floor(s.Settle)
    slips = driver.round(1)["slips"]
    assert sorted((slip["spot"], slip["wager"], slip["paid"]) for slip in slips) == [
        (1, "Ante", 10_00),
        (1, "Suited Royals", 125_00),
        (2, "Ante", 10_00),
        (2, "Suited Royals", 10_00),
    ]
    sound(driver)


def test_an_entry_taken_back_reverses_what_it_had_settled(new_driver: NewDriver) -> None:
    """The card that busts a doubled hand, then the double itself: the stake of each goes back to where it was."""
    driver = by_hand(new_driver)
    driver.sit("Ann", "Bob")
    dealt(driver, "9h 7h 5c 2h 8h", "Ann", "Bob")
    driver.floor(s.Double, spot=1)
    assert driver.bankroll("Ann") == 980_00
    assert settled(driver.floor(s.EnterCard, card="Kh")) == []  # 21
    driver.floor(s.CorrectCard, number=6, card="4h")
    driver.floor(s.TakeBack)
    driver.floor(s.TakeBack)
    assert driver.bankroll("Ann") == 990_00
    enter_and_bust = [driver.floor(s.Hit, spot=1), driver.floor(s.EnterCard, card="9d")]
    assert settled(enter_and_bust[1]) == []  # 20
    driver.floor(s.Hit, spot=1)
    assert settled(driver.floor(s.EnterCard, card="Kd")) == [(1, "Ante", 0)]
    assert driver.balance("win:T1") == 10_00
    back = driver.floor(s.TakeBack)
    assert events(back) == ["entry-taken-back", "slip-reversed"]
    assert (driver.balance("win:T1"), driver.bankroll("Ann")) == (0, 990_00)
    enter(driver, "Ad")
    driver.floor(s.Stay, spot=1)
    driver.floor(s.Stay, spot=2)
    enter(driver, "Td 9c")
    driver.floor(s.Settle)
    assert driver.bankroll("Ann") == 1010_00
    sound(driver)


def test_taking_back_a_split_after_a_bust_returns_the_stakes_hand_by_hand(new_driver: NewDriver) -> None:
    driver = by_hand(new_driver)
    driver.sit("Ann", "Bob")
    dealt(driver, "8h 7h 5c 8d 8s", "Ann", "Bob")
    driver.floor(s.Split, spot=1)
    enter(driver, "Tc")
    driver.floor(s.Double, spot=1, amounts=(("Ante", 5_00),))
    assert settled(driver.floor(s.EnterCard, card="Kd")) == [(1, "Ante", 0)]
    assert driver.balance("win:T1") == 15_00
    for _ in range(4):  # the king, the double, the ten, the split
        driver.floor(s.TakeBack)
    assert (driver.balance("win:T1"), driver.bankroll("Ann")) == (0, 990_00)
    driver.floor(s.Stay, spot=1)
    driver.floor(s.Stay, spot=2)
    enter(driver, "Td 2c")
    driver.floor(s.Settle)
    sound(driver)


def test_a_correction_that_takes_back_winnings_already_staked_says_who_is_short(new_driver: NewDriver) -> None:
    driver = by_hand(new_driver, "the-brook")
    driver.sit("Ann", chips=15_00)
    driver.say("Ann", s.Bet, spot=1, stakes={"Ante": 10_00, "Suited Royals": 5_00})
    driver.floor(s.Deal)
    enter(driver, "6h 5c 5h")
    driver.floor(s.Double, spot=1)
    assert driver.refused_floor(s.CorrectCard, number=3, card="5d") == ("PLAYER_NOT_ENOUGH", "Ann is $10 short")
    driver.floor(s.TakeBack)
    driver.floor(s.CorrectCard, number=3, card="5d")
    assert driver.bankroll("Ann") == 0
    sound(driver)


def test_a_jackpot_is_claimed_again_after_a_correction(new_driver: NewDriver) -> None:
    driver = by_hand(new_driver, "the-brook", jackpots=GALAXY)
    driver.sit("Ann", "Bob", chips=100_00)
    for player, spot in (("Ann", 1), ("Bob", 2)):
        driver.say(player, s.Bet, spot=spot, stakes={"Ante": 10_00, "Galaxy Bonus Jackpot": 5_00})
    driver.floor(s.Deal)
    enter(driver, "Ah Ah Ah Ah Ah")
    assert amounts(driver) == [625_00, 625_00]
    driver.floor(s.CorrectCard, number=5, card="Kd")
    assert amounts(driver) == [1250_00]
    driver.floor(s.TakeBack)
    assert amounts(driver) == []
    enter(driver, "Ah")
    assert amounts(driver) == [625_00, 625_00]
    sound(driver)


def amounts(driver: TableDriver) -> list[int]:
    with driver.service.desk.book.look() as clerk:
        return [award.amount for win in clerk.jackpot("BJ").wins.values() for award in win.awards]


def test_a_stopped_table_returns_what_it_had_settled_when_it_is_reset(
    new_driver_any_database: NewDriver, stack_shoe: StackedShoe
) -> None:
    stack_shoe("Kh 5c 9h Ts 2d")
    driver, _ = brook(new_driver_any_database, 100_00, {"Ante": 10_00, "Suited Royals": 5_00})
    cache, version = driver.service.desk.context.cache, driver.live.version
    cache.lives.clear()
    cache.stopped["table:T1"] = version, {"code": "HASH_BROKEN", "number": 1}
    driver.floor(s.Reset, why="the disk was exchanged")
    assert (driver.bankroll("Ann"), driver.balance("win:T1")) == (100_00, 0)
    assert driver.round(1)["slips"] == []
    sound(driver)
