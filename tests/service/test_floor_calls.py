"""A player calls the floor, and the floor answers."""

import pytest
from service.conftest import NewDriver

from upcard import formats
from upcard.codes import sentence_of
from upcard.service import commands as s
from upcard.service.live_table import snapshot, table_from_snapshot
from upcard.service.records import command_of
from upcard.service.refusals import RecordBroken
from upcard.service.views import table_line, table_view


def test_the_floor_sees_a_call_until_somebody_answers_it(new_driver_any_database: NewDriver) -> None:
    driver = new_driver_any_database()
    driver.say("Ann", s.Seat, spot=1)
    answer = driver.say("Ann", s.CallFloor)
    assert [dict(event) for event in answer.events] == [{"event": "floor-called", "player": "Ann"}]
    (notice,) = table_line(driver.live, None)["notices"]
    assert sentence_of(notice).startswith("Ann called the floor at ")
    assert table_view(driver.live)["notices"] == [notice]
    answered = driver.floor(s.AnswerCall, player="Ann")
    assert [event["event"] for event in answered.events] == ["call-answered"]
    assert "notices" not in table_line(driver.live, None)
    assert "notices" not in table_view(driver.live)


def test_the_first_call_counts_and_each_player_has_their_own(new_driver: NewDriver) -> None:
    driver = new_driver()
    for spot, player in ((1, "Ann"), (3, "Bob")):
        driver.say(player, s.Seat, spot=spot)
        driver.say(player, s.CallFloor)
    first = driver.live.calls
    driver.later(60)
    driver.say("Ann", s.CallFloor)
    assert driver.live.calls == first
    assert list(first) == ["Ann", "Bob"]
    driver.floor(s.AnswerCall, player="Ann")
    assert list(driver.live.calls) == ["Bob"]


def test_only_seated_players_can_call_and_only_calls_can_be_answered(new_driver: NewDriver) -> None:
    driver = new_driver()
    assert driver.refused("Ann", s.CallFloor) == ("NOT_SEATED", "Ann does not sit at this table")
    driver.say("Ann", s.Seat, spot=1)
    assert driver.refused_floor(s.AnswerCall, player="Ann") == ("NO_CALL", "Ann has not called the floor")
    driver.say("Bob", s.Seat, spot=2)
    assert driver.refused_do(s.AnswerCall(table="T1", player="Ann"), actor="Bob", role="player")[0] == "NOT_FOR_PLAYERS"


def test_a_call_ends_when_the_player_leaves_or_the_table_closes(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.say("Ann", s.Seat, spot=1)
    driver.say("Ann", s.CallFloor)
    driver.say("Ann", s.Leave)
    assert driver.live.calls == {}
    driver.say("Ann", s.Seat, spot=1)
    driver.say("Ann", s.CallFloor)
    driver.floor(s.CloseTable, tray=100_000_00)
    assert driver.live.calls == {}


def test_a_call_outlasts_a_restart(new_driver_any_database: NewDriver) -> None:
    driver = new_driver_any_database()
    driver.say("Ann", s.Seat, spot=1)
    driver.say("Ann", s.CallFloor)
    live = driver.live
    second = table_from_snapshot(
        lambda _hash: live.rules, lambda _table, _number: bytes(32), live.name, snapshot(live), live.version
    )
    assert second.notices == live.notices
    driver.restart()
    assert driver.live.notices == live.notices


def test_a_record_of_a_command_that_this_version_does_not_know_is_of_a_later_one() -> None:
    row = {"format": formats.FORMAT, "command": '{"table":"T1","player":"Ann","do":"order-a-drink"}'}
    with pytest.raises(RecordBroken, match="later version"):
        command_of(row)
