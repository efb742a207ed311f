"""Composes the controls sheet of a layout, and the parts of it that a book's sheet shares.

Every value comes from where it is enforced: terms, triggers and laws from the ledger's own functions, equipment and
readings from the catalog, permissions from the access rules. `controls_of_book` adds how a book stands.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import get_args

from upcard.catalog.equipment import equipment_models
from upcard.catalog.game_checks import layout_notices
from upcard.catalog.index import Catalog
from upcard.catalog.jackpot import MeterSettings
from upcard.catalog.layout import Layout
from upcard.codes import sentence_of
from upcard.ledger.jackpots.requests import Reduce
from upcard.ledger.jackpots.terms import (
    BonusTerms,
    DailyTerms,
    Law,
    PostedTerms,
    ProgressiveTerms,
    Terms,
    law_on,
    reading_of_winners,
    terms_of,
    trigger_of,
)
from upcard.ledger.refusals import BookRefusal
from upcard.ledger.requests import Trigger
from upcard.people import roles as duties
from upcard.pit import open_table
from upcard.pit.terms import derive
from upcard.reports.controls_sheet import (
    FORMAT,
    AwardLine,
    ControlsSheet,
    EquipmentLine,
    JackpotLine,
    LawLine,
    Permission,
    Plan,
    PromotionLine,
    Separation,
    Sharing,
    TableLine,
)

# When a plan's wager is stopped, besides the felt's own reasons; a test compares this with what the book does.
_STOPS: dict[Plan, tuple[BookRefusal, ...]] = {
    "daily-accrual": (BookRefusal.SUSPENDED, BookRefusal.BEING_VERIFIED),
    "posted": (BookRefusal.SUSPENDED, BookRefusal.CHANGE_WAITS),
    "bonus": (BookRefusal.SUSPENDED, BookRefusal.CHANGE_WAITS),
    "progressive": (BookRefusal.SUSPENDED, BookRefusal.ESCROW_SHORT),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotSource:
    """Where a jackpot's terms come from: a wager of a layout, in some rules."""

    catalog: Catalog
    layout: Layout
    wager: str

    @property
    def settings(self) -> MeterSettings:
        return next(settings for settings in self.layout.jackpot if settings.wager == self.wager)


def layout_controls(catalog: Catalog, layout: Layout, *, day: date, permissions: Iterable[Permission]) -> ControlsSheet:
    """The sheet of a layout: how its jackpots will be run at any table that is opened with it."""
    sources = [JackpotSource(catalog=catalog, layout=layout, wager=settings.wager) for settings in layout.jackpot]
    return ControlsSheet(
        format=FORMAT,
        about="layout",
        name=layout.slug,
        date=day.isoformat(),
        tables=(table_line(catalog, layout),),
        jackpots=tuple(
            jackpot_line(
                source,
                terms_of(catalog, layout, source.wager),
                trigger_of(catalog, layout, source.wager),
                day=day,
            )
            for source in sources
        ),
        permissions=tuple(permissions),
        separations=separations(),
        staff=None,
        staff_verified=False,
        house=None,
    )


def table_line(catalog: Catalog, layout: Layout, *, table: str = "", rules: str = "") -> TableLine:
    """A layout, or a table that is opened with it."""
    game = catalog.game(layout.game)
    jurisdiction, source = catalog.jurisdictions[game.source.jurisdiction], game.source
    return TableLine(
        table=table,
        layout=layout.slug,
        title=layout.title,
        game=game.name,
        filing=game.number,
        document=source.document,
        regulator=source.regulator,
        reference=source.reference,
        dated=source.dated,
        jurisdiction=jurisdiction.name,
        decks=layout.decks,
        shuffler=layout.shuffler,
        equipment=layout.equipment,
        models=tuple(
            EquipmentLine(
                equipment=piece.equipment,
                model=piece.model,
                filed=piece.filed,
                approved=None if piece.approved is None else piece.problem is None,
            )
            for piece in equipment_models(layout, game, jurisdiction)
        ),
        rules=rules,
        links={settings.wager: "" for settings in layout.jackpot},
        promotions=tuple(_promotions(catalog, layout)),
        notices=tuple(layout_notices(catalog, layout)),
    )


def _promotions(catalog: Catalog, layout: Layout) -> Iterator[PromotionLine]:
    paytables = {offered.name: catalog.paytables[offered.paytable] for offered in layout.wager if offered.paytable}
    for promotion in layout.promotion:
        yield PromotionLine(
            wager=promotion.wager,
            title=paytables[promotion.wager].title(promotion.event),
            award=promotion.award,
            since=promotion.since.isoformat(),
            until=promotion.until.isoformat(),
            consent=promotion.consent,
        )


