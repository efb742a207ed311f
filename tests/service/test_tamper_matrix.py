"""Every table and column, changed, deleted and inserted, hashed again and sealed again: found as the page says."""

import os
from collections.abc import Iterator

import pytest
from service.forger import TABLES
from service.tamper_matrix import CHECK, MARK, NOTHING, Target, cases
from service.tampering_page import PAGE, Case, documented, page, refused
from service.tamperings import KNOWN
from support.empty_books import blank_database

SOAK = bool(os.environ.get("UPCARD_SOAK"))
PARTS = 8  # `make test` tries one part of the cases on SQLite and another one on PostgreSQL, `make soak` all of them
HARMLESS = ("sessions", "tickets", "sign_in_attempts")  # a deleted row is somebody signed out, or a try forgotten


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    if request.param == "sqlite":
        book = Target(str(tmp_path_factory.mktemp("matrix") / "book.db"))
        yield book
        book.close()
        return
    with blank_database(request.getfixturevalue("server")) as address:
        book = Target(address)
        yield book
        book.close()


def test_tampering_is_found_as_the_page_says(target: Target) -> None:
    """If it is found otherwise: is that right? Then `make tampering` writes the page."""
    shown = documented(PAGE.read_text())
    part = 0 if target.store.engine.dialect.name == "sqlite" else PARTS // 2
    tried = [case for number, case in enumerate(cases()) if SOAK or number % PARTS == part]
    results = {case: target.result(case) for case in tried}
    different = {str(case): (result, shown.get(case)) for case, result in results.items() if result != shown.get(case)}
    assert different == {}, "what finds it, and what the page says"
    assert page(target.known_attacks(), shown) == PAGE.read_text()
    assert target.refused == {name: refused(name, target.store.engine.dialect.name) for name in TABLES}


def test_the_page_has_every_table_and_column() -> None:
    shown = documented(PAGE.read_text())
    assert list(shown) == sorted(cases(), key=list(shown).index)
    assert all(shown.values())


def test_nothing_that_a_forger_without_the_key_does_is_overlooked() -> None:
    """But for what looks like signing out, and what only something outside the book can show."""
    without_key = {case: found for case, found in documented(PAGE.read_text()).items() if "sealed" not in case.act}
    assert {case for case, found in without_key.items() if found == NOTHING} == {
        Case(table, "", "delete") for table in HARMLESS
    }
    outside = {case.table for case, found in without_key.items() if found not in (CHECK, NOTHING)}
    assert outside == {"refusals", "people_log"}


def test_every_known_attack_is_found() -> None:
    lines = PAGE.read_text().partition("## Known attacks")[2].partition("## ")[0].splitlines()
    shown = {cells[1].strip(): cells[2].strip() for line in lines if len(cells := line.split("|")) > 3}
    found = {name: shown[name] for name in KNOWN}
    assert NOTHING not in found.values()
    assert {name for name, finder in found.items() if finder != CHECK} == {
        "the people's log cut off at its end, its head moved",
        "the last refusal deleted, its head moved",
        "a record after the last checkpoint rewritten, sealed again with the stolen key",
        "a copy of the whole book put back",
        "a copy from before the last checkpoint put back",
    }
    assert all(MARK in finder for finder in found.values() if finder != CHECK)
