"""Jackpots of a run: how often each line was hit, and the exact long run of the meter: its mean and distribution."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from upcard.catalog.jackpot import DailyAccrual, MeterSettings
from upcard.catalog.opening_meters import opening_amounts, times_wager, wager_multiple
from upcard.catalog.paytable import Paytable
from upcard.engine.terms import WagerTerms
from upcard.odds.meters import HitLine, MeterModel
from upcard.odds.price import price
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
        wager = compiled.terms.wagers.get(figures.wager)
        if wager is None or wager.paytable is None:
            continue
        settings = next((jackpot for jackpot in compiled.table.layout.jackpot if jackpot.wager == wager.name), None)
        for name in wager.paytable.jackpots:
            opening = None if settings is None else opening_amounts(settings, _multiple(compiled, wager)).get(name)
            hits = _hits(compiled, figures, wager.paytable, name)
            yield SimulatedMeter(
                jackpot=name,
                wager=wager.name,
                plan="" if settings is None else settings.plan,
                hits={hit.event: figures.hits[hit.event] for hit in hits},
                rounds=statistics.total.rounds,
                spots=compiled.spots,
                opening=opening,
                model=None
                if settings is None or opening is None
                else _model(compiled, figures, hits, settings, opening),
            )


def _hits(compiled: Compiled, figures: WagerStatistics, table: Paytable, name: str) -> list[HitLine]:
    """The lines that win from a meter, with their exact chances from a full shoe."""
    terms = compiled.terms
    stake = next((bet[figures.wager] for bet in compiled.spread.bets if figures.wager in bet), None)
    lines = price(table, terms.decks, suit=terms.wagers[figures.wager].suit, stake=stake).jackpots
    return [
        HitLine(event=line.event, probability=line.probability, share=line.share)
        for line in lines
        if line.jackpot == name
    ]


def _model(
    compiled: Compiled, figures: WagerStatistics, hits: list[HitLine], settings: MeterSettings, opening: int
) -> MeterModel:
    figure = figures.figure
    multiple = _multiple(compiled, compiled.terms.wagers[figures.wager])
    plan = _accrual(compiled, settings)
    rate = settings.rate if settings.rate is not None else (plan.accrues if plan else Fraction(0))
    return MeterModel(
        seed=opening if plan is None else times_wager(plan.reseed, multiple),
        contribution=rate * Fraction(figure.staked, figure.made) if figure.made else Fraction(0),
        hits=hits,
        cap=None if settings.cap is None else times_wager(settings.cap, multiple),
    )


def _multiple(compiled: Compiled, wager: WagerTerms) -> Fraction:
    """R22: settings are for the wager that the paytable is printed for."""
    offered = next(offered for offered in compiled.table.layout.wager if offered.name == wager.name)
    return Fraction(1) if wager.paytable is None else wager_multiple(offered, wager.paytable)


def _accrual(compiled: Compiled, settings: MeterSettings) -> DailyAccrual | None:
    """The plan of a meter that grows each morning; in the long run it is as if each wager grew it at once."""
    game = compiled.table.catalog.game(compiled.table.layout.game)
    return next((plan for plan in game.jackpot if isinstance(plan, DailyAccrual) and plan.plan == settings.plan), None)
