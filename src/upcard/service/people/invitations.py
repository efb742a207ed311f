"""How people come in: the first of the floor by a set-up token, all others by an invitation, guests by walking in.

Whoever lost his password or his authenticator comes back by a link too, with a new password and without codes.

There are no default accounts and no default passwords (OWASP ASVS 6.3.2). A link is good once, and not for ever.
"""

from upcard.service.people import roles as duties
from upcard.service.people import schema, sessions, throttle
from upcard.service.people.limits import Limits
from upcard.service.people.person import Entropy, Person, digest, key_of, new_token
from upcard.service.people.refusals import PeopleRefusal, PeopleRefused
from upcard.service.people.register import Register, Row, person_of
from upcard.service.people.roles import Role
from upcard.service.people.signing_in import Asked

_SET_UP = ""  # the key of the one set-up token there is
_BACK = "back:"  # before the key of whoever comes back; no name has a colon
_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # 32, without those that are taken for another
_I, _P = schema.invitations.c, schema.people.c


def set_up_token(register: Register, entropy: Entropy, limits: Limits) -> str | None:
    """A token for the first of the floor, in place of any earlier one; None: there is one of the floor."""
    if register.floor():
        return None
    token = _issue(register, entropy, _SET_UP, "", frozenset({Role.FLOOR}), register.after(limits.set_up))
    register.log("", "set-up-offered", "")
    return token


def invite(
    register: Register, entropy: Entropy, limits: Limits, *, by: Person, name: str, roles: frozenset[Role]
) -> str:
    """A link for a new person, in place of any earlier one."""
    who = register.may(by, Role.FLOOR)
    check_roles(roles)
    register.check_free(name)
    token = _issue(register, entropy, key_of(name), name, roles, register.after(limits.invitation))
    register.log(who.name, "invited", name, roles=roles)
    return token


def way_back(register: Register, entropy: Entropy, limits: Limits, *, by: Person | None, name: str) -> str:
    """A link for somebody who cannot sign in any more, in place of any earlier one; nobody makes one for himself.

    Without `by` it is the operator who does, at the machine where the book is.
    """
    who = "" if by is None else register.may(by, Role.FLOOR).name
    row = register.known(name, hold=True)
    if row["guest"]:
        raise PeopleRefused(PeopleRefusal.GUESTS_PLAY)
    _check_enabled(row)
    if who == row["name"]:
        raise PeopleRefused(PeopleRefusal.NOT_ALONE)
    key, expires = f"{_BACK}{row['key']}", register.after(limits.way_back)
    token = _issue(register, entropy, key, row["name"], duties.read(row["roles"]), expires)
    register.log(who, "way-back-offered", row["name"])
    return token


def offered(register: Register, token: str) -> Row:
    """What a link is good for."""
    row = register.one(schema.invitations, _I.token == digest(token))
    if row is None or row["expires"] < register.now:
        raise PeopleRefused(PeopleRefusal.TOKEN_INVALID)
    return row


def enter(register: Register, row: Row, name: str, kept: str) -> Person:
    """A link is used: its person is here from now on."""
    if not register.drop(schema.invitations, _I.key == row["key"], _I.token == row["token"]):
        raise PeopleRefused(PeopleRefusal.TOKEN_INVALID)
    if is_set_up(row) and register.floor():
        raise PeopleRefused(PeopleRefusal.SET_UP_ALREADY)
    if row["key"].startswith(_BACK):
        return _come_back(register, name, kept)
    person = register.enter(name, duties.read(row["roles"]), kept)
    register.log(name, "set-up" if is_set_up(row) else "accepted", name, roles=person.roles)
    return person


def _come_back(register: Register, name: str, kept: str) -> Person:
    """Another password and no codes; whoever is in under this name is out."""
    row = register.known(name, hold=True)
    _check_enabled(row)
    throttle.forgive(register, Asked(name=name, source="").by_name)  # his guesses before he asked for the link
    register.change(schema.people, _P.key == row["key"], password=kept, codes=None, codes_offered=None)
    ended = sessions.end_all(register, row["name"])
    register.log(row["name"], "came-back", row["name"], {"has_totp": row["codes"] is not None}, sessions_ended=ended)
    return person_of({**row, "codes": None})


def _check_enabled(row: Row) -> None:
    """A way back is no way around the floor, who shut somebody out."""
    if row["disabled"]:
        raise PeopleRefused(PeopleRefusal.PERSON_DISABLED, name=row["name"])


def is_set_up(row: Row) -> bool:
    """Whether a link is the one that sets the house up."""
    return bool(row["key"] == _SET_UP)


def admit(register: Register, entropy: Entropy) -> Person:
    """A guest under a name that nobody has."""
    for _ in range(100):
        name = "Guest " + "".join(_LETTERS[byte % len(_LETTERS)] for byte in entropy(4))
        if register.row(name) is None:
            person = register.enter(name, frozenset({Role.PLAYER}), None, guest=True)
            register.log(name, "guest", name, roles=person.roles)
            return person
    raise PeopleRefused(PeopleRefusal.NAME_TAKEN, name="guest of every name")


def check_roles(roles: frozenset[Role]) -> None:
    """Refuses no roles at all, and those that nobody may hold together."""
    if not roles:
        raise PeopleRefused(PeopleRefusal.NO_ROLE)
    if why := duties.clash(roles):
        raise PeopleRefused(PeopleRefusal.ROLES_CLASH, why=why)


def _issue(register: Register, entropy: Entropy, key: str, name: str, roles: frozenset[Role], expires: str) -> str:
    token = new_token(entropy)
    register.drop(schema.invitations, _I.key == key)
    register.add(
        schema.invitations, key=key, token=digest(token), name=name, roles=duties.written(roles), expires=expires
    )
    return token
