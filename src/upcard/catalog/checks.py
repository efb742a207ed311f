"""What the filings and the law want of games and layouts, checked when the files are read.

A complaint is a key and a sentence; a file with complaints is refused. A notice is allowed, but worth saying.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from upcard.catalog.fields import decks_text
from upcard.catalog.game import Game, Wager
from upcard.catalog.jackpot import DailyAccrual
from upcard.catalog.jurisdiction import Limits
from upcard.catalog.layout import Layout, Offered
from upcard.catalog.pays import Fixed
from upcard.catalog.paytable import Paytable
from upcard.problems import UnknownName
from upcard.units import Cents, dollars
from upcard.wagers import KINDS, DealKind
from upcard.wagers.counts import unreachable

if TYPE_CHECKING:
    from upcard.catalog.index import Catalog

Complaint = tuple[str, str]  # the key it concerns, and the sentence


def game_complaints(catalog: "Catalog", game: Game) -> Iterator[Complaint]:
    """Everything in a game's file that does not fit the rest of the catalog."""
    names = [wager.name for wager in game.wager]
    if game.source.jurisdiction not in catalog.jurisdictions:
        known = catalog.jurisdictions
        yield (
            "source.jurisdiction",
            str(UnknownName(what="jurisdiction", name=game.source.jurisdiction, known=known)),
        )
    for wager in game.wager:
        place = f"wager {wager.name}"
        for other in (*wager.excludes, *wager.requires_any, *filter(None, [wager.equals])):
            if other not in names:
                yield place, str(UnknownName(what="wager", name=other, known=names))
        if wager.kind and wager.kind not in KINDS:
            yield place, str(UnknownName(what="wager kind", name=wager.kind, known=KINDS))
            continue
        for name in wager.paytables:
            yield from _paytable_fits(catalog, game, wager, name)
    yield from _readings_fit(catalog, game)


def layout_complaints(catalog: "Catalog", layout: Layout) -> Iterator[Complaint]:
    """Everything in a layout that its game, its paytables, its readings or the law forbid."""
    try:
        game = catalog.game(layout.game)
    except UnknownName as unknown:
        yield "game", str(unknown)
        return
    if layout.decks not in game.decks:
        yield (
            "decks",
            f"{game.name} is played with {decks_text(game.decks)} decks, not {layout.decks}",
        )
    if layout.spots > game.conduct.spots:
        yield "spots", f"{game.name} has at most {game.conduct.spots} spots, not {layout.spots}"
    yield from _minimum(catalog, layout, game)
    for offered in layout.wager:
        try:
            wager = catalog.wager(game, offered)
        except UnknownName as unknown:
            yield f"wager {offered.name}", str(unknown)
        else:
            yield from _offer(catalog, layout, game, wager, offered)
    for wager in game.wager:
        if wager.role == "main" and not layout.offers(wager.name):
            yield "wager", f"a table must offer {wager.name}"
    yield from _jackpots(catalog, layout, game)
    yield from _player_limit(layout, game)
    yield from _aggregates(catalog, layout, game)
    for number, option in layout.readings.items():
        if number not in catalog.readings or option not in catalog.readings[number].options:
            yield f"readings.{number}", f"there is no reading {number} = {option!r}"
    yield from _house_rules(layout, game)
    yield from _promotions(layout, game)


def layout_notices(catalog: "Catalog", layout: Layout) -> Iterator[str]:
    """Awards that cannot happen (R21), rules that do not bind, doubts about the law."""
    for offered in layout.wager:
        if offered.paytable:
            yield from table_notices(catalog.paytables[offered.paytable], layout.decks)
    game = catalog.game(layout.game)
    limits = catalog.jurisdictions[game.source.jurisdiction].limits[-1]
    games = [one for one in layout.wager if not catalog.wager(game, one).equals]
    yield from _too_many_games(games, limits)
    most = game.layout_limits.wagers_a_player
    if most is not None and len(layout.wager) <= most:
        yield (
            f"the rule of at most {most} wagers a player does not bind here: "
            f"this layout offers {len(layout.wager)} (R31)"
        )


