"""The overview stream: who hears it, what it tells, and that hundreds of records are few messages."""

import asyncio
import contextlib
import json
import shutil
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from api.house import TABLE, ApiUser, House, receive, send
from service.table_driver import TableDriver

from upcard.api.messages import FROM_SERVER
from upcard.api.overview import OverviewFeed
from upcard.people import Role
from upcard.service import commands as s
from upcard.service.pending import TableUpdate


@pytest.fixture
def floor(house: House) -> ApiUser:
    return house.somebody(Role.FLOOR)


def test_the_overview_sends_every_table_first_and_then_only_changes(house: House, floor: ApiUser) -> None:
    house.do(s.OpenTable(table="Line", layout="bet-bigger"))
    with floor.socket() as socket:
        send(socket, {"type": "overview"})
        overview = receive(socket, "overview")
        FROM_SERVER.validate_python(overview)
        assert overview["whole"]
        assert {row["table"] for row in overview["tables"]} == {
            row["table"] for row in floor.get("/api/floor").json()["tables"]
        }
        assert {row["jackpot"] for row in overview["jackpots"]} >= {"the-brook Galaxy Bonus Jackpot"}
        house.server.people.add_players(["Ann"], actor="house")
        house.do(s.Seat(table="Line", player="Ann", spot=2))
        news = receive(socket, "overview")
        while not news["tables"]:
            news = receive(socket, "overview")
        (row,) = news["tables"]
        assert (row["table"], row["seats"]) == ("Line", {"2": "Ann"})
        FROM_SERVER.validate_python(news)


def test_many_records_are_sent_as_one_message(house: House, floor: ApiUser) -> None:
    house.do(s.OpenTable(table="Busy", layout="bet-bigger"))
    house.server.people.add_players([f"P{spot}" for spot in range(1, 7)], actor="house")
    with floor.socket() as socket:
        send(socket, {"type": "overview"})
        receive(socket, "overview")
        for spot in (1, 2, 3, 4, 5, 6):
            house.do(s.Seat(table="Busy", player=f"P{spot}", spot=spot))
        rows, until = [], time.monotonic() + 2.5
        while (seconds := until - time.monotonic()) > 0:
            with contextlib.suppress(TimeoutError):
                rows += receive(socket, "overview", seconds=seconds)["tables"]
        assert 1 <= len(rows) <= 2  # six records, told at the next tick or two
        assert len(rows[-1]["seats"]) == 6


@pytest.mark.parametrize("role", Role)
def test_tables_are_for_staff_and_meters_for_everybody(house: House, role: Role) -> None:
    somebody = house.somebody(role)
    with somebody.socket() as socket:
        send(socket, {"type": "overview"})
        answer = receive(socket, "overview", "problem")
        staff = role not in (Role.PLAYER, Role.DISPLAY)
        assert answer["type"] == ("overview" if staff else "problem")
        send(socket, {"type": "overview", "tables": False})
        meters = receive(socket, "overview")
        assert (meters["tables"], bool(meters["jackpots"])) == ([], True)


def test_a_newly_posted_jackpot_value_reaches_the_overview(house: House) -> None:
    house.do(
        s.OpenTable(
            table="Posted", layout="lucky-ladies", jackpots={"Lucky Ladies Jackpot": "B1", "21+3 Jackpot": "B2"}
        )
    )
    jack, screen = house.somebody(Role.JACKPOTS), house.somebody(Role.DISPLAY)
    jack.step_up()
    with screen.socket() as socket:
        send(socket, {"type": "overview", "tables": False})
        receive(socket, "overview")
        response = jack.post("/api/house/post", {"jackpot": "B1", "values": {"Lucky Ladies Jackpot": 12_000_00}})
        assert response.status_code == 200
        rows = {}
        while "B1" not in rows:
            rows = {row["jackpot"]: row["meters"] for row in receive(socket, "overview")["jackpots"]}
        assert rows["B1"] == {"Lucky Ladies Jackpot": 12_000_00}


def test_only_staff_see_who_locked_and_verified_a_win(house: House) -> None:
    house.do(s.OpenTable(table="Won", layout="lucky-ladies-jackpot", jackpots={"Lucky Ladies": "Won-LL"}, by_hand=True))
    house.chips("Winnie", 100_00, table="Won")
    played: tuple[s.Command, ...] = (
        s.PlaceShoe(table="Won"),
        s.Seat(table="Won", player="Winnie", spot=1),
        s.Bet(table="Won", spot=1, stakes={"Ante": 10_00, "Lucky Ladies": 10_00}),
        s.Deal(table="Won"),
        *(s.EnterCard(table="Won", card="Qh") for _ in range(3)),
        s.Peek(table="Won", blackjack=False),
        s.Stay(table="Won", spot=1),
        s.EnterCard(table="Won", card="8c"),
        s.Settle(table="Won"),
    )
    for command in played:
        house.do(command)
    for role in Role:
        somebody, staff = house.somebody(role), role not in (Role.PLAYER, Role.DISPLAY)
        with somebody.socket() as socket:
            send(socket, {"type": "overview", "tables": staff})
            (line,) = (jackpot for jackpot in receive(socket, "overview")["jackpots"] if jackpot["jackpot"] == "Won-LL")
        (read,) = (jackpot for jackpot in somebody.get("/api/jackpots").json() if jackpot["jackpot"] == "Won-LL")
        wins = [*line["waiting"], *read["wins"].values()]
        assert len(wins) == 2
        assert {bool(win["locked_by"]) for win in wins} == {staff}


def test_a_table_changed_here_and_then_elsewhere_is_sent_in_its_latest_state(empty_file: Path, tmp_path: Path) -> None:
    e = TableDriver(str(shutil.copy(empty_file, tmp_path / "two.db")))
    overview, ear = OverviewFeed(e.service), Mock()

    async def next_message() -> dict[str, Any]:
        overview.listeners[ear] = True
        e.say("Ann", s.Seat, spot=1)
        overview.updated([TableUpdate(live=e.live, events=[], bankrolls={})])
        e.another_service().desk.do(s.Seat(table="T1", player="Bob", spot=2), id="there", actor="Bob", role="player")
        overview.moved_elsewhere(["T1"])
        await overview.send_changes()
        message: dict[str, Any] = json.loads(ear.send.call_args.args[0])
        return message

    (row,) = asyncio.run(next_message())["tables"]
    assert row["seats"] == {"1": "Ann", "2": "Bob"}
    e.end()


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
    assert (link["link"], [jackpot["jackpot"] for jackpot in link["jackpots"]]) == (True, [bonus["jackpot"]])
    unknown = screen.get("/api/display/lucky-lady").json()
    assert unknown["reason"] == "UNKNOWN_NAME"
    assert "lucky-ladies" in unknown["detail"]


def test_a_persons_permissions_are_sent_as_the_rules_define_them(house: House) -> None:
    may = house.somebody(Role.JACKPOTS).get("/api/me/may").json()
    assert (may["verify"], may["post"], may["pay-win"]) == ("", "code", "two")
    assert "void" not in may


def test_the_hold_of_a_day_without_rounds_is_empty(house: House, floor: ApiUser) -> None:
    days = floor.get("/api/floor/days").json()
    assert days["today"] <= datetime.now(UTC).date().isoformat()
    past = floor.get("/api/floor/hold/2020-02-02").json()
    assert (past["tables"], past["together"]["win"], past["solving"]) == ([], 0, False)
    assert house.somebody(Role.DEALER).get("/api/floor/hold/2020-02-02").status_code == 403
    assert floor.get("/api/floor/trail", table=TABLE).json()[-1]["command"]["do"] == "open-table"
