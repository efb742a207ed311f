"""At the cage: known names only, and the more money changes hands, the more it takes."""

from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa
from api.house import TABLE, ApiUser, House, receive, running_house, send

from upcard.ledger import schema as book
from upcard.people import Role


@pytest.fixture(scope="module")
def cashier(house: House) -> ApiUser:
    return house.somebody(Role.CASHIER, name="Cass")


@pytest.fixture(scope="module")
def fay(house: House) -> ApiUser:
    return house.somebody(Role.FLOOR, name="Fay")


def reason(answer: httpx.Response) -> str:
    return str(answer.json().get("reason", ""))


def chips(house: House, player: str) -> int:
    return house.server.service.queries.bankroll(player)


def test_chips_are_sold_only_to_players_whom_the_house_knows(house: House, cashier: ApiUser) -> None:
    """A buy-in of $100 billion for an unknown name was accepted."""
    unknown = cashier.say(TABLE, "buy-in", player="Nobody Knows", amount=100)
    assert (unknown.status_code, reason(unknown)) == (409, "PLAYER_UNKNOWN")
    house.account("Dan", Role.DEALER)
    assert reason(cashier.say(TABLE, "buy-in", player="Dan", amount=100)) == "PLAYER_UNKNOWN"
    dealer = house.somebody(Role.DEALER)
    assert reason(dealer.say(TABLE, "seat", player="Nobody Knows", spot=1)) == "PLAYER_UNKNOWN"
    opened = cashier.post("/api/people/walk-in", {"name": "Wim"})
    assert opened.json() == {"name": "Wim"}
    assert cashier.say(TABLE, "buy-in", player="Wim", amount=100).status_code == 200
    assert chips(house, "Wim") == 100
    assert reason(cashier.post("/api/people/walk-in", {"name": "dan"})) == "NOT_A_PLAYER"
    assert reason(cashier.post("/api/people/walk-in", {"name": "a:b"})) == "BAD_NAME"


@pytest.mark.parametrize("name", ["vera", "V\u200bera", "\u202eVera", "\uff36era"])
def test_variants_of_a_name_are_one_player_with_one_account(house: House, cashier: ApiUser, name: str) -> None:
    assert cashier.post("/api/people/walk-in", {"name": "Vera"}).json() == {"name": "Vera"}
    assert cashier.post("/api/people/walk-in", {"name": name}).json() == {"name": "Vera"}
    before = chips(house, "Vera")
    assert cashier.say(TABLE, "buy-in", player=name, amount=100).status_code == 200
    assert (chips(house, "Vera"), chips(house, name)) == (before + 100, 0)


def test_a_disabled_player_buys_no_chips_and_can_cash_in(house: House, cashier: ApiUser, fay: ApiUser) -> None:
    player = house.player(chips=500)
    fay.step_up()
    fay.post(f"/api/people/{player.name}/disable")
    assert reason(cashier.say(TABLE, "buy-in", player=player.name, amount=100)) == "PLAYER_DISABLED"
    assert cashier.say(TABLE, "cash-out", player=player.name, amount=500).status_code == 200


def test_more_money_takes_a_code_and_much_more_a_second_person(house: House, cashier: ApiUser, fay: ApiUser) -> None:
    cashier.post("/api/people/walk-in", {"name": "Rich"})
    house.later(minutes=6)

    def buy(amount: int, key: str = "") -> httpx.Response:
        path = f"/api/tables/{TABLE}/buy-in"
        return cashier.post(path, {"player": "Rich", "amount": amount}, key=key)

    assert buy(3_000_00).status_code == 200
    assert reason(buy(3_000_01)) == "STEP_UP_NEEDED"
    cashier.step_up()
    assert buy(10_000_00).status_code == 200
    waits = buy(10_000_01, "large")
    assert waits.status_code == 202
    assert chips(house, "Rich") == 13_000_00
    fay.step_up()
    approved = fay.post(f"/api/approvals/{waits.json()['approval']}/approve")
    assert approved.status_code == 200, approved.text
    assert chips(house, "Rich") == 23_000_01
    assert buy(10_000_01, "large").json()["repeated"]
    assert chips(house, "Rich") == 23_000_01
    card = cashier.get(f"/api/approvals/{waits.json()['approval']}").json()
    assert (card["state"], card["given_by"]) == ("done", "Fay")


def test_nobody_hands_over_more_than_a_million_at_once(cashier: ApiUser, fay: ApiUser) -> None:
    cashier.post("/api/people/walk-in", {"name": "Croesus"})
    cashier.step_up()
    fay.step_up()
    waits = cashier.say(TABLE, "buy-in", player="Croesus", amount=10**13)
    answer = fay.post(f"/api/approvals/{waits.json()['approval']}/approve")
    assert (answer.status_code, reason(answer)) == (409, "TOO_MUCH_AT_ONCE")


def test_large_amounts_are_refused_over_a_socket(cashier: ApiUser) -> None:
    cashier.step_up()
    with cashier.socket() as socket:
        command = {"do": "buy-in", "table": TABLE, "player": "Rich", "amount": 3_000_01}
        send(socket, {"type": "command", "id": "1", "command": command})
        assert receive(socket, "refused")["reason"] == "NOT_HERE"


def test_the_limits_of_the_cage_are_settings(tmp_path: Path) -> None:
    with running_house(tmp_path, cage_code_above=100, cage_two_people_above=200) as house:
        cashier = house.somebody(Role.CASHIER)
        cashier.post("/api/people/walk-in", {"name": "Wim"})
        assert cashier.say(TABLE, "buy-in", player="Wim", amount=201).status_code == 202


def test_texts_in_commands_are_bounded(house: House, fay: ApiUser) -> None:
    long = "x" * 401
    answer = fay.say(TABLE, "close-table", tray=0, why=long)
    assert (answer.status_code, reason(answer)) == (400, "TEXT_TOO_LONG")
    assert fay.say("Somewhere", "open-table", layout=long).json()["reason"] in ("TEXT_TOO_LONG", "UNREADABLE")
    with house.server.service.desk.store.view() as unit:
        chains = unit.connection.execute(sa.select(book.chains.c.chain)).scalars().all()
    assert "table:Somewhere" not in chains


def test_every_player_of_a_demo_with_bots_is_known(tmp_path: Path) -> None:
    with running_house(tmp_path, demo=True, demo_pace=0) as house:
        guest = ApiUser(house, house.nobody().post("/api/guest").json())
        assert guest.say(TABLE, "seat", player=guest.name, spot=1).status_code == 200
        bots = guest.post(f"/api/tables/{TABLE}/company", {"bots": 2}).json()["bots"]
        known = {person.name for person in house.server.people.people()}
        assert known >= {guest.name, *bots}
