"""The audit trail over HTTP: filtered by place, person, kind and time, with whoever approved; read by few rows."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

import pytest
import sqlalchemy as sa
from api.house import TABLE, ApiUser, House

from upcard.people import Role
from upcard.service import commands as s
from upcard.service.trail_kinds import TRAIL_KINDS

PAGES = Path(__file__).parents[2] / "web/src"


def names_of_commands() -> set[str]:
    kinds = (*get_args(s.TableCommand), *get_args(s.FloorLogCommand), s.OpenJackpot)
    requests = get_args(get_args(s.HouseRequest)[0])
    return {s.command_name(kind) for kind in kinds} | {str(kind.model_fields["order"].default) for kind in requests}


def test_every_command_has_a_kind_and_a_title() -> None:
    listed = [name for names in TRAIL_KINDS.values() for name in names]
    assert sorted(listed) == sorted(names_of_commands())
    titles = (PAGES / "staff/commandTitles.ts").read_text(encoding="utf-8").partition("TITLES")[2].partition("};")[0]
    assert set(re.findall(r'(?m)^  "?([a-z-]+)"?: "', titles)) == names_of_commands()
    kinds = (PAGES / "trail/trailEntry.ts").read_text(encoding="utf-8").partition("KINDS = {")[2].partition("}")[0]
    assert set(re.findall(r"(?m)^  (\w+):", kinds)) == {*TRAIL_KINDS, "refused"}


@pytest.fixture(scope="module")
def aud(house: House) -> ApiUser:
    return house.somebody(Role.AUDITOR, name="Aud")


def orders(user: ApiUser, **wanted: Any) -> list[str]:
    entries = user.get("/api/floor/trail", **wanted).json()
    return [entry["command"].get("request", {}).get("order") or entry["command"]["do"] for entry in entries]


def test_entries_are_found_by_place_person_kind_and_time(house: House, aud: ApiUser) -> None:
    fay = house.somebody(Role.FLOOR, name="Fay")
    house.player(name="Ann")
    fay.say(TABLE, "fill", amount=100_00)
    fay.say(TABLE, "void", why="nothing to void")  # refused
    fay.post("/api/floor/note", {"text": "busy"})
    assert orders(aud, person="Fay") == ["note", "void", "fill"]
    assert orders(aud, person="Fay", kind="money") == ["fill"]
    assert orders(aud, person="Fay", kind="refused") == ["void"]
    assert orders(aud, person="Fay", table=TABLE) == ["void", "fill"]
    assert orders(aud, floor_log=True) == ["note"]
    assert "set-hours" in orders(aud, house=True)
    whole = aud.get("/api/floor/trail", person="Fay").json()
    assert orders(aud, person="Fay", since=whole[0]["at"]) == ["note"]
    assert orders(aud, person="Fay", before=whole[1]["at"]) == ["fill"]
    assert orders(aud, person="Nobody") == []
    assert aud.get("/api/floor/trail", kind="no-such").status_code == 422
    assert aud.get("/api/floor/trail", **{"no-such": 1}).status_code == 422


def test_whoever_approved_an_order_is_named_beside_it(house: House, aud: ApiUser) -> None:
    asker, second = house.somebody(Role.CASHIER, name="Cass"), house.somebody(Role.FLOOR, name="Sue")
    house.player(name="Rich")
    for person in (asker, second):
        person.step_up()
    asked = asker.say(TABLE, "buy-in", player="Rich", amount=20_000_00)
    assert asked.status_code == 202, asked.text
    assert second.post(f"/api/approvals/{asked.json()['approval']}/approve").status_code == 200
    (entry,) = aud.get("/api/floor/trail", person="Cass").json()
    assert (entry["command"]["amount"], entry["approved_by"]) == (20_000_00, "Sue")
    assert all(line["approved_by"] is None for line in aud.get("/api/floor/trail", person="Fay").json())


@contextmanager
def statements(house: House) -> Iterator[list[str]]:
    """What the database is asked meanwhile."""
    asked: list[str] = []
    engine = house.server.service.desk.store.engine

    def note(*words: Any) -> None:
        asked.append(str(words[2]))

    sa.event.listen(engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        sa.event.remove(engine, "before_cursor_execute", note)


def test_a_page_of_one_table_reads_it_by_its_index(house: House, aud: ApiUser) -> None:
    """Every statement names the stream, or a primary key: none reads the whole book."""
    with statements(house) as asked:
        assert aud.get("/api/floor/trail", table=TABLE, person="Fay", before="2999-01-01T00:00:00Z").status_code == 200
    of_history = [text for text in asked if "FROM history" in text]
    assert of_history
    with house.server.service.desk.store.view() as unit:
        for text in of_history:
            values = {f"p{number}": "table:x" for number in range(text.count("?"))}
            numbered = iter(values)
            query = re.sub(r"\?", lambda _: f":{next(numbered)}", text)  # noqa: B023 - used at once
            plan = " ".join(str(row) for row in unit.connection.execute(sa.text(f"EXPLAIN QUERY PLAN {query}"), values))
            assert "SCAN history" not in plan, plan
