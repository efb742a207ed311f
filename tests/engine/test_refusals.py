"""Refusals that no golden round shows; and every refusal is tested somewhere."""

from dataclasses import replace
from pathlib import Path

import pytest

from upcard.cards import DECK, read_card, read_cards
from upcard.catalog import shipped
from upcard.catalog.game import RuleSettings
from upcard.catalog.ruleset import CURRENT_BEHAVIOUR, Behaviour
from upcard.engine import Refusal, Round, awaiting, legal, refusal
from upcard.engine import commands as c
from upcard.engine.awaiting import InsuranceAnswers
from upcard.engine.command_rules import CommandRefused
from upcard.pit import Dealer, PitRefusal, PitRefused, open_table
from upcard.pit import orders as o
from upcard.pit.dealer import Script
from upcard.pit.table import order, play
from upcard.units import Cents

ROOT = Path(__file__).parents[1]
ANTE = c.PlaceWager(1, "Ante", Cents(500))
BLACKJACK = c.PlaceWager(1, "Blackjack", Cents(500))


def table(layout: str, cards: str, *commands: c.Command, **rules: object) -> Dealer:
    """A table in the middle of a round."""
    base = shipped().layouts[layout]
    if rules:
        base = base.model_copy(update={"rules": RuleSettings.model_validate(rules)})
    dealer = Dealer(open_table(shipped(), base), Script(read_cards(cards)))
    for step in (o.Seat("Ann", 1), o.NewShoe(50), o.BeginRound(), *commands):
        dealer.say(step)
    return dealer


DOUBLE = c.Double(1, (("Blackjack", Cents(500)),))


