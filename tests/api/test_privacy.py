"""One player and another: nobody acts for, pays with, or looks into what belongs to somebody else (S9)."""

import json
from typing import Any

import pytest
from api.house import OTHER_TABLE, TABLE, ApiUser, House, receive, send

from upcard.people import Role

CHIPS = 123_457  # a sum that is found again wherever it should not be


@pytest.fixture(scope="module")
def ann(house: House) -> ApiUser:
    """She sits at spot 1 and has wagered."""
    player = house.player(name="Ann", chips=CHIPS)
    assert player.say(TABLE, "seat", player="Ann", spot=1).status_code == 200
    return player


@pytest.fixture(scope="module")
def bob(house: House) -> ApiUser:
    player = house.player(name="Bob")
    assert player.say(TABLE, "seat", player="Bob", spot=2).status_code == 200
    return player


FOR_A_SPOT: list[tuple[str, dict[str, Any]]] = [
    ("bet", {"stakes": {"Ante": 500}}),
    ("clear", {}),
    ("insure", {}),
    ("decline-insurance", {}),
    ("even-money", {}),
    ("hit", {}),
    ("stay", {}),
    ("double", {}),
    ("split", {}),
    ("surrender", {}),
]
FOR_A_PLAYER: list[tuple[str, dict[str, Any]]] = [
    ("seat", {"spot": 3}),
    ("leave", {}),
    ("ready", {}),
    ("away", {}),
    ("sit-out", {}),
    ("back", {}),
    ("cut", {}),
]


@pytest.mark.parametrize(("do", "fields"), FOR_A_SPOT, ids=lambda value: value if isinstance(value, str) else "")
def test_nobody_plays_anothers_spot(ann: ApiUser, bob: ApiUser, do: str, fields: dict[str, Any]) -> None:
    answer = bob.say(TABLE, do, spot=1, **fields)
    assert (answer.status_code, answer.json()["reason"]) == (403, "NOT_YOURS")
    assert ann.get("/api/me").json()["bankroll"] == CHIPS


@pytest.mark.parametrize(("do", "fields"), FOR_A_PLAYER, ids=lambda value: value if isinstance(value, str) else "")
def test_a_player_cannot_send_commands_for_another_player(
    ann: ApiUser, bob: ApiUser, do: str, fields: dict[str, Any]
) -> None:
    answer = bob.say(TABLE, do, player=ann.name, **fields)
    assert (answer.status_code, answer.json()["reason"]) == (403, "NOT_YOU")
    with bob.socket() as socket:
        command = {"do": do, "table": TABLE, "player": ann.name, **fields}
        send(socket, {"type": "command", "id": f"for-{do}", "command": command})
        assert receive(socket, "refused")["reason"] == "NOT_YOU"


def test_an_id_used_by_another_person_is_not_a_repetition(ann: ApiUser, bob: ApiUser) -> None:
    """The answer to a command is its sender's: the same id from another is another command."""
    first = ann.post(f"/api/tables/{TABLE}/cut", {"player": "Ann", "words": "mine"}, key="the-same")
    second = bob.post(f"/api/tables/{TABLE}/cut", {"player": "Bob", "words": "mine too"}, key="the-same")
    assert first.status_code == second.status_code == 200
    assert not second.json()["repeated"]
    response = bob.post(f"/api/tables/{TABLE}/cut", {"player": "Bob", "words": "mine too"}, key="the-same")
    assert response.json()["repeated"]
    assert response.json()["number"] == second.json()["number"]


def test_nobody_sees_anothers_money_or_rounds(house: House, ann: ApiUser, bob: ApiUser) -> None:
    """Everything a player and a screen can read is looked through for another's chips."""
    display = house.somebody(Role.DISPLAY)
    views = []
    for user in (bob, display):
        for path in ("", "/records", "/shoes"):
            views.append(user.get(f"/api/tables/{TABLE}{path}").text)
        views += [user.get(path).text for path in ("/api/tables", "/api/jackpots", "/api/me")]
    with bob.socket() as socket:
        send(socket, {"type": "watch", "table": TABLE})
        views.append(json.dumps(receive(socket, "snapshot")))
        assert ann.say(TABLE, "bet", spot=1, stakes={"Ante": 500}).status_code == 200
        views.append(json.dumps(receive(socket, "events")))
        assert ann.say(TABLE, "clear", spot=1).status_code == 200
        views.append(json.dumps(receive(socket, "events")))
    assert ann.get("/api/me").json()["bankroll"] == CHIPS, "it is found where it should be"
    assert not [text for text in views if str(CHIPS) in text or str(CHIPS - 500) in text]
    for path in ("/api/players/Ann/rounds", "/api/people", "/api/people/log", "/api/audit", "/api/approvals"):
        assert bob.get(path).json()["reason"] == "NOT_ALLOWED"


def test_players_can_list_only_their_own_rounds(house: House, ann: ApiUser) -> None:
    cy = house.player(name="Cy")
    assert cy.say(OTHER_TABLE, "seat", player="Cy", spot=1).status_code == 200
    main = next(
        name
        for name, wager in cy.get(f"/api/tables/{OTHER_TABLE}").json()["state"]["wagers"].items()
        if wager["role"] == "main"
    )
    for do, fields in (("bet", {"spot": 1, "stakes": {main: 1000}}), ("ready", {"player": "Cy"})):
        answer = cy.say(OTHER_TABLE, do, **fields)
        assert answer.status_code == 200, answer.text
    for _ in range(20):
        choices = {choice["do"] for choice in cy.get(f"/api/tables/{OTHER_TABLE}").json()["mine"]["choices"]}
        if not choices:
            break
        if "ready" in choices:
            cy.say(OTHER_TABLE, "ready", player="Cy")
        else:
            cy.say(OTHER_TABLE, "stay" if "stay" in choices else "decline-insurance", spot=1)
    assert len(cy.get("/api/me/rounds").json()) == 1
    assert ann.get("/api/me/rounds").json() == []
    assert len(house.sign_in("Flo").get("/api/players/Cy/rounds").json()) == 1


def test_nobody_can_read_the_key_of_a_shoe_in_play(house: House, ann: ApiUser) -> None:
    """What was promised of it is everybody's; the floor and auditors see no more than players."""
    assert ann.say(TABLE, "bet", spot=1, stakes={"Ante": 500}).status_code == 200
    for user in (ann, house.somebody(Role.AUDITOR), house.sign_in("Flo")):
        shoes = user.get(f"/api/tables/{TABLE}/shoes").json()
        assert shoes
        assert all(shoe["commitment"] and not shoe["key"] for shoe in shoes)
        for shoe in shoes:  # the evidence of a shoe has its key
            assert user.get(f"/api/tables/{TABLE}/shoes/{shoe['number']}").status_code == 404
    assert ann.say(TABLE, "clear", spot=1).status_code == 200
