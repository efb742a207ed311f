"""The floor console and the jackpot display in a real browser: what the house does, seen by everybody it concerns."""

from collections.abc import Iterator
from datetime import date

import pytest
from browser.staff import At, Floor, Person, a_floor
from playwright.sync_api import Browser, expect

from upcard.people import Role
from upcard.service import commands as s

MEGA = {"Lucky Ladies": "The Ladies"}
BONUS = {"Lucky Ladies Jackpot": "Bonus Ladies", "21+3 Jackpot": "Bonus Three"}
PROGRESSIVE = {"Lucky Ladies Jackpot": "Climbing Ladies", "21+3 Jackpot": "Climbing Three"}


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    """A house, and those who run it: Flo of the floor, Jack of the jackpots, Aud who checks, a screen."""
    with a_floor(tmp_path_factory.mktemp("floor")) as floor:
        floor.person("Fay", Role.FLOOR)
        floor.person("Jack", Role.JACKPOTS)
        floor.person("Aud", Role.AUDITOR)
        floor.person("Screen", Role.DISPLAY)
        yield floor
        floor.check()


def approved_by(fay: Person, operation: str) -> None:
    """Fay gives the second person's word."""
    fay.go("floor/approvals")
    fay.button("Approve", fay.page.locator(f'[data-approval="{operation}"]')).click()
    fay.show_code()
    fay.told("approved: done")


def test_a_hit_is_locked_on_every_linked_display_verified_by_a_second_person_and_paid(floor: Floor, at: At) -> None:
    """001: three queens of hearts on $10 win the MEGA; a value may then be posted again within 24 hours."""
    for table in ("Ladies 1", "Ladies 2"):
        floor.open(table, "lucky-ladies-jackpot", MEGA)
    screens = [
        at("Screen", f"display/{table}", viewport={"width": 1920, "height": 1080}) for table in ("Ladies 1", "Ladies 2")
    ]
    jack = at("Jack", "floor/jackpots")
    floor.later(hours=25)
    ladies = jack.jackpot("The Ladies")
    ladies.get_by_label("MEGA, $").fill("12000")
    jack.button("Post", ladies).click()
    jack.confirm("Post")
    jack.show_code()
    jack.told("The Ladies: new values ordered: done")
    for screen in screens:
        expect(screen.page.locator('[data-meter="MEGA"]')).to_have_text("$12,000")

    ladies.get_by_label("MEGA, $").fill("13000")
    jack.button("Post", ladies).click()
    jack.confirm("Post")
    jack.refused("The Ladies may be changed again at")
    expect(ladies.get_by_text("The values may be posted again at")).to_be_visible()

    floor.house.player(name="Ann")
    ann = at("Ann", "#/table/Ladies 1/sit")
    expect(ann.page.locator("section.spot.own")).to_be_visible()
    floor.say("Ladies 1", "new-shoe")  # a new gaming day begins with a new shoe
    ann.bet("Ante", "Lucky Ladies", "Lucky Ladies")
    ann.deal()
    expect(ann.page.get_by_role("log")).to_contain_text("No more bets")
    for card in ("Qh", "Qh", "Qh"):
        floor.say("Ladies 1", "card", card=card)
    floor.say("Ladies 1", "peek", blackjack=False)
    ann.does("stay")
    expect(ann.page.get_by_role("log")).to_contain_text("stays")
    floor.say("Ladies 1", "card", card="8c")
    floor.say("Ladies 1", "settle")
    expect(ann.slip("Lucky Ladies")).to_contain_text("Three Queens of Hearts wins 100% of MEGA")
    for screen in screens:
        expect(screen.page.locator("[data-locked]")).to_contain_text("$12,000 won at Ladies 1: prize pending")

    before = floor.chips("Ann")
    win = ladies.locator('[data-win="Ladies 1/1/MEGA"]')
    expect(win).to_be_in_viewport()  # however many jackpots there are
    expect(jack.button("Pay", win)).to_have_count(0)
    expect(win).to_contain_text("It can be paid once somebody has verified it.")
    fay = at("Fay", "floor/jackpots")
    fay.button("Verify", fay.jackpot("The Ladies")).click()
    expect(fay.page.get_by_role("dialog")).to_contain_text(
        "Whoever verifies a win cannot pay it. Jack can pay it then."
    )
    fay.confirm("I checked the hand and the shoe")
    fay.told("verified: done")
    jack.button("Pay", win).click()
    expect(jack.page.get_by_role("dialog")).to_contain_text("Ann: $12,000")
    jack.confirm("Pay")
    jack.told("waiting for the approval of another person")
    approved_by(fay, "pay-win")
    jack.told("paid: done")
    assert floor.chips("Ann") == before + 12_000_00
    for screen in screens:
        expect(screen.page.locator("[data-locked]")).to_have_count(0)
        expect(screen.page.get_by_text("Last wins: $12,000 at Ladies 1")).to_be_visible()
        expect(screen.page.locator('[data-meter="MEGA"]')).to_have_text("$10,000")

    ladies.get_by_label("MEGA, $").fill("13000")
    jack.button("Post", ladies).click()
    jack.confirm("Post")
    jack.told("The Ladies: new values ordered: done")
    expect(screens[0].page.locator('[data-meter="MEGA"]')).to_have_text("$13,000")
    floor.check()


