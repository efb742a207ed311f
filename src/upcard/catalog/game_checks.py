"""Checks of a game's file, and notices on layouts and paytables.

A complaint is a key and a sentence; a file with complaints is refused. A notice only informs. `layout_checks` has the
checks of a layout.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from upcard.catalog.equipment import equipment_models
from upcard.catalog.fields import decks_text
from upcard.catalog.game import Game, Wager
from upcard.catalog.jurisdiction import Limits
from upcard.catalog.layout import Layout, Offered
from upcard.catalog.paytable import Paytable
from upcard.catalog.readings_in_force import why_not_played
from upcard.catalog.wager_limit import WagerLimit, wager_limit
from upcard.problems import UnknownName
from upcard.units import dollars
from upcard.wagers import DealKind
from upcard.wagers.deal_counts import unreachable

if TYPE_CHECKING:
    from upcard.catalog.index import Catalog

Complaint = tuple[str, str]  # the key it concerns, and the sentence


def game_complaints(catalog: "Catalog", game: Game, doubtful: frozenset[str] = frozenset()) -> Iterator[Complaint]:
    """Everything in a game's file that does not fit the catalog; rules that need a doubtful key are skipped."""
    for needs, rule in _GAME_RULES:
        if not doubtful.intersection(needs):
            yield from rule(catalog, game)


def _jurisdiction_is_known(catalog: "Catalog", game: Game) -> Iterator[Complaint]:
    jurisdictions = catalog.jurisdictions
    if game.source.jurisdiction not in jurisdictions:
        unknown = UnknownName(what="jurisdiction", name=game.source.jurisdiction, known=jurisdictions)
        yield "source.jurisdiction", str(unknown)


def _wagers_know_each_other(_catalog: "Catalog", game: Game) -> Iterator[Complaint]:
    names = [wager.name for wager in game.wager]
    for wager in game.wager:
        for other in (*wager.excludes, *wager.requires_any, *filter(None, [wager.equals])):
            if other not in names:
                yield f"wager {wager.name}", str(UnknownName(what="wager", name=other, known=names))


def _kinds_are_known(catalog: "Catalog", game: Game) -> Iterator[Complaint]:
    for wager in game.wager:
        if wager.kind and wager.kind not in catalog.kinds:
            yield f"wager {wager.name}", str(UnknownName(what="wager kind", name=wager.kind, known=catalog.kinds))


def _paytables_fit(catalog: "Catalog", game: Game) -> Iterator[Complaint]:
    for wager in game.wager:
        if not wager.kind or wager.kind in catalog.kinds:
            for name in wager.paytables:
                yield from _paytable_fits(catalog, game, wager, name)


def layout_notices(catalog: "Catalog", layout: Layout) -> Iterator[str]:
    """Awards that cannot happen (R21), rules that do not apply, doubts about the law, models that are not named."""
    for offered in layout.wager:
        if offered.paytable:
            yield from table_notices(catalog.paytables[offered.paytable], layout.decks)
    game = catalog.game(layout.game)
    jurisdiction = catalog.jurisdictions[game.source.jurisdiction]
    hand = [offered for offered in layout.wager if not catalog.wager(game, offered).equals]
    games = catalog.games_of(layout)
    limit = wager_limit(games, layout)
    yield from _too_many_games(layout, hand, jurisdiction.limits[-1], limit)
    most = min((most for other in games if (most := other.layout_limits.wagers_a_player) is not None), default=None)
    if most is not None and limit is None:
        yield (
            f"the limit of {most} wagers per player does not apply here: this layout offers {len(layout.wager)} (R31)"
        )
    yield from filter(None, (piece.notice for piece in equipment_models(layout, game, jurisdiction)))


def _too_many_games(layout: Layout, games: list[Offered], law: Limits, limit: WagerLimit | None) -> Iterator[str]:
    """More games on one hand than the law allows, as far as a player may make them."""
    if law.games_a_hand is None:
        return
    doubt = "" if law.confirmed else " (a text not confirmed to be in force)"
    made = len(games) if limit is None else min(len(games), limit.most)
    if made > law.games_a_hand:
        yield f"{made} games on one hand, where {law.citation} allows {law.games_a_hand}{doubt}"
    small, allowed = law.small_wager or 0, law.games_a_hand - (law.small_games_a_hand or 0)
    large = sum(1 for offered in games if (offered.max or offered.amount or 0) > small)
    if limit is not None and limit.small is not None and limit.small <= small:
        named = any(offered.name == layout.small_wager and (offered.max or 0) > small for offered in games)
        large = min(large - named, limit.most - 1)
    if large > allowed:
        yield f"{large} games over {dollars(small)} on one hand, where {law.citation} allows {allowed}{doubt}"


def table_notices(table: Paytable, decks: int) -> Iterator[str]:
    """The awards of a table that cannot happen with so many decks (R21), or that a higher line always takes."""
    for event in unreachable(table.kind, tuple(table.lines), decks):
        if event in unreachable(table.kind, (event,), decks):
            yield f"{table.name}: {table.title(event)} cannot happen with {decks} deck{'s' * (decks > 1)} (R21)"
        else:
            yield f"{table.name}: {table.title(event)} is never paid: its hands are all a higher event of the table"


def _paytable_fits(catalog: "Catalog", game: Game, wager: Wager, name: str) -> Iterator[Complaint]:
    place = f"wager {wager.name}"
    if name not in catalog.paytables:
        yield place, str(UnknownName(what="paytable", name=name, known=catalog.paytables))
        return
    table = catalog.paytables[name]
    kind = catalog.kinds.get(wager.kind)
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
        elif reason := why_not_played(catalog, number, chosen):
            yield place, f"{number} = {chosen!r} cannot be chosen: {reason}"
        else:
            for rule, value in reading.options[chosen].rules.items():
                if getattr(game.rules, rule) != value:
                    yield f"rules.{rule}", f"this contradicts the reading {number} = {chosen!r}"
    for number, reading in catalog.readings.items():
        if game.number in reading.filings and number not in game.readings:
            yield f"readings.{number}", f"the game must choose a reading: {reading.question}"


_GAME_RULES: tuple[tuple[tuple[str, ...], Callable[["Catalog", Game], Iterator[Complaint]]], ...] = (
    (("source",), _jurisdiction_is_known),
    (("wager", "every wager"), _wagers_know_each_other),
    (("wager",), _kinds_are_known),
    (("wager", "decks"), _paytables_fit),
    (("readings", "rules", "number"), _readings_fit),
)
