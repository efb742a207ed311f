"""Pages of the staff while they load, out of reach of the service, refused, and with nothing to show."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from browser.staff import At, Floor, Person, a_floor
from playwright.sync_api import Route, WebSocketRoute, expect

from upcard.people import Role


class Page(NamedTuple):
    """Where it is, what it reads, and what it says when that holds nothing."""

    where: str
    reads: str
    empty: str
    answer: object = ()  # an empty list
    who: str = "Fay"
    opens: str = ""  # the part that must be opened


HOURS: dict[str, object] = {
    "day": "",
    "zone": "UTC",
    "starts": [],
    "tables": [],
    "together": {"table": "", "hours": []},
}
REPORT: dict[str, object] = {"day": "", "tables": [], "jackpots": [], "checkpoint": None}
OWN: dict[str, list[str]] = {"games": [], "layouts": [], "paytables": [], "kinds": []}
CATALOG = {"revision": 0, "loaded": 0, "content": "", "own": OWN, "workspaces": [], "revisions": []}
HOUSE = {"name": "", "hours": None, "today": ""}
PAGES = {
    "disputes": Page("floor/disputes", "**/api/floor/disputes", "There are no disputes."),
    "shift": Page("floor/shift", "**/api/floor/notes*", "No notes yet."),
    "trail": Page("floor/trail", "**/api/floor/trail*", "No entries."),
    "hours": Page("floor/day", "**/api/floor/hours/*", "No table had a round or a buy-in on this day.", HOURS),
    "report": Page("floor/day", "**/api/report/*", "No table was open on this day.", REPORT),
    "approvals": Page("floor/approvals", "**/api/approvals", "No approvals are waiting."),
    "people": Page("floor/people", "**/api/people", "Nobody of that name and role."),
    "log": Page("floor/people", "**/api/people/log*", "Nothing happened to an account yet.", opens="Log of accounts"),
    "house": Page("floor/house", "**/api/house", "Set when a gaming day begins", HOUSE),
    "catalog": Page("floor/catalog", re.escape("/api/catalog") + "$", "No revision yet.", CATALOG),
    "slips": Page("floor/cage", "**/api/cage/slips*", "Nothing was booked.", who="Cass"),
    "players": Page("floor/cage", "**/api/people/players*", "There are no players yet.", who="Cass"),
    "account": Page("account", "**/api/me/sessions", "You are signed in nowhere else."),
    "files": Page("lab/files", "**/api/games", "No files yet."),
}
LIVE = {  # pages of what the service sends by itself: who, where, and what is said while there is nothing
    "tables": ("Fay", "floor/tables", "There are no tables yet."),
    "map": ("Fay", "floor/map", "There are no tables yet."),
    "jackpots": ("Fay", "floor/jackpots", "There is no jackpot yet."),
    "dealer": ("Dana", "dealer", "No open table is dealt by hand."),
    "display": ("Screen", "display", "There is no jackpot yet."),
}
NOTHING = {"type": "overview", "tables": [], "jackpots": [], "whole": True}
REFUSAL = {"reason": "NOT_ALLOWED", "detail": "the role floor may not do this"}


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    with a_floor(tmp_path_factory.mktemp("states")) as floor:
        for name, role in (("Fay", Role.FLOOR), ("Cass", Role.CASHIER), ("Screen", Role.DISPLAY)):
            floor.person(name, role)
        yield floor


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_where_it_stands(at: At, name: str) -> None:
    page = PAGES[name]
    person = at(page.who, "floor/tables")
    where = re.compile(page.reads) if page.reads.endswith("$") else page.reads

    def show() -> None:
        person.go("floor/tables")
        expect(person.page.get_by_label("All tables")).to_be_visible()
        person.go(page.where)
        if page.opens:
            person.page.get_by_text(page.opens).click()

    waiting: list[Route] = []
    held = True

    def answer(route: Route) -> None:
        if held:
            waiting.append(route)
        else:
            route.fulfill(status=200, content_type="application/json", body=json.dumps(page.answer))

    person.page.route(where, answer)
    show()
    expect(person.page.locator('[data-state="loading"]').first).to_be_visible()
    if name != "files":  # those are the browser's own
        expect(person.page.get_by_text(page.empty)).to_have_count(0)
    held = False
    for route in waiting:
        answer(route)
    expect(person.page.get_by_text(page.empty).first).to_be_visible()

    person.page.unroute(where)
    problem = json.dumps(REFUSAL)
    person.page.route(where, lambda route: route.fulfill(status=403, content_type="application/json", body=problem))
    show()
    expect(person.page.locator('[data-state="refused"]').first).to_contain_text("The role floor may not do this.")

    person.page.unroute(where)
    person.page.route(where, lambda route: route.abort())
    show()
    expect(person.page.locator('[data-state="offline"]').first).to_contain_text("cannot be reached")
    person.page.unroute(where)
    person.button("Try again").first.click()
    expect(person.page.locator('[data-state="offline"]')).to_have_count(0)
    person.wrong.clear()  # the browser logs the requests that this test refused


def send(person: Person, sockets: list[WebSocketRoute], message: object) -> None:
    """Sends a message as the service would, once the page has connected; it was loaded again since."""
    for _ in range(100):
        if sockets:
            break
        person.page.wait_for_timeout(50)
    sockets.pop().send(json.dumps(message))


@pytest.mark.parametrize("name", LIVE)
def test_a_page_of_live_figures_says_where_it_stands(at: At, name: str) -> None:
    """The dealer's page said that no table is dealt by hand before it knew of any."""
    who, where, empty = LIVE[name]
    person = at(who, where)
    sockets: list[WebSocketRoute] = []
    person.page.route_web_socket(re.compile(r"/ws\?"), lambda socket: sockets.append(socket))
    person.page.reload()
    expect(person.page.locator('[data-state="loading"]')).to_be_visible()
    expect(person.page.get_by_text(empty)).to_have_count(0)
    send(person, sockets, {"type": "problem", **REFUSAL})
    expect(person.page.locator('[data-state="refused"]')).to_have_text("The role floor may not do this.")
    sockets.clear()
    person.page.reload()
    expect(person.page.locator('[data-state="loading"]')).to_be_visible()
    send(person, sockets, NOTHING)
    expect(person.page.get_by_text(empty)).to_be_visible()
    expect(person.page.locator('[data-state="offline"]')).to_contain_text("Connection lost")  # nothing more came
    person.wrong.clear()


