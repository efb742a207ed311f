"""`upcard ledger` and `upcard jackpots` from outside, on both databases."""

import json
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
import sqlalchemy as sa
from ledger.book_driver import MORNING, BookDriver
from support.cli_runner import upcard
from support.empty_books import KEYRING, NewAddress, write_key

from upcard.catalog import shipped
from upcard.ledger import requests as r
from upcard.ledger import schema
from upcard.ledger.batch_unit import Memory
from upcard.ledger.book import Book
from upcard.ledger.jackpots import requests as j
from upcard.ledger.store import Store

LADIES = "Lucky Ladies Jackpot"
ALL = (LADIES, "1", "queen-of-hearts-pair-with-suit-specific-dealer-blackjack")


@pytest.fixture
def address(new_address: NewAddress) -> str:
    """A day of a table with a progressive, closed."""
    found = new_address()
    store = Store.open(found, KEYRING)
    book = Book(store, shipped())
    with book.batch(Memory()) as clerk:
        driver = BookDriver(book, clerk=clerk)
        driver.jackpot("LL", "lucky-ladies-progressive", LADIES)
        driver.table("T1", "lucky-ladies-progressive", LL=LADIES)
        driver.hand("T1", {"Ann": 100, "Bob": 100}, LADIES, {"Ann": ALL})
        driver.pay("LL", "T1/1")
        driver.do(r.CashOut(table="T1", player="Ann", amount=400_000))
        driver.later(days=1)
        driver.do(r.CloseDay(day=driver.at.date().replace(day=2)))
    store.close()
    return found


def test_check_passes_a_sound_book_and_names_the_first_problem_of_a_changed_one(address: str, tmp_path: Path) -> None:
    sound = upcard("ledger", "check", address)
    assert (sound.code, sound.err) == (0, "")
    assert "The book is sound." in sound.out
    assert "Not checked: the seals of" in sound.out
    kept, key = tmp_path / "checkpoint.json", str(write_key(tmp_path / "house.key"))
    made = upcard("ledger", "checkpoint", address, "--key", key, "--out", str(kept))
    assert made.out.endswith(f"chains, signed with key {KEYRING.newest.id}\n")
    public = upcard("ledger", "public-key", address, "--key", key).out.strip()
    verified = upcard("ledger", "check", address, "--checkpoint", str(kept), "--public-key", public, "--json").json
    assert verified["sound"]
    whole = upcard("ledger", "check", address, "--key", key, "--json").json
    assert (whole["sound"], whole["service"]["notes"]) == (True, [])
    assert whole["seals"] == whole["entries"]
    kept.write_text(json.dumps({**json.loads(kept.read_text()), "at": "2030-01-01"}))
    other = upcard("ledger", "check", address, "--checkpoint", str(kept))
    assert other.code == 1
    assert "Wrong: checkpoint of 2030-01-01: its signature does not match its content" in other.out
    store = Store.open(address, KEYRING)
    with store.transaction() as unit:
        unit.connection.execute(
            sa.update(schema.balances).where(schema.balances.c.account == "tray:T1").values(debits=1)
        )
    store.close()
    broken = upcard("ledger", "check", address, "--json")
    assert (broken.code, broken.json["sound"]) == (1, False)
    assert broken.json["findings"][0]["place"] == "balance of tray:T1"


def test_a_statement_adds_up(address: str) -> None:
    statement = upcard("ledger", "statement", address, "meter:LL", "--json").json
    reasons = [posting["reason"] for posting in statement["postings"]]
    assert reasons == ["seed-advanced", "contribution", "win-locked", "reseed", "seed-advanced"]
    assert (
        statement["opening"] + sum(posting["amount"] for posting in statement["postings"])
        == statement["closing"]
        == 1_000_000
    )
    later = upcard("ledger", "statement", address, "player:Ann", "--since", "2026-03-03", "--json").json
    assert (later["opening"], later["postings"], later["closing"]) == (600_030, [], 600_030)
    assert "Closing $6,000.30" in upcard("ledger", "statement", address, "player:Ann").out
    shown = upcard("ledger", "statement", address, "meter:LL").out
    assert "seed advanced" in shown
    assert "win locked" in shown


