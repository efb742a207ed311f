"""The meters of a layout as they open: what its file sets, for the wager that its table takes, and the notice."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from upcard.catalog.jackpot import Bonus, JackpotPlan, MeterSettings
from upcard.catalog.layout import Layout, Offered
from upcard.units import Cents

if TYPE_CHECKING:
    from upcard.catalog.index import Catalog
    from upcard.catalog.paytable import Paytable


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningMeter:
    """A meter when its jackpot is opened."""

    wager: str
    meter: str
    plan: str
    amount: Cents
    notice: str  # that must be shown with the amount; empty if the filing has none


def opening_meters(catalog: "Catalog", layout: Layout) -> Iterator[OpeningMeter]:
    """Every meter that the wagers of a layout play for."""
    game = catalog.game(layout.game)
    for settings in layout.jackpot:
        plan = next(plan for plan in game.jackpot if plan.plan == settings.plan)
        offered = next(wager for wager in layout.wager if wager.name == settings.wager)
        multiple = wager_multiple(offered, catalog.paytables[offered.paytable])
        for meter, amount in opening_amounts(settings, multiple).items():
            yield OpeningMeter(
                wager=settings.wager, meter=meter, plan=settings.plan, amount=amount, notice=notice_of(plan)
            )


def opening_amounts(settings: MeterSettings, multiple: Fraction) -> dict[str, Cents]:
    return {meter: times_wager(amount, multiple) for meter, amount in settings.posted.items()}


def wager_multiple(offered: Offered, table: "Paytable") -> Fraction:
    """R22: how many times the wager is the one that its paytable and the layout's settings are printed for."""
    if offered.amount is None or not table.printed_wager:
        return Fraction(1)
    return Fraction(offered.amount, table.printed_wager)


def times_wager(amount: int, multiple: Fraction) -> Cents:
    """A setting for another wager; fractions of a cent are rounded up, in favor of the players."""
    exact = amount * multiple
    return Cents(-(-exact.numerator // exact.denominator))


def notice_of(plan: JackpotPlan) -> str:
    """003: the words that every display of a Bonus jackpot must include."""
    return " ".join(plan.notice.split()) if isinstance(plan, Bonus) else ""