def test_a_denied_win_is_restored_and_nobody_approves_their_own_request(floor: Floor, at: At) -> None:
    """003 Bonus: the display fell when the win was locked, and gets back what it lost."""
    floor.open("Bonus 1", "lucky-ladies", BONUS)
    screen = at("Screen", "display/Bonus Ladies", viewport={"width": 1920, "height": 1080})
    jack = at("Jack", "floor/jackpots")
    ladies = jack.jackpot("Bonus Ladies")
    ladies.get_by_label("Lucky Ladies Jackpot, $").fill("15000")
    jack.button("Post", ladies).click()
    jack.confirm("Post")
    jack.show_code()
    meter = screen.page.locator('[data-meter="Lucky Ladies Jackpot"]')
    expect(meter).to_have_text("$15,000")
    floor.sit("Bonus 1", "Bob", 1)
    floor.say("Bonus 1", "bet", spot=1, stakes={"Blackjack": 5_00, "Lucky Ladies Jackpot": 1_00})
    floor.deal("Bonus 1", "Qh Ah Qh")
    floor.say("Bonus 1", "deal")  # closes insurance
    floor.say("Bonus 1", "peek", blackjack=True)
    floor.say("Bonus 1", "card", card="Kh")  # a blackjack of hearts, the operator's suit
    expect(meter).to_have_text("$15,000")  # no wager moves it, and nothing is booked yet
    floor.say("Bonus 1", "settle")
    expect(meter).to_have_text("$10,000")
    expect(screen.page.locator("[data-notice]")).to_contain_text("not components of any progressive prize contest")

    win = ladies.locator('[data-win="Bonus 1/1"]')
    win.get_by_label("Reason").fill("a card from another deck")
    jack.button("Deny", win).click()
    jack.confirm("Deny")
    jack.told("waiting for the approval of another person")
    jack.go("floor/approvals")
    line = jack.page.locator('[data-approval="deny-win"]')
    expect(line).to_contain_text("Another person must approve your request.")
    expect(jack.button("Approve", line)).to_have_count(0)
    fay = at("Fay")
    approved_by(fay, "deny-win")
    jack.told("denied: done")
    expect(meter).to_have_text("$15,000")
    expect(screen.page.locator("[data-locked]")).to_have_count(0)


def test_values_posted_while_a_wager_is_down_wait_for_it_and_can_be_withdrawn(floor: Floor, at: At) -> None:
    """003 Bonus: the console and the display say that the wager is closed for a moment."""
    floor.open("Bonus 2", "lucky-ladies", {"Lucky Ladies Jackpot": "Patient Ladies"})
    screen = at("Screen", "display/Patient Ladies", viewport={"width": 1920, "height": 1080})
    jack = at("Jack", "floor/jackpots")
    ladies, meter = jack.jackpot("Patient Ladies"), screen.page.locator('[data-meter="Lucky Ladies Jackpot"]')
    closed = screen.page.get_by_text("takes no new wagers for a moment")
    floor.sit("Bonus 2", "Cy", 1)
    for number, amount in enumerate(("1", "2")):
        floor.say("Bonus 2", "bet", spot=1, stakes={"Blackjack": 5_00, "Lucky Ladies Jackpot": 1_00})
        ladies.get_by_label("Lucky Ladies Jackpot, $").fill(amount)
        jack.button("Post", ladies).click()
        jack.confirm("Post")
        if number == 0:
            jack.show_code()
        expect(ladies.locator("[data-queued]")).to_contain_text(
            f"To be posted when the wagers at Bonus 2 are decided: Lucky Ladies Jackpot ${amount}. Ordered by Jack."
        )
        expect(closed).to_be_visible()
        expect(meter).to_have_text("$10,000")
        if number == 0:
            jack.button("Withdraw", ladies).click()
            jack.told("withdrawn: done")
            expect(closed).to_have_count(0)
    floor.say("Bonus 2", "clear", spot=1)
    expect(meter).to_have_text("$2")
    expect(ladies.locator("[data-queued]")).to_have_count(0)


