"""A player calls the floor: the felt, the console and dealer mode show it until somebody has come."""

import re
from collections.abc import Iterator

import pytest
from browser.staff import At, Floor, Person, a_floor
from playwright.sync_api import Locator, expect

from upcard.people import Role

SAID = re.compile(r"^\w+ called the floor at \w+ \d+, \d{4}, \d\d:\d\d:\d\d\.")


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    """A house with Fay of the floor, Aud who checks, and players who sit at their own browsers."""
    with a_floor(tmp_path_factory.mktemp("calls")) as floor:
        floor.person("Fay", Role.FLOOR)
        floor.person("Aud", Role.AUDITOR)
        for name in ("Ann", "Bob", "Eve"):
            floor.house.player(name=name)
        yield floor
        floor.check()


def sits(at: At, name: str, table: str) -> Person:
    """A player who has taken a seat."""
    player = at(name, f"#/table/{table}/sit")
    expect(player.page.locator("section.spot.own")).to_be_visible()
    return player


def notices(person: Person) -> Locator:
    return person.page.locator('[data-notice="notice/floor-called"]')


def test_a_call_is_seen_answered_and_can_be_made_again(floor: Floor, at: At) -> None:
    floor.open("Calls")
    ann = sits(at, "Ann", "Calls")
    fay, dana = at("Fay", "floor/tables/Calls"), at("Dana", "dealer/Calls")
    expect(fay.page.get_by_text("No round is in progress.")).to_be_visible()
    expect(dana.page.locator("[data-prompt]")).to_have_text("Enter the wagers")
    tag = fay.row("Calls").get_by_text("call", exact=True)
    tab = fay.page.get_by_label("Console").get_by_role("link").first
    for person in (fay, dana):
        expect(notices(person)).to_have_count(0)
    expect(tag).to_have_count(0)
    expect(tab).to_have_text("Tables")

    ann.button("Call the floor").click()
    called = ann.button("Floor called")
    expect(called).to_be_disabled()
    expect(ann.page.get_by_role("log")).to_contain_text("Ann calls the floor.")
    for person in (fay, dana):
        expect(notices(person)).to_have_text(SAID)
    expect(tag).to_be_visible()
    expect(tab).to_have_text("Tables (1 call)")
    expect(dana.button("Answer")).to_have_count(0)
    assert [violation for person in (ann, fay, dana) for violation in person.axe()] == []

    ann.page.reload()
    expect(called).to_be_disabled()  # the table has not forgotten
    fay.button("Answer Ann").click()
    fay.told("Calls: Ann's call answered: done")
    for person in (fay, dana):
        expect(notices(person)).to_have_count(0)
    expect(tag).to_have_count(0)
    expect(tab).to_have_text("Tables")
    expect(ann.button("Call the floor")).to_be_enabled()
    expect(ann.page.get_by_role("log")).to_contain_text("The floor answers Ann's call.")

    ann.page.keyboard.press("f")
    expect(called).to_be_disabled()
    expect(notices(fay)).to_have_count(1)
    ann.leave()
    expect(ann.button("Call the floor")).to_have_count(0)
    expect(notices(fay)).to_have_count(0)  # nobody is there any more to come to


def test_two_calls_are_answered_one_by_one_and_only_by_the_floor(floor: Floor, at: At) -> None:
    floor.open("Two calls")
    ann, bob = sits(at, "Ann", "Two calls"), sits(at, "Bob", "Two calls")
    ann.button("Call the floor").click()
    expect(ann.button("Floor called")).to_be_disabled()
    expect(bob.page.get_by_role("log")).to_contain_text("Ann calls the floor.")
    expect(bob.button("Call the floor")).to_be_enabled()
    bob.page.keyboard.press("f")
    expect(bob.button("Floor called")).to_be_disabled()
    fay, aud = at("Fay", "floor/tables/Two calls"), at("Aud", "floor/tables/Two calls")
    for person in (fay, aud):
        expect(notices(person)).to_have_count(2)
    assert [text.split()[0] for text in notices(fay).all_inner_texts()] == ["Ann", "Bob"]
    expect(aud.button("Answer")).to_have_count(0)
    fay.button("Answer Bob").click()
    expect(bob.button("Call the floor")).to_be_enabled()
    expect(notices(aud)).to_have_count(1)
    expect(ann.button("Floor called")).to_be_disabled()
    fay.button("Answer Ann").click()
    expect(notices(aud)).to_have_count(0)


def test_a_spectator_cannot_call_the_floor(floor: Floor, at: At) -> None:
    floor.open("Looked at")
    eve = at("Eve", "#/table/Looked at")
    expect(eve.page.get_by_role("status")).to_have_text("Choose a spot to sit down.")
    expect(eve.button("Call the floor")).to_have_count(0)
    before = floor.house.server.service.desk.live("Looked at").version
    eve.page.keyboard.press("f")
    eve.page.get_by_role("button", name="Help").click()
    expect(eve.page.get_by_role("dialog")).to_contain_text("call the floor")
    assert floor.house.server.service.desk.live("Looked at").version == before


def test_a_phone_has_room_for_the_button(floor: Floor, at: At) -> None:
    floor.open("Small")
    ann = at("Ann", "#/table/Small/sit", viewport={"width": 390, "height": 844})
    ann.bet("Ante", "Ante")
    ann.button("Call the floor").click()
    called = ann.button("Floor called")
    expect(called).to_be_in_viewport(ratio=1)
    expect(ann.page.locator("button.deal")).to_be_in_viewport(ratio=1)
    expect(ann.page.get_by_text("Bet $10")).to_be_visible()
    box = called.bounding_box()
    assert box is not None
    assert box["height"] >= 24
    assert ann.page.evaluate("document.documentElement.scrollWidth") == 390
