"""Posted means in force, in several windows at once: what the house changes is seen everywhere without a reload."""

from collections.abc import Iterator

import pytest
from browser.catalogs import copied, edited
from browser.staff import At, Floor, Person, a_floor
from playwright.sync_api import Locator, expect

from upcard.ledger.jackpots import requests as r
from upcard.people import Role
from upcard.service import commands as s
from upcard.units import Cents

NOTICE = (
    "Bonus Jackpot prizes are paid by the casino and are not components of any progressive prize contest. Player "
    "wagers do not accrue to any guaranteed player fund. The displayed Bonus Jackpot prize may be modified or "
    "discontinued at any time without prior notice."
)
LADIES, THREE = "Lucky Ladies Jackpot", "21+3 Jackpot"
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    """A house whose files have a jackpot wager of $5 (003) and an aggregate limit (004); three players."""
    folder = tmp_path_factory.mktemp("posted")
    layouts = copied(folder) / "layouts"
    edited(layouts / "lucky-ladies.toml", 'PT-BJS-LL-34"\namount = "$1"', 'PT-BJS-LL-34"\namount = "$5"')
    limited = (layouts / "double-action.toml").read_text()
    limited += '\n[[aggregate_limit]]\nwager = "Double Action"\namount = "$5,000"\n'
    (layouts / "double-action.toml").write_text(limited)
    with a_floor(folder) as floor:
        floor.read_files(layouts.parent)
        floor.person("Fay", Role.FLOOR)
        floor.person("Screen", Role.DISPLAY)
        for name in ("Ann", "Bob", "Cleo"):
            floor.house.player(name=name)
        yield floor
        floor.check()


def seated(at: At, name: str, table: str, **options: object) -> Person:
    person = at(name, f"#/table/{table}/sit", **options)
    expect(person.page.locator("section.spot.own")).to_be_visible()
    return person


def sign(person: Person) -> Locator:
    return person.page.get_by_label("Table sign")


def lobby_card(person: Person, layout: str) -> Locator:
    return person.page.locator(f'[data-layout="{layout}"]')


def test_minimum_and_shuffling_are_seen_by_players_watchers_the_lobby_and_the_floor(floor: Floor, at: At) -> None:
    floor.open("Limits", "the-brook", {"Galaxy Bonus Jackpot": "Limits jackpot"}, laid=False)
    ann, bob, cleo = seated(at, "Ann", "Limits"), at("Bob", "#/table/Limits"), at("Cleo", "#/")
    fay = at("Fay", "floor/tables/Limits")
    bob.page.get_by_role("button", name="Rules").click()
    card = bob.page.get_by_role("dialog")
    expect(card).to_contain_text("6 decks, shuffled by machine; posted minimum $5.")
    expect(lobby_card(cleo, "the-brook").locator("[data-posted]")).to_have_text("$5 to $10")

    fay.page.get_by_label("Posted minimum, $").fill("8")
    fay.button("Post").click()
    for person in (ann, bob):
        expect(sign(person).locator("[data-posted]")).to_have_text("$8 to $10")
    expect(ann.circle("Ante")).to_have_accessible_name("Ante, spot 3: empty, $8 to $10")
    expect(card).to_contain_text("posted minimum $8.")
    expect(lobby_card(cleo, "the-brook").locator("[data-posted]")).to_have_text("$8 to $10")
    expect(fay.page.get_by_text("minimum $8;")).to_be_visible()

    jackpot = ann.circle("Galaxy Bonus Jackpot")
    jackpot.click()
    expect(ann.page.get_by_text("$995")).to_be_visible()
    fay.button("Shuffle by hand from the next shoe").click()  # there is no shoe on the table: at once
    off = "off: the shoe is shuffled by hand"
    expect(jackpot).to_have_accessible_name(f"Galaxy Bonus Jackpot, spot 3: empty, {off}")
    expect(jackpot).to_be_disabled()
    expect(ann.page.get_by_role("alert").filter(has_text=off)).to_be_visible()  # her chips came back
    expect(ann.page.get_by_text("$1,000")).to_be_visible()
    covered = jackpot.locator(".ring").evaluate("ring => getComputedStyle(ring).backgroundImage")
    assert "repeating-linear-gradient" in covered
    for person in (ann, bob):
        expect(sign(person)).to_contain_text("6 decks, shuffled by hand")
        expect(sign(person).locator("[aria-live]")).to_have_text(f"Galaxy Bonus Jackpot is {off}.")
    expect(bob.page.locator(f'.mark.jackpot[title="Galaxy Bonus Jackpot: {off}"]')).to_have_count(6)
    expect(card).to_contain_text(off)
    expect(lobby_card(cleo, "the-brook").locator('[data-meter="Bonus Jackpot"]')).to_contain_text(off)
    expect(fay.page.locator('[data-off="Galaxy Bonus Jackpot"]')).to_contain_text(off)
    assert ann.axe() == []