def _too_many_games(games: list[Offered], limits: Limits) -> Iterator[str]:
    if limits.games_a_hand is None:
        return
    doubt = "" if limits.confirmed else " (a text not confirmed to be in force)"
    if len(games) > limits.games_a_hand:
        yield f"{len(games)} games on one hand, where {limits.citation} allows {limits.games_a_hand}{doubt}"
    small, allowed = limits.small_wager or 0, limits.games_a_hand - (limits.small_games_a_hand or 0)
    large = [one for one in games if (one.max or one.amount or 0) > small]
    if len(large) > allowed:
        yield f"{len(large)} games over {dollars(small)} on one hand, where {limits.citation} allows {allowed}{doubt}"


def table_notices(table: Paytable, decks: int) -> Iterator[str]:
    """The awards of a table that cannot happen with so many decks (R21)."""
    for event in unreachable(table.kind, tuple(table.lines), decks):
        yield f"{table.name}: {table.title(event)} cannot happen with {decks} deck{'s' * (decks > 1)} (R21)"


def _paytable_fits(catalog: "Catalog", game: Game, wager: Wager, name: str) -> Iterator[Complaint]:
    place = f"wager {wager.name}"
    if name not in catalog.paytables:
        yield place, str(UnknownName(what="paytable", name=name, known=catalog.paytables))
        return
    table = catalog.paytables[name]
    kind = KINDS[wager.kind]
    paid_like = kind.paid_like if isinstance(kind, DealKind) else ""
    if table.kind.name not in (wager.kind, paid_like):
        yield place, f"{name} is a table for {table.kind.name}, not for {wager.kind}"
    outside = tuple(count for count in table.decks if count not in game.decks)
    if outside:
        yield (
            place,
            f"{name} allows {decks_text(outside)} decks, outside the game's {decks_text(game.decks)}",
        )


def _readings_fit(catalog: "Catalog", game: Game) -> Iterator[Complaint]:
    for number, chosen in game.readings.items():
        place = f"readings.{number}"
        if number not in catalog.readings:
            yield place, str(UnknownName(what="reading", name=number, known=catalog.readings))
            continue
        reading = catalog.readings[number]
        if game.number not in reading.filings:
            yield place, f"{number} is not a question of filing {game.number}"
        elif chosen not in reading.options:
            yield place, str(UnknownName(what="option", name=chosen, known=reading.options))
        else:
            for rule, value in reading.options[chosen].rules.items():
                if getattr(game.rules, rule) != value:
                    yield f"rules.{rule}", f"this contradicts the reading {number} = {chosen!r}"
    for number, reading in catalog.readings.items():
        if game.number in reading.filings and number not in game.readings:
            yield f"readings.{number}", f"the game must choose: {reading.question}"


def _minimum(catalog: "Catalog", layout: Layout, game: Game) -> Iterator[Complaint]:
    posted, allowed = layout.posted_minimum, game.posted_minimum
    most = allowed.most or catalog.jurisdictions[game.source.jurisdiction].limits[-1].largest_wager
    if posted < allowed.least or (most is not None and posted > most):
        yield (
            "posted_minimum",
            f"the posted minimum is {dollars(allowed.least)} to {dollars(most or 0)}, not {dollars(posted)}",
        )
    elif posted % allowed.step:
        yield "posted_minimum", f"the minimum is posted in steps of {dollars(allowed.step)}"
    if posted % layout.chip:
        yield "chip", f"the posted minimum {dollars(posted)} is no multiple of the smallest chip"


def _offer(catalog: "Catalog", layout: Layout, game: Game, wager: Wager, offered: Offered) -> Iterator[Complaint]:
    place = f"wager {wager.name}"
    if offered.game and catalog.game(offered.game).source.jurisdiction != game.source.jurisdiction:
        yield place, f"{offered.game} is not approved in {game.source.jurisdiction}"
    for other in wager.excludes:
        if layout.offers(other):
            yield place, f"{wager.name} and {other} exclude each other on a layout"
    if wager.requires_any and not any(layout.offers(other) for other in wager.requires_any):
        yield place, f"{wager.name} is offered only together with {' or '.join(wager.requires_any)}"
    if wager.decks is not None and layout.decks not in wager.decks:
        yield (
            place,
            f"{wager.name} is played with {decks_text(wager.decks)} decks, not {layout.decks}",
        )
    hand_shuffled = layout.shuffler == "hand" and "automatic shuffler" in wager.equipment
    if hand_shuffled and layout.readings.get("R25", game.readings.get("R25")) != "offered":
        yield place, f"{wager.name} is not offered on a table shuffled by hand (R25)"
    for piece in wager.equipment:
        if piece != "automatic shuffler" and piece not in layout.equipment:
            yield place, f"{wager.name} needs the {piece}, which this table's equipment lacks"
    if wager.paytables and offered.paytable not in wager.paytables:
        yield place, f"its paytable must be one of {', '.join(wager.paytables)}"
    elif wager.paytables and layout.decks not in catalog.paytables[offered.paytable].decks:
        table = catalog.paytables[offered.paytable]
        yield place, f"{table.name} is for {decks_text(table.decks)} decks, not {layout.decks}"
    if not wager.paytables and offered.paytable:
        yield place, f"{wager.name} has no paytable"
    yield from _stakes(layout, wager, offered)
    yield from _lawful(catalog, game, wager, offered)


