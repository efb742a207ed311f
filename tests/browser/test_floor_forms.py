"""Forms of the floor console: each order is booked once, and nothing of it stays in the form."""

from collections.abc import Iterator
from datetime import date

import pytest
from browser.staff import At, Floor, a_floor
from playwright.sync_api import Route, expect

from upcard.people import Role


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    with a_floor(tmp_path_factory.mktemp("forms")) as floor:
        floor.person("Fay", Role.FLOOR)
        yield floor
        floor.check()


def test_an_order_clears_its_form_and_a_double_click_books_it_once(floor: Floor, at: At) -> None:
    """A double click booked two fills of $5,000, and a count was booked with an old reason."""
    floor.open("Forms")
    fay = at("Fay", "#/floor/tables/Forms")
    chips = fay.page.locator('form[data-form="Chips"]')
    amount = chips.get_by_label("Chips, $")
    amount.fill("500")
    chips.get_by_role("button", name="Fill from the cage").dblclick()
    fay.told("Forms: filled with $500: done.")
    expect(amount).to_have_value("")
    amount.fill("70")
    amount.press("Enter")  # the first order of the form
    fay.told("Forms: filled with $70: done.")
    amount.fill("20")
    chips.get_by_role("button", name="Credit to the cage").click()
    fay.told("Forms: credited $20: done.")


def test_a_tray_is_counted_blind_and_a_reason_belongs_to_one_count(floor: Floor, at: At) -> None:
    """A count was booked with an old reason, and a refused one told what was expected."""
    floor.open("Counted")
    fay = at("Fay", "#/floor/tables/Counted")
    count = fay.page.locator('form[data-form="Tray count"]')
    close = count.get_by_role("button", name="Count and close")
    expect(close).to_be_disabled()  # nothing was counted
    count.get_by_label("$1,000", exact=True).fill("999")
    count.get_by_label("$100", exact=True).fill("9")
    expect(count.get_by_label("Reason")).to_have_count(0)
    close.click()
    fay.refused("The count differs from the book: count again")  # $100 are missing
    assert "1,000,000" not in count.inner_text() + fay.page.get_by_role("alert").first.inner_text()  # what was expected
    reason = count.get_by_label("Reason for the difference")
    reason.fill("an old reason")
    count.get_by_label("$1,000", exact=True).fill("990")
    expect(reason).to_have_value("")
    expect(close).to_be_disabled()
    count.get_by_label("$1,000", exact=True).fill("999")
    reason.fill("two black chips under the rack")
    close.click()
    fay.told("Counted: closed with $999,900 in the tray: done. Short: $100.")
    again = count.get_by_role("button", name="Open again")
    expect(again).to_be_visible()
    expect(count.get_by_label("$1,000", exact=True)).to_have_value("")
    expect(reason).to_have_count(0)
    count.get_by_label("$1,000", exact=True).fill("999")
    count.get_by_label("$500", exact=True).fill("1")
    count.get_by_label("$100", exact=True).fill("4")
    again.click()
    fay.told("The count agrees with the book.")
    (line,) = [
        row for row in fay.floor.house.server.gaming_days.report(today(floor))["tables"] if row.table == "Counted"
    ]
    assert (line.opener, line.fills, line.counted, line.win) == (1_000_000_00, 0, -100_00, 0)


def test_what_is_typed_while_an_order_is_under_way_stays_in_the_form(floor: Floor, at: At) -> None:
    """The answer to the first order emptied the form, also when the next amount stood in it."""
    floor.open("Typing")
    fay = at("Fay", "#/floor/tables/Typing")
    held: list[Route] = []
    fay.page.route("**/post-minimum", lambda route: held.append(route))
    minimum = fay.page.get_by_label("Posted minimum")
    minimum.fill("10")
    fay.button("Post").click()
    expect(fay.button("Post")).to_be_disabled()
    minimum.fill("0.30")
    held.pop().continue_()
    fay.told("Typing: minimum $10 posted: done.")
    expect(minimum).to_have_value("0.30")
    fay.button("Post").click()
    expect(fay.button("Post")).to_be_disabled()
    held.pop().continue_()
    fay.refused("minimum")
    expect(minimum).to_have_value("0.30")  # to be corrected


def today(floor: Floor) -> date:
    return floor.house.server.gaming_days.days().today
