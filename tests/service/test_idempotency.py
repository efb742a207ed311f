"""Each command is done once and whole, each timer fires once, and nothing a guest or a watcher does stops the desk."""

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

import pytest
import sqlalchemy as sa
from pydantic import ValidationError
from service.desk_driver import KEY, DeskDriver

from upcard import formats
from upcard.ledger.journal import row_hash
from upcard.ledger.keyring import Keyring
from upcard.people.person import is_name
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.history_check import check
from upcard.service.notices import Notice, read_notice
from upcard.service.pending import Answer, PendingCommand, TableUpdate
from upcard.service.refusals import Refused, StoreFailed
from upcard.service.timers import fire_due, timer_id


def test_a_refused_opening_leaves_only_its_refusal(desk_driver: DeskDriver) -> None:
    desk_driver.open(Brook="the-brook")
    desk_driver.refusal(s.OpenTable(table="Attic", layout="no-such-layout"), id="attic")
    with desk_driver.store.view() as unit:
        assert "table:Attic" not in set(unit.connection.scalars(sa.select(schema.streams.c.stream)))
        assert list(unit.connection.scalars(sa.select(schema.refusals.c.id))) == ["attic"]


def test_a_refused_command_leaves_nothing_for_the_next_one_of_its_batch(desk_driver: DeskDriver) -> None:
    """The first brings a jackpot into the book and is refused then; the second means to bring in the same."""
    desk_driver.open(Brook="the-brook")
    desk_driver.do(s.OpenJackpot(jackpot="Daily", layout="the-brook", wager="Galaxy Bonus Jackpot"))
    first, second = (
        PendingCommand(
            s.OpenTable(table=table, layout="lucky-ladies-progressive", jackpots=links), table, "Flo", "floor"
        )
        for table, links in (
            ("One", {"Lucky Ladies Jackpot": "Ladies", "21+3 Jackpot": "Daily"}),
            ("Two", {"Lucky Ladies Jackpot": "Ladies"}),
        )
    )
    desk_driver.desk.carry_out([first, second])
    assert isinstance(first.outcome, Refused)
    assert isinstance(second.outcome, Answer)
    assert {jackpot["jackpot"] for jackpot in desk_driver.queries.jackpots()} == {"Daily", "Ladies"}
    assert shoes(desk_driver) == {"Brook", "Two"}
    desk_driver.do(s.OpenTable(table="One", layout="the-brook"))
    assert shoes(desk_driver) == {"Brook", "Two", "One"}, (
        "the key of its shoe is kept, not one drawn for what was refused"
    )
    desk_driver.check()