def test_orders_given_while_bets_are_down_are_seen_in_the_players_window(floor: Floor, at: At) -> None:
    """The bet that is down plays; chips that a flat bettor may not put down come back at once."""
    floor.open("Orders", "the-brook")
    ann, fay = seated(at, "Ann", "Orders"), at("Fay", "floor/tables/Orders")
    spot = 3
    floor.say("Orders", "bet", spot=spot, stakes={"Ante": 5_00})
    floor.deal("Orders", "Th 9c 9h")
    floor.say("Orders", "stay", spot=spot)
    floor.say("Orders", "card", card="8c")
    floor.say("Orders", "settle")
    floor.say("Orders", "bet", spot=spot, stakes={"Ante": 5_00, "Lucky Ladies": 2_00})
    expect(ann.circle("Lucky Ladies")).to_have_accessible_name(f"Lucky Ladies, spot {spot}: $2, $2 to $10")
    fay.page.get_by_label("Posted minimum, $").fill("8")
    fay.button("Post").click()
    expect(sign(ann).locator("[data-posted]")).to_have_text("$8 to $10")
    expect(ann.circle("Ante")).to_have_accessible_name(f"Ante, spot {spot}: $5, $8 to $10")
    fay.button("Flat bets only").click()
    fay.told("Ann must flat bet: done")
    expect(ann.circle("Lucky Ladies")).to_have_accessible_name(f"Lucky Ladies, spot {spot}: empty, $2 to $10")
    expect(ann.circle("Ante")).to_have_accessible_name(f"Ante, spot {spot}: $5, $8 to $10")
    expect(ann.page.get_by_text("Ann must flat bet")).to_be_attached()


def test_insurance_that_was_declined_may_be_taken_until_the_dealer_closes_it(floor: Floor, at: At) -> None:
    floor.open("Insured", "the-brook")
    ann = seated(at, "Ann", "Insured")
    before = floor.chips("Ann")
    floor.say("Insured", "bet", spot=3, stakes={"Ante": 10_00})
    floor.deal("Insured", "Th As 9h")
    ann.button("No").click()
    expect(ann.page.get_by_text("You declined insurance. You may still take it until it closes.")).to_be_visible()
    assert ann.axe() == []
    ann.button("Take insurance now: $5").click()
    expect(ann.button("Take insurance now")).to_have_count(0)
    assert floor.chips("Ann") == before - 15_00
    floor.say("Insured", "take-back")
    expect(ann.button("Take insurance now: $5")).to_be_visible()
    floor.say("Insured", "deal")
    expect(ann.button("Take insurance now")).to_have_count(0)


def test_a_suspended_jackpot_is_off_in_every_window_of_every_linked_table(floor: Floor, at: At) -> None:
    for table in ("Ladies 1", "Ladies 2"):
        floor.open(table, "lucky-ladies", {LADIES: "Linked ladies", THREE: "Linked three"})
    ann, bob, cleo = seated(at, "Ann", "Ladies 1"), seated(at, "Bob", "Ladies 2", viewport=PHONE), at("Cleo", "#/")
    screen, fay = at("Screen", "display/Ladies 2"), at("Fay", "floor/jackpots")
    ann.bet("Blackjack", LADIES)
    expect(ann.circle(LADIES)).to_have_accessible_name(f"{LADIES}, spot 3: $5, $5")
    panel = fay.jackpot("Linked ladies")
    panel.get_by_label("Reason").fill("the meter is tested")
    fay.button("Suspend", panel).click()
    fay.confirm("Suspend")
    off = "off: Linked ladies is suspended: the meter is tested"
    for person in (ann, bob):
        expect(person.circle(LADIES)).to_have_accessible_name(f"{LADIES}, spot 3: empty, {off}")
        expect(person.circle(LADIES)).to_be_disabled()
        expect(sign(person)).to_contain_text(f"{LADIES} is {off}.")
        expect(person.circle(THREE)).not_to_be_disabled()
    assert bob.axe() == []
    expect(ann.page.get_by_role("alert").filter(has_text=off)).to_be_visible()
    expect(lobby_card(cleo, "lucky-ladies").locator(f'[data-meter="{LADIES}"]')).to_contain_text(off)
    expect(screen.page.get_by_text(f"The wager is {off}.")).to_be_visible()
    ann.circle(LADIES).click(force=True)
    expect(ann.page.get_by_role("alert")).to_have_text(f"{LADIES} is {off}.")

    fay.button("Resume", panel).click()
    fay.confirm("Resume")
    for person in (ann, bob):
        expect(person.circle(LADIES)).not_to_be_disabled()
        expect(person.circle(LADIES)).to_have_accessible_name(f"{LADIES}, spot 3: empty, $5")
    expect(lobby_card(cleo, "lucky-ladies").locator(f'[data-meter="{LADIES}"]')).to_have_text(f"★ {LADIES} $50,000")


