"""A small client for programs: sign in, watch tables, send commands. It reconnects by itself and misses nothing.

from upcard.client import Client

with Client.guest("http://localhost:8000") as me:
    table = me.watch("the-brook")
    table.say("seat", player=me.name, spot=1)
    table.say("bet", spot=1, stakes={"Ante": 500})
    table.say("ready", player=me.name)
    while (choices := table.my_turn()) is not None:
        table.say("stay" if "stay" in choices else "decline-insurance", spot=1)
    print(table.slips)
"""

import json
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from typing import Any, Self

import httpx
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from upcard.problems import UpcardError
from upcard.service.server_messages import AnswerMessage, Events, RefusedMessage, ServerMessage, Snapshot
from upcard.service.wire_models import Choice, EventSent, State, without_slip

_TOO_MANY, _PAUSE_SECONDS = 4429, 1.0  # too many sockets or requests: the next attempt waits


class Refusal(UpcardError):  # noqa: N818 - casino English, not a traceback
    """A refusal from the service: its code and its sentence."""

    def __init__(self, reason: str, sentence: str) -> None:
        self.reason = reason
        super().__init__(sentence)


class Table:
    """A table as this client sees it: its last state, and what the client may do there."""

    def __init__(self, client: "Client", name: str) -> None:
        self.client, self.name = client, name
        self.number = -1
        self.state: State  # once the first message has come
        self.choices: list[Choice] = []
        self.slips: list[EventSent] = []  # of the round in progress, or of the last one
        self.events: list[EventSent] = []  # everything since it is watched

    def say(self, do: str, **fields: Any) -> AnswerMessage:
        """Sends a command for this table; waits for its answer and until the table shows it."""
        answer = self.client.say({"do": do, "table": self.name, **fields})
        while self.number < answer["number"]:
            self.client.hear()
        return answer

    def my_turn(self, *, seconds: float = 60) -> list[str] | None:
        """Waits for our turn and gives the commands we may send; None when the round is over."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.state["round"] is None:
                return None
            offered = [choice["do"] for choice in self.choices]
            if offered:
                return offered
            self.client.hear(seconds=max(0.0, until - time.monotonic()))
        raise TimeoutError(f"nothing was asked of us at {self.name} for {seconds} s")

    def update(self, message: Snapshot | Events) -> None:
        """Applies a snapshot or a record."""
        self.number = message["number"]
        events = message["events"] if message["type"] == "events" else []
        self.events += events
        for event in events:
            match event["event"]:
                case "round-begun":
                    self.slips = []
                case "slip":
                    self.slips.append(event)
                case "slip-reversed":
                    self.slips = without_slip(self.slips, event)
                case "round-over" if event["void"] is not None:
                    self.slips = []  # they were reversed
        if "state" in message:
            self.state = message["state"]
        if "mine" in message:
            self.choices = message["mine"]["choices"]
            self.client.bankroll = message["mine"].get("bankroll", self.client.bankroll)


class Client:
    """A signed-in connection."""

    def __init__(self, address: str, token: str, name: str, bankroll: int | None = None) -> None:
        self.address, self.name, self.bankroll = address.rstrip("/"), name, bankroll
        self.http = httpx.Client(base_url=self.address, headers={"Authorization": f"Bearer {token}"}, timeout=30)
        self.tables: dict[str, Table] = {}
        self._socket: ClientConnection | None = None
        self._opened = ExitStack()  # holds the socket
        self._answers: dict[str, AnswerMessage | RefusedMessage] = {}

    @classmethod
    def guest(cls, address: str) -> "Client":
        """Signs in as a guest of a demo, with play money."""
        return cls._signed(address, "/api/guest", {})

    @classmethod
    def sign_in(cls, address: str, name: str, password: str, code: str = "") -> "Client":
        """Signs in with an account; staff also give a code of their authenticator."""
        body = {"name": name, "password": password, **({"code": code} if code else {})}
        return cls._signed(address, "/api/sign-in", body)

    @classmethod
    def _signed(cls, address: str, path: str, body: Mapping[str, str]) -> "Client":
        answer = read(httpx.post(f"{address.rstrip('/')}{path}", json=dict(body), timeout=30))
        return cls(address, answer["token"], answer["name"], answer["bankroll"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection; the session continues."""
        self._let_go()
        self.http.close()

    def _let_go(self) -> None:
        self._socket = None
        with suppress(WebSocketException, OSError):
            self._opened.close()

    def get(self, path: str, **parameters: Any) -> Any:
        return read(self.http.get(path, params=parameters))

    def post(self, path: str, body: Mapping[str, Any], *, name: str = "", **headers: str) -> Any:
        """Sends a command over HTTP under a new id, or under `name`."""
        key = {"Idempotency-Key": name or secrets.token_hex(16), **headers}
        return read(self.http.post(path, json=dict(body), headers=key))

    def watch(self, table: str) -> Table:
        watched = self.tables.get(table)
        if watched is None:
            watched = self.tables[table] = Table(self, table)
            self._send({"type": "watch", "table": table})
            try:
                while watched.number < 0:
                    self.hear()
            except Refusal:
                del self.tables[table]
                raise
        return watched

    def say(self, command: Mapping[str, Any], *, name: str = "") -> AnswerMessage:
        """Sends a command. After a lost connection it is sent again under the same id, and so carried out only once."""
        key = name or secrets.token_hex(16)
        message = {"type": "command", "id": key, "command": dict(command)}
        self._send(message)
        while key not in self._answers:
            if not self.hear():
                self._send(message)  # the connection was lost: whatever became of it, the answer is the first one
        answer = self._answers.pop(key)
        if answer["type"] == "refused":
            raise Refusal(answer["reason"], answer["detail"])
        return answer

    def hear(self, *, seconds: float = 30) -> bool:
        """Waits for one message; False if the connection was lost."""
        try:
            message: ServerMessage = json.loads(self._connected().recv(timeout=seconds))
        except TimeoutError:
            return True
        except ConnectionClosed as closed:
            if closed.rcvd is not None and closed.rcvd.code in (4401, 4403, 1008):
                raise Refusal("CLOSED", closed.rcvd.reason) from None
            if closed.rcvd is not None and closed.rcvd.code == _TOO_MANY:
                time.sleep(_PAUSE_SECONDS)
            self._let_go()
            return False
        if message["type"] == "snapshot" or message["type"] == "events":
            self.tables[message["table"]].update(message)
        elif message["type"] == "answer" or message["type"] == "refused":
            self._answers[message["id"]] = message
        elif message["type"] == "problem":
            raise Refusal(message["reason"], message["detail"])
        return True

    def _send(self, message: Mapping[str, Any]) -> None:
        for _ in range(2):
            with suppress(ConnectionClosed):
                self._connected().send(json.dumps(message))
                return
            self._let_go()
        raise Refusal("CLOSED", "the connection cannot be kept")

    def _connected(self) -> ClientConnection:
        """The socket; a new one watches every table from the last record received."""
        if self._socket is not None:
            return self._socket
        for wait in _waits():
            try:
                ticket = read(self.http.post("/api/ticket", json={}))["ticket"]
                where = f"ws{self.address.removeprefix('http')}/ws?ticket={ticket}"
                opening = connect(where, compression=None, max_size=2**22, open_timeout=10)
                socket: ClientConnection = self._opened.enter_context(opening)
            except (httpx.TransportError, WebSocketException, OSError):
                time.sleep(wait)
                continue
            for table in self.tables.values():
                if table.number >= 0:
                    socket.send(json.dumps({"type": "watch", "table": table.name, "since": table.number}))
            self._socket = socket
            return socket
        raise Refusal("UNREACHABLE", f"{self.address} cannot be reached")


def read(answer: httpx.Response) -> Any:
    """The body of a response; raises a refusal if it is one."""
    body = answer.json()
    if answer.status_code >= 400:
        raise Refusal(body.get("reason", "REFUSED"), body.get("detail", answer.reason_phrase))
    return body


def _waits() -> Iterator[float]:
    """Growing waits between attempts, about half a minute in all."""
    yield from (0.1, 0.2, 0.5, 1, 2, 4, 8, 8, 8)
