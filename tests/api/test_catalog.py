"""The house's catalog over HTTP: proposed, published by two people where a layout in use changes, restored; and files
that are bad in forty ways, which never stop a running house."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from api.house import TABLE, ApiUser, House, running_house
from service.own_workspace import LAYOUT, PAYTABLE, WAGER, own_files, paying

from upcard.api.middleware import MAX_UPLOAD_BYTES
from upcard.people import Role
from upcard.service import commands as s
from upcard.units import Cents
from upcard.workers import file_check

FILES = own_files()
KIND, GAME, LAYOUT_FILE = "kinds/lucky-nines.toml", f"games/{LAYOUT}.toml", f"layouts/{LAYOUT}.toml"


@pytest.fixture(scope="module")
def own_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with running_house(tmp_path_factory.mktemp("catalog")) as house:
        yield house


@pytest.fixture(scope="module")
def flo(own_house: House) -> ApiUser:
    return own_house.somebody(Role.FLOOR, name="Flo")


@pytest.fixture(scope="module")
def fay(own_house: House) -> ApiUser:
    return own_house.somebody(Role.FLOOR, name="Fay")


def proposed(person: ApiUser, files: dict[str, str]) -> dict[str, Any]:
    answer = person.post("/api/catalog/proposals", {"files": files})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def publish(person: ApiUser, proposal: dict[str, Any], **more: Any) -> httpx.Response:
    person.step_up()
    body = {"revision": proposal["revision"], "content": proposal["content"], **more}
    return person.post("/api/house/publish-catalog", body)


def test_files_are_proposed_published_opened_and_shown_in_lobby_card_and_lab(tmp_path: Path) -> None:
    with running_house(tmp_path) as house:
        _publish_and_look(house, house.somebody(Role.FLOOR, name="Flo"))


def _publish_and_look(own_house: House, flo: ApiUser) -> None:
    before = flo.get("/api/catalog").json()
    assert (before["revision"], before["files"], before["revisions"]) == (0, [], [])
    proposal = proposed(flo, FILES)
    assert (proposal["revision"], proposal["needs_two"], proposal["tables"]) == (1, False, [])
    assert proposal["own"] == {
        "kinds": ["lucky-nines"],
        "paytables": ["Lucky Nines 1"],
        "games": [LAYOUT],
        "layouts": [LAYOUT],
    }
    answer = publish(flo, proposal, note="our own nines")
    assert answer.status_code == 200, answer.text
    card = flo.get("/api/catalog").json()
    assert (card["revision"], card["loaded"]) == (1, 1)
    assert [(line["by"], line["note"]) for line in card["revisions"]] == [("Flo", "our own nines")]
    assert {file["path"] for file in card["files"]} == set(FILES)
    assert flo.get("/api/catalog/revisions/1").json()["files"] == FILES
    assert LAYOUT in {game["slug"] for game in flo.get("/api/games").json()}
    assert WAGER in json.dumps(flo.get(f"/api/layouts/{LAYOUT}").json())
    assert "lucky-nines-1" in {table["slug"] for table in flo.get("/api/lab/paytables").json()}
    odds = flo.get("/api/lab/wagers/lucky-nines-1", decks=6)
    assert odds.status_code == 200, odds.text
    assert flo.say("Own", "open-table", layout=LAYOUT, tray=1_000_000).status_code == 200
    assert "Own" in {table["table"] for table in own_house.nobody().get("/api/lobby").json()}


@pytest.fixture(scope="module")
def in_use(flo: ApiUser) -> None:
    """The house's own layout is published, and the table Own plays it."""
    assert publish(flo, proposed(flo, FILES)).status_code == 200
    assert flo.say("Own", "open-table", layout=LAYOUT, tray=1_000_000).status_code == 200


def publish_by_two(one: ApiUser, two: ApiUser, proposal: dict[str, Any], **more: Any) -> str:
    """Asks and approves; the id of the approval."""
    waits = publish(one, proposal, **more)
    assert waits.status_code == 202, waits.text
    two.step_up()
    answer = two.post(f"/api/approvals/{waits.json()['approval']}/approve")
    assert answer.status_code == 200, answer.text
    return str(waits.json()["approval"])


