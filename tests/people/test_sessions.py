"""When sessions end, and how they are proved: CSRF tokens and tickets; on both databases."""

import threading
from concurrent.futures import ThreadPoolExecutor

from people.house_of_people import PASSWORD, HouseOfPeople, refused

from upcard.people import PeopleRefusal, PeopleRefused, Person, Role, schema
from upcard.people.register import Register


def test_a_session_ends_when_idle_and_after_twelve_hours(house: HouseOfPeople) -> None:
    house.founder()
    idle = house.session("Flo")
    house.later(minutes=15, seconds=1)
    assert house.people.session(idle.token) is None
    busy = house.session("Flo")
    for _ in range(48):
        house.later(minutes=15)
        current = house.people.session(busy.token)
        assert current is not None
        assert current == busy
    house.later(seconds=1)
    assert house.people.session(busy.token) is None


def test_an_open_connection_alone_does_not_keep_a_session_alive(house: HouseOfPeople) -> None:
    house.founder()
    session = house.session("Flo")
    house.later(minutes=10)
    assert house.current(session) == session
    house.later(minutes=6)
    assert house.current(session, active=True) is None
    busy = house.session("Flo")
    for _ in range(3):
        house.later(minutes=10)
        assert house.current(busy, active=True) == busy


def test_last_seen_is_written_at_most_once_a_minute(house: HouseOfPeople) -> None:
    house.founder()
    session = house.session("Flo")
    times = set()
    for _ in range(120):
        house.later(seconds=1)
        house.people.session(session.token)
        times |= {row["seen"] for row in house.rows(schema.sessions)}
    assert len(times) == 3


def test_staff_are_signed_out_sooner_than_players_and_displays_never_idle(house: HouseOfPeople) -> None:
    ann, dan = house.session("Ann", Role.PLAYER), house.session("Dan", Role.DEALER)
    screen = house.session("Sign", Role.DISPLAY)
    house.later(minutes=15, seconds=1)
    assert house.current(dan) is None
    assert house.current(ann) is not None
    house.later(minutes=15)
    assert house.current(ann) is None
    house.later(days=29)
    assert house.current(screen) is not None
    house.later(days=1)
    assert house.current(screen) is None


def test_signing_out_ends_the_session_and_its_tickets(house: HouseOfPeople) -> None:
    house.founder()
    first, second = house.session("Flo"), house.session("Flo")
    ticket = house.people.ticket(first, "table:T1")
    house.people.sign_out(first.token)
    house.people.sign_out(first.token)
    assert house.people.session(first.token) is None
    assert house.current(first) is None
    assert house.people.redeem(ticket, "table:T1") is None
    refused(PeopleRefusal.SESSION_OVER, lambda: house.people.ticket(first, "table:T1"))
    refused(PeopleRefusal.SESSION_OVER, lambda: house.people.enrol_totp(first))
    refused(PeopleRefusal.SESSION_OVER, lambda: house.people.ask(first, "{}"))
    assert house.people.session(second.token) == second


def test_a_new_password_ends_all_other_sessions(house: HouseOfPeople) -> None:
    house.founder()
    this_one, other = house.session("Flo"), house.session("Flo")
    new = "eight blue chairs at the wall"
    refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.change_password(this_one, "no", new))
    refused(PeopleRefusal.PASSWORD_SHORT, lambda: house.people.change_password(this_one, PASSWORD, "short"))
    house.people.change_password(this_one, PASSWORD, new)
    assert house.current(this_one) == this_one
    assert house.current(other) is None
    refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in("Flo", PASSWORD))
    house.people.sign_in("Flo", new)
    refused(PeopleRefusal.SESSION_OVER, lambda: house.people.change_password(other, new, PASSWORD))


def test_disabling_an_account_ends_its_sessions_for_good(house: HouseOfPeople) -> None:
    flo, dan = house.founder(), house.session("Dan", Role.DEALER)
    assert house.people.disable(flo, "Dan").disabled
    assert house.people.session(dan.token) is None
    refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in("Dan", PASSWORD))


def test_no_session_of_a_disabled_account_counts_however_it_got_there(house: HouseOfPeople) -> None:
    dan = house.session("Dan", Role.DEALER)
    with house.store.transaction() as unit:
        register = Register(unit, house.at, house.store.keyring)
        register.change(schema.people, schema.people.c.name == "Dan", disabled=True)
        register.log("", "account-disabled", "Dan")
        register.flush()
    assert house.people.session(dan.token) is None
    assert house.current(dan) is None
    refused(PeopleRefusal.SESSION_OVER, lambda: house.people.ticket(dan, "socket"))


def test_the_last_person_on_the_floor_cannot_be_disabled(house: HouseOfPeople) -> None:
    flo, fay = house.founder(), house.person("Fay", Role.FLOOR)
    with ThreadPoolExecutor(2) as pool:  # each disables the other

        def disable(by: Person, name: str) -> bool:
            try:
                return house.people.disable(by, name).disabled
            except PeopleRefused:
                return False

        assert sorted(pool.map(disable, [flo, fay], ["Fay", "Flo"])) == [False, True]
    (left,) = (person for person in house.people.people() if not person.disabled)
    refused(PeopleRefusal.LAST_FLOOR, lambda: house.people.disable(left, left.name))


def test_the_csrf_token_of_another_session_is_refused(house: HouseOfPeople) -> None:
    house.founder()
    first, second = house.session("Flo"), house.session("Flo")
    again = house.people.session(first.token)
    assert again is not None
    assert house.people.is_csrf(first, again.csrf)
    assert not house.people.is_csrf(second, first.csrf)
    assert not house.people.is_csrf(first, "ü\ud800")
    refused(PeopleRefusal.RECORD_CHANGED, lambda: house.with_another_key().session(first.token))


def test_a_ticket_opens_one_connection_for_its_purpose(house: HouseOfPeople) -> None:
    house.founder()
    session = house.session("Flo")
    ticket = house.people.ticket(session, "table:T1")
    assert house.people.redeem(ticket, "table:T1") == session
    assert house.people.redeem(ticket, "table:T1") is None
    foreign = house.people.ticket(session, "table:T1")
    assert house.people.redeem(foreign, "table:T2") is None
    assert house.people.redeem(foreign, "table:T1") is None  # shown is used
    late = house.people.ticket(session, "table:T1")
    house.later(seconds=31)
    assert house.people.redeem(late, "table:T1") is None
    assert house.people.redeem("no ticket \0", "table:T1") is None


def test_a_ticket_is_not_redeemed_twice_by_two_threads(house: HouseOfPeople) -> None:
    house.founder()
    session = house.session("Flo")
    for _ in range(5):
        ticket = house.people.ticket(session, "table:T1")
        together = threading.Barrier(4)

        def redeem(_: int, ticket: str = ticket, together: threading.Barrier = together) -> bool:
            together.wait()
            return house.people.redeem(ticket, "table:T1") is not None

        with ThreadPoolExecutor(4) as pool:
            assert sum(pool.map(redeem, range(4))) == 1
