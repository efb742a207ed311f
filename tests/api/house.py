"""A house that is open: the real application under uvicorn on a port of its own, and people who are signed in there."""

import itertools
import json
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pyotp
import uvicorn
from fastapi import FastAPI
from support.accounts import CHEAP, add_account, code_of
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from upcard.api.app import create_app
from upcard.api.server import Server
from upcard.api.settings import Settings
from upcard.cli.commands.serve_run import uvicorn_config
from upcard.ledger.journal import utc_now
from upcard.people import Person, Role
from upcard.service import commands as s
from upcard.service.demo_tables import open_demo_tables

PASSWORD = "seven red chairs by the door"
TABLE = "the-brook"
OTHER_TABLE = "lucky-ladies"
PLAIN_HTTP: dict[str, Any] = {"trust_env": False, "verify": False}  # loading certificates would take 20 ms each time
UNLIMITED = {"requests_per_minute": 10**9, "sign_ins_per_minute": 10**9, "messages_per_second": 10**6}
UNLIMITED["refusals_per_minute"] = 10**9

Json = dict[str, Any]


class ApiUser:
    """Somebody who is signed in, with a token as programs have it."""

    def __init__(self, house: "House", account: Json) -> None:
        self.house, self.told = house, account
        self.name: str = account["name"]
        self.token: str = account["token"]
        self.csrf: str = account["csrf"]
        self.http = httpx.Client(
            base_url=house.address, headers={"Authorization": f"Bearer {self.token}"}, timeout=30, **PLAIN_HTTP
        )
        house.closing.append(self.http.close)

    def get(self, path: str, **params: Any) -> httpx.Response:
        return self.http.get(path, params=params)

    def post(self, path: str, body: Json | None = None, *, key: str = "", **headers: str) -> httpx.Response:
        return self.http.post(
            path, json=body or {}, headers={"Idempotency-Key": key or secrets.token_hex(8), **headers}
        )

    def say(self, table: str, do: str, **fields: Any) -> httpx.Response:
        """A command at a table, over HTTP."""
        return self.post(f"/api/tables/{table}/{do}", fields)

    def step_up(self) -> None:
        """Enters a code of the authenticator. A code works once, so the clock moves on."""
        answer = self.post("/api/step-up", {"code": self.house.new_code(self.name)})
        assert answer.status_code == 200, answer.text

    def ticket(self) -> str:
        return str(self.post("/api/ticket").json()["ticket"])

    @contextmanager
    def socket(self, *, ticket: str = "", **options: Any) -> Iterator[ClientConnection]:
        """An open socket."""
        where = f"ws{self.house.address.removeprefix('http')}/ws?ticket={ticket or self.ticket()}"
        settings = {"compression": None, "max_size": 2**22, "proxy": None, "close_timeout": 1, **options}
        with connect(where, **settings) as opened:
            yield opened


