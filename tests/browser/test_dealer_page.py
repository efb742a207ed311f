"""The dealer's page: who may act, what stops them, what they see, and entries that are not taken."""

from collections.abc import Callable, Iterator

import pytest
from browser.dealing import asks
from browser.staff import Floor, Person, a_floor
from playwright.sync_api import Browser, expect

from upcard.people import Role
from upcard.service import commands as s


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    with a_floor(tmp_path_factory.mktemp("dealer-page")) as floor:
        floor.person("Fay", Role.FLOOR)
        yield floor
        floor.check()


def test_an_entry_that_is_not_taken_stops_those_behind_it(floor: Floor, dana: Callable[[str], Person]) -> None:
    """After a card that was refused, the next ones went to the wrong spots."""
    floor.open("Stops")
    for spot in (1, 2):
        floor.sit("Stops", f"Stopped {spot}", spot)
        floor.say("Stops", "bet", spot=spot, stakes={"Ante": 10_00})
    floor.say("Stops", "deal")
    dealer = dana("Stops")
    asks(dealer, "A card to spot 1")
    dealer.keys("TD 9X 8S 7C")  # X is no suit: the eight must not go to spot 2
    stopped = dealer.page.locator("[data-stopped]")
    expect(stopped).to_contain_text("Type the suit after the rank")
    expect(stopped).to_contain_text("nor the 4 keys typed since")
    asks(dealer, "A card to spot 2")
    expect(dealer.page.locator(".entered li")).to_have_count(1)
    dealer.keys("<Escape>")
    expect(stopped).to_have_count(0)
    dealer.keys("1H")  # a bare 1: an ace, or a ten?
    expect(stopped).to_contain_text("Ace or ten?")
    expect(dealer.page.locator(".entered li")).to_have_count(1)
    dealer.keys("<Escape> 10H 9S")
    expect(dealer.page.locator(".entered li")).to_have_count(3)
    expect(dealer.page.locator('[data-spot="2"] [data-card="Th"]')).to_be_visible()
    expect(dealer.page.locator('[data-dealer] [data-card="9s"]')).to_be_visible()

    dealer.page.route("**/api/tables/Stops/card", lambda route: route.abort())  # the network fails
    dealer.keys("8H 7C")
    expect(stopped).to_be_visible()
    dealer.page.unroute("**/api/tables/Stops/card")
    dealer.keys("<Escape> 8H 7C")
    asks(dealer, "Spot 1 to play")
    expect(dealer.page.locator('[data-spot="1"] [data-card="8h"]')).to_be_visible()
    expect(dealer.page.locator('[data-spot="2"] [data-card="7c"]')).to_be_visible()
    dealer.wrong[:] = [message for message in dealer.wrong if "ERR_FAILED" not in message]
    floor.house.do(s.Void(table="Stops", why="a test"))


def test_only_the_dealer_who_is_logged_on_enters_cards_and_the_trail_shows_the_rotation(
    floor: Floor, browser: Browser
) -> None:
    floor.open("Rotation")
    floor.person("Dora", Role.DEALER)
    dora = Person(browser, floor, "Dora", "dealer/Rotation")
    expect(dora.page.get_by_role("heading", name="Dana deals here")).to_be_visible()
    dora.keys("g")  # nothing: she is not logged on
    expect(dora.page.get_by_role("form")).to_have_count(0)
    dora.button("Relieve Dana").click()
    expect(dora.button("Log off this table")).to_be_visible()
    refused = floor.dealer.say("Rotation", "shuffle")
    assert refused.status_code == 403  # the floor's
    late = floor.dealer.say("Rotation", "cut-card")
    assert (late.status_code, late.json()["reason"]) == (409, "NOT_LOGGED_ON")
    dora.keys("g")
    expect(dora.page.get_by_role("form", name="Seat a guest")).to_be_visible()
    dora.keys("<Escape>")
    dora.button("Log off this table").click()
    expect(dora.page.get_by_role("heading", name="Nobody is logged on to this table")).to_be_visible()
    fay = Person(browser, floor, "Fay", "floor/tables/Rotation")
    trail = fay.page.locator("[data-trail]")
    for entry in ("Log on to the table", "Log off the table", "Dora, dealer", "Dana, dealer"):
        expect(trail).to_contain_text(entry)
    for person in (dora, fay):
        person.go_home()


def test_a_refused_seat_books_no_chips(floor: Floor, dana: Callable[[str], Person]) -> None:
    """The buy-in of a guest whose seat was refused stayed booked."""
    floor.open("Seats")
    floor.sit("Seats", "First here", 2)
    dealer = dana("Seats")
    asks(dealer, "Enter the wagers")
    dealer.keys("g")
    form = dealer.page.get_by_role("form", name="Seat a guest")
    expect(form).to_be_visible()
    dealer.fields("Too late", "2", "500")
    dealer.refused("Spot 2 is taken by First here")
    assert floor.chips("Too late") == 0
    expect(form.get_by_label("Buy-in")).to_have_value("500")
    form.get_by_label("Spot").fill("3")
    form.get_by_role("button", name="Seat").click()
    expect(dealer.page.locator("[data-said]")).to_have_text("Buy-in: entered.")
    expect(form).to_have_count(0)
    assert floor.chips("Too late") == 500_00


