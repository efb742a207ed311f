"""Two processes serve fifty tables on one PostgreSQL, and both are asked for everything: it is done once."""

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa
from service.auditor import Auditor
from service.conftest import NewDriver
from service.killable_server import submission_json
from service.random_commands import Submission, opening
from service.test_killed_server_loses_nothing import TESTS, rows_of
from sqlalchemy.exc import DBAPIError
from support.empty_books import emptied

from upcard.catalog import shipped
from upcard.ledger.batch_unit import BatchUnit
from upcard.ledger.check import check
from upcard.ledger.keyring import new_key_file
from upcard.ledger.schema import Row
from upcard.ledger.store import Store
from upcard.service import commands as s
from upcard.service.desk import Desk
from upcard.service.pending import PendingCommand
from upcard.service.refusals import Refused
from upcard.service.running import bootstrap

TABLES = {f"T{number}": "the-brook" for number in range(1, 51)}
ROUNDS = 20 if os.environ.get("UPCARD_SOAK") else 2


def test_two_processes_play_the_same_fifty_tables(server: str, tmp_path: Path) -> None:
    address, key = emptied(server), tmp_path / "operator.key"
    keyring = new_key_file(key)
    store = Store.open(address, keyring)
    desk = bootstrap(store).desk
    for submission in opening(TABLES, s.Pace()):
        desk.do(submission.command, id=submission.id, actor=submission.actor)
    script, submissions = tmp_path / "script", _script()
    script.write_text("".join(json.dumps(submission_json(submission)) + "\n" for submission in submissions))
    first, second = _played(address, key, script, tmp_path)
    assert first == second, "one id was answered in two ways"
    auditor = Auditor(keyring)
    with store.view() as unit:
        report = check(unit)
        assert report.sound, report.findings
        auditor.follow(unit.connection)  # no gaps, one order, each id once, and the rules say the same
        rows = rows_of(unit.connection, [submission.id for submission in submissions])
    assert rows == first
    assert {table for table, _ in auditor.over} == {f"table:{name}" for name in TABLES}, "some table did not play"
    for name in TABLES:
        assert desk.live(name) == auditor.lives[f"table:{name}"]
    store.close()


def _script() -> list[Submission]:
    """Guests who go from table to table, so that accounts are shared; what comes too early or too late is refused."""
    chance = random.Random(50)
    submissions: list[Submission] = []

    def say(command: s.TableCommand, actor: str) -> None:
        submissions.append(Submission(command, f"w{len(submissions)}", actor, "floor"))

    for number, table in enumerate(TABLES):
        for spot in (1, 2, 3):
            guest = f"G{(number + spot) % 40}"
            say(s.BuyIn(table=table, player=guest, amount=5000_00), "Dana")
            say(s.Seat(table=table, player=guest, spot=spot), guest)
    for _ in range(ROUNDS):
        for spot in (1, 2, 3):
            for table in TABLES:
                say(s.Bet(table=table, spot=spot, stakes={"Ante": 10_00}), "Dana")
        for _ in range(2):
            for table in TABLES:
                say(s.Deal(table=table), "Dana")
        for spot in (1, 2, 3, 1, 2, 3, 1, 2, 3):
            for table in TABLES:
                say(chance.choice((s.Stay, s.Stay, s.Hit))(table=table, spot=spot), "Dana")
        for table in TABLES:
            say(s.Void(table=table, why="time is up"), "Dana")
    return submissions


def _played(address: str, key: Path, script: Path, folder: Path) -> tuple[object, object]:
    search = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    outs = [folder / f"{number}.answers" for number in (1, 2)]
    words = [sys.executable, "-m", "service.shared_process", address, str(key), str(script)]
    processes = [
        subprocess.Popen(
            [*words, str(out), out.stem],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": search},
        )
        for out in outs
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.communicate("go\n", timeout=120)
        assert process.returncode == 0
    first, other = (json.loads(out.read_text()) for out in outs)
    return first, other


@pytest.mark.parametrize("new_address", ["postgresql"], indirect=True)
def test_two_processes_never_deadlock(new_driver_any_database: NewDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """They come to the same jackpots and players in opposite orders: each waits for the other, never both."""
    waited: list[object] = []

    def is_write_conflict(error: DBAPIError) -> bool:
        waited.append(error.orig)
        return True

    def make_slowly(unit: BatchUnit, table: sa.Table, row: Row) -> bool:
        made = make(unit, table, row)
        time.sleep(0.02)  # time for the other process to make its row
        return made

    make = BatchUnit._make
    monkeypatch.setattr(BatchUnit, "_make", make_slowly)
    monkeypatch.setattr("upcard.service.desk.is_write_conflict", is_write_conflict)
    driver = new_driver_any_database()
    linked = {"P1": "a", "P2": "b", "Q1": "b", "Q2": "a"}
    for table, side in linked.items():
        jackpots = {"Lucky Ladies Jackpot": f"L{side}", "21+3 Jackpot": f"T{side}"}
        driver.do(s.OpenTable(table=table, layout="lucky-ladies-progressive", tray=100_000_00, jackpots=jackpots))
        driver.do(s.BuyIn(table=table, player=f"of {table}", amount=1000_00))
        driver.do(s.Seat(table=table, player=f"of {table}", spot=1))
    main = shipped().layout("lucky-ladies-progressive").wager[0].name
    together = threading.Barrier(2)

    def play(desk: Desk, tables: Sequence[str], strangers: Sequence[str]) -> None:
        for number in range(8):
            together.wait(30)
            batches: list[list[s.Command]] = [
                [s.Bet(table=table, spot=1, stakes={main: 10_00}) for table in tables],
                [s.Deal(table=table) for table in tables],
                [s.BuyIn(table=tables[0], player=f"{name} {number}", amount=1_00) for name in strangers],  # new players
            ]
            if number % 2:
                batches[1] += batches.pop()
            batches.append([s.Void(table=table, why="a drill") for table in tables])
            for place, commands in enumerate(batches):
                name = f"{tables[0]} {number} {place}"
                batch = [PendingCommand(command, f"{name} {i}", "Dana", "floor") for i, command in enumerate(commands)]
                desk.carry_out(batch)
                assert all(isinstance(pending.future.exception(0), Refused | None) for pending in batch)

    ours, theirs = driver.service.desk, driver.another_service().desk
    with ThreadPoolExecutor(2) as both:
        first = both.submit(play, ours, ("P1", "P2"), ("Xavier", "Yvonne"))
        second = both.submit(play, theirs, ("Q1", "Q2"), ("Yvonne", "Xavier"))
        first.result(60)
        second.result(60)
    assert waited == []
