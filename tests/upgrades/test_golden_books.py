"""Books that earlier versions wrote, kept as text from format 1 on: every version opens, continues and checks them."""

import json
from datetime import datetime
from pathlib import Path

import pytest
from stores import NewAddress
from upgrades.book_text import read_text, write_text
from upgrades.house import BY_HAND, JACKPOT, LAYOUTS, MIDDLE_OF_A_HAND, House, found, leave_in_play, opened, play_on
from upgrades.write_golden import GOLDEN

from upcard import formats
from upcard.ledger.keyring import Keyring
from upcard.ledger.store import Store

BOOKS = sorted(path.stem for path in GOLDEN.glob("*.json"))


def golden(name: str, address: str) -> House:
    """A golden book, in a database and in use."""
    told = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    read_text(GOLDEN / f"{name}.rows", address)
    now = datetime.fromisoformat(told["now"])
    store = Store.open(address, Keyring([bytes.fromhex(key) for key in told["keys"]]), lambda: now)
    return House(store, now, seed="later")


def test_there_is_a_golden_book_of_every_format() -> None:
    assert {int(name.split("-")[1]) for name in BOOKS} == set(range(1, formats.FORMAT + 1))


def test_a_golden_book_holds_everything_a_book_can_hold() -> None:
    text = (GOLDEN / "format-1.rows").read_text(encoding="utf-8")
    rounds = ("hand-split", "hand-doubled", "insured", "insurance-declined", "void/floor", "card-corrected")
    for told in (*rounds, "counted twice", "win-paid", "minimum-posted"):
        assert told in text, f"{told} is not in the golden book"
    tables = {json.loads(line)["table"] for line in text.splitlines()}
    assert {"approvals", "invitations", "refusals", "people_log", "keys", "rules", "sessions"} <= tables


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
    from stores import emptied

    texts = []
    for number, address in enumerate((str(empty_file), emptied(server))):
        if number == 0:
            address = str(tmp_path / "book.db")
            Store.create(address).close()
        with opened(address) as house:
            found(house)
            leave_in_play(house)
            write_text(house.store, tmp_path / f"{number}.rows")
        lines = (json.loads(line) for line in (tmp_path / f"{number}.rows").read_text(encoding="utf-8").splitlines())
        texts.append([line for line in lines if line["table"] not in ("people", "people_log", "shoes", "logs")])
    assert texts[0] == texts[1]
    assert any(JACKPOT in line.get("request", "") for line in texts[0])
    assert any(line.get("stream") == f"table:{BY_HAND}" for line in texts[0])
