"""Rules on jackpots: their plans, meters, rates and sensors."""

from collections.abc import Iterator
from fractions import Fraction

from upcard.catalog.game_checks import Complaint
from upcard.catalog.jackpot import DailyAccrual, MeterSettings
from upcard.catalog.layout_rules.layout_under_check import Case
from upcard.catalog.pays import percent
from upcard.units import dollars


def jackpot_plans(case: Case) -> Iterator[Complaint]:
    plans = {plan.plan for plan in case.game.jackpot}
    for settings in case.layout.jackpot:
        place = f"jackpot {settings.wager}"
        if settings.plan not in plans:
            yield place, f"{case.game.name} has no {settings.plan} jackpot"
        if settings.plan == "progressive" and not case.law.progressives:
            yield place, f"progressives are not allowed in {case.game.source.jurisdiction} ({case.law.citation})"
        yield from ((place, sentence) for sentence in _growth(settings))
        for plan in case.game.jackpot:
            if isinstance(plan, DailyAccrual) and set(settings.posted.values()) != {plan.seed}:
                yield place, f"{plan.name} opens at its seed of {dollars(plan.seed)}"


def _growth(settings: MeterSettings) -> Iterator[str]:
    if settings.plan == "progressive" and settings.rate is None:
        yield "a progressive needs the part of each wager that goes to its meter: give rate"
    if (settings.rate or 0) + (settings.reserve_rate or 0) > 1:
        together = percent((settings.rate or Fraction(0)) + (settings.reserve_rate or Fraction(0)))
        yield f"rate and reserve_rate together take {together} of each wager: lower one, so that they take 100% or less"
    for meter, seed in settings.posted.items():
        if settings.cap is not None and settings.cap < seed:
            yield f"its cap of {dollars(settings.cap)} is below the {dollars(seed)} posted for {meter}: raise the cap"
    growth = (settings.rate, settings.reserve_rate, settings.cap, settings.largest_contribution)
    if settings.plan != "progressive" and any(growth):
        yield f"a {settings.plan} jackpot never moves with wagers: leave out rate and cap"


def jackpot_meters(case: Case) -> Iterator[Complaint]:
    """Every jackpot belongs to a wager whose table pays from it, and vice versa."""
    tables = {offered.name: case.catalog.paytables.get(offered.paytable) for offered in case.layout.wager}
    for settings in case.layout.jackpot:
        table = tables.get(settings.wager)
        if settings.wager not in tables:
            yield f"jackpot {settings.wager}", f"the layout does not offer the wager {settings.wager}"
        elif table is not None and set(settings.posted) != set(table.jackpots):
            yield f"jackpot {settings.wager}", f"posted must give one value for each of {', '.join(table.jackpots)}"
        if table is not None and settings.suit is not None and not table.names_a_suit:
            yield f"jackpot {settings.wager}", f"{table.name} has no award for one suit: leave out suit"
    set_for = {settings.wager for settings in case.layout.jackpot}
    for name, table in tables.items():
        if table is not None and table.jackpots and name not in set_for:
            yield f"wager {name}", f"{table.name} pays from a jackpot, but the layout has none for {name}"


def jackpot_limits(case: Case) -> Iterator[Complaint]:
    limits, jackpots = case.game.layout_limits, case.layout.jackpot
    if limits.jackpots is not None and len(jackpots) > limits.jackpots:
        yield "jackpot", f"a layout may have at most {limits.jackpots} jackpots, not {len(jackpots)}"
    if limits.one_jackpot_type and len({settings.plan for settings in jackpots}) > 1:
        yield "jackpot", "all jackpots of a table must be of one type, Bonus or Progressive"
    sensors = [settings.sensor for settings in jackpots]
    if limits.one_jackpot_for_each_sensor and (None in sensors or len(set(sensors)) < len(sensors)):
        yield "jackpot", "every jackpot needs its own wagering sensor"
