"""Two processes on one PostgreSQL: a layout with a kind of its own is published at one, seen, opened and played to the
slip at the other without a restart; what is asked for at one is approved at the other."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
from api.house import PASSWORD, PLAIN_HTTP
from api.server_process import server_process
from service.own_workspace import LAYOUT, WAGER, own_files, paying
from support.accounts import add_account, code_of
from support.empty_books import emptied

from upcard.client import Client, Table
from upcard.ledger.check import check as check_book
from upcard.ledger.journal import utc_now
from upcard.ledger.keyring import key_file, new_key_file
from upcard.ledger.store import Store
from upcard.people import Role
from upcard.service.history_check import check as check_records

SECONDS = 30.0


def until(done: Callable[[], Any]) -> Any:
    """What somebody sees at last; a process is told at once, but a machine may be busy."""
    end = time.monotonic() + SECONDS
    while not (seen := done()):
        assert time.monotonic() < end, "it was not seen"
        time.sleep(0.02)
    return seen


def signed_in(address: str, name: str) -> httpx.Client:
    """A floor person at one of the processes, who has just entered a code."""
    body = {"name": name, "password": PASSWORD, "code": code_of(name, utc_now())}
    answer = httpx.post(f"{address}/api/sign-in", json=body, timeout=30, **PLAIN_HTTP)
    assert answer.status_code == 200, answer.text
    token = answer.json()["token"]
    return httpx.Client(base_url=address, headers={"Authorization": f"Bearer {token}"}, timeout=60, **PLAIN_HTTP)


def post(person: httpx.Client, path: str, body: dict[str, Any], key: str) -> dict[str, Any]:
    answer = person.post(path, json=body, headers={"Idempotency-Key": key})
    assert answer.status_code in (200, 202), answer.text
    return dict(answer.json())


def test_a_revision_published_at_one_process_is_played_to_the_slip_at_the_other(server: str, tmp_path: Path) -> None:
    address, key = emptied(server), tmp_path / "operator.key"
    store = Store.open(address, new_key_file(key))
    with ExitStack() as stack:
        stack.callback(store.close)
        first, second = (stack.enter_context(server_process(address, key=key)) for _ in range(2))
        for name in ("Flo", "Fay"):
            add_account(store, utc_now(), name, frozenset({Role.FLOOR}), PASSWORD)
        flo = stack.enter_context(signed_in(first.address, "Flo"))
        fay = stack.enter_context(signed_in(second.address, "Fay"))
        files = own_files()
        proposal = post(flo, "/api/catalog/proposals", {"files": files}, "propose-1")
        order = {"revision": 1, "content": proposal["content"]}
        post(flo, "/api/house/publish-catalog", order, "publish-1")
        until(lambda: LAYOUT in {game["slug"] for game in fay.get("/api/games").json()})  # told, not asked

        post(fay, "/api/tables/Nines/open-table", {"layout": LAYOUT, "tray": 1_000_000}, "open")
        with Client.guest(first.address) as player:
            events = _play_to_the_slip(player, player.watch("Nines"))
        assert [event["revision"] for event in events if event["event"] == "shoe-of-revision"] == [1]
        assert WAGER in {event["wager"] for event in events if event["event"] == "slip"}

        changed = post(flo, "/api/catalog/proposals", {"files": paying(files, 90)}, "propose-2")
        assert changed["needs_two"]
        order = {"revision": 2, "content": changed["content"]}
        waits = post(flo, "/api/house/publish-catalog", order, "publish-2")
        post(fay, f"/api/approvals/{waits['approval']}/approve", {}, "approve")
        until(lambda: "90 to 1" in flo.get(f"/api/layouts/{LAYOUT}").text)
        assert "100 to 1" in flo.get("/api/tables/Nines/card").text  # its shoe is in play
        post(fay, "/api/tables/Nines/shuffle", {}, "shuffle")
        until(lambda: "90 to 1" in flo.get("/api/tables/Nines/card").text)
    store = Store.open(address, key_file(key))
    with store.view() as unit:
        assert check_book(unit).findings == ()
        assert check_records(unit, store.keyring).findings == []
    store.close()


def _play_to_the_slip(player: Client, table: Table) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    update = table.update

    def heard(message: Any) -> None:
        update(message)
        events.extend(message.get("events", []))

    table.update = heard  # type: ignore[method-assign]  # listened to
    table.say("seat", player=player.name, spot=1)
    table.say("bet", spot=1, stakes={"Ante": 10_00, WAGER: 5_00})
    end = time.monotonic() + SECONDS
    while not any(event["event"] == "round-over" for event in events):
        assert time.monotonic() < end, events
        may = {choice["do"] for choice in table.choices}
        said = False
        for do in ("ready", "decline-insurance", "stay"):
            if do in may and not said:
                table.say(do, **({"player": player.name} if do == "ready" else {"spot": 1}))
                said = True
        if not said:
            player.hear(seconds=0.2)
    return events
