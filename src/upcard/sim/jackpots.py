"""Jackpots of a run: how often each line was hit, and the meter to expect at that hit rate."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from upcard.catalog.jackpot import DailyAccrual, MeterSettings
from upcard.catalog.opening_meters import opening_amounts, times_wager, wager_multiple
from upcard.catalog.pays import Share
from upcard.engine.terms import WagerTerms
from upcard.sim.compile import Compiled
from upcard.sim.figures import Statistics, WagerStatistics


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedMeter:
    """One meter: the hits of its lines, and its long-run average."""

    jackpot: str
    wager: str
    plan: str
    hits: dict[str, int]
    rounds: int
    opening: int | None  # cents
    expected: float | None  # cents, a mean over all rounds; None before the first hit

    @property
    def rounds_between_hits(self) -> float | None:
        hits = sum(self.hits.values())
        return self.rounds / hits if hits else None


def meters(compiled: Compiled, statistics: Statistics) -> Iterator[SimulatedMeter]:
    """Every meter that the simulated wagers can win."""
    for figures in statistics.wagers:
        wager = compiled.terms.wagers.get(figures.wager)
        if wager is None or wager.paytable is None:
            continue
        settings = next((jackpot for jackpot in compiled.table.layout.jackpot if jackpot.wager == wager.name), None)
        for name in wager.paytable.jackpots:
            lines = {
                event: pay
                for event, pay in wager.paytable.lines.items()
                if isinstance(pay, Share) and pay.jackpot == name
            }
            opening = None if settings is None else opening_amounts(settings, _multiple(compiled, wager)).get(name)
            yield SimulatedMeter(
                jackpot=name,
                wager=wager.name,
                plan="" if settings is None else settings.plan,
                hits={event: figures.hits[event] for event in lines},
                rounds=statistics.total.rounds,
                opening=opening,
                expected=_expected(compiled, figures, lines, settings, opening),
            )


def _expected(
    compiled: Compiled,
    figures: WagerStatistics,
    lines: dict[str, Share],
    settings: MeterSettings | None,
    opening: int | None,
) -> float | None:
    """The meter at which contributions balance wins; a meter that wagers do not move stays as posted."""
    if settings is None or opening is None:
        return None
    rate = _rate(compiled, settings)
    if rate == 0:
        return float(opening)
    stake = figures.figure.staked / figures.figure.made if figures.figure.made else 0.0
    paid_meters = resets = 0.0
    for event, pay in lines.items():
        share = float(pay.largest)
        paid_meters += figures.hits[event] * share
        resets += figures.hits[event] if share == 1 else 0
    if paid_meters == 0:
        return None
    meter = (rate * stake * figures.figure.made + resets * opening) / paid_meters
    if settings.cap is None:
        return meter
    return min(meter, float(times_wager(settings.cap, _multiple(compiled, compiled.terms.wagers[figures.wager]))))


def _multiple(compiled: Compiled, wager: WagerTerms) -> Fraction:
    """R22: settings are for the wager that the paytable is printed for."""
    offered = next(offered for offered in compiled.table.layout.wager if offered.name == wager.name)
    return Fraction(1) if wager.paytable is None else wager_multiple(offered, wager.paytable)


def _rate(compiled: Compiled, settings: MeterSettings) -> float:
    """The part of each wager that goes to the meter."""
    if settings.rate is not None:
        return float(settings.rate)
    game = compiled.table.catalog.game(compiled.table.layout.game)
    accruing = [plan for plan in game.jackpot if isinstance(plan, DailyAccrual) and plan.plan == settings.plan]
    return float(accruing[0].accrues) if accruing else 0.0
