"""Every refusal has its sentence and its place: those no golden round shows, one row each."""

from dataclasses import replace
from pathlib import Path

import pytest

from upcard.cards import DECK, read_card, read_cards
from upcard.catalog import shipped
from upcard.catalog.game import RuleSettings
from upcard.engine import Refusal, Round, refusal
from upcard.engine import commands as c
from upcard.pit import Dealer, PitRefusal, PitRefused, open_table
from upcard.pit import orders as o
from upcard.pit.dealer import Script
from upcard.pit.table import order, play
from upcard.units import Cents

ROOT = Path(__file__).parents[1]
ANTE = c.PlaceWager(1, "Ante", Cents(500))
BLACKJACK = c.PlaceWager(1, "Blackjack", Cents(500))


def table(layout: str, cards: str, *said: c.Command, **rules: object) -> Dealer:
    """A table in the middle of a round."""
    chosen = shipped().layouts[layout]
    if rules:
        chosen = chosen.model_copy(update={"rules": RuleSettings.model_validate(rules)})
    at = Dealer(open_table(shipped(), chosen), Script(read_cards(cards)))
    for step in (o.Seat("Ann", 1), o.NewShoe(50), o.BeginRound(), *said):
        at.say(step)
    return at


DOUBLE = c.Double(1, (("Blackjack", Cents(500)),))


@pytest.mark.parametrize(
    ("at", "command", "reason"),
    [
        (table("the-brook", ""), c.PlaceWager(5, "Ante", Cents(500)), Refusal.UNKNOWN_SPOT),
        (table("the-brook", ""), c.ClearWagers(1), Refusal.NOTHING_TO_CLEAR),
        (table("the-brook", "As 5c Kd", ANTE, c.CloseBetting()), c.DealCard(read_card("9h")), None),
        (table("the-brook", "", ANTE, c.CloseBetting()), c.DealCard(None), Refusal.CARD_NEEDED),
        (table("the-brook", "", ANTE, c.CloseBetting()), c.DealCard(52), Refusal.NO_SUCH_CARD),  # type: ignore[arg-type]  # wider than the signature on purpose
        (table("the-brook", "9s As Kd 5c", ANTE, c.CloseBetting()), c.DeclineInsurance(2), Refusal.SPOT_NOT_IN_PLAY),
        (table("lucky-ladies", "5c 6h 6c Td", BLACKJACK, c.CloseBetting(), c.CloseLateWagers(), double="none"), DOUBLE,
         Refusal.DOUBLE_NOT_OFFERED),
        (table("lucky-ladies", "9c 6h 6c Td", BLACKJACK, c.CloseBetting(), c.CloseLateWagers(), double="10-11"), DOUBLE,
         Refusal.DOUBLE_NEEDS_TOTAL),
        (table("lucky-ladies", "8c 6h 8d Td 3c", BLACKJACK, c.CloseBetting(), c.CloseLateWagers(), c.Split(1),
               das=False), DOUBLE, Refusal.DOUBLE_NOT_AFTER_SPLIT),
        (table("lucky-ladies", "Ac 6h Ad Td As", BLACKJACK, c.CloseBetting(), c.CloseLateWagers(), c.Split(1),
               hit_split_aces=True), c.Split(1), Refusal.ACES_SPLIT_ONCE),
    ],
)  # fmt: skip
def test_a_refusal_is_the_one_that_weighs_most(at: Dealer, command: c.Command, reason: Refusal | None) -> None:
    assert at.table.round is not None
    assert at.table.terms is not None
    found = refusal(at.table.round, at.table.terms, command)
    assert (found.reason if found else None) is reason


def test_a_round_that_is_over_hears_nothing() -> None:
    at = table("the-brook", "Tc 7h 9d Td", ANTE, c.CloseBetting(), c.Stay(1))
    assert at.last is not None
    found = refusal(*at.last, c.Hit(1))
    assert found is not None
    assert found.reason is Refusal.ROUND_OVER


