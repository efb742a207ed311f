"""Permissions: one table of operations and roles. An operation that is not listed is denied to everybody."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import get_args

from upcard.api.settings import Settings
from upcard.people import Role
from upcard.reports.controls_sheet import Permission
from upcard.service import commands as s
from upcard.service.cage import CageCommand

P, D, F, C, J, A, S = EVERYBODY = tuple(Role)
STAFF = (D, F, C, J, A)


class Guard(Enum):
    """What an operation requires beyond a role."""

    NONE = "a session"
    STEP_UP = "a code from the authenticator within five minutes"
    SECOND_PERSON = "a code from the authenticator, and a second person's approval"


@dataclass(frozen=True, slots=True)
class AccessRule:
    """Who may do an operation. `public` ones need no session."""

    roles: frozenset[Role]
    guard: Guard = Guard.NONE
    public: bool = False


def _allow(*roles: Role, guard: Guard = Guard.NONE) -> AccessRule:
    return AccessRule(frozenset(roles), guard)


_PUBLIC = AccessRule(frozenset(), public=True)

_SPECIAL_TABLE_RULES: Mapping[str, AccessRule] = {  # commands with roles of their own
    "seat": _allow(P, D, F),
    "leave": _allow(P, D, F),
    "away": _allow(P, D, F),
    "sit-out": _allow(P, D, F),
    "back": _allow(P, D, F),
    "tip": _allow(D, C),
    "buy-in": _allow(D, C),
    "cash-out": _allow(D, C),
    "deal": _allow(D),
    "pay-tips": _allow(C),
    "fill": _allow(F, C),
    "credit": _allow(F, C),
    "reset": _allow(F, guard=Guard.STEP_UP),
    "correct": _allow(F, guard=Guard.SECOND_PERSON),
}
# Commands at a table, by their names in the service. Players act for themselves, or a dealer acts for them; dealers
# deal; the floor does the rest.
TABLE_RULES: Mapping[str, AccessRule] = {
    **{s.command_name(kind): _allow(P, D) for kind in get_args(s.ByPlayers)},
    **{s.command_name(kind): _allow(F) for kind in get_args(s.ByTheFloor)},
    **{s.command_name(kind): _allow(D) for kind in get_args(s.ByTheDealer)},
    **_SPECIAL_TABLE_RULES,
}

# Commands to the house, by the names of the ledger's requests.
HOUSE_RULES: Mapping[str, AccessRule] = {
    "open-jackpot": _allow(J, guard=Guard.STEP_UP),
    "set-hours": _allow(F, guard=Guard.STEP_UP),
    "close-day": _allow(F),
    "publish-catalog": _allow(F, guard=Guard.STEP_UP),
    "acknowledge-alert": _allow(J, F),
    "verify": _allow(J, F),
    "hand-over-verification": _allow(J, F),
    "pay-win": _allow(J, guard=Guard.SECOND_PERSON),
    "deny-win": _allow(J, guard=Guard.SECOND_PERSON),
    "suspend": _allow(J, F),
    "resume": _allow(J, F),
    "post": _allow(J, guard=Guard.STEP_UP),
    "withdraw-post": _allow(J),
    "accrue-day": _allow(J),
    "set-cap": _allow(J, guard=Guard.SECOND_PERSON),
    "reduce": _allow(J, guard=Guard.SECOND_PERSON),
    "deposit": _allow(J, guard=Guard.STEP_UP),
    "escrow-lost": _allow(J, guard=Guard.SECOND_PERSON),
    "cure-escrow": _allow(J, guard=Guard.SECOND_PERSON),
}

# Commands of the floor's log, by their names in the service.
FLOOR_LOG_RULES: Mapping[str, AccessRule] = {
    "name-house": _allow(F, guard=Guard.STEP_UP),
    "note": _allow(F, C, J),
    "hand-over": _allow(F),
    "take-over": _allow(F),
    "open-dispute": _allow(F),
    "settle-dispute": _allow(F),
}

# Everything else.
OTHER_RULES: Mapping[str, AccessRule] = {
    "health": _PUBLIC,
    "read service": _PUBLIC,
    "metrics": _allow(F, A),
    "read games": _PUBLIC,
    "read odds": _PUBLIC,
    "message schema": _PUBLIC,
    "api schema": _PUBLIC,
    "set up": _PUBLIC,
    "accept invitation": _PUBLIC,
    "sign in": _PUBLIC,
    "be a guest": _PUBLIC,
    "simulate": _allow(P, *STAFF),
    "check files": _allow(P, *STAFF),
    "sign out": _allow(*EVERYBODY),
    "who am I": _allow(*EVERYBODY),
    "change password": _allow(*EVERYBODY),
    "read own sessions": _allow(*EVERYBODY),
    "end own sessions": _allow(*EVERYBODY),
    "enrol authenticator": _allow(P, *STAFF),
    "confirm authenticator": _allow(P, *STAFF),
    "remove authenticator": _allow(P),
    "step up": _allow(P, *STAFF),
    "socket ticket": _allow(*EVERYBODY),
    "read tables": _allow(*EVERYBODY),
    "read own rounds": _allow(P),
    "share a round": _allow(P),
    "see a shared round": _PUBLIC,
    "ask for a hint": _allow(P),
    "fill the seats": _allow(P),
    "read rounds": _allow(D, F, A),
    "read a round": _allow(*EVERYBODY),
    "read records": _allow(*EVERYBODY),
    "read shoes": _allow(*EVERYBODY),
    "read jackpots": _allow(*EVERYBODY),
    "read alerts": _allow(F, C, J, A),
    "read a jackpot": _allow(F, C, J, A),
    "read floor": _allow(*STAFF),
    "read house": _allow(*STAFF),
    "read hold": _allow(F, C, J, A),
    "read report": _allow(F, C, J, A),
    "read catalog": _allow(F, J, A),
    "propose catalog": _allow(F),
    "read audit": _allow(F, A),
    "read notes": _allow(F, C, J, A),
    "read disputes": _allow(F, J, A),
    "read people": _allow(F, A),
    "read people log": _allow(F, A),
    "find a player": _allow(D, F, C),
    "read slips": _allow(F, C, A),
    "read a player's account": _allow(F, C, A),
    "open a walk-in": _allow(D, F, C),
    "invite": _allow(F, guard=Guard.SECOND_PERSON),
    "disable": _allow(F, guard=Guard.STEP_UP),
    "enable": _allow(F, guard=Guard.SECOND_PERSON),
    "change roles": _allow(F, guard=Guard.SECOND_PERSON),
    "make a way back": _allow(F, guard=Guard.SECOND_PERSON),
    "reset authenticator": _allow(F, guard=Guard.SECOND_PERSON),
    "read sessions": _allow(F, A),
    "end a session": _allow(F, guard=Guard.STEP_UP),
    "read approvals": _allow(F, J, A),
    "read an approval": _allow(*STAFF),
    "withdraw request": _allow(D, F, C, J),
    "approve": _allow(F, guard=Guard.STEP_UP),
}

_ACTS = frozenset(  # of everything else, what changes something for others
    {
        "approve",
        "change roles",
        "disable",
        "enable",
        "end a session",
        "invite",
        "make a way back",
        "open a walk-in",
        "propose catalog",
        "reset authenticator",
        "withdraw request",
    }
)

WITHOUT_AUTHENTICATOR = frozenset(  # what staff may do before they have set up their authenticator
    {
        "sign out",
        "who am I",
        "change password",
        "read own sessions",
        "end own sessions",
        "enrol authenticator",
        "confirm authenticator",
    }
)

RULES: Mapping[str, AccessRule] = {**TABLE_RULES, **HOUSE_RULES, **FLOOR_LOG_RULES, **OTHER_RULES}
ACTS = frozenset(RULES) - frozenset(OTHER_RULES) | _ACTS  # staff who were idle enter a code before them
PARTS: Mapping[str, Mapping[str, AccessRule]] = {
    "At the tables": TABLE_RULES,
    "In the house": HOUSE_RULES,
    "In the floor's log": FLOOR_LOG_RULES,
    "Everything else": OTHER_RULES,
}


def guard_of(operation: str, command: s.Command, settings: Settings) -> Guard:
    """What a command requires beyond a role. Large amounts at the cage and of
    posted jackpots require more than small ones."""
    if isinstance(command, CageCommand):
        if command.amount > settings.cage_two_people_above:
            return Guard.SECOND_PERSON
        return Guard.STEP_UP if command.amount > settings.cage_code_above else Guard.NONE
    if isinstance(command, s.House) and isinstance(command.request, s.Post):
        posted = (*command.request.values.values(), *command.request.seeds.values())
        return Guard.SECOND_PERSON if max(posted) > settings.post_two_people_above else Guard.STEP_UP
    return RULES[operation].guard


def permissions() -> tuple[Permission, ...]:
    """Every operation that needs a role, for documents."""
    return tuple(
        Permission(
            part=part,
            operation=operation,
            roles=tuple(role.value for role in Role if role in rule.roles),
            needs="" if rule.guard is Guard.NONE else rule.guard.value,
        )
        for part, rules in PARTS.items()
        for operation, rule in rules.items()
        if not rule.public
    )
