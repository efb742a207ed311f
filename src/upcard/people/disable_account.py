"""Disabling an account, which the floor does."""

from upcard.people import schema, sessions
from upcard.people.person import Person
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, person_of
from upcard.people.roles import Role

_P = schema.people.c


def disable_account(register: Register, by: Person, name: str) -> Person:
    """Disables the account and ends its sessions. The last person on the floor cannot be disabled."""
    floor = register.lock_floor()
    actor, row = register.require_role(by, Role.FLOOR), register.person_row(name, lock=True)
    if [floor_row["name_key"] for floor_row in floor] == [row["name_key"]]:
        raise PeopleRefused(PeopleRefusal.LAST_FLOOR, name=row["name"])
    sessions.end_all(register, row["name"])
    register.change(schema.people, _P.name_key == row["name_key"], disabled=True)
    register.log(actor.name, "account-disabled", row["name"], {"disabled": row["disabled"]}, disabled=True)
    return person_of({**row, "disabled": True})
