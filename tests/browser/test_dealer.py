"""Dealer mode in a real browser: physical rounds of each game, entered by keys alone."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from browser.dealing import asks, bet, fields_of, seat
from browser.staff import Floor, Person, a_floor
from playwright.sync_api import Browser, expect

from upcard.cards import read_cards
from upcard.catalog import shipped
from upcard.engine import commands as c
from upcard.engine.terms import Terms
from upcard.people import Role
from upcard.pit import Dealer, open_table
from upcard.pit import orders as o
from upcard.pit.dealer import Script
from upcard.pit.descriptions import describe_reason, wager_title
from upcard.settlement import Slip, settle
from upcard.units import Cents, dollars

At = Callable[..., Person]
CATALOG = shipped()


def instruction(slip: Slip) -> str:
    """What the page must tell the dealer to do with the chips of a slip."""
    if slip.claim is not None:
        kept = "" if not slip.returned else "; the stake stays"
        paid = "" if not slip.paid else f"pay {dollars(slip.paid)}, and "
        return f"{paid}call the floor for a jackpot{kept}"
    if slip.paid:
        return f"pay {dollars(slip.paid)}" + ("" if slip.returned else f", take the stake of {dollars(slip.stake)}")
    if slip.returned == slip.stake:
        return "push: leave the stake"
    if slip.returned:
        return f"take {dollars(slip.taken)}, give {dollars(slip.returned)} back"
    return f"take {dollars(slip.stake)}"


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """A round as it was dealt: wagers in dollars, the cards as they left the shoe, what the players said; and the
    keys for it, where a card is two of them, the hole card comes when it is turned over, and | is a Bust Bonus."""

    layout: str
    wagers: dict[int, dict[str, int]]
    shoe: str
    said: tuple[c.Command, ...]
    keys: str


ROUNDS = (
    Recorded(  # a suited 20 stays, an 11 doubles, the dealer has 17
        layout="the-brook",
        wagers={1: {"Ante": 10, "Bet Bigger 2": 10, "Lucky Ladies": 5, "Suited Royals": 5}, 3: {"Ante": 5}},
        shoe="Kh 5d 7d Qh 6c Ts Td",
        said=(c.Stay(1), c.Double(3, (("Ante", Cents(500)),))),
        keys="KH 5D 7D QH 6C s d TD TS",
    ),
    Recorded(  # a perfect pair that matches the dealer's card is split; the dealer has 17
        layout="lucky-ladies-jackpot",
        wagers={2: {"Ante": 5, "Bet Bigger 2x": 5, "Lucky Ladies": 5, "Match the Dealer": 5, "Perfect Pair": 5}},
        shoe="9s 9d 9s 8h 2c 3d",
        said=(c.Split(2), c.Stay(2), c.Stay(2)),
        keys="9S 9D 9S p 2C s 3D s 8H",
    ),
    Recorded(  # an ace up: a natural is not insured, sixteen is; no blackjack, and a soft 17 that is hit
        layout="bet-bigger",
        wagers={1: {"Ante": 10, "Bet Bigger 1x": 10, "Match the Dealer": 5, "Break Bonus": 5}, 2: {"Ante": 10}},
        shoe="Tc Ts Ad Ah 6c 6h 4c Kd",
        said=(c.DeclineInsurance(1), c.Insure(2, (("Ante", Cents(500)),)), c.Hit(2), c.Stay(2)),
        keys="TC TS AD AH 6C n i <Enter> n h 4C s 6H KD",
    ),
    Recorded(  # a bust bonus after the peek, and the dealer breaks
        layout="lucky-ladies",
        wagers={1: {"Blackjack": 10, "Lucky Ladies": 5, "21+3 Xtreme": 5, "Top 3": 5}},
        shoe="Td 6d Kd Ts Kc",
        said=(c.PlaceWager(1, "Bust Bonus", Cents(500)), c.CloseLateWagers(), c.Stay(1)),
        keys="TD 6D KD | <Enter> s TS KC",
    ),
    Recorded(  # the dealer peeks under a king and has blackjack
        layout="double-action",
        wagers={4: {"Blackjack": 20, "Double Action": 5, "Match Madness": 5}},
        shoe="Ts Kd Th Ac",
        said=(),
        keys="TS KD TH b AC",
    ),
)


def expected(recorded: Recorded) -> tuple[list[Slip], Terms]:
    """Its slips and terms: the same cards and words, dealt by the engine from a script that knows the hole card."""
    dealer = Dealer(open_table(CATALOG, CATALOG.layout(recorded.layout)), Script())
    dealer.say(o.NewShoe(300))
    for spot in recorded.wagers:
        dealer.say(o.Seat(f"Guest {spot}", spot))
    dealer.say(o.BeginRound())
    for spot, wagers in recorded.wagers.items():
        for wager, amount in wagers.items():
            dealer.say(c.PlaceWager(spot, wager, Cents(amount * 100)))
    dealer.cards = Script(read_cards(recorded.shoe))
    for command in (c.CloseBetting(), *recorded.said):
        dealer.say(command)
    assert dealer.last is not None, "the recorded round does not end"
    return list(settle(*dealer.last)), dealer.last[1]


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    with a_floor(tmp_path_factory.mktemp("dealer")) as floor:
        floor.person("Fay", Role.FLOOR)
        yield floor
        floor.check()


@pytest.mark.parametrize("recorded", ROUNDS, ids=lambda recorded: recorded.layout)
def test_a_recorded_physical_round_by_keys_alone(
    floor: Floor, dana: Callable[[str], Person], recorded: Recorded
) -> None:
    table = f"By hand {recorded.layout}"
    jackpots = {jackpot.wager: f"{table} {jackpot.wager}" for jackpot in CATALOG.layout(recorded.layout).jackpot}
    floor.open(table, recorded.layout, jackpots, laid=False)
    dealer = dana(table)
    asks(dealer, "Put a new shoe on the table")
    dealer.keys("w")
    asks(dealer, "Enter the wagers")
    guests = {spot: f"{recorded.layout} {spot}" for spot in recorded.wagers}
    for spot, wagers in recorded.wagers.items():
        seat(dealer, guests[spot], spot)
        bet(dealer, fields_of(recorded.layout), spot, wagers)
    dealer.keys("<Enter>")
    asks(dealer, f"A card to spot {min(guests)}")
    before, late, after = recorded.keys.partition("|")
    dealer.keys(before)
    if late:
        asks(dealer, "Late wagers?")
        bet(dealer, ["Bust Bonus"], min(guests), {"Bust Bonus": 5})
    dealer.keys(after)
    asks(dealer, "Pay and take, then settle")

    slips, terms = expected(recorded)
    rows = dealer.page.locator("[data-pays] [data-pay]")
    expect(rows).to_have_count(len(slips))
    expect(rows.first).to_be_in_viewport()  # what to pay stands above the seats now
    for spot in guests:  # grouped by spot, each in the order of payment
        group = dealer.page.locator(f'[data-pay-spot="{spot}"]')
        expect(group.locator("tr").first).to_contain_text(f"Spot {spot}, {guests[spot]}")
        of_spot = [slip for slip in slips if slip.spot == spot]
        for row, slip in zip(group.locator("[data-pay]").all(), of_spot, strict=True):
            text = instruction(slip)
            expect(row.locator("b")).to_have_text(text[:1].upper() + text[1:])
            for part in (wager_title(slip.wager), describe_reason(slip, terms)):
                expect(row).to_contain_text(part)
    staked = {spot: sum(slip.stake for slip in slips if slip.spot == spot) for spot in guests}
    back = {spot: sum(slip.paid + slip.returned for slip in slips if slip.spot == spot) for spot in guests}
    early = floor.house.server.service.desk.live(table).slips  # decided while the round went on
    paid = {(slip["spot"], slip["wager"], slip.get("hand")) for slip in early}
    for spot in guests:  # the sums of what is left to do
        left = [slip for slip in slips if slip.spot == spot and (spot, slip.wager, slip.hand) not in paid]
        pay, take = sum(slip.paid for slip in left), sum(slip.taken for slip in left)
        words = [f"pay {dollars(pay)}"] * (pay > 0) + [f"take {dollars(take)}"] * (take > 0)
        total = dealer.page.locator(f'[data-pay-spot="{spot}"] [data-total]')
        expect(total).to_have_text(", ".join(words).capitalize() or "Settled")
    assert {(slip["spot"], slip["wager"]) for slip in early} <= {(slip.spot, slip.wager) for slip in slips}
    for spot, guest in guests.items():  # what the end decides is not paid before the dealer says so
        won = sum(slip["paid"] + slip["returned"] for slip in early if slip["spot"] == spot)
        assert floor.chips(guest) == 1000_00 - staked[spot] + won
    dealer.keys("<Enter>")
    asks(dealer, "Enter the wagers")
    for spot, guest in guests.items():
        assert floor.chips(guest) == 1000_00 - staked[spot] + back[spot]


def test_a_seventh_queen_of_hearts_and_a_card_out_of_order_are_refused_in_words(
    floor: Floor, dana: Callable[[str], Person]
) -> None:
    floor.open("Queens")
    floor.sit("Queens", "Quinn", 1, 2, 3)
    for spot in (1, 2, 3):
        floor.say("Queens", "bet", spot=spot, stakes={"Ante": 10_00})
    floor.deal("Queens", "Qh Qh Qh 9c Qh Qh Qh")
    for spot in (1, 2, 3):
        floor.say("Queens", "stay", spot=spot)
    floor.say("Queens", "card", card="9d")
    floor.say("Queens", "settle")
    dealer = dana("Queens")
    asks(dealer, "Enter the wagers")
    bet(dealer, fields_of("bet-bigger"), 1, {"Ante": 10})
    dealer.keys("<Enter> QH")
    dealer.refused("All 6 copies of Qh have come out of this shoe.")
    asks(dealer, "A card to spot 1")
    dealer.keys("<Escape> TD 9S 8D 5H")
    dealer.refused("No card is due: the table waits for spot 1 to play.")
    dealer.keys("<Escape> s 9C")
    asks(dealer, "Pay and take, then settle")
    dealer.keys("<Enter>")
    asks(dealer, "Enter the wagers")


def test_a_wrong_entry_is_corrected_before_the_round_is_booked_with_a_trace(
    floor: Floor, dana: Callable[[str], Person], browser: Browser
) -> None:
    floor.open("Wrong")
    floor.sit("Wrong", "Wanda", 1)
    dealer = dana("Wrong")
    asks(dealer, "Enter the wagers")
    bet(dealer, fields_of("bet-bigger"), 1, {"Ante": 10})
    dealer.keys("<Enter> 10D 9S 8D s 9C")  # the eight was a nine, and the hole card a ten; a ten is typed as one likes
    asks(dealer, "Pay and take, then settle")
    pay = dealer.page.locator('[data-pay="1 Ante"]')
    expect(pay).to_contain_text("Push: leave the stake")
    dealer.keys("<Backspace>")
    asks(dealer, "The hole card to be turned over")
    dealer.keys("c")
    expect(dealer.page.get_by_role("form", name="Correct a card")).to_be_visible()
    dealer.fields("3", "9d")
    expect(dealer.page.locator(".entered")).to_contain_text("9d spot 1")
    dealer.keys("TC")
    asks(dealer, "Pay and take, then settle")
    expect(pay).to_contain_text("Push: leave the stake")  # 19 and 19
    dealer.keys("<Enter>")
    asks(dealer, "Enter the wagers")
    fay = Person(browser, floor, "Fay", "floor/tables/Wrong")
    trail = fay.page.locator("[data-trail]")
    expect(trail).to_contain_text("Correct a card: number 3 · card 9d")
    expect(trail).to_contain_text("Take an entry back")
    expect(trail).to_contain_text("Dana, dealer")
    fay.go_home()


def test_axe_finds_nothing_serious_where_cards_are_entered(floor: Floor, dana: Callable[[str], Person]) -> None:
    floor.open("Seen dealing")
    floor.sit("Seen dealing", "Zed", 1)
    dealer = dana("Seen dealing")
    asks(dealer, "Enter the wagers")
    violations = {"betting": dealer.axe()}
    dealer.keys("1")
    expect(dealer.page.get_by_role("form")).to_be_visible()
    violations["wagers"] = dealer.axe()
    dealer.fields("10")
    dealer.keys("<Enter> TD 9S 8D s 9C")
    asks(dealer, "Pay and take, then settle")
    violations["paying"] = dealer.axe()
    assert dealer.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    dealer.keys("<Enter>")
    asks(dealer, "Enter the wagers")
    dealer.go("dealer")
    expect(dealer.page.get_by_role("link", name="Seen dealing")).to_be_visible()
    violations["tables"] = dealer.axe()
    assert {page: wrong for page, wrong in violations.items() if wrong} == {}


def test_holding_a_key_down_plays_for_one_spot_only(floor: Floor, dana: Callable[[str], Person]) -> None:
    floor.open("Held")
    for spot in (1, 2):
        floor.sit("Held", f"Holder {spot}", spot)
        floor.say("Held", "bet", spot=spot, stakes={"Ante": 10_00})
    floor.deal("Held", "Th Td 9c 9h 9d")
    dealer = dana("Held")
    prompt = dealer.page.locator("[data-prompt]")
    expect(prompt).to_have_text("Spot 1 to play")
    for _ in range(3):  # the keyboard repeats it
        dealer.page.keyboard.down("s")
    dealer.page.keyboard.up("s")
    expect(prompt).to_have_text("Spot 2 to play")
    dealer.keys("s 8C")  # had the second spot been stayed for, no card but the hole card were due
    expect(prompt).to_have_text("Pay and take, then settle")
    stayed = [record["events"] for record in floor.house.server.service.queries.records("Held")]
    assert [e["spot"] for events in stayed for e in events if e["event"] == "hand-stayed"] == [1, 2]
    dealer.keys("<Enter>")
    expect(prompt).to_have_text("Enter the wagers")
