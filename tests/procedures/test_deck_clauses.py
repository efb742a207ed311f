"""Clauses about decks, the shoe, the cut and the shuffle, which no single round can show.

Every test takes the catalog and the filing's number, so that the mutation table can run it with another catalog.
"""

from collections import Counter
from dataclasses import replace
from unittest import mock

import pytest
from procedures.catalogs import complaints, default_layout, with_approved_models
from procedures.clause_helpers import BET_BIGGER, complaints_about, decks_for, numbers, rules_card_text
from procedures.served_table import served

from upcard.cards import DECK, read_cards, shoe
from upcard.catalog.game import Game
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.engine.commands import CloseBetting, CloseLateWagers, Hit, PlaceWager
from upcard.pit.dealer import Dealer, Script
from upcard.pit.events import DiscardsReturned
from upcard.pit.orders import BeginRound, NewShoe, ReturnDiscards, Seat
from upcard.pit.table import open_table
from upcard.pit.terms import margins
from upcard.problems import BadRequest
from upcard.service import table_shoes
from upcard.service.refusals import Refused
from upcard.units import Cents

DECKS = {
    "000": {6},
    "001": {2, 6, 8},
    "002": {2, 3, 4, 5, 6, 7, 8},  # R20
    "003": {1, 2, 3, 4, 5, 6, 7, 8},
    "004": {2, 4, 5, 6, 8},
}


@numbers(*DECKS)
def test_a_game_takes_its_own_numbers_of_decks(catalog: Catalog, number: str) -> None:
    slug = default_layout(catalog, number).slug
    refused = {
        decks for decks in range(1, 10) if "is played with" in complaints_about("decks", catalog, slug, decks=decks)
    }
    assert set(range(1, 10)) - refused == DECKS[number]


@numbers(*BET_BIGGER)
def test_every_deck_is_verified_when_a_table_opens_and_all_of_them_are_in_the_shoe(
    catalog: Catalog, number: str
) -> None:
    slug = default_layout(catalog, number).slug
    with served(catalog, slug) as table:
        happened = [event for record in table.service.queries.records("T1") for event in record["events"]]
        assert [event["decks"] for event in happened if event["event"] == "decks-verified"] == [6]
    assert "Every deck is verified when the table opens: 52 different cards." in rules_card_text(catalog, slug)
    for wrong in (DECK[1:], [*DECK[1:], DECK[1]]):
        with mock.patch.object(table_shoes, "DECK", wrong), pytest.raises(Refused), served(catalog, slug):
            pass
    assert Counter(_shoe(catalog.game(number), cut=150).order) == dict.fromkeys(DECK, 6)


@numbers(*BET_BIGGER)
def test_a_player_cuts_about_a_deck_from_either_end_and_the_back_goes_to_the_front(
    catalog: Catalog, number: str
) -> None:
    game = catalog.game(number)
    uncut = shoe.shuffled([card for _ in range(6) for card in DECK], bytes(32), b"")
    assert _shoe(game, cut=52).order == (*uncut[52:], *uncut[:52])
    assert _shoe(game, cut=260).order == (*uncut[260:], *uncut[:260])
    for too_near in (0, 38, 274, 312):  # a deck, less a quarter for "approximately"
        with pytest.raises(BadRequest):
            _shoe(game, cut=too_near)


@numbers(*BET_BIGGER)
def test_the_cut_card_lies_a_deck_before_the_last_card(catalog: Catalog, number: str) -> None:
    assert _shoe(catalog.game(number), cut=150).cut_card == 312 - 52


@numbers("003")
def test_the_shuffling_machine_has_an_approved_model(catalog: Catalog, number: str) -> None:
    """The list is the operator's; these two models are invented."""
    layout = default_layout(catalog, number)
    assert layout.shuffler == "automatic"
    listed = with_approved_models(catalog, number, {"automatic shuffler": ("Riffle 9", "Riffle 12")})
    assert complaints(listed, layout.slug, shuffler_model="Riffle 12") == []
    assert complaints(listed, layout.slug, shuffler="hand") == []
    assert complaints(listed, layout.slug, shuffler_model="Riffle 8") == [
        "shuffler_model: 'Riffle 8' is not an approved automatic shuffler; did you mean Riffle 9 or Riffle 12?"
    ]
    assert complaints(listed, layout.slug) == [
        "shuffler_model: name the model of the automatic shuffler; the approved models are Riffle 9, Riffle 12"
    ]


@numbers("003")
def test_felt_lucky_ladies_tables_have_their_own_decks(catalog: Catalog, number: str) -> None:
    tables = [f"PT-FLT-LL-0{table}" for table in (1, 2, 3, 4)]
    decks = [decks_for(catalog, number, "Lucky Ladies", table) for table in tables]
    assert decks == [set(range(2, 9)), set(range(4, 9)), {6, 7, 8}, set(range(2, 9))]


@numbers("003")
def test_xtreme_goes_with_any_number_of_decks(catalog: Catalog, number: str) -> None:
    for table in ("PT-FLT-213XT-01", "PT-FLT-213XT-02"):
        assert decks_for(catalog, number, "21+3 Xtreme", table) == set(range(1, 9))


