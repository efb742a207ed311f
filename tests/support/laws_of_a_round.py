"""The laws that every round of every game obeys: money, cards, the hidden hole card, allowed choices."""

import random
from collections import Counter

import pytest
from support.random_play import Player, RoundRecord, command_of

from upcard.cards import Card
from upcard.engine import Round, Terms, apply, legal, refusal, view
from upcard.engine import commands as c
from upcard.engine.command_rules import CommandRefused
from upcard.engine.events import Event
from upcard.engine.evolve import fold
from upcard.engine.offered_choices import Choice
from upcard.settlement import Slip, settle
from upcard.units import Cents


def obeys_every_law(player: Player, record: RoundRecord, chance: random.Random) -> None:
    stakes_are_returned_or_taken_and_nothing_else(record)
    settling_what_is_decided_adds_up_to_settling_at_the_end(record)
    cards_are_conserved(player, record)
    the_same_commands_give_the_same_events(record)
    the_hole_card_stays_hidden(record)
    legal_and_refusal_agree(record, chance)


def stakes_are_returned_or_taken_and_nothing_else(record: RoundRecord) -> None:
    placed = 0
    for spot in record.final.spots:
        mains = record.final.main_wagers
        placed += sum(amount for name, amount in spot.wagers.items() if name not in mains)
        placed += sum(sum(hand.stakes.values()) + sum(hand.doubled.values()) for hand in spot.hands)
        placed += sum(spot.insurance.values())
        for hand in spot.hands:  # a split puts the same wagers on every hand
            assert hand.stakes == {name: spot.wagers[name] for name in mains if name in spot.wagers}
    slips = settle(record.final, record.terms)
    assert sum(slip.stake for slip in slips) == placed
    for slip in slips:
        assert 0 <= slip.returned <= slip.stake
        assert slip.taken + slip.returned == slip.stake
        assert slip.paid >= 0


def settling_what_is_decided_adds_up_to_settling_at_the_end(record: RoundRecord) -> None:
    slips: list[Slip] = []
    settled = 0
    for state in (*record.states, record.final):
        slips += settle(state, record.terms, settled)
        settled = len(state.decisions)
    assert tuple(slips) == settle(record.final, record.terms)


def cards_are_conserved(player: Player, record: RoundRecord) -> None:
    decks = player.table.layout.decks
    copies = Counter(player.shoe) + Counter(player.table.came_out)
    assert copies == Counter(dict.fromkeys(range(52), decks))
    dealt = [command.card for command in record.commands if isinstance(command, c.DealCard)]
    final = record.final
    lying = [*final.dealer, *(card for spot in final.spots for hand in spot.hands for card in hand.cards)]
    assert sorted(dealt) == sorted(lying)  # type: ignore[type-var]  # none is unseen here


def the_same_commands_give_the_same_events(record: RoundRecord) -> None:
    state = Round()
    events: list[Event] = []
    for before, command in zip(record.states, record.commands, strict=False):
        assert state == before
        state, happened = apply(state, record.terms, command)
        events += happened
    assert repr(events) == repr(record.events)
    assert fold(Round(), tuple(events)) == state == record.final


def the_hole_card_stays_hidden(record: RoundRecord) -> None:
    for state in record.states:
        public_view = view(state, record.terms, None)
        assert public_view.dealer == ((state.dealer[0], None) if state.hole_down else state.dealer)


def legal_and_refusal_agree(record: RoundRecord, chance: random.Random) -> None:
    """What is listed is allowed; what is allowed is listed; amounts just outside a range are refused.

    Looked at in two moments of every round, taken at random.
    """
    for state, played_command in chance.sample(list(zip(record.states, record.commands, strict=False)), 2):
        choices = legal(state, record.terms)
        assert listed(played_command, choices)
        spots = {spot for spot in record.terms.owners if chance.random() < 0.5}
        assert legal(state, record.terms, spots) == tuple(choice for choice in choices if choice.spot in spots)
        for choice in choices:
            if choice.order not in (c.DealCard, c.Peek):
                assert refusal(state, record.terms, command_of(choice, chance)) is None
            for command in just_outside(choice):
                assert refusal(state, record.terms, command) is not None, command
        for command in anything(state, record.terms, chance):
            if refusal(state, record.terms, command) is None:
                assert listed(command, choices), command
            else:
                with pytest.raises(CommandRefused):
                    apply(state, record.terms, command)


def listed(command: c.Command, choices: tuple[Choice, ...]) -> bool:
    """Whether a choice stands for this command."""
    for choice in choices:
        if choice.order is not type(command):
            continue
        match command:
            case c.PlaceWager(spot, wager, amount):
                fits = (choice.spot, choice.wager) == (spot, wager) and amount in choice.amounts[0][1]
            case c.ClearWagers(spot, wager):
                fits = (choice.spot, choice.wager) == (spot, wager)
            case c.Insure(spot, amounts) | c.Double(spot, amounts):
                ranges = dict(choice.amounts)
                fits = choice.spot == spot and all(
                    name in ranges and amount in ranges[name] for name, amount in amounts
                )
            case c.Hit(spot) | c.Stay(spot) | c.Split(spot) | c.Surrender(spot):
                fits = choice.spot == spot
            case c.DeclineInsurance(spot) | c.TakeEvenMoney(spot):
                fits = choice.spot == spot
            case _:
                fits = True
        if fits:
            return True
    return False


def just_outside(choice: Choice) -> list[c.Command]:
    commands: list[c.Command] = []
    for name, allowed in choice.amounts:
        for amount in (allowed.least - allowed.step, allowed.most + allowed.step, allowed.most + 1, -1):
            amount_refused = Cents(amount)
            if amount_refused in allowed:
                continue
            if choice.order is c.PlaceWager:
                commands.append(c.PlaceWager(choice.spot, name, amount_refused))
            elif choice.order is c.Insure:
                commands.append(c.Insure(choice.spot, tuple((each, amount_refused) for each, _ in choice.amounts)))
            elif choice.order is c.Double:
                commands.append(c.Double(choice.spot, ((name, amount_refused),)))
    return commands


def anything(state: Round, terms: Terms, chance: random.Random) -> list[c.Command]:
    """Commands out of the blue."""
    spot = chance.randint(0, 7)
    amount = Cents(chance.choice([0, 50, 100, 200, 250, 500, 1000, 1050, 100_000]))
    wager = chance.choice([*terms.wagers, "Nothing"])
    mains = tuple((name, amount) for name in state.main_wagers)
    return [
        c.PlaceWager(spot, wager, amount),
        c.ClearWagers(spot, wager),
        c.CloseBetting(),
        c.DealCard(Card(chance.randint(0, 51))),
        c.DealCard(None),
        c.Insure(spot, mains),
        c.DeclineInsurance(spot),
        c.TakeEvenMoney(spot),
        c.CloseInsurance(),
        c.Peek(chance.random() < 0.5),
        c.CloseLateWagers(),
        c.Hit(spot),
        c.Stay(spot),
        c.Double(spot, mains),
        c.Split(spot),
        c.Surrender(spot),
    ]
