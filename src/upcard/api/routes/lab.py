"""The lab over HTTP: odds for everybody, simulations for people who are signed in."""

import asyncio
import json
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from starlette.concurrency import run_in_threadpool
from typing_extensions import TypedDict

from upcard.api.auth import CurrentServer, server_of
from upcard.api.lab.params import Form, MainOddsQuery, OddsQuery, Slug, command_of
from upcard.api.problems import ProblemError
from upcard.api.routes import lab_files, simulations
from upcard.catalog import paytable_data
from upcard.catalog.index import Catalog
from upcard.catalog.pays import pay_text
from upcard.odds.answer import as_csv, as_json
from upcard.odds.curves import by_decks, by_meter
from upcard.odds.question import answers
from upcard.service.wire_models import Details
from upcard.wagers import DealKind
from upcard.workers.figures import FigureRequest, WagerFigureRequest, check

READ = {"x-operation": "read odds"}
FILES: dict[int | str, dict[str, Any]] = {
    200: {"description": "A file", "content": {"application/json": {"schema": {}}, "text/csv": {"schema": {}}}}
}
DISCONNECT_POLL = 0.25  # seconds between two checks that the client is still connected
_MEDIA = {"json": "application/json", "csv": "text/csv; charset=utf-8"}


class WagerOdds(TypedDict):
    """A paytable's odds, also by decks and by meter, and the command that gives the same odds."""

    odds: Details
    by_decks: list[Details]
    by_meter: dict[str, Details]
    command: str


routes = APIRouter(tags=["lab"])


@routes.get("/api/lab/paytables", openapi_extra=READ)
def paytables(server: CurrentServer) -> list[Details]:
    """Every paytable, with all events of its wager, paid or not."""
    return _paytable_list(server.service.desk.catalog)


@routes.get("/api/lab/wagers/{slug}", openapi_extra=READ)
def wager(slug: Slug, question: OddsQuery) -> WagerOdds:
    """The odds of a paytable, filed or edited, also by decks and by meter, and the command for them."""
    filed = question.catalog.paytable(slug)
    (answer,) = answers(filed, question)[-1:]
    return {
        "odds": json.loads(as_json(answer)),
        "by_decks": json.loads(by_decks(filed, question)),
        "by_meter": json.loads(by_meter(question.catalog, answer)),
        "command": command_of(filed, question),
    }


@routes.get("/api/lab/odds/{slug}", openapi_extra=READ, response_class=Response, responses=FILES)
def odds(slug: Slug, question: OddsQuery, form: Form = "json") -> Response:
    """The output of `upcard odds`."""
    rows = answers(question.catalog.paytable(slug), question)
    text = as_csv(rows) if form == "csv" else as_json(rows if question.decks is None else rows[0])
    return _file(text, f"odds-{slug}", form)


@routes.get("/api/lab/removal/{slug}", openapi_extra=READ, response_class=Response, responses=FILES)
async def removal(slug: Slug, question: OddsQuery, request: Request, form: Form = "json") -> Response:
    """The effect of removing each card, and the counts derived from it: `upcard odds ... --removal`."""
    return await _compute(request, WagerFigureRequest(slug=slug, question=question, form=form), f"removal-{slug}")


@routes.get("/api/lab/count/{slug}", openapi_extra=READ, response_class=Response, responses=FILES)
async def count(
    slug: Slug,
    question: OddsQuery,
    request: Request,
    count: Annotated[str, Query(max_length=400)] = "hilo",
    gone: Annotated[int | None, Query(ge=1, le=416)] = None,
    form: Form = "json",
) -> Response:
    """The wager's edge by true count: `upcard odds ... --count`."""
    figure = WagerFigureRequest(slug=slug, question=question, count=count, gone=gone, form=form)
    return await _compute(request, figure, f"count-{slug}")


@routes.get("/api/lab/main/{slug}", openapi_extra=READ, response_class=Response, responses=FILES)
async def main(figure: MainOddsQuery, request: Request) -> Response:
    """The exact value of a main game: `upcard odds main`."""
    return await _compute(request, figure, str(figure.question.game))


@routes.get("/api/lab/strategy/{slug}", openapi_extra=READ, response_class=Response, responses=FILES)
async def strategy(figure: MainOddsQuery, request: Request) -> Response:
    """The best chart, and what each deviation from it costs: `upcard strategy`."""
    return await _compute(request, replace(figure, chart=True), f"strategy-{figure.question.game}")


routes.include_router(simulations.routes)
routes.include_router(lab_files.routes)


async def _compute(request: Request, figure: FigureRequest, name: str) -> Response:
    """Waits for the figure as long as the client stays connected."""
    await run_in_threadpool(check, figure)
    server = server_of(request)
    answer = asyncio.ensure_future(server.lab_jobs.ask(figure))
    while not (await asyncio.wait({answer}, timeout=DISCONNECT_POLL))[0]:
        if server.stopping:
            answer.cancel()
            raise ProblemError(
                503, "RESTARTING", "the service is restarting; try again in a moment", {"Retry-After": "2"}
            )
        if await request.is_disconnected():
            answer.cancel()
            return Response(status_code=204)
    return _file(await answer, name, figure.form)


def _file(text: str, name: str, form: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}.{form}"'}
    return Response(text, media_type=_MEDIA[form], headers=headers)


@lru_cache(maxsize=4)  # a house publishes revisions
def _paytable_list(catalog: Catalog) -> list[Details]:
    games = {game.number: game for game in catalog.games.values()}
    return [
        {
            **json.loads(paytable_data.as_json(table)),
            "kind": table.kind.title,
            "game": games[table.filing].slug if table.filing in games else None,
            "reads_suit": isinstance(table.kind, DealKind) and table.kind.reads_chosen_suit,
            "pays": {event: pay_text(pay) for event, pay in table.lines.items()},
            "events": [{"event": event, "title": table.title(event)} for event in table.kind.events],
        }
        for table in catalog.paytables.values()
    ]
