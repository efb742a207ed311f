"""Refusals about accounts over HTTP: a code and its parameters for programs, a sentence for people."""

from typing import Any

import pytest
from api.house import PASSWORD, House

from upcard.codes import sentence
from upcard.people import Role

CASHIER_DEALER = {"role": "cashier", "other": "dealer", "why": {"code": "roles/cashier-dealer"}}
AUDITOR_PLAYER = {"role": "auditor", "other": "player", "why": {"code": "roles/staff-player"}}


@pytest.mark.parametrize(
    ("name", "roles", "reason", "details"),
    [
        ("Eve", ["dealer", "cashier", "display"], "ROLES_CLASH", CASHIER_DEALER),
        ("Eve", ["player", "auditor"], "ROLES_CLASH", AUDITOR_PLAYER),
        ("Clock", ["player"], "NAME_TAKEN", {"name": "clock"}),
    ],
)
def test_an_invitation_is_refused_with_a_code(
    house: House, name: str, roles: list[str], reason: str, details: dict[str, Any]
) -> None:
    floor = house.somebody(Role.FLOOR)
    floor.step_up()
    answer = floor.post("/api/people/invite", {"name": name, "roles": roles})
    reply = answer.json()
    assert (answer.status_code, reply["reason"], reply["details"]) == (409, reason, details)
    assert reply["detail"] == sentence(reason, details)


def test_a_short_password_is_told_how_long_it_must_be(house: House) -> None:
    pat = house.player(name="Pat")
    reply = pat.post("/api/password", {"old": PASSWORD, "new": "short"}).json()
    assert (reply["reason"], reply["details"]) == ("PASSWORD_SHORT", {"least": 12})
    assert reply["detail"] == "a password needs at least 12 characters"
