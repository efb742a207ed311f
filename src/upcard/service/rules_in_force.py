"""The rules a table plays by, and those of its files: when they differ, and what the floor is told of it.

A shoe finishes under the rules it began with. Between two shoes the table takes the rules of its files as they then
stand, in a record of its own. Where the files cannot be used, or an open jackpot keeps its terms, the table keeps its
last rules.
"""

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING

from upcard.catalog.index import Catalog
from upcard.catalog.ruleset import Ruleset, ruleset_of
from upcard.codes import Coded, phrases
from upcard.ledger.opening_requests import triggers_of
from upcard.people.person import CLOCK
from upcard.problems import BadFile, UnknownName, UpcardError
from upcard.service import commands as s
from upcard.service.live_table import LiveTable, can_rest
from upcard.service.pending import LONGEST, Context

if TYPE_CHECKING:
    from upcard.service.desk import Desk
    from upcard.service.queries import Queries

TIMER, RULES = "timer:", "rules:"  # ids of commands that the program gives by itself begin so

phrases(
    {
        "rules/next-shoe": "its files have new rules; they take effect with the next shoe",
        "rules/jackpot": "its files have new rules, but an open jackpot keeps its terms: it plays by its last rules",
        "rules/file-broken": "its files have mistakes ({problems}): it plays by its last rules; run upcard check",
        "rules/file-missing": "its layout {layout:quoted} is no longer in the catalog: it plays by its last rules",
        "rules/unusable": "its files cannot be used: it plays by its last rules; run upcard check",
    }
)


def files_rules(catalog: Catalog, live: LiveTable) -> Ruleset | UpcardError | None:
    """The rules of a table's files, where they are not those it plays by; or what is wrong with the files."""
    try:
        rules = ruleset_of(catalog, live.layout)
    except UpcardError as wrong:
        return wrong
    return None if rules.hash == live.rules.hash else rules


def takes_rules_now(context: Context, live: LiveTable) -> bool:
    """Whether the table is between two shoes of an open game, and this process may bring it rules."""
    return live.opened and not live.table.closed and can_rest(live) and has_newer_files(context, live)


def has_newer_files(context: Context, live: LiveTable) -> bool:
    """Whether this process read the files after the table last took rules: a process that started earlier, with older
    files, does not bring the old rules back."""
    return live.rules_since <= context.started


@lru_cache(maxsize=1024)
def jackpots_are_won_alike(old: Ruleset, new: Ruleset) -> bool:
    """Whether each jackpot of the old rules is won by the same hands under the new ones: else it keeps its terms."""
    later = triggers_of(new)
    return all(later.get(wager) == trigger for wager, trigger in triggers_of(old).items())


def rules_notice(context: Context, live: LiveTable) -> Coded | None:
    """What the floor should know of a table's rules; None: they are those of its files, or of newer ones."""
    found = files_rules(context.catalog, live)
    match found:
        case None:
            return None
        case Ruleset() if not has_newer_files(context, live):
            return None
        case Ruleset():
            return {"code": "rules/next-shoe" if jackpots_are_won_alike(live.rules, found) else "rules/jackpot"}
        case BadFile():
            return {"code": "rules/file-broken", "problems": len(found.problems)}
        case UnknownName():
            return {"code": "rules/file-missing", "layout": live.layout}
        case _:
            return {"code": "rules/unusable"}


def take_new_rules(desk: "Desk", queries: "Queries") -> None:
    """At the start: every table between two shoes takes the rules of its files."""
    for table in queries.tables():
        try:
            live = desk.live(table)
        except UpcardError:
            continue  # a stopped table is the floor's to reset
        if takes_rules_now(desk.context, live) and isinstance(files_rules(desk.catalog, live), Ruleset):
            desk.ask(s.ChangeRules(table=table), id=rules_id(live), actor=CLOCK, role=CLOCK).exception()


def rules_id(live: LiveTable) -> str:
    """The id under which a table takes new rules after its last record: the same from every process."""
    return program_id(RULES, live.name, str(live.version))


def program_id(prefix: str, table: str, key: str) -> str:
    """The id of a command that the program gives by itself."""
    name = f"{prefix}{table}:{key}"
    return name if len(name) <= LONGEST else f"{prefix}{hashlib.sha256(name.encode()).hexdigest()}"
