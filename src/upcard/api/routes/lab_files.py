"""Files of one's own in the lab: checked and priced, never stored; and the files of a layout, to begin with."""

from fastapi import APIRouter
from typing_extensions import TypedDict

from upcard.api.auth import CurrentServer, CurrentSession
from upcard.api.lab.params import Slug
from upcard.api.problems import Place, place_of
from upcard.api.routes.catalog import OwnNames, ProposedFiles, own_names
from upcard.catalog.source_files import files_of_layout
from upcard.workers.file_check import PaytablePrice, price_in_worker


class CheckedFiles(TypedDict):
    """Every problem of the files, what they bring, and their prices."""

    problems: list[Place]
    notices: list[str]
    own: OwnNames
    prices: list[PaytablePrice]


class LayoutFiles(TypedDict):
    """The files of a layout and of its game."""

    files: dict[str, str]


routes = APIRouter(tags=["lab"])


@routes.post("/api/lab/files", openapi_extra={"x-operation": "check files"})
def check_files(body: ProposedFiles, server: CurrentServer, _: CurrentSession) -> CheckedFiles:
    """Checks files as a workspace over the shipped catalog, and prices their paytables."""
    report, prices = price_in_worker(server.workers, body.files)
    return {
        "problems": [place_of(problem) for problem in report.problems],
        "notices": list(report.notices),
        "own": own_names(report),
        "prices": prices,
    }


@routes.get("/api/lab/layouts/{slug}/files", openapi_extra={"x-operation": "read odds"})
def layout_files(slug: Slug, server: CurrentServer) -> LayoutFiles:
    """The files of a layout and of its game, to be edited."""
    return {"files": files_of_layout(server.service.desk.catalog, slug)}
