"""Two people are two people: who may make accounts and roles, and who may approve for whom; on both databases."""

import json

from people.house_of_people import PASSWORD, HouseOfPeople, refused

from upcard.people import Approval, PeopleRefusal, Role, Session


def ask(house: HouseOfPeople, session: Session, **action: object) -> Approval:
    return house.people.ask(session, json.dumps(action))


def test_one_person_cannot_invite_staff_once_a_table_was_opened(house: HouseOfPeople) -> None:
    """One floor person invited a second account, enrolled it and approved with it."""
    flo = house.founder()
    house.people.invite(flo, "Fay", [Role.FLOOR])
    house.open_table()
    refused(PeopleRefusal.SECOND_PERSON_NEEDED, lambda: house.people.invite(flo, "Gil", [Role.FLOOR]))
    for role in (Role.DEALER, Role.CASHIER, Role.JACKPOTS, Role.AUDITOR):
        refused(PeopleRefusal.SECOND_PERSON_NEEDED, lambda role=role: house.people.invite(flo, "Gil", [role]))  # type: ignore[misc]  # a default binds the loop's own value
    assert house.people.accept(house.people.invite(flo, "Ann", [Role.PLAYER]), PASSWORD).name == "Ann"
    assert house.people.accept(house.people.invite(flo, "Sign", [Role.DISPLAY]), PASSWORD).name == "Sign"


def test_an_invitation_that_one_person_sent_ends_with_the_first_set_up(house: HouseOfPeople) -> None:
    flo = house.founder()
    staff, player = house.people.invite(flo, "Fay", [Role.FLOOR]), house.people.invite(flo, "Ann", [Role.PLAYER])
    house.open_table()
    refused(PeopleRefusal.INVITED_ALONE, lambda: house.people.accept(staff, PASSWORD))
    assert house.people.accept(player, PASSWORD).name == "Ann"


def test_accounts_of_the_first_set_up_approve_for_one_another_and_the_log_marks_them(house: HouseOfPeople) -> None:
    house.founder()
    flo, fay = house.stepped_up("Flo"), house.stepped_up("Fay", Role.FLOOR)
    house.open_table()
    house.invited("Gil", Role.FLOOR, by=flo, second=fay)
    log = {(entry.action, entry.subject): entry.after for entry in house.people.log()}
    assert log["house-set-up", "Flo"]["founder"] is True
    assert log["invitation-accepted", "Fay"]["founder"] is True
    assert "founder" not in log["invitation-accepted", "Gil"]
    assert log["person-invited", "Gil"]["approved_by"] == "Fay"
    (used,) = (entry for entry in house.people.log() if entry.action == "approval-used")
    assert used.after["founders"] is True


def test_a_later_account_and_its_inviter_do_not_approve_for_each_other_for_thirty_days(house: HouseOfPeople) -> None:
    house.founder()
    flo, fay = house.stepped_up("Flo"), house.stepped_up("Fay", Role.FLOOR)
    house.open_table()
    house.invited("Gil", Role.FLOOR, by=flo, second=fay)
    gil = house.stepped_up("Gil")

    def recover(asker: Session, approver: Session) -> None:
        house.people.approve(approver, ask(house, asker, operation="invite", name="Eve", roles=["dealer"]).id)

    close = refused(PeopleRefusal.APPROVAL_TOO_CLOSE, lambda: recover(flo, gil))
    assert close.details == {"name": "Flo", "days": 30}
    refused(PeopleRefusal.APPROVAL_TOO_CLOSE, lambda: recover(gil, flo))
    recover(fay, gil)
    house.later(days=30, seconds=1)
    flo, gil = house.stepped_up("Flo"), house.stepped_up("Gil")
    recover(flo, gil)


