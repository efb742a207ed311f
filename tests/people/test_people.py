"""Who comes in, what for, and what nobody gets away with; on both databases."""

import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import combinations

import pyotp
import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.exc import DBAPIError
from support.empty_books import KEYRING, NewAddress

from upcard.ledger.keyring import Keyring
from upcard.ledger.store import Store
from upcard.people import FORBIDDEN, Cost, People, PeopleRefusal, PeopleRefused, Person, Role, Session, schema
from upcard.people.approvals import canonical
from upcard.people.person import is_name, key_of
from upcard.people.roles import clash
from upcard.problems import BadRequest

PASSWORD = "seven red chairs by the door"
CHEAP = Cost(passes=1, memory_kib=64)
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


class House:
    """People on a clock that the test moves; every secret that came out is remembered."""

    def __init__(self, store: Store) -> None:
        self.store, self.at = store, NOON
        self.other: Store | None = None
        self.random = random.Random(7)
        self.lock = threading.Lock()
        self.given: list[bytes] = []
        self.people = self.opened(CHEAP)

    def opened(self, cost: Cost) -> People:
        return People(self.store, clock=lambda: self.at, entropy=self.entropy, cost=cost)

    def with_another_key(self) -> People:
        self.other = Store.open(self.store.address, Keyring([bytes(range(32))]))
        return People(self.other, clock=lambda: self.at, entropy=self.entropy, cost=CHEAP)

    def entropy(self, count: int) -> bytes:
        with self.lock:
            self.given.append(self.random.randbytes(count))
            return self.given[-1]

    def later(self, **time: float) -> None:
        self.at += timedelta(**time)

    def founder(self) -> Person:
        token = self.people.setup_token()
        assert token is not None
        return self.people.set_up(token, "Flo", PASSWORD)

    def person(self, name: str, *roles: Role) -> Person:
        by = self.people.person("Flo") or self.founder()
        return self.people.accept(self.people.invite(by, name, roles), PASSWORD)

    def session(self, name: str, *roles: Role) -> Session:
        if self.people.person(name) is None:
            self.person(name, *roles)
        return self.people.sign_in(name, PASSWORD)

    def stepped_up(self, name: str, *roles: Role) -> Session:
        session = self.session(name, *roles)
        secret, _ = self.people.enrol_totp(session)
        return self.people.confirm_totp(session, self.code(secret))

    def code(self, secret: str) -> str:
        return pyotp.TOTP(secret).at(self.at)

    def rows(self, table: sa.Table) -> list[sa.RowMapping]:
        with self.store.view() as unit:
            return list(unit.connection.execute(sa.select(table)).mappings())

    def logged(self) -> list[tuple[str, str, str]]:
        return [(entry.actor, entry.action, entry.subject) for entry in self.people.log()]

    def everything(self) -> str:
        return "\n".join(str(dict(row)) for table in schema.metadata.sorted_tables for row in self.rows(table))


@pytest.fixture
def house(new_address: NewAddress) -> Iterator[House]:
    store = Store.open(new_address(), KEYRING)
    house = House(store)
    yield house
    if house.other is not None:
        house.other.close()
    store.close()


def refused(reason: PeopleRefusal, work: Callable[[], object]) -> PeopleRefused:
    with pytest.raises(PeopleRefused) as told:
        work()
    assert told.value.reason is reason, told.value
    return told.value


# --- roles --------------------------------------------------------------------------------------------------------


def test_incompatible_duties_are_kept_apart() -> None:
    """W36: WAC 230-15-430."""
    apart = {frozenset(pair) for pair in combinations(Role, 2) if Role.DISPLAY not in pair}
    assert apart == FORBIDDEN
    assert clash({Role.DEALER, Role.DISPLAY}) == ""
    assert clash(Role) != ""


@given(st.frozensets(st.sampled_from(Role)))
def test_roles_clash_exactly_when_a_pair_of_them_does(roles: frozenset[Role]) -> None:
    assert bool(clash(roles)) == any(pair <= roles for pair in FORBIDDEN)


