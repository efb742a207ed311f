"""Clauses about decks, the shoe, the cut and the shuffle, which no single round can show.

Every test takes the catalog and the filing's number, so that the mutation table can run it with another catalog.
"""

from collections import Counter
from dataclasses import replace

import pytest
from procedures.catalogs import complaints, default_layout, with_approved_models
from procedures.clause_helpers import BET_BIGGER, complaints_about, deck_range, numbers

from upcard.cards import DECK, read_cards, shoe
from upcard.catalog.game import Game
from upcard.catalog.index import Catalog
from upcard.engine.commands import CloseBetting, PlaceWager
from upcard.pit.dealer import Dealer, Script
from upcard.pit.events import DiscardsReturned
from upcard.pit.orders import BeginRound, NewShoe, Seat
from upcard.pit.table import open_table
from upcard.pit.terms import margins
from upcard.problems import BadRequest
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
def test_every_deck_is_found_complete_and_all_of_them_are_in_the_shoe(catalog: Catalog, number: str) -> None:
    game = catalog.game(number)
    assert game.shuffle.verify_decks
    assert shoe.missing_cards(DECK) == []
    assert shoe.missing_cards(DECK[1:]) == ["Ac is missing"]
    assert shoe.missing_cards([*DECK[1:], DECK[1]]) == ["Ac is missing", "2 of Ad"]
    assert Counter(_shoe(game, cut=150).order) == dict.fromkeys(DECK, 6)


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
    decks = [deck_range(catalog, f"PT-FLT-LL-0{table}") for table in (1, 2, 3, 4)]
    assert decks == [(2, 8), (4, 8), (6, 8), (2, 8)]
    slug = default_layout(catalog, number).slug
    assert "PT-FLT-LL-03 is for 6-8 decks" in " ".join(complaints(catalog, slug, decks=5))


@numbers("003")
def test_xtreme_goes_with_any_number_of_decks(catalog: Catalog, number: str) -> None:
    assert number == "003"
    assert deck_range(catalog, "PT-FLT-213XT-01") == deck_range(catalog, "PT-FLT-213XT-02") == (1, 8)


@numbers("003")
def test_lucky_ladies_jackpot_tables_have_their_own_decks(catalog: Catalog, number: str) -> None:
    assert number == "003"
    assert deck_range(catalog, "PT-BJS-LL-26") == (2, 8)
    assert deck_range(catalog, "PT-BJS-LL-28") == (2, 2)  # R12
    assert deck_range(catalog, "PT-BJS-LL-34") == (4, 8)
    assert deck_range(catalog, "LL/JP 1") == (1, 1)
    assert deck_range(catalog, "LL/JP 7") == (4, 5)
    assert deck_range(catalog, "LL/JP 13") == (5, 8)  # R28


@numbers("003")
def test_21_3_jackpots_take_three_to_eight_decks(catalog: Catalog, number: str) -> None:
    tables = [name for name in catalog.paytables if name.startswith("PT-BJS-213-")]
    assert number == "003"
    assert {deck_range(catalog, name) for name in tables} == {(3, 8)}
    assert len(tables) == 11


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


def _shoe(game: Game, *, cut: int) -> shoe.Shoe:
    return shoe.new_shoe(6, shoe.Shuffle(key=bytes(32), cut=cut), margins(game, 6))