def test_a_recovered_account_does_not_approve_for_the_person_who_recovered_it(house: HouseOfPeople) -> None:
    """Otherwise two people who recover a third account have a third vote."""
    house.founder()
    flo, fay = house.stepped_up("Flo"), house.stepped_up("Fay", Role.FLOOR)
    house.person("Gil", Role.FLOOR)
    approval, _ = house.people.approve(fay, ask(house, flo, operation="make a way back", name="Gil").id)
    house.people.accept(house.people.approved_link(approval) or "", PASSWORD)
    gil = house.stepped_up("Gil")
    asked = ask(house, flo, operation="invite", name="Eve", roles=["floor"])
    refused(PeopleRefusal.APPROVAL_TOO_CLOSE, lambda: house.people.approve(gil, asked.id))


def test_a_disabled_account_is_enabled_as_it_was_by_two_people(house: HouseOfPeople) -> None:
    """No way led back before."""
    founder = house.founder()
    flo, fay = house.stepped_up("Flo"), house.stepped_up("Fay", Role.FLOOR)
    house.stepped_up("Dan", Role.DEALER)
    house.person("Ann", Role.PLAYER)
    house.open_table()
    for name in ("Dan", "Ann"):
        house.people.disable(founder, name)
    refused(PeopleRefusal.SECOND_PERSON_NEEDED, lambda: house.people.enable(founder, "Dan"))
    refused(PeopleRefusal.PERSON_ENABLED, lambda: ask(house, flo, operation="enable", name="Fay"))
    house.people.approve(fay, ask(house, flo, operation="enable", name="dan").id)
    assert house.session("Dan").person.has_totp
    assert not house.people.enable(founder, "Ann").disabled
    assert house.session("Ann").person.name == "Ann"
    enabled = [(entry.actor, entry.subject) for entry in house.people.log() if entry.action == "account-enabled"]
    assert enabled == [("Flo", "Dan"), ("Flo", "Ann")]


def test_an_enabled_account_does_not_approve_for_the_person_who_had_it_enabled(house: HouseOfPeople) -> None:
    founder = house.founder()
    flo, fay = house.stepped_up("Flo"), house.stepped_up("Fay", Role.FLOOR)
    gil = house.stepped_up("Gil", Role.FLOOR)
    house.open_table()
    house.people.disable(founder, "Gil")
    house.people.approve(fay, ask(house, flo, operation="enable", name="Gil").id)
    gil = house.stepped_up("Gil")
    asked = ask(house, flo, operation="invite", name="Eve", roles=["floor"])
    refused(PeopleRefusal.APPROVAL_TOO_CLOSE, lambda: house.people.approve(gil, asked.id))


def test_giving_a_staff_role_takes_two_people_and_taking_it_away_one(house: HouseOfPeople) -> None:
    founder = house.founder()
    flo, fay = house.stepped_up("Flo"), house.stepped_up("Fay", Role.FLOOR)
    dan = house.stepped_up("Dan", Role.DEALER)
    house.open_table()
    refused(PeopleRefusal.SECOND_PERSON_NEEDED, lambda: house.people.change_roles(founder, "Dan", [Role.FLOOR]))
    refused(PeopleRefusal.NOT_ALONE, lambda: ask(house, flo, operation="change roles", name="Flo", roles=["cashier"]))
    raised = ask(house, flo, operation="change roles", name="Dan", roles=["floor"])
    _, ended = house.people.approve(fay, raised.id)
    assert ended is not None
    assert ended.roles == {Role.FLOOR}
    assert house.current(dan) is None, "they sign in again with their new role"
    gil = house.stepped_up("Dan")
    own = ask(house, flo, operation="invite", name="Eve", roles=["floor"])
    refused(PeopleRefusal.APPROVAL_TOO_CLOSE, lambda: house.people.approve(gil, own.id))
    assert house.people.change_roles(founder, "Dan", [Role.PLAYER]).roles == {Role.PLAYER}


def test_the_last_person_on_the_floor_keeps_the_role(house: HouseOfPeople) -> None:
    flo = house.founder()
    house.person("Fay", Role.FLOOR)
    house.people.change_roles(flo, "Fay", [Role.DEALER])
    (fay,) = (person for person in house.people.people() if person.name == "Fay")
    assert fay.roles == {Role.DEALER}
    refused(PeopleRefusal.NOT_ALONE, lambda: house.people.change_roles(flo, "Flo", [Role.DEALER]))
