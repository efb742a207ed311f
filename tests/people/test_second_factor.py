"""Guessing passwords and codes: separate counts, and every path throttled by person, address and network; on both
databases."""

import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from people.house_of_people import PASSWORD, HouseOfPeople, refused

from upcard.people import PeopleRefusal, PeopleRefused, Role, Session
from upcard.people.network import address_of, network_of
from upcard.people.passwords import check

WRONG = "000000"
NEW = "eight blue chairs at the wall"


def reasons(attempt: Callable[[int], object], times: int) -> list[PeopleRefusal]:
    """Why each of many attempts was refused; all of them must be."""
    caught = []
    for number in range(times):
        with pytest.raises(PeopleRefused) as error:
            attempt(number)
        caught.append(error.value.reason)
    return caught


def test_changing_the_password_does_not_clear_the_count_of_wrong_codes(house: HouseOfPeople) -> None:
    """60 wrong codes were tried in 6.9 s, with the own password changed after every fifth."""
    house.founder()
    session = house.stepped_up("Flo")
    assert reasons(lambda _: house.people.step_up(session, WRONG), 5) == [PeopleRefusal.CODE_WRONG] * 5
    house.people.change_password(session, PASSWORD, NEW)
    assert reasons(lambda _: house.people.step_up(session, WRONG), 3) == [PeopleRefusal.TOO_MANY_TRIES] * 3


def test_only_a_right_code_clears_the_count_of_wrong_codes(house: HouseOfPeople) -> None:
    """Signing in with the right password does not, whether the code is left out or wrong."""
    house.founder()
    session = house.stepped_up("Flo")
    sign_in = house.people.sign_in
    for _ in range(4):
        refused(PeopleRefusal.CODE_WRONG, lambda: sign_in("Flo", PASSWORD, WRONG))
        refused(PeopleRefusal.CODE_NEEDED, lambda: sign_in("Flo", PASSWORD))
    refused(PeopleRefusal.CODE_WRONG, lambda: house.people.step_up(session, WRONG))
    refused(PeopleRefusal.TOO_MANY_TRIES, lambda: sign_in("Flo", PASSWORD, house.code(house.secrets["Flo"])))
    house.later(minutes=15)
    assert house.people.stepped_up(sign_in("Flo", PASSWORD, house.new_code("Flo")))
    assert reasons(lambda _: sign_in("Flo", PASSWORD, WRONG), 5) == [PeopleRefusal.CODE_WRONG] * 5


def test_being_asked_for_a_code_is_not_counted_as_a_wrong_attempt(house: HouseOfPeople) -> None:
    """All of the staff sign in from one address, with the password first and the code after it."""
    house.founder()
    house.stepped_up("Flo")
    for _ in range(35):
        refused(PeopleRefusal.CODE_NEEDED, lambda: house.people.sign_in("Flo", PASSWORD, source="192.0.2.1"))
        house.people.sign_in("Flo", PASSWORD, house.new_code("Flo"), source="192.0.2.1")


def test_staff_sign_in_with_a_code_that_works_once(house: HouseOfPeople) -> None:
    house.stepped_up("Dan", Role.DEALER)
    ann = house.session("Ann", Role.PLAYER)
    refused(PeopleRefusal.CODE_NEEDED, lambda: house.people.sign_in("Dan", PASSWORD))
    code = house.new_code("Dan")
    assert house.people.stepped_up(house.people.sign_in("Dan", PASSWORD, code))
    refused(PeopleRefusal.CODE_WRONG, lambda: house.people.sign_in("Dan", PASSWORD, code))
    refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in("Dan", "no", house.new_code("Dan")))
    assert not house.people.stepped_up(ann), "players need none, unless they choose to"


