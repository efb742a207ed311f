"""An approval and the command it is for are one transaction; on both databases."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from service.recorded_house import HOURS
from sqlalchemy.exc import OperationalError
from support.accounts import CHEAP, add_account, code_of
from support.empty_books import KEYRING, NewAddress

from upcard.ledger.journal import utc_now
from upcard.ledger.requests import SetHours
from upcard.ledger.store import Store
from upcard.people import Approval, People, PeopleRefusal, PeopleRefused, Role, Session
from upcard.service import commands as s
from upcard.service.pending import Answer
from upcard.service.refusals import Refused, StoreFailed
from upcard.service.running import Service, bootstrap
from upcard.service.transaction import Transaction
from upcard.service.whole_book_check import check_everything

PASSWORD = "seven red chairs by the door"
FILL = s.Fill(table="T1", amount=500)


@dataclass
class TwoPeople:
    """A service with a table, and two people of the floor."""

    service: Service
    people: People
    first: Session
    second: Session

    def ask(self, command: s.Command, key: str) -> Approval:
        action = {"operation": "fill", "command": json.loads(s.command_json(command)), "id": f"Flo:{key}"}
        return self.people.ask(self.first, json.dumps(action), key=key)

    def approve(self, approval: Approval) -> Answer:
        what = json.loads(approval.payload)
        consent = self.people.consent(self.second, approval.id, allowed=[Role.FLOOR], command=what["id"])
        command = s.COMMANDS.validate_python(what["command"])
        desk = self.service.desk
        return desk.submit(command, id=what["id"], actor="Flo", role="floor", consent=consent).result()

    def state(self, approval: Approval) -> str:
        return self.people.approval_state(self.people.approval(approval.id))

    def records(self) -> int:
        return self.service.desk.live("T1").version

    def check(self) -> None:
        store = self.service.desk.store
        with store.view() as unit:
            assert check_everything(unit, store.keyring).findings == ()


@pytest.fixture
def house(new_address: NewAddress) -> Iterator[TwoPeople]:
    store = Store.open(new_address(), KEYRING)
    service = bootstrap(store)
    service.desk.do(s.House(request=SetHours(hours=HOURS)), id="hours", actor="Dana")
    service.desk.do(s.OpenTable(table="T1", layout="bet-bigger", tray=1000), id="open", actor="Dana")
    people = service.people(clock=None, cost=CHEAP)
    sessions = []
    for name in ("Flo", "Fay"):
        add_account(store, utc_now(), name, frozenset({Role.FLOOR}), PASSWORD)
        sessions.append(people.sign_in(name, PASSWORD, code_of(name, utc_now())))
    service.desk.start()
    yield TwoPeople(service, people, *sessions)
    service.desk.stop()
    store.close()


def test_a_command_is_carried_out_once_however_often_it_is_approved(house: TwoPeople) -> None:
    asked = house.ask(FILL, "1")

    def attempt(_: int) -> PeopleRefusal | None:
        try:
            house.approve(asked)
        except PeopleRefused as refused:
            return refused.reason
        return None

    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(attempt, range(4))].count(PeopleRefusal.APPROVAL_GIVEN) == 3
    assert (house.state(asked), house.records()) == ("approved", 2)
    used = [entry for entry in house.people.log() if entry.action == "approval-used"]
    assert [(entry.actor, entry.after["approved_by"], entry.after["id"]) for entry in used] == [("Flo", "Fay", "Flo:1")]
    house.check()


def test_a_command_that_the_book_refuses_uses_its_approval_up(house: TwoPeople) -> None:
    asked = house.ask(s.Credit(table="T1", amount=10_000), "1")
    with pytest.raises(Refused, match="short"):
        house.approve(asked)
    assert (house.state(asked), house.records()) == ("approved", 1)
    outcome = house.service.queries.outcome("Flo:1")
    assert isinstance(outcome, Refused)
    house.check()


def test_a_command_that_could_not_be_stored_leaves_its_approval_unused(
    house: TwoPeople, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk was full at the last moment: neither happened, and approving it again does both."""
    asked, flush = house.ask(FILL, "1"), Transaction.flush

    def full_disk(transaction: Transaction) -> None:
        flush(transaction)
        raise OperationalError("write", {}, OSError("no space left on device"))

    monkeypatch.setattr(Transaction, "flush", full_disk)
    with pytest.raises(StoreFailed):
        house.approve(asked)
    monkeypatch.setattr(Transaction, "flush", flush)
    assert (house.state(asked), house.records()) == ("waiting", 1)
    house.approve(asked)
    assert (house.state(asked), house.records()) == ("approved", 2)
    house.check()


def test_a_withdrawn_request_changes_nothing(house: TwoPeople) -> None:
    asked = house.ask(FILL, "1")
    house.people.withdraw(house.first, asked.id)
    with pytest.raises(PeopleRefused, match="withdrawn"):
        house.approve(asked)
    assert (house.state(asked), house.records()) == ("withdrawn", 1)
    assert house.service.queries.outcome("Flo:1") is None
    house.check()