@given(st.text(max_size=90))
def test_a_name_is_one_name_in_every_spelling(name: str) -> None:
    if is_name(name):
        assert key_of(name) == key_of(key_of(name)) != ""
        assert not set(":#\n\0") & set(name)


# --- coming in ----------------------------------------------------------------------------------------------------


def test_the_first_of_the_floor_comes_in_by_a_token_that_is_good_once(house: House) -> None:
    first = house.people.setup_token()
    token = house.people.setup_token()
    assert first is not None
    assert token is not None
    refused(PeopleRefusal.TOKEN_INVALID, lambda: house.people.set_up(first, "Flo", PASSWORD))  # replaced
    refused(PeopleRefusal.TOKEN_INVALID, lambda: house.people.accept(token, PASSWORD))  # no invitation
    assert house.people.set_up(token, "Flo", PASSWORD) == Person(name="Flo", roles=frozenset({Role.FLOOR}))
    refused(PeopleRefusal.TOKEN_INVALID, lambda: house.people.set_up(token, "Eve", PASSWORD))
    assert house.people.setup_token() is None


def test_a_set_up_token_is_good_for_a_day(house: House) -> None:
    token = house.people.setup_token()
    assert token is not None
    house.later(hours=24, seconds=1)
    refused(PeopleRefusal.TOKEN_INVALID, lambda: house.people.set_up(token, "Flo", PASSWORD))
    assert house.people.people() == []


def test_two_set_up_at_once_and_one_becomes_the_floor(house: House) -> None:
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


def test_an_invitation_is_from_the_floor_for_roles_that_go_together(house: House) -> None:
    flo = house.founder()
    dan = house.person("Dan", Role.DEALER)
    refused(PeopleRefusal.NOT_ALLOWED, lambda: house.people.invite(dan, "Eve", [Role.FLOOR]))
    forged = Person(name="Dan", roles=frozenset({Role.FLOOR}))
    refused(PeopleRefusal.NOT_ALLOWED, lambda: house.people.invite(forged, "Eve", [Role.FLOOR]))
    told = refused(PeopleRefusal.ROLES_CLASH, lambda: house.people.invite(flo, "Eve", [Role.DEALER, Role.CASHIER]))
    assert "does not change them for money" in str(told)
    refused(PeopleRefusal.NO_ROLE, lambda: house.people.invite(flo, "Eve", []))
    refused(PeopleRefusal.NAME_TAKEN, lambda: house.people.invite(flo, "DAN", [Role.PLAYER]))
    refused(PeopleRefusal.NAME_TAKEN, lambda: house.people.invite(flo, "Clock", [Role.PLAYER]))
    for name in ("", " Eve", "player:Eve", "E#1", "Eve\n", "E\0", "x" * 81):
        refused(PeopleRefusal.BAD_NAME, lambda name=name: house.people.invite(flo, name, [Role.PLAYER]))  # type: ignore[misc]  # a default binds the loop's own value


def test_an_invitation_is_good_once_and_the_newest_only(house: House) -> None:
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


def test_a_guest_plays_without_a_password_and_nothing_else(house: House) -> None:
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
    refused(PeopleRefusal.GUESTS_PLAY, lambda: house.people.set_roles(flo, guest.name, [Role.DEALER]))
    house.later(hours=25)
    assert house.people.session(session.token) is None


# --- signing in ---------------------------------------------------------------------------------------------------


def test_a_wrong_name_and_a_wrong_password_are_refused_alike(house: House) -> None:
    house.founder()
    wrong = refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in("Flo", "no"))
    nobody = refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in("Nobody", PASSWORD))
    strange = refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in("\0\ud800" * 999, "\ud800"))
    assert str(wrong) == str(nobody) == str(strange)
    assert house.people.sign_in("flo", PASSWORD).person.name == "Flo"
    assert house.logged()[-4:] == [
        ("", "sign-in-failed", "Flo"),
        ("", "sign-in-failed", ""),
        ("", "sign-in-failed", ""),
        ("Flo", "signed-in", "Flo"),
    ]


