"""The catalog page in a real browser: a layout with a kind of its own is uploaded, published by two people, opened and
played to the slip; a bad file is refused beside its text."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser.player import Player
from browser.staff import At, Floor, Person, a_floor
from playwright.sync_api import expect
from service.own_workspace import LAYOUT, PAYTABLE, WAGER, own_files

from upcard.people import Role

FILES = own_files()
KIND = "kinds/lucky-nines.toml"


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Floor]:
    with a_floor(tmp_path) as floor:
        floor.person("Fay", Role.FLOOR)
        floor.person("Aud", Role.AUDITOR)
        yield floor
        floor.check()


def written(folder: Path, files: dict[str, str]) -> list[str]:
    """Files on disk, as somebody has them before they upload them."""
    paths = []
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
        paths.append(str(folder / path))
    return paths


def choose(person: Person, path: str) -> None:
    person.button(path, person.page.get_by_role("list", name="Files")).click()


def edit(person: Person, path: str, old: str, new: str) -> None:
    choose(person, path)
    area = person.page.get_by_label(f"Text of {path}")
    text = area.input_value()
    assert old in text
    area.fill(text.replace(old, new))


def picture(person: Person, name: str) -> None:
    """For whoever wants to see the page."""
    if folder := os.environ.get("UPCARD_PICTURES"):
        person.page.screenshot(path=f"{folder}/{name}.png")


def test_an_own_layout_is_uploaded_published_by_two_people_opened_and_played_to_the_slip(
    floor: Floor, at: At, tmp_path: Path
) -> None:
    floor.person("Flo", Role.FLOOR)
    flo = at("Flo", "floor/catalog")
    expect(flo.page.get_by_role("heading", name="Nothing is published")).to_be_visible()
    expect(flo.page.get_by_text("No revision yet.")).to_be_visible()
    picture(flo, "catalog-empty")

    bad = {**FILES, KIND: FILES[KIND].replace('"all are 9"', '"all are nein"')}
    flo.page.get_by_label("Upload files").set_input_files(written(tmp_path / "upload", bad))
    expect(flo.page.get_by_role("list", name="Files").get_by_role("button")).to_have_count(4)
    flo.button("Check").click()
    problem = (
        flo.page.get_by_role("list", name="Problems").get_by_role("button").filter(has_text="line 9, column").first
    )
    expect(problem).to_contain_text(KIND)
    problem.click()
    expect(flo.page.get_by_label(f"Text of {KIND}")).to_be_focused()
    picture(flo, "catalog-refused")
    assert flo.axe() == []

    edit(flo, KIND, "nein", "9")
    flo.button("Check").click()
    expect(flo.page.get_by_role("group", name="Proposal")).to_contain_text("The files are sound.")
    flo.page.get_by_label("What is new").fill("Lucky Nines on our own felt")
    flo.button("Publish revision 1").click()
    flo.show_code()
    flo.told("Revision 1 of the catalog: done")
    expect(flo.page.get_by_role("heading", name="Revision 1 is in force")).to_be_visible()
    expect(flo.page.locator('[data-revision="1"]')).to_contain_text("Lucky Nines on our own felt")

    flo.go("floor/tables")
    flo.button("Open a new table").click()
    flo.page.get_by_label("Name", exact=True).fill("Nines")
    flo.page.get_by_label("Layout").select_option(LAYOUT)
    flo.page.get_by_label("Dealt by hand").check()
    flo.button("Open", flo.page.locator("form")).click()
    flo.told("Nines: open: done")

    floor.house.player(name="Ann")
    floor.say("Nines", "log-on")
    floor.say("Nines", "new-shoe")
    ann = at("Ann", "#/table/Nines/sit")
    expect(ann.page.locator("section.spot.own")).to_be_visible()
    ann.bet("Ante", WAGER)
    ann.deal()
    expect(ann.page.get_by_role("log")).to_contain_text("No more bets")
    for card in ("9h", "9d", "9c"):
        floor.say("Nines", "card", card=card)
    ann.does("stay")
    expect(ann.page.get_by_role("log")).to_contain_text("stays")
    for card in ("Kd",):
        floor.say("Nines", "card", card=card)
    floor.say("Nines", "settle")
    expect(ann.slip(WAGER)).to_contain_text("100 to 1")
    picture(ann, "own-felt")

    _change_by_two(floor, at, flo)


def _change_by_two(floor: Floor, at: At, flo: Person) -> None:
    """The layout is in use now: Fay approves what Flo asks for."""
    flo.go("floor/catalog")
    edit(flo, PAYTABLE, "three-nines = 100", "three-nines = 75")
    flo.button("Check").click()
    proposal = flo.page.get_by_role("group", name="Proposal")
    expect(proposal).to_contain_text("A second person must approve them")
    expect(proposal).to_contain_text(f"Nines ({LAYOUT}): takes the new rules after its shoe")
    picture(flo, "catalog-proposal")
    flo.button("Publish revision 2").click()
    flo.told("waiting for the approval of another person")
    fay = at("Fay", "floor/approvals")
    line = fay.page.locator('[data-approval="publish-catalog"]')
    expect(line).to_contain_text("revision 2")
    fay.button("Approve", line).click()
    fay.show_code()
    fay.told("approved: done")
    flo.told("Revision 2 of the catalog: done")
    expect(flo.page.get_by_role("heading", name="Revision 2 is in force")).to_be_visible()
    assert floor.house.server.service.desk.live("Nines").revision == 1  # its shoe is in play

    flo.button("What changed", flo.page.locator('[data-revision="2"]')).click()
    expect(flo.page.locator(f'[data-file="{PAYTABLE}"]')).to_contain_text("+pays = { three-nines = 75")
    picture(flo, "catalog-compare")
    assert flo.axe() == []
    flo.button("Restore", flo.page.locator('[data-revision="1"]')).click()
    expect(flo.page.get_by_role("group", name="Proposal")).to_contain_text("The files of revision 1 are sound.")

    aud = at("Aud", "floor/catalog")
    expect(aud.page.get_by_role("heading", name="Revision 2 is in force")).to_be_visible()
    expect(aud.button("Check")).to_have_count(0)
    expect(aud.button("Restore")).to_have_count(0)


def test_a_guest_of_the_lab_edits_checks_prices_saves_and_downloads_own_files(
    newcomer: Callable[..., Player], tmp_path: Path
) -> None:
    player = newcomer()
    page = player.page
    page.goto(f"{player.address}/#/lab")
    page.get_by_role("link", name="Own files").click()
    bad = {KIND: FILES[KIND], PAYTABLE: FILES[PAYTABLE].replace("one-nine =", "one-ten =")}
    page.get_by_label("Upload files").set_input_files(written(tmp_path / "upload", bad))
    page.get_by_role("button", name="Check and price").click()
    problem = page.get_by_role("list", name="Problems").get_by_role("button").first
    expect(problem).to_contain_text("one-ten", timeout=30_000)
    page.get_by_role("list", name="Files").get_by_role("button", name=PAYTABLE).click()
    area = page.get_by_label(f"Text of {PAYTABLE}")
    area.fill(area.input_value().replace("one-ten", "one-nine"))
    page.get_by_role("button", name="Check and price").click()
    expect(page.locator('[data-price="Lucky Nines 1"]')).to_contain_text("%", timeout=30_000)
    expect(page.get_by_role("status").filter(has_text="The files are sound.")).to_be_visible()
    assert player.axe() == []
    if folder := os.environ.get("UPCARD_PICTURES"):
        page.screenshot(path=f"{folder}/lab-files.png")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").filter(has_text="Saved in this browser.")).to_be_visible()
    page.reload()
    page.get_by_role("list", name="Files").get_by_role("button", name=PAYTABLE).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert Path(download.value.path()).read_text() == FILES[PAYTABLE]
    page.get_by_label("Layout to begin with").select_option("the-brook")
    page.get_by_role("button", name="Add its files").click()
    expect(page.get_by_role("list", name="Files").get_by_role("button", name="layouts/the-brook.toml")).to_be_visible()
