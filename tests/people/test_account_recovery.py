"""Recovery links for people who lost their password or authenticator; on both databases."""

from people.house_of_people import PASSWORD, HouseOfPeople, refused

from upcard.people import PeopleRefusal, Role


def test_a_recovery_link_sets_a_password_and_removes_the_authenticator(house: HouseOfPeople) -> None:
    people = house.people
    old_session = house.stepped_up("Dan", Role.DEALER)
    fay = house.person("Fay", Role.FLOOR)
    first = people.recovery_token("dan", by=fay)
    token = people.recovery_token("Dan", by=fay)
    assert house.current(old_session) is not None, "a link alone changes nothing"
    refused(PeopleRefusal.TOKEN_INVALID, lambda: people.accept(first, "another long password"))
    dan = people.accept(token, "another long password")
    assert dan.roles == {Role.DEALER}
    assert not dan.has_totp
    assert house.current(old_session) is None
    refused(PeopleRefusal.TOKEN_INVALID, lambda: people.accept(token, "another long password"))
    refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: people.sign_in("Dan", PASSWORD))
    people.enrol_totp(people.sign_in("Dan", "another long password"))
    assert ("Fay", "recovery-link-created", "Dan") in house.logged()
    assert ("Dan", "account-recovered", "Dan") in house.logged()


def test_a_recovery_link_is_made_by_somebody_else_on_the_floor_or_the_operator(house: HouseOfPeople) -> None:
    people, flo = house.people, house.founder()
    dan, guest = house.person("Dan", Role.DEALER), people.add_guest()
    refused(PeopleRefusal.NOT_ALONE, lambda: people.recovery_token("FLO", by=flo))
    refused(PeopleRefusal.NOT_ALLOWED, lambda: people.recovery_token("Flo", by=dan))
    refused(PeopleRefusal.PERSON_UNKNOWN, lambda: people.recovery_token("Nan", by=flo))
    refused(PeopleRefusal.GUESTS_PLAY, lambda: people.recovery_token(guest.name, by=flo))
    late = people.recovery_token("Flo", by=None)
    house.later(hours=1, seconds=1)
    refused(PeopleRefusal.TOKEN_INVALID, lambda: people.accept(late, "another long password"))
    assert people.accept(people.recovery_token("Flo", by=None), "another long password").roles == {Role.FLOOR}


def test_a_recovery_link_clears_the_sign_in_throttle(house: HouseOfPeople) -> None:
    """They forgot their password, so they have tried old ones."""
    people, flo = house.people, house.founder()
    house.person("Dan", Role.DEALER)
    for _ in range(5):
        refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: people.sign_in("Dan", "an old password"))
    refused(PeopleRefusal.TOO_MANY_TRIES, lambda: people.sign_in("Dan", PASSWORD))
    people.accept(people.recovery_token("Dan", by=flo), "another long password")
    assert people.sign_in("Dan", "another long password").person.name == "Dan"


def test_a_disabled_account_cannot_be_recovered(house: HouseOfPeople) -> None:
    people, flo = house.people, house.founder()
    house.person("Dan", Role.DEALER)
    link = people.recovery_token("Dan", by=flo)
    people.disable(flo, "Dan")
    refused(PeopleRefusal.PERSON_DISABLED, lambda: people.recovery_token("Dan", by=None))
    refused(PeopleRefusal.PERSON_DISABLED, lambda: people.accept(link, "another long password"))
