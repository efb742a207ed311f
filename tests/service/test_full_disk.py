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
from service.playing import Playing
from sqlalchemy import event

from upcard.ledger.store import Store
from upcard.problems import BadRequest
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.refusals import StoreFailed


@pytest.fixture
def path(empty_file: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(empty_file, tmp_path / "book.db"))


def test_a_full_disk_acknowledges_nothing_and_is_survived(path: Path) -> None:
    playing = Playing(str(path))
    playing.open(Brook="the-brook")
    with closing(sqlite3.connect(path)) as connection:
        space = {"pages": connection.execute("PRAGMA page_count").fetchone()[0] + 4}
    event.listen(playing.store.engine, "checkout", lambda one, *_: _limit(one, space["pages"]))
    done, wrong = _until_it_fails(playing)
    assert str(wrong).startswith("the book could not be written (database or disk is full)")
    assert "\n" not in str(wrong)
    assert _known(playing) == {f"fill-{number}" for number in range(done)}
    assert playing.do(s.Fill(table="Brook", amount=5_00), id="fill-0").repeated, "what was kept is still answered"
    space["pages"] = 100_000
    assert playing.do(s.Fill(table="Brook", amount=5_00), id=f"fill-{done}").number == done + 2
    assert playing.desk.live("Brook").version == done + 2
    playing.check()


def _limit(connection: Any, pages: int) -> None:
    connection.execute(f"PRAGMA max_page_count={pages}")


def _until_it_fails(playing: Playing) -> tuple[int, StoreFailed]:
    for number in range(2000):
        try:
            playing.do(s.Fill(table="Brook", amount=5_00), id=f"fill-{number}")
        except StoreFailed as wrong:
            return number, wrong
    raise AssertionError("the disk is never full")


def _known(playing: Playing) -> set[str]:
    with playing.store.view() as unit:
        ids = unit.connection.scalars(sa.select(schema.history.c.id).where(schema.history.c.id.like("fill-%")))
        return set(ids)


def test_a_read_only_file_is_told_in_one_sentence(path: Path) -> None:
    playing = Playing(str(path))
    playing.open(Brook="the-brook")
    playing.store.engine.dispose()
    with _read_only(path):
        with pytest.raises(StoreFailed, match=r"^the book could not be written \(.*read.?only.*same id$"):
            playing.do(s.Fill(table="Brook", amount=5_00), id="fill-0")
        with pytest.raises(BadRequest, match=r"^[^\n]*cannot be opened as a book: [^\n]*$"):
            Store.open(str(path))
        with pytest.raises(BadRequest, match=r"^[^\n]*cannot be made into a book: [^\n]*$"):
            Store.create(str(path))
    assert _known(playing) == set()
    assert not playing.do(s.Fill(table="Brook", amount=5_00), id="fill-0").repeated
    playing.check()


@contextmanager
def _read_only(path: Path) -> Iterator[None]:
    """For us too, if we are the master of the machine: under another name until it is over."""
    folder = path.parent
    root = os.geteuid() == 0
    opened = [one for one in folder.parents if root and not one.stat().st_mode & 0o001]
    modes = {one: one.stat().st_mode for one in (path, folder, *opened)}
    for one in opened:
        one.chmod(modes[one] | 0o055)
    path.chmod(0o444)
    folder.chmod(0o555)
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        for one, mode in modes.items():
            one.chmod(mode)