@pytest.mark.usefixtures("in_use")
def test_a_layout_in_use_waits_for_a_second_person_and_is_then_published(
    own_house: House, flo: ApiUser, fay: ApiUser
) -> None:
    before = flo.get("/api/catalog").json()["revision"]
    proposal = proposed(flo, paying(FILES, 90))
    assert proposal["needs_two"]
    assert [(table["table"], table["change"]) for table in proposal["tables"]] == [("Own", "changed")]
    assert [(file["path"], file["change"]) for file in proposal["files"]] == [(PAYTABLE, "changed")]
    waits = publish(flo, proposal)
    assert waits.status_code == 202, waits.text
    assert flo.get("/api/catalog").json()["revision"] == before
    fay.step_up()
    approval = waits.json()["approval"]
    assert flo.post(f"/api/approvals/{approval}/approve").json()["reason"] == "APPROVAL_OWN"
    assert fay.post(f"/api/approvals/{approval}/approve").status_code == 200
    assert flo.get("/api/catalog").json()["revision"] == before + 1
    assert flo.get(f"/api/approvals/{approval}").json()["state"] == "done"
    (change,) = flo.get("/api/catalog/compare", before=before, after=before + 1).json()
    assert "+pays = { three-nines = 90" in change["diff"]
    until = time.monotonic() + 30
    while own_house.server.service.desk.live("Own").revision <= before:  # a thread of its own gives it to the tables
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.mark.usefixtures("in_use")
def test_a_revision_is_restored_as_a_new_one(flo: ApiUser, fay: ApiUser) -> None:
    publish_by_two(flo, fay, proposed(flo, paying(FILES, 60)))
    answer = flo.post("/api/catalog/revisions/1/proposal")
    assert answer.status_code == 200, answer.text
    before = flo.get("/api/catalog").json()["revision"]
    publish_by_two(flo, fay, answer.json(), restores=1)
    card = flo.get("/api/catalog").json()
    assert (card["revision"], card["revisions"][0]["restores"]) == (before + 1, 1)
    assert flo.get("/api/catalog/compare", before=1, after=before + 1).json() == []
    assert flo.get("/api/catalog/revisions/99").json()["reason"] == "BAD_REQUEST"
    assert flo.post("/api/catalog/revisions/99/proposal").json()["reason"] == "BAD_REQUEST"


@pytest.mark.usefixtures("in_use")
def test_an_approval_of_files_that_somebody_overtook_is_refused(flo: ApiUser, fay: ApiUser) -> None:
    late = publish(fay, proposed(fay, paying(FILES, 70)))
    publish_by_two(flo, fay, proposed(flo, paying(FILES, 80)))
    flo.step_up()
    answer = flo.post(f"/api/approvals/{late.json()['approval']}/approve")
    assert answer.json()["reason"] == "REVISION_NOT_NEXT"
    publish_by_two(flo, fay, proposed(flo, FILES))


