"""Builds the ASGI application from the settings; opens the book at startup and shuts down gracefully."""

import asyncio
import hmac
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime, timedelta
from importlib.metadata import version
from typing import Annotated

import structlog
from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.openapi.utils import get_openapi
from fastapi.params import Query
from typing_extensions import TypedDict

from upcard.api import metrics, problems
from upcard.api.absent_players import mark_absent_players
from upcard.api.auth import server_of, session_of
from upcard.api.messages import message_schema
from upcard.api.middleware import RequestGuard
from upcard.api.pages import pages
from upcard.api.problems import MEDIA, ProblemDetails
from upcard.api.routes import (
    approvals,
    cage,
    catalog,
    commands,
    display,
    floor,
    floor_log,
    hints,
    history,
    jackpots,
    lab,
    layouts,
    own_sessions,
    passwords,
    people,
    queries,
    seat_filler,
    sign_in,
)
from upcard.api.server import Server
from upcard.api.settings import Settings
from upcard.api.socket import Socket
from upcard.api.token_buckets import Buckets
from upcard.catalog import Catalog, open_catalog
from upcard.people import PasswordCost
from upcard.service.demo_tables import open_demo_tables
from upcard.service.health import HealthReport
from upcard.service.pending import Entropy
from upcard.service.running import ServiceOptions, serving
from upcard.service.seat_filler import SeatFiller
from upcard.service.wire_models import Details

_log = structlog.get_logger("upcard.app")

Clock = Callable[[], datetime]


class ServiceCard(TypedDict):
    """What every page must know before it shows anything."""

    demo: bool
    version: str


class Health(HealthReport):
    """Whether the service can store commands, what is wrong, and its version."""

    healthy: bool
    demo: bool
    version: str


def _catalog(settings: Settings) -> Catalog | None:
    """The catalog with the house's workspaces; None without them: the shipped one."""
    return open_catalog(None, settings.catalog) if settings.catalog else None


def _service_options(settings: Settings) -> ServiceOptions:
    return ServiceOptions(
        refusals_per_minute=settings.refusals_per_minute,
        clock_limit=timedelta(seconds=settings.clock_limit_seconds),
        checkpoints=settings.checkpoints,
        time_from_book=settings.time_from_book,
    )


