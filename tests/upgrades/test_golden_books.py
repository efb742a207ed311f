"""Books that earlier versions wrote, kept as text from format 1 on: every version opens, continues and checks them."""

import json
from datetime import datetime
from pathlib import Path
from typing import get_args

import pytest
from support.empty_books import NewAddress
from upgrades.book_as_text import write_text
from upgrades.golden_books import BOOKS, GOLDEN, format_of, load_golden, rows_of
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
from upgrades.write_golden import write_golden

from upcard import formats
from upcard.catalog.ruleset import CURRENT_BEHAVIOUR, read_ruleset
from upcard.ledger.jackpots.requests import JackpotRequest
from upcard.ledger.keyring import Keyring
from upcard.ledger.requests import HouseRequest, TableRequest
from upcard.ledger.store import Store
from upcard.service import commands as s
from upcard.service import stored_events

ACTIONS = {
    *("setup-link-created", "house-set-up", "person-invited", "invitation-accepted", "guest-added"),
    *("account-disabled", "recovery-link-created", "account-recovered", "password-changed"),
    *("signed-in", "signed-out", "sign-in-failed", "sign-in-throttled", "authenticator-offered"),
    *("authenticator-confirmed", "approval-requested", "approval-given", "approval-used", "approval-withdrawn"),
    *("account-enabled", "roles-changed", "walk-in-opened", "key-rotated"),
}


def golden(name: str, address: str) -> House:
    """A golden book, in a database and in use."""
    golden_file = load_golden(name, address)
    now = datetime.fromisoformat(golden_file["now"])
    store = Store.open(address, Keyring([bytes.fromhex(key) for key in golden_file["keys"]]), lambda: now)
    return House(store, now, seed="later")


def test_there_is_a_golden_book_of_every_earlier_format() -> None:
    """That of today's format is written when nothing about the format changes any more."""
    formats_kept = {format_of(name) for name in BOOKS}
    assert set(range(1, formats.FORMAT)) <= formats_kept <= set(range(1, formats.FORMAT + 1))


# Nothing of these can be had without spoiling the book, or without luck.
NOT_THERE = {
    "events": {"table-reset", "discards-returned"},
    "commands": {"reset"},
    "orders": {"deny-win", "reduce", "place-stake"},  # place-stake: only format 1 writes it
}


def test_a_golden_book_written_today_holds_everything_a_book_can_hold(tmp_path: Path) -> None:
    write_golden(tmp_path / "today")
    rows = rows_of(tmp_path / "today")
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


@pytest.mark.parametrize("name", BOOKS)
def test_a_command_is_written_today_as_it_was_in_a_golden_book(name: str) -> None:
    stored = [row["command"] for row in rows_of(GOLDEN / name) if row["table"] in ("history", "refusals")]
    assert len(stored) > 200
    assert [s.command_json(s.COMMANDS.validate_json(text)) for text in stored] == stored


def test_rules_of_format_1_keep_the_behaviour_of_their_time() -> None:
    texts = [row["text"] for row in rows_of(GOLDEN / "format-1") if row["table"] == "rules"]
    assert len(texts) > 5
    for text in texts:
        rules = read_ruleset(text)
        assert rules.format == 1
        assert rules.behaviour.model_dump() == {
            "side_wagers_are_booked": "with-the-round",
            "unfinished_wagers_at_the_deal": "returned",
            "undecided_hand_at_timeout": "stays",
            "undecided_insurance_at_timeout": "declined",
            "floor_orders_are_taken": "between-rounds",
            "shoe_cut_without_a_player": "in-the-middle",
            "readings_in_force": "those-of-the-game",
            "flat_bet_ordered_between_shoes": "ends-with-the-old-shoe",
            "flat_bet_on_a_wager_that_is_off": "stops-the-player",
            "first_hand_of_a_gaming_day": "from-the-shoe-in-play",
            "insurance_answers": "final",
            "small_wager": "the-one-the-layout-names",
            "jackpot_stopped_at_the_deal": "deal-refused",
            "records_between_snapshots": 24,
            "next_shoe_key": "drawn-after-the-shoe",
            "absent_player": "waited-for",
        }


def test_games_of_format_1_say_what_their_tables_did() -> None:
    """Some keys had no effect: those that later got one say what tables did, the others are left out."""
    texts = [row["text"] for row in rows_of(GOLDEN / "format-1") if row["table"] == "rules"]
    for text in texts:
        for game in read_ruleset(text).catalog.games.values():
            assert all(wager.keep_cards for wager in game.wager)
            assert not game.shuffle.verify_decks
            assert not game.conduct.close_after_shoe


def test_a_table_of_format_1_closes_during_its_shoe(blank_address: NewAddress) -> None:
    house = golden("format-1", blank_address())
    house.play("Bigger", 1)
    live = house.live("Bigger")
    assert live.table.seats
    assert not live.table.shoe_over
    house.do(s.CloseTable(table="Bigger", tray=1, why="counted by two"))
    house.store.close()


def test_a_table_of_format_1_takes_todays_rules_with_the_next_shoe(blank_address: NewAddress) -> None:
    house = golden("format-1", blank_address())
    house.play("Bigger", 1)
    assert house.live("Bigger").rules.format == 1
    house.do(s.Shuffle(table="Bigger"))
    house.play("Bigger", 1)
    rules = house.live("Bigger").rules
    assert (rules.format, rules.behaviour) == (formats.FORMAT, CURRENT_BEHAVIOUR)
    report = house.check()
    assert (report.findings, report.notes) == ((), ())
    house.store.close()


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