@numbers("003")
def test_lucky_ladies_jackpot_tables_have_their_own_decks(catalog: Catalog, number: str) -> None:
    decks = {
        "PT-BJS-LL-26": set(range(2, 9)),
        "PT-BJS-LL-28": {2},  # R12
        "PT-BJS-LL-34": set(range(4, 9)),
        "LL/JP 1": {1},
        "LL/JP 7": {4, 5},
        "LL/JP 13": {5, 6, 7, 8},  # R28
    }
    assert {table: decks_for(catalog, number, "Lucky Ladies Jackpot", table) for table in decks} == decks


@numbers("003")
def test_21_3_jackpots_take_three_to_eight_decks(catalog: Catalog, number: str) -> None:
    tables = [name for name in catalog.paytables if name.startswith("PT-BJS-213-")]
    assert len(tables) == 11
    for table in tables:
        assert decks_for(catalog, number, "21+3 Jackpot", table) == set(range(3, 9))


@numbers("004")
def test_match_madness_is_not_played_with_two_decks(catalog: Catalog, number: str) -> None:
    slug = default_layout(catalog, number).slug
    assert "Match Madness is played with 4-6, 8 decks, not 2" in " ".join(complaints(catalog, slug, decks=2))


@numbers(*DECKS)
def test_a_shoe_that_runs_out_is_filled_from_the_discards(catalog: Catalog, number: str) -> None:
    """R33: three cards are left; what is not on the table is shuffled and dealt on, and the round goes on."""
    layout = default_layout(catalog, number)
    dealer = Dealer(open_table(catalog, layout), Script(read_cards("Tc 7h 9d Td")))
    dealer.say(NewShoe(312))
    dealer.table = replace(dealer.table, shoe_cards=3)
    dealer.say(Seat("Ann", 1))
    dealer.say(BeginRound())
    dealer.say(PlaceWager(1, "Ante" if number in BET_BIGGER else "Blackjack", Cents(5_00)))
    happened = dealer.say(CloseBetting())
    assert DiscardsReturned(309) in happened
    assert dealer.table.shoe_cards == 308
    assert dealer.table.round is not None
    assert dealer.table.round.cards_dealt == 4


@numbers(*BET_BIGGER)
def test_the_cards_of_a_busted_hand_go_to_the_discards_at_once(catalog: Catalog, number: str) -> None:
    """Ann's 26 is in the discards while Ben plays; only Ben's and the dealer's cards are on the table."""
    wagers = {"Break Bonus": Cents(5_00)} if number == "002" else {}
    dealer = _ann_busts(catalog, default_layout(catalog, number), {"Ante": Cents(5_00), **wagers})
    assert _discards_returned(dealer) == 312 - 4


@numbers("003")
def test_the_cards_of_a_busted_hand_stay_until_bust_bonus_is_settled(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    assert _discards_returned(_ann_busts(catalog, layout, {"Blackjack": Cents(5_00)})) == 312 - 4
    dealer = _ann_busts(catalog, layout, {"Blackjack": Cents(5_00), "Bust Bonus": Cents(5_00)})
    assert _discards_returned(dealer) == 312 - 4 - 3


@numbers("004")
def test_the_cards_of_a_busted_hand_stay_until_the_hole_card_wagers_are_settled(catalog: Catalog, number: str) -> None:
    for wager, slug in (("Match Madness", "double-action"), ("2nd Action", "double-action-second-action")):
        layout = catalog.layout(slug)
        assert layout.game == catalog.game(number).slug
        assert _discards_returned(_ann_busts(catalog, layout, {"Blackjack": Cents(5_00)})) == 312 - 4
        dealer = _ann_busts(catalog, layout, {"Blackjack": Cents(5_00), wager: Cents(5_00)})
        assert _discards_returned(dealer) == 312 - 4 - 3


def _ann_busts(catalog: Catalog, layout: Layout, wagers: dict[str, Cents]) -> Dealer:
    """Ann has bust with three cards, and Ben is to play."""
    dealer = Dealer(open_table(catalog, layout), Script(read_cards("Tc 8c 7h 6d 9d Td Kd")))
    dealer.say(NewShoe(312))
    for spot, player in enumerate(("Ann", "Ben"), 1):
        dealer.say(Seat(player, spot))
    dealer.say(BeginRound())
    early = {name: stake for name, stake in wagers.items() if name != "Bust Bonus"}
    for name, stake in early.items():
        dealer.say(PlaceWager(1, name, stake))
    dealer.say(PlaceWager(2, *next(iter(early.items()))))
    dealer.say(CloseBetting())
    if layout.offers("Bust Bonus"):
        if "Bust Bonus" in wagers:
            dealer.say(PlaceWager(1, "Bust Bonus", wagers["Bust Bonus"]))
        dealer.say(CloseLateWagers())
    dealer.say(Hit(1))
    return dealer


def _discards_returned(dealer: Dealer) -> int:
    """How many cards are in the discards when the shoe runs out."""
    dealer.table = replace(dealer.table, shoe_cards=0)
    (returned,) = (event for event in dealer.say(ReturnDiscards()) if isinstance(event, DiscardsReturned))
    return returned.cards


def _shoe(game: Game, *, cut: int) -> shoe.Shoe:
    return shoe.new_shoe(6, shoe.Shuffle(key=bytes(32), cut=cut), margins(game, 6))