BAD: dict[str, dict[str, str]] = {
    "not toml": {KIND: "[[kind]]\nname = "},
    "an unknown key": {KIND: FILES[KIND].replace("title =", "tittle =")},
    "an unknown event": {PAYTABLE: FILES[PAYTABLE].replace("one-nine =", "one-ten =")},
    "a pay that is no number": {PAYTABLE: FILES[PAYTABLE].replace("= 100,", '= "a lot",')},
    "a pay below zero": {PAYTABLE: FILES[PAYTABLE].replace("= 100,", "= -1,")},
    "nine decks": {PAYTABLE: FILES[PAYTABLE].replace("decks = 6", "decks = 9")},
    "an unknown kind": {PAYTABLE: FILES[PAYTABLE].replace('wager = "lucky-nines"', 'wager = "nothing"')},
    "an unknown paytable": {LAYOUT_FILE: FILES[LAYOUT_FILE].replace("Lucky Nines 1", "Lucky Nines 7")},
    "an unknown game": {LAYOUT_FILE: FILES[LAYOUT_FILE].replace(f'game = "{LAYOUT}"', 'game = "poker"')},
    "a bad expression": {KIND: FILES[KIND].replace('"all are 9"', '"all are zwölf"')},
    "an unfinished expression": {KIND: FILES[KIND].replace('"all are 9"', '"all are 9 and ("')},
    "an empty expression": {KIND: FILES[KIND].replace('"all are 9"', '""')},
    "an impossible event": {KIND: FILES[KIND].replace('"all are 9"', '"all are 9 and all are 8"')},
    "events that refer to each other": {
        KIND: FILES[KIND].replace('"all are 9"', '"two-nines"').replace('"player are 9"', '"three-nines"')
    },
    "a wrong example": {KIND: FILES[KIND].replace('"9h 9c 9s"', '"9h 9c 8s"')},
    "cards that no deal has": {KIND: FILES[KIND].replace('"up"]', '"fifth"]')},
    "no events": {KIND: FILES[KIND].partition("[kind.events]")[0]},
    "a kind twice": {"kinds/again.toml": FILES[KIND]},
    "a paytable twice": {"paytables/again.toml": FILES[PAYTABLE]},
    "a layout twice": {"layouts/again.toml": FILES[LAYOUT_FILE]},
    "a NUL character": {KIND: FILES[KIND] + "# \0"},
    "a lone surrogate": {KIND: FILES[KIND] + "# \ud800"},
    "more than a megabyte": {KIND: FILES[KIND] + "#" * 1_000_001},
    "a path out of the folder": {"../evil.toml": ""},
    "a path from the root": {"/etc/evil.toml": ""},
    "a path through a folder": {"layouts/../../evil.toml": ""},
    "a windows path": {"layouts\\evil.toml": ""},
    "a folder that no catalog has": {"scripts/evil.toml": ""},
    "a file that no catalog has": {"layouts/evil.py": "import os"},
    "a hidden file": {"layouts/.evil.toml": ""},
    "names that differ in case": {KIND.upper().replace("KINDS", "kinds").replace("TOML", "toml"): FILES[KIND]},
    "an empty name": {"": "x"},
    "an empty layout": {"layouts/empty.toml": ""},
    "a layout as a list": {"layouts/list.toml": "game = [1, 2]"},
    "deeply nested values": {"layouts/deep.toml": "x = " + "[" * 5000 + "]" * 5000},
    "a huge number": {PAYTABLE: FILES[PAYTABLE].replace("= 100,", f"= 1{'0' * 5000},")},
    "a game without wagers": {GAME: FILES[GAME].partition("[[wager]]")[0]},
    "a date where a text belongs": {GAME: FILES[GAME].replace("name =", "name = 2026-01-01 #", 1)},
    "a jurisdiction that is none": {"jurisdictions/x.toml": "limits = 3"},
    "readings that are none": {"readings.toml": "reading = 3"},
    "a chart that is none": {"charts/x.csv": "not,a,chart"},
}


SEEN_ELSEWHERE = {  # in a file that was good until then
    "a path from the root": "the workspace",
    "an empty name": "the workspace",
    "nine decks": GAME,
    "a kind twice": KIND,
    "a paytable twice": PAYTABLE,
    "a layout twice": LAYOUT_FILE,
}


def test_there_are_forty_bad_files() -> None:
    assert len(BAD) >= 40
    for name, change in BAD.items():
        assert all(FILES.get(path) != text for path, text in change.items()), name


