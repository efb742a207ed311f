"""Other rules for a table in play: the floor is told, the audit trail shows the change, and the felt is drawn anew."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.catalogs import copied, edited
from browser.staff import Floor, Person, a_floor
from playwright.sync_api import Browser, expect

from upcard.people import Role
from upcard.service import commands as s

LAYOUT = "the-brook"
ROYALS = '[[wager]]\nname = "Suited Royals"\npaytable = "000 Suited Royals"\n\n'


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Floor]:
    with a_floor(tmp_path) as floor:
        floor.person("Fay", Role.FLOOR)
        yield floor
        floor.check()


def circles(player: Person) -> list[str]:
    buttons = player.page.locator("section.own button[data-circle]")
    return list(buttons.evaluate_all("all => all.map(button => button.dataset.circle)"))


def test_new_rules_wait_for_the_next_shoe_and_the_floor_the_trail_and_the_felt_show_them(
    floor: Floor, browser: Browser, tmp_path: Path
) -> None:
    floor.open("Ruled", LAYOUT, {"Galaxy Bonus Jackpot": "Galaxy"})
    fay = Person(browser, floor, "Fay", "floor/tables/Ruled")
    fay.page.get_by_label("Posted minimum, $").fill("10")
    fay.button("Post").click()
    fay.told("minimum $10 posted: done")
    floor.house.player(name="Ann")
    ann = Person(browser, floor, "Ann", "#/table/Ruled/sit")
    expect(ann.page.locator("section.spot.own")).to_be_visible()
    assert "Suited Royals" in circles(ann)
    notice = fay.page.locator("[data-rules-notice]")
    expect(notice).to_have_count(0)

    files = copied(tmp_path)
    layout = files / "layouts" / "the-brook.toml"
    edited(layout, ROYALS, "")
    edited(files / "games" / "000-the-brook.toml", 'most = "$10"\nstep', 'most = "$8"\nstep')
    floor.read_files(files)
    floor.sit("Ruled", "Ann", chips=100_00)
    expect(notice).to_have_text("Its files contain new rules, which take effect with the next shoe.")
    expect(fay.row("Ruled")).to_contain_text("new rules")
    assert "Suited Royals" in circles(ann)  # the shoe finishes under the rules it began with

    floor.house.do(s.Shuffle(table="Ruled"))
    floor.say("Ruled", "new-shoe")
    expect(notice).to_have_count(0)
    expect(ann.page.locator('section.own button[data-circle="Suited Royals"]')).to_have_count(0)
    assert "Lucky Ladies" in circles(ann)
    expect(ann.page.get_by_role("log")).to_contain_text("New rules take effect.")
    trail = fay.page.locator("[data-trail]")
    expect(trail).to_contain_text("Take new rules")
    expect(trail).to_contain_text("New rules take effect.")
    expect(trail).to_contain_text("The posted minimum of $10 is withdrawn: the new rules do not allow it.")

    edited(layout, 'posted_minimum = "$5"', 'posted_minimum = "five dollars"')
    floor.read_files(files)
    floor.sit("Ruled", "Ann", chips=100_00)
    expect(notice).to_contain_text("Its files contain errors (1); the table keeps its old rules")
    expect(fay.row("Ruled")).to_contain_text("check rules")
    for person in (fay, ann):
        expect(person.page.locator("body")).not_to_contain_text("undefined")
        assert person.wrong == []
        person.go_home()
