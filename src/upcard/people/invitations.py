"""How people get an account: the first on the floor by a set-up link, everybody else by an invitation, guests without.

A person who lost their password or authenticator gets a recovery link: a new password, and no authenticator.

There are no default accounts and no default passwords (OWASP ASVS 6.3.2). Every link works once and expires.
"""

from upcard.people import roles as duties
from upcard.people import schema, sessions, throttle
from upcard.people.person import Entropy, Person, name_key, new_token, token_hash
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, Row, person_of
from upcard.people.roles import Role
from upcard.people.sign_in import SignInAttempt
from upcard.people.time_limits import TimeLimits

_SET_UP = ""  # the key of the set-up link; there is one at most
RECOVERY = "recovery:"  # comes before the name key in a recovery link's key; no name has a colon
LINK_ID_DIGITS = 32
_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # 32 of them, none easily misread as another
_I, _P = schema.invitations.c, schema.people.c


def set_up_token(register: Register, entropy: Entropy, limits: TimeLimits) -> str | None:
    """A token for the first person on the floor; it replaces any earlier one. None: the floor has somebody."""
    if register.lock_floor():
        return None
    token = _issue(register, entropy, _SET_UP, "", frozenset({Role.FLOOR}), register.after(limits.set_up))
    register.log("", "setup-link-created", "", link=link_id(token))
    return token


def invite(
    register: Register, entropy: Entropy, limits: TimeLimits, *, by: Person, name: str, roles: frozenset[Role]
) -> str:
    """A token for a new person; it replaces any earlier one."""
    inviter = register.require_role(by, Role.FLOOR)
    check_roles(roles)
    register.check_name_is_free(name)
    token = _issue(register, entropy, name_key(name), name, roles, register.after(limits.invitation))
    register.log(inviter.name, "person-invited", name, roles=roles, link=link_id(token))
    return token


def recovery_token(register: Register, entropy: Entropy, limits: TimeLimits, *, by: Person | None, name: str) -> str:
    """A token for somebody who can no longer sign in; it replaces any earlier one. Nobody makes one for themselves.

    Without `by`, the operator makes it, on the machine where the book is.
    """
    actor = "" if by is None else register.require_role(by, Role.FLOOR).name
    row = register.person_row(name, lock=True)
    if row["guest"]:
        raise PeopleRefused(PeopleRefusal.GUESTS_PLAY)
    _check_enabled(row)
    if actor == row["name"]:
        raise PeopleRefused(PeopleRefusal.NOT_ALONE)
    key, expires = f"{RECOVERY}{row['name_key']}", register.after(limits.account_recovery)
    token = _issue(register, entropy, key, row["name"], duties.parse_roles(row["roles"]), expires)
    register.log(actor, "recovery-link-created", row["name"], link=link_id(token))
    return token


def link_id(token: str) -> str:
    """How the log names a link: part of its token's hash, which opens nothing."""
    return token_hash(token)[:LINK_ID_DIGITS]


def valid_link(register: Register, token: str) -> Row:
    row = register.find(schema.invitations, _I.token == token_hash(token))
    if row is None or row["expires"] < register.now:
        raise PeopleRefused(PeopleRefusal.TOKEN_INVALID)
    return row


def accept(register: Register, link: Row, name: str, password_hash: str) -> Person:
    """Uses a link up: adds its person, or gives a person with a recovery link their new password."""
    if not register.delete(schema.invitations, _I.name_key == link["name_key"], _I.token == link["token"]):
        raise PeopleRefused(PeopleRefusal.TOKEN_INVALID)
    if is_set_up(link) and register.lock_floor():
        raise PeopleRefused(PeopleRefusal.SET_UP_ALREADY)
    if link["name_key"].startswith(RECOVERY):
        return _recover_account(register, name, password_hash)
    person = register.add_person(name, duties.parse_roles(link["roles"]), password_hash)
    register.log(name, "house-set-up" if is_set_up(link) else "invitation-accepted", name, roles=person.roles)
    return person


def _recover_account(register: Register, name: str, password_hash: str) -> Person:
    """Sets a new password, removes the authenticator, and ends all sessions."""
    row = register.person_row(name, lock=True)
    _check_enabled(row)
    throttle.reset(register, SignInAttempt(name=name, source="").name_counter)  # they have tried old passwords
    register.change(
        schema.people,
        _P.name_key == row["name_key"],
        password=password_hash,
        totp_secret=None,
        totp_secret_offered=None,
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
    """A recovery link does not undo what the floor decided."""
    if row["disabled"]:
        raise PeopleRefused(PeopleRefusal.PERSON_DISABLED, name=row["name"])


def is_set_up(link: Row) -> bool:
    return bool(link["name_key"] == _SET_UP)


def add_guest(register: Register, entropy: Entropy) -> Person:
    """Adds a guest under a free name."""
    for _ in range(100):
        name = "Guest " + "".join(_LETTERS[byte % len(_LETTERS)] for byte in entropy(4))
        if register.find_person(name) is None:
            person = register.add_person(name, frozenset({Role.PLAYER}), None, guest=True)
            register.log(name, "guest-added", name, roles=person.roles)
            return person
    raise PeopleRefused(PeopleRefusal.NO_GUEST_NAME)


def check_roles(roles: frozenset[Role]) -> None:
    """Refuses an empty set of roles, and roles that nobody may hold together."""
    if not roles:
        raise PeopleRefused(PeopleRefusal.NO_ROLE)
    if (pair := duties.clashing_pair(roles)) is not None:
        role, other = pair
        why = {"code": duties.clash(pair)}
        raise PeopleRefused(PeopleRefusal.ROLES_CLASH, role=role.value, other=other.value, why=why)


def _issue(register: Register, entropy: Entropy, key: str, name: str, roles: frozenset[Role], expires: str) -> str:
    token = new_token(entropy)
    register.delete(schema.invitations, _I.name_key == key)
    register.add(
        schema.invitations,
        name_key=key,
        token=token_hash(token),
        name=name,
        roles=duties.roles_text(roles),
        expires=expires,
    )
    return token