def test_a_session_that_is_over_shows_the_sign_in_and_leads_back_to_the_table(floor: Floor, browser: Browser) -> None:
    """The page kept the last cards on the screen, under a line that said "signed out"."""
    floor.open("Over")
    floor.sit("Over", "Ola", 1)
    floor.person("Dean", Role.DEALER)
    dealer = Person(browser, floor, "Dean", "dealer/Over")
    asks(dealer, "Enter the wagers")
    people = floor.house.server.people
    fay = people.find("Fay")
    assert fay is not None
    people.end_sessions_of(fay, "Dean")
    expect(dealer.page.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(dealer.page.get_by_text("Your session is over.")).to_be_visible()
    expect(dealer.page.locator("[data-prompt]")).to_have_count(0)
    dealer.sign_in_here()
    asks(dealer, "Enter the wagers")
    dealer.go_home()


def test_banners_tell_the_dealer_of_a_void_round_a_flat_bet_a_jackpot_and_the_end(
    floor: Floor, dana: Callable[[str], Person]
) -> None:
    floor.open("Banners", "lucky-ladies-jackpot", {"Lucky Ladies": "Banner Ladies"})
    floor.sit("Banners", "Bea", 1)
    dealer = dana("Banners")
    asks(dealer, "Enter the wagers")
    banner = dealer.page.locator("[data-banner]")
    floor.say("Banners", "bet", spot=1, stakes={"Ante": 10_00, "Lucky Ladies": 5_00})
    floor.deal("Banners", "Qh 8c Qh")
    floor.house.do(s.Void(table="Banners", why="a card was exposed"))
    expect(banner.filter(has_text="is void: a card was exposed")).to_be_visible()
    floor.house.do(s.NotifyFlatBet(table="Banners", player="Bea"))
    expect(banner.filter(has_text="Bea must flat bet")).to_be_visible()
    floor.say("Banners", "bet", spot=1, stakes={"Ante": 10_00, "Lucky Ladies": 5_00})
    expect(banner.filter(has_text="is void")).to_have_count(0)
    floor.house.do(s.AnnounceClosing(table="Banners"))
    expect(banner.filter(has_text="The game ends after this shoe")).to_be_visible()
    floor.deal("Banners", "Qh Qh Qh")
    expect(banner.filter(has_text="wins a jackpot, which is locked")).to_be_visible()
    floor.house.do(s.Void(table="Banners", why="a test"))


def test_cards_shoe_discards_and_cut_card_are_read_at_two_metres(floor: Floor, dana: Callable[[str], Person]) -> None:
    floor.open("Far")
    floor.sit("Far", "Faye", 1)
    floor.say("Far", "bet", spot=1, stakes={"Ante": 10_00})
    floor.deal("Far", "Qh 9c Th")
    dealer = dana("Far")
    queen = dealer.page.locator('[data-card="Qh"]')
    expect(queen).to_have_text("Q♥")
    size = queen.locator(".rank").evaluate("rank => parseFloat(getComputedStyle(rank).fontSize)")
    capital_mm = size * 0.7 * 25.4 / 96
    assert capital_mm >= 9.3  # 16 minutes of arc at two metres, the least that ISO 9241-303 allows
    colours = [
        dealer.page.locator(f'[data-card="{card}"]').evaluate("card => getComputedStyle(card).color")
        for card in ("Qh", "9c")
    ]
    assert colours[0] != colours[1]
    expect(dealer.page.locator("[data-shoe-cards]")).to_have_text("308")  # the hole card is dealt too
    expect(dealer.page.locator("[data-discards]")).to_have_text("0")
    expect(dealer.page.locator("[data-cut-card]")).to_have_text("in the shoe")
    dealer.keys("s 8D")
    asks(dealer, "Pay and take, then settle")
    dealer.keys("<Enter>")
    asks(dealer, "Enter the wagers")
    expect(dealer.page.locator("[data-discards]")).to_have_text("4")
    floor.say("Far", "bet", spot=1, stakes={"Ante": 10_00})
    dealer.keys("<Enter>")
    asks(dealer, "A card to spot 1")
    dealer.keys("x")
    expect(dealer.page.locator("[data-cut-card]")).to_have_text("out: last round of the shoe")
    dealer.keys("TC 9D TS s 9H <Enter>")
    asks(dealer, "Put a new shoe on the table")