def jackpot_line(source: JackpotSource, terms: Terms, trigger: Trigger, *, day: date) -> JackpotLine:
    """A jackpot on these terms, which a layout would give it today or a book has given it."""
    catalog, layout, settings = source.catalog, source.layout, source.settings
    game = catalog.game(layout.game)
    plan = next(plan for plan in game.jackpot if plan.plan == settings.plan)
    wager = derive(open_table(catalog, layout)).wagers[source.wager]
    if wager.paytable is None:
        raise ValueError(f"{source.wager} has no paytable")
    title = wager.paytable.title
    return JackpotLine(
        jackpot="",
        layout=layout.slug,
        wager=source.wager,
        tables=(),
        plan=settings.plan,
        title=plan.name,
        funded_by="players" if isinstance(terms, ProgressiveTerms) else "house",
        sensor=settings.sensor,
        stakes=tuple(wager.amounts or (wager.least,)),
        paytable=wager.paytable.name,
        basis=wager.paytable.basis.value,
        suit=trigger.suit,
        opens_at=opening_values(terms),
        reseeds_at=reseed_values(terms),
        accrues=terms.accrues if isinstance(terms, DailyTerms) else None,
        rate=terms.rate if isinstance(terms, ProgressiveTerms) else None,
        reserve_rate=terms.reserve_rate if isinstance(terms, ProgressiveTerms) else None,
        cap=terms.cap if isinstance(terms, ProgressiveTerms) else None,
        largest_contribution=terms.largest_contribution if isinstance(terms, ProgressiveTerms) else None,
        hours_between_changes=terms.hours_between_changes if isinstance(terms, PostedTerms) else None,
        reductions=get_args(Reduce.model_fields["reason"].annotation) if isinstance(terms, ProgressiveTerms) else (),
        notice=terms.notice if isinstance(terms, BonusTerms) else "",
        awards=tuple(
            AwardLine(
                event=line.event,
                title=title(line.event),
                meter=line.meter,
                share=line.share,
                by_stake=dict(line.by_stake),
                probability=line.probability,
            )
            for line in trigger.lines
        ),
        sharing=_sharing(source, terms),
        stops=(*(reason.value for reason in _STOPS[settings.plan]), *_stops_of_the_felt(source)),
        laws=_laws(source, terms.laws, day),
        standing=None,
    )


def opening_values(terms: Terms) -> dict[str, int]:
    """What each meter opens at."""
    return dict(terms.opening) if isinstance(terms, PostedTerms) else {terms.meter: terms.seed}


def reseed_values(terms: Terms) -> dict[str, int]:
    """What each meter is set to after a full win was paid."""
    return {terms.meter: terms.reseed} if isinstance(terms, DailyTerms) else opening_values(terms)


def separations() -> tuple[Separation, ...]:
    """The roles that nobody may hold together, and why."""
    pairs = sorted(tuple(sorted(pair)) for pair in duties.FORBIDDEN)
    return tuple(
        Separation(roles=tuple(role.value for role in pair), why=sentence_of({"code": duties.clash(pair)}))
        for pair in pairs
    )


def _sharing(source: JackpotSource, terms: Terms) -> Sharing:
    number, option = reading_of_winners(source.catalog, source.layout, source.settings)
    reading = source.catalog.readings[number]
    return Sharing(
        winners=terms.winners, reading=number, question=reading.question, means=reading.options[option].means
    )


def _stops_of_the_felt(source: JackpotSource) -> tuple[str, ...]:
    """R25: a wager that needs the shuffling machine is off when the shoe is shuffled by hand."""
    by_hand = source.layout.model_copy(update={"shuffler": "hand"})
    off = derive(open_table(source.catalog, by_hand)).wagers[source.wager].off
    return (off,) if off else ()


def _laws(source: JackpotSource, laws: tuple[Law, ...], day: date) -> tuple[LawLine, ...]:
    game = source.catalog.game(source.layout.game)
    limits = {limit.since: limit for limit in source.catalog.jurisdictions[game.source.jurisdiction].limits}
    in_force = law_on(laws, day).since
    return tuple(
        LawLine(
            since=law.since.isoformat(),
            citation=limits[law.since].citation,
            confirmed=limits[law.since].confirmed,
            in_force=law.since == in_force,
            second_person_from=law.second_person_from,
            deposit_within_days=law.deposit_within_days,
        )
        for law in laws
    )
