"""People of a new house, who come by the links that its pages make, each with a browser and an authenticator."""

from api.house import PASSWORD, House
from browser.player import Player
from playwright.sync_api import Browser, Page, expect


class Newcomer(Player):
    """Somebody who sets up their account by a link. Players need no authenticator."""

    def __init__(self, browser: Browser, house: House, link: str, name: str = "", *, plays: bool = False) -> None:
        super().__init__(browser, house.address.replace("127.0.0.1", "localhost"))
        self.house, self.name, self.secret = house, name, ""
        self.page.goto(f"{self.address}/#/{link}")
        if link.startswith("set-up"):
            self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.locator("button.gold").click()
        if not plays:
            self.secret = self.set_up_authenticator(self.page)

    def set_up_authenticator(self, page: Page) -> str:
        expect(page.get_by_role("heading", name="Set up your authenticator")).to_be_visible()
        expect(page.get_by_role("img", name="QR code of the secret")).to_be_visible()
        expect(page.locator("code")).not_to_be_empty()
        secret = str(page.locator("code").text_content())
        page.get_by_label("Code").fill(self.house.code(secret))
        page.get_by_role("button", name="Confirm").click()
        return secret

    def sign_in_again(self) -> None:
        """By the form of the page on which the session ended."""
        self.page.get_by_label("Name").fill(self.name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()
        self.house.later(seconds=30)
        self.page.get_by_label("Code").fill(self.house.code(self.secret))
        self.page.get_by_role("button", name="Sign in").click()
        expect(self.page.get_by_role("button", name="Sign in")).to_have_count(0)

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
        if role != "Player":
            form.get_by_label("Player").uncheck()
            form.get_by_label(role).check()
        form.get_by_role("button", name="Invite").click()
        link = self.page.get_by_role("region", name=f"Invite {name}").locator("[data-link]")
        expect(link).to_contain_text(f"{self.address}/#/accept/")
        return str(link.text_content()).partition("#/")[2]
