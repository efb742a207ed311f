"""Each command is done once and whole, each timer fires once, and nothing a guest or a watcher does stops the desk."""

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

import pytest
import sqlalchemy as sa
from pydantic import ValidationError
from service.playing import KEY, Playing

from upcard.ledger.jackpots import requests as j
from upcard.ledger.journal import row_hash
from upcard.ledger.keyring import Keyring
from upcard.people.person import is_name
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.check import check
from upcard.service.notices import read_notice
from upcard.service.pending import Answer, PendingCommand, TableUpdate
from upcard.service.refusals import Refused, StoreFailed
from upcard.service.timers import fire_due, timer_id


def test_a_refused_opening_leaves_only_its_refusal(playing: Playing) -> None:
    playing.open(Brook="the-brook")
    playing.refusal(s.OpenTable(table="Attic", layout="no-such-layout"), id="attic")
    with playing.store.view() as unit:
        assert "table:Attic" not in set(unit.connection.scalars(sa.select(schema.streams.c.stream)))
        assert list(unit.connection.scalars(sa.select(schema.refusals.c.id))) == ["attic"]


def test_what_a_refused_command_had_begun_is_not_there_for_the_next_of_its_batch(playing: Playing) -> None:
    """The first brings a jackpot into the book and is refused then; the second means to bring in the same."""
    playing.open(Brook="the-brook")
    playing.do(s.OpenJackpot(jackpot="Daily", layout="the-brook", wager="Galaxy Bonus Jackpot"))
    first, second = (
        PendingCommand(
            s.OpenTable(table=table, layout="lucky-ladies-progressive", jackpots=links), table, "Flo", "floor"
        )
        for table, links in (
            ("One", {"Lucky Ladies Jackpot": "Ladies", "21+3 Jackpot": "Daily"}),
            ("Two", {"Lucky Ladies Jackpot": "Ladies"}),
        )
    )
    playing.desk.carry_out([first, second])
    assert isinstance(first.outcome, Refused)
    assert isinstance(second.outcome, Answer)
    assert {one["jackpot"] for one in playing.queries.jackpots()} == {"Daily", "Ladies"}
    assert shoes(playing) == {"Brook", "Two"}
    playing.do(s.OpenTable(table="One", layout="the-brook"))
    assert shoes(playing) == {"Brook", "Two", "One"}, "the key of its shoe is kept, not one drawn for what was refused"
    playing.check()


def shoes(playing: Playing) -> set[str]:
    """The tables whose shoes have a sealed key in the book."""
    with playing.store.view() as unit:
        return set(unit.connection.scalars(sa.select(schema.shoes.c.table_name)))


def test_the_id_of_a_part_of_another_command_is_not_for_others(playing: Playing) -> None:
    """The opening asked the book for its fill under an id of its own: another fill under that id moves no money."""
    playing.open(Brook="the-brook")
    refused = playing.refusal(s.Fill(table="Brook", amount=50_000_00), id="open-Brook//1")
    assert refused.reason == "BAD_COMMAND_ID"


def test_a_timer_of_a_long_name_fires(playing: Playing) -> None:
    table, player = "T" * 80, "P" * 80
    playing.open(**{table: "the-brook"})
    playing.sit(table, player, 1)
    playing.do(s.Away(table=table, player=player))
    playing.later(minutes=5)
    fire_due(playing.desk, playing.queries)
    assert playing.desk.live(table).players == ()


def test_a_guest_cannot_take_a_timers_id(playing: Playing) -> None:
    playing.open(Brook="the-brook")
    playing.sit("Brook", "Ann", 1)
    playing.do(s.Bet(table="Brook", spot=1, stakes={"Ante": 10_00}))
    taken = timer_id("Brook", "1/betting")
    tip = s.Tip(table="Brook", player="Ann", amount=1_00)
    assert playing.refusal(tip, id=taken, actor="Ann", role="player").reason == "BAD_COMMAND_ID"
    playing.later(minutes=1)
    assert [one.id for one in fire_due(playing.desk, playing.queries)] == [taken]