def test_a_player_may_choose_a_second_factor_and_give_it_up_again(house: HouseOfPeople) -> None:
    """ASVS 6.3.3, as an option."""
    people, ann = house.people, house.stepped_up("Ann", Role.PLAYER)
    assert ann.person.has_totp
    refused(PeopleRefusal.CODE_NEEDED, lambda: people.sign_in("Ann", PASSWORD))
    refused(PeopleRefusal.CODE_WRONG, lambda: people.sign_in("Ann", PASSWORD, WRONG))
    session = people.sign_in("Ann", PASSWORD, house.new_code("Ann"))
    house.later(minutes=6)
    refused(PeopleRefusal.STEP_UP_FIRST, lambda: people.remove_totp(session))
    people.step_up(session, house.new_code("Ann"))
    people.remove_totp(session)
    assert house.logged()[-1] == ("Ann", "authenticator-removed", "Ann")
    assert not people.sign_in("Ann", PASSWORD).person.has_totp
    refused(PeopleRefusal.CODES_MISSING, lambda: people.remove_totp(session))


def test_staff_keep_their_authenticator_and_guests_have_none(house: HouseOfPeople) -> None:
    dan = house.stepped_up("Dan", Role.DEALER)
    refused(PeopleRefusal.STAFF_NEED_CODES, lambda: house.people.remove_totp(dan))
    guest = house.people.sign_in_guest(house.people.add_guest())
    refused(PeopleRefusal.GUESTS_PLAY, lambda: house.people.enrol_totp(guest))


def test_a_new_password_that_is_too_easy_is_not_a_wrong_attempt(house: HouseOfPeople) -> None:
    """Whoever knows their password may look for a good new one."""
    ann = house.session("Ann", Role.PLAYER)
    for _ in range(8):
        refused(PeopleRefusal.PASSWORD_COMMON, lambda: house.people.change_password(ann, PASSWORD, "Password1234!"))
    house.people.change_password(ann, PASSWORD, NEW)


@pytest.mark.parametrize("path", ["sign in", "step up", "password"])
def test_somebody_who_keeps_guessing_does_not_fill_the_log(house: HouseOfPeople, path: str) -> None:
    """One entry per wait; the next one says how many attempts have none."""
    house.founder()
    session = house.stepped_up("Flo")
    people = house.people
    attempts: dict[str, Callable[[], object]] = {
        "sign in": lambda: people.sign_in("Flo", "no"),
        "step up": lambda: people.step_up(session, WRONG),
        "password": lambda: people.change_password(session, "no", NEW),
    }
    for _ in range(5):
        with pytest.raises(PeopleRefused):
            attempts[path]()
    for _ in range(40):
        refused(PeopleRefusal.TOO_MANY_TRIES, attempts[path])
    house.later(seconds=1)
    with pytest.raises(PeopleRefused):
        attempts[path]()  # the next wait begins
    for _ in range(40):
        refused(PeopleRefusal.TOO_MANY_TRIES, attempts[path])
    throttled = [entry.after for entry in people.log(most=5000) if entry.action.endswith("-throttled")]
    assert [(entry["seconds"], entry.get("unlogged")) for entry in throttled] == [(1, None), (2, 39)]


@pytest.mark.parametrize("path", ["sign in", "code at sign-in", "step up", "confirm", "password", "link"])
def test_every_path_is_throttled_by_address_and_network(house: HouseOfPeople, path: str) -> None:
    """Whoever spreads their attempts over many people, or over a whole IPv6 network, waits all the same."""
    house.founder()
    session = house.stepped_up("Flo")
    people, fresh = house.people, house.session("Dan", Role.DEALER)
    people.enrol_totp(fresh)

    def attempt(number: int, source: str) -> object:
        attempts: dict[str, Callable[[], object]] = {
            "sign in": lambda: people.sign_in(f"Nobody {number}", PASSWORD, source=source),
            "code at sign-in": lambda: people.sign_in("Flo", PASSWORD, WRONG, source=source),
            "step up": lambda: people.step_up(session, WRONG, source=source),
            "confirm": lambda: people.confirm_totp(fresh, WRONG, source=source),
            "password": lambda: people.change_password(session, "no", NEW, source=source),
            "link": lambda: people.accept("0" * 64, NEW, source=source),
        }
        house.later(minutes=0 if path in ("sign in", "link") else 15)  # the person's own wait is over
        keep_alive(house, session, fresh)
        return attempts[path]()

    one_network = [f"2001:db8:0:1::{number:x}" for number in range(30)]
    assert PeopleRefusal.TOO_MANY_TRIES not in reasons(lambda number: attempt(number, one_network[number]), 30)
    sources = {entry.after.get("source") for entry in people.log(most=5000)}
    assert sources >= set(one_network) or path == "link", "the log says where each attempt came from"
    sign_in = people.sign_in
    refused(PeopleRefusal.TOO_MANY_TRIES, lambda: sign_in("Zed", "no", source="2001:db8:0:1:ffff::1"))
    refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: sign_in("Zed", "no", source="2001:db8:0:2::1"))


