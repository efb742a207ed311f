"""Between two starts the program is reworded and its files are edited: no table stops, and every round keeps its rules.

The second start is a process of its own, in which every sentence of the program is another one.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from support.empty_books import NewAddress
from upgrades.small_house import KEY, LAYOUTS, House, fill_book, leave_in_play, open_house

from upcard.catalog import shipped
from upcard.catalog.index import Catalog
from upcard.catalog.ruleset import ruleset_of
from upcard.ledger.schema import Row
from upcard.service import schema
from upcard.service.trail import TrailFilter, read_trail

SECOND_START = Path(__file__).with_name("second_start.py")
EDITED = ("Brook", "Bigger", "Action")


def edited(folder: Path) -> Catalog:
    """The shipped files with another title, another pay and another minimum."""
    shutil.copytree(shipped().folder, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    edit(folder / "layouts/the-brook.toml", r'(?m)^title = ".*"', 'title = "The Brook, with a new sign"')
    edit(folder / "paytables/002-bet-bigger.toml", r"(?m)^3-cards = 1$", "3-cards = 2")
    edit(folder / "layouts/double-action.toml", r'(?m)^posted_minimum = ".*"', 'posted_minimum = "$15"')
    return Catalog(folder)


def edit(path: Path, pattern: str, new: str) -> None:
    text, count = re.subn(pattern, new, path.read_text(encoding="utf-8"))
    assert count, f"{pattern} is not in {path.name}"
    path.write_text(text, encoding="utf-8")


def start_again(**order: Any) -> dict[str, Any]:
    process = subprocess.run(
        [sys.executable, str(SECOND_START), json.dumps(order)], capture_output=True, text=True, check=False, timeout=120
    )
    assert process.returncode == 0, process.stderr
    result: dict[str, Any] = json.loads(process.stdout)
    return result


def rounds_of(house: House) -> list[Row]:
    with house.store.view() as unit:
        rounds = schema.rounds
        query = sa.select(rounds).order_by(rounds.c.table_name, rounds.c.round)
        return [dict(row) for row in unit.connection.execute(query).mappings()]


def least_stake(row: Row, wager: str) -> int:
    return min(int(slip["stake"]) for slip in json.loads(str(row["slips"])) if slip["wager"] == wager)


def test_a_reworded_program_and_edited_files_stop_no_table(new_address: NewAddress, tmp_path: Path) -> None:
    address = new_address()
    with open_house(address) as house:
        fill_book(house)
        leave_in_play(house)
        now, old_rounds = house.now, rounds_of(house)
        before = {table: house.live(table).rules.hash for table in EDITED}
        minimum = house.live("Action").table.layout.posted_minimum
    files = edited(tmp_path / "catalog")
    new = {table: ruleset_of(files, LAYOUTS[table]).hash for table in EDITED}
    assert all(new[table] != before[table] for table in EDITED)
    result = start_again(
        address=address,
        keys=[KEY.hex()],
        now=now.isoformat(),
        catalog=str(files.folder),
        reworded=True,
        to_the_next_shoe=EDITED,
    )
    assert result["changed"] > 500, "hardly a sentence was changed"
    assert (result["before"], result["after"]) == ([], [])
    assert {table: result["notices"][table] for table in EDITED} == dict.fromkeys(EDITED, "rules/next-shoe")
    assert {table: result["rules"][table] for table in EDITED} == new
    with open_house(address, now=now, catalog=files) as house:
        rounds = rounds_of(house)
        assert [row for row in rounds if row in old_rounds] == old_rounds
        action = [row for row in rounds if row["table_name"] == "Action"]
        assert {row["rules"] for row in action} == {before["Action"], new["Action"]}
        least = {row["rules"]: least_stake(row, "Blackjack") for row in action}
        assert house.live("Action").table.layout.posted_minimum == 1_500 > minimum
        assert (least[before["Action"]], least[new["Action"]]) == (minimum, 1_500)
        report = house.check()
        assert (report.findings, report.notes) == ((), ())
        trail = [
            row["command"]["do"] for row in read_trail(house.service.queries, TrailFilter(table="Action"), most=200)
        ]
        assert "change-rules" in trail
