"""A table a person deals at: the hole card unseen, the round on the felt until it is paid, the cut card told."""

import pytest

from upcard.cards import read_card
from upcard.catalog import shipped
from upcard.codes import Code
from upcard.engine import commands as c
from upcard.pit import Dealer, PitRefused, open_table
from upcard.pit import orders as o
from upcard.pit.dealer import Script
from upcard.pit.refusals import PitRefusal
from upcard.units import Cents


@pytest.fixture
def dealer() -> Dealer:
    """A player's 19 against a nine, and the hole card to be turned over."""
    catalog = shipped()
    dealer = Dealer(open_table(catalog, catalog.layout("bet-bigger"), dealt_by_hand=True), Script())
    orders: tuple[o.Order, ...] = (o.NewShoe(312), o.Seat("Ann", 1), o.BeginRound())
    for order in orders:
        dealer.say(order)
    dealer.say(c.PlaceWager(1, "Ante", Cents(1000)))
    dealer.say(c.CloseBetting())
    for card in ("Th", "9c", "9h"):
        dealer.say(c.DealCard(read_card(card)))
    dealer.say(c.Stay(1))
    return dealer


def refusal(dealer: Dealer, order: o.Order) -> Code:
    before = dealer.table
    with pytest.raises(PitRefused) as refused:
        dealer.say(order)
    assert dealer.table == before
    return refused.value.reason


def test_nobody_says_what_the_hole_card_is_until_it_is_turned_over(dealer: Dealer) -> None:
    state = dealer.table.round
    assert state is not None
    assert state.hole_unknown
    assert dealer.table.shoe_cards == 308


def test_a_played_round_stays_on_the_felt_until_the_dealer_has_paid(dealer: Dealer) -> None:
    assert refusal(dealer, o.EndRound()) is PitRefusal.ROUND_NOT_OVER
    dealer.say(c.DealCard(read_card("9d")))
    assert dealer.table.round is not None
    dealer.say(o.EndRound())
    assert dealer.table.round is None
    assert dealer.table.first_wagers["Ann"] == {1: {"Ante": 1000}}
    assert refusal(dealer, o.EndRound()) is PitRefusal.NO_ROUND


def test_the_cut_card_is_told_once_and_the_shoe_ends_with_the_round(dealer: Dealer) -> None:
    dealer.say(o.EndShoe())
    assert refusal(dealer, o.EndShoe()) is PitRefusal.CUT_CARD_OUT
    dealer.say(c.DealCard(read_card("9d")))
    assert not dealer.table.shoe_over
    dealer.say(o.EndRound())
    assert dealer.table.shoe_over
    assert refusal(dealer, o.EndShoe()) is PitRefusal.NO_SHOE


def test_between_rounds_the_shoe_ends_at_once_and_with_it_a_table_that_closes(dealer: Dealer) -> None:
    dealer.say(c.DealCard(read_card("9d")))
    dealer.say(o.EndRound())
    dealer.say(o.AnnounceClosing())
    dealer.say(o.EndShoe())
    assert dealer.table.closed
