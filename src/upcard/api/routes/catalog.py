"""The house's catalog over HTTP: its revisions, how they differ, and files that are proposed for the next one.

A proposal is checked and kept; publishing it is a command of the house, `publish-catalog`, which names its hash.
"""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from upcard.api.auth import CurrentServer, CurrentSession
from upcard.api.server import Server
from upcard.catalog.workspace_check import WorkspaceReport
from upcard.service import catalog_changes, publishing
from upcard.service.catalog_changes import FileDifference, TableDifference
from upcard.service.publishing import Proposal
from upcard.workers.file_check import check_in_worker

READ, PROPOSE = {"x-operation": "read catalog"}, {"x-operation": "propose catalog"}
MOST_FILES = 400  # in a request; how many a workspace may have is a problem like others
Number = Annotated[int, Path(ge=0, le=1_000_000)]
QueryNumber = Annotated[int, Query(ge=0, le=1_000_000)]
FilesBody = Annotated[
    dict[Annotated[str, Field(max_length=200)], Annotated[str, Field(max_length=1_100_000)]],
    Field(max_length=MOST_FILES),
]


class RevisionLine(TypedDict):
    """A published revision of the catalog."""

    revision: int
    content: str  # the SHA-256 of its files
    at: str
    by: str
    note: str
    restores: int | None  # the earlier revision whose files these are


class OwnNames(TypedDict):
    """What files bring, by name."""

    kinds: list[str]
    paytables: list[str]
    games: list[str]
    layouts: list[str]


class FileLine(TypedDict):
    path: str
    bytes: int


class CatalogCard(TypedDict):
    """The catalog of the house: the revision in force, with its files, and all revisions, the newest first."""

    revision: int  # 0: nothing was published
    loaded: int  # the revision that this process works with
    files: list[FileLine]
    own: OwnNames
    workspaces: list[str]  # folders that this process was given besides
    revisions: list[RevisionLine]


class RevisionFiles(TypedDict):
    revision: int
    files: dict[str, str]  # text by path


class ProposalCard(TypedDict):
    """Files that can be published as this revision, and what they change."""

    content: str
    revision: int
    needs_two: bool
    own: OwnNames
    notices: list[str]
    files: list[FileDifference]
    tables: list[TableDifference]


def own_names(report: WorkspaceReport) -> OwnNames:
    return {
        "kinds": list(report.kinds),
        "paytables": list(report.paytables),
        "games": list(report.games),
        "layouts": list(report.layouts),
    }


class ProposedFiles(BaseModel):
    """All files of a workspace: text by path, like layouts/my-game.toml."""

    model_config = ConfigDict(extra="forbid")

    files: FilesBody


routes = APIRouter(prefix="/api/catalog", tags=["floor"])


@routes.get("", openapi_extra=READ)
def catalog_card(server: CurrentServer, _: CurrentSession) -> CatalogCard:
    """The revision in force, its files, and the history."""
    desk = server.service.desk
    loaded = desk.refresh_catalog()
    with desk.book.look() as reader:
        house = reader.house()
        files = catalog_changes.files_of(reader.unit, house.revision)
        revisions = catalog_changes.published(reader.unit)
    return {
        "revision": house.revision,
        "loaded": loaded.number,
        "files": [{"path": path, "bytes": len(text.encode())} for path, text in sorted(files.items())],
        "own": {
            "kinds": list(loaded.catalog.own("kinds")),
            "paytables": list(loaded.catalog.own("paytables")),
            "games": list(loaded.catalog.own("games")),
            "layouts": list(loaded.catalog.own("layouts")),
        },
        "workspaces": [str(folder) for folder in desk.context.catalogs.base.workspaces],
        "revisions": [
            {
                "revision": revision.number,
                "content": revision.content,
                "at": revision.at,
                "by": revision.actor,
                "note": revision.note,
                "restores": revision.restores or None,
            }
            for revision in revisions
        ],
    }


@routes.get("/revisions/{number}", openapi_extra=READ)
def revision_files(number: Number, server: CurrentServer, _: CurrentSession) -> RevisionFiles:
    """The files of a revision; revision 0 has none."""
    with server.service.desk.book.look() as reader:
        return {"revision": number, "files": dict(catalog_changes.files_of(reader.unit, number))}


@routes.get("/compare", openapi_extra=READ)
def compare(server: CurrentServer, _: CurrentSession, before: QueryNumber, after: QueryNumber) -> list[FileDifference]:
    """How two revisions differ, file by file."""
    with server.service.desk.book.look() as reader:
        old, new = (catalog_changes.files_of(reader.unit, number) for number in (before, after))
    return catalog_changes.compare(old, new)


@routes.post("/proposals", openapi_extra=PROPOSE)
def propose(body: ProposedFiles, server: CurrentServer, _: CurrentSession) -> ProposalCard:
    """Checks files and keeps them, so that they can be published; refuses them with every problem."""
    return _card(publishing.propose(server.service.desk, body.files, _checked(server)))


@routes.post("/revisions/{number}/proposal", openapi_extra=PROPOSE)
def propose_restoring(number: Number, server: CurrentServer, _: CurrentSession) -> ProposalCard:
    """Checks the files of an earlier revision, so that they can be published again."""
    return _card(publishing.propose_restoring(server.service.desk, number, _checked(server)))


def _checked(server: Server) -> publishing.CheckFiles:
    return lambda files: check_in_worker(server.workers, files)


def _card(proposal: Proposal) -> ProposalCard:
    report = proposal.report
    return {
        "content": proposal.content,
        "revision": proposal.revision,
        "needs_two": bool(proposal.tables),
        "own": own_names(report),
        "notices": list(report.notices),
        "files": list(proposal.files),
        "tables": list(proposal.tables),
    }
