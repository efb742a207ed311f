"""Accounts over HTTP that two people make, enable, raise or recover, and signing in with a code."""

import time
from typing import Any

import httpx
import pytest
from api.house import PASSWORD, ApiUser, House, close_code

from upcard.people import Role

NEW = "eleven green lamps in a row"


@pytest.fixture(scope="module")
def floor(house: House) -> tuple[ApiUser, ApiUser]:
    """Two people of the floor."""
    return house.somebody(Role.FLOOR, name="Fay"), house.somebody(Role.FLOOR, name="Fred")


def reason(answer: httpx.Response) -> str:
    return str(answer.json().get("reason", ""))


def done_by_two(
    floor: tuple[ApiUser, ApiUser], path: str, body: dict[str, Any], *, key: str = ""
) -> tuple[str, httpx.Response]:
    """The first asks, the second approves; returns the id of the approval and the answer to the second."""
    first, second = floor
    first.step_up()
    second.step_up()
    waits = first.post(path, body, key=key)
    assert waits.status_code == 202, waits.text
    approval = waits.json()["approval"]
    return approval, second.post(f"/api/approvals/{approval}/approve")


def test_two_floor_people_create_a_recovery_link_once(house: House, floor: tuple[ApiUser, ApiUser]) -> None:
    """Five links were made from one approval."""
    fay, fred = floor
    lost = house.somebody(Role.JACKPOTS)
    path = f"/api/people/{lost.name}/recovery"
    approval, answer = done_by_two(floor, path, {}, key="lost")
    assert answer.json() == {"approved": approval}, "the link is for the person who asked"
    assert reason(fred.post(f"/api/approvals/{approval}/approve")) == "APPROVAL_GIVEN"
    assert fred.get(f"/api/approvals/{approval}").json()["token"] is None
    token = fay.get(f"/api/approvals/{approval}").json()["token"]
    assert fay.post(path, {}, key="lost").json() == {"token": token}, "asked again, it is the same link"
    earlier = f"/api/people/{lost.name}/way-back"
    assert fay.post(earlier, {}, key="lost").json() == {"token": token}, "the path's earlier name keeps working"
    assert reason(fay.post(f"/api/people/{fred.name}/recovery", {}, key="lost")) == "APPROVAL_OTHER"
    with lost.socket() as socket:
        back = house.nobody().post("/api/accept", json={"token": token, "password": NEW})
        assert (back.json()["name"], back.json()["has_totp"]) == (lost.name, False)
        assert close_code(socket) == 4401, "sessions under this name end"
    assert reason(fay.post(path, {}, key="lost")) == "TOKEN_INVALID"
    assert fay.get(f"/api/approvals/{approval}").json()["token"] is None


def test_nobody_is_the_second_person_for_their_own_account(floor: tuple[ApiUser, ApiUser]) -> None:
    _, answer = done_by_two(floor, f"/api/people/{floor[1].name}/recovery", {})
    assert (answer.status_code, reason(answer)) == (409, "NOT_ALONE")


def test_inviting_staff_takes_two_people_and_inviting_players_one(house: House, floor: tuple[ApiUser, ApiUser]) -> None:
    """One floor person invited a second account, enrolled it and approved with it."""
    fay = floor[0]
    approval, answer = done_by_two(floor, "/api/people/invite", {"name": "Gil", "roles": ["floor"]})
    assert answer.status_code == 200, answer.text
    token = fay.get(f"/api/approvals/{approval}").json()["token"]
    gil = ApiUser(house, house.nobody().post("/api/accept", json={"token": token, "password": PASSWORD}).json())
    assert reason(gil.get("/api/people")) == "AUTHENTICATOR_FIRST"
    secret = gil.post("/api/totp/enrol").json()["secret"]
    confirm = gil.post("/api/totp/confirm", {"code": house.code(secret)})
    assert confirm.status_code == 200, confirm.text
    assert gil.get("/api/people").status_code == 200
    for first, second in ((fay, gil), (gil, fay)):
        asked = first.post("/api/people/invite", {"name": "Hal", "roles": ["dealer"]}).json()["approval"]
        assert reason(second.post(f"/api/approvals/{asked}/approve")) == "APPROVAL_TOO_CLOSE"
        assert reason(first.post(f"/api/approvals/{asked}/withdraw")) == ""
    ann = fay.post("/api/people/invite", {"name": "Inge", "roles": ["player"]})
    assert (ann.status_code, set(ann.json())) == (200, {"token"})
    assert reason(fay.post("/api/people/invite", {"name": "Fay", "roles": ["floor"]})) == "NAME_TAKEN"


