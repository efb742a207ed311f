"""Approvals by a second person; on both databases."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from people.house_of_people import HouseOfPeople, refused

from upcard.people import PeopleRefusal, PeopleRefused, Role
from upcard.people.approvals import canonical

ACTION = '{"do":"pay-win","win":"W1","amount":500000}'


def test_another_person_approves_exactly_one_action_once(house: HouseOfPeople) -> None:
    """S10: large amounts need a second person."""
    house.founder()
    cass, fay = house.session("Cass", Role.CASHIER), house.stepped_up("Fay", Role.FLOOR)
    key = house.people.request_approval(cass, ACTION)
    assert [approval.id for approval in house.people.waiting_approvals()] == [key]
    refused(PeopleRefusal.APPROVAL_MISSING, lambda: house.people.use_approval(cass, key, ACTION))
    approval = house.people.approve(fay, key)
    assert (approval.requested_by, approval.approved_by, approval.payload) == ("Cass", "Fay", canonical(ACTION))
    assert house.people.approval(key) == approval
    refused(PeopleRefusal.APPROVAL_GIVEN, lambda: house.people.approve(fay, key))
    other = ACTION.replace("500000", "900000")
    refused(PeopleRefusal.APPROVAL_OTHER, lambda: house.people.use_approval(cass, key, other))
    refused(PeopleRefusal.APPROVAL_OTHER, lambda: house.people.use_approval(fay, key, ACTION))
    spaced = ACTION.replace(",", " ,  ")
    assert house.people.use_approval(cass, key, spaced).used_at == house.at
    refused(PeopleRefusal.APPROVAL_USED, lambda: house.people.use_approval(cass, key, ACTION))
    assert house.people.waiting_approvals() == []


def test_approving_needs_another_person_the_role_and_a_code(house: HouseOfPeople) -> None:
    house.founder()
    flo, fay, dan = house.stepped_up("Flo"), house.session("Fay", Role.FLOOR), house.stepped_up("Dan", Role.DEALER)
    key = house.people.request_approval(flo, ACTION)
    refused(PeopleRefusal.APPROVAL_OWN, lambda: house.people.approve(flo, key))
    refused(PeopleRefusal.NOT_ALLOWED, lambda: house.people.approve(dan, key))
    refused(PeopleRefusal.STEP_UP_FIRST, lambda: house.people.approve(fay, key))
    for unknown in ("none", "", "\0"):
        refused(PeopleRefusal.APPROVAL_UNKNOWN, lambda unknown=unknown: house.people.approve(flo, unknown))  # type: ignore[misc]  # a default binds the loop's own value
        assert house.people.approval(unknown) is None
    approval = house.people.approval(key)
    assert approval is not None
    assert approval.approved_by is None


def test_an_approval_expires_after_fifteen_minutes(house: HouseOfPeople) -> None:
    house.founder()
    cass, fay = house.session("Cass", Role.CASHIER), house.stepped_up("Fay", Role.FLOOR)
    approved, late = (house.people.request_approval(cass, ACTION) for _ in range(2))
    house.people.approve(fay, approved)
    house.later(minutes=4)
    secret, _ = house.people.enrol_totp(fay)
    for session in (cass, fay):
        house.current(session, active=True)
    house.later(minutes=11, seconds=1)
    fay = house.people.confirm_totp(fay, house.code(secret))
    refused(PeopleRefusal.APPROVAL_EXPIRED, lambda: house.people.approve(fay, late))
    refused(PeopleRefusal.APPROVAL_EXPIRED, lambda: house.people.use_approval(cass, approved, ACTION))


def test_an_approval_is_void_once_its_approver_loses_the_role(house: HouseOfPeople) -> None:
    house.founder()
    cass, fay = house.session("Cass", Role.CASHIER), house.stepped_up("Fay", Role.FLOOR)
    key = house.people.request_approval(cass, ACTION)
    house.people.approve(fay, key)
    house.change_roles("Fay", Role.DEALER)
    refused(PeopleRefusal.APPROVAL_MISSING, lambda: house.people.use_approval(cass, key, ACTION))


def test_an_approval_is_used_once_by_many_at_once(house: HouseOfPeople) -> None:
    house.founder()
    cass, fay = house.session("Cass", Role.CASHIER), house.stepped_up("Fay", Role.FLOOR)
    key = house.people.request_approval(cass, ACTION)
    house.people.approve(fay, key)

    def use(_: int) -> bool:
        try:
            return house.people.use_approval(cass, key, ACTION).used_at is not None
        except PeopleRefused:
            return False

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(use, range(4))) == 1


@pytest.mark.parametrize("text", ["", "pay", "[1]", '{"a":1,"a":2}', '{"a":NaN}', "[" * 100_000, "null"])
def test_only_a_json_object_can_be_approved(text: str) -> None:
    refused(PeopleRefusal.NOT_JSON, lambda: canonical(text))
