"""Slips: for every decided wager what is paid, taken or returned, and why, in the order of payment.

A slip's stake is returned or taken, in full or (surrender) in half; what the house pays is separate. Shares of
a jackpot are claims: how many dollars a meter gives is not decided here.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import assert_never

from upcard.catalog.pays import Share
from upcard.codes import phrases
from upcard.engine.round import (
    Decision,
    HandDecision,
    InsuranceDecision,
    Result,
    Round,
    Spot,
    WagerDecision,
)
from upcard.engine.terms import Terms
from upcard.settlement.sharing import share_out
from upcard.units import Basis, Cents, Odds, round_cents

NO_CENTS = Cents(0)


class SlipReason(Enum):
    """Why a slip pays, returns or takes what it does. The values are stored."""

    BLACKJACK = "blackjack"
    EVEN_MONEY = "even-money"
    WIN = "win"
    PUSH = "push"
    LOSE = "lose"
    DEALER_BLACKJACK = "dealer-blackjack"
    BUST = "bust"
    SURRENDER = "surrender"
    INSURANCE_WON = "insurance-won"
    INSURANCE_LOST = "insurance-lost"
    EVENT_PAID = "event-paid"  # a line of the paytable
    JACKPOT = "jackpot"  # a line that wins a share of a meter
    NO_EVENT = "no-event"
    LOST_WITH_HAND = "lost-with-hand"  # R6


phrases(
    {
        "slip/blackjack": "blackjack pays {pays}",
        "slip/even-money": "even money pays {pays}",
        "slip/win": "{points} wins, pays {pays}",
        "slip/push": "push",
        "slip/lose": "{points} loses",
        "slip/dealer-blackjack": "the dealer has blackjack",
        "slip/bust": "bust with {points}",
        "slip/surrender": "surrendered: {share} returned",
        "slip/insurance-won": "the dealer has blackjack, insurance pays {pays}",
        "slip/insurance-lost": "the dealer has no blackjack",
        "slip/event-paid": "{title} pays {pays}",
        "slip/jackpot": "{title} wins {share} of {jackpot}",
        "slip/no-event": "no winning event",
        "slip/lost-with-hand": "lost with the hand",
        "slip/cap": "at most {cap:money} per hand",
        "slip/promotion": "and a promotion of {promotion:money}",
        "slip/limit": "reduced: all winners share the posted limit of {limit:money} per deal",
    }
)

_INSURANCE = "insurance/"


def insurance_of(wager: str) -> str:
    """The code under which the insurance of a main wager is booked."""
    return f"{_INSURANCE}{wager}"


def insured_wager(wager: str) -> str | None:
    """The main wager that an insurance covers; None if it is not insurance."""
    return wager.removeprefix(_INSURANCE) if wager.startswith(_INSURANCE) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A share of a jackpot that was won."""

    jackpot: str
    share: Fraction
    event: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """The settlement of one stake."""

    spot: int
    player: str
    wager: str
    hand: int | None  # for main wagers
    stake: Cents
    paid: Cents  # by the house, not counting the stake
    returned: Cents  # of the stake
    reason: SlipReason
    event: str = ""  # the line of the paytable, or how a hand ended; empty for a lost side wager
    odds: Odds | None = None  # of what is paid
    points: int | None = None  # of the hand
    kept: Fraction = Fraction(1)  # the part of the stake that comes back when a hand is surrendered
    claim: Claim | None = None
    promotion: Cents = NO_CENTS  # part of what is paid
    cap: Cents | None = None  # the cap on a hand that cut what is paid
    limit: Cents | None = None  # the posted limit on a deal that cut what is paid

    @property
    def taken(self) -> Cents:
        """What the house keeps of the stake."""
        return Cents(self.stake - self.returned)

    @property
    def net(self) -> Cents:
        """What the player gains or loses, a jackpot aside."""
        return Cents(self.paid - self.taken)


def settle(state: Round, terms: Terms, since: int = 0) -> tuple[Slip, ...]:
    """The slips of everything decided so far, or after the first so many decisions.

    Everybody's wager of one kind is decided at the same moment, so those who share a limit are always settled together.
    """
    slips = [slip for decision in state.decisions[since:] for slip in _slips(state, terms, decision)]
    return tuple(_limited(slips, terms))


def _slips(state: Round, terms: Terms, decision: Decision) -> Iterator[Slip]:
    spot = state.spot(decision.spot)
    if spot is None:
        raise ValueError(f"a decision names spot {decision.spot}, which is not in play")
    match decision:
        case WagerDecision():
            yield _side(terms, spot, decision)
        case HandDecision():
            yield from _hand(terms, spot, decision)
        case InsuranceDecision():
            yield from _insurance(terms, spot, decision)
        case _:
            assert_never(decision)


