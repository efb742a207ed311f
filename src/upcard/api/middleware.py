"""Checks every request (rate, size, host and origin) and adds the security headers to every response."""

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
from upcard.api.server import Server
from upcard.api.settings import Settings
from upcard.api.token_buckets import Buckets
from upcard.people.network import address_of as one_address

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_log = structlog.get_logger("upcard.http")

MAX_BODY_BYTES = 65_536
MAX_UPLOAD_BYTES = 3_000_000  # of the files of a workspace
_UPLOADS = ("/api/catalog/proposals", "/api/lab/files")
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_CLOSE_CODES = {403: 4403, 413: 1009, 429: 4429}  # of a socket that is refused, by HTTP status
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
HSTS = "max-age=31536000; includeSubDomains"


class RequestGuard:
    """The outermost layer of the application; handles a request, or refuses it."""

    def __init__(self, app: App, settings: Settings) -> None:
        self.app, self.settings = app, settings
        per_second = settings.requests_per_minute / 60
        self.requests = Buckets(per_second, max(20.0, per_second * 10))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        with structlog.contextvars.bound_contextvars(address=address_of(scope)):  # in every line that is logged for it
            if scope["type"] == "http":
                await self._handle_http(scope, receive, send)
            else:
                await self._handle_socket(scope, receive, send)

    async def _handle_http(self, scope: Scope, receive: Receive, send: Send) -> None:
        started, status = time.perf_counter(), 0
        request_id = secrets.token_hex(8)

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message["headers"], *self._headers(message, request_id)]}
            await send(message)

        try:
            self._check_request(scope)
            await self.app(scope, _limit_body(receive, _most_bytes(scope)), send_with_headers)
        except ProblemError as error:
            await answer(problem_of(error), error.headers)(scope, receive, send_with_headers)
        except Exception as error:  # the client gets one sentence, the log gets everything
            _log.exception("request failed", id=request_id)
            if status:
                raise
            await answer(problem_of(error))(scope, receive, send_with_headers)
        finally:
            route = getattr(scope.get("route"), "path", "unknown")
            seconds = time.perf_counter() - started
            REQUESTS.labels(route, scope["method"], str(status)).observe(seconds)
            _log.info(
                "request",
                id=request_id,
                method=scope["method"],
                route=route,  # never the path itself: it may contain tokens
                status=status,
                ms=round(seconds * 1000, 1),
            )

    async def _handle_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A WebSocket begins as an HTTP request, and passes the same checks; refusals have the documented codes."""
        try:
            self._check_request(scope)
        except ProblemError as error:
            _log.info("socket refused", reason=error.reason)
            await receive()  # the handshake
            await send({"type": "websocket.accept"})  # a close code reaches a client only over an open socket
            await send({"type": "websocket.close", "code": _CLOSE_CODES[error.status], "reason": error.reason})
            return
        await self.app(scope, receive, send)

    def _check_request(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        server: Server = scope["app"].state.server
        person = server.signed_in.name_of(headers)  # a flood from their address does not stop who is signed in
        wait = math.ceil(self.requests.take(f"person {person}" if person else one_address(address_of(scope))))
        if wait:
            raise ProblemError(
                429, "TOO_MANY_REQUESTS", f"too many requests; wait {wait} seconds", {"Retry-After": str(wait)}
            )
        check_host(self.settings, headers.get("Host"))
        if scope.get("method") not in _SAFE_METHODS:
            check_origin(self.settings, headers.get("Origin"), headers.get("Host"), headers.get("Sec-Fetch-Site"))
        length = headers.get("Content-Length", "0")
        most = _most_bytes(scope)
        if not length.isdecimal() or int(length[:20]) > most:
            raise ProblemError(413, "TOO_LARGE", _too_large(most))

    def _headers(self, message: Message, request_id: str) -> list[tuple[bytes, bytes]]:
        present = {name.lower() for name, _ in message["headers"]}
        headers = {**HEADERS, "X-Request-Id": request_id}
        if self.settings.secure:
            headers["Strict-Transport-Security"] = HSTS
        return [
            (name.encode(), value.encode()) for name, value in headers.items() if name.lower().encode() not in present
        ]


def _most_bytes(scope: Scope) -> int:
    return MAX_UPLOAD_BYTES if scope.get("path") in _UPLOADS else MAX_BODY_BYTES


def _too_large(most: int) -> str:
    return f"the request is too large; the limit is {most:,} bytes"


def _limit_body(receive: Receive, most: int) -> Receive:
    """Enforces the size limit on bodies without a Content-Length."""
    size = 0

    async def counted() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > most:
            raise HTTPException(413, _too_large(most))  # FastAPI passes this exception on while it reads a body
        return message

    return counted


def address_of(scope: Scope) -> str:
    """The client's address; behind a trusted proxy, the one the proxy reports."""
    client = scope.get("client")
    return str(client[0]) if client else "unknown"
