"""A jackpot with its own suit: engine, odds, simulator, ledger, stored rules and everything shown go by that suit."""

import json
import shutil
from itertools import islice
from pathlib import Path

import pytest
from ledger.book_driver import BookDriver
from procedures.catalogs import with_game, with_layout
from support.empty_books import KEYRING

from upcard.cards import SUIT_NAMES, Card, read_cards
from upcard.catalog import shipped
from upcard.catalog.index import Catalog
from upcard.catalog.ruleset import read_ruleset, ruleset_of
from upcard.ledger.book import Book
from upcard.ledger.jackpots.terms import trigger_of
from upcard.ledger.opening_requests import jackpot_opening, table_opening
from upcard.ledger.refusals import BookRefused
from upcard.ledger.requests import LinkTable
from upcard.ledger.store import Store
from upcard.odds.price import price
from upcard.pit import open_table
from upcard.pit.rulescard import rules_card
from upcard.pit.terms import derive
from upcard.pit.transcript import run
from upcard.service.jackpot_display import display
from upcard.sim.compile import Compiled, compile_game
from upcard.sim.replay import replay
from upcard.strategy.chart import usual
from upcard.strategy.player import Player
from upcard.wagers import DealKind
from upcard.wagers.ranking import ranking

LADIES, THREE, SECOND_THREE = "Lucky Ladies Jackpot", "21+3 Jackpot", "Second 21+3 Jackpot"
SPECIFIC = "queen-of-hearts-pair-with-suit-specific-dealer-blackjack"
SUITED = "queen-of-hearts-pair-with-suited-dealer-blackjack"
SLUG = "lucky-ladies-progressive"


@pytest.fixture(scope="module")
def spades() -> Catalog:
    """The layout's suit is hearts; Lucky Ladies pays its top award for a dealer blackjack of spades."""
    ladies, three = shipped().layout(SLUG).jackpot
    return with_layout(shipped(), SLUG, jackpot=(ladies.model_copy(update={"suit": "spades"}), three))


def decided(catalog: Catalog, cards: str, wager: str) -> str:
    """The line that a round with this wager wins."""
    lines = [
        f"table {SLUG}",
        f"cards {cards}",
        *("> seat Ann 1", "> round", "> 1 bet Blackjack $5", f"> 1 bet {wager} $1", "> deal"),
    ]
    transcript = run(catalog, "\n".join(lines) + "\n", "test")
    return next(line for line in transcript.splitlines() if f"{wager} at spot 1: " in line).partition(": ")[2]


def test_the_engine_decides_each_jackpot_by_its_own_suit(spades: Catalog) -> None:
    assert decided(spades, "Qh Ks Qh As", LADIES).endswith("Dealer Blackjack (Suit Specific)")
    assert decided(spades, "Qh Kh Qh Ah", LADIES).endswith("Dealer Blackjack (Suited)")
    assert decided(spades, "Kh Kh Kh 7s", THREE) == "Three Aces or Kings (Specific Suit)"
    assert decided(shipped(), "Qh Kh Qh Ah", LADIES).endswith("Dealer Blackjack (Suit Specific)")


def test_the_books_trigger_has_the_jackpots_suit_and_its_chances(spades: Catalog) -> None:
    """A linked table must have the same trigger, so a table whose jackpot has another suit cannot be linked."""
    layout = spades.layout(SLUG)
    trigger = trigger_of(spades, layout, LADIES)
    of_spades = price(spades.paytables["PT-BJS-LL-34"], layout.decks, suit=SUIT_NAMES.index("spades"))
    assert (trigger.suit, trigger_of(spades, layout, THREE).suit) == ("spades", "hearts")
    assert [line.probability for line in trigger.lines] == [award.probability for award in of_spades.jackpots]
    assert trigger.lines != trigger_of(shipped(), shipped().layout(SLUG), LADIES).lines


def test_the_display_shows_the_jackpots_suit_and_a_table_of_another_suit_cannot_be_linked(
    spades: Catalog, empty_file: Path, tmp_path: Path
) -> None:
    store = Store.open(str(shutil.copy(empty_file, tmp_path / "suits.db")), KEYRING)
    book = Book(store, spades)
    driver = BookDriver(book)
    rules = ruleset_of(spades, SLUG)
    driver.do(jackpot_opening(rules, "LL", LADIES))
    driver.do(jackpot_opening(rules, "213", THREE))
    driver.do(table_opening(rules, "T1"))
    driver.do(LinkTable(table="T1", wager=LADIES, jackpot="LL"))
    driver.do(LinkTable(table="T1", wager=THREE, jackpot="213"))
    assert {jackpot.wager: jackpot.suit for jackpot in display(book, "T1").jackpots} == {
        LADIES: "spades",
        THREE: "hearts",
    }
    driver.book = Book(store, shipped())
    driver.do(table_opening(ruleset_of(shipped(), SLUG), "T2"))
    driver.do(LinkTable(table="T2", wager=THREE, jackpot="213"))
    with pytest.raises(BookRefused, match="different hands win it there"):
        driver.do(LinkTable(table="T2", wager=LADIES, jackpot="LL"))
    store.close()


