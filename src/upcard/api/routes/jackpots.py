"""Jackpots for the people who look after them: the money of each, the evidence of a win, and who may act on it."""

from typing import Annotated

from fastapi import APIRouter, Query
from typing_extensions import TypedDict

from upcard.api.access import RULES
from upcard.api.auth import CurrentServer, CurrentSession
from upcard.api.routes.commands import TableName
from upcard.people import Role
from upcard.service.jackpot_accounts import JackpotAccount, jackpot_account
from upcard.service.win_evidence import WinEvidence, win_evidence

WinKey = Annotated[str, Query(min_length=1, max_length=300)]


class Colleague(TypedDict):
    """Somebody who may act on a jackpot too."""

    name: str
    verifies: bool
    pays: bool
    approves: bool


class Limits(TypedDict):
    """Amounts in cents above which a second person approves."""

    post: int
    pay: int


class JackpotStaff(TypedDict):
    """Who may verify, pay and approve, and from which amounts it takes two."""

    people: list[Colleague]
    two_people_above: Limits


routes = APIRouter(prefix="/api/jackpots")


@routes.get("/staff", tags=["jackpots"], openapi_extra={"x-operation": "read a jackpot"})
def staff(server: CurrentServer, _: CurrentSession) -> JackpotStaff:
    """Who may verify and pay wins and approve what needs a second person."""
    settings = server.settings
    return {
        "people": [
            {
                "name": person.name,
                "verifies": bool(person.roles & RULES["verify"].roles),
                "pays": bool(person.roles & RULES["pay-win"].roles),
                "approves": Role.FLOOR in person.roles,
            }
            for person in server.people.people()
            if not person.disabled and person.roles & RULES["verify"].roles
        ],
        "two_people_above": {"post": settings.post_two_people_above, "pay": settings.pay_two_people_above},
    }


@routes.get("/{jackpot}/account", tags=["jackpots"], openapi_extra={"x-operation": "read a jackpot"})
def account(jackpot: TableName, server: CurrentServer, _: CurrentSession) -> JackpotAccount:
    """A jackpot's money: meter, cap, reserve and escrow, lawful reductions, and the last movements of its meters."""
    return jackpot_account(server.service, jackpot)


@routes.get("/{jackpot}/evidence", tags=["jackpots"], openapi_extra={"x-operation": "read a jackpot"})
def evidence(jackpot: TableName, win: WinKey, server: CurrentServer, _: CurrentSession) -> WinEvidence:
    """What to compare before a win is verified: players, cards, and whether the shoe so far is the promised one."""
    return win_evidence(server.service, jackpot, win)
