"""Revisions of the house's catalog: what is published, how two of them differ, and which tables a new one changes."""

from collections.abc import Iterator, Sequence
from difflib import unified_diff
from typing import Literal

from typing_extensions import TypedDict

from upcard.catalog.index import Catalog
from upcard.catalog.ruleset import Ruleset, ruleset_of
from upcard.catalog.workspace_files import Files
from upcard.ledger import workspaces
from upcard.ledger.book import Reader
from upcard.ledger.chains import state_of
from upcard.ledger.requests import PublishCatalog
from upcard.ledger.table_state import TableState
from upcard.ledger.unit import Unit
from upcard.ledger.workspaces import Revision
from upcard.problems import BadRequest, UpcardError
from upcard.service.house_catalog import HouseCatalog
from upcard.service.pending import PendingCommand
from upcard.service.refusals import ServiceRefusal, ServiceRefused
from upcard.service.rules_in_force import same_jackpot_triggers

OPERATOR = "operator"  # the role of whoever has the operator's key, at the command line of a house without accounts


class TableDifference(TypedDict):
    """A table whose layout differs. One with an open jackpot that other hands would win keeps its rules."""

    table: str
    layout: str
    change: Literal["changed", "removed"]
    keeps_rules: bool


class FileDifference(TypedDict):
    """How a file differs between two revisions, as lines that begin with + and -."""

    path: str
    change: Literal["added", "changed", "removed"]
    diff: str


def check_publishing(catalogs: HouseCatalog, reader: Reader, request: PublishCatalog, pending: PendingCommand) -> None:
    """Refuses one person alone a revision that changes a layout in use."""
    if pending.consent is not None or pending.role == OPERATOR:
        return
    changed = changed_tables(catalogs, reader, request.content)
    if changed:
        raise ServiceRefused(ServiceRefusal.LAYOUT_IN_USE, tables=[change["table"] for change in changed])


def changed_tables(catalogs: HouseCatalog, reader: Reader, content: str) -> list[TableDifference]:
    """The tables of the house whose layout is other in the files with this hash than in the revision in force."""
    connection = reader.unit.connection
    before = catalogs.in_force(connection, reader.house()).catalog
    after = catalogs.find(connection, content)
    return [] if after is None else list(_changed_tables(reader.unit, before, after))


def _changed_tables(unit: Unit, before: Catalog, after: Catalog) -> Iterator[TableDifference]:
    for chain in unit.chains().values():
        state = state_of(chain) if chain.number and chain.name.startswith("table:") else None
        if not isinstance(state, TableState):
            continue
        old, new = _rules(before, state.layout), _rules(after, state.layout)
        if new is None and old is not None:
            yield {"table": state.table, "layout": state.layout, "change": "removed", "keeps_rules": False}
        elif new is not None and (old is None or old.hash != new.hash):
            linked = bool(state.links) and old is not None and not same_jackpot_triggers(old, new)
            yield {"table": state.table, "layout": state.layout, "change": "changed", "keeps_rules": linked}


def _rules(catalog: Catalog, layout: str) -> Ruleset | None:
    try:
        return ruleset_of(catalog, layout)
    except UpcardError:
        return None


def published(unit: Unit) -> list[Revision]:
    """Every revision, the newest first."""
    return list(workspaces.revisions(unit.connection))[::-1]


def files_of(unit: Unit, number: int) -> Files:
    """The files of a revision; revision 0 has none."""
    if not number:
        return {}
    for revision in workspaces.revisions(unit.connection):
        if revision.number == number:
            try:
                files = workspaces.find(unit.connection, revision.content)
            except ValueError:
                files = None
            if files is None:
                raise BadRequest(f"the files of revision {number} were changed or lost: run upcard ledger check")
            return files
    raise BadRequest(f"the catalog has no revision {number}")


def compare(before: Files, after: Files) -> list[FileDifference]:
    """The files that differ, by path."""
    changes: list[FileDifference] = []
    for path in sorted({*before, *after}):
        old, new = before.get(path), after.get(path)
        if old == new:
            continue
        change: Literal["added", "changed", "removed"] = (
            "added" if old is None else "removed" if new is None else "changed"
        )
        changes.append({"path": path, "change": change, "diff": _diff(old or "", new or "")})
    return changes


def _diff(old: str, new: str) -> str:
    lines: Sequence[str] = list(unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=2))
    return "\n".join(lines[2:])  # without the names of the two files