def _stakes(layout: Layout, wager: Wager, offered: Offered) -> Iterator[Complaint]:
    place = f"wager {wager.name}"
    if wager.role == "jackpot" and offered.amount is None:
        yield place, f"{wager.name} is a wager of one fixed amount: give amount"
    if offered.amount is not None:
        if wager.amounts and offered.amount not in wager.amounts:
            allowed = " or ".join(dollars(amount) for amount in wager.amounts)
            yield place, f"{wager.name} is {allowed}, not {dollars(offered.amount)}"
        if offered.amount % layout.chip:
            yield place, f"{dollars(offered.amount)} is no multiple of the smallest chip"
    least, most = (offered.min, offered.max)
    if least is not None and most is not None and least > most:
        yield place, f"its least wager {dollars(least)} is above its largest {dollars(most)}"
    posted = Cents(layout.posted_minimum)
    if wager.min is not None:
        floor = wager.min.at(posted)
        if least is not None and least < floor:
            yield place, f"the filing's least wager is {wager.min}, not {dollars(least)}"
        if most is not None and most < floor:
            yield place, f"its largest wager {dollars(most)} is under the filing's least, {wager.min}"
    if wager.max is not None and most is not None and most > wager.max.at(posted):
        yield place, f"the filing's largest wager is {wager.max}, not {dollars(most)}"


def _lawful(catalog: "Catalog", game: Game, wager: Wager, offered: Offered) -> Iterator[Complaint]:
    """Where the filing leaves the limits to the operator, the jurisdiction's newest ones bind him."""
    if (wager.min is not None and wager.max is not None) or wager.amounts or wager.equals:
        return
    law = catalog.jurisdictions[game.source.jurisdiction].limits[-1]
    place = f"wager {wager.name}"
    if wager.role == "jackpot":
        if offered.amount is not None and law.jackpot_wagers and offered.amount not in law.jackpot_wagers:
            allowed = " or ".join(dollars(amount) for amount in law.jackpot_wagers)
            yield (
                place,
                f"a jackpot wager is {allowed} in {game.source.jurisdiction}, not {dollars(offered.amount)}",
            )
        return
    largest = law.largest_wager if wager.role == "main" else law.largest_bonus_wager
    if offered.max is None:
        yield place, "the filing leaves its largest wager to the operator: give max"
    elif largest is not None and offered.max > largest:
        yield (
            place,
            f"{dollars(offered.max)} is above the lawful {dollars(largest)} ({law.citation})",
        )
    if wager.min is None and offered.min is None:
        yield place, "the filing leaves its least wager to the operator: give min"
    elif law.smallest_wager is not None and offered.min is not None and offered.min < law.smallest_wager:
        yield (
            place,
            f"{dollars(offered.min)} is below the lawful {dollars(law.smallest_wager)} ({law.citation})",
        )


