"""Builds docs/api.md: the protocol, and the real messages of one hand."""

import hashlib
import itertools
import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_server
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import uvicorn
from websockets.sync.client import ClientConnection, connect

from upcard.api.app import create_app
from upcard.api.settings import Settings
from upcard.cli.commands.serve_run import uvicorn_config

Json = dict[str, Any]
TABLE = "the-brook"
MOMENT = "2026-11-20T20:00:00.000000Z"

INTRODUCTION = """\
# The API

`upcard serve` uses one port: queries and commands over HTTP under `/api`, tables over a WebSocket at `/ws`.
[openapi.json](schema/openapi.json) describes HTTP, [messages.json](schema/messages.json) both directions of the socket.
A running server publishes them at `/api/openapi.json` and `/api/messages.json`. [Roles](roles.md) lists who may do
what.

## Rules

- **Sign in** with `/api/sign-in`, staff with the code of their authenticator too, or as a demo guest with `/api/guest`.
  Programs send the token as `Authorization: Bearer ...`. Browsers get a cookie, and send the `csrf` of `/api/me` as
  `X-CSRF-Token`.
- **Open a socket** with a ticket from `/api/ticket`, which is valid once, for 30 seconds. No token is ever in a URL.
- **Every command has an id** that the client chooses: 1 to 64 letters, digits, dots, hyphens and underscores. Over HTTP
  it is the `Idempotency-Key`. The same command with the same id gets the first answer again, refused or not, from any
  process, after any crash. A different command with the same id is refused: `ID_TAKEN`.
- **Every record of a table has a number**, without gaps. Send `watch` with `since`, the last number you received, to
  get exactly the records you missed. If you missed too many, or the number does not exist yet, you get a `snapshot`.
- **An answer comes after the commit**, so an acknowledged command is never lost. The table's events come before the
  answer.
- **What needs two people** is answered with 202 and the id of an approval. When a second person approves it, the
  service carries it out; `/api/approvals/ID` says what became of it, and so does the same command with the same id.
- **`mine`** is for one player only: their choices now, and their bankroll in cents when it changed.
- **Face-down cards are never sent**: the hole card is a `?`, and the key of a shoe comes with `shoe-revealed`, when the
  shoe is over.
- **Events, slips and refusals are data**: names and codes with their parameters, amounts in cents. The client writes
  the sentences; only the `detail` of a refusal is a sentence.
- **`rules`** is the hash of everything a shoe is dealt by. `/api/layouts/SLUG?rules=HASH` returns the layout as the
  table plays it, even if its files have changed.
- **A player without a socket is away**: their seat is held for a while, and they are back as soon as they watch again.

| close code | meaning |
|---|---|
| 1008 | too many unreadable messages |
| 1012 | the service restarts: reconnect, with your last number |
| 1013 | you read too slowly: reconnect, with your last number |
| 4401 | invalid or expired ticket, or the session is over |
| 4403 | the page belongs to another site |
| 4429 | too many sockets, or too many requests: wait a second |

A socket that is refused is opened and closed at once with one of these codes, because a browser shows a page no other
reason.

Errors over HTTP are `application/problem+json` with a `reason` and its `details` for programs, and a `detail` for
people. Over a socket they are `refused` with the id of the message, or `problem` if it had no id.

## A program

`upcard.client` does all of this, reconnects automatically and misses nothing:

```python
{example}
```

## A hand

Messages that a guest sent (`>`) and received (`<`) over the socket. Only the first state is shown in full, and only the
names of choices.

```
{transcript}
```
"""


def page() -> str:
    from upcard import client

    example = (client.__doc__ or "").partition("\n\n")[2].strip()
    return INTRODUCTION.format(example=example, transcript="\n".join(transcript()))


def transcript() -> list[str]:
    """Plays a hand as a demo guest; the shoe is the same every time."""
    with TemporaryDirectory() as folder, _served(Settings(book=str(Path(folder) / "demo.db"), demo=True)) as address:
        with httpx.Client(base_url=address, trust_env=False, timeout=30) as http:
            me = http.post("/api/guest", json={}).json()
            bearer = {"Authorization": f"Bearer {me['token']}"}
            ticket = http.post("/api/ticket", json={}, headers=bearer).json()["ticket"]
        where = f"ws{address.removeprefix('http')}/ws?ticket={ticket}"
        with connect(where, compression=None, proxy=None) as socket:
            return [_with_fixed_time(line) for line in _Hand(socket, me["name"]).play()]


@contextmanager
def _served(settings: Settings) -> Iterator[str]:
    with create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn_config(settings, create_app(settings, entropy=_fixed_entropy())))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while thread.is_alive() and not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()


class _Hand:
    def __init__(self, socket: ClientConnection, name: str) -> None:
        self.socket, self.name = socket, name
        self.lines: list[str] = []
        self.choices: list[str] = []
        self.number = itertools.count(1)
        self.over = False

    def play(self) -> list[str]:
        self._send({"type": "watch", "table": TABLE})
        self._receive("snapshot")
        self._command({"do": "seat", "player": self.name, "spot": 1})
        self._command({"do": "bet", "spot": 1, "stakes": {"Ante": 1000}})
        self._command({"do": "bet", "spot": 1, "stakes": {"Ante": 1001}}, "refused")
        self._command({"do": "ready", "player": self.name})
        while not self.over:
            do = next(name for name in ("decline-insurance", "stay", "hit") if name in self.choices)
            self._command({"do": do, "spot": 1})
        self._send({"type": "ping"})
        self._receive("pong")
        return self.lines

    def _command(self, command: Json, expected: str = "answer") -> None:
        self._send({"type": "command", "id": f"c{next(self.number)}", "command": {"table": TABLE, **command}})
        self._receive(expected)

    def _send(self, message: Json) -> None:
        self.lines.append(f"> {json.dumps(message, ensure_ascii=False)}")
        self.socket.send(json.dumps(message))

    def _receive(self, expected: str) -> None:
        kind = ""
        while kind != expected:
            message = json.loads(self.socket.recv(timeout=10))
            kind = message["type"]
            self.choices = [choice["do"] for choice in message.get("mine", {"choices": []})["choices"]] or self.choices
            self.over = self.over or any(event["event"] == "round-over" for event in message.get("events", ()))
            if kind == "events" and "state" in message:
                message["state"] = "..."
            if "mine" in message and expected != "snapshot":
                message["mine"]["choices"] = [choice["do"] for choice in message["mine"]["choices"]]
            self.lines.append(f"< {json.dumps(message, ensure_ascii=False)}")


def _with_fixed_time(line: str) -> str:
    """Replaces times, the only part that differs from run to run."""
    return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", MOMENT, line)


def _fixed_entropy() -> Any:
    numbers = itertools.count()

    def entropy(size: int) -> bytes:
        drawn = b"".join(hashlib.sha256(f"docs {next(numbers)}".encode()).digest() for _ in range(-(-size // 32)))
        return drawn[:size]

    return entropy