def test_a_deal_that_the_book_refuses_is_void_when_its_time_is_up(playing: Playing) -> None:
    """A jackpot stops between the wager and the deal: nobody can deal, and the stakes do not lie there for ever."""
    playing.open(Ladies="lucky-ladies-progressive")
    playing.sit("Ladies", "Ann", 1)
    stakes = {"Blackjack": 10_00, "Lucky Ladies": 5_00, "Lucky Ladies Jackpot": 1_00}
    playing.do(s.Bet(table="Ladies", spot=1, stakes=stakes))
    playing.do(s.House(request=j.Suspend(jackpot="LL Ladies", why="a display is dark")))
    assert playing.refusal(s.Deal(table="Ladies")).reason == "SUSPENDED"
    playing.later(minutes=1)
    fire_due(playing.desk, playing.queries)
    live = playing.desk.live("Ladies")
    assert live.table.round is None
    assert live.due is None
    assert playing.queries.bankroll("Ann") == 500_00
    told = playing.queries.round("Ladies", 1)
    assert told is not None
    assert told["void"] is not None
    why = told["void"]["refusal"]
    assert isinstance(why, dict)
    assert why["code"] == "SUSPENDED"
    assert fire_due(playing.desk, playing.queries) == []
    playing.check()


def test_a_watcher_that_breaks_does_not_stop_the_desk(playing: Playing) -> None:
    def broken(_moved: Sequence[TableUpdate]) -> None:
        raise ValueError("no listener")

    playing.open(Brook="the-brook")
    playing.desk.watchers.append(broken)
    playing.desk.start()
    try:
        for number in range(2):
            asked = playing.desk.submit(s.Fill(table="Brook", amount=5_00), id=f"fill-{number}", actor="Dana")
            assert asked.result(10).number == number + 2
    finally:
        playing.desk.stop()


def test_a_guest_who_does_not_wait_does_not_stop_the_desk(playing: Playing) -> None:
    playing.open(Brook="the-brook")
    playing.desk.start()
    try:
        for number in range(20):
            gone = playing.desk.submit(s.Fill(table="Brook", amount=5_00), id=f"gone-{number}", actor="Dana")
            gone.cancel()
        assert _fill(playing).result(10).stream == "table:Brook"
    finally:
        playing.desk.stop()


def test_a_desk_that_breaks_says_so_and_goes_on(playing: Playing, monkeypatch: pytest.MonkeyPatch) -> None:
    playing.open(Brook="the-brook")

    def broken() -> None:
        raise ValueError("no time")

    playing.desk.start()
    try:
        clock = playing.desk.clock
        monkeypatch.setattr(playing.desk, "clock", broken)
        with pytest.raises(ValueError, match="no time"):
            _fill(playing).result(10)
        monkeypatch.setattr(playing.desk, "clock", clock)
        assert not _fill(playing).result(10).repeated
    finally:
        playing.desk.stop()


def _fill(playing: Playing) -> "Future[Answer]":
    return playing.desk.submit(s.Fill(table="Brook", amount=5_00), id="fill", actor="Dana")


def _carried_out(playing: Playing, *commands: tuple[s.Command, str]) -> list[str]:
    """What is answered to commands that come together."""
    batch = [PendingCommand(command, name, "Dana", "floor") for command, name in commands]
    playing.desk.carry_out(batch)
    wrong = [one.future.exception(0) for one in batch]
    return ["done" if one is None else one.reason if isinstance(one, Refused) else type(one).__name__ for one in wrong]


@pytest.mark.parametrize("name", ["a\x00b", "a\ud800b"])
def test_an_id_that_no_database_can_look_for_is_refused_alone(playing: Playing, name: str) -> None:
    playing.open(Brook="the-brook", Creek="the-brook")
    fill = s.Fill(table="Brook", amount=5_00)
    assert _carried_out(playing, (fill, name), (s.Fill(table="Creek", amount=5_00), "good")) == [
        "BAD_COMMAND_ID",
        "done",
    ]


