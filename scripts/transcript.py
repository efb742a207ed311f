"""docs/api.md: the protocol in words, and a hand played over it as it really was said and answered."""

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

`upcard serve` answers on one port: questions and commands over HTTP under `/api`, tables over a WebSocket at `/ws`.
[openapi.json](schema/openapi.json) describes the one, [messages.json](schema/messages.json) both sides of the other;
a running server publishes them at `/api/openapi.json` and `/api/messages.json`. [One table](roles.md) tells who may do
what.

## Rules

- **Sign in** with `/api/sign-in`, or as a guest of a demo with `/api/guest`. Programs send the token as
  `Authorization: Bearer ...`; browsers get a cookie, and send the `csrf` of `/api/me` as `X-CSRF-Token`.
- **A socket** is opened with a ticket of `/api/ticket`, once and within half a minute. No token is ever in an address.
- **Every command has an id** of the client's own choice: 1 to 64 letters, digits, dots, lines and underscores; over
  HTTP it is the `Idempotency-Key`. The same command under the same id gets the first answer, refused or not, from any
  process, after any crash. Another command under the same id is refused: `ID_TAKEN`.
- **Every record of a table has a number**, without gaps. `watch` with `since`, the last number heard, brings exactly
  what was missed; whoever missed too much, or names a number that is not there yet, gets a `snapshot`.
- **An answer comes after the commit**: what was acknowledged is kept. The table's events come before the answer.
- **`mine`** is for one player only: what he may do now, and his bankroll in cents where it moved.
- **Nothing face down is told**: the hole card is a `?`, and the key of a shoe comes with `shoe-revealed`, when it
  is over.
- **Events, slips and refusals are data**: names and codes with their parameters, amounts in cents. Sentences are made
  where they are shown; only the `detail` of a refusal is one.
- **`rules`** is the hash of everything a shoe is dealt by: `/api/layouts/SLUG?rules=HASH` shows the layout as the table
  plays it, whatever became of its files since.
- **A player without a socket is away**: his seat is held for a while, and he is back as soon as he watches again.

| closed with | because |
|---|---|
| 1008 | too many messages that could not be read |
| 1012 | the service restarts: come back, with your last number |
| 1013 | you read too slowly: come back, with your last number |
| 4401 | the ticket opens nothing, or the session is over |
| 4403 | the page belongs to another site |
| 4429 | you have too many sockets |

Everything that goes wrong over HTTP is `application/problem+json` with a `reason` and its `details` for programs, and a
`detail` for people; over a socket it is `refused` with the id of the message, or `problem` where it had none.

## A program

`upcard.client` does all of this, reconnects by itself, and misses nothing:

```python
{example}
```

## A hand

What a guest said (`>`) and heard (`<`) over the socket. Only the first state is shown whole, and of
choices only their names.

```
{transcript}
```
"""


def page() -> str:
    """The whole page."""
    from upcard import client

    example = (client.__doc__ or "").partition("\n\n")[2].strip()
    return INTRODUCTION.format(example=example, transcript="\n".join(transcript()))


def transcript() -> list[str]:
    """A hand of a guest in a demo; its shoe is the same every time."""
    with TemporaryDirectory() as folder, _served(Settings(book=str(Path(folder) / "demo.db"), demo=True)) as address:
        with httpx.Client(base_url=address, trust_env=False, timeout=30) as http:
            me = http.post("/api/guest", json={}).json()
            bearer = {"Authorization": f"Bearer {me['token']}"}
            ticket = http.post("/api/ticket", json={}, headers=bearer).json()["ticket"]
        where = f"ws{address.removeprefix('http')}/ws?ticket={ticket}"
        with connect(where, compression=None, proxy=None) as socket:
            return [_plain(line) for line in _Hand(socket, me["name"]).played()]


@contextmanager
def _served(settings: Settings) -> Iterator[str]:
    with create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn_config(settings, create_app(settings, entropy=_drawn())))
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

    def played(self) -> list[str]:
        self._say({"type": "watch", "table": TABLE})
        self._hear("snapshot")
        self._command({"do": "seat", "player": self.name, "spot": 1})
        self._command({"do": "bet", "spot": 1, "stakes": {"Ante": 1000}})
        self._command({"do": "bet", "spot": 1, "stakes": {"Ante": 1001}}, "refused")
        self._command({"do": "ready", "player": self.name})
        while not self.over:
            do = next(one for one in ("decline-insurance", "stay", "hit") if one in self.choices)
            self._command({"do": do, "spot": 1})
        self._say({"type": "ping"})
        self._hear("pong")
        return self.lines

    def _command(self, command: Json, wanted: str = "answer") -> None:
        self._say({"type": "command", "id": f"c{next(self.number)}", "command": {"table": TABLE, **command}})
        self._hear(wanted)

    def _say(self, message: Json) -> None:
        self.lines.append(f"> {json.dumps(message, ensure_ascii=False)}")
        self.socket.send(json.dumps(message))

    def _hear(self, wanted: str) -> None:
        kind = ""
        while kind != wanted:
            message = json.loads(self.socket.recv(timeout=10))
            kind = message["type"]
            self.choices = [one["do"] for one in message.get("mine", {"choices": []})["choices"]] or self.choices
            self.over = self.over or any(one["event"] == "round-over" for one in message.get("events", ()))
            if kind == "events" and "state" in message:
                message["state"] = "..."
            if "mine" in message and wanted != "snapshot":
                message["mine"]["choices"] = [one["do"] for one in message["mine"]["choices"]]
            self.lines.append(f"< {json.dumps(message, ensure_ascii=False)}")


def _plain(line: str) -> str:
    """Moments are the machine's; everything else is the same every time."""
    return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", MOMENT, line)


def _drawn() -> Any:
    numbers = itertools.count()

    def entropy(size: int) -> bytes:
        drawn = b"".join(hashlib.sha256(f"docs {next(numbers)}".encode()).digest() for _ in range(-(-size // 32)))
        return drawn[:size]

    return entropy
