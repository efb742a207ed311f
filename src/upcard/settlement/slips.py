"""Slips: for every decided wager what is paid, taken or returned, and why, in the order of payment.

A slip's stake is either returned or taken, whole or (surrender) in half; what the house pays comes beside it. Shares of
a jackpot are claims: how many dollars a meter gives is not decided here.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import assert_never

from upcard.catalog.pays import Fixed, Share, percent
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
from upcard.units import Basis, Cents, Odds, dollars, round_cents

NO_CENTS = Cents(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A share of a jackpot that was won."""

    jackpot: str
    share: Fraction
    event: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """What becomes of one stake."""

    spot: int
    player: str
    wager: str
    hand: int | None  # for main wagers
    stake: Cents
    paid: Cents  # by the house, beside the stake
    returned: Cents  # of the stake
    event: str  # the event or the result; empty: a side wager lost
    reason: str
    claim: Claim | None = None
    promotion: Cents = NO_CENTS  # part of what is paid

    @property
    def taken(self) -> Cents:
        """What the house keeps of the stake."""
        return Cents(self.stake - self.returned)

    @property
    def net(self) -> Cents:
        """What the player gains or loses, a jackpot aside."""
        return Cents(self.paid - self.taken)


def settle(state: Round, terms: Terms) -> tuple[Slip, ...]:
    """The slips of everything decided so far."""
    slips = [slip for decision in state.decisions for slip in _slips(state, terms, decision)]
    return tuple(_limited(slips, terms))


def _slips(state: Round, terms: Terms, decision: Decision) -> Iterator[Slip]:
    spot = state.spot(decision.spot)
    if spot is None:
        raise ValueError(f"a decision speaks of spot {decision.spot}, which is not in play")
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
    even_money = rules.even_money or rules.win
    back = percent(rules.surrender_returns)
    odds, kept, reason = {
        Result.BLACKJACK: (rules.blackjack, Fraction(1), f"blackjack pays {rules.blackjack}"),
        Result.EVEN_MONEY: (even_money, Fraction(1), f"even money pays {even_money}"),
        Result.WIN: (rules.win, Fraction(1), f"{hand.points} wins, pays {rules.win}"),
        Result.PUSH: (None, Fraction(1), "a tie: the wager stays"),
        Result.LOSE: (None, Fraction(0), f"{hand.points} loses"),
        Result.DEALER_BLACKJACK: (None, Fraction(0), "the dealer has blackjack"),
        Result.BUST: (None, Fraction(0), f"bust with {hand.points}"),
        Result.SURRENDER: (
            None,
            rules.surrender_returns,
            f"surrendered: {back} comes back",
        ),
    }[decision.result]
    for name, base in hand.stakes.items():
        stake = Cents(base + hand.doubled.get(name, 0))
        paid = Cents(0) if odds is None else odds.win(stake, terms.rounding)
        yield Slip(
            spot=spot.number,
            player=spot.player,
            wager=name,
            hand=decision.hand,
            stake=stake,
            paid=paid,
            returned=round_cents(stake * kept, terms.rounding),
            event=decision.result.value,
            reason=reason,
        )


def _insurance(terms: Terms, spot: Spot, decision: InsuranceDecision) -> Iterator[Slip]:
    odds = terms.rules.insurance
    for name, stake in spot.insurance.items():
        yield Slip(
            spot=spot.number,
            player=spot.player,
            wager=f"Insurance of {name}",
            hand=None,
            stake=stake,
            paid=odds.win(stake, terms.rounding) if decision.won else Cents(0),
            returned=stake if decision.won else Cents(0),
            event="dealer blackjack" if decision.won else "",
            reason=f"the dealer has blackjack, insurance pays {odds}"
            if decision.won
            else "the dealer has no blackjack",
        )


def _side(terms: Terms, spot: Spot, decision: WagerDecision) -> Slip:
    wager = terms.wagers[decision.wager]
    stake = spot.wagers[decision.wager]
    table = wager.paytable
    lost = Slip(
        spot=spot.number,
        player=spot.player,
        wager=wager.name,
        hand=None,
        stake=stake,
        paid=Cents(0),
        returned=Cents(0),
        event="",
        reason="no winning event",
    )
    if decision.event is None or table is None:
        return lost
    pay = table.lines[decision.event]
    title = table.title(decision.event)
    returned = stake if table.basis is Basis.TO_ONE else Cents(0)
    promotion = wager.promotions.get(decision.event, Cents(0))
    if isinstance(pay, Share):
        claim = Claim(jackpot=pay.jackpot, share=pay.at(stake), event=decision.event)
        return replace(
            lost,
            returned=returned,
            paid=promotion,
            promotion=promotion,
            event=decision.event,
            claim=claim,
            reason=f"{title} wins {percent(claim.share)} of {pay.jackpot}",
        )
    return _paid(lost, pay, table.basis, title, promotion, wager.payout_cap, terms, decision.event, returned)


def _paid(
    lost: Slip,
    pay: Fixed,
    basis: Basis,
    title: str,
    promotion: Cents,
    cap: Cents | None,
    terms: Terms,
    event: str,
    returned: Cents,
) -> Slip:
    odds = Odds(pay.units, basis)
    paid = odds.win(lost.stake, terms.rounding)
    reason = f"{title} pays {odds}"
    if cap is not None and paid > cap:
        paid, reason = cap, f"{reason}, at most {dollars(cap)} a hand"
    if promotion:
        reason = f"{reason}, and a promotion of {dollars(promotion)}"
    return replace(
        lost, returned=returned, paid=Cents(paid + promotion), promotion=promotion, event=event, reason=reason
    )


def _limited(slips: Sequence[Slip], terms: Terms) -> list[Slip]:
    """A posted aggregate limit: what one wager pays in one deal is shared out pro rata when it exceeds the limit."""
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
            reason = f"{slips[number].reason}, shared pro rata under the posted limit of {dollars(limit)} a deal"
            limited[number] = replace(slips[number], paid=Cents(paid + slips[number].promotion), reason=reason)
    return limited
