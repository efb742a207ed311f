"""The pit map: small felts that are drawn and sent only while they are in view, filtered, sorted, and live."""

from collections.abc import Iterator

import pytest
from browser.staff import At, Floor, a_floor
from playwright.sync_api import expect

from upcard.people import Role
from upcard.service import commands as s

TABLES = 60


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    with a_floor(tmp_path_factory.mktemp("pit")) as floor:
        floor.person("Fay", Role.FLOOR)
        for number in range(1, TABLES + 1):
            layout = "bet-bigger" if number % 2 else "the-brook"
            floor.house.do(s.OpenTable(table=f"P{number}", layout=layout, tray=100_000_00, by_hand=True))
        floor.say("P1", "log-on")
        floor.say("P1", "new-shoe")
        floor.sit("P1", "Ann", 1)
        yield floor
        floor.check()


def test_felts_in_view_are_drawn_live_and_the_others_are_not(floor: Floor, at: At) -> None:
    fay = at("Fay", "floor/map")
    tiles = fay.page.locator("[data-tile]")
    expect(tiles).to_have_count(len(floor.house.server.service.queries.tables()))
    first = fay.page.locator('[data-tile="P1"]')
    fay.page.get_by_label("Find a table, game or player").fill("P")
    expect(first.locator("svg")).to_be_visible()
    drawn = fay.page.locator("[data-tile] svg").count()
    assert 0 < drawn < TABLES, "only what is in view"
    expect(first).to_contain_text("Ann")
    floor.say("P1", "bet", spot=1, stakes={"Ante": 10_00})
    expect(first).to_contain_text("$10")
    floor.deal("P1", "Th 9c 9h")
    expect(first).to_contain_text("10♥9♥")
    expect(first).to_contain_text("9♣▮")  # the hole card is face down
    floor.say("P1", "stay", spot=1)
    floor.say("P1", "card", card="8c")
    expect(first).to_contain_text("9♣8♣")
    last = fay.page.locator(f'[data-tile="P{TABLES}"]')
    expect(last.locator("svg")).to_have_count(0)
    last.scroll_into_view_if_needed()
    expect(last.locator("svg")).to_be_visible()
    expect(first.locator("svg")).to_have_count(0)
    assert fay.axe() == []
    floor.say("P1", "settle")


def test_the_map_is_filtered_and_leads_to_a_table(at: At) -> None:
    fay = at("Fay", "floor/map")
    fay.page.get_by_label("Find a table, game or player").fill("Ann")
    tiles = fay.page.locator("[data-tile]")
    expect(tiles).to_have_count(1)
    fay.page.get_by_label("Find a table, game or player").fill("nobody here")
    expect(fay.page.get_by_text("No table matches.")).to_be_visible()
    fay.page.get_by_label("Find a table, game or player").fill("P1")
    tiles.first.get_by_role("link").click()
    expect(fay.page.get_by_text("Audit trail of this table")).to_be_visible()


def test_the_list_is_sorted_by_its_columns(at: At) -> None:
    fay = at("Fay", "floor/tables")
    rows = fay.page.locator("tr[data-table]")
    fay.button("Players").click()
    fay.button("Players").click()
    expect(rows.first).to_contain_text("P1")
    expect(fay.page.locator('th[aria-sort="descending"]')).to_contain_text("Players")
    fay.page.get_by_role("combobox", name="State").select_option("closing")
    expect(fay.page.get_by_text("No table matches.")).to_be_visible()