def test_an_unknown_name_costs_a_hash_like_any_other(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    from argon2 import PasswordHasher

    house.founder()
    verify, asked = PasswordHasher.verify, []

    def counted(self: PasswordHasher, kept: str, password: bytes) -> bool:
        asked.append(kept)
        return verify(self, kept, password)

    monkeypatch.setattr(PasswordHasher, "verify", counted)
    for name in ("Flo", "Nobody"):
        refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda name=name: house.people.sign_in(name, "no"))  # type: ignore[misc]  # a default binds the loop's own value
    assert len(asked) == 2
    assert asked[0].rsplit("$", 2)[0] == asked[1].rsplit("$", 2)[0]  # the same cost


@pytest.mark.parametrize("name", ["Flo", "Nobody"])
def test_who_guesses_waits_twice_as_long_each_time(house: House, name: str) -> None:
    """Known or not: nobody learns names from the waits."""
    house.founder()
    waits = []
    for _ in range(5):
        refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in(name, "no"))
    for _ in range(12):
        told = refused(PeopleRefusal.TOO_MANY_TRIES, lambda: house.people.sign_in(name, PASSWORD))
        waits.append(int(str(told).split()[-2]))
        house.later(seconds=waits[-1])
        refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in(name, "no"))
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]
    house.later(minutes=15)
    if name == "Flo":
        house.people.sign_in(name, PASSWORD)
        refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in(name, "no"))
        house.people.sign_in(name, PASSWORD)  # the count has begun again


def test_many_guesses_at_once_are_no_way_around_the_wait(house: House) -> None:
    house.founder()

    def guess(_: int) -> PeopleRefusal:
        with pytest.raises(PeopleRefused) as told:
            house.people.sign_in("Flo", "no")
        return told.value.reason

    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(guess, range(16)))
    assert told.count(PeopleRefusal.WRONG_NAME_OR_PASSWORD) == 5


def test_one_place_that_tries_many_names_waits_too(house: House) -> None:
    house.founder()
    for number in range(30):
        refused(
            PeopleRefusal.WRONG_NAME_OR_PASSWORD,
            lambda number=number: house.people.sign_in(f"N{number}", "no", source="a"),  # type: ignore[misc]  # a default binds the loop's own value
        )
    refused(PeopleRefusal.TOO_MANY_TRIES, lambda: house.people.sign_in("Flo", PASSWORD, source="a"))
    house.people.sign_in("Flo", PASSWORD, source="b")


def test_a_password_is_kept_anew_when_the_cost_changes(house: House) -> None:
    house.founder()
    (before,) = house.rows(schema.people)
    dearer = house.opened(Cost(passes=2, memory_kib=64))
    dearer.sign_in("Flo", PASSWORD)
    (after,) = house.rows(schema.people)
    assert ("t=1" in before["password"], "t=2" in after["password"]) == (True, True)
    assert before["password"].startswith("$argon2id$")
    dearer.sign_in("Flo", PASSWORD)
    assert house.rows(schema.people) == [after]


# --- sessions -----------------------------------------------------------------------------------------------------


def test_a_session_ends_when_idle_and_in_any_case(house: House) -> None:
    house.founder()
    idle = house.session("Flo")
    house.later(minutes=15, seconds=1)
    assert house.people.session(idle.token) is None
    busy = house.session("Flo")
    for _ in range(48):
        house.later(minutes=15)
        found = house.people.session(busy.token)
        assert found is not None
        assert found == busy
    house.later(seconds=1)
    assert house.people.session(busy.token) is None