def test_every_bad_file_is_refused_with_its_place_and_the_house_goes_on(own_house: House, flo: ApiUser) -> None:
    revision = flo.get("/api/catalog").json()["revision"]
    for name, change in BAD.items():
        body = json.dumps({"files": {**FILES, **change}})
        answer = flo.http.post(
            "/api/catalog/proposals", content=body, headers={"Content-Type": "application/json"}, timeout=60
        )
        assert answer.status_code in (400, 422), f"{name}: {answer.status_code} {answer.text[:300]}"
        problem = answer.json()
        assert problem["reason"] in ("BAD_FILE", "UNREADABLE"), f"{name}: {problem}"
        if problem["reason"] == "BAD_FILE":
            files = {place["file"] for place in problem["problems"]}
            assert files & {*change, SEEN_ELSEWHERE.get(name)}, f"{name}: {problem['problems']}"
            assert "upcard-catalog-" not in answer.text, "a path of this machine"
    assert flo.get("/api/catalog").json()["revision"] == revision
    own_house.do(s.PostMinimum(table=TABLE, amount=Cents(1000)))


def test_the_problems_of_all_files_come_together_with_line_and_column(flo: ApiUser) -> None:
    files = {**FILES, **BAD["a bad expression"], **BAD["nine decks"], **BAD["a folder that no catalog has"]}
    problems = flo.post("/api/catalog/proposals", {"files": files}).json()["problems"]
    assert {problem["file"] for problem in problems} >= {KIND, PAYTABLE, "scripts/evil.toml"}
    (place,) = [problem["place"] for problem in problems if problem["file"] == KIND][:1]
    assert "line" in place
    assert "column" in place


def test_ten_megabytes_and_too_many_files_are_refused_at_once(flo: ApiUser) -> None:
    answer = flo.http.post("/api/catalog/proposals", content=b"x" * (MAX_UPLOAD_BYTES + 1))
    assert answer.json()["reason"] == "TOO_LARGE"
    many = {f"charts/c{number}.csv": "" for number in range(201)}
    problems = flo.post("/api/catalog/proposals", {"files": many}).json()["problems"]
    assert [problem["file"] for problem in problems] == ["the workspace"]


def test_a_check_that_takes_too_long_is_given_up(
    own_house: House, flo: ApiUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_check.check_in_worker, "__defaults__", (0.0,))
    answer = flo.post("/api/catalog/proposals", {"files": FILES})
    assert (answer.status_code, answer.json()["reason"]) == (400, "BAD_REQUEST")
    assert "takes too long" in answer.json()["detail"]
    assert own_house.nobody().get("/healthz").json()["healthy"]


def test_serve_with_a_workspace_opens_its_layouts_and_a_revision_lies_over_it(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    with running_house(tmp_path, catalog=(folder,), demo=True) as house:
        assert LAYOUT in {table["table"] for table in house.nobody().get("/api/lobby").json()}
        flo = house.somebody(Role.FLOOR, name="Flo")
        card = flo.get("/api/catalog").json()
        assert (card["revision"], card["workspaces"]) == (0, [str(folder)])
        assert flo.post("/api/catalog/proposals", {"files": paying(FILES, 90)}).json()["needs_two"]


def test_the_lab_checks_and_prices_files_and_stores_nothing(own_house: House, flo: ApiUser) -> None:
    files = {path: text for path, text in FILES.items() if path in (KIND, PAYTABLE)}
    answer = own_house.player().post("/api/lab/files", {"files": files}).json()
    assert answer["problems"] == []
    (price,) = answer["prices"]
    assert (price["paytable"], price["decks"], round(price["edge_percent"], 4)) == ("Lucky Nines 1", 6, 13.5894)
    bad = flo.post("/api/lab/files", {"files": {**files, **BAD["an unknown event"]}}).json()
    assert {problem["file"] for problem in bad["problems"]} == {PAYTABLE}
    assert own_house.nobody().post("/api/lab/files", json={"files": files}).status_code == 401
    begin = own_house.nobody().get("/api/lab/layouts/the-brook/files").json()["files"]
    assert set(begin) == {"layouts/the-brook.toml", "games/000-the-brook.toml"}
    assert own_house.nobody().get("/api/lab/layouts/nothing/files").json()["reason"] == "UNKNOWN_NAME"
