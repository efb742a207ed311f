"""The table's life beyond what golden rounds show."""

from fractions import Fraction

import pytest

from upcard.catalog import shipped
from upcard.catalog.ruleset import CURRENT_BEHAVIOUR
from upcard.codes import Code
from upcard.engine import commands as c
from upcard.frozen import replace
from upcard.pit import Dealer, PitRefusal, PitRefused, open_table
from upcard.pit import orders as o
from upcard.pit.dealer import Script, table_shoe
from upcard.pit.terms import SHUFFLED_BY_HAND, derive, without_wagers
from upcard.units import Cents


def dealer(layout: str = "the-brook") -> Dealer:
    return Dealer(open_table(shipped(), shipped().layouts[layout]), Script())


def refused(at: Dealer, command: o.Order | c.Command) -> Code:
    with pytest.raises(PitRefused) as refused:
        at.say(command)
    return refused.value.reason


def test_a_closed_table_hears_nothing() -> None:
    at = dealer()
    at.say(o.AnnounceClosing())  # no shoe is running: it closes at once
    assert refused(at, o.Seat("Ann", 1)) is PitRefusal.TABLE_CLOSED


def test_a_shoe_is_shuffled_only_when_the_last_is_over() -> None:
    at = dealer()
    assert refused(at, o.BeginRound()) is PitRefusal.NO_SHOE
    at.say(o.NewShoe(260))
    assert refused(at, o.NewShoe(260)) is PitRefusal.SHOE_RUNNING


def test_guests_come_and_go_while_wagers_are_made_but_not_from_a_wager() -> None:
    at = dealer()
    for step in (o.Seat("Ann", 1), o.NewShoe(260), o.BeginRound(), c.PlaceWager(1, "Ante", Cents(500))):
        at.say(step)
    at.say(o.Seat("Bob", 2))
    assert refused(at, o.FreeSpot(1)) is PitRefusal.WAGERS_LIE
    at.say(o.FreeSpot(2))
    at.say(c.ClearWagers(1, ""))
    at.say(o.FreeSpot(1))


def test_terms_take_the_half_of_an_odd_minimum_in_cents() -> None:
    """R24."""
    at = dealer("bet-bigger")
    assert derive(at.table).wagers["Match the Dealer"].least == 250
    at.say(o.PostMinimum(Cents(900)))
    assert derive(at.table).wagers["Match the Dealer"].least == 450
    assert derive(at.table).wagers["Ante"].least == 900


def test_a_raised_minimum_does_not_lift_the_two_dollar_floor_of_side_wagers() -> None:
    """R26."""
    at = dealer("the-brook")
    at.say(o.PostMinimum(Cents(1000)))
    assert derive(at.table).wagers["Lucky Ladies"].least == 200


def test_the_hand_shuffle_switches_the_jackpot_off_and_the_machine_on_again() -> None:
    """R25."""
    at = dealer()
    at.say(o.SetShuffler("hand"))
    assert derive(at.table).wagers["Galaxy Bonus Jackpot"].off == SHUFFLED_BY_HAND
    at.say(o.SetShuffler("automatic"))
    assert derive(at.table).wagers["Galaxy Bonus Jackpot"].off == ""


def test_a_shoe_from_the_operating_systems_chance_differs_each_time_and_keeps_its_promise() -> None:
    table = dealer().table
    first, second = table_shoe(table), table_shoe(table)
    assert first.order != second.order
    again = table_shoe(table, key=first.shuffle.key, nonce=first.shuffle.nonce, cut=first.shuffle.cut)
    assert (again, again.shuffle.commitment) == (first, first.shuffle.commitment)


def test_the_seventh_queen_of_hearts_of_six_decks_cannot_come() -> None:
    at = dealer()
    at.say(o.Seat("Ann", 1))
    at.say(o.NewShoe(260))
    queen = 46
    for _ in range(2):
        at.say(o.BeginRound())
        at.say(c.PlaceWager(1, "Ante", Cents(500)))
        at.say(c.CloseBetting())
        for _ in range(3):
            at.say(c.DealCard(queen))  # type: ignore[arg-type]  # a plain number is a card too
        at.say(o.VoidRound({"code": "void/floor", "note": "exposed card"}))
    at.say(o.BeginRound())
    at.say(c.PlaceWager(1, "Ante", Cents(500)))
    at.say(c.CloseBetting())
    assert refused(at, c.DealCard(queen)) is PitRefusal.NO_COPY_LEFT  # type: ignore[arg-type]  # wider than the signature on purpose


def test_rounding_of_a_fraction_of_a_cent_is_the_layouts() -> None:
    assert {layout.rounding for layout in shipped().layouts.values()} == {"up"}
    assert Fraction(1, 2) == derive(dealer().table).rules.surrender_returns


def test_a_flat_bettor_plays_on_without_a_wager_that_is_off_and_those_that_need_it() -> None:
    at = dealer()
    for command in (o.Seat("Ann", 1), o.NewShoe(260), o.NotifyFlatBet("Ann")):
        at.say(command)
    first = {"Ante": Cents(500), "Galaxy Bonus Jackpot": Cents(500)}
    table = replace(at.table, first_wagers={"Ann": {1: first}})
    assert derive(table).holds == {1: first}
    by_hand = replace(table, shuffler="hand")
    assert derive(by_hand).holds == {1: {"Ante": 500}}
    old = CURRENT_BEHAVIOUR.model_copy(update={"flat_bet_on_a_wager_that_is_off": "stops-the-player"})
    assert derive(replace(by_hand, behaviour=old)).holds == {1: first}
    wagers = derive(dealer("lucky-ladies").table).wagers
    held = {"Blackjack": Cents(500), "21+3 Xtreme": Cents(100), "Top 3": Cents(100)}
    assert without_wagers(held, {"21+3 Xtreme"}, wagers) == {"Blackjack": 500}