def test_disabled_staff_are_enabled_by_two_people(house: House, floor: tuple[ApiUser, ApiUser]) -> None:
    dealer = house.somebody(Role.DEALER)
    floor[0].step_up()
    floor[0].post(f"/api/people/{dealer.name}/disable")
    assert dealer.get("/api/me").status_code == 401
    _, answer = done_by_two(floor, f"/api/people/{dealer.name}/enable", {})
    assert answer.status_code == 200, answer.text
    assert house.sign_in(dealer.name).get("/api/tables").status_code == 200
    assert reason(floor[0].post(f"/api/people/{dealer.name}/enable")) == "PERSON_ENABLED"
    player = house.player()
    floor[0].post(f"/api/people/{player.name}/disable")
    assert floor[0].post(f"/api/people/{player.name}/enable").json() == {"enabled": player.name}


def test_a_role_is_raised_by_two_people_and_the_person_signs_in_again(
    house: House, floor: tuple[ApiUser, ApiUser]
) -> None:
    dealer = house.somebody(Role.DEALER)
    path = f"/api/people/{dealer.name}/roles"
    with dealer.socket() as socket:
        _, answer = done_by_two(floor, path, {"roles": ["floor"]})
        assert answer.status_code == 200, answer.text
        assert close_code(socket) == 4401
    assert house.sign_in(dealer.name).get("/api/people").status_code == 200
    lowered = floor[0].post(path, {"roles": ["player"]})
    assert lowered.json() == {"name": dealer.name, "roles": ["player"]}


def test_staff_sign_in_with_a_code(house: House) -> None:
    house.account("Coded", Role.CASHIER)
    nobody = house.nobody()

    def sign_in(**more: str) -> httpx.Response:
        return nobody.post("/api/sign-in", json={"name": "Coded", "password": PASSWORD, **more})

    answer = sign_in()
    assert (answer.status_code, reason(answer)) == (401, "CODE_NEEDED")
    assert "Set-Cookie" not in answer.headers
    assert reason(sign_in(code="000000")) == "CODE_WRONG"
    signed = sign_in(code=house.new_code("Coded"))
    assert (signed.status_code, signed.json()["stepped_up"]) == (200, True)


def test_wrong_codes_are_slowed_down_whatever_happens_to_the_password(house: House) -> None:
    """60 wrong codes were tried in 6.9 s: changing the password cleared their count."""
    cashier = house.somebody(Role.CASHIER)
    old, tried, started = PASSWORD, 0, time.monotonic()
    for number in range(12):
        answers = [cashier.post("/api/step-up", {"code": "000000"}) for _ in range(5)]
        tried += sum(reason(answer) == "CODE_WRONG" for answer in answers)
        new = f"{NEW} {number}"
        assert cashier.post("/api/password", {"old": old, "new": new}).status_code == 200
        old = new
    assert tried <= 5 + (time.monotonic() - started)


def test_staff_without_an_authenticator_can_only_set_one_up(house: House) -> None:
    house.account("Bare", Role.DEALER)
    link = house.server.people.recovery_token("Bare")
    bare = ApiUser(house, house.nobody().post("/api/accept", json={"token": link, "password": NEW}).json())
    assert bare.get("/api/me").json()["has_totp"] is False
    for path in ("/api/tables", "/api/floor"):
        assert (bare.get(path).status_code, reason(bare.get(path))) == (403, "AUTHENTICATOR_FIRST")
    assert reason(bare.post("/api/ticket")) == "AUTHENTICATOR_FIRST"
    assert bare.post("/api/sign-out").status_code == 200
