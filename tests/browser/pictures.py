"""Draws the pictures of docs/: the real pages of felt, lab, floor, dealer and display, with cards worth a look."""

import sys
import tempfile
from pathlib import Path

from browser.conftest import chromium, demo
from browser.player import Player
from browser.staff import Floor, Person, a_floor
from playwright.sync_api import Browser, expect, sync_playwright

from upcard.catalog import shipped
from upcard.people import Role
from upcard.service import commands as s

DOCS = Path(__file__).parents[2] / "docs"


def lobby(browser: Browser, address: str) -> None:
    """The games, with their usual layouts first."""
    ann = Player(browser, address)
    ann.page.goto(address)
    expect(ann.page.get_by_role("button", name="Sit down")).to_have_count(len(shipped().layouts))
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
    ann.page.get_by_role("button", name="Continue").click()
    expect(ann.page.locator("button.act.split")).to_be_visible()
    ann.page.wait_for_timeout(300)
    ann.page.screenshot(path=DOCS / "felt-phone.png")
    ann.go_home()


def lab(browser: Browser, address: str) -> None:
    """A paytable with a pay changed, and its simulation."""
    ann = Player(browser, address)
    ann.page.goto(f"{address}/#/lab?table=001-lucky-ladies&decks=6&pay=suited-20%3D11&meter=MEGA%3D10000")
    ann.page.get_by_role("button", name="Simulate").click()
    expect(ann.page.locator('[data-figure="simulation-state"]')).to_have_text("All rounds simulated.", timeout=90_000)
    expect(ann.page.locator('[data-figure="main-ev"]')).to_be_visible(timeout=90_000)
    ann.page.mouse.wheel(0, -10_000)
    ann.page.wait_for_timeout(300)
    ann.page.screenshot(path=DOCS / "lab.png")
    ann.page.screenshot(path=DOCS / "lab-whole.png", full_page=True)
    ann.go_home()


def floor(browser: Browser, house: Floor) -> None:
    """The console with a table chosen, the day, the jackpots; a dealer who pays; the display of a hit."""
    house.person("Fay", Role.FLOOR)
    house.person("Jack", Role.JACKPOTS)
    house.person("Screen", Role.DISPLAY)
    for table in ("Ladies 1", "Ladies 2"):
        house.open(table, "lucky-ladies-jackpot", {"Lucky Ladies": "The Ladies"})
    house.open("Brook 1", "the-brook", {"Galaxy Bonus Jackpot": "Galaxy"})
    house.open("Bonus 1", "lucky-ladies", {"Lucky Ladies Jackpot": "Bonus Ladies", "21+3 Jackpot": "Bonus Three"})
    house.sit("Ladies 1", "Ann", 1, 2)
    house.sit("Ladies 1", "Bob", 4)
    house.say("Ladies 1", "bet", spot=1, stakes={"Ante": 5_00, "Bet Bigger 2x": 5_00, "Lucky Ladies": 10_00})
    house.say("Ladies 1", "bet", spot=4, stakes={"Ante": 10_00, "Perfect Pair": 5_00})
    house.deal("Ladies 1", "Qh 8c Qh Qh 8c")
    house.say("Ladies 1", "peek", blackjack=False)
    dana = Person(browser, house, "Dana", "dealer/Ladies 1")
    expect(dana.page.locator("[data-prompt]")).to_have_text("Spot 1 to play")
    dana.keys("s p TD s 9H s 8H")
    expect(dana.page.locator("[data-prompt]")).to_have_text("Pay and take, then settle")
    dana.page.screenshot(path=DOCS / "dealer.png")
    dana.keys("<Enter>")
    expect(dana.page.locator("[data-prompt]")).to_have_text("Enter the wagers")
    house.say("Ladies 1", "bet", spot=1, stakes={"Ante": 5_00, "Lucky Ladies": 5_00})
    fay = Person(browser, house, "Fay", "floor/tables/Ladies 1")
    expect(fay.page.locator('tr[data-hold="Ladies 1"]')).to_contain_text("side", timeout=90_000)
    fay.page.screenshot(path=DOCS / "floor.png")
    fay.go("floor/day")
    expect(fay.page.locator('tr[data-hold="Ladies 1"]')).to_contain_text("side")
    fay.page.screenshot(path=DOCS / "floor-day.png")
    for name, where in (("display", "display/Ladies 2"), ("display-bonus", "display/Bonus 1")):
        screen = Person(browser, house, "Screen", where, viewport={"width": 1920, "height": 1080})
        expect(screen.page.locator("[data-meter]").first).to_be_visible()
        screen.page.wait_for_timeout(300)
        screen.page.screenshot(path=DOCS / f"{name}.jpg", quality=80)


