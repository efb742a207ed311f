"""How people get an account: set-up links, invitations, guests; on both databases."""

from concurrent.futures import ThreadPoolExecutor

from people.house_of_people import PASSWORD, HouseOfPeople, refused

from upcard.people import PeopleRefusal, PeopleRefused, Person, Role


def test_a_set_up_token_makes_the_first_floor_account_once(house: HouseOfPeople) -> None:
    first = house.people.setup_token()
    token = house.people.setup_token()
    assert first is not None
    assert token is not None
    refused(PeopleRefusal.TOKEN_INVALID, lambda: house.people.set_up(first, "Flo", PASSWORD))  # replaced
    refused(PeopleRefusal.TOKEN_INVALID, lambda: house.people.accept(token, PASSWORD))  # no invitation
    assert house.people.set_up(token, "Flo", PASSWORD) == Person(name="Flo", roles=frozenset({Role.FLOOR}))
    refused(PeopleRefusal.TOKEN_INVALID, lambda: house.people.set_up(token, "Eve", PASSWORD))
    assert house.people.setup_token() is None
    second = house.people.setup_token(second=True)
    assert second is not None, "the operator can add a second person, whom one person could not invite later"
    house.people.set_up(second, "Fay", PASSWORD)
    assert house.people.setup_token(second=True) is None


def test_a_set_up_token_is_good_for_a_day(house: HouseOfPeople) -> None:
    token = house.people.setup_token()
    assert token is not None
    house.later(hours=24, seconds=1)
    refused(PeopleRefusal.TOKEN_INVALID, lambda: house.people.set_up(token, "Flo", PASSWORD))
    assert house.people.people() == []


def test_only_one_of_four_concurrent_set_ups_succeeds(house: HouseOfPeople) -> None:
    token = house.people.setup_token()
    assert token is not None

    def try_it(name: str) -> bool:
        try:
            return bool(house.people.set_up(token, name, PASSWORD))
        except PeopleRefused:
            return False

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(try_it, ["A1", "B2", "C3", "D4"])) == 1
    assert len(house.people.people()) == 1


def test_only_the_floor_invites_and_only_for_roles_that_go_together(house: HouseOfPeople) -> None:
    flo = house.founder()
    dan = house.person("Dan", Role.DEALER)
    refused(PeopleRefusal.NOT_ALLOWED, lambda: house.people.invite(dan, "Eve", [Role.FLOOR]))
    forged = Person(name="Dan", roles=frozenset({Role.FLOOR}))
    refused(PeopleRefusal.NOT_ALLOWED, lambda: house.people.invite(forged, "Eve", [Role.FLOOR]))
    clash = refused(PeopleRefusal.ROLES_CLASH, lambda: house.people.invite(flo, "Eve", [Role.DEALER, Role.CASHIER]))
    assert "dealers do not exchange chips for cash" in str(clash)
    refused(PeopleRefusal.NO_ROLE, lambda: house.people.invite(flo, "Eve", []))
    refused(PeopleRefusal.NAME_TAKEN, lambda: house.people.invite(flo, "DAN", [Role.PLAYER]))
    refused(PeopleRefusal.NAME_TAKEN, lambda: house.people.invite(flo, "Clock", [Role.PLAYER]))
    for name in ("", " Eve", "player:Eve", "E#1", "Eve\n", "E\0", "x" * 81):
        refused(PeopleRefusal.BAD_NAME, lambda name=name: house.people.invite(flo, name, [Role.PLAYER]))  # type: ignore[misc]  # a default binds the loop's own value


def test_an_invitation_works_once_and_a_newer_one_replaces_it(house: HouseOfPeople) -> None:
    flo = house.founder()
    old, token = (house.people.invite(flo, "Ann", [Role.PLAYER]) for _ in range(2))
    refused(PeopleRefusal.TOKEN_INVALID, lambda: house.people.accept(old, PASSWORD))
    refused(PeopleRefusal.PASSWORD_SHORT, lambda: house.people.accept(token, "short"))
    refused(PeopleRefusal.PASSWORD_COMMON, lambda: house.people.accept(token, "Password1234"))
    refused(PeopleRefusal.PASSWORD_COMMON, lambda: house.people.accept(token, "ann123456789"))
    refused(PeopleRefusal.PASSWORD_LONG, lambda: house.people.accept(token, PASSWORD * 20))
    assert house.people.accept(token, PASSWORD).roles == {Role.PLAYER}
    refused(PeopleRefusal.TOKEN_INVALID, lambda: house.people.accept(token, PASSWORD))
    late = house.people.invite(flo, "Bob", [Role.PLAYER])
    house.later(days=4)
    refused(PeopleRefusal.TOKEN_INVALID, lambda: house.people.accept(late, PASSWORD))


def test_a_guest_is_a_player_without_a_password(house: HouseOfPeople) -> None:
    flo = house.founder()
    guest = house.people.add_guest()
    assert guest.guest
    assert guest.roles == {Role.PLAYER}
    assert guest.name.startswith("Guest ")
    session = house.people.sign_in_guest(guest)
    house.later(hours=23)
    assert house.people.session(session.token) is not None
    refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in(guest.name, ""))
    refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in_guest(flo))
    house.later(hours=25)
    assert house.people.session(session.token) is None