def simulated_event(game: Compiled, cards: str, wager: str) -> str | None:
    """The event that the kernel's classes give a deal: the player's two cards, then the dealer's."""
    classes = game.classes.classes
    ranks = suits = 0
    for card in read_cards(cards):
        ranks, suits = ranks * 13 + (card >> 2), suits * 4 + (card & 3)
    cell = int(classes.join[int(classes.ranks[ranks]) * classes.suit_classes + int(classes.suits[suits])])
    events = game.classes.deal_events[cell // (classes.insured * classes.results)]
    return events[game.classes.deal_wagers.index(wager)]


def test_the_simulator_plays_the_suits_that_the_engine_plays(spades: Catalog) -> None:
    game = compile_game(spades, spades.layout(SLUG), usual(), Player())
    assert not list(islice(replay(game, seed=3, rounds=1_000), 1))
    assert simulated_event(game, "Qh Qh Ks As", LADIES) == SPECIFIC
    assert simulated_event(game, "Qh Qh Kh Ah", LADIES) == SUITED
    assert simulated_event(game, "Kh Kh Kh 7s", THREE) == "three-aces-or-kings-specific-suit"


def test_the_rules_card_names_the_suit_of_each_jackpot(spades: Catalog) -> None:
    table = open_table(spades, spades.layout(SLUG))
    sections = {section.heading: section.lines for section in rules_card(table, derive(table))}
    assert "the suit of suit-specific awards is spades" in sections[LADIES]
    assert "the suit of suit-specific awards is hearts" in sections[THREE]
    assert not any("suit-specific" in str(line) for line in sections["Lucky Ladies"])


def test_a_suit_given_to_the_simulator_holds_for_every_wager(spades: Catalog) -> None:
    clubs = spades.layout(SLUG).with_suit("clubs")
    assert {clubs.suit_for(wager.name) for wager in clubs.wager} == {"clubs"}


def event_of(catalog: Catalog, wager: str, cards: tuple[Card, ...]) -> str | None:
    terms = derive(open_table(catalog, catalog.layout(SLUG))).wagers[wager]
    assert isinstance(terms.kind, DealKind)
    assert terms.paytable is not None
    return ranking(terms.kind, tuple(terms.paytable.lines), terms.suit).event(cards)


def test_stored_rules_keep_the_suits_of_two_jackpots_of_one_kind() -> None:
    """The stored definitions decide, even when the program no longer has the kind."""
    game, layout = shipped().game("003"), shipped().layout(SLUG)
    wager = game.wager_named(THREE)
    assert wager is not None
    ladies, three = layout.jackpot
    catalog = with_game(shipped(), "003", wager=(*game.wager, wager.model_copy(update={"name": SECOND_THREE})))
    offered = next(offer for offer in layout.wager if offer.name == THREE)
    second = three.model_copy(update={"wager": SECOND_THREE, "suit": "clubs", "sensor": 3})
    wagers = (*layout.wager, offered.model_copy(update={"name": SECOND_THREE}))
    catalog = with_layout(catalog, SLUG, wager=wagers, jackpot=(ladies, three, second))
    text = ruleset_of(catalog, SLUG).text
    stored = read_ruleset(text)
    forgotten = read_ruleset(text.replace('"21+3-jackpot"', '"an-old-kind"'))
    of_hearts, of_clubs = read_cards("Kh Kh Kh"), read_cards("Kc Kc Kc")
    top = "three-aces-or-kings-specific-suit"
    for rules in (stored, forgotten):
        assert event_of(rules.catalog, THREE, of_hearts) == event_of(rules.catalog, SECOND_THREE, of_clubs) == top
        assert event_of(rules.catalog, SECOND_THREE, of_hearts) == event_of(rules.catalog, THREE, of_clubs)
        assert event_of(rules.catalog, THREE, of_clubs) == "three-aces-or-kings-suited"
    assert read_ruleset(text).hash == ruleset_of(catalog, SLUG).hash


def test_rules_stored_before_jackpots_had_suits_still_mean_the_same() -> None:
    data = json.loads(ruleset_of(shipped(), SLUG).text)
    for settings in data["layout"]["jackpot"]:
        del settings["suit"]
    stored = read_ruleset(json.dumps(data))
    assert stored.layout == shipped().layout(SLUG)
    assert {stored.layout.suit_for(wager.name) for wager in stored.layout.wager} == {"hearts"}