def test_an_approval_is_given_once_and_by_another_person(floor: Floor) -> None:
    """What the pages do not offer, the service refuses."""
    asker, other = floor.house.sign_in("Jack"), floor.house.sign_in("Fay")
    for person in (asker, other):
        person.step_up()
    request = asker.post("/api/house/set-cap", {"jackpot": "none", "cap": 100})
    approve = f"/api/approvals/{request.json()['approval']}/approve"
    assert asker.post(approve).json()["reason"] == "NOT_ALLOWED"  # the role may approve nothing
    assert other.post(approve).json()["reason"] == "JACKPOT_UNKNOWN"  # the service did what was asked
    assert other.post(approve).json()["reason"] == "APPROVAL_GIVEN"


def test_a_progressive_moves_with_each_wager_on_every_linked_table(floor: Floor, at: At) -> None:
    for table in ("Climb 1", "Climb 2"):
        floor.open(table, "lucky-ladies-progressive", PROGRESSIVE)
    screen = at("Screen", "display/Climb 3", viewport={"width": 1920, "height": 1080})
    expect(screen.page.get_by_role("alert")).to_contain_text("Climb 3")  # it is not opened yet
    floor.open("Climb 3", "lucky-ladies-progressive", PROGRESSIVE)
    meter = screen.page.locator('[data-display="Climbing Ladies"] [data-meter]')
    expect(meter).to_have_text("$10,000")
    floor.sit("Climb 1", "Cleo", 1, 2)
    for spot in (1, 2):
        floor.say("Climb 1", "bet", spot=spot, stakes={"Blackjack": 5_00, "Lucky Ladies Jackpot": 1_00})
    floor.say("Climb 1", "deal")
    expect(meter).to_have_text("$10,000.30")  # 15% of each dollar
    expect(screen.page.locator('[data-display="Climbing Three"] [data-meter]')).to_have_text("$5,000")
    expect(screen.page.get_by_text("hearts").first).to_be_visible()
    floor.house.do(s.Void(table="Climb 1", why="the test is over"))


def test_a_table_closed_with_notice_ends_after_its_shoe(floor: Floor, at: At) -> None:
    floor.open("Closing")
    floor.sit("Closing", "Carl", 1)
    fay = at("Fay", "floor/tables/Closing")
    fay.button("Close after this shoe").click()
    fay.told("closing after this shoe announced: done")
    expect(fay.row("Closing")).to_contain_text("closing")
    floor.say("Closing", "bet", spot=1, stakes={"Ante": 10_00})
    floor.deal("Closing", "Th 9c 9h")
    floor.say("Closing", "cut-card")
    expect(fay.row("Closing")).to_contain_text("last of the shoe")
    floor.say("Closing", "stay", spot=1)
    floor.say("Closing", "card", card="8c")
    floor.say("Closing", "settle")
    expect(fay.row("Closing")).to_contain_text("game over")
    assert floor.dealer.say("Closing", "bet", spot=1, stakes={"Ante": 10_00}).json()["detail"] == "the table is closed"
    panel = fay.page.get_by_label("Closing")
    fay.page.get_by_label("$1", exact=True).fill("1")
    fay.button("Count and close").click()
    fay.refused("count again, or say why it differs")
    fay.page.get_by_label("Reason for the difference").fill("counted anew in the morning")
    fay.button("Count and close").click()
    expect(fay.row("Closing").get_by_text("closed", exact=True)).to_be_visible()
    expect(panel.get_by_role("button", name="Open again")).to_be_visible()


def test_a_player_who_is_asked_to_relinquish_keeps_their_first_spot(floor: Floor, at: At) -> None:
    floor.open("Spots")
    floor.sit("Spots", "Sue", 2, 3, 4)
    floor.sit("Spots", "Sam", 5)
    fay = at("Fay", "floor/tables/Spots")
    fay.button("Free other spots", fay.page.locator('tr[data-spot="2"]')).click()
    fay.told("Sue gives up their other spots: done")
    for spot, owner in ((2, "Sue"), (3, "free"), (4, "free"), (5, "Sam")):
        expect(fay.page.locator(f'tr[data-spot="{spot}"]')).to_contain_text(owner)


