"""Around every request: how big it may be, how often, where it may come from, and the headers of every answer."""

import json
import math
import secrets
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import structlog

from upcard.api.limits import Buckets
from upcard.api.metrics import REQUESTS
from upcard.api.problems import MEDIA
from upcard.api.settings import Settings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_log = structlog.get_logger("upcard.http")

MOST_BODY = 65_536
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


class Guarding:
    """The outermost layer of the application."""

    def __init__(self, app: App, settings: Settings) -> None:
        self.app, self.settings = app, settings
        a_second = settings.requests_a_minute / 60
        self.requests = Buckets(a_second, max(20.0, a_second * 10))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets a request through, or answers it at once."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500
        request_id = secrets.token_hex(8)

        async def told(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message["headers"], *self._headers(message, request_id)]}
            await send(message)

        wait = self.requests.take(address_of(scope))
        try:
            if wait:
                await _refuse(told, 429, "TOO_MANY_REQUESTS", f"wait {math.ceil(wait)} s", math.ceil(wait))
            else:
                await self.app(scope, _bounded(receive), told)
        except _TooLarge:
            await _refuse(told, 413, "TOO_LARGE", f"a request has at most {MOST_BODY} bytes")
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

    def _headers(self, message: Message, request_id: str) -> list[tuple[bytes, bytes]]:
        there = {name.lower() for name, _ in message["headers"]}
        wanted = {**HEADERS, "X-Request-Id": request_id}
        if self.settings.secure:
            wanted["Strict-Transport-Security"] = HSTS
        return [(name.encode(), value.encode()) for name, value in wanted.items() if name.lower().encode() not in there]


class _TooLarge(Exception):  # noqa: N818 - never leaves this file
    pass


def _bounded(receive: Receive) -> Receive:
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MOST_BODY:
            raise _TooLarge
        return message

    return counted


async def _refuse(send: Send, status: int, reason: str, detail: str, retry: int = 0) -> None:
    told = {"type": "about:blank", "title": reason.replace("_", " ").lower(), "status": status}
    body = json.dumps({**told, "detail": detail, "reason": reason}).encode()
    headers = [(b"content-type", MEDIA.encode()), (b"content-length", str(len(body)).encode())]
    if retry:
        headers.append((b"retry-after", str(retry).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def address_of(scope: Scope) -> str:
    """Where a request comes from; uvicorn has put a trusted proxy's word in its place."""
    client = scope.get("client")
    return str(client[0]) if client else "unknown"
