"""Somebody at a browser: looks, clicks and types as a guest would."""

import re
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, Locator, expect

SOON = 8_000  # ms
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
FIND = "axe.run({ resultTypes: ['violations'] }).then(found => found.violations)"  # what is well is not told in full
expect.set_options(timeout=SOON)


class Player:
    """A guest of the demo."""

    def __init__(self, browser: Browser, address: str, **options: Any) -> None:
        self.address = address
        settings = {
            "viewport": {"width": 1280, "height": 800},
            "reduced_motion": "reduce",
            "service_workers": "block",  # it could answer what a test wants to answer itself
            **options,
        }
        self.context = browser.new_context(**settings)
        self.page = self.context.new_page()
        self.page.set_default_timeout(SOON)
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda message: self.wrong.append(message.text) if message.type == "error" else None)

    def stack(self, table: str, *cards: str) -> None:
        """The next round of a table begins with these cards."""
        httpx.post(f"{self.address}/test/stack", json={"table": table, "cards": " ".join(cards).split()}, verify=False)

    def sit_down(self, table: str, name: str) -> None:
        """Into the lobby, and one click to a seat."""
        self.page.goto(self.address)
        self.page.get_by_role("button", name=f"Sit down at {name}", exact=True).click()
        expect(self.page.locator("section.spot.own")).to_be_visible()
        expect(self.page).to_have_url(re.compile(f"#/table/{table}$"))

    def circle(self, wager: str) -> Locator:
        """A circle of the own spot."""
        return self.page.locator(f'section.own button[data-circle="{wager}"]')

    def chip(self, amount: str) -> None:
        """Another chip from the rack."""
        self.page.get_by_role("button", name=f"{amount} chip").click()

    def bet(self, *wagers: str) -> None:
        """The chosen chip into each circle."""
        for wager in wagers:
            self.circle(wager).click()

    def deal(self) -> None:
        """Hands the chips in."""
        self.page.get_by_role("button", name="Deal", exact=True).click()

    def does(self, action: str) -> None:
        """One of the buttons that are offered."""
        self.page.locator(f"button.act.{action}").click()

    def offered(self) -> set[str]:
        """What may be done now, in the words of the buttons."""
        labels = self.page.locator("button.act").all_inner_texts()
        return {re.split(r"[\n$]", text.replace("\xa0", " "))[0].strip() for text in labels}

    def slip(self, wager: str) -> Locator:
        """The slip of a wager."""
        return self.page.locator(f'[data-slip="{wager}"]')

    def money(self) -> str:
        """The chips left."""
        return self.page.locator("[data-bankroll]").inner_text()

    def log(self) -> list[str]:
        """Everything the log has told."""
        return self.page.get_by_role("log").locator("p").all_inner_texts()

    def axe(self) -> list[str]:
        """What axe finds on the page that is serious."""
        if self.page.evaluate("!window.axe"):
            self.page.evaluate(AXE.read_text())  # the page forbids scripts of others, so it is told, not loaded
        return [
            f"{violation['id']}: {node['html'][:120]} {node.get('failureSummary', '')[:200]}"
            for violation in self.page.evaluate(FIND)
            if violation["impact"] in ("serious", "critical")
            for node in violation["nodes"]
        ]

    def leave(self) -> None:
        """Gives the seat up."""
        self.page.get_by_role("button", name="Settings").click()
        self.page.get_by_role("button", name="Leave the table").click()
        expect(self.page.locator("section.spot.own")).to_have_count(0)

    def go_home(self) -> None:
        """Gives up the seat, if there is one, and closes the browser."""
        if self.page.locator("section.spot.own").count():
            try:
                self.leave()
            except Exception as wrong:
                self.wrong.append(f"could not leave: {wrong}")
        self.context.close()