def test_an_open_connection_alone_does_not_keep_a_session(house: House) -> None:
    house.founder()
    session = house.session("Flo")
    house.later(minutes=10)
    assert house.people.current(session) == session
    house.later(minutes=6)
    assert house.people.current(session, active=True) is None
    busy = house.session("Flo")
    for _ in range(3):
        house.later(minutes=10)
        assert house.people.current(busy, active=True) == busy


def test_last_seen_is_written_at_most_once_a_minute(house: House) -> None:
    house.founder()
    session = house.session("Flo")
    seen = set()
    for _ in range(120):
        house.later(seconds=1)
        house.people.session(session.token)
        seen |= {row["seen"] for row in house.rows(schema.sessions)}
    assert len(seen) == 3


def test_who_is_signed_out_is_out_everywhere(house: House) -> None:
    house.founder()
    one, two = house.session("Flo"), house.session("Flo")
    ticket = house.people.ticket(one, "table:T1")
    house.people.sign_out(one.token)
    house.people.sign_out(one.token)
    assert house.people.session(one.token) is None
    assert house.people.current(one) is None
    assert house.people.redeem(ticket, "table:T1") is None
    refused(PeopleRefusal.SESSION_OVER, lambda: house.people.ticket(one, "table:T1"))
    refused(PeopleRefusal.SESSION_OVER, lambda: house.people.enrol_totp(one))
    refused(PeopleRefusal.SESSION_OVER, lambda: house.people.ask_approval(one, "{}"))
    assert house.people.session(two.token) == two
    assert house.people.sign_out_everywhere("Flo") == 1
    assert house.people.session(two.token) is None


def test_the_floor_signs_others_out_and_nobody_else_does(house: House) -> None:
    flo, dan = house.founder(), house.session("Dan", Role.DEALER)
    refused(PeopleRefusal.NOT_ALLOWED, lambda: house.people.sign_out_everywhere("Flo", by=dan.person))
    assert house.people.sign_out_everywhere("Dan", by=flo) == 1
    assert house.people.current(dan) is None


def test_another_password_ends_all_other_sessions(house: House) -> None:
    house.founder()
    here, there = house.session("Flo"), house.session("Flo")
    new = "eight blue chairs at the wall"
    refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.change_password(here, "no", new))
    refused(PeopleRefusal.PASSWORD_SHORT, lambda: house.people.change_password(here, PASSWORD, "short"))
    house.people.change_password(here, PASSWORD, new)
    assert house.people.current(here) == here
    assert house.people.current(there) is None
    refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in("Flo", PASSWORD))
    house.people.sign_in("Flo", new)
    refused(PeopleRefusal.SESSION_OVER, lambda: house.people.change_password(there, new, PASSWORD))


def test_who_lost_password_or_authenticator_comes_back_by_a_link(house: House) -> None:
    people = house.people
    held = house.stepped_up("Dan", Role.DEALER)
    fay = house.person("Fay", Role.FLOOR)
    first = people.account_recovery("dan", by=fay)
    token = people.account_recovery("Dan", by=fay)
    assert people.current(held) is not None, "a link alone changes nothing"
    refused(PeopleRefusal.TOKEN_INVALID, lambda: people.accept(first, "another long password"))
    back = people.accept(token, "another long password")
    assert back.roles == {Role.DEALER}
    assert not back.has_totp
    assert people.current(held) is None
    refused(PeopleRefusal.TOKEN_INVALID, lambda: people.accept(token, "another long password"))
    refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: people.sign_in("Dan", PASSWORD))
    people.enrol_totp(people.sign_in("Dan", "another long password"))
    assert ("Fay", "recovery-link-created", "Dan") in house.logged()
    assert ("Dan", "account-recovered", "Dan") in house.logged()


