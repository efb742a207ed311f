"""An endpoint for each command of the service, made from the commands themselves: nothing is written twice."""

import json
from collections.abc import Callable
from typing import Annotated, Any, cast, get_args

from fastapi import APIRouter, Header, Path
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, JsonValue, create_model
from typing_extensions import TypedDict

from upcard.api.access import RULES, Guard
from upcard.api.auth import Served, Signed
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


def _body(kind: type, *without: str) -> type[BaseModel]:
    fields: dict[str, Any] = {
        name: (field.rebuild_annotation(), field) for name, field in s.fields_of(kind).items() if name not in without
    }
    config = ConfigDict(extra="forbid")
    return create_model(f"{kind.__name__}Body", __config__=config, __doc__=kind.__doc__, **fields)


def _table_route(kind: Any) -> None:
    name = s.command_name(kind)

    def carry_out(
        server: Served, session: Signed, table: TableName, told: Any, key: Key, approval: Approval = None
    ) -> Any:
        return _carry_out(server, session, name, kind(table=table, **told.model_dump()), key, approval)

    _add(f"/api/tables/{{table}}/{name}", name, kind, _body(kind, "do", "table"), carry_out)


def _house_route(name: str, kind: Any, make: Callable[[Any], s.Command]) -> None:
    def carry_out(server: Served, session: Signed, told: Any, key: Key, approval: Approval = None) -> Any:
        return _carry_out(server, session, name, make(kind(**told.model_dump())), key, approval)

    _add(f"/api/house/{name}", name, kind, _body(kind, "do", "order"), carry_out)


def _add(path: str, name: str, kind: type, body: type[BaseModel], carry_out: Callable[..., Any]) -> None:
    carry_out.__annotations__ |= {"told": body}
    carry_out.__name__ = name.replace("-", "_")
    routes.add_api_route(
        path,
        carry_out,
        methods=["POST"],
        response_model=Answered,
        summary=(kind.__doc__ or "").split("\n")[0],
        tags=[path.split("/")[2]],
        responses={202: {"model": Waits}} if RULES[name].guard is Guard.TWO else {},
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
        made = server.people.request_approval(session, text)
        return {"approval": made, "waits_for": "the approval of another person"}
    found = server.people.approval(approval)
    approver = None if found is None else found.approved_by
    if approver is not None and named not in (None, approver):
        raise ProblemError(409, "OTHER_SECOND", f"the second person named is {named}, but {approver} approved")
    server.people.use_approval(session, approval, text, command=f"{session.person.name}:{key}")
    return None


routes = APIRouter()  # every command of tables, house and jackpots
for command_kind in (*get_args(s.ByPlayers), *get_args(s.ByTheFloor)):
    _table_route(command_kind)
for request_kind in get_args(get_args(s.HouseRequest)[0]):
    _house_route(str(request_kind.model_fields["order"].default), request_kind, lambda made: s.House(request=made))
_house_route("open-jackpot", s.OpenJackpot, lambda made: made)
