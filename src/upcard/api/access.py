"""Who may do what: one table of operations and roles. What is not in it nobody may do."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import get_args

from upcard.people import Role
from upcard.service import commands as s

P, D, F, C, J, A, S = EVERYBODY = tuple(Role)
STAFF = (D, F, C, J, A)


class Guard(Enum):
    """What an operation asks for beyond a role."""

    NONE = "a session"
    STEP_UP = "a code from the authenticator within five minutes"
    TWO = "a code from the authenticator, and a second person's approval"


@dataclass(frozen=True, slots=True)
class Rule:
    """Who may do an operation; no roles: everybody, signed in or not."""

    roles: frozenset[Role]
    guard: Guard = Guard.NONE
    public: bool = False


def _for(*roles: Role, guard: Guard = Guard.NONE) -> Rule:
    return Rule(frozenset(roles), guard)


_PUBLIC = Rule(frozenset(), public=True)

_OTHERS_AT_TABLES: Mapping[str, Rule] = {  # who may say what is not said by players, or by the floor, alone
    "seat": _for(P, D, F),
    "leave": _for(P, D, F),
    "away": _for(P, D, F),
    "sit-out": _for(P, D, F),
    "back": _for(P, D, F),
    "tip": _for(D, C),
    "buy-in": _for(D, C),
    "cash-out": _for(D, C),
    "deal": _for(D),
    "pay-tips": _for(C),
    "fill": _for(F, C),
    "credit": _for(F, C),
    "reset": _for(F, guard=Guard.STEP_UP),
    "correct": _for(F, guard=Guard.TWO),
}
# Said at tables, by the names of the service's commands: a player speaks for themselves, or a dealer for them; the
# dealer deals; and the rest is the floor's.
TABLE_RULES: Mapping[str, Rule] = {
    **{s.command_name(kind): _for(P, D) for kind in get_args(s.ByPlayers)},
    **{s.command_name(kind): _for(F) for kind in get_args(s.ByTheFloor)},
    **{s.command_name(kind): _for(D) for kind in get_args(s.ByTheDealer)},
    **_OTHERS_AT_TABLES,
}

# Asked of the house: by the names of the book's requests.
HOUSE_RULES: Mapping[str, Rule] = {
    "open-jackpot": _for(J, guard=Guard.STEP_UP),
    "set-hours": _for(F, guard=Guard.STEP_UP),
    "close-day": _for(F),
    "verify": _for(J, F),
    "pay-win": _for(J, guard=Guard.TWO),
    "deny-win": _for(J, guard=Guard.TWO),
    "suspend": _for(J, F),
    "resume": _for(J, F),
    "post": _for(J, guard=Guard.STEP_UP),
    "accrue-day": _for(J),
    "set-cap": _for(J, guard=Guard.TWO),
    "reduce": _for(J, guard=Guard.TWO),
    "deposit": _for(J, guard=Guard.STEP_UP),
    "escrow-lost": _for(J, guard=Guard.TWO),
    "cure-escrow": _for(J, guard=Guard.TWO),
}

# Everything else.
OTHER_RULES: Mapping[str, Rule] = {
    "health": _PUBLIC,
    "metrics": _for(F, A),
    "read games": _PUBLIC,
    "read odds": _PUBLIC,
    "message schema": _PUBLIC,
    "api schema": _PUBLIC,
    "set up": _PUBLIC,
    "accept invitation": _PUBLIC,
    "sign in": _PUBLIC,
    "be a guest": _PUBLIC,
    "simulate": _for(P, *STAFF),
    "sign out": _for(*EVERYBODY),
    "who am I": _for(*EVERYBODY),
    "change password": _for(*EVERYBODY),
    "enrol authenticator": _for(*STAFF),
    "confirm authenticator": _for(*STAFF),
    "step up": _for(*STAFF),
    "socket ticket": _for(*EVERYBODY),
    "read tables": _for(*EVERYBODY),
    "read own rounds": _for(P),
    "ask for a hint": _for(P),
    "fill the seats": _for(P),
    "read rounds": _for(D, F, A),
    "read a round": _for(*EVERYBODY),
    "read records": _for(*EVERYBODY),
    "read shoes": _for(*EVERYBODY),
    "read jackpots": _for(*EVERYBODY),
    "read floor": _for(*STAFF),
    "read hold": _for(F, C, J, A),
    "read report": _for(F, C, J, A),
    "read audit": _for(F, A),
    "read people": _for(F, A),
    "read people log": _for(F, A),
    "invite": _for(F, guard=Guard.STEP_UP),
    "disable": _for(F, guard=Guard.STEP_UP),
    "make a way back": _for(F, guard=Guard.TWO),
    "read approvals": _for(F, J, A),
    "approve": _for(F, J, guard=Guard.STEP_UP),
}

RULES: Mapping[str, Rule] = {**TABLE_RULES, **HOUSE_RULES, **OTHER_RULES}
