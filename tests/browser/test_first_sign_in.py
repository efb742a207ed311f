"""A new dealer at a browser: a link, an authenticator, and a code at every sign-in; and large buy-ins."""

from collections.abc import Iterator

import pytest
from api.house import PASSWORD
from browser.player import Player
from browser.staff import At, Floor, a_floor
from playwright.sync_api import Browser, expect

from upcard.people import Role


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    with a_floor(tmp_path_factory.mktemp("first")) as floor:
        floor.person("Fay", Role.FLOOR)
        yield floor
        floor.check()


def test_staff_set_up_their_authenticator_before_anything_else(floor: Floor, browser: Browser) -> None:
    house = floor.house
    house.account("Dora", Role.DEALER)
    link = house.server.people.recovery_token("Dora")  # she lost her phone
    dora = Player(browser, floor.address)
    page = dora.page
    page.goto(f"{floor.address}/#/accept/{link}")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Save the password").click()
    expect(page.get_by_role("heading", name="Set up your authenticator")).to_be_visible()
    page.goto(f"{floor.address}/#/dealer")  # there is no way around it
    page.reload()
    expect(page.get_by_role("heading", name="Set up your authenticator")).to_be_visible()
    secret = page.locator("code")
    expect(secret).not_to_be_empty()
    page.get_by_label("Code").fill("000000")
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("alert")).to_contain_text("The code is wrong")
    code = house.code(str(secret.text_content()))
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", name="Tables dealt by hand")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    page.goto(f"{floor.address}/#/sign-in")
    page.get_by_label("Name").fill("Dora")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("Enter the code of your authenticator too")
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("was already used")
    dora.go_home()
    assert [error for error in dora.wrong if "status of 4" not in error] == []


def test_a_large_buy_in_asks_for_a_code_and_a_larger_one_for_the_floor(floor: Floor, at: At) -> None:
    floor.open("Rich")
    dana = at("Dana", "dealer/Rich")
    expect(dana.page.get_by_text("Cards entered in this round")).to_be_visible()
    for name, spot, dollars in (("Gus", "1", "3001"), ("Hetty", "2", "10001")):
        dana.keys("g")
        dana.page.get_by_label("Name").fill(name)
        dana.page.get_by_role("textbox", name="Spot").fill(spot)
        dana.page.get_by_label("Buy-in, $").fill(dollars)
        dana.page.keyboard.press("Enter")
        if name == "Gus":
            dana.show_code()
        expect(dana.page.get_by_text(name).first).to_be_visible()
    assert (floor.chips("Gus"), floor.chips("Hetty")) == (3001_00, 0)
    fay = at("Fay", "floor/approvals")
    line = fay.page.locator('[data-approval="buy-in"]')
    expect(line).to_contain_text("Buy-in: Rich · amount $10,001 · player Hetty")
    fay.button("Approve", line).click()
    fay.show_code()
    fay.told("buy-in approved: done")
    assert floor.chips("Hetty") == 10001_00


def test_the_link_of_a_table_leads_there_by_way_of_the_sign_in(floor: Floor, browser: Browser) -> None:
    floor.house.account("Pia", Role.PLAYER)
    floor.open("Linked")
    pia = Player(browser, floor.address, ignore_https_errors=True)
    pia.page.goto(f"{floor.address}/#/table/Linked")
    pia.page.get_by_label("Name").fill("Pia")
    pia.page.get_by_label("Password").fill(PASSWORD)
    pia.page.get_by_role("button", name="Sign in").click()
    expect(pia.page.get_by_role("heading", name="Bet Bigger")).to_be_visible()
    expect(pia.page.locator("section.spot")).to_have_count(6)
    pia.go_home()