def test_a_way_back_is_made_by_another_of_the_floor_or_at_the_machine(house: House) -> None:
    people, flo = house.people, house.founder()
    dan, guest = house.person("Dan", Role.DEALER), people.add_guest()
    refused(PeopleRefusal.NOT_ALONE, lambda: people.account_recovery("FLO", by=flo))
    refused(PeopleRefusal.NOT_ALLOWED, lambda: people.account_recovery("Flo", by=dan))
    refused(PeopleRefusal.PERSON_UNKNOWN, lambda: people.account_recovery("Nan", by=flo))
    refused(PeopleRefusal.GUESTS_PLAY, lambda: people.account_recovery(guest.name, by=flo))
    late = people.account_recovery("Flo", by=None)
    house.later(hours=1, seconds=1)
    refused(PeopleRefusal.TOKEN_INVALID, lambda: people.accept(late, "another long password"))
    assert people.accept(people.account_recovery("Flo", by=None), "another long password").roles == {Role.FLOOR}


def test_who_guessed_too_often_comes_back_at_once(house: House) -> None:
    """He forgot his password: of course he has tried it."""
    people, flo = house.people, house.founder()
    house.person("Dan", Role.DEALER)
    for _ in range(5):
        refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: people.sign_in("Dan", "one of his old ones"))
    refused(PeopleRefusal.TOO_MANY_TRIES, lambda: people.sign_in("Dan", PASSWORD))
    people.accept(people.account_recovery("Dan", by=flo), "another long password")
    assert people.sign_in("Dan", "another long password").person.name == "Dan"


def test_there_is_no_way_back_for_who_is_disabled(house: House) -> None:
    people, flo = house.people, house.founder()
    house.person("Dan", Role.DEALER)
    before = people.account_recovery("Dan", by=flo)
    people.disable(flo, "Dan")
    refused(PeopleRefusal.PERSON_DISABLED, lambda: people.account_recovery("Dan", by=None))
    refused(PeopleRefusal.PERSON_DISABLED, lambda: people.accept(before, "another long password"))
    people.enable(flo, "Dan")
    people.sign_in("Dan", PASSWORD)


def test_who_may_do_more_is_sooner_signed_out_and_a_screen_never_idles(house: House) -> None:
    people = house.people
    ann, dan = house.session("Ann", Role.PLAYER), house.session("Dan", Role.DEALER)
    screen = house.session("Sign", Role.DISPLAY)
    house.later(minutes=15, seconds=1)
    assert people.current(dan) is None
    assert people.current(ann) is not None
    house.later(minutes=15)
    assert people.current(ann) is None
    house.later(days=29)
    assert people.current(screen) is not None
    house.later(days=1)
    assert people.current(screen) is None


def test_who_is_disabled_is_out_and_stays_out(house: House) -> None:
    flo, dan = house.founder(), house.session("Dan", Role.DEALER)
    assert house.people.disable(flo, "Dan").disabled
    assert house.people.session(dan.token) is None
    refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in("Dan", PASSWORD))
    assert not house.people.enable(flo, "Dan").disabled
    assert house.people.session(dan.token) is None
    house.people.sign_in("Dan", PASSWORD)


def test_other_roles_hold_from_the_next_step_on(house: House) -> None:
    flo, dan = house.founder(), house.session("Dan", Role.DEALER)
    house.people.set_roles(flo, "Dan", [Role.CASHIER])
    found = house.people.session(dan.token)
    assert found is not None
    assert found.person.roles == {Role.CASHIER}
    refused(PeopleRefusal.ROLES_CLASH, lambda: house.people.set_roles(flo, "Dan", [Role.CASHIER, Role.DEALER]))
    refused(PeopleRefusal.PERSON_UNKNOWN, lambda: house.people.set_roles(flo, "Eve", [Role.DEALER]))
    entry = house.people.log()[-1]
    assert (entry.actor, entry.action, entry.subject) == ("Flo", "roles-changed", "Dan")
    assert (entry.before, entry.after["roles"]) == ({"roles": ["dealer"]}, ["cashier"])


