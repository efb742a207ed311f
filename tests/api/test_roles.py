"""Every route and every command of the socket, for every role and for nobody: cell by cell. Deny by default (S9)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
from api.house import ApiUser, House, receive, send
from fastapi import FastAPI
from roles_page import page
from starlette.routing import BaseRoute

from upcard.api.access import RULES, TABLE_RULES, Guard
from upcard.api.app import create_app
from upcard.api.settings import Settings
from upcard.people import Role
from upcard.service import commands as s

APP = create_app(Settings())
NO_RULES = {"/ws", ""}  # the socket has tickets, and rules for what is said there; the pages are for everybody
BY_ROLE = {"NOT_SIGNED_IN", "NOT_ALLOWED"}


def routes_of(app: FastAPI) -> Iterator[tuple[str, str, str | None]]:
    """Method, path and operation of everything that is served, shown in the description or not."""

    def walk(routes: list[BaseRoute]) -> Iterator[BaseRoute]:
        for route in routes:
            inner = getattr(route, "original_router", None)
            yield from [route] if inner is None else walk(inner.routes)

    for route in walk(app.routes):
        operation = (getattr(route, "openapi_extra", None) or {}).get("x-operation")
        for method in getattr(route, "methods", None) or ["GET"]:
            yield method, getattr(route, "path", "?"), operation


def unruled(app: FastAPI) -> set[str]:
    """Paths that nobody has decided about."""
    return {path for _, path, operation in routes_of(app) if path not in NO_RULES and operation not in RULES}


ROUTES = sorted((method, path, str(operation)) for method, path, operation in routes_of(APP) if operation)


def test_every_route_has_a_rule_and_every_rule_a_route() -> None:
    assert unruled(APP) == set()
    assert {operation for _, _, operation in ROUTES} == set(RULES)


def test_a_route_without_a_rule_is_found() -> None:
    app = create_app(Settings())
    app.add_api_route("/api/forgotten", lambda: 1, include_in_schema=False)
    app.add_api_route("/api/misnamed", lambda: 1, openapi_extra={"x-operation": "no such thing"})
    assert unruled(app) == {"/api/forgotten", "/api/misnamed"}


def test_the_description_has_every_route_with_its_operation() -> None:
    paths = APP.openapi()["paths"]
    described = {
        (m.upper(), path, operation["x-operation"]) for path, ones in paths.items() for m, operation in ones.items()
    }
    assert described == set(ROUTES)


def test_players_are_permitted_exactly_the_commands_that_the_service_accepts_from_them() -> None:
    players = {str(s.fields_of(kind)["do"].default) for kind in get_args(s.ByPlayers)}
    assert {name for name, rule in TABLE_RULES.items() if Role.PLAYER in rule.roles} == players


def test_the_docs_show_the_rules() -> None:
    """`make docs` writes the page."""
    assert (Path(__file__).parents[2] / "docs" / "roles.md").read_text() == page()


@pytest.fixture(scope="module")
def everybody(house: House) -> dict[Role, ApiUser]:
    return {role: house.somebody(role) for role in Role}


def outcome(client: httpx.Client, method: str, path: str) -> str:
    """Asks with nothing in hand, and says why not: roles are asked before anything is read or done."""
    names = {
        "table": "nowhere",
        "slug": "nowhere",
        "jackpot": "nowhere",
        "player": "Nobody",
        "name": "Nobody",
        "approval": "none",
    }
    at = path.format(number=1, day="2026-01-01", **names)
    answer = client.request(method, at, content=b"", headers={"Content-Type": "application/json"})
    if answer.status_code < 400:
        return ""
    assert answer.headers["Content-Type"] == "application/problem+json"
    reply: dict[str, Any] = answer.json()
    assert (reply["reason"] == "NOT_SIGNED_IN") == (answer.status_code == 401)
    assert reply["reason"] != "NOT_ALLOWED" or answer.status_code == 403
    return str(reply["reason"])


@pytest.mark.parametrize("role", Role)
def test_every_cell_of_the_table_over_http(house: House, everybody: dict[Role, ApiUser], role: Role) -> None:
    cells = {}
    for method, path, operation in ROUTES:
        user = house.sign_in(everybody[role].name) if operation == "sign out" else everybody[role]
        cells[method, path] = outcome(user.http, method, path) not in BY_ROLE
    assert cells == {
        (method, path): RULES[operation].public or role in RULES[operation].roles for method, path, operation in ROUTES
    }


def test_anonymous_visitors_see_public_data_only(house: House) -> None:
    nobody = house.nobody()
    cells = {(method, path): outcome(nobody, method, path) != "NOT_SIGNED_IN" for method, path, _ in ROUTES}
    assert cells == {(method, path): RULES[operation].public for method, path, operation in ROUTES}


# --- over the socket ----------------------------------------------------------------------------------------------

SAMPLE: dict[str, Any] = {
    "table": "nowhere",
    "jackpot": "nowhere",
    "player": "Nobody",
    "second": "Nobody",
    "spot": 1,
    "amount": 100,
    "cap": 100,
    "tray": 0,
    "stakes": {"Ante": 100},
    "spots": {"1": {"Ante": 100}},
    "values": {"Major": 100},
    "day": "2026-01-01",
    "hours": {"since": "2026-01-01", "zone": "UTC", "start": 6},
    "reason": "seed",
    "source": "meter",
    "card": "Qh",
    "number": 1,
    "revision": 1,
    "content": "0" * 64,
    "blackjack": True,
}


def sample(kind: Any, tag: str) -> dict[str, Any]:
    fields = {tag: s.fields_of(kind)[tag].default}
    needed = (name for name, field in s.fields_of(kind).items() if field.is_required())
    return fields | {name: SAMPLE.get(name, "words") for name in needed}


def commands() -> dict[str, dict[str, Any]]:
    """One of each thing that can be said over the socket, by its operation."""
    kinds = (*get_args(s.ByPlayers), *get_args(s.ByTheFloor), s.Timeout, s.OpenJackpot)
    bodies = {str(s.fields_of(kind)["do"].default): sample(kind, "do") for kind in kinds}
    for kind in get_args(get_args(s.HouseRequest)[0]):
        bodies[str(s.fields_of(kind)["order"].default)] = {"do": "house", "request": sample(kind, "order")}
    return bodies


def test_every_command_can_be_sent_over_the_socket() -> None:
    ruled = {operation for _, path, operation in ROUTES if path.startswith(("/api/house", "/api/tables/{table}/"))}
    assert set(TABLE_RULES) <= set(commands()) <= ruled | {"timeout"}


@pytest.mark.parametrize("role", Role)
def test_every_cell_of_the_table_over_the_socket(everybody: dict[Role, ApiUser], role: Role) -> None:
    """The clock's own word is nobody's; what needs a code or two persons is not said over a socket."""
    cells, expected = {}, {}
    with everybody[role].socket() as socket:
        for operation, command in commands().items():
            send(socket, {"type": "command", "id": operation, "command": command})
            cells[operation] = receive(socket, "refused", "answer").get("reason", "done")
            rule = RULES.get(operation)
            if rule is None or role not in rule.roles:
                expected[operation] = "NOT_ALLOWED"
            elif rule.guard is not Guard.NONE:
                expected[operation] = "NOT_HERE"
            else:
                expected[operation] = cells[operation]
                assert cells[operation] not in (*BY_ROLE, "UNREADABLE", "INTERNAL")
    assert cells == expected


def test_commands_that_need_a_code_are_refused_over_a_socket(house: House) -> None:
    jackpots = house.somebody(Role.JACKPOTS)
    jackpots.step_up()
    with jackpots.socket() as socket:
        for operation in ("pay-win", "reduce", "deposit"):
            send(socket, {"type": "command", "id": "x", "command": commands()[operation]})
            assert receive(socket, "refused")["reason"] == "NOT_HERE"