def test_a_bonus_amount_is_never_without_its_notice_and_a_five_dollar_wager_has_its_own_meter(
    floor: Floor, at: At
) -> None:
    """003: the notice on all displays; R22: $10,000 for a $1 wager are $50,000; appendix A, note 3: the spot's name."""
    floor.open("Notice", "lucky-ladies", {LADIES: "Noticed ladies", THREE: "Noticed three"})
    ann, bob = seated(at, "Ann", "Notice"), seated(at, "Bob", "Notice", viewport=PHONE)
    cleo, fay, screen = at("Cleo", "#/"), at("Fay", "floor/jackpots"), at("Screen", "display/Notice")
    for person in (ann, bob):
        expect(sign(person).locator(f'[data-meter="{LADIES}"]')).to_contain_text("$50,000")
        expect(sign(person).locator("[data-notice]")).to_have_text(NOTICE)
        expect(person.circle("Lucky Ladies")).to_contain_text("First 2 Cards Equal 20")
        expect(person.circle("Lucky Ladies")).to_have_accessible_name(
            f"First 2 Cards Equal 20, Lucky Ladies, spot {3 if person is ann else 4}: empty, $1 to $100"
        )
    expect(lobby_card(cleo, "lucky-ladies").locator("[data-notice]")).to_have_text(NOTICE)
    expect(fay.jackpot("Noticed ladies").locator("[data-notice]")).to_have_text(NOTICE)
    expect(screen.page.locator("[data-notice]").first).to_have_text(NOTICE)
    ann.page.get_by_role("button", name="Rules").click()
    card = ann.page.get_by_role("dialog")
    expect(card).to_contain_text(NOTICE)
    card.get_by_text("The rules as filed").click()
    expect(card.get_by_role("row", name=f"{LADIES} (bonus")).to_contain_text("$50,000 now")
    floor.house.do(s.House(request=r.Post(jackpot="Noticed ladies", values={LADIES: 60_000_00})))
    expect(card.get_by_role("row", name=f"{LADIES} (bonus")).to_contain_text("$60,000 now")
    expect(sign(bob).locator(f'[data-meter="{LADIES}"]')).to_contain_text("$60,000")


def test_an_aggregate_limit_is_posted_before_it_reduces_a_payout_and_the_slip_says_so(floor: Floor, at: At) -> None:
    """004: 200 to 1 on $50 is $10,000; the house posted $5,000 per deal."""
    floor.open("Aggregate", "double-action")
    ann, bob = seated(at, "Ann", "Aggregate"), at("Bob", "#/table/Aggregate")
    posted = "pays at most $5,000 per deal, all players together"
    for person in (ann, bob):
        expect(sign(person)).to_contain_text(f"Double Action {posted}.")
    expect(ann.circle("Double Action")).to_have_accessible_name(f"Double Action, spot 3: empty, $1 to $100, {posted}")
    floor.say("Aggregate", "bet", spot=3, stakes={"Blackjack": 5_00, "Double Action": 50_00})
    floor.deal("Aggregate", "7h 7h 7h")
    floor.say("Aggregate", "stay", spot=3)
    floor.say("Aggregate", "card", card="Td")
    floor.say("Aggregate", "settle")
    slip = ann.slip("Double Action")
    expect(slip).to_contain_text("reduced: all winners share the posted limit of $5,000 per deal: +$5,000")
    expect(slip).to_contain_text("pays 200 to 1")


def stacks(person: Person, spot: int) -> dict[str, dict[str, float]]:
    """By circle: how far from the left edge of the page its chips and the added ones lie, where there are any."""
    found: dict[str, dict[str, float]] = person.page.locator(f'section[data-spot-number="{spot}"]').evaluate(
        """spot => Object.fromEntries([...spot.querySelectorAll("[data-circle]")].map(circle => {
            const middle = part => { const box = part.getBoundingClientRect(); return box.left + box.width / 2; };
            const placed = {};
            for (const part of circle.querySelectorAll(".chips"))
                placed[part.classList.contains("added") ? "added" : "stack"] = middle(part);
            return [circle.dataset.circle, placed];
        }))"""
    )
    return found


