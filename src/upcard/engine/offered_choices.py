"""The commands to offer now, to buttons, bots and property tests; the rules themselves are in `command_rules`.

Amounts are a range with a step, or a few fixed amounts.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from upcard.engine import commands as c
from upcard.engine.awaiting import (
    DealerCard,
    InsuranceAnswers,
    PeekAnswer,
    PlayerCard,
    PlayerDecision,
    Wagers,
    awaiting,
)
from upcard.engine.command_rules import refusal
from upcard.engine.round import Phase, Round
from upcard.engine.stake_ranges import Range, double_range, insurance_range, open_range, stake_range
from upcard.engine.terms import Terms
from upcard.units import Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A kind of command that is legal now, for a spot, with the amounts it may carry."""

    order: type
    spot: int = 0
    wager: str = ""
    amounts: tuple[tuple[str, Range], ...] = ()
    equal: bool = False  # all amounts must be the same
    some: bool = False  # at least one amount must be above zero


def legal(state: Round, terms: Terms, spots: Collection[int] | None = None) -> tuple[Choice, ...]:
    """Every choice that `refusal` allows; with `spots`, only the choices of those spots, not the dealer's."""
    awaited = awaiting(state, terms)
    if spots is not None:
        match awaited:
            case Wagers():
                return tuple(_wagers(state, terms, spots))
            case InsuranceAnswers():
                return tuple(_insurance(state, terms, spots))
            case PlayerDecision(spot, hand) if spot in spots:
                return tuple(_play(state, terms, spot, hand))
            case _:
                return ()
    match awaited:
        case Wagers():
            return (*_wagers(state, terms, terms.owners), *_close_wagers(state, terms))
        case PlayerCard() | DealerCard():
            return (Choice(order=c.DealCard),)
        case PeekAnswer():
            return (Choice(order=c.Peek),)
        case InsuranceAnswers():
            return (*_insurance(state, terms, terms.owners), Choice(order=c.CloseInsurance))
        case PlayerDecision(spot, hand):
            return tuple(_play(state, terms, spot, hand))
        case _:
            return ()


def _wagers(state: Round, terms: Terms, spots: Collection[int]) -> Iterator[Choice]:
    for number in terms.owners:
        if number not in spots:
            continue
        spot = state.spot(number)
        placed = spot.wagers if spot else {}
        for name, wager in terms.wagers.items():
            if wager.equals and wager.equals not in placed:
                continue
            hold = terms.holds.get(number)
            allowed = (stake_range if terms.small_stake is None else open_range)(terms, wager, placed)
            if hold is not None:
                amount = hold.get(name, Cents(-1))
                allowed = Range(only=(amount,), least=amount, most=amount, step=terms.chip)
            smallest = allowed.only[0] if allowed.only else Cents(-(-allowed.least // allowed.step) * allowed.step)
            if smallest > allowed.most:
                continue
            if refusal(state, terms, c.PlaceWager(number, name, smallest)) is None:
                yield Choice(order=c.PlaceWager, spot=number, wager=name, amounts=((name, allowed),))
        for name in (*placed, ""):
            if refusal(state, terms, c.ClearWagers(number, name)) is None:
                yield Choice(order=c.ClearWagers, spot=number, wager=name)


def _close_wagers(state: Round, terms: Terms) -> Iterator[Choice]:
    close = c.CloseLateWagers() if state.phase is Phase.LATE_WAGERS else c.CloseBetting()
    if refusal(state, terms, close) is None:
        yield Choice(order=type(close))


def _insurance(state: Round, terms: Terms, spots: Collection[int]) -> Iterator[Choice]:
    """The answers of spots that have not answered, and of those that declined and may change their minds."""
    for spot in state.spots:
        number = spot.number
        if number not in spots:
            continue
        allowed = insurance_range(terms, spot)
        amounts = tuple((name, allowed) for name in spot.hands[0].stakes)
        full = tuple((name, allowed.most) for name, allowed in amounts)
        if not allowed.is_empty and refusal(state, terms, c.Insure(number, full)) is None:
            yield Choice(order=c.Insure, spot=number, amounts=amounts, equal=True)
        for answer in (c.DeclineInsurance(number), c.TakeEvenMoney(number)):
            if refusal(state, terms, answer) is None:
                yield Choice(order=type(answer), spot=number)


def _play(state: Round, terms: Terms, number: int, hand_number: int) -> Iterator[Choice]:
    commands: tuple[c.Command, ...] = (c.Hit(number), c.Stay(number), c.Split(number), c.Surrender(number))
    for command in commands:
        if refusal(state, terms, command) is None:
            yield Choice(order=type(command), spot=number)
    spot = state.spot(number)
    if spot is None:
        return
    hand = spot.hands[hand_number]
    if refusal(state, terms, c.Double(number, tuple(hand.stakes.items()))) is None:
        amounts = tuple((name, double_range(terms, hand, name)) for name in hand.stakes)
        equal = terms.doubles_alike and len(set(hand.stakes.values())) == 1
        yield Choice(order=c.Double, spot=number, amounts=amounts, equal=equal, some=True)
