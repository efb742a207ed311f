"""The HTTP server is killed in the middle of everything, again and again: what it answered is true in the next process.

Guests play and sign out, a cashier asks for large buy-ins and a floor person approves them, all at the same time. After
each kill every answer is asked for again: the same number, no approval used twice, nobody signed in who signed out.
"""

import os
import random
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from api.house import PASSWORD, PLAIN_HTTP, TABLE
from api.server_process import Child, server_process
from support.accounts import add_account, code_of
from support.cli_runner import upcard

from upcard.ledger.accounts import Account, Kind
from upcard.ledger.journal import utc_now
from upcard.ledger.store import Store
from upcard.people import People, Role
from upcard.service.running import keyring_beside

KILLS = 60 if os.environ.get("UPCARD_SOAK") else 3
ENOUGH = 60  # answers before a kill
LARGE = 11_000_00

Json = dict[str, Any]


@dataclass
class Answered:
    """What was asked and answered in all lives so far."""

    commands: dict[str, tuple[str, str, Json, int, Any]] = field(default_factory=dict)  # by key
    approvals: dict[str, int | None] = field(default_factory=dict)  # by id: the status of the answer, if one came
    signed_in: dict[str, str] = field(default_factory=dict)  # names by token
    signed_out: set[str] = field(default_factory=set)
    leaving: set[str] = field(default_factory=set)  # asked to sign out, not answered

    def count(self) -> int:
        return len(self.commands) + len(self.approvals) + len(self.signed_out)


class Visitor(threading.Thread):
    """Somebody who sends requests until the server is gone."""

    def __init__(self, child: Child, answered: Answered, seed: str) -> None:
        super().__init__(daemon=True)
        self.http = httpx.Client(base_url=child.address, timeout=30, **PLAIN_HTTP)
        self.answered, self.seed, self.chance = answered, seed, random.Random(seed)
        self.failed: BaseException | None = None

    def run(self) -> None:
        try:
            self.visit()
        except httpx.TransportError:
            pass  # the server was killed
        except BaseException as error:
            self.failed = error
        finally:
            self.http.close()

    def visit(self) -> None:
        raise NotImplementedError

    def post(self, path: str, body: Json, token: str = "", key: str = "") -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self.http.post(path, json=body, headers={**headers, **({"Idempotency-Key": key} if key else {})})


class Guest(Visitor):
    """Signs in, plays badly, and often signs out again."""

    def visit(self) -> None:
        number = 0
        while True:
            me = self.post("/api/guest", {}).json()
            token, name = me["token"], me["name"]
            self.answered.signed_in[token] = name
            for _ in range(self.chance.randint(3, 12)):
                number += 1
                key = f"{self.seed}-{number}"
                do, fields = self.chance.choice(
                    [
                        ("seat", {"player": name, "spot": self.chance.randint(1, 6)}),
                        ("bet", {"spot": self.chance.randint(1, 6), "stakes": {"Ante": 1000}}),
                        ("ready", {"player": name}),
                        ("stay", {"spot": self.chance.randint(1, 6)}),
                        ("leave", {"player": name}),
                    ]
                )
                path = f"/api/tables/{TABLE}/{do}"
                answer = self.post(path, fields, token, key)
                self.answered.commands[key] = (token, path, fields, answer.status_code, _told(answer))
            if self.chance.random() < 0.7:
                self.answered.leaving.add(token)
                if self.post("/api/sign-out", {}, token).status_code == 200:
                    self.answered.signed_out.add(token)


class Approvals(Visitor):
    """A cashier asks for a large buy-in, and a floor person approves it."""

    tokens: tuple[str, str] = ("", "")

    def visit(self) -> None:
        asker, approver = self.tokens
        for number in range(10**6):
            body = {"player": "Rich", "amount": LARGE}
            waits = self.post(f"/api/tables/{TABLE}/buy-in", body, asker, f"large-{self.seed}-{number}")
            assert waits.status_code == 202, waits.text
            approval = waits.json()["approval"]
            self.answered.approvals[approval] = None
            answer = self.post(f"/api/approvals/{approval}/approve", {}, approver)
            assert answer.status_code == 200, answer.text
            self.answered.approvals[approval] = answer.status_code


