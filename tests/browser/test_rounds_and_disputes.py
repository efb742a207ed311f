"""The floor looks a round up, replays it, settles a dispute about it and prints the sheet; and hands the shift over."""

from collections.abc import Iterator

import pytest
from browser.staff import At, Floor, a_floor
from playwright.sync_api import expect

from upcard.people import Role


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    with a_floor(tmp_path_factory.mktemp("rounds")) as floor:
        floor.person("Fay", Role.FLOOR)
        floor.person("Ned", Role.FLOOR)
        floor.person("Aud", Role.AUDITOR)
        floor.open("Oak 1")
        floor.sit("Oak 1", "Ann", 1)
        floor.sit("Oak 1", "Bob", 2)
        floor.say("Oak 1", "bet", spot=1, stakes={"Ante": 10_00, "Match the Dealer": 5_00})
        floor.say("Oak 1", "bet", spot=2, stakes={"Ante": 10_00})
        floor.deal("Oak 1", "Th 9d 9c 8h 7s")
        floor.say("Oak 1", "stay", spot=1)
        floor.say("Oak 1", "stay", spot=2)
        floor.say("Oak 1", "card", card="Tc")
        floor.say("Oak 1", "settle")
        yield floor
        floor.check()


def test_a_round_is_found_replayed_disputed_settled_and_printed(at: At) -> None:
    fay = at("Fay", "floor/rounds")
    page = fay.page
    expect(page.get_by_text("Choose a table to see its rounds")).to_be_visible()
    page.get_by_role("combobox", name="Table").select_option("Oak 1")
    line = page.locator('[data-round-line="1"]')
    expect(line).to_contain_text("Ann, Bob")
    line.get_by_role("link").click()
    review = page.locator('[data-review="Oak 1 1"]')
    expect(review).to_contain_text("Bet Bigger")
    expect(review.get_by_role("button", name="Next")).to_be_visible()
    for _ in range(4):
        review.get_by_role("button", name="Next").click()
    expect(review.locator("[data-slips] tbody tr")).to_have_count(3)

    review.get_by_role("combobox", name="Player").select_option("Bob")
    review.get_by_label("What the player says").fill("I asked for a card")
    review.get_by_role("button", name="Open the dispute").click()
    fay.told("Dispute about round 1 at Oak 1 opened: done")
    sheet = page.locator("[data-sheet]")
    expect(sheet).to_contain_text("I asked for a card")
    expect(sheet).to_contain_text("ten of clubs")
    expect(sheet).to_contain_text("Spot 2 stays")
    form = page.locator('[data-form="settle"]')
    form.get_by_label("Outcome").select_option("denied: the round stands")
    form.get_by_label("Reason").fill("the camera shows a wave")
    form.get_by_role("button", name="Settle").click()
    expect(sheet).to_contain_text("denied: the round stands. the camera shows a wave (Fay")
    expect(form).to_have_count(0)

    assert fay.axe() == []
    page.emulate_media(media="print")
    expect(sheet).to_be_visible()
    assert sheet.evaluate("node => getComputedStyle(node).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator("nav").evaluate("node => getComputedStyle(node).visibility") == "hidden"
    expect(sheet.get_by_text("Floor: ____")).to_be_visible()
    page.emulate_media(media="screen")

    fay.go("floor/rounds")
    page.get_by_label("Rounds of a player").fill("Bob")
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_role("link", name="Oak 1 1")).to_be_visible()


def test_the_next_shift_reads_the_notes_and_takes_over(at: At) -> None:
    fay = at("Fay", "floor/shift")
    expect(fay.page.get_by_text("No notes yet.")).to_be_visible()
    fay.page.get_by_label("About").select_option("Oak 1")
    fay.page.get_by_role("textbox", name="Note").fill("The card reader sticks")
    fay.button("Write", fay.page.locator("form")).first.click()
    fay.told("Note written: done")
    expect(fay.page.get_by_role("textbox", name="Note")).to_have_value("")
    fay.page.get_by_role("textbox", name="Note").fill("Bob disputed round 1")
    fay.button("Hand over with this note").click()
    fay.told("Floor handed over: done")
    expect(fay.button("Take over")).to_have_count(0)  # her own

    ned = at("Ned", "floor/shift")
    ned.button("Take over").click()
    ned.told("Floor taken over from Fay: done")
    expect(ned.page.locator("[data-notes]")).to_contain_text("Taken over by Ned")
    expect(ned.page.locator("[data-notes]")).to_contain_text("The card reader sticks")
    assert ned.axe() == []

    aud = at("Aud", "floor/shift")
    expect(aud.page.locator("[data-notes]")).to_contain_text("Bob disputed round 1")
    assert aud.page.locator("form").count() == 0
