"""One-time codes of an authenticator; on both databases."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pyotp
import pytest
from people.house_of_people import HouseOfPeople, refused

from upcard.people import PeopleRefusal, PeopleRefused, Session
from upcard.problems import BadRequest


def test_a_code_works_once_and_counts_for_five_minutes(house: HouseOfPeople) -> None:
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


def test_a_code_of_the_half_minute_before_or_after_works_and_no_other(house: HouseOfPeople) -> None:
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


def test_one_code_from_four_threads_works_once(house: HouseOfPeople) -> None:
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


def test_five_wrong_codes_make_the_next_one_wait(house: HouseOfPeople) -> None:
    house.founder()
    session = house.stepped_up("Flo")
    for _ in range(5):
        refused(PeopleRefusal.CODE_WRONG, lambda: house.people.step_up(session, "no"))
    refused(PeopleRefusal.TOO_MANY_TRIES, lambda: house.people.step_up(session, "no"))
    assert house.logged()[-1] == ("Flo", "code-throttled", "Flo")


def test_a_stolen_session_cannot_replace_the_authenticator(house: HouseOfPeople) -> None:
    house.founder()
    session = house.stepped_up("Flo")
    assert house.people.enrol_totp(session)
    house.later(minutes=6)
    refused(PeopleRefusal.STEP_UP_FIRST, lambda: house.people.enrol_totp(session))


def test_authenticator_secrets_are_decrypted_only_with_the_operators_key(house: HouseOfPeople) -> None:
    house.founder()
    session = house.stepped_up("Flo")
    house.later(minutes=2)
    with pytest.raises(BadRequest, match="which is not in this key file"):
        house.with_another_key().step_up(session, "123456")
