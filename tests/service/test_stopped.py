"""A record that does not say what the rules say stops its table, and no other; the floor brings it back."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import sqlalchemy as sa
from service.desk_driver import KEY, DeskDriver

from upcard.ledger.store import is_server
from upcard.problems import BadRequest
from upcard.service import commands as s
from upcard.service.pending import PendingCommand
from upcard.service.refusals import ServiceRefused
from upcard.service.timers import fire_due

BET = {"Ante": 10_00}


@contextmanager
def _master(desk_driver: DeskDriver) -> Iterator[sa.Connection]:
    """A person with full access to the database, who can disable its triggers."""
    with desk_driver.store.engine.begin() as connection:
        if is_server(desk_driver.address):
            connection.execute(sa.text("SET session_replication_role = replica"))
        else:
            connection.execute(sa.text("DROP TRIGGER history_no_update"))
        yield connection


def _spoiled(desk_driver: DeskDriver, change: str) -> DeskDriver:
    """A table with a bet on it, of which a record is changed; and what the next process sees."""
    desk_driver.open(Brook="the-brook", Creek="the-brook")
    for table in ("Brook", "Creek"):
        desk_driver.sit(table, "Ann", 1)
        desk_driver.do(s.Bet(table=table, spot=1, stakes=BET))
    with _master(desk_driver) as connection:
        connection.execute(sa.text(change))
    return _next(desk_driver)


def _next(desk_driver: DeskDriver, key: bytes = KEY) -> DeskDriver:
    desk_driver.store.close()
    driver = DeskDriver(desk_driver.address, now=desk_driver.now, key=key)
    driver.count = desk_driver.count
    return driver


def test_a_changed_record_stops_its_table_alone(desk_driver: DeskDriver) -> None:
    change = "UPDATE history SET actor = 'Mallory' WHERE stream = 'table:Brook' AND number = 4"
    now = _spoiled(desk_driver, change)
    refused = now.refusal(s.Deal(table="Brook"))
    assert refused.reason == "TABLE_STOPPED"
    assert str(refused) == "Brook is stopped: record 4 was changed: its hash does not match"
    now.do(s.Deal(table="Creek"))
    now.store.close()


def test_a_missing_record_stops_its_table(desk_driver: DeskDriver) -> None:
    now = _spoiled(desk_driver, "UPDATE history SET number = 99 WHERE stream = 'table:Brook' AND number = 4")
    assert now.refusal(s.Deal(table="Brook")).reason == "TABLE_STOPPED"
    now.do(s.Deal(table="Creek"))
    now.store.close()


def test_a_lost_shoe_stops_its_table(desk_driver: DeskDriver) -> None:
    now = _spoiled(desk_driver, "DELETE FROM shoes WHERE table_name = 'Brook'")
    assert str(now.refusal(s.Deal(table="Brook"))) == "Brook is stopped: the key of shoe 1 is missing"
    assert now.queries.shoes("Brook") == []
    now.store.close()


def test_a_stopped_table_is_reset_with_its_stakes_returned(desk_driver: DeskDriver) -> None:
    now = _spoiled(desk_driver, "UPDATE history SET actor = 'Mallory' WHERE stream = 'table:Brook' AND number = 4")
    assert now.queries.bankroll("Ann") == 2 * 500_00 - 2 * 10_00
    assert now.refusal(s.Reset(table="Creek", why="a whim")).reason == "NOT_STOPPED"
    now.do(s.Reset(table="Brook", why="its records were changed"))
    assert now.queries.bankroll("Ann") == 2 * 500_00 - 10_00
    later = _next(now)  # and it stays well, for every process
    later.sit("Brook", "Bob", 2)
    later.do(s.Bet(table="Brook", spot=2, stakes=BET))
    later.do(s.Void(table="Brook", why="enough"))
    later.check()
    later.store.close()


def test_a_process_that_knew_the_table_before_follows_the_reset(desk_driver: DeskDriver) -> None:
    desk_driver.open(Brook="the-brook")
    old = DeskDriver(desk_driver.address)
    assert old.desk.live("Brook").version == 1
    desk_driver.sit("Brook", "Ann", 1)
    desk_driver.do(s.Bet(table="Brook", spot=1, stakes=BET))
    with _master(desk_driver) as connection:
        connection.execute(sa.text("UPDATE history SET actor = 'Mallory' WHERE stream = 'table:Brook' AND number = 4"))
    new = _next(desk_driver)
    new.do(s.Reset(table="Brook", why="its records were changed"), id="reset")
    new.do(s.Seat(table="Brook", player="Bob", spot=1), id="seat")
    assert old.desk.live("Brook") == new.desk.live("Brook")
    old.do(s.BuyIn(table="Brook", player="Bob", amount=5_00), id="buy-in")
    for service in (old, new):
        service.store.close()


def test_a_reset_that_could_not_be_kept_leaves_the_table_stopped(desk_driver: DeskDriver) -> None:
    now = _spoiled(desk_driver, "UPDATE history SET actor = 'Mallory' WHERE stream = 'table:Brook' AND number = 4")
    assert now.refusal(s.Deal(table="Brook")).reason == "TABLE_STOPPED"
    assert now.refusal(s.Reset(table="Brook", why=" ")).reason == "NEEDS_REASON"
    assert now.refusal(s.Deal(table="Brook")).reason == "TABLE_STOPPED"
    now.store.close()


def test_the_key_of_another_operator_is_refused_with_a_sentence(desk_driver: DeskDriver) -> None:
    desk_driver.open(Brook="the-brook")
    desk_driver.sit("Brook", "Ann", 1)
    desk_driver.do(s.Bet(table="Brook", spot=1, stakes=BET))
    other = _next(desk_driver, key=bytes(32))
    with pytest.raises(BadRequest, match=r"this book is sealed with the operator's key .* not in this key file"):
        other.do(s.Deal(table="Brook"))
    sentence = "Brook is stopped: the key of shoe 1 was encrypted with another operator's key"
    with pytest.raises(ServiceRefused, match=sentence):
        other.desk.live("Brook")
    right = _next(other)
    right.do(s.Deal(table="Brook"))
    right.check()
    right.store.close()


def test_timers_skip_a_stopped_table(desk_driver: DeskDriver) -> None:
    now = _spoiled(desk_driver, "UPDATE history SET actor = 'Mallory' WHERE stream = 'table:Brook' AND number = 4")
    now.later(minutes=1)
    fired = fire_due(now.desk, now.queries)
    assert [answer.stream for answer in fired] == ["table:Creek"]
    now.store.close()


def test_a_head_of_the_book_that_cannot_be_read_stops_its_table_alone(desk_driver: DeskDriver) -> None:
    now = _spoiled(desk_driver, "UPDATE chains SET state = '{}' WHERE chain = 'table:Brook'")
    batch = [PendingCommand(s.Deal(table=table), f"deal {table}", "Dana", "floor") for table in ("Brook", "Creek")]
    now.desk.carry_out(batch)
    assert isinstance(batch[0].future.exception(0), ValueError)
    assert batch[1].future.result(0).stream == "table:Creek"
    now.later(minutes=1)
    assert [answer.stream for answer in fire_due(now.desk, now.queries)] == ["table:Creek"]
    now.store.close()


def test_a_table_with_a_snapshot_within_a_lost_shoe_is_stopped(desk_driver: DeskDriver) -> None:
    desk_driver.open(Brook="the-brook")
    desk_driver.sit("Brook", "Ann", 1)
    desk_driver.do(s.Bet(table="Brook", spot=1, stakes=BET))
    desk_driver.do(s.Void(table="Brook", why="a drill"))
    for _ in range(30):  # between two rounds, and often enough to be written down
        desk_driver.do(s.Fill(table="Brook", amount=1_00))
    with desk_driver.store.engine.begin() as connection:
        assert "dealt" in connection.scalar(sa.text("SELECT snapshot FROM streams WHERE stream = 'table:Brook'"))
        connection.execute(sa.text("DELETE FROM shoes"))
    now = _next(desk_driver)
    refused = now.refusal(s.Bet(table="Brook", spot=1, stakes=BET))
    assert str(refused) == "Brook is stopped: the key of shoe 1 is missing"
    now.store.close()
