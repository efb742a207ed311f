"""Real processes, killed at any moment: what they acknowledged is there, and the next one goes on mid-hand."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import sqlalchemy as sa
from service.auditor import Auditor
from service.killable_server import submission_of
from service.random_commands import LAYOUTS, opening
from support.cli_runner import upcard
from support.empty_books import NewAddress

from upcard.ledger.keyring import new_key_file
from upcard.ledger.store import Store
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.running import bootstrap

KILLS = 200 if os.environ.get("UPCARD_SOAK") else 8
TABLES = {name: LAYOUTS[name] for name in ("Pitch", "Brook", "Double")}
TESTS = Path(__file__).parents[1]


def test_a_killed_process_loses_nothing_it_acknowledged(new_address: NewAddress, tmp_path: Path) -> None:
    address, key = new_address(), tmp_path / "operator.key"
    keyring, chance = new_key_file(key), random.Random(address.partition(":")[0])
    store = Store.open(address, keyring)
    desk = bootstrap(store).desk
    for submission in opening(TABLES, s.Pace(betting=1, decision=1, insurance=1, late=1, away=2, sitting_out=3)):
        desk.do(submission.command, id=submission.id, actor=submission.actor)
    auditor, acknowledged, running = Auditor(keyring), 0, 0
    again: list[dict[str, Any]] = []
    order = {"address": address, "key": str(key), "tables": list(TABLES)}
    with _killable_servers() as servers:
        for kill in range(KILLS):
            log = tmp_path / f"{kill}.said"
            servers.kill_one({**order, "seed": f"k{kill}", "again": again, "said": str(log)}, log, chance)
            sent, answers = _read_log(log)
            assert upcard("ledger", "check", address).code == 0
            with store.view() as unit:
                auditor.follow(unit.connection)
                rows = rows_of(unit.connection, list(sent))
            for name, answer in answers.items():
                assert rows.get(name) == answer, f"{name} was acknowledged in life {kill}, and is not there"
            acknowledged += len(answers)
            again = [submission for name, submission in sent.items() if name not in answers]
            running += any(live is not None and live.table.round is not None for live in auditor.lives.values())
    assert acknowledged > 10 * KILLS, "hardly anything was asked"
    assert running > KILLS // 3, "hardly any hand was interrupted"
    store.close()


class _KillableServers:
    def __init__(self, process: "subprocess.Popen[str]", asks: IO[str], tells: IO[str]) -> None:
        self.process, self.asks, self.tells = process, asks, tells

    def kill_one(self, order: dict[str, Any], log: Path, chance: random.Random) -> None:
        """A process serves for a while after its first answers, and is killed."""
        self.asks.write(json.dumps(order) + "\n")
        self.asks.flush()
        child = int(self.tells.readline())
        until, enough = time.monotonic() + 30, chance.randint(1_000, 16_000)
        while not log.exists() or log.stat().st_size < enough:
            assert time.monotonic() < until, "nothing was answered within half a minute"
            time.sleep(0.005)
        time.sleep(chance.random() * 0.05)
        os.kill(child, signal.SIGKILL)
        assert int(self.tells.readline()) == signal.SIGKILL, "it ended by itself"


@contextmanager
def _killable_servers() -> Iterator[_KillableServers]:
    search = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    process = subprocess.Popen(
        [sys.executable, "-m", "service.killable_server"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": search},
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield _KillableServers(process, process.stdin, process.stdout)
        process.stdin.close()


def _read_log(log: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """What was handed in, and what was answered; a line cut in two was never said."""
    sent, answers = {}, {}
    for line in log.read_text(encoding="utf-8").splitlines(keepends=True):
        if not line.endswith("\n"):
            break
        entry = json.loads(line)
        if "sent" in entry:
            sent[entry["sent"]["id"]] = entry["sent"]
        else:
            assert entry["answer"][0] != "failed", entry
            timer = isinstance(submission_of(sent[entry["id"]]).command, s.Timeout)
            if not (timer and entry["answer"][0] == "refused"):  # a timer's refusal is not kept
                answers[entry["id"]] = entry["answer"]
    return sent, answers


def rows_of(connection: sa.Connection, ids: list[str]) -> dict[str, Any]:
    history, refused = schema.history, schema.refusals
    rows: dict[str, Any] = {}
    for row in connection.execute(sa.select(history).where(history.c.id.in_(ids))):
        rows[row.id] = ["done", row.stream, row.number, json.loads(row.events), json.loads(row.answer)]
    for row in connection.execute(sa.select(refused).where(refused.c.id.in_(ids))):
        rows[row.id] = ["refused", row.code, json.loads(row.details)]
    return rows
