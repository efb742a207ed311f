"""The WebSocket: watch tables, send commands, get answers. Permissions are checked for every message.

client                                              server
{"type": "watch", "table": "T1", "since": 41}       {"type": "snapshot"|"events", "table", "number", ...}
{"type": "leave", "table": "T1"}
{"type": "command", "id": "b7", "command": {...}}   {"type": "answer", "id", ...} or {"type": "refused", "id", ...}
{"type": "chips", "table", "spot", "stakes": {}}    {"type": "chips"|"meters", "table", ...}
{"type": "overview", "tables": true}                {"type": "overview", "tables": [...], "jackpots": [...]}
{"type": "felts", "tables": ["T1"]}                  (their lines come with "felt")
{"type": "lobby"}                                   {"type": "lobby", "tables": [...]}
{"type": "ping"}                                    {"type": "pong"}
                                                    {"type": "problem", "reason", "detail"}
"""

import asyncio
import contextlib
import json
import secrets
import time
from collections import deque
from concurrent.futures import Future

import structlog
from fastapi import WebSocket
from pydantic import ValidationError
from starlette.websockets import WebSocketDisconnect, WebSocketState

from upcard.api.access import Guard, guard_of
from upcard.api.messages import (
    FROM_CLIENT,
    ClientMessage,
    LeaveTable,
    Ping,
    Say,
    ShowChips,
    ShowFelts,
    SubscribeLobby,
    SubscribeOverview,
    Watch,
    encode,
)
from upcard.api.metrics import CUT_OFF, SOCKETS
from upcard.api.problems import ProblemError, problem_of
from upcard.api.server import Server
from upcard.api.token_buckets import Bucket
from upcard.people import Role, Session
from upcard.problems import UpcardError
from upcard.service import commands as s
from upcard.service.live_table import LiveTable
from upcard.service.pending import Answer
from upcard.service.server_messages import COMMAND_ID, AnswerMessage, Events, ProblemMessage, RefusedMessage, Snapshot
from upcard.service.views import chips_fit, player_view, table_view

_log = structlog.get_logger("upcard.socket")

MAX_MISSED_RECORDS = 300  # a client that missed more, or more than half its outbox holds, gets a snapshot
MAX_PROBLEMS = 20
_UNKNOWN_FIELD = "Extra inputs are not permitted"  # the same text as over HTTP
MAX_WATCHED_TABLES = 50
CLOSE_SECONDS = 5.0  # in which a slow client may still read the reason


class Subscription:
    """One socket's subscription to a table: every record once, in order, from the client's last number."""

    def __init__(self, socket: "Socket", table: str, player: str | None, *, shown: bool) -> None:
        self.socket, self.table, self.player, self.shown = socket, table, player, shown
        self.last: int | None = None  # None until the client has the table's state
        self._early: list[tuple[int, str]] = []

    def send_record(self, number: int, text: str) -> None:
        if self.last is None:
            self._early.append((number, text))
            if len(self._early) > self.socket.server.settings.outbox_limit:
                self.socket.end(1013, "too slow")
        elif number == self.last + 1:
            self.last = number
            self.socket.send(text)
        elif number > self.last:
            self.socket.send_missed(self)

    def send_shown(self, text: str) -> None:
        """Sends chips or meters to a client that asked for them and has the table's state."""
        if self.shown and self.last is not None:
            self.socket.send(text)

    def sent_up_to(self, number: int) -> None:
        """Marks the table as sent up to a number, then sends the records that came meanwhile."""
        self.last = number
        early, self._early = self._early, []
        for early_number, text in early:
            self.send_record(early_number, text)


