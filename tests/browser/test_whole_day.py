"""A house from an empty folder to a closed gaming day, through its pages alone: people, tables, chips, rounds, a
jackpot, a dispute, counts with a shortage. On PostgreSQL in the soak."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from api.house import House, running_house
from browser.conftest import check_pages
from browser.founders import Newcomer
from playwright.sync_api import Browser, expect
from support.empty_books import emptied

from upcard.ledger.check import check as check_book
from upcard.service.history_check import check as check_records

TABLES = {  # one of each game
    "Ladies 1": "lucky-ladies-jackpot",  # dealt by hand
    "Brook 1": "the-brook",
    "Bigger 1": "bet-bigger",
    "Bonus 1": "lucky-ladies",
    "Action 1": "double-action",
}
BY_HAND = "Ladies 1"
OPENER = 10_000_00
DENOMINATIONS = (1000_00, 500_00, 100_00, 25_00, 5_00, 1_00, 50)
BOOKS = ["sqlite", *(["postgresql"] if os.environ.get("UPCARD_SOAK") else [])]


@pytest.fixture(params=BOOKS)
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    check_pages()
    options = {}
    if request.param == "postgresql":
        options = {"book": emptied(request.getfixturevalue("server")), "key": tmp_path / "house.key"}
    with running_house(tmp_path, tables=False, **options) as house:
        house.server.overview.pace.least = house.server.lobby.pace.least = 0.1
        house.server.service.desk.clock = house.clock  # which the test moves to the next day
        yield house


def chips_of(amount: int) -> dict[str, int]:
    """How many chips of each denomination make an amount, by their labels."""
    counts, left = {}, amount
    for chip in DENOMINATIONS:
        if left // chip:
            counts[f"${chip // 100:,}" if chip >= 100 else "$0.50"] = left // chip
        left %= chip
    return counts


class Day:
    """The people of the house, as they come."""

    def __init__(self, browser: Browser, house: House) -> None:
        self.browser, self.house = browser, house
        self.flo = Newcomer(browser, house, f"set-up/{house.server.people.setup_token()}", "Flo")
        self.people = [self.flo]

    def hire(self, name: str, role: str) -> Newcomer:
        link = self.flo.invite(name, role)
        self.people.append(Newcomer(self.browser, self.house, link, plays=role == "Player"))
        return self.people[-1]

    def go_home(self) -> None:
        wrong = [message for person in self.people for message in person.wrong if "status of 4" not in message]
        for person in self.people:
            person.context.close()
        assert wrong == []


def count(person: Newcomer, amount: int) -> None:
    for label, number in chips_of(amount).items():
        person.page.get_by_label(label, exact=True).fill(str(number))


def set_up(day: Day) -> None:
    page = day.flo.page
    page.get_by_label("Time zone").fill("America/New_York")
    page.get_by_role("button", name="Save the hours").click()
    page.get_by_label("Name of the house").fill("The Lucky Fox")
    page.get_by_role("button", name="Save the name").click()
    expect(page.get_by_text("The house is called The Lucky Fox.").first).to_be_visible()


def open_tables(day: Day) -> None:
    page = day.flo.page
    for name, layout in TABLES.items():
        day.flo.go("Tables")
        page.get_by_role("button", name="Open a new table").click()
        form = page.get_by_role("region", name="Open a new table")
        form.get_by_label("Name", exact=True).fill(name)
        form.get_by_label("Layout").select_option(layout)
        count(day.flo, OPENER)
        if name == BY_HAND:
            form.get_by_label("Dealt by hand").check()
        form.get_by_role("button", name="Open", exact=True).click()
        expect(page.locator(f'tr[data-table="{name}"]')).to_be_visible()


def sell_chips(cass: Newcomer, player: str, amount: int, table: str) -> None:
    page = cass.page
    page.get_by_label("Order").select_option("Buy-in")
    page.get_by_role("combobox", name="Table").select_option(table)
    page.get_by_label("Find a player").fill(player)
    walk_in = page.get_by_role("button", name=f"Open {player} as a walk-in")
    known = page.get_by_role("radio", name=re.compile(f"^{player}, "))
    expect(walk_in.or_(known)).to_be_visible()
    if walk_in.count():
        walk_in.click()
    known.check()
    count(cass, amount)
    page.get_by_role("button", name="Buy-in").click()
    page.get_by_role("button", name="Confirm").click()
    cass.notice(f"Buy-in ${amount // 100:,}, {player}, {table}: done.")


def fill(cass: Newcomer, amount: int) -> None:
    page = cass.page
    page.get_by_label("Order").select_option("Fill")
    page.get_by_role("combobox", name="Table").select_option(BY_HAND)
    count(cass, amount)
    page.get_by_role("button", name="Fill").click()
    page.get_by_role("button", name="Confirm").dblclick()
    expect(page.locator('[data-slip="Fill"]')).to_have_count(1)
    expect(page.locator('[data-slip="Fill"]')).to_contain_text(f"Fill slip {BY_HAND} no. 2")


def deal_by_hand(dana: Newcomer) -> int:
    """Three queens of hearts win a jackpot. Returns what the tray gained."""
    page = dana.page
    page.get_by_role("link", name=BY_HAND).click()
    page.get_by_role("button", name="Log on").click()
    expect(page.get_by_role("button", name="Log off this table")).to_be_visible()
    prompt = page.locator("[data-prompt]")
    expect(prompt).to_have_text("Put a new shoe on the table")
    press(dana, "w")
    expect(prompt).to_have_text("Enter the wagers")
    press(dana, "g")
    form = page.get_by_role("form", name="Seat a guest")
    form.get_by_label("Name").fill("Walt")
    form.get_by_role("button", name="Seat").click()
    expect(page.locator('[data-spot="1"]')).to_contain_text("Walt")
    press(dana, "1")
    wagers = page.get_by_role("form", name="Wagers on spot 1")
    wagers.get_by_label(re.compile("^Ante ")).fill("10")
    wagers.get_by_label(re.compile("^Lucky Ladies ")).fill("5")
    wagers.get_by_role("button", name="Place").click()
    expect(page.locator('[data-spot="1"]')).to_contain_text("Lucky Ladies $5")
    press(dana, "<Enter>")
    expect(prompt).to_have_text("A card to spot 1")
    press(dana, "QH QH QH")
    expect(page.locator('[data-banner="lock"]').first).to_contain_text("call the floor")
    expect(prompt).to_have_text("The peek")
    press(dana, "n s 8C")
    expect(prompt).to_have_text("Pay and take, then settle")
    moved = page.locator("[data-pay] b").all_inner_texts()
    press(dana, "<Enter>")
    expect(prompt).to_have_text("Enter the wagers")
    return sum(_into_tray(text) for text in moved)


def _into_tray(instruction: str) -> int:
    """What an instruction to the dealer moves into the tray, in cents."""
    amounts = {
        verb.lower(): int(dollars) * 100
        for verb, dollars in re.findall(r"(pay|take)[a-z ]* \$(\d+)", instruction, re.I)
    }
    return amounts.get("take", 0) - amounts.get("pay", 0)


def press(person: Newcomer, text: str) -> None:
    for key in re.findall(r"<(\w+)>|(\S)", text):
        person.page.keyboard.press(key[0] or key[1])


def play_a_round(pia: Newcomer, table: str) -> None:
    """On the felt: sits down, bets the smallest chip that is taken, goes on until the slips are there, and leaves."""
    page = pia.page
    page.goto(f"{pia.address}/#/table/{table.replace(' ', '%20')}/sit")
    expect(page.locator("section.spot.own")).to_be_visible()
    page.locator("section.own .circle.main").click()
    page.get_by_role("button", name="Deal", exact=True).click()
    results = page.get_by_label("Results of the round")
    buttons = page.locator("button.act.stay, button.act.decline-insurance, button:has-text('Continue')")
    while True:
        expect(results.or_(buttons).first).to_be_visible(timeout=15_000)
        if results.count():
            break
        label = buttons.first.inner_text().split("\n")[0]
        buttons.first.click()
        expect(page.get_by_role("button", name=label, exact=True)).to_have_count(0)
    pia.leave()


def pay_the_jackpot(day: Day, jack: Newcomer) -> None:
    """The floor verifies, the jackpot officer pays, and the floor approves."""
    flo = day.flo
    flo.go("Jackpots")
    win = flo.page.locator("[data-win]")
    expect(win).to_contain_text("Walt")
    win.get_by_role("button", name="Verify").click()
    flo.page.get_by_role("dialog").get_by_role("button", name="I checked the hand and the shoe").click()
    flo.notice("verified: done")
    jack.go("Jackpots")
    jack.page.locator("[data-win]").get_by_role("button", name="Pay").click()
    jack.page.get_by_role("dialog").get_by_role("button", name="Pay").click()
    pay_or_ask(jack)
    if jack.page.get_by_text("waiting for another person's approval").count():
        flo.go("Approvals")
        flo.page.locator('[data-approval="pay-win"]').get_by_role("button", name="Approve").click()
        pay_or_ask(flo)
        flo.notice("approved: done")
    jack.notice("paid: done")


def pay_or_ask(person: Newcomer) -> None:
    """Shows a code, if one is asked for."""
    dialog = person.page.get_by_role("dialog")
    answered = person.page.get_by_role("status").filter(has_text=re.compile("done|waiting"))
    expect(dialog.or_(answered.first).first).to_be_visible()
    if dialog.count():
        person.show_code()


def settle_a_dispute(day: Day) -> None:
    flo, page = day.flo, day.flo.page
    flo.go("Rounds")
    page.get_by_role("combobox", name="Table").select_option(BY_HAND)
    page.locator('[data-round-line="1"]').get_by_role("link").click()
    review = page.locator(f'[data-review="{BY_HAND} 1"]')
    review.get_by_role("combobox", name="Player").select_option("Walt")
    review.get_by_label("What the player says").fill("I had asked for a card")
    review.get_by_role("button", name="Open the dispute").click()
    form = page.locator('[data-form="settle"]')
    form.get_by_label("Outcome").select_option("denied: the round stands")
    form.get_by_label("Reason").fill("the camera shows a wave")
    form.get_by_role("button", name="Settle").click()
    sheet = page.locator("[data-sheet]")
    expect(sheet).to_contain_text("denied: the round stands. the camera shows a wave (Flo")
    page.emulate_media(media="print")
    expect(sheet).to_be_visible()
    assert page.locator("nav").evaluate("node => getComputedStyle(node).visibility") == "hidden"
    page.emulate_media(media="screen")


def close_tables(day: Day, hand_tray: int) -> None:
    """Every tray is counted blind; that of the table dealt by hand is $5 short."""
    flo, page = day.flo, day.flo.page
    for name in TABLES:
        flo.go("Tables")
        page.locator(f'tr[data-table="{name}"]').get_by_role("link", name=name).click()
        if name == BY_HAND:
            page.locator('tr[data-spot="1"]').get_by_role("button", name="Free the spot").click()
            flo.notice("Walt leaves spot 1: done")
        form = page.locator('[data-form="Tray count"]')
        count(flo, hand_tray - 5_00 if name == BY_HAND else OPENER)
        form.get_by_role("button", name="Count and close").click()
        if name == BY_HAND:
            form.get_by_label("Reason for the difference").fill("counted twice by two people")
            form.get_by_role("button", name="Count and close").click()
            flo.notice("Short: $5.")
        else:
            flo.notice("The count agrees with the book.")


def close_the_day(day: Day) -> None:
    flo, page = day.flo, day.flo.page
    today = day.house.server.gaming_days.days().today.isoformat()
    flo.go("Day")
    expect(page.get_by_text("no day has been closed yet")).to_be_visible()
    expect(page.get_by_role("button", name="Close 20")).to_have_count(0)  # the first day goes on
    day.house.later(days=1)
    page.goto(f"{flo.address}/#/floor/day")
    page.reload()
    flo.sign_in_again()
    page.get_by_role("button", name=f"Close {today}").click()
    flo.notice(f"{today} closed: done")
    expect(page.get_by_text(f"closed through {today}")).to_be_visible()
    expect(page.locator(f'[data-report="{today}"]')).to_contain_text("Hash of the day")
    line = page.locator(f'[data-table-day="{BY_HAND}"]')
    expect(line).to_contain_text("-$5")


def test_a_house_is_founded_operated_for_a_day_and_closed_through_its_pages(house: House, browser: Browser) -> None:
    day = Day(browser, house)
    set_up(day)
    dana, cass = day.hire("Dana", "Dealer"), day.hire("Cass", "Cashier")
    jack, aud, pia = day.hire("Jack", "Jackpots"), day.hire("Aud", "Auditor"), day.hire("Pia", "Player")
    open_tables(day)
    sell_chips(cass, "Walt", 300_00, BY_HAND)
    sell_chips(cass, "Pia", 500_00, "Bigger 1")
    won = deal_by_hand(dana)
    fill(cass, 1_000_00)
    pay_the_jackpot(day, jack)
    for table in TABLES:
        if table != BY_HAND:
            play_a_round(pia, table)
    settle_a_dispute(day)
    aud.go("Audit trail")
    expect(aud.page.get_by_text("Dana").first).to_be_visible()
    close_tables(day, OPENER + 1_000_00 + won)
    close_the_day(day)
    day.go_home()
    with house.server.service.desk.book.look() as reader:
        assert check_book(reader.unit).findings == ()
        assert check_records(reader.unit, house.server.service.desk.store.keyring).findings == []