def test_the_last_of_the_floor_stays(house: House) -> None:
    flo, fay = house.founder(), house.person("Fay", Role.FLOOR)
    with ThreadPoolExecutor(2) as pool:  # each sends the other away

        def disable(by: Person, name: str) -> bool:
            try:
                return house.people.disable(by, name).disabled
            except PeopleRefused:
                return False

        assert sorted(pool.map(disable, [flo, fay], ["Fay", "Flo"])) == [False, True]
    (left,) = (one for one in house.people.people() if not one.disabled)
    refused(PeopleRefusal.LAST_FLOOR, lambda: house.people.disable(left, left.name))
    refused(PeopleRefusal.LAST_FLOOR, lambda: house.people.set_roles(left, left.name, [Role.DEALER]))


# --- forgery and sockets ------------------------------------------------------------------------------------------


def test_a_form_of_another_session_is_none(house: House) -> None:
    house.founder()
    one, two = house.session("Flo"), house.session("Flo")
    again = house.people.session(one.token)
    assert again is not None
    assert house.people.is_csrf(one, house.people.csrf(again))
    assert not house.people.is_csrf(two, house.people.csrf(one))
    assert not house.people.is_csrf(one, "ü\ud800")
    refused(PeopleRefusal.RECORD_CHANGED, lambda: house.with_another_key().session(one.token))


def test_a_ticket_opens_one_connection_for_its_purpose(house: House) -> None:
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


def test_a_ticket_is_not_redeemed_twice_by_two_threads(house: House) -> None:
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


# --- one-time codes -----------------------------------------------------------------------------------------------


def test_a_code_is_taken_once_and_holds_for_five_minutes(house: House) -> None:
    house.founder()
    session = house.session("Flo")
    refused(PeopleRefusal.CODES_MISSING, lambda: house.people.step_up(session, "123456"))
    refused(PeopleRefusal.CODES_NOT_BEGUN, lambda: house.people.confirm_totp(session, "123456"))
    secret, uri = house.people.enrol_totp(session)
    assert uri == f"otpauth://totp/Upcard:Flo?secret={secret}&issuer=Upcard"
    first = house.code(secret)
    house.people.confirm_totp(session, first)
    refused(PeopleRefusal.CODE_WRONG, lambda: house.people.step_up(session, first))  # replayed
    house.later(minutes=6)
    code = house.code(secret)
    assert not house.people.stepped_up(session)
    stepped = house.people.step_up(session, f"{code[:3]} {code[3:]}")
    assert stepped.person.has_totp
    assert house.people.stepped_up(stepped)
    refused(PeopleRefusal.CODE_WRONG, lambda: house.people.step_up(session, code))
    house.later(seconds=30)
    refused(PeopleRefusal.CODE_WRONG, lambda: house.people.step_up(session, code))  # still in the window, still used
    house.later(minutes=4, seconds=31)
    assert not house.people.stepped_up(stepped)


def test_a_code_of_the_neighbouring_half_minute_is_taken_and_no_other(house: House) -> None:
    house.founder()
    session = house.session("Flo")
    secret, _ = house.people.enrol_totp(session)
    house.people.confirm_totp(session, house.code(secret))
    house.later(minutes=10)
    totp = pyotp.TOTP(secret)
    for off in (-60, 60):
        refused(
            PeopleRefusal.CODE_WRONG,
            lambda off=off: house.people.step_up(session, totp.at(house.at + timedelta(seconds=off))),  # type: ignore[misc]  # a default binds the loop's own value
        )
    for off in (-30, 0, 30):
        house.people.step_up(session, totp.at(house.at + timedelta(seconds=off)))


def test_one_code_from_two_threads_is_taken_once(house: House) -> None:
    house.founder()
    sessions = [house.session("Flo") for _ in range(4)]
    secret, _ = house.people.enrol_totp(sessions[0])
    house.people.confirm_totp(sessions[0], house.code(secret))
    house.later(minutes=2)
    code = house.code(secret)

    def step_up(session: Session) -> bool:
        try:
            return house.people.stepped_up(house.people.step_up(session, code))
        except PeopleRefused:
            return False

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(step_up, sessions)) == 1