def test_a_text_that_not_every_database_keeps_is_refused_alone(playing: Playing) -> None:
    playing.open(Brook="the-brook", Creek="the-brook")
    fill = s.Fill(table="Creek", amount=5_00)
    bad = s.BuyIn(table="Brook", player="A\x00n", amount=5_00)
    assert _carried_out(playing, (bad, "bad"), (fill, "good")) == ["BAD_TEXT", "done"]
    opening = s.OpenTable(table="B\x00k", layout="the-brook")
    assert _carried_out(playing, (opening, "open"), (fill, "more")) == ["BAD_TEXT", "done"]
    playing.check()


def test_a_command_that_breaks_the_writing_fails_alone(playing: Playing) -> None:
    playing.open(Brook="the-brook", Creek="the-brook")
    huge = s.CloseTable(table="Brook", tray=1, why="a slip of the hand")
    object.__setattr__(huge, "tray", 2**63)
    broken, *done = _carried_out(playing, (huge, "huge"), (s.Fill(table="Creek", amount=5_00), "good"))
    assert broken in ("OverflowError", "StoreFailed")
    assert done == ["done"]
    with pytest.raises(ValidationError):
        s.CloseTable(table="Brook", tray=2**63, why="a slip of the hand")
    playing.check()


def test_what_is_handed_in_behind_a_stop_is_answered(playing: Playing) -> None:
    playing.open(Brook="the-brook")
    playing.desk.start()
    handed_in: list[Future[Answer]] = []
    stopping = threading.Event()

    def hand_in() -> None:
        for number in range(10_000):
            fill = s.Fill(table="Brook", amount=1)
            handed_in.append(playing.desk.submit(fill, id=f"late-{number}", actor="Dana"))
            if number == 3:
                stopping.set()
            if isinstance(handed_in[-1].done() and handed_in[-1].exception(), StoreFailed):
                return

    guest = threading.Thread(target=hand_in)
    guest.start()
    stopping.wait(10)
    playing.desk.stop()
    guest.join(20)
    for one in handed_in:
        assert one.exception(0) is None or isinstance(one.exception(0), StoreFailed)
    with pytest.raises(StoreFailed):
        playing.do(s.Fill(table="Brook", amount=1))  # nor does it write without its thread


def test_a_notice_of_somebody_elses_is_nothing() -> None:
    assert read_notice('["p", ["T1"]]') == ("p", ["T1"])
    for odd in ("5", "null", "[1, 2]", "[1]", "x", ""):
        assert read_notice(odd) == ("", [])


def test_what_was_done_counts_though_another_process_refused_something_else_under_its_id(playing: Playing) -> None:
    playing.open(Brook="the-brook")
    fill = s.Fill(table="Brook", amount=5_00)
    first = playing.do(fill, id="both")
    other = s.command_json(s.Deal(table="Creek"))
    row = {
        "id": "both",
        "stream": "table:Creek",
        "chain": "refusals",
        "at": "2026-03-02T18:00:00.000000Z",
        "actor": "Dana",
    }
    row |= {"role": "floor", "command": other, "code": "TABLE_UNKNOWN", "details": '{"table": "X"}'}
    with playing.store.transaction() as unit:
        number, last = unit.lock_log("refusals")
        chained: dict[str, Any] = {**row, "number": number + 1, "format": 1, "key": unit.key_number}
        chained["hash"] = row_hash(last, chained)
        unit.connection.execute(sa.insert(schema.refusals), {**chained, "mac": unit.mac(chained["hash"])})
        unit.move_log("refusals", number + 1, chained["hash"])
    again = playing.do(fill, id="both")
    assert (again.repeated, again) == (True, first)
    with playing.store.view() as unit:
        assert check(unit, Keyring([KEY])).sound


def test_whoever_has_a_name_can_ask_under_any_key_of_a_client(playing: Playing) -> None:
    playing.open(Brook="the-brook")
    name = "A" * 80
    assert is_name(name)
    playing.do(s.Fill(table="Brook", amount=5_00), id=f"{name}:{'k' * 64}", actor=name)
    for taken in ("timer", "a//b"):
        assert playing.refusal(s.Fill(table="Brook", amount=5_00), id=f"{taken}:k").reason == "BAD_COMMAND_ID"
        assert not is_name(taken)
