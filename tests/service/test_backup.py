"""A restore drill: a copy made while a service plays is a book again, and its tables go on with new shoes."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from service.recorded_house import open_house, play
from support.cli_runner import upcard
from support.postgres_server import USER, postgres
from support.postgres_server import _programs as programs

from upcard.ledger import book_file
from upcard.ledger.store import Store
from upcard.problems import BadRequest
from upcard.service import commands as s
from upcard.service.live_table import LiveTable
from upcard.service.refusals import Refused
from upcard.service.running import Service, serving

UPCARD = str(Path(sys.executable).with_name("upcard"))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[tuple[Path, Service]]:
    """A service with a table in the middle of a hand, T1, and one to play on at, T2."""
    book = tmp_path / "book.db"
    with serving(str(book)) as service:
        open_house(service, "T1", "T2")
        play(service, "T1", 1, into_a_hand=True)
        yield book, service


def test_a_backup_made_during_play_continues_with_a_new_shoe(
    house: tuple[Path, Service], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book, service = house
    monkeypatch.setattr(book_file, "PAGES", 4)  # many steps, with writes between them
    copy, elsewhere = tmp_path / "copy.db", tmp_path / "elsewhere.db"
    at_the_backup = service.desk.live("T1")
    desk_driver = threading.Thread(target=play, args=(service, "T2", 4))
    desk_driver.start()
    while not service.desk.live("T2").round:
        time.sleep(0.01)
    result = upcard("backup", str(book), str(copy), "--check", "--json")
    assert result.code == 0, result.err
    assert (result.json["sound"], result.json["key_included"]) == (True, False)
    desk_driver.join()
    play(service, "T1", 1)
    assert service.desk.live("T1").version > at_the_backup.version
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.db"]  # one file, and no log beside it
    assert copy.stat().st_mode & 0o077 == 0

    lonely = upcard("restore", str(copy), str(elsewhere))
    assert lonely.code == 0, lonely.err
    assert "The backup is sound." in lonely.out
    assert "The operator's key is missing" in lonely.out
    key = Path(f"{book}.key").read_text()
    key_file = Path(f"{elsewhere}.key")
    key_file.write_text(key)
    key_file.chmod(0o600)
    assert key.strip() not in lonely.out + lonely.err + result.out + result.err
    with serving(str(elsewhere)) as resumed:
        _is_renewed(resumed.desk.live("T1"), at_the_backup)
        play(resumed, "T1", 1)
    assert upcard("ledger", "check", str(elsewhere)).out.endswith("The book is sound.\n")


def test_without_the_right_key_the_table_is_stopped_and_says_so(house: tuple[Path, Service], tmp_path: Path) -> None:
    book, _ = house
    copy, elsewhere = tmp_path / "copy.db", tmp_path / "elsewhere.db"
    assert upcard("backup", str(book), str(copy)).code == 0
    assert upcard("restore", str(copy), str(elsewhere)).code == 0
    with (
        pytest.raises(BadRequest, match=r"has records, but its key file .* is missing; put it back"),
        serving(str(elsewhere)),
    ):
        pass
    assert not Path(f"{elsewhere}.key").exists()
    assert "is missing; put it back" in upcard("people", "set-up", str(elsewhere)).err
    assert "name its file with --key" in upcard("ledger", "rotate-key", str(elsewhere), "--by", "Dana").err
    replaced = upcard("ledger", "rotate-key", str(elsewhere), "--by", "Dana", "--lost")
    assert replaced.out.startswith("Key 2, ")
    with serving(str(elsewhere)) as resumed:
        with pytest.raises(Refused, match="T1 is stopped: the key of shoe 1 was encrypted with another operator's key"):
            resumed.desk.do(s.Deal(table="T1"), id="deal", actor="Dana")
        resumed.desk.do(s.Reset(table="T1", why="the key was lost"), id="reset", actor="Dana")
        play(resumed, "T1", 1)
    assert upcard("ledger", "check", str(elsewhere)).code == 1  # T2, whose shoe nobody opens, is still stopped


def test_a_restore_keeps_what_was_there_and_waits_for_the_service_to_stop(tmp_path: Path) -> None:
    book, copy = tmp_path / "book.db", tmp_path / "copy.db"
    with serving(str(book)) as service:
        open_house(service, "T1")
        assert upcard("backup", str(book), str(copy)).code == 0
        second = upcard("backup", str(book), str(copy))
        assert (second.code, second.err) == (2, f"upcard: {copy} already exists: use --force to overwrite it\n")
        assert upcard("backup", str(book), str(copy), "--force").code == 0
        assert "already exists: use --force to replace it" in upcard("restore", str(copy), str(book)).err
        busy = upcard("restore", str(copy), str(book), "--force")
        assert (busy.code, busy.err) == (2, f"upcard: {book} is in use: stop the service first\n")
        play(service, "T1", 1)  # it goes on as if nothing had been tried
        version = service.desk.live("T1").version
    result = upcard("restore", str(copy), str(book), "--force", "--json")
    assert result.code == 0, result.err
    assert result.json["before"] == f"{book}.before"
    assert (result.json["sound"], result.json["check"]["notes"]) == (True, [])
    for path, versions in ((book, 1), (Path(f"{book}.before"), version)):
        with sqlite3.connect(path) as connection:
            (stored_version,) = connection.execute("SELECT version FROM streams WHERE stream = 'table:T1'").fetchone()
        connection.close()
        assert stored_version == versions
    assert "move it away first" in upcard("restore", str(copy), str(book), "--force").err


def test_restoring_a_damaged_backup_changes_nothing(house: tuple[Path, Service], tmp_path: Path) -> None:
    book, _ = house
    copy, elsewhere = tmp_path / "copy.db", tmp_path / "elsewhere.db"
    assert upcard("backup", str(book), str(copy)).code == 0
    with sqlite3.connect(copy) as connection:
        connection.execute("UPDATE streams SET version = version - 1 WHERE stream = 'table:T1'")
    connection.close()
    result = upcard("restore", str(copy), str(elsewhere))
    assert result.code == 2
    assert f"{copy} is damaged, and {elsewhere} was not changed" in result.err
    assert not list(tmp_path.glob("elsewhere*"))
    store = Store.open(str(book))
    with store.engine.begin() as writing:
        writing.exec_driver_sql("UPDATE balances SET debits = debits + 1 WHERE account = 'tray:T1'")
    store.close()
    marked = upcard("backup", str(book), str(tmp_path / "second.db"), "--check")
    assert marked.code == 1
    assert "Wrong: balance of tray:T1" in marked.out


def test_a_wrong_backup_or_restore_command_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("not a database, but long enough to be looked at as one")
    book = tmp_path / "book.db"
    Store.create(str(book)).close()
    for words, sentence in (
        (
            ("backup", "postgresql://host/book", "x"),
            "with pg_dump and restore it with pg_restore: see docs/",
        ),
        (("restore", "x", "postgresql://host/book"), "pg_restore"),
        (("backup", str(tmp_path / "none.db"), "x"), "there is no book"),
        (("backup", str(tmp_path / "other.txt"), "x"), "cannot be opened as a book"),
        (("backup", str(book), str(book)), "are the same file"),
        (("backup", str(book), str(tmp_path)), "is a folder"),
        (("backup", str(book), str(tmp_path / "no" / "x.db")), "no such file"),
        (("restore", str(tmp_path / "none.db"), "x"), "there is no backup"),
        (("restore", str(tmp_path / "other.txt"), str(tmp_path / "new.db")), "cannot be opened as a book"),
    ):
        result = upcard(*words)
        assert result.code == 2
        assert sentence in result.err
        assert len(result.err.splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["book.db", "other.txt"]


def test_an_interrupted_backup_leaves_no_half_file(tmp_path: Path) -> None:
    book, copy = tmp_path / "book.db", tmp_path / "copy.db"
    Store.create(str(book)).close()
    with sqlite3.connect(book) as connection:
        connection.execute("CREATE TABLE ballast (bytes BLOB)")
        connection.executemany("INSERT INTO ballast VALUES (zeroblob(1000000))", [()] * 60)
    connection.close()
    running = subprocess.Popen([UPCARD, "backup", book, copy], stderr=subprocess.PIPE, text=True)
    part = Path(f"{copy}.part")
    until = time.monotonic() + 20
    while time.monotonic() < until and not (part.exists() and part.stat().st_size):
        time.sleep(0.001)
    os.kill(running.pid, signal.SIGINT)
    _, err = running.communicate(timeout=20)
    assert running.returncode == 130
    assert "Traceback" not in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["book.db"]


def test_pg_dump_and_pg_restore_work_as_the_operating_guide_says(tmp_path: Path) -> None:
    key = tmp_path / "house.key"
    with postgres() as folder:
        address, table_from_snapshot = (f"postgresql://{USER}@/{name}?host={folder}" for name in ("postgres", "house2"))
        with serving(address, key=key) as service:
            open_house(service, "T1")
            play(service, "T1", 1, into_a_hand=True)
            at_the_backup = service.desk.live("T1")
            dump = str(tmp_path / "house.dump")
            tool(folder, "pg_dump", "--format=custom", f"--file={dump}", address)
            play(service, "T1", 1)
        tool(folder, "createdb", f"--host={folder}", f"--username={USER}", "house2")
        tool(folder, "pg_restore", "--exit-on-error", "--single-transaction", f"--dbname={table_from_snapshot}", dump)
        result = upcard("ledger", "check", table_from_snapshot, "--key", str(key), "--json")
        assert (result.code, result.json["service"]["notes"]) == (0, [])
        with serving(table_from_snapshot, key=key) as resumed:
            _is_renewed(resumed.desk.live("T1"), at_the_backup)


def _is_renewed(live: LiveTable, before: LiveTable) -> None:
    """One record later the round is void; the shoe in play and the promised one are replaced."""
    assert before.table.round is not None
    assert (live.version, live.table.round, live.shoe) == (before.version + 1, None, before.shoe + 2)


def tool(folder: str, name: str, *words: str) -> None:
    """A program of the server that runs in this folder."""
    carried = sorted(Path(folder).rglob(f"bin/{name}"))
    program = carried[0] if carried else programs(Path(folder)) / name
    completed = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    assert completed.returncode == 0, completed.stderr


def test_a_restore_tells_of_live_shoes_and_takes_no_file_with_a_log_beside_it(tmp_path: Path) -> None:
    book, copy, table_from_snapshot = (tmp_path / name for name in ("book.db", "copy.db", "again.db"))
    with serving(str(book)) as service:
        open_house(service, "T1", "T2")
        assert upcard("backup", str(book), str(copy)).code == 0
        live = upcard("restore", str(book), str(table_from_snapshot))
        assert (live.code, "make one with upcard backup" in live.err) == (2, True)
    assert not table_from_snapshot.exists()
    result = upcard("restore", str(copy), str(table_from_snapshot), "--key", f"{book}.key")
    assert result.code == 0, result.err
    assert "cards of 2 shoes" in result.out
    assert "take new shoes and end every session when it starts" in result.out
