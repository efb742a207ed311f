"""A disk that is full, or that nobody may write to, is told in one sentence, and the desk goes on once it can."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from service.desk_driver import DeskDriver
from sqlalchemy import event

from upcard.ledger.store import Store
from upcard.problems import BadRequest
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.refusals import StoreFailed


@pytest.fixture
def path(empty_file: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(empty_file, tmp_path / "book.db"))


def test_on_a_full_disk_nothing_is_acknowledged_and_play_resumes_later(path: Path) -> None:
    desk_driver = DeskDriver(str(path))
    desk_driver.open(Brook="the-brook")
    with closing(sqlite3.connect(path)) as connection:
        space = {"pages": connection.execute("PRAGMA page_count").fetchone()[0] + 4}
    event.listen(desk_driver.store.engine, "checkout", lambda connection, *_: _limit(connection, space["pages"]))
    carried_out, error = _until_it_fails(desk_driver)
    assert str(error).startswith("the book could not be written (database or disk is full)")
    assert "\n" not in str(error)
    assert _known(desk_driver) == {f"fill-{number}" for number in range(carried_out)}
    assert desk_driver.do(s.Fill(table="Brook", amount=5_00), id="fill-0").repeated, "what was kept is still answered"
    space["pages"] = 100_000
    assert desk_driver.do(s.Fill(table="Brook", amount=5_00), id=f"fill-{carried_out}").number == carried_out + 2
    assert desk_driver.desk.live("Brook").version == carried_out + 2
    desk_driver.check()


def _limit(connection: Any, pages: int) -> None:
    connection.execute(f"PRAGMA max_page_count={pages}")


def _until_it_fails(desk_driver: DeskDriver) -> tuple[int, StoreFailed]:
    for number in range(2000):
        try:
            desk_driver.do(s.Fill(table="Brook", amount=5_00), id=f"fill-{number}")
        except StoreFailed as error:
            return number, error
    raise AssertionError("the disk is never full")


def _known(desk_driver: DeskDriver) -> set[str]:
    with desk_driver.store.view() as unit:
        ids = unit.connection.scalars(sa.select(schema.history.c.id).where(schema.history.c.id.like("fill-%")))
        return set(ids)


def test_writing_to_a_read_only_book_is_refused_with_one_sentence(path: Path) -> None:
    desk_driver = DeskDriver(str(path))
    desk_driver.open(Brook="the-brook")
    desk_driver.store.engine.dispose()
    with read_only(path):
        with pytest.raises(StoreFailed, match=r"^the book could not be written \(.*read.?only.*same id$"):
            desk_driver.do(s.Fill(table="Brook", amount=5_00), id="fill-0")
        with pytest.raises(BadRequest, match=r"^[^\n]*cannot be made into a book: [^\n]*$"):
            Store.create(str(path))
    assert _known(desk_driver) == set()
    assert not desk_driver.do(s.Fill(table="Brook", amount=5_00), id="fill-0").repeated
    desk_driver.check()


@contextmanager
def read_only(path: Path) -> Iterator[None]:
    """For us too, if we are the master of the machine: under another name until it is over."""
    folder = path.parent
    root = os.geteuid() == 0
    opened = [parent for parent in folder.parents if root and not parent.stat().st_mode & 0o001]
    modes = {file: file.stat().st_mode for file in (path, folder, *opened)}
    for parent in opened:
        parent.chmod(modes[parent] | 0o055)
    path.chmod(0o444)
    folder.chmod(0o555)
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        for parent, mode in modes.items():
            parent.chmod(mode)
