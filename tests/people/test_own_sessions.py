"""A person's own sessions: the list, ending those they do not know, how many there may be; on both databases."""

from datetime import timedelta

import pytest
from people.house_of_people import PASSWORD, HouseOfPeople, refused

from upcard.people import PeopleRefusal, Role, schema


def test_people_see_where_and_when_their_sessions_began(house: HouseOfPeople) -> None:
    house.person("Ann", Role.PLAYER)
    house.person("Bob", Role.PLAYER)
    began = house.at
    phone = house.people.sign_in("Ann", PASSWORD, source="192.0.2.7")
    house.later(minutes=5)
    house.people.sign_in("Bob", PASSWORD, source="198.51.100.9")
    desk = house.people.sign_in("Ann", PASSWORD)
    house.later(minutes=2)
    house.current(phone, active=True)
    house.later(minutes=1)
    first, second = house.people.own_sessions(desk)
    assert (first.source, first.began, first.is_current) == ("192.0.2.7", began, False)
    assert first.seen == began + timedelta(minutes=7)
    assert (second.source, second.is_current) == ("", True)
    assert phone.id.startswith(first.id)
    assert first.id not in (phone.id, phone.token, phone.csrf), "what is shown opens nothing"
    house.later(hours=13)
    assert [line.is_current for line in house.people.own_sessions(house.session("Ann"))] == [True], "those that ended"


def test_a_person_ends_one_session_or_all_others_with_their_password(house: HouseOfPeople) -> None:
    """ASVS 7.5.2: for players and staff, after they have shown again who they are."""
    flo, people = house.founder(), house.people
    own = house.stepped_up("Flo")
    phone, tablet, desk = (house.session("Flo") for _ in range(3))
    other = house.session("Ann", Role.PLAYER)
    shown = next(line.id for line in people.own_sessions(own) if phone.id.startswith(line.id))
    refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: people.end_own_sessions(own, "no", shown))
    assert house.current(phone) is not None
    assert people.end_own_sessions(own, PASSWORD, shown) == [phone.id]
    assert house.current(phone) is None
    assert house.current(tablet) is not None
    assert house.logged()[-1] == (flo.name, "sessions-ended", flo.name)
    assert set(people.end_own_sessions(own, PASSWORD)) == {tablet.id, desk.id}
    assert house.current(own) is not None
    assert house.current(other) is not None, "nobody else's"
    assert people.end_own_sessions(own, PASSWORD) == []


@pytest.mark.parametrize("guess", ["", "0" * 16, "{other}", "{own}", "{phone}"])
def test_no_id_ends_the_session_of_another_person_or_ones_own(house: HouseOfPeople, guess: str) -> None:
    own, phone = house.session("Ann", Role.PLAYER), house.session("Ann")
    other = house.session("Bob", Role.PLAYER)
    ids = {"{other}": other.id[:16], "{own}": own.id[:16], "{phone}": phone.id[:8]}
    if guess:
        refused(
            PeopleRefusal.SESSION_UNKNOWN, lambda: house.people.end_own_sessions(own, PASSWORD, ids.get(guess, guess))
        )
        assert house.current(phone) is not None
    else:
        house.people.end_own_sessions(own, PASSWORD)
    assert house.current(own) is not None
    assert house.current(other) is not None


def test_ending_sessions_is_throttled_like_changing_the_password(house: HouseOfPeople) -> None:
    own = house.session("Ann", Role.PLAYER)
    for _ in range(5):
        refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.end_own_sessions(own, "no"))
    refused(PeopleRefusal.TOO_MANY_TRIES, lambda: house.people.end_own_sessions(own, PASSWORD))
    refused(PeopleRefusal.TOO_MANY_TRIES, lambda: house.people.change_password(own, PASSWORD, "x" * 20))


def test_a_guest_has_no_sessions_to_end(house: HouseOfPeople) -> None:
    house.founder()
    guest = house.people.sign_in_guest(house.people.add_guest())
    assert [line.is_current for line in house.people.own_sessions(guest)] == [True]
    refused(PeopleRefusal.NO_PASSWORD, lambda: house.people.end_own_sessions(guest, PASSWORD))


def test_signing_in_again_and_again_does_not_fill_the_book(house: HouseOfPeople) -> None:
    """The session that was not used for the longest time ends."""
    house.person("Ann", Role.PLAYER)
    other = house.session("Bob", Role.PLAYER)
    used, *others = [house.people.sign_in("Ann", PASSWORD) for _ in range(50)]
    house.later(minutes=2)
    house.current(used, active=True)
    house.people.sign_in("Ann", PASSWORD)
    assert len(house.rows(schema.sessions)) == 51
    assert house.current(used) is not None
    assert house.current(other) is not None
    assert sum(house.current(session) is None for session in others) == 1
