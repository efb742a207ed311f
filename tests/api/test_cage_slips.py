"""Slips of the cage over HTTP: numbered, counted by denomination, signed by two; and the accounts of players."""

from api.house import TABLE, House

from upcard.people import Role


def test_slips_of_the_day_are_numbered_and_say_who_signed(house: House) -> None:
    cashier, floor = house.somebody(Role.CASHIER, name="Carl"), house.somebody(Role.FLOOR, name="Fran")
    chips = [{"denomination": 100_00, "count": 120}]
    cashier.step_up()
    small = cashier.say(TABLE, "fill", amount=25_00)
    waits = cashier.say(TABLE, "fill", amount=12_000_00, chips=chips)
    assert waits.status_code == 202
    floor.step_up()
    assert floor.post(f"/api/approvals/{waits.json()['approval']}/approve").status_code == 200
    large, first = cashier.get("/api/cage/slips").json()[:2]
    assert (large["order"], large["amount"], large["chips"]) == ("fill", 12_000_00, chips)
    assert (large["by"], large["approved_by"]) == ("Carl", "Fran")
    assert (first["by"], first["approved_by"], first["amount"]) == ("Carl", "", 25_00)
    assert large["number"] == first["number"] + 1 == small.json()["told"][f"table:{TABLE}"]["slip"] + 1
    assert cashier.get("/api/cage/slips", day="2020-01-01").json() == []
    differs = cashier.say(TABLE, "fill", amount=12_001_00, chips=chips)
    floor.step_up()
    refused = floor.post(f"/api/approvals/{differs.json()['approval']}/approve")
    assert refused.json()["reason"] == "CHIPS_DIFFER"


def test_a_players_account_shows_what_they_bought_cashed_in_and_won(house: House) -> None:
    cashier = house.somebody(Role.CASHIER)
    cashier.post("/api/people/walk-in", {"name": "Wanda"})
    cashier.say(TABLE, "buy-in", player="Wanda", amount=500_00, at_cage=True)
    cashier.say(TABLE, "cash-out", player="Wanda", amount=200_00, at_cage=True)
    cashier.say(TABLE, "tip", player="Wanda", amount=5_00)
    account = cashier.get("/api/cage/players/Wanda").json()
    assert (account["chips"], account["opening"], account["play"]) == (295_00, 0, 0)
    assert [(line["reason"], line["amount"]) for line in account["lines"]] == [
        ("buy-in", 500_00),
        ("cash-out", -200_00),
        ("tip", -5_00),
    ]
    assert cashier.get("/api/cage/players/Nobody").json()["reason"] == "PERSON_UNKNOWN"


def test_players_and_dealers_do_not_read_slips_and_accounts(house: House) -> None:
    for person in (house.player(), house.somebody(Role.DEALER)):
        assert person.get("/api/cage/slips").status_code == 403
        assert person.get("/api/cage/players/Wanda").status_code == 403
