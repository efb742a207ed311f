"""An endpoint for each command of the service, made from the commands themselves: nothing is written twice."""

import json
from collections.abc import Callable
from typing import Annotated, Any, cast, get_args

from fastapi import APIRouter, Depends, Header, Path
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, JsonValue, create_model
from typing_extensions import TypedDict

from upcard.api.access import HOUSE_RULES, RULES, TABLE_RULES, Guard, Rule
from upcard.api.auth import Allowed, Served
from upcard.api.messages import PLAIN
from upcard.api.problems import ProblemError
from upcard.api.server import Server
from upcard.people import Session
from upcard.service import commands as s
from upcard.service.event_models import Event
from upcard.service.wire_models import BookAnswers

Key = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        pattern=r"^[A-Za-z0-9._-]{1,64}$",
        description="An id of the client's own choice: the same request sent again gets the first answer.",
    ),
]
Approval = Annotated[
    str | None,
    Header(alias="X-Approval", max_length=64, description="The approval of a second person, where one is needed."),
]
TableName = Annotated[str, Path(min_length=1, max_length=80, pattern=PLAIN)]


class Answered(BaseModel):  # a model, because all commands share it: it is made ready once
    """What a command did."""

    id: str
    stream: str
    number: int
    events: list[Event]
    told: BookAnswers
    repeated: bool


class Waits(TypedDict):
    """A command that waits for a second person."""

    approval: str
    waits_for: str


def router() -> APIRouter:
    """Every command of tables, house and jackpots."""
    routes = APIRouter()
    for kind in (*get_args(s.ByPlayers), *get_args(s.ByTheFloor)):
        _table_route(routes, kind)
    for request in get_args(get_args(s.HouseRequest)[0]):
        _house_route(routes, request)
    _jackpot_route(routes)
    return routes


def _body(kind: type, *without: str) -> type[BaseModel]:
    fields: dict[str, Any] = {
        name: (field.rebuild_annotation(), field) for name, field in s.fields_of(kind).items() if name not in without
    }
    config = ConfigDict(extra="forbid")
    return create_model(f"{kind.__name__}Body", __config__=config, __doc__=kind.__doc__, **fields)


def _table_route(routes: APIRouter, kind: Any) -> None:
    name = str(s.fields_of(kind)["do"].default)
    rule, body = TABLE_RULES[name], _body(kind, "do", "table")

    def carry_out(
        server: Served, session: Any, table: TableName, told: Any, key: Key, approval: Approval = None
    ) -> Any:
        command: Any = kind(table=table, **told.model_dump())
        return _carry_out(server, session, name, command, key, approval)

    _add(routes, f"/api/tables/{{table}}/{name}", name, rule, carry_out, body, kind.__doc__ or "", "tables")


def _house_route(routes: APIRouter, kind: Any) -> None:
    name = str(kind.model_fields["order"].default)
    rule, body = HOUSE_RULES[name], _body(kind, "order")

    def carry_out(server: Served, session: Any, told: Any, key: Key, approval: Approval = None) -> Any:
        made: Any = kind(**told.model_dump())
        return _carry_out(server, session, name, s.House(request=made), key, approval)

    _add(routes, f"/api/house/{name}", name, rule, carry_out, body, kind.__doc__ or "", "house")


def _jackpot_route(routes: APIRouter) -> None:
    name, kind = "open-jackpot", s.OpenJackpot

    def carry_out(server: Served, session: Any, told: Any, key: Key, approval: Approval = None) -> Any:
        return _carry_out(server, session, name, kind(**told.model_dump()), key, approval)

    _add(
        routes, f"/api/house/{name}", name, HOUSE_RULES[name], carry_out, _body(kind, "do"), kind.__doc__ or "", "house"
    )


def _add(
    routes: APIRouter,
    path: str,
    name: str,
    rule: Rule,
    carry_out: Callable[..., Any],
    body: type[BaseModel],
    doc: str,
    tag: str,
) -> None:
    carry_out.__annotations__ |= {"told": body, "session": Annotated[Session, Depends(Allowed(name))]}
    carry_out.__name__ = name.replace("-", "_")
    two: dict[int | str, dict[str, Any]] = {202: {"model": Waits}} if rule.guard is Guard.TWO else {}
    routes.add_api_route(
        path,
        carry_out,
        methods=["POST"],
        response_model=Answered,
        summary=doc.split("\n")[0],
        tags=[tag],
        responses=two,
        openapi_extra={"x-operation": name},
    )


def _carry_out(
    server: Server, session: Session, name: str, command: s.Command, key: str, approval: str | None
) -> Answered | JSONResponse:
    if RULES[name].guard is Guard.TWO:
        second = getattr(command.request, "second", None) if isinstance(command, s.House) else None
        what: dict[str, JsonValue] = {"operation": name, "command": json.loads(s.command_json(command))}
        waits = second_person(server, session, what, key, approval, named=second)
        if waits is not None:
            return JSONResponse(waits, status_code=202)
    answer = server.ask(session, command, key).result()
    return Answered(
        id=key,
        stream=answer.stream,
        number=answer.number,
        events=cast(list[Event], list(answer.events)),
        told=answer.told,
        repeated=answer.repeated,
    )


def second_person(
    server: Server,
    session: Session,
    what: dict[str, JsonValue],
    key: str,
    approval: str | None,
    *,
    named: str | None = None,
) -> Waits | None:
    """What needs two: the first asks, another approves exactly this, the first then does it."""
    text = json.dumps(what, sort_keys=True)
    if approval is None:
        made = server.people.ask_approval(session, text)
        return {"approval": made, "waits_for": "the approval of another person"}
    found = server.people.approval(approval)
    approver = None if found is None else found.approved_by
    if approver is not None and named not in (None, approver):
        raise ProblemError(409, "OTHER_SECOND", f"the second person named is {named}, but {approver} approved")
    server.people.use_approval(session, approval, text, command=f"{session.person.name}:{key}")
    return None