@pytest.mark.parametrize(
    ("dealer", "command", "reason"),
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
def test_the_most_important_refusal_is_given(dealer: Dealer, command: c.Command, reason: Refusal | None) -> None:
    assert dealer.table.round is not None
    assert dealer.table.terms is not None
    refused = refusal(dealer.table.round, dealer.table.terms, command)
    assert (refused.reason if refused else None) is reason


def test_a_round_that_is_over_refuses_commands() -> None:
    dealer = table("the-brook", "Tc 7h 9d Td", ANTE, c.CloseBetting(), c.Stay(1))
    assert dealer.last is not None
    refused = refusal(*dealer.last, c.Hit(1))
    assert refused is not None
    assert refused.reason is Refusal.ROUND_OVER


def test_a_card_is_refused_when_all_its_copies_are_on_the_table() -> None:
    """Two decks, with two queens of hearts on the table: a physical card was entered wrongly."""
    dealer = table("lucky-ladies-jackpot-two-decks", "Qh Qh", ANTE, c.CloseBetting())
    assert dealer.table.round is not None
    assert dealer.table.terms is not None
    refused = refusal(dealer.table.round, dealer.table.terms, c.DealCard(read_card("Qh")))
    assert refused is not None
    assert (refused.reason, refused.sentence) == (Refusal.TOO_MANY_COPIES, "2 decks cannot hold 3 copies of Qh")


def test_a_flat_bet_player_keeps_their_wager_when_the_minimum_is_raised() -> None:
    dealer = table("the-brook", "Tc 7h 9d Td", ANTE, c.CloseBetting(), c.Stay(1))
    for step in (o.NotifyFlatBet("Ann"), o.PostMinimum(Cents(1000)), o.BeginRound()):
        dealer.say(step)
    dealer.say(ANTE)
    assert dealer.table.round is not None
    assert dealer.table.round.spots[0].wagers == {"Ante": 500}


@pytest.mark.parametrize(
    ("steps", "refused_order", "reason"),
    [
        ((), o.NewShoe(0), PitRefusal.CUT_CARD_OUTSIDE),
        ((), o.SetShuffler("magic"), PitRefusal.BAD_SHUFFLER),
        ((o.NewShoe(50), o.Seat("Ann", 1), o.BeginRound()), o.ReturnDiscards(), PitRefusal.SHOE_NOT_EMPTY),
        ((o.Seat("Ann", 1),), o.NotifyFlatBet("Bob"), PitRefusal.NOT_SEATED),
    ],
)
def test_the_pit_refuses_impossible_orders(
    steps: tuple[o.Order, ...], refused_order: o.Order, reason: PitRefusal
) -> None:
    dealer = Dealer(open_table(shipped(), shipped().layouts["the-brook"]), Script())
    for step in steps:
        dealer.say(step)
    with pytest.raises(PitRefused) as refused:
        dealer.say(refused_order)
    assert refused.value.reason is reason


def test_flat_betting_is_not_offered_in_002() -> None:
    dealer = table("bet-bigger", "")
    dealer.say(o.VoidRound({"code": "void/floor", "note": "to speak with Ann"}))
    with pytest.raises(PitRefused) as refused:
        dealer.say(o.NotifyFlatBet("Ann"))
    assert refused.value.reason is PitRefusal.NOT_OFFERED


def test_an_empty_shoe_waits_for_its_discards_and_a_full_table_has_none() -> None:
    dealer = table("the-brook", "", ANTE, c.CloseBetting())
    dealer.table = replace(dealer.table, shoe_cards=0)
    with pytest.raises(PitRefused) as refused:
        play(dealer.table, c.DealCard(read_card("Qh")))
    assert refused.value.reason is PitRefusal.SHOE_EMPTY
    everything = replace(dealer.table, round=Round(dealer=DECK * 6))
    with pytest.raises(PitRefused) as refused:
        order(everything, o.ReturnDiscards())
    assert refused.value.reason is PitRefusal.NO_DISCARDS


def insurance_offered(behaviour: Behaviour = CURRENT_BEHAVIOUR) -> Dealer:
    """Ann has declined insurance, Bob has not answered."""
    table = open_table(shipped(), shipped().layouts["the-brook"], behaviour=behaviour)
    dealer = Dealer(table, Script(read_cards("9s 8s As 7d 6c 5c")))
    for step in (o.Seat("Ann", 1), o.Seat("Bob", 2), o.NewShoe(50), o.BeginRound(), ANTE):
        dealer.say(step)
    for command in (c.PlaceWager(2, "Ante", Cents(500)), c.CloseBetting(), c.DeclineInsurance(1)):
        dealer.say(command)
    return dealer


def test_who_declined_insurance_is_still_offered_it_until_it_closes() -> None:
    dealer = insurance_offered()
    assert dealer.table.round is not None
    assert dealer.table.terms is not None
    choices = legal(dealer.table.round, dealer.table.terms, [1])
    assert [choice.order for choice in choices] == [c.Insure]
    assert awaiting(dealer.table.round, dealer.table.terms) == InsuranceAnswers((2,))  # the table waits for Bob alone
    dealer.say(c.Insure(1, (("Ante", Cents(250)),)))
    assert legal(dealer.table.round, dealer.table.terms, [2]) != ()
    with pytest.raises(CommandRefused) as refused:
        dealer.say(c.DeclineInsurance(1))
    assert refused.value.refused.reason is Refusal.INSURANCE_ANSWERED
    dealer.say(c.DeclineInsurance(2))  # the last answer closes insurance
    with pytest.raises(CommandRefused) as refused:
        dealer.say(c.Insure(2, (("Ante", Cents(250)),)))
    assert refused.value.refused.reason is Refusal.NOT_NOW


def test_under_rules_of_format_1_insurance_is_answered_once() -> None:
    dealer = insurance_offered(CURRENT_BEHAVIOUR.model_copy(update={"insurance_answers": "final"}))
    assert dealer.table.round is not None
    assert dealer.table.terms is not None
    assert legal(dealer.table.round, dealer.table.terms, [1]) == ()
    refused = refusal(dealer.table.round, dealer.table.terms, c.Insure(1, (("Ante", Cents(250)),)))
    assert refused is not None
    assert refused.reason is Refusal.INSURANCE_ANSWERED


def test_every_refusal_is_tested_somewhere() -> None:
    folders = (ROOT / "rounds", ROOT / "engine", ROOT / "pit")
    text = "".join(path.read_text() for folder in folders for path in folder.iterdir() if path.is_file())
    missing = [reason.name for reason in (*Refusal, *PitRefusal) if reason.value not in text]
    assert missing == []
