"""The rules a table plays by and those in its files: when they differ, and the notice to the floor.

A shoe finishes under the rules it began with. Between two shoes the table takes the rules in its files, and records
that. If the files cannot be used, or the terms of an open jackpot would change, the table keeps its rules.
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
from upcard.service.house_catalog import LoadedRevision
from upcard.service.live_table import LiveTable, is_between_shoes
from upcard.service.pending import LONGEST, Context

if TYPE_CHECKING:
    from upcard.service.desk import Desk
    from upcard.service.queries import Queries

# Prefixes of the ids of automatic commands.
TIMER, RULES, ACCRUE, NEW_DAY, RESTORED = "timer:", "rules:", "accrue/", "new-day:", "restored:"

phrases(
    {
        "rules/next-shoe": "its files contain new rules, which take effect with the next shoe",
        "rules/jackpot": "its files contain new rules that would change an open jackpot; the table keeps its old rules",
        "rules/file-broken": "its files contain errors ({problems}); the table keeps its old rules; run upcard check",
        "rules/file-missing": "its layout {layout:quoted} is no longer in the catalog; the table keeps its old rules",
        "rules/unusable": "its files cannot be used; the table keeps its old rules; run upcard check",
    }
)


def rules_in_files(catalog: Catalog, live: LiveTable) -> Ruleset | UpcardError | None:
    """The rules in a table's files if they differ from those it plays by; or the error in the files."""
    try:
        rules = ruleset_of(catalog, live.layout)
    except UpcardError as error:
        return error
    return None if rules.hash == live.rules.hash else rules


def can_take_rules(context: Context, live: LiveTable, revision: int) -> bool:
    """Whether the open table is between two shoes, and this process may give it the rules of a revision."""
    return live.opened and not live.table.closed and is_between_shoes(live) and has_newer_files(context, live, revision)


def has_newer_files(context: Context, live: LiveTable, revision: int) -> bool:
    """Whether the revision is later than the table's, or this process read its files after the table's last change of
    rules: a process that started earlier, with an older program, must not bring the old rules back."""
    return live.revision < revision or (live.revision == revision and live.rules_since <= context.started)


def rules_to_take(context: Context, revision: LoadedRevision, live: LiveTable) -> Ruleset | None:
    """The rules that a table takes now: other rules, or the same under a later revision; None: it keeps its own."""
    if not can_take_rules(context, live, revision.number):
        return None
    rules = rules_in_files(revision.catalog, live)
    if rules is None and live.revision < revision.number:
        return live.rules
    return rules if isinstance(rules, Ruleset) else None


def rules_to_open(revision: LoadedRevision, command: s.OpenTable, live: LiveTable | None) -> tuple[Ruleset, int]:
    """The rules in the files, and their revision; if they cannot be used, those of the table when it was last open."""
    try:
        return ruleset_of(revision.catalog, command.layout), revision.number
    except UpcardError:
        if live is None or live.layout != command.layout:
            raise
        return live.rules, live.revision


@lru_cache(maxsize=1024)
def same_jackpot_triggers(old: Ruleset, new: Ruleset) -> bool:
    """Whether every jackpot of the old rules is won by the same hands under the new rules."""
    later = triggers_of(new)
    return all(later.get(wager) == trigger for wager, trigger in triggers_of(old).items())


def rules_notice(context: Context, live: LiveTable) -> Coded | None:
    """The notice to the floor about a table's rules; None if they are those in its files, or newer."""
    current = context.catalogs.current
    rules = rules_in_files(current.catalog, live)
    match rules:
        case None:
            return None
        case Ruleset() if not has_newer_files(context, live, current.number):
            return None
        case Ruleset():
            return {"code": "rules/next-shoe" if same_jackpot_triggers(live.rules, rules) else "rules/jackpot"}
        case BadFile():
            return {"code": "rules/file-broken", "problems": len(rules.problems)}
        case UnknownName():
            return {"code": "rules/file-missing", "layout": live.layout}
        case _:
            return {"code": "rules/unusable"}


def take_new_rules(desk: "Desk", queries: "Queries") -> None:
    """At startup, or after a revision was published, gives every table between two shoes the rules in its files."""
    revision = desk.refresh_catalog()
    for table in queries.tables():
        try:
            live = desk.live(table)
        except UpcardError:
            continue  # stopped: the floor has to reset it
        if rules_to_take(desk.context, revision, live) is not None:
            desk.ask(s.ChangeRules(table=table), id=rules_id(live), actor=CLOCK, role=CLOCK).exception()


def rules_id(live: LiveTable) -> str:
    """The id of the change of rules after a table's last record: the same in every process, so it happens once."""
    return program_id(RULES, live.name, str(live.version))


def program_id(prefix: str, table: str, key: str) -> str:
    """The id of an automatic command."""
    name = f"{prefix}{table}:{key}"
    return name if len(name) <= LONGEST else f"{prefix}{hashlib.sha256(name.encode()).hexdigest()}"
