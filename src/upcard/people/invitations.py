"""How people get an account: the first on the floor by a set-up link, everybody else by an invitation, guests without.

A person who lost their password or authenticator gets a recovery link: a new password, and no authenticator. Two people
make the links of staff (`two_people`), except during the first set-up.

There are no default accounts and no default passwords (OWASP ASVS 6.3.2). Every link works once and expires.
"""

from dataclasses import dataclass

from upcard.people import approvals, independence, schema, sessions, throttle
from upcard.people import roles as duties
from upcard.people.person import Entropy, Person, name_key, new_token, token_hash
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, Row, person_of
from upcard.people.roles import Role
from upcard.people.throttle import Attempt, Secret
from upcard.people.time_limits import TimeLimits

_SET_UP = ""  # the key of the set-up link; there is one at most
RECOVERY = "recovery:"  # comes before the name key in a recovery link's key; no name has a colon
LINK_ID_DIGITS = 32
_FLOOR_NEEDS = 2  # people: one alone can do nothing that needs a second person
_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # 32 of them, none easily misread as another
_I, _P = schema.invitations.c, schema.people.c


def set_up_token(register: Register, entropy: Entropy, limits: TimeLimits, *, second: bool) -> str | None:
    """A token for the first person on the floor, or the second; it replaces any earlier one. None: they are there.

    One person alone could not invite anybody. The operator makes the link, on the machine where the book is.
    """
    if len(register.lock_floor()) >= (_FLOOR_NEEDS if second else 1):
        return None
    token = new_token(entropy)
    _store(register, token, _SET_UP, "", frozenset({Role.FLOOR}), register.after(limits.set_up))
    register.log("", "setup-link-created", "", link=link_id(token))
    return token


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLink:
    """The token of a link that is made, and who approved it, if that was needed."""

    token: str
    approved_by: str | None = None


def invite(
    register: Register, limits: TimeLimits, link: NewLink, *, by: Person, name: str, roles: frozenset[Role]
) -> None:
    """Makes a link for a new person; it replaces any earlier one."""
    inviter = check_invitation(register, by, name, roles)
    _store(register, link.token, name_key(name), name, roles, register.after(limits.invitation))
    register.log(
        inviter.name, independence.INVITED, name, roles=roles, link=link_id(link.token), approved_by=link.approved_by
    )


def invite_first(register: Register, limits: TimeLimits, link: NewLink, name: str, roles: frozenset[Role]) -> None:
    """Makes a link for somebody of a new house. The operator makes it, on the machine where the book is, as long as no
    table was ever opened and nobody has an account."""
    if not independence.in_first_set_up(register) or register.find(schema.people) is not None:
        raise PeopleRefused(PeopleRefusal.SET_UP_ALREADY)
    check_roles(roles)
    register.check_name_is_free(name)
    _store(register, link.token, name_key(name), name, roles, register.after(limits.invitation))
    register.log("", independence.INVITED, name, roles=roles, link=link_id(link.token), approved_by=link.approved_by)


def check_invitation(register: Register, by: Person, name: str, roles: frozenset[Role]) -> Person:
    inviter = register.require_role(by, Role.FLOOR)
    check_roles(roles)
    register.check_name_is_free(name)
    return inviter


def recover(register: Register, limits: TimeLimits, link: NewLink, *, by: Person | None, name: str) -> None:
    """Makes a link for somebody who can no longer sign in; it replaces any earlier one.

    Without `by`, the operator makes it, on the machine where the book is.
    """
    row = check_recovery(register, by, name)
    key, expires = f"{RECOVERY}{row['name_key']}", register.after(limits.account_recovery)
    _store(register, link.token, key, row["name"], duties.parse_roles(row["roles"]), expires)
    actor = "" if by is None else by.name
    made = link_id(link.token)
    register.log(actor, "recovery-link-created", row["name"], link=made, approved_by=link.approved_by)


def check_recovery(register: Register, by: Person | None, name: str) -> Row:
    """Nobody recovers their own account, and neither a guest's nor a disabled one."""
    actor = "" if by is None else register.require_role(by, Role.FLOOR).name
    row = register.person_row(name, lock=True)
    if row["guest"]:
        raise PeopleRefused(PeopleRefusal.GUESTS_PLAY)
    _check_enabled(row)
    if actor == row["name"]:
        raise PeopleRefused(PeopleRefusal.NOT_ALONE)
    return row


def link_id(token: str) -> str:
    """How the log names a link: part of its token's hash, which opens nothing."""
    return token_hash(token)[:LINK_ID_DIGITS]


def valid_link(register: Register, token: str, attempt: Attempt) -> Row | PeopleRefused:
    """The row of a link. Attempts are counted for the address and network they come from."""
    if wait := throttle.count_attempt(register, attempt):
        return PeopleRefused(PeopleRefusal.TOO_MANY_TRIES, seconds=wait.seconds)
    row = _find(register, token)
    if row is None:
        return PeopleRefused(PeopleRefusal.TOKEN_INVALID)
    throttle.succeed(register, attempt)
    return row


def is_open(register: Register, token: str) -> bool:
    """Whether a link can still be used."""
    return _find(register, token) is not None


def _find(register: Register, token: str) -> Row | None:
    row = register.find(schema.invitations, _I.token == token_hash(token))
    return None if row is None or row["expires"] < register.now else row


def accept(register: Register, link: Row, name: str, password_hash: str) -> Person:
    """Uses a link up: adds its person, or gives a person with a recovery link their new password."""
    if not register.delete(schema.invitations, _I.name_key == link["name_key"], _I.token == link["token"]):
        raise PeopleRefused(PeopleRefusal.TOKEN_INVALID)
    if is_set_up(link) and len(register.lock_floor()) >= _FLOOR_NEEDS:
        raise PeopleRefused(PeopleRefusal.SET_UP_ALREADY)
    if link["name_key"].startswith(RECOVERY):
        return _recover_account(register, name, password_hash)
    roles, founder = duties.parse_roles(link["roles"]), independence.in_first_set_up(register)
    alone = duties.is_staff(roles) and not is_set_up(link) and not independence.was_approved(register, name)
    if alone and not founder:
        raise PeopleRefused(PeopleRefusal.INVITED_ALONE)
    person = register.add_person(name, roles, password_hash)
    mark = True if founder and duties.is_staff(roles) else None
    action = "house-set-up" if is_set_up(link) else "invitation-accepted"
    register.log(name, action, name, roles=person.roles, founder=mark)
    return person


def _recover_account(register: Register, name: str, password_hash: str) -> Person:
    """Sets a new password, removes the authenticator, ends all sessions, and withdraws what the account asked for."""
    row = register.person_row(name, lock=True)
    _check_enabled(row)
    throttle.reset(register, Attempt(secret=Secret.SIGN_IN, name=name))  # they have tried old passwords
    register.change(
        schema.people,
        _P.name_key == row["name_key"],
        password=password_hash,
        totp_secret=None,
        totp_secret_offered=None,
    )
    ended = sessions.end_all(register, row["name"])
    approvals.withdraw_waiting(register, by=row["name"], of=row["name"])
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


def _store(register: Register, token: str, key: str, name: str, roles: frozenset[Role], expires: str) -> None:
    register.delete(schema.invitations, _I.name_key == key)
    register.add(
        schema.invitations,
        name_key=key,
        token=token_hash(token),
        name=name,
        roles=duties.roles_text(roles),
        expires=expires,
    )
