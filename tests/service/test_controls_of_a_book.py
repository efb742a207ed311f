"""The controls sheet of a book, on both databases: tables, linked jackpots, open wins, people, the last close."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from ledger.book_driver import MORNING, BookDriver
from ledger.jackpot_setups import ALL, GALAXY, LADIES, PART, TOP
from support.cli_runner import upcard
from support.empty_books import KEYRING, NewAddress, write_key, writing
from upgrades.golden_books import BOOKS, load_golden
from upgrades.small_house import KEY, fill_book, leave_in_play, open_house

from upcard.api.access import permissions
from upcard.catalog import shipped
from upcard.ledger import requests as r
from upcard.ledger.batch_unit import Memory
from upcard.ledger.book import Book, Clerk
from upcard.ledger.jackpots import requests as j
from upcard.ledger.store import Store
from upcard.people import schema as people_schema
from upcard.reports.controls_sheet import ControlsSheet, JackpotLine
from upcard.reports.controls_text import controls_document
from upcard.reports.markdown import markdown
from upcard.service.controls_of_book import book_controls

THREE = "21+3 Jackpot"


def sheet_of(driver: BookDriver) -> ControlsSheet:
    assert driver.clerk is not None
    return book_controls(
        driver.clerk.unit, "the book", clock=lambda: driver.at, permissions=permissions(), keyring=None
    )


def jackpot_of(driver: BookDriver, name: str) -> JackpotLine:
    return next(line for line in sheet_of(driver).jackpots if line.jackpot == name)


@pytest.fixture
def driver(new_address: NewAddress) -> Iterator[BookDriver]:
    """A book written in one unit of work, and never kept."""
    store = Store.open(new_address(), KEYRING, lambda: MORNING)
    with store.engine.connect() as connection, connection.begin() as transaction:
        book = Book(store, shipped())
        yield BookDriver(book, clerk=Clerk(writing(connection), book.catalog))
        transaction.rollback()
    store.close()


@pytest.fixture
def linked(new_address: NewAddress) -> str:
    """A progressive that two tables play for, with a win that waits to be paid, and a day that was closed."""
    address = new_address()
    store = Store.open(address, KEYRING)
    book = Book(store, shipped())
    with book.batch(Memory()) as clerk:
        driver = BookDriver(book, clerk=clerk)
        driver.jackpot("LL", "lucky-ladies-progressive", LADIES)
        driver.jackpot("213", "lucky-ladies-progressive", THREE)
        for table in ("T1", "T2"):
            driver.table(table, "lucky-ladies-progressive", LL=LADIES)
        driver.hand("T1", {"Ann": 100}, LADIES)
        driver.hand("T2", {"Bob": 100, "Cy": 100}, LADIES, {"Bob": ALL, "Cy": PART})
        driver.later(days=1)
        driver.do(r.CloseDay(day=date(2026, 3, 2)))
    store.close()
    return address


def test_a_linked_jackpot_with_its_meters_tables_and_open_win(linked: str) -> None:
    result = upcard("controls", linked, "--json")
    assert (result.code, result.err) == (0, "")
    sheet: dict[str, Any] = result.json
    ladies = next(line for line in sheet["jackpots"] if line["jackpot"] == "LL")
    assert (sheet["about"], ladies["tables"], ladies["plan"]) == ("book", ["T1", "T2"], "progressive")
    assert {table["table"]: table["links"] for table in sheet["tables"]} == {
        "T1": {LADIES: "LL", THREE: ""},
        "T2": {LADIES: "LL", THREE: ""},
    }
    standing = ladies["standing"]
    (win,) = standing["wins"]
    assert (win["win"], win["table"], win["winners"], win["verified_by"]) == ("T2/1", "T2", 2, "")
    assert win["needs_second_person"]
    assert standing["meters"] == {LADIES: 10_000_00}
    assert standing["escrow"]["won_not_paid"] == win["amount"]
    reconciliation = standing["reconciliation"]
    assert (reconciliation["agrees"], reconciliation["pending"]) == (True, win["amount"])
    assert reconciliation["owed"] == standing["escrow"]["owed"]
    assert (sheet["house"]["closed"], sheet["house"]["zone"]) == ("2026-03-02", "America/Los_Angeles")
    assert len(sheet["house"]["checkpoint"]) == 64


def test_the_sheet_of_a_book_reads_as_sentences(linked: str, tmp_path: Path) -> None:
    text = upcard("controls", linked).out
    assert "## LL: Progressive Jackpot on Lucky Ladies Jackpot" in text
    assert "| tables | T1, T2 |" in text
    assert "| tables | none linked yet |" in text
    assert "| T2/1 | T2, 1 |" in text
    assert "needs a second person" in text
    assert ", the same |" in text
    assert "A gaming day begins at 6:00, America/Los_Angeles (since 2026-03-01)." in text
    assert "The last day closed is 2026-03-02, hash " in text
    page = tmp_path / "controls.html"
    assert upcard("controls", linked, "--out", str(page)).code == 0
    assert "<h2>LL: Progressive Jackpot on Lucky Ladies Jackpot</h2>" in page.read_text()


def test_each_jackpot_stands_as_the_book_has_it(driver: BookDriver) -> None:
    driver.jackpot("Q", "lucky-ladies-jackpot", "Lucky Ladies")
    driver.table("T1", "lucky-ladies-jackpot", Q="Lucky Ladies")
    driver.table("T2", "lucky-ladies-jackpot", Q="Lucky Ladies")
    driver.later(days=1)
    driver.do(j.Post(jackpot="Q", values={"MEGA": 12_000_00}))
    driver.hand("T1", {"Ann": 1000}, "Lucky Ladies", {"Ann": ("MEGA", "1", "three-queens-of-hearts")})
    running = driver.deal("T2", {"Bob": 500}, "Lucky Ladies")
    driver.pay("Q", "T1/1/MEGA")
    driver.do(j.Post(jackpot="Q", values={"MINOR": 2_000_00}))
    standing = jackpot_of(driver, "Q").standing
    assert standing is not None
    assert (standing.hits, standing.paid, standing.hands_in_play) == (1, 12_000_00, ("T2",))
    assert [(change.change, change.meter, change.amount) for change in standing.queued] == [
        ("reseeded", "MEGA", 10_000_00),
        ("posted", "MINOR", 2_000_00),
    ]
    driver.settle("T2", running, {"Bob": 500}, "Lucky Ladies", {})
    standing = jackpot_of(driver, "Q").standing
    assert standing is not None
    assert (standing.queued, standing.hands_in_play) == ((), ())


def test_a_changed_seed_and_cap_are_on_the_sheet(driver: BookDriver) -> None:
    driver.jackpot("B", "lucky-ladies", LADIES)
    driver.do(j.Post(jackpot="B", values={LADIES: 12_000_00}, seeds={LADIES: 9_000_00}))
    bonus = jackpot_of(driver, "B")
    assert bonus.standing is not None
    assert (bonus.opens_at, bonus.reseeds_at) == ({LADIES: 10_000_00}, {LADIES: 9_000_00})
    assert bonus.standing.meters == {LADIES: 12_000_00}
    driver.jackpot("LL", "lucky-ladies-progressive", LADIES)
    driver.do(j.SetCap(jackpot="LL", cap=50_000_00))
    progressive = jackpot_of(driver, "LL").standing
    assert progressive is not None
    assert progressive.escrow is not None
    assert progressive.escrow.cap == 50_000_00


def test_an_overdue_deposit_and_the_last_accrual_are_on_the_sheet(driver: BookDriver) -> None:
    driver.jackpot("LL", "lucky-ladies-progressive", LADIES)
    driver.jackpot("BJ", "the-brook", GALAXY)
    driver.table("T1", "the-brook", BJ=GALAXY)
    driver.hand("T1", {"Ann": 500}, GALAXY)
    driver.later(days=7)
    driver.do(j.AccrueDay(jackpot="BJ", day=date(2026, 3, 2)))
    ladies, daily = jackpot_of(driver, "LL").standing, jackpot_of(driver, "BJ").standing
    assert ladies is not None
    assert ladies.escrow is not None
    assert (ladies.escrow.undeposited_since, ladies.escrow.deposit_overdue) == ("2026-03-02", True)
    assert daily is not None
    assert (daily.last_accrued, daily.meters) == ("2026-03-02", {"Bonus Jackpot": 1250_50})


WINS = {
    "the-brook": (GALAXY, 500, TOP),
    "lucky-ladies-jackpot": ("Lucky Ladies", 1000, ("MEGA", "1", "three-queens-of-hearts")),
    "lucky-ladies": (LADIES, 100, ALL),
    "lucky-ladies-progressive": (LADIES, 100, ALL),
}


@pytest.mark.parametrize("layout", WINS)
def test_the_sheet_names_every_reason_for_which_the_book_stops_a_wager(driver: BookDriver, layout: str) -> None:
    wager, stake, claim = WINS[layout]
    driver.jackpot("J", layout, wager)
    driver.table("T1", layout, J=wager)
    named = set(jackpot_of(driver, "J").stops) - {"off/shuffled-by-hand"}
    seen = set()

    def look() -> None:
        stopped = driver.state("J").closed()
        if stopped is not None:
            seen.add(stopped.reason.value)
            standing = jackpot_of(driver, "J").standing
            assert standing is not None
            assert standing.stopped == str(stopped)

    look()
    assert not seen
    driver.do(j.Suspend(jackpot="J", why="the display is dark"))
    look()
    driver.do(j.Resume(jackpot="J"))
    driver.hand("T1", {"Ann": stake}, wager, {"Ann": claim})
    look()
    driver.do(j.DenyWin(jackpot="J", win=next(iter(driver.state("J").wins)), why="a misdeal"), actor="Paul")
    look()
    if "CHANGE_WAITS" in named:
        driver.later(days=1)
        driver.deal("T1", {"Ann": stake}, wager)
        driver.do(j.Post(jackpot="J", values={claim[0]: 5}))
        look()
    if layout == "lucky-ladies-progressive":
        driver.do(j.Deposit(jackpot="J", amount=1_000_00))
        driver.do(j.EscrowLost(jackpot="J", amount=1_00, why="a fee"))
        look()
    assert seen == named


AT_ONCE = ("reseeded at once", "as soon as the hand has won: after a win of 100% to the seed")
AFTER_PAYMENT = ("After a payment the meter is reseeded", "A meter that was paid goes back to its opening value")


@pytest.mark.parametrize("layout", WINS)
def test_the_meter_is_reseeded_when_the_sheet_says(driver: BookDriver, layout: str) -> None:
    wager, stake, claim = WINS[layout]
    driver.jackpot("J", layout, wager)
    driver.table("T1", layout, J=wager)
    posts = layout in ("lucky-ladies", "lucky-ladies-jackpot")
    if posts:
        driver.later(days=2)
        driver.do(j.Post(jackpot="J", values={claim[0]: 77_000_00}))
    text = markdown(controls_document(sheet_of(driver)))
    driver.hand("T1", {"Ann": stake}, wager, {"Ann": claim})
    locked = driver.state("J").values()[claim[0]]
    driver.pay("J", next(iter(driver.state("J").wins)))
    paid = driver.state("J").values()[claim[0]]
    seed = jackpot_of(driver, "J").reseeds_at[claim[0]]
    assert paid == seed
    if any(sentence in text for sentence in AT_ONCE):
        assert locked == seed
        assert not any(sentence in text for sentence in AFTER_PAYMENT)
    else:
        assert any(sentence in text for sentence in AFTER_PAYMENT)
        assert locked == (77_000_00 if posts else seed)  # the daily jackpot stands at its seed in any case


def test_staff_and_their_roles_come_from_the_books_own_people(new_address: NewAddress, tmp_path: Path) -> None:
    address = new_address()
    with open_house(address) as house:
        fill_book(house)
        leave_in_play(house)
    key = str(write_key(tmp_path / "house.key", KEY))
    sheet = upcard("controls", address, "--key", key, "--json").json
    assert sheet["staff_verified"]
    assert {person["name"]: person["roles"] for person in sheet["staff"]} == {
        "Ada": ["auditor"],
        "Dan": ["dealer"],
        "Fay": ["floor"],
        "Flo": ["floor"],
    }
    text = upcard("controls", address, "--key", key).out
    assert "| Ada | auditor | no | disabled |" in text
    assert "| Flo | floor | yes | active |" in text
    assert "The seals of these records were verified." in text
    assert "not verified: no operator's key was given" in upcard("controls", address).out
    store = Store.open(address)
    with store.engine.begin() as connection:
        changed = sa.update(people_schema.people).where(people_schema.people.c.name == "Dan")
        connection.execute(changed.values(roles="jackpots"))
    store.close()
    refused = upcard("controls", address, "--key", key)
    assert (refused.code, refused.out) == (2, "")
    assert len(refused.err.splitlines()) == 1


@pytest.mark.parametrize("name", BOOKS)
def test_books_of_every_format_have_a_sheet(name: str, new_address: NewAddress) -> None:
    address = new_address()
    load_golden(name, address)
    result = upcard("controls", address, "--json")
    assert result.code == 0
    assert {line["plan"] for line in result.json["jackpots"]} == {"daily-accrual", "posted", "bonus", "progressive"}
    assert upcard("controls", address).out.startswith("# Internal controls: ")


def test_an_empty_book_has_a_sheet_without_jackpots(new_address: NewAddress) -> None:
    text = upcard("controls", new_address()).out
    assert "There is no jackpot here." in text
    assert "No day has been closed yet." in text
    assert "There is no staff yet." in text