def _hand(terms: Terms, spot: Spot, decision: HandDecision) -> Iterator[Slip]:
    hand = spot.hands[decision.hand]
    rules = terms.rules
    odds: Odds | None = None
    match decision.result:
        case Result.BLACKJACK:
            odds, returned_part = rules.blackjack, _ALL
        case Result.EVEN_MONEY:
            odds, returned_part = rules.even_money or rules.win, _ALL
        case Result.WIN:
            odds, returned_part = rules.win, _ALL
        case Result.PUSH:
            returned_part = _ALL
        case Result.LOSE | Result.DEALER_BLACKJACK | Result.BUST:
            returned_part = _NOTHING
        case Result.SURRENDER:
            returned_part = rules.surrender_returns
        case _:
            assert_never(decision.result)
    for name, base in hand.stakes.items():
        stake = Cents(base + hand.doubled.get(name, 0))
        yield Slip(
            spot=spot.number,
            player=spot.player,
            wager=name,
            hand=decision.hand,
            stake=stake,
            paid=NO_CENTS if odds is None else odds.win(stake, terms.rounding),
            returned=round_cents(stake * returned_part, terms.rounding),
            reason=SlipReason(decision.result.value),
            event=decision.result.value,
            odds=odds,
            points=hand.points if decision.result in _SHOWN_WITH_POINTS else None,
            kept=returned_part,
        )


_ALL, _NOTHING = Fraction(1), Fraction(0)
_SHOWN_WITH_POINTS = (Result.WIN, Result.LOSE, Result.BUST)


def _insurance(terms: Terms, spot: Spot, decision: InsuranceDecision) -> Iterator[Slip]:
    odds = terms.rules.insurance
    for name, stake in spot.insurance.items():
        yield Slip(
            spot=spot.number,
            player=spot.player,
            wager=insurance_of(name),
            hand=None,
            stake=stake,
            paid=odds.win(stake, terms.rounding) if decision.won else NO_CENTS,
            returned=stake if decision.won else NO_CENTS,
            reason=SlipReason.INSURANCE_WON if decision.won else SlipReason.INSURANCE_LOST,
            event=Result.DEALER_BLACKJACK.value if decision.won else "",
            odds=odds if decision.won else None,
        )


def _side(terms: Terms, spot: Spot, decision: WagerDecision) -> Slip:
    wager = terms.wagers[decision.wager]
    stake = spot.wagers[decision.wager]
    table = wager.paytable
    losing = Slip(
        spot=spot.number,
        player=spot.player,
        wager=wager.name,
        hand=None,
        stake=stake,
        paid=NO_CENTS,
        returned=NO_CENTS,
        reason=SlipReason.LOST_WITH_HAND if wager.lost_with_hand and _hands_are_over(spot) else SlipReason.NO_EVENT,
    )
    if decision.event is None or table is None:
        return losing
    pay = table.lines[decision.event]
    winning = replace(
        losing,
        event=decision.event,
        returned=stake if table.basis is Basis.TO_ONE else NO_CENTS,
        promotion=wager.promotions.get(decision.event, NO_CENTS),
    )
    if isinstance(pay, Share):
        claim = Claim(jackpot=pay.jackpot, share=pay.at(stake), event=decision.event)
        return replace(winning, paid=winning.promotion, claim=claim, reason=SlipReason.JACKPOT)
    return _paid(winning, Odds(pay.units, table.basis), wager.payout_cap, terms)


def _hands_are_over(spot: Spot) -> bool:
    """Whether the spot had no hand left against the dealer."""
    return bool(spot.hands) and all(hand.result in _OVER_BEFORE_THE_DEALER for hand in spot.hands)


_OVER_BEFORE_THE_DEALER = (Result.BUST, Result.SURRENDER, Result.BLACKJACK, Result.EVEN_MONEY)


def _paid(winning: Slip, odds: Odds, cap: Cents | None, terms: Terms) -> Slip:
    paid = odds.win(winning.stake, terms.rounding)
    capped = cap is not None and paid > cap
    if cap is not None and capped:
        paid = cap
    return replace(
        winning,
        paid=Cents(paid + winning.promotion),
        reason=SlipReason.EVENT_PAID,
        odds=odds,
        cap=cap if capped else None,
    )


def _limited(slips: Sequence[Slip], terms: Terms) -> list[Slip]:
    """Applies posted aggregate limits: a wager that pays more than its limit in one deal shares the limit pro rata."""
    by_wager = defaultdict(list)
    for number, slip in enumerate(slips):
        if slip.wager in terms.aggregate_limits and slip.paid > slip.promotion:
            by_wager[slip.wager].append(number)
    limited = list(slips)
    for wager, numbers in by_wager.items():
        limit = terms.aggregate_limits[wager]
        owed = [Cents(slips[number].paid - slips[number].promotion) for number in numbers]  # prizes, not promotions
        if sum(owed) <= limit:
            continue
        for number, paid in zip(numbers, share_out(limit, owed), strict=True):
            limited[number] = replace(slips[number], paid=Cents(paid + slips[number].promotion), limit=limit)
    return limited
