"""What one must not do alone: a code of five minutes, and another person who approves it; then the server does it, once
(S4, S10)."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from api.house import TABLE, ApiUser, House

from upcard.api.access import RULES, Guard
from upcard.people import Role
from upcard.service import commands as s

NOWHERE: dict[str, Any] = {"jackpot": "nowhere"}
HOUSE_TWOS: dict[str, dict[str, Any]] = {
    "deny-win": {**NOWHERE, "win": "w", "why": "none"},
    "set-cap": {**NOWHERE, "cap": 100},
    "reduce": {
        **NOWHERE,
        "reason": "seed",
        "amount": 100,
        "source": "reserve",
        "second": "Fay",
        "document": "paper 7",
    },
    "escrow-lost": {**NOWHERE, "amount": 100, "why": "a fee"},
    "cure-escrow": {**NOWHERE, "amount": 100},
}
TABLE_TWOS: dict[str, dict[str, Any]] = {"correct": {"transfer": "t", "amount": 100, "why": "wrong"}}


@pytest.fixture(scope="module")
def fay(house: House) -> ApiUser:
    """A floor supervisor who approves."""
    return house.somebody(Role.FLOOR, name="Fay")


@pytest.fixture(scope="module")
def jack(house: House) -> ApiUser:
    return house.somebody(Role.JACKPOTS, name="Jack")


@pytest.fixture(scope="module")
def fred(house: House) -> ApiUser:
    """A floor supervisor whose correction another floor supervisor approves."""
    return house.somebody(Role.FLOOR, name="Fred")


@pytest.fixture(autouse=True)
def all_stepped_up(fay: ApiUser, jack: ApiUser, fred: ApiUser) -> None:
    """The clock of these tests runs, and nobody is signed out for having been idle."""
    for person in (fay, jack, fred):
        assert person.get("/api/me").status_code == 200


def path_of(operation: str) -> str:
    return f"/api/house/{operation}" if operation in HOUSE_TWOS else f"/api/tables/{TABLE}/{operation}"


def reason(answer: httpx.Response) -> str:
    return str(answer.json().get("reason", ""))


def test_exactly_these_actions_need_a_second_person() -> None:
    twos = {name for name, rule in RULES.items() if rule.guard is Guard.SECOND_PERSON}
    accounts = {"make a way back", "invite", "enable", "change roles", "reset authenticator"}  # in test_accounts
    assert twos == {*HOUSE_TWOS, *TABLE_TWOS, *accounts, "pay-win"}  # pay-win needs a win: in test_jackpot_orders


@pytest.mark.parametrize("operation", [*HOUSE_TWOS, *TABLE_TWOS])
def test_an_approved_action_needs_a_code_a_second_person_and_works_once(
    house: House, fay: ApiUser, jack: ApiUser, fred: ApiUser, operation: str
) -> None:
    body = {**HOUSE_TWOS, **TABLE_TWOS}[operation]
    asker = jack if operation in HOUSE_TWOS else fred
    path = path_of(operation)
    house.later(minutes=5, seconds=1)
    assert reason(asker.post(path, body)) == "STEP_UP_NEEDED"
    asker.step_up()
    waits = asker.post(path, body, key=f"{operation}-1")
    assert waits.status_code == 202
    approval = waits.json()["approval"]
    approve = f"/api/approvals/{approval}/approve"

    # Asked again it is the same request; something else under the same id is refused.
    assert asker.post(path, body, key=f"{operation}-1").json() == waits.json()
    for changed in ({**body, "amount": 101}, {**body, "cap": 101}, {**body, "why": "another"}, {**body, "win": "v"}):
        if changed.keys() == body.keys():
            assert reason(asker.post(path, changed, key=f"{operation}-1")) == "APPROVAL_OTHER"

    # The asker may not approve it, and Fay needs a code first.
    assert reason(asker.post(approve)) == ("APPROVAL_OWN" if asker is fred else "NOT_ALLOWED")
    house.later(minutes=5, seconds=1)
    assert reason(fay.post(approve)) == "STEP_UP_NEEDED"
    fay.step_up()
    shown_approval = next(waiting for waiting in fay.get("/api/approvals").json() if waiting["id"] == approval)
    assert shown_approval["asked_by"] == asker.name
    assert shown_approval["what"]["operation"] == operation

    # There is no such jackpot or transfer: the book refuses it, which is to say that it was asked; and once only.
    response = fay.post(approve)
    assert response.status_code in (404, 409)
    assert not reason(response).startswith(("APPROVAL", "STEP_UP", "NOT_ALLOWED"))
    assert reason(fay.post(approve)) == "APPROVAL_GIVEN"
    card = asker.get(f"/api/approvals/{approval}").json()
    assert (card["state"], card["refusal"]["reason"], card["given_by"]) == ("refused", reason(response), "Fay")
    asker.step_up()
    assert reason(asker.post(path, body, key=f"{operation}-1")) == reason(response)


def test_an_approval_runs_out(house: House, fay: ApiUser, jack: ApiUser, fred: ApiUser) -> None:
    jack.step_up()
    approval = jack.post("/api/house/set-cap", HOUSE_TWOS["set-cap"]).json()["approval"]
    house.later(minutes=8)
    for person in (jack, fay, fred):
        assert person.get("/api/me").status_code == 200  # nobody is idle
    house.later(minutes=7, seconds=1)
    fay.step_up()
    assert reason(fay.post(f"/api/approvals/{approval}/approve")) == "APPROVAL_EXPIRED"
    assert jack.get(f"/api/approvals/{approval}").json()["state"] == "expired"


def test_a_request_is_withdrawn_by_the_person_who_made_it(jack: ApiUser, fay: ApiUser) -> None:
    jack.step_up()
    fay.step_up()
    approval = jack.post("/api/house/set-cap", HOUSE_TWOS["set-cap"], key="again").json()["approval"]
    assert reason(fay.post(f"/api/approvals/{approval}/withdraw")) == "APPROVAL_NOT_YOURS"
    assert jack.post(f"/api/approvals/{approval}/withdraw").json() == {"withdrawn": approval}
    assert reason(fay.post(f"/api/approvals/{approval}/approve")) == "APPROVAL_WITHDRAWN"
    assert reason(jack.post("/api/house/set-cap", HOUSE_TWOS["set-cap"], key="again")) == "APPROVAL_WITHDRAWN"
    assert jack.get(f"/api/approvals/{approval}").json()["state"] == "withdrawn"


def test_dealers_read_their_own_requests_only(house: House, jack: ApiUser, fay: ApiUser) -> None:
    jack.step_up()
    approval = jack.post("/api/house/set-cap", HOUSE_TWOS["set-cap"]).json()["approval"]
    assert reason(house.somebody(Role.DEALER).get(f"/api/approvals/{approval}")) == "APPROVAL_NOT_YOURS"
    assert fay.get(f"/api/approvals/{approval}").json()["state"] == "waiting"


def test_an_approved_command_of_somebody_who_was_disabled_is_not_carried_out(house: House, fay: ApiUser) -> None:
    jill = house.somebody(Role.JACKPOTS)
    approval = jill.post("/api/house/set-cap", HOUSE_TWOS["set-cap"]).json()["approval"]
    fay.step_up()
    assert fay.post(f"/api/people/{jill.name}/disable").status_code == 200
    assert reason(fay.post(f"/api/approvals/{approval}/approve")) == "APPROVAL_WITHDRAWN"


def test_floor_staff_cannot_approve_their_own_request(fred: ApiUser) -> None:
    fred.step_up()
    approval = fred.post(f"/api/tables/{TABLE}/correct", TABLE_TWOS["correct"]).json()["approval"]
    assert reason(fred.post(f"/api/approvals/{approval}/approve")) == "APPROVAL_OWN"


def test_the_second_person_named_is_the_one_who_approves(jack: ApiUser, fay: ApiUser) -> None:
    """W: a reduction names its second person on paper; the book has no other name than the approver's."""
    jack.step_up()
    fay.step_up()
    body = {**HOUSE_TWOS["reduce"], "second": "Somebody Else"}
    approval = jack.post("/api/house/reduce", body).json()["approval"]
    assert reason(fay.post(f"/api/approvals/{approval}/approve")) == "OTHER_SECOND"
    assert fay.get(f"/api/approvals/{approval}").json()["state"] == "waiting"


