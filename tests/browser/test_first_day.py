"""A house from an empty folder, in the browser alone: the first account, the hours, people, a table, and the cage."""

from collections.abc import Iterator

import pytest
from api.house import PASSWORD, House, running_house
from browser.conftest import check_pages
from browser.player import Player
from playwright.sync_api import Browser, Page, expect


class Newcomer(Player):
    """Somebody who sets up their account by a link."""

    def __init__(self, browser: Browser, house: House, link: str, name: str = "") -> None:
        super().__init__(browser, house.address.replace("127.0.0.1", "localhost"))
        self.house, self.name, self.secret = house, name, ""
        self.page.goto(f"{self.address}/#/{link}")
        if link.startswith("set-up"):
            self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.locator("button.gold").click()
        self.secret = self.set_up_authenticator(self.page)

    def set_up_authenticator(self, page: Page) -> str:
        expect(page.get_by_role("heading", name="Set up your authenticator")).to_be_visible()
        expect(page.get_by_role("img", name="QR code of the secret")).to_be_visible()
        expect(page.locator("code")).not_to_be_empty()
        secret = str(page.locator("code").text_content())
        page.get_by_label("Code").fill(self.house.code(secret))
        page.get_by_role("button", name="Confirm").click()
        return secret

    def show_code(self) -> None:
        self.house.later(seconds=30)
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_label("Code").fill(self.house.code(self.secret))
        dialog.get_by_role("button", name="Confirm").click()
        expect(dialog).to_have_count(0)

    def notice(self, text: str) -> None:
        expect(self.page.get_by_role("status").filter(has_text=text).first).to_be_visible()

    def go(self, tab: str) -> None:
        self.page.get_by_role("navigation").get_by_role("link", name=tab).click()

    def invite(self, name: str, role: str) -> str:
        """The link, as it is sent."""
        self.go("People")
        form = self.page.get_by_role("region", name="Invite somebody")
        form.get_by_label("Name").fill(name)
        form.get_by_label("Player").uncheck()
        form.get_by_label(role).check()
        form.get_by_role("button", name="Invite").click()
        link = self.page.get_by_role("region", name=f"Invite {name}").locator("[data-link]")
        expect(link).to_contain_text(f"{self.address}/#/accept/")
        return str(link.text_content()).partition("#/")[2]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    check_pages()
    with running_house(tmp_path_factory.mktemp("first-day"), tables=False) as house:
        house.server.overview.pace.least = 0.1
        yield house


def test_a_house_is_set_up_and_sells_its_first_chips_in_the_browser(house: House, browser: Browser) -> None:
    """`Open a new table` was refused for want of hours, no page set them, and the cashier had no page at all."""
    flo = Newcomer(browser, house, f"set-up/{house.server.people.setup_token()}", "Flo")
    page = flo.page
    expect(page.get_by_role("heading", name="Set up the house")).to_be_visible()
    page.get_by_label("Time zone").fill("America/New_York")
    page.get_by_label("A gaming day begins at").select_option("06:00")
    page.get_by_role("button", name="Save the hours").click()
    expect(page.get_by_text("Gaming days begin at 06:00 (America/New_York)")).to_be_visible()
    page.get_by_label("Name of the house").fill("The Lucky Fox")
    page.get_by_role("button", name="Save the name").click()
    expect(page.get_by_text("The house is called The Lucky Fox.").first).to_be_visible()
    flo.go("Day")
    expect(page.get_by_text("no day has been closed yet")).to_be_visible()

    cashier = Newcomer(browser, house, flo.invite("Cass", "Cashier"))
    expect(cashier.page.get_by_text("No table is open")).to_be_visible()

    flo.go("Tables")
    page.get_by_role("button", name="Open a new table").click()
    page.get_by_label("Name").fill("BB 1")
    page.get_by_label("Layout").select_option("bet-bigger")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator('tr[data-table="BB 1"]')).to_be_visible()

    cage = cashier.page
    cage.get_by_label("Find a player").fill("Ann")
    cage.get_by_role("button", name="Open Ann as a walk-in").click()
    expect(cage.get_by_label("Ann, $0 in chips")).to_be_checked()
    cage.get_by_label("$100", exact=True).fill("4")
    cage.get_by_label("$25", exact=True).fill("4")
    expect(cage.locator("[data-total]")).to_have_text("$500")
    cage.get_by_role("button", name="Buy-in").click()
    cage.get_by_role("button", name="Confirm").dblclick()
    expect(cage.locator('[data-slip="Buy-in"]')).to_contain_text("Buy-in slip BB 1 no. 1")
    expect(cage.locator('[data-slip="Buy-in"]')).to_contain_text("4 of $100, 4 of $25")
    assert house.server.service.queries.bankroll("Ann") == 500_00  # once
    expect(cage.get_by_label("Ann, $500 in chips")).to_be_checked()
    expect(cage.get_by_label("$100", exact=True)).to_have_value("")
    expect(cage.get_by_role("button", name="Buy-in")).to_be_disabled()
    flo.go_home()
    cashier.go_home()
