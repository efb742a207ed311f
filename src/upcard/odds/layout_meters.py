"""The meters of a layout in the long run, and the return of its jackpot wagers by where the money comes from."""

from dataclasses import dataclass
from fractions import Fraction

from upcard.catalog.index import Catalog
from upcard.catalog.jackpot import DailyAccrual
from upcard.catalog.layout import Layout
from upcard.catalog.opening_meters import opening_amounts, times_wager, wager_multiple
from upcard.odds.meters import HitLine, MeterModel
from upcard.odds.price import Price


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutMeter:
    """One meter as a layout opens it."""

    jackpot: str
    plan: str
    opening: int  # cents
    model: MeterModel


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotReturn:
    """What a jackpot wager returns in the long run, as parts of the stake."""

    base: float  # fixed pays, and the stake where a winner keeps it
    seed: float  # of what the house puts into the meters: their seeds, or what it posts
    contribution: float  # of what wagers put into the meters
    meters: dict[str, float]  # cents: the mean of each

    @property
    def total(self) -> float:
        return self.base + self.seed + self.contribution


def layout_meters(
    catalog: Catalog, layout: Layout, wager: str, wager_price: Price, stake: Fraction | None = None
) -> list[LayoutMeter]:
    """The meters that a wager of a layout plays for; `stake` is the mean stake in cents, if not the price's own."""
    settings = next((jackpot for jackpot in layout.jackpot if jackpot.wager == wager), None)
    if settings is None:
        return []
    table = wager_price.table
    offered = next(offered for offered in layout.wager if offered.name == wager)
    multiple = wager_multiple(offered, table)
    opening = opening_amounts(settings, multiple)
    plans = catalog.game(layout.game).jackpot
    # In the long run a meter that grows each morning is as if each wager grew it at once.
    accrual = next((plan for plan in plans if isinstance(plan, DailyAccrual) and plan.plan == settings.plan), None)
    rate = settings.rate if settings.rate is not None else (accrual.accrues if accrual else Fraction(0))
    staked = Fraction(wager_price.stake or 0) if stake is None else stake
    meters = []
    for name in table.jackpots:
        if name not in opening:
            continue
        model = MeterModel(
            seed=opening[name] if accrual is None else times_wager(accrual.reseed, multiple),
            contribution=rate * staked,
            hits=hit_lines(wager_price, name),
            cap=None if settings.cap is None else times_wager(settings.cap, multiple),
        )
        meters.append(LayoutMeter(jackpot=name, plan=settings.plan, opening=opening[name], model=model))
    return meters


def hit_lines(wager_price: Price, jackpot: str) -> list[HitLine]:
    """The lines that win from a meter, with their exact chances."""
    return [
        HitLine(event=line.event, probability=line.probability, share=line.share)
        for line in wager_price.jackpots
        if line.jackpot == jackpot
    ]


def jackpot_return(wager_price: Price, meters: list[LayoutMeter]) -> JackpotReturn:
    """What is won from a meter in the long run is its seed as often as it is won whole; the rest was contributed."""
    stake = wager_price.stake or 1
    seed = contribution = 0.0
    for meter in meters:
        model = meter.model
        paid = float(sum(hit.probability * hit.share for hit in model.hits)) * model.mean / stake
        of_house = paid
        if model.moves:
            of_house = float(sum(hit.probability for hit in model.hits if hit.share == 1)) * model.seed / stake
        seed += of_house
        contribution += paid - of_house
    return JackpotReturn(
        base=1 - float(wager_price.edge),
        seed=seed,
        contribution=contribution,
        meters={meter.jackpot: meter.model.mean for meter in meters},
    )
