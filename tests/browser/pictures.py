"""Draws the pictures of the real pages in docs/, with cards that show something."""

import sys
import tempfile
from pathlib import Path

from browser.conftest import chromium, demo
from browser.player import Player
from playwright.sync_api import Browser, expect, sync_playwright

DOCS = Path(__file__).parents[2] / "docs"


def lobby(browser: Browser, address: str) -> None:
    """The five games."""
    ann = Player(browser, address)
    ann.page.goto(address)
    expect(ann.page.get_by_role("button", name="Sit down")).to_have_count(5)
    ann.page.screenshot(path=DOCS / "lobby.png")


def felt(browser: Browser, address: str) -> None:
    """The Brook: two players among bots, and a suited twenty that has paid."""
    ann, bob = Player(browser, address), Player(browser, address)
    ann.sit_down("the-brook", "The Brook")
    bob.sit_down("the-brook", "The Brook")
    ann.page.get_by_label("Table sign").get_by_role("button", name="Fill the seats").click()
    expect(ann.page.locator("section.spot.taken")).to_have_count(5)
    ann.stack("the-brook", "9s Ts Kh 9c Jd 7d 8h 7c Qh 8s 6s Td 4d")
    ann.bet("Ante", "Bet Bigger 2", "Bet Bigger 3", "Lucky Ladies", "Suited Royals", "Galaxy Bonus Jackpot")
    ann.deal()
    bob.bet("Ante", "Lucky Ladies")
    bob.deal()
    ann.does("stay")
    bob.does("stay")
    expect(ann.slip("Lucky Ladies")).to_be_visible()
    ann.page.wait_for_timeout(300)
    ann.page.screenshot(path=DOCS / "felt.png")
    ann.go_home()
    bob.go_home()


def phone(browser: Browser, address: str) -> None:
    """Lucky Ladies in one hand."""
    ann = Player(browser, address, viewport={"width": 390, "height": 844}, device_scale_factor=1.5)
    ann.sit_down("lucky-ladies", "Lucky Ladies")
    ann.stack("lucky-ladies", "8h 6d 8c Th Ts")
    ann.bet("Blackjack", "Lucky Ladies", "21+3 Xtreme")
    ann.deal()
    ann.bet("Bust Bonus")
    ann.page.get_by_role("button", name="Go on").click()
    expect(ann.page.locator("button.act.split")).to_be_visible()
    ann.page.wait_for_timeout(300)
    ann.page.screenshot(path=DOCS / "felt-phone.png")
    ann.go_home()


def lab(browser: Browser, address: str) -> None:
    """A paytable with a pay changed, and its simulation."""
    ann = Player(browser, address)
    ann.page.goto(f"{address}/#/lab?table=001-lucky-ladies&decks=6&pay=suited-20%3D11&meter=MEGA%3D10000")
    ann.page.get_by_role("button", name="Simulate").click()
    expect(ann.page.locator('[data-figure="simulation-state"]')).to_have_text("All rounds are played.", timeout=90_000)
    expect(ann.page.locator('[data-figure="main-ev"]')).to_be_visible(timeout=90_000)
    ann.page.mouse.wheel(0, -10_000)
    ann.page.wait_for_timeout(300)
    ann.page.screenshot(path=DOCS / "lab.png")
    ann.page.screenshot(path=DOCS / "lab-whole.png", full_page=True)
    ann.go_home()


if __name__ == "__main__":
    with (
        tempfile.TemporaryDirectory() as folder,
        demo(Path(folder)) as serving,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"]) as browser,
    ):
        for draw in (lobby, felt, phone, lab):
            draw(browser, serving.address)
            sys.stdout.write(f"{draw.__name__} drawn\n")
