"""One endpoint per command of the service, generated from the command classes."""

import json
from collections.abc import Callable
from typing import Annotated, Any, cast, get_args

from fastapi import APIRouter, Header, Path
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, JsonValue, create_model
from typing_extensions import TypedDict

from upcard.api.access import RULES, Guard
from upcard.api.auth import CurrentServer, CurrentSession
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
        description="An id that the client chooses: a request sent again with the same id gets the first answer.",
    ),
]
Approval = Annotated[
    str | None,
    Header(alias="X-Approval", max_length=64, description="The id of a second person's approval, where one is needed."),
]
TableName = Annotated[str, Path(min_length=1, max_length=80, pattern=PLAIN)]


class CommandReply(BaseModel):  # a model, not a TypedDict: pydantic builds its schema once for all routes
    """What a command did; `repeated` if it had been carried out before under the same id."""

    id: str
    stream: str
    number: int
    events: list[Event]
    told: BookAnswers
    repeated: bool


class ApprovalNeeded(TypedDict):
    """The command waits for a second person's approval; send it again with that approval's id."""

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
        server: CurrentServer, session: CurrentSession, table: TableName, body: Any, key: Key, approval: Approval = None
    ) -> Any:
        return _carry_out(server, session, name, kind(table=table, **body.model_dump()), key, approval)

    _add(f"/api/tables/{{table}}/{name}", name, kind, _body(kind, "do", "table"), carry_out)


def _house_route(name: str, kind: Any, make: Callable[[Any], s.Command]) -> None:
    def carry_out(
        server: CurrentServer, session: CurrentSession, body: Any, key: Key, approval: Approval = None
    ) -> Any:
        return _carry_out(server, session, name, make(kind(**body.model_dump())), key, approval)

    _add(f"/api/house/{name}", name, kind, _body(kind, "do", "order"), carry_out)


def _add(path: str, name: str, kind: type, body: type[BaseModel], carry_out: Callable[..., Any]) -> None:
    carry_out.__annotations__ |= {"body": body}
    carry_out.__name__ = name.replace("-", "_")
    routes.add_api_route(
        path,
        carry_out,
        methods=["POST"],
        response_model=CommandReply,
        summary=(kind.__doc__ or "").split("\n")[0],
        tags=[path.split("/")[2]],
        responses={202: {"model": ApprovalNeeded}} if RULES[name].guard is Guard.SECOND_PERSON else {},
        openapi_extra={"x-operation": name},
    )


def _carry_out(
    server: Server, session: Session, name: str, command: s.Command, key: str, approval: str | None
) -> CommandReply | JSONResponse:
    if RULES[name].guard is Guard.SECOND_PERSON:
        second = getattr(command.request, "second", None) if isinstance(command, s.House) else None
        operation: dict[str, JsonValue] = {"operation": name, "command": json.loads(s.command_json(command))}
        pending = require_approval(server, session, operation, key, approval, named=second)
        if pending is not None:
            return JSONResponse(pending, status_code=202)
    answer = server.ask(session, command, key).result()
    return CommandReply(
        id=key,
        stream=answer.stream,
        number=answer.number,
        events=cast(list[Event], list(answer.events)),
        told=answer.told,
        repeated=answer.repeated,
    )


def require_approval(
    server: Server,
    session: Session,
    operation: dict[str, JsonValue],
    key: str,
    approval: str | None,
    *,
    named: str | None = None,
) -> ApprovalNeeded | None:
    """For operations that need two people: the first asks, another approves exactly this, then the first does it.

    Returns what to answer while the approval is missing; uses up the approval if there is one."""
    text = json.dumps(operation, sort_keys=True)
    if approval is None:
        approval_id = server.people.request_approval(session, text)
        return {"approval": approval_id, "waits_for": "the approval of another person"}
    record = server.people.approval(approval)
    approver = None if record is None else record.approved_by
    if approver is not None and named not in (None, approver):
        raise ProblemError(
            409, "OTHER_SECOND", f"the request names {named} as the second person, but {approver} approved it"
        )
    server.people.use_approval(session, approval, text, command=f"{session.person.name}:{key}")
    return None


routes = APIRouter()
for command_kind in (*get_args(s.ByPlayers), *get_args(s.ByTheFloor)):
    _table_route(command_kind)
for request_kind in get_args(get_args(s.HouseRequest)[0]):
    _house_route(
        str(request_kind.model_fields["order"].default), request_kind, lambda request: s.House(request=request)
    )
_house_route("open-jackpot", s.OpenJackpot, lambda request: request)