def _told(answer: httpx.Response) -> Any:
    said = answer.json()
    return said.get("number", said.get("reason"))


def _house(book: Path) -> None:
    store = Store.create(str(book), keyring_beside(str(book), None))
    add_account(store, utc_now(), "Cas", frozenset({Role.CASHIER}), PASSWORD)
    add_account(store, utc_now(), "Fay", frozenset({Role.FLOOR}), PASSWORD)
    People(store, clock=utc_now, entropy=os.urandom).add_players(["Rich"], actor="Cas")
    store.close()


def _sign_in(child: Child, name: str) -> str:
    body = {"name": name, "password": PASSWORD, "code": code_of(name, utc_now())}
    answer = httpx.post(f"{child.address}/api/sign-in", json=body, timeout=30, **PLAIN_HTTP)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["token"])


def _check(child: Child, answered: Answered) -> None:
    """Asks again for everything that was answered before the kill."""
    with httpx.Client(base_url=child.address, timeout=30, **PLAIN_HTTP) as http:
        for key, (token, path, fields, status, told) in answered.commands.items():
            if token in answered.leaving:
                continue  # asked below: who signed out stays signed out
            headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key}
            again = http.post(path, json=fields, headers=headers)
            assert (again.status_code, _told(again)) == (status, told), key
        for token, name in answered.signed_in.items():
            me = http.get("/api/me", headers={"Authorization": f"Bearer {token}"})
            if token in answered.signed_out:
                assert me.status_code == 401, f"{name} signed out, and is signed in"
            elif token not in answered.leaving:
                assert me.json()["name"] == name


def _approve_again(child: Child, answered: Answered, approver: str) -> None:
    """An approval that was answered is used up; one that was not is carried out now, or was."""
    headers = {"Authorization": f"Bearer {approver}"}
    with httpx.Client(base_url=child.address, headers=headers, timeout=30, **PLAIN_HTTP) as http:
        for approval, status in answered.approvals.items():
            again = http.post(
                f"/api/approvals/{approval}/approve", json={}, headers={"Authorization": f"Bearer {approver}"}
            )
            if status is not None:
                assert again.status_code != 200, f"{approval} was used twice"
            else:
                assert again.status_code == 200 or again.json()["reason"] == "APPROVAL_GIVEN", again.text
            answered.approvals[approval] = 200


def test_a_killed_http_server_keeps_every_word(tmp_path: Path) -> None:
    book, answered, chance = tmp_path / "house.db", Answered(), random.Random("kills")
    _house(book)
    tokens, codes_until = ("", ""), 0.0
    for kill in range(KILLS):
        with server_process(book) as child:
            if time.monotonic() > codes_until:  # a code is good for five minutes
                tokens, codes_until = (_sign_in(child, "Cas"), _sign_in(child, "Fay")), time.monotonic() + 180
            _check(child, answered)
            _approve_again(child, answered, tokens[1])
            visitors: list[Visitor] = [Guest(child, answered, f"{kill}-{number}") for number in range(3)]
            approvals = Approvals(child, answered, str(kill))
            approvals.tokens = tokens
            visitors.append(approvals)
            enough, until = answered.count() + chance.randint(ENOUGH // 2, ENOUGH), time.monotonic() + 60
            for visitor in visitors:
                visitor.start()
            while answered.count() < enough:
                assert time.monotonic() < until, "hardly anything was answered within a minute"
                time.sleep(0.002)
            child.kill()
            for visitor in visitors:
                visitor.join(60)
                assert not visitor.is_alive()
                assert visitor.failed is None, visitor.failed
    with server_process(book) as child:
        _check(child, answered)
        _approve_again(child, answered, tokens[1])
    assert answered.signed_out
    assert len(answered.approvals) >= KILLS
    store = Store.open(str(book))
    with store.view() as unit:
        bought = unit.balance(Account(Kind.PLAYER, "Rich")).own(Kind.PLAYER.side)
    store.close()
    assert bought == LARGE * len(answered.approvals)
    assert upcard("ledger", "check", str(book)).code == 0