def test_rows_sent_ahead_are_those_of_whole_commands(desk_driver: DeskDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server gets the rows of every command at once here: of two commands at one table, of a table that opens and of
    one that is refused, and of new accounts."""
    monkeypatch.setattr("upcard.service.desk.SENT_AHEAD", 1)
    desk_driver.open(Brook="the-brook", Lake="the-brook")
    commands: list[s.Command] = [
        s.BuyIn(table="Brook", player="Ann", amount=10_000),
        s.Seat(table="Brook", player="Ann", spot=1),
        s.OpenTable(table="Attic", layout="no-such-layout"),
        s.Bet(table="Brook", spot=1, stakes={"Ante": 500}),
        s.Bet(table="Brook", spot=1, stakes={"Ante": 10_000_000}),
        s.OpenTable(table="Cellar", layout="the-brook"),
        s.BuyIn(table="Lake", player="Bob", amount=10_000),
        s.CashOut(table="Lake", player="Cid", amount=500),
        s.Ready(table="Brook", player="Ann"),
    ]
    batch = [PendingCommand(command, f"ahead-{place}", "Flo", "floor") for place, command in enumerate(commands)]
    desk_driver.desk.carry_out(batch)
    refused = [pending.id for pending in batch if isinstance(pending.outcome, Refused)]
    assert refused == ["ahead-2", "ahead-4", "ahead-7"]
    with desk_driver.store.view() as unit:
        streams = dict(unit.connection.execute(sa.select(schema.streams.c.stream, schema.streams.c.version)).all())
        accounts = {str(account) for account in unit.balances()}
    assert "table:Attic" not in streams
    assert streams["table:Cellar"] == 1
    assert {"player:Ann", "player:Bob"} <= accounts
    assert "player:Cid" not in accounts
    desk_driver.check()


def shoes(desk_driver: DeskDriver) -> set[str]:
    """The tables whose shoes have a sealed key in the book."""
    with desk_driver.store.view() as unit:
        return set(unit.connection.scalars(sa.select(schema.shoes.c.table_name)))


def test_the_id_of_a_commands_ledger_request_cannot_be_reused(desk_driver: DeskDriver) -> None:
    """The opening asked the book for its fill under an id of its own: another fill under that id moves no money."""
    desk_driver.open(Brook="the-brook")
    refused = desk_driver.refusal(s.Fill(table="Brook", amount=50_000_00), id="open-Brook//1")
    assert refused.reason == "BAD_COMMAND_ID"


def test_a_timer_of_a_long_name_fires(desk_driver: DeskDriver) -> None:
    table, player = "T" * 80, "P" * 80
    desk_driver.open(**{table: "the-brook"})
    desk_driver.sit(table, player, 1)
    desk_driver.do(s.Away(table=table, player=player))
    desk_driver.later(minutes=5)
    fire_due(desk_driver.desk, desk_driver.queries)
    assert desk_driver.desk.live(table).players == ()


def test_a_player_cannot_use_the_id_of_a_timer(desk_driver: DeskDriver) -> None:
    desk_driver.open(Brook="the-brook")
    desk_driver.sit("Brook", "Ann", 1)
    desk_driver.do(s.Bet(table="Brook", spot=1, stakes={"Ante": 10_00}))
    name = timer_id("Brook", "1/betting")
    tip = s.Tip(table="Brook", player="Ann", amount=1_00)
    assert desk_driver.refusal(tip, id=name, actor="Ann", role="player").reason == "BAD_COMMAND_ID"
    desk_driver.later(minutes=1)
    assert [answer.id for answer in fire_due(desk_driver.desk, desk_driver.queries)] == [name]


def test_a_failing_watcher_does_not_stop_the_desk(desk_driver: DeskDriver) -> None:
    def broken(_moved: Sequence[TableUpdate]) -> None:
        raise ValueError("no listener")

    desk_driver.open(Brook="the-brook")
    desk_driver.desk.watchers.append(broken)
    desk_driver.desk.start()
    try:
        for number in range(2):
            future = desk_driver.desk.submit(s.Fill(table="Brook", amount=5_00), id=f"fill-{number}", actor="Dana")
            assert future.result(10).number == number + 2
    finally:
        desk_driver.desk.stop()


def test_a_cancelled_command_does_not_stop_the_desk(desk_driver: DeskDriver) -> None:
    desk_driver.open(Brook="the-brook")
    desk_driver.desk.start()
    try:
        for number in range(20):
            future = desk_driver.desk.submit(s.Fill(table="Brook", amount=5_00), id=f"gone-{number}", actor="Dana")
            future.cancel()
        assert _fill(desk_driver).result(10).stream == "table:Brook"
    finally:
        desk_driver.desk.stop()


def test_a_desk_that_fails_reports_the_error_and_continues(
    desk_driver: DeskDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk_driver.open(Brook="the-brook")

    def broken() -> None:
        raise ValueError("no time")

    desk_driver.desk.start()
    try:
        clock = desk_driver.desk.clock
        monkeypatch.setattr(desk_driver.desk, "clock", broken)
        with pytest.raises(ValueError, match="no time"):
            _fill(desk_driver).result(10)
        monkeypatch.setattr(desk_driver.desk, "clock", clock)
        assert not _fill(desk_driver).result(10).repeated
    finally:
        desk_driver.desk.stop()


def _fill(desk_driver: DeskDriver) -> "Future[Answer]":
    return desk_driver.desk.submit(s.Fill(table="Brook", amount=5_00), id="fill", actor="Dana")


def _carried_out(desk_driver: DeskDriver, *commands: tuple[s.Command, str]) -> list[str]:
    """What is answered to commands that come together."""
    batch = [PendingCommand(command, name, "Dana", "floor") for command, name in commands]
    desk_driver.desk.carry_out(batch)
    errors = [pending.future.exception(0) for pending in batch]
    return [
        "done" if error is None else error.reason if isinstance(error, Refused) else type(error).__name__
        for error in errors
    ]


@pytest.mark.parametrize("name", ["a\x00b", "a\ud800b"])
def test_an_id_that_a_database_cannot_search_for_is_refused_alone(desk_driver: DeskDriver, name: str) -> None:
    desk_driver.open(Brook="the-brook", Creek="the-brook")
    fill = s.Fill(table="Brook", amount=5_00)
    assert _carried_out(desk_driver, (fill, name), (s.Fill(table="Creek", amount=5_00), "good")) == [
        "BAD_COMMAND_ID",
        "done",
    ]


def test_a_text_that_a_database_cannot_store_is_refused_alone(desk_driver: DeskDriver) -> None:
    desk_driver.open(Brook="the-brook", Creek="the-brook")
    fill = s.Fill(table="Creek", amount=5_00)
    bad = s.BuyIn(table="Brook", player="A\x00n", amount=5_00)
    assert _carried_out(desk_driver, (bad, "bad"), (fill, "good")) == ["BAD_TEXT", "done"]
    opening = s.OpenTable(table="B\x00k", layout="the-brook")
    assert _carried_out(desk_driver, (opening, "open"), (fill, "more")) == ["BAD_TEXT", "done"]
    desk_driver.check()


def test_a_command_that_cannot_be_stored_fails_alone(desk_driver: DeskDriver) -> None:
    desk_driver.open(Brook="the-brook", Creek="the-brook")
    huge = s.CloseTable(table="Brook", tray=1, why="a slip of the hand")
    object.__setattr__(huge, "tray", 2**63)
    broken, *others = _carried_out(desk_driver, (huge, "huge"), (s.Fill(table="Creek", amount=5_00), "good"))
    assert broken in ("OverflowError", "StoreFailed")
    assert others == ["done"]
    with pytest.raises(ValidationError):
        s.CloseTable(table="Brook", tray=2**63, why="a slip of the hand")
    desk_driver.check()


def test_a_command_submitted_during_a_stop_is_answered(desk_driver: DeskDriver) -> None:
    desk_driver.open(Brook="the-brook")
    desk_driver.desk.start()
    handed_in: list[Future[Answer]] = []
    stopping = threading.Event()

    def hand_in() -> None:
        for number in range(10_000):
            fill = s.Fill(table="Brook", amount=1)
            handed_in.append(desk_driver.desk.submit(fill, id=f"late-{number}", actor="Dana"))
            if number == 3:
                stopping.set()
            if isinstance(handed_in[-1].done() and handed_in[-1].exception(), StoreFailed):
                return

    guest = threading.Thread(target=hand_in)
    guest.start()
    stopping.wait(10)
    desk_driver.desk.stop()
    guest.join(20)
    for future in handed_in:
        assert future.exception(0) is None or isinstance(future.exception(0), StoreFailed)
    with pytest.raises(StoreFailed):
        desk_driver.do(s.Fill(table="Brook", amount=1))  # nor does it write without its thread


def test_a_database_notice_of_another_program_is_ignored() -> None:
    assert read_notice('["p", ["T1"], ["J1"]]') == Notice("p", ["T1"], ["J1"])
    for payload in ("5", "null", "[1, 2]", "[1]", "x", "", '["p", ["T1"], 5]'):
        assert read_notice(payload) == Notice("", [], [])


def test_a_command_carried_out_counts_even_if_another_process_refused_one_with_its_id(
    desk_driver: DeskDriver,
) -> None:
    desk_driver.open(Brook="the-brook")
    fill = s.Fill(table="Brook", amount=5_00)
    first = desk_driver.do(fill, id="both")
    other = s.command_json(s.Deal(table="Creek"))
    row = {
        "id": "both",
        "stream": "table:Creek",
        "chain": "refusals",
        "at": "2026-03-02T18:00:00.000000Z",
        "actor": "Dana",
    }
    row |= {"role": "floor", "command": other, "code": "TABLE_UNKNOWN", "details": '{"table": "X"}'}
    with desk_driver.store.transaction() as unit:
        number, last = unit.lock_log("refusals")
        chained: dict[str, Any] = {**row, "number": number + 1, "format": formats.FORMAT, "key": unit.key_number}
        chained["hash"] = row_hash(last, chained)
        unit.connection.execute(sa.insert(schema.refusals), {**chained, "mac": unit.mac(chained["hash"])})
        unit.move_log("refusals", number + 1, chained["hash"])
    repeated = desk_driver.do(fill, id="both")
    assert (repeated.repeated, repeated) == (True, first)
    with desk_driver.store.view() as unit:
        assert check(unit, Keyring([KEY])).sound


def test_the_longest_name_and_key_together_are_a_valid_command_id(desk_driver: DeskDriver) -> None:
    desk_driver.open(Brook="the-brook")
    name = "A" * 80
    assert is_name(name)
    desk_driver.do(s.Fill(table="Brook", amount=5_00), id=f"{name}:{'k' * 64}", actor=name)
    for reserved in ("timer", "a//b"):
        assert desk_driver.refusal(s.Fill(table="Brook", amount=5_00), id=f"{reserved}:k").reason == "BAD_COMMAND_ID"
        assert not is_name(reserved)
