"""One-time codes (TOTP, RFC 6238): six digits of half a minute, one to either side; no code is taken twice."""

import base64
import hmac
from datetime import datetime

from upcard.ledger.keyring import Keyring
from upcard.people import schema, throttle
from upcard.people.person import Person, Session, key_of
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register
from upcard.people.sessions import Means, hold

ISSUER = "Upcard"
_SECRET_BYTES = 20
_STEP = 30  # seconds
_P, _S = schema.people.c, schema.sessions.c


def offer(register: Register, means: Means, session: Session) -> tuple[str, str]:
    """A new secret for somebody's telephone; it counts once he has confirmed it."""
    import pyotp

    me = hold(register, means, session).session
    if me.person.has_totp and not is_fresh(means, me, register.at):
        raise PeopleRefused(PeopleRefusal.STEP_UP_FIRST)  # a stolen session must not bring its own telephone
    raw = means.entropy(_SECRET_BYTES)
    secret = base64.b32encode(raw).decode()
    key = key_of(me.person.name)
    register.change(schema.people, _P.name_key == key, totp_secret_offered=means.keyring.encrypt(raw, _owner(key)))
    register.log(me.person.name, "authenticator-offered", me.person.name)
    return secret, pyotp.TOTP(secret).provisioning_uri(name=me.person.name, issuer_name=ISSUER)


def confirm(register: Register, means: Means, session: Session, code: str) -> Session | PeopleRefused:
    """The first code of a new secret; from now on it is his."""
    me = hold(register, means, session).session
    row = register.known(me.person.name, hold=True)
    if row["totp_secret_offered"] is None:
        raise PeopleRefused(PeopleRefusal.CODES_NOT_BEGUN)
    step = _step(means.keyring, row["totp_secret_offered"], row["name_key"], code, register.at)
    if step is None:
        return _wrong(register, me.person)
    register.change(
        schema.people,
        _P.name_key == row["name_key"],
        totp_secret=row["totp_secret_offered"],
        totp_secret_offered=None,
        totp_last_step=step,
    )
    register.log(
        me.person.name, "authenticator-confirmed", me.person.name, {"has_totp": me.person.has_totp}, has_totp=True
    )
    return _stepped_up(register, means, me)


def step_up(register: Register, means: Means, session: Session, code: str) -> Session | PeopleRefused:
    """A code that was not used before; the session counts as confirmed for a while."""
    me = hold(register, means, session).session
    row = register.known(me.person.name, hold=True)
    if row["totp_secret"] is None:
        raise PeopleRefused(PeopleRefusal.CODES_MISSING)
    step = _step(means.keyring, row["totp_secret"], row["name_key"], code, register.at)
    if step is None or not register.change(
        schema.people, _P.name_key == row["name_key"], _P.totp_last_step < step, totp_last_step=step
    ):
        return _wrong(register, me.person)
    register.log(me.person.name, "code-accepted", me.person.name)
    return _stepped_up(register, means, me)


def count(register: Register, session: Session) -> PeopleRefused | None:
    """Counts a try before it is looked at."""
    name = session.person.name
    if wait := throttle.turned_away(register, tries_of(session)):
        register.log(name, "code-throttled", name, seconds=wait)
        return PeopleRefused(PeopleRefusal.TOO_MANY_TRIES, seconds=wait)
    return None


def tries_of(session: Session) -> str:
    """Under what wrong codes are counted."""
    return f"code:{key_of(session.person.name)}"


def is_fresh(means: Means, session: Session, at: datetime) -> bool:
    """Whether he has confirmed himself lately."""
    return session.stepped_up_at is not None and at - session.stepped_up_at <= means.limits.stepped_up


def _stepped_up(register: Register, means: Means, me: Session) -> Session:
    throttle.forgive(register, tries_of(me))
    register.change(schema.sessions, _S.id == me.id, confirmed_at=register.now)
    return hold(register, means, me).session


def _step(keyring: Keyring, encrypted: str, key: str, code: str, at: datetime) -> int | None:
    """Which half minute a code is of, the latest first; None: it is wrong."""
    import pyotp

    now = int(at.timestamp()) // _STEP
    totp = pyotp.TOTP(base64.b32encode(keyring.decrypt(encrypted, _owner(key))).decode())
    given = "".join(code.split()).encode("utf-8", "surrogatepass")
    right = [step for step in (now + 1, now, now - 1) if hmac.compare_digest(totp.at(step * _STEP).encode(), given)]
    return right[0] if right else None


def _wrong(register: Register, person: Person) -> PeopleRefused:
    register.log(person.name, "code-rejected", person.name)
    return PeopleRefused(PeopleRefusal.CODE_WRONG)


def _owner(key: str) -> str:
    return f"codes:{key}"