def test_a_flat_bet_player_must_repeat_their_first_wagers(floor: Floor, at: At) -> None:
    floor.open("Flat", "the-brook", {"Galaxy Bonus Jackpot": "Galaxy"})
    floor.sit("Flat", "Phil", 1)
    floor.say("Flat", "bet", spot=1, stakes={"Ante": 5_00, "Lucky Ladies": 2_00})
    floor.deal("Flat", "Th 9c 9h")
    floor.say("Flat", "stay", spot=1)
    floor.say("Flat", "card", card="8c")
    floor.say("Flat", "settle")
    fay = at("Fay", "floor/tables/Flat")
    fay.button("Flat bets only").click()
    fay.told("Phil must flat bet: done")
    expect(fay.page.locator('tr[data-spot="1"]')).to_contain_text("flat bet")
    more = floor.dealer.say("Flat", "bet", spot=1, stakes={"Ante": 10_00})
    assert more.json()["detail"].startswith("spot 1 may only repeat the wagers of its first hand in this shoe")
    floor.say("Flat", "bet", spot=1, stakes={"Ante": 5_00, "Lucky Ladies": 2_00})
    floor.say("Flat", "clear", spot=1)


def test_a_misdeal_returns_every_stake(floor: Floor, at: At) -> None:
    floor.open("Misdeal")
    floor.sit("Misdeal", "Mia", 1)
    floor.sit("Misdeal", "Max", 2)
    before = floor.chips("Mia"), floor.chips("Max")
    floor.say("Misdeal", "bet", spot=1, stakes={"Ante": 10_00, "Match the Dealer": 5_00})
    floor.say("Misdeal", "bet", spot=2, stakes={"Ante": 10_00})
    floor.deal("Misdeal", "Th 9c 9h")
    assert floor.chips("Mia") == before[0] - 15_00
    fay = at("Fay", "floor/tables/Misdeal")
    expect(fay.page.locator("[data-round]")).to_contain_text("waiting for a card to spot 1")
    fay.page.get_by_label("Reason", exact=True).fill("a card fell on the floor")
    fay.button("Void the round").click()
    fay.told("the round is void: done")
    expect(fay.page.get_by_text("No round is in progress.")).to_be_visible()
    assert (floor.chips("Mia"), floor.chips("Max")) == before
    expect(fay.page.locator("[data-trail]")).to_contain_text("why a card fell on the floor")


def test_limits_shuffling_and_a_new_table(at: At) -> None:
    fay = at("Fay")
    fay.button("Open a new table").click()
    fay.page.get_by_label("Name", exact=True).fill("New one")
    fay.page.get_by_label("Layout").select_option("bet-bigger")
    fay.button("Open", fay.page.get_by_role("region", name="Open a new table")).last.click()
    expect(fay.row("New one")).to_contain_text("open")
    fay.page.get_by_label("Posted minimum").fill("10")
    fay.button("Post").click()
    expect(fay.row("New one")).to_contain_text("$10")
    fay.page.get_by_label("Posted minimum").fill("0.30")
    fay.button("Post").click()
    expect(fay.page.get_by_role("alert").filter(has_text="minimum").first).to_be_visible()
    fay.button("Shuffle by machine from the next shoe").click()
    fay.told("shuffling changes with the next shoe: done")
    fay.button("Shuffle", None).nth(0).click()
    fay.refused("the shoe is over: shuffle first")


