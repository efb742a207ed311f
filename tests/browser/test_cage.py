"""The cage's page: each order counted, confirmed once, numbered and printed; two people for large amounts."""

from collections.abc import Iterator

import pytest
from browser.staff import At, Floor, Person, a_floor
from playwright.sync_api import expect

from upcard.people import Role


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    with a_floor(tmp_path_factory.mktemp("cage")) as floor:
        floor.person("Fay", Role.FLOOR)
        floor.person("Cass", Role.CASHIER)
        floor.person("Audrey", Role.AUDITOR)
        floor.open("Pit 1")
        yield floor
        floor.check()


def count(person: Person, **chips: str) -> None:
    for denomination, number in chips.items():
        person.page.get_by_label(f"${denomination.removeprefix('of_').replace('_', ',')}", exact=True).fill(number)


def order(person: Person, title: str) -> None:
    person.page.get_by_label("Order").select_option(title)
    person.page.get_by_label("Table").select_option("Pit 1")


def test_every_order_of_the_cage_has_a_numbered_slip_and_is_booked_once(at: At) -> None:
    """There was no page at all, and a double click booked two fills of $5,000."""
    cass = at("Cass", "floor/cage")
    page = cass.page
    order(cass, "Fill")
    count(cass, of_500="4", of_100="5")
    cass.button("Fill").click()
    cass.button("Confirm").dblclick()
    slip = page.locator('[data-slip="Fill"]')
    expect(slip).to_have_count(1)
    expect(slip).to_contain_text("Fill slip Pit 1 no. 1")
    expect(slip).to_contain_text("4 of $500, 5 of $100")
    cass.told("Fill $2,500, Pit 1: done.")
    order(cass, "Credit")
    count(cass, of_100="3")
    cass.button("Credit").click()
    cass.button("Confirm").click()
    expect(page.locator('[data-slip="Credit"]')).to_contain_text("Credit slip Pit 1 no. 2")

    order(cass, "Buy-in")
    page.get_by_label("Find a player").fill("Guest")
    cass.button("Open Guest as a walk-in").click()
    expect(page.get_by_label("Guest, $0 in chips")).to_be_checked()
    count(cass, of_25="10")
    cass.button("Buy-in").click()
    cass.button("Change").click()  # it can be changed until it is confirmed
    count(cass, of_25="8")
    cass.button("Buy-in").click()
    cass.button("Confirm").click()
    expect(page.locator('[data-account="Guest"]')).to_contain_text("Buy-in, Pit 1")
    expect(page.locator('[data-account="Guest"] tr.sum')).to_contain_text("$200")
    for title, chips in (("Tip for the dealers", {"of_5": "2"}), ("Cash-out", {"of_25": "4"})):
        order(cass, title)
        count(cass, **chips)
        cass.button(title).click()
        cass.button("Confirm").click()
        expect(page.locator(f'[data-slip="{title}"]')).to_have_count(1)
    expect(page.locator('[data-account="Guest"] tr.sum')).to_contain_text("$90")
    order(cass, "Pay tips")
    count(cass, of_5="2")
    cass.button("Pay tips").click()
    cass.button("Confirm").click()
    expect(page.locator('[data-slip="Pay tips"]')).to_contain_text("no. 6")
    order(cass, "Cash-out")
    count(cass, of_1_000="5")
    cass.button("Cash-out").click()
    cass.button("Confirm").click()
    cass.show_code()
    cass.refused("Guest is $4,910 short")
    expect(page.get_by_label("$1,000", exact=True)).to_have_value("5")  # to be corrected
    page.reload()
    expect(page.locator("[data-slip]")).to_have_count(6)  # from the book, not from the page
    page.get_by_label("Kind").select_option("Credit")
    expect(page.locator("[data-slip]")).to_have_count(1)


def test_a_large_order_takes_a_second_signature_which_is_on_its_slip(at: At) -> None:
    cass, fay = at("Cass", "floor/cage"), at("Fay", "floor/approvals")
    order(cass, "Fill")
    count(cass, of_1_000="11")
    cass.button("Fill").click()
    cass.button("Confirm").click()
    cass.show_code()
    cass.told("waiting for the approval of another person")
    slips = cass.page.locator('[data-slip="Fill"]').filter(has_text="$11,000")
    expect(slips).to_have_count(0)  # not booked yet
    fay.page.locator('[data-approval="fill"]').get_by_role("button", name="Approve").click()
    fay.show_code()
    expect(slips).to_contain_text("Approved by Fay")
    cass.told("Fill $11,000, Pit 1: done.")


def test_a_slip_is_printed_alone_on_white_with_lines_to_sign(at: At) -> None:
    cass = at("Cass", "floor/cage")
    slip = cass.page.locator("[data-slip]").first
    expect(slip).to_be_visible()
    cass.page.evaluate("window.print = () => { window.printed = document.querySelector('.printed')?.innerText ?? ''; }")
    slip.get_by_role("button", name="Print").click()
    assert "slip Pit 1 no." in cass.page.evaluate("window.printed")
    cass.page.evaluate("document.querySelector('[data-slip]').classList.add('printed')")
    cass.page.emulate_media(media="print")
    visible = (
        "[...document.querySelectorAll('h1, h2, h3')].filter(e => getComputedStyle(e).visibility === 'visible').length"
    )
    assert cass.page.evaluate(visible) == 1
    expect(slip.locator(".signatures")).to_be_visible()
    expect(slip.get_by_role("button", name="Print")).to_be_hidden()
    assert slip.evaluate("slip => getComputedStyle(slip).backgroundColor") == "rgb(255, 255, 255)"


def test_an_auditor_reads_slips_and_moves_nothing(at: At) -> None:
    audrey = at("Audrey", "floor/cage")
    expect(audrey.page.locator("[data-slip]").first).to_be_visible()
    expect(audrey.page.get_by_text("Your role does not move chips")).to_be_visible()
    expect(audrey.page.get_by_label("Order")).to_have_count(0)


def test_axe_finds_nothing_serious_at_the_cage(at: At) -> None:
    cass = at("Cass", "floor/cage")
    expect(cass.page.locator("[data-slip]").first).to_be_visible()
    cass.page.get_by_label("Find a player").fill("Guest")
    cass.page.get_by_role("radio").first.check()
    expect(cass.page.locator("[data-account]")).to_be_visible()
    assert cass.axe() == []
    assert cass.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
