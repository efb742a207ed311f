"""The floor's log over HTTP: shift notes, handovers, and disputes about rounds that are looked up."""

import pytest
from api.house import TABLE, ApiUser, House

from upcard.ledger.check import check as check_book
from upcard.people import Role
from upcard.service import commands as s
from upcard.service.history_check import check as check_records
from upcard.service.running import keyring_beside


@pytest.fixture(scope="module")
def fay(house: House) -> ApiUser:
    return house.somebody(Role.FLOOR, name="Fay")


@pytest.fixture(scope="module")
def round_number(house: House) -> int:
    """A round that Ann has played."""
    ann = house.player(name="Ann")
    for do, fields in (("seat", {"player": "Ann", "spot": 1}), ("bet", {"spot": 1, "stakes": {"Ante": 10_00}})):
        assert ann.say(TABLE, do, **fields).status_code == 200
    ann.say(TABLE, "ready", player="Ann")
    live = house.server.service.desk.live(TABLE)
    while live.table.round is not None:
        for do in ("decline-insurance", "stay"):
            ann.say(TABLE, do, spot=1)
        live = house.server.service.desk.live(TABLE)
    return live.round


def test_a_round_is_found_by_its_number_and_by_its_time(house: House, fay: ApiUser, round_number: int) -> None:
    page = fay.get(f"/api/tables/{TABLE}/rounds").json()
    (line,) = [line for line in page if line["round"] == round_number]
    assert line["players"] == ["Ann"]
    assert line["staked"] >= 10_00
    assert fay.get(f"/api/tables/{TABLE}/rounds", before=round_number).json() == page[1:]
    assert fay.get(f"/api/tables/{TABLE}/rounds", until="2020-01-01T00:00:00Z").json() == []
    assert fay.get(f"/api/tables/{TABLE}/rounds", until="2999-01-01T00:00:00Z").json() == page
    unknown = fay.get("/api/tables/no-such/rounds")
    assert (unknown.status_code, unknown.json()["reason"]) == (404, "TABLE_UNKNOWN")
    assert house.somebody(Role.PLAYER).get(f"/api/tables/{TABLE}/rounds").status_code == 403


def test_a_dispute_is_opened_once_settled_once_and_says_by_whom(fay: ApiUser, round_number: int) -> None:
    claim = {"table": TABLE, "round": round_number, "player": "ann", "claim": "I had asked for a card"}
    opened = fay.post("/api/floor/open-dispute", claim, key="claim-1")
    number = opened.json()["number"]
    assert fay.post("/api/floor/open-dispute", claim, key="claim-1").json()["number"] == number  # a double click
    dispute = fay.get(f"/api/floor/disputes/{number}").json()
    assert (dispute["player"], dispute["by"], dispute["settled"]) == ("Ann", "Fay", None)
    ruling = {"dispute": number, "outcome": "partly-upheld", "why": "the camera shows it", "paid": 10_00}
    assert fay.post("/api/floor/settle-dispute", ruling).status_code == 200
    settled = fay.get("/api/floor/disputes").json()[0]["settled"]
    assert (settled["outcome"], settled["paid"], settled["by"]) == ("partly-upheld", 10_00, "Fay")
    again = fay.post("/api/floor/settle-dispute", ruling)
    assert again.json()["detail"] == f"dispute {number} is already settled"


def test_a_dispute_needs_a_finished_round(fay: ApiUser, round_number: int) -> None:
    body = {"table": TABLE, "round": round_number + 1, "player": "Ann", "claim": "no such round"}
    refused = fay.post("/api/floor/open-dispute", body)
    assert refused.status_code == 404
    assert refused.json()["detail"] == f"there is no finished round {round_number + 1} at {TABLE}"
    missing = fay.post("/api/floor/settle-dispute", {"dispute": 10**6, "outcome": "denied", "why": "none"})
    assert missing.json()["reason"] == "NO_SUCH_DISPUTE"
    assert fay.get("/api/floor/disputes/1000000").status_code == 404


def test_the_floor_is_handed_over_to_somebody_else_once(house: House, fay: ApiUser) -> None:
    note = fay.post("/api/floor/note", {"table": TABLE, "text": "spot 3 wobbles"}).json()["number"]
    number = fay.post("/api/floor/hand-over", {"text": "Ann is a VIP"}).json()["number"]
    assert fay.post("/api/floor/take-over", {"hand_over": number}).json()["reason"] == "OWN_HAND_OVER"
    next_shift = house.somebody(Role.FLOOR, name="Ned")
    assert next_shift.post("/api/floor/take-over", {"hand_over": note}).json()["reason"] == "NO_SUCH_HAND_OVER"
    assert next_shift.post("/api/floor/take-over", {"hand_over": number}).status_code == 200
    assert next_shift.post("/api/floor/take-over", {"hand_over": number}).json()["reason"] == "HAND_OVER_TAKEN"
    handed, noted = fay.get("/api/floor/notes").json()[:2]
    assert (handed["text"], handed["taken_over"]["by"]) == ("Ann is a VIP", "Ned")
    assert (noted["table"], noted["text"], noted["taken_over"]) == (TABLE, "spot 3 wobbles", None)
    assert fay.get("/api/floor/notes", before=noted["number"]).json() == []


def test_the_house_has_a_name(house: House, fay: ApiUser) -> None:
    fay.step_up()
    assert fay.post("/api/floor/name-house", {"name": "The Lucky Fox"}).status_code == 200
    assert house.somebody(Role.CASHIER).get("/api/house").json()["name"] == "The Lucky Fox"


def test_only_the_floor_rules_on_disputes_and_auditors_read_them(house: House, round_number: int) -> None:
    body = {"table": TABLE, "round": round_number, "player": "Ann", "claim": "me too"}
    for role in (Role.DEALER, Role.CASHIER, Role.AUDITOR, Role.PLAYER):
        assert house.somebody(role).post("/api/floor/open-dispute", body).status_code == 403, role
    auditor = house.somebody(Role.AUDITOR)
    assert auditor.get("/api/floor/disputes").status_code == 200
    assert auditor.get("/api/floor/notes").status_code == 200
    assert house.somebody(Role.DEALER).get("/api/floor/disputes").status_code == 403


def test_the_log_is_checked_with_the_book(house: House, fay: ApiUser) -> None:
    fay.post("/api/floor/note", {"text": "all quiet"})
    desk = house.server.service.desk
    with desk.book.look() as clerk:
        assert check_book(clerk.unit).findings == ()
        assert check_records(clerk.unit, keyring_beside(house.settings.book, None)).findings == []
    assert isinstance(s.COMMANDS.validate_python({"do": "note", "text": "x"}), s.WriteNote)
