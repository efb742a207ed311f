"""Bets on several spots are taken all or none, and can be taken back until the deal."""

import pytest
from service.conftest import NewDriver
from service.table_driver import StackedShoe, TableDriver, events

from upcard.service import commands as s
from upcard.service.refusals import Refused


@pytest.fixture
def driver(new_driver: NewDriver) -> TableDriver:
    driver = new_driver()
    driver.sit("Ann", "Ann", "Ben", chips=15_00)
    return driver


def stakes(**main: int) -> dict[int, dict[str, int]]:
    return {int(spot[1:]): {"Ante": amount} for spot, amount in main.items()}


def test_bets_on_two_spots_are_one_command(driver: TableDriver) -> None:
    driver.say("Ann", s.BetSpots, spots=stakes(s1=10_00, s2=5_00))
    assert driver.bankroll("Ann") == 0
    assert [spot.number for spot in driver.live.table.round.spots] == [1, 2]  # type: ignore[union-attr]
    driver.say("Ann", s.BetSpots, spots=stakes(s1=5_00, s2=10_00))
    assert driver.bankroll("Ann") == 0, "they replace what was there"
    assert driver.live.ready == frozenset()


@pytest.mark.parametrize(
    ("spots", "reason"),
    [
        (stakes(s1=10_00, s2=10_00), "PLAYER_NOT_ENOUGH"),
        (stakes(s1=10_00, s2=1_00), "BELOW_MINIMUM"),
        (stakes(s2=10_00, s3=10_00), "NOT_YOURS"),
        (stakes(s1=10_00, s6=10_00), "NOT_YOURS"),
    ],
)
def test_a_refusal_of_one_spot_refuses_all(driver: TableDriver, spots: dict[int, dict[str, int]], reason: str) -> None:
    refused, _ = driver.refused("Ann", s.BetSpots, spots=spots)  # and nothing changed
    assert refused == reason
    assert driver.bankroll("Ann") == 15_00
    assert driver.live.table.round is None


def test_the_player_reads_how_much_all_spots_lack(driver: TableDriver) -> None:
    _, sentence = driver.refused("Ann", s.BetSpots, spots=stakes(s1=10_00, s2=10_00))
    assert "$5" in sentence


def test_a_player_can_bet_and_be_ready_at_once(driver: TableDriver, stack_shoe: StackedShoe) -> None:
    stack_shoe("5c 5d 9h 6h 6d Ts")
    answer = driver.say("Ann", s.BetSpots, spots=stakes(s1=5_00, s2=10_00), ready=True)
    assert events(answer)[-1] == "player-ready"
    driver.bet("Ben", 3)
    assert "betting-closed" in events(driver.say("Ben", s.Ready))


def test_a_deal_that_is_refused_places_nothing(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann", "Ann", "Ann")
    assert driver.refused("Ann", s.BetSpots, spots=stakes(s1=10_00, s3=10_00), ready=True)[0] == "SPOTS_APART"
    assert driver.live.table.round is None


def test_the_same_command_twice_is_carried_out_once(driver: TableDriver) -> None:
    command = s.BetSpots(table="T1", player="Ann", spots=stakes(s1=10_00, s2=5_00))
    first = driver.do(command, id="same", actor="Ann", role="player")
    rows = driver.rows()
    assert driver.do(command, id="same", actor="Ann", role="player") == first
    assert driver.rows() == rows


def test_another_player_cannot_bet_or_clear_for_one(driver: TableDriver) -> None:
    for command in (
        s.BetSpots(table="T1", player="Ann", spots=stakes(s1=10_00)),
        s.ClearSpots(table="T1", player="Ann"),
    ):
        with pytest.raises(Refused) as refused:
            driver.do(command, actor="Ben", role="player")
        assert refused.value.reason == "NOT_YOU"


def test_what_was_handed_in_is_taken_back_until_the_deal(driver: TableDriver, stack_shoe: StackedShoe) -> None:
    stack_shoe("5c 5d 9h 6h 6d Ts")
    driver.bet("Ben", 3)
    driver.say("Ann", s.BetSpots, spots=stakes(s1=10_00, s2=5_00), ready=True)
    driver.say("Ann", s.ClearSpots)
    assert driver.bankroll("Ann") == 15_00
    assert driver.live.ready == frozenset()
    driver.say("Ann", s.BetSpots, spots=stakes(s1=10_00), ready=True)
    driver.say("Ben", s.Ready)
    assert driver.refused("Ann", s.ClearSpots)[0] == "NOTHING_TO_CLOSE"


def test_without_any_wagers_the_round_ends(driver: TableDriver) -> None:
    driver.say("Ann", s.BetSpots, spots=stakes(s1=10_00, s2=5_00))
    assert events(driver.say("Ann", s.ClearSpots))[-1] == "round-over"
    driver.restart()
    assert driver.bankroll("Ann") == 15_00
    assert driver.live.table.round is None
