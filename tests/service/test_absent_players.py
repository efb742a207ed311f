"""Players who lost the connection in the middle of a round: nobody waits for them longer than a moment."""

import pytest
from service.conftest import NewDriver
from service.table_driver import StackedShoe, events

from upcard.service import commands as s
from upcard.service.live_table import RECONNECT

PACE = s.Pace(betting=20, decision=30, insurance=10, late=8, away=120, sitting_out=600)


def test_the_hands_of_an_absent_player_are_played_at_once(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    stack_shoe("5c 5d 9h 6h 6d 7s Ts Th Td Tc")
    driver = new_driver(pace=PACE)
    driver.sit("Ann", "Ann", "Ben")
    for spot, player in ((1, "Ann"), (2, "Ann"), (3, "Ben")):
        driver.bet(player, spot)
    driver.say("Ann", s.Ready)
    driver.say("Ben", s.Ready)
    driver.say("Ann", s.Away)
    assert driver.later(RECONNECT - 0.1) == [], "the player may reload the page"
    (first,) = driver.later(0.1)
    assert events(first) == ["timer-expired", "hand-stayed"]
    (second,) = driver.later(0)
    assert events(second) == ["timer-expired", "hand-stayed"]
    assert driver.later(29) == [], "Ben has their full time"
    driver.restart()
    (third,) = driver.later(1)
    assert "hand-stayed" in events(third)


def test_a_player_who_comes_back_has_the_time_they_had(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    stack_shoe("5c 6h 6d Ts 2d 3c")
    driver = new_driver(pace=PACE)
    driver.sit("Ann")
    driver.bet("Ann", 1)
    driver.say("Ann", s.Ready)
    driver.later(10)
    driver.say("Ann", s.Away)
    driver.later(RECONNECT - 1)
    driver.say("Ann", s.Back)
    assert driver.later(30 - 10 - RECONNECT) == []
    (answer,) = driver.later(1)
    assert "hand-stayed" in events(answer)


@pytest.mark.parametrize(
    ("layout", "cards", "over"),
    [("bet-bigger", "Tc As 9d 7h", "insurance-closed"), ("lucky-ladies", "Tc 8h 9d 8s 8c", "late-wagers-closed")],
)
def test_nobody_waits_for_the_answer_of_an_absent_player(
    layout: str, cards: str, over: str, new_driver: NewDriver, stack_shoe: StackedShoe
) -> None:
    stack_shoe(cards)
    driver = new_driver(layout, pace=PACE)
    driver.sit("Ann")
    driver.bet("Ann", 1)
    driver.say("Ann", s.Ready)
    driver.say("Ann", s.Away)
    (answer,) = driver.later(RECONNECT)
    assert over in events(answer)


def test_insurance_waits_for_those_who_are_there(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    stack_shoe("Tc Td As 9d 8d 7h")
    driver = new_driver(pace=PACE)
    driver.sit("Ann", "Ben")
    driver.bet("Ann", 1)
    driver.bet("Ben", 2)
    driver.say("Ann", s.Ready)
    driver.say("Ben", s.Ready)
    driver.say("Ann", s.Away)
    assert driver.later(RECONNECT + 1) == []
    driver.say("Ben", s.DeclineInsurance, spot=2)
    (answer,) = driver.later(0)
    assert "insurance-closed" in events(answer)
