"""What the floor does with people: roles given and taken, accounts disabled, sessions ended."""

from upcard.people import roles as duties
from upcard.people import schema, sessions
from upcard.people.invitations import check_roles
from upcard.people.person import Person
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, Row, person_of
from upcard.people.roles import Role

_P = schema.people.c


def set_roles(register: Register, by: Person, name: str, roles: frozenset[Role]) -> Person:
    """Other roles, from the person's next step on."""
    check_roles(roles)
    floor = register.floor()
    who, row = register.may(by, Role.FLOOR), register.known(name, hold=True)
    if row["guest"] and roles != {Role.PLAYER}:
        raise PeopleRefused(PeopleRefusal.GUESTS_PLAY)
    if Role.FLOOR not in roles:
        _keep_one(floor, row)
    register.change(schema.people, _P.name_key == row["name_key"], roles=duties.written(roles))
    register.log(who.name, "roles-changed", row["name"], {"roles": duties.read(row["roles"])}, roles=roles)
    return person_of({**row, "roles": duties.written(roles)})


def set_disabled(register: Register, by: Person, name: str, *, to: bool) -> Person:
    """Nobody comes in under a disabled name, and who is in is out."""
    floor = register.floor()
    who, row = register.may(by, Role.FLOOR), register.known(name, hold=True)
    if to:
        _keep_one(floor, row)
        sessions.end_all(register, row["name"])
    register.change(schema.people, _P.name_key == row["name_key"], disabled=to)
    what = "account-disabled" if to else "account-enabled"
    register.log(who.name, what, row["name"], {"disabled": row["disabled"]}, disabled=to)
    return person_of({**row, "disabled": to})


def sign_out_everywhere(register: Register, by: Person | None, name: str) -> int:
    """Ends all sessions of somebody, who asks for it himself unless one of the floor does."""
    row = register.known(name)
    who = row["name"] if by is None else register.may(by, Role.FLOOR).name
    ended = sessions.end_all(register, row["name"])
    register.log(who, "sessions-ended", row["name"], {"sessions": ended}, sessions=0)
    return ended


def _keep_one(floor: list[Row], row: Row) -> None:
    if [one["name_key"] for one in floor] == [row["name_key"]]:
        raise PeopleRefused(PeopleRefusal.LAST_FLOOR, name=row["name"])
