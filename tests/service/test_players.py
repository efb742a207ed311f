"""What players do at a table: seats, wagers, insurance, hands; and what none can do to another."""

import pytest
from service.conftest import NewDriver
from service.table_driver import StackedShoe, TableDriver, events

from upcard.engine.view import view
from upcard.service import commands as s
from upcard.service.refusals import Refused

# --- seats


def test_a_player_takes_a_spot_and_gives_it_up(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann")
    assert driver.refused("Ben", s.Seat, spot=1)[0] == "SPOT_TAKEN"
    assert driver.refused("Ben", s.Seat, spot=7)[0] == "NO_SUCH_SPOT"
    assert "spot-left" in events(driver.say("Ann", s.Leave))
    driver.say("Ben", s.Seat, spot=1)
    assert driver.refused("Ann", s.Leave)[0] == "NOT_SEATED"


def test_a_player_may_hold_spots_side_by_side(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann", "Ann", "Ann")
    assert driver.refused("Ann", s.Seat, spot=5)[0] == "NOT_ADJACENT"
    assert driver.refused("Ann", s.Leave, spot=2)[0] == "SEATS_APART"
    driver.say("Ann", s.Leave, spot=1)
    assert sorted(driver.live.table.seats) == [2, 3]
    driver.say("Ann", s.Leave)
    assert driver.live.players == ()


def test_a_player_is_asked_to_give_up_further_spots(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann", "Ann")
    assert "spot-left" in events(driver.floor(s.AskToRelinquish, player="Ann"))
    assert dict(driver.live.table.seats) == {1: "Ann"}


def test_guests_come_and_go_until_the_deal(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    stack_shoe("Tc 5h 8d Ts")
    driver = new_driver()
    driver.sit("Ann")
    driver.bet("Ann", 1)
    driver.say("Ben", s.Seat, spot=2)
    driver.say("Ben", s.Leave)
    assert driver.refused("Ann", s.Leave)[0] == "WAGERS_LIE"
    driver.say("Ann", s.Ready)
    assert driver.refused("Ben", s.Seat, spot=2)[0] == "ROUND_RUNNING"
    assert driver.refused("Ann", s.Leave)[0] == "ROUND_RUNNING"


FOR_ANOTHER: list[s.Command] = [
    s.Bet(table="T1", spot=1, stakes={"Ante": 5_00}),
    s.ClearWagers(table="T1", spot=1),
    s.Hit(table="T1", spot=1),
    s.Stay(table="T1", spot=1),
    s.Double(table="T1", spot=1),
    s.Split(table="T1", spot=1),
    s.Surrender(table="T1", spot=1),
    s.Insure(table="T1", spot=1),
    s.DeclineInsurance(table="T1", spot=1),
    s.TakeEvenMoney(table="T1", spot=1),
    s.Seat(table="T1", player="Ann", spot=4),
    s.Leave(table="T1", player="Ann"),
    s.Ready(table="T1", player="Ann"),
    s.Away(table="T1", player="Ann"),
    s.SitOut(table="T1", player="Ann"),
    s.Back(table="T1", player="Ann"),
    s.Cut(table="T1", player="Ann", words="mine"),
]


def test_nobody_acts_for_another(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann", "Ben")
    driver.bet("Ann", 1)
    for actor in ("Ben", "Mallory"):
        for command in FOR_ANOTHER:
            reason, _ = driver.refused_do(command, actor=actor, role="player")
            assert reason == ("NOT_YOU" if isinstance(command, s.OfPlayer) else "NOT_YOURS"), command
    assert driver.refused("Ann", s.Leave, spot=2)[0] == "NOT_YOURS"


# --- wagers


@pytest.mark.parametrize(
    ("stakes", "reason"),
    [
        ({"Ante": 10_00, "Match the Dealer": 10_000_00}, "ABOVE_MAXIMUM"),
        ({"Ante": 10_00, "Bet Bigger 1x": 5_00}, "BIGGER_EQUALS_MAIN"),
        ({"Match the Dealer": 5_00, "Ante": 10_00}, "MAIN_WAGER_FIRST"),
        ({"Ante": 10_00, "Moon": 5_00}, "UNKNOWN_WAGER"),
        ({"Ante": 10_00, "Bet Bigger 1x": 10_00, "Match the Dealer": 5_00}, "PLAYER_NOT_ENOUGH"),
    ],
)
def test_a_bet_on_several_circles_is_made_whole_or_not_at_all(
    new_driver: NewDriver, stakes: dict[str, int], reason: str
) -> None:
    driver = new_driver()
    driver.sit("Ann", chips=20_00)
    assert driver.refused("Ann", s.Bet, spot=1, stakes=stakes)[0] == reason
    assert (driver.bankroll("Ann"), driver.live.table.round) == (20_00, None)


def test_a_player_short_of_chips_is_told_by_how_much(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann", chips=5_00)
    expected = ("PLAYER_NOT_ENOUGH", "Ann is $5 short")
    assert driver.refused("Ann", s.Bet, spot=1, stakes={"Ante": 10_00}) == expected
    assert driver.refused_floor(s.CashOut, player="Ann", amount=10_00) == expected


def test_a_stake_is_changed_and_taken_back_before_the_deal(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann", chips=100_00)
    driver.bet("Ann", 1, 5_00, **{"Match the Dealer": 5_00})
    driver.bet("Ann", 1, 10_00)
    assert driver.bankroll("Ann") == 85_00
    driver.say("Ann", s.ClearWagers, spot=1, wager="Match the Dealer")
    assert driver.bankroll("Ann") == 90_00
    driver.say("Ann", s.ClearWagers, spot=1)
    assert (driver.bankroll("Ann"), driver.live.table.round) == (100_00, None)
    assert driver.round(1)["void"] == {"code": "void/wagers-cleared"}


def test_the_deal_begins_when_everybody_is_ready(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann", "Ben", "Cal")
    assert driver.refused("Ann", s.Ready)[0] == "NOTHING_TO_CLOSE"
    driver.bet("Ann", 1)
    driver.bet("Ben", 2)
    driver.say("Ann", s.Ready)
    driver.say("Ben", s.Ready)
    assert "betting-closed" not in events(driver.say("Ben", s.Bet, spot=2, stakes={"Ante": 5_00}))
    driver.say("Ben", s.Ready)  # Ben had changed a wager
    assert "betting-closed" in events(driver.say("Cal", s.Ready))


def test_the_deal_begins_without_those_who_leave_or_sit_out(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann", "Ben", "Cal")
    driver.bet("Ann", 1)
    driver.say("Ann", s.Ready)
    driver.say("Ben", s.SitOut)
    assert "betting-closed" in events(driver.say("Cal", s.Leave))


def test_the_dealer_may_begin_the_deal(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann", "Ben")
    assert driver.refused_floor(s.Deal)[0] == "NOTHING_TO_CLOSE"
    driver.bet("Ann", 1)
    assert "betting-closed" in events(driver.floor(s.Deal))
    assert driver.refused("Ben", s.Bet, spot=2, stakes={"Ante": 10_00})[0] == "NOT_NOW"


def test_leaving_does_not_wait_for_the_unfinished_wagers_of_others(new_driver: NewDriver) -> None:
    """Ann's spots lie apart: the dealer cannot go on, and Ben may be away all the same."""
    driver = new_driver()
    driver.sit("Ann", "Ann", "Ann", "Ben")
    driver.bet("Ann", 1)
    driver.bet("Ann", 3)
    assert driver.refused_floor(s.Deal)[0] == "SPOTS_APART"
    driver.say("Ann", s.Ready)
    assert events(driver.say("Ben", s.Away)) == ["player-away"]


# --- insurance


def insured(driver: TableDriver, stack_shoe: StackedShoe, cards: str, chips: int = 100_00) -> None:
    stack_shoe(cards)
    driver.sit("Ann", chips=chips)
    driver.bet("Ann", 1, 10_00)
    driver.say("Ann", s.Ready)


def test_insurance_wins_against_a_dealer_blackjack(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    driver = new_driver()
    insured(driver, stack_shoe, "Tc As 9d Kh")
    driver.say("Ann", s.Insure, spot=1)
    assert driver.bankroll("Ann") == 100_00  # 5 at 2 to 1 for the 10 that are lost
    assert {slip["wager"] for slip in driver.round(1)["slips"]} == {"Ante", "insurance/Ante"}


def test_insurance_for_less_and_only_once(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    driver = new_driver()
    insured(driver, stack_shoe, "Tc As 9d 7h")
    assert driver.refused("Ann", s.Insure, spot=1, amount=6_00)[0] == "INSURANCE_AMOUNT"
    driver.say("Ann", s.Insure, spot=1, amount=2_00)
    assert driver.bankroll("Ann") == 88_00
    assert driver.refused("Ann", s.Insure, spot=1)[0] in ("NOT_NOW", "INSURANCE_ANSWERED")


def test_insurance_that_chips_do_not_cover_is_refused(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    driver = new_driver()
    insured(driver, stack_shoe, "Tc As 9d 7h", chips=12_00)
    reason = driver.refused("Ann", s.Insure, spot=1)
    assert reason == ("PLAYER_NOT_ENOUGH", "Ann is $3 short")
    driver.say("Ann", s.DeclineInsurance, spot=1)


def test_even_money_for_a_blackjack_against_an_ace(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    driver = new_driver()
    insured(driver, stack_shoe, "Ac As Kd Kh")
    driver.say("Ann", s.TakeEvenMoney, spot=1)
    assert driver.bankroll("Ann") == 110_00


# --- hands


def test_a_double_takes_the_full_amount_or_less(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    stack_shoe("5c 6h 6d Ts Td Kd")  # 11 and a ten; the dealer breaks
    cases: list[tuple[dict[str, int], int]] = [({}, 120_00), ({"Ante": 4_00}, 114_00)]
    for amounts, after in cases:
        driver = new_driver()
        driver.sit("Ann", chips=100_00)
        driver.bet("Ann", 1, 10_00)
        driver.say("Ann", s.Ready)
        driver.say("Ann", s.Double, spot=1, amounts=amounts)
        assert driver.bankroll("Ann") == after


def test_a_double_that_chips_do_not_cover_leaves_the_hand_as_it_was(
    new_driver: NewDriver, stack_shoe: StackedShoe
) -> None:
    stack_shoe("5c 6h 6d Ts Td Kd")
    driver = new_driver()
    driver.sit("Ann", chips=15_00)
    driver.bet("Ann", 1, 10_00)
    driver.say("Ann", s.Ready)
    assert driver.refused("Ann", s.Double, spot=1)[0] == "PLAYER_NOT_ENOUGH"
    driver.say("Ann", s.Double, spot=1, amounts={"Ante": 5_00})
    assert driver.bankroll("Ann") == 30_00


def test_a_split_matches_every_main_wager(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    stack_shoe("8c 5h 8d Ts 3s Kd 4c 9c")
    driver = new_driver()
    driver.sit("Ann", chips=100_00)
    driver.say("Ann", s.Bet, spot=1, stakes={"Ante": 10_00, "Bet Bigger 1x": 10_00})
    driver.say("Ann", s.Ready)
    driver.say("Ann", s.Split, spot=1)
    assert driver.bankroll("Ann") == 60_00
    driver.say("Ann", s.Double, spot=1)
    assert driver.bankroll("Ann") == 40_00
    driver.say("Ann", s.Stay, spot=1)  # the dealer's 15 draws 9 and breaks
    assert driver.bankroll("Ann") == 160_00
    played = driver.service.queries.played_by("Ann")
    assert [(row["round"], row["staked"], row["back"]) for row in played] == [(1, 60_00, 120_00)]


def test_a_surrender_returns_half(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    stack_shoe("Tc 9h 6d Ts")
    driver = new_driver("the-brook")
    driver.sit("Ann", chips=100_00)
    driver.bet("Ann", 1, 10_00)
    driver.say("Ann", s.Ready)
    driver.say("Ann", s.Surrender, spot=1)
    assert driver.bankroll("Ann") == 95_00


def test_players_act_in_the_order_of_their_spots(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    stack_shoe("Tc 9c 8h 5d 4d Ts")
    driver = new_driver()
    driver.sit("Ann", "Ben")
    for spot, player in ((1, "Ann"), (2, "Ben")):
        driver.bet(player, spot)
    driver.floor(s.Deal)
    assert driver.refused("Ben", s.Hit, spot=2)[0] == "NOT_YOUR_TURN"
    driver.say("Ann", s.Stay, spot=1)
    assert driver.refused("Ann", s.Hit, spot=1)[0] == "NOT_YOUR_TURN"
    driver.say("Ben", s.Stay, spot=2)
    assert driver.live.table.round is None


def test_bust_bonus_is_wagered_after_the_peek(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    """003: three eights, not of one suit, pay 25 to 1."""
    stack_shoe("Tc 8h 9d 8s 8c")
    driver = new_driver("lucky-ladies")
    driver.sit("Ann", chips=100_00)
    stakes = {"Bust Bonus": 5_00}
    assert driver.refused("Ann", s.Bet, spot=1, stakes={"Blackjack": 10_00, **stakes})[0] == "WRONG_MOMENT"
    driver.bet("Ann", 1, 10_00)
    driver.say("Ann", s.Ready)
    driver.say("Ann", s.Bet, spot=1, stakes=stakes)
    assert driver.bankroll("Ann") == 85_00
    driver.say("Ann", s.ClearWagers, spot=1)
    assert driver.bankroll("Ann") == 90_00, "the main wager stays"
    driver.say("Ann", s.Bet, spot=1, stakes=stakes)
    driver.say("Ann", s.Ready)
    driver.say("Ann", s.Stay, spot=1)
    assert driver.bankroll("Ann") == 100_00 + 10_00 + 125_00


# --- what a player sees


def test_the_hole_card_and_anothers_choices_are_in_no_view(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    stack_shoe("Tc 9c 8h 5d 4d Ts")
    driver = new_driver()
    driver.sit("Ann", "Ben")
    for spot, player in ((1, "Ann"), (2, "Ben")):
        driver.bet(player, spot)
    driver.floor(s.Deal)
    state, terms = driver.live.table.round, driver.live.table.terms
    assert state is not None
    assert terms is not None
    views = {seat: view(state, terms, seat) for seat in (1, 2, None)}
    assert all(view_.dealer[1] is None for view_ in views.values())
    assert views[1].choices
    assert views[2].choices == views[None].choices == ()


def test_a_refused_command_is_stored_with_its_code_and_details(new_driver: NewDriver) -> None:
    driver = new_driver()
    with pytest.raises(Refused):
        driver.say("Ann", s.Seat, spot=9)
    (row,) = driver.service.queries.audit("T1")["refused"]
    assert (row["actor"], row["role"], row["reason"]) == ("Ann", "player", "NO_SUCH_SPOT")
    assert row["details"] == {"spots": 6}
