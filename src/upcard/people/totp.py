"""One-time codes (TOTP, RFC 6238): six digits per half minute, the one before and after allowed; none works twice."""

import base64
import hmac
from datetime import datetime

from upcard.ledger.keyring import Keyring
from upcard.people import schema, throttle
from upcard.people.person import Person, Session, name_key
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register
from upcard.people.sessions import PeopleContext, lock_session

ISSUER = "Upcard"
_SECRET_BYTES = 20
_STEP = 30  # seconds
_P, _S = schema.people.c, schema.sessions.c


def enrol(register: Register, context: PeopleContext, session: Session) -> tuple[str, str]:
    """A new secret and its address for an authenticator app; it counts once its person has confirmed it."""
    import pyotp

    current = lock_session(register, context, session).session
    if current.person.has_totp and not stepped_up_recently(context, current, register.at):
        raise PeopleRefused(PeopleRefusal.STEP_UP_FIRST)  # a stolen session must not enrol the thief's phone
    raw = context.entropy(_SECRET_BYTES)
    secret = base64.b32encode(raw).decode()
    name = current.person.name
    encrypted = context.keyring.encrypt(raw, _encryption_label(name_key(name)))
    register.change(schema.people, _P.name_key == name_key(name), totp_secret_offered=encrypted)
    register.log(name, "authenticator-offered", name)
    return secret, pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name=ISSUER)


def confirm(register: Register, context: PeopleContext, session: Session, code: str) -> Session | PeopleRefused:
    """Takes the first code of a new secret; from then on that secret is in use."""
    current = lock_session(register, context, session).session
    row = register.person_row(current.person.name, lock=True)
    if row["totp_secret_offered"] is None:
        raise PeopleRefused(PeopleRefusal.CODES_NOT_BEGUN)
    step = _step(context.keyring, row["totp_secret_offered"], row["name_key"], code, register.at)
    if step is None:
        return _reject(register, current.person)
    register.change(
        schema.people,
        _P.name_key == row["name_key"],
        totp_secret=row["totp_secret_offered"],
        totp_secret_offered=None,
        totp_last_step=step,
    )
    name = current.person.name
    register.log(name, "authenticator-confirmed", name, {"has_totp": current.person.has_totp}, has_totp=True)
    return _stepped_up(register, context, current)


def step_up(register: Register, context: PeopleContext, session: Session, code: str) -> Session | PeopleRefused:
    """Takes a code that was not used before; the session then counts as stepped up for a few minutes."""
    current = lock_session(register, context, session).session
    row = register.person_row(current.person.name, lock=True)
    if row["totp_secret"] is None:
        raise PeopleRefused(PeopleRefusal.CODES_MISSING)
    step = _step(context.keyring, row["totp_secret"], row["name_key"], code, register.at)
    if step is None or not register.change(
        schema.people, _P.name_key == row["name_key"], _P.totp_last_step < step, totp_last_step=step
    ):
        return _reject(register, current.person)
    register.log(current.person.name, "code-accepted", current.person.name)
    return _stepped_up(register, context, current)


def count_attempt(register: Register, session: Session) -> PeopleRefused | None:
    """Counts an attempt before it is checked."""
    name = session.person.name
    if wait := throttle.count_attempt(register, attempt_counter(session)):
        register.log(name, "code-throttled", name, seconds=wait)
        return PeopleRefused(PeopleRefusal.TOO_MANY_TRIES, seconds=wait)
    return None


def attempt_counter(session: Session) -> str:
    """The throttle's counter of wrong codes."""
    return f"code:{name_key(session.person.name)}"


def stepped_up_recently(context: PeopleContext, session: Session, at: datetime) -> bool:
    return session.stepped_up_at is not None and at - session.stepped_up_at <= context.limits.stepped_up


def _stepped_up(register: Register, context: PeopleContext, session: Session) -> Session:
    throttle.reset(register, attempt_counter(session))
    register.change(schema.sessions, _S.id == session.id, confirmed_at=register.now)
    return lock_session(register, context, session).session


def _step(keyring: Keyring, encrypted: str, key: str, code: str, at: datetime) -> int | None:
    """Which half minute a code is from, the latest first; None: the code is wrong."""
    import pyotp

    now = int(at.timestamp()) // _STEP
    totp = pyotp.TOTP(base64.b32encode(keyring.decrypt(encrypted, _encryption_label(key))).decode())
    entered = "".join(code.split()).encode("utf-8", "surrogatepass")
    matches = [step for step in (now + 1, now, now - 1) if hmac.compare_digest(totp.at(step * _STEP).encode(), entered)]
    return matches[0] if matches else None


def _reject(register: Register, person: Person) -> PeopleRefused:
    register.log(person.name, "code-rejected", person.name)
    return PeopleRefused(PeopleRefusal.CODE_WRONG)


def _encryption_label(key: str) -> str:
    return f"codes:{key}"
