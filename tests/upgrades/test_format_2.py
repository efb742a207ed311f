"""A later version of the program with a format 2: it opens, continues and checks the golden book of format 1.

That version is this one's source with a few edits, run in a process of its own: a field of an event, a command, a
request, a state and a snapshot renamed, a code renamed, a new event, and a new field of the rules' behaviour. Small
upcasters are all it adds for books of format 1.
"""

import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from support.cli_runner import upcard
from support.empty_books import NewAddress, write_key
from upgrades.book_as_text import read_text
from upgrades.test_reworded_program import SECOND_START
from upgrades.write_golden import GOLDEN

import upcard as program
from upcard.ledger import schema as book
from upcard.ledger.store import Store
from upcard.service import schema

EDITS = {
    "pit/events.py": [('another minimum."""\n\n    amount: Cents', 'another minimum."""\n\n    cents: Cents')],
    "service/stored_events.py": [
        ('_stored("minimum-posted", amount="int")', '_stored("minimum-posted", cents="int")'),
    ],
    "ledger/requests.py": [
        ('to_player: Name | Literal[""] = ""\n    why: ', 'to_player: Name | Literal[""] = ""\n    note: ')
    ],
    "ledger/jackpots/requests.py": [("returned: tuple[int, ...] = ()", "returned_spots: tuple[int, ...] = ()")],
    "ledger/jackpots/hands_and_wins.py": [("request.returned", "request.returned_spots")],
    "ledger/statement.py": [('request["returned"]', 'request["returned_spots"]')],
    "ledger/tables.py": [
        ("            returned=tuple(sorted(", "            returned_spots=tuple(sorted("),
        (
            "    if not request.why.strip():\n        raise BookRefused(BookRefusal.NEEDS_REASON)\n    original",
            "    original",
        ),
    ],
    "ledger/transfers.py": [('TAKEN = ("stake-taken"', 'TAKEN = ("stake-lost"')],
    "ledger/hours_and_daily_close.py": [
        ("closed: date | None", "last_closed: date | None"),
        ("state.closed", "state.last_closed"),
        ('{"closed": request.day}', '{"last_closed": request.day}'),
    ],
    "ledger/book.py": [("house.closed", "house.last_closed")],
    "service/live_table.py": [
        ('"flat": sorted(', '"flat_bettors": sorted('),
        ('frozenset(content["flat"])', 'frozenset(content["flat_bettors"])'),
    ],
    "service/table_draft.py": [
        (
            "        self.add_event(ROUND_OVER, round=live.round, void=void)\n",
            "        self.add_event(ROUND_OVER, round=live.round, void=void)\n"
            "        if self.moment.format >= 2:\n"
            '            self.add_event(table_event("round-counted", round="int"), round=live.round)\n',
        )
    ],
    "catalog/ruleset.py": [
        (
            "    records_between_snapshots: int",
            '    rounds_are_counted: Literal["no", "yes"]\n    records_between_snapshots: int',
        ),
        ("    records_between_snapshots=24", '    rounds_are_counted="yes",\n    records_between_snapshots=24'),
    ],
    "formats.py": [("FORMAT = 1 ", "FORMAT = 2 ")],
}
UPCASTERS = """

def _renamed(value: Any, old: str, new: str) -> Any:
    return {new if name == old else name: one for name, one in value.items()}


def _events(events: Any) -> Any:
    return [_renamed(one, "amount", "cents") if one["event"] == "minimum-posted" else one for one in events]


def _request(request: Any) -> Any:
    if request["order"] == "correct":
        return _renamed(request, "why", "note")
    return _renamed(request, "returned", "returned_spots") if request["order"] == "end-hand" else request


UPCASTERS |= {
    ("events", 1): _events,
    ("command", 1): lambda one: _renamed(one, "why", "note") if one["do"] == "correct" else one,
    ("request", 1): _request,
    ("transfer", 1): lambda one: {**one, "reason": one["reason"].replace("stake-taken", "stake-lost")},
    ("house", 1): lambda one: _renamed(one, "closed", "last_closed"),
    ("snapshot", 1): lambda one: _renamed(one, "flat", "flat_bettors"),
    ("rules", 1): lambda one: {**one, "behaviour": {**one["behaviour"], "rounds_are_counted": "no"}},
}
"""


@pytest.fixture(scope="session")
def later_version(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a program that writes format 2."""
    source, folder = Path(program.__file__).parent, tmp_path_factory.mktemp("format-2")
    shutil.copytree(source, folder / "upcard", ignore=shutil.ignore_patterns("web", "__pycache__", "*.nbi", "*.nbc"))
    for name, edits in EDITS.items():
        path = folder / "upcard" / name
        text = path.read_text(encoding="utf-8")
        for old, new in edits:
            assert old in text, f"{old!r} is no longer in {name}"
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
    formats = folder / "upcard/formats.py"
    formats.write_text(formats.read_text(encoding="utf-8") + UPCASTERS, encoding="utf-8")
    return folder


def formats_of(store: Store, table: sa.Table) -> Counter[int]:
    with store.view() as unit:
        return Counter(unit.connection.scalars(sa.select(table.c.format)))


def test_a_later_version_opens_continues_and_checks_a_book_of_format_1(
    later_version: Path, blank_address: NewAddress, tmp_path: Path
) -> None:
    address = blank_address()
    read_text(GOLDEN / "format-1.rows", address)
    golden: dict[str, Any] = json.loads((GOLDEN / "format-1.json").read_text(encoding="utf-8"))
    process = subprocess.run(
        [sys.executable, str(SECOND_START), json.dumps({**golden, "address": address, "to_the_next_shoe": ["Bigger"]})],
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
        env={"PYTHONPATH": str(later_version), "PATH": "/usr/bin:/bin"},
    )
    assert process.returncode == 0, process.stderr[-3000:]
    result = json.loads(process.stdout)
    assert (result["before"], result["after"]) == ([], [])
    assert result["notices"]["Bigger"] == "rules/next-shoe"  # under which rounds are counted
    store = Store.open(address)
    for table in (book.entries, schema.history, schema.refusals, book.rules):
        written = formats_of(store, table)
        assert written[1], f"nothing of format 1 is left in {table.name}"
        assert written[2], f"nothing of format 2 was written in {table.name}"
    with store.view() as unit:
        counted = [
            row for row in unit.rows(schema.history, "stream", "number") if '"round-counted"' in str(row["events"])
        ]
        assert {row["format"] for row in counted} == {2}
    store.close()
    key = str(write_key(tmp_path / "house.key", *(bytes.fromhex(key_text) for key_text in golden["keys"])))
    today = upcard("ledger", "check", address, "--key", key)
    assert (today.code, today.err) == (1, "")
    assert "this was written in format 2; this program knows 1: use a newer upcard" in today.out
