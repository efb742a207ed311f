"""Jackpots of a run: how often each line was hit, and the exact long run of the meter: its mean and distribution."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from upcard.odds.dealer_hands import terms_at
from upcard.odds.layout_meters import hit_lines, layout_meters
from upcard.odds.meters import MeterModel
from upcard.odds.price import Price, price
from upcard.sim.compile import Compiled
from upcard.sim.figures import Statistics, WagerStatistics


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedMeter:
    """One meter: the hits of its lines, and the model of its long run."""

    jackpot: str
    wager: str
    plan: str
    hits: dict[str, int]
    rounds: int
    spots: int
    opening: int | None  # cents
    model: MeterModel | None  # None where the layout sets no meter

    @property
    def rounds_between_hits(self) -> float | None:
        """As simulated."""
        hits = sum(self.hits.values())
        return self.rounds / hits if hits else None

    @property
    def expected(self) -> float | None:
        """Cents: the exact mean; a meter that wagers do not move stays as posted."""
        return None if self.model is None else self.model.mean

    @property
    def expected_rounds_between_hits(self) -> float | None:
        """Exact, for all spots together."""
        wagers = None if self.model is None else self.model.wagers_between_hits
        return None if wagers is None else wagers / self.spots


def meters(compiled: Compiled, statistics: Statistics) -> Iterator[SimulatedMeter]:
    """Every meter that the simulated wagers can win."""
    for figures in statistics.wagers:
        exact, made = _price(compiled, figures), figures.figure.made
        if exact is None:
            continue
        stake = Fraction(figures.figure.staked, made) if made else None
        by_name = {
            meter.jackpot: meter
            for meter in layout_meters(compiled.table.catalog, compiled.table.layout, figures.wager, exact, stake)
        }
        for name in exact.table.jackpots:
            meter = by_name.get(name)
            yield SimulatedMeter(
                jackpot=name,
                wager=figures.wager,
                plan="" if meter is None else meter.plan,
                hits={hit.event: figures.hits[hit.event] for hit in hit_lines(exact, name)},
                rounds=statistics.total.rounds,
                spots=compiled.spots,
                opening=None if meter is None else meter.opening,
                model=None if meter is None else meter.model,
            )


def _price(compiled: Compiled, figures: WagerStatistics) -> Price | None:
    """The exact price of a wager that plays for a meter; None for any other."""
    wager = compiled.terms.wagers.get(figures.wager)
    if wager is None or wager.paytable is None or not wager.paytable.jackpots:
        return None
    stake = next((bet[figures.wager] for bet in compiled.spread.bets if figures.wager in bet), None)
    of_dealer = terms_at(compiled.terms, wager)
    return price(wager.paytable, compiled.terms.decks, suit=wager.suit, stake=stake, terms=of_dealer)
