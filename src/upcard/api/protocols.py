"""uvicorn's protocols with time limits: for a request's headers, for its body, and for a client that does not read.

uvicorn itself only limits the time between two requests. A connection that sends half a request would stay for ever.
"""

import asyncio
from asyncio.events import TimerHandle
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from upcard.api.connections import CONNECTION, Connection, Connections

MAX_HEADER_BYTES = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLimits:
    """Seconds."""

    headers: float  # from the first byte of a request, or from the connection, to the end of the headers
    body: float  # from there to the end of the body
    reading: float  # in which a client must read what was sent


class Stage(Enum):
    """What a connection waits for."""

    REQUEST = "request"  # uvicorn's limit between two requests holds
    HEADERS = "headers"
    BODY = "body"
    ANSWER = "answer"


class LimitedHttpProtocol(HttpToolsProtocol):
    """One HTTP connection."""

    def __init__(self, connections: Connections, times: TimeLimits, **uvicorn_words: Any) -> None:
        super().__init__(**uvicorn_words)
        self._all, self._times = connections, times
        self._connection: Connection | None = None
        self._stage, self._request = Stage.HEADERS, 0
        self._timed: tuple[Stage, int] | None = None
        self._timer: TimerHandle | None = None
        self._reading_timer: TimerHandle | None = None
        self._header_bytes = 0
        self._running: RequestResponseCycle | None = None

    # --- the connection -------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        super().connection_made(transport)
        source = self.client[0] if self.client else ""
        self._connection = self._all.admit(source, transport.abort)
        if self._connection is None:
            transport.abort()
            return
        self._set_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        if self._running is not None:  # uvicorn tells only the last of several requests sent at once
            self._running.disconnected = True
            self._running.message_event.set()
        super().connection_lost(exc)

    def _forget(self) -> None:
        self._cancel_timer()
        self.resume_writing()
        if self._connection is not None:
            self._all.remove(self._connection)

    def handle_websocket_upgrade(self) -> None:
        """The socket takes the connection over, with its place."""
        self._cancel_timer()
        connection = self._connection
        if connection is None or connection not in self._all.open:
            return
        self.app_state = {**self.app_state, CONNECTION: connection}
        self._all.answered(connection)  # until its ticket is found valid, it is a stranger's that waits
        super().handle_websocket_upgrade()

    # --- a request ------------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self._connection is None or self.transport.is_closing():
            return
        if self._stage is Stage.REQUEST:
            self._begin_headers()
        if self._stage is Stage.HEADERS:
            self._header_bytes += len(data)
        super().data_received(data)
        if self._stage is Stage.HEADERS and self._header_bytes > MAX_HEADER_BYTES:
            self._end("headers too large")
            return
        if self.transport.get_protocol() is self:
            self._set_timer()

    def _begin_headers(self) -> None:
        self._stage, self._request, self._header_bytes = Stage.HEADERS, self._request + 1, 0

    def on_message_begin(self) -> None:
        if self._stage is Stage.ANSWER:  # the next request follows without waiting for the answer
            self._begin_headers()
        super().on_message_begin()
        if self._connection is not None:
            self.scope["state"][CONNECTION] = self._connection

    def on_headers_complete(self) -> None:
        self._stage = Stage.BODY
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._stage = Stage.ANSWER
        if self._connection is not None:
            self._all.request_arrived(self._connection)
        super().on_message_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._connection is not None:
            self._all.answered(self._connection)
        if self._stage is Stage.ANSWER:
            self._stage = Stage.REQUEST

    # --- time -----------------------------------------------------------------------------------------------------

    def _set_timer(self) -> None:
        """Nearly always a request arrives as a whole, and no timer is needed."""
        timed = (self._stage, self._request)
        if timed == self._timed:
            return
        self._cancel_timer()
        limit = {Stage.HEADERS: self._times.headers, Stage.BODY: self._times.body}.get(self._stage)
        if limit is not None:
            self._timed = timed
            self._timer = self.loop.call_later(limit, self._end, f"{self._stage.value} too slow")

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._timed = None

    def _end(self, why: str) -> None:
        if not self.transport.is_closing():
            self._all.note_closed(why, self.client[0] if self.client else "unknown")
            self.transport.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._reading_timer = self.loop.call_later(self._times.reading, self._end, "answer not read")

    def resume_writing(self) -> None:
        if self._reading_timer is not None:
            self._reading_timer.cancel()
            self._reading_timer = None
        if self.flow is not None:
            super().resume_writing()


class CountedWebSocketProtocol(WebSocketsSansIOProtocol):
    """A socket that gives its connection's place back when it ends."""

    def __init__(self, connections: Connections, **uvicorn_words: Any) -> None:
        super().__init__(**uvicorn_words)
        self._all = connections

    def connection_lost(self, exc: Exception | None) -> None:
        connection = self.app_state.get(CONNECTION)
        if connection is not None:
            self._all.remove(connection)
        super().connection_lost(exc)


def protocol_classes(
    connections: Connections, times: TimeLimits
) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """The classes for HTTP and for sockets, as uvicorn takes them."""
    http = partial(LimitedHttpProtocol, connections, times)
    socket = partial(CountedWebSocketProtocol, connections)
    return cast(type[asyncio.Protocol], http), cast(type[asyncio.Protocol], socket)