def test_who_guesses_codes_waits(house: House) -> None:
    house.founder()
    session = house.stepped_up("Flo")
    for _ in range(5):
        refused(PeopleRefusal.CODE_WRONG, lambda: house.people.step_up(session, "no"))
    refused(PeopleRefusal.TOO_MANY_TRIES, lambda: house.people.step_up(session, "no"))
    assert house.logged()[-1] == ("Flo", "code-throttled", "Flo")


def test_a_stolen_session_cannot_bring_its_own_telephone(house: House) -> None:
    house.founder()
    session = house.stepped_up("Flo")
    assert house.people.enrol_totp(session)
    house.later(minutes=6)
    refused(PeopleRefusal.STEP_UP_FIRST, lambda: house.people.enrol_totp(session))


def test_codes_open_with_the_operators_key_only(house: House) -> None:
    house.founder()
    session = house.stepped_up("Flo")
    house.later(minutes=2)
    with pytest.raises(BadRequest, match="which is not in this key file"):
        house.with_another_key().step_up(session, "123456")


# --- two persons --------------------------------------------------------------------------------------------------

ACTION = '{"do":"pay-win","win":"W1","amount":500000}'


def test_another_person_approves_exactly_that_once(house: House) -> None:
    """S10: what is worth much takes two."""
    house.founder()
    cass, fay = house.session("Cass", Role.CASHIER), house.stepped_up("Fay", Role.FLOOR)
    key = house.people.ask_approval(cass, ACTION)
    assert [one.id for one in house.people.waiting_approvals()] == [key]
    refused(PeopleRefusal.APPROVAL_MISSING, lambda: house.people.use_approval(cass, key, ACTION))
    given = house.people.approve(fay, key)
    assert (given.requested_by, given.approved_by, given.payload) == ("Cass", "Fay", canonical(ACTION))
    assert house.people.approval(key) == given
    refused(PeopleRefusal.APPROVAL_GIVEN, lambda: house.people.approve(fay, key))
    other = ACTION.replace("500000", "900000")
    refused(PeopleRefusal.APPROVAL_OTHER, lambda: house.people.use_approval(cass, key, other))
    refused(PeopleRefusal.APPROVAL_OTHER, lambda: house.people.use_approval(fay, key, ACTION))
    spaced = ACTION.replace(",", " ,  ")
    assert house.people.use_approval(cass, key, spaced).used_at == house.at
    refused(PeopleRefusal.APPROVAL_USED, lambda: house.people.use_approval(cass, key, ACTION))
    assert house.people.waiting_approvals() == []


def test_nobody_approves_alone_or_without_the_role_or_unconfirmed(house: House) -> None:
    house.founder()
    flo, fay, dan = house.stepped_up("Flo"), house.session("Fay", Role.FLOOR), house.stepped_up("Dan", Role.DEALER)
    key = house.people.ask_approval(flo, ACTION)
    refused(PeopleRefusal.APPROVAL_OWN, lambda: house.people.approve(flo, key))
    refused(PeopleRefusal.NOT_ALLOWED, lambda: house.people.approve(dan, key))
    refused(PeopleRefusal.STEP_UP_FIRST, lambda: house.people.approve(fay, key))
    for unknown in ("none", "", "\0"):
        refused(PeopleRefusal.APPROVAL_UNKNOWN, lambda unknown=unknown: house.people.approve(flo, unknown))  # type: ignore[misc]  # a default binds the loop's own value
        assert house.people.approval(unknown) is None
    found = house.people.approval(key)
    assert found is not None
    assert found.approved_by is None