def keep_alive(house: HouseOfPeople, *sessions: Session) -> None:
    for session in sessions:
        house.current(session, active=True)


def test_a_network_is_throttled_when_its_addresses_are_not(house: HouseOfPeople) -> None:
    house.founder()

    def attempt(number: int) -> object:
        return house.people.sign_in(f"N{number}", "no", source=f"192.0.2.{number % 250}")

    caught = reasons(attempt, 302)
    assert caught.index(PeopleRefusal.TOO_MANY_TRIES) == 300
    refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in("Z", "no", source="198.51.100.1"))


@pytest.mark.parametrize(
    ("source", "address", "network"),
    [
        ("192.0.2.7", "192.0.2.7/32", "192.0.2.0/24"),
        ("::ffff:192.0.2.7", "192.0.2.7/32", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("fe80::1%eth0", "fe80::/64", "fe80::/48"),
        ("unknown", "unknown", "unknown"),
    ],
)
def test_an_ipv6_network_of_64_bits_is_one_address(source: str, address: str, network: str) -> None:
    assert (address_of(source), network_of(source)) == (address, network)


@pytest.mark.parametrize(
    "password",
    [
        "Password1234!",
        "P@ssw0rd12345",
        "Flo Flo Flo 1",
        "blackjack1234",
        "qwertyuiop[]",
        "aaaaaaaaaaaaaaaa",
        "12/03/1985 12",
    ],
)
def test_a_password_that_is_easy_to_guess_is_refused(password: str) -> None:
    refused(PeopleRefusal.PASSWORD_COMMON, lambda: check(password, "Flo"))


@pytest.mark.parametrize(
    "password", [PASSWORD, NEW, "kT9#vQ2!mZ7x", "another long password", "\U0001f0a1" * 3 + PASSWORD]
)
def test_a_password_that_is_hard_to_guess_is_accepted(password: str) -> None:
    check(password, "Flo")


@pytest.mark.parametrize("password", ["4@8({[<3691!|0$5+7%2" * 12, "p@$$w0rd!p4$5w0rd|1{([" * 11, "8@4" * 85])
def test_no_password_takes_long_to_judge(password: str) -> None:
    """40 characters took ten seconds of the processor, and nobody played meanwhile."""
    check(PASSWORD, "Flo")  # loads the lists of words
    began = time.process_time()
    with suppress(PeopleRefused):
        check(password, "Flo")
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    "name",
    ["ANN", "ann", "A\u200bnn", "\u202eAnn", "Ann\u200f", "\ufeffAnn", "\uff21\uff4e\uff4e", "An\ufe0fn", " Ann"],
)
def test_variants_of_a_name_are_the_same_name(house: HouseOfPeople, name: str) -> None:
    flo = house.founder()
    house.person("Ann", Role.PLAYER)
    found = house.people.find(name)
    assert found is not None
    assert found.name == "Ann"
    assert house.people.open_walk_in(flo, name).name == "Ann"
    assert [person.name for person in house.people.people()] == ["Ann", "Flo"]
