"""A book's file: served by one process, checked on read-only media, and copied before its schema changes."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from service.desk_driver import DeskDriver
from service.recorded_house import open_house, play
from service.test_full_disk import read_only
from support.cli_runner import upcard
from support.empty_books import NewAddress, write_key

from upcard.ledger import migrations, schema
from upcard.ledger.store import Store
from upcard.problems import BadRequest
from upcard.service.running import serving

HOLD = """
import sys, time
from pathlib import Path
from upcard.ledger.book_file import served_alone
with served_alone(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_process_on_a_book_file_is_refused_until_the_first_ends(tmp_path: Path) -> None:
    book = tmp_path / "house.db"
    with subprocess.Popen([sys.executable, "-c", HOLD, book], stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        refused = f"another process serves {book}: stop it first"
        with pytest.raises(BadRequest, match=refused), serving(str(book)):
            pass
        assert not book.exists()
        for command in (("serve", "--port", "0", "--book", str(book)), ("bots", str(book), "--rounds", "1")):
            result = upcard(*command)
            assert (result.code, refused in result.err, len(result.err.splitlines())) == (2, True, 1)
        os.kill(first.pid, signal.SIGKILL)  # the lock ends with it
    with serving(str(book)) as service:
        open_house(service, "T1")


def test_a_book_on_read_only_media_can_be_checked_and_copied(empty_file: Path, tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "disc", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir(mode=0o777)
    elsewhere.chmod(0o777)
    path = Path(shutil.copy(empty_file, folder / "book.db"))
    driver = DeskDriver(str(path))
    driver.open(Brook="the-brook")
    driver.store.close()
    with read_only(path):
        check = upcard("ledger", "check", str(path))
        assert (check.code, check.out.endswith("The book is sound.\n")) == (0, True), check
        doctor = upcard("doctor", str(path), "--json")
        assert {line["what"]: line["sentence"] for line in doctor.json["said"]}["durability"] == (
            "the book is read-only here: it can be checked, not served"
        )
        assert not any(line["mark"] == "BAD" for line in doctor.json["said"]), doctor.out
        assert upcard("backup", str(path), str(elsewhere / "copy.db"), "--check").code == 0
    assert sorted(file.name for file in folder.iterdir()) == ["book.db"]


def test_a_read_only_book_with_a_log_beside_it_is_not_read_without_the_log(empty_file: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(empty_file, tmp_path / "book.db"))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE other (id)")
        connection.commit()
        with read_only(path):
            check = upcard("ledger", "check", str(path))
    assert (check.code, "copy both to a folder that can be written" in check.err) == (2, True), check


def test_a_book_is_copied_before_its_schema_changes(
    blank_address: NewAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, key = blank_address(), write_key(tmp_path / "house.key")
    with serving(address, key=key) as service:
        open_house(service, "T1")
        play(service, "T1", 1)
    before = schema.HEAD
    later = _later_version(monkeypatch)
    if address.startswith("postgresql"):
        with pytest.raises(BadRequest, match=r"back it up with pg_dump, then run upcard ledger migrate"):
            _start(address, key)
        assert _revision(address) == before
        assert upcard("ledger", "migrate", address).code == 0
        assert _revision(address) == later
        return
    with serving(address, key=key):
        assert _revision(address) == later
    copy = Path(f"{address}.{before}-before-{later}")
    assert _revision(str(copy)) == before
    assert copy.stat().st_mode & 0o077 == 0
    monkeypatch.undo()
    assert upcard("ledger", "check", str(copy), "--key", str(key)).code == 0


def _start(address: str, key: Path) -> None:
    with serving(address, key=key):
        pass


def _revision(address: str) -> str | None:
    store = Store(address)
    try:
        return store.revision()
    finally:
        store.close()


def _later_version(monkeypatch: pytest.MonkeyPatch) -> str:
    """A version of the program with one more migration."""
    later = "9999"

    def upgrade(engine: sa.Engine) -> None:
        with engine.begin() as connection:
            connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))

    monkeypatch.setattr(migrations, "upgrade", upgrade)
    monkeypatch.setattr(schema, "HEAD", later)
    return later
