"""What a side wager wins for the house: its exact mean, variance and lines, with caps and rounding.

Jackpots are left out, because they are not paid from the table's money; each line says which share of a meter it wins.
"""

from dataclasses import dataclass
from functools import cache

from upcard.catalog.pays import Fixed, Share
from upcard.catalog.ruleset import Ruleset
from upcard.engine.terms import Terms, WagerTerms
from upcard.odds.dealer_hands import terms_at
from upcard.odds.price import price
from upcard.pit.terms import derive
from upcard.service.live_table import table_under
from upcard.units import Basis, Cents, Odds, Rounding
from upcard.wagers import DealerHandKind


@dataclass(frozen=True, slots=True, kw_only=True)
class SideLine:
    """One line of a side wager."""

    event: str
    chance: float
    won: int  # by the house, in cents, without jackpots
    share: tuple[str, float] | None  # of a meter


@dataclass(frozen=True, slots=True, kw_only=True)
class SideHold:
    """What one such wager wins for the house, in cents: without jackpots, which are not the table's money."""

    mean: float
    variance: float
    lines: tuple[SideLine, ...]


@cache
def side_wager(rules: Ruleset, wager: str, stake: int) -> SideHold:
    layout, terms = rules.layout, wager_terms(rules, wager)
    if terms.paytable is None:
        raise ValueError(f"{wager} has no paytable")
    of_dealer = terms_at(terms_of(rules), terms) if isinstance(terms.kind, DealerHandKind) else None
    priced = price(terms.paytable, layout.decks, suit=terms.suit, stake=Cents(stake), terms=of_dealer)
    rounding = Rounding(layout.rounding)
    wins = [(line, _house_wins(terms, line.pay, Cents(stake), rounding)) for line in priced.lines]
    mean = sum((line.probability * won for line, won in wins), priced.loss * stake)
    square = sum((line.probability * won**2 for line, won in wins), priced.loss * stake**2)
    return SideHold(
        mean=float(mean),
        variance=float(square - mean**2),
        lines=tuple(
            SideLine(
                event=line.event,
                chance=float(line.probability),
                won=won,
                share=(line.pay.jackpot, float(line.pay.at(Cents(stake)))) if isinstance(line.pay, Share) else None,
            )
            for line, won in wins
        ),
    )


@cache
def terms_of(rules: Ruleset) -> Terms:
    return derive(table_under(rules, by_hand=False))


def wager_terms(rules: Ruleset, wager: str) -> WagerTerms:
    return terms_of(rules).wagers[wager]


def _house_wins(terms: WagerTerms, pay: object, stake: Cents, rounding: Rounding) -> int:
    """What the house keeps minus what it pays; a share of a jackpot is not the house's money."""
    if terms.paytable is None:
        raise ValueError(f"{terms.name} has no paytable")
    basis = terms.paytable.basis
    stake_kept = 0 if basis is Basis.TO_ONE else stake
    if not isinstance(pay, Fixed):
        return stake_kept
    paid = Odds(pay.units, basis).win(stake, rounding)
    return stake_kept - (paid if terms.payout_cap is None else min(paid, terms.payout_cap))
