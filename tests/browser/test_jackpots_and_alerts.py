"""The pages for jackpots, alerts and people in a real browser: who is warned of what, who may do what next."""

from collections.abc import Iterator

import pytest
from api.house import ApiUser
from browser.staff import At, Floor, Person, a_floor
from playwright.sync_api import Locator, expect

from upcard.people import Role
from upcard.service import alerts as of_house

BONUS = {"Lucky Ladies Jackpot": "Bonus Ladies", "21+3 Jackpot": "Bonus Three"}
PROGRESSIVE = {"Lucky Ladies Jackpot": "Climbing Ladies", "21+3 Jackpot": "Climbing Three"}
COUNTED_SOUNDS = """
window.sounds = 0;
window.AudioContext = class {
  currentTime = 0; destination = null;
  resume() { return Promise.resolve(); }
  createGain() { return {gain: {setValueAtTime() {}, exponentialRampToValueAtTime() {}}, connect() {}}; }
  createOscillator() {
    return {frequency: {value: 0}, connect: (next) => next, start: () => { window.sounds += 1; }, stop() {}};
  }
};
"""


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    """A house with a Bonus and a Progressive; two of the floor, two of the jackpots, an auditor."""
    with pytest.MonkeyPatch.context() as patch, a_floor(tmp_path_factory.mktemp("jackpots")) as floor:
        patch.setattr(of_house, "FRESH_SECONDS", 0.1)
        for name, role in (
            ("Fay", Role.FLOOR),
            ("Gus", Role.FLOOR),
            ("Jack", Role.JACKPOTS),
            ("Aud", Role.AUDITOR),
            ("Dora", Role.DEALER),
        ):
            floor.person(name, role)
        yield floor
        floor.check()


def blackjack_of_hearts(floor: Floor, table: str, player: str) -> None:
    """A win of the whole meter; the round goes on until it is settled."""
    floor.open(table, "lucky-ladies", BONUS)
    floor.sit(table, player, 1)
    floor.say(table, "bet", spot=1, stakes={"Blackjack": 5_00, "Lucky Ladies Jackpot": 1_00})
    floor.deal(table, "Qh Ah Qh")
    floor.say(table, "deal")  # closes insurance
    floor.say(table, "peek", blackjack=True)
    floor.say(table, "card", card="Kh")


def alert(person: Person, kind: str) -> Locator:
    return person.page.locator(f'[data-alert="{kind}"]')


def approve(fay: Person, operation: str, *, code: bool = True) -> None:
    """The second person's word; a code counts for five minutes."""
    fay.go("floor/approvals")
    fay.button("Approve", fay.page.locator(f'[data-approval="{operation}"]')).click()
    if code:
        fay.show_code()
    fay.told("approved: done")


def test_a_win_is_shown_with_its_evidence_and_its_verification_is_handed_over(floor: Floor, at: At) -> None:
    """The officer learned only from a refusal that whoever verifies cannot pay, and nobody else could verify then."""
    jack = at("Jack", "floor/jackpots")
    jack.page.add_init_script(COUNTED_SOUNDS)
    jack.page.reload()
    blackjack_of_hearts(floor, "Bonus 1", "Bob")
    floor.say("Bonus 1", "settle")
    expect(alert(jack, "jackpot-win")).to_contain_text("Bonus Ladies: $10,000 won at Bonus 1, round 1.")
    assert jack.page.evaluate("window.sounds") > 0
    ladies = jack.jackpot("Bonus Ladies")
    win = ladies.locator('[data-win="Bonus 1/1"]')
    expect(win).to_contain_text("won by Bob (spot 1) at Bonus 1, round 1")
    expect(win.locator('[data-card="Qh"]')).to_have_count(2)
    expect(win.locator('[data-card="Kh"]')).to_be_visible()
    expect(win).to_contain_text("dealt by hand from a physical shoe: count the remaining cards on camera")
    expect(win.get_by_role("link", name="Round 1, card by card")).to_be_visible()
    assert jack.axe() == []

    jack.button("Verify", win).click()
    warning = jack.page.get_by_role("dialog").locator("[data-warning]")
    expect(warning).to_contain_text("Whoever verifies a win cannot pay it. Nobody else can pay it now. Ask Fay or Flo")
    assert jack.axe() == []
    jack.confirm("I checked the hand and the shoe")
    jack.told("verified: done")
    expect(jack.button("Pay", win)).to_have_count(0)
    expect(win).to_contain_text("You verified it, so somebody else must pay it")
    win.get_by_label("Hand the verification over to").select_option("Fay")
    jack.button("Hand over", win).click()
    jack.told("verification handed over to Fay: done")
    expect(win).to_contain_text("Fay was asked to verify it")

    fay = at("Fay", "floor/jackpots")
    theirs = fay.jackpot("Bonus Ladies").locator('[data-win="Bonus 1/1"]')
    expect(theirs).to_contain_text("The jackpots staff pay it.")
    fay.button("Verify", theirs).click()
    fay.confirm("I checked the hand and the shoe")
    fay.told("verified: done")

    jack.button("Pay", win).click()
    jack.confirm("Pay")
    jack.show_code()
    jack.told("waiting for the approval of another person")
    expect(jack.page.get_by_role("link", name="Approvals (1)")).to_be_visible()
    jack.go("floor/approvals")
    jack.button("Withdraw", jack.page.locator('[data-approval="pay-win"]')).click()
    jack.told("withdrawn: done")
    expect(jack.page.get_by_role("link", name="Approvals", exact=True)).to_be_visible()
    jack.go("floor/jackpots")
    jack.button("Pay", win).click()
    jack.confirm("Pay")
    jack.told("waiting for the approval of another person")
    before = floor.chips("Bob")
    approve(fay, "pay-win")
    jack.told("paid: done")
    assert floor.chips("Bob") == before + 10_000_00
    expect(alert(jack, "jackpot-win")).to_have_count(0)


