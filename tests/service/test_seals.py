"""Somebody with the database but without the operator's key: whatever they change, and hash again, is found.

Hashes can be computed by anybody, so each change here is followed by what a careful forger does: every hash of the
chain is made again, and its head with it. What is cut off at the end of a chain is found by the last checkpoint.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

import pytest
import sqlalchemy as sa
from service.forger import CHAIN_OF, Forgery, Row, small_house
from support.empty_books import NewAddress, blank_database
from support.guards import set_guards_aside
from upgrades.small_house import APPROVAL, KEY, PASSWORD, House, open_house

from upcard.ledger import schema as book
from upcard.ledger.gaming_day import Hours
from upcard.ledger.journal import instant_text, row_hash
from upcard.ledger.keyring import Keyring
from upcard.ledger.requests import SetHours
from upcard.ledger.sealing_key import book_id
from upcard.ledger.store import Store
from upcard.ledger.unit import Unit
from upcard.people import Role
from upcard.people import schema as people
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.checkpoint import checkpoint, compare_checkpoints
from upcard.service.key_rotation import rotate_key
from upcard.service.trail import TrailFilter, read_trail
from upcard.service.whole_book_check import check_everything


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path_factory.mktemp("seals") / "book.db")
        return
    with blank_database(request.getfixturevalue("server")) as address:
        yield address


@pytest.fixture(scope="module")
def forgery(address: str) -> Iterator[Callable[[], Any]]:
    """A sound book without guards, and a checkpoint; what is done to it is undone after each `with`."""
    Store.create(address).close()
    with open_house(address) as house:
        small_house(house)
        rotate_key(house.store, house.now, "Flo")
        house.refused(s.Hit(table="T1", spot=1), "T1 Ann", "player")
        house.play("T1", 1)
        keyring = house.store.keyring
        assert keyring is not None
        with house.store.view() as unit:
            signed = checkpoint(unit, keyring, instant_text(house.now))
            assert check_everything(unit, keyring, [signed]).sound

    store = Store.open(address, keyring)
    with store.engine.begin() as connection:
        set_guards_aside(connection)

    @contextmanager
    def tampering() -> Iterator[Forgery]:
        with store.engine.connect() as connection, connection.begin() as transaction:
            yield Forgery(Unit(connection), keyring, signed)
            transaction.rollback()

    yield tampering
    store.close()


@pytest.mark.parametrize("name", ["entries", "history", "refusals", "people_log", "keys"])
def test_a_log_cut_off_at_its_end_is_found_by_the_last_checkpoint(forgery: Callable[[], Any], name: str) -> None:
    with forgery() as forger:
        rows = forger.rows(name)
        column = CHAIN_OF[name]
        last = max(rows, key=lambda row: (row["number"], str(row.get(column or ""))))
        if name == "entries":
            for table in ("transfers", "movements"):
                for row in forger.rows(table):
                    if (row["chain"], row["number"]) == (last["chain"], last["number"]):
                        forger.delete(table, row)
        forger.delete(name, last)
        forger.rehash()
        public = [key.public_key for key in forger.keyring.keys]
        findings = compare_checkpoints(forger.unit, [forger.signed], public, None).findings
        assert any("rows were deleted from the end" in finding.sentence for finding in findings)


TAMPERED: dict[str, tuple[sa.Table, Row, Callable[[House], object]]] = {
    "people": (people.people, {"roles": "floor"}, lambda house: house.people.sign_in("Dan", PASSWORD)),
    "invitations": (people.invitations, {"roles": "floor"}, lambda house: house.people.accept(house.link, PASSWORD)),
    "sessions": (
        people.sessions,
        {"confirmed_at": "2026-03-02T18:05:00.000000Z"},
        lambda house: house.people.ticket(house.session, "socket"),
    ),
    "approvals": (
        people.approvals,
        {"approved_by": "Fay", "approved_at": "2026-03-02T18:05:00.000000Z"},
        lambda house: house.people.withdraw(house.session, house.approval.id),
    ),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_row_is_neither_trusted_nor_resealed(new_address: NewAddress, name: str) -> None:
    """What the service does next must not make the change look like its own."""
    table, values, action = TAMPERED[name]
    with open_house(new_address()) as house:
        token = house.people.setup_token()
        assert token is not None
        flo = house.people.set_up(token, "Flo", PASSWORD)
        house.people.accept(house.people.invite(flo, "Dan", [Role.DEALER]), PASSWORD)
        house.link = house.people.invite(flo, "Zoe", [Role.CASHIER])
        house.session = house.people.sign_in("Flo", PASSWORD)
        house.approval = house.people.ask(house.session, APPROVAL)
        with house.store.engine.begin() as connection:
            connection.execute(sa.update(table).values(values))
        with pytest.raises(PeopleRefused) as refused:
            action(house)
        assert refused.value.reason is PeopleRefusal.RECORD_CHANGED
        assert not house.check().sound
        with pytest.raises(PeopleRefused, match="changed outside Upcard"):
            rotate_key(house.store, house.now, "Flo")
        assert not house.check().sound


def test_records_cut_off_before_a_key_rotation_are_detected(forgery: Callable[[], Any]) -> None:
    """The row of the new key says where every chain stood."""
    with forgery() as forger:
        (first, *_) = [row for row in forger.rows("refusals") if row["key"] == 1 and row["chain"] == "refusals"]
        forger.delete("refusals", first)
        forger.unit.connection.execute(sa.delete(book.logs).where(book.logs.c.log == "refusals"))
        findings = [str(finding) for finding in forger.check().findings]
        assert findings == ["key 2: row 1 of refusals of refusals is missing: rows were deleted from the end"]


def test_an_old_row_of_a_person_put_back_is_found(forgery: Callable[[], Any]) -> None:
    """Its seal is right, and it is out of date: the log has the digest of the newest."""
    with forgery() as forger:
        (flo,) = [row for row in forger.rows("people") if row["name"] == "Flo"]
        old = {**flo, "password": "$argon2id$old"}
        key = forger.keyring.newest
        from upcard.people.register import sealed_text

        old["mac"] = key.mac(book_id(forger.unit.connection) + sealed_text(people.people, old))
        forger.change("people", flo, old)
        (finding,) = forger.check().findings
        assert (finding.place, finding.sentence) == ("people: flo", "its row does not match the log")


def test_a_row_sealed_with_a_retired_key_is_found(forgery: Callable[[], Any]) -> None:
    """Whoever stole the old key cannot write with it after the rotation."""
    with forgery() as forger:
        retired = Keyring([KEY]).newest
        last = max(
            (row for row in forger.rows("history") if row["stream"] == "table:T1"), key=lambda row: row["number"]
        )
        forged = {**last, "actor": "Eve", "key": 1}
        before = next(row for row in forger.rows("history") if row["number"] == last["number"] - 1)
        forged["hash"] = row_hash(before["hash"], forged)
        forger.change("history", last, {**forged, "mac": retired.mac(book_id(forger.unit.connection) + forged["hash"])})
        forger.unit.connection.execute(
            sa.update(schema.streams).where(schema.streams.c.stream == "table:T1").values(hash=forged["hash"])
        )
        assert any(
            "is sealed with key 1, but key 2 was in use" in finding.sentence for finding in forger.check().findings
        )


def test_without_the_key_the_check_says_what_it_could_not_verify(forgery: Callable[[], Any]) -> None:
    with forgery() as forger:
        report = check_everything(forger.unit, None)
        ids = [key.id for key in forger.keyring.keys]
        for key_id in ids:
            assert any(f"the operator's key {key_id} is not here" in note for note in report.notes)
        newest_only = check_everything(forger.unit, Keyring([forger.keyring.newest.raw]))
        assert any(ids[0] in note for note in newest_only.notes)
        assert not any(ids[1] in note for note in newest_only.notes)


def test_refusals_before_a_table_opened_are_in_its_trail(new_address: NewAddress) -> None:
    with open_house(new_address()) as house:
        assert house.refused(s.OpenTable(table="T9", layout="bet-bigger"), "Flo", "floor") == "NO_HOURS"
        house.do(s.House(request=SetHours(hours=Hours(since=date(2026, 3, 1), zone="UTC", start=6))))
        house.do(s.OpenTable(table="T9", layout="bet-bigger"))
        assert [row["refused"] for row in read_trail(house.service.queries, TrailFilter(table="T9"))] == [
            None,
            "NO_HOURS",
        ]
        assert house.check().sound
