"""The application: put together from settings, served by any ASGI server, and stopped gracefully."""

import asyncio
import hmac
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from importlib.metadata import version
from typing import Annotated

import structlog
from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.openapi.utils import get_openapi
from fastapi.params import Query
from typing_extensions import TypedDict

from upcard.api import metrics, problems
from upcard.api.absent_players import miss_the_absent
from upcard.api.auth import server_of, session_of
from upcard.api.messages import message_schema
from upcard.api.middleware import Guarding
from upcard.api.pages import pages
from upcard.api.problems import MEDIA, Problem
from upcard.api.rate_limit import Buckets
from upcard.api.routes import commands, display, floor, hints, lab, layouts, passwords, people, queries, seat_filler
from upcard.api.server import Server
from upcard.api.settings import Settings
from upcard.api.socket import Socket
from upcard.people import PasswordCost
from upcard.service.demo_tables import open_demo_tables
from upcard.service.pending import Entropy
from upcard.service.running import serving
from upcard.service.seat_filler import SeatFiller
from upcard.service.wire_models import Details

_log = structlog.get_logger("upcard.app")

Clock = Callable[[], datetime]


class Health(TypedDict):
    """That the service runs, and which."""

    healthy: bool
    demo: bool
    version: str


def create_app(
    settings: Settings,
    *,
    clock: Clock | None = None,
    cost: PasswordCost | None = None,
    entropy: Entropy = secrets.token_bytes,
) -> FastAPI:
    """The application; it opens the book when it starts, and closes it when it stops.

    The clock is the door's: by it sessions, tickets, codes and approvals run out. The cost is that of a password,
    and the entropy whatever is drawn: keys of shoes, tokens, guests' names.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        async with AsyncExitStack() as stack:
            running = serving(settings.book, key=settings.key, entropy=entropy)
            service = await asyncio.to_thread(running.__enter__)
            stack.push_async_callback(asyncio.to_thread, running.__exit__, None, None, None)
            sign_ins = Buckets(settings.sign_ins_a_minute / 60, settings.sign_ins_a_minute)
            people_of_house = service.people(clock=clock, cost=cost)
            server = Server(settings=settings, service=service, people=people_of_house, sign_ins=sign_ins)
            stack.push_async_callback(asyncio.to_thread, server.workers.stop)
            if settings.demo:
                await asyncio.to_thread(open_demo_tables, service)
                server.company = SeatFiller(service, pace=settings.demo_pace)
                await asyncio.to_thread(server.company.start)
                stack.push_async_callback(asyncio.to_thread, server.company.stop)
                if settings.hints:
                    await asyncio.to_thread(server.pricing.compile_ahead)
            listening = server.start(loop)
            if listening is not None:
                stack.push_async_callback(asyncio.to_thread, listening.stop)
            app.state.server = server
            _log.info("started", book=service.address, demo=settings.demo)
            lasting = (server.recheck(), miss_the_absent(server), server.hub.signs.run(), server.overview.run())
            watching = [asyncio.create_task(one) for one in lasting]
            yield
            for task in watching:
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
        openapi_url=None,  # it is a route of its own below, with a rule like all others
        responses={"default": {"model": Problem, "description": "Anything that went wrong"}},
    )
    problems.install(app)
    for part in (people, passwords, queries, layouts, hints, seat_filler, lab, floor, display, commands):
        app.include_router(part.routes)
    _plain_routes(app)
    app.router.routes.append(pages())  # last: every address that nobody above has
    app.add_middleware(Guarding, settings=settings)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]  # the documented way to change it
    return app


def _plain_routes(app: FastAPI) -> None:
    @app.get("/healthz", tags=["operating"], openapi_extra={"x-operation": "health"})
    def health(request: Request) -> Health:
        """Whether the book can be read and the desk writes."""
        server = server_of(request)
        server.service.queries.tables()
        return {"healthy": True, "demo": server.settings.demo, "version": version("upcard")}

    @app.get("/metrics", tags=["operating"], openapi_extra={"x-operation": "metrics"}, response_class=Response)
    def prometheus(request: Request) -> Response:
        """For Prometheus, with the token of the settings; or for the floor and auditors."""
        server = server_of(request)
        _, _, shown = request.headers.get("Authorization", "").partition(" ")
        wanted = server.settings.metrics_token
        if not (wanted and hmac.compare_digest(shown.encode(), wanted.encode())):
            server.allow(session_of(request), "metrics")
        return Response(metrics.text(), media_type="text/plain; version=0.0.4")

    @app.get("/api/messages.json", tags=["operating"], openapi_extra={"x-operation": "message schema"})
    def messages() -> Details:
        """The schema of everything that is said over the socket, by either side."""
        return message_schema()

    @app.get("/api/openapi.json", tags=["operating"], openapi_extra={"x-operation": "api schema"})
    def schema() -> Details:
        """This description."""
        return _openapi(app)

    @app.websocket("/ws")
    async def socket(websocket: WebSocket, ticket: Annotated[str, Query()] = "") -> None:
        server: Server = websocket.app.state.server
        session = await asyncio.to_thread(server.people.redeem, ticket, "socket")
        if session is None or server.stopping:
            await websocket.close(4401, "this ticket opens nothing")
            return
        same = sum(one.session.person == session.person for own in server.sockets.values() for one in own)
        if same >= server.settings.sockets_a_person:
            await websocket.close(4429, "too many sockets")
            return
        await websocket.accept()
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
                wrong = operation["responses"]["default"]
                wrong["content"] = {MEDIA: wrong["content"]["application/json"]}
        schema["security"] = [{"bearer": []}, {"cookie": []}]
        app.openapi_schema = schema
    return app.openapi_schema