class House:
    """A service that runs."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.ahead = timedelta(0)
        self.closing: list[Any] = []
        self.app: FastAPI = create_app(settings, clock=self.clock, cost=CHEAP)
        self._listening = socket.create_server((settings.host, settings.port))
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._uvicorn = uvicorn.Server(uvicorn_config(settings, self.app))
        self._thread = threading.Thread(target=self._uvicorn.run, kwargs={"sockets": [self._listening]})
        self._numbers = itertools.count(1)
        self._last_steps: dict[str, int] = {}  # of the codes that were used

    def clock(self) -> datetime:
        """The door's clock, which the tests move."""
        return utc_now() + self.ahead

    def later(self, **time: float) -> None:
        self.ahead += timedelta(**time)

    def start(self, *, tables: bool = True) -> None:
        self._thread.start()
        while not self._uvicorn.started:
            assert self._thread.is_alive(), "the server did not start"
            time.sleep(0.005)
        if tables:
            open_demo_tables(self.server.service)

    def stop(self) -> None:
        for close in self.closing:
            close()
        self._uvicorn.should_exit = True
        self._thread.join(20)
        self._listening.close()
        assert not self._thread.is_alive(), "the server did not stop"

    def narrow(self) -> None:
        """From now on the kernel keeps little of what a guest has not read."""
        self._listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)

    @property
    def server(self) -> Server:
        server: Server = self.app.state.server
        return server

    # --- people

    def account(self, name: str, *roles: Role) -> Person:
        """An account with PASSWORD, and for staff an authenticator. The first account is Flo's, of the floor."""
        store = self.server.service.desk.store
        by_name = {person.name: person for person in self.server.people.people()}
        for new, new_roles in (("Flo", (Role.FLOOR,)), (name, roles)):
            if new not in by_name:
                by_name[new] = add_account(store, self.clock(), new, frozenset(new_roles), PASSWORD)
        return by_name[name]

    def new_code(self, name: str) -> str:
        """A code that was not used yet: the clock moves on if it must."""
        while (step := int(self.clock().timestamp()) // 30) <= self._last_steps.get(name, 0):
            self.later(seconds=30)
        self._last_steps[name] = step
        return code_of(name, self.clock())

    def code(self, secret: str) -> str:
        """The code of an authenticator now."""
        return pyotp.TOTP(secret).at(self.clock())

    def sign_in(self, name: str) -> ApiUser:
        body = {"name": name, "password": PASSWORD}
        person = self.server.people.find(name)
        if person is not None and person.has_totp:
            body["code"] = self.new_code(name)
        answer = httpx.post(f"{self.address}/api/sign-in", json=body, timeout=30, **PLAIN_HTTP)
        assert answer.status_code == 200, answer.text
        return ApiUser(self, answer.json())

    def somebody(self, *roles: Role, name: str = "") -> ApiUser:
        """Somebody new with these roles, signed in."""
        name = name or f"{roles[0].value} {next(self._numbers)}"
        self.account(name, *roles)
        return self.sign_in(name)

    def player(self, *, name: str = "", chips: int = 100_000) -> ApiUser:
        """A player with chips."""
        player = self.somebody(Role.PLAYER, name=name)
        self.do(s.BuyIn(table=TABLE, player=player.name, amount=chips))
        return player

    def chips(self, player: str, amount: int, *, table: str = TABLE) -> None:
        """A walk-in with chips."""
        self.server.people.add_players([player], actor="house")
        self.do(s.BuyIn(table=table, player=player, amount=amount))

    def do(self, command: s.Command) -> Any:
        """A command of the house itself, past the API."""
        return self.server.service.desk.do(command, id=f"house {secrets.token_hex(8)}", actor="house")

    def nobody(self) -> httpx.Client:
        client = httpx.Client(base_url=self.address, timeout=30, **PLAIN_HTTP)
        self.closing.append(client.close)
        return client


@contextmanager
def running_house(folder: Path, *, tables: bool = True, **settings: Any) -> Iterator[House]:
    """A house that is open, with the demo's tables or without any; without limits of rate unless they are given."""
    options = {"book": str(folder / "house.db"), "port": 0, **UNLIMITED, **settings}
    house = House(Settings(**options))
    house.start(tables=tables)
    try:
        yield house
    finally:
        house.stop()


def receive(connection: ClientConnection, *kinds: str, seconds: float = 5) -> Json:
    """The next message of these kinds; others are passed over."""
    until = time.monotonic() + seconds
    while True:
        message: Json = json.loads(connection.recv(timeout=max(0.01, until - time.monotonic())))
        if message["type"] in kinds:
            return message


def send(connection: ClientConnection, message: Json) -> None:
    connection.send(json.dumps(message))


def close_code(connection: ClientConnection, *, seconds: float = 5) -> int:
    """The code a socket is closed with, which must come in time; what is said before is passed over."""
    until = time.monotonic() + seconds
    try:
        while True:
            connection.recv(timeout=max(0.01, until - time.monotonic()))
    except ConnectionClosed as closing:
        return 1006 if closing.rcvd is None else closing.rcvd.code
