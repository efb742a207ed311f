"""Two processes serve fifty tables on one PostgreSQL, and both are asked for everything: it is done once."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

from service.auditor import Auditor
from service.crowd import Wish, opening
from service.nursery import told_wish
from service.test_killed import TESTS, rows_of
from stores import emptied

from upcard.ledger.check import check
from upcard.ledger.store import Store
from upcard.service import commands as s
from upcard.service.running import put_together
from upcard.service.shoes import key_file

TABLES = {f"T{number}": "the-brook" for number in range(1, 51)}
ROUNDS = 20 if os.environ.get("UPCARD_SOAK") else 2


def test_two_processes_play_the_same_fifty_tables(server: str, tmp_path: Path) -> None:
    address, key = emptied(server), tmp_path / "operator.key"
    seal, store = key_file(key), Store.open(address)
    desk = put_together(store, seal).desk
    for wish in opening(TABLES, s.Pace()):
        desk.do(wish.command, id=wish.id, actor=wish.actor)
    script, wishes = tmp_path / "script", _script()
    script.write_text("".join(json.dumps(told_wish(one)) + "\n" for one in wishes))
    first, second = _played(address, key, script, tmp_path)
    assert first == second, "one id was answered in two ways"
    auditor = Auditor(seal)
    with store.view() as unit:
        report = check(unit)
        assert report.sound, report.findings
        auditor.follow(unit.connection)  # no gaps, one order, each id once, and the rules say the same
        rows = rows_of(unit.connection, [one.id for one in wishes])
    assert rows == first
    assert {table for table, _ in auditor.over} == {f"table:{name}" for name in TABLES}, "some table did not play"
    for name in TABLES:
        assert desk.live(name) == auditor.lives[f"table:{name}"]
    store.close()


def _script() -> list[Wish]:
    """Guests who go from table to table, so that accounts are shared; what comes too early or too late is refused."""
    chance = random.Random(50)
    wishes: list[Wish] = []

    def say(command: s.TableCommand, actor: str) -> None:
        wishes.append(Wish(command, f"w{len(wishes)}", actor, "floor"))

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
    return wishes


def _played(address: str, key: Path, script: Path, folder: Path) -> tuple[object, object]:
    search = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    outs = [folder / f"{number}.answers" for number in (1, 2)]
    words = [sys.executable, "-m", "service.together", address, str(key), str(script)]
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
    one, other = (json.loads(out.read_text()) for out in outs)
    return one, other