def create_app(
    settings: Settings,
    *,
    clock: Clock | None = None,
    cost: PasswordCost | None = None,
    entropy: Entropy = secrets.token_bytes,
) -> FastAPI:
    """The application; it opens the book when it starts, and closes it when it stops.

    `clock` expires sessions, tickets, codes and approvals. `cost` is the work factor of password hashing. `entropy`
    supplies random bytes for shoe keys, tokens and guests' names.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        async with AsyncExitStack() as stack:
            running = serving(
                settings.book,
                key=settings.key,
                catalog=_catalog(settings),
                entropy=entropy,
                options=_service_options(settings),
            )
            service = await asyncio.to_thread(running.__enter__)
            stack.push_async_callback(asyncio.to_thread, running.__exit__, None, None, None)
            sign_ins = Buckets(settings.sign_ins_per_minute / 60, settings.sign_ins_per_minute)
            people_of_house = service.people(clock=clock, cost=cost)
            server = Server(settings=settings, service=service, people=people_of_house, sign_ins=sign_ins)
            stack.push_async_callback(asyncio.to_thread, server.workers.stop)
            if settings.demo:
                await asyncio.to_thread(open_demo_tables, service)
                server.seat_filler = SeatFiller(service, pace=settings.demo_pace)
                await asyncio.to_thread(server.seat_filler.start)
                stack.push_async_callback(asyncio.to_thread, server.seat_filler.stop)
                if settings.hints:
                    await asyncio.to_thread(server.hint_worker.compile_ahead)
            listener = server.start(loop)
            if listener is not None:
                stack.push_async_callback(asyncio.to_thread, listener.stop)
            app.state.server = server
            _log.info("started", book=service.address, demo=settings.demo)
            feeds = (server.hub.signs.run(), server.overview.run(), server.lobby.run())
            background = (server.recheck(), mark_absent_players(server), *feeds)
            tasks = [asyncio.create_task(coroutine) for coroutine in background]
            yield
            for task in tasks:
                task.cancel()
            server.restart_sockets()
            await asyncio.sleep(0.05)
        _log.info("stopped")

    app = FastAPI(
        title="Upcard",
        version=version("upcard"),
        description="Live blackjack tables from their filings: commands over REST, tables over a WebSocket.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # served by a route below, which has an access rule like all others
        responses={"default": {"model": ProblemDetails, "description": "Any error"}},
    )
    problems.install(app)
    for module in (
        sign_in,
        people,
        passwords,
        own_sessions,
        approvals,
        cage,
        queries,
        history,
        layouts,
        hints,
        seat_filler,
        lab,
        catalog,
        floor,
        jackpots,
        floor_log,
        display,
        commands,
    ):
        app.include_router(module.routes)
    _add_operating_routes(app)
    app.router.routes.append(pages())  # last: it answers every path that no route above matches
    app.add_middleware(RequestGuard, settings=settings)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]  # the documented way to change it
    return app


def _add_operating_routes(app: FastAPI) -> None:
    @app.get(
        "/healthz", tags=["operating"], openapi_extra={"x-operation": "health"}, responses={503: {"model": Health}}
    )
    def health(request: Request, response: Response) -> Health:
        """Checks that the book can be written; 503 if not. `degraded` means that it can, but some tables are stopped
        or the machine's clock was moved."""
        server = server_of(request)
        report = server.health.report()
        healthy = report["status"] != "failing"
        if not healthy:
            response.status_code = 503
        return {**report, "healthy": healthy, "demo": server.settings.demo, "version": version("upcard")}

    @app.get("/api/service", tags=["operating"], openapi_extra={"x-operation": "read service"})
    def service(request: Request) -> ServiceCard:
        """Whether this is a demo, and the version. Pages ask here: unlike `/healthz` it waits for no write."""
        return {"demo": server_of(request).settings.demo, "version": version("upcard")}

    @app.get("/metrics", tags=["operating"], openapi_extra={"x-operation": "metrics"}, response_class=Response)
    def prometheus(request: Request) -> Response:
        """Metrics for Prometheus, with the token from the settings; or for the floor and auditors."""
        server = server_of(request)
        _, _, token = request.headers.get("Authorization", "").partition(" ")
        metrics_token = server.settings.metrics_token
        if not (metrics_token and hmac.compare_digest(token.encode(), metrics_token.encode())):
            server.allow(session_of(request), "metrics")
        return Response(metrics.text(), media_type="text/plain; version=0.0.4")

    @app.get("/api/messages.json", tags=["operating"], openapi_extra={"x-operation": "message schema"})
    def messages() -> Details:
        """The schema of every message over the WebSocket, in both directions."""
        return message_schema()

    @app.get("/api/openapi.json", tags=["operating"], openapi_extra={"x-operation": "api schema"})
    def schema() -> Details:
        """The OpenAPI description of this API."""
        return _openapi(app)

    @app.websocket("/ws")
    async def socket(websocket: WebSocket, ticket: Annotated[str, Query()] = "") -> None:
        server: Server = websocket.app.state.server
        session = None if server.stopping else await asyncio.to_thread(server.people.redeem, ticket, "socket")
        await websocket.accept()  # also to refuse it: a close code reaches a client only over an open socket
        if server.stopping:
            await websocket.close(1012, "the service restarts")
        elif session is None:
            await websocket.close(4401, "invalid or expired ticket")
        elif server.sockets_of(session.person) >= server.settings.sockets_per_person:
            await websocket.close(4429, "too many sockets")
        else:
            server.signed_in.keep_socket(session.person.name, websocket.scope)
            await Socket(server, websocket, session).run()


def _openapi(app: FastAPI) -> Details:
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        schema.setdefault("components", {})["securitySchemes"] = {
            "bearer": {"type": "http", "scheme": "bearer"},
            "cookie": {"type": "apiKey", "in": "cookie", "name": "__Host-upcard"},
        }
        for operations in schema["paths"].values():
            for operation in operations.values():
                problem_response = operation["responses"]["default"]
                problem_response["content"] = {MEDIA: problem_response["content"]["application/json"]}
        schema["security"] = [{"bearer": []}, {"cookie": []}]
        app.openapi_schema = schema
    return app.openapi_schema