def test_added_chips_lie_to_the_left_of_each_wager_in_002(floor: Floor, at: At) -> None:
    """002-C35 (and 001-C42): a double puts as much to the left of each respective bet."""
    floor.open("Left", "bet-bigger")
    ann, bob = seated(at, "Ann", "Left"), at("Bob", "#/table/Left", viewport=PHONE)
    stakes = {"Ante": 10_00, "Bet Bigger 1x": 10_00, "Match the Dealer": 5_00}
    floor.say("Left", "bet", spot=3, stakes=stakes)
    floor.deal("Left", "6h 5c 5h")
    floor.say("Left", "double", spot=3)
    expect(ann.circle("Ante")).to_have_accessible_name("Ante, spot 3: $10, and $10 added to the left, $5 to $10")
    placed = stacks(ann, 3)
    for circle in ("Ante", "Bet Bigger 1x"):
        assert placed[circle]["added"] < placed[circle]["stack"] - 10, placed[circle]
    assert (list(placed["Match the Dealer"]), placed["Bet Bigger 2x"]) == (["stack"], {})
    expect(bob.page.locator('section[data-spot-number="3"] .bet .added')).to_have_attribute("data-side", "left")
    floor.house.do(s.Void(table="Left", why="the test is over"))


def test_a_split_in_000_stacks_the_wagers_in_the_ante_circle_with_the_added_ones_beside_them(
    floor: Floor, at: At
) -> None:
    """000-C42 and note iii."""
    floor.open("Stack", "the-brook", {"Galaxy Bonus Jackpot": "Stack jackpot"})
    ann, bob = seated(at, "Ann", "Stack"), at("Bob", "#/table/Stack")
    stakes = {"Ante": 10_00, "Bet Bigger 2": 10_00, "Bet Bigger 4": 10_00, "Lucky Ladies": 5_00}
    floor.say("Stack", "bet", spot=3, stakes=stakes)
    floor.deal("Stack", "8h 5c 8d")
    expect(ann.circle("Ante")).to_have_accessible_name("Ante, spot 3: $10, $5 to $10")
    floor.say("Stack", "split", spot=3)
    expect(ann.circle("Ante")).to_have_accessible_name("Ante, spot 3: $30, and $30 added beside, $5 to $10")
    expect(ann.circle("Bet Bigger 2")).to_have_accessible_name(
        "Bet Bigger 2, spot 3: stacked in the Ante circle, equal to the Ante"
    )
    placed = stacks(ann, 3)
    assert placed["Ante"]["added"] > placed["Ante"]["stack"] + 10
    assert [placed[circle] for circle in ("Bet Bigger 2", "Bet Bigger 3", "Bet Bigger 4")] == [{}, {}, {}]
    assert placed["Lucky Ladies"] == {}, "it lost with the deal, and the dealer took it"
    beside = bob.page.locator('section[data-spot-number="3"] .bet .added')
    expect(beside).to_have_attribute("data-added", "3000")
    floor.say("Stack", "card", card="3h")
    floor.say("Stack", "double", spot=3, amounts={"Ante": 500})
    expect(ann.circle("Ante")).to_have_accessible_name("Ante, spot 3: $30, and $35 added beside, $5 to $10")
    expect(beside).to_have_attribute("data-added", "3500")
    floor.house.do(s.Void(table="Stack", why="the test is over"))


def test_a_visitor_in_the_lobby_sees_a_minimum_posted_meanwhile(floor: Floor, at: At) -> None:
    """Somebody who is not signed in has no socket: the page asks every few seconds."""
    floor.open("A visit", "lucky-ladies-jackpot", {"Lucky Ladies": "Visited ladies"})  # the first one of its layout
    cleo = at("Cleo", "#/")
    cleo.context.clear_cookies()
    cleo.page.evaluate("localStorage.clear()")
    cleo.page.clock.install()
    cleo.page.reload()
    posted = lobby_card(cleo, "lucky-ladies-jackpot").locator("[data-posted]")
    expect(posted).to_have_text("$5 to $10")
    expect(cleo.page.get_by_text("Sign in")).to_be_visible()
    floor.house.do(s.PostMinimum(table="A visit", amount=Cents(9_00)))
    cleo.page.clock.run_for(5000)
    expect(posted).to_have_text("$9 to $10")
