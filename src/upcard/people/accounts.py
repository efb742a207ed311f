"""Disabling and enabling accounts, changing roles, and opening walk-ins."""

from upcard.people import approvals, independence, invitations, schema, sessions
from upcard.people import roles as duties
from upcard.people.person import Person
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, Row, person_of
from upcard.people.roles import STAFF, Role

_P = schema.people.c
_CAGE = (Role.CASHIER, Role.DEALER, Role.FLOOR)


def disable_account(register: Register, by: Person, name: str) -> Person:
    """Disables the account, ends its sessions and withdraws what it asked for. The last person on the floor stays."""
    floor = register.lock_floor()
    actor, row = register.require_role(by, Role.FLOOR), register.person_row(name, lock=True)
    _check_not_last_on_floor(floor, row)
    sessions.end_all(register, row["name"])
    approvals.withdraw_waiting(register, by=actor.name, of=row["name"])
    register.change(schema.people, _P.name_key == row["name_key"], disabled=True)
    register.log(actor.name, "account-disabled", row["name"], {"disabled": row["disabled"]}, disabled=True)
    return person_of({**row, "disabled": True})


def enable_account(register: Register, by: Person, name: str, approved_by: str | None = None) -> Person:
    """Enables a disabled account, with its password and authenticator as they were."""
    actor, row = check_enabling(register, by, name)
    if not approved_by:
        check_needs_nobody_else(register, duties.parse_roles(row["roles"]))
    register.change(schema.people, _P.name_key == row["name_key"], disabled=False)
    register.log(
        actor.name, "account-enabled", row["name"], {"disabled": True}, disabled=False, approved_by=approved_by
    )
    return person_of({**row, "disabled": False})


def check_enabling(register: Register, by: Person, name: str) -> tuple[Person, Row]:
    actor, row = register.require_role(by, Role.FLOOR), register.person_row(name, lock=True)
    if not row["disabled"]:
        raise PeopleRefused(PeopleRefusal.PERSON_ENABLED, name=row["name"])
    return actor, row


def change_roles(
    register: Register, by: Person, name: str, roles: frozenset[Role], approved_by: str | None = None
) -> Person:
    """Changes a person's roles and ends their sessions."""
    actor, row = check_role_change(register, by, name, roles)
    before = duties.parse_roles(row["roles"])
    if not approved_by:
        check_needs_nobody_else(register, roles - before)
    sessions.end_all(register, row["name"])
    register.change(schema.people, _P.name_key == row["name_key"], roles=duties.roles_text(roles))
    register.log(actor.name, "roles-changed", row["name"], {"roles": before}, roles=roles, approved_by=approved_by)
    return person_of({**row, "roles": duties.roles_text(roles)})


def check_role_change(register: Register, by: Person, name: str, roles: frozenset[Role]) -> tuple[Person, Row]:
    """Nobody changes their own roles, and the last person on the floor stays there."""
    invitations.check_roles(roles)
    floor = register.lock_floor()
    actor, row = register.require_role(by, Role.FLOOR), register.person_row(name, lock=True)
    if row["guest"]:
        raise PeopleRefused(PeopleRefusal.GUESTS_PLAY)
    if row["name"] == actor.name:
        raise PeopleRefused(PeopleRefusal.NOT_ALONE)
    if Role.FLOOR not in roles:
        _check_not_last_on_floor(floor, row)
    return actor, row


def check_needs_nobody_else(register: Register, roles: frozenset[Role]) -> None:
    """Refuses to give staff roles without a second person, except during the first set-up."""
    if needs_second_person(register, roles):
        raise PeopleRefused(PeopleRefusal.SECOND_PERSON_NEEDED)


def needs_second_person(register: Register, roles: frozenset[Role]) -> bool:
    return bool(roles & STAFF) and not independence.in_first_set_up(register)


def open_walk_in(register: Register, by: Person, name: str) -> Person:
    """A player without an account of their own, opened at the cage. A player who is known already is that player."""
    role = next((role for role in _CAGE if role in by.roles), Role.CASHIER)
    actor = register.require_role(by, role)
    row = register.find_person(name)
    if row is None:
        return add_walk_in(register, name, actor.name)
    if Role.PLAYER not in duties.parse_roles(row["roles"]):
        raise PeopleRefused(PeopleRefusal.NOT_A_PLAYER, name=row["name"])
    if row["disabled"]:
        raise PeopleRefused(PeopleRefusal.PERSON_DISABLED, name=row["name"])
    return person_of(row)


def add_walk_in(register: Register, name: str, actor: str) -> Person:
    """Adds a player who cannot sign in: for the cage, the demo and bots."""
    person = register.add_person(name, frozenset({Role.PLAYER}), None, guest=True)
    register.log(actor, "walk-in-opened", name, roles=person.roles)
    return person


def _check_not_last_on_floor(floor: list[Row], row: Row) -> None:
    if [floor_row["name_key"] for floor_row in floor] == [row["name_key"]]:
        raise PeopleRefused(PeopleRefusal.LAST_FLOOR, name=row["name"])
