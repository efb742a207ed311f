"""The overview stream: who hears it, what it tells, and that hundreds of records are few messages."""

import contextlib
import time
from datetime import UTC, datetime

import pytest
from api.serving import TABLE, House, Somebody, heard, said

from upcard.api.messages import FROM_SERVER
from upcard.service import commands as s
from upcard.service.people import Role


@pytest.fixture
def floor(house: House) -> Somebody:
    return house.somebody(Role.FLOOR)


def test_it_begins_with_everything_and_then_tells_the_lines_that_changed(house: House, floor: Somebody) -> None:
    house.do(s.OpenTable(table="Line", layout="bet-bigger"))
    with floor.socket() as socket:
        said(socket, {"type": "overview"})
        whole = heard(socket, "overview")
        FROM_SERVER.validate_python(whole)
        assert whole["whole"]
        assert {row["table"] for row in whole["tables"]} == {
            row["table"] for row in floor.get("/api/floor").json()["tables"]
        }
        assert {row["jackpot"] for row in whole["jackpots"]} >= {"the-brook Galaxy Bonus Jackpot"}
        house.do(s.Seat(table="Line", player="Ann", spot=2))
        news = heard(socket, "overview")
        while not news["tables"]:
            news = heard(socket, "overview")
        (row,) = news["tables"]
        assert (row["table"], row["seats"]) == ("Line", {"2": "Ann"})
        FROM_SERVER.validate_python(news)


def test_many_records_are_one_message(house: House, floor: Somebody) -> None:
    house.do(s.OpenTable(table="Busy", layout="bet-bigger"))
    with floor.socket() as socket:
        said(socket, {"type": "overview"})
        heard(socket, "overview")
        for spot in (1, 2, 3, 4, 5, 6):
            house.do(s.Seat(table="Busy", player=f"P{spot}", spot=spot))
        rows, until = [], time.monotonic() + 2.5
        while (left := until - time.monotonic()) > 0:
            with contextlib.suppress(TimeoutError):
                rows += heard(socket, "overview", seconds=left)["tables"]
        assert 1 <= len(rows) <= 2  # six records, told at the next tick or two
        assert len(rows[-1]["seats"]) == 6


@pytest.mark.parametrize("role", Role)
def test_tables_are_for_staff_and_meters_for_everybody(house: House, role: Role) -> None:
    somebody = house.somebody(role)
    with somebody.socket() as socket:
        said(socket, {"type": "overview"})
        answer = heard(socket, "overview", "problem")
        staff = role not in (Role.PLAYER, Role.DISPLAY)
        assert answer["type"] == ("overview" if staff else "problem")
        said(socket, {"type": "overview", "tables": False})
        meters = heard(socket, "overview")
        assert (meters["tables"], bool(meters["jackpots"])) == ([], True)


def test_a_jackpot_posted_by_the_house_is_told(house: House) -> None:
    house.do(
        s.OpenTable(
            table="Posted", layout="lucky-ladies", jackpots={"Lucky Ladies Jackpot": "B1", "21+3 Jackpot": "B2"}
        )
    )
    jack, screen = house.somebody(Role.JACKPOTS), house.somebody(Role.DISPLAY)
    jack.step_up()
    with screen.socket() as socket:
        said(socket, {"type": "overview", "tables": False})
        heard(socket, "overview")
        told = jack.post("/api/house/post", {"jackpot": "B1", "values": {"Lucky Ladies Jackpot": 12_000_00}})
        assert told.status_code == 200
        rows = {}
        while "B1" not in rows:
            rows = {row["jackpot"]: row["meters"] for row in heard(socket, "overview")["jackpots"]}
        assert rows["B1"] == {"Lucky Ladies Jackpot": 12_000_00}


def test_a_display_shows_the_pays_for_every_stake_and_the_notice(house: House) -> None:
    screen = house.somebody(Role.DISPLAY)
    (mega,) = screen.get("/api/display/lucky-ladies-jackpot").json()["jackpots"]
    assert mega["stakes"] == [5_00, 10_00]
    top, fixed = mega["lines"][0]["pays"], mega["lines"][3]["pays"]
    assert [(pay["share"], pay["meter"]) for pay in top] == [("50%", "MEGA"), ("100%", "MEGA")]
    assert fixed[1]["amount"] == 2 * fixed[0]["amount"]
    bonus, _ = screen.get("/api/display/lucky-ladies").json()["jackpots"]
    assert (bonus["suit"], bonus["notice"][:20]) == ("hearts", "Bonus Jackpot prizes")
    link = screen.get(f"/api/display/{bonus['jackpot']}").json()
    assert (link["link"], [one["jackpot"] for one in link["jackpots"]]) == (True, [bonus["jackpot"]])
    unknown = screen.get("/api/display/lucky-lady").json()
    assert unknown["reason"] == "UNKNOWN_NAME"
    assert "lucky-ladies" in unknown["detail"]


def test_what_one_may_is_told_as_the_rules_have_it(house: House) -> None:
    may = house.somebody(Role.JACKPOTS).get("/api/me/may").json()
    assert (may["verify"], may["post"], may["pay-win"]) == ("", "code", "two")
    assert "void" not in may


def test_the_hold_of_a_day_without_rounds_is_empty(house: House, floor: Somebody) -> None:
    days = floor.get("/api/floor/days").json()
    assert days["today"] <= datetime.now(UTC).date().isoformat()
    past = floor.get("/api/floor/hold/2020-02-02").json()
    assert (past["tables"], past["together"]["win"], past["solving"]) == ([], 0, False)
    assert house.somebody(Role.DEALER).get("/api/floor/hold/2020-02-02").status_code == 403
    assert floor.get("/api/floor/trail", table=TABLE).json()[-1]["command"]["do"] == "open-table"