def test_a_day_is_closed_with_its_report(floor: Floor, at: At) -> None:
    floor.open("Day")
    floor.sit("Day", "Dan", 1)
    floor.say("Day", "bet", spot=1, stakes={"Ante": 10_00, "Match the Dealer": 5_00})
    floor.deal("Day", "Th 9c 8h")
    floor.say("Day", "stay", spot=1)
    floor.say("Day", "card", card="Tc")
    floor.say("Day", "settle")  # 18 against 19: the house wins fifteen dollars
    fay = at("Fay", "floor/day")
    line = fay.page.locator('tr[data-hold="Day"]')
    expect(line).to_contain_text("$15")
    expect(line).to_contain_text("1.50%")  # of a drop of $1,000
    expect(line).to_contain_text("inside", timeout=60_000)  # the main game is solved aside
    day = fay.page.get_by_label("Gaming day").input_value()
    floor.later(hours=24)
    days = floor.house.server.gaming_days
    while (earlier := days.days().next_to_close) and earlier < date.fromisoformat(day):  # other tests waited too
        floor.house.do(s.House(request=s.CloseDay(day=earlier)))
    fay.page.reload()
    fay.button(f"Close {day}").click()
    fay.told(f"{day} closed: done")
    report = fay.page.locator(f'[data-report="{day}"]')
    expect(report).to_contain_text("Hash of the day")
    expect(report.locator('[data-table-day="Day"]')).to_contain_text("$15")
    expect(fay.page.get_by_text(f"closed through {day}")).to_be_visible()


def test_an_auditor_reads_everything_and_changes_nothing(floor: Floor, at: At) -> None:
    floor.open("Audited")
    floor.sit("Audited", "Amy", 1, 2)
    aud = at("Aud", "floor/tables/Audited")
    expect(aud.page.locator('tr[data-spot="1"]')).to_contain_text("Amy")
    expect(aud.page.locator("[data-trail]")).to_contain_text("Take a spot")
    sorting = {"Table", "Game", "State", "Players", "Round", "Cards left"}
    reading = {"Sign out", "Close this panel", "Refresh", "Earlier", "Save as CSV", *sorting}
    pages = {
        "tables/Audited": "Audit trail of this table",
        "jackpots": "the-brook Galaxy Bonus Jackpot",
        "day": "Drop, win and hold",
        "approvals": "Requested",
        "trail": "Refresh",
    }
    for page, shown in pages.items():
        aud.go(f"floor/{page}")
        expect(aud.page.get_by_text(shown).first).to_be_visible()
        assert set(aud.page.locator("button:not(.sort)").all_inner_texts()) <= reading
        assert aud.page.locator("form").count() == 0
    words = floor.house.sign_in("Aud")
    before = floor.house.server.service.desk.live("Audited").version
    for do in ("void", "flat-bet", "announce-closing", "post-minimum", "card", "settle"):
        assert words.say("Audited", do).json()["reason"] == "NOT_ALLOWED"
    assert words.post("/api/house/close-day", {"day": "2026-01-01"}).json()["reason"] == "NOT_ALLOWED"
    assert floor.house.server.service.desk.live("Audited").version == before


def test_nothing_here_is_reachable_without_its_role(floor: Floor, at: At, browser: Browser) -> None:
    stranger = browser.new_page()
    stranger.goto(f"{floor.address}/floor")
    expect(stranger.get_by_role("button", name="Sign in")).to_be_visible()
    stranger.close()
    screen = at("Screen", "floor")
    screen.refused("The floor console is for staff only")
    fay = at("Fay", "dealer/Audited")
    fay.refused("Only dealers can enter cards")
    floor.house.player(name="Pat")
    pat = at("Pat", "floor")
    pat.refused("The floor console is for staff only")


def test_axe_finds_nothing_serious_and_nothing_hangs_over_the_edge(floor: Floor, at: At) -> None:
    floor.open("Seen", "lucky-ladies-jackpot", {"Lucky Ladies": "Seen ladies"})
    floor.sit("Seen", "Zoe", 1, 2)
    floor.say("Seen", "bet", spot=1, stakes={"Ante": 5_00, "Lucky Ladies": 5_00})
    found: dict[str, list[str]] = {}
    fay = at("Fay")
    for page, shown in {
        "floor/tables": "Seen",
        "floor/tables/Seen": "Audit trail of this table",
        "floor/jackpots": "Seen ladies",
        "floor/day": "Drop, win and hold",
        "floor/approvals": "No approvals are waiting",
        "floor/trail": "Refresh",
    }.items():
        fay.go(page)
        expect(fay.page.get_by_text(shown).first).to_be_visible()
        found[page] = fay.axe()
        over = fay.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert over <= 0, f"{page} hangs {over} px over the edge"
    screen = at("Screen", "display/Seen", viewport={"width": 1920, "height": 1080})
    expect(screen.page.locator('[data-meter="MEGA"]')).to_be_visible()
    found["display"] = screen.axe()
    assert screen.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    floor.say("Seen", "clear", spot=1)
    assert {page: wrong for page, wrong in found.items() if wrong} == {}
