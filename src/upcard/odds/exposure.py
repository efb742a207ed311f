"""The most that a table can lose in one round: every hand split, doubled and won, and every side wager at its best.

It is an upper limit: no deal wins all of it. A meter is counted once, however many spots win it: winners share it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from upcard.catalog.pays import Fixed
from upcard.engine.terms import Terms, WagerTerms
from upcard.units import Cents, Odds


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """In cents."""

    by_wager: Mapping[str, Cents]  # fixed pays on one spot
    spot: Cents
    round: Cents  # all spots, within the limits per deal
    meters: Cents
    table: Cents  # all spots and every meter


def exposure(terms: Terms, spots: int, meters: Mapping[str, Fraction]) -> Exposure:
    """With the largest stakes that the table takes; meters in dollars."""
    by_wager = {name: _most_lost(terms, wager) for name, wager in terms.wagers.items()}
    spot = sum(by_wager.values())
    all_spots = sum(
        min(spots * lost, terms.aggregate_limits.get(name, spots * lost)) for name, lost in by_wager.items()
    )
    of_meters = int(sum((100 * dollars for dollars in meters.values()), Fraction(0)))
    return Exposure(
        by_wager=by_wager,
        spot=Cents(spot),
        round=Cents(all_spots),
        meters=Cents(of_meters),
        table=Cents(all_spots + of_meters),
    )


def _most_lost(terms: Terms, wager: WagerTerms) -> Cents:
    stake = max(wager.amounts) if wager.amounts else wager.most
    if wager.is_main:
        return Cents(stake * _hands(terms))
    if wager.paytable is None:
        return Cents(0)
    units = [pay.units for pay in wager.paytable.lines.values() if isinstance(pay, Fixed)]
    net = max((Odds(unit, wager.paytable.basis).net for unit in units), default=Fraction(0))
    award = int(net * stake)
    if wager.payout_cap is not None:
        award = min(award, wager.payout_cap)
    return Cents(award + max(wager.promotions.values(), default=0))


def _hands(terms: Terms) -> int:
    """How many initial wagers a spot can win: all its hands, doubled where the rules double split hands."""
    rules = terms.rules
    doubles = rules.double != "none"
    return max(rules.hands * (2 if rules.das and doubles else 1), 2 if doubles else 1)