def test_a_card_of_which_the_decks_have_no_more_copies_cannot_come() -> None:
    """Two decks, two queens of hearts on the table; a physical card that is entered wrongly."""
    at = table("lucky-ladies-jackpot-two-decks", "Qh Qh", ANTE, c.CloseBetting())
    assert at.table.round is not None
    assert at.table.terms is not None
    found = refusal(at.table.round, at.table.terms, c.DealCard(read_card("Qh")))
    assert found is not None
    assert (found.reason, found.sentence) == (Refusal.TOO_MANY_COPIES, "2 decks cannot hold 3 copies of Qh")


def test_a_flat_bet_player_keeps_his_wager_when_the_minimum_is_raised() -> None:
    at = table("the-brook", "Tc 7h 9d Td", ANTE, c.CloseBetting(), c.Stay(1))
    for step in (o.NotifyFlatBet("Ann"), o.PostMinimum(Cents(1000)), o.BeginRound()):
        at.say(step)
    at.say(ANTE)
    assert at.table.round is not None
    assert at.table.round.spots[0].wagers == {"Ante": 500}


@pytest.mark.parametrize(
    ("steps", "last", "reason"),
    [
        ((), o.NewShoe(0), PitRefusal.CUT_CARD_OUTSIDE),
        ((), o.SetShuffler("magic"), PitRefusal.BAD_SHUFFLER),
        ((o.NewShoe(50), o.Seat("Ann", 1), o.BeginRound()), o.ReturnDiscards(), PitRefusal.SHOE_NOT_EMPTY),
        ((o.Seat("Ann", 1),), o.NotifyFlatBet("Bob"), PitRefusal.NOT_SEATED),
    ],
)
def test_what_the_pit_does_not_do(steps: tuple[o.Order, ...], last: o.Order, reason: PitRefusal) -> None:
    at = Dealer(open_table(shipped(), shipped().layouts["the-brook"]), Script())
    for step in steps:
        at.say(step)
    with pytest.raises(PitRefused) as told:
        at.say(last)
    assert told.value.reason is reason


def test_flat_betting_is_not_in_002() -> None:
    at = table("bet-bigger", "")
    at.say(o.VoidRound({"code": "void/floor", "note": "to speak with Ann"}))
    with pytest.raises(PitRefused) as told:
        at.say(o.NotifyFlatBet("Ann"))
    assert told.value.reason is PitRefusal.NOT_OFFERED


def test_an_empty_shoe_waits_for_its_discards_and_a_full_table_has_none() -> None:
    at = table("the-brook", "", ANTE, c.CloseBetting())
    at.table = replace(at.table, shoe_cards=0)
    with pytest.raises(PitRefused) as told:
        play(at.table, c.DealCard(read_card("Qh")))
    assert told.value.reason is PitRefusal.SHOE_EMPTY
    everything = replace(at.table, round=Round(dealer=DECK * 6))
    with pytest.raises(PitRefused) as told:
        order(everything, o.ReturnDiscards())
    assert told.value.reason is PitRefusal.NO_DISCARDS


def test_insurance_is_answered_once() -> None:
    at = Dealer(open_table(shipped(), shipped().layouts["the-brook"]), Script(read_cards("9s 8s As 7d 6c 5c")))
    for step in (o.Seat("Ann", 1), o.Seat("Bob", 2), o.NewShoe(50), o.BeginRound(), ANTE):
        at.say(step)
    for command in (c.PlaceWager(2, "Ante", Cents(500)), c.CloseBetting(), c.DeclineInsurance(1)):
        at.say(command)
    assert at.table.round is not None
    assert at.table.terms is not None
    found = refusal(at.table.round, at.table.terms, c.Insure(1, (("Ante", Cents(250)),)))
    assert found is not None
    assert found.reason is Refusal.INSURANCE_ANSWERED


def test_every_refusal_is_shown_somewhere() -> None:
    folders = (ROOT / "rounds", ROOT / "engine", ROOT / "pit")
    told = "".join(path.read_text() for folder in folders for path in folder.iterdir() if path.is_file())
    missing = [reason.name for reason in (*Refusal, *PitRefusal) if reason.value not in told]
    assert missing == []
