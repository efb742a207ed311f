"""One endpoint per command of the service, generated from the command classes."""

import json
from collections.abc import Callable
from typing import Annotated, Any, cast, get_args

from fastapi import APIRouter, Header, Path
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, JsonValue, create_model

from upcard.api.access import RULES, Guard
from upcard.api.auth import CurrentServer, CurrentSession
from upcard.api.messages import PLAIN
from upcard.api.routes.approvals import ApprovalNeeded, ask_second_person
from upcard.api.server import Server
from upcard.people import PeopleRefusal, PeopleRefused, Session
from upcard.service import commands as s
from upcard.service.cage import CageCommand
from upcard.service.event_models import Event
from upcard.service.pending import Answer
from upcard.service.refusals import Refused
from upcard.service.wire_models import BookAnswers

Key = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        pattern=r"^[A-Za-z0-9._-]{1,64}$",
        description="An id that the client chooses: a request sent again with the same id gets the first answer.",
    ),
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


def _body(kind: type, *without: str) -> type[BaseModel]:
    fields: dict[str, Any] = {
        name: (field.rebuild_annotation(), field) for name, field in s.fields_of(kind).items() if name not in without
    }
    config = ConfigDict(extra="forbid")
    return create_model(f"{kind.__name__}Body", __config__=config, __doc__=kind.__doc__, **fields)


def _table_route(kind: Any) -> None:
    name = s.command_name(kind)

    def carry_out(server: CurrentServer, session: CurrentSession, table: TableName, body: Any, key: Key) -> Any:
        return _carry_out(server, session, name, kind(table=table, **body.model_dump()), key)

    _add(f"/api/tables/{{table}}/{name}", name, kind, _body(kind, "do", "table"), carry_out)


def _house_route(name: str, kind: Any, make: Callable[[Any], s.Command]) -> None:
    def carry_out(server: CurrentServer, session: CurrentSession, body: Any, key: Key) -> Any:
        return _carry_out(server, session, name, make(kind(**body.model_dump())), key)

    _add(f"/api/house/{name}", name, kind, _body(kind, "do", "order"), carry_out)


def _floor_log_route(kind: Any) -> None:
    name = s.command_name(kind)

    def carry_out(server: CurrentServer, session: CurrentSession, body: Any, key: Key) -> Any:
        return _carry_out(server, session, name, kind(**body.model_dump()), key)

    _add(f"/api/floor/{name}", name, kind, _body(kind, "do"), carry_out)


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
        responses={202: {"model": ApprovalNeeded}} if _may_need_two(name, kind) else {},
        openapi_extra={"x-operation": name},
    )


def _may_need_two(name: str, kind: type) -> bool:
    return RULES[name].guard is Guard.SECOND_PERSON or issubclass(kind, CageCommand | s.PublishCatalog | s.Post)


def _carry_out(
    server: Server, session: Session, name: str, command: s.Command, key: str
) -> CommandReply | JSONResponse:
    command = server.with_known_names(session, command)
    guard = server.guard_of(name, command)
    if guard is not Guard.NONE:
        server.require_code(session)
    if guard is not Guard.SECOND_PERSON:
        return _reply(key, server.ask(session, command, key).result())
    server.check_text(command)
    command_id = server.command_id(session.person, key)
    stored: JsonValue = json.loads(s.command_json(command))
    asked = ask_second_person(server, session, {"operation": name, "command": stored, "id": command_id}, key)
    if isinstance(asked, JSONResponse):
        return asked
    outcome = server.service.queries.outcome(command_id)
    if isinstance(outcome, Refused):
        raise outcome
    if outcome is None:  # it was approved, and an error of the program kept it from being carried out
        raise PeopleRefused(PeopleRefusal.APPROVAL_GIVEN)
    return _reply(key, outcome)


def _reply(key: str, answer: Answer) -> CommandReply:
    return CommandReply(
        id=key,
        stream=answer.stream,
        number=answer.number,
        events=cast(list[Event], list(answer.events)),
        told=answer.told,
        repeated=answer.repeated,
    )


routes = APIRouter()
for command_kind in (*get_args(s.ByPlayers), *get_args(s.ByTheFloor)):
    _table_route(command_kind)
for request_kind in get_args(get_args(s.HouseRequest)[0]):
    _house_route(
        str(request_kind.model_fields["order"].default), request_kind, lambda request: s.House(request=request)
    )
for floor_log_kind in get_args(s.FloorLogCommand):
    _floor_log_route(floor_log_kind)
_house_route("open-jackpot", s.OpenJackpot, lambda request: request)