def test_the_panel_of_a_table_says_where_it_stands(floor: Floor, at: At) -> None:
    """It said that no round is in progress before it knew of any, and left out what it could not read."""
    floor.open("Pit 1")
    fay = at("Fay", "floor/tables")
    expect(fay.row("Pit 1")).to_be_visible()
    today = re.compile("/api/floor/days")
    fay.page.route(today, lambda route: route.abort())

    def without_snapshots(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            text = str(message)
            if '"snapshot"' not in text and '"events"' not in text:
                socket.send(text)

        server.on_message(pass_on)

    fay.page.route_web_socket(re.compile(r"/ws\?"), without_snapshots)
    fay.go("floor/tables/Pit 1")
    fay.page.reload()
    expect(fay.page.get_by_text("Loading the round…")).to_be_visible()
    expect(fay.page.locator('[data-state="offline"]')).to_contain_text("cannot be reached")
    fay.page.unroute(today)
    fay.button("Try again").click()
    expect(fay.page.locator('[data-state="offline"]')).to_have_count(0)
    fay.wrong.clear()


def test_staff_read_times_in_the_zone_of_the_house_whatever_their_browser_says(at: At) -> None:
    """The log of accounts and the page of the own account took the browser's."""
    fay = at("Fay", "floor/tables", timezone_id="Asia/Tokyo")
    noon = "2026-07-04T16:00:00.000000Z"
    line = {"number": 1, "at": noon, "who": "Flo", "what": "signed-in", "about": "Flo", "before": {}, "after": {}}
    session = {"id": "1", "began": noon, "seen": noon, "address": "", "current": True}
    fay.page.route("**/api/people/log*", lambda route: route.fulfill(status=200, json=[line]))
    fay.page.route("**/api/me/sessions", lambda route: route.fulfill(status=200, json=[session]))
    fay.go("floor/people")
    fay.page.get_by_text("Log of accounts").click()
    expect(fay.page.get_by_role("cell", name="Jul 4, 2026, 12:00:00")).to_be_visible()
    fay.go("account")
    expect(fay.page.get_by_role("cell", name="Jul 4, 2026, 12:00 PM").first).to_be_visible()
