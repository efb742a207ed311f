"""A later version of the program with a format of its own: it opens, continues and checks every golden book.

That version is this one's source with a few edits, run in a process of its own: a field of an event, a command, a
request, a state and a snapshot renamed, a code renamed, a new event, a new field of a jackpot's state, and one of the
rules' behaviour. Small upcasters are all it adds for books of earlier formats.
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
from upgrades.golden_books import BOOKS, format_of, load_golden
from upgrades.test_reworded_program import SECOND_START

import upcard as program
from upcard import formats
from upcard.ledger import schema as book
from upcard.ledger.store import Store
from upcard.service import schema

LATER = formats.FORMAT + 1
EDITS = {
    "pit/events.py": [('another minimum."""\n\n    amount: Cents', 'another minimum."""\n\n    cents: Cents')],
    "service/stored_events.py": [
        ('_stored("minimum-posted", amount="int")', '_stored("minimum-posted", cents="int")'),
    ],
    "ledger/requests.py": [
        ('to_player: Name | Literal[""] = ""\n    why: ', 'to_player: Name | Literal[""] = ""\n    note: ')
    ],
    "ledger/jackpots/requests.py": [("returned: tuple[int, ...] = ()", "returned_spots: tuple[int, ...] = ()")],
    "ledger/jackpots/jackpot_state.py": [
        ("request.returned", "request.returned_spots"),
        ("    suspended: str", "    hands: int = 0\n    suspended: str"),
        (
            'update={"felt": felts, "running": {**state.running, request.table: dealt}}',
            f'update={{"hands": state.hands + (1 if draft.moment.format >= {LATER} else 0), '
            '"felt": felts, "running": {**state.running, request.table: dealt}}',
        ),
    ],
    "ledger/statement.py": [('request["returned"]', 'request["returned_spots"]')],
    "ledger/round_settlement.py": [("            returned=tuple(sorted(", "            returned_spots=tuple(sorted(")],
    "ledger/table_corrections.py": [
        (
            "    if not request.why.strip():\n        raise BookRefused(BookRefusal.NEEDS_REASON)\n    original",
            "    original",
        ),
    ],
    "ledger/transfers.py": [('TAKEN = ("stake-taken"', 'TAKEN = ("stake-lost"')],
    "ledger/house_state.py": [("closed: date | None", "last_closed: date | None")],
    "ledger/daily_close.py": [
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
            f"        if self.moment.format >= {LATER}:\n"
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
    "formats.py": [(f"FORMAT = {formats.FORMAT} ", f"FORMAT = {LATER} ")],
}
UPCASTERS = """

def _renamed(value: Any, old: str, new: str) -> Any:
    return {new if name == old else name: one for name, one in value.items()}


def _events(events: Any) -> Any:
    return [_renamed(event, "amount", "cents") if event["event"] == "minimum-posted" else event for event in events]


def _request(request: Any) -> Any:
    if request["order"] == "correct":
        return _renamed(request, "why", "note")
    return _renamed(request, "returned", "returned_spots") if request["order"] == "end-hand" else request


UPCASTERS |= {
    ("events", FORMAT - 1): _events,
    ("command", FORMAT - 1): lambda record: _renamed(record, "why", "note") if record["do"] == "correct" else record,
    ("request", FORMAT - 1): _request,
    ("transfer", FORMAT - 1): lambda row: {**row, "reason": row["reason"].replace("stake-taken", "stake-lost")},
    ("house", FORMAT - 1): lambda record: _renamed(record, "closed", "last_closed"),
    ("snapshot", FORMAT - 1): lambda record: _renamed(record, "flat", "flat_bettors"),
    ("rules", FORMAT - 1): lambda record: {**record, "behaviour": {**record["behaviour"], "rounds_are_counted": "no"}},
}
"""


@pytest.fixture(scope="session")
def later_version(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a program that writes the next format."""
    source, folder = Path(program.__file__).parent, tmp_path_factory.mktemp("later")
    shutil.copytree(source, folder / "upcard", ignore=shutil.ignore_patterns("web", "__pycache__", "*.nbi", "*.nbc"))
    for name, edits in EDITS.items():
        path = folder / "upcard" / name
        text = path.read_text(encoding="utf-8")
        for old, new in edits:
            assert old in text, f"{old!r} is no longer in {name}"
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
    path = folder / "upcard/formats.py"
    path.write_text(path.read_text(encoding="utf-8") + UPCASTERS, encoding="utf-8")
    return folder


def formats_of(store: Store, table: sa.Table) -> Counter[int]:
    with store.view() as unit:
        return Counter(unit.connection.scalars(sa.select(table.c.format)))


def jackpot_states(connection: sa.Connection) -> list[tuple[str, dict[str, Any]]]:
    """The stored state of every jackpot."""
    chains = book.chains.c
    rows = connection.execute(sa.select(chains.chain, chains.state).where(chains.chain.like("jackpot:%")))
    return [(row.chain, json.loads(row.state)) for row in rows]


@pytest.mark.parametrize("name", BOOKS)
def test_a_later_version_opens_continues_and_checks_a_golden_book(
    name: str, later_version: Path, blank_address: NewAddress, tmp_path: Path
) -> None:
    address = blank_address()
    golden = load_golden(name, address)
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
        assert written[format_of(name)], f"nothing of {name} is left in {table.name}"
        assert written[LATER], f"nothing of the later format was written in {table.name}"
    with store.view() as unit:
        counted = [
            row for row in unit.rows(schema.history, "stream", "number") if '"round-counted"' in str(row["events"])
        ]
        assert {row["format"] for row in counted} == {LATER}
        for chain, state in jackpot_states(unit.connection):
            hands = sa.select(sa.func.count()).where(
                book.entries.c.chain == chain,
                book.entries.c.format == LATER,
                book.entries.c.request.like('%"order":"begin-hand"%'),
            )
            assert state.get("hands", 0) == unit.connection.scalar(hands)  # none of the earlier hands is counted
        assert any(state.get("hands") for _, state in jackpot_states(unit.connection))
    store.close()
    key = str(write_key(tmp_path / "house.key", *(bytes.fromhex(key_text) for key_text in golden["keys"])))
    today = upcard("ledger", "check", address, "--key", key)
    assert (today.code, today.err) == (1, "")
    refusal = f"this was written in format {LATER}; this program knows {formats.FORMAT}: use a newer upcard"
    assert refusal in today.out
