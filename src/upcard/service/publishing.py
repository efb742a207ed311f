"""Files on their way into the house's catalog: kept in the book once they are sound, and published under a number.

A set of files that was checked is kept under its hash. The command that publishes it names that hash, so a second
person approves exactly these files, and the command is short.
"""

from collections.abc import Callable
from dataclasses import dataclass

from upcard.catalog.workspace_check import WorkspaceReport
from upcard.catalog.workspace_files import Files
from upcard.ledger import workspaces
from upcard.problems import BadFile
from upcard.service.catalog_changes import FileDifference, TableDifference, changed_tables, compare, files_of
from upcard.service.desk import Desk
from upcard.workers.file_check import check_workspace

CheckFiles = Callable[[Files], WorkspaceReport]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Files that can be published: what they bring, and what they change."""

    content: str  # the hash under which the book has them
    revision: int  # the number they get if they are published now
    report: WorkspaceReport
    files: tuple[FileDifference, ...]  # compared with the revision in force
    tables: tuple[TableDifference, ...]  # whose layouts they change: then two people are needed


def propose(desk: Desk, files: Files, check: CheckFiles = check_workspace) -> Proposal:
    """Checks files and keeps them in the book; raises BadFile with every problem, and then keeps nothing."""
    report = check(files)
    if report.problems:
        raise BadFile(report.problems)
    with desk.store.transaction() as unit:
        content = workspaces.keep(unit.connection, files)
    desk.context.catalogs.prepare(content, files)
    return _proposal(desk, files, content, report)


def propose_restoring(desk: Desk, number: int, check: CheckFiles = check_workspace) -> Proposal:
    """The files of an earlier revision, to be published again."""
    with desk.book.look() as reader:
        files = files_of(reader.unit, number)
    return propose(desk, files, check)


def _proposal(desk: Desk, files: Files, content: str, report: WorkspaceReport) -> Proposal:
    with desk.book.look() as reader:
        house = reader.house()
        return Proposal(
            content=content,
            revision=house.revision + 1,
            report=report,
            files=tuple(compare(files_of(reader.unit, house.revision), files)),
            tables=tuple(changed_tables(desk.context.catalogs, reader, content)),
        )