def test_the_money_of_a_progressive_is_capped_deposited_and_reduced_for_lawful_reasons(floor: Floor, at: At) -> None:
    """None of these orders had a page: they needed raw requests."""
    floor.open("Climb 1", "lucky-ladies-progressive", PROGRESSIVE)
    jack = at("Jack", "floor/jackpots", viewport={"width": 1280, "height": 800})
    ladies = jack.jackpot("Climbing Ladies")
    ladies.get_by_text("Money and history").click()
    money = ladies.locator('[data-money="Climbing Ladies"]')
    seed = str(money.get_by_role("row", name="Meter").locator("td").text_content())
    expect(money.get_by_role("row", name="Set aside, not deposited").locator("td")).to_have_text(seed)
    expect(ladies.locator('[data-movements="Climbing Ladies"]')).to_contain_text("opened")
    assert jack.axe() == []

    deposit = ladies.locator('[data-form="deposit"]')
    deposit.get_by_label("Deposit at the bank").fill("9999999")
    jack.button("Order", deposit).click()
    expect(deposit.get_by_role("alert")).to_contain_text(f"Enter at most {seed}.")
    deposit.get_by_label("Deposit at the bank").fill(seed)
    jack.button("Order", deposit).click()
    expect(jack.page.get_by_role("dialog")).to_contain_text(f"will hold {seed}")
    jack.confirm("Order")
    jack.show_code()
    jack.told("deposit at the bank")
    expect(money.get_by_role("row", name="In escrow at the bank").locator("td")).to_have_text(seed)
    expect(deposit.get_by_label("Deposit at the bank")).to_have_value("")

    cap = ladies.locator('[data-form="set-cap"]')
    cap.get_by_label("Cap").fill("1")
    jack.button("Order", cap).click()
    expect(cap.get_by_role("alert")).to_contain_text("where the meter stands")

    lost = ladies.locator('[data-form="escrow-lost"]')
    lost.get_by_label("Lost from the escrow account").fill("7")
    lost.get_by_label("Reason").fill("a fee of the bank")
    jack.button("Order", lost).click()
    jack.confirm("Order")
    jack.told("waiting for the approval of another person")
    fay = at("Fay")
    approve(fay, "escrow-lost")
    expect(alert(jack, "escrow-short")).to_contain_text(
        "Climbing Ladies: escrow is $7 short, and its wager is stopped."
    )
    expect(alert(fay, "escrow-short")).to_be_visible()
    cure = ladies.locator('[data-form="cure-escrow"]')
    cure.get_by_label("Replace lost money").fill("7")
    jack.button("Order", cure).click()
    jack.confirm("Order")
    jack.told("waiting for the approval of another person")
    approve(fay, "cure-escrow", code=False)
    expect(alert(jack, "escrow-short")).to_have_count(0)

    reduce = ladies.locator('[data-form="reduce"]')
    reasons = reduce.get_by_label("Reduce, because").locator("option")
    expect(reasons).to_have_count(8)  # with the line that asks to choose
    assert [reasons.nth(at).is_disabled() for at in range(1, 8)] == [False, *[True] * 6]


