"""A person's own sessions over HTTP, and a player's own second factor."""

from pathlib import Path

import pytest
from api.house import PASSWORD, ApiUser, House, close_code, running_house

from upcard.people import Role


@pytest.mark.parametrize("role", [Role.PLAYER, Role.DEALER, Role.DISPLAY])
def test_people_see_and_end_their_other_sessions(house: House, role: Role) -> None:
    """Their sockets close at once, and no other's."""
    own = house.somebody(role)
    lost = house.sign_in(own.name)
    stranger = house.somebody(Role.PLAYER)
    lines = own.get("/api/me/sessions").json()
    assert [(line["address"], line["current"]) for line in lines] == [("127.0.0.1", False), ("127.0.0.1", True)]
    with lost.socket() as socket, own.socket(), stranger.socket() as kept:
        wrong = own.post("/api/me/sessions/end", {"password": "no", "session": lines[0]["id"]})
        assert (wrong.status_code, wrong.json()["reason"]) == (401, "WRONG_NAME_OR_PASSWORD")
        answer = own.post("/api/me/sessions/end", {"password": PASSWORD, "session": lines[0]["id"]})
        assert answer.json() == {"ended": 1}
        assert close_code(socket) == 4401
        kept.ping().wait(2)
    assert lost.get("/api/me").status_code == 401
    assert stranger.get("/api/me").status_code == 200
    gone = own.post("/api/me/sessions/end", {"password": PASSWORD, "session": lines[0]["id"]})
    assert gone.json()["reason"] == "SESSION_UNKNOWN"
    assert own.post("/api/me/sessions/end", {"password": PASSWORD}).json() == {"ended": 0}
    assert [line["current"] for line in own.get("/api/me/sessions").json()] == [True]


def test_a_player_signs_in_with_a_code_once_they_have_an_authenticator(house: House) -> None:
    player = house.player()
    secret = player.post("/api/totp/enrol").json()["secret"]
    assert player.post("/api/totp/confirm", {"code": house.code(secret)}).status_code == 200
    body = {"name": player.name, "password": PASSWORD}
    with house.nobody() as nobody:
        assert nobody.post("/api/sign-in", json=body).json()["reason"] == "CODE_NEEDED"
        house.later(seconds=30)
        signed_in = nobody.post("/api/sign-in", json={**body, "code": house.code(secret)})
    again = ApiUser(house, signed_in.json())
    assert again.get("/api/me").json()["has_totp"] is True
    assert again.post("/api/totp/remove").json() == {"removed": True}, "a code at the sign-in is a recent code"
    assert again.get("/api/me").json()["has_totp"] is False


def test_new_secrets_for_authenticators_are_rate_limited(tmp_path: Path) -> None:
    """Each is logged, and whoever keeps asking must not fill the log."""
    with running_house(tmp_path, tables=False, sign_ins_per_minute=5) as house:
        player = house.somebody(Role.PLAYER)
        answers = [player.post("/api/totp/enrol") for _ in range(8)]
        assert [answer.status_code for answer in answers] == [200] * 4 + [429] * 4
        assert answers[-1].json()["reason"] == "TOO_MANY_SIGN_INS"


def test_a_screen_and_a_guest_have_no_authenticator(house: House) -> None:
    screen = house.somebody(Role.DISPLAY)
    assert screen.post("/api/totp/enrol").json()["reason"] == "NOT_ALLOWED"
