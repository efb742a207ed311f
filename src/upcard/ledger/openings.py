"""The requests that bring tables and jackpots into the book, made from the catalog; and whether a request is one."""

from upcard.catalog.index import Catalog
from upcard.ledger.jackpots.requests import OpenJackpot
from upcard.ledger.jackpots.terms import terms_of, trigger_of
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.requests import OpenTable


def table_opening(catalog: Catalog, table: str, layout_name: str) -> OpenTable:
    """Opens a table of a layout, with the triggers of its jackpot wagers computed."""
    layout = catalog.layout(layout_name)
    triggers = {settings.wager: trigger_of(catalog, layout, settings.wager) for settings in layout.jackpot}
    return OpenTable(table=table, layout=layout.slug, game=layout.game, triggers=triggers)


def jackpot_opening(catalog: Catalog, jackpot: str, layout_name: str, wager: str) -> OpenJackpot:
    """Opens a jackpot on the terms a layout sets for one of its wagers."""
    layout = catalog.layout(layout_name)
    return OpenJackpot(
        jackpot=jackpot,
        layout=layout.slug,
        wager=wager,
        terms=terms_of(catalog, layout, wager),
        trigger=trigger_of(catalog, layout, wager),
    )


def check_opening(catalog: Catalog, request: Record) -> None:
    """Refuses terms that are not the catalog's: chances are computed, not trusted."""
    match request:
        case OpenTable():
            right: Record = table_opening(catalog, request.table, request.layout)
        case OpenJackpot():
            right = jackpot_opening(catalog, request.jackpot, request.layout, request.wager)
        case _:
            return
    if request != right:
        raise BookRefused(BookRefusal.TERMS_DIFFER, what="the opening", layout=getattr(request, "layout", ""))