def test_an_approval_is_good_for_a_quarter_of_an_hour(house: House) -> None:
    house.founder()
    cass, fay = house.session("Cass", Role.CASHIER), house.stepped_up("Fay", Role.FLOOR)
    given, late = (house.people.ask_approval(cass, ACTION) for _ in range(2))
    house.people.approve(fay, given)
    house.later(minutes=4)
    secret, _ = house.people.enrol_totp(fay)
    for session in (cass, fay):
        house.people.current(session, active=True)
    house.later(minutes=11, seconds=1)
    fay = house.people.confirm_totp(fay, house.code(secret))
    refused(PeopleRefusal.APPROVAL_EXPIRED, lambda: house.people.approve(fay, late))
    refused(PeopleRefusal.APPROVAL_EXPIRED, lambda: house.people.use_approval(cass, given, ACTION))


def test_an_approval_falls_with_the_role_of_who_gave_it(house: House) -> None:
    flo = house.founder()
    cass, fay = house.session("Cass", Role.CASHIER), house.stepped_up("Fay", Role.FLOOR)
    key = house.people.ask_approval(cass, ACTION)
    house.people.approve(fay, key)
    house.people.set_roles(flo, "Fay", [Role.DEALER])
    refused(PeopleRefusal.APPROVAL_MISSING, lambda: house.people.use_approval(cass, key, ACTION))


def test_an_approval_is_used_once_by_many_at_once(house: House) -> None:
    house.founder()
    cass, fay = house.session("Cass", Role.CASHIER), house.stepped_up("Fay", Role.FLOOR)
    key = house.people.ask_approval(cass, ACTION)
    house.people.approve(fay, key)

    def use(_: int) -> bool:
        try:
            return house.people.use_approval(cass, key, ACTION).used_at is not None
        except PeopleRefused:
            return False

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(use, range(4))) == 1


@pytest.mark.parametrize("text", ["", "pay", "[1]", '{"a":1,"a":2}', '{"a":NaN}', "[" * 100_000, "null"])
def test_only_a_plain_object_can_be_approved(text: str) -> None:
    refused(PeopleRefusal.NOT_JSON, lambda: canonical(text))


# --- what is written down -----------------------------------------------------------------------------------------


def test_no_secret_is_in_the_database(house: House) -> None:
    """Tokens, tickets, passwords and secrets, as text or as bytes: only what was made of them."""
    setup = house.people.setup_token()
    assert setup is not None
    flo = house.people.set_up(setup, "Flo", PASSWORD)
    invitation = house.people.invite(flo, "Ann", [Role.PLAYER])
    session = house.people.sign_in("Flo", PASSWORD)
    guest = house.people.sign_in_guest(house.people.add_guest())
    ticket = house.people.ticket(session, "table:T1")
    secret, _ = house.people.enrol_totp(session)
    house.people.confirm_totp(session, house.code(secret))
    refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in(PASSWORD, "Flo"))  # in the wrong field
    stored = house.everything()
    for hidden in (setup, invitation, session.token, guest.token, ticket, secret, session.csrf, PASSWORD):
        assert hidden not in stored
    tokens = [raw.hex() for raw in house.given if len(raw) >= 20]
    assert len(tokens) >= 6
    assert not [token for token in tokens if token in stored]
    assert session.token not in repr(session)


def test_the_log_tells_everything_and_only_grows(house: House) -> None:
    flo = house.founder()
    dan = house.session("Dan", Role.DEALER)
    house.people.sign_out(dan.token)
    house.people.disable(flo, "Dan")
    assert house.logged() == [
        ("", "setup-link-created", ""),
        ("Flo", "house-set-up", "Flo"),
        ("Flo", "person-invited", "Dan"),
        ("Dan", "invitation-accepted", "Dan"),
        ("Dan", "signed-in", "Dan"),
        ("Dan", "signed-out", "Dan"),
        ("Flo", "account-disabled", "Dan"),
    ]
    assert [entry.at for entry in house.people.log(since=house.people.log()[-2].number)] == [NOON]
    for change in ("UPDATE people_log SET actor = 'Eve'", "DELETE FROM people_log"):
        with pytest.raises(DBAPIError, match="only-grows"), house.store.transaction() as unit:
            unit.connection.execute(sa.text(change))