class Socket:
    """One open WebSocket."""

    def __init__(self, server: Server, websocket: WebSocket, session: Session) -> None:
        self.server, self.websocket, self.session = server, websocket, session
        self.player = session.person.name if Role.PLAYER in session.person.roles else None
        self.subscriptions: dict[str, Subscription] = {}
        self._outbox: deque[str] = deque()
        self._wake, self._over = asyncio.Event(), asyncio.Event()
        self._closing: tuple[int, str] | None = None
        self._problems = 0
        self._loop = asyncio.get_running_loop()
        rate = server.settings.messages_per_second
        self._bucket = Bucket(rate, rate * 2, time.monotonic())
        self._tasks: set[asyncio.Task[LiveTable]] = set()

    # --- lifetime -------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Runs until either side closes."""
        SOCKETS.inc()
        session_sockets = self.server.sockets.setdefault(self.session.id, set())
        session_sockets.add(self)
        tasks = [asyncio.create_task(coroutine) for coroutine in (self._read(), self._write(), self._over.wait())]
        try:
            finished, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for error in filter(None, (task.exception() for task in finished)):
                if not isinstance(error, WebSocketDisconnect):
                    _log.error("socket failed", exc_info=error)
                    self.end(1011, "something went wrong here")
        finally:
            SOCKETS.dec()
            session_sockets.discard(self)
            if not session_sockets:
                self.server.sockets.pop(self.session.id, None)
            for table, subscription in self.subscriptions.items():
                self.server.hub.leave(table, subscription)
            self.server.overview.leave(self)
            self.server.lobby.leave(self)
            for task in (*tasks, *self._tasks):
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._close()
            await self._mark_away()

    async def _close(self) -> None:
        """Sends the close reason, if the client still reads."""
        if self.websocket.application_state is WebSocketState.CONNECTED:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self.websocket.close(*(self._closing or (1000, ""))), CLOSE_SECONDS)

    def end(self, code: int, reason: str) -> None:
        """Closes the socket from our side."""
        if self._closing is None:
            self._closing = (code, reason)
            CUT_OFF.labels(reason).inc()
            self._over.set()

    def send(self, text: str) -> None:
        """Queues a message; disconnects a client that is too slow (it can reconnect with its last number)."""
        if len(self._outbox) >= self.server.settings.outbox_limit:
            self.end(1013, "too slow")
            return
        self._outbox.append(text)
        self._wake.set()

    async def _write(self) -> None:
        while True:
            while self._outbox:
                try:
                    await self.websocket.send_text(self._outbox.popleft())
                except RuntimeError:  # uvicorn closed it: message too long, or no answer to a ping
                    return
            self._wake.clear()
            await self._wake.wait()

    async def _mark_away(self) -> None:
        """Marks a player away when their last socket at a table closes; their seat is held for a while."""
        if self.player is None or self.server.stopping:
            return
        others = [
            socket
            for sockets in self.server.sockets.values()
            for socket in sockets
            if socket.player == self.player and socket is not self
        ]
        if not others:
            self.server.hub.chips.remove_player(self.player)
        for table in self.subscriptions:
            if any(table in socket.subscriptions for socket in others):
                continue
            with contextlib.suppress(UpcardError):
                live = await asyncio.to_thread(self.server.service.desk.live, table)
                if self.player in live.players and live.opened:
                    away = s.Away(table=table, player=self.player)
                    self.server.ask(self.session, away, f"away-{secrets.token_hex(8)}")

    # --- reading --------------------------------------------------------------------------------------------------

    async def _read(self) -> None:
        while self._closing is None:
            message = await self.websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            if self._bucket.take(time.monotonic()):
                self._refuse(None, ProblemError(429, "TOO_MANY_MESSAGES", "too many messages; slow down"))
                continue
            try:
                if text is None:
                    raise ProblemError(400, "UNREADABLE", "send messages as text")
                await self._handle(FROM_CLIENT.validate_json(text))
            except ValidationError as error:
                first = error.errors()[0]
                place = ".".join(map(str, first["loc"]))
                why = _UNKNOWN_FIELD if first["type"] == "unexpected_keyword_argument" else first["msg"]
                self._refuse(_message_id(text), ProblemError(422, "UNREADABLE", f"{place}: {why}"))
            except (ProblemError, UpcardError) as error:
                self._refuse(_message_id(text), error)

    def _refuse(self, id: str | None, error: Exception) -> None:  # noqa: A002 - the word for it
        problem = problem_of(error)
        reason, details, detail = problem["reason"], problem.get("details"), problem["detail"]
        message: RefusedMessage | ProblemMessage
        if id is None:
            message = {"type": "problem", "reason": reason, "details": details, "detail": detail}
        else:
            message = {"type": "refused", "id": id, "reason": reason, "details": details, "detail": detail}
        self.send(encode(message))
        if reason in ("UNREADABLE", "TOO_MANY_MESSAGES"):
            self._problems += 1
            if self._problems > MAX_PROBLEMS:
                self.end(1008, "too many problems")

    async def _handle(self, message: ClientMessage) -> None:
        match message:
            case Ping():
                self.send(encode({"type": "pong"}))
            case Watch():
                await self._watch(message)
            case LeaveTable(table=table):
                subscription = self.subscriptions.pop(table, None)
                if subscription is not None:
                    self.server.hub.leave(table, subscription)
            case SubscribeOverview(tables=tables):
                self.server.allow(self.session, "read floor" if tables else "read jackpots")
                await self.server.overview.listen(self, tables=tables)
            case ShowFelts(tables=names):
                self.server.allow(self.session, "read floor")
                await self.server.overview.show_felts(self, names)
            case SubscribeLobby():
                self.server.allow(self.session, "read tables")
                await self.server.lobby.listen(self)
            case Say(id=id, command=command):
                self.server.active.add(self.session.id)  # only commands keep a session alive, listening does not
                operation = command.request.order if isinstance(command, s.House) else command.do
                self.server.allow(self.session, operation)
                if guard_of(operation, command, self.server.settings) is not Guard.NONE:
                    raise ProblemError(403, "NOT_HERE", f"send {operation!r} over HTTP, not over the WebSocket")
                if self.player is None:
                    command = await asyncio.to_thread(self.server.with_known_names, self.session, command)
                future = self.server.ask(self.session, command, id)
                future.add_done_callback(lambda answered: self._loop.call_soon_threadsafe(self._answer, id, answered))
            case ShowChips():
                await self._show_chips(message)

    def _answer(self, id: str, answered: "Future[Answer]") -> None:  # noqa: A002 - the word for it
        error = answered.exception()
        if error is not None:
            self._refuse(id, error if isinstance(error, Exception) else RuntimeError())
            return
        answer = answered.result()
        message: AnswerMessage = {
            "type": "answer",
            "id": id,
            "number": answer.number,
            "told": answer.told,
            "repeated": answer.repeated,
        }
        self.send(encode(message))

    async def _show_chips(self, message: ShowChips) -> None:
        """Ignores chips that are not allowed: the page may be a moment behind, and bets are checked anyway."""
        self.server.allow(self.session, "bet")
        if self.player is None or message.table not in self.subscriptions:
            return
        live = await asyncio.to_thread(self.server.service.desk.live, message.table)
        if chips_fit(live, self.player, message.spot, message.stakes):
            self.server.hub.chips.put(message.table, message.spot, self.player, message.stakes)

    # --- tables ---------------------------------------------------------------------------------------------------

    async def _watch(self, message: Watch) -> None:
        self.server.allow(self.session, "read tables")
        table = message.table
        if len(self.subscriptions) >= MAX_WATCHED_TABLES and table not in self.subscriptions:
            raise ProblemError(409, "TOO_MANY_TABLES", f"a socket can watch at most {MAX_WATCHED_TABLES} tables")
        old = self.subscriptions.pop(table, None)
        if old is not None:
            self.server.hub.leave(table, old)
        subscription = Subscription(self, table, self.player, shown=message.shown)
        self.subscriptions[table] = subscription
        self.server.hub.watch(table, subscription)  # before reading the table, so that no record is missed
        try:
            live = await self._catch_up(subscription, message.since)
        except BaseException:
            self.server.hub.leave(table, subscription)
            self.subscriptions.pop(table, None)
            raise
        if message.shown:
            for text in (self.server.hub.chips.message(table), await self.server.hub.signs.message(table)):
                if text is not None:
                    subscription.send_shown(text)
        if self.player is not None and self.player in live.absent and live.absent[self.player].away:
            self.server.ask(self.session, s.Back(table=table, player=self.player), f"back-{secrets.token_hex(8)}")

    def send_missed(self, subscription: Subscription) -> None:
        """Fills a gap from the stored records."""
        since, subscription.last = subscription.last, None
        task = asyncio.create_task(self._catch_up(subscription, since))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _catch_up(self, subscription: Subscription, since: int | None) -> LiveTable:
        """Sends the records since a number or, if there are too many, a snapshot."""
        service, table = self.server.service, subscription.table
        live = await asyncio.to_thread(service.desk.live, table)
        state, own_view = table_view(live), None
        if self.player is not None:
            bankroll = await asyncio.to_thread(service.queries.bankroll, self.player)
            own_view = player_view(live, self.player, bankroll)
        most = min(
            MAX_MISSED_RECORDS, self.server.settings.outbox_limit // 2
        )  # more would overflow the outbox again and again
        if since is None or not 0 <= live.version - since <= most:
            snapshot: Snapshot = {"type": "snapshot", "table": table, "number": live.version, "state": state}
            if own_view is not None:
                snapshot["mine"] = own_view
            self.send(encode(snapshot))
        else:
            missed = max(1, live.version - since)
            for record in await asyncio.to_thread(service.queries.records, table, since=since, most=missed):
                number = record["number"]
                if number > live.version:
                    break
                message: Events = {"type": "events", "table": table, "number": number, "events": record["events"]}
                if number == live.version:
                    message["state"] = state
                    if own_view is not None:
                        message["mine"] = own_view
                self.send(encode(message))
        subscription.sent_up_to(live.version)
        return live


def _message_id(text: str | None) -> str | None:
    """The id of a message that was refused, if it has a valid one."""
    try:
        message = json.loads(text or "")
    except (ValueError, RecursionError):
        return None
    id_ = message.get("id") if isinstance(message, dict) else None
    return id_ if isinstance(id_, str) and COMMAND_ID.fullmatch(id_) else None