def test_the_book_shows_who_did_it_and_the_log_who_approved_it(house: House, jack: ApiUser, fay: ApiUser) -> None:
    """And the same request sent again, after a lost answer, is answered again: it is done once, approved once."""
    jackpot, wager = "LL", "Lucky Ladies Jackpot"
    house.do(s.OpenJackpot(jackpot=jackpot, layout="lucky-ladies-progressive", wager=wager))
    jack.step_up()
    fay.step_up()
    body = {"jackpot": jackpot, "cap": 10_000_000}
    approval = jack.post("/api/house/set-cap", body, key="cap-once").json()["approval"]
    approved = fay.post(f"/api/approvals/{approval}/approve")
    assert approved.json() == {"approved": approval}, approved.text
    assert jack.get(f"/api/approvals/{approval}").json()["state"] == "done"
    repeated = jack.post("/api/house/set-cap", body, key="cap-once")
    auditor = house.somebody(Role.AUDITOR)
    line = next(
        entry
        for entry in auditor.get("/api/people/log", most=500).json()
        if entry["about"] == approval and entry["what"] == "approval-used"
    )
    assert (line["who"], line["after"]["approved_by"]) == ("Jack", "Fay")
    assert (repeated.status_code, repeated.json()["repeated"]) == (200, True), repeated.text
    row = next(record for record in auditor.get("/api/audit").json()["done"] if record["id"] == "Jack:cap-once")
    assert (row["actor"], row["role"]) == ("Jack", "jackpots")
    assert line["after"]["id"] == row["id"]


