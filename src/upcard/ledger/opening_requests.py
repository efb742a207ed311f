"""Builds the requests that bring tables, jackpots and rules into the book from a ruleset, and checks such requests."""

from upcard.catalog.ruleset import Ruleset
from upcard.ledger.jackpots.requests import AddJackpot
from upcard.ledger.jackpots.terms import terms_of, trigger_of
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.requests import AddTable, SetTableRules, Trigger

Opening = AddTable | SetTableRules | AddJackpot


def table_opening(rules: Ruleset, table: str) -> AddTable:
    """Opens a table under rules, with the triggers of its jackpot wagers computed."""
    layout = rules.layout
    return AddTable(table=table, layout=layout.slug, game=layout.game, rules=rules.hash, triggers=triggers_of(rules))


def rules_change(rules: Ruleset, table: str) -> SetTableRules:
    """Puts a table under other rules of its layout."""
    return SetTableRules(table=table, layout=rules.layout.slug, rules=rules.hash, triggers=triggers_of(rules))


def jackpot_opening(rules: Ruleset, jackpot: str, wager: str) -> AddJackpot:
    """Opens a jackpot on the terms a layout sets for one of its wagers."""
    return AddJackpot(
        jackpot=jackpot,
        layout=rules.layout.slug,
        rules=rules.hash,
        wager=wager,
        terms=terms_of(rules.catalog, rules.layout, wager),
        trigger=trigger_of(rules.catalog, rules.layout, wager),
    )


def check_opening(request: Opening, rules: Ruleset) -> None:
    """Refuses terms that are not those of the rules: probabilities are computed, not trusted."""
    match request:
        case AddTable():
            expected: Record = table_opening(rules, request.table)
        case SetTableRules():
            expected = rules_change(rules, request.table)
        case AddJackpot():
            expected = jackpot_opening(rules, request.jackpot, request.wager)
    if request != expected:
        raise BookRefused(BookRefusal.TERMS_DIFFER, layout=request.layout)


def triggers_of(rules: Ruleset) -> dict[str, Trigger]:
    """What wins each jackpot of a layout, and how likely it is."""
    layout = rules.layout
    return {settings.wager: trigger_of(rules.catalog, layout, settings.wager) for settings in layout.jackpot}