def house_pages(browser: Browser, house: Floor) -> None:
    """The pages of a shift, at both sizes: pit map, hours and ratings, a dispute, the audit trail."""
    house.person("Fay", Role.FLOOR)
    for number in range(1, 25):
        layout = ("bet-bigger", "the-brook", "lucky-ladies")[number % 3]
        house.house.do(s.OpenTable(table=f"Pit {number}", layout=layout, tray=100_000_00, by_hand=True))
    players = iter(("Ann", "Bob", "Cleo", "Dov", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo", "Kim", "Lou"))
    for number in range(1, 13, 2):
        table, main = f"Pit {number}", "Blackjack" if number % 3 == 2 else "Ante"
        house.say(table, "log-on")
        house.say(table, "new-shoe")
        for spot in (1, 3):
            house.sit(table, next(players), spot)
            house.say(table, "bet", spot=spot, stakes={main: 10_00})
        house.deal(table, "Th 9d 9c 8h 7s")
    for do, fields in (("stay", {"spot": 1}), ("stay", {"spot": 3}), ("card", {"card": "Tc"}), ("settle", {})):
        house.say("Pit 1", do, **fields)
    fay = house.house.sign_in("Fay")
    fay.step_up()
    fay.post("/api/floor/name-house", {"name": "The Lucky Fox"})
    claim = {"table": "Pit 1", "round": 1, "player": "Bob", "claim": "I asked for a card before the dealer turned over"}
    number = fay.post("/api/floor/open-dispute", claim).json()["number"]
    ruling = {"dispute": number, "outcome": "denied", "why": "The camera shows a wave of the hand."}
    fay.post("/api/floor/settle-dispute", ruling)
    shown = {"map": "[data-tile] svg", "day": "[data-ratings]", "disputes": "[data-sheet]", "trail": "[data-trail]"}
    for width, height in ((1280, 800), (1920, 1080)):
        person = Person(browser, house, "Fay", "floor/map", viewport={"width": width, "height": height})
        for page, part in shown.items():
            person.go(f"floor/{page}/{number}" if page == "disputes" else f"floor/{page}")
            expect(person.page.locator(part).first).to_be_visible()
            if page == "map":
                person.page.get_by_label("Find a table, game or player").fill("Pit")
            person.page.wait_for_timeout(1500)
            person.page.screenshot(path=DOCS / f"floor-{page}-{width}.png")
        person.go_home()


def cage(browser: Browser, house: Floor) -> None:
    """The cage with an order counted, a tray being counted, and a dealer in the middle of a round; on two screens."""
    for name, role in (("Cass", Role.CASHIER), ("Fred", Role.FLOOR)):
        house.person(name, role)
    house.open("Pit 1", "lucky-ladies-jackpot", {"Lucky Ladies": "Pit Ladies"})
    for player, spot in (("Amy", 1), ("Ben", 3), ("Cal", 4), ("Deb", 5)):
        house.sit("Pit 1", player, spot)
        house.say("Pit 1", "bet", spot=spot, stakes={"Ante": 10_00, "Lucky Ladies": 5_00})
    house.deal("Pit 1", "Qh 8c Td 5s 9h Qd 8c 9d 6d")
    for width, height, ending in ((1280, 800, ""), (1920, 1080, "-large")):
        screen = {"viewport": {"width": width, "height": height}}
        cass = Person(browser, house, "Cass", "floor/cage", **screen)
        page = cass.page
        page.get_by_label("Table").select_option("Pit 1")
        page.get_by_label("Find a player").fill("Amy")
        page.get_by_role("radio").first.check()
        for label, number in (("$100", "4"), ("$25", "4")):
            page.get_by_label(label, exact=True).fill(number)
        if not ending:
            cass.button("Buy-in").click()
            cass.button("Confirm").click()
            expect(page.get_by_label("$100", exact=True)).to_have_value("")
            page.get_by_label("$100", exact=True).fill("3")
        expect(page.locator("[data-account]")).to_be_visible()
        expect(page.locator("[data-slip]").first).to_be_visible()
        page.screenshot(path=DOCS / f"cage{ending}.png")
        cass.go_home()
        fred = Person(browser, house, "Fred", "floor/tables/Pit 1", **screen)
        tray = fred.page.locator('form[data-form="Tray count"]')
        tray.get_by_label("$1,000", exact=True).fill("999")
        tray.get_by_role("button").scroll_into_view_if_needed()
        fred.page.screenshot(path=DOCS / f"tray{ending}.png")
        fred.go_home()
        dana = Person(browser, house, "Dana", "dealer/Pit 1", **screen)
        expect(dana.page.locator("[data-prompt]")).to_have_text("Spot 1 to play")
        dana.page.screenshot(path=DOCS / f"dealing{ending}.png")
        dana.go_home()


def jackpots(browser: Browser, house: Floor) -> None:
    """A win that waits to be verified, on two screens."""
    house.person("Jack", Role.JACKPOTS)
    house.open("Bonus 1", "lucky-ladies", {"Lucky Ladies Jackpot": "Bonus Ladies", "21+3 Jackpot": "Bonus Three"})
    house.sit("Bonus 1", "Bob", 1)
    house.say("Bonus 1", "bet", spot=1, stakes={"Blackjack": 5_00, "Lucky Ladies Jackpot": 1_00})
    house.deal("Bonus 1", "Qh Ah Qh")
    house.say("Bonus 1", "deal")  # closes insurance
    house.say("Bonus 1", "peek", blackjack=True)
    house.say("Bonus 1", "card", card="Kh")
    house.say("Bonus 1", "settle")
    for width, height, ending in ((1280, 800, ""), (1920, 1080, "-large")):
        jack = Person(browser, house, "Jack", "floor/jackpots", viewport={"width": width, "height": height})
        expect(jack.page.locator("[data-evidence] [data-card]")).to_have_count(4)
        expect(jack.page.locator('[data-alert="jackpot-win"]')).to_be_visible()
        jack.page.wait_for_timeout(300)
        jack.page.evaluate("scrollTo(0, 0)")
        jack.page.screenshot(path=DOCS / f"floor-jackpots{ending}.png")
        jack.go_home()


if __name__ == "__main__":
    with (
        tempfile.TemporaryDirectory() as folder,
        demo(Path(folder)) as serving,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"]) as browser,
    ):
        asked = sys.argv[1:]  # which to draw; none: all
        for draw in (lobby, felt, phone, lab):
            if not asked or draw.__name__ in asked:
                draw(browser, serving.address)
                sys.stdout.write(f"{draw.__name__} drawn\n")
        for draw_house in (floor, house_pages, cage, jackpots):
            if not asked or draw_house.__name__ in asked:
                (books := Path(folder) / draw_house.__name__).mkdir()
                with a_floor(books) as house:
                    draw_house(browser, house)
                sys.stdout.write(f"{draw_house.__name__} drawn\n")
