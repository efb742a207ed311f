"""One-time codes (TOTP, RFC 6238): six digits per half minute, the one before and after allowed; none works twice."""

import base64
import hmac
from datetime import datetime

from upcard.ledger.keyring import Keyring
from upcard.people import schema, throttle
from upcard.people.person import Person, Session, name_key
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, Row
from upcard.people.roles import is_staff
from upcard.people.sessions import PeopleContext, lock_session
from upcard.people.throttle import Attempt, Secret
from upcard.problems import BadRequest

ISSUER = "Upcard"
_SECRET_BYTES = 20
_STEP = 30  # seconds
_P, _S = schema.people.c, schema.sessions.c


def enrol(register: Register, context: PeopleContext, session: Session) -> tuple[str, str]:
    """A new secret and its address for an authenticator app; it counts once its person has confirmed it."""
    import pyotp

    current = lock_session(register, context, session).session
    if current.person.guest:
        raise PeopleRefused(PeopleRefusal.GUESTS_PLAY)  # nothing to sign in with, and so nothing to protect
    if current.person.has_totp and not stepped_up_recently(context, current, register.at):
        raise PeopleRefused(PeopleRefusal.STEP_UP_FIRST)  # a stolen session must not enrol the thief's phone
    raw = context.entropy(_SECRET_BYTES)
    secret = base64.b32encode(raw).decode()
    name = current.person.name
    encrypted = context.keyring.encrypt(raw, _encryption_label(name_key(name)))
    register.change(schema.people, _P.name_key == name_key(name), totp_secret_offered=encrypted)
    register.log(name, "authenticator-offered", name)
    return secret, pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name=ISSUER)


def confirm(
    register: Register, context: PeopleContext, session: Session, code: str, source: str
) -> Session | PeopleRefused:
    """Takes the first code of a new secret; from then on that secret is in use."""
    current = lock_session(register, context, session).session
    row = register.person_row(current.person.name, lock=True)
    if row["totp_secret_offered"] is None:
        raise PeopleRefused(PeopleRefusal.CODES_NOT_BEGUN)
    attempt = _attempt(current.person, source)
    if (refused := _count(register, context, attempt)) is not None:
        return refused
    step = _step(context.keyring, row["totp_secret_offered"], row["name_key"], code, register.at)
    if step is None:
        return _reject(register, attempt)
    register.change(
        schema.people,
        _P.name_key == row["name_key"],
        totp_secret=row["totp_secret_offered"],
        totp_secret_offered=None,
        totp_last_step=step,
    )
    name = current.person.name
    register.log(name, "authenticator-confirmed", name, {"has_totp": current.person.has_totp}, has_totp=True)
    throttle.succeed(register, attempt)
    return _stepped_up(register, context, current)


def remove(register: Register, context: PeopleContext, session: Session) -> None:
    """Removes a player's authenticator; it takes a recent code. Staff replace theirs."""
    current = lock_session(register, context, session).session
    person = current.person
    if is_staff(person.roles):
        raise PeopleRefused(PeopleRefusal.STAFF_NEED_CODES)
    if not person.has_totp:
        raise PeopleRefused(PeopleRefusal.CODES_MISSING)
    if not stepped_up_recently(context, current, register.at):
        raise PeopleRefused(PeopleRefusal.STEP_UP_FIRST)
    own_row = _P.name_key == name_key(person.name)
    register.change(schema.people, own_row, totp_secret=None, totp_secret_offered=None)
    register.log(person.name, "authenticator-removed", person.name, {"has_totp": True}, has_totp=False)


def step_up(
    register: Register, context: PeopleContext, session: Session, code: str, source: str
) -> Session | PeopleRefused:
    """Takes a code that was not used before; the session then counts as stepped up for a few minutes."""
    current = lock_session(register, context, session).session
    row = register.person_row(current.person.name, lock=True)
    if row["totp_secret"] is None:
        raise PeopleRefused(PeopleRefusal.CODES_MISSING)
    if (refused := use_code(register, context, row, code, _attempt(current.person, source))) is not None:
        return refused
    return _stepped_up(register, context, current)


def use_code(register: Register, context: PeopleContext, row: Row, code: str, attempt: Attempt) -> PeopleRefused | None:
    """Uses up a code of a person's authenticator. It is counted before it is checked; only a right code clears that."""
    if (refused := _count(register, context, attempt)) is not None:
        return refused
    step = _step(context.keyring, row["totp_secret"], row["name_key"], code, register.at)
    if step is None or not register.change(
        schema.people, _P.name_key == row["name_key"], _P.totp_last_step < step, totp_last_step=step
    ):
        return _reject(register, attempt)
    throttle.succeed(register, attempt)
    register.log(row["name"], "code-accepted", row["name"])
    return None


def stepped_up_recently(context: PeopleContext, session: Session, at: datetime) -> bool:
    return session.stepped_up_at is not None and at - session.stepped_up_at <= context.limits.stepped_up


def _stepped_up(register: Register, context: PeopleContext, session: Session) -> Session:
    register.change(schema.sessions, _S.id == session.id, confirmed_at=register.now)
    return lock_session(register, context, session).session


def _step(keyring: Keyring, encrypted: str, key: str, code: str, at: datetime) -> int | None:
    """Which half minute a code is from, the latest first; None: the code is wrong."""
    import pyotp

    now = int(at.timestamp()) // _STEP
    try:
        secret = keyring.decrypt(encrypted, _encryption_label(key))
    except BadRequest:
        raise PeopleRefused(PeopleRefusal.AUTHENTICATOR_LOST) from None
    totp = pyotp.TOTP(base64.b32encode(secret).decode())
    entered = "".join(code.split()).encode("utf-8", "surrogatepass")
    matches = [step for step in (now + 1, now, now - 1) if hmac.compare_digest(totp.at(step * _STEP).encode(), entered)]
    return matches[0] if matches else None


def _attempt(person: Person, source: str) -> Attempt:
    return Attempt(secret=Secret.CODE, name=person.name, source=source)


def _count(register: Register, context: PeopleContext, attempt: Attempt) -> PeopleRefused | None:
    if wait := throttle.count_attempt(register, attempt):
        name, logged = register.person_row(attempt.name)["name"], context.logged_waits
        return throttle.refuse(register, logged, wait, attempt, actor=name, action="code-throttled", subject=name)
    return None


def _reject(register: Register, attempt: Attempt) -> PeopleRefused:
    name = register.person_row(attempt.name)["name"]
    register.log(name, "code-rejected", name, source=attempt.source or None)
    return PeopleRefused(PeopleRefusal.CODE_WRONG)


def _encryption_label(key: str) -> str:
    return f"codes:{key}"
