"""A jackpot's terms and trigger, from the catalog: what its filing fixes and its layout sets.

They are written into the journal when a jackpot or table is opened, so that every later figure can be checked against
the terms of its time. Settings are for the wager that a paytable is printed for: another fixed wager multiplies them
(R22).
"""

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Literal

from upcard.cards import SUIT_NAMES
from upcard.catalog.index import Catalog
from upcard.catalog.jackpot import Bonus, DailyAccrual, JackpotPlan, MeterSettings, Posted, Progressive
from upcard.catalog.layout import Layout, Offered
from upcard.catalog.opening_meters import notice_of, opening_amounts, times_wager, wager_multiple
from upcard.catalog.pays import Share
from upcard.catalog.paytable import Paytable, is_for_one_suit
from upcard.catalog.readings_in_force import chosen_readings
from upcard.ledger.record import Amount, Exact, Level, Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.requests import Line, Trigger
from upcard.odds.price import price, usual_terms
from upcard.problems import UnknownName


class Law(Record):
    """A jurisdiction's requirements for jackpots, from a day on."""

    since: date
    second_person_from: Level | None = None  # None: the law names no amount, so every win is verified
    deposit_within_days: int | None = None


class DailyTerms(Record):
    """000: grows each morning, with the house's own money."""

    plan: Literal["daily-accrual"] = "daily-accrual"
    meter: str
    seed: Amount
    reseed: Amount
    accrues: Exact
    winners: Literal["divide", "each-in-full"]
    laws: tuple[Law, ...]


class PostedTerms(Record):
    """001: posted values."""

    plan: Literal["posted"] = "posted"
    opening: dict[str, Amount]
    hours_between_changes: int
    winners: Literal["divide", "pro-rata"]
    laws: tuple[Law, ...]


class BonusTerms(Record):
    """003 Bonus: posted, each winner in full."""

    plan: Literal["bonus"] = "bonus"
    meter: str
    seed: Amount
    notice: str
    winners: Literal["each-in-full", "seat-order"]
    laws: tuple[Law, ...]


class ProgressiveTerms(Record):
    """003 Progressive: the players' money."""

    plan: Literal["progressive"] = "progressive"
    meter: str
    seed: Amount
    rate: Exact
    reserve_rate: Exact
    cap: Amount | None
    largest_contribution: Amount | None
    winners: Literal["scaled", "seat-order"]
    laws: tuple[Law, ...]


Terms = DailyTerms | PostedTerms | BonusTerms | ProgressiveTerms

_READINGS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "daily-accrual": ("R18", {"divide": "divide", "each-in-full": "each-in-full"}),
    "posted": ("R8", {"divide-then-share": "divide", "pro-rata": "pro-rata"}),
    "bonus": ("R14", {"together": "each-in-full", "seat-order": "seat-order"}),
    "progressive": ("R14", {"together": "scaled", "seat-order": "seat-order"}),
}


def law_on(laws: tuple[Law, ...], day: date) -> Law:
    """The law on a day; before the first one, the strictest."""
    until_then = [law for law in laws if law.since <= day]
    return until_then[-1] if until_then else Law(since=day)


def terms_of(catalog: Catalog, layout: Layout, wager: str) -> Terms:
    """The terms of the jackpot that a wager of this layout plays for."""
    settings, offered, table = _parts(catalog, layout, wager)
    game = catalog.game(layout.game)
    plan = next(plan for plan in game.jackpot if plan.plan == settings.plan)
    _, options = _READINGS[plan.plan]
    _, option = reading_of_winners(catalog, layout, settings)
    winners = options[option]
    jurisdiction = catalog.jurisdictions[game.source.jurisdiction]
    in_full = jurisdiction.house_jackpot_winners == "each in full"  # the catalog's own words
    if plan.plan == "bonus" and in_full and winners != "each-in-full":
        raise BookRefused(BookRefusal.UNLAWFUL_WINNERS, jurisdiction=jurisdiction.name)
    laws = tuple(
        Law(
            since=limits.since,
            second_person_from=limits.second_person_from,
            deposit_within_days=limits.escrow_deposit_days,
        )
        for limits in jurisdiction.limits
    )
    return _build(plan, settings, wager_multiple(offered, table), winners, laws)


def reading_of_winners(catalog: Catalog, layout: Layout, settings: MeterSettings) -> tuple[str, str]:
    """The reading on how several winners of a jackpot share, and the option that is in force."""
    number, _ = _READINGS[settings.plan]
    return number, chosen_readings(catalog, layout)[number]


def trigger_of(catalog: Catalog, layout: Layout, wager: str) -> Trigger:
    """Which hands win from the meters of a wager, and their probabilities: computed, not trusted (WAC 230-15-685)."""
    settings, offered, table = _parts(catalog, layout, wager)
    suit = layout.suit_for(wager)
    priced = price(table, layout.decks, suit=SUIT_NAMES.index(suit), terms=usual_terms(catalog, table))
    lines = tuple(
        Line(
            event=award.event,
            meter=award.jackpot,
            share=award.share,
            probability=award.probability,
            by_stake=_by_stake(table, award.event),
        )
        for award in priced.jackpots
    )
    return Trigger(
        plan=settings.plan,
        kind=table.kind.name,
        suit=suit if any(is_for_one_suit(line.event) for line in lines) else "",
        stake=offered.amount or 0,
        lines=lines,
    )


def _build(
    plan: JackpotPlan, settings: MeterSettings, multiple: Fraction, winners: str, laws: tuple[Law, ...]
) -> Terms:
    posted = opening_amounts(settings, multiple)
    meter, *others = posted
    if others and plan.plan != "posted":
        raise BookRefused(BookRefusal.ONE_METER, plan=plan.plan, meters=len(posted))
    common = {"winners": winners, "laws": laws}
    match plan:
        case DailyAccrual():
            return DailyTerms.model_validate(
                {**common, "meter": meter, "seed": plan.seed, "reseed": plan.reseed, "accrues": plan.accrues}
            )
        case Posted():
            return PostedTerms.model_validate(
                {**common, "opening": posted, "hours_between_changes": plan.hours_between_changes}
            )
        case Bonus():
            return BonusTerms.model_validate(
                {**common, "meter": meter, "seed": posted[meter], "notice": notice_of(plan)}
            )
        case Progressive():
            return ProgressiveTerms.model_validate(
                {
                    **common,
                    "meter": meter,
                    "seed": posted[meter],
                    "rate": settings.rate,
                    "reserve_rate": settings.reserve_rate or Fraction(0),
                    "cap": settings.cap and times_wager(settings.cap, multiple),
                    "largest_contribution": settings.largest_contribution
                    and times_wager(settings.largest_contribution, multiple),
                }
            )


def _parts(catalog: Catalog, layout: Layout, wager: str) -> tuple[MeterSettings, Offered, Paytable]:
    settings = next((candidate for candidate in layout.jackpot if candidate.wager == wager), None)
    if settings is None:
        names = [candidate.wager for candidate in layout.jackpot]
        raise UnknownName(what="jackpot wager", name=wager, known=names)
    offered = next(candidate for candidate in layout.wager if candidate.name == wager)
    return settings, offered, catalog.paytables[offered.paytable]


def _by_stake(table: Paytable, event: str) -> tuple[tuple[int, Fraction], ...]:
    pay = table.lines[event]
    listed = pay.by_stake if isinstance(pay, Share) else ()
    return tuple((stake, share) for stake, share in listed if stake is not None)
