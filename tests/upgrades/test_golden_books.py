"""Books that earlier versions wrote, kept as text from format 1 on: every version opens, continues and checks them."""

import json
from datetime import datetime
from pathlib import Path
from typing import get_args

import pytest
from support.empty_books import NewAddress
from upgrades.book_as_text import read_text, write_text
from upgrades.small_house import (
    BY_HAND,
    JACKPOT,
    LAYOUTS,
    MIDDLE_OF_A_HAND,
    House,
    fill_book,
    leave_in_play,
    open_house,
    play_on,
)
from upgrades.write_golden import GOLDEN

from upcard import formats
from upcard.ledger.jackpots.requests import JackpotRequest
from upcard.ledger.keyring import Keyring
from upcard.ledger.requests import HouseRequest, TableRequest
from upcard.ledger.store import Store
from upcard.service import commands as s
from upcard.service import stored_events

ACTIONS = {  # two of these, roles-changed and sessions-ended, are in old books only
    *("setup-link-created", "house-set-up", "person-invited", "invitation-accepted", "guest-added", "roles-changed"),
    *("account-disabled", "recovery-link-created", "account-recovered", "password-changed", "sessions-ended"),
    *("signed-in", "signed-out", "sign-in-failed", "sign-in-throttled", "authenticator-offered"),
    *("authenticator-confirmed", "approval-requested", "approval-given", "approval-used", "key-rotated"),
}
BOOKS = sorted(path.stem for path in GOLDEN.glob("*.json"))


def golden(name: str, address: str) -> House:
    """A golden book, in a database and in use."""
    golden_file = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    read_text(GOLDEN / f"{name}.rows", address)
    now = datetime.fromisoformat(golden_file["now"])
    store = Store.open(address, Keyring([bytes.fromhex(key) for key in golden_file["keys"]]), lambda: now)
    return House(store, now, seed="later")


def test_there_is_a_golden_book_of_every_format() -> None:
    assert {int(name.split("-")[1]) for name in BOOKS} == set(range(1, formats.FORMAT + 1))


# Nothing of these can be had without spoiling the book, or without luck.
NOT_THERE = {
    "events": {"table-reset", "discards-returned", "soft-seventeen-reached", "floor-called", "call-answered"},
    "commands": {"reset", "call-floor", "answer-call"},  # calls of the floor came after this book was written
    "orders": {"deny-win", "reduce"},
}


def test_a_golden_book_holds_everything_a_book_can_hold() -> None:
    rows = [json.loads(line) for line in (GOLDEN / "format-1.rows").read_text(encoding="utf-8").splitlines()]
    history = [row for row in rows if row["table"] == "history"]
    events = {event["event"] for row in history for event in json.loads(row["events"])}
    commands = {json.loads(row["command"])["do"] for row in history}
    orders = {json.loads(row["request"])["order"] for row in rows if row["table"] == "entries"}
    actions = {row["action"] for row in rows if row["table"] == "people_log"}
    assert stored_events.event_names() - events - NOT_THERE["events"] == set()
    assert names_in(s.Command) - commands - NOT_THERE["commands"] == set()
    assert names_in(TableRequest | HouseRequest | JackpotRequest) - orders - NOT_THERE["orders"] == set()
    assert ACTIONS - actions == set()
    assert {row["table"] for row in rows} >= {"approvals", "invitations", "refusals", "keys", "rules", "sessions"}


def test_a_command_is_written_today_as_it_was_in_a_golden_book() -> None:
    rows = [json.loads(line) for line in (GOLDEN / "format-1.rows").read_text(encoding="utf-8").splitlines()]
    stored = [row["command"] for row in rows if row["table"] in ("history", "refusals")]
    assert len(stored) > 200
    assert [s.command_json(s.COMMANDS.validate_json(text)) for text in stored] == stored


def names_in(union: object) -> set[str]:
    """The stored names of all members of a union of commands or requests."""
    members = get_args(union)
    if members:
        return {name for member in members for name in names_in(member)}
    fields = s.fields_of(union) if isinstance(union, type) else {}
    return {str(fields[name].default) for name in ("do", "order") if name in fields}


@pytest.mark.parametrize("name", BOOKS)
def test_a_golden_book_is_sound_and_plays_on(name: str, blank_address: NewAddress) -> None:
    house = golden(name, blank_address())
    before = house.check()
    assert (before.findings, before.notes) == ((), ())
    for table in MIDDLE_OF_A_HAND:
        state = house.live(table).table.round
        assert state is not None
        assert state.dealer, f"{table} was left in the middle of a hand"
    rounds = {table: house.live(table).round for table in LAYOUTS}
    assert house.live("Bigger").table.floor_minimum == 1_000  # which the floor had posted
    play_on(house)
    assert all(house.live(table).round > rounds[table] for table in LAYOUTS)
    after = house.check()
    assert (after.findings, after.notes) == ((), ())
    assert after.records.records > before.records.records
    house.store.close()


def test_a_book_is_the_same_on_both_databases(empty_file: Path, server: str, tmp_path: Path) -> None:
    """Every row but what is encrypted, which never is the same twice, and what is sealed over it."""
    from support.empty_books import emptied

    texts = []
    for number, address in enumerate((str(empty_file), emptied(server))):
        if number == 0:
            address = str(tmp_path / "book.db")
            Store.create(address).close()
        with open_house(address) as house:
            fill_book(house)
            leave_in_play(house)
            write_text(house.store, tmp_path / f"{number}.rows")
        lines = (json.loads(line) for line in (tmp_path / f"{number}.rows").read_text(encoding="utf-8").splitlines())
        texts.append([line for line in lines if line["table"] not in ("people", "people_log", "shoes", "logs")])
    assert texts[0] == texts[1]
    assert any(JACKPOT in line.get("request", "") for line in texts[0])
    assert any(line.get("stream") == f"table:{BY_HAND}" for line in texts[0])
