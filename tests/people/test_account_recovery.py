"""Recovery links for people who lost their password or authenticator; on both databases."""

import json

from people.house_of_people import PASSWORD, HouseOfPeople, refused

from upcard.people import Approval, PeopleRefusal, Role, Session

NEW = "another long password"
DAN = json.dumps({"operation": "make a way back", "name": "dan"})


def test_two_people_make_a_recovery_link_that_works_once(house: HouseOfPeople) -> None:
    """It sets a password, removes the authenticator and ends all sessions."""
    people = house.people
    house.founder()
    flo, fay = house.stepped_up("Flo"), house.stepped_up("Fay", Role.FLOOR)
    old_session = house.stepped_up("Dan", Role.DEALER)
    asked = people.ask(flo, DAN)
    assert people.approved_link(asked) is None
    approval, _ = people.approve(fay, asked.id)
    token = people.approved_link(approval)
    assert token is not None
    assert people.approved_link(people.approval(asked.id)) == token, "the person who asked can read it again"
    assert house.current(old_session) is not None, "a link alone changes nothing"
    dan = people.accept(token, NEW)
    assert dan.roles == {Role.DEALER}
    assert not dan.has_totp
    assert house.current(old_session) is None
    refused(PeopleRefusal.TOKEN_INVALID, lambda: people.accept(token, NEW))
    assert people.approved_link(approval) is None
    refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: people.sign_in("Dan", PASSWORD))
    people.enrol_totp(people.sign_in("Dan", NEW))
    assert ("Flo", "recovery-link-created", "Dan") in house.logged()
    assert ("Dan", "account-recovered", "Dan") in house.logged()


def test_one_approval_makes_one_link_and_not_after_its_time_or_its_approver(house: HouseOfPeople) -> None:
    """Five links were made from one approval, the last after 16 minutes with the approver disabled."""
    people = house.people
    flo = house.founder()
    asker, fay = house.stepped_up("Flo"), house.stepped_up("Fay", Role.FLOOR)
    house.person("Dan", Role.DEALER)
    first = people.ask(asker, DAN, key="one")
    people.approve(fay, first.id)
    refused(PeopleRefusal.APPROVAL_GIVEN, lambda: people.approve(fay, first.id))
    assert people.ask(asker, DAN, key="one").id == first.id, "asked again, it is the same request"
    late, orphaned = (people.ask(asker, DAN) for _ in range(2))
    people.disable(flo, "Fay")
    refused(PeopleRefusal.SESSION_OVER, lambda: people.approve(fay, orphaned.id))
    gil = house.stepped_up("Gil", Role.FLOOR)
    house.later(minutes=15, seconds=1)
    gil = house.stepped_up("Gil")
    refused(PeopleRefusal.APPROVAL_EXPIRED, lambda: people.approve(gil, late.id))
    links = [entry for entry in house.logged() if entry[1] == "recovery-link-created"]
    assert links == [("Flo", "recovery-link-created", "Dan")]


def test_nobody_takes_part_in_recovering_their_own_account(house: HouseOfPeople) -> None:
    people = house.people
    house.founder()
    flo, fay = house.stepped_up("Flo"), house.stepped_up("Fay", Role.FLOOR)
    dan, guest = house.stepped_up("Dan", Role.DEALER), people.add_guest()

    def ask(session: Session, name: str) -> Approval:
        return people.ask(session, json.dumps({"operation": "make a way back", "name": name}))

    refused(PeopleRefusal.NOT_ALONE, lambda: ask(flo, "FLO"))
    refused(PeopleRefusal.NOT_ALLOWED, lambda: ask(dan, "Flo"))
    refused(PeopleRefusal.PERSON_UNKNOWN, lambda: ask(flo, "Nan"))
    refused(PeopleRefusal.GUESTS_PLAY, lambda: ask(flo, guest.name))
    own = ask(flo, "Fay")
    refused(PeopleRefusal.NOT_ALONE, lambda: people.approve(fay, own.id))
    assert people.approval_state(people.approval(own.id)) == "waiting", "a refusal uses nothing up"


def test_the_operator_makes_a_recovery_link_that_expires_after_an_hour(house: HouseOfPeople) -> None:
    people = house.people
    house.founder()
    late = people.recovery_token("Flo")
    house.later(hours=1, seconds=1)
    refused(PeopleRefusal.TOKEN_INVALID, lambda: people.accept(late, NEW))
    assert people.accept(people.recovery_token("Flo"), NEW).roles == {Role.FLOOR}


def test_a_recovery_link_clears_the_sign_in_throttle(house: HouseOfPeople) -> None:
    """They forgot their password, so they have tried old ones."""
    people = house.people
    house.person("Dan", Role.DEALER)
    for _ in range(5):
        refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: people.sign_in("Dan", "an old password"))
    refused(PeopleRefusal.TOO_MANY_TRIES, lambda: people.sign_in("Dan", PASSWORD))
    people.accept(people.recovery_token("Dan"), NEW)
    assert people.sign_in("Dan", NEW).person.name == "Dan"


def test_a_disabled_account_cannot_be_recovered(house: HouseOfPeople) -> None:
    people, flo = house.people, house.founder()
    house.person("Dan", Role.DEALER)
    link = people.recovery_token("Dan")
    people.disable(flo, "Dan")
    refused(PeopleRefusal.PERSON_DISABLED, lambda: people.recovery_token("Dan"))
    refused(PeopleRefusal.PERSON_DISABLED, lambda: people.accept(link, NEW))
