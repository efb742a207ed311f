"""What a decided wager costs and brings, in cents."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from support.filing_evaluator import cards as c
from support.filing_evaluator.commands import require
from support.filing_evaluator.deals import Deal
from support.filing_evaluator.paytables import Dollars, Share
from support.filing_evaluator.spots import Hand, Spot
from support.filing_evaluator.tables import Moment, SideWager

# What each end of a hand pays per unit, and how much of the unit comes back.
RESULTS = {
    "blackjack": (Fraction(3, 2), Fraction(1)),
    "even money": (Fraction(1), Fraction(1)),
    "win": (Fraction(1), Fraction(1)),
    "push": (Fraction(0), Fraction(1)),
    "lose": (Fraction(0), Fraction(0)),
    "dealer blackjack": (Fraction(0), Fraction(0)),
    "bust": (Fraction(0), Fraction(0)),
    "surrender": (Fraction(0), Fraction(1, 2)),
}


class Payment(NamedTuple):
    """One wager, decided. `hand` is the number of the hand that a main wager was on."""

    moment: Moment
    spot: int
    wager: str
    hand: int | None
    stake: int
    paid: int  # by the house, beside what comes back of the stake
    returned: int
    line: str = ""  # of the paytable, or how a hand ended; "" for a side wager that lost
    jackpot: str = ""
    percent: int = 0  # of the jackpot


def hand_payments(moment: Moment, spot: Spot, number: int, result: str) -> Iterator[Payment]:
    """A hand's main wagers win, lose and push together."""
    hand = spot.hands[number]
    pays, comes_back = RESULTS[result]
    for wager, bet in hand.stakes.items():
        stake = bet + hand.added.get(wager, 0)
        yield Payment(
            moment, spot.number, wager, number, stake, whole(pays * stake), whole(comes_back * stake), line=result
        )


def insurance_payments(spot: Spot, *, won: bool) -> Iterator[Payment]:
    """Insurance pays 2 to 1 when the dealer has blackjack."""
    for wager, stake in spot.insurance.items():
        paid, returned, line = (2 * stake, stake, "dealer blackjack") if won else (0, 0, "")
        yield Payment(Moment.PEEK, spot.number, f"insurance of {wager}", None, stake, paid, returned, line)


def side_payment(side: SideWager, spot: Spot, dealer: tuple[str, ...], suit: str) -> Payment:
    """A side wager, decided by the cards that count for it."""
    stake = spot.bets[side.name]
    losing = Payment(side.decided, spot.number, side.name, None, stake, 0, 0)
    if side.lost_on_30 and spot_has_30(spot.hands):
        return losing
    line = side.paytable.line_of(Deal(*spot.first_cards, dealer, suit))
    if line is None:
        return losing
    winning = losing._replace(line=line.name, returned=stake if side.paytable.stake_comes_back else 0)
    match line.pay:
        case Share(jackpot, by_stake):
            return winning._replace(jackpot=jackpot, percent=by_stake[stake])
        case Dollars(by_stake):
            paid = by_stake[stake]
        case int(units):
            paid = units * stake
    return winning._replace(paid=min(paid, side.pays_at_most) if side.pays_at_most else paid)


def spot_has_30(hands: list[Hand]) -> bool:
    """A hand of the spot bust with exactly 30 (003 B note 4, R11)."""
    return any(c.points(hand.cards) == 30 for hand in hands)


def whole(cents: Fraction) -> int:
    """Every amount at the shipped tables comes out in whole cents."""
    require(cents.denominator == 1, "not whole cents:", cents)
    return cents.numerator