def test_writing_off_escrow_and_making_it_good_take_two_people(house: House, jack: ApiUser, fay: ApiUser) -> None:
    """Every step changes the book, and what was approved is what is done."""
    jackpot = "LL escrow"
    house.do(s.OpenJackpot(jackpot=jackpot, layout="lucky-ladies-progressive", wager="Lucky Ladies Jackpot"))

    def escrow() -> tuple[int, int]:
        with house.server.service.desk.book.look() as clerk:
            escrow_state = clerk.jackpot(jackpot).model_dump()["escrow"]
        return escrow_state["deposited"], escrow_state["undeposited"]

    def approve_and_do(operation: str, **fields: Any) -> None:
        jack.step_up()
        fay.step_up()
        body = {"jackpot": jackpot, **fields}
        approval = jack.post(f"/api/house/{operation}", body).json()["approval"]
        answer = fay.post(f"/api/approvals/{approval}/approve")
        assert answer.status_code == 200, answer.text

    deposited, waiting = escrow()
    assert (deposited, waiting > 100) == (0, True)
    jack.step_up()
    assert jack.post("/api/house/deposit", {"jackpot": jackpot, "amount": waiting}).status_code == 200
    approve_and_do("escrow-lost", amount=100, why="a fee of the bank")
    assert escrow() == (waiting - 100, 0)
    approve_and_do("cure-escrow", amount=100)
    assert escrow() == (waiting, 0)


def test_two_people_who_approve_at_once_do_it_once(house: House, fay: ApiUser, jack: ApiUser, fred: ApiUser) -> None:
    """The approval and the command are one transaction, so there is no moment in which either is without the other."""
    jackpot = "LL twice"
    house.do(s.OpenJackpot(jackpot=jackpot, layout="lucky-ladies-progressive", wager="Lucky Ladies Jackpot"))
    for person in (jack, fay, fred):
        person.step_up()
    body = {"jackpot": jackpot, "cap": 20_000_000}
    approval = jack.post("/api/house/set-cap", body, key="twice").json()["approval"]
    with ThreadPoolExecutor(6) as pool:
        path = f"/api/approvals/{approval}/approve"
        answers = list(pool.map(lambda person: person.post(path), [fay, fred] * 3))
    assert sorted(answer.status_code for answer in answers) == [200, *[409] * 5]
    audit = house.somebody(Role.AUDITOR).get("/api/audit").json()["done"]
    assert [record["id"] for record in audit].count("Jack:twice") == 1
