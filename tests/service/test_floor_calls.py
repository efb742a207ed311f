"""A player calls the floor, and the floor answers."""

import pytest
from service.conftest import NewEvening

from upcard import formats
from upcard.codes import sentence_of
from upcard.service import commands as s
from upcard.service.live_table import restored, snapshot
from upcard.service.records import command_of
from upcard.service.refusals import RecordBroken
from upcard.service.views import table_line, table_view


def test_the_floor_sees_a_call_until_somebody_answers_it(any_evening: NewEvening) -> None:
    e = any_evening()
    e.say("Ann", s.Seat, spot=1)
    answer = e.say("Ann", s.CallFloor)
    assert [dict(event) for event in answer.events] == [{"event": "floor-called", "player": "Ann"}]
    (notice,) = table_line(e.live, None)["notices"]
    assert sentence_of(notice).startswith("Ann called the floor at ")
    assert table_view(e.live)["notices"] == [notice]
    answered = e.floor(s.AnswerCall, player="Ann")
    assert [event["event"] for event in answered.events] == ["call-answered"]
    assert "notices" not in table_line(e.live, None)
    assert "notices" not in table_view(e.live)


def test_the_first_call_counts_and_each_player_has_their_own(evening: NewEvening) -> None:
    e = evening()
    for spot, player in ((1, "Ann"), (3, "Bob")):
        e.say(player, s.Seat, spot=spot)
        e.say(player, s.CallFloor)
    first = e.live.calls
    e.later(60)
    e.say("Ann", s.CallFloor)
    assert e.live.calls == first
    assert list(first) == ["Ann", "Bob"]
    e.floor(s.AnswerCall, player="Ann")
    assert list(e.live.calls) == ["Bob"]


def test_who_does_not_sit_here_cannot_call_and_who_did_not_call_is_not_answered(evening: NewEvening) -> None:
    e = evening()
    assert e.no("Ann", s.CallFloor) == ("NOT_SEATED", "Ann does not sit at this table")
    e.say("Ann", s.Seat, spot=1)
    assert e.no_floor(s.AnswerCall, player="Ann") == ("NO_CALL", "Ann has not called the floor")
    e.say("Bob", s.Seat, spot=2)
    assert e.no_do(s.AnswerCall(table="T1", player="Ann"), actor="Bob", role="player")[0] == "NOT_FOR_PLAYERS"


def test_a_call_ends_when_the_player_leaves_or_the_table_closes(evening: NewEvening) -> None:
    e = evening()
    e.say("Ann", s.Seat, spot=1)
    e.say("Ann", s.CallFloor)
    e.say("Ann", s.Leave)
    assert e.live.calls == {}
    e.say("Ann", s.Seat, spot=1)
    e.say("Ann", s.CallFloor)
    e.floor(s.CloseTable, tray=100_000_00)
    assert e.live.calls == {}


def test_a_call_outlasts_a_restart(any_evening: NewEvening) -> None:
    e = any_evening()
    e.say("Ann", s.Seat, spot=1)
    e.say("Ann", s.CallFloor)
    live = e.live
    again = restored(
        lambda _hash: live.rules, lambda _table, _number: bytes(32), live.name, snapshot(live), live.version
    )
    assert again.notices == live.notices
    e.restart()
    assert e.live.notices == live.notices


def test_a_record_of_a_command_that_this_version_does_not_know_is_of_a_later_one() -> None:
    row = {"format": formats.FORMAT, "command": '{"table":"T1","player":"Ann","do":"order-a-drink"}'}
    with pytest.raises(RecordBroken, match="later version"):
        command_of(row)