def _jackpots(catalog: "Catalog", layout: Layout, game: Game) -> Iterator[Complaint]:
    limits = game.layout_limits
    plans = {plan.plan for plan in game.jackpot}
    tables = {offered.name: offered.paytable for offered in layout.wager}
    law = catalog.jurisdictions[game.source.jurisdiction].limits[-1]
    for settings in layout.jackpot:
        place = f"jackpot {settings.wager}"
        if settings.plan not in plans:
            yield place, f"{game.name} has no {settings.plan} jackpot"
        if settings.plan == "progressive" and not law.progressives:
            yield place, f"progressives are off in {game.source.jurisdiction} ({law.citation})"
        if settings.plan == "progressive" and settings.rate is None:
            yield place, "a progressive says which part of each wager moves its meter: give rate"
        growth = (settings.rate, settings.reserve_rate, settings.cap, settings.largest_contribution)
        if settings.plan != "progressive" and any(growth):
            yield place, f"a {settings.plan} jackpot never moves with wagers: leave rate and cap out"
        for plan in game.jackpot:
            if isinstance(plan, DailyAccrual) and set(settings.posted.values()) != {plan.seed}:
                yield place, f"{plan.name} opens at its seed of {dollars(plan.seed)}"
        if settings.wager not in tables:
            yield place, f"the layout does not offer the wager {settings.wager}"
        elif tables[settings.wager] in catalog.paytables:
            meters = catalog.paytables[tables[settings.wager]].jackpots
            if set(settings.posted) != set(meters):
                yield place, f"posted gives one value for each of {', '.join(meters)}"
    set_for = {settings.wager for settings in layout.jackpot}
    for name, table in tables.items():
        if table in catalog.paytables and catalog.paytables[table].jackpots and name not in set_for:
            yield f"wager {name}", f"{table} pays from a jackpot, and the layout sets none for {name}"
    if limits.jackpots is not None and len(layout.jackpot) > limits.jackpots:
        yield (
            "jackpot",
            f"a layout has at most {limits.jackpots} jackpots, not {len(layout.jackpot)}",
        )
    if limits.one_jackpot_type and len({settings.plan for settings in layout.jackpot}) > 1:
        yield "jackpot", "all jackpots of a table are of one type, Bonus or Progressive"
    sensors = [settings.sensor for settings in layout.jackpot]
    if limits.one_jackpot_for_each_sensor and (None in sensors or len(set(sensors)) < len(sensors)):
        yield "jackpot", "every jackpot needs a wagering sensor of its own"


def _player_limit(layout: Layout, game: Game) -> Iterator[Complaint]:
    most = game.layout_limits.wagers_a_player
    if most is None or len(layout.wager) <= most:
        return
    if not layout.offers(layout.small_wager):
        yield (
            "small_wager",
            f"with more than {most} wagers the layout names the one held to "
            f"{dollars(game.layout_limits.small_wager or 0)} (R31)",
        )


def _house_rules(layout: Layout, game: Game) -> Iterator[Complaint]:
    if game.conduct.house_rules and not layout.house_rules:
        yield "house_rules", "the posted house rules are part of this game: give their text and date"
    if "R23" not in game.readings and layout.rules.model_fields_set:
        yield "rules", f"filing {game.number} sets the main game's rules; the operator may not"


def _promotions(layout: Layout, game: Game) -> Iterator[Complaint]:
    for promotion in layout.promotion:
        place = f"promotion {promotion.wager}"
        wager = game.wager_named(promotion.wager)
        if wager is None or not wager.promotions or not layout.offers(promotion.wager):
            yield place, "no promotion can be added to this wager here"
        elif promotion.event not in KINDS[wager.kind].events:
            kind = KINDS[wager.kind]
            yield place, str(UnknownName(what=f"{kind.name} event", name=promotion.event, known=kind.events))
        if promotion.until < promotion.since:
            yield place, f"it ends on {promotion.until}, before it begins on {promotion.since}"


def _aggregates(catalog: "Catalog", layout: Layout, game: Game) -> Iterator[Complaint]:
    """WAC 230-15-490: none where the top odds are low, none below the largest wager at the top odds counted."""
    counted = catalog.jurisdictions[game.source.jurisdiction].limits[-1].aggregate_counts_odds_up_to
    for limit in layout.aggregate_limit:
        place = f"aggregate_limit {limit.wager}"
        offered = next((one for one in layout.wager if one.name == limit.wager), None)
        if not game.layout_limits.aggregate_payout_limit or counted is None:
            yield place, f"{game.name} allows no aggregate limit on payouts"
        elif offered is None or offered.paytable not in catalog.paytables:
            yield place, "the layout offers no such wager with a paytable"
        else:
            lines = catalog.paytables[offered.paytable].lines.values()
            top = max((pay.units for pay in lines if isinstance(pay, Fixed)), default=0)
            floor = int((offered.max or 0) * min(top, counted))
            if top < counted:
                yield place, f"its top odds are under {counted} to 1, so payouts may not be limited"
            elif limit.amount < floor:
                yield (
                    place,
                    f"the limit may not be under {dollars(floor)}, the largest wager at {counted} to 1",
                )
