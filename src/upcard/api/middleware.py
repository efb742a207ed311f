"""Around every request: how big it may be, how often, where it may come from, and the headers of every answer."""

import math
import secrets
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import structlog
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from upcard.api.metrics import REQUESTS
from upcard.api.origin import check_host, check_origin
from upcard.api.problems import ProblemError, answer, problem_of
from upcard.api.rate_limit import Buckets
from upcard.api.settings import Settings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_log = structlog.get_logger("upcard.http")

MOST_BODY = 65_536
_SAFE = ("GET", "HEAD", "OPTIONS")
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
    "Cache-Control": "no-store",
}
TOO_LARGE = f"a request has at most {MOST_BODY} bytes"
HSTS = "max-age=31536000; includeSubDomains"


class Guarding:
    """The outermost layer of the application."""

    def __init__(self, app: App, settings: Settings) -> None:
        self.app, self.settings = app, settings
        a_second = settings.requests_a_minute / 60
        self.requests = Buckets(a_second, max(20.0, a_second * 10))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets a request through, or answers it at once."""
        if scope["type"] == "http":
            await self._guarded(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._let_in(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _guarded(self, scope: Scope, receive: Receive, send: Send) -> None:
        started, status = time.perf_counter(), 0
        request_id = secrets.token_hex(8)

        async def told(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message["headers"], *self._headers(message, request_id)]}
            await send(message)

        try:
            self._check(scope)
            await self.app(scope, _bounded(receive), told)
        except ProblemError as wrong:
            await answer(problem_of(wrong), wrong.headers)(scope, receive, told)
        except Exception as wrong:  # the last resort: one sentence for the guest, everything for the log
            _log.exception("failed", id=request_id)
            if status:
                raise
            await answer(problem_of(wrong))(scope, receive, told)
        finally:
            route = getattr(scope.get("route"), "path", "unknown")
            took = time.perf_counter() - started
            REQUESTS.labels(route, scope["method"], str(status)).observe(took)
            _log.info(
                "request",
                id=request_id,
                method=scope["method"],
                route=route,  # never the address itself, which may carry tokens
                status=status,
                ms=round(took * 1000, 1),
            )

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sockets are asked for over HTTP too: as often, and from the same places."""
        try:
            self._check(scope)
        except ProblemError as wrong:
            await answer(problem_of(wrong), wrong.headers)(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        wait = math.ceil(self.requests.take(address_of(scope)))
        if wait:
            raise ProblemError(429, "TOO_MANY_REQUESTS", f"wait {wait} s", {"Retry-After": str(wait)})
        headers = Headers(scope=scope)
        check_host(self.settings, headers.get("Host"))
        if scope.get("method") not in _SAFE:
            check_origin(self.settings, headers.get("Origin"), headers.get("Host"), headers.get("Sec-Fetch-Site"))
        length = headers.get("Content-Length", "0")
        if not length.isdecimal() or int(length[:20]) > MOST_BODY:
            raise ProblemError(413, "TOO_LARGE", TOO_LARGE)

    def _headers(self, message: Message, request_id: str) -> list[tuple[bytes, bytes]]:
        there = {name.lower() for name, _ in message["headers"]}
        wanted = {**HEADERS, "X-Request-Id": request_id}
        if self.settings.secure:
            wanted["Strict-Transport-Security"] = HSTS
        return [(name.encode(), value.encode()) for name, value in wanted.items() if name.lower().encode() not in there]


def _bounded(receive: Receive) -> Receive:
    """A body that does not say how long it is."""
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MOST_BODY:
            raise HTTPException(413, TOO_LARGE)  # what FastAPI lets through while it reads a body
        return message

    return counted


def address_of(scope: Scope) -> str:
    """Where a request comes from; uvicorn has put a trusted proxy's word in its place."""
    client = scope.get("client")
    return str(client[0]) if client else "unknown"
