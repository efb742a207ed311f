"""The cage over HTTP: slips of a gaming day, and accounts of players."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query

from upcard.api.auth import CurrentServer, CurrentSession
from upcard.api.routes.commands import TableName
from upcard.people import PeopleRefusal, PeopleRefused, Role
from upcard.service.cage_slips import CageSlip, PlayerAccount, account_of, slips_of


class SignedSlip(CageSlip):
    """A slip, with the second person who signed for it; empty where one was enough."""

    approved_by: str


Day = Annotated[date | None, Query(description="The gaming day; today's if none is given.")]

routes = APIRouter(prefix="/api/cage")


@routes.get("/slips", tags=["cage"], openapi_extra={"x-operation": "read slips"})
def slips(server: CurrentServer, _: CurrentSession, day: Day = None) -> list[SignedSlip]:
    """The slips of a gaming day, newest first: fills, credits, buy-ins, cash-outs and tips."""
    of_day = day or server.gaming_days.days().today
    with server.service.desk.book.look() as reader:
        booked = slips_of(reader.unit, of_day)
    approvers = server.people.approvers([slip["command"] for slip in booked])
    return [{**slip, "approved_by": approvers.get(slip["command"], "")} for slip in booked]


@routes.get("/players/{player}", tags=["cage"], openapi_extra={"x-operation": "read a player's account"})
def player_account(player: TableName, server: CurrentServer, _: CurrentSession, day: Day = None) -> PlayerAccount:
    """A player's chips, and what they bought, cashed in, tipped and won on a gaming day."""
    person = server.people.find(player)
    if person is None or Role.PLAYER not in person.roles:
        raise PeopleRefused(PeopleRefusal.PERSON_UNKNOWN, name=player)
    of_day = day or server.gaming_days.days().today
    with server.service.desk.book.look() as reader:
        return account_of(reader.unit, person.name, of_day)
