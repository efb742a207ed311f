"""Pages of the console while they load, out of reach of the service, refused, and with nothing to show."""

from collections.abc import Iterator

import pytest
from browser.staff import At, Floor, a_floor
from playwright.sync_api import Route, expect

from upcard.people import Role

PAGES = {  # by page: what it reads, and what it says while there is nothing
    "disputes": ("**/api/floor/disputes", "There are no disputes."),
    "shift": ("**/api/floor/notes*", "No notes yet."),
    "trail": ("**/api/floor/trail*", "No entries."),
    "day": ("**/api/floor/hours/*", "No table had a round or a buy-in on this day."),
}
EMPTY = {"hours": '{"day": "", "zone": "UTC", "starts": [], "tables": [], "together": {"table": "", "hours": []}}'}


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    with a_floor(tmp_path_factory.mktemp("states")) as floor:
        floor.person("Fay", Role.FLOOR)
        yield floor


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_where_it_stands(at: At, page: str) -> None:
    where, empty = PAGES[page]
    fay = at("Fay", "floor/tables")
    waiting: list[Route] = []
    fay.page.route(where, lambda route: waiting.append(route))
    fay.go(f"floor/{page}")
    expect(fay.page.locator('[data-state="loading"]').first).to_be_visible()
    for route in waiting:
        route.fulfill(status=200, content_type="application/json", body=EMPTY.get(where.split("/")[3], "[]"))
    expect(fay.page.get_by_text(empty).first).to_be_visible()

    fay.page.unroute(where)
    problem = '{"reason": "NOT_ALLOWED", "detail": "the role floor may not do this"}'
    fay.page.route(where, lambda route: route.fulfill(status=403, content_type="application/json", body=problem))
    fay.go("floor/tables")
    fay.go(f"floor/{page}")
    expect(fay.page.locator('[data-state="refused"]').first).to_contain_text("The role floor may not do this.")

    fay.page.unroute(where)
    fay.page.route(where, lambda route: route.abort())
    fay.go("floor/tables")
    fay.go(f"floor/{page}")
    expect(fay.page.locator('[data-state="offline"]').first).to_contain_text("cannot be reached")
    fay.page.unroute(where)
    fay.button("Try again").first.click()
    expect(fay.page.locator('[data-state="offline"]')).to_have_count(0)
    fay.wrong.clear()  # the browser logs the requests that this test refused
