"""What the floor does with other people's accounts: sessions, authenticators, links as QR codes."""

import pyotp
import pytest
from api.house import PASSWORD, ApiUser, House

from upcard.people import Role


@pytest.fixture(scope="module")
def fay(house: House) -> ApiUser:
    return house.somebody(Role.FLOOR, name="Fay")


def reason(answer: object) -> str:
    return str(answer.json().get("reason", ""))  # type: ignore[attr-defined]


def test_the_floor_sees_where_somebody_is_signed_in_and_ends_it(house: House, fay: ApiUser) -> None:
    dan = house.somebody(Role.DEALER, name="Dan")
    again = house.sign_in("Dan")
    lines = fay.get("/api/people/Dan/sessions").json()
    assert [line["source"] for line in lines] == ["127.0.0.1", "127.0.0.1"]
    fay.step_up()
    with again.socket() as socket:
        ended = fay.post("/api/people/dan/end-sessions", {"session": lines[0]["id"]})
        assert ended.json() == {"sessions_ended": 1}
        with pytest.raises(Exception, match="signed out"):
            socket.recv(10)
    assert sorted(person.get("/api/me").status_code for person in (dan, again)) == [200, 401]
    assert fay.post("/api/people/Dan/end-sessions").json() == {"sessions_ended": 1}
    assert dan.get("/api/me").status_code == 401
    entry = fay.get("/api/people/log", most=500).json()[-1]
    assert (entry["who"], entry["what"], entry["about"]) == ("Fay", "sessions-ended", "Dan")


def test_nobody_but_the_floor_ends_sessions_and_never_their_own(house: House, fay: ApiUser) -> None:
    aud = house.somebody(Role.AUDITOR)
    assert aud.get("/api/people/Fay/sessions").status_code == 200
    assert reason(aud.post("/api/people/Fay/end-sessions")) == "NOT_ALLOWED"
    assert reason(house.player().get("/api/people/Fay/sessions")) == "NOT_ALLOWED"
    assert reason(fay.post("/api/people/Fay/end-sessions")) == "NOT_ALONE"
    assert reason(fay.post("/api/people/Nobody/end-sessions")) == "PERSON_UNKNOWN"
    assert reason(fay.post("/api/people/Flo/end-sessions", {"session": "0123456789abcdef"})) == "SESSION_UNKNOWN"


def test_two_people_reset_a_lost_authenticator_and_the_password_stays(house: House, fay: ApiUser) -> None:
    """A lost phone took a new password too, or the operator at the machine."""
    flo, cass = house.sign_in("Flo"), house.somebody(Role.CASHIER, name="Cass")
    fay.step_up()
    asked = fay.post("/api/people/Cass/reset-authenticator", key="reset")
    assert asked.status_code == 202
    assert cass.get("/api/me").status_code == 200  # nothing has happened yet
    approval = asked.json()["approval"]
    assert reason(fay.post(f"/api/approvals/{approval}/approve")) == "APPROVAL_OWN"
    flo.step_up()
    assert flo.post(f"/api/approvals/{approval}/approve").status_code == 200
    assert fay.post("/api/people/Cass/reset-authenticator", key="reset").json() == {"reset": "Cass"}
    assert cass.get("/api/me").status_code == 401
    line = next(person for person in fay.get("/api/people").json() if person["name"] == "Cass")
    assert line["has_totp"] is False
    back = house.nobody().post("/api/sign-in", json={"name": "Cass", "password": PASSWORD})
    assert back.status_code == 200
    user = ApiUser(house, back.json())
    assert reason(user.get("/api/floor")) == "AUTHENTICATOR_FIRST"
    secret = user.post("/api/totp/enrol").json()["secret"]
    assert user.post("/api/totp/confirm", {"code": pyotp.TOTP(secret).at(house.clock())}).status_code == 200
    assert user.get("/api/floor").status_code == 200


def test_a_reset_is_refused_when_there_is_none_or_for_oneself(house: House, fay: ApiUser) -> None:
    house.account("Pam", Role.PLAYER)
    fay.step_up()
    assert reason(fay.post("/api/people/Pam/reset-authenticator")) == "AUTHENTICATOR_MISSING"
    assert reason(fay.post("/api/people/Fay/reset-authenticator")) == "NOT_ALONE"


def test_whoever_reset_an_authenticator_and_its_person_do_not_approve_for_each_other(house: House) -> None:
    gil, flo = house.somebody(Role.FLOOR, name="Gil"), house.sign_in("Flo")
    house.account("Hal", Role.FLOOR)
    gil.step_up()
    asked = gil.post("/api/people/Hal/reset-authenticator").json()["approval"]
    flo.step_up()
    assert flo.post(f"/api/approvals/{asked}/approve").status_code == 200
    answer = house.nobody().post("/api/sign-in", json={"name": "Hal", "password": PASSWORD})
    hal = ApiUser(house, answer.json())
    secret = hal.post("/api/totp/enrol").json()["secret"]
    hal.post("/api/totp/confirm", {"code": pyotp.TOTP(secret).at(house.clock())})
    gil.step_up()
    asked = gil.post("/api/people/invite", {"name": "Ivy", "roles": ["dealer"]}).json()["approval"]
    assert reason(hal.post(f"/api/approvals/{asked}/approve")) == "APPROVAL_TOO_CLOSE"


def test_a_link_is_drawn_as_a_qr_code(house: House, fay: ApiUser) -> None:
    address = f"{house.address}/#/accept/0123456789"
    drawn = fay.post("/api/people/link-qr", {"address": address})
    assert drawn.json()["qr"].startswith("data:image/svg+xml")
    assert fay.post("/api/people/link-qr", {"address": "javascript:alert(1)"}).status_code == 422
    assert reason(house.somebody(Role.DEALER).post("/api/people/link-qr", {"address": address})) == "NOT_ALLOWED"
