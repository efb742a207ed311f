"""How people come in: the first of the floor by a set-up token, all others by an invitation, guests by walking in.

Whoever lost his password or his authenticator comes back by a link too, with a new password and without codes.

There are no default accounts and no default passwords (OWASP ASVS 6.3.2). A link is good once, and not for ever.
"""

from upcard.people import roles as duties
from upcard.people import schema, sessions, throttle
from upcard.people.limits import Limits
from upcard.people.person import Entropy, Person, digest, key_of, new_token
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, Row, person_of
from upcard.people.roles import Role
from upcard.people.signing_in import Asked

_SET_UP = ""  # the key of the one set-up token there is
RECOVERY = "recovery:"  # before the key of whoever comes back; no name has a colon
LINK_DIGITS = 32
_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # 32, without those that are taken for another
_I, _P = schema.invitations.c, schema.people.c


def set_up_token(register: Register, entropy: Entropy, limits: Limits) -> str | None:
    """A token for the first of the floor, in place of any earlier one; None: there is one of the floor."""
    if register.floor():
        return None
    token = _issue(register, entropy, _SET_UP, "", frozenset({Role.FLOOR}), register.after(limits.set_up))
    register.log("", "setup-link-created", "", link=link_of(token))
    return token


def invite(
    register: Register, entropy: Entropy, limits: Limits, *, by: Person, name: str, roles: frozenset[Role]
) -> str:
    """A link for a new person, in place of any earlier one."""
    who = register.may(by, Role.FLOOR)
    check_roles(roles)
    register.check_free(name)
    token = _issue(register, entropy, key_of(name), name, roles, register.after(limits.invitation))
    register.log(who.name, "person-invited", name, roles=roles, link=link_of(token))
    return token


def account_recovery(register: Register, entropy: Entropy, limits: Limits, *, by: Person | None, name: str) -> str:
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
    key, expires = f"{RECOVERY}{row['name_key']}", register.after(limits.account_recovery)
    token = _issue(register, entropy, key, row["name"], duties.read(row["roles"]), expires)
    register.log(who, "recovery-link-created", row["name"], link=link_of(token))
    return token


def link_of(token: str) -> str:
    """By what the log knows a link: a part of its digest, which opens nothing."""
    return digest(token)[:LINK_DIGITS]


def offered(register: Register, token: str) -> Row:
    """What a link is good for."""
    row = register.one(schema.invitations, _I.token == digest(token))
    if row is None or row["expires"] < register.now:
        raise PeopleRefused(PeopleRefusal.TOKEN_INVALID)
    return row


def enter(register: Register, row: Row, name: str, kept: str) -> Person:
    """A link is used: its person is here from now on."""
    if not register.drop(schema.invitations, _I.name_key == row["name_key"], _I.token == row["token"]):
        raise PeopleRefused(PeopleRefusal.TOKEN_INVALID)
    if is_set_up(row) and register.floor():
        raise PeopleRefused(PeopleRefusal.SET_UP_ALREADY)
    if row["name_key"].startswith(RECOVERY):
        return _come_back(register, name, kept)
    person = register.enter(name, duties.read(row["roles"]), kept)
    register.log(name, "house-set-up" if is_set_up(row) else "invitation-accepted", name, roles=person.roles)
    return person


def _come_back(register: Register, name: str, kept: str) -> Person:
    """Another password and no codes; whoever is in under this name is out."""
    row = register.known(name, hold=True)
    _check_enabled(row)
    throttle.forgive(register, Asked(name=name, source="").by_name)  # his guesses before he asked for the link
    register.change(
        schema.people, _P.name_key == row["name_key"], password=kept, totp_secret=None, totp_secret_offered=None
    )
    ended = sessions.end_all(register, row["name"])
    register.log(
        row["name"],
        "account-recovered",
        row["name"],
        {"has_totp": row["totp_secret"] is not None},
        sessions_ended=ended,
    )
    return person_of({**row, "totp_secret": None})


def _check_enabled(row: Row) -> None:
    """A way back is no way around the floor, who shut somebody out."""
    if row["disabled"]:
        raise PeopleRefused(PeopleRefusal.PERSON_DISABLED, name=row["name"])


def is_set_up(row: Row) -> bool:
    """Whether a link is the one that sets the house up."""
    return bool(row["name_key"] == _SET_UP)


def admit(register: Register, entropy: Entropy) -> Person:
    """A guest under a name that nobody has."""
    for _ in range(100):
        name = "Guest " + "".join(_LETTERS[byte % len(_LETTERS)] for byte in entropy(4))
        if register.row(name) is None:
            person = register.enter(name, frozenset({Role.PLAYER}), None, guest=True)
            register.log(name, "guest-added", name, roles=person.roles)
            return person
    raise PeopleRefused(PeopleRefusal.NO_GUEST_NAME)


def check_roles(roles: frozenset[Role]) -> None:
    """Refuses no roles at all, and those that nobody may hold together."""
    if not roles:
        raise PeopleRefused(PeopleRefusal.NO_ROLE)
    if (pair := duties.clashing_pair(roles)) is not None:
        role, other = pair
        why = {"code": duties.clash(pair)}
        raise PeopleRefused(PeopleRefusal.ROLES_CLASH, role=role.value, other=other.value, why=why)


def _issue(register: Register, entropy: Entropy, key: str, name: str, roles: frozenset[Role], expires: str) -> str:
    token = new_token(entropy)
    register.drop(schema.invitations, _I.name_key == key)
    register.add(
        schema.invitations, name_key=key, token=digest(token), name=name, roles=duties.written(roles), expires=expires
    )
    return token