def test_an_alert_is_acknowledged_with_a_name_that_every_console_shows(floor: Floor, at: At) -> None:
    fay, aud = at("Fay", "floor/day"), at("Aud")
    blackjack_of_hearts(floor, "Bonus 2", "Cyd")  # the round goes on: this is the deciding card
    won = "Bonus Ladies: $10,000 won at Bonus 2"
    expect(alert(fay, "jackpot-win")).to_contain_text(won)
    expect(alert(aud, "jackpot-win")).to_contain_text(won)
    expect(aud.button("Acknowledge")).to_have_count(0)  # an auditor changes nothing
    fay.button("Mute").click()
    expect(fay.button("Sound is off")).to_have_attribute("aria-pressed", "true")
    assert fay.axe() == []
    alert(fay, "jackpot-win").get_by_role("button").click()
    for person in (fay, aud):
        expect(alert(person, "jackpot-win")).to_have_count(0)
        person.page.get_by_text("1 acknowledged").click()
        expect(person.page.locator('[data-acknowledged="jackpot-win"]')).to_contain_text(f"{won}, round 1")
        expect(person.page.locator('[data-acknowledged="jackpot-win"]')).to_contain_text("Fay, ")
    floor.say("Bonus 2", "settle")


def test_a_session_that_is_over_shows_the_sign_in_and_leads_back(floor: Floor, at: At) -> None:
    """The console kept its last tables on the screen, which looked like quiet ones."""
    gus = at("Gus", "floor/jackpots")
    expect(gus.jackpot("Bonus Ladies")).to_be_visible()
    people = floor.house.server.people
    person = people.find("Gus")
    assert person is not None
    flo = people.find("Flo")
    assert flo is not None
    people.end_sessions_of(flo, "Gus")
    expect(gus.page.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(gus.page.get_by_text("Your session is over.")).to_be_visible()
    expect(gus.jackpot("Bonus Ladies")).to_have_count(0)
    gus.sign_in_here()
    expect(gus.jackpot("Bonus Ladies")).to_be_visible()


def test_a_console_that_only_watched_asks_for_a_code_before_it_acts(floor: Floor, at: At) -> None:
    fay = at("Fay", "floor/jackpots")
    three = fay.jackpot("Bonus Three")
    expect(three).to_be_visible()
    for _ in range(2):
        floor.house.later(minutes=10)
        with fay.page.expect_response("**/api/alerts"):
            pass
    three.get_by_label("Reason to suspend").fill("the sign is dark")
    fay.button("Suspend", three).click()
    expect(fay.page.get_by_role("dialog")).to_contain_text("off at Bonus")
    fay.confirm("Suspend")
    fay.show_code()
    fay.told("suspended: done")
    expect(three).to_contain_text("the sign is dark")


def test_people_are_looked_after_in_the_browser(floor: Floor, at: At) -> None:
    dora: ApiUser = floor.house.sign_in("Dora")
    fay = at("Fay", "floor/people", viewport={"width": 1280, "height": 800})
    row = fay.page.locator('tr[data-person="Dora"]')
    fay.button("Sessions", row).click()
    sessions = fay.page.locator('table[data-sessions="Dora"]')
    expect(sessions.locator("tbody tr").first).to_contain_text("127.0.0.1")
    assert fay.axe() == []
    fay.button("End the session from 127.0.0.1", sessions).first.click()
    fay.show_code()
    fay.told("Session of Dora ended: done")
    fay.button("Sessions", row).click()
    assert dora.get("/api/me").status_code == 401

    fay.button("Reset authenticator", row).click()
    expect(fay.page.get_by_role("dialog")).to_contain_text("For a lost or new phone.")
    fay.confirm("Reset authenticator")
    fay.told("waiting for the approval of another person")
    approve(at("Gus"), "reset authenticator")
    fay.told("Reset the authenticator of Dora: done")
    expect(row).to_contain_text("none")

    form = fay.page.get_by_role("region", name="Invite somebody")
    form.get_by_label("Name").fill("Pat")
    fay.button("Invite", form).click()
    link = fay.page.get_by_role("region", name="Invite Pat")
    expect(link.locator("[data-link]")).to_contain_text("/#/accept/")
    fay.button("QR code", link).click()
    expect(link.get_by_role("img", name="QR code of the link: Invite Pat")).to_be_visible()
    assert str(link.get_by_role("link", name="Write an email").get_attribute("href")).startswith("mailto:")
    assert fay.axe() == []

    fay.button("Disable", row).click()
    fay.confirm("Disable")
    fay.told("Disable Dora: done")
    expect(row).to_contain_text("disabled")