def test_a_report_shows_the_win_before_and_after_contributions_to_the_progressive(address: str) -> None:
    report = upcard("ledger", "report", address, "2026-03-02", "--json").json
    (table,) = report["tables"]
    assert table["opener"] + table["fills"] + table["buy_ins"] - table["cash_outs"] == table["closer"]
    assert (table["rounds"], table["win"], table["accrued"], table["win_after_accrual"]) == (1, 200, 40, 160)
    (meter,) = report["jackpots"]
    assert meter["opening"] + sum(meter["moves"].values()) == meter["closing"] == 1_000_000
    assert (meter["wagered"], meter["won"], meter["paid"]) == (200, 1_000_030, 1_000_030)
    assert report["checkpoint"]["hash"] in upcard("ledger", "report", address).out
    idle = upcard("ledger", "report", address, "2026-03-09")
    assert "Gaming day 2026-03-09: no activity" in idle.out
    assert "Not closed yet." in idle.out


def test_a_report_shows_the_warnings_of_the_close_as_sentences_and_in_json_as_codes(address: str) -> None:
    store = Store.open(address, KEYRING)
    with Book(store, shipped()).batch(Memory()) as clerk:
        at = MORNING + timedelta(days=1)
        lost = j.Deposit(jackpot="LL", amount=1_000_000), j.EscrowLost(jackpot="LL", amount=5, why="a fee")
        for number, request in enumerate(lost):
            clerk.carry_out(request, id=f"lost{number}", at=at, actor="Dana")
        clerk.carry_out(r.CloseDay(day=at.date()), id="close", at=at + timedelta(days=1), actor="Dana")
    store.close()
    (warning,) = upcard("ledger", "report", address, "--json").json["checkpoint"]["warnings"]
    assert warning == {"code": "warning/escrow-short", "jackpot": "LL", "short": 5}
    assert "LL: escrow is $0.05 short" in upcard("ledger", "report", address).out


def test_jackpots_lists_the_meters_and_shows_the_history_of_one(address: str) -> None:
    (listed,) = upcard("jackpots", address, "--json").json
    assert (listed["jackpot"], listed["plan"], listed["meters"], listed["stopped"]) == (
        "LL",
        "progressive",
        {LADIES: 1_000_000},
        None,
    )
    history = upcard("jackpots", address, "LL", "--json").json["history"]
    assert [line["reason"] for line in history] == ["opened", "contribution", "win-locked", "reseeded"]
    assert all(line["after"] == following["before"] for line, following in pairwise(history))
    shown = upcard("jackpots", address, "LL").out
    assert "Lucky Ladies Jackpot is at $10,000" in shown
    assert "$10,000.30" in upcard("jackpots", address).out


def test_every_error_is_one_sentence(address: str, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("[1")
    for words, sentence in (
        (("ledger", "check", "/nowhere.db"), "there is no book /nowhere.db"),
        (("ledger", "check", str(tmp_path)), f"there is no book {tmp_path}"),
        (("ledger", "check", address, "--checkpoint", "/none.json"), "no such file"),
        (("ledger", "check", address, "--checkpoint", str(tmp_path / "bad.json")), "this is not a checkpoint"),
        (("ledger", "statement", address, "Ann"), "'Ann' is not an account like player:Ann"),
        (
            ("ledger", "statement", address, "tray:T1", "--since", "soon"),
            "--since: 'soon' is not a date such as 2026-03-08",
        ),
        (("ledger", "check", address, "--public-key", "x"), "x: not a public key"),
        (("ledger", "checkpoint", address), "the operator's key is missing: name its file with --key"),
        (("ledger", "rotate-key", address, "--by", "Dana"), "the operator's key is missing: name its file with --key"),
        (("jackpots", address, "LX"), "there is no jackpot 'LX'"),
        (("ledger", "chek"), "no such command 'chek'"),
    ):
        result = upcard(*words)
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1), result
        assert sentence in result.err


def test_an_empty_book_says_that_it_is_empty(tmp_path: Path) -> None:
    book = str(tmp_path / "empty.db")
    assert upcard("ledger", "migrate", book).code == 0
    assert upcard("jackpots", book).out == "0 jackpots\n"
    assert "no activity" in upcard("ledger", "report", book, "2026-03-01").out


def test_migrate_creates_an_empty_book_and_migrates_an_old_one(tmp_path: Path) -> None:
    path = str(tmp_path / "new.db")
    assert f": format {schema.HEAD}" in upcard("ledger", "migrate", path).out
    assert "The book is sound." in upcard("ledger", "check", path).out
    assert "this book is empty" in upcard("ledger", "report", path).err
    assert upcard("jackpots", path).code == 0
